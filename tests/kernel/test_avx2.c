/*
 * test_avx2.c - the kernels of avx2.c beside the scalar ones
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/vector_set.h"

int main(void)
{
    return vector_set_main("avx2");
}
