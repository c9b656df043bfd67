/*
 * test_npy.c - tests of engine/npy.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "npy.h"

#include "support/npy_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Hands a file over in reads; fails when told to, at a byte. */
struct source {
    const struct npy_file *file;
    size_t at, fail_at; /* 0: never */
};

static size_t source_read(void *ctx, void *out, size_t n, int *failed)
{
    struct source *s = ctx;
    size_t end = s->file->n;

    if (s->fail_at && s->fail_at < s->at + n) {
        *failed = 1;
        end = s->fail_at;
    }
    if (n > end - s->at)
        n = end - s->at;
    memcpy(out, s->file->bytes + s->at, n);
    s->at += n;
    return n;
}

/* Expects the file to be refused at once, for a reason with these words. */
static void check_refused(const struct npy_file *file, const char *words)
{
    struct source s = { file, 0, 0 };
    struct npy f;

    assert_int_equal(npy_open(&f, source_read, &s), -1);
    if (!strstr(f.error, words))
        fail_msg("\"%s\" does not say \"%s\"", f.error, words);
    npy_close(&f);
}

static void check_header_refused(const char *header, const char *words)
{
    struct npy_file file;
    npy_begin(&file, 1, header);
    check_refused(&file, words);
}

/* Opens well, gives n_good rows, then fails for a reason with these words. */
static void check_breaks_off(struct source *s, int n_good, const char *words)
{
    struct npy f;
    sortes_row row;

    assert_int_equal(npy_open(&f, source_read, s), 0);
    for (int i = 0; i < n_good; i++)
        assert_int_equal(npy_next(&f, &row), NPY_ROW);
    assert_int_equal(npy_next(&f, &row), NPY_ERROR);
    if (!strstr(f.error, words))
        fail_msg("\"%s\" does not say \"%s\"", f.error, words);
    npy_close(&f);
}

static void npy_reads_rows_of_float32(void **state)
{
    static const float x[6] = { 1, 2, 3, -4, 5.5f, 6 };
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    struct npy f;
    sortes_row row;
    (void)state;

    npy_begin_array(&file, "<f4", "(2, 3)");
    npy_put(&file, x, sizeof(x));
    assert_int_equal(npy_open(&f, source_read, &s), 0);
    assert_int_equal(f.n_rows, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(npy_next(&f, &row), NPY_ROW);
        assert_int_equal(row.n, 3);
        assert_int_equal(row.type, SORTES_F32);
        assert_memory_equal(row.data, x + 3 * i, 3 * sizeof(*x));
    }
    assert_int_equal(npy_next(&f, &row), NPY_END);
    npy_close(&f);
}

/* One row of two elements of two bytes each. */
static void check_halves(const char *descr, sortes_dtype type)
{
    static const unsigned char x[4] = { 0x80, 0x3F, 0x00, 0xC0 };
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    struct npy f;
    sortes_row row;

    npy_begin_array(&file, descr, "(2,)");
    npy_put(&file, x, sizeof(x));
    assert_int_equal(npy_open(&f, source_read, &s), 0);
    assert_int_equal(npy_next(&f, &row), NPY_ROW);
    assert_int_equal(row.type, type);
    assert_int_equal(row.n, 2);
    assert_memory_equal(row.data, x, sizeof(x));
    assert_int_equal(npy_next(&f, &row), NPY_END);
    npy_close(&f);
}

static void npy_reads_float16_and_bfloat16(void **state)
{
    (void)state;
    check_halves("<f2", SORTES_F16);
    check_halves("<u2", SORTES_BF16);
}

static void npy_reads_all_header_versions_and_forms(void **state)
{
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }      \n",
        "{\"shape\":(1,1),\"fortran_order\":False,\"descr\":\"<f4\"}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 1L), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
    };
    static const float x = 1;
    (void)state;

    for (int major = 1; major <= 3; major++)
        for (size_t i = 0; i < 4; i++) {
            struct npy_file file;
            struct source s = { &file, 0, 0 };
            struct npy f;
            sortes_row row;
            npy_begin(&file, major, headers[i]);
            npy_put(&file, &x, sizeof(x));
            assert_int_equal(npy_open(&f, source_read, &s), 0);
            assert_int_equal(npy_next(&f, &row), NPY_ROW);
            assert_int_equal(npy_next(&f, &row), NPY_END);
            npy_close(&f);
        }
}

static void npy_refuses_what_is_no_npy(void **state)
{
    struct npy_file file = { .n = 0 };
    (void)state;

    check_refused(&file, "empty");
    npy_put(&file, "GGUF\3\0\0\0........", 16);
    check_refused(&file, "not a .npy file");
    file.n = 0;
    npy_put(&file, "PK\3\4......", 10);
    check_refused(&file, ".npz");
    npy_begin(&file, 4, "{}");
    check_refused(&file, "version 4.0");
}

static void npy_refuses_every_torn_header(void **state)
{
    struct npy_file whole;
    (void)state;

    npy_begin_array(&whole, "<f4", "(2, 3)");
    for (size_t n = 1; n < whole.n; n++) {
        struct npy_file torn = whole;
        torn.n = n;
        check_refused(&torn, "cut short");
    }
}

