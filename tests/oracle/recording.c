/*
 * recording.c - live: the rows that the repository carries, drawn by libllama
 *
 * examples/rows says which tokens llama.cpp drew on its rows with default
 * parameters; libllama's chain must still draw these.  (That sortes draws them
 * too is what `sortes try` shows, and the offline tests check.)
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "oracle/llama_chain.h"

/* A row's bf16 logits, widened. */
static void recording_widen(const struct engine *e, float *logits, size_t n)
{
    sortes_row row;

    assert_int_equal(engine_row(e, &row), SORTES_OK);
    assert_int_equal(row.type, SORTES_BF16);
    assert_int_equal(row.n, n);
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)((const uint16_t *)row.data)[i] << 16;

        memcpy(&logits[i], &bits, sizeof(bits));
    }
}

static void the_recording_is_what_libllama_draws(void **state)
{
    struct settings s = settings_default();
    const struct engine_recording *r;
    struct llama_chain chain;
    llama_token_data *data;
    float *logits;
    struct engine *e;
    size_t n;

    (void)state;
    assert_int_equal(
        engine_open(&e, SORTES_ROOT "/examples/rows/smollm2.rows", NULL, NULL),
        SORTES_OK);
    n = engine_n_vocab(e);
    r = engine_recording(e);
    s.seed = (uint32_t)r->seed;
    chain = llama_chain_make(&s, n);
    data = calloc(n, sizeof(*data));
    logits = calloc(n, sizeof(*logits));
    assert_true(data && logits && r->n_tokens > 0);
    assert_int_equal(
        engine_decode(e, r->prompt_tokens, r->n_prompt_tokens, NULL),
        SORTES_OK);
    for (size_t i = 0; i < r->n_tokens; i++) {
        if (i > 0)
            assert_int_equal(engine_decode(e, &r->tokens[i - 1], 1, NULL),
                             SORTES_OK);
        recording_widen(e, logits, n);
        assert_int_equal(llama_chain_draw(&chain, data, logits, n),
                         r->tokens[i]);
        llama_chain_accept(&chain, &r->tokens[i], 1);
    }
    llama_chain_free(&chain);
    free(data);
    free(logits);
    engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recording_is_what_libllama_draws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
