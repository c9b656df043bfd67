/*
 * test_matcher_start.c - healing a cut token, sleeping through thoughts
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "sortes.h"
#include "support/small_vocab.h"

#include <string.h>

enum { HEL = 256, HELLO, LOW, CROSS, CROSS_BAD, CLOSE, END, SPECIAL };

static const struct small_token start_tokens[] = {
    { "hel", 0, 0 },
    { "hello", 0, 0 },
    { "low", 0, 0 },
    { "nk>a", 0, 0 },
    { "nk>z", 0, 0 },
    { "</think>", 0, SORTES_TOKEN_CONTROL },
    { "</s>", 0, SORTES_TOKEN_EOG },
    { "he", 0, SORTES_TOKEN_CONTROL },
};

struct fixture {
    sortes_vocab *v;
    sortes_grammar *g;
    sortes_matcher *m;
};

static void set_up(struct fixture *f, const char *choices, const char *without)
{
    f->v = small_vocab(without, start_tokens, SRT_COUNT(start_tokens));
    f->g = small_grammar("choice", choices, NULL);
    f->m = small_matcher(f->g, f->v);
}

static void tear_down(struct fixture *f)
{
    sortes_matcher_free(f->m);
    sortes_grammar_free(f->g);
    sortes_vocab_free(f->v);
}

static void the_first_tokens_spell_the_prefix(void **state)
{
    struct fixture f;
    int32_t list[8];
    size_t n;

    (void)state;
    set_up(&f, "low\nlot", NULL);
    assert_int_equal(sortes_matcher_heal(f.m, "hel", 3), SORTES_OK);
    small_check_mask(f.m, f.v);
    assert_int_equal(sortes_matcher_allowed(f.m, list, 8, &n), SORTES_OK);
    assert_int_equal(n, 3); /* h, hel, hello: the text goes on with "lo" */
    assert_int_equal(list[0], 'h');
    assert_int_equal(list[1], HEL);
    assert_int_equal(list[2], HELLO);
    assert_int_equal(sortes_matcher_is_accepting(f.m), 0);
    small_advance(f.m, f.v, "hellow");
    assert_int_equal(sortes_matcher_is_accepting(f.m), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 2), SORTES_OK);
    small_check_mask(f.m, f.v);
    small_advance(f.m, f.v, "hel");
    small_advance(f.m, f.v, "lot");
    tear_down(&f);
}

static void a_prefix_is_forced(void **state)
{
    struct fixture f;
    char bytes[16];
    size_t n;

    (void)state;
    set_up(&f, "low", NULL);
    assert_int_equal(sortes_matcher_heal(f.m, "hel", 3), SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "h", 1, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_forced(f.m, bytes, sizeof(bytes), &n),
                     SORTES_OK);
    assert_int_equal(n, 5);
    assert_memory_equal(bytes, "ellow", 5);
    tear_down(&f);
}

static void only_the_start_can_heal_or_think(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, "low", "x");
    assert_int_equal(sortes_matcher_heal(f.m, "", 0), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_heal(f.m, "hex", 3), SORTES_E_EMPTY);
    assert_int_equal(sortes_matcher_heal(f.m, "he", 2), SORTES_OK);
    assert_int_equal(sortes_matcher_heal(f.m, "he", 2), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_think(f.m, "x", 1), SORTES_E_ARGUMENT);
    tear_down(&f);
    set_up(&f, "low", NULL);
    small_advance(f.m, f.v, "l");
    assert_int_equal(sortes_matcher_think(f.m, "x", 1), SORTES_E_ARGUMENT);
    tear_down(&f);
}

/* Anything may be thought, and what follows the tag obeys. */
static void thoughts_are_free_until_the_tag(void **state)
{
    struct fixture f;
    int32_t list[300];
    size_t n;

    (void)state;
    set_up(&f, "low\nab", NULL);
    assert_int_equal(sortes_matcher_think(f.m, "</think>", 8), SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(f.m), 0);
    assert_int_equal(sortes_matcher_allowed(f.m, list, 300, &n), SORTES_OK);
    assert_int_equal(n, 256 + SRT_COUNT(start_tokens));
    small_advance(f.m, f.v, "zz <</th");
    assert_int_equal(sortes_matcher_wants_mask(f.m), 0);
    small_advance(f.m, f.v, "i");
    /* "nk>z" would close the tag and go on wrongly. */
    assert_int_equal(sortes_matcher_wants_mask(f.m), 1);
    assert_int_equal(sortes_matcher_allows(f.m, CROSS), 1);
    assert_int_equal(sortes_matcher_allows(f.m, CROSS_BAD), 0);
    assert_int_equal(sortes_matcher_allows(f.m, SPECIAL), 1);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ CROSS }, 1, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(f.m), 1);
    assert_int_equal(sortes_matcher_allowed(f.m, list, 300, &n), SORTES_OK);
    assert_int_equal(n, 1);
    assert_int_equal(list[0], 'b');
    tear_down(&f);
}

static void a_special_token_may_be_the_tag(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, "low", NULL);
    assert_int_equal(sortes_matcher_think(f.m, "</think>", 8), SORTES_OK);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ 'q', CLOSE }, 2, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_allows(f.m, 'q'), 0);
    small_advance(f.m, f.v, "low");
    assert_int_equal(sortes_matcher_is_accepting(f.m), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 2), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(f.m, 'q'), 1);
    sortes_matcher_reset(f.m);
    assert_int_equal(sortes_matcher_wants_mask(f.m), 0);
    tear_down(&f);
}

/* A tag that begins anew inside itself is found: "aab" in "aaab". */
static void a_tag_may_overlap_itself(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, "low", NULL);
    assert_int_equal(sortes_matcher_think(f.m, "aab", 3), SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "xaaablow", 8, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_is_accepting(f.m), 1);
    tear_down(&f);
}

/* An end token may come while the grammar sleeps; there is no text then. */
static void an_end_in_the_thinking_is_no_text(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, "low", NULL);
    assert_int_equal(sortes_matcher_think(f.m, "</think>", 8), SORTES_OK);
    small_advance(f.m, f.v, "z");
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ END }, 1, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_is_finished(f.m), 1);
    assert_int_equal(sortes_matcher_is_accepting(f.m), 0);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_tokens_spell_the_prefix),
        cmocka_unit_test(a_prefix_is_forced),
        cmocka_unit_test(only_the_start_can_heal_or_think),
        cmocka_unit_test(thoughts_are_free_until_the_tag),
        cmocka_unit_test(a_special_token_may_be_the_tag),
        cmocka_unit_test(a_tag_may_overlap_itself),
        cmocka_unit_test(an_end_in_the_thinking_is_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
