/*
 * rule.h - a constraint that allows sets of tokens, and remembers its calls
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_RULE_H
#define TESTS_RULE_H

#include "sortes.h"

enum { RULE_MAX = 256 };

struct rule {
    /* Bit t: token t may come; the set of the token number n_taken, and the
     * last set from there on. */
    uint64_t sets[4];
    size_t n_sets; /* at least 1 */
    int32_t taken[RULE_MAX];
    size_t n_taken;
    /* Calls so far, of this one and not of its clones. */
    int n_allows, n_masks, n_rollbacks, n_resets;
    int *n_freed; /* counts; NULL: not wanted */
    /* What goes wrong. */
    int allows_fails;
    sortes_status mask_status;
    int32_t advance_refuses; /* this token; -1: none */
    int clone_fails;
    int is_clone;
};

/* Allows the tokens of the bits, at every place.  One of RULE_POOL, which are
 * given out in turn: it outlives the sampler that has it. */
enum { RULE_POOL = 256 };
struct rule *rule_of(uint64_t set);

/* With all callbacks; ctx is the rule. */
sortes_constraint rule_constraint(struct rule *rule);

/* A sampler of stages_sampler() under the rule. */
sortes_sampler *rule_sampler(struct rule *rule, const char *settings);

#endif /* TESTS_RULE_H */
