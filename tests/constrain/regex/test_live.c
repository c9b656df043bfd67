/*
 * test_live.c - every state is alive, and alive alone: against direct
 * evaluation
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"
#include "support/regex_naive.h"

/* Every tree of one operator over one operator over leaves. */
static const enum naive_kind leaf_kinds[] = {
    NAIVE_CHAR,  NAIVE_NOT_CHAR, NAIVE_WORD,     NAIVE_EMPTY,
    NAIVE_START, NAIVE_END,      NAIVE_BOUNDARY, NAIVE_NO_BOUNDARY
};

struct shape {
    enum naive_kind kind;
    uint32_t min, max;
};

static const struct shape shapes[] = {
    { NAIVE_REPEAT, 0, 0 },    { NAIVE_REPEAT, 1, 0 },
    { NAIVE_REPEAT, 0, 1 },    { NAIVE_REPEAT, 1, 2 },
    { NAIVE_REPEAT, 2, 2 },    { NAIVE_AHEAD, 0, 0 },
    { NAIVE_NOT_AHEAD, 0, 0 }, { NAIVE_BEHIND, 0, 0 },
    { NAIVE_NOT_BEHIND, 0, 0 }
};

static struct naive leaf(enum naive_kind kind, uint32_t code)
{
    return (struct naive){ .kind = kind, .code = code };
}

static bool may_be_behind(const struct naive *x)
{
    return x->kind < NAIVE_START;
}

/* l (op m) and (op m) l, for all l, m and op; and op (l m), op (l|m). */
static void check_shape(const struct shape *s, const struct naive *l,
                        const struct naive *m)
{
    const bool behind = s->kind >= NAIVE_BEHIND;
    const struct naive op = {
        .kind = s->kind, .min = s->min, .max = s->max, .x = m
    };
    const struct naive after = { .kind = NAIVE_CAT, .x = l, .y = &op };
    const struct naive before = { .kind = NAIVE_CAT, .x = &op, .y = l };

    if (!behind || may_be_behind(m)) {
        naive_check(&after, "a-", 3);
        naive_check(&before, "a-", 3);
    }
    for (int k = 0; k < 2; k++) {
        const struct naive both = { .kind = k ? NAIVE_OR : NAIVE_CAT,
                                    .x = l,
                                    .y = m };
        const struct naive over = {
            .kind = s->kind, .min = s->min, .max = s->max, .x = &both
        };
        const struct naive dot = leaf(NAIVE_DOT, 0);
        const struct naive tail = { .kind = NAIVE_CAT, .x = &over, .y = &dot };
        const struct naive front = { .kind = NAIVE_CAT, .x = &dot, .y = &over };

        if (behind && !(may_be_behind(l) && may_be_behind(m)))
            continue;
        naive_check(&tail, "a-", 3);
        naive_check(&front, "a-", 3);
    }
}

static void all_small_patterns(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(leaf_kinds); i++) {
        for (size_t k = 0; k < SRT_COUNT(leaf_kinds); k++) {
            const struct naive l = leaf(leaf_kinds[i], 'a');
            const struct naive m = leaf(leaf_kinds[k], '-');

            for (size_t s = 0; s < SRT_COUNT(shapes); s++)
                check_shape(&shapes[s], &l, &m);
        }
    }
}

static void random_patterns(void **state)
{
    struct naive_forest f = { .random = 20240229, .letters = "ab-" };

    (void)state;
    for (int i = 0; i < 2500; i++)
        naive_check(naive_grow(&f, 2 + i % 12), "ab-", 4);
}

/* Loops whose bodies hold loops whose bodies look around. */
static void loops_in_loops(void **state)
{
    static const char *const patterns[] = {
        "(?:(?:(?:a|\\b)*|(?=b))*|(?!c))*", "(?:(?=(?:(?=(?:(?=a).)*).)*).)*",
        "(?:(?:\\b|a)*(?:\\B|b)*)*c",       "(?:(?:(?!ab)[ab])*(?:(?<=b)c)?)*",
        "(?:(?:^|-)(?:(?!-)[^])+)*",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(patterns); i++) {
        struct regex_check r;
        char text[64];

        regex_open(&r, patterns[i]);
        assert_true(regex_complete(&r, r.start, "abc-", text, sizeof(text)) >=
                    0);
        regex_close(&r);
    }
    assert_true(regex_matches(patterns[0], "aa"));
    assert_false(regex_matches(patterns[0], "ab"));
    assert_true(regex_matches(patterns[1], "aaa"));
    assert_false(regex_matches(patterns[1], "a\n"));
    assert_true(regex_matches(patterns[3], "abbc") == false);
    assert_true(regex_matches(patterns[3], "bbcbac") == false);
    assert_true(regex_matches(patterns[3], "bbcba"));
    assert_true(regex_matches(patterns[4], "ab-ba"));
    assert_false(regex_matches(patterns[4], "ab--ba"));
}

/* What is not empty by its form, and is empty all the same. */
static void empty_languages_are_seen(void **state)
{
    static const char *const patterns[] = {
        "(?=a)b",
        "(?!)",
        "a(?!a|b)(?=[ab])c?",
        "(?=a.*b)(?!.*b).*",
        "\\b(?<=-)b\\B$",
        "(?=.{3})..",
        "(?=(?:..)*$)(?!(?:..)*$).*",
        "(?<=a)b",
        "a(?<!a)b",
        "\\B\\ba",
        "(?=a*$)(?=b*$).+",
        "^a^b",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(patterns); i++) {
        struct regex_check r;

        regex_open(&r, patterns[i]);
        if (r.start)
            fail_msg("%s has a start", patterns[i]);
        regex_close(&r);
    }
}

/* A search that does not end in sight is a status, and again a status. */
static void a_budget_ends_the_search(void **state)
{
    const struct srt_regex_limits few = { 500, 64 << 20, 0 };
    struct srt_book *b;
    srt_regex x;
    uint32_t s = 77;

    (void)state;
    assert_int_equal(srt_book_new(&b, &few), SORTES_OK);
    x = regex_parsed(b, "(?=[ab]*a[ab]{12}c$)(?![ab]*b[ab]{12}c$)[ab]*c(?!c)d?"
                        "(?<!c)");
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_E_LIMIT);
    assert_int_equal(s, 77);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_E_LIMIT);
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_patterns),
        cmocka_unit_test(random_patterns),
        cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(empty_languages_are_seen),
        cmocka_unit_test(a_budget_ends_the_search),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
