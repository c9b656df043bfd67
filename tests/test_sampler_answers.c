/*
 * test_sampler_answers.c - what a sampler says of a step, beside plain
 * computations of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include "compiler.h"
#include "numeric/numeric.h"
#include "random/mt19937.h"
#include "support/rows.h"
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LONG = 3000 };

static float logits[LONG];

static sortes_row row_of(enum rows_kind kind, size_t n, uint64_t seed)
{
    const sortes_row row = { logits, n, SORTES_F32 };

    rows_fill(logits, n, kind, seed);
    return row;
}

/* What explain() showed last, and a little of what came before. */
struct seen {
    size_t n_views, n;
    char first[32], last[32];
    int32_t token[LONG];
    float logit[LONG], p[LONG];
    int64_t selected;
    bool grew, order_wrong;
};

static void see(void *ctx, const sortes_stage_view *view)
{
    struct seen *const s = ctx;

    if (s->n_views++ == 0)
        strcpy(s->first, view->stage);
    else
        s->grew |= view->n > s->n;
    strcpy(s->last, view->stage);
    s->n = view->n;
    s->selected = view->selected;
    memcpy(s->token, view->token, view->n * sizeof(*s->token));
    memcpy(s->logit, view->logit, view->n * sizeof(*s->logit));
    memcpy(s->p, view->p, view->n * sizeof(*s->p));
    for (size_t i = 1; view->sorted && i < view->n; i++)
        s->order_wrong |= view->logit[i] > view->logit[i - 1];
}

static const struct seen *explained(sortes_sampler *s, const sortes_row *row)
{
    static struct seen seen;

    seen = (struct seen){ 0 };
    assert_int_equal(sortes_sampler_explain(s, row, see, &seen), SORTES_OK);
    assert_true(seen.n_views > 0);
    return &seen;
}

/* Calls check for every shape on rows of every kind; the sampler goes on. */
static void for_all(void (*check)(sortes_sampler *s, size_t shape,
                                  const sortes_row *row))
{
    static const size_t sizes[] = { 1, 3, 200, LONG };

    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 60 + shape);

        for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
            for (size_t i = 0; i < SRT_COUNT(sizes); i++) {
                const sortes_row row =
                    row_of((enum rows_kind)kind, sizes[i], 3 + i);

                if (kind == ROWS_FORBIDDEN && sizes[i] < 200)
                    continue; /* nothing may be left of it */
                check(s, shape, &row);
            }
        }
        sortes_sampler_free(s);
    }
}

static sortes_draw drawn(sortes_sampler *s, const sortes_row *row)
{
    sortes_draw draw;

    assert_int_equal(sortes_sampler_sample(s, row, &draw), SORTES_OK);
    assert_int_equal(sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
                     SORTES_OK);
    return draw;
}

/* ---- distribution -------------------------------------------------------- */

static void check_sum(sortes_sampler *s, size_t shape, const sortes_row *row)
{
    static float p[LONG];
    double sum = 0.0;

    (void)shape;
    assert_int_equal(sortes_sampler_distribution(s, row, p), SORTES_OK);
    for (size_t i = 0; i < row->n; i++) {
        assert_true(p[i] >= 0.0f && p[i] <= 1.0f);
        sum += (double)p[i];
    }
    assert_true(fabs(sum - 1.0) < 1e-5);
    (void)drawn(s, row);
}

static void distribution_sums_to_one(void **state)
{
    (void)state;
    for_all(check_sum);
}

static void check_against_explain(sortes_sampler *s, size_t shape,
                                  const sortes_row *row)
{
    static float p[LONG];
    static bool kept[LONG];
    const struct seen *const seen = explained(s, row);

    assert_int_equal(sortes_sampler_distribution(s, row, p), SORTES_OK);
    memset(kept, 0, sizeof(kept));
    for (size_t i = 0; i < seen->n; i++) {
        const size_t token = (size_t)seen->token[i];

        assert_true(token < row->n && !kept[token]);
        kept[token] = true;
        if (shape_draws(shape))
            assert_true(p[token] == seen->p[i]);
        else
            assert_true(p[token] ==
                        ((int64_t)i == seen->selected ? 1.0f : 0.0f));
    }
    for (size_t i = 0; i < row->n; i++)
        assert_true(kept[i] || p[i] == 0.0f);
    (void)drawn(s, row);
}

