/*
 * long_regex_naive.c - many patterns against what they mean
 *
 * All trees of up to four nodes, and random ones up to thirteen: accepted,
 * alive and completed as the naive matcher says (support/regex_naive.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_naive.h"

#include "compiler.h"

#include <stdio.h>

static const struct naive leaves[] = {
    { .kind = NAIVE_CHAR, .code = 'a' },
    { .kind = NAIVE_CHAR, .code = '-' },
    { .kind = NAIVE_NOT_CHAR, .code = 'a' },
    { .kind = NAIVE_DOT },
    { .kind = NAIVE_EMPTY },
    { .kind = NAIVE_START },
    { .kind = NAIVE_END },
    { .kind = NAIVE_BOUNDARY },
};

static const struct naive operators[] = {
    { .kind = NAIVE_REPEAT },
    { .kind = NAIVE_REPEAT, .max = 1 },
    { .kind = NAIVE_REPEAT, .min = 2, .max = 2 },
    { .kind = NAIVE_AHEAD },
    { .kind = NAIVE_NOT_AHEAD },
    { .kind = NAIVE_BEHIND },
    { .kind = NAIVE_NOT_BEHIND },
};

static unsigned long checked;

/* Lookbehind takes no assertion. */
static bool is_plain(const struct naive *x)
{
    if (x->kind >= NAIVE_AHEAD ||
        (x->kind >= NAIVE_START && x->kind <= NAIVE_NO_BOUNDARY))
        return false;
    return (!x->x || is_plain(x->x)) && (!x->y || is_plain(x->y));
}

typedef void with_tree(const struct naive *x, const void *then);

struct then {
    with_tree *go;
    const struct then *next;
    const struct naive *left;
    int size; /* of the right side, while the left one is made */
    enum naive_kind kind;
};

static void all_trees(int size, const struct then *then);

static void finish(const struct naive *x, const void *then)
{
    (void)then;
    naive_check(x, "a-", 3);
    checked++;
}

static void give(const struct naive *x, const struct then *then)
{
    then->go(x, then);
}

static void join(const struct naive *right, const void *context)
{
    const struct then *t = context;
    const struct naive x = { .kind = t->kind, .x = t->left, .y = right };

    give(&x, t->next);
}

static void go_right(const struct naive *left, const void *context)
{
    const struct then *t = context;
    const struct then right = {
        .go = join, .next = t->next, .left = left, .kind = t->kind
    };

    all_trees(t->size, &right);
}

static void wrap(const struct naive *inner, const void *context)
{
    const struct then *t = context;

    for (size_t i = 0; i < SRT_COUNT(operators); i++) {
        struct naive x = operators[i];

        x.x = inner;
        if (x.kind < NAIVE_BEHIND || is_plain(inner))
            give(&x, t->next);
    }
}

/* Every tree of so many nodes, handed on. */
static void all_trees(int size, const struct then *then)
{
    const struct then unary = { .go = wrap, .next = then };

    if (size == 1) {
        for (size_t i = 0; i < SRT_COUNT(leaves); i++)
            give(&leaves[i], then);
        return;
    }
    all_trees(size - 1, &unary);
    for (int left = 1; left < size - 1; left++) {
        for (int k = 0; k < 2; k++) {
            const struct then first = { .go = go_right,
                                        .next = then,
                                        .size = size - 1 - left,
                                        .kind = k ? NAIVE_OR : NAIVE_CAT };

            all_trees(left, &first);
        }
    }
}

static void every_small_tree(void **state)
{
    const struct then end = { .go = finish };

    (void)state;
    for (int size = 1; size <= 4; size++)
        all_trees(size, &end);
    printf("%lu trees\n", checked);
}

static void random_trees(void **state)
{
    struct naive_forest f = { .random = 314159, .letters = "ab-" };

    (void)state;
    for (int i = 0; i < 7000; i++)
        naive_check(naive_grow(&f, 2 + i % 12), "ab-", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_tree),
        cmocka_unit_test(random_trees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
