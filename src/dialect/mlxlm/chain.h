/*
 * chain.h - one sequence's mlx-lm chain: processors, filters, draw
 *
 * Source: mlx-lm 0.32.2, sample_utils.py and generate.py (generate_step); mlx
 * 0.32.4, random.cpp and the CPU back end, as the Linux wheel computes.
 *
 * The order is fixed: logit bias, repetition, presence and frequency penalty on
 * the logits; log-softmax; top-p, min-p, XTC, top-k on log-probabilities at
 * temperature 1, each masking with -inf and renormalising nothing; temperature;
 * draw.  Everything is float, or rounded to bf16 after each operation where the
 * model's logits are bf16 ("narrow").
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MLXLM_CHAIN_H
#define SRT_MLXLM_CHAIN_H

#include "constraint.h"
#include "dialect/dialect.h"
#include "history/window.h"
#include "kernel/kernel.h"
#include "params/params.h"
#include "random/threefry.h"
#include "row.h"
#include "scratch.h"

/* The penalties, in mlx-lm's order. */
enum srt_mlxlm_penalty {
    SRT_MLXLM_REPETITION,
    SRT_MLXLM_PRESENCE,
    SRT_MLXLM_FREQUENCY,
    SRT_MLXLM_PENALTIES
};

/*
 * What the parameters mean, in the type of the row: a number that mlx-lm meets
 * as a Python float is rounded once to float, and then to bf16 if the row is
 * that.
 */
struct srt_mlxlm_settings {
    bool narrow;
    bool greedy; /* temperature 0: no filter, no draw */
    bool has_top_p, has_min_p, has_xtc, gumbel;
    float top_p;        /* float in both */
    float ln_min_p;     /* a double logarithm, rounded */
    size_t min_keep;    /* min_p leaves at least so many */
    float xtc_chance;   /* float in both */
    float xtc_line;     /* probabilities above it can fall */
    size_t top_k;       /* 0: off */
    float scale;        /* 1 / temperature, a double quotient, rounded */
    uint32_t n_batch;   /* rows that share a Gumbel draw */
    uint32_t batch_row; /* and which of them this one is */
    float penalty[SRT_MLXLM_PENALTIES]; /* 0: off */
};

/* What one step changes. */
struct srt_mlxlm_step {
    struct srt_threefry state;
    uint64_t n_candidates;
    double margin;
};

struct srt_mlxlm {
    struct sortes_params *params;
    struct srt_mlxlm_settings settings[2]; /* [narrow] */
    struct srt_window window[SRT_MLXLM_PENALTIES];
    uint64_t seed; /* the one in use */
    sortes_constraint constraint;
    struct srt_mlxlm_step now;
    /* The generator after each of the last accepted tokens, and where those
     * came from.  Index: n_accepted mod their number. */
    struct srt_threefry past[SRT_WINDOW_BEHIND + 1];
    sortes_origin origins[SRT_WINDOW_BEHIND + 1];
    uint64_t n_accepted;
    size_t n_past; /* how many of them can be taken back */
    const struct srt_kernels *kernels;
    bool reference;
};

/* x as it is kept in the row's type. */
SRT_INLINE float srt_mlxlm_keep(float x, bool narrow)
{
    return narrow ? srt_bfloat_round(x) : x;
}

/* ---- settings (settings.c) ----------------------------------------------- */

/* Reads and checks the parameters: mlx-lm's refusals, and what its arithmetic
 * cannot bear. */
sortes_status srt_mlxlm_settle(struct srt_mlxlm_settings out[2],
                               const sortes_params *p, sortes_error *err);

/* ---- processors (processors.c) ------------------------------------------- */

/* Whether a bias or a penalty will touch any logit of this step. */
bool srt_mlxlm_processes(const struct srt_mlxlm *m);

/* One processor, 0 the bias, then the penalties, on n logits. */
enum { SRT_MLXLM_PROCESSORS = 1 + SRT_MLXLM_PENALTIES };
extern const char *const srt_mlxlm_processor_names[SRT_MLXLM_PROCESSORS];
bool srt_mlxlm_has_processor(const struct srt_mlxlm *m, unsigned which);
sortes_status srt_mlxlm_process(const struct srt_mlxlm *m, bool narrow,
                                unsigned which, float *x, size_t n);

