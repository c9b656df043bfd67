/*
 * number_leave.c - how many numbers there are, and whether one is left beside
 * some
 *
 * Where they are few they are listed, once for a plan, and each is asked
 * whether the text can become it.  Otherwise the intervals that a text can
 * reach are cut at the numbers that are to be avoided (number.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/number.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAVE_FEW = 4096,
    LEAVE_DIGITS = 1000,
    LEAVE_LONG = 1100,
    LEAVE_POWER = 400
};

/* ---- counting ------------------------------------------------------------ */

struct number_count {
    struct srt_js *js;
    struct srt_number_plan *p;
    struct srt_decimal *list; /* NULL: they are only counted */
    uint64_t most, n;
    size_t whole, places; /* digits of each */
    bool spelled_whole;
    char text[LEAVE_DIGITS + 2];
};

static void number_found(struct number_count *c,
                         const struct srt_number_text *t)
{
    uint8_t digit[LEAVE_DIGITS];
    struct srt_decimal d;

    for (size_t i = 0; i < t->n_whole; i++)
        digit[i] = (uint8_t)(t->text[t->whole + i] - '0');
    if (!srt_decimal_set(&d, t->negative, digit, t->n_whole,
                         c->spelled_whole ? 0 : -(int32_t)c->places))
        return;
    /* -0 is 0; and what a whole spelling has had is not counted again. */
    if ((t->negative && d.n == 0) ||
        (!c->spelled_whole && (d.n == 0 || d.exponent >= 0) &&
         srt_pieces_value(c->js, c->p, &d, true)))
        return;
    if (c->list && c->n < LEAVE_FEW)
        c->list[c->n] = d;
    c->n++;
}

/* Numbers whose digits begin with text[0 .. n-1], zeros in front and all. */
static void number_count_from(struct number_count *c, size_t n)
{
    const size_t all = c->whole + (c->spelled_whole ? 0 : c->places);
    struct srt_number_text t;

    srt_number_split(&t, c->text, n);
    if (c->n >= c->most || !srt_js_work(c->js) ||
        !srt_number_reaches(c->js, c->p, &t, all - t.n_whole,
                            c->spelled_whole ? 0 : -(int32_t)c->places,
                            c->spelled_whole))
        return;
    if (t.n_whole == all) {
        number_found(c, &t);
        return;
    }
    for (char digit = '0'; digit <= '9'; digit++) {
        c->text[n] = digit;
        number_count_from(c, n + 1);
    }
}

/*
 * Between two bounds of f places there are, with k more, 10^k numbers or those
 * that something divides, and these have no more than f places.  Beyond the
 * last bound there is one among 10^20, or none, and with k digits more 10^k.
 */
static bool number_count(struct number_count *c)
{
    size_t digits = 1;

    for (uint64_t n = c->most; n > 0; n /= 10)
        digits++;
    c->whole = c->p->n_whole + 20 + digits;
    c->places = (c->p->finest > 0 ? (size_t)c->p->finest : 0) + digits;
    if (c->whole + c->places > LEAVE_DIGITS)
        return false;
    for (unsigned way = 0; way < 4; way++) {
        c->spelled_whole = way < 2;
        c->text[0] = '-';
        number_count_from(c, way % 2);
    }
    return true;
}

static bool number_list(struct srt_js *js, struct srt_number_plan *p)
{
    struct number_count c = { .js = js, .p = p, .most = LEAVE_FEW + 1 };

    if (p->counted)
        return p->few;
    c.list = malloc(LEAVE_FEW * sizeof(*c.list));
    if (!c.list)
        return srt_js_fail(js, SORTES_E_NOMEM);
    if (number_count(&c) && srt_js_ok(js) && c.n <= LEAVE_FEW) {
        p->value = srt_js_take(js, (size_t)c.n, sizeof(*p->value));
        p->n_values = (uint32_t)c.n;
        p->few = p->value != NULL;
        if (p->value && c.n)
            memcpy(p->value, c.list, (size_t)c.n * sizeof(*p->value));
    }
    free(c.list);
    p->counted = srt_js_ok(js);
    return p->few;
}

uint64_t srt_number_count(struct srt_js *js, uint32_t plan, uint64_t most)
{
    struct srt_number_plan *p = srt_number_at(js, plan);
    struct number_count c = { .js = js, .p = p, .most = most };

    if (srt_dd_is_terminal(p->diagram))
        return p->diagram ? most : 0;
    if (number_list(js, p))
        return p->n_values < most ? p->n_values : most;
    if (most > LEAVE_FEW && !number_count(&c))
        return srt_js_fail(js, SORTES_E_LIMIT);
    return most > LEAVE_FEW ? c.n : most;
}

/* ---- one of a few -------------------------------------------------------- */

/* Whether typed digits begin like d's, zeros in front aside, and go on with
 * zeros alone. */
static bool number_digits_fit(const struct srt_number_text *t,
                              const struct srt_decimal *d, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < t->n_whole + t->n_fraction; i++) {
        const char c = t->text[i < t->n_whole ? t->whole + i
                                              : t->fraction + i - t->n_whole];
        const char want = *n < d->n ? (char)('0' + d->digit[*n]) : '0';

        if (*n == 0 && c == '0')
            continue;
        if (c != want)
            return false;
        ++*n;
    }
    return true;
}

