/*
 * unicode.c - UTF-8: where a sequence ends, and how a code point is written
 *
 * Source: RFC 3629, section 4.  The first byte gives the length; the range of
 * the second byte alone excludes overlong forms (E0, F0), surrogates (ED) and
 * everything above U+10FFFF (F4).
 *
 * SPDX-License-Identifier: MIT
 */
#include "unicode.h"

static size_t utf8_claimed_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    if (first >= 0xF0 && first <= 0xF4)
        return 4;
    return 0;
}

static int utf8_second_fits(unsigned char first, unsigned char second)
{
    unsigned char low = 0x80, high = 0xBF;

    if (first == 0xE0)
        low = 0xA0;
    else if (first == 0xED)
        high = 0x9F;
    else if (first == 0xF0)
        low = 0x90;
    else if (first == 0xF4)
        high = 0x8F;
    return second >= low && second <= high;
}

size_t srt_utf8_length(const char *text, size_t n)
{
    size_t length;

    if (n == 0)
        return 0;
    length = utf8_claimed_length((unsigned char)text[0]);
    if (length > n)
        return 0;
    if (length > 1 &&
        !utf8_second_fits((unsigned char)text[0], (unsigned char)text[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t srt_utf8_encode(uint32_t code, char out[4])
{
    static const unsigned char mark[5] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    if (length == 1) {
        out[0] = (char)code;
        return 1;
    }
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(mark[length] | code);
    return length;
}
