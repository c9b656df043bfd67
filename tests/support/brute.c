/*
 * brute.c - what a matcher must answer, found out the slow way
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/brute.h"

#include "constrain/matcher.h"

#include <string.h>

/* ---- life -----------------------------------------------------------------
 */

static sortes_grammar *compile(const struct brute_grammar *grammar)
{
    const sortes_grammar_options options = {
        .struct_size = sizeof(options),
        .profile = grammar->profile,
    };
    sortes_grammar *g;
    sortes_error err;

    if (sortes_grammar_new(&g, grammar->kind, grammar->text,
                           strlen(grammar->text), &options, &err) != SORTES_OK)
        fail_msg("%s %s: %s", grammar->kind, grammar->text, err.text);
    return g;
}

bool brute_open(struct brute *b, const struct brute_grammar *grammar,
                enum vocabs_kind kind)
{
    sortes_error err;
    sortes_status status;

    memset(b, 0, sizeof(*b));
    b->grammar = grammar;
    b->vocab = vocabs_make(kind);
    b->n_tokens = sortes_vocab_size(b->vocab);
    assert_in_range(b->n_tokens, 1, 32 * BRUTE_WORDS);
    for (size_t i = 0; i < b->n_tokens; i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(b->vocab, (int32_t)i, &n);

        if (n == 1 && !brute_is_special(b, (int32_t)i)) {
            b->has_byte[(unsigned char)piece[0]] = true;
            b->byte[(unsigned char)piece[0]] = (int32_t)i;
        }
    }
    b->g = compile(grammar);
    b->other = compile(grammar);
    status = sortes_matcher_new(&b->m, b->g, b->vocab, &err);
    if (status == SORTES_E_EMPTY) {
        brute_close(b);
        return false;
    }
    if (status != SORTES_OK)
        fail_msg("%s %s: %s", grammar->kind, grammar->text, err.text);
    b->slow = brute_fresh(b);
    return true;
}

void brute_close(struct brute *b)
{
    sortes_matcher_free(b->m);
    sortes_matcher_free(b->slow);
    sortes_grammar_free(b->g);
    sortes_grammar_free(b->other);
    sortes_vocab_free(b->vocab);
    memset(b, 0, sizeof(*b));
}

sortes_matcher *brute_fresh(const struct brute *b)
{
    sortes_matcher *m;

    assert_int_equal(sortes_matcher_new(&m, b->other, b->vocab, NULL),
                     SORTES_OK);
    sortes_matcher_use_memo(m, 0);
    return m;
}

void brute_fail(const struct brute *b, const char *what, int32_t token)
{
    size_t n = 0;
    const char *piece = sortes_vocab_piece(b->vocab, token, &n);

    fail_msg("%s %s: after '%.*s': %s, token %d '%.*s'", b->grammar->kind,
             b->grammar->text, (int)b->n_text, b->text, what, (int)token,
             (int)n, piece ? piece : "");
}

bool brute_has(const uint32_t *words, int32_t token)
{
    return words[token / 32] >> (token % 32) & 1;
}

bool brute_is_end(const struct brute *b, int32_t token)
{
    return (sortes_vocab_flags(b->vocab, token) & SORTES_TOKEN_EOG) != 0;
}

bool brute_is_special(const struct brute *b, int32_t token)
{
    return (sortes_vocab_flags(b->vocab, token) & SORTES_TOKEN_CONTROL) != 0;
}

/* ---- completions ------------------------------------------------------------
 */

/* What ends things first, then all the rest. */
static unsigned char closing_order(size_t i)
{
    static const char first[] = "\"}]:1a0e,{[nulltrue";
    const size_t n_first = sizeof(first) - 1;

    return i < n_first ? (unsigned char)first[i] : (unsigned char)(i - n_first);
}

#define N_ORDER (256 + sizeof("\"}]:1a0e,{[nulltrue") - 1)

static bool step(sortes_matcher *m, unsigned char byte)
{
    return sortes_matcher_advance_bytes(m, (const char *)&byte, 1, NULL) ==
           SORTES_OK;
}

/* Always the first byte that may come; most texts end soon that way. */
static long complete_greedily(const struct brute *b, const sortes_matcher *from,
                              char *out)
{
    sortes_matcher *m;
    size_t n = 0, i = 0;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    while (n < 64 && i < N_ORDER && !sortes_matcher_is_accepting(m)) {
        for (i = 0; i < N_ORDER; i++)
            if (b->has_byte[closing_order(i)] && step(m, closing_order(i)))
                break;
        out[n++] = i < N_ORDER ? (char)closing_order(i) : '\0';
    }
    const bool done = sortes_matcher_is_accepting(m) != 0;
    sortes_matcher_free(m);
    return done ? (long)n : -1;
}

/* What the search has reached, breadth first; each state a few times only, as
 * what was seen before may tell equal states apart. */
enum { SEARCH_ROOM = 20000, SEARCH_VISITS = 3 };

struct search {
    sortes_matcher *at[SEARCH_ROOM];
    int parent[SEARCH_ROOM];
    unsigned char byte[SEARCH_ROOM];
    size_t n;
};

static bool search_is_new(const struct search *s, const sortes_matcher *m)
{
    size_t visits = 0;

    for (size_t i = 0; i < s->n; i++)
        visits += s->at[i] && s->at[i]->place.state == m->place.state;
    return visits < SEARCH_VISITS;
}

