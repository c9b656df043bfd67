/*
 * test_infill.c - end, or go on with a whole word
 *
 * The end tokens stand at -20: too unlikely to end, likely enough to stay.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define INFILL "samplers=infill"

enum { END = SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG };

static const struct stages_piece pieces[] = {
    { "a", 0 },
    { "ab", 0 },
    { "c", 0 },
    { "</s>", END | SORTES_TOKEN_EOS },
    { "<|eot|>", END | SORTES_TOKEN_EOT },
    { "d", 0 },
    { "e", 0 },
    { "f", 0 },
    { "g", 0 },
    { "<a", SORTES_TOKEN_CONTROL },
};
enum { A, AB, C, EOS, EOT, D, E, F, G, CONTROL, N };

/* Probabilities of a half, a quarter and a quarter, and two end tokens. */
#define HALF    -0.69314718f
#define QUARTER -1.38629436f

static const struct stage *infill(const float *x, size_t n)
{
    return stages_see(stages_sampler_of(stages_vocab(pieces, N), INFILL), x, n,
                      "infill");
}

static void infill_ends_where_ending_is_likely(void **state)
{
    const struct stage *seen = infill(ROW(3, 0, 0, 2, 1));

    (void)state;
    stages_check_ids(seen, IDS(EOS, EOT));
    assert_true(fabsf(seen->p[0] + seen->p[1] - 1.0f) < 1e-6f);
    stages_check_logits(seen, ROW(2, 1));
}

/* 3 * p * n against the rest: a thirteenth of all where there are four. */
static void infill_goes_by_the_number_of_candidates(void **state)
{
    const float ninth = -2.19722458f;

    (void)state;
    stages_check_ids(infill(ROW(0, -INFINITY, -INFINITY, ninth + 0.7f)),
                     IDS(EOS)); /* 3 * .22 * 4 > 1 */
    stages_check_ids(infill(ROW(0, -INFINITY, -INFINITY, -2.6f)),
                     IDS(A, EOS)); /* 3 * .069 * 4 < .93 */
    stages_check_ids(infill(ROW(0, -INFINITY, -INFINITY, -2.6f, -INFINITY,
                                -INFINITY, -INFINITY, -INFINITY)),
                     IDS(EOS, EOT)); /* 3 * .069 * 8 > .93 */
}

static void infill_merges_into_the_shorter_where_it_is_likelier(void **state)
{
    const struct stage *seen = infill(ROW(HALF, QUARTER, QUARTER, -20, -20));

    (void)state;
    /* a takes ab's quarter; c's quarter is below 1 / 3 then. */
    stages_check_ids(seen, IDS(A, EOS, EOT));
    assert_true(seen->logit[0] == HALF); /* only p was merged */
    assert_true(seen->p[0] > 0.99f);
}

static void infill_merges_into_the_longer_where_that_is_likelier(void **state)
{
    (void)state;
    stages_check_ids(infill(ROW(QUARTER, HALF, QUARTER, -20, -20)),
                     IDS(AB, EOS, EOT));
}

static void infill_merges_equals_into_the_shorter(void **state)
{
    (void)state;
    stages_check_ids(infill(ROW(QUARTER, QUARTER, QUARTER - 0.3f, -20, -20)),
                     IDS(A, EOS, EOT));
}

static void infill_does_not_merge_control_tokens(void **state)
{
    static const struct stages_piece likes[] = {
        { "<", 0 },
        { "<a", SORTES_TOKEN_CONTROL },
    };
    sortes_sampler *s = stages_sampler_of(stages_vocab(likes, 2), INFILL);

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 1), "infill"), IDS(0, 1));
}

static void infill_keeps_a_fifth_at_first(void **state)
{
    const struct stage *seen =
        infill(ROW(-0.1f, -INFINITY, 0.004f, -20, -20, 0.003f, 0.002f, 0.001f));

    (void)state;
    /* Four are a little above it, and a below; then all are above 1 / 5. */
    stages_check_ids(seen, IDS(C, D, E, F, EOS, EOT));
}

static void infill_with_nothing_likely_is_the_end_of_the_text(void **state)
{
    const struct stage *seen =
        infill(ROW(0, -INFINITY, 0, -20, -20, 0, 0, 0, 0));

    (void)state;
    stages_check_ids(seen, IDS(EOT));
    stages_check_logits(seen, ROW(1));
}

/* Letters alone, and one end token or none; each letter a sixth. */
static const struct stages_piece letters[] = {
    { "u", 0 },
    { "v", 0 },
    { "w", 0 },
    { "x", 0 },
    { "y", 0 },
    { "z", 0 },
    { "</s>", END | SORTES_TOKEN_EOS },
};

static void
infill_without_an_end_of_text_takes_the_end_of_sequence(void **state)
{
    sortes_sampler *s = stages_sampler_of(stages_vocab(letters, 7), INFILL);

    (void)state;
    stages_check_ids(stages_see(s, ROW(0, 0, 0, 0, 0, 0, -20), "infill"),
                     IDS(6));
}

static void infill_without_any_end_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler_of(stages_vocab(letters, 6), INFILL);
    const float x[6] = { 0 };
    const sortes_row row = { x, 6, SORTES_F32 };
    float p[6];

    (void)state;
    assert_int_equal(stages_try(s, x, 6), SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_distribution(s, &row, p),
                     SORTES_E_NO_TOKEN);
}

static void infill_with_its_end_outside_the_row_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler_of(stages_vocab(letters, 7), INFILL);
    const float x[6] = { 0 };
    const sortes_row row = { x, 6, SORTES_F32 };
    float p[6];

    (void)state;
    assert_int_equal(stages_try(s, x, 6), SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_distribution(s, &row, p),
                     SORTES_E_NO_TOKEN);
}

static void infill_still_draws_for_one_token(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain_of(stages_vocab(pieces, N), INFILL);
    sortes_draw draw;

    (void)state;
    assert_int_equal(
        stages_chain_draw(chain, ROW(0, -INFINITY, 0, -20, -20, 0, 0, 0, 0),
                          &draw),
        SORTES_OK);
    assert_int_equal(draw.token, EOT);
    assert_int_equal(chain->state.position[0], 2);
}

static void infill_sorts(void **state)
{
    (void)state;
    assert_true(infill(ROW(QUARTER, HALF, QUARTER, -20, -20))->sorted);
}

static void infill_needs_a_vocab(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(stages_refusal(NULL, INFILL, &err), SORTES_E_ARGUMENT);
    assert_string_equal(err.text, "infill: needs a vocab");
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(infill_ends_where_ending_is_likely),
        CASE(infill_goes_by_the_number_of_candidates),
        CASE(infill_merges_into_the_shorter_where_it_is_likelier),
        CASE(infill_merges_into_the_longer_where_that_is_likelier),
        CASE(infill_merges_equals_into_the_shorter),
        CASE(infill_does_not_merge_control_tokens),
        CASE(infill_keeps_a_fifth_at_first),
        CASE(infill_with_nothing_likely_is_the_end_of_the_text),
        CASE(infill_without_an_end_of_text_takes_the_end_of_sequence),
        CASE(infill_without_any_end_is_refused),
        CASE(infill_with_its_end_outside_the_row_is_refused),
        CASE(infill_still_draws_for_one_token),
        CASE(infill_sorts),
        CASE(infill_needs_a_vocab),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
