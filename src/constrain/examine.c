/*
 * examine.c - what a text asks for, and what in its schemas is seldom meant
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tools/tools.h"

#include <string.h>

struct examine {
    const char *text;
    void (*each)(void *ctx, const sortes_finding *finding);
    void *ctx;
};

static void examine_tell(const struct examine *x, const struct srt_json *v,
                         sortes_finding finding)
{
    char where[256];

    srt_json_where(v, where, sizeof(where));
    finding.where = where;
    x->each(x->ctx, &finding);
}

static void examine_doubt(const struct examine *x, const struct srt_json *v,
                          const char *what)
{
    examine_tell(
        x, v, (sortes_finding){ .type = SORTES_FINDING_DOUBT, .what = what });
}

static void examine_unread(const struct examine *x, const struct srt_json *v,
                           const char *what)
{
    examine_tell(
        x, v, (sortes_finding){ .type = SORTES_FINDING_UNREAD, .what = what });
}

/* A part that is a text, or a string that holds it. */
static void examine_text(const struct examine *x, const struct srt_json *v,
                         sortes_finding_type type, const char *kind)
{
    const bool held = v->type == SRT_JSON_STRING;

    examine_tell(x, v,
                 (sortes_finding){ .type = type,
                                   .what = kind,
                                   .text = held ? v->text : x->text + v->offset,
                                   .n = held ? v->n : v->length });
}

static bool examine_is(const struct srt_json *v, const char *word)
{
    return v && v->type == SRT_JSON_STRING &&
           srt_json_equals(v->text, v->n, word);
}

/* ---- schemas --------------------------------------------------------------
 */

enum examine_holds {
    HOLDS_OTHER,
    HOLDS_SCHEMA,  /* or an array of them, in items */
    HOLDS_SCHEMAS, /* an array */
    HOLDS_NAMED    /* an object */
};

static const struct {
    const char *keyword;
    enum examine_holds holds;
} examine_keywords[] = {
    { "$anchor", HOLDS_OTHER },
    { "$comment", HOLDS_OTHER },
    { "$defs", HOLDS_NAMED },
    { "$dynamicAnchor", HOLDS_OTHER },
    { "$dynamicRef", HOLDS_OTHER },
    { "$id", HOLDS_OTHER },
    { "$recursiveAnchor", HOLDS_OTHER },
    { "$recursiveRef", HOLDS_OTHER },
    { "$ref", HOLDS_OTHER },
    { "$schema", HOLDS_OTHER },
    { "$vocabulary", HOLDS_OTHER },
    { "additionalItems", HOLDS_SCHEMA },
    { "additionalProperties", HOLDS_SCHEMA },
    { "allOf", HOLDS_SCHEMAS },
    { "anyOf", HOLDS_SCHEMAS },
    { "const", HOLDS_OTHER },
    { "contains", HOLDS_SCHEMA },
    { "contentEncoding", HOLDS_OTHER },
    { "contentMediaType", HOLDS_OTHER },
    { "contentSchema", HOLDS_OTHER },
    { "default", HOLDS_OTHER },
    { "definitions", HOLDS_NAMED },
    { "dependencies", HOLDS_OTHER },
    { "dependentRequired", HOLDS_OTHER },
    { "dependentSchemas", HOLDS_NAMED },
    { "deprecated", HOLDS_OTHER },
    { "description", HOLDS_OTHER },
    { "else", HOLDS_SCHEMA },
    { "enum", HOLDS_OTHER },
    { "example", HOLDS_OTHER },
    { "examples", HOLDS_OTHER },
    { "exclusiveMaximum", HOLDS_OTHER },
    { "exclusiveMinimum", HOLDS_OTHER },
    { "format", HOLDS_OTHER },
    { "id", HOLDS_OTHER },
    { "if", HOLDS_SCHEMA },
    { "items", HOLDS_SCHEMA },
    { "maxContains", HOLDS_OTHER },
    { "maxItems", HOLDS_OTHER },
    { "maxLength", HOLDS_OTHER },
    { "maxProperties", HOLDS_OTHER },
    { "maximum", HOLDS_OTHER },
    { "minContains", HOLDS_OTHER },
    { "minItems", HOLDS_OTHER },
    { "minLength", HOLDS_OTHER },
    { "minProperties", HOLDS_OTHER },
    { "minimum", HOLDS_OTHER },
    { "multipleOf", HOLDS_OTHER },
    { "not", HOLDS_SCHEMA },
    { "oneOf", HOLDS_SCHEMAS },
    { "pattern", HOLDS_OTHER },
    { "patternProperties", HOLDS_NAMED },
    { "prefixItems", HOLDS_SCHEMAS },
    { "properties", HOLDS_NAMED },
    { "propertyNames", HOLDS_SCHEMA },
    { "readOnly", HOLDS_OTHER },
    { "required", HOLDS_OTHER },
    { "then", HOLDS_SCHEMA },
    { "title", HOLDS_OTHER },
    { "type", HOLDS_OTHER },
    { "unevaluatedItems", HOLDS_SCHEMA },
    { "unevaluatedProperties", HOLDS_SCHEMA },
    { "uniqueItems", HOLDS_OTHER },
    { "writeOnly", HOLDS_OTHER },
};

