/*
 * test_greedy.c - tests of cli/greedy.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "greedy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static sortes_vocab *vocab;
static struct greedy *greedy;

static int prepare(void **state)
{
    static const char *const bytes[] = { "a", "ab", "abcd", "<s>", "",
                                         "b", "ab", "\xFF", "c" };
    static const uint32_t flags[9] = { [3] = SORTES_TOKEN_CONTROL };
    size_t n[9];
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = 9,
                               .bytes = bytes,
                               .n_bytes = n,
                               .flags = flags };

    (void)state;
    for (size_t i = 0; i < 9; i++)
        n[i] = strlen(bytes[i]);
    assert_int_equal(sortes_vocab_new(&vocab, &desc, NULL), SORTES_OK);
    greedy = greedy_new(vocab);
    assert_non_null(greedy);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    greedy_free(greedy);
    sortes_vocab_free(vocab);
    return 0;
}

static void greedy_takes_the_longest(void **state)
{
    static const struct {
        const char *text;
        int32_t token;
        size_t n;
    } rows[] = {
        { "abcde", 2, 4 },  { "abce", 1, 2 }, { "ac", 0, 1 },
        { "<s>", -1, 0 },   { "", -1, 0 },    { "\xFF", 7, 1 },
        { "dabcd", -1, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t n = 99;

        assert_int_equal(
            greedy_next(greedy, rows[i].text, strlen(rows[i].text), &n),
            rows[i].token);
        assert_int_equal(n, rows[i].n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_takes_the_longest),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
