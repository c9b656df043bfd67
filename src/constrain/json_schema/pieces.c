/*
 * pieces.c - the line of numbers, cut where a question's answer changes
 *
 * Bounds and enums cut the line into points and open pieces.  Within an open
 * piece only divisibility is left to ask.  For each way of answering that leads
 * to an outcome, the values lie on a lattice (the least common multiple of what
 * must divide); its points in the piece are tried in turn.  Those that must not
 * be hit are multiples of something that the lattice is not, so a few points
 * decide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/number.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_TRIES = 256 };

static const struct srt_decimal *pieces_decimal(const struct srt_js *js,
                                                uint32_t number)
{
    return srt_schema_decimal(js->schema, number);
}

/* ---- questions about one value ------------------------------------------- */

struct pieces_ask {
    struct srt_js *js;
    const struct srt_decimal *value;
    bool spelled_whole;
};

static bool pieces_is_member(const struct srt_js *js, uint32_t number,
                             const struct srt_decimal *value)
{
    const struct srt_schema_enum *e =
        SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, number);
    uint32_t low = 0, high = e->n_numbers;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order =
            srt_decimal_compare(pieces_decimal(js, e->numbers[middle]), value);

        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool pieces_divides(const struct srt_js *js, uint32_t decimal,
                           const struct srt_decimal *value)
{
    struct srt_divisor m = { 1, 0 };

    if (decimal)
        srt_divisor_from(&m, pieces_decimal(js, decimal));
    return srt_decimal_divides(&m, value);
}

static bool pieces_answer(void *ctx, uint32_t variable)
{
    const struct pieces_ask *a = ctx;
    const struct srt_question *q = srt_js_question(a->js, variable);

    switch (q->type) {
    case SRT_ASK_INTEGER:
        return q->a ? a->spelled_whole : pieces_divides(a->js, 0, a->value);
    case SRT_ASK_AT_LEAST:
        return srt_decimal_compare(a->value, pieces_decimal(a->js, q->a)) >= 0;
    case SRT_ASK_ABOVE:
        return srt_decimal_compare(a->value, pieces_decimal(a->js, q->a)) > 0;
    case SRT_ASK_MULTIPLE:
        return pieces_divides(a->js, q->a, a->value);
    default:
        return pieces_is_member(a->js, q->a, a->value);
    }
}

uint32_t srt_pieces_value(struct srt_js *js, const struct srt_number_plan *p,
                          const struct srt_decimal *d, bool spelled_whole)
{
    struct pieces_ask a = { js, d, spelled_whole };

    if (p->asks_whole && !spelled_whole && pieces_divides(js, 0, d))
        return 0; /* not how the profile writes it */
    return srt_dd_ask(&js->dd, p->diagram, pieces_answer, &a);
}

/* ---- cutting ------------------------------------------------------------- */

/* Just behind `from` (a size) on one side of 0. */
struct pieces_behind {
    struct srt_js *js;
    struct srt_decimal value;
};

static bool pieces_is_lattice(const struct srt_question *q)
{
    return q->type == SRT_ASK_INTEGER || q->type == SRT_ASK_MULTIPLE;
}

static srt_dd pieces_cut(struct srt_js *js, srt_dd f,
                         const struct srt_decimal *from, bool negative)
{
    while (!srt_dd_is_terminal(f)) {
        const struct srt_dd_node node = *srt_dd_at(&js->dd, f);
        const struct srt_question *q = srt_js_question(js, node.variable);
        int order;
        bool answer;

        if (pieces_is_lattice(q))
            return srt_dd_make(&js->dd, node.variable,
                               pieces_cut(js, node.low, from, negative),
                               pieces_cut(js, node.high, from, negative));
        if (q->type == SRT_ASK_NUMBER_IN) {
            f = node.low;
            continue;
        }
        order = srt_decimal_compare(from, pieces_decimal(js, q->a));
        answer = order > 0 || (order == 0 && !negative);
        f = answer ? node.high : node.low;
    }
    return f;
}

struct pieces_bounds {
    const struct srt_decimal **value;
    size_t n, room;
};

static bool pieces_bound(struct srt_js *js, struct pieces_bounds *b,
                         const struct srt_decimal *value)
{
    void *block = b->value;
    const sortes_status status =
        srt_grow(&block, &b->room, b->n + 1, sizeof(*b->value));

    b->value = block;
    if (status != SORTES_OK) {
        srt_js_fail(js, status);
        return false;
    }
    b->value[b->n++] = value;
    return true;
}

static int pieces_order(const void *a, const void *b)
{
    const struct srt_decimal *const *x = a, *const *y = b;

    return srt_decimal_compare(*x, *y);
}

