/*
 * number.c - numbers, digit by digit
 *
 * A state is the text so far, shortened to what still matters.  Whether it is
 * alive is asked of number_live.c once, when it is new.
 *
 * The profile: numbers=plain has no exponent where anything is asked of the
 * value, and writes whole numbers without a point where being whole matters;
 * numbers=json has every spelling, up to so many digits more than the schema's
 * own numbers have (pieces.c), and exponents up to SRT_NUMBER_EXPONENT.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/number.h"

#include <string.h>

struct number_key {
    uint32_t plan;
    char text[SRT_NUMBER_BYTES];
};

static bool number_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void srt_number_split(struct srt_number_text *t, const char *text, size_t n)
{
    size_t at = n > 0 && text[0] == '-';

    memset(t, 0, sizeof(*t));
    t->text = text;
    t->n = n;
    t->negative = at == 1;
    t->whole = at;
    while (at < n && number_is_digit(text[at]))
        at++;
    t->n_whole = at - t->whole;
    t->point = at < n && text[at] == '.';
    at += t->point;
    t->fraction = at;
    while (at < n && number_is_digit(text[at]))
        at++;
    t->n_fraction = at - t->fraction;
    t->exponent = at < n;
    at += t->exponent;
    t->exponent_sign = at < n && !number_is_digit(text[at]);
    at += t->exponent_sign;
    t->power = at;
    t->n_power = n - at;
}

/* Whether RFC 8259 lets byte follow. */
static bool number_may_follow(const struct srt_number_text *t, char byte)
{
    const bool zero = t->n_whole == 1 && t->text[t->whole] == '0';

    if (number_is_digit(byte))
        return t->exponent || t->point || !zero;
    if (byte == '-' && t->n == 0)
        return true;
    if (byte == '.')
        return t->n_whole > 0 && !t->point && !t->exponent;
    if (byte == 'e' || byte == 'E')
        return t->n_whole > 0 && !t->exponent &&
               (!t->point || t->n_fraction > 0);
    return (byte == '+' || byte == '-') && t->exponent && !t->exponent_sign &&
           t->n_power == 0;
}

bool srt_number_is_whole_text(const struct srt_number_text *t)
{
    return t->n_whole > 0 && (!t->point || t->n_fraction > 0) &&
           (!t->exponent || t->n_power > 0);
}

/* Digits of the text, as values. */
size_t srt_number_digits(const struct srt_number_text *t, uint8_t *digit)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_whole; i++)
        digit[n++] = (uint8_t)(t->text[t->whole + i] - '0');
    for (size_t i = 0; i < t->n_fraction; i++)
        digit[n++] = (uint8_t)(t->text[t->fraction + i] - '0');
    return n;
}

int32_t srt_number_power(const struct srt_number_text *t)
{
    int32_t power = 0;

    for (size_t i = 0; i < t->n_power && power < 100000; i++)
        power = power * 10 + (t->text[t->power + i] - '0');
    return t->exponent_sign && t->text[t->power - 1] == '-' ? -power : power;
}

/* ---- plans --------------------------------------------------------------- */

struct srt_number_plan *srt_number_at(const struct srt_js *js, uint32_t plan)
{
    return srt_pool_payload(&js->number_plans, plan);
}

uint32_t srt_number_plan(struct srt_js *js, srt_dd diagram)
{
    const uint32_t number =
        srt_js_intern(js, &js->number_plans, &diagram, sizeof(diagram));
    struct srt_number_plan *p;

    if (!number)
        return 0;
    p = srt_number_at(js, number);
    if (!p->made && !srt_pieces_make(js, p, diagram))
        return 0;
    return number;
}

/* ---- states -------------------------------------------------------------- */

/* Nothing is asked: the place in the grammar is all that matters. */
static size_t number_shorten_free(const struct srt_number_text *t, char *to)
{
    size_t n = 0;

    if (t->exponent) {
        to[n++] = '0';
        to[n++] = 'e';
        if (t->exponent_sign || t->n_power)
            to[n++] = '+';
        if (t->n_power)
            to[n++] = '0';
        return n;
    }
    if (t->negative && t->n_whole == 0)
        to[n++] = '-';
    if (t->n_whole)
        to[n++] = t->point || t->text[t->whole] == '0' ? '0' : '1';
    if (t->point)
        to[n++] = '.';
    if (t->n_fraction)
        to[n++] = '0';
    return n;
}

/*
 * Without exponents: digits behind the last place that matters are as good as
 * one 1 if any is not 0, and as none otherwise; and beyond all bounds the whole
 * part is as good as the least number there, unless it must be divided.
 */
