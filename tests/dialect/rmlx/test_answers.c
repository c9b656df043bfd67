/*
 * test_answers.c - what a step would do: distribution, kept, explain
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "support/dialects.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

static void kept_is_the_distribution_without_zeros(void **state)
{
    static float x[400], p[400];
    const sortes_row row = { x, 400, SORTES_F32 };
    sortes_sampler *s =
        dialects_sampler("rmlx", NULL, "top_p=0.9 temperature=0.8");
    int32_t tokens[400];
    float kept[400];
    size_t n, at = 0;

    (void)state;
    rows_fill(x, 400, ROWS_ORDINARY, 2);
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_int_equal(sortes_sampler_kept(s, &row, tokens, kept, 400, &n),
                     SORTES_OK);
    for (int32_t i = 0; i < 400; i++) {
        if (p[i] == 0.0f)
            continue;
        assert_int_equal(tokens[at], i);
        assert_true(kept[at++] == p[i]);
    }
    assert_int_equal(n, at);
    assert_true(n > 1 && n < 400);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                     SORTES_OK);
    assert_int_equal(n, at);
    sortes_sampler_free(s);
}

/* The same path without the draw: no generator moves. */
static void questions_move_no_generator(void **state)
{
    static float x[100], p[100];
    const sortes_row row = { x, 100, SORTES_F32 };
    sortes_sampler *a = dialects_sampler("rmlx", NULL, "seed=6");
    sortes_sampler *b = dialects_sampler("rmlx", NULL, "seed=6");
    sortes_probability top[5], drawn;
    size_t n;

    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        int32_t token;

        rows_fill(x, 100, ROWS_FLAT, i);
        assert_int_equal(sortes_sampler_distribution(a, &row, p), SORTES_OK);
        assert_int_equal(
            sortes_sampler_probabilities(a, &row, top, 5, &n, &drawn),
            SORTES_OK);
        token = dialects_draw(a, x, 100);
        assert_int_equal(token, dialects_draw(b, x, 100));
        assert_int_equal(drawn.token, token);
        assert_true(drawn.p == p[token]);
        assert_int_equal(n, 5);
        for (size_t j = 1; j < 5; j++)
            assert_true(
                top[j - 1].p > top[j].p ||
                (top[j - 1].p == top[j].p && top[j - 1].token < top[j].token));
        assert_true(top[0].p == p[top[0].token]);
    }
    sortes_sampler_free(a);
    sortes_sampler_free(b);
}

static void greedy_puts_everything_on_one(void **state)
{
    const float x[] = { 1, 4, 2 };
    const sortes_row row = { x, 3, SORTES_F32 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");
    sortes_probability top[3];
    float p[3];
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_true(p[0] == 0 && p[1] == 1 && p[2] == 0);
    assert_int_equal(sortes_sampler_probabilities(s, &row, top, 3, &n, NULL),
                     SORTES_OK);
    assert_int_equal(n, 1);
    assert_int_equal(top[0].token, 1);
    sortes_sampler_free(s);
}

struct seen {
    char names[256];
    float p[4];
    int64_t selected;
    size_t n_views;
};

static void look(void *ctx, const sortes_stage_view *view)
{
    struct seen *seen = ctx;

    strcat(seen->names, view->stage);
    strcat(seen->names, " ");
    assert_int_equal(view->n, 4);
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(view->token[i], i);
    memcpy(seen->p, view->p, sizeof(seen->p));
    seen->selected = view->selected;
    seen->n_views++;
}

static void explain_shows_each_step(void **state)
{
    const float x[] = { 1, 4, 2, 3 };
    const sortes_row row = { x, 4, SORTES_F32 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "top_k=2");
    struct seen seen = { "", { 0 }, -1, 0 };
    int32_t token;

    (void)state;
    assert_int_equal(sortes_sampler_explain(s, &row, look, &seen), SORTES_OK);
    assert_string_equal(seen.names, "logits penalties softmax top_p min_p "
                                    "top_k renormalise draw ");
    token = dialects_draw(s, x, 4);
    assert_int_equal(seen.selected, token);
    assert_true(seen.p[0] == 0 && seen.p[2] == 0 && seen.p[1] > seen.p[3]);
    memset(&seen, 0, sizeof(seen));
    sortes_sampler_free(s);
    s = dialects_sampler("rmlx", NULL, "temperature=0");
    assert_int_equal(sortes_sampler_explain(s, &row, look, &seen), SORTES_OK);
    assert_string_equal(seen.names, "logits penalties greedy draw ");
    assert_int_equal(seen.selected, 1);
    sortes_sampler_free(s);
}

static void refused_rows_refuse_every_question(void **state)
{
    const float x[] = { -INFINITY, -INFINITY };
    const sortes_row row = { x, 2, SORTES_F32 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "");
    sortes_probability drawn;
    struct seen seen = { "", { 0 }, -1, 0 };
    float p[2] = { 7, 7 };
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_probabilities(s, &row, NULL, 0, &n, &drawn),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_explain(s, &row, look, &seen),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(seen.n_views, 0);
    sortes_sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_is_the_distribution_without_zeros),
        cmocka_unit_test(questions_move_no_generator),
        cmocka_unit_test(greedy_puts_everything_on_one),
        cmocka_unit_test(explain_shows_each_step),
        cmocka_unit_test(refused_rows_refuse_every_question),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