static void distribution_agrees_with_explain(void **state)
{
    (void)state;
    for_all(check_against_explain);
}

static void check_it_moves_nothing(sortes_sampler *s, size_t shape,
                                   const sortes_row *row)
{
    static float p[LONG], again[LONG];
    sortes_sampler *const untouched = shape_clone(s);
    sortes_draw a, b;
    float logprob;

    (void)shape;
    assert_int_equal(sortes_sampler_distribution(s, row, p), SORTES_OK);
    (void)explained(s, row);
    assert_int_equal(sortes_sampler_logprobs(s, row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &logprob),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_distribution(s, row, again), SORTES_OK);
    assert_memory_equal(p, again, row->n * sizeof(*p));
    a = drawn(s, row);
    b = drawn(untouched, row);
    assert_memory_equal(&a, &b, sizeof(a));
    sortes_sampler_free(untouched);
}

static void looking_moves_nothing(void **state)
{
    (void)state;
    for_all(check_it_moves_nothing);
}

/* 20,000 draws from one row: no token's share strays by five deviations. */
static void draws_follow_the_distribution(void **state)
{
    enum { TOKENS = 40, DRAWS = 20000 };

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 4);
        const sortes_row row = row_of(ROWS_STEPS, TOKENS, 2);
        int count[TOKENS] = { 0 };
        float p[TOKENS];

        assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
        for (int i = 0; i < DRAWS; i++) {
            sortes_draw draw;

            assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
            count[draw.token]++;
        }
        for (size_t i = 0; i < TOKENS; i++) {
            const double want = DRAWS * (double)p[i];
            const double deviation = sqrt(want * (1.0 - (double)p[i]));

            assert_true(fabs(count[i] - want) <= 5.0 * deviation + 1.0);
            assert_true(p[i] > 0.0f || count[i] == 0);
        }
        sortes_sampler_free(s);
    }
}

/* ---- explain ------------------------------------------------------------- */

static void check_selected(sortes_sampler *s, size_t shape,
                           const sortes_row *row)
{
    const struct seen *const seen = explained(s, row);
    const char *const last = shape_draws(shape) ? "dist" : "greedy";

    assert_string_equal(seen->last, last);
    assert_true(seen->selected >= 0 && (size_t)seen->selected < seen->n);
    assert_int_equal(seen->token[seen->selected], drawn(s, row).token);
}

static void explain_ends_with_the_token_that_sample_draws(void **state)
{
    (void)state;
    for_all(check_selected);
}

static void check_views(sortes_sampler *s, size_t shape, const sortes_row *row)
{
    const struct seen *const seen = explained(s, row);

    (void)shape;
    assert_string_equal(seen->first, "logits");
    assert_false(seen->grew);
    assert_false(seen->order_wrong);
    (void)drawn(s, row);
}

static void explain_shows_shrinking_lists_sorted_where_it_says_so(void **state)
{
    (void)state;
    for_all(check_views);
}

/* ---- draws --------------------------------------------------------------- */

/* dist's weights and sums from the list that it was given, one by one. */
struct plain_draw {
    double before, after, sum;
    uint64_t n_weights;
};

static struct plain_draw weigh(const struct seen *seen)
{
    struct plain_draw d = { 0 };
    float max = -INFINITY;

    for (size_t i = 0; i < seen->n; i++)
        max = seen->logit[i] > max ? seen->logit[i] : max;
    for (size_t i = 0; i < seen->n; i++) {
        const float weight = srt_expf(seen->logit[i] - max);

        if ((int64_t)i == seen->selected)
            d.before = d.sum;
        d.sum += (double)weight;
        if ((int64_t)i == seen->selected)
            d.after = d.sum;
        d.n_weights += weight > 0.0f;
    }
    return d;
}

