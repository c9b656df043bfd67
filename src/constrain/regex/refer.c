/*
 * refer.c - backreferences, where they are regular: to a group of few strings
 *
 * A pattern with a reference to group n is the union, over the strings s that
 * the group matches, of the pattern with s in place of both, plus the pattern
 * in which the group takes no part: a reference to it is then empty
 * (ECMA-262).  In the former the group must be passed: of alternatives the one
 * with the group is taken, and what is optional around it is not.
 *
 * Refused: groups that are repeated (the last round counts), groups inside
 * lookahead (which does not try a second string), and more than 64 strings.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/parse.h"

struct refer_task {
    struct srt_pattern *p;
    uint32_t group;
    bool taken;      /* the group takes part */
    uint32_t string; /* what it matches then */
};

/* The sources inside x: key[*first .. *end - 1]. */
static const uint32_t *refer_parts(const struct srt_book *b, uint32_t x,
                                   size_t *first, size_t *end)
{
    const uint32_t *key = srt_source(b, x, end);

    *first = 1;
    switch ((enum srt_source_kind)key[0]) {
    case SRT_S_CAT:
    case SRT_S_OR:
    case SRT_S_AND:
    case SRT_S_NOT:
        break;
    case SRT_S_REPEAT:
    case SRT_S_AHEAD:
        *end = 2;
        break;
    case SRT_S_GROUP:
        *first = 2;
        break;
    default:
        *end = 1;
        break;
    }
    return key;
}

/* Whether the group is in x. */
static bool refer_inside(const struct srt_book *b, uint32_t x, uint32_t group)
{
    size_t i, end;
    const uint32_t *key = refer_parts(b, x, &i, &end);

    if (key[0] == SRT_S_GROUP && key[1] == group)
        return true;
    for (; i < end; i++)
        if (refer_inside(b, key[i], group))
            return true;
    return false;
}

/* The group's content; 0: it is not there, or is where it must not be. */
static uint32_t refer_find(struct srt_pattern *p, uint32_t x, uint32_t group)
{
    size_t i, end;
    const uint32_t *key = refer_parts(p->b, x, &i, &end);

    if (key[0] == SRT_S_GROUP && key[1] == group)
        return key[2];
    for (; i < end; i++) {
        const uint32_t found = refer_find(p, key[i], group);
        const size_t at = p->groups[group].name;

        if (!found)
            continue;
        if (key[0] == SRT_S_REPEAT && key[3] > 1)
            return srt_pattern_fail(p, SORTES_E_SYNTAX, at,
                                    "a backreference to a repeated group");
        if (key[0] == SRT_S_AHEAD)
            return srt_pattern_fail(
                p, SORTES_E_SYNTAX, at,
                "a backreference to a group inside lookahead");
        return found;
    }
    return 0;
}

/* ---- the strings of a group, in b->words --------------------------------- */

static void refer_strings(struct srt_pattern *p, uint32_t x);

static void refer_too_many(struct srt_pattern *p)
{
    srt_pattern_fail(p, SORTES_E_SYNTAX, 0,
                     "a backreference to a group of more than 64 strings");
}

/* x y, both of them EMPTY, SET-free strings; pushed. */
static void refer_join(struct srt_book *b, uint32_t x, uint32_t y)
{
    const size_t from = b->words.n;
    const uint32_t parts[2] = { x, y };
    uint32_t joined = 0;

    srt_words_push(b, &b->words, SRT_S_STRING);
    for (int k = 0; k < 2; k++) {
        size_t n;
        const uint32_t *key = srt_source(b, parts[k], &n);

        for (size_t i = 1; i < n; i++)
            srt_words_push(b, &b->words, key[i]);
    }
    if (!srt_book_failed(b))
        joined = b->words.n == from + 1 ? srt_source_empty(b)
                                        : srt_source_make(b, b->words.at + from,
                                                          b->words.n - from);
    b->words.n = from;
    srt_words_push(b, &b->words, joined);
}

