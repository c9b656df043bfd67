/*
 * test_matcher.c - the life of a matcher
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <string.h>

enum { ABC = 256, END, SPECIAL };

static const struct small_token matcher_tokens[] = {
    { "abc", 0, 0 },
    { "</s>", 0, SORTES_TOKEN_EOG },
    { "abc", 0, SORTES_TOKEN_CONTROL },
};

struct fixture {
    sortes_vocab *v;
    sortes_grammar *g;
    sortes_matcher *m;
};

static void set_up(struct fixture *f, const char *choices)
{
    f->v = small_vocab(NULL, matcher_tokens, SRT_COUNT(matcher_tokens));
    f->g = small_grammar("choice", choices, NULL);
    f->m = small_matcher(f->g, f->v);
}

static void tear_down(struct fixture *f)
{
    sortes_matcher_free(f->m);
    sortes_grammar_free(f->g);
    sortes_vocab_free(f->v);
}

static void advance_takes_all_tokens_or_none(void **state)
{
    struct fixture f;
    size_t n_ok;

    (void)state;
    set_up(&f, "abcabd");
    assert_int_equal(sortes_matcher_advance(
                         f.m, (const int32_t[]){ ABC, 'a', 'c' }, 3, &n_ok),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(n_ok, 2);
    assert_int_equal(sortes_matcher_allows(f.m, ABC), 1); /* not moved */
    assert_int_equal(sortes_matcher_advance(
                         f.m, (const int32_t[]){ ABC, 'a', 'b' }, 3, &n_ok),
                     SORTES_OK);
    assert_int_equal(n_ok, 3);
    assert_int_equal(sortes_matcher_allows(f.m, 'd'), 1);
    assert_int_equal(sortes_matcher_allows(f.m, 'c'), 0);
    tear_down(&f);
}

static void bytes_that_cannot_come_are_counted(void **state)
{
    struct fixture f;
    size_t n_ok;

    (void)state;
    set_up(&f, "abcabd");
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "abcX", 4, &n_ok),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(n_ok, 3);
    assert_int_equal(sortes_matcher_allows(f.m, 'a'), 1);
    assert_int_equal(sortes_matcher_allows(f.m, 'c'), 0);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "", 0, &n_ok),
                     SORTES_OK);
    assert_int_equal(n_ok, 0);
    tear_down(&f);
}

static void rollback_goes_back_token_by_token(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f, "abcabd\nabcxyz");
    assert_int_equal(
        sortes_matcher_advance(
            f.m, (const int32_t[]){ ABC, 'a', 'b', 'd', END }, 5, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_is_finished(f.m), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 6), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_rollback(f.m, 1), SORTES_OK);
    assert_int_equal(sortes_matcher_is_finished(f.m), 0);
    assert_int_equal(sortes_matcher_is_accepting(f.m), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 3), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(f.m, 'x'), 1);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "xyz", 3, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_is_accepting(f.m), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 2), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(f.m, ABC), 1);
    tear_down(&f);
}

static void clones_part_ways(void **state)
{
    struct fixture f;
    sortes_matcher *other;

    (void)state;
    set_up(&f, "abcabd\nabcxyz");
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ ABC }, 1, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_clone(&other, f.m), SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(other, "xy", 2, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "ab", 2, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_allows(other, 'z'), 1);
    assert_int_equal(sortes_matcher_allows(f.m, 'd'), 1);
    assert_int_equal(sortes_matcher_allows(f.m, 'z'), 0);
    sortes_matcher_reset(other);
    assert_int_equal(sortes_matcher_allows(other, ABC), 1);
    assert_int_equal(sortes_matcher_rollback(f.m, 2), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(f.m, ABC), 1);
    sortes_matcher_free(other);
    tear_down(&f);
}

/* A special token does not match by its spelling; an end token ends, and
 * after it nothing else comes. */
static void special_tokens_do_not_spell(void **state)
{
    struct fixture f;
    int32_t list[4];
    size_t n;

    (void)state;
    set_up(&f, "abc\nabcd");
    assert_int_equal(sortes_matcher_allows(f.m, SPECIAL), 0);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ SPECIAL }, 1, NULL),
        SORTES_E_NO_TOKEN);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ END }, 1, NULL),
        SORTES_E_NO_TOKEN);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ ABC, END }, 2, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_allowed(f.m, list, 4, &n), SORTES_OK);
    assert_int_equal(n, 1);
    assert_int_equal(list[0], END);
    assert_int_equal(sortes_matcher_allows(f.m, 'd'), 0);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ 'd' }, 1, NULL),
        SORTES_E_NO_TOKEN);
    tear_down(&f);
}

static void arguments_are_checked(void **state)
{
    struct fixture f;
    uint32_t words[9];
    sortes_matcher *by_bytes;

    (void)state;
    set_up(&f, "abc");
    assert_int_equal(sortes_matcher_allows(f.m, -1), -SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_allows(f.m, 259), -SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ 259 }, 1, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_mask(f.m, words, 8), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_mask(f.m, NULL, 9), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_mask(f.m, words, 9), SORTES_OK);
    by_bytes = small_matcher(f.g, NULL);
    assert_int_equal(sortes_matcher_mask(by_bytes, words, 9),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_allows(by_bytes, 'a'), -SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_advance_bytes(by_bytes, "abc", 3, NULL),
                     SORTES_OK);
    sortes_matcher_free(by_bytes);
    tear_down(&f);
}

