/*
 * regex_check.c - regular expressions at work: open, read bytes, judge
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct srt_regex_limits regex_limits = { 1000000, 64 << 20, 0 };

struct srt_book *regex_book(void)
{
    struct srt_book *b;

    assert_int_equal(srt_book_new(&b, &regex_limits), SORTES_OK);
    return b;
}

srt_regex regex_parsed(struct srt_book *b, const char *pattern)
{
    sortes_error err;
    srt_regex x = 0;

    if (srt_book_parse(b, pattern, strlen(pattern), false, &x, &err) !=
        SORTES_OK)
        fail_msg("%s: %s", pattern, err.text);
    return x;
}

void regex_begin_as(struct regex_check *r, struct srt_book *b, srt_regex x,
                    enum srt_spelling spelling,
                    const struct srt_alphabet *alphabet)
{
    uint32_t(*missing)[2];
    size_t n_missing;
    uint32_t start;
    struct srt_code_reader reader;

    r->book = b;
    assert_int_equal(
        srt_spelling_missing(spelling, alphabet, &missing, &n_missing),
        SORTES_OK);
    assert_int_equal(
        srt_book_close(b, (const uint32_t(*)[2])missing, n_missing), SORTES_OK);
    free(missing);
    assert_int_equal(srt_book_start(b, x, &start), SORTES_OK);
    reader = srt_book_reader(b);
    assert_int_equal(srt_decoder_new(&r->decoder, &reader, spelling, alphabet,
                                     &regex_limits),
                     SORTES_OK);
    assert_int_equal(srt_decoder_at(r->decoder, start, &r->start), SORTES_OK);
    assert_int_equal(r->start == 0, start == 0);
}

void regex_begin(struct regex_check *r, struct srt_book *b, srt_regex x)
{
    struct srt_alphabet all;

    srt_alphabet_fill(&all);
    regex_begin_as(r, b, x, SRT_SPELL_UTF8, &all);
}

void regex_open(struct regex_check *r, const char *pattern)
{
    struct srt_book *b = regex_book();

    regex_begin(r, b, regex_parsed(b, pattern));
}

void regex_close(struct regex_check *r)
{
    srt_decoder_free(r->decoder);
    srt_book_free(r->book);
}

static size_t regex_go(const struct regex_check *r, uint32_t *state,
                       const char *bytes, size_t n)
{
    size_t i = 0;

    for (; i < n && *state; i++) {
        uint32_t next;

        assert_int_equal(
            srt_decoder_step(r->decoder, *state, (uint8_t)bytes[i], &next),
            SORTES_OK);
        *state = next;
        if (!next)
            break;
    }
    return i;
}

uint32_t regex_walk(const struct regex_check *r, uint32_t state,
                    const char *bytes, size_t n)
{
    (void)regex_go(r, &state, bytes, n);
    return state;
}

bool regex_ends(const struct regex_check *r, uint32_t state)
{
    return srt_book_accepts(r->book,
                            srt_decoder_reader_state(r->decoder, state));
}

size_t regex_reach(const char *pattern, const char *text)
{
    struct regex_check r;
    uint32_t state;
    size_t n;

    regex_open(&r, pattern);
    state = r.start;
    n = regex_go(&r, &state, text, strlen(text));
    regex_close(&r);
    return n;
}

static bool regex_judge(struct regex_check *r, const char *text)
{
    const bool ends =
        regex_ends(r, regex_walk(r, r->start, text, strlen(text)));

    regex_close(r);
    return ends;
}

bool regex_matches(const char *pattern, const char *text)
{
    struct regex_check r;

    regex_open(&r, pattern);
    return regex_judge(&r, text);
}

bool regex_finds(const char *pattern, const char *text)
{
    struct srt_book *b = regex_book();
    struct regex_check r;
    srt_regex x;

    assert_int_equal(
        srt_book_parse(b, pattern, strlen(pattern), true, &x, NULL), SORTES_OK);
    regex_begin(&r, b, x);
    return regex_judge(&r, text);
}

void regex_refused(const char *pattern, size_t offset, const char *what)
{
    struct srt_book *b = regex_book();
    sortes_error err;
    srt_regex x = 77;
    const sortes_status status =
        srt_book_parse(b, pattern, strlen(pattern), false, &x, &err);

    if (status == SORTES_OK)
        fail_msg("%s is accepted", pattern);
    assert_int_equal(x, 77);
    assert_int_equal(err.status, status);
    if (err.offset != offset || !strstr(err.text, what))
        fail_msg("%s: %s (at %zu; %zu and %s were expected)", pattern, err.text,
                 err.offset, offset, what);
    srt_book_free(b);
}

struct regex_found {
    uint32_t state;
    int from;
    char bytes[4];
    size_t n;
};

int regex_complete(const struct regex_check *r, uint32_t state,
                   const char *over, char *text, size_t room)
{
    enum { ROOM = 4096 };
    struct regex_found *found = calloc(ROOM, sizeof(*found));
    int n = 1, at = 0, length = -1;

    assert_non_null(found);
    found[0].state = state;
    found[0].from = -1;
    for (; at < n && !regex_ends(r, found[at].state); at++) {
        for (const char *c = over; *c;) {
            const size_t bytes = srt_utf8_length(c, strlen(c));
            const uint32_t next = regex_walk(r, found[at].state, c, bytes);
            int known = 0;

            while (known < n && found[known].state != next)
                known++;
            if (next && known == n && n < ROOM) {
                found[n].state = next;
                found[n].from = at;
                found[n].n = bytes;
                memcpy(found[n++].bytes, c, bytes);
            }
            c += bytes;
        }
    }
    if (at < n) {
        length = 0;
        for (int i = at; found[i].from >= 0; i = found[i].from) {
            if ((size_t)length + found[i].n >= room) {
                length = -2;
                break;
            }
            memmove(text + found[i].n, text, (size_t)length);
            memcpy(text, found[i].bytes, found[i].n);
            length += (int)found[i].n;
        }
        if (length >= 0)
            text[length] = '\0';
    }
    free(found);
    return length;
}

static void regex_compare(const struct regex_check *const r[2],
                          const uint32_t states[2], const char *over,
                          int length)
{
    assert_int_equal(states[0] == 0, states[1] == 0);
    assert_int_equal(regex_ends(r[0], states[0]), regex_ends(r[1], states[1]));
    for (const char *c = over; *c && length > 0 && states[0];) {
        const size_t n = srt_utf8_length(c, strlen(c));
        const uint32_t next[2] = { regex_walk(r[0], states[0], c, n),
                                   regex_walk(r[1], states[1], c, n) };

        regex_compare(r, next, over, length - 1);
        c += n;
    }
}

void regex_same(const struct regex_check *x, const struct regex_check *y,
                const char *over, int length)
{
    const struct regex_check *const r[2] = { x, y };
    const uint32_t states[2] = { x->start, y->start };

    regex_compare(r, states, over, length);
}
