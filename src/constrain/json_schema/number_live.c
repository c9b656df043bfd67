/*
 * number_live.c - whether a text can become a number that counts
 *
 * Settled by arithmetic: the numbers that a text can become lie in intervals,
 * and the bounds cut the line into pieces within which only divisibility is
 * left to ask (pieces.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/number.h"

#include <string.h>

enum {
    NUMBER_FEW = 32,      /* digits, of the 64 that any text may have */
    NUMBER_SEARCH = 20000 /* states, where digits are missing */
};

/* Digits that make more numbers than there are to be avoided. */
static size_t number_beside_digits(const struct srt_number_text *t)
{
    size_t digits = 0;

    for (size_t n = t->beside ? t->beside->n : 0; n > 0; n /= 10)
        digits++;
    return digits;
}

/* The pieces of a reach between the numbers that are to be avoided. */
static bool number_reaches_beside(struct srt_js *js,
                                  const struct srt_number_plan *p,
                                  const struct srt_beside *beside,
                                  const struct srt_reach *whole)
{
    const struct srt_divisor grid = { 1, whole->grid };
    struct srt_reach r = *whole;

    for (size_t i = 0; i < beside->n; i++) {
        const struct srt_decimal *d = &beside->at[i];

        if ((d->n > 0 && d->negative != r.negative) ||
            srt_decimal_compare_size(d, &r.low) < 0)
            continue;
        if (srt_decimal_compare_size(d, &whole->high) > 0)
            break;
        r.high = *d;
        r.below = true;
        if (srt_decimal_compare_size(&r.low, d) < 0 &&
            srt_pieces_reach(js, p, &r))
            return true;
        r.low = *d;
        r.low.negative = false;
        if (!srt_decimal_next_multiple(&r.low, &grid, true))
            return false;
    }
    r.high = whole->high;
    r.below = false;
    return srt_decimal_compare_size(&r.low, &r.high) <= 0 &&
           srt_pieces_reach(js, p, &r);
}

bool srt_number_reaches(struct srt_js *js, const struct srt_number_plan *p,
                        const struct srt_number_text *t, size_t more,
                        int32_t exponent, bool spelled_whole)
{
    uint8_t digit[SRT_NUMBER_BYTES + SRT_NUMBER_DIGITS * 4];
    struct srt_reach r = { 0 };
    size_t n = srt_number_digits(t, digit);

    if (n + more > sizeof(digit))
        return false;
    memset(digit + n, 0, more);
    r.negative = t->negative;
    r.grid = exponent;
    r.spelled_whole = spelled_whole;
    if (!srt_decimal_set(&r.low, false, digit, n + more, exponent))
        return false;
    memset(digit + n, 9, more);
    if (!srt_decimal_set(&r.high, false, digit, n + more, exponent))
        return false;
    return t->beside ? number_reaches_beside(js, p, t->beside, &r)
                     : srt_pieces_reach(js, p, &r);
}

/* Without exponents. */
static bool number_plain_alive(struct srt_js *js,
                               const struct srt_number_plan *p,
                               const struct srt_number_text *t)
{
    const int32_t fine = p->finest > 0 ? p->finest : 0; /* places */
    const int32_t n_fraction = (int32_t)t->n_fraction;
    const bool zero = t->n_whole == 1 && t->text[t->whole] == '0';
    /* A divisor of 18 digits divides something among 10^20 numbers. */
    const size_t beside = number_beside_digits(t);
    const size_t least = (p->divides ? 20 : 1) + beside;
    size_t longest = t->n_whole < p->n_whole ? p->n_whole - t->n_whole : 0;

    longest += least;
    if (longest + t->n_whole > p->digits)
        longest = p->digits > t->n_whole ? p->digits - t->n_whole : 0;
    if (t->point) {
        const int32_t places =
            (n_fraction > fine ? n_fraction : fine) + 1 + (int32_t)beside;

        return srt_number_reaches(js, p, t, (size_t)(places - n_fraction),
                                  -places, false);
    }
    for (size_t more = 0;; more++) {
        if (srt_number_reaches(js, p, t, more, 0, true) ||
            srt_number_reaches(js, p, t, more + (size_t)fine + 1 + beside,
                               -fine - 1 - (int32_t)beside, false))
            return true;
        if (zero || more >= longest)
            return false;
    }
}

/* The digits are fixed; some exponent that begins like this. */
static bool number_power_alive(struct srt_js *js,
                               const struct srt_number_plan *p,
                               const struct srt_number_text *t)
{
    const int32_t places = (int32_t)t->n_fraction;
    const bool negative = t->exponent_sign && t->text[t->power - 1] == '-';
    int32_t low = srt_number_power(t), width = 1;

    low = low < 0 ? -low : low;
    for (size_t more = 0; t->n_power + more <= 3; more++, width *= 10) {
        if (t->n_power + more > 0)
            for (int32_t i = 0; i < width; i++) {
                const int32_t power = low * width + i;

                if (power > SRT_NUMBER_EXPONENT)
                    break;
                if (srt_number_reaches(js, p, t, 0,
                                       (negative ? -power : power) - places,
                                       false))
                    return true;
                if (!t->exponent_sign && t->n_power == 0 &&
                    srt_number_reaches(js, p, t, 0, -power - places, false))
                    return true;
            }
    }
    return false;
}

/* With exponents: as many digits more as there is room for, times any power.
 * Fewer digits are among these, with zeros behind them. */
