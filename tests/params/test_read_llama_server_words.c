/*
 * test_read_llama_server_words.c - llama-server's requests that speak of words
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/params.h"
#include "support/requests.h"

#include <math.h>
#include <string.h>

/* A token a byte, by a tokenizer that knows nothing else. */
static int32_t by_bytes(void *ctx, const char *text, size_t n_bytes,
                        int parse_special, int32_t *tokens, size_t room)
{
    (void)ctx;
    assert_false(parse_special);
    for (size_t i = 0; i < n_bytes && i < room; i++)
        tokens[i] = text[i] - 'a';
    return (int32_t)n_bytes;
}

/* a to d, of which b and d end a text. */
static sortes_vocab *letters(sortes_tokenize *tokenize)
{
    static const char *const bytes[] = { "a", "b", "c", "d" };
    static const size_t n_bytes[] = { 1, 1, 1, 1 };
    static const uint32_t flags[] = { 0, SORTES_TOKEN_EOG, 0,
                                      SORTES_TOKEN_EOG };
    const sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                                     .n_tokens = 4,
                                     .bytes = bytes,
                                     .n_bytes = n_bytes,
                                     .flags = flags,
                                     .tokenize = tokenize };
    sortes_vocab *v;

    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    return v;
}

#define FORBIDDEN (-HUGE_VALF)

struct words_row {
    const char *request;
    size_t n;
    struct srt_bias biases[4];
};

static void check_biases(sortes_params *p, const struct words_row *row)
{
    sortes_error err = { 0 };

    if (requests_read(p, "llama-server", row->request, &err) != SORTES_OK)
        fail_msg("%s: %s", row->request, err.text);
    assert_int_equal(p->logit_bias.n, row->n);
    for (size_t i = 0; i < row->n; i++) {
        assert_int_equal(p->logit_bias.items[i].token, row->biases[i].token);
        assert_true(p->logit_bias.items[i].value == row->biases[i].value);
    }
    assert_int_equal(p->source[SRT_PARAM_logit_bias], SORTES_FROM_REQUEST);
}

/* Each key's tokens, in order; end tokens after the request's own biases. */
static void words_bias_each_of_their_tokens(void **state)
{
    static const struct words_row rows[] = {
        { "{\"logit_bias\":{\"cab\":1,\"2\":3}}",
          4,
          { { 2, 1 }, { 0, 1 }, { 1, 1 }, { 2, 3 } } },
        { "{\"logit_bias\":[[\"ad\",false],[0,2]]}",
          3,
          { { 0, FORBIDDEN }, { 3, FORBIDDEN }, { 0, 2 } } },
        { "{\"ignore_eos\":true}", 2, { { 1, FORBIDDEN }, { 3, FORBIDDEN } } },
        { "{\"ignore_eos\":true,\"logit_bias\":{\"bc\":5}}",
          4,
          { { 1, 5 }, { 2, 5 }, { 1, FORBIDDEN }, { 3, FORBIDDEN } } },
        { "{\"ignore_eos\":false,\"logit_bias\":{\"b\":5}}", 1, { { 1, 5 } } },
    };
    sortes_vocab *v = letters(by_bytes);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = requests_fresh(), *copy;

        assert_int_equal(sortes_params_use_vocab(p, v), SORTES_OK);
        assert_int_equal(sortes_params_clone(&copy, p), SORTES_OK);
        sortes_params_free(p); /* the copy keeps the vocab */
        check_biases(copy, &rows[i]);
        sortes_params_free(copy);
    }
    sortes_vocab_free(v);
}

/* From the request to the draw: the likeliest tokens never come. */
static void words_of_the_end_are_never_drawn(void **state)
{
    const float x[] = { 0, 5, 0, 5 };
    const sortes_row row = { x, 4, SORTES_F32 };
    sortes_vocab *v = letters(NULL);
    sortes_params *p = requests_fresh();
    sortes_sampler *s;
    sortes_draw draw;

    (void)state;
    assert_int_equal(sortes_params_use_vocab(p, v), SORTES_OK);
    assert_int_equal(requests_read(p, "llama-server",
                                   "{\"ignore_eos\":true,\"seed\":3}", NULL),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, v, NULL), SORTES_OK);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_true(draw.token == 0 || draw.token == 2);
    }
    sortes_sampler_free(s);
    sortes_params_free(p);
    sortes_vocab_free(v);
}

static int32_t by_nothing(void *ctx, const char *text, size_t n_bytes,
                          int parse_special, int32_t *tokens, size_t room)
{
    (void)ctx, (void)text, (void)n_bytes;
    (void)parse_special, (void)tokens, (void)room;
    return -1;
}

/* No tokenizer, one that fails, and a vocab that was taken away again. */
static void words_that_stay_unread_are_refused(void **state)
{
    static const char words[] = "{\"top_k\":7,\"logit_bias\":{\"cab\":1}}";
    static const char ends[] = "{\"top_k\":7,\"ignore_eos\":true}";
    sortes_vocab *silent = letters(NULL), *broken = letters(by_nothing);
    sortes_params *p = requests_fresh();
    const int32_t top_k = p->top_k;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_use_vocab(NULL, silent), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_use_vocab(p, silent), SORTES_OK);
    assert_int_equal(requests_read(p, "llama-server", words, &err),
                     SORTES_E_NAME);
    assert_non_null(strstr(err.text, "no tokenizer is known here"));
    assert_int_equal(sortes_params_use_vocab(p, broken), SORTES_OK);
    assert_int_not_equal(requests_read(p, "llama-server", words, &err),
                         SORTES_OK);
    assert_non_null(strstr(err.text, "the key 'cab' could not be tokenized"));
    assert_int_equal(sortes_params_use_vocab(p, NULL), SORTES_OK);
    assert_int_equal(requests_read(p, "llama-server", words, &err),
                     SORTES_E_NAME);
    assert_int_not_equal(requests_read(p, "llama-server", ends, &err),
                         SORTES_OK);
    assert_non_null(strstr(err.text, "ignore_eos"));
    assert_int_equal(p->top_k, top_k); /* nothing half-done */
    assert_int_equal(p->logit_bias.n, 0);
    sortes_params_free(p);
    sortes_vocab_free(silent);
    sortes_vocab_free(broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_bias_each_of_their_tokens),
        cmocka_unit_test(words_of_the_end_are_never_drawn),
        cmocka_unit_test(words_that_stay_unread_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
