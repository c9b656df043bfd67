/*
 * grammar_spec.c - a grammar as a command line asks for it: kind, text, profile
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "grammar_spec.h"

#include <stdlib.h>
#include <string.h>

/* The options that ask for a grammar, from GRAMMAR_OPTION_JSON_OBJECT on. */
static const struct {
    const char *kind;
    bool is_file;
} spec_kinds[] = {
    { "json_object", false }, { "json_schema", false },
    { "json_schema", true },  { "regex", false },
    { "choice", false },      { "gbnf", false },
    { "gbnf", true },         { "structural_tag", true },
    { "tools", true },
};

static const char **spec_field(struct grammar_spec *spec, int id)
{
    sortes_grammar_options *o = &spec->options;
    const char **const fields[] = {
        &o->profile, &o->order, &o->whitespace,  &o->escapes, &o->numbers,
        &o->formats, &o->draft, &o->unique_keys, &o->lenient, &o->form,
    };

    return fields[id - GRAMMAR_OPTION_PROFILE];
}

bool grammar_spec_take(struct grammar_spec *spec, int id, const char *value,
                       int *rc)
{
    *rc = 0;
    if (id < GRAMMAR_OPTION_PROFILE || id > GRAMMAR_OPTION_TOOLS)
        return false;
    if (id == GRAMMAR_OPTION_REF) {
        *rc = schema_refs_take(&spec->refs, value);
        return true;
    }
    if (id < GRAMMAR_OPTION_JSON_OBJECT) {
        *spec_field(spec, id) = value;
        return true;
    }
    if (spec->kind)
        *rc = cli_fail(CLI_USAGE, "a grammar is given twice");
    spec->kind = spec_kinds[id - GRAMMAR_OPTION_JSON_OBJECT].kind;
    spec->is_file = spec_kinds[id - GRAMMAR_OPTION_JSON_OBJECT].is_file;
    spec->value = value;
    return true;
}

/* A regex in a file ends before the file's last line break. */
static void spec_trim(const struct grammar_spec *spec, struct cli_text *text)
{
    if (!spec->is_file || strcmp(spec->kind, "regex") != 0)
        return;
    if (text->n > 0 && text->data[text->n - 1] == '\n')
        text->n--;
    if (text->n > 0 && text->data[text->n - 1] == '\r')
        text->n--;
}

/* "A,B": a choice a line is what the library reads. */
static void spec_split(const struct grammar_spec *spec, struct cli_text *text)
{
    if (spec->is_file || strcmp(spec->kind, "choice") != 0)
        return;
    for (size_t i = 0; i < text->n; i++)
        if (text->data[i] == ',')
            text->data[i] = '\n';
}

int grammar_spec_read(const struct grammar_spec *spec, struct cli_text *text)
{
    const char *value = spec->value ? spec->value : "";
    int rc = 0;

    if (spec->is_file)
        rc = cli_read_file(value, text);
    else
        *text = (struct cli_text){ strdup(value), strlen(value) };
    if (rc != 0)
        return rc;
    if (!text->data)
        return cli_fail(CLI_RUNTIME, "out of memory");
    spec_trim(spec, text);
    spec_split(spec, text);
    return 0;
}

sortes_status grammar_spec_new(const struct grammar_spec *spec,
                               const char *kind, const char *text, size_t n,
                               sortes_grammar **out, sortes_error *err)
{
    sortes_grammar_options options = spec->options;
    struct schema_documents documents = { .refs = &spec->refs };
    sortes_status status;

    options.struct_size = sizeof(options);
    if (spec->refs.n > 0) {
        options.resolve = schema_documents_get;
        options.resolve_ctx = &documents;
    }
    status = sortes_grammar_new(out, kind, text, n, &options, err);
    schema_documents_free(&documents);
    return status;
}

sortes_status grammar_spec_compile(const struct grammar_spec *spec,
                                   const struct cli_text *text, sortes_vocab *v,
                                   sortes_matcher **out, sortes_error *err)
{
    sortes_grammar *grammar = NULL;

    *out = NULL;
    sortes_status status =
        grammar_spec_new(spec, spec->kind, text->data, text->n, &grammar, err);
    if (status == SORTES_OK)
        status = sortes_matcher_new(out, grammar, v, err);
    sortes_grammar_free(grammar); /* the matcher keeps it */
    return status;
}
