/*
 * verify.c - which of a draft's tokens stand, and the one that comes after
 *
 * Exact match: the sampler draws at every position and goes on while that is
 * the token proposed; so a seed gives the tokens that it gives without a
 * draft.  For a greedy sampler this is the longest greedy prefix.
 * Source: llama.cpp common/sampling.cpp, common_sampler_sample_and_accept_n.
 *
 * Residual: a uniform number decides on each proposal, a rejected one is
 * replaced from the residual, and after the last one a token is drawn from
 * its own row; all by the sampler's own generator, from which the proposals
 * came before.  Source: rMLX crates/rmlx-models/src/speculative/two_model.rs.
 *
 * Every token is accepted before the next position is looked at, so windows
 * and constraint stand right at each; rMLX drops penalties here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "speculate/verify.h"

#include "scratch.h"
#include "speculate/residual.h"

#include <string.h>

/* Larger than any dialect's state (a step of llama.cpp's is the largest). */
enum { VERIFY_STATE = 1024 };

struct verify_position {
    const sortes_row *row;
    const float *q;   /* NULL: none */
    int32_t proposed; /* -1: behind the last one */
};

static size_t verify_candidates(const float *p, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += p[i] > 0.0f;
    return count;
}

/*
 * One position by residual.  The scratch's masked row is in use while the
 * distribution is made, its forced row is not: p lies there.
 */
static sortes_status verify_residual(const struct srt_verify *v,
                                     const struct verify_position *at,
                                     sortes_draw *draw)
{
    const struct srt_speculation *s = v->dialect->speculation;
    struct srt_scratch *scratch = srt_scratch_get(at->row->n);
    sortes_status status;
    float *p, ratio, u;

    if (!scratch)
        return SORTES_E_NOMEM;
    p = scratch->forced;
    status = v->dialect->distribution(v->chain, at->row, p);
    if (status != SORTES_OK)
        return status;
    if (at->proposed >= 0) {
        ratio = srt_residual_ratio(p[at->proposed], at->q[at->proposed]);
        u = s->uniform(v->chain);
        if (u < ratio) {
            draw->token = at->proposed;
            draw->n_candidates = verify_candidates(p, at->row->n);
            draw->margin = ratio < 1.0f ? (double)ratio - (double)u : 1.0;
            return SORTES_OK;
        }
        srt_residual(p, at->q, at->row->n);
    }
    return s->pick(v->chain, p, at->row->n, draw);
}

static sortes_status verify_one(const struct srt_verify *v, bool by_residual,
                                const struct verify_position *at,
                                sortes_draw *draw)
{
    sortes_status status;

    memset(draw, 0, sizeof(*draw));
    status = by_residual ? verify_residual(v, at, draw)
                         : v->dialect->sample(v->chain, at->row, draw);
    if (status != SORTES_OK)
        return status;
    return v->dialect->accept(v->chain, &draw->token, 1, SORTES_GENERATED);
}

/* All positions up to the first that differs; *done have been accepted. */
static sortes_status verify_all(const struct srt_verify *v, bool by_residual,
                                size_t *done)
{
    for (*done = 0; *done <= v->n; ++*done) {
        const size_t i = *done;
        const struct verify_position at = { &v->target[i],
                                            v->draft && i < v->n ? v->draft[i]
                                                                 : NULL,
                                            i < v->n ? v->proposed[i] : -1 };
        const sortes_status status =
            verify_one(v, by_residual, &at, &v->out[i]);

        if (status != SORTES_OK)
            return status;
        if (v->out[i].token != at.proposed) {
            ++*done;
            break;
        }
    }
    return SORTES_OK;
}

sortes_status srt_verify(const struct srt_verify *v, size_t *n_out)
{
    const struct srt_speculation *s = v->dialect->speculation;
    unsigned char before[VERIFY_STATE];
    bool by_residual = v->draft != NULL;
    sortes_status status;
    size_t done = 0;

    if (s->n_state > sizeof(before))
        return SORTES_E_LIMIT;
    status = s->open(v->chain, &by_residual);
    if (status != SORTES_OK)
        return status;
    memcpy(before, s->state(v->chain), s->n_state);
    status = verify_all(v, by_residual, &done);
    if (status == SORTES_OK) {
        *n_out = done;
        return SORTES_OK;
    }
    /* what was accepted goes back, and so do draws from before, accepted or
     * not */
    (void)v->dialect->rollback(v->chain, done);
    memcpy(s->state(v->chain), before, s->n_state);
    return status;
}
