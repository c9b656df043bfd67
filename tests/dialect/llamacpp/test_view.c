/*
 * test_view.c - the view of a changed row against the changed array itself
 *
 * The literal array after logit_bias and penalties is what every answer of a
 * view is compared with, for every kernel set and row type.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/view.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONGEST = 2600 };

static float x[LONGEST];
static uint16_t narrow[LONGEST];
static float want[LONGEST]; /* the changed row */
static int32_t ids[LONGEST + 64];
static float values[LONGEST + 64];

/* A chain with biases and a history all over a row of n, some of them on the
 * largest logits of their blocks. */
static struct srt_llamacpp *changed_chain(struct rows_random *r, size_t n)
{
    char settings[2048] = "repeat_penalty=1.3 frequency_penalty=0.25 "
                          "repeat_last_n=200 logit_bias=";

    for (int i = 0; i < 6; i++) {
        static const char *const biases[] = { "+3",  "-2.5", "-inf",
                                              "+40", "-1e9", "+0" };
        (void)snprintf(settings + strlen(settings), 64, "%s%zu%s", i ? "," : "",
                       rows_below(r, n + 3), biases[rows_below(r, 6)]);
    }
    return stages_chain(settings);
}

static void remember(struct srt_llamacpp *chain, struct rows_random *r,
                     size_t n)
{
    const size_t n_tokens = rows_below(r, 150);

    for (size_t i = 0; i < n_tokens; i++) {
        int32_t token = (int32_t)rows_below(r, n);

        if (i % 3 == 0) /* the largest of its block */
            for (size_t j = (size_t)token / SRT_BLOCK * SRT_BLOCK;
                 j < n && j / SRT_BLOCK == (size_t)token / SRT_BLOCK; j++)
                if (x[j] > x[token])
                    token = (int32_t)j;
        assert_int_equal(srt_dialect_find("llama.cpp")
                             ->accept(chain, &token, 1, SORTES_PROMPT),
                         SORTES_OK);
    }
}

/* The literal stages up to the penalties, into want[]. */
static void change(struct srt_llamacpp *chain, const sortes_row *row)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_candidates c;
    struct srt_step step = { 0 };

    assert_non_null(s);
    c = (struct srt_candidates){ s->candidates, 0, -1, false, s->spare };
    assert_int_not_equal(srt_llamacpp_fill(&c, row), SORTES_E_NOT_FINITE);
    assert_int_equal(srt_stage_logit_bias.apply(chain, NULL, &c, &step),
                     SORTES_OK);
    assert_int_equal(srt_stage_penalties.apply(chain, NULL, &c, &step),
                     SORTES_OK);
    for (size_t i = 0; i < row->n; i++)
        want[i] = c.data[i].logit;
}

static void check_blocks(const struct srt_view *v)
{
    float block[SRT_BLOCK], max = -INFINITY;

    assert_int_equal(v->n_blocks, (v->row->n + SRT_BLOCK - 1) / SRT_BLOCK);
    for (size_t b = 0; b < v->n_blocks; b++) {
        const size_t start = b * SRT_BLOCK;
        const size_t n = srt_view_block(v, b, block);
        float block_max = -INFINITY;

        assert_int_equal(n, v->row->n - start < SRT_BLOCK ? v->row->n - start
                                                          : SRT_BLOCK);
        assert_memory_equal(block, want + start, n * sizeof(float));
        for (size_t i = 0; i < n; i++)
            block_max = block[i] > block_max ? block[i] : block_max;
        assert_true(v->block_max[b] == block_max);
        max = block_max > max ? block_max : max;
    }
    assert_true(v->max == max);
}

/* Segments lie end to end, whole blocks each but for the last. */
static void check_segments(const struct srt_view *v)
{
    struct srt_segment segment = { 0 };
    size_t end = 0;

    while (srt_view_next(v, &segment)) {
        float widened[SRT_BLOCK];

        assert_int_equal(segment.end, end + segment.n);
        assert_true(segment.n > 0);
        assert_true(segment.end == v->row->n || segment.end % SRT_BLOCK == 0);
        for (size_t i = 0; i < segment.n; i += SRT_BLOCK) {
            const size_t rest = segment.n - i;
            const size_t n = rest < SRT_BLOCK ? rest : SRT_BLOCK;
            const size_t size = segment.x == (const void *)segment.patched ||
                                        v->row->type == SORTES_F32
                                    ? sizeof(float)
                                    : sizeof(uint16_t);

            segment.kernels->widen((const char *)segment.x + i * size, n,
                                   widened);
            assert_memory_equal(widened, want + end + i, n * sizeof(float));
        }
        end = segment.end;
    }
    assert_int_equal(end, v->row->n);
}

static void check_gather(const struct srt_view *v, float floor)
{
    const size_t n = srt_view_gather(v, floor, ids, values);
    size_t n_want = 0;

    for (size_t i = 0; i < v->row->n; i++) {
        if (!(want[i] >= floor))
            continue;
        assert_true(n_want < n);
        assert_int_equal(ids[n_want], i);
        assert_memory_equal(&values[n_want], &want[i], sizeof(float));
        n_want++;
    }
    assert_int_equal(n, n_want);
    assert_int_equal(srt_view_count(v, floor), n_want);
    if (n_want > 0)
        assert_int_equal(srt_view_first(v, floor), ids[0]);
}

