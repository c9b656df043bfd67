/*
 * test_gguf.c - the metadata of a GGUF file: typed values, limits, torn files
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gguf/gguf.h"
#include "gguf_build.h"
#include "support/files.h"

#include <stdio.h>
#include <string.h>

/* One of every type, with a bound that shows its width and sign. */
static void build_sample(struct gguf_build *b)
{
    static const char *const texts[] = { "one", "", "three\n" };
    static const int32_t wholes[] = { 1, -2, INT32_MAX, INT32_MIN };

    build_start(b);
    build_whole(b, "t.u8", SRT_GGUF_U8, 255);
    build_whole(b, "t.i8", SRT_GGUF_I8, -128);
    build_whole(b, "t.u16", SRT_GGUF_U16, 65535);
    build_whole(b, "t.i16", SRT_GGUF_I16, -32768);
    build_whole(b, "t.u32", SRT_GGUF_U32, UINT32_MAX);
    build_whole(b, "t.i32", SRT_GGUF_I32, INT32_MIN);
    build_whole(b, "t.u64", SRT_GGUF_U64, -1);
    build_whole(b, "t.i64", SRT_GGUF_I64, INT64_MIN);
    build_whole(b, "t.bool", SRT_GGUF_BOOL, 1);
    build_f32(b, "t.f32", 0.1f);
    build_f64(b, "t.f64", 0.1);
    build_text(b, "t.string", "text");
    build_texts(b, "t.strings", texts, SRT_COUNT(texts));
    build_i32s(b, "t.i32s", wholes, SRT_COUNT(wholes));
    build_i32s(b, "t.none", NULL, 0);
    build_end(b);
}

static struct srt_gguf *open_built(const struct gguf_build *b)
{
    struct srt_gguf *g;
    sortes_error err;

    if (srt_gguf_open_memory(&g, "m.gguf", b->bytes, b->n, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return g;
}

static void gguf_reads_every_type(void **state)
{
    static const struct {
        const char *key;
        enum srt_gguf_type type;
        int64_t value;
    } rows[] = {
        { "t.u8", SRT_GGUF_U8, 255 },
        { "t.i8", SRT_GGUF_I8, -128 },
        { "t.u16", SRT_GGUF_U16, 65535 },
        { "t.i16", SRT_GGUF_I16, -32768 },
        { "t.u32", SRT_GGUF_U32, UINT32_MAX },
        { "t.i32", SRT_GGUF_I32, INT32_MIN },
        { "t.u64", SRT_GGUF_U64, -1 },
        { "t.i64", SRT_GGUF_I64, INT64_MIN },
        { "t.bool", SRT_GGUF_BOOL, 1 },
    };
    struct gguf_build b;
    struct srt_gguf *g;

    (void)state;
    build_sample(&b);
    g = open_built(&b);
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const struct srt_gguf_value *v = srt_gguf_find(g, rows[i].key);

        assert_non_null(v);
        assert_int_equal(v->type, rows[i].type);
        assert_false(v->is_array);
        assert_int_equal(v->n, 1);
        assert_true(srt_gguf_integer(v, 0) == rows[i].value);
    }
    assert_true(srt_gguf_number(srt_gguf_find(g, "t.f32"), 0) == (double)0.1f);
    assert_true(srt_gguf_number(srt_gguf_find(g, "t.f64"), 0) == 0.1);
    srt_gguf_close(g);
}

static void gguf_reads_arrays(void **state)
{
    static const char *const texts[] = { "one", "", "three\n" };
    static const int32_t wholes[] = { 1, -2, INT32_MAX, INT32_MIN };
    const unsigned char *cursor = NULL;
    const struct srt_gguf_value *v;
    struct gguf_build b;
    struct srt_gguf *g;

    (void)state;
    build_sample(&b);
    g = open_built(&b);
    v = srt_gguf_find(g, "t.strings");
    assert_true(v->is_array);
    assert_int_equal(v->n, 3);
    for (size_t i = 0; i < 3; i++) {
        size_t n;
        const char *text = srt_gguf_next_string(v, &cursor, &n);

        assert_int_equal(n, strlen(texts[i]));
        assert_memory_equal(text, texts[i], n);
    }
    v = srt_gguf_find(g, "t.i32s");
    assert_int_equal(v->n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(srt_gguf_integer(v, i), wholes[i]);
    assert_int_equal(srt_gguf_find(g, "t.none")->n, 0);
    srt_gguf_close(g);
}

static void gguf_finds_keys_and_keeps_their_order(void **state)
{
    struct gguf_build b;
    struct srt_gguf *g;
    char key[16];

    (void)state;
    build_start(&b);
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof(key), "k.%d", i * 7919 % 500);
        build_whole(&b, key, SRT_GGUF_U32, i);
    }
    build_end(&b);
    g = open_built(&b);
    assert_int_equal(srt_gguf_count(g), 500);
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof(key), "k.%d", i * 7919 % 500);
        assert_int_equal(srt_gguf_integer(srt_gguf_find(g, key), 0), i);
        assert_string_equal(srt_gguf_at(g, (size_t)i)->key, key);
    }
    assert_null(srt_gguf_find(g, "k.500"));
    assert_null(srt_gguf_find(g, "k."));
    assert_null(srt_gguf_find(g, ""));
    assert_null(srt_gguf_at(g, 500));
    assert_string_equal(srt_gguf_name(g), "m.gguf");
    srt_gguf_close(g);
}

