/*
 * tag_formats.c - tags, and what puts them into free text or in a row
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tag_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- a tag --------------------------------------------------------------- */

static const struct srt_json *tag_first_end(const struct srt_json *ends)
{
    return ends->type == SRT_JSON_ARRAY ? ends->first : ends;
}

static const struct srt_json *tag_next_end(const struct srt_json *ends,
                                           const struct srt_json *end)
{
    return ends->type == SRT_JSON_ARRAY ? end->next : NULL;
}

static sortes_status tag_begin(struct srt_tag_reader *r,
                               const struct srt_json *v,
                               const struct srt_json **begin)
{
    const struct srt_json *b = srt_json_find(v, "begin");

    if (b && b->type == SRT_JSON_OBJECT)
        return srt_tag_refuse(r, SORTES_E_NAME, b,
                              "tags that begin with a token are not supported "
                              "(allowed: a string)");
    return srt_tag_field(r, v, "begin", SRT_JSON_STRING, begin);
}

/* A string, or a list of at least one. */
static sortes_status tag_ends(struct srt_tag_reader *r,
                              const struct srt_json *v,
                              const struct srt_json **ends)
{
    *ends = srt_json_find(v, "end");
    if (!*ends)
        return srt_tag_missing(r, v, "end");
    if ((*ends)->type == SRT_JSON_OBJECT)
        return srt_tag_refuse(r, SORTES_E_NAME, *ends,
                              "tags that end with a token are not supported "
                              "(allowed: a string)");
    if ((*ends)->type == SRT_JSON_ARRAY && !(*ends)->first)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, *ends,
                              "at least one end is needed");
    for (const struct srt_json *e = tag_first_end(*ends); e;
         e = tag_next_end(*ends, e))
        if (e->type != SRT_JSON_STRING)
            return srt_tag_refuse(r, SORTES_E_SYNTAX, e,
                                  "an end is a string or a list of strings");
    return SORTES_OK;
}

/* The older form has a schema for its content, as a value or in a string. */
static sortes_status tag_content(struct srt_tag_reader *r,
                                 const struct srt_json *v, uint32_t from,
                                 uint32_t *to)
{
    const char *name = r->older ? "schema" : "content";
    const struct srt_json *content = srt_json_find(v, name);

    if (!content)
        return srt_tag_missing(r, v, name);
    if (!r->older)
        return srt_tag_format(r, content, from, to);
    return content->type == SRT_JSON_STRING
               ? srt_tag_program(r, content, "json_schema", from, to)
               : srt_tag_schema(r, content, &r->t->program.options, from, to);
}

/* What stands behind a tag's beginning, its end included. */
static sortes_status tag_body(struct srt_tag_reader *r,
                              const struct srt_json *v, uint32_t from,
                              uint32_t *to)
{
    const struct srt_json *around = r->ends, *ends = NULL;
    sortes_status status = tag_ends(r, v, &ends);
    uint32_t end = 0;

    if (status != SORTES_OK)
        return status;
    r->ends = ends;
    status = tag_content(r, v, from, &end);
    r->ends = around;
    *to = srt_tags_place(r->t);
    for (const struct srt_json *e = tag_first_end(ends);
         e && status == SORTES_OK; e = tag_next_end(ends, e))
        srt_tags_empty(r->t, srt_tags_string(r->t, end, e->text, e->n), *to);
    return status;
}

sortes_status srt_tag_tag(struct srt_tag_reader *r, const struct srt_json *v,
                          uint32_t from, uint32_t *to)
{
    const struct srt_json *begin = NULL;
    const sortes_status status = tag_begin(r, v, &begin);

    if (status != SORTES_OK)
        return status;
    return tag_body(r, v, srt_tags_string(r->t, from, begin->text, begin->n),
                    to);
}

/* ---- free text ----------------------------------------------------------- */

