/*
 * test_plan_runs.c - that the plans run, and where the literal stages do
 *
 * A plan that gave way to the stages would be right, and slow, and no
 * comparison would see it.  Here a step runs on a set of kernels that counts:
 * the literal stages call none of them, and they alone write an array of the
 * whole row.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "scratch.h"
#include "support/rows.h"
#include "support/stages.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { N = 5000 };

/* ---- kernels that count -------------------------------------------------- */

enum {
    BLOCK_MAX,
    GATHER,
    COUNT,
    WIDEN,
    SOFTMAX_SUM,
    SQUARE_SUM,
    DRAW_SUM,
    EXP,
    DIVIDE,
    SORT_FEW,
    REACH,
    N_KERNELS
};

static const char *const names[N_KERNELS] = {
    "block_max", "gather", "count",  "widen",    "softmax_sum", "square_sum",
    "draw_sum",  "exp",    "divide", "sort_few", "reach"
};

static size_t calls[N_KERNELS];

static const struct srt_kernels *plain(void)
{
    return srt_kernels_at(0);
}

static const struct srt_row_kernels *plain_row(void)
{
    return &plain()->row[SORTES_F32];
}

static bool count_block_max(const void *x, size_t n, float *out)
{
    calls[BLOCK_MAX]++;
    return plain_row()->block_max(x, n, out);
}

static size_t count_gather(const void *x, size_t n, const float *block_max,
                           float floor, int32_t *id, float *value)
{
    calls[GATHER]++;
    return plain_row()->gather(x, n, block_max, floor, id, value);
}

static size_t count_count(const void *x, size_t n, float floor)
{
    calls[COUNT]++;
    return plain_row()->count(x, n, floor);
}

static void count_widen(const void *x, size_t n, float *out)
{
    calls[WIDEN]++;
    plain_row()->widen(x, n, out);
}

static void count_softmax_sum(struct srt_softmax_sum *s, const void *x,
                              size_t n)
{
    calls[SOFTMAX_SUM]++;
    plain_row()->softmax_sum(s, x, n);
}

static void count_square_sum(const void *x, size_t n, float mean, float *sum)
{
    calls[SQUARE_SUM]++;
    plain_row()->square_sum(x, n, mean, sum);
}

static void count_draw_sum(struct srt_draw_sum *s, const void *x, size_t n)
{
    calls[DRAW_SUM]++;
    plain_row()->draw_sum(s, x, n);
}

static void count_exp(const float *x, float *out, size_t n, float max)
{
    calls[EXP]++;
    plain()->exp(x, out, n, max);
}

static void count_divide(float *p, size_t n, float by)
{
    calls[DIVIDE]++;
    plain()->divide(p, n, by);
}

static void count_sort_few(float *x, float *out, size_t n)
{
    calls[SORT_FEW]++;
    plain()->sort_few(x, out, n);
}

static size_t count_reach(const float *p, size_t n, float *run, float target)
{
    calls[REACH]++;
    return plain()->reach(p, n, run, target);
}

/* Rows in these tests are floats. */
static const struct srt_kernels counting = {
    .name = "counting",
    .row[SORTES_F32] = { .block_max = count_block_max,
                         .gather = count_gather,
                         .count = count_count,
                         .widen = count_widen,
                         .softmax_sum = count_softmax_sum,
                         .square_sum = count_square_sum,
                         .draw_sum = count_draw_sum },
    .exp = count_exp,
    .divide = count_divide,
    .sort_few = count_sort_few,
    .reach = count_reach,
};

/* The kernels that were called, by name. */
static const char *called(void)
{
    static char text[256];

    text[0] = '\0';
    for (size_t i = 0; i < N_KERNELS; i++)
        if (calls[i] > 0)
            strcat(strcat(text, text[0] ? " " : ""), names[i]);
    return text;
}

/* ---- one step ------------------------------------------------------------ */

/* Draws once; true if the literal stages had the whole row before them. */
static bool step(const char *settings, size_t n, bool reference)
{
    static float x[N];
    struct srt_llamacpp *chain = stages_chain(settings);
    struct srt_scratch *s = srt_scratch_get(N);
    sortes_draw draw;

    assert_non_null(s);
    rows_fill(x, n, ROWS_ORDINARY, 5);
    s->candidates[n - 1].id = -7;
    memset(calls, 0, sizeof(calls));
    srt_dialect_find("llama.cpp")->use_kernels(chain, &counting);
    srt_dialect_find("llama.cpp")->use_reference(chain, reference);
    assert_int_equal(stages_chain_draw(chain, x, n, &draw), SORTES_OK);
    return s->candidates[n - 1].id != -7;
}

