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

/* One sequence's chain; each dialect knows its own. */
struct srt_chain;
struct srt_kernels;

typedef void srt_look(void *ctx, const sortes_stage_view *view);

struct srt_dialect {
    const char *name;
    const char *identity; /* engine, versions, platform it equals */

    sortes_status (*chain_new)(struct srt_chain **out, const sortes_params *p,
                               sortes_vocab *v, sortes_error *err);
    void (*chain_free)(struct srt_chain *chain);
    sortes_status (*chain_clone)(struct srt_chain **out,
                                 const struct srt_chain *chain);
    sortes_status (*set_constraint)(struct srt_chain *chain,
                                    const sortes_constraint *c);
    sortes_status (*reset)(struct srt_chain *chain);
    uint64_t (*seed)(const struct srt_chain *chain);
    void (*use_reference)(struct srt_chain *chain, bool on);
    void (*use_kernels)(struct srt_chain *chain, const struct srt_kernels *k);

    /* Rows have passed srt_row_check(); the floating-point state is set. */
    sortes_status (*accept)(struct srt_chain *chain, const int32_t *tokens,
                            size_t n, sortes_origin origin);
    sortes_status (*prefill)(struct srt_chain *chain, const int32_t *tokens,
                             size_t n);
    sortes_status (*end_reasoning)(struct srt_chain *chain);
    sortes_status (*rollback)(struct srt_chain *chain, size_t n);
    sortes_status (*sample)(struct srt_chain *chain, const sortes_row *row,
                            sortes_draw *draw);
    sortes_status (*distribution)(struct srt_chain *chain,
                                  const sortes_row *row, float *p);
    sortes_status (*kept)(struct srt_chain *chain, const sortes_row *row,
                          int32_t *tokens, float *p, size_t room, size_t *n);
    sortes_status (*probabilities)(struct srt_chain *chain,
                                   const sortes_row *row,
                                   sortes_probability *top, size_t k, size_t *n,
                                   sortes_probability *drawn);
    sortes_status (*logprobs)(struct srt_chain *chain, const sortes_row *row,
                              int32_t token, sortes_logprob *top, size_t k,
                              float *logprob);
    sortes_status (*explain)(struct srt_chain *chain, const sortes_row *row,
                             srt_look *look, void *ctx);
};

#define SRT_DIALECT(symbol) extern const struct srt_dialect symbol;
#include "dialect/dialects.def"
#undef SRT_DIALECT

/* By name; NULL if there is none such. */
const struct srt_dialect *srt_dialect_find(const char *name);

#endif /* SRT_DIALECT_H */
