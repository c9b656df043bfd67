/*
 * test_plan.c - the plans against the literal stages, draw for draw
 *
 * Two samplers of the same settings, one on the plans and one on the
 * reference, draw from the same rows and accept the same tokens; statuses and
 * whole sortes_draw structs must be equal, byte for byte.  What is hard for a
 * plan has a case of its own; the last ones are settings at random.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/expf.h"
#include "support/settings.h"
#include "support/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONGEST = 50000 };

static float x[LONGEST];
static uint16_t narrow[LONGEST];

/* ---- one comparison ------------------------------------------------------ */

struct trial {
    struct settings s;
    size_t n;
    enum rows_kind kind;
    sortes_dtype type;
    uint64_t row_seed;
    float scale;    /* the logits are multiplied by this; 0: not */
    size_t period;  /* every so many-th logit is raised; 0: none is */
    size_t hits;    /* that many block maxima are biased and remembered */
    int n_draws;    /* 0: two */
    size_t kernels; /* an index of srt_kernels_at() */
};

static struct trial trial_of(size_t n, enum rows_kind kind)
{
    return (struct trial){ .s = settings_default(), .n = n, .kind = kind };
}

/* The row of a step, two steps each; the last one made is made only once. */
static sortes_row trial_row(const struct trial *t, int step)
{
    static struct trial last;
    static sortes_row row;
    const uint64_t seed = t->row_seed + (uint64_t)(step / 2);

    if (last.n == t->n && last.kind == t->kind && last.type == t->type &&
        last.scale == t->scale && last.period == t->period &&
        last.row_seed == seed)
        return row;
    last = *t;
    last.row_seed = seed;
    rows_fill(x, t->n, t->kind, seed);
    for (size_t i = 0; t->scale != 0.0f && i < t->n; i++)
        x[i] *= t->scale;
    for (size_t i = 0; t->period != 0 && i < t->n; i += t->period)
        x[i] += 20;
    row = rows_as(x, narrow, t->n, t->type);
    return row;
}

static int32_t block_best(size_t n, size_t block)
{
    size_t best = block * SRT_BLOCK;

    for (size_t i = best; i < n && i / SRT_BLOCK == block; i++)
        if (x[i] > x[best])
            best = i;
    return (int32_t)best;
}

/* Biases and history on the largest logits of random blocks of the row. */
static void hit_maxima(struct trial *t)
{
    struct rows_random r = { t->row_seed ^ 0x5eed };

    for (size_t i = 0; i < t->hits; i++) {
        const int32_t best =
            block_best(t->n, rows_below(&r, (t->n - 1) / SRT_BLOCK + 1));

        if (i < SETTINGS_BIASES && i % 2 == 0) {
            t->s.biases[t->s.n_biases++] =
                (struct settings_bias){ best, PICK(&r, -3, 0.5f, -INFINITY,
                                                   -0.125f, 25) };
        } else if (t->s.n_history < SETTINGS_HISTORY) {
            t->s.history[t->s.n_history++] = best;
        }
    }
}

static void show(const struct trial *t)
{
    print_error("n %zu, %s, type %d, row seed %llu, scale %g, %zu hits, "
                "kernels %s, ",
                t->n, rows_kind_name(t->kind), (int)t->type,
                (unsigned long long)t->row_seed, (double)t->scale, t->hits,
                srt_kernels_at(t->kernels)->name);
    settings_write(stderr, &t->s);
    print_error("\n");
}

static void compare_draw(const struct trial *t, sortes_sampler *plan,
                         sortes_sampler *reference, const sortes_row *row)
{
    sortes_draw a = { .token = -9 }, b = { .token = -9 };
    const sortes_status sa = sortes_sampler_sample(plan, row, &a);
    const sortes_status sb = sortes_sampler_sample(reference, row, &b);

    if (sa != sb || memcmp(&a, &b, sizeof(a)) != 0) {
        show(t);
        fail_msg("plan: %s, token %d, %llu candidates, margin %a; reference: "
                 "%s, token %d, %llu candidates, margin %a",
                 sortes_status_name(sa), a.token,
                 (unsigned long long)a.n_candidates, a.margin,
                 sortes_status_name(sb), b.token,
                 (unsigned long long)b.n_candidates, b.margin);
    }
    if (sa != SORTES_OK)
        return;
    assert_int_equal(sortes_sampler_accept(plan, &a.token, 1, SORTES_GENERATED),
                     SORTES_OK);
    assert_int_equal(
        sortes_sampler_accept(reference, &b.token, 1, SORTES_GENERATED),
        SORTES_OK);
}

