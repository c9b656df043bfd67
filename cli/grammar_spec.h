/*
 * grammar_spec.h - a grammar as a command line asks for it: kind, text, profile
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_GRAMMAR_SPEC_H
#define CLI_GRAMMAR_SPEC_H

#include "schema_refs.h"

struct grammar_spec {
    const char *kind;  /* NULL: no grammar was asked for */
    const char *value; /* its text, or the file that holds it; NULL: none */
    bool is_file;
    struct schema_refs refs;
    sortes_grammar_options options; /* struct_size: set when it is compiled */
};

/* Above the ids that a command gives its own options, and a request's. */
enum {
    GRAMMAR_OPTION_PROFILE = 2000, /* in the order of their fields */
    GRAMMAR_OPTION_ORDER,
    GRAMMAR_OPTION_WHITESPACE,
    GRAMMAR_OPTION_ESCAPES,
    GRAMMAR_OPTION_NUMBERS,
    GRAMMAR_OPTION_FORMATS,
    GRAMMAR_OPTION_DRAFT,
    GRAMMAR_OPTION_UNIQUE_KEYS,
    GRAMMAR_OPTION_LENIENT,
    GRAMMAR_OPTION_FORM,
    GRAMMAR_OPTION_REF,
    GRAMMAR_OPTION_JSON_OBJECT, /* and those that ask for a grammar */
    GRAMMAR_OPTION_SCHEMA,
    GRAMMAR_OPTION_SCHEMA_FILE,
    GRAMMAR_OPTION_REGEX,
    GRAMMAR_OPTION_CHOICE,
    GRAMMAR_OPTION_GBNF,
    GRAMMAR_OPTION_GBNF_FILE,
    GRAMMAR_OPTION_TAG_FILE,
    GRAMMAR_OPTION_TOOLS
};

#define GRAMMAR_PROFILE_OPTIONS                                                \
    { GRAMMAR_OPTION_PROFILE, "--profile", "P",                                \
      "json: free order, any blanks, escapes and numbers; llguidance: as "     \
      "that library writes" },                                                 \
        { GRAMMAR_OPTION_ORDER, "--order", "O",                                \
          "of an object's keys: declared (default), strict, or free" },        \
        { GRAMMAR_OPTION_WHITESPACE, "--whitespace", "W",                      \
          "between JSON's tokens: bounded (default: a space, or a line break " \
          "and up to 64 blanks), none, single, or any" },                      \
        { GRAMMAR_OPTION_ESCAPES, "--escapes", "E",                            \
          "in JSON's strings: auto (default: canonical in keys), canonical, "  \
          "or json" },                                                         \
        { GRAMMAR_OPTION_NUMBERS, "--numbers", "N",                            \
          "plain (default: integers as digits, an exponent only where "        \
          "nothing bounds the value) or json" },                               \
        { GRAMMAR_OPTION_FORMATS, "--formats", "F",                            \
          "of JSON Schema: assert (default) or annotate" },                    \
        { GRAMMAR_OPTION_DRAFT, "--draft", "D",                                \
          "of JSON Schema: schema (default: what $schema says), 4, 6, 7, "     \
          "2019-09, or 2020-12" },                                             \
        { GRAMMAR_OPTION_UNIQUE_KEYS, "--unique-keys", "B",                    \
          "whether an object's keys must differ: true (default) or false" },   \
        { GRAMMAR_OPTION_LENIENT, "--lenient", "B",                            \
          "whether a schema's unknown keywords are passed over: false "        \
          "(default) or true" },                                               \
        { GRAMMAR_OPTION_REF, "--ref", "URI=PATH",                             \
          "a document that JSON Schemas refer to by URI, in a file; a folder " \
          "stands for all URIs that begin so (may be given again)" },          \
    {                                                                          \
        GRAMMAR_OPTION_FORM, "--form", "F",                                    \
            "of GBNF: exact, or literal (llama.cpp's own rules)"               \
    }

#define GRAMMAR_KIND_OPTIONS                                                   \
    { GRAMMAR_OPTION_JSON_OBJECT, "--json-object", NULL,                       \
      "the text must be a JSON object" },                                      \
        { GRAMMAR_OPTION_SCHEMA, "-j, --json-schema", "JSON",                  \
          "the text must be JSON that this schema allows" },                   \
        { GRAMMAR_OPTION_SCHEMA_FILE, "-jf, --json-schema-file", "FILE",       \
          "the same, the schema being in a file" },                            \
        { GRAMMAR_OPTION_REGEX, "--regex", "R",                                \
          "the text must match R as a whole" },                                \
        { GRAMMAR_OPTION_CHOICE, "--choice", "A,B",                            \
          "the text must be one of these" },                                   \
        { GRAMMAR_OPTION_GBNF, "--grammar", "GBNF",                            \
          "the text must follow a grammar; in llama.cpp's dialect by that "    \
          "engine's own rules unless --form exact is given" },                 \
        { GRAMMAR_OPTION_GBNF_FILE, "--grammar-file", "FILE",                  \
          "the same, the grammar being in a file" },                           \
        { GRAMMAR_OPTION_TAG_FILE, "--structural-tag", "FILE",                 \
          "free text with tagged regions, each with a grammar of its own" },   \
    {                                                                          \
        GRAMMAR_OPTION_TOOLS, "--tools", "FILE",                               \
            "calls of OpenAI's tools: the list, or a request with it and "     \
            "tool_choice"                                                      \
    }

/* Takes one of these options, and a second grammar sets *rc, with a message;
 * false: it is none of them. */
bool grammar_spec_take(struct grammar_spec *spec, int id, const char *value,
                       int *rc);

/* Its text; 0 or CLI_RUNTIME with a message.  Free text->data with free(). */
int grammar_spec_read(const struct grammar_spec *spec, struct cli_text *text);

/* Compiles a text with the options and documents; sortes_grammar_new. */
sortes_status grammar_spec_new(const struct grammar_spec *spec,
                               const char *kind, const char *text, size_t n,
                               sortes_grammar **out, sortes_error *err);

/* Compiles that; v NULL: no vocabulary.  The caller says what went wrong. */
sortes_status grammar_spec_compile(const struct grammar_spec *spec,
                                   const struct cli_text *text, sortes_vocab *v,
                                   sortes_matcher **out, sortes_error *err);

#endif /* CLI_GRAMMAR_SPEC_H */
