/*
 * chain.c - llama.cpp's chain: made, fed, run stage by stage
 *
 * The stages run in the order of stages.def.  sample() takes the plans
 * (plan.c) unless the reference is asked for; both commit through one place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include "random/entropy.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct srt_llamacpp_stage *const chain_stages[] = {
#define SRT_STAGE(name) &srt_stage_##name,
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE
};

/* llama.cpp's LLAMA_DEFAULT_SEED: asks for a random one. */
static const uint32_t chain_random_seed = 0xffffffffu;

/* Windows up to this long get all their memory when the chain is made; longer
 * ones grow in accept(), as tokens come. */
enum { CHAIN_WINDOW_READY = 1024 };

static void chain_seed_rng(struct srt_chain *chain)
{
    chain->seed = chain->params->seed == chain_random_seed
                      ? srt_entropy32()
                      : chain->params->seed;
    srt_mt19937_seed(&chain->rng, chain->seed);
    chain->position = 0;
}

static size_t chain_window_limit(const struct sortes_params *p)
{
    const bool off = p->repeat_last_n <= 0 || (p->repeat_penalty == 1.0f &&
                                               p->frequency_penalty == 0.0f &&
                                               p->presence_penalty == 0.0f);

    return off ? 0 : (size_t)p->repeat_last_n;
}

/* The checks of llama.cpp's sampler construction, in its order and words. */
static sortes_status chain_check(const struct sortes_params *p,
                                 sortes_error *err)
{
    const float repeat = p->repeat_penalty;

    if (!(repeat > 0.0f) || !isfinite(repeat) || !isfinite(1.0f / repeat))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "penalty_repeat must be finite and greater than 0");
    if (!isfinite(p->frequency_penalty))
        return srt_fail(err, SORTES_E_RANGE, 0, "penalty_freq must be finite");
    if (!isfinite(p->presence_penalty))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "penalty_present must be finite");
    return SORTES_OK;
}

/* Merges two ascending runs; of equal tokens the left one comes first. */
static void chain_merge_biases(struct srt_bias *to, const struct srt_bias *left,
                               size_t n_left, const struct srt_bias *right,
                               size_t n_right)
{
    while (n_left > 0 || n_right > 0) {
        if (n_right == 0 || (n_left > 0 && left->token <= right->token)) {
            *to++ = *left++;
            n_left--;
        } else {
            *to++ = *right++;
            n_right--;
        }
    }
}

/* Stable, so that biases of one token are added in the request's order. */
static void chain_sort_biases(struct srt_bias *b, struct srt_bias *spare,
                              size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            const size_t n_left = n - i < width ? n - i : width;
            const size_t rest = n - i - n_left;
            const size_t n_right = rest < width ? rest : width;

            chain_merge_biases(spare + i, b + i, n_left, b + i + n_left,
                               n_right);
        }
        memcpy(b, spare, n * sizeof(*b));
    }
}

static void llamacpp_chain_free(struct srt_chain *chain)
{
    if (!chain)
        return;
    sortes_params_free(chain->params);
    srt_window_free(&chain->window);
    free(chain->biases);
    free(chain->overrides);
    free(chain);
}

/* Room for every override that the biases and the window can make. */
static sortes_status chain_reserve_overrides(struct srt_chain *chain,
                                             size_t n_window)
{
    size_t want = chain->n_biases + n_window;
    struct srt_override *grown;

    if (want <= chain->overrides_room)
        return SORTES_OK;
    if (want < 2 * chain->overrides_room)
        want = 2 * chain->overrides_room;
    grown = realloc(chain->overrides, want * sizeof(*grown));
    if (!grown)
        return SORTES_E_NOMEM;
    chain->overrides = grown;
    chain->overrides_room = want;
    return SORTES_OK;
}

/* The memory that n more accepted tokens need. */
static sortes_status chain_reserve(struct srt_chain *chain, size_t n)
{
    struct srt_window *w = &chain->window;
    const size_t room = w->limit - w->n;
    const sortes_status status = srt_window_reserve(w, n);

    if (status != SORTES_OK)
        return status;
    return chain_reserve_overrides(chain, w->n + (n < room ? n : room));
}

static sortes_status chain_copy_biases(struct srt_chain *chain)
{
    const struct srt_bias_list *list = &chain->params->logit_bias;
    struct srt_bias *spare;

    if (list->n == 0)
        return SORTES_OK;
    chain->biases = malloc(list->n * sizeof(*chain->biases));
    spare = malloc(list->n * sizeof(*spare));
    if (chain->biases && spare) {
        memcpy(chain->biases, list->items, list->n * sizeof(*chain->biases));
        chain->n_biases = list->n;
        chain_sort_biases(chain->biases, spare, list->n);
    }
    free(spare);
    if (chain->n_biases == 0)
        return SORTES_E_NOMEM;
    return chain_reserve_overrides(chain, 0);
}

static sortes_status llamacpp_chain_new(struct srt_chain **out,
                                        const sortes_params *p,
                                        sortes_error *err)
{
    struct srt_chain *chain;
    sortes_status status = chain_check(p, err);

    *out = NULL;
    if (status != SORTES_OK)
        return status;
    chain = calloc(1, sizeof(*chain));
    if (!chain)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    status = sortes_params_clone(&chain->params, p);
    if (status == SORTES_OK)
        status = chain_copy_biases(chain);
    srt_window_init(&chain->window, chain_window_limit(p));
    if (status == SORTES_OK)
        status = chain_reserve(chain, chain->window.limit < CHAIN_WINDOW_READY
                                          ? chain->window.limit
                                          : CHAIN_WINDOW_READY);
    if (status != SORTES_OK) {
        llamacpp_chain_free(chain);
        return srt_fail(err, status, 0, "sampler: no memory");
    }
    chain->kernels = srt_kernels();
    chain_seed_rng(chain);
    *out = chain;
    return SORTES_OK;
}

