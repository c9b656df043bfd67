/*
 * budget.h - llama.cpp's reasoning budget: end a thinking block in time
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_BUDGET_H
#define SRT_LLAMACPP_BUDGET_H

#include "params/params.h"
#include "step.h"
#include "vocab.h"

/* The sequences and the budget; immutable.  NULL stands for none. */
struct srt_budget;

/* *out is NULL where the parameters ask for none. */
sortes_status srt_budget_new(struct srt_budget **out,
                             const struct sortes_params *p,
                             const sortes_vocab *v, sortes_error *err);
void srt_budget_free(struct srt_budget *b); /* NULL is allowed */

void srt_budget_start(const struct srt_budget *b, struct srt_budget_state *s);

/* One generated (or prefilled) token. */
void srt_budget_accept(const struct srt_budget *b, const sortes_vocab *v,
                       struct srt_budget_state *s, int32_t token);

/* The one token that may come now; -1: any. */
int32_t srt_budget_forced(const struct srt_budget *b,
                          const struct srt_budget_state *s);

/* Ends a block that is being counted; false: none is. */
bool srt_budget_end_now(const struct srt_budget *b, struct srt_budget_state *s);

#endif /* SRT_LLAMACPP_BUDGET_H */
