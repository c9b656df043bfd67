/*
 * test_mt19937.c - the generator by position, beside std::mt19937's answers
 *
 * Recorded answers: std::mt19937 and std::generate_canonical<double, 53> of
 * libstdc++ 12; with a C++ compiler at hand the living library is asked too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/mt19937.h"

#include "numeric/bits.h"
#include "support/cxx.h"
#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_FIRST = 3, REACH = SRT_MT_RING - 1 };

static const struct recorded_seed {
    uint32_t seed;
    uint32_t first[N_FIRST]; /* words 0, 1, 2 */
    uint32_t word_1999;
    double first_double;
} recorded[] = {
    { 5489u,
      { 3499211612u, 581869302u, 3890346734u },
      3949147603u,
      0x1.1574f7b6848dep-3 },
    { 0u,
      { 2357136044u, 2546248239u, 3071714933u },
      3856691381u,
      0x1.2f89545f18fe1p-1 },
    { 1u,
      { 1791095845u, 4282876139u, 3093770124u },
      138279050u,
      0x1.fe8f01d6d583fp-1 },
    { 42u,
      { 1608637542u, 3421126067u, 4083286876u },
      2238969328u,
      0x1.97d47b66bfc3cp-1 },
    { 2147483648u,
      { 652847386u, 1439962116u, 3524204305u },
      2886966172u,
      0x1.575050109ba6ap-2 },
    { 4294967294u,
      { 2236247450u, 437438088u, 2243395601u },
      1127802083u,
      0x1.a12c688854a6ep-4 },
    { 4294967295u,
      { 419326371u, 479346978u, 3918654476u },
      1762272365u,
      0x1.c92412218fe6ap-4 },
};

static void word_number_10000_of_seed_5489_is_the_standards(void **state)
{
    struct srt_mt19937 g;

    (void)state;
    srt_mt19937_seed(&g, 5489u);
    /* [rand.predef] of the C++ standard: the 10,000th invocation */
    assert_int_equal(srt_mt19937_word(&g, 9999), 4123659995u);
}

static void word_has_the_recorded_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(recorded); i++) {
        struct srt_mt19937 g;

        srt_mt19937_seed(&g, recorded[i].seed);
        for (size_t j = 0; j < N_FIRST; j++)
            assert_int_equal(srt_mt19937_word(&g, j), recorded[i].first[j]);
        assert_int_equal(srt_mt19937_word(&g, 1999), recorded[i].word_1999);
    }
}

static void double_has_the_recorded_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(recorded); i++) {
        struct srt_mt19937 g;
        uint64_t position = 0;

        srt_mt19937_seed(&g, recorded[i].seed);
        assert_true(srt_mt19937_double(&g, &position) ==
                    recorded[i].first_double);
        assert_int_equal(position, 2);
    }
}

/* The oracle's file: two lines a seed. */
static void compare_with_file(FILE *file, uint32_t seed)
{
    struct srt_mt19937 g;
    uint64_t position = 0;
    unsigned long word;
    unsigned long long bits;
    char text[32], *end;

    srt_mt19937_seed(&g, seed);
    for (uint64_t i = 0; i < 2000; i++) {
        assert_int_equal(fscanf(file, "%lu", &word), 1);
        assert_int_equal(srt_mt19937_word(&g, i), word);
    }
    srt_mt19937_seed(&g, seed);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(fscanf(file, "%31s", text), 1);
        if (i == 0 && strcmp(text, "-") == 0)
            return;
        bits = strtoull(text, &end, 16);
        assert_true(*end == '\0');
        assert_true(srt_bits64(srt_mt19937_double(&g, &position)) == bits);
    }
}

static void words_and_doubles_equal_the_standard_librarys(void **state)
{
    char arguments[1024];
    size_t n = 0;
    FILE *file;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(recorded); i++)
        n += (size_t)snprintf(arguments + n, sizeof(arguments) - n, "%lu ",
                              (unsigned long)recorded[i].seed);
    (void)snprintf(arguments + n, sizeof(arguments) - n, ">words.txt");
    if (!cxx_run(SORTES_ROOT "/tests/random/mt19937_oracle.cpp", arguments))
        skip();
    file = fopen("words.txt", "r");
    assert_non_null(file);
    for (size_t i = 0; i < SRT_COUNT(recorded); i++)
        compare_with_file(file, recorded[i].seed);
    fclose(file);
}

static void word_is_the_same_when_asked_twice(void **state)
{
    struct srt_mt19937 g;

    (void)state;
    srt_mt19937_seed(&g, 7);
    for (uint64_t i = 0; i < 3000; i++) {
        const uint32_t word = srt_mt19937_word(&g, i);

        assert_int_equal(srt_mt19937_word(&g, i), word);
    }
}

static void word_does_not_depend_on_the_way_to_it(void **state)
{
    struct rows_random r = { 3 };
    struct srt_mt19937 g, straight;
    uint64_t furthest = 0;
    static uint32_t words[20000];

    (void)state;
    srt_mt19937_seed(&straight, 99);
    for (size_t i = 0; i < SRT_COUNT(words); i++)
        words[i] = srt_mt19937_word(&straight, i);
    srt_mt19937_seed(&g, 99);
    while (furthest + 700 < SRT_COUNT(words)) {
        const uint64_t back = rows_below(&r, REACH + 1);
        const uint64_t ahead =
            rows_below(&r, 8) ? rows_below(&r, 4) : rows_below(&r, 700);
        uint64_t at = furthest > back ? furthest - back : 0;

        assert_int_equal(srt_mt19937_word(&g, at), words[at]);
        at = furthest + ahead;
        assert_int_equal(srt_mt19937_word(&g, at), words[at]);
        furthest = at;
    }
}

