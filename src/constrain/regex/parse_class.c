/*
 * parse_class.c - escapes and character classes of patterns
 *
 * ECMAScript with the u flag, and of Annex B that any punctuation may be
 * escaped and that a hyphen beside a class is itself.  A letter that means
 * nothing in ECMAScript but something elsewhere (`\a`, `\h`, `\Z`) is refused
 * rather than taken for itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/parse.h"

#include "unicode.h"

#define PATTERN_NONE UINT32_MAX /* no code point */

uint32_t srt_pattern_code(struct srt_pattern *p)
{
    const size_t length = srt_utf8_length(p->text + p->at, p->n - p->at);
    const unsigned char *at = (const unsigned char *)p->text + p->at;
    uint32_t code;

    if (length == 0)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, p->at,
                                "not well-formed UTF-8");
    code = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3Fu);
    p->at += length;
    return code;
}

static int pattern_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Exactly n hexadecimal digits, taken; false: there are fewer. */
static bool pattern_digits(struct srt_pattern *p, size_t n, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        const int digit =
            p->at + i < p->n ? pattern_hex(p->text[p->at + i]) : -1;

        if (digit < 0)
            return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    p->at += n;
    return true;
}

/* Behind "\u{". */
static uint32_t pattern_braced(struct srt_pattern *p)
{
    const size_t start = p->at;
    uint32_t code = 0;

    while (p->at < p->n && pattern_hex(p->text[p->at]) >= 0) {
        code = code << 4 | (uint32_t)pattern_hex(p->text[p->at++]);
        if (code > SRT_CODE_MAX)
            return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                    "\\u{...} is above 10FFFF");
    }
    if (p->at == start || !srt_pattern_take(p, '}'))
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "\\u{...} needs hexadecimal digits");
    return code;
}

/* Behind "\u". */
static uint32_t pattern_unicode(struct srt_pattern *p)
{
    const size_t start = p->at;
    uint32_t high, low;

    if (srt_pattern_take(p, '{')) {
        high = pattern_braced(p);
    } else if (!pattern_digits(p, 4, &high)) {
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "\\u needs four hexadecimal digits");
    } else if (high >= 0xD800 && high < 0xDC00 &&
               srt_pattern_next_is(p, 0, '\\') &&
               srt_pattern_next_is(p, 1, 'u')) {
        const size_t back = p->at;

        p->at += 2;
        if (pattern_digits(p, 4, &low) && low >= 0xDC00 && low < 0xE000)
            return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        p->at = back;
    }
    return high; /* half a pair is no character of any string */
}

static size_t pattern_property_part(struct srt_pattern *p, size_t *start)
{
    *start = p->at;
    while (p->at < p->n &&
           (pattern_hex(p->text[p->at]) >= 0 || p->text[p->at] == '_' ||
            (p->text[p->at] >= 'A' && p->text[p->at] <= 'Z') ||
            (p->text[p->at] >= 'a' && p->text[p->at] <= 'z')))
        p->at++;
    return p->at - *start;
}

/* Behind "\p" or "\P". */
static void pattern_property(struct srt_pattern *p, struct srt_code_set *s,
                             bool negated)
{
    const size_t start = p->at;
    struct srt_code_set own = { 0 };
    size_t name, n_name, value = 0, n_value = 0;
    bool known = srt_pattern_take(p, '{');

    n_name = pattern_property_part(p, &name);
    if (srt_pattern_take(p, '='))
        n_value = pattern_property_part(p, &value);
    known = known && n_name > 0 && (value == 0 || n_value > 0) &&
            srt_pattern_take(p, '}');
    if (!known) {
        srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                         "\\p needs {name} or {name=value}");
        return;
    }
    known = srt_code_set_add_property(&own, p->text + name, n_name,
                                      value ? p->text + value : NULL, n_value);
    if (!known)
        srt_pattern_fail(p, SORTES_E_SYNTAX, name, "no such property");
    if (negated)
        srt_code_set_invert(&own);
    srt_code_set_add_all(s, (const uint32_t(*)[2])own.ranges, own.n);
    s->failed |= own.failed;
    srt_code_set_clear(&own);
}

/* \d \w \s and their complements. */
static void pattern_named_class(const struct srt_pattern *p, char name,
                                struct srt_code_set *s)
{
    struct srt_code_set own = { 0 };

    srt_code_set_add_class(&own, (char)(name | 0x20));
    if (!(name & 0x20)) {
        if (p->ignore_case)
            srt_code_set_fold(&own);
        srt_code_set_invert(&own);
    }
    srt_code_set_add_all(s, (const uint32_t(*)[2])own.ranges, own.n);
    s->failed |= own.failed;
    srt_code_set_clear(&own);
}

