/*
 * gbnf_naive.c - what a GBNF grammar means, written down as sets of strings
 *
 * Every node has the set of its texts, of what begins them, and of what a
 * derivation may begin with; sets grow until none does any more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/gbnf_naive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct naive_sets {
    bool texts[NAIVE_STRINGS], prefixes[NAIVE_STRINGS], viable[NAIVE_STRINGS];
    bool has_text; /* of any length */
};

static unsigned naive_length(size_t i)
{
    unsigned n = 0;

    while (i >= ((size_t)2 << n) - 1)
        n++;
    return n;
}

size_t naive_string(size_t i, char *to)
{
    const unsigned n = naive_length(i);
    const size_t bits = i - (((size_t)1 << n) - 1);

    for (unsigned k = 0; k < n; k++)
        to[k] = bits >> (n - 1 - k) & 1 ? 'b' : 'a';
    return n;
}

/* The number of x y; NAIVE_STRINGS if it is too long. */
static size_t naive_concat(size_t x, size_t y)
{
    const unsigned nx = naive_length(x), ny = naive_length(y);

    if (nx + ny > NAIVE_LENGTH)
        return NAIVE_STRINGS;
    return (((size_t)1 << (nx + ny)) - 1) +
           ((x - (((size_t)1 << nx) - 1)) << ny) +
           (y - (((size_t)1 << ny) - 1));
}

/* to += x y */
static void naive_product(bool *to, const bool *x, const bool *y)
{
    for (size_t i = 0; i < NAIVE_STRINGS; i++)
        for (size_t j = 0; x[i] && j < NAIVE_STRINGS; j++) {
            const size_t k = y[j] ? naive_concat(i, j) : NAIVE_STRINGS;

            if (k < NAIVE_STRINGS)
                to[k] = true;
        }
}

static void naive_add(bool *to, const bool *x)
{
    for (size_t i = 0; i < NAIVE_STRINGS; i++)
        to[i] = to[i] || x[i];
}

/* The empty text. */
static void naive_empty(struct naive_sets *s)
{
    memset(s, 0, sizeof(*s));
    s->texts[0] = s->prefixes[0] = s->viable[0] = s->has_text = true;
}

/* x becomes x y. */
static void naive_append(struct naive_sets *x, const struct naive_sets *y)
{
    struct naive_sets to = { .has_text = x->has_text && y->has_text };

    naive_product(to.texts, x->texts, y->texts);
    if (to.has_text) {
        naive_add(to.prefixes, x->prefixes);
        naive_product(to.prefixes, x->texts, y->prefixes);
    }
    naive_add(to.viable, x->viable);
    naive_product(to.viable, x->texts, y->viable);
    *x = to;
}

static void naive_unite(struct naive_sets *x, const struct naive_sets *y)
{
    naive_add(x->texts, y->texts);
    naive_add(x->prefixes, y->prefixes);
    naive_add(x->viable, y->viable);
    x->has_text = x->has_text || y->has_text;
}

static void naive_chars(const struct srt_gbnf *g, const struct srt_gbnf_node *n,
                        struct naive_sets *to)
{
    memset(to, 0, sizeof(*to));
    to->viable[0] = true;
    to->has_text = n->negated; /* c is beyond the strings, but a text */
    for (uint32_t c = 'a'; c <= 'b'; c++) {
        bool in = n->negated;

        for (uint32_t i = n->a; i < n->b; i++)
            if (g->ranges[i][0] <= c && c <= g->ranges[i][1])
                in = !n->negated;
        to->texts[1 + c - 'a'] = to->prefixes[1 + c - 'a'] =
            to->viable[1 + c - 'a'] = in;
        to->has_text = to->has_text || in;
    }
    for (uint32_t i = n->a; i < n->b && !n->negated; i++)
        to->has_text = to->has_text || g->ranges[i][0] <= g->ranges[i][1];
    to->prefixes[0] = to->has_text;
}

static void naive_repeat(const struct srt_gbnf_node *n,
                         const struct naive_sets *child, struct naive_sets *to)
{
    struct naive_sets copies;
    /* More copies than letters change nothing but how many are empty. */
    const uint32_t enough = n->a + NAIVE_LENGTH + 1;

    naive_empty(&copies);
    for (uint32_t i = 0; i < n->a; i++)
        naive_append(&copies, child);
    *to = copies;
    for (uint32_t i = n->a; i < n->b && i < enough; i++) {
        naive_append(&copies, child);
        naive_unite(to, &copies);
    }
}

