/*
 * test_vocab_text.c - texts of tokens and the bytes they stand for
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab_text.h"

#include "unicode.h"

#include <string.h>

static void byte_of_is_one_to_one(void **state)
{
    int seen[256] = { 0 };

    (void)state;
    for (uint32_t code = 0; code < 0x200; code++) {
        const int byte = srt_vocab_byte_of(code);

        assert_in_range(byte + 1, 0, 256);
        if (byte >= 0)
            seen[byte]++;
    }
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(seen[byte], 1);
    assert_int_equal(srt_vocab_byte_of('a'), 'a');
    assert_int_equal(srt_vocab_byte_of(0x120), ' ');
    assert_int_equal(srt_vocab_byte_of(0x10A), '\n');
    assert_int_equal(srt_vocab_byte_of(' '), -1);
    assert_int_equal(srt_vocab_byte_of(0x144), -1);
}

static void code_at_reads_what_was_encoded(void **state)
{
    static const uint32_t codes[] = { 0,     0x7F,   0x80,    0x7FF,
                                      0x800, 0xFFFD, 0x10000, 0x10FFFF };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(codes); i++) {
        char text[4];
        const size_t n = srt_utf8_encode(codes[i], text);

        assert_int_equal(srt_vocab_code_at(text, n), codes[i]);
    }
}

static void byte_token_knows_its_form(void **state)
{
    (void)state;
    assert_int_equal(srt_vocab_byte_token("<0x0A>", 6), 10);
    assert_int_equal(srt_vocab_byte_token("<0xfF>", 6), 255);
    assert_int_equal(srt_vocab_byte_token("<0x0G>", 6), -1);
    assert_int_equal(srt_vocab_byte_token("<0x0A>", 5), -1);
    assert_int_equal(srt_vocab_byte_token("<0x0Ax", 6), -1);
    assert_int_equal(srt_vocab_byte_token("<1x0A>", 6), -1);
}

static void spm_has_spaces_for_marks(void **state)
{
    static const char text[] = "\xE2\x96\x81"
                               "a\xE2\x96\x81\xE2\x96";
    sortes_vocab *v = srt_vocab_reserve(1);
    size_t n;
    const char *piece;

    (void)state;
    assert_non_null(v);
    assert_true(srt_vocab_append_spm(v, text, strlen(text)));
    srt_vocab_end_token(v, 0);
    piece = sortes_vocab_piece(v, 0, &n);
    assert_int_equal(n, 5);
    assert_memory_equal(piece, " a \xE2\x96", 5);
    sortes_vocab_free(v);
}

static void texts_that_end_are_known(void **state)
{
    (void)state;
    assert_true(srt_vocab_text_ends("<|im_end|>", 10));
    assert_true(srt_vocab_text_ends("</s>", 4));
    assert_false(srt_vocab_text_ends("</s>", 3));
    assert_false(srt_vocab_text_ends("<|fim_prefix|>", 14)); /* in the table */
    assert_false(srt_vocab_text_ends("<s>", 3));
}

static void base64_is_strict(void **state)
{
    static const struct {
        const char *text;
        int n;
        const char *bytes;
    } rows[] = {
        { "TWFu", 3, "Man" }, { "TWE=", 2, "Ma" },
        { "TQ==", 1, "M" },   { "+/+/", 3, "\xFB\xFF\xBF" },
        { "TWF=", -1, "" }, /* bits left over */
        { "TR==", -1, "" },   { "T===", -1, "" },
        { "====", -1, "" },   { "TW=u", -1, "" },
        { "T=Fu", -1, "" },   { "TW-u", -1, "" },
        { "TW u", -1, "" },
    };
    unsigned char out[3];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const int n = srt_vocab_base64(rows[i].text, out);

        if (n != rows[i].n)
            fail_msg("%s: %d", rows[i].text, n);
        if (n > 0)
            assert_memory_equal(out, rows[i].bytes, (size_t)n);
    }
    assert_int_equal(srt_vocab_base64("TW\0u", out), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_of_is_one_to_one),
        cmocka_unit_test(code_at_reads_what_was_encoded),
        cmocka_unit_test(byte_token_knows_its_form),
        cmocka_unit_test(spm_has_spaces_for_marks),
        cmocka_unit_test(texts_that_end_are_known),
        cmocka_unit_test(base64_is_strict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