static void word_goes_back_as_far_as_documented(void **state)
{
    struct srt_mt19937 g, fresh;

    (void)state;
    for (uint64_t furthest = REACH; furthest < 5000; furthest += 613) {
        srt_mt19937_seed(&g, 11);
        (void)srt_mt19937_word(&g, furthest);
        assert_true(srt_mt19937_reaches(&g, furthest - REACH));
        if (furthest > REACH)
            assert_false(srt_mt19937_reaches(&g, furthest - REACH - 1));
        for (uint64_t at = furthest - REACH; at <= furthest; at++) {
            srt_mt19937_seed(&fresh, 11);
            if (at % 50 == 0 || at == furthest - REACH)
                assert_int_equal(srt_mt19937_word(&g, at),
                                 srt_mt19937_word(&fresh, at));
        }
    }
}

static void generators_are_independent(void **state)
{
    struct srt_mt19937 a, b, alone;

    (void)state;
    srt_mt19937_seed(&a, 1);
    srt_mt19937_seed(&b, 2);
    srt_mt19937_seed(&alone, 2);
    for (uint64_t i = 0; i < 2000; i++) {
        (void)srt_mt19937_word(&a, i);
        assert_int_equal(srt_mt19937_word(&b, i), srt_mt19937_word(&alone, i));
    }
}

static void copy_goes_on_like_the_original(void **state)
{
    struct srt_mt19937 a, b;

    (void)state;
    srt_mt19937_seed(&a, 5);
    (void)srt_mt19937_word(&a, 1234);
    b = a;
    for (uint64_t i = 1235; i < 4000; i++)
        assert_int_equal(srt_mt19937_word(&a, i), srt_mt19937_word(&b, i));
}

/* The term whose tempered word is y: every step of the tempering undone, a
 * shift's worth of bits at a time. */
static uint32_t untempered(uint32_t y)
{
    uint32_t x;

    y ^= y >> 18;
    y ^= (y << 15) & 0xefc60000u;
    x = y;
    for (int i = 0; i < 5; i++)
        x = y ^ ((x << 7) & 0x9d2c5680u);
    y = x;
    for (int i = 0; i < 3; i++)
        x = y ^ (x >> 11);
    return x;
}

/* A generator whose first two words are these. */
static double double_from(uint32_t low, uint32_t high)
{
    struct srt_mt19937 g = { .n_terms = SRT_MT_TERMS + 2 };
    uint64_t position = 0;

    g.x[SRT_MT_TERMS] = untempered(low);
    g.x[SRT_MT_TERMS + 1] = untempered(high);
    assert_int_equal(srt_mt19937_word(&g, 0), low);
    assert_int_equal(srt_mt19937_word(&g, 1), high);
    return srt_mt19937_double(&g, &position);
}

static void double_takes_its_low_word_first(void **state)
{
    (void)state;
    assert_true(double_from(0, 0) == 0.0);
    assert_true(double_from(1, 0) == 0x1p-64);
    assert_true(double_from(0, 1) == 0x1p-32);
    assert_true(double_from(0x80000000u, 0) == 0x1p-33);
    assert_true(double_from(0, 0x80000000u) == 0.5);
    assert_true(double_from(3, 0x12345678u) == 0x1.23456780000000cp-4);
}

static void double_is_rounded_once(void **state)
{
    (void)state;
    /* 64 bits to 53: the last eleven decide */
    assert_true(double_from(0x00000400u, 0x80000000u) == 0.5);
    assert_true(double_from(0x00000401u, 0x80000000u) == 0.5 + 0x1p-53);
    assert_true(double_from(0x00000c00u, 0x80000000u) == 0.5 + 0x1p-52);
}

static void double_stays_below_one(void **state)
{
    (void)state;
    assert_true(double_from(0xffffffffu, 0xffffffffu) == 0x1.fffffffffffffp-1);
    /* the least that rounds to 1, and the largest that does not */
    assert_true(double_from(0xfffffc00u, 0xffffffffu) == 0x1.fffffffffffffp-1);
    assert_true(double_from(0xfffffbffu, 0xffffffffu) == 0x1.fffffffffffffp-1);
    assert_true(double_from(0xfffff400u, 0xffffffffu) == 0x1.ffffffffffffep-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(word_number_10000_of_seed_5489_is_the_standards),
        cmocka_unit_test(word_has_the_recorded_values),
        cmocka_unit_test(double_has_the_recorded_values),
        cmocka_unit_test(words_and_doubles_equal_the_standard_librarys),
        cmocka_unit_test(word_is_the_same_when_asked_twice),
        cmocka_unit_test(word_does_not_depend_on_the_way_to_it),
        cmocka_unit_test(word_goes_back_as_far_as_documented),
        cmocka_unit_test(generators_are_independent),
        cmocka_unit_test(copy_goes_on_like_the_original),
        cmocka_unit_test(double_takes_its_low_word_first),
        cmocka_unit_test(double_is_rounded_once),
        cmocka_unit_test(double_stays_below_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
