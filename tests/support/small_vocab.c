/*
 * small_vocab.c - vocabularies made in a test, and matchers at work on them
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/small_vocab.h"

#include <stdlib.h>
#include <string.h>

sortes_vocab *small_vocab(const char *without, const struct small_token *tokens,
                          size_t n_tokens)
{
    static char bytes[256];
    const char **pieces = calloc(256 + n_tokens, sizeof(*pieces));
    size_t *sizes = calloc(256 + n_tokens, sizeof(*sizes));
    uint32_t *flags = calloc(256 + n_tokens, sizeof(*flags));
    sortes_vocab_desc desc = { .struct_size = sizeof(desc) };
    sortes_vocab *v;
    size_t n = 0;

    for (int byte = 0; byte < 256; byte++) {
        bytes[byte] = (char)byte;
        if (without && byte && strchr(without, byte))
            continue;
        pieces[n] = &bytes[byte];
        sizes[n++] = 1;
    }
    for (size_t i = 0; i < n_tokens; i++) {
        pieces[n] = tokens[i].bytes;
        sizes[n] = tokens[i].n ? tokens[i].n : strlen(tokens[i].bytes);
        flags[n++] = tokens[i].flags;
    }
    desc.n_tokens = n;
    desc.bytes = pieces;
    desc.n_bytes = sizes;
    desc.flags = flags;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    free(pieces);
    free(sizes);
    free(flags);
    return v;
}

sortes_grammar *small_grammar(const char *kind, const char *text,
                              const sortes_grammar_options *options)
{
    sortes_error err;
    sortes_grammar *g;

    if (sortes_grammar_new(&g, kind, text, text ? strlen(text) : 0, options,
                           &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return g;
}

sortes_matcher *small_matcher(sortes_grammar *g, sortes_vocab *v)
{
    sortes_error err;
    sortes_matcher *m;

    if (sortes_matcher_new(&m, g, v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return m;
}

bool small_accepts(sortes_grammar *g, const char *text)
{
    sortes_matcher *m = small_matcher(g, NULL);
    const bool accepts = sortes_matcher_advance_bytes(m, text, strlen(text),
                                                      NULL) == SORTES_OK &&
                         sortes_matcher_is_accepting(m);

    sortes_matcher_free(m);
    return accepts;
}

size_t small_reach(sortes_grammar *g, const char *text, size_t n)
{
    sortes_matcher *m = small_matcher(g, NULL);
    size_t reached;
    const sortes_status status =
        sortes_matcher_advance_bytes(m, text, n, &reached);

    assert_true(status == SORTES_OK || status == SORTES_E_NO_TOKEN);
    assert_int_equal(status == SORTES_OK, reached == n);
    sortes_matcher_free(m);
    return reached;
}

void small_check_mask(sortes_matcher *m, sortes_vocab *v)
{
    const size_t n = sortes_vocab_size(v), n_words = (n + 31) / 32;
    uint32_t *words = malloc(n_words * sizeof(*words));

    assert_int_equal(sortes_matcher_mask(m, words, n_words), SORTES_OK);
    for (size_t i = 0; i < n; i++) {
        const int allows = sortes_matcher_allows(m, (int32_t)i);

        if (allows != (int)(words[i / 32] >> i % 32 & 1)) {
            size_t n_bytes;
            const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n_bytes);

            fail_msg("token %zu '%.*s': allows %d", i, (int)n_bytes, bytes,
                     allows);
        }
    }
    if (n % 32)
        assert_int_equal(words[n_words - 1] >> n % 32, 0);
    free(words);
}

/* The longest token that text begins with. */
static int32_t longest_token(sortes_vocab *v, const char *text)
{
    const size_t left = strlen(text);
    size_t best = 0;
    int32_t token = -1;

    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);

        if (n > best && n <= left && memcmp(bytes, text, n) == 0 &&
            sortes_vocab_flags(v, (int32_t)i) == 0) {
            best = n;
            token = (int32_t)i;
        }
    }
    return token;
}

void small_advance(sortes_matcher *m, sortes_vocab *v, const char *text)
{
    small_check_mask(m, v);
    while (*text) {
        const int32_t token = longest_token(v, text);
        size_t n;

        assert_true(token >= 0);
        assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL), SORTES_OK);
        small_check_mask(m, v);
        sortes_vocab_piece(v, token, &n);
        text += n;
    }
}
