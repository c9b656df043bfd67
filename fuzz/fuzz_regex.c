/*
 * fuzz_regex.c - any bytes as a regular expression, and bytes read by it
 *
 * Refused with a place in the text, or read; then states that keep their
 * promise: one that is no end goes on by some byte, and the complement of the
 * pattern says the opposite of it, byte by byte.
 *
 * Input: the pattern, and behind a byte FF what is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/decode.h"
#include "fuzz.h"

#include <string.h>

static const struct srt_regex_limits limits = { 2000, 4 << 20, 0 };

struct side {
    struct srt_book *book;
    struct srt_decoder *decoder;
    uint32_t state;
};

static int side_open(struct side *s, const char *pattern, size_t n, int negated)
{
    struct srt_alphabet all;
    struct srt_code_reader reader;
    sortes_error err = { 0 };
    srt_regex x = 0;
    uint32_t start;

    memset(s, 0, sizeof(*s));
    srt_alphabet_fill(&all);
    check(srt_book_new(&s->book, &limits) == SORTES_OK);
    if (srt_book_parse(s->book, pattern, n, false, &x, &err) != SORTES_OK) {
        check(err.status != SORTES_OK && err.offset <= n && err.text[0]);
        return 0;
    }
    if ((negated && srt_book_not(s->book, x, &x) != SORTES_OK) ||
        srt_book_close(s->book, NULL, 0) != SORTES_OK ||
        srt_book_start(s->book, x, &start) != SORTES_OK)
        return 0;
    reader = srt_book_reader(s->book);
    check(srt_decoder_new(&s->decoder, &reader, SRT_SPELL_UTF8, &all,
                          &limits) == SORTES_OK);
    return srt_decoder_at(s->decoder, start, &s->state) == SORTES_OK;
}

static void side_close(struct side *s)
{
    srt_decoder_free(s->decoder);
    srt_book_free(s->book);
}

static int side_ends(const struct side *s)
{
    return srt_book_accepts(s->book,
                            srt_decoder_reader_state(s->decoder, s->state));
}

/* Between two characters, one of which the state leads on by, or an end. */
static int side_alive(const struct side *s)
{
    int alive = s->state == 0 || side_ends(s);

    for (unsigned byte = 0; byte < 256 && !alive; byte++) {
        uint32_t next;

        alive = srt_decoder_step(s->decoder, s->state, (uint8_t)byte, &next) !=
                    SORTES_OK ||
                next != 0;
    }
    return alive;
}

static int side_step(struct side *s, uint8_t byte)
{
    if (s->state == 0)
        return 1;
    return srt_decoder_step(s->decoder, s->state, byte, &s->state) == SORTES_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const uint8_t *text = n ? memchr(data, 0xFF, n) : NULL;
    const size_t n_pattern = text ? (size_t)(text - data) : n;
    struct side a, b;
    int go = side_open(&a, (const char *)data, n_pattern, 0) &
             side_open(&b, (const char *)data, n_pattern, 1);
    int inside = 0; /* bytes of a character to come */

    for (; go; text++) {
        check(side_alive(&a) && side_alive(&b));
        if (a.state && !srt_decoder_reader_state(a.decoder, a.state))
            inside = 1;
        else if (b.state && !srt_decoder_reader_state(b.decoder, b.state))
            inside = 1;
        else
            inside = a.state == 0 && b.state == 0;
        if (!inside)
            check(side_ends(&a) != side_ends(&b));
        if (!text || text + 1 >= data + n || (a.state == 0 && b.state == 0))
            break;
        go = side_step(&a, text[1]) && side_step(&b, text[1]);
    }
    side_close(&a);
    side_close(&b);
    return 0;
}
