/*
 * json_judge.c - whether a text is, or can still become, JSON
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/json_judge.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { JUDGE_KEYS = 64, JUDGE_KEY = 256 };

/* JUDGE_WHOLE goes on; the other two end everything. */
struct judge {
    const char *text;
    size_t n, at;
};

struct judge_key {
    char bytes[JUDGE_KEY];
    size_t n;
};

static enum judge_verdict judge_value(struct judge *j);

static void blanks(struct judge *j)
{
    while (j->at < j->n && (j->text[j->at] == ' ' || j->text[j->at] == '\t' ||
                            j->text[j->at] == '\n' || j->text[j->at] == '\r'))
        j->at++;
}

/* The next byte is between low and high; past it. */
static enum judge_verdict range(struct judge *j, int low, int high)
{
    if (j->at == j->n)
        return JUDGE_MORE;
    const unsigned char c = (unsigned char)j->text[j->at++];
    return c >= low && c <= high ? JUDGE_WHOLE : JUDGE_NEVER;
}

static enum judge_verdict word(struct judge *j, const char *w)
{
    enum judge_verdict v = JUDGE_WHOLE;

    for (; *w && v == JUDGE_WHOLE; w++)
        v = range(j, *w, *w);
    return v;
}

static void key_add(struct judge_key *key, unsigned code)
{
    char utf8[4];
    size_t n = 0;

    if (code < 0x80)
        utf8[n++] = (char)code;
    else if (code < 0x800) {
        utf8[n++] = (char)(0xC0 | code >> 6);
        utf8[n++] = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        utf8[n++] = (char)(0xE0 | code >> 12);
        utf8[n++] = (char)(0x80 | (code >> 6 & 63));
        utf8[n++] = (char)(0x80 | (code & 63));
    } else {
        utf8[n++] = (char)(0xF0 | code >> 18);
        utf8[n++] = (char)(0x80 | (code >> 12 & 63));
        utf8[n++] = (char)(0x80 | (code >> 6 & 63));
        utf8[n++] = (char)(0x80 | (code & 63));
    }
    if (key && key->n + n <= JUDGE_KEY) {
        memcpy(key->bytes + key->n, utf8, n);
        key->n += n;
    }
}

/* Four hex digits, the first two at most those of `most`; with `least`, at
 * least those: the halves of a surrogate pair. */
static enum judge_verdict unit(struct judge *j, unsigned least, unsigned most,
                               unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        if (j->at == j->n)
            return JUDGE_MORE;
        const char c = j->text[j->at++];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return JUDGE_NEVER;
        *code = *code * 16 + (unsigned)digit;
        const int shift = 4 * (3 - i);
        if (*code < least >> shift || *code > most >> shift)
            return JUDGE_NEVER;
    }
    return JUDGE_WHOLE;
}