static const struct srt_json *examine_named(const struct srt_json *list,
                                            const struct srt_json *name)
{
    const struct srt_json *found = NULL;

    for (const struct srt_json *v = list ? list->first : NULL; v; v = v->next)
        if (list->type == SRT_JSON_OBJECT && v->n_key == name->n &&
            memcmp(v->key, name->text, name->n) == 0)
            found = v;
    return found;
}

static bool examine_closed(const struct srt_json *schema)
{
    const struct srt_json *more = srt_json_find(schema, "additionalProperties");

    return more && more->type == SRT_JSON_FALSE &&
           !srt_json_find(schema, "patternProperties");
}

static void examine_required(const struct examine *x,
                             const struct srt_json *schema)
{
    const struct srt_json *properties = srt_json_find(schema, "properties");
    const struct srt_json *list = srt_json_find(schema, "required");

    if (!list || list->type != SRT_JSON_ARRAY)
        return;
    for (const struct srt_json *name = list->first; name; name = name->next) {
        const struct srt_json *p;

        if (name->type != SRT_JSON_STRING)
            continue;
        p = examine_named(properties, name);
        if (p ? p->type == SRT_JSON_FALSE : examine_closed(schema))
            examine_doubt(x, name, "this key is required, but it cannot occur");
        else if (!p && properties)
            examine_doubt(x, name,
                          "this key is required, but no property has its name");
    }
}

/* Names that may be left out, in an object that is open: what is written under
 * a name that was mistyped is anything. */
static void examine_open(const struct examine *x, const struct srt_json *schema)
{
    const struct srt_json *properties = srt_json_find(schema, "properties");
    const struct srt_json *required = srt_json_find(schema, "required");
    const struct srt_json *more = srt_json_find(schema, "additionalProperties");

    if (!properties || properties->type != SRT_JSON_OBJECT || more ||
        srt_json_find(schema, "unevaluatedProperties") ||
        properties->n <= (required ? required->n : 0))
        return;
    examine_doubt(x, properties,
                  "some names are optional and the object is open: other names "
                  "may come in their place (additionalProperties: false closes "
                  "it)");
}

static void examine_pattern(const struct examine *x,
                            const struct srt_json *pattern)
{
    if (pattern && pattern->type == SRT_JSON_STRING && pattern->n > 0 &&
        (pattern->text[0] != '^' || pattern->text[pattern->n - 1] != '$'))
        examine_doubt(x, pattern,
                      "the pattern may match anywhere in the string: ^ and $ "
                      "would hold it to the whole");
}

static void examine_branches(const struct examine *x,
                             const struct srt_json *list, bool one)
{
    for (const struct srt_json *v = list ? list->first : NULL; v; v = v->next)
        if (v->type == SRT_JSON_FALSE)
            examine_doubt(x, v, "nothing satisfies this branch");
        else if (v->type == SRT_JSON_TRUE ||
                 (v->type == SRT_JSON_OBJECT && !v->first))
            examine_doubt(x, v,
                          one ? "anything satisfies this branch, so no other "
                                "one may hold"
                              : "anything satisfies this branch, so the others "
                                "say nothing");
}

