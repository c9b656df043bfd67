/*
 * examine.c - what a text asks for: parts with a grammar, what cannot be read
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/examine.h"
#include "constrain/tools/tools.h"

#include <string.h>

void srt_examine_tell(const struct srt_examine *x, const struct srt_json *v,
                      sortes_finding finding)
{
    char where[256];

    srt_json_where(v, where, sizeof(where));
    finding.where = where;
    x->each(x->ctx, &finding);
}

static void examine_unread(const struct srt_examine *x,
                           const struct srt_json *v, const char *what)
{
    srt_examine_tell(
        x, v, (sortes_finding){ .type = SORTES_FINDING_UNREAD, .what = what });
}

/* A part that is a text, or a string that holds it. */
static void examine_text(const struct srt_examine *x, const struct srt_json *v,
                         sortes_finding_type type, const char *kind)
{
    const bool held = v->type == SRT_JSON_STRING;

    srt_examine_tell(
        x, v,
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

/* ---- parts --------------------------------------------------------------- */

static void examine_part(const struct srt_examine *x, const struct srt_json *v,
                         const char *kind)
{
    examine_text(x, v, SORTES_FINDING_PART, kind);
    if (strcmp(kind, "json_schema") == 0)
        srt_examine_schema(x, v);
}

/* part: the list, or what holds it. */
static void examine_tools(const struct srt_examine *x,
                          const struct srt_json *part,
                          const struct srt_json *list)
{
    examine_text(x, part, SORTES_FINDING_PART, "tools");
    for (const struct srt_json *v = list->first; v; v = v->next) {
        const struct srt_json *schema = srt_tools_parameters(v);

        examine_text(x, v, SORTES_FINDING_TOOL, "tools");
        if (schema)
            srt_examine_schema(x, schema);
    }
}

/* ---- requests ------------------------------------------------------------ */

/* A field that is there and not null. */
static const struct srt_json *examine_field(const struct srt_json *v,
                                            const char *name)
{
    const struct srt_json *field = srt_json_find(v, name);

    return field && field->type != SRT_JSON_NULL ? field : NULL;
}

static void examine_response_format(const struct srt_examine *x,
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
        srt_examine_tell(x, format,
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
static void examine_format(const struct srt_examine *x,
                           const struct srt_json *format)
{
    if (examine_is(format, "json"))
        srt_examine_tell(x, format,
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

static void examine_fields(const struct srt_examine *x,
                           const struct srt_json *v,
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

static void examine_request(const struct srt_examine *x,
                            const struct srt_json *v)
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

static void examine_root(const struct srt_examine *x, const struct srt_json *v)
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
    const struct srt_examine x = { text, each, ctx };
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
