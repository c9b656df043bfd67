/*
 * test_reader.c - JSON text to a tree: what it keeps, what it refuses
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/json.h"

#include <stdlib.h>
#include <string.h>

static struct srt_json_document read_text(const char *text)
{
    struct srt_json_document document;
    sortes_error err;

    if (srt_json_read(&document, text, strlen(text), &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
    return document;
}

/* Refused, with this problem at this byte. */
static void check_refused(const char *text, size_t n, size_t offset,
                          const char *problem)
{
    struct srt_json_document document;
    sortes_error err;

    assert_int_equal(srt_json_read(&document, text, n, &err), SORTES_E_SYNTAX);
    assert_null(document.root);
    assert_null(document.blocks);
    if (err.offset != offset || strstr(err.text, problem) == NULL)
        fail_msg("%s: byte %zu: %s", text, err.offset, err.text);
}

static void json_reads_every_type(void **state)
{
    struct srt_json_document d =
        read_text(" [null, true, false, -1.50e+2, \"a\", [], {}] ");
    static const enum srt_json_type types[] = {
        SRT_JSON_NULL,   SRT_JSON_TRUE,  SRT_JSON_FALSE, SRT_JSON_NUMBER,
        SRT_JSON_STRING, SRT_JSON_ARRAY, SRT_JSON_OBJECT
    };
    static const char *const names[] = { "null",   "boolean", "boolean",
                                         "number", "string",  "array",
                                         "object" };
    const struct srt_json *v = d.root->first;

    (void)state;
    assert_int_equal(d.root->type, SRT_JSON_ARRAY);
    assert_int_equal(d.root->n, SRT_COUNT(types));
    for (size_t i = 0; i < SRT_COUNT(types); i++, v = v->next) {
        assert_int_equal(v->type, types[i]);
        assert_string_equal(srt_json_type_name(v), names[i]);
        assert_ptr_equal(v->parent, d.root);
    }
    assert_null(v);
    srt_json_free(&d);
    assert_null(d.root);
}

static void json_keeps_numbers_as_written(void **state)
{
    static const char *const rows[] = {
        "0",       "-0",          "0.0", "1e5",
        "1E+05",   "-12.50e-300", "10",  "123456789012345678901234567890",
        "1e99999",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_json_document d = read_text(rows[i]);

        assert_int_equal(d.root->type, SRT_JSON_NUMBER);
        assert_string_equal(d.root->text, rows[i]);
        assert_int_equal(d.root->n, strlen(rows[i]));
        srt_json_free(&d);
    }
}

static void json_refuses_malformed_numbers(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *problem;
    } rows[] = {
        { "-", 1, "expected a digit (got the end)" },
        { "01", 1, "expected the end of the text (got '1')" },
        { "-01", 2, "expected the end" },
        { "1.", 2, "expected a digit" },
        { "1.e5", 2, "expected a digit (got 'e')" },
        { "1e", 2, "expected a digit" },
        { "1e+", 3, "expected a digit" },
        { ".5", 0, "expected a value (got '.')" },
        { "+1", 0, "expected a value (got '+')" },
        { "0x10", 1, "expected the end" },
        { "1_000", 1, "expected the end" },
        { "NaN", 0, "expected a value" },
        { "Infinity", 0, "expected a value" },
        { "-Infinity", 1, "expected a digit" },
        { "--1", 1, "expected a digit" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        check_refused(rows[i].text, strlen(rows[i].text), rows[i].offset,
                      rows[i].problem);
}

static void json_decodes_escapes(void **state)
{
    struct srt_json_document d =
        read_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC"
                  "\\ud83d\\uDE00\\u0000.\"");

    (void)state;
    assert_int_equal(d.root->n, 20);
    assert_memory_equal(d.root->text,
                        "\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC"
                        "\xF0\x9F\x98\x80\0.",
                        21);
    srt_json_free(&d);
}

