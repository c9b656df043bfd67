/*
 * chain.h - one sequence's rMLX chain, and the parts of its step
 *
 * The order is fixed: mask, logit_bias, penalties, temperature, softmax,
 * top_p, min_p, top_k, renormalise, draw; every number is a float, every sum
 * runs in the order of the vocabulary.
 *
 * Source: rMLX crates/rmlx-models/src/sampler.rs (the chain), decode_loop.rs
 * (the window, forced tokens).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_RMLX_CHAIN_H
#define SRT_RMLX_CHAIN_H

#include "channel/think.h"
#include "constraint.h"
#include "dialect/dialect.h"
#include "history/window.h"
#include "kernel/kernel.h"
#include "params/params.h"
#include "random/pcg32.h"
#include "row.h"
#include "scratch.h"
#include "vocab.h"

/* How many generated tokens the penalties look back at. */
enum { SRT_RMLX_WINDOW = 20 };

/* The most log-probabilities that are reported. */
enum { SRT_RMLX_LOGPROBS = 20 };

/* What a step changes: worked on as a copy, committed at the end. */
struct srt_rmlx_step {
    struct srt_pcg32 rng;
    struct srt_think_state think;
    uint64_t n_generated;
    /* What the draw reports, as sortes_draw. */
    uint32_t flags;
    uint64_t n_candidates;
    double margin;
};

/* A logit that differs from the row's. */
struct srt_rmlx_patch {
    int32_t id;
    float logit;
};

struct srt_rmlx {
    struct sortes_params *params;
    sortes_vocab *vocab; /* NULL: the caller gave none */
    struct srt_window window;
    struct srt_bias *biases; /* ascending by token, else in the order given */
    size_t n_biases;
    struct srt_rmlx_patch *patches; /* room for all biases and the window */
    struct srt_think think;
    bool has_budget;
    int32_t close; /* what the budget forces; -1: nothing can be forced */
    sortes_constraint constraint; /* struct_size 0: none */
    struct srt_rmlx_step state;
    /* The state after each of the last accepted tokens, and where those came
     * from.  Index: n_accepted mod their number. */
    struct srt_rmlx_step past[SRT_WINDOW_BEHIND + 1];
    sortes_origin origins[SRT_WINDOW_BEHIND + 1];
    uint64_t n_accepted;
    size_t n_past; /* how many of them can be taken back */
    const struct srt_kernels *kernels;
    bool reference; /* the literal steps instead of the plan */
};

/* ---- one step (step.c) --------------------------------------------------- */

SRT_INLINE bool srt_rmlx_samples(const struct srt_rmlx *chain)
{
    return chain->params->temperature > 0.0f;
}

/* One step with its mask and its forced token; nothing is committed. */
sortes_status srt_rmlx_choose(struct srt_rmlx *chain, const sortes_row *row,
                              struct srt_rmlx_step *step, int32_t *token);

/* The row that the chain sees: checked, and masked under a constraint. */
sortes_status srt_rmlx_final_row(struct srt_rmlx *chain, const sortes_row *row,
                                 sortes_row *final);

/* ---- bias and penalties (penalties.c) ------------------------------------ */

/* On all logits, in the engine's own loops. */
void srt_rmlx_penalize(const struct srt_rmlx *chain, float *x, size_t n);

/* The same for the few logits that change, into chain->patches, ascending;
 * returns how many. */
size_t srt_rmlx_patches(struct srt_rmlx *chain, const sortes_row *row);

/* ---- the literal filters (filters.c) ------------------------------------- */

/* p[i] of x[i] / temperature; SORTES_E_NOT_FINITE as rMLX's error. */
sortes_status srt_rmlx_softmax(const float *x, size_t n, float temperature,
                               float *p);

/* What top_p drops: all below `value`, and of those equal to it the n_ties with
 * the highest ids. */
struct srt_rmlx_cut {
    float value;
    size_t n_ties;
};

/* False: it drops nothing.  Overwrites raw and keys of the scratch. */
bool srt_rmlx_top_p_cut(const float *p, size_t n, float top_p,
                        struct srt_scratch *s, struct srt_rmlx_cut *cut);
void srt_rmlx_top_p(float *p, size_t n, float top_p, struct srt_scratch *s);
void srt_rmlx_min_p(float *p, size_t n, float min_p);
void srt_rmlx_top_k(float *p, size_t n, size_t k, struct srt_scratch *s);
void srt_rmlx_renormalise(float *p, size_t n);

/*
 * The distribution of a final row into p, all of it; greedy: 1 for the best.
 * The penalised logits stay in the scratch's values.  look may be NULL.
 */
sortes_status srt_rmlx_literal(struct srt_rmlx *chain, const sortes_row *final,
                               float *p, srt_look *look, void *ctx);

/* The index of the first largest value above -inf; -1: there is none. */
int64_t srt_rmlx_argmax(const float *x, size_t n);

/* ---- drawing (draw.c) ---------------------------------------------------- */

/* The index that u, in [0, 1), falls on; -1: all weights are 0.  Sets what the
 * step reports. */
int64_t srt_rmlx_inverse_cdf(const float *p, size_t n, float u,
                             struct srt_rmlx_step *step);

/* How far target is from the edges of a share, in parts of total. */
double srt_rmlx_margin(float before, float after, float target, float total);

/* ---- the plan (plan.c) --------------------------------------------------- */

/* The same token, candidates and margin as the literal steps. */
sortes_status srt_rmlx_plan(struct srt_rmlx *chain, const sortes_row *final,
                            struct srt_rmlx_step *step, int32_t *token);

/* ---- questions (answers.c, logprobs.c) ----------------------------------- */

sortes_status srt_rmlx_distribution(void *self, const sortes_row *row,
                                    float *p);
sortes_status srt_rmlx_kept(void *self, const sortes_row *row, int32_t *tokens,
                            float *p, size_t room, size_t *n);
sortes_status srt_rmlx_probabilities(void *self, const sortes_row *row,
                                     sortes_probability *top, size_t k,
                                     size_t *n, sortes_probability *drawn);
sortes_status srt_rmlx_explain(void *self, const sortes_row *row,
                               srt_look *look, void *ctx);
sortes_status srt_rmlx_logprobs(void *self, const sortes_row *row,
                                const struct srt_logprob_query *query);

#endif /* SRT_RMLX_CHAIN_H */
