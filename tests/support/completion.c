/*
 * completion.c - that what a matcher has taken can be completed, by doing so
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/completion.h"

#include "compiler.h"
#include "constrain/matcher.h"
#include "support/rows.h"

#include <string.h>

/* What a text may go on by: what ends things first; pieces of JSON, and values
 * that schemas of our making ask for; then any byte. */
static const char *const words[] = {
    "\"",
    "}",
    "]",
    ":",
    "0",
    ",",
    "1",
    "a",
    "e",
    "true",
    "\"a\":",
    "\"b\":",
    "\"c\":",
    "\"aa\":",
    "\"a\"",
    "\"b\"",
    "\"ab\"",
    "\"c\"",
    "[]",
    "{}",
    "null",
    "false",
    "0.5",
    "2",
    "3",
    "-1",
    ".6",
    ".1e1",
    "e-1",
    "e-2",
    "e-3",
    "[",
    "{",
    "[true,true]",
    "[0]",
    "[0,0,0,0]",
    "[1,\"a\"]",
    "[[]]",
    "{\"a\":0}",
    "{\"a\":0,\"b\":0,\"c\":0}",
    "{\"aa\":0,\"b\":0}",
    "{\"a\":[]}",
    "{\"b\":\"b\"}",
    "{\"b\":true,\"a\":1}",
};

enum { N_WORDS = SRT_COUNT(words), N_WAYS = N_WORDS + 256, WORD_ROOM = 32 };

struct ways {
    size_t n;        /* that are tried */
    const bool *has; /* bytes that may be used; NULL: all */
    bool limit;      /* some could not be followed */
};

/* Writes a way to out (WORD_ROOM); its bytes. */
static size_t spell(size_t i, char *out)
{
    if (i >= N_WORDS) {
        *out = (char)(unsigned char)(i - N_WORDS);
        return 1;
    }
    memcpy(out, words[i], strlen(words[i]));
    return strlen(words[i]);
}

static bool step(sortes_matcher *m, struct ways *w, size_t i)
{
    char word[WORD_ROOM];
    const size_t n = spell(i, word);
    sortes_status status;

    for (size_t k = 0; k < n && w->has; k++)
        if (!w->has[(unsigned char)word[k]])
            return false;
    status = sortes_matcher_advance_bytes(m, word, n, NULL);
    w->limit |= status == SORTES_E_LIMIT;
    return status == SORTES_OK;
}

/* Items of which an array may need several. */
static const char *const items[] = {
    ",\"b\"", ",\"a\"", ",0", ",1", ",[]", ",[1,\"a\"]", ",{}", ",{\"a\":0}"
};

/* What closes is tried before an item, and any other way behind it. */
enum { N_CLOSERS = 3 };

/* Always the first way that there is; most texts end soon like that.  item: in
 * an array, the same one again and again; NULL: any. */
static long complete_greedily(const sortes_matcher *from, struct ways *w,
                              const char *item, char *out)
{
    sortes_matcher *m;
    size_t n = 0, i = 0;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    for (int k = 0; k < 64 && i < w->n && !sortes_matcher_is_accepting(m); k++)
        for (i = 0; i < w->n; i++) {
            if (i == N_CLOSERS && item && !w->has &&
                sortes_matcher_advance_bytes(m, item, strlen(item), NULL) ==
                    SORTES_OK) {
                memcpy(out + n, item, strlen(item));
                n += strlen(item);
                break;
            }
            if (step(m, w, i)) {
                n += spell(i, out + n);
                break;
            }
        }
    const bool done = sortes_matcher_is_accepting(m) != 0;
    sortes_matcher_free(m);
    return done ? (long)n : -1;
}

/* A way at random, mostly one of the first that there are, or the last but one
 * taken again, as items are; false: none. */
static bool step_at_random(sortes_matcher *m, struct ways *w,
                           struct rows_random *random, size_t last[2])
{
    const size_t choice = rows_below(random, 8);
    const size_t from = choice < 4   ? choice % 4 > 0
                        : choice < 6 ? last[1]
                                     : rows_below(random, w->n);

    last[1] = last[0];
    for (size_t i = 0; i < w->n; i++) {
        last[0] = (from + i) % w->n;
        if (step(m, w, last[0]))
            return true;
    }
    return false;
}

