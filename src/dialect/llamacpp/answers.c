/*
 * answers.c - what a step would do, asked without taking it
 *
 * Everything here runs the literal stages on a copy of the state.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"
#include "scratch.h"

#include <string.h>

/* The array that the draw is made from; nothing is committed. */
static sortes_status answers_array(struct srt_llamacpp *chain,
                                   const sortes_row *row,
                                   struct srt_candidates *c, srt_look *look,
                                   void *ctx)
{
    struct srt_step step = chain->state;
    sortes_row final;
    const sortes_status status =
        srt_llamacpp_final_row(chain, row, &step, &final);

    return status == SORTES_OK
               ? srt_llamacpp_run(chain, &final, c, &step, look, ctx)
               : status;
}

static float answers_p(const struct srt_llamacpp *chain,
                       const struct srt_candidates *c, size_t i)
{
    if (chain->params->greedy)
        return (int64_t)i == c->selected ? 1.0f : 0.0f;
    return c->data[i].p;
}

sortes_status srt_llamacpp_distribution(void *self, const sortes_row *row,
                                        float *p)
{
    struct srt_llamacpp *chain = self;
    struct srt_candidates c;
    const sortes_status status = answers_array(chain, row, &c, NULL, NULL);

    if (status != SORTES_OK)
        return status;
    memset(p, 0, row->n * sizeof(*p));
    for (size_t i = 0; i < c.size; i++)
        p[c.data[i].id] = answers_p(chain, &c, i);
    return SORTES_OK;
}

sortes_status srt_llamacpp_kept(void *self, const sortes_row *row,
                                int32_t *tokens, float *p, size_t room,
                                size_t *n)
{
    struct srt_llamacpp *chain = self;
    struct srt_candidates c;
    const sortes_status status = answers_array(chain, row, &c, NULL, NULL);

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < c.size && i < room; i++) {
        if (tokens)
            tokens[i] = c.data[i].id;
        if (p)
            p[i] = answers_p(chain, &c, i);
    }
    *n = c.size;
    return SORTES_OK;
}

/*
 * The array with its final probabilities, likeliest first.
 * llama.cpp tools/server, populate_token_probs: an array that is not sorted is
 * sorted by p with std::sort; one that says it is, is taken as it stands.
 */
static sortes_status answers_ranked(struct srt_llamacpp *chain,
                                    const sortes_row *row,
                                    struct srt_candidates *c,
                                    sortes_probability *drawn)
{
    const sortes_status status = answers_array(chain, row, c, NULL, NULL);

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < c->size; i++)
        c->data[i].p = answers_p(chain, c, i);
    if (drawn)
        *drawn = (sortes_probability){ c->data[c->selected].id,
                                       c->data[c->selected].p };
    if (c->sorted)
        return SORTES_OK;
    for (size_t i = 0; i < c->size; i++)
        c->data[i].logit = c->data[i].p; /* what srt_sort goes by */
    srt_sort(c->data, c->size);
    return SORTES_OK;
}

sortes_status srt_llamacpp_probabilities(void *self, const sortes_row *row,
                                         sortes_probability *top, size_t k,
                                         size_t *n, sortes_probability *drawn)
{
    struct srt_candidates c;
    const sortes_status status = answers_ranked(self, row, &c, drawn);

    if (status != SORTES_OK)
        return status;
    for (*n = 0; *n < k && *n < c.size && c.data[*n].p > 0.0f; (*n)++)
        top[*n] = (sortes_probability){ c.data[*n].id, c.data[*n].p };
    return SORTES_OK;
}

/* As token_probs.c: of a probability of 0, the lowest float. */
static float answers_log(float p)
{
    return p > 0.0f ? srt_logf(p) : -FLT_MAX;
}

/* Behind what the chain leaves come the other tokens, by id. */
sortes_status srt_llamacpp_processed(struct srt_llamacpp *chain,
                                     const sortes_row *row,
                                     const struct srt_logprob_query *query)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_candidates c;
    size_t n = 0;
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    status = answers_ranked(chain, row, &c, NULL);
    if (status != SORTES_OK)
        return status;
    memset(s->weights, 0, row->n * sizeof(*s->weights));
    for (size_t i = 0; i < c.size; i++)
        s->weights[c.data[i].id] = c.data[i].p;
    for (size_t i = 0; i < c.size && n < query->k && c.data[i].p > 0.0f; i++)
        query->top[n++] =
            (sortes_logprob){ c.data[i].id, answers_log(c.data[i].p) };
    for (size_t i = 0; i < row->n && n < query->k; i++)
        if (!(s->weights[i] > 0.0f))
            query->top[n++] = (sortes_logprob){ (int32_t)i, -FLT_MAX };
    if (query->logprob)
        *query->logprob = answers_log(s->weights[query->token]);
    return SORTES_OK;
}

sortes_status srt_llamacpp_explain(void *self, const sortes_row *row,
                                   srt_look *look, void *ctx)
{
    struct srt_llamacpp *chain = self;
    struct srt_candidates c;

    return answers_array(chain, row, &c, look, ctx);
}
