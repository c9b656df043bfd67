/*
 * chain.c - the life of a llama.cpp chain: made, fed, asked, taken back
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include "random/entropy.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* llama.cpp's LLAMA_DEFAULT_SEED: asks for a random one. */
static const uint32_t chain_random_seed = 0xffffffffu;

/* Windows up to this long get all their memory when the chain is made; longer
 * ones grow in accept(), as tokens come. */
enum { CHAIN_WINDOW_READY = 1024 };

/* Every stage that draws has a generator of its own, all with one seed. */
static void chain_seed_rng(struct srt_llamacpp *chain)
{
    chain->seed = chain->params->seed == chain_random_seed
                      ? srt_entropy32()
                      : (uint32_t)chain->params->seed;
    for (size_t i = 0; i < chain->n_generators; i++)
        srt_mt19937_seed(&chain->rng[i], chain->seed);
}

static void chain_restart(struct srt_llamacpp *chain)
{
    const struct sortes_params *p = chain->params;
    const float decay = srt_llamacpp_adaptive_decay(p);

    chain_seed_rng(chain);
    chain->state = (struct srt_step){ .pending_token = -1 };
    chain->state.mu = 2.0f * p->mirostat_tau;
    chain->state.weighted_sum = p->adaptive_target / (1.0f - decay);
    chain->state.total_weight = 1.0f / (1.0f - decay);
    srt_budget_start(chain->budget, &chain->state.budget);
    chain->n_accepted = 0;
    chain->n_past = 0;
    chain->past[0] = chain->state;
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
    if (p->mirostat < 0 || p->mirostat > 2) /* out of a GGUF */
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "mirostat: unknown version (got %d, allowed 0 to 2)",
                        (int)p->mirostat);
    return SORTES_OK;
}

static void llamacpp_chain_free(void *self)
{
    struct srt_llamacpp *chain = self;
    if (!chain)
        return;
    srt_constraint_drop(&chain->constraint);
    sortes_params_free(chain->params);
    sortes_vocab_free(chain->vocab);
    srt_breakers_free(chain->breakers);
    srt_budget_free(chain->budget);
    srt_window_free(&chain->window);
    srt_window_free(&chain->dry_window);
    free(chain->rng);
    free(chain->dry_lengths);
    free(chain->dry_found);
    free(chain->biases);
    free(chain->overrides);
    free(chain);
}

/* Room for n items in *block, at least doubling; false: no memory. */
static bool chain_grow(void **block, size_t *room, size_t n, size_t size)
{
    const size_t want = n > 2 * *room ? n : 2 * *room;
    void *grown;

    if (n <= *room)
        return true;
    grown = realloc(*block, want * size);
    if (!grown)
        return false;
    *block = grown;
    *room = want;
    return true;
}

static size_t chain_window_after(const struct srt_window *w, size_t n)
{
    return n > w->limit - w->n ? w->limit : w->n + n;
}

/* Everything that DRY works in, for a window of n. */
static bool chain_reserve_dry(struct srt_llamacpp *chain, size_t n)
{
    void *lengths = chain->dry_lengths, *found = chain->dry_found;
    size_t room = chain->dry_room;
    bool good = chain_grow(&lengths, &room, n, sizeof(*chain->dry_lengths));

    chain->dry_lengths = lengths;
    room = chain->dry_room;
    good = chain_grow(&found, &room, n, sizeof(*chain->dry_found)) && good;
    chain->dry_found = found;
    if (good)
        chain->dry_room = room;
    return good;
}

/* The memory that n more accepted tokens need. */
static sortes_status chain_reserve(struct srt_llamacpp *chain, size_t n)
{
    struct srt_window *w = &chain->window, *dry = &chain->dry_window;
    const size_t n_window = chain_window_after(w, n);
    const size_t n_dry = chain_window_after(dry, n);
    void *overrides = chain->overrides;
    bool good = srt_window_reserve(w, n) == SORTES_OK &&
                srt_window_reserve(dry, n) == SORTES_OK &&
                chain_reserve_dry(chain, n_dry);

    good = good && chain_grow(&overrides, &chain->overrides_room,
                              chain->n_biases + n_window + n_dry,
                              sizeof(*chain->overrides));
    chain->overrides = overrides;
    return good ? SORTES_OK : SORTES_E_NOMEM;
}