static void examine_schema(const struct examine *x,
                           const struct srt_json *schema);

static void examine_each(const struct examine *x, const struct srt_json *list)
{
    for (const struct srt_json *v = list->first; v; v = v->next)
        examine_schema(x, v);
}

static void examine_keyword(const struct examine *x, const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(examine_keywords); i++) {
        const enum examine_holds holds = examine_keywords[i].holds;

        if (!srt_json_equals(v->key, v->n_key, examine_keywords[i].keyword))
            continue;
        if (holds == HOLDS_SCHEMA && v->type == SRT_JSON_OBJECT)
            examine_schema(x, v);
        else if (holds == HOLDS_NAMED
                     ? v->type == SRT_JSON_OBJECT
                     : holds != HOLDS_OTHER && v->type == SRT_JSON_ARRAY)
            examine_each(x, v);
        return;
    }
    if (!(v->n_key > 2 && memcmp(v->key, "x-", 2) == 0))
        examine_doubt(x, v, "JSON Schema knows no such keyword");
}

static void examine_schema(const struct examine *x,
                           const struct srt_json *schema)
{
    if (schema->type != SRT_JSON_OBJECT)
        return;
    examine_required(x, schema);
    examine_open(x, schema);
    examine_pattern(x, srt_json_find(schema, "pattern"));
    examine_branches(x, srt_json_find(schema, "anyOf"), false);
    examine_branches(x, srt_json_find(schema, "oneOf"), true);
    for (const struct srt_json *v = schema->first; v; v = v->next)
        examine_keyword(x, v);
}

/* ---- parts ----------------------------------------------------------------
 */

static void examine_part(const struct examine *x, const struct srt_json *v,
                         const char *kind)
{
    examine_text(x, v, SORTES_FINDING_PART, kind);
    if (strcmp(kind, "json_schema") == 0)
        examine_schema(x, v);
}

/* part: the list, or what holds it. */
static void examine_tools(const struct examine *x, const struct srt_json *part,
                          const struct srt_json *list)
{
    examine_text(x, part, SORTES_FINDING_PART, "tools");
    for (const struct srt_json *v = list->first; v; v = v->next) {
        const struct srt_json *schema = srt_tools_parameters(v);

        examine_text(x, v, SORTES_FINDING_TOOL, "tools");
        if (schema)
            examine_schema(x, schema);
    }
}

/* ---- requests -------------------------------------------------------------
 */

/* A field that is there and not null. */
static const struct srt_json *examine_field(const struct srt_json *v,
                                            const char *name)
{
    const struct srt_json *field = srt_json_find(v, name);

    return field && field->type != SRT_JSON_NULL ? field : NULL;
}

static void examine_response_format(const struct examine *x,
                                    const struct srt_json *format)
{
    const struct srt_json *type = examine_field(format, "type");
    const struct srt_json *holder = examine_field(format, "json_schema");
    const struct srt_json *schema =
        examine_field(holder ? holder : format, "schema");

    if (examine_is(type, "structural_tag"))
        examine_part(x, format, "structural_tag");
    else if (schema)
        examine_part(x, schema, "json_schema");
    else if (examine_is(type, "json_object"))
        examine_tell(x, format,
                     (sortes_finding){ .type = SORTES_FINDING_PART,
                                       .what = "json_object",
                                       .text = "" });
    else if (examine_is(type, "json_schema"))
        examine_unread(
            x, format,
            "the schema is missing: it stands in json_schema.schema");
    else if (!examine_is(type, "text"))
        examine_unread(x, format,
                       "there is no such response format (text, json_object, "
                       "json_schema, structural_tag)");
}

