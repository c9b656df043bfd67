/*
 * spelling.c - the code points that cannot be written over an alphabet
 *
 * Code points are looked at in blocks of 64, which share all bytes but their
 * last one, or by their first byte where that decides.  Surrogates are no
 * characters and are not listed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/decode.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

struct spelling {
    enum srt_spelling kind;
    const struct srt_alphabet *alphabet;
    uint32_t digits; /* bit i: hexadecimal digit i can be written */
    bool escapes;    /* '\' and 'u' can */
};

static bool spelling_has(const struct spelling *s, unsigned byte)
{
    return srt_alphabet_has(s->alphabet, (uint8_t)byte);
}

static void spelling_look(struct spelling *s)
{
    static const char digits[] = "0123456789abcdef";

    for (unsigned i = 0; i < 16; i++)
        if (spelling_has(s, (unsigned char)digits[i]) ||
            (i > 9 && s->kind != SRT_SPELL_JSON_CANONICAL &&
             spelling_has(s, (unsigned char)digits[i] - 32u)))
            s->digits |= 1u << i;
    s->escapes = s->kind != SRT_SPELL_UTF8 && spelling_has(s, '\\') &&
                 spelling_has(s, 'u');
}

static bool spelling_unit(const struct spelling *s, uint32_t unit)
{
    for (int i = 0; i < 4; i++)
        if (!(s->digits >> (unit >> 4 * i & 15) & 1))
            return false;
    return true;
}

/* Whether \u may stand for it where it may not for all. */
static bool spelling_is_control(const struct spelling *s, uint32_t code,
                                bool has_letter)
{
    return s->kind == SRT_SPELL_JSON_LLGUIDANCE ? code < 0x20 || code == 0x7F
                                                : code < 0x20 && !has_letter;
}

/* By an escape of any length. */
static bool spelling_escapes(const struct spelling *s, uint32_t code)
{
    static const char letters[] = "\"/\\bfnrt", meanings[] = "\"/\\\b\f\n\r\t";
    const char *at = code && code < 0x80 ? strchr(meanings, (int)code) : NULL;
    const bool any = s->kind == SRT_SPELL_JSON;

    if (s->kind == SRT_SPELL_UTF8 || !spelling_has(s, '\\'))
        return false;
    if (at && (any || code != '/') &&
        spelling_has(s, (unsigned char)letters[at - meanings]))
        return true;
    if (!s->escapes || !(any || spelling_is_control(s, code, at != NULL)))
        return false;
    if (code < 0x10000)
        return spelling_unit(s, code);
    return spelling_unit(s, 0xD800 + ((code - 0x10000) >> 10)) &&
           spelling_unit(s, 0xDC00 + (code & 0x3FF));
}

/* Bit i: first + i stands for itself in a text. */
static uint64_t spelling_raw(const struct spelling *s, uint32_t first)
{
    uint64_t raw = s->alphabet->bits[2]; /* 80 to BF */
    char bytes[4];
    size_t n;

    if (first < 0x80) {
        raw = s->alphabet->bits[first / 64];
        if (s->kind != SRT_SPELL_UTF8 && first == 0)
            raw &= ~(UINT64_C(0xFFFFFFFF) | UINT64_C(1) << '"');
        if (s->kind != SRT_SPELL_UTF8 && first == 64)
            raw &= ~(UINT64_C(1) << ('\\' - 64));
        if (s->kind == SRT_SPELL_JSON_LLGUIDANCE && first == 64)
            raw &= ~(UINT64_C(1) << (0x7F - 64));
        return raw;
    }
    n = srt_utf8_encode(first, bytes);
    for (size_t i = 0; i + 1 < n; i++)
        if (!spelling_has(s, (unsigned char)bytes[i]))
            return 0;
    return raw;
}

static uint64_t spelling_missing_of(const struct spelling *s, uint32_t first)
{
    uint64_t missing = ~spelling_raw(s, first);

    for (uint64_t left = missing; left; left &= left - 1) {
        const unsigned i = srt_ctz64(left);

        if (spelling_escapes(s, first + i))
            missing &= ~(UINT64_C(1) << i);
    }
    return missing;
}

/* How many code points from first on, the first of a block, are alike: all
 * those of its first byte of UTF-8, where the others are always there and no
 * escape stands in for any. */
static uint32_t spelling_alike(const struct spelling *s, uint32_t first)
{
    const uint32_t many = first < 0x800     ? 64
                          : first < 0x10000 ? 0x1000
                                            : 0x40000;

    if (first < 0x80 || s->alphabet->bits[2] != UINT64_MAX ||
        s->kind == SRT_SPELL_JSON || (first >= 0xD000 && first < 0xE000))
        return 64;
    return many - first % many; /* E0 and F0 begin in mid-way */
}

struct spelling_list {
    uint32_t (*ranges)[2];
    size_t n, room;
};

static bool spelling_add(struct spelling_list *l, uint32_t first, uint32_t last)
{
    if (l->n > 0 && l->ranges[l->n - 1][1] + 1 == first) {
        l->ranges[l->n - 1][1] = last;
        return true;
    }
    if (l->n == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        uint32_t(*grown)[2] = realloc(l->ranges, room * sizeof(*grown));

        if (!grown)
            return false;
        l->ranges = grown;
        l->room = room;
    }
    l->ranges[l->n][0] = first;
    l->ranges[l->n++][1] = last;
    return true;
}

sortes_status srt_spelling_missing(enum srt_spelling spelling,
                                   const struct srt_alphabet *alphabet,
                                   uint32_t (**ranges)[2], size_t *n_ranges)
{
    struct spelling s = { .kind = spelling, .alphabet = alphabet };
    struct spelling_list list = { NULL, 0, 0 };
    struct srt_alphabet all;
    bool fits = true;

    srt_alphabet_fill(&all);
    spelling_look(&s);
    *ranges = NULL;
    *n_ranges = 0;
    if (srt_alphabet_equal(alphabet, &all) ||
        (spelling == SRT_SPELL_JSON && s.escapes && s.digits == 0xFFFF))
        return SORTES_OK;
    for (uint32_t first = 0, n; first < 0x110000 && fits; first += n) {
        const uint64_t missing = first >= 0xD800 && first < 0xE000
                                     ? 0
                                     : spelling_missing_of(&s, first);

        n = spelling_alike(&s, first);
        if (n > 0x110000 - first)
            n = 0x110000 - first;
        if (missing == UINT64_MAX) {
            fits = spelling_add(&list, first, first + n - 1);
            continue;
        }
        for (uint64_t left = missing; left && fits; left &= left - 1) {
            const uint32_t code = first + srt_ctz64(left);

            fits = spelling_add(&list, code, code);
        }
    }
    if (!fits) {
        free(list.ranges);
        return SORTES_E_NOMEM;
    }
    *ranges = list.ranges;
    *n_ranges = list.n;
    return SORTES_OK;
}