static sortes_status tag_exclude_ends(struct srt_tag_reader *r,
                                      const struct srt_json *v,
                                      struct srt_tag_words *words)
{
    const size_t n = words->n;

    if (!r->ends)
        return SORTES_OK;
    for (const struct srt_json *e = tag_first_end(r->ends); e;
         e = tag_next_end(r->ends, e))
        if (e->n > 0 && srt_tag_words_add(words, e->text, e->n, 0) != SORTES_OK)
            return srt_tag_refuse(r, SORTES_E_NOMEM, v, "no memory");
    if (words->n == n)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, r->ends,
                              "free text in a tag wants an end that is not "
                              "empty");
    return SORTES_OK;
}

sortes_status srt_tag_free_text(struct srt_tag_reader *r,
                                const struct srt_json *v,
                                struct srt_tags_free *text, uint32_t from,
                                uint32_t *to)
{
    struct srt_tag_words words = { 0 };
    sortes_status status = srt_tag_words(r, v, "excludes", &words);

    if (status == SORTES_OK)
        status = tag_exclude_ends(r, v, &words);
    if (status == SORTES_OK) {
        *to = srt_tags_place(r->t);
        text->exit = *to;
        text->excludes = words.at;
        text->n_excludes = words.n;
        srt_tags_free_text(r->t, from, text);
    }
    free(words.at);
    return status;
}

/* ---- tags in free text --------------------------------------------------- */

static const char *tag_list_name(const struct srt_tag_reader *r)
{
    return r->older ? "structures" : "tags";
}

/* A list of tags: where each one's body begins. */
struct tag_bodies {
    const struct srt_json **begin;
    uint32_t *at;
    size_t n;
};

static void tag_bodies_free(struct tag_bodies *b)
{
    free(b->begin);
    free(b->at);
}

/* Reads the bodies of v's tags; each goes on to `to`. */
static sortes_status tag_bodies_read(struct srt_tag_reader *r,
                                     const struct srt_json *v, uint32_t to,
                                     struct tag_bodies *b)
{
    const struct srt_json *tags = NULL;
    sortes_status status =
        srt_tag_field(r, v, tag_list_name(r), SRT_JSON_ARRAY, &tags);

    memset(b, 0, sizeof(*b));
    if (status != SORTES_OK)
        return status;
    if (!tags->first)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, tags,
                              "at least one tag is needed");
    b->begin = calloc(tags->n, sizeof(*b->begin));
    b->at = calloc(tags->n, sizeof(*b->at));
    if (!b->begin || !b->at)
        return srt_tag_refuse(r, SORTES_E_NOMEM, tags, "no memory");
    for (const struct srt_json *tag = tags->first; tag && status == SORTES_OK;
         tag = tag->next, b->n++) {
        uint32_t end = 0;

        status = tag_begin(r, tag, &b->begin[b->n]);
        b->at[b->n] = srt_tags_place(r->t);
        if (status == SORTES_OK)
            status = tag_body(r, tag, b->at[b->n], &end);
        srt_tags_empty(r->t, end, to);
    }
    return status;
}

/* The tags from their beginnings on, of which `skip` bytes came already. */
static void tag_bodies_enter(struct srt_tag_reader *r,
                             const struct tag_bodies *b, size_t i, size_t skip,
                             uint32_t from)
{
    const struct srt_json *begin = b->begin[i];

    srt_tags_empty(
        r->t, srt_tags_string(r->t, from, begin->text + skip, begin->n - skip),
        b->at[i]);
}

static bool tag_has_trigger(const struct srt_json *begin,
                            const struct srt_tags_word *trigger)
{
    return begin->n >= trigger->n &&
           memcmp(begin->text, trigger->bytes, trigger->n) == 0;
}

/* Behind each trigger stand the tags that begin with it. */
static sortes_status tag_triggers(struct srt_tag_reader *r,
                                  const struct srt_json *v,
                                  const struct tag_bodies *b,
                                  struct srt_tag_words *triggers)
{
    const struct srt_json *tag = srt_json_find(v, tag_list_name(r))->first;
    const struct srt_json *word = srt_json_find(v, "triggers");