/* The request's, then the tokens the model forbids. */
static sortes_status chain_copy_biases(struct srt_llamacpp *chain)
{
    const struct srt_bias_list *list = &chain->params->logit_bias;
    const struct srt_bias_list *forbidden = &chain->params->suppressed;
    const size_t n = list->n + forbidden->n;
    struct srt_bias *spare;

    if (n == 0)
        return SORTES_OK;
    chain->biases = malloc(n * sizeof(*chain->biases));
    spare = malloc(n * sizeof(*spare));
    if (chain->biases && spare) {
        if (list->n)
            memcpy(chain->biases, list->items,
                   list->n * sizeof(*chain->biases));
        if (forbidden->n)
            memcpy(chain->biases + list->n, forbidden->items,
                   forbidden->n * sizeof(*chain->biases));
        chain->n_biases = n;
        srt_bias_sort(chain->biases, spare, n);
    }
    free(spare);
    return chain->n_biases > 0 ? SORTES_OK : SORTES_E_NOMEM;
}

static sortes_status chain_get_breakers(struct srt_llamacpp *chain,
                                        sortes_error *err)
{
    const struct srt_string_list *list =
        srt_strings_in_force(chain->params, SRT_PARAM_dry_sequence_breakers);

    if (list->n == 0)
        return SORTES_OK; /* none to look for */
    if (!chain->vocab)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "dry: needs a vocab, to find its sequence breakers");
    return srt_breakers_get(&chain->breakers, chain->vocab, list, err);
}

/* Windows, generators and what else the stages in the chain need. */
static sortes_status chain_equip(struct srt_llamacpp *chain, sortes_error *err)
{
    const struct sortes_params *p = chain->params;
    const size_t last_n = (size_t)p->repeat_last_n;
    const size_t dry_last_n = (size_t)p->dry_penalty_last_n;
    size_t ready;

    if (srt_llamacpp_has(chain, &srt_stage_penalties, chain->n_slots))
        chain->window.limit = last_n;
    if (srt_llamacpp_has(chain, &srt_stage_dry, chain->n_slots)) {
        const sortes_status status = chain_get_breakers(chain, err);

        if (status != SORTES_OK)
            return status;
        chain->dry_window.limit = dry_last_n;
    }
    if (srt_llamacpp_has(chain, &srt_stage_infill, chain->n_slots) &&
        !chain->vocab)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "infill: needs a vocab");
    chain->rng = calloc(chain->n_generators + 1, sizeof(*chain->rng));
    ready = last_n > dry_last_n ? last_n : dry_last_n;
    ready = (ready < CHAIN_WINDOW_READY ? ready : CHAIN_WINDOW_READY) +
            SRT_WINDOW_BEHIND;
    if (!chain->rng || chain_reserve(chain, ready) != SORTES_OK)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    return SORTES_OK;
}

static sortes_status llamacpp_chain_new(void **out, const sortes_params *p,
                                        sortes_vocab *vocab, sortes_error *err)
{
    struct srt_llamacpp *chain;
    sortes_status status = chain_check(p, err);

    *out = NULL;
    if (status != SORTES_OK)
        return status;
    chain = calloc(1, sizeof(*chain));
    if (!chain)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    chain->kernels = srt_kernels();
    chain->vocab = sortes_vocab_retain(vocab);
    status = sortes_params_clone(&chain->params, p);
    if (status == SORTES_OK)
        status = chain_copy_biases(chain);
    if (status != SORTES_OK)
        status = srt_fail(err, status, 0, "sampler: no memory");
    if (status == SORTES_OK)
        status = srt_llamacpp_order(chain, err);
    if (status == SORTES_OK)
        status = chain_equip(chain, err);
    if (status == SORTES_OK)
        status =
            srt_budget_new(&chain->budget, chain->params, chain->vocab, err);
    if (status != SORTES_OK) {
        llamacpp_chain_free(chain);
        return status;
    }
    chain_restart(chain);
    *out = chain;
    return SORTES_OK;
}

static sortes_status chain_copy_state(struct srt_llamacpp *to,
                                      const struct srt_llamacpp *from)
{
    sortes_status status = srt_window_copy(&to->window, &from->window);

    if (status == SORTES_OK)
        status = srt_window_copy(&to->dry_window, &from->dry_window);
    if (status == SORTES_OK)
        status = chain_reserve(to, 0);
    if (status == SORTES_OK)
        status = srt_constraint_clone(&to->constraint, &from->constraint);
    if (status != SORTES_OK)
        return status;
    memcpy(to->rng, from->rng, from->n_generators * sizeof(*to->rng));
    memcpy(to->past, from->past, sizeof(to->past));
    memcpy(to->origins, from->origins, sizeof(to->origins));
    to->seed = from->seed;
    to->state = from->state;
    to->n_accepted = from->n_accepted;
    to->n_past = from->n_past;
    to->kernels = from->kernels;
    to->reference = from->reference;
    return SORTES_OK;
}

