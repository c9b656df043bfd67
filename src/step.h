/*
 * step.h - what one step changes, worked on as a copy
 *
 * A step begins as a copy of the sampler's own and is committed by copying it
 * back, so a step that fails leaves no trace.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_STEP_H
#define SRT_STEP_H

#include "compiler.h"

struct srt_step {
    uint64_t position;     /* words taken from the generator so far */
    uint64_t n_candidates; /* tokens that had a weight above 0 in the draw */
    double margin;         /* as sortes_draw */
};

#endif /* SRT_STEP_H */
