/*
 * order_judge.h - small schemas of objects, and by definition alone which texts
 * satisfy them and are in order
 *
 * Keys are a, b, c, d; their values 0 and 1.  Nothing is shared with the
 * library: truth is evaluated, choices are listed, and a name "has to come" if
 * it does in every world that what has come so far leaves open.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORDER_JUDGE_H
#define ORDER_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

enum { JUDGE_NAMES = 4, JUDGE_NODES = 8, JUDGE_RULES = 4, JUDGE_PARTS = 3 };

enum judge_rule_type {
    JUDGE_PROPERTIES,
    JUDGE_REQUIRED,
    JUDGE_DEPENDENT_REQUIRED, /* name[0] asks for name[1] */
    JUDGE_DEPENDENT_SCHEMA,   /* name[0] asks for node[0] */
    JUDGE_AT_LEAST,           /* n properties */
    JUDGE_AT_MOST,
    JUDGE_ALL,
    JUDGE_ANY,
    JUDGE_ONE,
    JUDGE_NOT,
    JUDGE_IF, /* node[0], then node[1], else node[2] */
    JUDGE_RULE_TYPES
};

struct judge_rule {
    enum judge_rule_type type;
    int n;
    int node[JUDGE_PARTS];
    int name[JUDGE_NAMES];
    unsigned values[JUDGE_NAMES]; /* of properties: bits of what is allowed */
};

struct judge_node {
    struct judge_rule rule[JUDGE_RULES];
    int n;
    bool by_reference;
};

/* Node 0 is the root; a node's parts come behind it. */
struct judge_schema {
    struct judge_node node[JUDGE_NODES];
    int n;
};

struct judge_pair {
    int name, value;
};

/* Random, by rand().  parted: the root is allOf, anyOf or oneOf alone. */
void judge_make(struct judge_schema *s, bool parted);

enum judge_form {
    JUDGE_PLAIN,
    JUDGE_NOT_NOT, /* the same truth, and no order */
    JUDGE_WITHIN   /* the value of "x", which the root's parts are asked of
                      by as many properties; of a parted schema */
};

/* As JSON; every text that satisfies it is an object of such pairs. */
void judge_write(const struct judge_schema *s, enum judge_form form, char *to,
                 size_t size);

bool judge_is_true(const struct judge_schema *s, const struct judge_pair *pair,
                   int n);

/* Whether the keys are in order; the pairs satisfy the schema. */
bool judge_is_in_order(const struct judge_schema *s,
                       const struct judge_pair *pair, int n, bool strict);

/* How many `properties` there are: what a verdict takes doubles with each. */
int judge_properties(const struct judge_schema *s);

#endif /* ORDER_JUDGE_H */
