/*
 * files.c - files that a test writes into its folder
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/files.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

void file_write(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}
