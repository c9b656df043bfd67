/*
 * fuzz_matcher.c - any bytes as a grammar and what is done under it
 *
 *   kind, length, text of the grammar, then steps: a letter and what it takes
 *
 * After every step the mask and the single answers agree; what is saved can be
 * loaded; bytes that nobody saved are refused or lead somewhere a matcher can
 * go on from.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "sortes.h"

#include <string.h>

enum { N_TOKENS = 272, N_WORDS = (N_TOKENS + 31) / 32 };

struct input {
    const uint8_t *data;
    size_t n, at;
};

static uint8_t take(struct input *in)
{
    return in->at < in->n ? in->data[in->at++] : 0;
}

static const char *take_some(struct input *in, size_t most, size_t *n)
{
    const size_t length = take(in) % (most + 1), left = in->n - in->at;
    const char *text = (const char *)in->data + in->at;

    *n = length < left ? length : left;
    in->at += *n;
    return text;
}

static sortes_vocab *make_vocab(void)
{
    static const char *const longer[] = {
        "{\"",      "\":",      "\",\"", "\"}",  "\\u00", "true", "12",  "  ",
        "\xC3\xA9", "\xE2\x82", "ab",    "</s>", "\n ",   "]}",   "a\"", "",
    };
    static char bytes[256];
    const char *pieces[N_TOKENS];
    size_t n_bytes[N_TOKENS];
    uint32_t flags[N_TOKENS] = { 0 };
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = N_TOKENS,
                               .bytes = pieces,
                               .n_bytes = n_bytes,
                               .flags = flags };
    sortes_vocab *v;

    for (int i = 0; i < N_TOKENS; i++) {
        if (i < 256)
            bytes[i] = (char)i;
        pieces[i] = i < 256 ? &bytes[i] : longer[i - 256];
        n_bytes[i] = i < 256 ? 1 : strlen(longer[i - 256]);
    }
    flags[256 + 11] = SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG;
    check(sortes_vocab_new(&v, &desc, NULL) == SORTES_OK);
    return v;
}

/* Whether a status may come of input; anything else is a fault. */
static int is_refusal(sortes_status status)
{
    return status == SORTES_E_NO_TOKEN || status == SORTES_E_LIMIT ||
           status == SORTES_E_ARGUMENT || status == SORTES_E_SYNTAX ||
           status == SORTES_E_EMPTY;
}

static void check_answers(sortes_matcher *m, int32_t token)
{
    uint32_t words[N_WORDS];
    const sortes_status status = sortes_matcher_mask(m, words, N_WORDS);
    int allows;

    if (status != SORTES_OK) {
        check(status == SORTES_E_LIMIT);
        return;
    }
    allows = sortes_matcher_allows(m, token);
    check(allows == -SORTES_E_LIMIT ||
          allows == (int)(words[token / 32] >> (token % 32) & 1));
}

static void save_and_load(sortes_matcher *m)
{
    char data[4096];
    size_t n;
    sortes_error err;

    check(sortes_matcher_save(m, data, sizeof(data), &n) == SORTES_OK);
    if (n <= sizeof(data))
        check(sortes_matcher_load(m, data, n, &err) == SORTES_OK ||
              err.status == SORTES_E_LIMIT);
}

static void one_step(sortes_matcher **m, struct input *in)
{
    const uint8_t step = take(in);
    const int32_t token = (int32_t)(take(in) | (step & 1) << 8) % N_TOKENS;
    sortes_status status = SORTES_OK;
    sortes_matcher *clone;
    char forced[64];
    const char *text;
    size_t n;

    switch (step >> 1 & 7) {
    case 0:
        status = sortes_matcher_rollback(*m, (size_t)token % 4);
        break;
    case 1:
        text = take_some(in, 40, &n);
        status = sortes_matcher_advance_bytes(*m, text, n, NULL);
        break;
    case 2:
        check(sortes_matcher_clone(&clone, *m) == SORTES_OK);
        sortes_matcher_free(*m);
        *m = clone;
        break;
    case 3:
        text = take_some(in, 40, &n);
        status = sortes_matcher_load(*m, text, n, NULL);
        break;
    case 4:
        save_and_load(*m);
        break;
    case 5:
        status = sortes_matcher_forced(*m, forced, sizeof(forced), &n);
        sortes_matcher_flush(*m);
        break;
    default:
        status = sortes_matcher_advance(*m, &token, 1, NULL);
    }
    check(status == SORTES_OK || is_refusal(status));
    check_answers(*m, token);
}

static void play(sortes_grammar *g, sortes_vocab *v, struct input *in)
{
    const uint8_t before = take(in);
    sortes_matcher *m;
    sortes_error err;

    if (sortes_matcher_new(&m, g, v, &err) != SORTES_OK) {
        check(is_refusal(err.status) && err.text[0] != '\0');
        return;
    }
    if (before == 'h')
        check(sortes_matcher_heal(m, "a\"", 2) == SORTES_OK);
    if (before == 't')
        check(sortes_matcher_think(m, "</", 2) == SORTES_OK);
    for (int i = 0; i < 64 && in->at < in->n; i++)
        one_step(&m, in);
    sortes_matcher_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct input in = { data, n, 0 };
    const sortes_grammar_options options = {
        .struct_size = sizeof(options),
        .profile = n % 3 == 0   ? "json"
                   : n % 3 == 1 ? "llguidance"
                                : NULL,
        .max_states = 20000,
        .max_state_bytes = 16 << 20,
        .max_cache_bytes = 1 << 20,
        .max_depth = 8,
        .max_compile_us = 200000,
    };
    const char *kind = NULL, *text;
    sortes_grammar *g;
    sortes_error err;
    size_t n_kinds = 0, n_text;

    while (sortes_grammar_kind(n_kinds))
        n_kinds++;
    kind = sortes_grammar_kind(take(&in) % n_kinds);
    text = take_some(&in, 200, &n_text);
    if (sortes_grammar_new(&g, kind, text, n_text, &options, &err) !=
        SORTES_OK) {
        check(is_refusal(err.status) || err.status == SORTES_E_NAME ||
              err.status == SORTES_E_RANGE);
        check(err.text[0] != '\0');
        return 0;
    }
    sortes_vocab *v = make_vocab();
    play(g, v, &in);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
    return 0;
}