static bool something_is_left(size_t n)
{
    bool left = false;

    for (size_t i = 0; i < n; i++)
        left |= want[i] > -INFINITY;
    return left;
}

static void check_view(struct srt_llamacpp *chain, const sortes_row *row,
                       struct rows_random *r)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_view v;

    change(chain, row);
    if (!something_is_left(row->n)) {
        assert_int_equal(srt_view_open(&v, chain, row, s), SORTES_E_NO_TOKEN);
        return;
    }
    assert_int_equal(srt_view_open(&v, chain, row, s), SORTES_OK);
    check_blocks(&v);
    check_segments(&v);
    check_gather(&v, -INFINITY);
    check_gather(&v, -FLT_MAX);
    check_gather(&v, v.max);
    for (int i = 0; i < 3; i++) {
        const float floor = want[rows_below(r, row->n)];

        if (floor <= v.max)
            check_gather(&v, floor);
    }
}

static void view_equals_the_changed_array(void **state)
{
    static const size_t sizes[] = { 1,   2,   63,   64,   65,  128,
                                    129, 500, 1025, 2559, 2560 };
    struct rows_random r = { 77 };

    (void)state;
    for (int i = 0; i < 300; i++) {
        const size_t n = sizes[rows_below(&r, 11)];
        const struct srt_kernels *kernels;
        struct srt_llamacpp *chain;
        sortes_row row;

        rows_fill(x, n, (enum rows_kind)(i % ROWS_N_KINDS), (uint64_t)i);
        row = rows_as(x, narrow, n, (sortes_dtype)(i / ROWS_N_KINDS % 3));
        chain = changed_chain(&r, n);
        remember(chain, &r, n);
        for (size_t k = 0; (kernels = srt_kernels_at(k)) != NULL; k++) {
            chain->kernels = kernels;
            check_view(chain, &row, &r);
        }
        (void)stages_teardown(NULL);
    }
}

static void view_without_changes_is_the_row(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    const sortes_row row = { x, 700, SORTES_F32 };
    struct srt_segment segment = { 0 };
    struct srt_view v;

    (void)state;
    rows_fill(x, 700, ROWS_ORDINARY, 1);
    assert_int_equal(srt_view_open(&v, chain, &row, srt_scratch_get(700)),
                     SORTES_OK);
    assert_int_equal(v.n_overrides, 0);
    assert_true(srt_view_next(&v, &segment));
    assert_ptr_equal(segment.x, x);
    assert_int_equal(segment.n, 700);
    assert_false(srt_view_next(&v, &segment));
}

/* No format lets one pass; the stage and the view pass it over all the same.
 */
static void view_passes_over_biases_of_negative_ids(void **state)
{
    struct srt_llamacpp *chain = stages_chain("logit_bias=0+1,1+2");
    const sortes_row row = { x, 3, SORTES_F32 };
    struct srt_view v;

    (void)state;
    rows_fill(x, 3, ROWS_EQUAL, 0);
    chain->biases[0].token = -1;
    change(chain, &row);
    assert_int_equal(srt_view_open(&v, chain, &row, srt_scratch_get(3)),
                     SORTES_OK);
    check_blocks(&v);
    assert_true(v.max == 3.5f);
}

static sortes_status open_with(const char *settings, const float *logits,
                               size_t n)
{
    struct srt_view v;

    return srt_view_open(&v, stages_chain(settings),
                         &(sortes_row){ logits, n, SORTES_F32 },
                         srt_scratch_get(n));
}

static void view_refuses_what_the_stages_refuse(void **state)
{
    (void)state;
    assert_int_equal(open_with("", ROW(0, NAN)), SORTES_E_NOT_FINITE);
    assert_int_equal(open_with("", ROW(INFINITY)), SORTES_E_NOT_FINITE);
    assert_int_equal(open_with("", ROW(-INFINITY, -INFINITY)),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(open_with("logit_bias=1+3e38", ROW(0, 3e38f)),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(open_with("logit_bias=0-inf,1-inf", ROW(0, 1)),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(open_with("logit_bias=0-inf,2-inf", ROW(0, 1)), SORTES_OK);
    /* Infinite on the way, though -inf at the end: the stage stops there. */
    assert_int_equal(open_with("logit_bias=0+3e38,0-inf", ROW(3e38f, 1)),
                     SORTES_E_NOT_FINITE);
}

static void view_refuses_penalties_that_make_infinity(void **state)
{
    struct srt_llamacpp *chain = stages_chain("presence_penalty=-3e38");
    const float logits[] = { 0, 3e38f };
    const sortes_row row = { logits, 2, SORTES_F32 };
    const int32_t token = 1;
    struct srt_view v;

    (void)state;
    assert_int_equal(
        srt_dialect_find("llama.cpp")->accept(chain, &token, 1, SORTES_PROMPT),
        SORTES_OK);
    assert_int_equal(srt_view_open(&v, chain, &row, srt_scratch_get(2)),
                     SORTES_E_NOT_FINITE);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(view_equals_the_changed_array),
        CASE(view_without_changes_is_the_row),
        CASE(view_passes_over_biases_of_negative_ids),
        CASE(view_refuses_what_the_stages_refuse),
        CASE(view_refuses_penalties_that_make_infinity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
