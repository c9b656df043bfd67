/*
 * test_redraw.c - one step under a constraint
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/rows.h"
#include "support/rule.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONG = 1300 };

static const struct srt_dialect *dialect(void)
{
    return srt_dialect_find("llama.cpp");
}

static struct srt_llamacpp *under(struct rule *rule, const char *settings)
{
    struct srt_llamacpp *chain = stages_chain(settings);
    const sortes_constraint c = rule_constraint(rule);

    assert_int_equal(dialect()->set_constraint(chain, &c), SORTES_OK);
    return chain;
}

static sortes_draw draw(struct srt_llamacpp *chain, const float *x, size_t n)
{
    sortes_draw d;

    assert_int_equal(stages_chain_draw(chain, x, n, &d), SORTES_OK);
    return d;
}

/* Token 1 is drawn nearly always. */
#define LIKES_1 ROW(0, 20, 0, 0)
/* The row as the mask of tokens 0, 2 and 3 leaves it. */
#define WITHOUT_1 ROW(0, -INFINITY, 0, 0)
enum { ALL_BUT_1 = 1 | 4 | 8 };

static void allowed_tokens_cost_one_run(void **state)
{
    struct rule *const rule = rule_of(2);
    struct srt_llamacpp *chain = under(rule, "");
    const sortes_draw d = draw(chain, LIKES_1);

    (void)state;
    assert_int_equal(d.token, 1);
    assert_int_equal(d.flags, 0);
    assert_int_equal(rule->n_allows, 1);
    assert_int_equal(rule->n_masks, 0);
    assert_int_equal(chain->state.position[0], 2);
}

static void refused_tokens_cost_a_second_run(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain = under(rule, "");
    const sortes_draw d = draw(chain, LIKES_1);

    (void)state;
    assert_int_not_equal(d.token, 1);
    assert_int_equal(d.flags, SORTES_DRAW_REDRAWN);
    assert_int_equal(rule->n_allows, 1);
    assert_int_equal(rule->n_masks, 1);
    assert_int_equal(chain->state.position[0], 4);
}

static void flag_is_of_this_draw_alone(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain = under(rule, "");

    (void)state;
    assert_int_equal(draw(chain, LIKES_1).flags, SORTES_DRAW_REDRAWN);
    assert_int_equal(draw(chain, WITHOUT_1).flags, 0);
}

/* The same steps, once under the rule and once with both runs by hand. */
static void check_by_hand(const char *settings)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain = under(rule, settings);
    struct srt_llamacpp *hand = stages_chain(settings);

    for (int i = 0; i < 40; i++) {
        const sortes_draw d = draw(chain, ROW(1, 2, 0.5f, 1.5f));
        sortes_draw h = draw(hand, ROW(1, 2, 0.5f, 1.5f));

        if (h.token == 1) {
            h = draw(hand, ROW(1, -INFINITY, 0.5f, 1.5f));
            h.flags = SORTES_DRAW_REDRAWN;
        }
        assert_memory_equal(&d, &h, sizeof(d));
        assert_memory_equal(chain->state.position, hand->state.position,
                            sizeof(hand->state.position));
        assert_true(chain->state.mu == hand->state.mu);
        assert_int_equal(chain->state.pending_token, hand->state.pending_token);
        stages_chain_accept(chain, &d.token, 1);
        stages_chain_accept(hand, &d.token, 1);
        assert_true(chain->state.weighted_sum == hand->state.weighted_sum);
    }
}

static void second_run_is_a_whole_one(void **state)
{
    static const char *const settings[] = {
        "",
        "temperature=0.5 top_k=3",
        "xtc_probability=0.5 xtc_threshold=0.1",
        "mirostat=1 mirostat_tau=1",
        "mirostat=2 mirostat_tau=1",
        "samplers=adaptive_p adaptive_target=0.3",
        "presence_penalty=1.5 frequency_penalty=0.1",
        "typical_p=0.7",
        "samplers=xtc;top_p;xtc xtc_probability=0.7 top_p=0.9",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++)
        check_by_hand(settings[i]);
}

static void second_run_tosses_the_coin_again(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain =
        under(rule, "xtc_probability=1e-9 xtc_threshold=0.5");

    (void)state;
    (void)draw(chain, LIKES_1);
    assert_int_equal(chain->state.position[0], 2);
    assert_int_equal(chain->state.position[1], 4);
}