/* Behind a backslash. */
static enum judge_verdict escape(struct judge *j, struct judge_key *key)
{
    static const char named[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    unsigned code, low;

    if (j->at == j->n)
        return JUDGE_MORE;
    const char c = j->text[j->at++];
    for (size_t i = 0; i + 1 < sizeof(named); i += 2)
        if (c == named[i]) {
            key_add(key, (unsigned char)named[i + 1]);
            return JUDGE_WHOLE;
        }
    if (c != 'u')
        return JUDGE_NEVER;
    const size_t digits = j->at;
    enum judge_verdict v = unit(j, 0, 0xFFFF, &code);
    if (v == JUDGE_MORE && j->n - digits >= 2 &&
        (j->text[digits] == 'd' || j->text[digits] == 'D') &&
        strchr("cdefCDEF", j->text[digits + 1]))
        return JUDGE_NEVER; /* a low half, and no high one before it */
    if (v != JUDGE_WHOLE || code < 0xD800 || code > 0xDFFF) {
        if (v == JUDGE_WHOLE)
            key_add(key, code);
        return v;
    }
    if (code >= 0xDC00)
        return JUDGE_NEVER;
    v = word(j, "\\u");
    if (v == JUDGE_WHOLE)
        v = unit(j, 0xDC00, 0xDFFF, &low);
    if (v == JUDGE_WHOLE)
        key_add(key, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
    return v;
}

/* A letter of more than one byte; RFC 3629's table. */
static enum judge_verdict letter(struct judge *j, struct judge_key *key)
{
    static const unsigned char rows[][4] = {
        /* first byte from .. to, second byte from .. to */
        { 0xC2, 0xDF, 0x80, 0xBF }, { 0xE0, 0xE0, 0xA0, 0xBF },
        { 0xE1, 0xEC, 0x80, 0xBF }, { 0xED, 0xED, 0x80, 0x9F },
        { 0xEE, 0xEF, 0x80, 0xBF }, { 0xF0, 0xF0, 0x90, 0xBF },
        { 0xF1, 0xF3, 0x80, 0xBF }, { 0xF4, 0xF4, 0x80, 0x8F },
    };
    const size_t begin = j->at;
    const unsigned char c = (unsigned char)j->text[j->at++];
    enum judge_verdict v = JUDGE_NEVER;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (c >= rows[i][0] && c <= rows[i][1])
            v = range(j, rows[i][2], rows[i][3]);
    for (int more = (c >= 0xE0) + (c >= 0xF0); more > 0; more--)
        if (v == JUDGE_WHOLE)
            v = range(j, 0x80, 0xBF);
    if (v == JUDGE_WHOLE && key && key->n + 4 <= JUDGE_KEY) {
        memcpy(key->bytes + key->n, j->text + begin, j->at - begin);
        key->n += j->at - begin;
    }
    return v;
}

/* From the quote on; key NULL: what it says does not matter. */
static enum judge_verdict string(struct judge *j, struct judge_key *key)
{
    enum judge_verdict v = word(j, "\"");

    while (v == JUDGE_WHOLE) {
        if (j->at == j->n)
            return JUDGE_MORE;
        const unsigned char c = (unsigned char)j->text[j->at];
        if (c >= 0x80) {
            v = letter(j, key);
            continue;
        }
        j->at++;
        if (c == '"')
            return JUDGE_WHOLE;
        if (c < 0x20)
            return JUDGE_NEVER;
        if (c == '\\')
            v = escape(j, key);
        else
            key_add(key, c);
    }
    return v;
}

static enum judge_verdict digits(struct judge *j)
{
    const enum judge_verdict v = range(j, '0', '9');

    while (v == JUDGE_WHOLE && j->at < j->n && j->text[j->at] >= '0' &&
           j->text[j->at] <= '9')
        j->at++;
    return v;
}

/* A number that the text ends in may go on, but need not: only what follows
 * tells. */
static enum judge_verdict number(struct judge *j)
{
    enum judge_verdict v = JUDGE_WHOLE;

    if (j->text[j->at] == '-')
        j->at++;
    if (j->at < j->n && j->text[j->at] == '0')
        j->at++;
    else
        v = digits(j);
    if (v == JUDGE_WHOLE && j->at < j->n && j->text[j->at] == '.') {
        j->at++;
        v = digits(j);
    }
    if (v == JUDGE_WHOLE && j->at < j->n &&
        (j->text[j->at] == 'e' || j->text[j->at] == 'E')) {
        j->at++;
        if (j->at < j->n && (j->text[j->at] == '+' || j->text[j->at] == '-'))
            j->at++;
        v = digits(j);
    }
    return v;
}

/* A key, and that none before it was the same. */
static enum judge_verdict member(struct judge *j, struct judge_key *keys,
                                 size_t n)
{
    keys[n].n = 0;
    enum judge_verdict v = string(j, &keys[n]);

    for (size_t i = 0; v == JUDGE_WHOLE && i < n; i++)
        if (keys[i].n == keys[n].n &&
            memcmp(keys[i].bytes, keys[n].bytes, keys[n].n) == 0)
            return JUDGE_NEVER;
    if (v != JUDGE_WHOLE)
        return v;
    blanks(j);
    v = word(j, ":");
    blanks(j);
    return v == JUDGE_WHOLE ? judge_value(j) : v;
}

static enum judge_verdict container(struct judge *j, char open, char close)
{
    struct judge_key keys[JUDGE_KEYS];

    j->at++;
    for (size_t n = 0; n < JUDGE_KEYS; n++) {
        blanks(j);
        if (j->at == j->n)
            return JUDGE_MORE;
        if (n == 0 && j->text[j->at] == close)
            break;
        enum judge_verdict v =
            open == '{' ? member(j, keys, n) : judge_value(j);
        if (v != JUDGE_WHOLE)
            return v;
        blanks(j);
        if (j->at == j->n)
            return JUDGE_MORE;
        if (j->text[j->at] == close)
            break;
        v = word(j, ",");
        if (v != JUDGE_WHOLE)
            return v;
    }
    j->at++;
    return JUDGE_WHOLE;
}

static enum judge_verdict judge_value(struct judge *j)
{
    if (j->at == j->n)
        return JUDGE_MORE;
    switch (j->text[j->at]) {
    case '{':
        return container(j, '{', '}');
    case '[':
        return container(j, '[', ']');
    case '"':
        return string(j, NULL);
    case 't':
        return word(j, "true");
    case 'f':
        return word(j, "false");
    case 'n':
        return word(j, "null");
    default:
        if (j->text[j->at] != '-' &&
            (j->text[j->at] < '0' || j->text[j->at] > '9'))
            return JUDGE_NEVER;
        return number(j);
    }
}

/* Blanks, what `read` says, and blanks. */
static enum judge_verdict whole(const char *text, size_t n,
                                enum judge_verdict (*read)(struct judge *j))
{
    struct judge j = { text, n, 0 };

    blanks(&j);
    const enum judge_verdict v = read(&j);
    blanks(&j);
    return v == JUDGE_WHOLE && j.at < n ? JUDGE_NEVER : v;
}

static enum judge_verdict object(struct judge *j)
{
    if (j->at == j->n)
        return JUDGE_MORE;
    return j->text[j->at] == '{' ? container(j, '{', '}') : JUDGE_NEVER;
}

enum judge_verdict judge_object(const char *text, size_t n)
{
    return whole(text, n, object);
}

enum judge_verdict judge_json(const char *text, size_t n)
{
    return whole(text, n, judge_value);
}