/* Adds what follows node i; the node that is complete, -1: none. */
static int search_expand(const struct brute *b, struct search *s, size_t i)
{
    for (size_t j = 0; j < N_ORDER && s->n < SEARCH_ROOM; j++) {
        const unsigned char byte = closing_order(j);
        sortes_matcher *next;

        if (!b->has_byte[byte])
            continue;
        assert_int_equal(sortes_matcher_clone(&next, s->at[i]), SORTES_OK);
        if (!step(next, byte) || !search_is_new(s, next)) {
            sortes_matcher_free(next);
            continue;
        }
        s->at[s->n] = next;
        s->parent[s->n] = (int)i;
        s->byte[s->n] = byte;
        if (sortes_matcher_is_accepting(s->at[s->n++]))
            return (int)s->n - 1;
    }
    return -1;
}

static long search_spell(const struct search *s, int node, char *out)
{
    long n = 0;

    for (int i = node; i > 0; i = s->parent[i])
        n++;
    for (long at = n; node > 0; node = s->parent[node])
        out[--at] = (char)s->byte[node];
    return n;
}

static long complete_by_search(const struct brute *b,
                               const sortes_matcher *from, char *out)
{
    static struct search s;
    int found = -1;
    long n;

    assert_int_equal(sortes_matcher_clone(&s.at[0], from), SORTES_OK);
    s.n = 1;
    for (size_t i = 0; i < s.n && found < 0; i++)
        found = search_expand(b, &s, i);
    n = found < 0 ? -1 : search_spell(&s, found, out);
    for (size_t i = 0; i < s.n; i++)
        sortes_matcher_free(s.at[i]);
    assert_true(n < BRUTE_TEXT);
    return n;
}

long brute_completion(const struct brute *b, const sortes_matcher *m, char *out)
{
    const long n = complete_greedily(b, m, out);

    return n >= 0 ? n : complete_by_search(b, m, out);
}

/* States that were shown to be alive need no second proof where nothing but
 * the state counts. */
static bool is_alive(struct brute *b, const sortes_matcher *m)
{
    static char rest[BRUTE_TEXT];
    const uint32_t state = m->place.state;

    if (!m->place.trail && state < BRUTE_STATES && b->alive[state])
        return true;
    if (brute_completion(b, m, rest) < 0)
        return false;
    if (!m->place.trail && state < BRUTE_STATES)
        b->alive[state] = true;
    return true;
}

bool brute_may_come(struct brute *b, const sortes_matcher *from,
                    const char *bytes, size_t n)
{
    sortes_matcher *m;
    bool may = true;

    assert_int_equal(sortes_matcher_clone(&m, from), SORTES_OK);
    for (size_t i = 0; i < n && may; i++)
        may = b->has_byte[(unsigned char)bytes[i]] &&
              step(m, (unsigned char)bytes[i]);
    if (may && !is_alive(b, m))
        fail_msg("%s %s: after '%.*s' and '%.*s': a dead end", b->grammar->kind,
                 b->grammar->text, (int)b->n_text, b->text, (int)n, bytes);
    sortes_matcher_free(m);
    return may;
}

/* ---- masks ------------------------------------------------------------------
 */

static bool slow_allows(struct brute *b, int32_t token)
{
    size_t n;
    const char *piece = sortes_vocab_piece(b->vocab, token, &n);

    if (brute_is_end(b, token))
        return sortes_matcher_is_accepting(b->slow);
    if (n == 0 || brute_is_special(b, token))
        return false;
    return brute_may_come(b, b->slow, piece, n);
}

void brute_check_mask(struct brute *b, sortes_matcher *m, uint32_t *words)
{
    assert_int_equal(sortes_matcher_mask(m, words, BRUTE_WORDS), SORTES_OK);
    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_has(words, (int32_t)i) != slow_allows(b, (int32_t)i))
            brute_fail(b,
                       brute_has(words, (int32_t)i)
                           ? "the mask lets through what may not come"
                           : "the mask lacks what may come",
                       (int32_t)i);
    if (b->n_tokens % 32)
        assert_int_equal(words[b->n_tokens / 32] >> b->n_tokens % 32, 0);
    for (size_t i = (b->n_tokens + 31) / 32; i < BRUTE_WORDS; i++)
        assert_int_equal(words[i], 0);
}

/* ---- walking ----------------------------------------------------------------
 */

void brute_restart(struct brute *b)
{
    sortes_matcher_reset(b->m);
    sortes_matcher_reset(b->slow);
    b->n_text = b->n = 0;
}

void brute_take(struct brute *b, int32_t token)
{
    size_t n;
    const char *piece = sortes_vocab_piece(b->vocab, token, &n);

    if (sortes_matcher_advance(b->m, &token, 1, NULL) != SORTES_OK)
        brute_fail(b, "cannot take what the mask allows", token);
    if (n > 0)
        assert_int_equal(sortes_matcher_advance_bytes(b->slow, piece, n, NULL),
                         SORTES_OK);
    assert_in_range(b->n_text + n, 0, BRUTE_TEXT);
    assert_in_range(b->n, 0, BRUTE_TOKENS - 1);
    memcpy(b->text + b->n_text, piece, n);
    b->n_text += n;
    b->tokens[b->n++] = token;
}

int32_t brute_pick(struct brute *b, const uint32_t *words)
{
    int32_t list[32 * BRUTE_WORDS];
    size_t n = 0;

    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_has(words, (int32_t)i) && !brute_is_end(b, (int32_t)i))
            list[n++] = (int32_t)i;
    return n > 0 ? list[rows_below(&b->random, n)] : -1;
}
