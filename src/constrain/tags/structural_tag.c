/*
 * structural_tag.c - the kind "structural_tag": XGrammar's JSON as it is
 *
 * Source of names and meanings: xgrammar 0.2.9, structural_tag.py, and what its
 * matcher accepts.  {"type": "structural_tag", "format": {...}}, or the older
 * {"type": "structural_tag", "structures": [...], "triggers": [...]}.
 *
 * Free text directly in a tag stops at the tag's end strings: they are
 * excluded words of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tag_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- single formats ------------------------------------------------------ */

static sortes_status format_const(struct srt_tag_reader *r,
                                  const struct srt_json *v, uint32_t from,
                                  uint32_t *to)
{
    const struct srt_json *value = NULL;
    const sortes_status status =
        srt_tag_field(r, v, "value", SRT_JSON_STRING, &value);

    if (status == SORTES_OK)
        *to = srt_tags_string(r->t, from, value->text, value->n);
    return status;
}

static sortes_status format_text(struct srt_tag_reader *r,
                                 const struct srt_json *v, const char *field,
                                 const char *kind, uint32_t from, uint32_t *to)
{
    const struct srt_json *value = NULL;
    sortes_status status = srt_tag_field(r, v, field, SRT_JSON_STRING, &value);

    return status == SORTES_OK ? srt_tag_program(r, value, kind, from, to)
                               : status;
}

static sortes_status format_regex(struct srt_tag_reader *r,
                                  const struct srt_json *v, uint32_t from,
                                  uint32_t *to)
{
    return format_text(r, v, "pattern", "regex", from, to);
}

static sortes_status format_grammar(struct srt_tag_reader *r,
                                    const struct srt_json *v, uint32_t from,
                                    uint32_t *to)
{
    const struct srt_json *syntax = srt_json_find(v, "syntax");

    if (syntax && (syntax->type != SRT_JSON_STRING ||
                   !srt_json_equals(syntax->text, syntax->n, "ebnf")))
        return srt_tag_refuse(r, SORTES_E_NAME, syntax,
                              "only the syntax \"ebnf\" is known here");
    return format_text(r, v, "grammar", "gbnf", from, to);
}

/* What the options of a json_schema format make of ours. */
static sortes_status schema_options(struct srt_tag_reader *r,
                                    const struct srt_json *v,
                                    struct srt_options *options)
{
    const struct srt_json *most = srt_json_find(v, "max_whitespace_cnt");
    const struct srt_json *excludes = srt_json_find(v, "excludes");
    sortes_status status;
    uint32_t n = 0;
    bool any_order;

    *options = r->t->program.options;
    if (excludes && (excludes->type != SRT_JSON_ARRAY || excludes->first))
        return srt_tag_refuse(r, SORTES_E_NAME, excludes,
                              "words excluded from JSON are not supported");
    status = srt_tag_bool(r, v, "any_order", false, &any_order);
    if (status != SORTES_OK)
        return status;
    if (any_order)
        options->order = SRT_ORDER_FREE;
    if (!most || most->type == SRT_JSON_NULL)
        return SORTES_OK;
    status = srt_tag_number(r, v, "max_whitespace_cnt", 0, &n);
    options->whitespace = n ? SRT_WHITESPACE_SINGLE : SRT_WHITESPACE_NONE;
    return status;
}

static sortes_status format_schema(struct srt_tag_reader *r,
                                   const struct srt_json *v, uint32_t from,
                                   uint32_t *to)
{
    const struct srt_json *style = srt_json_find(v, "style");
    const struct srt_json *schema = srt_json_find(v, "json_schema");
    struct srt_options options;
    sortes_status status;

    if (!schema)
        return srt_tag_missing(r, v, "json_schema");
    if (style && style->type == SRT_JSON_STRING &&
        srt_json_equals(style->text, style->n, "qwen_xml"))
        return srt_tag_qwen(r, schema, from, to);
    if (style && (style->type != SRT_JSON_STRING ||
                  !srt_json_equals(style->text, style->n, "json")))
        return srt_tag_refuse(r, SORTES_E_NAME, style,
                              "only the styles \"json\" and \"qwen_xml\" are "
                              "supported");
    status = schema_options(r, v, &options);
    return status == SORTES_OK ? srt_tag_schema(r, schema, &options, from, to)
                               : status;
}

static sortes_status format_qwen(struct srt_tag_reader *r,
                                 const struct srt_json *v, uint32_t from,
                                 uint32_t *to)
{
    const struct srt_json *schema = srt_json_find(v, "json_schema");

    return schema ? srt_tag_qwen(r, schema, from, to)
                  : srt_tag_missing(r, v, "json_schema");
}

