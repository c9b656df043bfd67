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

static sortes_status redraw_once(struct srt_chain *chain, const sortes_row *row,
                                 struct srt_step *step, int32_t *token)
{
    struct srt_candidates c;
    sortes_status status;

    if (!chain->reference)
        return srt_llamacpp_plan_sample(chain, row, step, token);
    status = srt_llamacpp_run(chain, row, &c, step, NULL, NULL);
    if (status == SORTES_OK)
        *token = c.data[c.selected].id;
    return status;
}

/* While a thinking block is being ended, one token is left. */
static sortes_status redraw_force(struct srt_chain *chain, sortes_row *row)
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
static sortes_status redraw_mask(struct srt_chain *chain, const sortes_row *row,
                                 sortes_row *masked)
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

static sortes_status redraw_under_constraint(struct srt_chain *chain,
                                             const sortes_row *row,
                                             struct srt_step *step,
                                             int32_t *token)
{
    const sortes_constraint *constraint = &chain->constraint;
    sortes_row masked;
    sortes_status status;
    int allowed;

    if (!srt_constraint_is_set(constraint))
        return redraw_once(chain, row, step, token);
    if (!chain->params->grammar_first) {
        status = redraw_once(chain, row, step, token);
        if (status != SORTES_OK)
            return status;
        allowed = constraint->allows(constraint->ctx, *token);
        if (allowed != 0)
            return allowed > 0 ? SORTES_OK : SORTES_E_ARGUMENT;
        step->flags |= SORTES_DRAW_REDRAWN;
    }
    status = redraw_mask(chain, row, &masked);
    if (status == SORTES_OK)
        status = redraw_once(chain, &masked, step, token);
    return status;
}

sortes_status srt_llamacpp_draw(struct srt_chain *chain, const sortes_row *row,
                                struct srt_step *step, int32_t *token)
{
    sortes_row given = *row;
    const sortes_status status = redraw_force(chain, &given);

    step->flags = 0;
    return status == SORTES_OK
               ? redraw_under_constraint(chain, &given, step, token)
               : status;
}

sortes_status srt_llamacpp_final_row(struct srt_chain *chain,
                                     const sortes_row *row,
                                     struct srt_step *step, sortes_row *final)
{
    struct srt_step probe = *step;
    int32_t token = -1;
    sortes_status status;

    *final = *row;
    status = redraw_force(chain, final);
    if (status != SORTES_OK || !srt_constraint_is_set(&chain->constraint))
        return status;
    if (!chain->params->grammar_first) {
        const sortes_row given = *final;

        probe.flags = 0; /* the last draw's may still stand there */
        status = redraw_under_constraint(chain, &given, &probe, &token);
        if (status != SORTES_OK || !(probe.flags & SORTES_DRAW_REDRAWN))
            return status;
        /* The second run starts where the first one left the generators. */
        status = redraw_once(chain, &given, step, &token);
    }
    return status == SORTES_OK ? redraw_mask(chain, final, final) : status;
}
