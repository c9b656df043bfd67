/*
 * plan.h - mlx-lm's step without its passes over the whole row
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MLXLM_PLAN_H
#define SRT_MLXLM_PLAN_H

#include "dialect/mlxlm/chain.h"

/*
 * One step.  `kept` tokens are those gathered so far: all of the row whose
 * log-probability is at least that of `floor`, in id order, ids in scratch->ids
 * and log-probabilities in scratch->raw.
 */
struct srt_mlxlm_plan {
    const struct srt_mlxlm *chain;
    const struct srt_mlxlm_settings *set;
    const struct srt_kernels *kernels;
    struct srt_scratch *scratch;
    struct srt_mlxlm_step *step;
    sortes_row row; /* masked and processed; checked */
    size_t n_blocks;
    float max;  /* of the row, above -inf */
    float sum;  /* of exp(x - max) */
    float lse;  /* log of the sum of all, in the row's type */
    float best; /* the largest log-probability that is left */
    size_t n_kept;
    /* The kept ones in descending order, in scratch->values, with their
     * weights in scratch->weights. */
    size_t n_sorted;
};

/* A logit's log-probability. */
SRT_INLINE float srt_mlxlm_plan_lp(const struct srt_mlxlm_plan *p, float x)
{
    return srt_mlxlm_keep(x - p->lse, p->set->narrow);
}

/* The least logit whose log-probability is at least line; line <= p->best. */
float srt_mlxlm_plan_least(const struct srt_mlxlm_plan *p, float line);

/* Gathers every token whose log-probability is at least line. */
void srt_mlxlm_plan_gather(struct srt_mlxlm_plan *p, float line);

/* Of the tokens kept, those at least at line, and of them the top k (0: all).
 */
void srt_mlxlm_plan_narrow(struct srt_mlxlm_plan *p, float line, size_t k);

/*
 * top-p's line over the whole row (plan_cut.c).  A line that would leave the
 * best `enough` tokens and all at or above `other` need not be told apart from
 * one further down.
 */
float srt_mlxlm_plan_cut(struct srt_mlxlm_plan *p, float other, size_t enough);

/* Draws from the tokens kept, or from the whole row (plan_draw.c). */
sortes_status srt_mlxlm_plan_draw(struct srt_mlxlm_plan *p, bool whole,
                                  int32_t *token);

#endif /* SRT_MLXLM_PLAN_H */
