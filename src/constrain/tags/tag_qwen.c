/*
 * tag_qwen.c - a function's arguments as Qwen's parameters:
 * <parameter=name>value</parameter>
 *
 * Source: xgrammar 0.2.9's style "qwen_xml".  The properties of the schema come
 * in their order, those that are not required or not; blanks may stand between
 * them and around each value.  A string stands there as it is, anything else
 * as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tag_reader.h"

#include <stdlib.h>
#include <string.h>

static const char qwen_end[] = "</parameter>";

/* Keywords that say nothing about a string. */
static const char *const qwen_remarks[] = {
    "type",     "title",    "description", "default",    "examples",
    "$comment", "readOnly", "writeOnly",   "deprecated", "format",
};

static bool qwen_is(const struct srt_json *v, const char *text)
{
    return v && v->type == SRT_JSON_STRING &&
           srt_json_equals(v->text, v->n, text);
}

static bool qwen_is_remark(const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(qwen_remarks); i++)
        if (srt_json_equals(v->key, v->n_key, qwen_remarks[i]))
            return true;
    return false;
}

/* A place with any blanks before it. */
static uint32_t qwen_blanks(struct srt_tag_reader *r, uint32_t from)
{
    const uint32_t place = srt_tags_place(r->t);

    srt_tags_empty(r->t, from, place);
    srt_tags_edge(r->t, place, ' ', ' ', place);
    srt_tags_edge(r->t, place, '\t', '\n', place);
    return place;
}

/* One of the strings of an enum, as they are. */
static sortes_status qwen_words(struct srt_tag_reader *r,
                                const struct srt_json *list, uint32_t from,
                                uint32_t *to)
{
    *to = srt_tags_place(r->t);
    for (const struct srt_json *w = list->first; w; w = w->next) {
        if (w->type != SRT_JSON_STRING)
            return srt_tag_refuse(r, SORTES_E_NAME, w,
                                  "no string, in an enum of strings");
        srt_tags_empty(r->t, srt_tags_string(r->t, from, w->text, w->n), *to);
    }
    return SORTES_OK;
}

static sortes_status qwen_string(struct srt_tag_reader *r,
                                 const struct srt_json *schema, uint32_t from,
                                 uint32_t *to)
{
    const struct srt_tags_word end = { qwen_end, sizeof(qwen_end) - 1, 0 };
    const struct srt_json *list = srt_json_find(schema, "enum");
    struct srt_tags_free text = { .excludes = &end,
                                  .n_excludes = 1,
                                  .max_chars = SRT_TAGS_ANY_LENGTH };

    for (const struct srt_json *k = schema->first; k; k = k->next)
        if (!qwen_is_remark(k) && k != list)
            return srt_tag_refuse(r, SORTES_E_NAME, k,
                                  "not supported for a string that stands "
                                  "there as it is");
    if (list && list->type == SRT_JSON_ARRAY)
        return qwen_words(r, list, from, to);
    *to = srt_tags_place(r->t);
    text.exit = *to;
    srt_tags_free_text(r->t, from, &text);
    return SORTES_OK;
}

/* A property's schema with the definitions that it may refer to. */
static sortes_status qwen_with_definitions(struct srt_tag_reader *r,
                                           const struct srt_json *root,
                                           const struct srt_json *schema,
                                           char **out)
{
    static const char *const names[] = { "$schema", "$defs", "definitions" };
    struct srt_json_writer w;

    srt_json_write_growing(&w);
    srt_json_open(&w, '{');
    for (size_t i = 0; i < SRT_COUNT(names); i++) {
        const struct srt_json *d = srt_json_find(root, names[i]);

        if (!d)
            continue;
        srt_json_key(&w, names[i]);
        srt_json_put_text(&w, r->text + d->offset, d->length);
    }
    srt_json_key(&w, "allOf");
    srt_json_open(&w, '[');
    srt_json_put_text(&w, r->text + schema->offset, schema->length);
    srt_json_close(&w, ']');
    srt_json_close(&w, '}');
    *out = srt_json_write_end(&w);
    return *out ? SORTES_OK
                : srt_tag_refuse(r, SORTES_E_NOMEM, schema, "no memory");
}

static sortes_status qwen_value(struct srt_tag_reader *r,
                                const struct srt_json *root,
                                const struct srt_json *schema, uint32_t from,
                                uint32_t *to)
{
    char where[SRT_TAG_WHERE], *text;
    struct srt_tags_text source = { .kind = "json_schema",
                                    .where = where,
                                    .offset = schema->offset,
                                    .key = schema };
    sortes_status status;

    if (qwen_is(srt_json_find(schema, "type"), "string"))
        return qwen_string(r, schema, from, to);
    if (!srt_json_find(root, "$defs") && !srt_json_find(root, "definitions"))
        return srt_tag_schema(r, schema, &r->t->program.options, from, to);
    status = qwen_with_definitions(r, root, schema, &text);
    if (status != SORTES_OK)
        return status;
    srt_tag_where(schema, where);
    source.text = text;
    source.n = strlen(text);
    status = srt_tags_grammar(r->t, from, &source, to, r->err);
    if (status != SORTES_OK && r->err) /* it counts in a text of our own */
        r->err->offset = schema->offset;
    free(text);
    return status;
}

static sortes_status qwen_parameter(struct srt_tag_reader *r,
                                    const struct srt_json *root,
                                    const struct srt_json *property,
                                    uint32_t from, uint32_t *to)
{
    uint32_t at = srt_tags_string(r->t, qwen_blanks(r, from),
                                  "<parameter=", strlen("<parameter="));
    sortes_status status;

    if (memchr(property->key, '>', property->n_key))
        return srt_tag_refuse(r, SORTES_E_NAME, property,
                              "a parameter's name has no '>'");
    at = srt_tags_string(r->t, at, property->key, property->n_key);
    at = qwen_blanks(r, srt_tags_string(r->t, at, ">", 1));
    status = qwen_value(r, root, property, at, &at);
    *to = srt_tags_string(r->t, qwen_blanks(r, at), qwen_end,
                          sizeof(qwen_end) - 1);
    return status;
}

static bool qwen_is_required(const struct srt_json *schema,
                             const struct srt_json *property)
{
    const struct srt_json *list = srt_json_find(schema, "required");

    for (const struct srt_json *i = list ? list->first : NULL; i; i = i->next)
        if (i->type == SRT_JSON_STRING && i->n == property->n_key &&
            memcmp(i->text, property->key, i->n) == 0)
            return true;
    return false;
}

sortes_status srt_tag_qwen(struct srt_tag_reader *r,
                           const struct srt_json *schema, uint32_t from,
                           uint32_t *to)
{
    const struct srt_json *list = NULL;
    sortes_status status =
        srt_tag_field(r, schema, "properties", SRT_JSON_OBJECT, &list);

    if (status != SORTES_OK)
        return status;
    *to = from;
    for (const struct srt_json *p = list->first; p && status == SORTES_OK;
         p = p->next) {
        const uint32_t behind = srt_tags_place(r->t);
        uint32_t end = 0;

        status = qwen_parameter(r, schema, p, *to, &end);
        srt_tags_empty(r->t, end, behind);
        if (!qwen_is_required(schema, p))
            srt_tags_empty(r->t, *to, behind);
        *to = behind;
    }
    return status;
}
