/*
 * test_writer.c - JSON text, in a buffer that is given and one that grows
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_everything(struct srt_json_writer *w)
{
    srt_json_open(w, '{');
    srt_json_key(w, "a");
    srt_json_open(w, '[');
    srt_json_close(w, ']');
    srt_json_key(w, "b\"");
    srt_json_open(w, '[');
    srt_json_put_integer(w, INT64_MIN);
    srt_json_put_integer(w, 0);
    srt_json_put_integer(w, -7);
    srt_json_put_unsigned(w, UINT64_MAX);
    srt_json_put_double(w, 0.5);
    srt_json_put_double(w, HUGE_VAL);
    srt_json_put_double(w, -HUGE_VAL);
    srt_json_put_raw(w, "true");
    srt_json_open(w, '{');
    srt_json_close(w, '}');
    srt_json_put_string(w, "x", 1);
    srt_json_close(w, ']');
    srt_json_key(w, "c");
    srt_json_put_raw(w, "null");
    srt_json_close(w, '}');
}

static const char everything[] =
    "{\"a\":[],\"b\\\"\":[-9223372036854775808,0,-7,18446744073709551615,0.5,"
    "null,null,true,{},\"x\"],\"c\":null}";

static void writer_grows(void **state)
{
    struct srt_json_writer w;
    char *text;

    (void)state;
    srt_json_write_growing(&w);
    put_everything(&w);
    text = srt_json_write_end(&w);
    assert_string_equal(text, everything);
    assert_int_equal(w.n, strlen(everything));
    free(text);
}

static void writer_grows_far(void **state)
{
    struct srt_json_writer w;
    struct srt_json_document d;
    char *text;

    (void)state;
    srt_json_write_growing(&w);
    srt_json_open(&w, '[');
    for (int i = 0; i < 100000; i++)
        srt_json_put_integer(&w, i);
    srt_json_close(&w, ']');
    text = srt_json_write_end(&w);
    assert_int_equal(srt_json_read(&d, text, w.n, NULL), SORTES_OK);
    assert_int_equal(d.root->n, 100000);
    srt_json_free(&d);
    free(text);
}

/* Every size: cut, NUL-terminated, nothing behind the end touched. */
static void writer_fits_a_given_buffer(void **state)
{
    char out[sizeof(everything) + 8];
    struct srt_json_writer w;

    (void)state;
    for (size_t size = 0; size < sizeof(out); size++) {
        size_t kept = size > sizeof(everything) ? sizeof(everything) - 1
                      : size > 0                ? size - 1
                                                : 0;

        memset(out, 0x55, sizeof(out));
        srt_json_write_fixed(&w, size > 0 ? out : NULL, size);
        put_everything(&w);
        srt_json_write_end(&w);
        assert_int_equal(w.n, sizeof(everything) - 1);
        assert_memory_equal(out, everything, kept);
        if (size > 0)
            assert_int_equal(out[kept], 0);
        for (size_t i = size; i < sizeof(out); i++)
            assert_int_equal(out[i], 0x55);
    }
}

static void writer_writes_nothing_as_an_empty_text(void **state)
{
    struct srt_json_writer w;
    char *text;

    (void)state;
    srt_json_write_growing(&w);
    text = srt_json_write_end(&w);
    assert_string_equal(text, "");
    free(text);
}

static void writer_escapes_strings(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *text;
    } rows[] = {
        { "", 0, "\"\"" },
        { "a\"b\\c/", 6, "\"a\\\"b\\\\c/\"" },
        { "\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"" },
        { "\0\x01\x1F\x7F", 4, "\"\\u0000\\u0001\\u001f\x7F\"" },
        { "\xC3\xA9\xF0\x9F\x98\x80", 6, "\"\xC3\xA9\xF0\x9F\x98\x80\"" },
        { "a\xC3", 2, "\"a\xEF\xBF\xBD\"" },
        { "\xFF\xFE", 2, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },
        { "\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" },
    };
    struct srt_json_writer w;
    char out[100];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        srt_json_write_fixed(&w, out, sizeof(out));
        srt_json_put_string(&w, rows[i].bytes, rows[i].n);
        srt_json_write_end(&w);
        assert_string_equal(out, rows[i].text);
    }
}

static void writer_and_reader_agree(void **state)
{
    struct srt_json_document d;
    struct srt_json_writer w;
    char bytes[128], *text;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)i;
    srt_json_write_growing(&w);
    srt_json_put_string(&w, bytes, sizeof(bytes));
    text = srt_json_write_end(&w);
    assert_int_equal(srt_json_read(&d, text, w.n, NULL), SORTES_OK);
    assert_int_equal(d.root->n, sizeof(bytes));
    assert_memory_equal(d.root->text, bytes, sizeof(bytes));
    srt_json_free(&d);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_grows),
        cmocka_unit_test(writer_grows_far),
        cmocka_unit_test(writer_fits_a_given_buffer),
        cmocka_unit_test(writer_writes_nothing_as_an_empty_text),
        cmocka_unit_test(writer_escapes_strings),
        cmocka_unit_test(writer_and_reader_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
