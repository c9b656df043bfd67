/*
 * order.c - which stages a chain is made of, in which order
 *
 * Source: llama.cpp common/sampling.cpp, common_sampler_init: logit_bias
 * first; then the list, or under mirostat only the temperature; then what
 * draws: mirostat, or adaptive-p if the list names it anywhere, or dist.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <string.h>

static const struct order_row {
    const struct srt_llamacpp_stage *stage;
    const char *name;
    char letter; /* 0: not for lists */
} order_rows[] = {
#define SRT_STAGE(symbol, name, letter) { &srt_stage_##symbol, name, letter },
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE
};

static const struct order_row *order_find(const char *name)
{
    for (size_t i = 0; i < SRT_COUNT(order_rows); i++)
        if (order_rows[i].letter && strcmp(order_rows[i].name, name) == 0)
            return &order_rows[i];
    return NULL;
}

static const struct order_row *
order_row_of(const struct srt_llamacpp_stage *stage)
{
    size_t i = 0;

    while (order_rows[i].stage != stage)
        i++;
    return &order_rows[i];
}

/* Adds a stage unless it is off. */
static sortes_status order_add(struct srt_llamacpp *chain,
                               const struct srt_llamacpp_stage *stage,
                               sortes_error *err)
{
    struct srt_slot *slot = &chain->slots[chain->n_slots];

    if (stage->enabled && !stage->enabled(chain))
        return SORTES_OK;
    if (chain->n_slots == SRT_SLOTS_MAX ||
        (stage->has_generator && chain->n_generators == SRT_STEP_GENERATORS))
        return srt_fail(err, SORTES_E_LIMIT, 0,
                        "samplers: too many (allowed %d, and %d that draw)",
                        SRT_SLOTS_MAX, SRT_STEP_GENERATORS);
    slot->stage = stage;
    slot->name = order_row_of(stage)->name;
    slot->generator = stage->has_generator ? chain->n_generators++ : 0;
    chain->n_slots++;
    return SORTES_OK;
}

