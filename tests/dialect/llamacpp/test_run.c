/*
 * test_run.c - the literal stages over the engine's array
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "scratch.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct srt_candidate data[8], spare[8];

static sortes_status fill(struct srt_candidates *c, const float *x, size_t n)
{
    const sortes_row row = { x, n, SORTES_F32 };

    *c = (struct srt_candidates){ data, 0, 5, true, spare };
    return srt_llamacpp_fill(c, &row);
}

static void fill_makes_a_fresh_array(void **state)
{
    struct srt_candidates c;

    (void)state;
    data[1].p = 9.0f;
    assert_int_equal(fill(&c, ROW(3, -1, -INFINITY)), SORTES_OK);
    assert_int_equal(c.size, 3);
    assert_int_equal(c.selected, -1);
    assert_false(c.sorted);
    for (int32_t i = 0; i < 3; i++) {
        assert_int_equal(data[i].id, i);
        assert_true(data[i].p == 0.0f);
    }
    assert_true(data[1].logit == -1.0f && data[2].logit == -INFINITY);
}

static void fill_widens(void **state)
{
    const uint16_t x[] = { 0x3c00, 0xc000 };
    const sortes_row row = { x, 2, SORTES_F16 };
    struct srt_candidates c = { data, 0, -1, false, spare };

    (void)state;
    assert_int_equal(srt_llamacpp_fill(&c, &row), SORTES_OK);
    assert_true(data[0].logit == 1.0f && data[1].logit == -2.0f);
}

static void fill_refuses_what_is_no_logit(void **state)
{
    struct srt_candidates c;

    (void)state;
    assert_int_equal(fill(&c, ROW(0, NAN)), SORTES_E_NOT_FINITE);
    assert_int_equal(fill(&c, ROW(INFINITY, 0)), SORTES_E_NOT_FINITE);
    assert_int_equal(fill(&c, ROW(-INFINITY, NAN)), SORTES_E_NOT_FINITE);
    assert_int_equal(fill(&c, ROW(-INFINITY, -INFINITY)), SORTES_E_NO_TOKEN);
}

/* ---- stages -------------------------------------------------------------- */

static char seen[256];

static void note(void *ctx, const sortes_stage_view *view)
{
    assert_ptr_equal(ctx, seen);
    strcat(seen, view->stage);
    strcat(seen, " ");
}

static void run_shows_every_stage_once_in_order(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("samplers=temperature;top_k top_k=2 temperature=0.5");
    const float x[] = { 1, 2, 3 };
    const sortes_row row = { x, 3, SORTES_F32 };
    struct srt_step step = chain->state;
    struct srt_candidates c;

    (void)state;
    seen[0] = '\0';
    assert_int_equal(srt_llamacpp_run(chain, &row, &c, &step, note, seen),
                     SORTES_OK);
    assert_string_equal(seen, "logits temperature top_k dist ");
    assert_int_equal(chain->n_vocab, 3);
}

static void run_works_on_the_copy_of_the_state(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    const float x[] = { 1, 2, 3 };
    const sortes_row row = { x, 3, SORTES_F32 };
    struct srt_step step = chain->state;
    struct srt_candidates c;

    (void)state;
    assert_int_equal(srt_llamacpp_run(chain, &row, &c, &step, NULL, NULL),
                     SORTES_OK);
    assert_int_equal(step.position[0], 2);
    assert_int_equal(chain->state.position[0], 0);
}

static void run_from_a_slot_leaves_the_ones_before_out(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("samplers=top_k;temperature top_k=1 temperature=0.5");
    struct srt_step step = chain->state;
    struct srt_candidates c;

    (void)state;
    assert_int_equal(fill(&c, ROW(4, 2)), SORTES_OK);
    seen[0] = '\0';
    assert_int_equal(srt_llamacpp_run_from(chain, 1, &c, &step, note, seen),
                     SORTES_OK);
    assert_string_equal(seen, "temperature dist ");
    assert_int_equal(c.size, 2);
    assert_true(c.data[0].logit == 8.0f);
}

static void run_stops_at_the_first_failure(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("samplers=temperature;top_k temperature=1e-38 top_k=2");
    const float x[] = { 1e10f, 2 };
    const sortes_row row = { x, 2, SORTES_F32 };
    struct srt_step step = chain->state;
    struct srt_candidates c;

    (void)state;
    seen[0] = '\0';
    assert_int_equal(srt_llamacpp_run(chain, &row, &c, &step, note, seen),
                     SORTES_E_NOT_FINITE);
    assert_string_equal(seen, "logits ");
    assert_int_equal(step.position[0], 0);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(fill_makes_a_fresh_array),
        CASE(fill_widens),
        CASE(fill_refuses_what_is_no_logit),
        CASE(run_shows_every_stage_once_in_order),
        CASE(run_works_on_the_copy_of_the_state),
        CASE(run_from_a_slot_leaves_the_ones_before_out),
        CASE(run_stops_at_the_first_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
