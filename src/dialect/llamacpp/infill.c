/*
 * infill.c - for fill-in-the-middle: end, or go on with a whole word
 *
 * Source: llama.cpp src/llama-sampler.cpp, infill.  Only through a sampler
 * list, after top-k and top-p.
 *
 *   1. If three times the end tokens' probability, times the number of
 *      candidates, exceeds the rest's, only end tokens stay.
 *   2. A token whose text is the beginning of another's is merged with it:
 *      the likelier keeps both probabilities.  Only p changes and the other's
 *      logit falls to -inf, so the draw, which goes by logits, merges nothing.
 *   3. What is below 0.2 goes; none left but end tokens: the end-of-text token
 *      alone.  Then a second cut at 1 / (others + 1).
 *
 * llama.cpp's loop over pairs reads pieces of up to 512 bytes; longer ones
 * would run into a negative length there and are compared whole here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <math.h>
#include <string.h>

static bool infill_ends(const struct srt_llamacpp *chain, int32_t token)
{
    return (sortes_vocab_flags(chain->vocab, token) & SORTES_TOKEN_EOG) != 0;
}

static void infill_normalise(struct srt_candidates *c)
{
    float sum = 0.0f;

    for (size_t i = 0; i < c->size; i++)
        sum += c->data[i].p;
    for (size_t i = 0; i < c->size; i++)
        c->data[i].p /= sum;
}

/* Keeps end tokens and what is at least `least`; returns the others' number. */
static size_t infill_keep(const struct srt_llamacpp *chain,
                          struct srt_candidates *c, float least)
{
    size_t kept = 0, others = 0;

    for (size_t i = 0; i < c->size; i++) {
        const bool ends = infill_ends(chain, c->data[i].id);

        if (c->data[i].p < least && !ends)
            continue;
        others += !ends;
        c->data[kept++] = c->data[i];
    }
    c->size = kept;
    return others;
}

static const char *infill_text(const struct srt_llamacpp *chain, int32_t token,
                               size_t *n)
{
    const char *text = sortes_vocab_piece(chain->vocab, token, n);

    if (sortes_vocab_flags(chain->vocab, token) & SORTES_TOKEN_CONTROL)
        *n = 0;
    return text;
}

static bool infill_begins(const struct srt_llamacpp *chain, int32_t a,
                          int32_t b)
{
    size_t n_a, n_b;
    const char *text_a = infill_text(chain, a, &n_a);
    const char *text_b = infill_text(chain, b, &n_b);

    return n_a > 0 && n_a <= n_b && memcmp(text_a, text_b, n_a) == 0;
}

static void infill_merge(const struct srt_llamacpp *chain,
                         struct srt_candidates *c)
{
    for (size_t i = 0; i < c->size; i++) {
        for (size_t j = 0; j < c->size; j++) {
            struct srt_candidate *to = &c->data[i], *from = &c->data[j];

            if (c->data[i].logit == -INFINITY)
                break;
            if (i == j || c->data[j].logit == -INFINITY)
                continue;
            if (!infill_begins(chain, c->data[i].id, c->data[j].id))
                continue;
            if (c->data[j].p > c->data[i].p) {
                to = &c->data[j];
                from = &c->data[i];
            }
            to->p += from->p;
            from->logit = -INFINITY;
            from->p = 0.0f;
        }
    }
}

/* The engine would draw token -1 where the vocab has no end, and one that the
 * row does not have where it is the shorter; both are refused here. */
static sortes_status infill_only_end(const struct srt_llamacpp *chain,
                                     struct srt_candidates *c)
{
    int32_t end = srt_vocab_special(chain->vocab, SRT_SPECIAL_EOT);

    if (end < 0)
        end = srt_vocab_special(chain->vocab, SRT_SPECIAL_EOS);
    if (end < 0 || (size_t)end >= chain->n_vocab)
        return SORTES_E_NO_TOKEN;
    c->size = 1;
    c->data[0].id = end;
    c->data[0].logit = 1.0f;
    return SORTES_OK;
}

static sortes_status infill_apply(struct srt_llamacpp *chain,
                                  const struct srt_slot *slot,
                                  struct srt_candidates *c,
                                  struct srt_step *step)
{
    const sortes_status status = srt_candidates_softmax(c, true);
    float p_text = 0.0f, p_end = 0.0f;
    size_t others;

    (void)slot;
    (void)step;
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < c->size; i++) {
        if (infill_ends(chain, c->data[i].id))
            p_end += c->data[i].p;
        else
            p_text += c->data[i].p;
    }
    if (3.0f * p_end * (float)c->size > p_text) {
        (void)infill_keep(chain, c, INFINITY);
        infill_normalise(c);
        return SORTES_OK;
    }
    infill_merge(chain, c);
    others = infill_keep(chain, c, 0.2f);
    if (others == 0)
        return infill_only_end(chain, c);
    infill_normalise(c);
    (void)infill_keep(chain, c, (float)(1.0 / (double)(others + 1)));
    infill_normalise(c);
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_infill = {
    .apply = infill_apply,
};
