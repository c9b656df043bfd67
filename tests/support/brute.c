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
#include "support/completion.h"

#include <string.h>

/* ---- life ---------------------------------------------------------------- */

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

/* A state that was shown to be alive needs no second proof; where what was seen
 * before counts too, it needs some. */
static bool is_alive(struct brute *b, const sortes_matcher *m)
{
    static char rest[COMPLETION_ROOM];
    const uint32_t state = m->place.state;
    const uint8_t enough = m->place.trail ? 6 : 1;

    if (state < BRUTE_STATES && b->alive[state] >= enough)
        return true;
    if (completion_find(m, b->has_byte, rest) < 0)
        return false;
    if (state < BRUTE_STATES)
        b->alive[state]++;
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
              sortes_matcher_advance_bytes(m, &bytes[i], 1, NULL) == SORTES_OK;
    if (may && !is_alive(b, m))
        fail_msg("%s %s: after '%.*s' and '%.*s': a dead end", b->grammar->kind,
                 b->grammar->text, (int)b->n_text, b->text, (int)n, bytes);
    sortes_matcher_free(m);
    return may;
}

/* ---- masks --------------------------------------------------------------- */

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

/* ---- walking ------------------------------------------------------------- */

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
