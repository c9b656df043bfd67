/*
 * test_json_out.c - tests of cli/json_out.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every test writes into a file of its own and compares its bytes. */
struct page {
    FILE *file;
    struct json_out j;
};

static void page_open(struct page *p)
{
    p->file = tmpfile();
    assert_non_null(p->file);
    json_out_init(&p->j, p->file);
}

static void page_holds(struct page *p, const char *expected)
{
    char text[512];

    rewind(p->file);
    const size_t n = fread(text, 1, sizeof(text) - 1, p->file);
    text[n] = '\0';
    fclose(p->file);
    assert_string_equal(text, expected);
}

static void json_out_sets_commas_and_colons(void **state)
{
    struct page p;
    (void)state;

    page_open(&p);
    json_out_open(&p.j, '{');
    json_out_key(&p.j, "a");
    json_out_open(&p.j, '[');
    json_out_integer(&p.j, -1);
    json_out_unsigned(&p.j, UINT64_MAX);
    json_out_open(&p.j, '{');
    json_out_close(&p.j, '}');
    json_out_close(&p.j, ']');
    json_out_key(&p.j, "b");
    json_out_raw(&p.j, "true");
    json_out_close(&p.j, '}');
    json_out_end(&p.j);
    json_out_integer(&p.j, INT64_MIN);
    page_holds(&p, "{\"a\":[-1,18446744073709551615,{}],\"b\":true}\n"
                   "-9223372036854775808");
}

static void json_out_escapes_strings(void **state)
{
    static const char text[] = "q\" b\\ \b\f\n\r\t \x01\x1F\x7F \0 /\xC3\xA9";
    struct page p;
    (void)state;

    page_open(&p);
    json_out_string(&p.j, text, sizeof(text) - 1);
    page_holds(&p, "\"q\\\" b\\\\ \\b\\f\\n\\r\\t \\u0001\\u001f\\u007f "
                   "\\u0000 /\xC3\xA9\"");
}

static void json_out_keeps_strings_valid_utf8(void **state)
{
    struct page p;
    (void)state;

    page_open(&p);
    json_out_string(&p.j, "a\xFF\xE2\x82", 4);
    page_holds(&p, "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void json_out_writes_null_for_what_json_lacks(void **state)
{
    struct page p;
    (void)state;

    page_open(&p);
    json_out_open(&p.j, '[');
    json_out_float(&p.j, -HUGE_VALF);
    json_out_double(&p.j, (double)NAN);
    json_out_close(&p.j, ']');
    page_holds(&p, "[null,null]");
}

static void json_format_float_is_short(void **state)
{
    static const struct {
        float x;
        const char *text;
    } cases[] = {
        { 0.1f, "0.1" },     { 0.8f, "0.8" },
        { 1.0f, "1" },       { -0.0f, "-0" },
        { 1e10f, "1e+10" },  { 16777216.0f, "16777216" },
        { 1e-45f, "1e-45" }, { FLT_MAX, "3.4028235e+38" },
        { 0.3f, "0.3" },     { 1.17549435e-38f, "1.1754944e-38" },
    };
    char text[32];
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_format_float(text, sizeof(text), cases[i].x);
        assert_string_equal(text, cases[i].text);
    }
}

static void json_format_float_reads_back_to_the_same_bits(void **state)
{
    uint32_t bits = 1;
    char text[32];
    (void)state;

    for (int i = 0; i < 20000; i++) {
        float x, y;
        bits = bits * 1664525u + 1013904223u;
        memcpy(&x, &bits, sizeof(x));
        if (!isfinite(x))
            continue;
        json_format_float(text, sizeof(text), x);
        y = strtof(text, NULL);
        assert_memory_equal(&x, &y, sizeof(x));
    }
}

static void json_format_double_reads_back_to_the_same_bits(void **state)
{
    uint64_t bits = 1;
    char text[32];
    (void)state;

    for (int i = 0; i < 20000; i++) {
        double x, y;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&x, &bits, sizeof(x));
        if (!isfinite(x))
            continue;
        json_format_double(text, sizeof(text), x);
        y = strtod(text, NULL);
        assert_memory_equal(&x, &y, sizeof(x));
    }
    json_format_double(text, sizeof(text), 0.1);
    assert_string_equal(text, "0.1");
    json_format_double(text, sizeof(text), 5e-324);
    assert_string_equal(text, "5e-324");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_out_sets_commas_and_colons),
        cmocka_unit_test(json_out_escapes_strings),
        cmocka_unit_test(json_out_keeps_strings_valid_utf8),
        cmocka_unit_test(json_out_writes_null_for_what_json_lacks),
        cmocka_unit_test(json_format_float_is_short),
        cmocka_unit_test(json_format_float_reads_back_to_the_same_bits),
        cmocka_unit_test(json_format_double_reads_back_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
