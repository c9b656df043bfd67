/*
 * long_walks.c - random walks over random vocabularies, many of them
 *
 * usage: long_walks [SEED [ROUNDS]]
 *
 * tests/constrain/test_walks.c is the bounded version.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/constrain_walk.h"

#include <stdlib.h>

static uint64_t long_seed = 100;
static int long_rounds = 4000;

static void json_walks(void **state)
{
    (void)state;
    walk_json_rounds(long_seed, long_rounds);
}

static void choice_walks(void **state)
{
    (void)state;
    walk_choice_rounds(long_seed + 1, 2 * long_rounds);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_walks),
        cmocka_unit_test(choice_walks),
    };

    if (argc > 1)
        long_seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        long_rounds = atoi(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
