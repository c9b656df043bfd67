/*
 * decision.c - decision diagrams
 *
 * Source: Bryant, "Graph-Based Algorithms for Boolean Function Manipulation",
 * 1986; many terminals as in Clarke et al., "Multi-Terminal Binary Decision
 * Diagrams", 1993.
 *
 * Results are remembered in a table that forgets; that costs time, never
 * truth.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/decision.h"

#include "constrain/grow.h"

#include <stdlib.h>
#include <string.h>

enum { DD_MEMO_BITS = 12, DD_MAX_DEPTH = 10000 };

enum dd_operation { DD_NONE, DD_IF, DD_GIVEN, DD_IS };

struct srt_dd_memo {
    uint32_t operation;
    uint32_t f, g, h;
    srt_dd result;
};

sortes_status srt_decisions_init(struct srt_decisions *d, size_t limit,
                                 size_t byte_limit)
{
    srt_pool_init(&d->nodes, sizeof(uint64_t), limit, byte_limit);
    d->status = SORTES_OK;
    d->depth = 0;
    d->stamp = 0;
    d->memo = calloc((size_t)1 << DD_MEMO_BITS, sizeof(*d->memo));
    return d->memo ? SORTES_OK : SORTES_E_NOMEM;
}

void srt_decisions_clear(struct srt_decisions *d)
{
    srt_pool_clear(&d->nodes);
    free(d->memo);
    d->memo = NULL;
}

static srt_dd dd_fail(struct srt_decisions *d, sortes_status status)
{
    if (d->status == SORTES_OK)
        d->status = status;
    return SRT_DD_FALSE;
}

srt_dd srt_dd_make(struct srt_decisions *d, uint32_t variable, srt_dd low,
                   srt_dd high)
{
    struct srt_dd_node node = { variable, low, high };
    sortes_status status;
    uint32_t number;

    if (low == high)
        return low;
    status = srt_pool_intern(&d->nodes, &node, sizeof(node), &number, NULL);
    if (status != SORTES_OK)
        return dd_fail(d, status);
    return number + SRT_DD_TERMINALS;
}

static struct srt_dd_memo *dd_slot(struct srt_decisions *d, uint32_t operation,
                                   uint32_t f, uint32_t g, uint32_t h)
{
    uint64_t hash = operation + (uint64_t)f * UINT64_C(0x9E3779B97F4A7C15);

    hash = (hash ^ hash >> 29 ^ g) * UINT64_C(0xD6E8FEB86659FD93);
    hash = (hash ^ hash >> 31 ^ h) * UINT64_C(0x9E3779B97F4A7C15);
    return &d->memo[hash >> (64 - DD_MEMO_BITS)];
}

static bool dd_remembers(const struct srt_dd_memo *m, uint32_t operation,
                         uint32_t f, uint32_t g, uint32_t h)
{
    return m->operation == operation && m->f == f && m->g == g && m->h == h;
}

/* The result of an operation, which is remembered unless something failed. */
static srt_dd dd_keep(struct srt_decisions *d, uint32_t operation,
                      const uint32_t key[3], srt_dd result)
{
    struct srt_dd_memo *m = dd_slot(d, operation, key[0], key[1], key[2]);

    d->depth--;
    if (d->status != SORTES_OK)
        return SRT_DD_FALSE;
    m->operation = operation;
    m->f = key[0];
    m->g = key[1];
    m->h = key[2];
    m->result = result;
    return result;
}

static bool dd_enter(struct srt_decisions *d)
{
    if (d->status != SORTES_OK)
        return false;
    if (d->depth >= DD_MAX_DEPTH) {
        dd_fail(d, SORTES_E_LIMIT);
        return false;
    }
    d->depth++;
    return true;
}

static uint32_t dd_top(const struct srt_decisions *d, srt_dd f)
{
    return srt_dd_is_terminal(f) ? UINT32_MAX : srt_dd_at(d, f)->variable;
}

static srt_dd dd_branch(const struct srt_decisions *d, srt_dd f,
                        uint32_t variable, bool answer)
{
    const struct srt_dd_node *node;

    if (srt_dd_is_terminal(f))
        return f;
    node = srt_dd_at(d, f);
    if (node->variable != variable)
        return f;
    return answer ? node->high : node->low;
}

srt_dd srt_dd_if(struct srt_decisions *d, srt_dd f, srt_dd g, srt_dd h)
{
    const uint32_t key[3] = { f, g, h };
    const struct srt_dd_memo *m;
    uint32_t variable, other;
    srt_dd low, high;

    if (f == SRT_DD_TRUE)
        return g;
    if (f == SRT_DD_FALSE)
        return h;
    if (g == h)
        return g;
    if (g == SRT_DD_TRUE && h == SRT_DD_FALSE)
        return f;
    m = dd_slot(d, DD_IF, f, g, h);
    if (dd_remembers(m, DD_IF, f, g, h))
        return m->result;
    if (!dd_enter(d))
        return SRT_DD_FALSE;
    variable = dd_top(d, f);
    other = dd_top(d, g);
    variable = other < variable ? other : variable;
    other = dd_top(d, h);
    variable = other < variable ? other : variable;
    low = srt_dd_if(d, dd_branch(d, f, variable, false),
                    dd_branch(d, g, variable, false),
                    dd_branch(d, h, variable, false));
    high = srt_dd_if(d, dd_branch(d, f, variable, true),
                     dd_branch(d, g, variable, true),
                     dd_branch(d, h, variable, true));
    return dd_keep(d, DD_IF, key, srt_dd_make(d, variable, low, high));
}