static sortes_status format_any_text(struct srt_tag_reader *r,
                                     const struct srt_json *v, uint32_t from,
                                     uint32_t *to)
{
    const struct srt_json *tokens = srt_json_find(v, "max_tokens");
    const struct srt_json *chars = srt_json_find(v, "max_chars");
    struct srt_tags_free text = { .max_chars = SRT_TAGS_ANY_LENGTH };
    sortes_status status = SORTES_OK;

    if (tokens && tokens->type != SRT_JSON_NULL)
        return srt_tag_refuse(r, SORTES_E_NAME, tokens,
                              "bounds in tokens are not supported (allowed: "
                              "max_chars)");
    if (chars && chars->type != SRT_JSON_NULL)
        status = srt_tag_number(r, v, "max_chars", 0, &text.max_chars);
    if (status == SORTES_OK)
        status = srt_tag_free_text(r, v, &text, from, to);
    return status;
}

/* ---- several in a row, or one of them ------------------------------------ */

static sortes_status format_elements(struct srt_tag_reader *r,
                                     const struct srt_json *v,
                                     const struct srt_json **elements)
{
    const sortes_status status =
        srt_tag_field(r, v, "elements", SRT_JSON_ARRAY, elements);

    if (status == SORTES_OK && !(*elements)->first)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, *elements,
                              "at least one element is needed");
    return status;
}

static sortes_status format_sequence(struct srt_tag_reader *r,
                                     const struct srt_json *v, uint32_t from,
                                     uint32_t *to)
{
    const struct srt_json *elements = NULL;
    sortes_status status = format_elements(r, v, &elements);

    if (status != SORTES_OK)
        return status;
    *to = from;
    for (const struct srt_json *e = elements->first; e && status == SORTES_OK;
         e = e->next)
        status = srt_tag_format(r, e, *to, to);
    return status;
}

static sortes_status format_or(struct srt_tag_reader *r,
                               const struct srt_json *v, uint32_t from,
                               uint32_t *to)
{
    const struct srt_json *elements = NULL;
    sortes_status status = format_elements(r, v, &elements);

    if (status != SORTES_OK)
        return status;
    *to = srt_tags_place(r->t);
    for (const struct srt_json *e = elements->first; e && status == SORTES_OK;
         e = e->next) {
        uint32_t end = 0;

        status = srt_tag_format(r, e, from, &end);
        srt_tags_empty(r->t, end, *to);
    }
    return status;
}

/* ---- the same several times ---------------------------------------------- */

/* min times, and then up to max (0: any number) more or less. */
static sortes_status format_times(struct srt_tag_reader *r,
                                  const struct srt_json *content, uint32_t min,
                                  uint32_t max, uint32_t from, uint32_t *to)
{
    const bool many = max == SRT_TAGS_ANY_LENGTH;
    const uint32_t copies = many ? (min > 0 ? min : 1) : max;
    const uint32_t end = srt_tags_place(r->t);
    sortes_status status = SORTES_OK;
    uint32_t at = from, loop = 0;

    for (uint32_t i = 0; i < copies && status == SORTES_OK; i++) {
        if (i >= min)
            srt_tags_empty(r->t, at, end);
        loop = srt_tags_place(r->t);
        srt_tags_empty(r->t, at, loop);
        status = srt_tag_format(r, content, loop, &at);
        if (r->t->status != SORTES_OK)
            return SORTES_OK;
    }
    srt_tags_empty(r->t, at, end);
    if (many)
        srt_tags_empty(r->t, at, loop);
    *to = end;
    return status;
}

static sortes_status format_repeated(struct srt_tag_reader *r,
                                     const struct srt_json *v, uint32_t min,
                                     uint32_t max, uint32_t from, uint32_t *to)
{
    const struct srt_json *content = srt_json_find(v, "content");

    return content ? format_times(r, content, min, max, from, to)
                   : srt_tag_missing(r, v, "content");
}

static sortes_status format_optional(struct srt_tag_reader *r,
                                     const struct srt_json *v, uint32_t from,
                                     uint32_t *to)
{
    return format_repeated(r, v, 0, 1, from, to);
}

static sortes_status format_star(struct srt_tag_reader *r,
                                 const struct srt_json *v, uint32_t from,
                                 uint32_t *to)
{
    return format_repeated(r, v, 0, SRT_TAGS_ANY_LENGTH, from, to);
}

static sortes_status format_plus(struct srt_tag_reader *r,
                                 const struct srt_json *v, uint32_t from,
                                 uint32_t *to)
{
    return format_repeated(r, v, 1, SRT_TAGS_ANY_LENGTH, from, to);
}