static void run(const struct trial *given)
{
    struct trial t = *given;
    sortes_row row = trial_row(&t, 0);
    sortes_sampler *plan, *reference;
    const int n_draws = t.n_draws ? t.n_draws : 2;

    hit_maxima(&t);
    plan = settings_sampler(&t.s);
    assert_non_null(plan);
    assert_int_equal(sortes_sampler_clone(&reference, plan), SORTES_OK);
    sortes_sampler_use_reference(reference, 1);
    assert_int_equal(
        sortes_sampler_use_kernels(plan, srt_kernels_at(t.kernels)->name),
        SORTES_OK);
    for (int i = 0; i < n_draws; i++) {
        if (i % 2 == 0 && i > 0)
            row = trial_row(&t, i);
        compare_draw(&t, plan, reference, &row);
    }
    sortes_sampler_free(plan);
    sortes_sampler_free(reference);
}

/* On every instruction set of this machine. */
static void run_all(struct trial t)
{
    for (t.kernels = 0; srt_kernels_at(t.kernels); t.kernels++)
        run(&t);
}

/* ---- shapes -------------------------------------------------------------- */

/* What a chain may come down to; see the head of plan.c. */
static const struct {
    int32_t top_k;
    float top_p, min_p, temperature;
} shapes[] = {
    { 40, 0.95f, 0.05f, 0.8f }, /* short, the defaults */
    { 40, 1, 0, 1 },
    { 200, 0.9f, 0, 0.7f }, /* long */
    { 700, 1, 0.01f, 1.3f },
    { 0, 0.95f, 0.05f, 0.8f }, /* nucleus, of 256 or of all */
    { 0, 0.999f, 0, 1 },
    { 0, 0.3f, 0.2f, 1.5f },
    { 0, 1, 0, 0.8f }, /* whole */
    { 0, 1, 0.02f, 1 },
    { 0, 1, 0, 1 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void take_shape(struct settings *s, size_t i)
{
    s->top_k = shapes[i].top_k;
    s->top_p = shapes[i].top_p;
    s->min_p = shapes[i].min_p;
    s->temperature = shapes[i].temperature;
}

static void plan_on_every_kind_of_row_and_type(void **state)
{
    struct trial t = trial_of(1300, ROWS_ORDINARY);

    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (int type = 0; type < 3; type++) {
            t.kind = (enum rows_kind)kind;
            t.type = (sortes_dtype)type;
            for (size_t i = 0; i < SHAPES; i++) {
                t.row_seed = i;
                t.s.seed++;
                take_shape(&t.s, i);
                run_all(t);
            }
        }
    }
}

static void plan_at_the_borders_of_sizes(void **state)
{
    static const size_t sizes[] = { 1,    2,    63,   1023, 1024, 1025,
                                    1026, 1087, 1088, 1089, 1151, 1152,
                                    1153, 2047, 2048, 2049, 4097 };

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t =
                trial_of(sizes[i], shape % 2 ? ROWS_STEPS : ROWS_FORBIDDEN);

            take_shape(&t.s, shape);
            t.s.seed = (uint32_t)(i * 31 + shape);
            t.row_seed = i;
            run_all(t);
        }
    }
}

static void plan_on_long_rows(void **state)
{
    static const size_t sizes[] = { 16384, 32001, LONGEST };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t = trial_of(
                sizes[i], (enum rows_kind)((i * 7 + shape * 5) % ROWS_N_KINDS));

            take_shape(&t.s, shape);
            t.s.seed = (uint32_t)shape;
            t.kernels = srt_kernels_at((i + shape) % 3) ? (i + shape) % 3 : 0;
            run(&t);
        }
    }
}

/* ---- what is hard -------------------------------------------------------- */

