/*
 * test_samplers.c - names and letters of llama.cpp's samplers
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/samplers.h"

#include "compiler.h"

#include <string.h>

static const struct {
    const char *spelling, *name; /* NULL: llama.cpp knows none */
} name_rows[] = {
    { "penalties", "penalties" },
    { "dry", "dry" },
    { "top_n_sigma", "top_n_sigma" },
    { "top-n-sigma", "top_n_sigma" },
    { "topnsigma", "top_n_sigma" },
    { "top_n-sigma", NULL },
    { "top_k", "top_k" },
    { "Top-K", "top_k" },
    { "TOPK", "top_k" },
    { "typ_p", "typ_p" },
    { "typ", "typ_p" },
    { "typical", NULL },
    { "typical_p", NULL },
    { "top_p", "top_p" },
    { "nucleus", "top_p" },
    { "min_p", "min_p" },
    { "minp", "min_p" },
    { "xtc", "xtc" },
    { "temperature", "temperature" },
    { "Temp", "temperature" },
    { "infill", "infill" },
    { "adaptive_p", "adaptive_p" },
    { "adaptivep", "adaptive_p" },
    { "logit_bias", NULL },
    { "mirostat", NULL },
    { "dist", NULL },
    { "greedy", NULL },
    { "top k", NULL },
    { "penaltie", NULL },
    { "penaltiess", NULL },
    { "", NULL },
};

static void samplers_have_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(name_rows); i++) {
        const char *spelling = name_rows[i].spelling;
        struct srt_string_list list = { 0 };
        const char *got;

        assert_true(srt_samplers_add_name(&list, spelling, strlen(spelling)));
        assert_true(list.n <= 1);
        got = list.n > 0 ? list.items[0] : NULL;
        if ((got == NULL) != (name_rows[i].name == NULL) ||
            (got != NULL && strcmp(got, name_rows[i].name) != 0))
            fail_msg("%s: %s", spelling, got ? got : "none");
        srt_strings_clear(&list);
    }
}

static void samplers_have_letters(void **state)
{
    struct srt_string_list list = { 0 };

    (void)state;
    assert_true(srt_samplers_add_letters(&list, "edskypmxtia", 11));
    assert_int_equal(list.n, 11);
    assert_string_equal(list.items[0], "penalties");
    assert_string_equal(list.items[4], "typ_p");
    assert_string_equal(list.items[10], "adaptive_p");
    srt_strings_clear(&list);
    assert_true(srt_samplers_add_letters(&list, "k?T\0zk", 6));
    assert_int_equal(list.n, 2);
    assert_string_equal(list.items[1], "top_k");
    srt_strings_clear(&list);
}

static void samplers_skip_unknown_names_as_llama_cpp_does(void **state)
{
    struct srt_string_list list = { 0 };
    static const char names[] = ";bogus;topk;;typical_p;temp";

    (void)state;
    assert_true(srt_samplers_add_names(&list, names, strlen(names)));
    assert_int_equal(list.n, 2);
    assert_string_equal(list.items[0], "top_k");
    assert_string_equal(list.items[1], "temperature");
    srt_strings_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_have_names),
        cmocka_unit_test(samplers_have_letters),
        cmocka_unit_test(samplers_skip_unknown_names_as_llama_cpp_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