static void refer_unique(struct srt_pattern *p, size_t from)
{
    struct srt_words *w = &p->b->words;

    if (srt_book_failed(p->b))
        return;
    w->n = from + srt_words_unique(w->at + from, w->n - from);
    if (w->n - from > SRT_PATTERN_STRINGS)
        refer_too_many(p);
}

/* Each string at [from .. middle) followed by each at [middle ..). */
static void refer_product(struct srt_pattern *p, size_t from, size_t middle)
{
    struct srt_words *w = &p->b->words;
    const size_t end = w->n;
    size_t n;

    for (size_t i = from; i < middle && !srt_book_failed(p->b); i++)
        for (size_t j = middle; j < end && !srt_book_failed(p->b); j++)
            refer_join(p->b, w->at[i], w->at[j]);
    if (srt_book_failed(p->b))
        return;
    n = w->n - end;
    memmove(w->at + from, w->at + end, n * sizeof(*w->at));
    w->n = from + n;
    refer_unique(p, from);
}

static void refer_repeated(struct srt_pattern *p, const uint32_t *key)
{
    struct srt_words *w = &p->b->words;
    const size_t from = w->n;

    if (key[3] > SRT_PATTERN_STRINGS) {
        refer_too_many(p);
        return;
    }
    srt_words_push(p->b, w, srt_source_empty(p->b));
    for (uint32_t i = 0; i < key[3] && !srt_book_failed(p->b); i++) {
        const size_t middle = w->n;

        refer_strings(p, key[1]);
        if (i >= key[2]) /* this round may be left out */
            srt_words_push(p->b, w, srt_source_empty(p->b));
        refer_product(p, from, middle);
    }
}

static void refer_set(struct srt_pattern *p, uint32_t set)
{
    size_t n;
    const uint32_t(*ranges)[2] = srt_set_ranges(p->b, set, &n);
    uint64_t left = 0;

    for (size_t i = 0; i < n; i++)
        left += (uint64_t)ranges[i][1] - ranges[i][0] + 1;
    if (left > SRT_PATTERN_STRINGS) {
        refer_too_many(p);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        for (uint32_t c = ranges[i][0]; c <= ranges[i][1]; c++) {
            const uint32_t key[2] = { SRT_S_STRING, c };

            srt_words_push(p->b, &p->b->words, srt_source_make(p->b, key, 2));
        }
    }
}

static void refer_strings(struct srt_pattern *p, uint32_t x)
{
    struct srt_words *w = &p->b->words;
    const size_t from = w->n;
    size_t n;
    const uint32_t *key = srt_source(p->b, x, &n);

    switch ((enum srt_source_kind)key[0]) {
    case SRT_S_EMPTY:
    case SRT_S_STRING:
        srt_words_push(p->b, w, x);
        break;
    case SRT_S_SET:
        refer_set(p, key[1]);
        break;
    case SRT_S_GROUP:
        refer_strings(p, key[2]);
        break;
    case SRT_S_REPEAT:
        refer_repeated(p, key);
        break;
    case SRT_S_CAT:
        srt_words_push(p->b, w, srt_source_empty(p->b));
        for (size_t i = 1; i < n && !srt_book_failed(p->b); i++) {
            const size_t middle = w->n;

            refer_strings(p, key[i]);
            refer_product(p, from, middle);
        }
        break;
    case SRT_S_OR:
        for (size_t i = 1; i < n && !srt_book_failed(p->b); i++)
            refer_strings(p, key[i]);
        refer_unique(p, from);
        break;
    default:
        srt_pattern_fail(p, SORTES_E_SYNTAX, 0,
                         "a backreference to a group with an assertion");
        break;
    }
}

/* ---- in their place ------------------------------------------------------ */

/* The string as a reference matches it. */
static uint32_t refer_literal(const struct refer_task *t, bool ignore_case)
{
    struct srt_book *b = t->p->b;
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *key = srt_source(b, t->string, &n);

    if (!ignore_case)
        return t->string;
    for (size_t i = 1; i < n; i++) {
        struct srt_code_set s = { 0 };

        srt_code_set_add(&s, key[i], key[i]);
        srt_code_set_fold(&s);
        srt_words_push(b, &b->words, srt_pattern_set(t->p, &s));
    }
    return srt_source_cat_words(b, from);
}

