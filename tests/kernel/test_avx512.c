/*
 * test_avx512.c - the kernels of avx512.c beside the scalar ones
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/vector_set.h"

int main(void)
{
    return vector_set_main("avx512");
}