static void json_refuses_malformed_strings(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *problem;
    } rows[] = {
        { "\"abc", 4, "unterminated string (got the end)" },
        { "\"abc\\", 5, "unknown escape (got the end)" },
        { "\"abc\\\"", 6, "unterminated string" },
        { "\"\\x41\"", 2, "unknown escape (got 'x')" },
        { "\"\\'\"", 2, "unknown escape" },
        { "\"\\u12\"", 5, "four hex digits" },
        { "\"\\u12G4\"", 5, "four hex digits after \\u (got 'G')" },
        { "\"\\u", 3, "four hex digits" },
        { "\"\\ud83d\"", 1, "unpaired surrogate" },
        { "\"\\ud83dx\"", 1, "unpaired surrogate" },
        { "\"\\ude00\"", 1, "unpaired surrogate" },
        { "\"\\ud83d\\u0041\"", 1, "unpaired surrogate" },
        { "\"\\ud83d\\ud83d\"", 1, "unpaired surrogate" },
        { "\"\\ud83d\\n\"", 1, "unpaired surrogate" },
        { "\"a\nb\"", 2, "control character in a string (got byte 0x0a)" },
        { "\"\x1F\"", 1, "control character" },
        { "\"\xC3(\"", 1, "malformed UTF-8 (got byte 0xc3)" },
        { "\"\xED\xA0\x80\"", 1, "malformed UTF-8" },
        { "\"\xF4\x90\x80\x80\"", 1, "malformed UTF-8" },
        { "\"\xC0\x80\"", 1, "malformed UTF-8" },
        { "\"\xE2\x82", 1, "malformed UTF-8" },
        { "'a'", 0, "expected a value" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        check_refused(rows[i].text, strlen(rows[i].text), rows[i].offset,
                      rows[i].problem);
    check_refused("\"a\0b\"", 5, 2, "control character in a string");
}

static void json_takes_del_and_every_utf8_length(void **state)
{
    struct srt_json_document d =
        read_text("\"\x7F\xC2\x80\xE0\xA0\x80\xF4\x8F\xBF\xBF\"");

    (void)state;
    assert_int_equal(d.root->n, 10);
    srt_json_free(&d);
}

static void json_refuses_malformed_structure(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *problem;
    } rows[] = {
        { "", 0, "expected a value (got the end)" },
        { "   ", 3, "expected a value (got the end)" },
        { "[", 1, "expected a value" },
        { "[1", 2, "expected ',' or ']' (got the end)" },
        { "[1,", 3, "expected a value" },
        { "[1,]", 3, "expected a value (got ']')" },
        { "[,1]", 1, "expected a value" },
        { "[1 2]", 3, "expected ',' or ']' (got '2')" },
        { "[1}", 2, "expected ',' or ']' (got '}')" },
        { "]", 0, "expected a value" },
        { "{", 1, "expected a key (got the end)" },
        { "{1:2}", 1, "expected a key" },
        { "{\"a\"}", 4, "expected ':' (got '}')" },
        { "{\"a\" 1}", 5, "expected ':'" },
        { "{\"a\":}", 5, "expected a value" },
        { "{\"a\":1", 6, "expected ',' or '}'" },
        { "{\"a\":1,}", 7, "expected a key" },
        { "{\"a\":1 \"b\":2}", 7, "expected ',' or '}'" },
        { "{\"a\":1]", 6, "expected ',' or '}' (got ']')" },
        { "{a:1}", 1, "expected a key" },
        { "nul", 0, "expected a value" },
        { "truely", 4, "expected the end of the text (got 'l')" },
        { "True", 0, "expected a value" },
        { "1 2", 2, "expected the end of the text" },
        { "{} {}", 3, "expected the end of the text" },
        { "\xEF\xBB\xBF{}", 0, "expected a value (got byte 0xef)" },
        { "[1] // x", 4, "expected the end of the text" },
        { "/* x */ 1", 0, "expected a value" },
        { "\v1", 0, "expected a value (got byte 0x0b)" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        check_refused(rows[i].text, strlen(rows[i].text), rows[i].offset,
                      rows[i].problem);
    check_refused("1\0", 2, 1, "expected the end of the text (got byte 0x00)");
}

static void json_reads_only_the_bytes_it_was_given(void **state)
{
    struct srt_json_document d;

    (void)state;
    assert_int_equal(srt_json_read(&d, "123", 2, NULL), SORTES_OK);
    assert_string_equal(d.root->text, "12");
    srt_json_free(&d);
}

static void json_keeps_offsets_lengths_and_the_order_of_keys(void **state)
{
    struct srt_json_document d =
        read_text("{ \"z\" : [1, {}], \"a\":\"\\u0041\" }");
    const struct srt_json *z = d.root->first, *a = z->next;

    (void)state;
    assert_int_equal(d.root->offset, 0);
    assert_int_equal(d.root->length, 31);
    assert_string_equal(z->key, "z");
    assert_int_equal(z->key_offset, 2);
    assert_int_equal(z->offset, 8);
    assert_int_equal(z->length, 7);
    assert_int_equal(z->first->next->offset, 12);
    assert_int_equal(z->first->next->length, 2);
    assert_string_equal(a->key, "a");
    assert_int_equal(a->offset, 21);
    assert_int_equal(a->length, 8);
    assert_string_equal(a->text, "A");
    assert_null(a->next);
    srt_json_free(&d);
}

static void json_keeps_duplicate_keys_and_finds_the_last(void **state)
{
    struct srt_json_document d =
        read_text("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":4}");

    (void)state;
    assert_int_equal(d.root->n, 4);
    assert_string_equal(srt_json_find(d.root, "a")->text, "4");
    assert_string_equal(srt_json_find(d.root, "b")->text, "2");
    assert_null(srt_json_find(d.root, "c"));
    assert_null(srt_json_find(d.root->first, "a"));
    srt_json_free(&d);
}

static void json_keys_may_hold_nul(void **state)
{
    struct srt_json_document d = read_text("{\"a\\u0000b\":1}");

    (void)state;
    assert_int_equal(d.root->first->n_key, 3);
    assert_null(srt_json_find(d.root, "a"));
    srt_json_free(&d);
}

/* n levels of arrays, or of objects inside one another. */
static char *nested(size_t n, int objects)
{
    const char *open = objects ? "{\"k\":" : "[";
    char *text = malloc(n * 6 + 1), *at = text;

    assert_non_null(text);
    for (size_t i = 0; i < n; i++, at += strlen(open))
        memcpy(at, i + 1 == n ? (objects ? "{    " : "[") : open, strlen(open));
    for (size_t i = 0; i < n; i++)
        *at++ = objects ? '}' : ']';
    *at = '\0';
    return text;
}

static void json_limits_depth(void **state)
{
    struct srt_json_document d;
    sortes_error err;

    (void)state;
    for (int objects = 0; objects < 2; objects++) {
        char *text = nested(SRT_JSON_MAX_DEPTH, objects);

        assert_int_equal(srt_json_read(&d, text, strlen(text), &err),
                         SORTES_OK);
        srt_json_free(&d);
        free(text);
        text = nested(SRT_JSON_MAX_DEPTH + 1, objects);
        assert_int_equal(srt_json_read(&d, text, strlen(text), &err),
                         SORTES_E_LIMIT);
        assert_non_null(strstr(err.text, "nested too deep (allowed 512)"));
        assert_null(d.blocks);
        free(text);
    }
}

/* Depth counts what is open, not what was. */
static void json_does_not_limit_width(void **state)
{
    struct srt_json_document d;
    char text[8192];
    size_t n = 0;

    (void)state;
    text[n++] = '[';
    while (n < sizeof(text) - 4) {
        memcpy(text + n, "[],", 3);
        n += 3;
    }
    memcpy(text + n, "1]", 2);
    assert_int_equal(srt_json_read(&d, text, n + 2, NULL), SORTES_OK);
    assert_true(d.root->n > 2 * SRT_JSON_MAX_DEPTH);
    srt_json_free(&d);
}

static void json_limits_length(void **state)
{
    struct srt_json_document d;
    sortes_error err;

    (void)state;
    assert_int_equal(srt_json_read(&d, "1", SRT_JSON_MAX_BYTES + 1, &err),
                     SORTES_E_LIMIT);
    assert_null(d.blocks);
}

static void json_reads_a_string_longer_than_its_blocks(void **state)
{
    struct srt_json_document d;
    size_t n = 3u << 20;
    char *text = malloc(n + 2);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', n + 2);
    text[0] = text[n + 1] = '"';
    assert_int_equal(srt_json_read(&d, text, n + 2, NULL), SORTES_OK);
    assert_int_equal(d.root->n, n);
    assert_memory_equal(d.root->text, text + 1, n);
    srt_json_free(&d);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_every_type),
        cmocka_unit_test(json_keeps_numbers_as_written),
        cmocka_unit_test(json_refuses_malformed_numbers),
        cmocka_unit_test(json_decodes_escapes),
        cmocka_unit_test(json_refuses_malformed_strings),
        cmocka_unit_test(json_takes_del_and_every_utf8_length),
        cmocka_unit_test(json_refuses_malformed_structure),
        cmocka_unit_test(json_reads_only_the_bytes_it_was_given),
        cmocka_unit_test(json_keeps_offsets_lengths_and_the_order_of_keys),
        cmocka_unit_test(json_keeps_duplicate_keys_and_finds_the_last),
        cmocka_unit_test(json_keys_may_hold_nul),
        cmocka_unit_test(json_limits_depth),
        cmocka_unit_test(json_does_not_limit_width),
        cmocka_unit_test(json_limits_length),
        cmocka_unit_test(json_reads_a_string_longer_than_its_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