static uint32_t pattern_control(struct srt_pattern *p)
{
    const char letter = p->at < p->n ? (char)(p->text[p->at] | 0x20) : 0;

    if (letter < 'a' || letter > 'z')
        return srt_pattern_fail(p, SORTES_E_SYNTAX, p->at,
                                "\\c needs a letter");
    p->at++;
    return (uint32_t)(letter - 'a' + 1);
}

/* The escapes of one code point, the letter being taken. */
static uint32_t pattern_one(struct srt_pattern *p, char letter, bool in_class)
{
    static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
    const char *known = letter ? strchr(from, letter) : NULL;
    const size_t start = p->at - 1;
    uint32_t code;

    if (known)
        return (uint32_t)to[known - from];
    if (letter == 'b' && in_class)
        return '\b';
    if (letter == 'c')
        return pattern_control(p);
    if (letter == 'u')
        return pattern_unicode(p);
    if (letter == 'x' && pattern_digits(p, 2, &code))
        return code;
    if (letter == 'x')
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "\\x needs two hexadecimal digits");
    if (letter == '0' &&
        !(p->at < p->n && p->text[p->at] >= '0' && p->text[p->at] <= '9'))
        return 0;
    if (letter >= '0' && letter <= '9')
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                in_class ? "no reference may stand in a class"
                                         : "octal escapes are no ECMAScript");
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'))
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                letter == 'Z'
                                    ? "\\Z is no ECMAScript; \\z ends a text"
                                    : "no such escape in ECMAScript");
    p->at = start;
    return srt_pattern_code(p);
}

bool srt_pattern_escape(struct srt_pattern *p, bool in_class,
                        struct srt_code_set *s, uint32_t *code)
{
    char letter;

    *code = PATTERN_NONE;
    if (p->at >= p->n) {
        srt_pattern_fail(p, SORTES_E_SYNTAX, p->n, "a lone \\ at the end");
        return false;
    }
    letter = p->text[p->at++];
    if (letter == 'p' || letter == 'P') {
        pattern_property(p, s, letter == 'P');
        return true;
    }
    if (letter && strchr("dDsSwW", letter)) {
        pattern_named_class(p, letter, s);
        return true;
    }
    *code = pattern_one(p, letter, in_class);
    return false;
}

/* One end of a range, or a class (true). */
static bool pattern_class_atom(struct srt_pattern *p, struct srt_code_set *s,
                               uint32_t *code)
{
    if (srt_pattern_take(p, '\\'))
        return srt_pattern_escape(p, true, s, code);
    *code = srt_pattern_code(p);
    return false;
}

static void pattern_class_add(struct srt_code_set *s, uint32_t code)
{
    if (code != PATTERN_NONE)
        srt_code_set_add(s, code, code);
}

static void pattern_class_item(struct srt_pattern *p, struct srt_code_set *s)
{
    const size_t start = p->at;
    uint32_t first, last;
    bool is_class = pattern_class_atom(p, s, &first);

    if (!srt_pattern_next_is(p, 0, '-') || srt_pattern_next_is(p, 1, ']') ||
        p->at + 1 >= p->n) {
        if (!is_class)
            pattern_class_add(s, first);
        return;
    }
    p->at++;
    if (pattern_class_atom(p, s, &last) || is_class) {
        /* Annex B: a class at either end, so the hyphen is a hyphen */
        srt_code_set_add(s, '-', '-');
        if (!is_class)
            pattern_class_add(s, first);
        else
            pattern_class_add(s, last);
        return;
    }
    if (srt_book_failed(p->b))
        return;
    if (first > last)
        srt_pattern_fail(p, SORTES_E_SYNTAX, start, "range out of order");
    else
        srt_code_set_add(s, first, last);
}

void srt_pattern_class(struct srt_pattern *p, struct srt_code_set *s)
{
    const size_t start = p->at - 1;
    const bool negated = srt_pattern_take(p, '^');

    while (srt_pattern_more(p) && !srt_pattern_next_is(p, 0, ']'))
        pattern_class_item(p, s);
    if (srt_book_failed(p->b))
        return;
    if (!srt_pattern_take(p, ']')) {
        srt_pattern_fail(p, SORTES_E_SYNTAX, start, "[ without its ]");
        return;
    }
    if (p->ignore_case)
        srt_code_set_fold(s);
    if (negated)
        srt_code_set_invert(s);
}

uint32_t srt_pattern_set(struct srt_pattern *p, struct srt_code_set *s)
{
    uint32_t x = 0;

    if (p->ignore_case)
        srt_code_set_fold(s);
    srt_code_set_tidy(s);
    if (s->failed)
        srt_book_fail(p->b, SORTES_E_NOMEM);
    else
        x = srt_source_set(p->b, (const uint32_t(*)[2])s->ranges, s->n);
    srt_code_set_clear(s);
    return x;
}