static void npy_refuses_types_it_does_not_read(void **state)
{
    static const char *const types[] = { "<f8", ">f4", "<i4", "|V2", "" };
    struct npy_file file;
    (void)state;

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        npy_begin_array(&file, types[i], "(1,)");
        check_refused(&file, "element type");
    }
    check_header_refused("{'descr': [('a', '<f4')], ", "element type");
}

static void npy_refuses_shapes_it_does_not_read(void **state)
{
    static const char *const shapes[][2] = {
        { "()", "a single number" },
        { "(1, 2, 3)", "more than 2 dimensions" },
        { "(2, 0)", "0 logits" },
        { "(0,)", "0 logits" },
        { "(0, 4)", "0 rows" },
        { "(1, 2147483648)", "2147483648 logits" },
        { "(9223372036854775807, 2147483647)", "larger than any file" },
        { "(18446744073709551617, 2)", "63 bits" },
        { "(-1, 2)", "no number" },
        { "(1.5, 2)", "not closed" },
        { "(1 2)", "not closed" },
        { "(1, 2", "no number" },
        { "5", "not a tuple" },
    };
    struct npy_file file;
    (void)state;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        npy_begin_array(&file, "<f4", shapes[i][0]);
        check_refused(&file, shapes[i][1]);
    }
}

static void npy_refuses_fortran_order(void **state)
{
    (void)state;
    check_header_refused(
        "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", "Fortran");
}

static void npy_refuses_broken_dictionaries(void **state)
{
    (void)state;
    check_header_refused("", "not a Python dictionary");
    check_header_refused("[1]", "not a Python dictionary");
    check_header_refused("{'descr' '<f4'}", "not a Python dictionary");
    check_header_refused("{'descr': '<f4' 'shape': (1,)}",
                         "not a Python dictionary");
    check_header_refused("{'descr': '<f4'}", "no key 'fortran_order'");
    check_header_refused("{'descr': '<f4', 'descr': '<f4'}", "twice");
    check_header_refused("{'colour': 1}", "unknown key 'colour'");
    check_header_refused("{'fortran_order': 1}", "neither True nor False");
    check_header_refused("{'descr': '<f4', 'fortran_order': False, "
                         "'shape': (1,)} x",
                         "after the dictionary");
    check_header_refused("{'de\033[2J': 1}", "not a Python dictionary");
}

static void npy_refuses_a_lying_header_length(void **state)
{
    static const unsigned char huge[4] = { 0xFF, 0xFF, 0xFF, 0xFF };
    struct npy_file file;
    (void)state;

    npy_begin(&file, 2, "{}");
    memcpy(file.bytes + 8, huge, sizeof(huge));
    check_refused(&file, "4294967295 bytes long");
}

static void npy_says_which_row_is_torn(void **state)
{
    static const float x[5] = { 1, 2, 3, 4, 5 };
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    (void)state;

    npy_begin_array(&file, "<f4", "(2, 3)");
    npy_put(&file, x, sizeof(x));
    check_breaks_off(&s, 1, "row 1: cut short (8 of 12 bytes");
}

/* 8 GiB are promised and 4 bytes come: the message comes at once. */
static void npy_takes_no_memory_for_promises(void **state)
{
    static const float x = 1;
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    struct npy f;
    sortes_row row;
    (void)state;

    npy_begin_array(&file, "<f4", "(2147483647,)");
    npy_put(&file, &x, sizeof(x));
    assert_int_equal(npy_open(&f, source_read, &s), 0);
    assert_int_equal(npy_next(&f, &row), NPY_ERROR);
    assert_true(f.room <= 1 << 20);
    npy_close(&f);
}

static void npy_refuses_bytes_after_the_last_row(void **state)
{
    static const float x[3] = { 1, 2, 3 };
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    (void)state;

    npy_begin_array(&file, "<f4", "(2,)");
    npy_put(&file, x, sizeof(x));
    check_breaks_off(&s, 1, "bytes after the last");
}

static void npy_tells_a_read_error_from_the_end(void **state)
{
    static const float x[3] = { 1, 2, 3 };
    struct npy_file file;
    struct source s = { &file, 0, 0 };
    struct npy f;
    (void)state;

    npy_begin_array(&file, "<f4", "(3,)");
    s.fail_at = file.n + 6;
    npy_put(&file, x, sizeof(x));
    check_breaks_off(&s, 0, "cannot be read");
    s = (struct source){ &file, 0, 20 };
    assert_int_equal(npy_open(&f, source_read, &s), -1);
    assert_non_null(strstr(f.error, "cannot be read"));
    npy_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_reads_rows_of_float32),
        cmocka_unit_test(npy_reads_float16_and_bfloat16),
        cmocka_unit_test(npy_reads_all_header_versions_and_forms),
        cmocka_unit_test(npy_refuses_what_is_no_npy),
        cmocka_unit_test(npy_refuses_every_torn_header),
        cmocka_unit_test(npy_refuses_types_it_does_not_read),
        cmocka_unit_test(npy_refuses_shapes_it_does_not_read),
        cmocka_unit_test(npy_refuses_fortran_order),
        cmocka_unit_test(npy_refuses_broken_dictionaries),
        cmocka_unit_test(npy_refuses_a_lying_header_length),
        cmocka_unit_test(npy_says_which_row_is_torn),
        cmocka_unit_test(npy_takes_no_memory_for_promises),
        cmocka_unit_test(npy_refuses_bytes_after_the_last_row),
        cmocka_unit_test(npy_tells_a_read_error_from_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