static void second_run_moves_mu_again(void **state)
{
    struct rule *const rule = rule_of(1);
    struct srt_llamacpp *chain =
        under(rule, "mirostat=2 mirostat_tau=5 mirostat_eta=0.5");

    (void)state;
    /* Two certain tokens: mu goes up by a half of the target twice. */
    (void)draw(chain, ROW(0, 90));
    assert_true(chain->state.mu == 15.0f);
}

/* Penalised once, not once for each run. */
static void second_run_begins_with_the_raw_row(void **state)
{
    struct rule *const rule = rule_of(1);
    sortes_sampler *s = stages_sampler("presence_penalty=1");
    const sortes_constraint c = rule_constraint(rule);

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(5, 90), "penalties"),
                        ROW(4, -INFINITY));
}

static void plans_and_stages_redraw_alike(void **state)
{
    static float x[LONG];
    static const char *const settings[] = {
        "top_k=40 top_p=0.95 temperature=0.8",
        "mirostat=2",
        "typical_p=0.9",
        "xtc_probability=0.5 top_k=50",
        ("top_k=40 samplers=top_k;typ_p;temperature typical_p=0.8 "
         "temperature=0.7"),
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        struct rule *const a = rule_of(0x5555555555555555u);
        struct rule *const b = rule_of(0x5555555555555555u);
        struct srt_llamacpp *plan = under(a, settings[i]);
        struct srt_llamacpp *reference = under(b, settings[i]);
        int redrawn = 0;

        reference->reference = true;
        for (uint64_t j = 0; j < 20; j++) {
            sortes_draw p, r;

            rows_fill(x, LONG, ROWS_ORDINARY, j);
            for (size_t k = 0; k < 8; k++)
                x[k] += 15;
            p = draw(plan, x, LONG);
            r = draw(reference, x, LONG);
            assert_memory_equal(&p, &r, sizeof(p));
            redrawn += (p.flags & SORTES_DRAW_REDRAWN) != 0;
        }
        assert_in_range(redrawn, 1, 20);
    }
}

/* ---- grammar first ------------------------------------------------------- */

static void grammar_first_masks_at_once(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain = under(rule, "grammar_first=true");
    struct srt_llamacpp *hand = stages_chain("");

    (void)state;
    for (int i = 0; i < 20; i++) {
        const sortes_draw d = draw(chain, LIKES_1);
        const sortes_draw h = draw(hand, WITHOUT_1);

        assert_memory_equal(&d, &h, sizeof(d));
    }
    assert_int_equal(rule->n_allows, 0);
    assert_int_equal(rule->n_masks, 20);
}

/* ---- failures ------------------------------------------------------------ */

static void check_unmoved(struct srt_llamacpp *chain,
                          const struct srt_step *before)
{
    assert_memory_equal(chain->state.position, before->position,
                        sizeof(before->position));
    assert_true(chain->state.mu == before->mu);
    assert_int_equal(chain->state.pending_token, before->pending_token);
}

static const char *const moving[] = {
    "",
    "mirostat=2",
    "mirostat=1",
    "samplers=xtc;adaptive_p xtc_probability=1 adaptive_target=0.3",
    "grammar_first=true",
};

static void nothing_left_moves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(moving); i++) {
        struct rule *const rule = rule_of(0);
        struct srt_llamacpp *chain = under(rule, moving[i]);
        const struct srt_step before = chain->state;
        sortes_draw d = { .token = -7 };

        assert_int_equal(stages_chain_draw(chain, LIKES_1, &d),
                         SORTES_E_NO_TOKEN);
        assert_int_equal(d.token, -7);
        check_unmoved(chain, &before);
    }
}

static void nothing_above_minus_infinity_left_moves_nothing(void **state)
{
    struct rule *const rule = rule_of(1);
    struct srt_llamacpp *chain = under(rule, "mirostat=2");
    const struct srt_step before = chain->state;
    sortes_draw d;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY, 1), &d),
                     SORTES_E_NO_TOKEN);
    check_unmoved(chain, &before);
}

static void failing_callbacks_move_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(moving); i++) {
        struct rule *const rule = rule_of(0);
        struct srt_llamacpp *chain = under(rule, moving[i]);
        const struct srt_step before = chain->state;
        sortes_draw d;

        rule->mask_status = SORTES_E_SYNTAX;
        assert_int_equal(stages_chain_draw(chain, ROW(0, 90, 0, 0), &d),
                         SORTES_E_SYNTAX);
        check_unmoved(chain, &before);
        rule->allows_fails = 1;
        if (!chain->params->grammar_first)
            assert_int_equal(stages_chain_draw(chain, ROW(0, 90, 0, 0), &d),
                             SORTES_E_ARGUMENT);
        check_unmoved(chain, &before);
    }
}

