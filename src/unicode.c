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

#include <string.h>

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

/* Of the characters with White_Space (Unicode 15, PropList.txt). */
static bool utf8_one_is_blank(const char *text, size_t n)
{
    static const char blanks[][4] = { "\xC2\x85",     "\xC2\xA0",
                                      "\xE1\x9A\x80", "\xE2\x80\xA8",
                                      "\xE2\x80\xA9", "\xE2\x80\xAF",
                                      "\xE2\x81\x9F", "\xE3\x80\x80" };

    if (n == 1)
        return *text == ' ' || (*text >= '\t' && *text <= '\r');
    if (n == 3 && memcmp(text, "\xE2\x80", 2) == 0 &&
        (unsigned char)text[2] <= 0x8A) /* U+2000 .. U+200A */
        return true;
    for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++)
        if (strlen(blanks[i]) == n && memcmp(text, blanks[i], n) == 0)
            return true;
    return false;
}

bool srt_utf8_is_blank(const char *text, size_t n)
{
    size_t at = 0;

    while (at < n) {
        const size_t length = srt_utf8_length(text + at, n - at);

        if (length == 0 || !utf8_one_is_blank(text + at, length))
            return false;
        at += length;
    }
    return true;
}
