/*
 * tags_naive.c - what a structural tag accepts, by its definition
 *
 * A format, from a position of the text on, ends at a set of positions: one bit
 * each.  Repetition is a fixpoint of such sets.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/tags_naive.h"

#include <string.h>

typedef uint32_t ends_of; /* bit i: position i */

struct naive {
    const char *text;
    size_t n;
    const struct srt_json *ends; /* of the tag around */
};

static ends_of format_from(const struct naive *t, const struct srt_json *f,
                           size_t at);

static bool says(const struct srt_json *v, const char *name)
{
    const struct srt_json *b = srt_json_find(v, name);

    return b && b->type == SRT_JSON_TRUE;
}

static bool stands_at(const struct naive *t, size_t at,
                      const struct srt_json *word)
{
    return at + word->n <= t->n &&
           memcmp(t->text + at, word->text, word->n) == 0;
}

static ends_of const_from(const struct naive *t, const struct srt_json *word,
                          size_t at)
{
    return stands_at(t, at, word) ? (ends_of)1 << (at + word->n) : 0;
}

/* From every position of a set. */
static ends_of each_from(const struct naive *t, const struct srt_json *f,
                         ends_of from)
{
    ends_of to = 0;

    for (size_t at = 0; at <= t->n; at++)
        if (from >> at & 1)
            to |= format_from(t, f, at);
    return to;
}

static ends_of one_of_from(const struct naive *t, const struct srt_json *words,
                           ends_of from)
{
    ends_of to = 0;

    for (size_t at = 0; at <= t->n; at++)
        for (const struct srt_json *w =
                 words->type == SRT_JSON_ARRAY ? words->first : words;
             w && from >> at & 1;
             w = words->type == SRT_JSON_ARRAY ? w->next : NULL)
            to |= const_from(t, w, at);
    return to;
}

static ends_of tag_from(const struct naive *t, const struct srt_json *tag,
                        size_t at)
{
    struct naive inside = *t;
    ends_of to = const_from(t, srt_json_find(tag, "begin"), at);

    inside.ends = srt_json_find(tag, "end");
    to = each_from(&inside, srt_json_find(tag, "content"), to);
    return one_of_from(t, inside.ends, to);
}

/* ---- free text ----------------------------------------------------------- */

/* Whether a word of the list lies in text[from .. to - 1]. */
static bool lies_in(const struct naive *t, const struct srt_json *words,
                    size_t from, size_t to)
{
    const bool list = words && words->type == SRT_JSON_ARRAY;

    for (const struct srt_json *w = list ? words->first : words; w;
         w = list ? w->next : NULL)
        for (size_t at = from; w->n > 0 && at + w->n <= to; at++)
            if (stands_at(t, at, w))
                return true;
    return false;
}

static bool is_free(const struct naive *t, const struct srt_json *f,
                    size_t from, size_t to)
{
    return !lies_in(t, srt_json_find(f, "excludes"), from, to) &&
           !lies_in(t, t->ends, from, to);
}

/* The n-th trigger: a string, or the pattern of a rule. */
static const struct srt_json *trigger_of(const struct srt_json *item)
{
    return item->type == SRT_JSON_ARRAY ? item->first : item;
}

/* Whether a trigger that ends before `end` begins before `last`. */
static bool came_before(const struct naive *t, const struct srt_json *triggers,
                        size_t from, size_t last, size_t end)
{
    for (const struct srt_json *i = triggers ? triggers->first : NULL; i;
         i = i->next)
        for (size_t at = from; at < last; at++)
            if (at + trigger_of(i)->n < end && stands_at(t, at, trigger_of(i)))
                return true;
    return false;
}

/* Free text up to the end of the whole format. */
static ends_of free_from(const struct naive *t, const struct srt_json *f,
                         const struct srt_json *triggers, size_t from)
{
    ends_of to = 0;

    for (size_t end = from; end <= t->n; end++)
        if (is_free(t, f, from, end) &&
            !came_before(t, triggers, from, end, end + 1))
            to |= (ends_of)1 << end;
    return to;
}

/* What follows a trigger that stands at `at`. */
static ends_of behind_trigger(const struct naive *t, const struct srt_json *f,
                              const struct srt_json *item, size_t at)
{
    const struct srt_json *trigger = trigger_of(item);
    ends_of to = 0;

    if (item->type == SRT_JSON_ARRAY)
        return format_from(t, trigger->next, at + trigger->n);
    for (const struct srt_json *tag = srt_json_find(f, "tags")->first; tag;
         tag = tag->next) {
        const struct srt_json *begin = srt_json_find(tag, "begin");

        if (begin->n >= trigger->n &&
            memcmp(begin->text, trigger->text, trigger->n) == 0)
            to |= tag_from(t, tag, at);
    }
    return to;
}

/* Free text and one tag. */
static ends_of triggered_from(const struct naive *t, const struct srt_json *f,
                              const struct srt_json *triggers, size_t from)
{
    ends_of to = 0;

    for (size_t at = from; at <= t->n; at++)
        for (const struct srt_json *i = triggers->first; i; i = i->next) {
            const size_t end = at + trigger_of(i)->n;

            if (stands_at(t, at, trigger_of(i)) && is_free(t, f, from, end) &&
                !came_before(t, triggers, from, at, end))
                to |= behind_trigger(t, f, i, at);
        }
    return to;
}

