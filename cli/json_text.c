/*
 * json_text.c - the text that a JSON string holds
 *
 * Source: RFC 8259, section 7.  The text may hold any bytes that a string may,
 * but no half of a surrogate pair.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_text.h"

#include "utf8_stream.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char json_text_form[] = "expected one JSON string";

/* Four hex digits at text; -1: they are not there. */
static int32_t json_text_unit(const char *text, size_t n)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    int32_t unit = 0;

    for (size_t i = 0; i < 4; i++) {
        const char *digit = i < n && text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit)
            return -1;
        const int32_t value = (int32_t)(digit - digits);
        unit = unit * 16 + (value < 16 ? value : value - 6);
    }
    return unit;
}

static size_t json_text_put(char *to, uint32_t code)
{
    static const unsigned char first[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    const size_t n = code < 0x80      ? 1
                     : code < 0x800   ? 2
                     : code < 0x10000 ? 3
                                      : 4;

    for (size_t i = n; i-- > 1; code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(first[n] | code);
    return n;
}

/* What follows "\u" at text[*at], one unit or a pair; moves past it. */
static bool json_text_code(const char *text, size_t n, size_t *at,
                           uint32_t *code)
{
    const int32_t high = json_text_unit(text + *at, n - *at);
    int32_t low;

    if (high < 0 || (high >= 0xDC00 && high < 0xE000))
        return false;
    *at += 4;
    *code = (uint32_t)high;
    if (high < 0xD800 || high >= 0xE000)
        return true;
    if (n - *at < 6 || text[*at] != '\\' || text[*at + 1] != 'u')
        return false;
    low = json_text_unit(text + *at + 2, n - *at - 2);
    *at += 6;
    *code =
        0x10000 + (((uint32_t)high - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return low >= 0xDC00 && low < 0xE000;
}

/* The escape behind the backslash at text[*at - 1]. */
static const char *json_text_escape(char *text, size_t n, size_t *at,
                                    size_t *out)
{
    static const char named[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    const char c = *at < n ? text[*at] : '\0';
    uint32_t code;

    if (c == 'u') {
        ++*at;
        if (!json_text_code(text, n, at, &code))
            return "malformed \\u escape";
        *out += json_text_put(text + *out, code);
        return NULL;
    }
    for (size_t i = 0; i + 1 < sizeof(named); i += 2)
        if (c == named[i]) {
            text[(*out)++] = named[i + 1];
            ++*at;
            return NULL;
        }
    return "unknown escape";
}

static size_t json_text_blanks(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

const char *json_text_decode(char *text, size_t *n)
{
    size_t at = json_text_blanks(text, *n, 0), out = 0;
    const char *wrong = NULL;

    if (at == *n || text[at++] != '"')
        return json_text_form;
    while (!wrong && at < *n && text[at] != '"') {
        size_t length;
        if (text[at] == '\\') {
            at++;
            wrong = json_text_escape(text, *n, &at, &out);
            continue;
        }
        if ((unsigned char)text[at] < 0x20)
            return "control character in a string";
        if (utf8_look(text + at, *n - at, &length) != UTF8_WHOLE)
            return "malformed UTF-8";
        memmove(text + out, text + at, length);
        at += length;
        out += length;
    }
    if (wrong)
        return wrong;
    if (at == *n || json_text_blanks(text, *n, at + 1) != *n)
        return json_text_form;
    *n = out;
    return NULL;
}
