/*
 * settings.c - what the parameters mean, in the type of the row
 *
 * Source: mlx-lm 0.32.2, sample_utils.py: which filter is on, and in which
 * precision Python and MLX meet each number.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/numeric.h"

#include <math.h>
#include <string.h>

static sortes_status mlxset_refuse(const char *text, double got,
                                   sortes_error *err)
{
    char number[SRT_NUMBER_TEXT];

    srt_number_to_text(got, number);
    return srt_fail(err, SORTES_E_RANGE, 0, text, number);
}

/* What the setters' bounds and mlx-lm's own words do not cover: here its
 * numbers would stop being numbers, or an index run out of its array. */
static sortes_status mlxset_check(const sortes_params *p, sortes_error *err)
{
    const double temperature = p->exact_temperature;

    if (temperature != 0.0 && !((float)(1.0 / temperature) <= FLT_MAX))
        return mlxset_refuse("temperature: too close to 0 (got %s): its "
                             "reciprocal must be a float",
                             temperature, err);
    if (temperature != 0.0 && !((float)(1.0 / temperature) >= FLT_MIN))
        return mlxset_refuse("temperature: too high (got %s): its reciprocal "
                             "must be a float",
                             temperature, err);
    if (p->exact_top_p > 0.0 && (float)p->exact_top_p < FLT_MIN)
        return mlxset_refuse("top_p: too close to 0 (got %s): no token would "
                             "be left",
                             p->exact_top_p, err);
    if (p->exact_xtc_probability > 0.0 && p->exact_xtc_threshold > 0.5)
        return mlxset_refuse("`threshold` has to be a float in the [0, 0.5] "
                             "interval, but is %s",
                             p->exact_xtc_threshold, err);
    if (p->gumbel_row >= p->gumbel_rows)
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "gumbel_row: out of range (got %d, allowed 0 to %d)",
                        (int)p->gumbel_row, (int)p->gumbel_rows - 1);
    return SORTES_OK;
}

static bool mlxset_is_gumbel(const sortes_params *p)
{
    const struct srt_string_list *draw =
        srt_strings_in_force(p, SRT_PARAM_mlx_draw);

    return strcmp(draw->items[0], "gumbel") == 0;
}

static void mlxset_fill(struct srt_mlxlm_settings *s, const sortes_params *p,
                        bool narrow)
{
    const double temperature = p->exact_temperature;

    *s = (struct srt_mlxlm_settings){ .narrow = narrow };
    s->greedy = temperature == 0.0;
    s->gumbel = mlxset_is_gumbel(p);
    s->n_batch = (uint32_t)p->gumbel_rows;
    s->batch_row = (uint32_t)p->gumbel_row;
    s->penalty[SRT_MLXLM_REPETITION] = p->repetition_penalty;
    s->penalty[SRT_MLXLM_PRESENCE] = p->presence_penalty;
    s->penalty[SRT_MLXLM_FREQUENCY] = p->frequency_penalty;
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        s->penalty[i] = srt_mlxlm_keep(s->penalty[i], narrow);
    if (s->greedy)
        return;
    s->scale = srt_mlxlm_keep((float)(1.0 / temperature), narrow);
    s->has_top_p = p->exact_top_p > 0.0 && p->exact_top_p < 1.0;
    s->top_p = (float)p->exact_top_p;
    s->has_min_p = p->exact_min_p != 0.0;
    if (s->has_min_p)
        s->ln_min_p = srt_mlxlm_keep((float)srt_log(p->exact_min_p), narrow);
    s->min_keep = (size_t)p->min_tokens_to_keep;
    s->has_xtc = p->exact_xtc_probability > 0.0;
    s->xtc_chance = (float)p->exact_xtc_probability;
    s->xtc_line = srt_mlxlm_keep((float)p->exact_xtc_threshold, narrow);
    s->top_k = (size_t)p->top_k;
}

sortes_status srt_mlxlm_settle(struct srt_mlxlm_settings out[2],
                               const sortes_params *p, sortes_error *err)
{
    const sortes_status status = mlxset_check(p, err);

    if (status != SORTES_OK)
        return status;
    mlxset_fill(&out[false], p, false);
    mlxset_fill(&out[true], p, true);
    return SORTES_OK;
}