enum { WALKS_FEW = 60, WALKS = 10000, WALK_BYTES = 100 };

static long complete_at_random(const sortes_matcher *from, struct ways *w,
                               size_t n_walks, char *out)
{
    struct rows_random random = { 1 };
    sortes_matcher *m;
    size_t n = 0, n_steps, last[2] = { 0 };
    bool done = false;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    for (size_t walk = 0; walk < n_walks && !done; walk++) {
        for (n = n_steps = 0; n < WALK_BYTES && !done; n_steps++) {
            if (!step_at_random(m, w, &random, last))
                break;
            n += spell(last[0], out + n);
            done = sortes_matcher_is_accepting(m) != 0;
        }
        assert_int_equal(sortes_matcher_rollback(m, n_steps), SORTES_OK);
    }
    sortes_matcher_free(m);
    return done ? (long)n : -1;
}

/* What the search has reached, breadth first; each state a few times only, as
 * what was seen before may tell equal states apart. */
enum {
    SEARCH_FEW = 1000,
    SEARCH_ROOM = 20000,
    SEARCH_VISITS = 3,
    SEARCH_SLOTS = 65536
};

struct search {
    sortes_matcher *at[SEARCH_ROOM];
    int parent[SEARCH_ROOM];
    uint16_t way[SEARCH_ROOM];
    uint8_t visits[SEARCH_SLOTS]; /* of states, by their number's low bits */
    size_t n, room;
};

static bool search_is_new(struct search *s, const sortes_matcher *m)
{
    uint8_t *visits = &s->visits[m->place.state % SEARCH_SLOTS];

    return *visits < SEARCH_VISITS && ++*visits;
}

/* Adds what follows node i; the node that is complete, -1: none. */
static int search_expand(struct search *s, struct ways *w, size_t i)
{
    for (size_t j = 0; j < w->n && s->n < s->room; j++) {
        sortes_matcher *next;

        assert_int_equal(sortes_matcher_clone(&next, s->at[i]), SORTES_OK);
        if (!step(next, w, j) || !search_is_new(s, next)) {
            sortes_matcher_free(next);
            continue;
        }
        s->at[s->n] = next;
        s->parent[s->n] = (int)i;
        s->way[s->n] = (uint16_t)j;
        if (sortes_matcher_is_accepting(s->at[s->n++]))
            return (int)s->n - 1;
    }
    return -1;
}

/* The ways to a node, the first one first. */
static size_t search_spell(const struct search *s, int node, char *out)
{
    size_t n;

    if (node == 0)
        return 0;
    n = search_spell(s, s->parent[node], out);
    assert_in_range(n, 0, COMPLETION_ROOM - WORD_ROOM);
    return n + spell(s->way[node], out + n);
}

static long complete_by_search(const sortes_matcher *from, struct ways *w,
                               size_t room, char *out)
{
    static struct search s;
    int found = -1;
    long n;

    memset(s.visits, 0, sizeof(s.visits));
    assert_int_equal(sortes_matcher_clone(&s.at[0], from), SORTES_OK);
    s.n = 1;
    s.room = room;
    for (size_t i = 0; i < s.n && found < 0; i++)
        found = search_expand(&s, w, i);
    n = found < 0 ? -1 : (long)search_spell(&s, found, out);
    for (size_t i = 0; i < s.n; i++)
        sortes_matcher_free(s.at[i]);
    return n;
}

long completion_find(const sortes_matcher *m, const bool *has, char *out)
{
    struct ways some = { N_WORDS, has, false }, all = { N_WAYS, has, false };
    long n = complete_greedily(m, &all, NULL, out);

    if (n < 0)
        n = complete_at_random(m, &some, WALKS_FEW, out);
    if (n < 0)
        n = complete_by_search(m, &all, SEARCH_FEW, out);
    for (size_t i = 0; i < SRT_COUNT(items) && n < 0; i++)
        n = complete_greedily(m, &some, items[i], out);
    if (n < 0)
        n = complete_at_random(m, &some, WALKS, out);
    if (n < 0)
        n = complete_by_search(m, &some, SEARCH_ROOM, out);
    if (n < 0)
        n = complete_by_search(m, &all, SEARCH_ROOM, out);
    return n < 0 && (some.limit || all.limit) ? COMPLETION_LIMIT : n;
}
