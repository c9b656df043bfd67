/*
 * test_utf8_set.c - every code point of a set once, and nothing else
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/gbnf/utf8_set.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

struct spelled {
    uint8_t *times; /* of each code point */
    size_t n;       /* sequences */
};

/* Counts the code points of a sequence by spelling all that it holds. */
static void count_from(struct spelled *s, const struct srt_utf8_sequence *q,
                       unsigned at, char *text)
{
    if (at == q->n) {
        uint32_t code = (unsigned char)text[0];

        assert_int_equal(srt_utf8_length(text, q->n), q->n);
        if (q->n > 1)
            code &= 0x7fu >> q->n;
        for (unsigned i = 1; i < q->n; i++)
            code = code << 6 | ((unsigned char)text[i] & 0x3fu);
        s->times[code]++;
        return;
    }
    for (unsigned byte = q->low[at]; byte <= q->high[at]; byte++) {
        text[at] = (char)byte;
        count_from(s, q, at + 1, text);
    }
}

static sortes_status count_sequence(void *ctx,
                                    const struct srt_utf8_sequence *q)
{
    struct spelled *s = ctx;
    char text[4];

    s->n++;
    count_from(s, q, 0, text);
    return SORTES_OK;
}

static int in_set(const uint32_t (*ranges)[2], size_t n, int negated,
                  uint32_t code)
{
    int in = 0;

    for (size_t i = 0; i < n; i++)
        in |= ranges[i][0] <= code && code <= ranges[i][1];
    return (code < 0xd800 || code > 0xdfff) && in != negated;
}

static void spells_a_set_exactly(void **state)
{
    static const uint32_t sets[][3][2] = {
        { { 'a', 'z' }, { '0', '9' }, { 'c', 'f' } },
        { { 0, 0x10ffff }, { 1, 0 }, { 1, 0 } },
        { { 0x7f, 0x80 }, { 0x7ff, 0x800 }, { 0xffff, 0x10000 } },
        { { 0xd7ff, 0xe000 }, { 0xdc00, 0xdc00 }, { 5, 3 } },
        { { 0x110000, 0xffffffff }, { 'z', 'a' }, { 0x10ffff, 0xffffffff } },
        { { 0x4e00, 0x9fff }, { 0x1f600, 0x1f64f }, { 0xe9, 0xe9 } },
        { { 0x83f, 0x1041 }, { 0x12345, 0x98765 }, { 0x10000, 0x10fffe } },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(sets); i++)
        for (int negated = 0; negated < 2; negated++) {
            struct spelled s = { calloc(0x200000, 1), 0 };

            assert_int_equal(
                srt_utf8_set(sets[i], 3, negated, count_sequence, &s),
                SORTES_OK);
            for (uint32_t code = 0; code < 0x200000; code++)
                if (s.times[code] !=
                    (code < 0x110000 && in_set(sets[i], 3, negated, code)))
                    fail_msg("set %zu, %x: %u times", i, code, s.times[code]);
            assert_in_range(s.n, 0, 40);
            free(s.times);
        }
}

static sortes_status stop_at_once(void *ctx, const struct srt_utf8_sequence *q)
{
    (void)q;
    ++*(int *)ctx;
    return SORTES_E_LIMIT;
}

static void stops_when_told(void **state)
{
    int calls = 0;

    (void)state;
    assert_int_equal(srt_utf8_set(NULL, 0, true, stop_at_once, &calls),
                     SORTES_E_LIMIT);
    assert_int_equal(calls, 1);
    assert_int_equal(srt_utf8_set(NULL, 0, false, stop_at_once, &calls),
                     SORTES_OK);
    assert_int_equal(calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spells_a_set_exactly),
        cmocka_unit_test(stops_when_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