/* Whether the power that is typed, if any, can become this one: in three digits
 * at most. */
static bool number_power_fits(const struct srt_number_text *t, int64_t power)
{
    const bool minus = t->exponent_sign && t->text[t->power - 1] == '-';
    const bool plus = t->exponent && !minus && (t->exponent_sign || t->n_power);
    const int64_t size = power < 0 ? -power : power;
    int64_t typed = 0, width = 1;

    if (size > LEAVE_POWER || (minus && power > 0) || (plus && power < 0))
        return false;
    for (size_t i = 0; i < t->n_power; i++)
        typed = typed * 10 + (t->text[t->power + i] - '0');
    for (size_t n = t->n_power; n <= 3; n++, width *= 10)
        if (size >= typed * width && size < (typed + 1) * width)
            return true;
    return false;
}

/* With exponents. */
static bool number_becomes_json(struct srt_js *js,
                                const struct srt_number_plan *p,
                                const struct srt_number_text *t,
                                const struct srt_decimal *d)
{
    const bool fraction = srt_pieces_value(js, p, d, false) != 0;
    int64_t exponent = -(int64_t)t->n_fraction;
    size_t n;

    if (!number_digits_fit(t, d, &n))
        return false;
    if (d->n == 0)
        return n == 0 && (fraction || (!t->point && !t->exponent));
    if (n < d->n &&
        (t->exponent || t->n_whole + t->n_fraction + d->n - n > p->digits))
        return false; /* no room for the digits that are left */
    if (n == 0)       /* zeros so far */
        return fraction;
    /* The digits that are left come at once; or there are too many zeros. */
    exponent +=
        n < d->n ? (t->point ? -(int64_t)(d->n - n) : 0) : (int64_t)(n - d->n);
    if (!t->exponent && !t->point && d->exponent >= exponent)
        return true; /* a whole number, if need be with more zeros */
    return fraction && number_power_fits(t, d->exponent - exponent);
}

/* Without: as it stands, or with zeros behind it. */
static bool number_becomes_plain(struct srt_js *js,
                                 const struct srt_number_plan *p,
                                 const struct srt_number_text *t,
                                 const struct srt_decimal *d)
{
    const int32_t whole = d->exponent + (int32_t)d->n;
    const size_t n_whole = whole > 0 ? (size_t)whole : 1;
    const bool has_fraction = d->n > 0 && d->exponent < 0;

    if (t->exponent || t->n_whole > n_whole ||
        (t->point && t->n_whole < n_whole))
        return false;
    for (size_t i = 0; i < t->n_whole + t->n_fraction; i++) {
        const bool behind = i >= t->n_whole;
        const char c =
            t->text[behind ? t->fraction + i - t->n_whole : t->whole + i];
        /* Place of the digit: 0 is the first of d. */
        const int64_t at = behind      ? (int64_t)(i - t->n_whole) + whole
                           : whole > 0 ? (int64_t)i
                                       : -1;

        if (c !=
            (at >= 0 && at < (int64_t)d->n ? (char)('0' + d->digit[at]) : '0'))
            return false;
    }
    return has_fraction || !t->point || srt_pieces_value(js, p, d, false);
}

static bool number_becomes(struct srt_js *js, const struct srt_number_plan *p,
                           const struct srt_number_text *t,
                           const struct srt_decimal *d)
{
    if (t->n > 0 && d->n > 0 && t->negative != d->negative)
        return false;
    if (t->n_whole == 0)
        return true;
    return p->exponents ? number_becomes_json(js, p, t, d)
                        : number_becomes_plain(js, p, t, d);
}

/* ---- beside some --------------------------------------------------------- */

static int number_order(const void *a, const void *b)
{
    return srt_decimal_compare_size(a, b);
}

/* Whether one of the few is left that the text can become. */
static bool number_leaves_few(struct srt_js *js,
                              const struct srt_number_plan *p,
                              const struct srt_number_text *t,
                              const struct srt_beside *beside)
{
    for (uint32_t i = 0; i < p->n_values; i++) {
        bool avoided = false;

        for (size_t k = 0; k < beside->n && !avoided; k++)
            avoided = srt_decimal_compare(&beside->at[k], &p->value[i]) == 0;
        if (!avoided && number_becomes(js, p, t, &p->value[i]))
            return true;
    }
    return false;
}

bool srt_number_leaves(struct srt_js *js, uint32_t plan, const char *text,
                       size_t n, struct srt_beside *beside)
{
    struct srt_number_plan *p = srt_number_at(js, plan);
    struct srt_number_text t;

    /* No number that is asked for has so many digits. */
    if (n > LEAVE_LONG)
        return true;
    if (!srt_dd_is_terminal(p->diagram) && number_list(js, p) &&
        srt_js_has(js, "0123456789-.e+")) {
        srt_number_split(&t, text, n);
        return number_leaves_few(js, p, &t, beside);
    }
    if (beside->n)
        qsort(beside->at, beside->n, sizeof(*beside->at), number_order);
    return srt_number_can_end(js, p, text, n, beside);
}
