/*
 * step.c - one step: type and values checked, mask, choice, forced token
 *
 * Source: rMLX crates/rmlx-models/src/decode_loop.rs.  A closing tag that the
 * thinking budget forces takes the place of a token that was drawn all the
 * same, so it costs that draw's random number.
 *
 * rMLX's own answers to a row that leaves nothing are id 0 or, under a mask, a
 * forbidden NaN; here such rows are refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"

#include <math.h>

sortes_status srt_rmlx_final_row(struct srt_rmlx *chain, const sortes_row *row,
                                 sortes_row *final)
{
    struct srt_scratch *s;
    sortes_status status;

    *final = *row;
    if (row->type != SORTES_F32 && row->type != SORTES_BF16)
        return SORTES_E_ARGUMENT; /* rMLX: unsupported logit dtype */
    if (!srt_constraint_is_set(&chain->constraint))
        return SORTES_OK;
    s = srt_scratch_get(row->n);
    if (!s)
        return SORTES_E_NOMEM;
    /* also what the mask will hide */
    if (!chain->kernels->row[row->type].block_max(row->data, row->n,
                                                  s->block_max))
        return SORTES_E_NOT_FINITE;
    status =
        srt_constraint_mask_row(&chain->constraint, row, s->keys, s->masked);
    *final = (sortes_row){ s->masked, row->n, SORTES_F32 };
    return status;
}

/* The plain way: the whole distribution, then one point of it. */
static sortes_status rmlx_choose_literally(struct srt_rmlx *chain,
                                           const sortes_row *final,
                                           struct srt_rmlx_step *step,
                                           int32_t *token)
{
    struct srt_scratch *s = srt_scratch_get(final->n);
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    status = srt_rmlx_literal(chain, final, s->weights, NULL, NULL);
    if (status != SORTES_OK)
        return status;
    step->n_candidates = 1;
    step->margin = 1.0;
    *token =
        (int32_t)(srt_rmlx_samples(chain)
                      ? srt_rmlx_inverse_cdf(s->weights, final->n,
                                             srt_pcg32_float(&step->rng), step)
                      : srt_rmlx_argmax(s->weights, final->n));
    return SORTES_OK;
}

/* The token is the closing tag instead, once. */
static sortes_status rmlx_force(struct srt_rmlx *chain, size_t n,
                                struct srt_rmlx_step *step, int32_t *token)
{
    const sortes_constraint *c = &chain->constraint;
    int allowed = 1;

    if (!srt_think_take_close(&step->think) || chain->close < 0)
        return SORTES_OK;
    if ((size_t)chain->close >= n)
        return SORTES_E_NO_TOKEN;
    if (srt_constraint_is_set(c))
        allowed = c->allows(c->ctx, chain->close);
    if (allowed < 0)
        return SORTES_E_ARGUMENT;
    if (allowed == 0)
        return SORTES_E_NO_TOKEN;
    *token = chain->close;
    step->flags |= SORTES_DRAW_FORCED;
    step->n_candidates = 1;
    step->margin = 1.0;
    return SORTES_OK;
}

sortes_status srt_rmlx_choose(struct srt_rmlx *chain, const sortes_row *row,
                              struct srt_rmlx_step *step, int32_t *token)
{
    sortes_row final;
    sortes_status status = srt_rmlx_final_row(chain, row, &final);

    if (status != SORTES_OK)
        return status;
    step->flags = 0;
    status = chain->reference
                 ? rmlx_choose_literally(chain, &final, step, token)
                 : srt_rmlx_plan(chain, &final, step, token);
    return status == SORTES_OK ? rmlx_force(chain, row->n, step, token)
                               : status;
}