/* The sampler's next random number, after n_draws of two words each. */
static double random_number(const sortes_sampler *s, uint64_t n_draws)
{
    struct srt_mt19937 g;
    uint64_t position = 2 * n_draws;

    srt_mt19937_seed(&g, (uint32_t)sortes_sampler_seed(s));
    return srt_mt19937_double(&g, &position);
}

static void check_margin(const sortes_draw *draw, const struct plain_draw *d,
                         double u)
{
    const double target = d->sum * u;
    double margin = 1.0;

    assert_true(target <= d->after && (target > d->before || d->before == 0.0));
    if (d->before > 0.0) /* somebody stands before it */
        margin = (target - d->before) / d->sum;
    if (d->after < d->sum && (d->after - target) / d->sum < margin)
        margin = (d->after - target) / d->sum;
    assert_true(draw->margin >= 0.0 && draw->margin <= 1.0);
    assert_true(fabs(draw->margin - margin) < 1e-12);
}

static void check_draw(sortes_sampler *s, size_t shape, const sortes_row *row,
                       uint64_t n_draws)
{
    const struct seen *const seen = explained(s, row);
    const struct plain_draw plain = weigh(seen);
    const sortes_draw draw = drawn(s, row);

    if (!shape_draws(shape)) {
        assert_int_equal(draw.n_candidates, 1);
        assert_true(draw.margin == 1.0);
        return;
    }
    assert_int_equal(draw.n_candidates, plain.n_weights);
    check_margin(&draw, &plain, random_number(s, n_draws));
}

static void draw_reports_margin_and_candidates(void **state)
{
    (void)state;
    for (int reference = 0; reference < 2; reference++) {
        for (size_t shape = 0; shape < SHAPES_N; shape++) {
            sortes_sampler *const s = shape_sampler(shape, 90 + shape);
            uint64_t n_draws = 0;

            sortes_sampler_use_reference(s, reference);
            for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
                for (size_t n = 1; n < LONG; n = n * 7 + 1) {
                    const sortes_row row = row_of((enum rows_kind)kind, n, n);

                    if (kind != ROWS_FORBIDDEN || n > 100)
                        check_draw(s, shape, &row, n_draws++);
                }
            }
            sortes_sampler_free(s);
        }
    }
}

static void check_candidates(sortes_sampler *s, size_t shape,
                             const sortes_row *row)
{
    static float p[LONG];
    uint64_t n = 0, least_known = 0;
    sortes_draw draw;

    (void)shape;
    assert_int_equal(sortes_sampler_distribution(s, row, p), SORTES_OK);
    draw = drawn(s, row);
    for (size_t i = 0; i < row->n; i++) {
        n += p[i] > 0.0f;
        least_known += p[i] > FLT_MIN;
    }
    /* a weight above 0 can vanish when it is divided by the sum */
    assert_true(draw.n_candidates >= n);
    if (least_known == n)
        assert_int_equal(draw.n_candidates, n);
    assert_true(p[draw.token] > 0.0f);
}

static void candidates_are_the_tokens_with_a_probability(void **state)
{
    (void)state;
    for_all(check_candidates);
}

/* ---- logprobs ------------------------------------------------------------ */

static double log_of_sum(const sortes_row *row)
{
    const float *const x = row->data;
    double max = -HUGE_VAL, sum = 0.0;

    for (size_t i = 0; i < row->n; i++)
        max = (double)x[i] > max ? (double)x[i] : max;
    for (size_t i = 0; i < row->n; i++)
        sum += exp((double)x[i] - max);
    return max + log(sum);
}

/* Beside a log-softmax in double; where a float probability is subnormal or
 * 0, its logarithm is not meant to be close. */
static void check_logprob(const sortes_row *row, int32_t token, float got)
{
    const double want =
        (double)((const float *)row->data)[token] - log_of_sum(row);

    if (want > -87.0)
        assert_true(fabs((double)got - want) < 1e-5 * (1.0 + fabs(want)));
    else
        assert_true(got < -86.0f);
}

