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

#include "constrain/matcher.h"
#include "support/rows.h"

#include <string.h>

/* What a text may go on by: words, or single bytes out of has[]. */
struct ways {
    const char *const *words;
    size_t n;
    const bool *has;
};

/* What ends things first, then all the rest. */
static const char closing_first[] = "\"}]:1a0e,{[nulltrue";

enum { N_FIRST = sizeof(closing_first) - 1, N_BYTES = 256 + N_FIRST };

static bool step(sortes_matcher *m, const struct ways *w, size_t i)
{
    const char byte =
        i < N_FIRST ? closing_first[i] : (char)(unsigned char)(i - N_FIRST);
    const char *word = w->words ? w->words[i] : &byte;
    const size_t n = w->words ? strlen(word) : 1;

    return (!w->has || w->has[(unsigned char)byte]) &&
           sortes_matcher_advance_bytes(m, word, n, NULL) == SORTES_OK;
}

static size_t spell(const struct ways *w, size_t i, char *out)
{
    if (w->words) {
        memcpy(out, w->words[i], strlen(w->words[i]));
        return strlen(w->words[i]);
    }
    *out = i < N_FIRST ? closing_first[i] : (char)(unsigned char)(i - N_FIRST);
    return 1;
}

/* Always the first way that there is; most texts end soon like that. */
static long complete_greedily(const sortes_matcher *from, const struct ways *w,
                              char *out)
{
    sortes_matcher *m;
    size_t n = 0, i = 0;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    while (n < 64 && i < w->n && !sortes_matcher_is_accepting(m)) {
        for (i = 0; i < w->n; i++)
            if (step(m, w, i))
                break;
        n += i < w->n ? spell(w, i, out + n) : 0;
    }
    const bool done = sortes_matcher_is_accepting(m) != 0;
    sortes_matcher_free(m);
    return done ? (long)n : -1;
}

/* A way at random, mostly the first of those that there are; false: none. */
static bool step_at_random(sortes_matcher *m, const struct ways *w,
                           struct rows_random *random, size_t *way)
{
    const size_t from = rows_below(random, 2) ? 0 : rows_below(random, w->n);

    for (size_t i = 0; i < w->n; i++) {
        *way = (from + i) % w->n;
        if (step(m, w, *way))
            return true;
    }
    return false;
}

enum { WALKS = 1000, WALK_BYTES = 200 };

static long complete_at_random(const sortes_matcher *from, const struct ways *w,
                               char *out)
{
    struct rows_random random = { 1 };
    sortes_matcher *m;
    size_t n = 0, n_steps, way;
    bool done = false;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    for (size_t walk = 0; walk < WALKS && !done; walk++) {
        for (n = n_steps = 0; n < WALK_BYTES && !done; n_steps++) {
            if (!step_at_random(m, w, &random, &way))
                break;
            n += spell(w, way, out + n);
            done = sortes_matcher_is_accepting(m) != 0;
        }
        assert_int_equal(sortes_matcher_rollback(m, n_steps), SORTES_OK);
    }
    sortes_matcher_free(m);
    return done ? (long)n : -1;
}

/* What the search has reached, breadth first; each state a few times only, as
 * what was seen before may tell equal states apart. */
enum { SEARCH_ROOM = 20000, SEARCH_VISITS = 3, SEARCH_SLOTS = 65536 };

struct search {
    sortes_matcher *at[SEARCH_ROOM];
    int parent[SEARCH_ROOM];
    uint16_t way[SEARCH_ROOM];
    uint8_t visits[SEARCH_SLOTS]; /* of states, by their number's low bits */
    size_t n;
};

static bool search_is_new(struct search *s, const sortes_matcher *m)
{
    uint8_t *visits = &s->visits[m->place.state % SEARCH_SLOTS];

    return *visits < SEARCH_VISITS && ++*visits;
}

/* Adds what follows node i; the node that is complete, -1: none. */
static int search_expand(struct search *s, const struct ways *w, size_t i)
{
    for (size_t j = 0; j < w->n && s->n < SEARCH_ROOM; j++) {
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
static size_t search_spell(const struct search *s, const struct ways *w,
                           int node, char *out)
{
    size_t n;

    if (node == 0)
        return 0;
    n = search_spell(s, w, s->parent[node], out);
    assert_in_range(n, 0, COMPLETION_ROOM - 32);
    return n + spell(w, s->way[node], out + n);
}

static long complete_by_search(const sortes_matcher *from, const struct ways *w,
                               char *out)
{
    static struct search s;
    int found = -1;
    long n;

    memset(s.visits, 0, sizeof(s.visits));
    assert_int_equal(sortes_matcher_clone(&s.at[0], from), SORTES_OK);
    s.n = 1;
    for (size_t i = 0; i < s.n && found < 0; i++)
        found = search_expand(&s, w, i);
    n = found < 0 ? -1 : (long)search_spell(&s, w, found, out);
    for (size_t i = 0; i < s.n; i++)
        sortes_matcher_free(s.at[i]);
    return n;
}

static long complete(const sortes_matcher *m, const struct ways *w, char *out)
{
    long n = complete_greedily(m, w, out);

    if (n < 0 && w->words)
        n = complete_at_random(m, w, out);
    return n >= 0 ? n : complete_by_search(m, w, out);
}

long completion_find(const sortes_matcher *m, const bool *has, char *out)
{
    return complete(m, &(struct ways){ NULL, N_BYTES, has }, out);
}

long completion_find_words(const sortes_matcher *m, const char *const *words,
                           size_t n_words, char *out)
{
    return complete(m, &(struct ways){ words, n_words, NULL }, out);
}
