/*
 * test_memory_rmlx.c - rmlx: steps allocate nothing, and no failed allocation
 * leaves anything behind
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/dialects.h"
#include "support/heap.h"
#include "support/rows.h"
#include "support/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { MEMORY_ROW = 900, MEMORY_STEPS = 300 };

static float memory_x[2][MEMORY_ROW];
static const sortes_row memory_rows[2] = {
    { memory_x[0], MEMORY_ROW, SORTES_F32 },
    { memory_x[1], MEMORY_ROW, SORTES_F32 }
};

static const char *const memory_settings[] = {
    "temperature=0",
    "temperature=0 repetition_penalty=1.2 logit_bias=3+1,4-inf",
    "temperature=1",
    "temperature=0.8 top_k=40 frequency_penalty=0.2",
    "temperature=0.8 top_p=0.9 min_p=0.01",
};

static void look_away(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    (void)view;
}

/* Everything that a step may ask, once. */
static bool one_step(sortes_sampler *s, size_t i)
{
    static float p[MEMORY_ROW];
    const sortes_row *row = &memory_rows[i % 2];
    sortes_probability likely[5];
    sortes_logprob top[5];
    sortes_draw draw, out[2];
    float logprob;
    size_t n;
    bool ok = sortes_sampler_distribution(s, row, p) == SORTES_OK;

    ok &= sortes_sampler_kept(s, row, NULL, NULL, 0, &n) == SORTES_OK;
    ok &=
        sortes_sampler_probabilities(s, row, likely, 5, &n, NULL) == SORTES_OK;
    ok &= sortes_sampler_explain(s, row, look_away, NULL) == SORTES_OK;
    ok &= sortes_sampler_logprobs(s, row, SORTES_LOGPROBS_PROCESSED, 1, top, 5,
                                  &logprob) == SORTES_OK;
    ok &= sortes_sampler_sample(s, row, &draw) == SORTES_OK;
    ok &=
        sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED) == SORTES_OK;
    ok &= sortes_sampler_verify(s, memory_rows, NULL, &draw.token, 1, out,
                                &n) == SORTES_OK;
    ok &= sortes_sampler_rollback(s, 1) == SORTES_OK;
    return ok;
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    if (!heap_is_ours())
        skip();
    for (size_t i = 0; i < 2; i++)
        rows_fill(memory_x[i], MEMORY_ROW, ROWS_ORDINARY, i);
    for (size_t i = 0; i < sizeof(memory_settings) / sizeof(char *); i++) {
        sortes_sampler *s = dialects_sampler("rmlx", NULL, memory_settings[i]);
        bool ok = one_step(s, 0);

        heap_arm(0, false);
        for (size_t j = 1; j < MEMORY_STEPS; j++)
            ok &= one_step(s, j);
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
        heap_disarm();
        assert_true(ok);
        assert_int_equal(heap.calls, 0);
        sortes_sampler_free(s);
    }
}

/* ---- every allocation fails once ----------------------------------------- */

static sortes_params *memory_params;
static sortes_sampler *memory_sampler;

static sortes_status make_sampler(void)
{
    sortes_sampler *s;
    const sortes_status status =
        sortes_sampler_new(&s, memory_params, stages_words(), NULL);

    sortes_sampler_free(s);
    return status;
}

static sortes_status clone_sampler(void)
{
    sortes_sampler *s;
    const sortes_status status = sortes_sampler_clone(&s, memory_sampler);

    sortes_sampler_free(s);
    return status;
}

static sortes_status read_request(void)
{
    static const char text[] =
        "{\"logit_bias\":{\"1\":1,\"2\":2,\"3\":3},\"top_k\":9,"
        "\"thinking_start_token\":\"<a>\",\"thinking_end_token\":\"</a>\"}";

    return sortes_params_read(memory_params, "rmlx", text, sizeof(text) - 1,
                              NULL);
}

static sortes_status make_splitter(void)
{
    const sortes_think_desc desc = { sizeof(desc), NULL, NULL, 3, 0 };
    sortes_think *t;
    const sortes_status status = sortes_think_new(&t, &desc, NULL);

    sortes_think_free(t);
    return status;
}

static sortes_status read_tokens(void)
{
    static const char text[] = "{\"eos_token_id\":[1,2],\"bos_token_id\":3}";
    sortes_model_tokens t = { sizeof(t), -1, -1, 0, { 0 } };

    return sortes_model_tokens_read(&t, text, sizeof(text) - 1, NULL);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    static const struct {
        const char *name;
        sortes_status (*call)(void);
    } calls[] = { { "sampler", make_sampler },
                  { "clone", clone_sampler },
                  { "splitter", make_splitter },
                  { "tokens", read_tokens },
                  { "request", read_request } };

    (void)state;
    if (!heap_is_ours())
        skip();
    memory_params =
        dialects_params("rmlx", "logit_bias=1+1,2+2,3-3 thinking_budget=4");
    memory_sampler = dialects_sampler("rmlx", stages_words(),
                                      "logit_bias=1+1,2+2 thinking_budget=4");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        sortes_status status = SORTES_E_NOMEM;
        size_t failed = 0;

        (void)calls[i].call(); /* what is kept for later is made here */
        for (size_t at = 1; at < 200 && status != SORTES_OK; at++) {
            const long live = heap.live;

            heap_arm(at, false);
            status = calls[i].call();
            heap_disarm();
            if (status == SORTES_OK)
                break;
            failed++;
            if (status != SORTES_E_NOMEM || heap.live != live)
                fail_msg("%s: allocation %zu: %s, %ld blocks left",
                         calls[i].name, at, sortes_status_name(status),
                         heap.live - live);
        }
        assert_int_equal(status, SORTES_OK);
        assert_true(failed > 0);
    }
    sortes_params_free(memory_params);
    sortes_sampler_free(memory_sampler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test_teardown(
            failed_allocations_are_reported_and_leak_nothing, stages_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