/* llama.cpp's clone of adaptive-p starts its generator anew. */
static void chain_clone_literally(struct srt_llamacpp *chain)
{
    for (size_t i = 0; i < chain->n_slots; i++) {
        const size_t g = chain->slots[i].generator;

        if (chain->slots[i].stage != &srt_stage_adaptive_p)
            continue;
        chain->state.position[g] = 0;
        srt_mt19937_seed(&chain->rng[g], chain->seed);
    }
}

static sortes_status llamacpp_chain_clone(void **out, const void *self)
{
    const struct srt_llamacpp *from = self;
    struct srt_llamacpp *chain;
    sortes_status status =
        llamacpp_chain_new(out, from->params, from->vocab, NULL);

    if (status != SORTES_OK)
        return status;
    chain = *out;
    *out = NULL;
    status = chain_copy_state(chain, from);
    if (status != SORTES_OK) {
        llamacpp_chain_free(chain);
        return status;
    }
    if (chain->params->literal_clone)
        chain_clone_literally(chain);
    *out = chain;
    return SORTES_OK;
}

static sortes_status llamacpp_set_constraint(void *self,
                                             const sortes_constraint *c)
{
    struct srt_llamacpp *chain = self;
    const sortes_status status = srt_constraint_replace(&chain->constraint, c);

    if (status == SORTES_OK && c)
        chain->n_past = 0; /* it has not seen what was accepted before */
    return status;
}

static sortes_status llamacpp_reset(void *self)
{
    struct srt_llamacpp *chain = self;
    const sortes_status status = srt_constraint_reset(&chain->constraint);

    if (status != SORTES_OK)
        return status;
    srt_window_clear(&chain->window);
    srt_window_clear(&chain->dry_window);
    chain_restart(chain);
    return SORTES_OK;
}

static uint64_t llamacpp_seed(const void *self)
{
    const struct srt_llamacpp *chain = self;
    return chain->seed;
}

static void llamacpp_use_reference(void *self, bool on)
{
    struct srt_llamacpp *chain = self;
    chain->reference = on;
}

static void llamacpp_use_kernels(void *self, const struct srt_kernels *k)
{
    struct srt_llamacpp *chain = self;
    chain->kernels = k;
}

/* adaptive-p learns of the token that it drew itself. */
static void chain_accept_pending(const struct sortes_params *p,
                                 struct srt_step *state, int32_t token)
{
    const float decay = srt_llamacpp_adaptive_decay(p);

    if (state->pending_token >= 0 && token == state->pending_token) {
        const float kept = decay * state->weighted_sum;

        state->weighted_sum = state->pending_p + kept;
        state->total_weight = 1.0f + decay * state->total_weight;
    }
    state->pending_token = -1;
}

static size_t chain_past_index(uint64_t n_accepted)
{
    return (size_t)(n_accepted % (SRT_WINDOW_BEHIND + 1));
}

/* llama.cpp's windows take every token, prompt or generated. */
static sortes_status llamacpp_accept(void *self, const int32_t *tokens,
                                     size_t n, sortes_origin origin)
{
    struct srt_llamacpp *chain = self;
    sortes_status status = chain_reserve(chain, n);

    if (status == SORTES_OK && origin != SORTES_PROMPT &&
        srt_constraint_is_set(&chain->constraint))
        status = srt_constraint_advance(&chain->constraint, tokens, n);
    if (status != SORTES_OK)
        return status;
    srt_window_push(&chain->window, tokens, n);
    srt_window_push(&chain->dry_window, tokens, n);
    for (size_t i = 0; i < n; i++) {
        const size_t at = chain_past_index(++chain->n_accepted);

        if (origin != SORTES_PROMPT)
            srt_budget_accept(chain->budget, chain->vocab, &chain->state.budget,
                              tokens[i]);
        chain_accept_pending(chain->params, &chain->state, tokens[i]);
        if (n - i > SRT_WINDOW_BEHIND + 1)
            continue;
        chain->past[at] = chain->state;
        chain->origins[at] = origin;
    }
    chain->n_past = n < SRT_WINDOW_BEHIND - chain->n_past ? chain->n_past + n
                                                          : SRT_WINDOW_BEHIND;
    return SORTES_OK;
}

/* What changed the budget beside the tokens outlives a rollback of 0. */
static void chain_keep_budget(struct srt_llamacpp *chain)
{
    chain->past[chain_past_index(chain->n_accepted)].budget =
        chain->state.budget;
}