static void plan_with_ties_at_every_border(void **state)
{
    static const int32_t ks[] = { 1,   2,   39,  127,  128,  129,  130,
                                  255, 256, 257, 1024, 1399, 1400, 1401 };
    static const enum rows_kind kinds[] = { ROWS_EQUAL, ROWS_STEPS, ROWS_TIED,
                                            ROWS_MASKED };

    (void)state;
    for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++) {
        for (size_t j = 0; j < 4; j++) {
            struct trial t = trial_of(1400, kinds[j]);

            t.s.top_k = ks[i];
            t.s.seed = (uint32_t)(i + j);
            t.n_draws = 4;
            run_all(t);
            t.s.top_p = 1;
            t.s.min_p = 0;
            t.s.temperature = 2;
            run_all(t);
        }
    }
}

static void plan_with_changed_block_maxima(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12 * SHAPES; i++) {
        struct trial t =
            trial_of(1088 + i % 3 * 500, (enum rows_kind)(i % ROWS_N_KINDS));

        take_shape(&t.s, i / 12);
        t.s.seed = (uint32_t)i;
        t.row_seed = i;
        t.hits = 3 + i % 40;
        t.s.repeat = i % 2 ? 1.3f : 0.7f;
        t.s.presence = i % 3 ? 0.5f : -0.5f;
        t.type = (sortes_dtype)(i % 3);
        t.n_draws = 4;
        run_all(t);
    }
}

static void plan_where_fewer_are_allowed_than_k(void **state)
{
    static const int32_t ks[] = { 1, 5, 40, 128, 129, 500, 1300 };

    (void)state;
    for (size_t i = 0; i < 7; i++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct trial t = trial_of(1300, ROWS_MASKED);

            t.s.top_k = ks[i];
            t.s.min_keep = seed % 2 ? 20 : 0;
            t.s.seed = (uint32_t)seed;
            t.row_seed = seed;
            run_all(t);
            t.s.top_p = 1;
            t.s.min_p = 0;
            run_all(t);
        }
    }
}

static void plan_with_min_keep(void **state)
{
    static const int32_t keeps[] = { 1, 2, 39, 40, 41, 255, 256, 257, 2000 };

    (void)state;
    for (size_t i = 0; i < 9; i++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t = trial_of(1500, shape % 2 ? ROWS_TIED : ROWS_FLAT);

            take_shape(&t.s, shape);
            t.s.min_keep = keeps[i];
            t.s.seed = (uint32_t)(i * SHAPES + shape);
            run_all(t);
            t.kind = ROWS_PEAKED;
            t.s.top_p = t.s.top_p < 1.0f ? 0 : 1;
            t.s.min_p = t.s.min_p > 0.0f ? 1 : 0;
            run_all(t);
        }
    }
}

static void plan_at_every_temperature(void **state)
{
    static const float temperatures[] = { 0,      1e-45f, 1e-39f, 1e-37f,
                                          1e-30f, 1e-3f,  0.5f,   1,
                                          7,      1e5f,   1e38f,  INFINITY };
    static const enum rows_kind kinds[] = { ROWS_TIED, ROWS_LOW, ROWS_FORBIDDEN,
                                            ROWS_EQUAL };

    (void)state;
    for (size_t i = 0; i < sizeof(temperatures) / sizeof(float); i++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t = trial_of(1200, kinds[(i + shape) % 4]);

            take_shape(&t.s, shape);
            t.s.temperature = temperatures[i];
            t.s.seed = (uint32_t)i;
            run_all(t);
            t.s.greedy = true;
            run_all(t);
        }
    }
}

/* Subnormal logits, a few units each: a third of them are often equal. */
static void plan_greedy_where_the_division_makes_ties(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t = trial_of(1200, ROWS_FLAT);

            take_shape(&t.s, shape);
            t.row_seed = seed;
            t.scale = 0x1p-145f;
            t.s.greedy = true;
            t.s.temperature = 3;
            run_all(t);
        }
    }
}

static void plan_of_logits_far_from_zero(void **state)
{
    static const float scales[] = { 1e3f,  1e7f,  4e7f,   1e9f,
                                    1e37f, 1e-3f, 1e-30f, 1e-44f };

    (void)state;
    for (size_t i = 0; i < sizeof(scales) / sizeof(float); i++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            struct trial t =
                trial_of(1100, shape % 2 ? ROWS_ORDINARY : ROWS_LOW);

            take_shape(&t.s, shape);
            t.scale = scales[i];
            t.s.seed = (uint32_t)i;
            run_all(t);
        }
    }
}