srt_dd srt_dd_given(struct srt_decisions *d, srt_dd f, uint32_t variable,
                    bool answer)
{
    const uint32_t key[3] = { f, variable, answer };
    const struct srt_dd_memo *m;
    const struct srt_dd_node *node;
    srt_dd low, high;

    if (srt_dd_is_terminal(f))
        return f;
    node = srt_dd_at(d, f);
    if (node->variable > variable)
        return f;
    if (node->variable == variable)
        return answer ? node->high : node->low;
    m = dd_slot(d, DD_GIVEN, f, variable, answer);
    if (dd_remembers(m, DD_GIVEN, f, variable, answer))
        return m->result;
    if (!dd_enter(d))
        return SRT_DD_FALSE;
    low = srt_dd_given(d, node->low, variable, answer);
    high = srt_dd_given(d, node->high, variable, answer);
    return dd_keep(d, DD_GIVEN, key, srt_dd_make(d, node->variable, low, high));
}

/* A walk that says no; known: results by node, in the payload. */
struct dd_no {
    const uint32_t *variable;
    size_t n;
    struct srt_pool known;
};

static bool dd_says_no(const struct dd_no *no, uint32_t variable)
{
    size_t low = 0, high = no->n;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (no->variable[middle] <= variable)
            low = middle;
        else
            high = middle;
    }
    return no->variable[low] == variable;
}

static srt_dd dd_without(struct srt_decisions *d, struct dd_no *no, srt_dd f)
{
    struct srt_dd_node node;
    uint32_t number;
    uint64_t *result;
    sortes_status status;
    bool is_new;

    if (srt_dd_is_terminal(f))
        return f;
    node = *srt_dd_at(d, f);
    if (node.variable > no->variable[no->n - 1])
        return f;
    status = srt_pool_intern(&no->known, &f, sizeof(f), &number, &is_new);
    if (status != SORTES_OK)
        return dd_fail(d, status);
    result = srt_pool_payload(&no->known, number);
    if (!is_new)
        return (srt_dd)*result;
    if (!dd_enter(d))
        return SRT_DD_FALSE;
    node.low = dd_without(d, no, node.low);
    if (!dd_says_no(no, node.variable)) {
        node.high = dd_without(d, no, node.high);
        node.low = srt_dd_make(d, node.variable, node.low, node.high);
    }
    d->depth--;
    *result = node.low;
    return node.low;
}

srt_dd srt_dd_without(struct srt_decisions *d, srt_dd f,
                      const uint32_t *variable, size_t n)
{
    struct dd_no no = { .variable = variable, .n = n };

    if (n < 2)
        return n ? srt_dd_given(d, f, *variable, false) : f;
    srt_pool_init(&no.known, sizeof(uint64_t), SRT_POOL_MAX, SIZE_MAX);
    f = dd_without(d, &no, f);
    srt_pool_clear(&no.known);
    return d->status == SORTES_OK ? f : SRT_DD_FALSE;
}

srt_dd srt_dd_is(struct srt_decisions *d, srt_dd f, uint32_t t)
{
    const uint32_t key[3] = { f, t, 0 };
    const struct srt_dd_memo *m;
    const struct srt_dd_node *node;
    srt_dd low, high;

    if (srt_dd_is_terminal(f))
        return f == t ? SRT_DD_TRUE : SRT_DD_FALSE;
    m = dd_slot(d, DD_IS, f, t, 0);
    if (dd_remembers(m, DD_IS, f, t, 0))
        return m->result;
    if (!dd_enter(d))
        return SRT_DD_FALSE;
    node = srt_dd_at(d, f);
    low = srt_dd_is(d, node->low, t);
    high = srt_dd_is(d, node->high, t);
    return dd_keep(d, DD_IS, key, srt_dd_make(d, node->variable, low, high));
}

static int dd_by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The variables of every node below, some of them repeatedly. */
static bool dd_collect(struct srt_decisions *d, srt_dd f, struct srt_ids *to)
{
    struct srt_ids open = { NULL, 0, 0 };
    bool ok = srt_ids_add(&open, f) == SORTES_OK;

    d->stamp++;
    while (ok && open.n > 0) {
        const srt_dd at = open.at[--open.n];
        const struct srt_dd_node *node;
        uint64_t *stamp;

        if (srt_dd_is_terminal(at))
            continue;
        stamp = srt_pool_payload(&d->nodes, at - SRT_DD_TERMINALS);
        if (*stamp == d->stamp)
            continue;
        *stamp = d->stamp;
        node = srt_dd_at(d, at);
        ok = srt_ids_add(to, node->variable) == SORTES_OK &&
             srt_ids_add(&open, node->high) == SORTES_OK &&
             srt_ids_add(&open, node->low) == SORTES_OK;
    }
    free(open.at);
    return ok;
}

sortes_status srt_dd_variables(struct srt_decisions *d, srt_dd f,
                               uint32_t **variables, size_t *n)
{
    struct srt_ids list = { NULL, 0, 0 };
    size_t kept = 0;

    *variables = NULL;
    *n = 0;
    if (!dd_collect(d, f, &list)) {
        free(list.at);
        return SORTES_E_NOMEM;
    }
    if (list.n > 1)
        qsort(list.at, list.n, sizeof(*list.at), dd_by_number);
    for (size_t i = 0; i < list.n; i++)
        if (i == 0 || list.at[i] != list.at[kept - 1])
            list.at[kept++] = list.at[i];
    *variables = list.at;
    *n = kept;
    return SORTES_OK;
}

uint32_t srt_dd_ask(const struct srt_decisions *d, srt_dd f,
                    bool (*answer)(void *ctx, uint32_t variable), void *ctx)
{
    while (!srt_dd_is_terminal(f)) {
        const struct srt_dd_node *node = srt_dd_at(d, f);

        f = answer && answer(ctx, node->variable) ? node->high : node->low;
    }
    return f;
}
