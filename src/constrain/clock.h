/*
 * clock.h - what time it is, for limits of time alone: no result depends on it
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_CLOCK_H
#define SRT_CLOCK_H

#include "compiler.h"

#include <stdbool.h>
#include <time.h>

/* Microseconds since some day; 0: the clock does not work. */
SRT_INLINE uint64_t srt_clock_us(void)
{
    struct timespec now;

    if (timespec_get(&now, TIME_UTC) != TIME_UTC)
        return 0;
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* What a call may take; zeroed but for the limit as it begins. */
struct srt_timer {
    uint64_t limit_us; /* 0: none */
    uint64_t began_us; /* the first look; 0: none yet */
    uint32_t steps;
    bool over; /* for good */
};

/* Counts a step; false: the time is over.  The clock is looked at once in
 * `every` steps (a power of two), so that a call of few steps never does.  One
 * that was set back is no reason to end. */
SRT_INLINE bool srt_timer_step(struct srt_timer *t, uint32_t every)
{
    uint64_t now;

    if (++t->steps % every != 0 || t->limit_us == 0 || t->over)
        return !t->over;
    now = srt_clock_us();
    if (t->began_us == 0)
        t->began_us = now;
    t->over = now > t->began_us && now - t->began_us >= t->limit_us;
    return !t->over;
}

#endif /* SRT_CLOCK_H */