    if (!word || triggers->n == 0)
        return word ? srt_tag_refuse(r, SORTES_E_SYNTAX, word,
                                     "at least one trigger is needed")
                    : srt_tag_missing(r, v, "triggers");
    for (size_t i = 0; i < b->n; i++, tag = tag->next) {
        size_t of = 0;

        for (size_t k = 0; k < triggers->n; k++)
            of += tag_has_trigger(b->begin[i], &triggers->at[k]);
        if (of == 0)
            return srt_tag_refuse(r, SORTES_E_SYNTAX, tag,
                                  "the tag begins with none of the triggers");
    }
    word = word->first;
    for (size_t k = 0; k < triggers->n; k++, word = word->next) {
        struct srt_tags_word *trigger = &triggers->at[k];
        bool used = false;

        trigger->to = srt_tags_place(r->t);
        for (size_t i = 0; i < b->n; i++)
            if (tag_has_trigger(b->begin[i], trigger)) {
                used = true;
                tag_bodies_enter(r, b, i, trigger->n, trigger->to);
            }
        if (!used)
            return srt_tag_refuse(r, SORTES_E_SYNTAX, word,
                                  "no tag begins with this trigger");
    }
    return SORTES_OK;
}

/* Free text and its tags, over and over or until the first of them; a first
 * one that must come comes at once. */
static sortes_status tag_triggered(struct srt_tag_reader *r,
                                   const struct srt_json *v, bool at_least_one,
                                   bool once, uint32_t from, uint32_t *to)
{
    const uint32_t behind = srt_tags_place(r->t);
    struct srt_tag_words triggers = { 0 };
    struct srt_tags_free text = { .max_chars = SRT_TAGS_ANY_LENGTH };
    struct tag_bodies b;
    sortes_status status = tag_bodies_read(r, v, behind, &b);

    if (status == SORTES_OK)
        status = srt_tag_words(r, v, "triggers", &triggers);
    if (status == SORTES_OK)
        status = tag_triggers(r, v, &b, &triggers);
    for (size_t i = 0; i < b.n && at_least_one && status == SORTES_OK; i++)
        tag_bodies_enter(r, &b, i, 0, from);
    *to = behind;
    if (status == SORTES_OK && !(at_least_one && once)) {
        const uint32_t free_from = srt_tags_place(r->t);

        text.triggers = triggers.at;
        text.n_triggers = triggers.n;
        if (!at_least_one)
            srt_tags_empty(r->t, from, free_from);
        if (!once)
            srt_tags_empty(r->t, behind, free_from);
        status = srt_tag_free_text(r, v, &text, free_from, to);
        if (once)
            srt_tags_empty(r->t, behind, *to);
    }
    free(triggers.at);
    tag_bodies_free(&b);
    return status;
}

static sortes_status tag_how_often(struct srt_tag_reader *r,
                                   const struct srt_json *v, bool *at_least_one,
                                   bool *once)
{
    const sortes_status status =
        srt_tag_bool(r, v, "at_least_one", false, at_least_one);

    return status == SORTES_OK
               ? srt_tag_bool(r, v, "stop_after_first", false, once)
               : status;
}

sortes_status srt_tag_triggered(struct srt_tag_reader *r,
                                const struct srt_json *v, uint32_t from,
                                uint32_t *to)
{
    bool at_least_one, once;
    const sortes_status status = tag_how_often(r, v, &at_least_one, &once);

    return status == SORTES_OK
               ? tag_triggered(r, v, at_least_one, once, from, to)
               : status;
}