static void bad_rows_are_refused_before_the_constraint_is_asked(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    struct srt_llamacpp *chain = under(rule, "");
    sortes_draw d;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(0, NAN, 0, 0), &d),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(rule->n_allows, 0);
}

/* ---- what else sees the mask --------------------------------------------- */

static void distribution_is_what_the_draw_is_made_from(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    sortes_sampler *s = rule_sampler(rule, "");
    const float x[] = { 0, 20, 0, 0 }, y[] = { 0, -20, 0, 0 };
    const sortes_row likes = { x, 4, SORTES_F32 }, not = { y, 4, SORTES_F32 };
    float p[4];

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &likes, p), SORTES_OK);
    assert_true(p[1] == 0.0f && p[0] > 0.33f && p[0] < 0.34f);
    /* Where the first draw is allowed, the forbidden one keeps its share. */
    assert_int_equal(sortes_sampler_distribution(s, &not, p), SORTES_OK);
    assert_true(p[1] > 0.0f);
}

static void explain_shows_the_run_that_counts(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1);
    sortes_sampler *s = rule_sampler(rule, "top_k=3");
    const struct stage *seen = stages_see(s, LIKES_1, "dist");
    const int32_t shown = seen->token[seen->selected];

    (void)state;
    stages_check_logits(stages_see(s, LIKES_1, "logits"), WITHOUT_1);
    assert_int_equal(stages_draw(s, LIKES_1), shown);
}

static void looking_asks_but_moves_nothing(void **state)
{
    struct rule *const rule = rule_of(ALL_BUT_1), *const same =
                                                      rule_of(ALL_BUT_1);
    sortes_sampler *s = rule_sampler(rule, "xtc_probability=0.5");
    sortes_sampler *fresh = rule_sampler(same, "xtc_probability=0.5");
    const float x[] = { 0, 20, 0, 0 };
    const sortes_row row = { x, 4, SORTES_F32 };
    float p[4];
    size_t n;

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
        assert_int_equal(sortes_sampler_kept(s, &row, NULL, p, 4, &n),
                         SORTES_OK);
        assert_int_equal(stages_draw(s, x, 4), stages_draw(fresh, x, 4));
    }
}

static void looking_fails_as_the_draw_does(void **state)
{
    struct rule *const rule = rule_of(0);
    sortes_sampler *s = rule_sampler(rule, "");
    const float x[] = { 0, 20, 0, 0 };
    const sortes_row row = { x, 4, SORTES_F32 };
    float p[4];

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p),
                     SORTES_E_NO_TOKEN);
}

/* ---- with a thinking block that is being ended --------------------------- */

static void forced_tokens_are_checked_too(void **state)
{
    struct rule *const rule = rule_of((uint64_t)1 << WORD_A);
    struct srt_llamacpp *chain = stages_chain_of(
        stages_words(),
        "reasoning_budget_tokens=0 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=</think> reasoning_budget_message=!");
    const sortes_constraint c = rule_constraint(rule);
    const float x[N_WORDS] = { 0 };
    sortes_draw d;

    (void)state;
    assert_int_equal(dialect()->set_constraint(chain, &c), SORTES_OK);
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(stages_chain_draw(chain, x, N_WORDS, &d),
                     SORTES_E_NO_TOKEN);
    rule->sets[0] |= (uint64_t)1 << WORD_BANG;
    assert_int_equal(stages_chain_draw(chain, x, N_WORDS, &d), SORTES_OK);
    assert_int_equal(d.token, WORD_BANG);
    assert_int_equal(d.flags, 0);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(allowed_tokens_cost_one_run),
        CASE(refused_tokens_cost_a_second_run),
        CASE(flag_is_of_this_draw_alone),
        CASE(second_run_is_a_whole_one),
        CASE(second_run_tosses_the_coin_again),
        CASE(second_run_moves_mu_again),
        CASE(second_run_begins_with_the_raw_row),
        CASE(plans_and_stages_redraw_alike),
        CASE(grammar_first_masks_at_once),
        CASE(nothing_left_moves_nothing),
        CASE(nothing_above_minus_infinity_left_moves_nothing),
        CASE(failing_callbacks_move_nothing),
        CASE(bad_rows_are_refused_before_the_constraint_is_asked),
        CASE(distribution_is_what_the_draw_is_made_from),
        CASE(explain_shows_the_run_that_counts),
        CASE(looking_asks_but_moves_nothing),
        CASE(looking_fails_as_the_draw_does),
        CASE(forced_tokens_are_checked_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
