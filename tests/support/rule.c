/*
 * rule.c - a constraint that allows sets of tokens, and remembers its calls
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/rule.h"

#include "support/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

struct rule *rule_of(uint64_t set)
{
    static struct rule pool[RULE_POOL];
    static size_t n;
    struct rule *rule = &pool[n++ % RULE_POOL];

    *rule =
        (struct rule){ .sets = { set }, .n_sets = 1, .advance_refuses = -1 };
    return rule;
}

static uint64_t current(const struct rule *rule)
{
    return rule
        ->sets[rule->n_taken < rule->n_sets ? rule->n_taken : rule->n_sets - 1];
}

static int allows(void *ctx, int32_t token)
{
    struct rule *rule = ctx;

    rule->n_allows++;
    if (rule->allows_fails)
        return -1;
    return token < 64 && (current(rule) >> token & 1);
}

static sortes_status mask(void *ctx, uint32_t *words, size_t n_words)
{
    struct rule *rule = ctx;

    rule->n_masks++;
    words[0] |= (uint32_t)current(rule);
    if (n_words > 1)
        words[1] |= (uint32_t)(current(rule) >> 32);
    return rule->mask_status;
}

static sortes_status advance(void *ctx, int32_t token)
{
    struct rule *rule = ctx;

    if (token == rule->advance_refuses || rule->n_taken == RULE_MAX)
        return SORTES_E_RANGE;
    rule->taken[rule->n_taken++] = token;
    return SORTES_OK;
}

static sortes_status rollback(void *ctx, size_t n)
{
    struct rule *rule = ctx;

    rule->n_rollbacks++;
    if (n > rule->n_taken)
        return SORTES_E_LIMIT;
    rule->n_taken -= n;
    return SORTES_OK;
}

static sortes_status reset(void *ctx)
{
    struct rule *rule = ctx;

    rule->n_resets++;
    rule->n_taken = 0;
    return SORTES_OK;
}

static void *clone(void *ctx)
{
    const struct rule *rule = ctx;
    struct rule *copy;

    if (rule->clone_fails)
        return NULL;
    copy = malloc(sizeof(*copy));
    if (copy) {
        *copy = *rule;
        copy->is_clone = 1;
    }
    return copy;
}

static void let_go(void *ctx)
{
    struct rule *rule = ctx;

    if (rule->n_freed)
        ++*rule->n_freed;
    if (rule->is_clone)
        free(rule);
}

sortes_constraint rule_constraint(struct rule *rule)
{
    return (sortes_constraint){ .struct_size = sizeof(sortes_constraint),
                                .ctx = rule,
                                .allows = allows,
                                .mask = mask,
                                .advance = advance,
                                .rollback = rollback,
                                .reset = reset,
                                .clone = clone,
                                .free = let_go };
}

sortes_sampler *rule_sampler(struct rule *rule, const char *settings)
{
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler(settings);

    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    return s;
}
