/*
 * run.c - the literal stages over llama.cpp's own array
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "scratch.h"

#include <math.h>

sortes_status srt_llamacpp_fill(struct srt_candidates *c, const sortes_row *row)
{
    bool bad = false, any = false;

    for (size_t i = 0; i < row->n; i++) {
        const float logit = srt_row_at(row, i);

        c->data[i] = (struct srt_candidate){ (int32_t)i, logit, 0.0f };
        bad |= srt_logit_is_bad(logit);
        any |= logit > -INFINITY;
    }
    c->size = row->n;
    c->selected = -1;
    c->sorted = false;
    if (bad)
        return SORTES_E_NOT_FINITE;
    return any ? SORTES_OK : SORTES_E_NO_TOKEN;
}

static void run_show(const char *stage, const struct srt_candidates *c,
                     srt_look *look, void *ctx)
{
    struct srt_scratch *s = srt_scratch_get(c->size);
    sortes_stage_view view = { 0 };

    for (size_t i = 0; i < c->size; i++) {
        s->ids[i] = c->data[i].id;
        s->values[i] = c->data[i].logit;
        s->weights[i] = c->data[i].p;
    }
    view.stage = stage;
    view.n = c->size;
    view.token = s->ids;
    view.logit = s->values;
    view.p = s->weights;
    view.sorted = c->sorted;
    view.selected = c->selected;
    look(ctx, &view);
}

sortes_status srt_llamacpp_run_from(struct srt_llamacpp *chain, size_t first,
                                    struct srt_candidates *c,
                                    struct srt_step *step, srt_look *look,
                                    void *ctx)
{
    for (size_t i = first; i < chain->n_slots; i++) {
        const struct srt_slot *slot = &chain->slots[i];
        const sortes_status status = slot->stage->apply(chain, slot, c, step);

        if (status != SORTES_OK)
            return status;
        if (look)
            run_show(slot->name, c, look, ctx);
    }
    return SORTES_OK;
}

sortes_status srt_llamacpp_run(struct srt_llamacpp *chain,
                               const sortes_row *row, struct srt_candidates *c,
                               struct srt_step *step, srt_look *look, void *ctx)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    *c = (struct srt_candidates){ s->candidates, 0, -1, false, s->spare };
    chain->n_vocab = row->n;
    status = srt_llamacpp_fill(c, row);
    if (status != SORTES_OK)
        return status;
    if (look)
        run_show("logits", c, look, ctx);
    return srt_llamacpp_run_from(chain, 0, c, step, look, ctx);
}

sortes_status srt_llamacpp_run_sample(struct srt_llamacpp *chain,
                                      const sortes_row *row,
                                      struct srt_step *step, int32_t *token)
{
    struct srt_candidates c;
    const sortes_status status =
        srt_llamacpp_run(chain, row, &c, step, NULL, NULL);

    if (status == SORTES_OK)
        *token = c.data[c.selected].id;
    return status;
}