static void a_list_says_how_many_there_are(void **state)
{
    struct fixture f;
    int32_t list[2] = { -7, -7 };
    size_t n;

    (void)state;
    set_up(&f, "abc\nb\nx\nz");
    assert_int_equal(sortes_matcher_allowed(f.m, list, 1, &n), SORTES_OK);
    assert_int_equal(n, 5);        /* a b x z abc */
    assert_int_equal(list[0], -7); /* too little room: the number alone */
    assert_int_equal(list[1], -7);
    tear_down(&f);
}

static void backwards(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                      void *job)
{
    (void)ctx;
    while (n-- > 0)
        fn(job, n);
}

static void a_batch_is_its_masks(void **state)
{
    struct fixture f;
    sortes_matcher *m[3];
    uint32_t words[3][9], alone[9];
    uint32_t *out[3] = { words[0], words[1], words[2] };
    sortes_status statuses[3];

    (void)state;
    set_up(&f, "abcabd\nabcxyz");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sortes_matcher_clone(&m[i], f.m), SORTES_OK);
        assert_int_equal(
            sortes_matcher_advance_bytes(m[i], "abcx", (size_t)i + 2, NULL),
            SORTES_OK);
    }
    assert_int_equal(
        sortes_matcher_mask_batch(m, out, 9, statuses, 3, backwards, NULL),
        SORTES_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(statuses[i], SORTES_OK);
        assert_int_equal(sortes_matcher_mask(m[i], alone, 9), SORTES_OK);
        assert_memory_equal(alone, words[i], sizeof(alone));
    }
    assert_int_equal(
        sortes_matcher_mask_batch(m, out, 1, statuses, 3, NULL, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(statuses[2], SORTES_E_ARGUMENT);
    for (int i = 0; i < 3; i++)
        sortes_matcher_free(m[i]);
    tear_down(&f);
}

/*
 * A machine with trails that knows tokens as well: SPECIAL stays where it is,
 * ABC is refused wherever its bytes lead, and no token ends behind a digit.
 */
static sortes_status special_step_token(struct srt_machine *m, uint32_t at,
                                        int32_t token, uint32_t by_bytes,
                                        uint32_t *next)
{
    (void)m;
    *next = token == SPECIAL ? at : token == ABC ? SRT_DEAD : by_bytes;
    return SORTES_OK;
}

static bool special_may_end(const struct srt_machine *m, uint32_t at)
{
    uint32_t next;

    /* Behind a digit, another one may follow. */
    return m->type->step((struct srt_machine *)(uintptr_t)m, at, '0', &next) !=
               SORTES_OK ||
           next != at;
}

static void what_a_token_leaves_of_a_trail(void **state)
{
    struct fixture f = { 0 };
    struct srt_machine_type type;
    const struct srt_trail *trail;
    size_t holders;

    (void)state;
    f.v = small_vocab(NULL, matcher_tokens, SRT_COUNT(matcher_tokens));
    f.g = small_grammar("json_object", NULL, NULL);
    type = *f.g->bytes->type;
    type.step_token = special_step_token;
    type.token_may_end = special_may_end;
    f.g->bytes->type = &type;
    f.m = small_matcher(f.g, f.v);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "{\"k\":1,\"", 8, NULL),
                     SORTES_OK);
    trail = f.m->place.trail;
    assert_non_null(trail);
    holders = trail->shared.holders;
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ SPECIAL }, 1, NULL),
        SORTES_OK);
    assert_ptr_equal(f.m->place.trail, trail);
    assert_int_equal(trail->shared.holders, holders + 1);
    assert_int_equal(sortes_matcher_allows(f.m, ABC), 0);
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ ABC }, 1, NULL),
        SORTES_E_NO_TOKEN);
    assert_int_equal(trail->shared.holders, holders + 1);
    assert_int_equal(sortes_matcher_advance_bytes(f.m, "x\":", 3, NULL),
                     SORTES_OK);
    trail = f.m->place.trail;
    holders = trail->shared.holders;
    assert_int_equal(
        sortes_matcher_advance(f.m, (const int32_t[]){ '1' }, 1, NULL),
        SORTES_E_NO_TOKEN);
    assert_int_equal(trail->shared.holders, holders);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advance_takes_all_tokens_or_none),
        cmocka_unit_test(bytes_that_cannot_come_are_counted),
        cmocka_unit_test(rollback_goes_back_token_by_token),
        cmocka_unit_test(clones_part_ways),
        cmocka_unit_test(special_tokens_do_not_spell),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_list_says_how_many_there_are),
        cmocka_unit_test(a_batch_is_its_masks),
        cmocka_unit_test(what_a_token_leaves_of_a_trail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
