/*
 * test_samples.c - tests of cli/samples.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void writes(struct samples *s, const char *want)
{
    FILE *file = tmpfile();
    struct json_out j;
    char text[256];

    assert_non_null(file);
    json_out_init(&j, file);
    samples_write(s, "t", &j);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
    samples_free(s);
}

static void samples_are_ranked(void **state)
{
    struct samples s = { 0 };

    (void)state;
    for (uint64_t i = 2000; i > 0; i--)
        samples_add(&s, i * 1000);
    writes(&s, "\"t\":{\"p50\":1001.000,\"p99\":1981.000,\"p999\":1999.000,"
               "\"max\":2000.000,\"mean\":1000.500,\"n\":2000}");
    samples_add(&s, 1234);
    writes(&s, "\"t\":{\"p50\":1.234,\"p99\":1.234,\"p999\":1.234,"
               "\"max\":1.234,\"mean\":1.234,\"n\":1}");
}

static void samples_may_be_none(void **state)
{
    struct samples s = { 0 };

    (void)state;
    writes(&s, "\"t\":{\"p50\":null,\"p99\":null,\"p999\":null,"
               "\"max\":null,\"mean\":null,\"n\":0}");
}

static void samples_clock_goes_forward(void **state)
{
    const uint64_t begin = samples_now();

    (void)state;
    assert_true(samples_now() >= begin);
    assert_true(begin > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_ranked),
        cmocka_unit_test(samples_may_be_none),
        cmocka_unit_test(samples_clock_goes_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
