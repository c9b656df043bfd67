/*
 * step.h - what one step changes, worked on as a copy
 *
 * A step begins as a copy of the sampler's own and is committed by copying it
 * back, so a step that fails leaves no trace; kept copies are how a sampler
 * rolls back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_STEP_H
#define SRT_STEP_H

#include "compiler.h"

/* Stages of one chain that own a generator. */
enum { SRT_STEP_GENERATORS = 16 };

enum { SRT_BUDGET_ENDS = 8 };

enum srt_budget_phase {
    SRT_BUDGET_IDLE,
    SRT_BUDGET_COUNTING,
    SRT_BUDGET_WAITING,
    SRT_BUDGET_FORCING,
    SRT_BUDGET_DONE
};

/* Where a thinking block stands (budget.c). */
struct srt_budget_state {
    enum srt_budget_phase phase;
    int32_t remaining;
    uint32_t forced_at; /* the next token of the forced sequence */
    uint32_t start_at, end_at[SRT_BUDGET_ENDS]; /* tokens matched so far */
};

struct srt_step {
    uint64_t position[SRT_STEP_GENERATORS]; /* words taken from each */
    float mu;                               /* mirostat's cross-entropy */
    /* adaptive-p: the moving average is weighted_sum / total_weight. */
    float weighted_sum, total_weight;
    int32_t pending_token; /* drawn by it and not accepted yet; -1: none */
    float pending_p;       /* that token's own probability */
    struct srt_budget_state budget;
    /* What the draw reports, as sortes_draw. */
    uint32_t flags;
    uint64_t n_candidates; /* tokens that had a weight above 0 */
    double margin;
};

#endif /* SRT_STEP_H */
