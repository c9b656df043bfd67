/*
 * test_version.c - the version, as text and as numbers
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static void version_is_the_headers(void **state)
{
    char want[40];

    (void)state;
    (void)snprintf(want, sizeof(want), "%d.%d.%d", SORTES_VERSION_MAJOR,
                   SORTES_VERSION_MINOR, SORTES_VERSION_PATCH);
    assert_string_equal(sortes_version(), want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_the_headers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