static void gguf_takes_version_2_and_an_empty_file(void **state)
{
    struct gguf_build b;
    struct srt_gguf *g;

    (void)state;
    build_start(&b);
    b.bytes[4] = 2;
    g = open_built(&b);
    assert_int_equal(srt_gguf_count(g), 0);
    assert_null(srt_gguf_find(g, "k"));
    srt_gguf_close(g);
}

/* What follows the pairs, tensors, is not looked at. */
static void gguf_stops_after_the_last_pair(void **state)
{
    struct gguf_build b;
    struct srt_gguf *g;

    (void)state;
    build_start(&b);
    build_number(&b, UINT64_MAX, 8);
    build_raw(&b, "\xFF\xFF\xFF", 3);
    b.bytes[8] = 200; /* tensors */
    g = open_built(&b);
    srt_gguf_close(g);
}

/* Cut anywhere, the file is refused and says that it ends too early. */
static void gguf_refuses_a_torn_file_at_every_byte(void **state)
{
    struct gguf_build b;
    struct srt_gguf *g;
    sortes_error err;

    (void)state;
    build_sample(&b);
    for (size_t n = 0; n < b.n; n++) {
        assert_int_equal(srt_gguf_open_memory(&g, "m", b.bytes, n, &err),
                         SORTES_E_SYNTAX);
        assert_null(g);
        assert_non_null(strstr(err.text, n < 4 ? "not a GGUF file"
                                               : "the file ends too early"));
    }
}

static void check_bytes(const struct gguf_build *b, sortes_status status,
                        const char *text)
{
    struct srt_gguf *g;
    sortes_error err;

    assert_int_equal(srt_gguf_open_memory(&g, "m", b->bytes, b->n, &err),
                     status);
    assert_null(g);
    assert_string_equal(err.text, text);
}

static void gguf_refuses_what_is_no_gguf(void **state)
{
    struct gguf_build b;

    (void)state;
    build_start(&b);
    b.bytes[0] = 'g';
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: not a GGUF file (magic 67 47 55 46, needed 47 47 55 46)");
    build_start(&b);
    b.bytes[4] = 1;
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: GGUF version unknown (got 1, allowed 2 and 3)");
    b.bytes[4] = 4;
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: GGUF version unknown (got 4, allowed 2 and 3)");
    b.bytes[4] = 0;
    b.bytes[7] = 3;
    check_bytes(&b, SORTES_E_SYNTAX, "m: byte 8: big-endian GGUF");
    b.n = 3;
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: not a GGUF file (shorter than 4 bytes)");
}