static size_t number_shorten_plain(const struct srt_number_plan *p,
                                   const struct srt_number_text *t, char *to)
{
    const size_t places = p->finest > 1 ? (size_t)p->finest : 1;
    size_t n = 0, keep = t->n_fraction;
    bool rest = false;

    if (t->negative)
        to[n++] = '-';
    if (!p->divides && t->n_whole > p->n_whole && t->n_whole > 0 &&
        t->text[t->whole] != '0') {
        to[n++] = '1';
        for (size_t i = 0; i < p->n_whole; i++)
            to[n++] = '0';
    } else {
        memcpy(to + n, t->text + t->whole, t->n_whole);
        n += t->n_whole;
    }
    if (!t->point)
        return n;
    to[n++] = '.';
    if (keep > places) {
        for (size_t i = places; i < keep; i++)
            rest |= t->text[t->fraction + i] != '0';
        keep = places;
    }
    memcpy(to + n, t->text + t->fraction, keep);
    n += keep;
    if (rest)
        to[n++] = '1';
    return n;
}

/* Whether the profile has this text's form. */
static bool number_in_profile(const struct srt_number_plan *p,
                              const struct srt_number_text *t)
{
    if (srt_dd_is_terminal(p->diagram))
        return true;
    if (t->exponent && !p->exponents)
        return false;
    if (p->exponents)
        return t->n_whole + t->n_fraction <= p->digits && t->n_power <= 3;
    return t->n_whole <= p->digits;
}

struct number_payload {
    uint32_t outcome;
    bool known, alive;
};

/* Outcome of a text that is a number. */
uint32_t srt_number_value(struct srt_js *js, const struct srt_number_plan *p,
                          const struct srt_number_text *t)
{
    uint8_t digit[SRT_NUMBER_BYTES];
    struct srt_decimal d;
    const int32_t power = srt_number_power(t);

    if (!srt_number_is_whole_text(t))
        return 0;
    if (srt_dd_is_terminal(p->diagram))
        return p->diagram;
    if (power > SRT_NUMBER_EXPONENT || power < -SRT_NUMBER_EXPONENT ||
        !srt_decimal_set(&d, t->negative, digit, srt_number_digits(t, digit),
                         power - (int32_t)t->n_fraction) ||
        (t->negative && d.n == 0 && p->unsigned_zero))
        return 0;
    return srt_pieces_value(js, p, &d, !t->point && !t->exponent);
}

/* The shortened text after a byte; 0: it may not follow. */
size_t srt_number_follow(const struct srt_number_plan *p, const char *text,
                         size_t n, uint8_t byte, char *to)
{
    char longer[SRT_NUMBER_BYTES];
    struct srt_number_text t;

    if (n + 2 > sizeof(longer))
        return 0;
    srt_number_split(&t, text, n);
    if (!number_may_follow(&t, (char)byte))
        return 0;
    memcpy(longer, text, n);
    longer[n++] = (char)(byte == 'E' ? 'e' : byte);
    srt_number_split(&t, longer, n);
    if (!number_in_profile(p, &t))
        return 0;
    if (srt_dd_is_terminal(p->diagram))
        return number_shorten_free(&t, to);
    if (!p->exponents)
        return number_shorten_plain(p, &t, to);
    memcpy(to, longer, n);
    return n;
}

/* ---- stepping ------------------------------------------------------------ */

static uint32_t number_intern(struct srt_js *js, struct number_key *key,
                              size_t n)
{
    const struct srt_number_plan *p = srt_number_at(js, key->plan);
    const uint32_t number = srt_js_intern(
        js, &js->number_states, key, offsetof(struct number_key, text) + n);
    struct number_payload *payload;
    struct srt_number_text t;

    if (!number)
        return 0;
    payload = srt_pool_payload(&js->number_states, number);
    if (!payload->known) {
        srt_number_split(&t, key->text, n);
        payload->alive = srt_number_can_end(js, p, key->text, n, NULL);
        payload->outcome = srt_number_value(js, p, &t);
        if (!srt_js_ok(js))
            return 0;
        payload->known = true;
    }
    return payload->alive ? number : 0;
}

uint32_t srt_number_step(struct srt_js *js, uint32_t plan, uint32_t state,
                         uint8_t byte)
{
    const struct number_key *from;
    struct number_key key;
    const char *text = "";
    size_t n = 0;

    key.plan = plan;
    if (state) {
        from = srt_pool_key(&js->number_states, state, &n);
        key.plan = from->plan;
        text = from->text;
        n -= offsetof(struct number_key, text);
    }
    n = srt_number_follow(srt_number_at(js, key.plan), text, n, byte, key.text);
    return n ? number_intern(js, &key, n) : 0;
}

uint32_t srt_number_outcome(const struct srt_js *js, uint32_t state)
{
    const struct number_payload *p =
        srt_pool_payload(&js->number_states, state);

    return p->outcome;
}

uint32_t srt_number_plan_of(const struct srt_js *js, uint32_t state)
{
    const struct number_key *key =
        srt_pool_key(&js->number_states, state, NULL);

    return key->plan;
}
