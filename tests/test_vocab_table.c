/*
 * test_vocab_table.c - tokens in any order become a vocab
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab_table.h"

#include <stdlib.h>
#include <string.h>

static void put(struct srt_vocab_table *t, int64_t id, const char *text,
                enum srt_vocab_spelling spelling)
{
    sortes_status status = SORTES_OK;
    struct srt_vocab_entry *e = srt_vocab_table_at(t, id, 0, &status);

    assert_non_null(e);
    assert_int_equal(status, SORTES_OK);
    *e = (struct srt_vocab_entry){ text, strlen(text), 0, spelling };
}

static void table_spells_each_token_its_way(void **state)
{
    static const struct {
        int64_t id;
        const char *text;
        enum srt_vocab_spelling spelling;
        const char *piece;
        uint32_t flags;
    } rows[] = {
        { 3,
          "\xC4\xA0"
          "a",
          SRT_VOCAB_BYTE_LEVEL, " a", 0 },
        { 0, "\xC4\xA0 ", SRT_VOCAB_BYTE_LEVEL, "\xC4\xA0 ", 0 },
        { 1, "\xE2\x96\x81", SRT_VOCAB_SPM, " ", 0 },
        { 2, "<0x41>", SRT_VOCAB_SPM, "<0x41>", 0 },
        { 6, "<0x41>", SRT_VOCAB_SPM_BYTES, "A", SORTES_TOKEN_BYTE },
        { 5, "\xE2\x96\x81x", SRT_VOCAB_SPM_BYTES, " x", 0 },
        { 4, "TWFuTQ==", SRT_VOCAB_BASE64, "ManM", 0 },
        { 8, "\xE2\x96\x81", SRT_VOCAB_LITERAL, "\xE2\x96\x81", 0 },
        { 5000, "z", SRT_VOCAB_LITERAL, "z", 0 },
    };
    struct srt_vocab_table t = { .name = "t" };
    sortes_vocab *v;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        put(&t, rows[i].id, rows[i].text, rows[i].spelling);
    assert_int_equal(srt_vocab_table_fill(&t, &v), SORTES_OK);
    assert_int_equal(sortes_vocab_size(v), 5001);
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const int32_t id = (int32_t)rows[i].id;
        size_t n;
        const char *piece = sortes_vocab_piece(v, id, &n);

        assert_int_equal(n, strlen(rows[i].piece));
        assert_memory_equal(piece, rows[i].piece, n);
        assert_int_equal(sortes_vocab_flags(v, id), rows[i].flags);
    }
    assert_int_equal(sortes_vocab_flags(v, 7), SORTES_TOKEN_UNUSED);
    sortes_vocab_free(v);
    srt_vocab_table_free(&t);
}

static void table_refuses_ids_and_texts_out_of_bounds(void **state)
{
    const size_t n = ((size_t)1 << 20) + 1;
    char *text = malloc(n + 1);
    sortes_error err;
    struct srt_vocab_table t = { .name = "t", .err = &err };
    sortes_status status = SORTES_OK;
    sortes_vocab *v;

    (void)state;
    assert_null(srt_vocab_table_at(&t, SRT_VOCAB_MAX_ID, 7, &status));
    assert_int_equal(status, SORTES_E_LIMIT);
    assert_int_equal(err.offset, 7);
    assert_int_equal(srt_vocab_table_fill(&t, &v), SORTES_E_SYNTAX);
    assert_string_equal(err.text, "t: holds no tokens");
    assert_non_null(text);
    memset(text, 'a', n);
    text[n] = '\0';
    put(&t, 0, text, SRT_VOCAB_LITERAL);
    assert_int_equal(srt_vocab_table_fill(&t, &v), SORTES_E_LIMIT);
    assert_string_equal(err.text, "t: token 0: too long (got 1048577 bytes, "
                                  "allowed 1048576)");
    srt_vocab_table_free(&t);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_spells_each_token_its_way),
        cmocka_unit_test(table_refuses_ids_and_texts_out_of_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
