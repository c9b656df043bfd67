/*
 * clock.h - what time it is, for limits of time alone: no result depends on it
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_CLOCK_H
#define SRT_CLOCK_H

#include "compiler.h"

#include <time.h>

/* Microseconds since some day; 0: the clock does not work. */
SRT_INLINE uint64_t srt_clock_us(void)
{
    struct timespec now;

    if (timespec_get(&now, TIME_UTC) != TIME_UTC)
        return 0;
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

#endif /* SRT_CLOCK_H */
