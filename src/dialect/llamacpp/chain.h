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

#include "constraint.h"
#include "dialect/dialect.h"
#include "dialect/llamacpp/breakers.h"
#include "dialect/llamacpp/budget.h"
#include "dialect/llamacpp/candidates.h"
#include "history/window.h"
#include "kernel/kernel.h"
#include "params/params.h"
#include "random/mt19937.h"
#include "row.h"
#include "step.h"
#include "vocab.h"

/* A logit that differs from the row's. */
struct srt_override {
    int32_t id;
    float logit;
};

struct srt_slot;
struct srt_llamacpp;

/*
 * A stage rewrites the candidates; `enabled` says whether llama.cpp would
 * make this stage at all ("empty" samplers do nothing, not even to `sorted`);
 * NULL: always.
 * The array is never empty.
 */
struct srt_llamacpp_stage {
    bool (*enabled)(const struct srt_llamacpp *chain);
    sortes_status (*apply)(struct srt_llamacpp *chain,
                           const struct srt_slot *slot,
                           struct srt_candidates *c, struct srt_step *step);
    bool has_generator;
};

#define SRT_STAGE(symbol, name, letter)                                        \
    extern const struct srt_llamacpp_stage srt_stage_##symbol;
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE

/* A stage at its place in a chain; the same one may stand in several. */
struct srt_slot {
    const struct srt_llamacpp_stage *stage;
    const char *name;
    size_t generator; /* its own, in chain->rng and step->position */
};

enum { SRT_SLOTS_MAX = 64 };

/* top-p on more than NUCLEUS_MANY unsorted candidates sorts only the first
 * NUCLEUS_FIRST, as long as those suffice. */
enum { SRT_NUCLEUS_MANY = 1024, SRT_NUCLEUS_FIRST = 256 };

/*
 * What the plans read: a stage that is not in the chain has its off value.
 * Where there is no plan for the whole, the sparse stages and top-k may still
 * be taken together, and the literal stages go on from slot `after_top_k`.
 */
struct srt_shape {
    bool has_plan;
    size_t after_top_k; /* 0: no such beginning */
    bool greedy;
    bool mirostat_v2;
    float top_n_sigma; /* 0: off */
    float typical_p;   /* 1: off */
    int32_t top_k;
    size_t min_keep;
    float top_p, min_p, temperature;
    float xtc_probability; /* 0: off */
    size_t xtc_generator, draw_generator;
};

struct srt_llamacpp {
    struct sortes_params *params;
    sortes_vocab *vocab; /* NULL: the caller gave none */
    struct srt_slot slots[SRT_SLOTS_MAX];
    size_t n_slots;
    struct srt_shape shape;
    uint32_t seed; /* the one in use: params' own, or a random one */
    struct srt_mt19937 *rng;
    size_t n_generators;
    struct srt_window window;     /* penalties'; limit 0 when off */
    struct srt_window dry_window; /* DRY's; limit 0 when off */
    struct srt_breakers *breakers;
    struct srt_budget *budget; /* NULL: none */
    /* DRY's work memory, dry_window.n each. */
    int32_t *dry_lengths;
    struct srt_count *dry_found;
    size_t dry_room;
    /* Biases ascending by token, equal tokens in the order of the request. */
    struct srt_bias *biases;
    size_t n_biases;
    /* Room for one per bias, window token and DRY token, for the plans. */
    struct srt_override *overrides;
    size_t overrides_room;
    sortes_constraint constraint; /* struct_size 0: none */
    struct srt_step state;
    /* The state after each of the last accepted tokens, and where those came
     * from: what rollback goes back to.  Index: n_accepted mod their number. */
    struct srt_step past[SRT_WINDOW_BEHIND + 1];
    sortes_origin origins[SRT_WINDOW_BEHIND + 1];
    uint64_t n_accepted;
    size_t n_past;  /* how many of them can be taken back */
    size_t n_vocab; /* of the row in work */
    const struct srt_kernels *kernels;
    bool reference; /* the literal stages instead of the plans */
};

/* ---- building (order.c) -------------------------------------------------- */

/* Fills slots, generators and shape from the parameters. */
sortes_status srt_llamacpp_order(struct srt_llamacpp *chain, sortes_error *err);

