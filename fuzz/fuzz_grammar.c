/*
 * fuzz_grammar.c - any bytes as a grammar of any kind, and as tokens for it
 *
 * Refused with a place in the text, or compiled; then every promise of a
 * matcher: a token is in the mask if and only if it is allowed and if and only
 * if it can be advanced by; a call that fails moves nothing; a step back and a
 * clone lead where they should; where the text may not end, some token may
 * come (but for llama.cpp's own rules, which have dead ends).
 *
 * fuzz_matcher.c goes through all that a matcher can do; this one through the
 * options.  Input: the kind's index, options, the text's length, the text,
 * tokens.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "sortes.h"

#include <string.h>

enum { WORDS = 9, SIZE = 256 + 16 };

/* One byte is missing, so that the alphabet is not whole. */
enum { MISSING = 0xF1 };

static sortes_vocab *fuzz_vocab(void)
{
    static const char *const more[] = {
        "{\"", "\":", "\",\"",     "true", "\\u00", "\xE2\x82", "ab", "ab",
        "}}",  "[1,", "a\":1,\"a", "  ",   "<|x|>", "</s>",     "0.", "\\\"",
    };
    static char bytes[256];
    static const char *pieces[SIZE];
    static size_t sizes[SIZE];
    static uint32_t flags[SIZE];
    sortes_vocab_desc desc = { .struct_size = sizeof(desc), .n_tokens = SIZE };
    sortes_vocab *v;

    for (int i = 0; i < 256; i++) {
        bytes[i] = (char)i;
        pieces[i] = &bytes[i];
        sizes[i] = i != MISSING;
    }
    for (size_t i = 256; i < SIZE; i++) {
        pieces[i] = more[i - 256];
        sizes[i] = strlen(pieces[i]);
    }
    flags[256 + 12] = SORTES_TOKEN_CONTROL;
    flags[256 + 13] = SORTES_TOKEN_EOG;
    desc.bytes = pieces;
    desc.n_bytes = sizes;
    desc.flags = flags;
    check(sortes_vocab_new(&v, &desc, NULL) == SORTES_OK);
    return v;
}

static void fuzz_options(sortes_grammar_options *o, uint8_t bits)
{
    static const char *const profiles[] = { NULL, "json", "llguidance", NULL };

    memset(o, 0, sizeof(*o));
    o->struct_size = sizeof(*o);
    o->profile = profiles[bits & 3];
    o->form = bits & 4 ? "literal" : NULL;
    o->unique_keys = bits & 8 ? "false" : NULL;
    o->max_cache_bytes = bits & 16 ? 150000 : 0;
    o->max_depth = bits & 32 ? 2 : 0;
    o->whitespace = bits & 64 ? "none" : NULL;
    o->max_states = bits & 128 ? 50 : 5000;
    o->max_state_bytes = 8 << 20;
    o->max_compile_us = 300000;
}

/* Nothing but a limit, or no memory, keeps a call from an answer. */
static int fuzz_gave_up(sortes_status status)
{
    return status == SORTES_E_LIMIT || status == SORTES_E_NOMEM;
}

/* The mask against its tokens; 0: a limit was met. */
static int fuzz_mask(sortes_matcher *m, int literal)
{
    uint32_t words[WORDS], any = 0;
    const sortes_status status = sortes_matcher_mask(m, words, WORDS);

    if (status != SORTES_OK) {
        check(fuzz_gave_up(status));
        return 0;
    }
    for (int32_t t = 0; t < SIZE; t++) {
        const int allows = sortes_matcher_allows(m, t);

        if (allows < 0) {
            check(fuzz_gave_up((sortes_status)-allows));
            return 0;
        }
        check(allows == (int)(words[t / 32] >> t % 32 & 1));
    }
    for (int i = 0; i < WORDS; i++)
        any |= words[i];
    check(any || literal);
    return 1;
}

/* The same token for a clone, and back again. */
static void fuzz_twins(sortes_matcher *m, int32_t token, sortes_status wanted)
{
    sortes_matcher *clone;

    check(sortes_matcher_clone(&clone, m) == SORTES_OK);
    check(sortes_matcher_advance(clone, &token, 1, NULL) == wanted);
    if (wanted == SORTES_OK)
        check(sortes_matcher_rollback(clone, 1) == SORTES_OK);
    check(sortes_matcher_is_accepting(clone) == sortes_matcher_is_accepting(m));
    sortes_matcher_free(clone);
}

static void fuzz_steps(sortes_matcher *m, const uint8_t *data, size_t n,
                       int literal)
{
    for (size_t i = 0; i < n && i < 48; i++) {
        /* Printable bytes are themselves, the others tokens of several. */
        const int32_t token =
            data[i] >= 0x80 && data[i] < 0xC0 ? 256 + data[i] % 16 : data[i];
        const int allows = sortes_matcher_allows(m, token);
        sortes_status status;

        if (i % 4 == 0 && !fuzz_mask(m, literal))
            return;
        if (i % 3 == 0 && allows >= 0)
            fuzz_twins(m, token, allows ? SORTES_OK : SORTES_E_NO_TOKEN);
        if (i % 11 == 10)
            sortes_matcher_flush(m);
        status = sortes_matcher_advance(m, &token, 1, NULL);
        if (fuzz_gave_up(status))
            return;
        check((status == SORTES_OK) == (allows == 1));
    }
    fuzz_mask(m, literal);
}

static void fuzz_match(sortes_grammar *g, sortes_vocab *v, const uint8_t *data,
                       size_t n, int literal)
{
    sortes_error err = { 0 };
    sortes_matcher *m;

    if (sortes_matcher_new(&m, g, v, &err) != SORTES_OK) {
        check(err.status != SORTES_OK && err.text[0]);
        return;
    }
    fuzz_steps(m, data, n, literal);
    sortes_matcher_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static sortes_vocab *v;
    sortes_grammar_options options;
    sortes_error err = { 0 };
    sortes_grammar *g;
    size_t kinds = 0, length;

    if (n < 4 || n > 2048)
        return 0;
    if (!v)
        v = fuzz_vocab();
    while (sortes_grammar_kind(kinds))
        kinds++;
    length = data[2] | (size_t)data[3] << 8;
    if (length > n - 4)
        length = n - 4;
    fuzz_options(&options, data[1]);
    if (sortes_grammar_new(&g, sortes_grammar_kind(data[0] % kinds),
                           (const char *)data + 4, length, &options,
                           &err) != SORTES_OK) {
        check(err.status != SORTES_OK && err.offset <= length && err.text[0]);
        return 0;
    }
    fuzz_match(g, v, data + 4 + length, n - 4 - length, options.form != NULL);
    sortes_grammar_free(g);
    return 0;
}