struct expected {
    const char *settings, *kernels;
};

static void check(const struct expected *e, size_t n, bool stages)
{
    const bool ran = step(e->settings, n, false);

    if (ran != stages)
        fail_msg("%s: the literal stages %s", e->settings,
                 ran ? "ran" : "did not run");
    if (strcmp(called(), e->kernels) != 0)
        fail_msg("%s: called %s, not %s", e->settings, called(), e->kernels);
}

static const struct expected planned[] = {
    { "greedy=true", "block_max widen" },
    { "temperature=0", "block_max widen" },
    /* short */
    { "top_k=1 temperature=0.8", "block_max gather count draw_sum sort_few" },
    { "top_k=40 top_p=0.95 min_p=0.05 temperature=0.8",
      "block_max gather count draw_sum exp divide sort_few reach" },
    { "top_k=40 temperature=0.8 logit_bias=3+1,70-inf",
      "block_max gather count draw_sum sort_few" },
    { "top_k=40 repeat_penalty=1.1 presence_penalty=0.5",
      "block_max gather count draw_sum sort_few" },
    { "top_k=40 xtc_probability=0.5",
      "block_max gather count draw_sum exp divide sort_few reach" },
    { "top_k=40 top_n_sigma=1",
      "block_max gather count widen square_sum draw_sum sort_few" },
    /* long */
    { "top_k=200 top_p=0.9 temperature=0.7",
      "block_max gather draw_sum exp divide reach" },
    { "top_k=1000 top_p=0.9 temperature=0.7",
      "block_max gather draw_sum exp divide reach" },
    /* nucleus, of 256 and of all */
    { "top_p=0.95 min_p=0.05 temperature=0.8",
      "block_max gather softmax_sum draw_sum exp divide reach" },
    { "top_p=0.9999",
      "block_max gather softmax_sum draw_sum exp divide reach" },
    /* whole */
    { "temperature=0.8", "block_max widen draw_sum" },
    { "min_p=0.05 temperature=0.8", "block_max gather draw_sum" },
    { "xtc_probability=1", "block_max gather draw_sum exp divide reach" },
    { "top_n_sigma=1 temperature=0.8",
      "block_max gather widen square_sum draw_sum" },
    { "mirostat=2 temperature=0.8",
      "block_max gather count widen exp divide reach" },
    /* what top-k leaves, and the stages on those */
    { "top_k=40 typical_p=0.9", "block_max widen" },
    { "top_k=40 dynatemp_range=0.5", "block_max widen" },
    { "top_k=1000 typical_p=0.9", "block_max gather" },
};

static void plans_run_where_they_are_meant_to(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(planned); i++)
        check(&planned[i], N, false);
}

/* Its keys take the place of the stages' array, so the kernels alone tell. */
static void plan_of_typical_runs(void **state)
{
    (void)state;
    (void)step("typical_p=0.9 temperature=0.8", N, false);
    assert_string_equal(called(),
                        "block_max gather count draw_sum exp divide reach");
}

static void stages_run_where_there_is_no_plan(void **state)
{
    static const struct expected rows[] = {
        { "mirostat=1 temperature=0.8", "" },
        { "dynatemp_range=0.5", "" },
        { "typical_p=0.9 top_p=0.9", "" },
        { "top_k=1000 top_n_sigma=1", "" },
        /* known only when min-p's line has been drawn */
        { "min_p=0.05 xtc_probability=1", "block_max gather" },
        { "min_p=0.5 min_keep=4000", "block_max gather" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        check(&rows[i], N, true);
}

static void stages_run_on_short_rows_and_on_the_reference(void **state)
{
    const struct expected short_row = { "top_k=40", "" };

    (void)state;
    check(&short_row, 1024, true);
    assert_false(step("top_k=40", 1025, false));
    assert_true(step("top_k=40", N, true));
    assert_string_equal(called(), "");
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(plans_run_where_they_are_meant_to),
        CASE(plan_of_typical_runs),
        CASE(stages_run_where_there_is_no_plan),
        CASE(stages_run_on_short_rows_and_on_the_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
