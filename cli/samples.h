/*
 * samples.h - durations of many calls, and what is said of them
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SAMPLES_H
#define CLI_SAMPLES_H

#include "json_out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct samples {
    uint64_t *ns;
    size_t n, room;
    bool failed; /* memory ran out; what came after is lacking */
};

uint64_t samples_now(void); /* nanoseconds of a clock that only goes forward */
void samples_add(struct samples *s, uint64_t ns);
void samples_free(struct samples *s);

/* {"p50", "p99", "p999", "max", "mean": microseconds, "n"}; null without any.
 * Sorts. */
void samples_write(struct samples *s, const char *name, struct json_out *j);

#endif /* CLI_SAMPLES_H */
