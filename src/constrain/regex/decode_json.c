/*
 * decode_json.c - the escapes of JSON strings, as maps of the decoder
 *
 * Source: RFC 8259, section 7.  Half a surrogate pair is no character and leads
 * nowhere (RFC 7493).  The canonical form escapes what must be, by a letter
 * where there is one, else as \u00 and two lower-case digits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/decoder.h"

/* Letters in their own order; what they stand for. */
static const char decode_letters[] = "\"/\\bfnrt";
static const char decode_meanings[] = "\"/\\\b\f\n\r\t";

/* One digit; to[i] for digit i, in both cases or in lower case alone. */
static uint32_t decode_digit(struct srt_decoder *d, const uint32_t to[16])
{
    struct srt_decode_map m = { .n = 0 };

    for (unsigned i = 0; i < 10; i++)
        srt_decode_put(d, &m, '0' + i, '0' + i, to[i]);
    for (unsigned i = 10; i < 16 && d->spelling != SRT_SPELL_JSON_CANONICAL;
         i++)
        srt_decode_put(d, &m, 'A' + i - 10, 'A' + i - 10, to[i]);
    for (unsigned i = 10; i < 16; i++)
        srt_decode_put(d, &m, 'a' + i - 10, 'a' + i - 10, to[i]);
    return srt_decode_map(d, &m);
}

/* n digits, any of them, and then to. */
static uint32_t decode_any_digits(struct srt_decoder *d, unsigned n,
                                  uint32_t to)
{
    const uint32_t wanted = to;
    uint32_t *of = n && n <= SRT_COUNT(d->any_digits)
                       ? d->any_digits[n - 1][to % SRT_DECODE_ANY]
                       : NULL;

    if (of && of[0] == wanted && of[1])
        return of[1];
    while (n-- > 0 && to) {
        uint32_t all[16];

        for (unsigned i = 0; i < 16; i++)
            all[i] = to;
        to = decode_digit(d, all);
    }
    if (of) {
        of[0] = wanted;
        of[1] = to;
    }
    return to;
}

static uint32_t decode_byte(struct srt_decoder *d, char byte, uint32_t to)
{
    struct srt_decode_map m = { .n = 0 };

    srt_decode_put(d, &m, (unsigned char)byte, (unsigned char)byte, to);
    return srt_decode_map(d, &m);
}

/* The last n digits of a lower half: code points from first on. */
static uint32_t decode_low_digits(struct srt_decoder *d, uint32_t reader_state,
                                  uint32_t first, unsigned n)
{
    uint32_t to[16];

    if (srt_decode_range(d, reader_state, first, first + (1u << 4 * n) - 1,
                         &to[0]))
        return decode_any_digits(d, n, to[0]);
    for (unsigned i = 0; i < 16; i++)
        to[i] = decode_low_digits(d, reader_state, first + (i << 4 * (n - 1)),
                                  n - 1);
    return decode_digit(d, to);
}

/* "\uDC00" to "\uDFFF": the 1,024 code points from first on; reader_state 0:
 * all of them lead to `all`. */
static uint32_t decode_low_half(struct srt_decoder *d, uint32_t reader_state,
                                uint32_t first, uint32_t all)
{
    uint32_t to[16] = { 0 };

    for (unsigned i = 0; i < 4; i++)
        to[0xC + i] = reader_state ? decode_low_digits(d, reader_state,
                                                       first + (i << 8), 2)
                                   : decode_any_digits(d, 2, all);
    all = decode_digit(d, to);
    memset(to, 0, sizeof(to));
    to[0xD] = all;
    return decode_byte(d, '\\', decode_byte(d, 'u', decode_digit(d, to)));
}

/* The last n digits of "\uXXXX", from first on. */
static uint32_t decode_digits(struct srt_decoder *d, uint32_t reader_state,
                              uint32_t first, unsigned n)
{
    const uint32_t last = first + (1u << 4 * n) - 1;
    uint32_t to[16];

    if (first > 0xDFFF || last < 0xD800) {
        if (srt_decode_range(d, reader_state, first, last, &to[0]))
            return decode_any_digits(d, n, to[0]);
    } else if (first >= 0xDC00 && last <= 0xDFFF) {
        return 0; /* a lower half without its upper one */
    } else if (first >= 0xD800 && last <= 0xDBFF) {
        const uint32_t low = 0x10000 + ((first - 0xD800) << 10);
        const uint32_t high = 0x10000 + ((last - 0xD800) << 10) + 0x3FF;

        if (srt_decode_range(d, reader_state, low, high, &to[0]))
            return decode_any_digits(d, n, decode_low_half(d, 0, 0, to[0]));
        if (n == 0)
            return decode_low_half(d, reader_state, low, 0);
    }
    for (unsigned i = 0; i < 16; i++)
        to[i] =
            decode_digits(d, reader_state, first + (i << 4 * (n - 1)), n - 1);
    return decode_digit(d, to);
}

/* Whether a code point below 128 may be "\u00XX" where not all may. */
static bool decode_is_control(const struct srt_decoder *d, unsigned code)
{
    if (d->spelling == SRT_SPELL_JSON_LLGUIDANCE)
        return code < 0x20 || code == 0x7F;
    return code < 0x20 && !(code && strchr(decode_meanings, (int)code));
}

/* "00" and two digits of such a one. */
static uint32_t decode_control(struct srt_decoder *d, uint32_t reader_state)
{
    uint32_t to[16], high[16] = { 0 };

    for (unsigned h = 0; h < 8; h++) {
        for (unsigned i = 0; i < 16; i++)
            to[i] = decode_is_control(d, 16 * h + i)
                        ? srt_decode_code(d, reader_state, 16 * h + i)
                        : 0;
        high[h] = decode_digit(d, to);
    }
    return decode_byte(d, '0', decode_byte(d, '0', decode_digit(d, high)));
}

uint32_t srt_decode_escape(struct srt_decoder *d, uint32_t reader_state)
{
    const bool any = d->spelling == SRT_SPELL_JSON;
    struct srt_decode_map m = { .n = 0 };

    for (size_t i = 0; decode_letters[i]; i++) {
        const unsigned letter = (unsigned char)decode_letters[i];

        if (any || letter != '/')
            srt_decode_put(d, &m, letter, letter,
                           srt_decode_code(d, reader_state,
                                           (unsigned char)decode_meanings[i]));
    }
    srt_decode_put(d, &m, 'u', 'u',
                   any ? decode_digits(d, reader_state, 0, 4)
                       : decode_control(d, reader_state));
    return srt_decode_map(d, &m);
}