static void naive_node(const struct srt_gbnf *g, uint32_t node,
                       const struct naive_sets *all, struct naive_sets *to)
{
    const struct srt_gbnf_node *n = &g->nodes[node];

    switch (n->type) {
    case SRT_GBNF_CHARS:
        naive_chars(g, n, to);
        break;
    case SRT_GBNF_NAME:
        *to = all[g->rules[n->a].node];
        to->viable[0] = true;
        break;
    case SRT_GBNF_REPEAT:
        naive_repeat(n, &all[n->child], to);
        break;
    case SRT_GBNF_CHOICE:
        memset(to, 0, sizeof(*to));
        for (uint32_t i = n->child; i; i = g->nodes[i].next)
            naive_unite(to, &all[i]);
        break;
    default:
        assert(n->type == SRT_GBNF_SEQUENCE);
        naive_empty(to);
        for (uint32_t i = n->child; i; i = g->nodes[i].next)
            naive_append(to, &all[i]);
    }
}

void naive_solve(struct naive *to, const struct srt_gbnf *g)
{
    struct naive_sets *all = calloc(g->n_nodes + 1, sizeof(*all));
    const struct naive_sets *root = &all[g->rules[g->root].node];
    struct naive_sets now;
    bool grew = true;

    while (grew) {
        grew = false;
        for (uint32_t i = 1; i <= g->n_nodes; i++) {
            memset(&now, 0, sizeof(now));
            naive_node(g, i, all, &now);
            if (memcmp(&now, &all[i], sizeof(now)) != 0) {
                all[i] = now;
                grew = true;
            }
        }
    }
    memcpy(to->texts, root->texts, sizeof(to->texts));
    memcpy(to->prefixes, root->prefixes, sizeof(to->prefixes));
    memcpy(to->viable, root->viable, sizeof(to->viable));
    free(all);
}

/* ---- random grammars ----------------------------------------------------- */

struct naive_writer {
    char *to;
    size_t n, size;
    uint64_t *next;
    unsigned n_rules, n_atoms;
};

static unsigned naive_random(struct naive_writer *w, unsigned n)
{
    *w->next = *w->next * UINT64_C(6364136223846793005) +
               UINT64_C(1442695040888963407);
    return (unsigned)(*w->next >> 33) % n;
}

static void naive_put(struct naive_writer *w, const char *text)
{
    const size_t n = strlen(text);

    assert(w->n + n < w->size);
    memcpy(w->to + w->n, text, n + 1);
    w->n += n;
}

static const char *const naive_names[] = { "root", "p", "q", "r" };

static void naive_choice(struct naive_writer *w, unsigned depth);

static void naive_item(struct naive_writer *w, unsigned depth)
{
    /* The last two stand for many characters. */
    static const char *const atoms[] = { "\"a\"", "\"b\"", "\"ab\"", "\"ba\"",
                                         "[ab]",  "[c]",   "[^a]",   "." };
    static const char *const repeats[] = { "?",     "*",     "+",    "{2}",
                                           "{1,2}", "{0,2}", "{2,}", "{0}" };
    const unsigned kind = naive_random(w, depth ? 10 : 7);

    if (kind < 4)
        naive_put(w, atoms[naive_random(w, w->n_atoms)]);
    else if (kind < 7)
        naive_put(w, naive_names[naive_random(w, w->n_rules)]);
    else {
        naive_put(w, "(");
        naive_choice(w, depth - 1);
        naive_put(w, ")");
    }
    if (naive_random(w, 4) == 0)
        naive_put(w, repeats[naive_random(w, SRT_COUNT(repeats))]);
    naive_put(w, " ");
}

static void naive_choice(struct naive_writer *w, unsigned depth)
{
    const unsigned n = 1 + naive_random(w, 3);

    for (unsigned i = 0; i < n; i++) {
        const unsigned items = naive_random(w, 8) ? 1 + naive_random(w, 3) : 0;

        if (i)
            naive_put(w, "| ");
        if (!items) /* spelled: a line's end would go on with the next */
            naive_put(w, "\"\" ");
        for (unsigned k = 0; k < items; k++)
            naive_item(w, depth);
    }
}

void naive_grammar(char *to, size_t size, bool narrow, uint64_t *next)
{
    struct naive_writer w = {
        .to = to, .size = size, .next = next, .n_atoms = narrow ? 6 : 8
    };

    w.n_rules = 1 + naive_random(&w, (unsigned)SRT_COUNT(naive_names));
    for (unsigned i = 0; i < w.n_rules; i++) {
        naive_put(&w, naive_names[i]);
        naive_put(&w, " ::= ");
        naive_choice(&w, 2);
        naive_put(&w, "\n");
    }
}