static sortes_status llamacpp_chain_clone(struct srt_chain **out,
                                          const struct srt_chain *from)
{
    struct srt_chain *chain;
    sortes_status status = llamacpp_chain_new(&chain, from->params, NULL);

    *out = NULL;
    if (status != SORTES_OK)
        return status;
    status = srt_window_copy(&chain->window, &from->window);
    if (status == SORTES_OK)
        status = chain_reserve(chain, 0);
    if (status != SORTES_OK) {
        llamacpp_chain_free(chain);
        return status;
    }
    chain->seed = from->seed;
    chain->rng = from->rng;
    chain->position = from->position;
    chain->kernels = from->kernels;
    chain->reference = from->reference;
    *out = chain;
    return SORTES_OK;
}

static void llamacpp_reset(struct srt_chain *chain)
{
    srt_window_clear(&chain->window);
    chain_seed_rng(chain);
}

static uint64_t llamacpp_seed(const struct srt_chain *chain)
{
    return chain->seed;
}

static void llamacpp_use_reference(struct srt_chain *chain, bool on)
{
    chain->reference = on;
}

static void llamacpp_use_kernels(struct srt_chain *chain,
                                 const struct srt_kernels *k)
{
    chain->kernels = k;
}

/* llama.cpp's windows take every token, prompt or generated. */
static sortes_status llamacpp_accept(struct srt_chain *chain,
                                     const int32_t *tokens, size_t n,
                                     sortes_origin origin)
{
    const sortes_status status = chain_reserve(chain, n);

    (void)origin;
    if (status == SORTES_OK)
        srt_window_push(&chain->window, tokens, n);
    return status;
}

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

static void chain_show(const char *stage, const struct srt_candidates *c,
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

sortes_status srt_llamacpp_run(struct srt_chain *chain, const sortes_row *row,
                               struct srt_candidates *c, struct srt_step *step,
                               srt_look *look, void *ctx)
{
    sortes_status status = srt_llamacpp_fill(c, row);

    if (status == SORTES_OK && look)
        chain_show("logits", c, look, ctx);
    for (size_t i = 0; i < SRT_COUNT(chain_stages); i++) {
        const struct srt_llamacpp_stage *stage = chain_stages[i];

        if (status != SORTES_OK)
            return status;
        if (!stage->enabled(chain))
            continue;
        status = stage->apply(chain, c, step);
        if (status == SORTES_OK && look)
            chain_show(stage->name, c, look, ctx);
    }
    return status;
}

/* One step on the literal reference; nothing is committed. */
static sortes_status chain_reference(struct srt_chain *chain,
                                     const sortes_row *row,
                                     struct srt_candidates *c,
                                     struct srt_step *step)
{
    struct srt_scratch *s = srt_scratch_get(row->n);

    if (!s)
        return SORTES_E_NOMEM;
    *c = (struct srt_candidates){ s->candidates, 0, -1, false, s->spare };
    return srt_llamacpp_run(chain, row, c, step, NULL, NULL);
}

static sortes_status llamacpp_sample(struct srt_chain *chain,
                                     const sortes_row *row, sortes_draw *draw)
{
    struct srt_step step = { chain->position, 0, 1.0 };
    struct srt_candidates c;
    sortes_status status;
    int32_t token = -1;

    if (chain->reference) {
        status = chain_reference(chain, row, &c, &step);
        if (status == SORTES_OK)
            token = c.data[c.selected].id;
    } else {
        status = srt_llamacpp_plan_sample(chain, row, &step, &token);
    }
    if (status != SORTES_OK)
        return status;
    chain->position = step.position;
    *draw = (sortes_draw){ 0 };
    draw->token = token;
    draw->n_candidates = step.n_candidates;
    draw->margin = step.margin;
    return SORTES_OK;
}

static sortes_status llamacpp_distribution(struct srt_chain *chain,
                                           const sortes_row *row, float *p)
{
    struct srt_step step = { chain->position, 0, 1.0 };
    struct srt_candidates c;
    const sortes_status status = chain_reference(chain, row, &c, &step);

    if (status != SORTES_OK)
        return status;
    memset(p, 0, row->n * sizeof(*p));
    if (chain->params->greedy) {
        p[c.data[c.selected].id] = 1.0f;
        return SORTES_OK;
    }
    for (size_t i = 0; i < c.size; i++)
        p[c.data[i].id] = c.data[i].p;
    return SORTES_OK;
}

static sortes_status llamacpp_explain(struct srt_chain *chain,
                                      const sortes_row *row, srt_look *look,
                                      void *ctx)
{
    struct srt_step step = { chain->position, 0, 1.0 };
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_candidates c;

    if (!s)
        return SORTES_E_NOMEM;
    c = (struct srt_candidates){ s->candidates, 0, -1, false, s->spare };
    return srt_llamacpp_run(chain, row, &c, &step, look, ctx);
}

const struct srt_dialect srt_dialect_llamacpp = {
    .name = "llama.cpp",
    .identity = "llama.cpp/b11192..b11549 (libstdc++, CPU sampling)",
    .chain_new = llamacpp_chain_new,
    .chain_free = llamacpp_chain_free,
    .chain_clone = llamacpp_chain_clone,
    .reset = llamacpp_reset,
    .seed = llamacpp_seed,
    .use_reference = llamacpp_use_reference,
    .use_kernels = llamacpp_use_kernels,
    .accept = llamacpp_accept,
    .sample = llamacpp_sample,
    .distribution = llamacpp_distribution,
    .logprobs = srt_llamacpp_logprobs,
    .explain = llamacpp_explain,
};
