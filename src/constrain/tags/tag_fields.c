/*
 * tag_fields.c - the fields of a structural tag, and what is wrong with them
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/grow.h"
#include "constrain/tags/tag_reader.h"

#include <string.h>

void srt_tag_where(const struct srt_json *v, char out[SRT_TAG_WHERE])
{
    srt_json_where(v, out, SRT_TAG_WHERE);
}

sortes_status srt_tag_refuse(struct srt_tag_reader *r, sortes_status status,
                             const struct srt_json *v, const char *problem)
{
    char where[SRT_TAG_WHERE];

    srt_tag_where(v, where);
    return srt_fail(r->err, status, v->offset, "%s: %s: %s",
                    r->t->program.language->name, where, problem);
}

sortes_status srt_tag_missing(struct srt_tag_reader *r,
                              const struct srt_json *v, const char *field)
{
    char where[SRT_TAG_WHERE];

    srt_tag_where(v, where);
    return srt_fail(r->err, SORTES_E_SYNTAX, v->offset,
                    "%s: %s: '%s' is missing", r->t->program.language->name,
                    where, field);
}

static sortes_status tag_wrong_type(struct srt_tag_reader *r,
                                    const struct srt_json *v,
                                    const char *wanted)
{
    char where[SRT_TAG_WHERE];

    srt_tag_where(v, where);
    return srt_fail(r->err, SORTES_E_SYNTAX, v->offset,
                    "%s: %s: a wrong type (got %s, allowed: %s)",
                    r->t->program.language->name, where, srt_json_type_name(v),
                    wanted);
}

sortes_status srt_tag_field(struct srt_tag_reader *r, const struct srt_json *v,
                            const char *name, enum srt_json_type type,
                            const struct srt_json **out)
{
    if (v->type != SRT_JSON_OBJECT)
        return tag_wrong_type(r, v, "object");
    *out = srt_json_find(v, name);
    if (!*out)
        return srt_tag_missing(r, v, name);
    if ((*out)->type != type)
        return tag_wrong_type(r, *out,
                              type == SRT_JSON_STRING  ? "string"
                              : type == SRT_JSON_ARRAY ? "array"
                                                       : "object");
    return SORTES_OK;
}

sortes_status srt_tag_bool(struct srt_tag_reader *r, const struct srt_json *v,
                           const char *name, bool otherwise, bool *out)
{
    const struct srt_json *b = srt_json_find(v, name);

    *out = b ? b->type == SRT_JSON_TRUE : otherwise;
    if (b && b->type != SRT_JSON_TRUE && b->type != SRT_JSON_FALSE)
        return tag_wrong_type(r, b, "boolean");
    return SORTES_OK;
}

sortes_status srt_tag_number(struct srt_tag_reader *r, const struct srt_json *v,
                             const char *name, uint32_t least, uint32_t *out)
{
    const struct srt_json *number = srt_json_find(v, name);
    uint32_t value = 0;

    if (!number)
        return srt_tag_missing(r, v, name);
    if (number->type != SRT_JSON_NUMBER)
        return tag_wrong_type(r, number, "number");
    for (size_t i = 0; i < number->n; i++) {
        const char c = number->text[i];

        if (c < '0' || c > '9' || value > 100000000)
            return srt_tag_refuse(r, SORTES_E_RANGE, number,
                                  "a whole number up to 999999999 is wanted");
        value = 10 * value + (uint32_t)(c - '0');
    }
    if (value < least)
        return srt_tag_refuse(r, SORTES_E_RANGE, number, "too small");
    *out = value;
    return SORTES_OK;
}

sortes_status srt_tag_words_add(struct srt_tag_words *words, const char *bytes,
                                size_t n, uint32_t to)
{
    void *block = words->at;
    const sortes_status status =
        srt_grow(&block, &words->room, words->n + 1, sizeof(*words->at));

    words->at = block;
    if (status == SORTES_OK)
        words->at[words->n++] = (struct srt_tags_word){ bytes, n, to };
    return status;
}

sortes_status srt_tag_words(struct srt_tag_reader *r, const struct srt_json *v,
                            const char *name, struct srt_tag_words *words)
{
    const struct srt_json *list = srt_json_find(v, name);

    if (!list)
        return SORTES_OK;
    if (list->type != SRT_JSON_ARRAY)
        return tag_wrong_type(r, list, "array");
    for (const struct srt_json *w = list->first; w; w = w->next) {
        if (w->type != SRT_JSON_STRING)
            return tag_wrong_type(r, w, "string");
        if (w->n == 0)
            return srt_tag_refuse(r, SORTES_E_SYNTAX, w, "an empty string");
        if (srt_tag_words_add(words, w->text, w->n, 0) != SORTES_OK)
            return srt_tag_refuse(r, SORTES_E_NOMEM, w, "no memory");
    }
    return SORTES_OK;
}

sortes_status srt_tag_program(struct srt_tag_reader *r,
                              const struct srt_json *v, const char *kind,
                              uint32_t from, uint32_t *to)
{
    char where[SRT_TAG_WHERE];
    const struct srt_tags_text source = { kind,  v->text,   v->n,
                                          where, v->offset, v };

    srt_tag_where(v, where);
    return srt_tags_grammar(r->t, from, &source, to, r->err);
}

sortes_status srt_tag_schema(struct srt_tag_reader *r, const struct srt_json *v,
                             const struct srt_options *options, uint32_t from,
                             uint32_t *to)
{
    char where[SRT_TAG_WHERE];
    const struct srt_tags_text source = { "json_schema", r->text + v->offset,
                                          v->length,     where,
                                          v->offset,     v };

    srt_tag_where(v, where);
    return srt_tags_grammar_with(r->t, from, &source, options, to, r->err);
}