/* ---- filters (filters.c): the literal reference -------------------------- */

struct srt_mlxlm_work {
    const struct srt_mlxlm *chain;
    const struct srt_mlxlm_settings *set;
    struct srt_mlxlm_step *step;
    float *x; /* logits, log-probabilities, scaled ones */
    size_t n;
    struct srt_scratch *scratch;
};

void srt_mlxlm_top_p(struct srt_mlxlm_work *w);
sortes_status srt_mlxlm_min_p(struct srt_mlxlm_work *w);
sortes_status srt_mlxlm_xtc(struct srt_mlxlm_work *w);
sortes_status srt_mlxlm_top_k(struct srt_mlxlm_work *w);

/* Whether xtc must leave the token; whether all such tokens are in the row. */
bool srt_mlxlm_xtc_spares(const struct srt_mlxlm *m, size_t id);
sortes_status srt_mlxlm_xtc_check(const struct srt_mlxlm *m, size_t n);

/* How many of n values in descending order, with weights e, top-p keeps; sum
 * is what they add up to in that order. */
size_t srt_mlxlm_top_p_kept(const float *e, size_t n, float top_p, float sum);

/* ---- draw (draw.c) ------------------------------------------------------- */

/* Draws from scaled log-probabilities x[0 .. n-1], all of them. */
sortes_status srt_mlxlm_draw(struct srt_mlxlm_work *w, int32_t *token);

/* The uniform number of a draw, from a key of its own. */
float srt_mlxlm_uniform(struct srt_threefry *state);

/* What a draw at `target` says, in the share from before to after of sum. */
double srt_mlxlm_margin(float before, float after, float target, float sum);

/* The key of this draw's Gumbel noise, and the noise of token i of n. */
float srt_mlxlm_gumbel(const struct srt_mlxlm_settings *set,
                       struct srt_threefry key, size_t n, size_t i);

/* ---- running (run.c) ----------------------------------------------------- */

/* One row, masked where there is a constraint, as the chain reads it. */
struct srt_mlxlm_row {
    sortes_row row;
    const struct srt_mlxlm_settings *set;
};

/* Refuses types that mlx-lm's models do not have, and masks. */
sortes_status srt_mlxlm_open(struct srt_mlxlm *m, const sortes_row *row,
                             struct srt_mlxlm_row *out);

/* The log-softmax of x[0 .. n-1] in place; refuses what is not finite. */
sortes_status srt_mlxlm_log_softmax(float *x, size_t n, bool narrow);

/* All stages, up to and with the draw; w->x is the scratch's `raw`. */
sortes_status srt_mlxlm_run(struct srt_mlxlm *m, const sortes_row *row,
                            struct srt_mlxlm_step *step, int32_t *token);

/* The same, shown to look() stage by stage. */
sortes_status srt_mlxlm_explain(void *chain, const sortes_row *row,
                                srt_look *look, void *ctx);

/* The fast way (plan.c): same token, same margin. */
sortes_status srt_mlxlm_plan(struct srt_mlxlm *m, const sortes_row *row,
                             struct srt_mlxlm_step *step, int32_t *token);

/* ---- questions (answers.c, logprobs.c) ----------------------------------- */

sortes_status srt_mlxlm_distribution(void *chain, const sortes_row *row,
                                     float *p);
sortes_status srt_mlxlm_kept(void *chain, const sortes_row *row,
                             int32_t *tokens, float *p, size_t room, size_t *n);
sortes_status srt_mlxlm_probabilities(void *chain, const sortes_row *row,
                                      sortes_probability *top, size_t k,
                                      size_t *n, sortes_probability *drawn);
sortes_status srt_mlxlm_logprobs(void *chain, const sortes_row *row,
                                 const struct srt_logprob_query *query);

#endif /* SRT_MLXLM_CHAIN_H */