/* What a question says about the plan as a whole, and its bounds. */
static bool pieces_note(struct srt_js *js, struct srt_number_plan *p,
                        struct pieces_bounds *b, const struct srt_question *q)
{
    const struct srt_schema_enum *e;

    switch (q->type) {
    case SRT_ASK_INTEGER:
        p->asks_whole = true;
        return true;
    case SRT_ASK_MULTIPLE:
        p->divides = true;
        if (-pieces_decimal(js, q->a)->exponent > p->finest)
            p->finest = -pieces_decimal(js, q->a)->exponent;
        return true;
    case SRT_ASK_NUMBER_IN:
        p->asks_whole = true;
        p->unsigned_zero = js->options->like_llguidance;
        e = SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, q->a);
        for (uint32_t i = 0; i < e->n_numbers; i++)
            if (!pieces_bound(js, b, pieces_decimal(js, e->numbers[i])))
                return false;
        return true;
    default:
        p->unsigned_zero = js->options->like_llguidance;
        return pieces_bound(js, b, pieces_decimal(js, q->a));
    }
}

static void pieces_measure(struct srt_number_plan *p,
                           const struct srt_decimal *d)
{
    const int32_t whole = d->exponent + (int32_t)d->n;

    if (-d->exponent > p->finest && d->n)
        p->finest = -d->exponent;
    if (whole > (int32_t)p->n_whole)
        p->n_whole = (uint32_t)whole;
    if (d->n + SRT_NUMBER_DIGITS > p->digits)
        p->digits = d->n + SRT_NUMBER_DIGITS;
    if (whole > 0 && (uint32_t)whole + SRT_NUMBER_DIGITS > p->digits)
        p->digits = (uint32_t)whole + SRT_NUMBER_DIGITS;
}

/* One side of 0; b is ascending and has 0. */
static bool pieces_side(struct srt_js *js, struct srt_number_plan *p,
                        const struct pieces_bounds *b, bool negative)
{
    struct srt_piece *side = srt_js_take(js, b->n, sizeof(*side));
    uint32_t n = 0;

    if (!side)
        return false;
    for (size_t i = 0; i < b->n; i++) {
        const struct srt_decimal *d = b->value[negative ? b->n - 1 - i : i];
        struct srt_piece *piece = &side[n];

        if (d->n > 0 && d->negative != negative)
            continue;
        if (i > 0 && n > 0 &&
            srt_decimal_compare_size(side[n - 1].from, d) == 0)
            continue;
        piece->from = d;
        if (!(negative && p->unsigned_zero && d->n == 0)) {
            piece->at = srt_pieces_value(js, p, d, true);
            piece->at_fraction = srt_pieces_value(js, p, d, false);
        }
        piece->beyond = pieces_cut(js, p->diagram, d, negative);
        n++;
    }
    p->side[negative] = side;
    p->n_side[negative] = n;
    return srt_js_ok(js);
}

bool srt_pieces_make(struct srt_js *js, struct srt_number_plan *p,
                     srt_dd diagram)
{
    static const struct srt_decimal zero = { 0 };
    struct pieces_bounds b = { NULL, 0, 0 };
    uint32_t *variables;
    size_t n;
    sortes_status status = srt_dd_variables(&js->dd, diagram, &variables, &n);
    bool ok = status == SORTES_OK;

    if (!ok)
        srt_js_fail(js, status);
    memset(p, 0, sizeof(*p));
    p->diagram = diagram;
    p->digits = SRT_NUMBER_DIGITS;
    p->exponents = js->options->numbers == SRT_NUMBERS_JSON;
    ok = ok && pieces_bound(js, &b, &zero);
    for (size_t i = 0; ok && i < n; i++)
        ok = pieces_note(js, p, &b, srt_js_question(js, variables[i]));
    if (p->exponents)
        p->asks_whole = false;
    if (ok) {
        qsort(b.value, b.n, sizeof(*b.value), pieces_order);
        for (size_t i = 0; i < b.n; i++)
            pieces_measure(p, b.value[i]);
        ok = pieces_side(js, p, &b, false) && pieces_side(js, p, &b, true);
    }
    p->made = ok;
    free(variables);
    free(b.value);
    return ok;
}

/* ---- reaching ------------------------------------------------------------ */

struct pieces_search {
    struct srt_js *js;
    const struct srt_number_plan *p;
    const struct srt_reach *r;
    const struct srt_decimal *end; /* the next bound, excluded; NULL: none */
    struct srt_decimal low;        /* included */
};

