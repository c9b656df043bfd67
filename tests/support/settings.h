/*
 * settings.h - parameters, biases and a history taken at random, for tests
 * that compare one way of sampling with another
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SETTINGS_H
#define TESTS_SETTINGS_H

#include "sortes.h"
#include "support/rows.h"

#include <stdbool.h>
#include <stdio.h>

enum { SETTINGS_BIASES = 8, SETTINGS_HISTORY = 300 };

struct settings_bias {
    int32_t token;
    float value;
};

struct settings {
    uint32_t seed;
    float temperature, top_p, min_p, repeat, frequency, presence;
    int32_t top_k, min_keep, last_n;
    bool greedy;
    size_t n_biases, n_history;
    struct settings_bias biases[SETTINGS_BIASES];
    int32_t history[SETTINGS_HISTORY];
};

/* The engine's defaults, penalties off, nothing remembered. */
struct settings settings_default(void);

/* For a row of n; every third time in the default shape. */
void settings_random(struct settings *s, struct rows_random *r, size_t n);

/* One of the values; every one a float constant. */
float settings_pick(struct rows_random *r, const float *from, size_t n);
#define PICK(r, ...)                                                           \
    settings_pick(r, (const float[]){ __VA_ARGS__ },                           \
                  sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float))

/* The parameters as a JSON object, by the names of params.def. */
void settings_write(FILE *out, const struct settings *s);

/* A sampler that has accepted the history; NULL, and a word on stderr, if
 * there is none. */
sortes_sampler *settings_sampler(const struct settings *s);

#endif /* TESTS_SETTINGS_H */
