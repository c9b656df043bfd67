/*
 * shapes.h - parameters of every shape that a chain and its plans take
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_SHAPES_H
#define SUPPORT_SHAPES_H

#include "sortes.h"

enum { SHAPES_N = 19 };

const char *shape_name(size_t shape);

/* Does this shape draw a random number? */
int shape_draws(size_t shape);

/* New objects; the test fails where one cannot be made. */
sortes_params *shape_params(size_t shape, uint64_t seed);
sortes_sampler *shape_sampler(size_t shape, uint64_t seed);

/* A clone, likewise. */
sortes_sampler *shape_clone(const sortes_sampler *s);

#endif /* SUPPORT_SHAPES_H */
