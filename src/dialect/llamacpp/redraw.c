/*
 * redraw.c - one step under a constraint
 *
 * Source: llama.cpp common/sampling.cpp, common_sampler_sample: the chain runs
 * on the raw row, the token is checked, and only a forbidden one costs the
 * mask and a second run of the whole chain on a fresh array, random numbers,
 * mirostat's mu and all.  `grammar_first` masks at once instead.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "scratch.h"

#include <math.h>

static sortes_status redraw_once(struct srt_llamacpp *chain,
                                 const sortes_row *row, struct srt_step *step,
                                 int32_t *token)
{
    return chain->reference ? srt_llamacpp_run_sample(chain, row, step, token)
                            : srt_llamacpp_plan_sample(chain, row, step, token);
}

/* While a thinking block is being ended, one token is left. */
static sortes_status redraw_force(struct srt_llamacpp *chain, sortes_row *row)
{
    const int32_t forced =
        srt_budget_forced(chain->budget, &chain->state.budget);
    struct srt_scratch *s = srt_scratch_get(row->n);

    if (forced < 0)
        return SORTES_OK;
    if (!s)
        return SORTES_E_NOMEM;
    if ((size_t)forced >= row->n)
        return SORTES_E_NO_TOKEN;
    for (size_t i = 0; i < row->n; i++)
        s->forced[i] = -INFINITY;
    s->forced[forced] = srt_row_at(row, (size_t)forced);
    *row = (sortes_row){ s->forced, row->n, SORTES_F32 };
    return SORTES_OK;
}

/* *masked may be *row. */
static sortes_status redraw_mask(struct srt_llamacpp *chain,
                                 const sortes_row *row, sortes_row *masked)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    status =
        srt_constraint_mask_row(&chain->constraint, row, s->keys, s->masked);
    *masked = (sortes_row){ s->masked, row->n, SORTES_F32 };
    return status;
}

/* The run on the raw row.  *refused: the mask must follow; under grammar_first
 * it must in any case, and nothing is run. */
static sortes_status redraw_try(struct srt_llamacpp *chain,
                                const sortes_row *row, struct srt_step *step,
                                int32_t *token, bool *refused)
{
    const sortes_constraint *constraint = &chain->constraint;
    sortes_status status;
    int allowed;

    *refused = srt_constraint_is_set(constraint);
    if (*refused && chain->params->grammar_first)
        return SORTES_OK;
    status = redraw_once(chain, row, step, token);
    if (status != SORTES_OK || !*refused)
        return status;
    allowed = constraint->allows(constraint->ctx, *token);
    *refused = allowed == 0;
    return allowed >= 0 ? SORTES_OK : SORTES_E_ARGUMENT;
}

sortes_status srt_llamacpp_draw(struct srt_llamacpp *chain,
                                const sortes_row *row, struct srt_step *step,
                                int32_t *token)
{
    sortes_row given = *row;
    bool refused = false;
    sortes_status status = redraw_force(chain, &given);

    step->flags = 0;
    if (status == SORTES_OK)
        status = redraw_try(chain, &given, step, token, &refused);
    if (status != SORTES_OK || !refused)
        return status;
    if (!chain->params->grammar_first)
        step->flags |= SORTES_DRAW_REDRAWN;
    status = redraw_mask(chain, &given, &given);
    return status == SORTES_OK ? redraw_once(chain, &given, step, token)
                               : status;
}

sortes_status srt_llamacpp_final_row(struct srt_llamacpp *chain,
                                     const sortes_row *row,
                                     struct srt_step *step, sortes_row *final)
{
    struct srt_step probe = *step;
    bool refused = false;
    int32_t token = -1;
    sortes_status status;

    *final = *row;
    status = redraw_force(chain, final);
    if (status != SORTES_OK || !srt_constraint_is_set(&chain->constraint))
        return status;
    status = redraw_try(chain, final, &probe, &token, &refused);
    if (status != SORTES_OK || !refused)
        return status;
    *step = probe; /* the second run begins where the first one ended */
    return redraw_mask(chain, final, final);
}