static void plan_of_top_p_near_its_ends(void **state)
{
    static const float ps[] = {
        0, 1e-45f, 1e-7f, 0.0625f, 0.99999f, 0.99999994f
    };
    static const enum rows_kind kinds[] = { ROWS_EQUAL, ROWS_FLAT, ROWS_PEAKED,
                                            ROWS_FORBIDDEN, ROWS_WIDE };
    static const float min_ps[] = { 0, 1e-6f, 1e-9f, 1e-38f };

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 20; j++) {
            struct trial t = trial_of(j % 3 ? 1333 : 4096, kinds[j / 4]);

            t.s.top_k = 0;
            t.s.top_p = ps[i];
            t.s.min_p = min_ps[j % 4];
            t.s.seed = (uint32_t)(i + j);
            run_all(t);
            t.s.top_k = j % 2 ? 300 : 60;
            run_all(t);
        }
    }
}

/*
 * The sum in id order and the running sum in sorted order round differently;
 * where the second one stays below top_p, all is kept down to min_p's line.
 */
static void plan_where_the_running_sum_never_reaches_top_p(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct trial t = trial_of(1333, seed % 2 ? ROWS_WIDE : ROWS_ORDINARY);

        t.s.top_k = 0;
        t.s.top_p = 0.99999994f;
        t.s.min_p = seed % 4 < 2 ? 1e-38f : 1e-12f;
        t.s.min_keep = seed % 5 == 0 ? 700 : 0;
        t.s.temperature = 1;
        t.row_seed = seed;
        run_all(t);
        t.s.min_p = 0;
        run_all(t);
    }
}

/* A long top-k guesses its floor from every so many-th logit. */
static void plan_where_a_sample_of_the_row_misleads(void **state)
{
    (void)state;
    for (size_t period = 2; period < 5; period++) {
        for (size_t i = 0; i < 4; i++) {
            struct trial t = trial_of(4104 + 4096 * (period - 2), ROWS_FLAT);

            t.period = period;
            t.s.top_k = (int32_t)(t.n / 2);
            t.s.top_p = i % 2 ? 0.999f : 1;
            t.s.min_p = 0;
            t.s.seed = (uint32_t)i;
            t.kernels = srt_kernels_at(i % 3) ? i % 3 : 0;
            run(&t);
        }
    }
}

/* ---- the ends of the random numbers -------------------------------------- */

static void compare_chains(struct srt_llamacpp *plan,
                           struct srt_llamacpp *reference,
                           const sortes_row *row)
{
    const struct srt_dialect *dialect = srt_dialect_find("llama.cpp");
    sortes_draw a = { 0 }, b = { 0 };

    assert_int_equal(dialect->sample(plan, row, &a), SORTES_OK);
    assert_int_equal(dialect->sample(reference, row, &b), SORTES_OK);
    assert_memory_equal(&a, &b, sizeof(a));
    assert_int_equal(plan->state.position[0], reference->state.position[0]);
}

static const char *const chain_settings[] = {
    "top_k=40",
    "top_k=300",
    "top_p=0.9",
    "top_p=0.99999",
    "",
    "min_p=0.01",
    "temperature=0",
    "top_k=5 temperature=0",
    "min_p=0.2 temperature=0",
    "top_p=0.5 temperature=0",
    "logit_bias=0-inf temperature=0",
};
enum { CHAINS = sizeof(chain_settings) / sizeof(chain_settings[0]) };

