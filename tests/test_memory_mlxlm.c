/*
 * test_memory_mlxlm.c - the allocator and the mlx-lm dialect: not called by
 * steps, and allowed to fail anywhere else
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/heap.h"
#include "support/mlxlm.h"
#include "support/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { N = 1500, ROWS = 4, STEPS = 300 };

static float logits[ROWS][N];

/* Every filter, processor, draw and list. */
static const char *const requests[] = {
    "{\"temp\":0.8,\"top_p\":0.95,\"min_p\":0.05,\"top_k\":40,\"seed\":1}",
    "{\"temp\":1.2,\"top_p\":0.9,\"seed\":2,\"repetition_penalty\":1.1,"
    "\"presence_penalty\":0.2,\"frequency_penalty\":0.1,"
    "\"logit_bias\":{\"3\":1,\"9\":-1}}",
    "{\"temp\":1,\"xtc_probability\":0.5,\"xtc_special_tokens\":[1,2],"
    "\"seed\":3,\"min_p\":0.01,\"min_tokens_to_keep\":3}",
    "{\"temp\":1,\"mlx_draw\":\"gumbel\",\"seed\":4}",
    "{\"presence_penalty\":1}",
};
enum { REQUESTS = sizeof(requests) / sizeof(requests[0]) };

static void need_the_heap(void)
{
    if (!heap_is_ours())
        skip();
    for (size_t i = 0; i < ROWS; i++)
        rows_fill(logits[i], N, (enum rows_kind)i, i);
}

static sortes_status step(sortes_sampler *s, size_t number)
{
    const sortes_row row = { logits[number % ROWS], N, SORTES_F32 };
    sortes_logprob top[5];
    sortes_draw draw;
    sortes_status status = sortes_sampler_sample(s, &row, &draw);

    if (status == SORTES_OK)
        status = sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                         draw.token, top, 5, NULL);
    if (status == SORTES_OK)
        status = sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED);
    return status;
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    need_the_heap();
    for (int i = 0; i < 2 * REQUESTS; i++) {
        sortes_sampler *s = mlxlm_sampler(requests[i / 2]);
        sortes_status status = SORTES_OK;

        sortes_sampler_use_reference(s, i % 2);
        assert_int_equal(step(s, 0), SORTES_OK);
        heap_arm(0, false);
        for (size_t n = 1; n < STEPS && status == SORTES_OK; n++)
            status = step(s, n);
        heap_disarm();
        assert_int_equal(status, SORTES_OK);
        if (heap.calls != 0)
            fail_msg("%s: %zu calls", requests[i / 2], heap.calls);
    }
}

/* From a request to a clone that has drawn; everything is freed again. */
static sortes_status whole_life(const char *request)
{
    sortes_sampler *s = NULL, *copy = NULL;
    const int32_t prompt[] = { 1, 2, 3 };
    sortes_params *p = NULL;
    sortes_status status = sortes_params_new(&p, "mlx-lm", NULL);

    if (status == SORTES_OK)
        status = requests_read(p, "mlx-lm", request, NULL);
    if (status == SORTES_OK)
        status = sortes_sampler_new(&s, p, NULL, NULL);
    if (status == SORTES_OK)
        status = sortes_sampler_accept(s, prompt, 3, SORTES_PROMPT);
    if (status == SORTES_OK)
        status = step(s, 1);
    if (status == SORTES_OK)
        status = sortes_sampler_clone(&copy, s);
    if (status == SORTES_OK)
        status = step(copy, 2);
    sortes_sampler_free(copy);
    sortes_sampler_free(s);
    sortes_params_free(p);
    sortes_thread_release();
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    need_the_heap();
    for (int i = 0; i < REQUESTS; i++) {
        size_t at = 1;
        sortes_status status;

        sortes_thread_release();
        do {
            const long before = heap.live;

            heap_arm(at++, i % 2);
            status = whole_life(requests[i]);
            heap_disarm();
            assert_int_equal(heap.live, before);
            assert_true(status == SORTES_E_NOMEM || status == SORTES_OK);
            if (heap.failed == 0)
                break;
            assert_int_equal(status, SORTES_E_NOMEM);
        } while (at < 1000);
        assert_int_equal(status, SORTES_OK);
        assert_true(at > 5);
    }
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(steps_do_not_allocate),
        WITH_TEARDOWN(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
