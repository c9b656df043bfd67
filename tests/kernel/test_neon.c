/*
 * test_neon.c - the kernels of neon.c beside the scalar ones
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/vector_set.h"

int main(void)
{
    return vector_set_main("neon");
}