static void plan_with_the_ends_of_the_random_numbers(void **state)
{
    static const uint32_t words[][2] = {
        { 0, 0 }, { 1, 0 }, { 0xffffffffu, 0xffffffffu }, { 0, 0x80000000u }
    };

    (void)state;
    for (size_t i = 0; i < CHAINS; i++) {
        struct srt_llamacpp *plan = stages_chain(chain_settings[i]);
        struct srt_llamacpp *reference = stages_chain(chain_settings[i]);

        reference->reference = true;
        for (uint64_t seed = 0; seed < 12; seed++) {
            const struct trial t = {
                .n = 1200,
                .kind = seed % 2 ? ROWS_FORBIDDEN : ROWS_STEPS,
                .row_seed = seed,
            };
            const sortes_row row = trial_row(&t, 0);
            const uint32_t *w = words[seed % 4];

            stages_force(plan, w[0], w[1]);
            stages_force(reference, w[0], w[1]);
            compare_chains(plan, reference, &row);
        }
    }
}

/* Of 4096 equal weights the sum is exact, and so is every edge. */
static void plan_on_the_edges_of_equal_shares(void **state)
{
    struct srt_llamacpp *plan = stages_chain("");
    struct srt_llamacpp *reference = stages_chain("");
    const struct trial t = trial_of(4096, ROWS_EQUAL);
    const sortes_row row = trial_row(&t, 0);

    (void)state;
    reference->reference = true;
    for (uint32_t edge = 0; edge < 4096; edge += 32) {
        for (uint32_t below = 0; below < 2; below++) {
            const uint32_t b = (edge << 20) - below;

            stages_force(plan, 0, b);
            stages_force(reference, 0, b);
            compare_chains(plan, reference, &row);
        }
    }
}

/* Weights of exactly the least float there is, and none just below. */
static void plan_at_the_least_weight(void **state)
{
    static const char *const settings[] = { "", "top_k=1100", "top_p=0.9999999",
                                            "min_p=1e-45" };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct srt_llamacpp *plan = stages_chain(settings[i]);
        struct srt_llamacpp *reference = stages_chain(settings[i]);
        const sortes_row row = { x, 1200, SORTES_F32 };

        reference->reference = true;
        /* x is about to be filled by hand: nobody's row is in it now. */
        (void)trial_row(&(struct trial){ .n = 1, .scale = 7 }, 0);
        for (size_t j = 0; j < 1200; j++)
            x[j] = j % 3 ? SRT_EXPF_MIN : nextafterf(SRT_EXPF_MIN, -200);
        x[700] = 0;
        for (int draws = 0; draws < 4; draws++)
            compare_chains(plan, reference, &row);
    }
}

/* ---- at random ----------------------------------------------------------- */

static void random_trial(struct trial *t, struct rows_random *r)
{
    static const size_t sizes[] = { 900,  1025, 1100, 1153, 1500,
                                    2048, 2500, 3001, 5000 };

    *t = (struct trial){ .n = sizes[rows_below(r, 9)] };
    t->kind = (enum rows_kind)rows_below(r, ROWS_N_KINDS);
    t->type = (sortes_dtype)rows_below(r, 3);
    t->row_seed = rows_bits(r);
    settings_random(&t->s, r, t->n);
    t->hits = rows_below(r, 3) ? 0 : rows_below(r, 60);
    if (t->hits > 0)
        t->s.n_biases = 0;
    t->n_draws = 4;
    while (!srt_kernels_at(t->kernels = rows_below(r, 4)))
        continue;
}

static void plan_with_settings_at_random(void **state)
{
    struct rows_random r = { 20261129 };

    (void)state;
    for (int i = 0; i < 5000; i++) {
        struct trial t;

        random_trial(&t, &r);
        run(&t);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(plan_on_every_kind_of_row_and_type),
        CASE(plan_at_the_borders_of_sizes),
        CASE(plan_on_long_rows),
        CASE(plan_with_ties_at_every_border),
        CASE(plan_with_changed_block_maxima),
        CASE(plan_where_fewer_are_allowed_than_k),
        CASE(plan_with_min_keep),
        CASE(plan_at_every_temperature),
        CASE(plan_greedy_where_the_division_makes_ties),
        CASE(plan_of_logits_far_from_zero),
        CASE(plan_of_top_p_near_its_ends),
        CASE(plan_where_the_running_sum_never_reaches_top_p),
        CASE(plan_where_a_sample_of_the_row_misleads),
        CASE(plan_with_the_ends_of_the_random_numbers),
        CASE(plan_on_the_edges_of_equal_shares),
        CASE(plan_at_the_least_weight),
        CASE(plan_with_settings_at_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
