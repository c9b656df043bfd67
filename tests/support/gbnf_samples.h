/*
 * gbnf_samples.h - grammars of the kinds that people write
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_GBNF_SAMPLES_H
#define TEST_GBNF_SAMPLES_H

#include <stddef.h>

struct gbnf_sample {
    const char *name, *text;
    const char *accepts; /* a text of the grammar */
    const char *rejects; /* one whose last byte may not come */
};

extern const struct gbnf_sample gbnf_samples[];
extern const size_t gbnf_n_samples;

#endif /* TEST_GBNF_SAMPLES_H */
