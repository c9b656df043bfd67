/*
 * escape_number.c - out of the numbers that rivals have, or along one of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/escape.h"

#include "constrain/json/values.h"
#include "constrain/json_schema/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPE_NUMBER = 1400 }; /* bytes of a spelling, at most */

/* The number with its end, as any container may have it; there is room for it
 * behind the suffix. */
static bool escape_number_ends(struct srt_escape *e,
                               const struct srt_escape_place *at, char *suffix)
{
    static const char ends[] = { ',', ']', '}' };
    const size_t n = strlen(suffix);

    for (size_t i = 0; i < sizeof(ends); i++) {
        suffix[n] = ends[i];
        if (srt_escape_try(e, at, suffix, n + 1))
            return true;
    }
    suffix[n] = '\0';
    return false;
}

/* What is left of a number's plain spelling behind what is typed; false: it
 * does not begin like that. */
static bool escape_plain(const struct srt_decimal *d, const char *typed,
                         size_t n_typed, bool point, char *suffix)
{
    char text[ESCAPE_NUMBER + 16];
    const int32_t whole = d->exponent + (int32_t)d->n;
    size_t n = 0;

    if (whole > ESCAPE_NUMBER / 4 || d->exponent < -ESCAPE_NUMBER / 4)
        return false;
    if (d->negative || (n_typed && typed[0] == '-'))
        text[n++] = '-';
    if (whole <= 0)
        text[n++] = '0';
    for (int32_t i = whole < 0 ? whole : 0; i < (int32_t)d->n || i < whole;
         i++) {
        if (i == whole || (whole < 0 && i == whole))
            text[n++] = '.';
        text[n++] =
            i >= 0 && i < (int32_t)d->n ? (char)('0' + d->digit[i]) : '0';
    }
    if (point && (int32_t)d->n <= whole) {
        text[n++] = '.';
        text[n++] = '0';
    } else if (point && d->n == 0) {
        text[n++] = '.';
        text[n++] = '0';
    }
    text[n] = '\0';
    if (n_typed > n || memcmp(text, typed, n_typed) != 0)
        return false;
    memcpy(suffix, text + n_typed, n - n_typed + 1);
    return true;
}

/* A power of ten that makes the number of the digits that are typed. */
static bool escape_power(const struct srt_decimal *d, const char *typed,
                         size_t n_typed, char *suffix)
{
    const char *e = n_typed ? memchr(typed, 'e', n_typed) : NULL;
    const char *big = n_typed ? memchr(typed, 'E', n_typed) : NULL;
    const size_t mantissa = e     ? (size_t)(e - typed)
                            : big ? (size_t)(big - typed)
                                  : n_typed;
    struct srt_decimal m;
    char power[32];
    size_t have = n_typed - mantissa;

    if (mantissa == 0 || typed[mantissa - 1] == '.' ||
        typed[mantissa - 1] == '-' || !srt_decimal_read(&m, typed, mantissa))
        return false;
    if (m.n != d->n || memcmp(m.digit, d->digit, d->n) != 0 ||
        (m.n && m.negative != d->negative))
        return false;
    if (d->n == 0) {
        suffix[0] = '\0';
        if (have && (typed[n_typed - 1] < '0' || typed[n_typed - 1] > '9'))
            memcpy(suffix, "0", 2);
        return true;
    }
    snprintf(power, sizeof(power), "e%d", (int)(d->exponent - m.exponent));
    if (have && (big || memcmp(power, typed + mantissa,
                               have < strlen(power) ? have : strlen(power))))
        snprintf(power, sizeof(power), "%c%+d", big ? 'E' : 'e',
                 (int)(d->exponent - m.exponent));
    if (have > strlen(power) || memcmp(power, typed + mantissa, have) != 0)
        return false;
    memcpy(suffix, power + have, strlen(power) - have + 1);
    return true;
}

static bool escape_as_number(struct srt_escape *e,
                             const struct srt_escape_place *at,
                             const struct srt_decimal *d, const char *typed,
                             size_t n_typed)
{
    char suffix[ESCAPE_NUMBER + 32] = "";
    struct srt_decimal now;

    if (n_typed && typed[n_typed - 1] >= '0' && typed[n_typed - 1] <= '9' &&
        srt_decimal_read(&now, typed, n_typed) &&
        srt_decimal_compare(&now, d) == 0 && escape_number_ends(e, at, suffix))
        return true;
    for (int point = 0; point < 2; point++)
        if (escape_plain(d, typed, n_typed, point, suffix) && suffix[0] &&
            escape_number_ends(e, at, suffix))
            return true;
    return escape_power(d, typed, n_typed, suffix) && suffix[0] &&
           escape_number_ends(e, at, suffix);
}

bool srt_escape_number(struct srt_escape *e, const struct srt_escape_place *at,
                       uint32_t plan, const char *typed, size_t n_typed,
                       const struct srt_rivals *list)
{
    struct srt_beside beside = { NULL, 0 };
    bool escapes;

    beside.at = malloc((list->n + 1) * sizeof(*beside.at));
    if (!beside.at)
        return srt_escape_fail(e, SORTES_E_NOMEM);
    for (size_t i = 0; i < list->n; i++) {
        const char *next = list->at[i].next;
        size_t n;
        const char *text = next ? srt_value_text(next, &n) : NULL;

        /* What cannot be read is beyond all that is asked for. */
        if (next && next[0] == SRT_VALUE_NUMBER &&
            srt_decimal_read(&beside.at[beside.n], text, n))
            beside.n++;
    }
    escapes = srt_number_leaves(e->js, plan, typed, n_typed, &beside);
    srt_escape_fail(e, srt_js_end(e->js));
    for (size_t i = 0; i < beside.n && !escapes && e->status == SORTES_OK; i++)
        escapes = escape_as_number(e, at, &beside.at[i], typed, n_typed);
    free(beside.at);
    return escapes;
}
