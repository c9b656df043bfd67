/*
 * dry.c - make tokens that would continue a repetition less likely
 *
 * Source: p-e-w, text-generation-webui pull request 5677; llama.cpp
 * src/llama-sampler.cpp, dry.
 *
 * Read backwards from the last token.  A token that once followed a repeat of
 * length n of the text's end loses multiplier * base^(n - allowed).  Repeats
 * do not reach across a sequence breaker.
 *
 * The lengths come from a Z function over the reversed text whose stored
 * values are already cut at the breaker and are used again in that form: not
 * quite a Z function, and reproduced.
 *
 * Float order: multiplier and pow() in double, the product rounded to float,
 * one float subtraction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/breakers.h"
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

#include <string.h>

static bool dry_enabled(const struct srt_llamacpp *chain)
{
    const struct sortes_params *p = chain->params;

    return p->dry_multiplier != 0.0f && p->dry_base >= 1.0f &&
           p->dry_penalty_last_n > 0;
}

/* How far back from the end a repeat may reach: to the last breaker. */
static int32_t dry_limit(const struct srt_llamacpp *chain)
{
    const struct srt_window *w = &chain->dry_window;

    for (size_t i = 0; i < w->n; i++) {
        const int longest =
            srt_breakers_longest(chain->breakers, srt_window_back(w, i), w, i);
        if (longest >= 0)
            return (int32_t)i - longest;
    }
    return (int32_t)w->n;
}

static int32_t dry_common(const struct srt_window *w, int32_t from, int32_t k)
{
    const int32_t n = (int32_t)w->n;
    int32_t i = from;

    while (i < n &&
           srt_window_back(w, (size_t)i) == srt_window_back(w, (size_t)(i - k)))
        i++;
    return i;
}

static int32_t dry_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* lengths[last - k]: how much of the text's end is repeated k tokens back. */
static void dry_lengths(const struct srt_window *w, int32_t limit,
                        int32_t *lengths)
{
    const int32_t n = (int32_t)w->n, last = n - 1;
    int32_t left = 0, right = 0;

    memset(lengths, 0, w->n * sizeof(*lengths));
    for (int32_t k = 1; k < n; k++) {
        if (k > right) {
            const int32_t m = dry_common(w, k, k) - k;

            lengths[last - k] = dry_min(m, limit);
            if (m > 0) {
                left = k;
                right = k + m - 1;
            }
        } else {
            const int32_t known = lengths[last - (k - left)];
            int32_t end;

            if (known < right - k + 1) {
                lengths[last - k] = dry_min(known, limit);
                continue;
            }
            end = dry_common(w, right + 1, k);
            lengths[last - k] = dry_min(end - k, limit);
            left = k;
            right = end - 1;
        }
    }
}

/* The longest repeat that each token would continue, in `found`, ascending by
 * token; returns how many. */
static size_t dry_collect(const struct srt_llamacpp *chain,
                          const int32_t *lengths, struct srt_count *found)
{
    const struct srt_window *w = &chain->dry_window;
    const int32_t allowed = chain->params->dry_allowed_length;
    size_t n = 0;

    for (size_t i = 0; i + 1 < w->n; i++)
        if (lengths[i] >= allowed)
            found[n++] = (struct srt_count){ srt_window_back(w, w->n - 2 - i),
                                             lengths[i] };
    return srt_counts_keep_largest(found, n);
}

float srt_llamacpp_dry_loss(const struct sortes_params *p, int32_t length)
{
    const float base = p->dry_base;
    const int32_t most =
        base > 1.000001f ? (int32_t)(88.7228391f / srt_logf(base)) : 0;
    int32_t exponent = length - p->dry_allowed_length;

    if (most > 0 && exponent > most)
        exponent = most;
    return (float)((double)p->dry_multiplier *
                   srt_pow((double)base, (double)exponent));
}

size_t srt_llamacpp_dry(struct srt_llamacpp *chain, bool *touched)
{
    const struct srt_window *w = &chain->dry_window;
    const int32_t allowed = chain->params->dry_allowed_length;
    int32_t limit;

    *touched = false;
    if (w->n <= (size_t)allowed)
        return 0;
    limit = dry_limit(chain);
    if (limit < allowed)
        return 0;
    *touched = true;
    dry_lengths(w, limit, chain->dry_lengths);
    return dry_collect(chain, chain->dry_lengths, chain->dry_found);
}

static sortes_status dry_apply(struct srt_llamacpp *chain,
                               const struct srt_slot *slot,
                               struct srt_candidates *c, struct srt_step *step)
{
    struct srt_lookup lookup;
    bool touched;
    const size_t n = srt_llamacpp_dry(chain, &touched);

    (void)slot;
    (void)step;
    if (!touched)
        return SORTES_OK;
    srt_lookup_init(&lookup, chain->dry_found, n);
    for (size_t i = 0; i < c->size; i++) {
        struct srt_candidate *it = &c->data[i];
        const struct srt_count *found = srt_lookup_find(&lookup, it->id);

        if (!found || srt_breakers_whole(chain->breakers, it->id))
            continue;
        it->logit -= srt_llamacpp_dry_loss(chain->params, found->count);
        if (srt_logit_is_bad(it->logit))
            return SORTES_E_NOT_FINITE;
    }
    c->sorted = false;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_dry = {
    .enabled = dry_enabled,
    .apply = dry_apply,
};
