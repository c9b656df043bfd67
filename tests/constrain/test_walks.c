/*
 * test_walks.c - random walks over random vocabularies; tests/long has more
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/constrain_walk.h"

static void json_walks(void **state)
{
    (void)state;
    walk_json_rounds(1, 25);
}

static void choice_walks(void **state)
{
    (void)state;
    walk_choice_rounds(2, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_walks),
        cmocka_unit_test(choice_walks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