static ends_of any_tag_from(const struct naive *t, const struct srt_json *f,
                            size_t at)
{
    ends_of to = 0;

    for (const struct srt_json *tag = srt_json_find(f, "tags")->first; tag;
         tag = tag->next)
        to |= tag_from(t, tag, at);
    return to;
}

/* Free text with tags; `behind`: where the tags that came first end. */
static ends_of mixed_from(const struct naive *t, const struct srt_json *f,
                          const struct srt_json *triggers, ends_of begins,
                          bool once)
{
    ends_of to = 0;

    for (size_t at = 0; at <= t->n; at++)
        if (begins >> at & 1) {
            const ends_of behind = triggered_from(t, f, triggers, at);

            to |= free_from(t, f, triggers, at) | (once ? behind : 0);
            begins |= once ? 0 : behind; /* never before at */
        }
    return to;
}

static ends_of tags_from(const struct naive *t, const struct srt_json *f,
                         size_t at)
{
    const bool once = says(f, "stop_after_first");
    const struct srt_json *triggers = srt_json_find(f, "triggers");
    const ends_of first =
        says(f, "at_least_one") ? any_tag_from(t, f, at) : (ends_of)1 << at;

    if (says(f, "at_least_one") && once)
        return first;
    return mixed_from(t, f, triggers, first, once);
}

static ends_of dispatch_from(const struct naive *t, const struct srt_json *f,
                             size_t at)
{
    const struct srt_json *loop = srt_json_find(f, "loop");

    return mixed_from(t, f, srt_json_find(f, "rules"), (ends_of)1 << at,
                      loop && loop->type == SRT_JSON_FALSE);
}

/* ---- several ------------------------------------------------------------- */

static ends_of separated_from(const struct naive *t, const struct srt_json *f,
                              size_t at)
{
    const struct srt_json *separator = srt_json_find(f, "separator");
    ends_of begins = (ends_of)1 << at;
    ends_of to = says(f, "at_least_one") ? 0 : begins, before = 0;

    while (begins != before) {
        ends_of behind = 0;

        before = begins;
        for (size_t i = 0; i <= t->n; i++)
            if (begins >> i & 1)
                behind |= any_tag_from(t, f, i);
        to |= behind;
        if (!says(f, "stop_after_first"))
            begins |= one_of_from(t, separator, behind);
    }
    return to;
}

/* min times and more, up to max. */
static ends_of repeated_from(const struct naive *t, const struct srt_json *f,
                             size_t at, int min, int max)
{
    const struct srt_json *content = srt_json_find(f, "content");
    ends_of now = (ends_of)1 << at, to = min == 0 ? now : 0;

    for (int i = 1; i <= (max < 0 ? (int)t->n + min + 1 : max); i++) {
        now = each_from(t, content, now);
        to |= i >= min ? now : 0;
    }
    return to;
}

static int number(const struct srt_json *f, const char *name)
{
    const char *text = srt_json_find(f, name)->text;

    return text[0] == '-' ? -1 : text[0] - '0';
}

static ends_of elements_from(const struct naive *t, const struct srt_json *f,
                             size_t at, bool all)
{
    ends_of now = (ends_of)1 << at, any = 0;

    for (const struct srt_json *e = srt_json_find(f, "elements")->first; e;
         e = e->next) {
        any |= format_from(t, e, at);
        now = all ? each_from(t, e, now) : now;
    }
    return all ? now : any;
}

static ends_of format_from(const struct naive *t, const struct srt_json *f,
                           size_t at)
{
    const char *type = srt_json_find(f, "type")->text;

    if (strcmp(type, "const_string") == 0)
        return const_from(t, srt_json_find(f, "value"), at);
    if (strcmp(type, "any_text") == 0)
        return free_from(t, f, NULL, at);
    if (strcmp(type, "tag") == 0)
        return tag_from(t, f, at);
    if (strcmp(type, "triggered_tags") == 0)
        return tags_from(t, f, at);
    if (strcmp(type, "dispatch") == 0)
        return dispatch_from(t, f, at);
    if (strcmp(type, "tags_with_separator") == 0)
        return separated_from(t, f, at);
    if (strcmp(type, "optional") == 0)
        return repeated_from(t, f, at, 0, 1);
    if (strcmp(type, "star") == 0)
        return repeated_from(t, f, at, 0, -1);
    if (strcmp(type, "plus") == 0)
        return repeated_from(t, f, at, 1, -1);
    if (strcmp(type, "repeat") == 0)
        return repeated_from(t, f, at, number(f, "min"), number(f, "max"));
    return elements_from(t, f, at, strcmp(type, "sequence") == 0);
}

bool tags_naive_accepts(const struct srt_json *format, const char *text,
                        size_t n)
{
    const struct naive t = { text, n, NULL };

    return format_from(&t, format, 0) >> n & 1;
}