/* Ollama's: "json", or a schema. */
static void examine_format(const struct examine *x,
                           const struct srt_json *format)
{
    if (examine_is(format, "json"))
        examine_tell(x, format,
                     (sortes_finding){ .type = SORTES_FINDING_PART,
                                       .what = "json_object",
                                       .text = "" });
    else if (format->type == SRT_JSON_OBJECT)
        examine_part(x, format, "json_schema");
    else if (format->type != SRT_JSON_STRING || format->n > 0)
        examine_unread(x, format,
                       "there is no such format (\"json\", a schema)");
}

/* Fields of one object that hold a grammar; kind NULL: of none of ours. */
struct examine_field {
    const char *name, *kind;
};

static void examine_fields(const struct examine *x, const struct srt_json *v,
                           const struct examine_field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct srt_json *field = examine_field(v, fields[i].name);

        if (!field || (field->type == SRT_JSON_STRING && field->n == 0))
            continue;
        if (fields[i].kind)
            examine_part(x, field, fields[i].kind);
        else
            examine_unread(x, field, "sortes does not read this field");
    }
}

/* llama-server's fields, and vLLM's older ones. */
static const struct examine_field examine_request_fields[] = {
    { "json_schema", "json_schema" }, { "grammar", "gbnf" },
    { "guided_json", "json_schema" }, { "guided_regex", "regex" },
    { "guided_choice", NULL },        { "guided_grammar", NULL },
};

static const struct examine_field examine_vllm_fields[] = {
    { "json", "json_schema" },
    { "regex", "regex" },
    { "structural_tag", "structural_tag" },
    { "choice", NULL },
    { "grammar", NULL },
};

/* Fields that a request has, and none that a schema has. */
static bool examine_is_request(const struct srt_json *v)
{
    static const char *const fields[] = {
        "tools", "response_format",   "prompt", "messages", "model",
        "input", "structured_outputs"
    };

    if (srt_json_find(v, "$schema") || srt_json_find(v, "properties"))
        return false;
    for (size_t i = 0; i < SRT_COUNT(fields); i++)
        if (srt_json_find(v, fields[i]))
            return true;
    for (size_t i = 0; i < SRT_COUNT(examine_request_fields); i++)
        if (srt_json_find(v, examine_request_fields[i].name))
            return true;
    return false;
}

static void examine_request(const struct examine *x, const struct srt_json *v)
{
    const struct srt_json *tools = examine_field(v, "tools");
    const struct srt_json *response = examine_field(v, "response_format");
    const struct srt_json *format = examine_field(v, "format");
    const struct srt_json *text = examine_field(v, "text");
    const struct srt_json *outputs = examine_field(v, "structured_outputs");

    if (tools && (tools->type != SRT_JSON_ARRAY || tools->n > 0))
        examine_tools(x, v, tools);
    if (response)
        examine_response_format(x, response);
    if (text && examine_field(text, "format"))
        examine_response_format(x, examine_field(text, "format"));
    if (format && !tools)
        examine_format(x, format);
    examine_fields(x, v, examine_request_fields,
                   SRT_COUNT(examine_request_fields));
    if (outputs)
        examine_fields(x, outputs, examine_vllm_fields,
                       SRT_COUNT(examine_vllm_fields));
}

static void examine_root(const struct examine *x, const struct srt_json *v)
{
    if (v->type == SRT_JSON_ARRAY)
        examine_tools(x, v, v);
    else if (examine_is(srt_json_find(v, "type"), "structural_tag"))
        examine_part(x, v, "structural_tag");
    else if (examine_is_request(v))
        examine_request(x, v);
    else
        examine_part(x, v, "json_schema");
}

sortes_status
sortes_grammar_examine(const char *text, size_t n,
                       void (*each)(void *ctx, const sortes_finding *finding),
                       void *ctx, sortes_error *err)
{
    const struct examine x = { text, each, ctx };
    struct srt_json_document document;
    sortes_status status;

    if (text == NULL || each == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sortes_grammar_examine: an argument is NULL");
    status = srt_json_read(&document, text, n, err);
    if (status != SORTES_OK)
        return status;
    examine_root(&x, document.root);
    srt_json_free(&document);
    return srt_ok(err);
}