/* What must not divide a value: the low edges of the way so far. */
struct pieces_not {
    struct srt_divisor m;
    const struct pieces_not *outer;
};

/* Whether a multiple of m may be a multiple of none of them: unless m itself is
 * one of theirs, one of the next few is. */
static bool pieces_may(const struct srt_divisor *m,
                       const struct pieces_not * not )
{
    struct srt_decimal d;
    uint8_t digit[20];
    size_t at = sizeof(digit);

    for (uint64_t unit = m->unit; unit > 0; unit /= 10)
        digit[--at] = (uint8_t)(unit % 10);
    if (!srt_decimal_set(&d, false, digit + at, sizeof(digit) - at,
                         m->exponent))
        return true;
    while (not &&!srt_decimal_divides(&not ->m, &d))
        not = not ->outer;
    return !not ;
}

/* Whether a size lies behind the reach. */
static bool pieces_is_behind(const struct srt_reach *r,
                             const struct srt_decimal *size)
{
    const int order = srt_decimal_compare_size(size, &r->high);

    return order > 0 || (order == 0 && r->below);
}

/* Points of a lattice from low on. */
static bool pieces_try(const struct pieces_search *s,
                       const struct srt_divisor *m)
{
    struct srt_decimal at = s->low;
    bool above = false;

    for (int i = 0; i < PIECES_TRIES; i++, above = true) {
        at.negative = false;
        if (!srt_decimal_next_multiple(&at, m, above) ||
            pieces_is_behind(s->r, &at) ||
            (s->end && srt_decimal_compare_size(&at, s->end) >= 0))
            return false;
        at.negative = s->r->negative && at.n > 0;
        if (srt_pieces_value(s->js, s->p, &at, s->r->spelled_whole))
            return true;
    }
    return false;
}

/* Every way through what is left to ask; m: what divides so far. */
static bool pieces_ways(const struct pieces_search *s, srt_dd f,
                        const struct srt_divisor *m,
                        const struct pieces_not *outer)
{
    const struct srt_dd_node *node;
    const struct srt_question *q;
    struct pieces_not not = { { 1, 0 }, outer };
    struct srt_divisor both;

    if (srt_dd_is_terminal(f))
        return f != 0 && pieces_may(m, outer) && pieces_try(s, m);
    node = srt_dd_at(&s->js->dd, f);
    q = srt_js_question(s->js, node->variable);
    if (q->type == SRT_ASK_INTEGER && q->a)
        return pieces_ways(s, s->r->spelled_whole ? node->high : node->low, m,
                           outer);
    if (q->type == SRT_ASK_MULTIPLE)
        srt_divisor_from(&not .m, pieces_decimal(s->js, q->a));
    if (pieces_ways(s, node->low, m, &not ))
        return true;
    both = not .m;
    if (!srt_divisor_lcm(&both, m)) {
        srt_js_fail(s->js, SORTES_E_LIMIT);
        return false;
    }
    return pieces_ways(s, node->high, &both, outer);
}

static bool pieces_on_grid(const struct srt_decimal *d, int32_t grid)
{
    return d->n == 0 || d->exponent >= grid;
}

bool srt_pieces_reach(struct srt_js *js, const struct srt_number_plan *p,
                      const struct srt_reach *r)
{
    const struct srt_piece *side = p->side[r->negative];
    const uint32_t n = p->n_side[r->negative];
    const struct srt_divisor grid = { 1, r->grid };
    const struct pieces_not whole = { { 1, 0 }, NULL };
    const struct pieces_not *not =
        p->asks_whole && !r->spelled_whole ? &whole : NULL;
    uint32_t low = 0, high = n;

    /* The last bound that is not above r->low; 0 is one. */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (srt_decimal_compare_size(side[middle].from, &r->low) <= 0)
            low = middle;
        else
            high = middle;
    }
    for (uint32_t i = low; i < n; i++) {
        struct pieces_search s = { js, p, r,
                                   i + 1 < n ? side[i + 1].from : NULL,
                                   r->low };
        const int order = srt_decimal_compare_size(side[i].from, &r->low);

        if (pieces_is_behind(r, side[i].from))
            return false;
        if (order >= 0 && pieces_on_grid(side[i].from, r->grid) &&
            (r->spelled_whole ? side[i].at : side[i].at_fraction))
            return true;
        if (side[i].beyond == 0)
            continue;
        if (order >= 0) {
            srt_decimal_copy(&s.low, side[i].from);
            s.low.negative = false;
            if (!srt_decimal_next_multiple(&s.low, &grid, true))
                continue;
        }
        if (pieces_ways(&s, side[i].beyond, &grid, not ))
            return true;
    }
    return false;
}
