/*
 * test_selftest.c - the self-test passes here, whatever memory it is given
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void selftest_passes(void **state)
{
    sortes_error err = { SORTES_E_IO, 3, "old" };

    (void)state;
    if (sortes_selftest(&err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_int_equal(err.status, SORTES_OK);
    assert_int_equal(err.offset, 0);
    assert_string_equal(err.text, "");
}

static void selftest_needs_no_error(void **state)
{
    (void)state;
    assert_int_equal(sortes_selftest(NULL), SORTES_OK);
}

/* Leaves blocks of all likely sizes behind, full of a byte. */
static void soil_memory(int byte)
{
    void *blocks[18];

    for (int i = 0; i < 18; i++) {
        blocks[i] = malloc((size_t)1 << i);
        assert_non_null(blocks[i]);
        memset(blocks[i], byte, (size_t)1 << i);
    }
    for (int i = 0; i < 18; i++)
        free(blocks[i]);
}

static void selftest_passes_in_used_memory(void **state)
{
    static const int bytes[] = { 0x00, 0xff, 0x5a, 0x7f, 0x80 };

    (void)state;
    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
        soil_memory(bytes[i]);
        sortes_thread_release();
        assert_int_equal(sortes_selftest(NULL), SORTES_OK);
        assert_int_equal(sortes_selftest(NULL), SORTES_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selftest_passes),
        cmocka_unit_test(selftest_needs_no_error),
        cmocka_unit_test(selftest_passes_in_used_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
