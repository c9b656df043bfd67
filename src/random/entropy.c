/*
 * entropy.c - a seed for those who ask for a random one
 *
 * The system's generator where <sys/random.h> has one.  Elsewhere, or when it
 * fails, the clock mixed with an address: good enough for "do not repeat the
 * last answer", which is all that a random seed is for.
 *
 * SPDX-License-Identifier: MIT
 */
#if defined(__linux__) || defined(__APPLE__)
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* getentropy() under -std=c11 */
#endif
#include <sys/random.h>
#include <unistd.h>
#define ENTROPY_SYSTEM 1
#else
#define ENTROPY_SYSTEM 0
#endif

#include "random/entropy.h"

#include <time.h>

static uint32_t entropy_from_clock(void)
{
    struct timespec now = { 0 };
    uint64_t x = (uint64_t)(uintptr_t)&now;

    (void)timespec_get(&now, TIME_UTC);
    x ^= (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
    x ^= (uint64_t)now.tv_sec << 20;
    x *= 0xbf58476d1ce4e5b9u; /* splitmix64's finisher */
    return (uint32_t)(x >> 32);
}

uint32_t srt_entropy32(void)
{
#if ENTROPY_SYSTEM
    uint32_t word;

    if (getentropy(&word, sizeof(word)) == 0)
        return word;
#endif
    return entropy_from_clock();
}