static void gguf_refuses_lying_lengths_without_taking_memory(void **state)
{
    struct gguf_build b;

    (void)state;
    build_start(&b);
    b.bytes[23] = 0x80; /* pairs */
    check_bytes(&b, SORTES_E_LIMIT, "m: byte 24: too many keys");
    build_start(&b);
    build_number(&b, UINT64_MAX, 8);
    b.n_pairs = 1;
    build_end(&b);
    check_bytes(&b, SORTES_E_LIMIT, "m: byte 32: key too long");
    build_start(&b);
    build_number(&b, 0, 8);
    b.n_pairs = 1;
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX, "m: byte 32: empty key");
    build_start(&b);
    build_key(&b, "k", SRT_GGUF_STRING);
    build_number(&b, UINT64_MAX, 8);
    build_end(&b);
    check_bytes(&b, SORTES_E_LIMIT, "m: key 'k', byte 45: string too long");
    build_start(&b);
    build_key(&b, "k", SRT_GGUF_STRING);
    build_number(&b, (uint64_t)1 << 29, 8);
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: key 'k', byte 45: the file ends too early");
    build_start(&b);
    build_key(&b, "k", SRT_GGUF_ARRAY);
    build_number(&b, SRT_GGUF_F64, 4);
    build_number(&b, UINT64_MAX / 8 + 2, 8);
    build_end(&b);
    check_bytes(&b, SORTES_E_LIMIT, "m: key 'k', byte 49: array too long");
    build_start(&b);
    build_key(&b, "k", SRT_GGUF_ARRAY);
    build_number(&b, SRT_GGUF_STRING, 4);
    build_number(&b, (uint64_t)1 << 30, 8);
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: key 'k', byte 49: the file ends too early");
}

static void gguf_refuses_wrong_types_and_duplicates(void **state)
{
    struct gguf_build b;

    (void)state;
    build_start(&b);
    build_key(&b, "k", (enum srt_gguf_type)13);
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX, "m: key 'k', byte 37: unknown type");
    build_start(&b);
    build_key(&b, "k", SRT_GGUF_ARRAY);
    build_number(&b, SRT_GGUF_ARRAY, 4);
    build_number(&b, 1, 8);
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX, "m: key 'k', byte 49: array of arrays");
    build_start(&b);
    build_whole(&b, "twice", SRT_GGUF_U8, 1);
    build_whole(&b, "once", SRT_GGUF_U8, 1);
    build_whole(&b, "twice", SRT_GGUF_U8, 1);
    build_end(&b);
    check_bytes(&b, SORTES_E_SYNTAX,
                "m: key 'twice', byte 76: key stands twice");
}

static void gguf_reads_a_file(void **state)
{
    struct gguf_build b;
    struct srt_gguf *g;
    sortes_error err;

    (void)state;
    build_sample(&b);
    file_write("sample.gguf", b.bytes, b.n);
    assert_int_equal(srt_gguf_open(&g, "sample.gguf", &err), SORTES_OK);
    assert_int_equal(srt_gguf_count(g), 15);
    assert_true(srt_gguf_number(srt_gguf_find(g, "t.f64"), 0) == 0.1);
    srt_gguf_close(g);
    remove("sample.gguf");
    assert_int_equal(srt_gguf_open(&g, "sample.gguf", &err), SORTES_E_IO);
    assert_string_equal(err.text, "sample.gguf: could not be opened");
    assert_null(g);
    assert_int_equal(srt_gguf_open(&g, ".", &err), SORTES_E_IO);
    assert_null(g);
}

static void gguf_shows_the_end_of_a_long_name(void **state)
{
    char name[500];
    struct srt_gguf *g;
    sortes_error err;

    (void)state;
    memset(name, 'd', sizeof(name));
    memcpy(name + sizeof(name) - 12, "/model.gguf", 12);
    assert_int_equal(srt_gguf_open_memory(&g, name, "x", 1, &err),
                     SORTES_E_SYNTAX);
    assert_non_null(strstr(err.text, "/model.gguf: not a GGUF file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gguf_reads_every_type),
        cmocka_unit_test(gguf_reads_arrays),
        cmocka_unit_test(gguf_finds_keys_and_keeps_their_order),
        cmocka_unit_test(gguf_takes_version_2_and_an_empty_file),
        cmocka_unit_test(gguf_stops_after_the_last_pair),
        cmocka_unit_test(gguf_refuses_a_torn_file_at_every_byte),
        cmocka_unit_test(gguf_refuses_what_is_no_gguf),
        cmocka_unit_test(gguf_refuses_lying_lengths_without_taking_memory),
        cmocka_unit_test(gguf_refuses_wrong_types_and_duplicates),
        cmocka_unit_test(gguf_reads_a_file),
        cmocka_unit_test(gguf_shows_the_end_of_a_long_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