static bool number_json_alive(struct srt_js *js,
                              const struct srt_number_plan *p,
                              const struct srt_number_text *t)
{
    const size_t used = t->n_whole + t->n_fraction;
    const size_t more = p->digits > used ? p->digits - used : 0;
    const bool zero = t->n_whole == 1 && t->text[t->whole] == '0';
    const int32_t places = (int32_t)t->n_fraction;

    if (t->exponent)
        return number_power_alive(js, p, t);
    if (srt_number_is_whole_text(t) &&
        srt_number_reaches(js, p, t, 0, -places, !t->point))
        return true;
    if (t->point && t->n_fraction == 0 && more == 0)
        return false;
    if (!t->point && used + p->n_whole + 24 < p->digits && p->finest < 16 &&
        number_plain_alive(js, p, t))
        return true;
    /* Digits go behind the point, or before it where there is none. */
    for (int32_t power = 0; power <= 2 * SRT_NUMBER_EXPONENT; power++) {
        const int32_t e = power % 2 ? -(power / 2 + 1) : power / 2;
        const bool behind = t->point || zero;
        const int32_t grid = e - places - (behind ? (int32_t)more : 0);

        if (srt_number_reaches(js, p, t, more, grid, false))
            return true;
    }
    return false;
}

/* 0e5 can become nothing but 0. */
static bool number_stays_zero(const struct srt_number_text *t)
{
    bool zero = t->exponent;

    for (size_t i = t->whole; i < t->power; i++)
        zero &= t->text[i] < '1' || t->text[i] > '9';
    return zero;
}

static bool number_alive(struct srt_js *js, const struct srt_number_plan *p,
                         const char *text, size_t n,
                         const struct srt_beside *beside)
{
    struct srt_number_text t;

    srt_number_split(&t, text, n);
    t.beside = beside;
    if (t.n_whole == 0) { /* a sign, or nothing */
        char longer[4];

        memcpy(longer, text, n);
        for (char c = '0'; c <= '9'; c++) {
            longer[n] = c;
            if (srt_alphabet_has(&js->machine.alphabet, (uint8_t)c) &&
                number_alive(js, p, longer, n + 1, beside))
                return true;
        }
        longer[n] = '-';
        return n == 0 && srt_js_has(js, "-") &&
               number_alive(js, p, longer, n + 1, beside);
    }
    if (beside && number_stays_zero(&t))
        for (size_t i = 0; i < beside->n; i++)
            if (beside->at[i].n == 0)
                return false;
    if (srt_dd_is_terminal(p->diagram))
        return p->diagram != 0;
    return p->exponents ? number_json_alive(js, p, &t)
                        : number_plain_alive(js, p, &t);
}

/* ---- vocabularies that lack a digit or a sign ---------------------------- */

struct number_search {
    struct srt_js *js;
    const struct srt_number_plan *p;
    const struct srt_beside *beside;
    struct srt_pool visited;
};

/* A text that is a number: whether it is none to be avoided. */
static bool number_is_beside(const struct srt_number_text *t,
                             const struct srt_beside *beside)
{
    struct srt_decimal d;

    if (!beside || !srt_decimal_read(&d, t->text, t->n))
        return true;
    for (size_t i = 0; i < beside->n; i++)
        if (srt_decimal_compare(&beside->at[i], &d) == 0)
            return false;
    return true;
}

/* The arithmetic knows of no missing digits: from text on, look. */
static bool number_search(struct number_search *s, const char *text, size_t n)
{
    static const char bytes[] = "0123456789-.e+";
    struct srt_number_text t;
    char next[SRT_NUMBER_BYTES];
    uint32_t number;
    sortes_status status;
    bool is_new;

    status = srt_pool_intern(&s->visited, text, n, &number, &is_new);
    if (status == SORTES_OK && s->visited.n > NUMBER_SEARCH)
        status = SORTES_E_LIMIT;
    if (status != SORTES_OK)
        return srt_js_fail(s->js, status);
    if (!is_new || !number_alive(s->js, s->p, text, n, s->beside))
        return false;
    srt_number_split(&t, text, n);
    if (srt_number_value(s->js, s->p, &t) && number_is_beside(&t, s->beside))
        return true;
    for (const char *c = bytes; *c && srt_js_ok(s->js); c++) {
        size_t n_next;

        if (!srt_alphabet_has(&s->js->machine.alphabet, (uint8_t)*c) &&
            !(*c == 'e' && srt_js_has(s->js, "E")))
            continue;
        n_next = srt_number_follow(s->p, text, n, (uint8_t)*c, next);
        if (n_next && number_search(s, next, n_next))
            return true;
    }
    return false;
}

bool srt_number_can_end(struct srt_js *js, const struct srt_number_plan *p,
                        const char *text, size_t n,
                        const struct srt_beside *beside)
{
    struct number_search s = { js, p, beside, { 0 } };
    bool found;

    if (srt_js_has(js, "0123456789-.e+"))
        return number_alive(js, p, text, n, beside);
    srt_pool_init(&s.visited, 0, SRT_POOL_MAX, SIZE_MAX);
    found = number_search(&s, text, n);
    srt_pool_clear(&s.visited);
    return found;
}

/* Whether a bound of few digits has an outcome itself, which spares a search:
 * a text may have more. */
static bool number_bound_counts(const struct srt_js *js,
                                const struct srt_number_plan *p)
{
    for (int negative = 0; negative < 2; negative++)
        for (uint32_t i = 0; i < p->n_side[negative]; i++) {
            const struct srt_piece *piece = &p->side[negative][i];
            const struct srt_decimal *d = piece->from;

            if (d->exponent >= -NUMBER_FEW &&
                d->exponent + (int32_t)d->n <= NUMBER_FEW &&
                (d->exponent >= 0 ? piece->at : piece->at_fraction))
                return srt_js_has(js, "0123456789-.");
        }
    return false;
}

bool srt_number_live(struct srt_js *js, uint32_t plan)
{
    const struct srt_number_plan *p = srt_number_at(js, plan);

    return number_bound_counts(js, p) || srt_number_can_end(js, p, "", 0, NULL);
}
