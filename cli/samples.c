/*
 * samples.c - durations of many calls, and what is said of them
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "samples.h"

#include <stdlib.h>
#include <time.h>

uint64_t samples_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void samples_add(struct samples *s, uint64_t ns)
{
    if (s->n == s->room) {
        const size_t room = s->room ? s->room * 2 : 1024;
        uint64_t *grown = realloc(s->ns, room * sizeof(*grown));
        if (!grown) {
            s->failed = true;
            return;
        }
        s->ns = grown;
        s->room = room;
    }
    s->ns[s->n++] = ns;
}

void samples_free(struct samples *s)
{
    free(s->ns);
    *s = (struct samples){ 0 };
}

static int samples_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* us below 0: there is no such figure. */
static void samples_put(struct json_out *j, const char *name, double us)
{
    char text[32] = "null";

    if (us >= 0)
        snprintf(text, sizeof(text), "%.3f", us);
    json_out_key(j, name);
    json_out_raw(j, text);
}

/* The sample that this part of them lies below. */
static double samples_rank(const struct samples *s, double part)
{
    const size_t at = (size_t)(part * (double)s->n);

    if (s->n == 0)
        return -1;
    return (double)s->ns[at < s->n ? at : s->n - 1] / 1e3;
}

void samples_write(struct samples *s, const char *name, struct json_out *j)
{
    double sum = 0;

    if (s->n > 0)
        qsort(s->ns, s->n, sizeof(*s->ns), samples_compare);
    for (size_t i = 0; i < s->n; i++)
        sum += (double)s->ns[i] / 1e3;
    json_out_key(j, name);
    json_out_open(j, '{');
    samples_put(j, "p50", samples_rank(s, 0.5));
    samples_put(j, "p99", samples_rank(s, 0.99));
    samples_put(j, "p999", samples_rank(s, 0.999));
    samples_put(j, "max", samples_rank(s, 1));
    samples_put(j, "mean", s->n > 0 ? sum / (double)s->n : -1);
    json_out_key(j, "n");
    json_out_unsigned(j, s->n);
    json_out_close(j, '}');
}
