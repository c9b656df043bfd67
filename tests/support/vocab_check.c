/*
 * vocab_check.c - what a vocab must hold, token by token
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab_check.h"

#include <string.h>

static sortes_status check_read(vocab_reader *read,
                                struct srt_vocab_source *source,
                                sortes_vocab **v, sortes_error *err)
{
    if (source->n == 0)
        source->n = strlen(source->text);
    if (source->name == NULL)
        source->name = "t";
    return read(v, source, err);
}

void vocab_check_rows(vocab_reader *read, struct srt_vocab_source source,
                      const struct vocab_row *rows, size_t n)
{
    sortes_vocab *v;
    sortes_error err;

    if (check_read(read, &source, &v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_int_equal(sortes_vocab_size(v), n);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        const char *piece = sortes_vocab_piece(v, (int32_t)i, &length);

        if (length != strlen(rows[i].piece) ||
            memcmp(piece, rows[i].piece, length) != 0 ||
            sortes_vocab_flags(v, (int32_t)i) != rows[i].flags)
            fail_msg("token %zu: piece '%.*s', flags %u", i, (int)length, piece,
                     sortes_vocab_flags(v, (int32_t)i));
    }
    sortes_vocab_free(v);
}

void vocab_check_refused(vocab_reader *read, struct srt_vocab_source source,
                         sortes_status status, const char *text)
{
    sortes_vocab *v;
    sortes_error err;

    assert_int_equal(check_read(read, &source, &v, &err), status);
    assert_null(v);
    assert_int_equal(err.status, status);
    assert_string_equal(err.text, text);
}
