/*
 * fuzz.h - what every fuzz target is: a function, and promises that must hold
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_FUZZ_H
#define SORTES_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* libFuzzer's name and signature; every target defines it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Ends the process where the fuzzer sees it, asserts or no asserts. */
static inline void check(int holds)
{
    if (!holds)
        abort();
}

#endif /* SORTES_FUZZ_H */
