/*
 * answers.c - what a step would do, asked without taking it
 *
 * All of it runs the literal steps; nothing is committed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"

/* The distribution that the next draw is made from, into p. */
static sortes_status rmlx_ask(struct srt_rmlx *chain, const sortes_row *row,
                              float *p, srt_look *look, void *ctx)
{
    sortes_row final;
    const sortes_status status = srt_rmlx_final_row(chain, row, &final);

    return status == SORTES_OK ? srt_rmlx_literal(chain, &final, p, look, ctx)
                               : status;
}

sortes_status srt_rmlx_distribution(void *self, const sortes_row *row, float *p)
{
    return rmlx_ask(self, row, p, NULL, NULL);
}

/* In id order, the chain's own. */
sortes_status srt_rmlx_kept(void *self, const sortes_row *row, int32_t *tokens,
                            float *p, size_t room, size_t *n)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    sortes_status status;
    size_t kept = 0;

    if (!s)
        return SORTES_E_NOMEM;
    status = rmlx_ask(self, row, s->weights, NULL, NULL);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < row->n; i++) {
        if (!(s->weights[i] > 0.0f))
            continue;
        if (kept < room && tokens)
            tokens[kept] = (int32_t)i;
        if (kept < room && p)
            p[kept] = s->weights[i];
        kept++;
    }
    *n = kept;
    return SORTES_OK;
}

/* Puts an entry into the first *n of top, likeliest first; the later of equal
 * ones behind. */
static void rmlx_rank(sortes_probability *top, size_t k, size_t *n,
                      sortes_probability entry)
{
    size_t at = *n;

    if (at == k && (k == 0 || !(entry.p > top[k - 1].p)))
        return;
    if (at == k)
        at--;
    else
        ++*n;
    for (; at > 0 && entry.p > top[at - 1].p; at--)
        top[at] = top[at - 1];
    top[at] = entry;
}

sortes_status srt_rmlx_probabilities(void *self, const sortes_row *row,
                                     sortes_probability *top, size_t k,
                                     size_t *n, sortes_probability *drawn)
{
    struct srt_rmlx *chain = self;
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_rmlx_step step = chain->state;
    int32_t token = -1;
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    status = srt_rmlx_choose(chain, row, &step, &token);
    if (status == SORTES_OK)
        status = rmlx_ask(chain, row, s->weights, NULL, NULL);
    if (status != SORTES_OK)
        return status;
    if (drawn)
        *drawn = (sortes_probability){ token, s->weights[token] };
    *n = 0;
    for (size_t i = 0; i < row->n; i++)
        if (s->weights[i] > 0.0f)
            rmlx_rank(top, k, n,
                      (sortes_probability){ (int32_t)i, s->weights[i] });
    return SORTES_OK;
}

/* The last view again, with the token that the step takes. */
sortes_status srt_rmlx_explain(void *self, const sortes_row *row,
                               srt_look *look, void *ctx)
{
    struct srt_rmlx *chain = self;
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_rmlx_step step = chain->state;
    sortes_stage_view view = { 0 };
    int32_t token = -1;
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    status = srt_rmlx_choose(chain, row, &step, &token);
    if (status == SORTES_OK)
        status = rmlx_ask(chain, row, s->weights, look, ctx);
    if (status != SORTES_OK)
        return status;
    view.stage = step.flags & SORTES_DRAW_FORCED ? "forced" : "draw";
    view.n = row->n;
    view.token = s->ids;
    view.logit = s->values;
    view.p = s->weights;
    view.selected = token;
    look(ctx, &view);
    return SORTES_OK;
}