static uint32_t refer_put(const struct refer_task *t, uint32_t x)
{
    struct srt_book *b = t->p->b;
    const size_t from = b->words.n;
    size_t first, end;
    const uint32_t *key =
        srt_book_failed(b) ? NULL : refer_parts(b, x, &first, &end);
    uint32_t again[4];

    if (!key)
        return 0;
    if (key[0] == SRT_S_GROUP && key[1] == t->group)
        return t->taken ? t->string : 0;
    if (key[0] == SRT_S_REFER && key[1] == t->group)
        return t->taken ? refer_literal(t, key[2]) : srt_source_empty(b);
    if (first >= end)
        return x;
    if (key[0] == SRT_S_GROUP && !t->p->groups[key[1]].referred)
        return refer_put(t, key[2]);
    if (t->taken && (key[0] == SRT_S_OR || key[0] == SRT_S_REPEAT))
        for (size_t i = first; i < end; i++)
            if (refer_inside(b, key[i], t->group))
                return refer_put(t, key[i]);
    for (size_t i = first; i < end; i++)
        srt_words_push(b, &b->words, refer_put(t, key[i]));
    if (key[0] == SRT_S_CAT)
        return srt_source_cat_words(b, from);
    if (key[0] == SRT_S_OR)
        return srt_source_or_words(b, from);
    again[0] = srt_book_failed(b) ? 0 : b->words.at[from];
    b->words.n = from;
    if (key[0] == SRT_S_REPEAT)
        return srt_source_repeat(b, again[0], key[2], key[3]);
    if (key[0] == SRT_S_AHEAD)
        return srt_source_ahead(b, again[0], key[2]);
    again[2] = again[0];
    again[0] = SRT_S_GROUP;
    again[1] = key[1];
    return again[2] ? srt_source_make(b, again, 3) : 0;
}

static uint32_t refer_resolve(struct srt_pattern *p, uint32_t x, size_t next,
                              size_t copies);

/*
 * x with one group and all references to it replaced, and then the groups that
 * end later: in each copy by itself, where every group still is but once.
 */
static uint32_t refer_replace(struct srt_pattern *p, uint32_t x, size_t next,
                              size_t copies)
{
    struct srt_words *w = &p->b->words;
    const size_t from = w->n;
    struct refer_task t = { .p = p, .group = p->closed.at[next] };
    const uint32_t content = refer_find(p, x, t.group);
    size_t strings;

    if (content)
        refer_strings(p, content);
    strings = w->n;
    copies *= strings - from + 1;
    if (copies > SRT_PATTERN_COPIES || next > SRT_PATTERN_COPIES)
        srt_pattern_fail(p, SORTES_E_LIMIT, p->groups[t.group].name,
                         "backreferences to more than 4096 texts");
    if (srt_book_failed(p->b)) {
        w->n = from;
        return 0;
    }
    srt_words_push(p->b, w,
                   refer_resolve(p, refer_put(&t, x), next + 1, copies));
    t.taken = true;
    for (size_t i = from; i < strings && !srt_book_failed(p->b); i++) {
        t.string = w->at[i];
        srt_words_push(p->b, w,
                       refer_resolve(p, refer_put(&t, x), next + 1, copies));
    }
    x = srt_source_or_words(p->b, strings);
    w->n = from;
    return x;
}

/* What a group holds ends before it: its references are gone by then. */
static uint32_t refer_resolve(struct srt_pattern *p, uint32_t x, size_t next,
                              size_t copies)
{
    while (next < p->closed.n && !p->groups[p->closed.at[next]].referred)
        next++;
    if (x == 0 || next == p->closed.n || srt_book_failed(p->b))
        return x;
    return refer_replace(p, x, next, copies);
}

uint32_t srt_pattern_resolve(struct srt_pattern *p, uint32_t x)
{
    struct refer_task nothing = { .p = p };

    /* The groups that are not referred to are only parentheses. */
    x = x ? refer_put(&nothing, x) : 0;
    x = refer_resolve(p, x, 0, 1);
    return srt_book_failed(p->b) ? 0 : x;
}