sortes_status srt_tag_separated(struct srt_tag_reader *r,
                                const struct srt_json *v, uint32_t from,
                                uint32_t *to)
{
    const uint32_t behind = srt_tags_place(r->t), end = srt_tags_place(r->t);
    const uint32_t group = srt_tags_place(r->t);
    const struct srt_json *separator = NULL;
    struct tag_bodies b = { 0 };
    bool at_least_one, once;
    sortes_status status =
        srt_tag_field(r, v, "separator", SRT_JSON_STRING, &separator);

    *to = end;
    if (status == SORTES_OK)
        status = tag_how_often(r, v, &at_least_one, &once);
    if (status == SORTES_OK)
        status = tag_bodies_read(r, v, behind, &b);
    for (size_t i = 0; i < b.n && status == SORTES_OK; i++)
        tag_bodies_enter(r, &b, i, 0, group);
    if (status == SORTES_OK) {
        srt_tags_empty(r->t, from, group);
        srt_tags_empty(r->t, behind, end);
        if (!at_least_one)
            srt_tags_empty(r->t, from, end);
        if (!once)
            srt_tags_empty(
                r->t,
                srt_tags_string(r->t, behind, separator->text, separator->n),
                group);
    }
    tag_bodies_free(&b);
    return status;
}

/* ---- patterns and formats ------------------------------------------------ */

/* [pattern, format] */
static sortes_status dispatch_rule(struct srt_tag_reader *r,
                                   const struct srt_json *rule, uint32_t behind,
                                   struct srt_tag_words *words)
{
    const uint32_t at = srt_tags_place(r->t);
    const struct srt_json *pattern = rule->first;
    sortes_status status;
    uint32_t end = 0;

    if (rule->type != SRT_JSON_ARRAY || rule->n != 2 ||
        pattern->type != SRT_JSON_STRING || pattern->n == 0)
        return srt_tag_refuse(r, SORTES_E_SYNTAX, rule,
                              "a rule is an array of a string that is not "
                              "empty, and a format");
    status = srt_tag_format(r, pattern->next, at, &end);
    srt_tags_empty(r->t, end, behind);
    if (status == SORTES_OK &&
        srt_tag_words_add(words, pattern->text, pattern->n, at) != SORTES_OK)
        return srt_tag_refuse(r, SORTES_E_NOMEM, rule, "no memory");
    return status;
}

sortes_status srt_tag_dispatch(struct srt_tag_reader *r,
                               const struct srt_json *v, uint32_t from,
                               uint32_t *to)
{
    const uint32_t behind = srt_tags_place(r->t);
    const uint32_t free_from = srt_tags_place(r->t);
    struct srt_tags_free text = { .max_chars = SRT_TAGS_ANY_LENGTH };
    struct srt_tag_words words = { 0 };
    const struct srt_json *rules = NULL;
    bool loop;
    sortes_status status = srt_tag_field(r, v, "rules", SRT_JSON_ARRAY, &rules);

    if (status == SORTES_OK)
        status = srt_tag_bool(r, v, "loop", true, &loop);
    if (status == SORTES_OK && !rules->first)
        status = srt_tag_refuse(r, SORTES_E_SYNTAX, rules,
                                "at least one rule is needed");
    if (status != SORTES_OK)
        return status;
    for (const struct srt_json *rule = rules->first;
         rule && status == SORTES_OK; rule = rule->next)
        status = dispatch_rule(r, rule, behind, &words);
    text.triggers = words.at;
    text.n_triggers = words.n;
    srt_tags_empty(r->t, from, free_from);
    if (status == SORTES_OK)
        status = srt_tag_free_text(r, v, &text, free_from, to);
    if (status == SORTES_OK)
        srt_tags_empty(r->t, behind, loop ? free_from : *to);
    free(words.at);
    return status;
}

sortes_status srt_tag_structures(struct srt_tag_reader *r,
                                 const struct srt_json *v, uint32_t from,
                                 uint32_t *to)
{
    r->older = true;
    return tag_triggered(r, v, false, false, from, to);
}