static sortes_status order_add_list(struct srt_llamacpp *chain, bool *adaptive,
                                    sortes_error *err)
{
    const struct srt_string_list *list =
        srt_strings_in_force(chain->params, SRT_PARAM_samplers);

    for (size_t i = 0; i < list->n; i++) {
        const struct order_row *row = order_find(list->items[i]);
        sortes_status status = SORTES_OK;

        if (!row)
            return srt_fail(err, SORTES_E_NAME, 0, "samplers: '%s' is unknown",
                            list->items[i]);
        if (row->letter == 'a')
            *adaptive = true;
        else
            status = order_add(chain, row->stage, err);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

static sortes_status order_add_stages(struct srt_llamacpp *chain,
                                      sortes_error *err)
{
    const struct sortes_params *p = chain->params;
    bool adaptive = false;
    sortes_status status = order_add(chain, &srt_stage_logit_bias, err);

    if (status == SORTES_OK)
        status = p->mirostat ? order_add(chain, &srt_stage_temperature, err)
                             : order_add_list(chain, &adaptive, err);
    if (status != SORTES_OK)
        return status;
    if (p->greedy)
        return order_add(chain, &srt_stage_greedy, err);
    if (p->mirostat)
        return order_add(chain,
                         p->mirostat == 1 ? &srt_stage_mirostat
                                          : &srt_stage_mirostat_v2,
                         err);
    return order_add(chain, adaptive ? &srt_stage_adaptive_p : &srt_stage_dist,
                     err);
}

/*
 * The plans know these stages, each once at most, in this order; the first
 * three are sparse changes to the row.
 */
static const struct srt_llamacpp_stage *const order_planned[] = {
    &srt_stage_logit_bias,  &srt_stage_penalties, &srt_stage_dry,
    &srt_stage_top_n_sigma, &srt_stage_top_k,     &srt_stage_top_p,
    &srt_stage_min_p,       &srt_stage_xtc,       &srt_stage_temperature,
    &srt_stage_greedy,      &srt_stage_dist,
};

/* The slots up to the first that breaks that order. */
static size_t order_planned_slots(const struct srt_llamacpp *chain)
{
    size_t next = 0, i = 0;

    for (; i < chain->n_slots; i++) {
        while (next < SRT_COUNT(order_planned) &&
               order_planned[next] != chain->slots[i].stage)
            next++;
        if (next++ >= SRT_COUNT(order_planned))
            break;
    }
    return i;
}

bool srt_llamacpp_has(const struct srt_llamacpp *chain,
                      const struct srt_llamacpp_stage *stage, size_t n_slots)
{
    for (size_t i = 0; i < n_slots; i++)
        if (chain->slots[i].stage == stage)
            return true;
    return false;
}

/* The sparse stages, typical, and nothing after it but a plain temperature. */
static bool order_is_typical(const struct srt_llamacpp *chain)
{
    size_t i = order_planned_slots(chain);

    for (size_t j = 0; j < i; j++)
        if (chain->slots[j].stage != &srt_stage_logit_bias &&
            chain->slots[j].stage != &srt_stage_penalties &&
            chain->slots[j].stage != &srt_stage_dry)
            return false;
    if (i == chain->n_slots || chain->slots[i++].stage != &srt_stage_typical)
        return false;
    if (i < chain->n_slots && chain->params->dynatemp_range <= 0.0f &&
        chain->slots[i].stage == &srt_stage_temperature)
        i++;
    return i + 1 == chain->n_slots && chain->slots[i].stage == &srt_stage_dist;
}

/* top_n_sigma is planned where little can be left behind it. */
static bool order_has_plan(const struct srt_llamacpp *chain)
{
    const struct sortes_params *p = chain->params;
    const size_t n = chain->n_slots;

    if (p->mirostat == 2 && !p->greedy)
        return true;
    if (order_is_typical(chain))
        return true;
    if (order_planned_slots(chain) != n || p->dynatemp_range > 0.0f)
        return false;
    if (!srt_llamacpp_has(chain, &srt_stage_top_n_sigma, n))
        return true;
    if (srt_llamacpp_has(chain, &srt_stage_top_k, n))
        return p->top_k <= SRT_LLAMACPP_HEAP_MAX;
    return !srt_llamacpp_has(chain, &srt_stage_top_p, n) &&
           !srt_llamacpp_has(chain, &srt_stage_xtc, n);
}

/* A view applies all sparse stages, so none may stand behind top-k. */
static size_t order_after_top_k(const struct srt_llamacpp *chain)
{
    const size_t n = order_planned_slots(chain);
    size_t after = 0;

    if (srt_llamacpp_has(chain, &srt_stage_top_n_sigma, n))
        return 0;
    for (size_t i = 0; i < chain->n_slots; i++) {
        const struct srt_llamacpp_stage *stage = chain->slots[i].stage;

        if (i < n && stage == &srt_stage_top_k)
            after = i + 1;
        else if (i >= n &&
                 (stage == &srt_stage_penalties || stage == &srt_stage_dry))
            return 0;
    }
    return after;
}

static void order_set_shape(struct srt_llamacpp *chain)
{
    const struct sortes_params *p = chain->params;
    struct srt_shape *shape = &chain->shape;

    *shape = (struct srt_shape){ .has_plan = order_has_plan(chain),
                                 .after_top_k = order_after_top_k(chain),
                                 .greedy = p->greedy,
                                 .mirostat_v2 = p->mirostat == 2 && !p->greedy,
                                 .min_keep = (size_t)p->min_keep,
                                 .top_p = 1.0f,
                                 .typical_p = 1.0f,
                                 .temperature = 1.0f };
    for (size_t i = 0; i < chain->n_slots; i++) {
        const struct srt_slot *slot = &chain->slots[i];

        if (slot->stage == &srt_stage_top_k)
            shape->top_k = p->top_k;
        else if (slot->stage == &srt_stage_top_n_sigma)
            shape->top_n_sigma = p->top_n_sigma;
        else if (slot->stage == &srt_stage_typical)
            shape->typical_p = p->typical_p;
        else if (slot->stage == &srt_stage_top_p)
            shape->top_p = p->top_p;
        else if (slot->stage == &srt_stage_min_p)
            shape->min_p = p->min_p;
        else if (slot->stage == &srt_stage_temperature)
            shape->temperature = p->temperature;
        else if (slot->stage == &srt_stage_xtc) {
            shape->xtc_probability = p->xtc_probability;
            shape->xtc_generator = slot->generator;
        } else if (slot->stage == &srt_stage_dist ||
                   slot->stage == &srt_stage_mirostat_v2)
            shape->draw_generator = slot->generator;
    }
}

sortes_status srt_llamacpp_order(struct srt_llamacpp *chain, sortes_error *err)
{
    const sortes_status status = order_add_stages(chain, err);

    if (status == SORTES_OK)
        order_set_shape(chain);
    return status;
}
