/*
 * code_set.c - sets of code points, as ranges
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/code_set.h"

#include <stdlib.h>

#define CODE_SET_LAST 0x10FFFFu

void srt_code_set_clear(struct srt_code_set *s)
{
    free(s->ranges);
    s->ranges = NULL;
    s->n = s->room = 0;
    s->failed = false;
}

void srt_code_set_add(struct srt_code_set *s, uint32_t first, uint32_t last)
{
    if (s->n > 0 && s->ranges[s->n - 1][1] + 1 == first) {
        s->ranges[s->n - 1][1] = last;
        return;
    }
    if (s->n == s->room) {
        const size_t room = s->room ? 2 * s->room : 16;
        uint32_t(*grown)[2] = realloc(s->ranges, room * sizeof(*grown));

        if (!grown) {
            s->failed = true;
            return;
        }
        s->ranges = grown;
        s->room = room;
    }
    s->ranges[s->n][0] = first;
    s->ranges[s->n++][1] = last;
}

void srt_code_set_add_all(struct srt_code_set *s, const uint32_t (*ranges)[2],
                          size_t n)
{
    for (size_t i = 0; i < n; i++)
        srt_code_set_add(s, ranges[i][0], ranges[i][1]);
}

static int code_set_compare(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

void srt_code_set_tidy(struct srt_code_set *s)
{
    bool sorted = true;
    size_t n = 0;

    for (size_t i = 1; i < s->n && sorted; i++)
        sorted = s->ranges[i][0] > s->ranges[i - 1][1];
    if (!sorted)
        qsort(s->ranges, s->n, sizeof(*s->ranges), code_set_compare);
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t first = s->ranges[i][0], last = s->ranges[i][1];

        if (n > 0 && first <= s->ranges[n - 1][1] + 1) {
            if (last > s->ranges[n - 1][1])
                s->ranges[n - 1][1] = last;
            continue;
        }
        s->ranges[n][0] = first;
        s->ranges[n++][1] = last;
    }
    s->n = n;
}

void srt_code_set_invert(struct srt_code_set *s)
{
    struct srt_code_set other = { .failed = s->failed };
    uint32_t first = 0;

    srt_code_set_tidy(s);
    for (size_t i = 0; i < s->n; i++) {
        if (s->ranges[i][0] > first)
            srt_code_set_add(&other, first, s->ranges[i][0] - 1);
        first = s->ranges[i][1] + 1;
    }
    if (first <= CODE_SET_LAST)
        srt_code_set_add(&other, first, CODE_SET_LAST);
    other.failed |= s->failed;
    free(s->ranges);
    *s = other;
}

void srt_code_set_add_class(struct srt_code_set *s, char name)
{
    /* ECMA-262: WhiteSpace and LineTerminator, LineTerminator. */
    static const uint32_t space[][2] = {
        { 0x9, 0xD },       { ' ', ' ' },       { 0xA0, 0xA0 },
        { 0x1680, 0x1680 }, { 0x2000, 0x200A }, { 0x2028, 0x2029 },
        { 0x202F, 0x202F }, { 0x205F, 0x205F }, { 0x3000, 0x3000 },
        { 0xFEFF, 0xFEFF },
    };
    static const uint32_t in_line[][2] = {
        { 0, 0x9 }, { 0xB, 0xC }, { 0xE, 0x2027 }, { 0x202A, CODE_SET_LAST }
    };
    static const uint32_t word[][2] = {
        { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' }
    };

    switch (name) {
    case 'd':
        srt_code_set_add(s, '0', '9');
        break;
    case 's':
        srt_code_set_add_all(s, space, SRT_COUNT(space));
        break;
    case '.':
        srt_code_set_add_all(s, in_line, SRT_COUNT(in_line));
        break;
    default:
        srt_code_set_add_all(s, word, SRT_COUNT(word));
        break;
    }
}
