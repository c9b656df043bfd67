/*
 * utf8_set.c - sets of code points as sequences of ranges of bytes
 *
 * A range is cut where the length of the spelling changes and around the
 * surrogates, and then until all bytes but the first few of both ends agree or
 * run through all 64 continuations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/utf8_set.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

#define UTF8_LAST 0x10ffffu

struct utf8_sink {
    sortes_status (*each)(void *ctx, const struct srt_utf8_sequence *s);
    void *ctx;
};

/* Both ends have spellings of one length. */
static sortes_status utf8_split(const struct utf8_sink *sink, uint32_t first,
                                uint32_t last)
{
    struct srt_utf8_sequence s;
    char low[4] = { 0 }, high[4] = { 0 };

    for (unsigned bits = 6; bits <= 18; bits += 6) {
        const uint32_t mask = ((uint32_t)1 << bits) - 1;
        uint32_t cut = 0; /* where the second part begins */

        if ((first & ~mask) == (last & ~mask))
            continue;
        if ((first & mask) != 0)
            cut = (first | mask) + 1;
        else if ((last & mask) != mask)
            cut = last & ~mask;
        if (cut) {
            const sortes_status status = utf8_split(sink, first, cut - 1);

            return status == SORTES_OK ? utf8_split(sink, cut, last) : status;
        }
    }
    s.n = (unsigned)srt_utf8_encode(first, low);
    (void)srt_utf8_encode(last, high);
    memcpy(s.low, low, sizeof(low));
    memcpy(s.high, high, sizeof(high));
    return sink->each(sink->ctx, &s);
}

static sortes_status utf8_range(const struct utf8_sink *sink, uint32_t first,
                                uint32_t last)
{
    static const uint32_t parts[][2] = { { 0, 0x7f },
                                         { 0x80, 0x7ff },
                                         { 0x800, 0xd7ff },
                                         { 0xe000, 0xffff },
                                         { 0x10000, UTF8_LAST } };
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < SRT_COUNT(parts) && status == SORTES_OK; i++) {
        const uint32_t a = first > parts[i][0] ? first : parts[i][0];
        const uint32_t b = last < parts[i][1] ? last : parts[i][1];

        if (a <= b)
            status = utf8_split(sink, a, b);
    }
    return status;
}

static int utf8_compare(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (a[0] > b[0]) - (a[0] < b[0]);
}

sortes_status srt_utf8_set(
    const uint32_t (*ranges)[2], size_t n, bool negated,
    sortes_status (*each)(void *ctx, const struct srt_utf8_sequence *s),
    void *ctx)
{
    const struct utf8_sink sink = { each, ctx };
    uint32_t(*sorted)[2] = malloc((n + 1) * sizeof(*sorted));
    uint32_t next = 0; /* the first code point that is not yet decided */
    sortes_status status = SORTES_OK;

    if (!sorted)
        return SORTES_E_NOMEM;
    if (n)
        memcpy(sorted, ranges, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), utf8_compare);
    for (size_t i = 0; i < n && status == SORTES_OK; i++) {
        const uint32_t first = sorted[i][0] > next ? sorted[i][0] : next;
        const uint32_t last =
            sorted[i][1] < UTF8_LAST ? sorted[i][1] : UTF8_LAST;

        if (sorted[i][1] < sorted[i][0] || last < first)
            continue;
        if (!negated)
            status = utf8_range(&sink, first, last);
        else if (first > next)
            status = utf8_range(&sink, next, first - 1);
        next = last + 1;
    }
    if (negated && status == SORTES_OK && next <= UTF8_LAST)
        status = utf8_range(&sink, next, UTF8_LAST);
    free(sorted);
    return status;
}