static sortes_status format_repeat(struct srt_tag_reader *r,
                                   const struct srt_json *v, uint32_t from,
                                   uint32_t *to)
{
    const struct srt_json *bound = srt_json_find(v, "max");
    uint32_t min = 0, max = SRT_TAGS_ANY_LENGTH;
    sortes_status status = srt_tag_number(r, v, "min", 0, &min);

    if (status == SORTES_OK && !(bound && bound->type == SRT_JSON_NUMBER &&
                                 srt_json_equals(bound->text, bound->n, "-1")))
        status = srt_tag_number(r, v, "max", 0, &max);
    if (status != SORTES_OK)
        return status;
    if (min > max)
        return srt_tag_refuse(r, SORTES_E_RANGE, v, "min is above max");
    return format_repeated(r, v, min, max, from, to);
}

/* ---- all of them --------------------------------------------------------- */

static const struct {
    const char *type;
    sortes_status (*read)(struct srt_tag_reader *r, const struct srt_json *v,
                          uint32_t from, uint32_t *to);
} format_types[] = {
    { "any_text", format_any_text },
    { "const_string", format_const },
    { "dispatch", srt_tag_dispatch },
    { "grammar", format_grammar },
    { "json_schema", format_schema },
    { "optional", format_optional },
    { "or", format_or },
    { "plus", format_plus },
    { "qwen_xml_parameter", format_qwen },
    { "regex", format_regex },
    { "repeat", format_repeat },
    { "sequence", format_sequence },
    { "star", format_star },
    { "tag", srt_tag_tag },
    { "tags_with_separator", srt_tag_separated },
    { "triggered_tags", srt_tag_triggered },
};

static const char *const format_tokens[] = { "token", "exclude_token",
                                             "any_tokens",
                                             "token_triggered_tags",
                                             "token_dispatch" };

sortes_status srt_tag_format(struct srt_tag_reader *r, const struct srt_json *v,
                             uint32_t from, uint32_t *to)
{
    const struct srt_json *type = NULL;
    const sortes_status status =
        srt_tag_field(r, v, "type", SRT_JSON_STRING, &type);

    *to = 0;
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < SRT_COUNT(format_types); i++)
        if (srt_json_equals(type->text, type->n, format_types[i].type))
            return format_types[i].read(r, v, from, to);
    for (size_t i = 0; i < SRT_COUNT(format_tokens); i++)
        if (srt_json_equals(type->text, type->n, format_tokens[i]))
            return srt_tag_refuse(r, SORTES_E_NAME, type,
                                  "formats of whole tokens are not supported");
    return srt_tag_refuse(r, SORTES_E_NAME, type, "there is no such format");
}

static sortes_status structural_read(struct srt_tag_reader *r,
                                     const struct srt_json *root)
{
    const struct srt_json *type = srt_json_find(root, "type");
    const struct srt_json *format = srt_json_find(root, "format");

    if (root->type != SRT_JSON_OBJECT)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, root, "an object is wanted");
    if (type && (type->type != SRT_JSON_STRING ||
                 !srt_json_equals(type->text, type->n, "structural_tag")))
        return srt_tag_refuse(r, SORTES_E_SYNTAX, type,
                              "the type is not \"structural_tag\"");
    if (format)
        return srt_tag_format(r, format, r->t->start, &r->t->end);
    if (srt_json_find(root, "structures"))
        return srt_tag_structures(r, root, r->t->start, &r->t->end);
    return srt_tag_missing(r, root, "format");
}

static sortes_status structural_parse(struct srt_program **out,
                                      const char *text, size_t n,
                                      const struct srt_options *options,
                                      sortes_error *err)
{
    struct srt_json_document document;
    struct srt_tag_reader r = { .text = text, .err = err };
    sortes_error json = { 0 };
    sortes_status status = srt_json_read(&document, text, n, &json);

    *out = NULL;
    if (status != SORTES_OK)
        return srt_fail(err, status, json.offset, "structural_tag: %s",
                        json.text);
    r.t = srt_tags_new(&srt_language_structural_tag, options);
    if (!r.t) {
        srt_json_free(&document);
        return srt_fail(err, SORTES_E_NOMEM, 0, "structural_tag: no memory");
    }
    status = structural_read(&r, document.root);
    srt_json_free(&document);
    if (status == SORTES_OK)
        status = srt_tags_status(r.t, err);
    if (status != SORTES_OK) {
        srt_tags_free(&r.t->program);
        return status;
    }
    *out = &r.t->program;
    return SORTES_OK;
}

const struct srt_language srt_language_structural_tag = {
    .name = "structural_tag",
    .parse = structural_parse,
    .build = srt_tags_build,
    .free = srt_tags_free,
    .needs_vocab = srt_tags_needs_vocab,
    .remark = srt_tags_remark,
};