/* The best k, best first, without repetition. */
static void check_top(const sortes_row *row, const sortes_logprob *top,
                      size_t k)
{
    const float *const x = row->data;
    float least = INFINITY;
    size_t better = 0;

    for (size_t i = 0; i < k; i++) {
        assert_true(x[top[i].token] <= least);
        least = x[top[i].token];
        check_logprob(row, top[i].token, top[i].logprob);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(top[j].token, top[i].token);
    }
    for (size_t i = 0; i < row->n; i++)
        better += x[i] > least;
    assert_true(k == 0 || better < k);
}

static void logprobs_are_a_log_softmax(void **state)
{
    static sortes_logprob top[LONG];
    sortes_sampler *const s = shape_sampler(16, 1);

    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t n = 1; n < 1200; n = n * 5 + 2) {
            const sortes_row row = row_of((enum rows_kind)kind, n, n);
            const size_t ks[] = { 0, 1, 5, n / 2, n };

            if (kind == ROWS_FORBIDDEN && n < 100)
                continue;
            for (size_t i = 0; i < SRT_COUNT(ks); i++) {
                const size_t k = ks[i] < n ? ks[i] : n;
                const int32_t token = (int32_t)((n * 31 + i) % n);
                float logprob;

                assert_int_equal(
                    sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, token,
                                            top, k, &logprob),
                    SORTES_OK);
                check_logprob(&row, token, logprob);
                check_top(&row, top, k);
            }
        }
    }
    sortes_sampler_free(s);
}

static void logprobs_write_no_more_than_the_row_has(void **state)
{
    sortes_sampler *const s = shape_sampler(0, 1);
    const sortes_row row = row_of(ROWS_ORDINARY, 7, 1);
    sortes_logprob top[12];

    (void)state;
    memset(top, 0x5a, sizeof(top));
    assert_int_equal(
        sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0, top, 12, NULL),
        SORTES_OK);
    check_top(&row, top, 7);
    for (size_t i = 7; i < 12; i++)
        assert_int_equal(top[i].token, 0x5a5a5a5a);
    sortes_sampler_free(s);
}

static void logprobs_take_nothing_from_the_chain(void **state)
{
    const sortes_row row = row_of(ROWS_ORDINARY, 50, 1);
    sortes_logprob first[50], top[50];

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 1);
        const int32_t tokens[] = { 1, 2, 3 };

        assert_int_equal(sortes_sampler_accept(s, tokens, 3, SORTES_PROMPT),
                         SORTES_OK);
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 0, top, 50, NULL),
                         SORTES_OK);
        if (shape == 0)
            memcpy(first, top, sizeof(first));
        assert_memory_equal(first, top, sizeof(first));
        sortes_sampler_free(s);
    }
}

static void logprob_of_a_forbidden_token_is_the_lowest_float(void **state)
{
    const float x[] = { 1.0f, -INFINITY, 0.0f };
    const sortes_row row = { x, 3, SORTES_F32 };
    sortes_sampler *const s = shape_sampler(0, 1);
    float logprob;

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 1,
                                             NULL, 0, &logprob),
                     SORTES_OK);
    assert_true(logprob == -FLT_MAX);
    sortes_sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distribution_sums_to_one),
        cmocka_unit_test(distribution_agrees_with_explain),
        cmocka_unit_test(looking_moves_nothing),
        cmocka_unit_test(draws_follow_the_distribution),
        cmocka_unit_test(explain_ends_with_the_token_that_sample_draws),
        cmocka_unit_test(explain_shows_shrinking_lists_sorted_where_it_says_so),
        cmocka_unit_test(draw_reports_margin_and_candidates),
        cmocka_unit_test(candidates_are_the_tokens_with_a_probability),
        cmocka_unit_test(logprobs_are_a_log_softmax),
        cmocka_unit_test(logprobs_write_no_more_than_the_row_has),
        cmocka_unit_test(logprobs_take_nothing_from_the_chain),
        cmocka_unit_test(logprob_of_a_forbidden_token_is_the_lowest_float),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
