/*
 * utf8_stream.c - text that arrives in pieces, handed on without a torn letter
 *
 * Source: the Unicode standard, table 3-7 (well-formed UTF-8 byte sequences):
 * the first byte says the length and, for five of its values, narrows the
 * range of the second; all later bytes are 80 .. BF.
 *
 * SPDX-License-Identifier: MIT
 */
#include "utf8_stream.h"

#include <stdio.h>
#include <string.h>

/* Length of the sequence that begins with byte; 0 when none does. */
static size_t utf8_length(unsigned char byte)
{
    if (byte < 0x80)
        return 1;
    if (byte < 0xC2 || byte > 0xF4)
        return 0;
    return byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

static int utf8_second_fits(unsigned char first, unsigned char second)
{
    const unsigned char low = first == 0xE0   ? 0xA0
                              : first == 0xF0 ? 0x90
                                              : 0x80;
    const unsigned char high = first == 0xED   ? 0x9F
                               : first == 0xF4 ? 0x8F
                                               : 0xBF;
    return second >= low && second <= high;
}

enum utf8_kind utf8_look(const char *text, size_t n, size_t *n_bytes)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t length = utf8_length(first);
    size_t i = 1;

    if (length == 0) {
        *n_bytes = 1;
        return UTF8_BAD;
    }
    for (; i < length && i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (i == 1 ? !utf8_second_fits(first, c) : (c & 0xC0) != 0x80)
            break;
    }
    *n_bytes = i;
    if (i == length)
        return UTF8_WHOLE;
    return i == n ? UTF8_TORN : UTF8_BAD;
}

int utf8_is_valid(const char *text, size_t n)
{
    size_t n_bytes;
    for (size_t i = 0; i < n; i += n_bytes)
        if (utf8_look(text + i, n - i, &n_bytes) != UTF8_WHOLE)
            return 0;
    return 1;
}

int utf8_to_stdout(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    return fwrite(text, 1, n, stdout) == n ? 0 : -1;
}

void utf8_stream_init(struct utf8_stream *u, utf8_sink *sink, void *ctx)
{
    *u = (struct utf8_stream){ .sink = sink, .ctx = ctx };
}

static int utf8_replace(struct utf8_stream *u)
{
    return u->sink(u->ctx, UTF8_REPLACEMENT, sizeof(UTF8_REPLACEMENT) - 1);
}

/*
 * Continues the held sequence with bytes of the new ones.  *used says how
 * many were taken; the held sequence is then complete and handed on, given up
 * as U+FFFD, or still torn because the bytes ran out.
 */
static int utf8_continue(struct utf8_stream *u, const char *bytes, size_t n,
                         size_t *used)
{
    *used = 0;
    while (u->n_held > 0 && *used < n) {
        size_t n_bytes;
        u->held[u->n_held] = bytes[*used];
        const enum utf8_kind kind = utf8_look(u->held, u->n_held + 1, &n_bytes);
        if (kind == UTF8_BAD) { /* this byte begins something of its own */
            u->n_held = 0;
            return utf8_replace(u);
        }
        ++*used;
        u->n_held++;
        if (kind == UTF8_WHOLE) {
            const size_t n_held = u->n_held;
            u->n_held = 0;
            return u->sink(u->ctx, u->held, n_held);
        }
    }
    return 0;
}

int utf8_stream_push(struct utf8_stream *u, const char *bytes, size_t n)
{
    size_t begin, at;
    enum utf8_kind kind = UTF8_WHOLE;

    if (utf8_continue(u, bytes, n, &begin) != 0)
        return -1;
    for (at = begin; at < n && kind != UTF8_TORN;) {
        size_t n_bytes;
        kind = utf8_look(bytes + at, n - at, &n_bytes);
        if (kind == UTF8_WHOLE) {
            at += n_bytes;
            continue;
        }
        if (at > begin && u->sink(u->ctx, bytes + begin, at - begin) != 0)
            return -1;
        if (kind == UTF8_BAD && utf8_replace(u) != 0)
            return -1;
        if (kind == UTF8_TORN) {
            memcpy(u->held, bytes + at, n_bytes);
            u->n_held = n_bytes;
        }
        at += n_bytes;
        begin = at;
    }
    return at > begin ? u->sink(u->ctx, bytes + begin, at - begin) : 0;
}

int utf8_stream_end(struct utf8_stream *u)
{
    if (u->n_held == 0)
        return 0;
    u->n_held = 0;
    return utf8_replace(u);
}