static sortes_status llamacpp_prefill(void *self, const int32_t *tokens,
                                      size_t n)
{
    struct srt_llamacpp *chain = self;
    sortes_status status = SORTES_OK;

    if (srt_constraint_is_set(&chain->constraint))
        status = srt_constraint_advance(&chain->constraint, tokens, n);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        srt_budget_accept(chain->budget, chain->vocab, &chain->state.budget,
                          tokens[i]);
    chain_keep_budget(chain);
    if (n > 0)
        chain->n_past = 0; /* the windows cannot tell what to take back */
    return SORTES_OK;
}

static sortes_status llamacpp_end_reasoning(void *self)
{
    struct srt_llamacpp *chain = self;
    if (!srt_budget_end_now(chain->budget, &chain->state.budget))
        return SORTES_E_ARGUMENT;
    chain_keep_budget(chain);
    return SORTES_OK;
}

/* Generators reach back only so far: from further on they begin again. */
static void chain_rewind(struct srt_llamacpp *chain)
{
    for (size_t i = 0; i < chain->n_generators; i++)
        if (!srt_mt19937_reaches(&chain->rng[i], chain->state.position[i]))
            srt_mt19937_seed(&chain->rng[i], chain->seed);
}

static sortes_status llamacpp_rollback(void *self, size_t n)
{
    struct srt_llamacpp *chain = self;
    size_t generated = 0;
    sortes_status status;

    if (n > chain->n_past)
        return SORTES_E_LIMIT;
    for (size_t i = 0; i < n; i++)
        generated += chain->origins[chain_past_index(chain->n_accepted - i)] !=
                     SORTES_PROMPT;
    status = srt_constraint_rollback(&chain->constraint, generated);
    if (status != SORTES_OK)
        return status;
    srt_window_pop(&chain->window, n);
    srt_window_pop(&chain->dry_window, n);
    chain->n_accepted -= n;
    chain->n_past -= n;
    chain->state = chain->past[chain_past_index(chain->n_accepted)];
    chain_rewind(chain);
    return SORTES_OK;
}

static sortes_status llamacpp_sample(void *self, const sortes_row *row,
                                     sortes_draw *draw)
{
    struct srt_llamacpp *chain = self;
    struct srt_step step = chain->state;
    int32_t token = -1;
    const sortes_status status = srt_llamacpp_draw(chain, row, &step, &token);

    if (status != SORTES_OK)
        return status;
    chain->state = step;
    *draw = (sortes_draw){ 0 };
    draw->token = token;
    draw->flags = step.flags;
    draw->n_candidates = step.n_candidates;
    draw->margin = step.margin;
    return SORTES_OK;
}

static void *llamacpp_state(void *self)
{
    return &((struct srt_llamacpp *)self)->state;
}

/* llama.cpp compares tokens; it has no acceptance by residual. */
static sortes_status llamacpp_open_verify(const void *self, bool *by_residual)
{
    const struct srt_llamacpp *chain = self;

    return *by_residual || !srt_constraint_can_undo(&chain->constraint)
               ? SORTES_E_ARGUMENT
               : SORTES_OK;
}

static const struct srt_speculation llamacpp_speculation = {
    .n_state = sizeof(struct srt_step),
    .state = llamacpp_state,
    .open = llamacpp_open_verify,
};

static const struct srt_param_of llamacpp_params[] = {
#include "dialect/llamacpp/params.def"
};

const struct srt_dialect srt_dialect_llamacpp = {
    .name = "llama.cpp",
    .identity = "llama.cpp/b11192..b11549 (libstdc++, CPU sampling)",
    .params = llamacpp_params,
    .n_params = SRT_COUNT(llamacpp_params),
    .random_seed = 0xffffffffu,
    .chain_new = llamacpp_chain_new,
    .chain_free = llamacpp_chain_free,
    .chain_clone = llamacpp_chain_clone,
    .set_constraint = llamacpp_set_constraint,
    .reset = llamacpp_reset,
    .seed = llamacpp_seed,
    .use_reference = llamacpp_use_reference,
    .use_kernels = llamacpp_use_kernels,
    .accept = llamacpp_accept,
    .prefill = llamacpp_prefill,
    .end_reasoning = llamacpp_end_reasoning,
    .rollback = llamacpp_rollback,
    .sample = llamacpp_sample,
    .distribution = srt_llamacpp_distribution,
    .kept = srt_llamacpp_kept,
    .probabilities = srt_llamacpp_probabilities,
    .logprobs = srt_llamacpp_logprobs,
    .explain = srt_llamacpp_explain,
    .speculation = &llamacpp_speculation,
};
