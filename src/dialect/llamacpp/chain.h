/*
 * chain.h - one sequence's llama.cpp chain, and what a stage of it is
 *
 * Source: llama.cpp common/sampling.cpp (order of the stages),
 * src/llama-sampler.cpp (the stages).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_CHAIN_H
#define SRT_LLAMACPP_CHAIN_H

#include "dialect/dialect.h"
#include "dialect/llamacpp/candidates.h"
#include "history/window.h"
#include "kernel/kernel.h"
#include "params/params.h"
#include "random/mt19937.h"
#include "row.h"
#include "step.h"

/* A logit that differs from the row's. */
struct srt_override {
    int32_t id;
    float logit;
};

struct srt_chain {
    struct sortes_params *params;
    uint32_t seed; /* the one in use: params' own, or a random one */
    struct srt_mt19937 rng;
    uint64_t position;        /* words drawn from rng */
    struct srt_window window; /* penalties' last tokens; empty when off */
    /* Biases ascending by token, equal tokens in the order of the request. */
    struct srt_bias *biases;
    size_t n_biases;
    /* Room for n_biases + window.n of them, for the plans. */
    struct srt_override *overrides;
    size_t overrides_room;
    const struct srt_kernels *kernels;
    bool reference; /* the literal stages instead of the plans */
};

/*
 * A stage rewrites the candidates; `enabled` says whether llama.cpp would
 * make this stage at all ("empty" samplers do nothing, not even to `sorted`).
 * The array is never empty.
 */
struct srt_llamacpp_stage {
    const char *name;
    bool (*enabled)(const struct srt_chain *chain);
    sortes_status (*apply)(struct srt_chain *chain, struct srt_candidates *c,
                           struct srt_step *step);
};

#define SRT_STAGE(name) extern const struct srt_llamacpp_stage srt_stage_##name;
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE

/* Arithmetic that the plans share with the literal stages. */
float srt_llamacpp_penalize(const struct sortes_params *p, int32_t count,
                            float logit);
/* How far target, in [0, sum], is from the share [before, after] 's edges. */
double srt_llamacpp_margin(double before, double after, double target,
                           double sum);
/* min_p's line: the least logit kept beside a best one of max. */
float srt_llamacpp_min_p_line(const struct sortes_params *p, float max);

/* The fast shapes (plan.c): same token, same candidates, same margin. */
sortes_status srt_llamacpp_plan_sample(struct srt_chain *chain,
                                       const sortes_row *row,
                                       struct srt_step *step, int32_t *token);

/* The literal stages on a fresh array, up to and with the draw. */
sortes_status srt_llamacpp_run(struct srt_chain *chain, const sortes_row *row,
                               struct srt_candidates *c, struct srt_step *step,
                               srt_look *look, void *ctx);

/* A fresh array: all ids ascending; NaN and +inf are refused. */
sortes_status srt_llamacpp_fill(struct srt_candidates *c,
                                const sortes_row *row);

/* llama-server's probabilities before sampling (token_probs.c). */
sortes_status srt_llamacpp_logprobs(struct srt_chain *chain,
                                    const sortes_row *row, int32_t token,
                                    sortes_logprob *top, size_t k,
                                    float *logprob);

#endif /* SRT_LLAMACPP_CHAIN_H */