/* The stage is in one of the first n_slots. */
bool srt_llamacpp_has(const struct srt_llamacpp *chain,
                      const struct srt_llamacpp_stage *stage, size_t n_slots);

/* ---- running (run.c, redraw.c) ------------------------------------------- */

/* A fresh array: all ids ascending; NaN and +inf are refused. */
sortes_status srt_llamacpp_fill(struct srt_candidates *c,
                                const sortes_row *row);

/* The literal stages on a fresh array, up to and with the draw. */
sortes_status srt_llamacpp_run(struct srt_llamacpp *chain,
                               const sortes_row *row, struct srt_candidates *c,
                               struct srt_step *step, srt_look *look,
                               void *ctx);

/* The slots from `first` on, over candidates that are there already. */
sortes_status srt_llamacpp_run_from(struct srt_llamacpp *chain, size_t first,
                                    struct srt_candidates *c,
                                    struct srt_step *step, srt_look *look,
                                    void *ctx);

/* The token that the literal stages select. */
sortes_status srt_llamacpp_run_sample(struct srt_llamacpp *chain,
                                      const sortes_row *row,
                                      struct srt_step *step, int32_t *token);

/* One step, redraw under a constraint included; nothing is committed. */
sortes_status srt_llamacpp_draw(struct srt_llamacpp *chain,
                                const sortes_row *row, struct srt_step *step,
                                int32_t *token);

/* The row that the chain sees last in this step: masked where a constraint
 * makes it so.  For explain, distribution and kept. */
sortes_status srt_llamacpp_final_row(struct srt_llamacpp *chain,
                                     const sortes_row *row,
                                     struct srt_step *step, sortes_row *final);

/* The fast shapes (plan.c): same token, same candidates, same margin. */
sortes_status srt_llamacpp_plan_sample(struct srt_llamacpp *chain,
                                       const sortes_row *row,
                                       struct srt_step *step, int32_t *token);

/* Questions about the step that would come next (answers.c). */
sortes_status srt_llamacpp_distribution(void *self, const sortes_row *row,
                                        float *p);
sortes_status srt_llamacpp_kept(void *self, const sortes_row *row,
                                int32_t *tokens, float *p, size_t room,
                                size_t *n);
sortes_status srt_llamacpp_probabilities(void *self, const sortes_row *row,
                                         sortes_probability *top, size_t k,
                                         size_t *n, sortes_probability *drawn);
sortes_status srt_llamacpp_explain(void *self, const sortes_row *row,
                                   srt_look *look, void *ctx);

/* Logarithms of what probabilities() tells. */
sortes_status srt_llamacpp_processed(struct srt_llamacpp *chain,
                                     const sortes_row *row,
                                     const struct srt_logprob_query *query);

/* llama-server's probabilities before sampling (token_probs.c). */
sortes_status srt_llamacpp_logprobs(void *self, const sortes_row *row,
                                    const struct srt_logprob_query *query);

/* ---- arithmetic that the plans share with the literal stages ------------- */

float srt_llamacpp_penalize(const struct sortes_params *p, int32_t count,
                            float logit);

/* Which tokens DRY touches, in chain->dry_found, ascending; *touched: whether
 * it got past its early exits. */
size_t srt_llamacpp_dry(struct srt_llamacpp *chain, bool *touched);
float srt_llamacpp_dry_loss(const struct sortes_params *p, int32_t length);

/* How far target, in [0, sum], is from the edges of a share. */
double srt_llamacpp_margin(double before, double after, double target,
                           double sum);

/* top_n_sigma's line below a best logit of max. */
float srt_llamacpp_sigma_line(const struct sortes_params *p, float max,
                              float sigma);

/* min_p's line: the least logit kept beside a best one of max. */
float srt_llamacpp_min_p_line(const struct sortes_params *p, float max);

/* std::discrete_distribution over p; sets selected and what the step says. */
void srt_llamacpp_discrete(struct srt_llamacpp *chain, size_t generator,
                           struct srt_candidates *c, struct srt_step *step);

/* mirostat's mu after a token of probability `drawn`. */
void srt_llamacpp_move_mu(const struct sortes_params *p, float drawn,
                          struct srt_step *step);

/* adaptive-p's decay as the engine clamps it. */
float srt_llamacpp_adaptive_decay(const struct sortes_params *p);

#endif /* SRT_LLAMACPP_CHAIN_H */
