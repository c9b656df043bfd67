/*
 * dialect.h - what the library asks of a dialect
 *
 * A dialect is a room of its own: it reproduces one engine's chain, and only
 * this table of functions is known outside.  Adding one: a folder and a row in
 * dialects.def.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DIALECT_H
#define SRT_DIALECT_H

#include "status.h"

#include <stdbool.h>

struct srt_kernels;
struct srt_param_of;

/* What sortes_sampler_logprobs was asked; token and k have been checked. */
struct srt_logprob_query {
    sortes_logprob_mode mode;
    int32_t token;
    sortes_logprob *top;
    size_t k;
    float *logprob; /* NULL: not wanted */
};

/*
 * What sortes_sampler_verify needs beside sampling and accepting.  `state` is
 * what a step changes, generators included, in one piece of n_state bytes:
 * with rollback() it undoes everything.
 */
struct srt_speculation {
    size_t n_state;
    void *(*state)(void *chain);
    /*
     * Whether tokens can be verified now, in the way asked for.  A greedy
     * sampler clears *by_residual: its draws need no random number.
     * SORTES_E_ARGUMENT: the engine has no acceptance by residual, something
     * in force would not be honoured, or could not be undone.
     */
    sortes_status (*open)(const void *chain, bool *by_residual);
    /* By residual only: a uniform number, and a draw from weights. */
    float (*uniform)(void *chain);
    sortes_status (*pick)(void *chain, const float *p, size_t n,
                          sortes_draw *draw);
};

typedef void srt_look(void *ctx, const sortes_stage_view *view);

/* `chain` is one sequence's: a struct that each dialect has of its own. */
struct srt_dialect {
    const char *name;
    const char *identity; /* engine, versions, platform it equals */
    const struct srt_param_of *params; /* in the order shown */
    size_t n_params;
    uint64_t random_seed; /* asks for a random one; 0: no seed does */

    sortes_status (*chain_new)(void **out, const sortes_params *p,
                               sortes_vocab *v, sortes_error *err);
    void (*chain_free)(void *chain);
    sortes_status (*chain_clone)(void **out, const void *chain);
    sortes_status (*set_constraint)(void *chain, const sortes_constraint *c);
    sortes_status (*reset)(void *chain);
    uint64_t (*seed)(const void *chain);
    void (*use_reference)(void *chain, bool on);
    void (*use_kernels)(void *chain, const struct srt_kernels *k);

    /* Rows have passed srt_row_check(), tokens are not negative.  The
     * floating-point state is set but in those that only move or keep states:
     * set_constraint, prefill, end_reasoning, rollback. */
    sortes_status (*accept)(void *chain, const int32_t *tokens, size_t n,
                            sortes_origin origin);
    sortes_status (*prefill)(void *chain, const int32_t *tokens, size_t n);
    sortes_status (*end_reasoning)(void *chain);
    sortes_status (*rollback)(void *chain, size_t n);
    sortes_status (*sample)(void *chain, const sortes_row *row,
                            sortes_draw *draw);
    sortes_status (*distribution)(void *chain, const sortes_row *row, float *p);
    sortes_status (*kept)(void *chain, const sortes_row *row, int32_t *tokens,
                          float *p, size_t room, size_t *n);
    sortes_status (*probabilities)(void *chain, const sortes_row *row,
                                   sortes_probability *top, size_t k, size_t *n,
                                   sortes_probability *drawn);
    sortes_status (*logprobs)(void *chain, const sortes_row *row,
                              const struct srt_logprob_query *query);
    sortes_status (*explain)(void *chain, const sortes_row *row, srt_look *look,
                             void *ctx);
    const struct srt_speculation *speculation;
    /*
     * Whether the next step is a bare argmax, and moves nothing in the chain:
     * of what, and under which constraint.  NULL: it never is.
     */
    bool (*bare_argmax)(const void *chain, sortes_argmax *of,
                        const sortes_constraint **c);
};

#define SRT_DIALECT(symbol) extern const struct srt_dialect symbol;
#include "dialect/dialects.def"
#undef SRT_DIALECT

/* By name; NULL if there is none such. */
const struct srt_dialect *srt_dialect_find(const char *name);

#endif /* SRT_DIALECT_H */
