/*
 * plan.h - what the parts of a plan share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_PLAN_H
#define SRT_LLAMACPP_PLAN_H

#include "dialect/llamacpp/view.h"

struct srt_plan {
    struct srt_llamacpp *chain;
    struct srt_step *step;
    struct srt_scratch *scratch;
    struct srt_view view;
    float divisor; /* the temperature; 1 where that stage does not divide */
    /*
     * scratch->values holds logits in descending order, the first n_sorted of
     * the row at least; scratch->ids and raw hold n_gathered tokens in id
     * order, all that are on or above the least of those values.
     */
    size_t n_sorted;
    size_t n_gathered;
};

/* ---- whole shapes (plan_sorted.c, plan_whole.c, and others) -------------- */

int32_t srt_plan_short(struct srt_plan *plan, size_t k);
int32_t srt_plan_long(struct srt_plan *plan, size_t k);
int32_t srt_plan_nucleus(struct srt_plan *plan);
sortes_status srt_plan_filter(struct srt_plan *plan, int32_t *token);
sortes_status srt_plan_mirostat(struct srt_plan *plan, int32_t *token);
sortes_status srt_plan_typical(struct srt_plan *plan, int32_t *token);

/* ---- sorting (plan_sorted.c) --------------------------------------------- */

/*
 * A logit that at least k of the row reach, not much more if it can be helped:
 * the k-th largest block maximum or a little lower; the lowest float where
 * there are not so many.
 */
float srt_plan_floor(const struct srt_plan *plan, size_t k);

/*
 * Gathers what is on or above floor, sorts it by value, and fills up to n
 * values with -inf: floor is above -inf, and where it is the lowest float or
 * the view has a line, -inf is all that is left of the row.
 */
void srt_plan_sort(struct srt_plan *plan, float floor, size_t n);

/* weights[i] = p of the i-th sorted value, i < n; sum 0: their own sum.
 * Returns the sum. */
float srt_plan_softmax(struct srt_plan *plan, size_t n, float sum);

/* xtc's coin; true if the most likely tokens are to be dropped. */
bool srt_plan_xtc_falls(struct srt_plan *plan);

/* min_p, xtc (tossed: its coin has fallen already), temperature and the draw
 * over the first n sorted values; returns the rank drawn. */
size_t srt_plan_finish(struct srt_plan *plan, size_t n, bool tossed);

/* The one token gathered that has the rank's value; -1: there are several. */
int32_t srt_plan_only_one(const struct srt_plan *plan, size_t rank);

/* top_n_sigma: sets the view's line (plan_whole.c). */
void srt_plan_set_line(struct srt_plan *plan);

/* ---- drawing (plan_draw.c) ----------------------------------------------- */

/* dist over n values in the array's order. */
struct srt_plan_draw_of {
    const float *list; /* NULL: the view itself, whole */
    size_t n;
    float top; /* the largest value, before the division */
    float max; /* and after it */
    double sum;
    double target; /* the point drawn: the token is where the sums reach it */
};

/* The index that dist selects; sets what the step reports. */
size_t srt_plan_draw(struct srt_plan *plan, struct srt_plan_draw_of *d);

/*
 * temperature 0 and greedy: all the weight is on one candidate.  dist still
 * takes its random number; a number of exactly 0 selects the first of the
 * array, whatever its weight.  True if it did, away from the best one.
 */
bool srt_plan_take_best(struct srt_plan *plan, bool best_is_first);

/* Whether the temperature leaves only the best. */
bool srt_plan_is_cold(const struct srt_plan *plan);

const struct srt_row_kernels *srt_plan_f32(const struct srt_plan *plan);

/* ---- ties (plan_ties.c) -------------------------------------------------- */

/*
 * The token that the engine's sort of the first k puts at `rank`, where its
 * logit is not the only one of its size.
 */
int32_t srt_plan_heap_tie(const struct srt_plan *plan, size_t k, size_t rank);
int32_t srt_plan_bucket_tie(const struct srt_plan *plan, size_t k, size_t rank);

#endif /* SRT_LLAMACPP_PLAN_H */
