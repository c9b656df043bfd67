/*
 * test_trace.c - positions that clones share and take back
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/trace.h"

#include <string.h>

static struct srt_trace_entry step(int32_t token)
{
    struct srt_trace_entry e = { .token = token };

    e.place.state = (uint32_t)token + 1000;
    return e;
}

static void add(struct srt_trace *t, int32_t token)
{
    const struct srt_trace_entry e = step(token);

    assert_int_equal(srt_trace_add(t, &e), SORTES_OK);
}

struct seen {
    int32_t token[512];
    size_t n;
};

static sortes_status look(void *ctx, const struct srt_trace_entry *e)
{
    struct seen *s = ctx;

    s->token[s->n++] = e->token;
    return SORTES_OK;
}

static void check(const struct srt_trace *t, const int32_t *tokens, size_t n)
{
    struct seen s = { .n = 0 };

    assert_int_equal(t->n, n);
    assert_int_equal(srt_trace_each(t, look, &s), SORTES_OK);
    assert_int_equal(s.n, n);
    if (n > 0) {
        assert_memory_equal(s.token, tokens, n * sizeof(*tokens));
        assert_int_equal(srt_trace_last(t)->state, tokens[n - 1] + 1000);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Four traces that add, take back and become copies of one another, beside
 * plain arrays that do the same. */
static void traces_are_as_good_as_arrays(void **state)
{
    struct srt_trace trace[4];
    struct seen model[4];
    uint32_t seed = 7;

    (void)state;
    memset(trace, 0, sizeof(trace));
    memset(model, 0, sizeof(model));
    for (int32_t i = 0; i < 20000; i++) {
        const uint32_t at = next_random(&seed) % 4;
        const uint32_t other = (at + 1 + next_random(&seed) % 3) % 4;
        const uint32_t what = next_random(&seed) % 10;

        if (what < 7 && model[at].n < 500) {
            add(&trace[at], i);
            model[at].token[model[at].n++] = i;
        } else if (what < 9) {
            const size_t n =
                model[at].n ? next_random(&seed) % (model[at].n / 2 + 1) : 0;

            srt_trace_back(&trace[at], n);
            model[at].n -= n;
        } else {
            srt_trace_clear(&trace[other]);
            srt_trace_share(&trace[other], &trace[at]);
            model[other] = model[at];
        }
        if (i % 50 == 0)
            for (int k = 0; k < 4; k++)
                check(&trace[k], model[k].token, model[k].n);
    }
    for (int k = 0; k < 4; k++)
        srt_trace_clear(&trace[k]);
}

/* What an entry holds is let go exactly once, whoever shared it. */
static int n_dropped;

static void drop_trail(struct srt_shared *shared)
{
    (void)shared;
    n_dropped++;
}

static void an_entry_lets_go_once(void **state)
{
    struct srt_trace a = { 0 }, b;
    struct srt_trail trail;
    struct srt_trace_entry e = step(1);

    (void)state;
    n_dropped = 0;
    srt_shared_init(&trail.shared, drop_trail);
    e.place.trail = &trail;
    assert_int_equal(srt_trace_add(&a, &e), SORTES_OK);
    srt_trace_share(&b, &a);
    srt_trace_back(&a, 1);
    add(&a, 2); /* not into the block that b has */
    assert_int_equal(n_dropped, 0);
    srt_trace_clear(&b);
    assert_int_equal(n_dropped, 0);
    srt_trace_clear(&a);
    assert_int_equal(n_dropped, 1);
}

static void a_step_taken_back_is_let_go_when_another_comes(void **state)
{
    struct srt_trace a = { 0 };
    struct srt_trail trail;
    struct srt_trace_entry e = step(1);

    (void)state;
    n_dropped = 0;
    srt_shared_init(&trail.shared, drop_trail);
    e.place.trail = &trail;
    assert_int_equal(srt_trace_add(&a, &e), SORTES_OK);
    srt_trace_back(&a, 1);
    add(&a, 2);
    assert_int_equal(n_dropped, 1);
    check(&a, (const int32_t[]){ 2 }, 1);
    srt_trace_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_as_good_as_arrays),
        cmocka_unit_test(an_entry_lets_go_once),
        cmocka_unit_test(a_step_taken_back_is_let_go_when_another_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
