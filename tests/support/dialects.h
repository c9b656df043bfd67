/*
 * dialects.h - samplers of any dialect from a line of settings, for tests
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DIALECTS_H
#define TESTS_DIALECTS_H

#include "sortes.h"

/*
 * The dialect's defaults, then what settings say by the names of its
 * params.def: "top_k=2 temperature=0.5".  The caller frees what is returned;
 * what goes wrong fails the test.
 */
sortes_params *dialects_params(const char *dialect, const char *settings);
sortes_sampler *dialects_sampler(const char *dialect, sortes_vocab *v,
                                 const char *settings);

/* Sets "name=text name=text" on p. */
void dialects_set(sortes_params *p, const char *settings);

void dialects_accept(sortes_sampler *s, const int32_t *tokens, size_t n,
                     sortes_origin origin);

/* The token of one draw from floats; a status is returned as -status. */
int32_t dialects_draw(sortes_sampler *s, const float *x, size_t n);

/* A constraint: only tokens whose byte is not 0 are allowed, at every step.
 * allowed must stay while the sampler lives. */
void dialects_constrain(sortes_sampler *s, const uint8_t *allowed, size_t n);

#endif /* TESTS_DIALECTS_H */
