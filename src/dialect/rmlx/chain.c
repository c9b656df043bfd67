/*
 * chain.c - the life of an rMLX chain: made, fed, asked, taken back
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void rmlx_restart(struct srt_rmlx *chain)
{
    memset(&chain->state, 0, sizeof(chain->state));
    srt_pcg32_seed(&chain->state.rng, chain->params->seed);
    chain->n_accepted = 0;
    chain->n_past = 0;
    chain->past[0] = chain->state;
}

static void rmlx_chain_free(void *self)
{
    struct srt_rmlx *chain = self;

    if (!chain)
        return;
    srt_constraint_drop(&chain->constraint);
    sortes_params_free(chain->params);
    sortes_vocab_free(chain->vocab);
    srt_window_free(&chain->window);
    srt_think_free(&chain->think);
    free(chain->biases);
    free(chain->patches);
    free(chain);
}

/* Sorted for the plan; the literal steps read the request's own order. */
static sortes_status rmlx_copy_biases(struct srt_rmlx *chain)
{
    const struct srt_bias_list *list = &chain->params->logit_bias;
    struct srt_bias *spare;

    chain->patches = calloc(list->n + SRT_RMLX_WINDOW, sizeof(*chain->patches));
    if (!chain->patches)
        return SORTES_E_NOMEM;
    if (list->n == 0)
        return SORTES_OK;
    chain->biases = malloc(list->n * sizeof(*chain->biases));
    spare = malloc(list->n * sizeof(*spare));
    if (chain->biases && spare) {
        memcpy(chain->biases, list->items, list->n * sizeof(*chain->biases));
        chain->n_biases = list->n;
        srt_bias_sort(chain->biases, spare, list->n);
    }
    free(spare);
    return chain->n_biases > 0 ? SORTES_OK : SORTES_E_NOMEM;
}

/* ---- the thinking budget ------------------------------------------------- */

/*
 * The last token of the closing tag; without a tokenizer the one token that is
 * spelt like it.  -1: cannot be encoded, and the budget does nothing.
 */
static int32_t rmlx_close_token(const struct srt_rmlx *chain)
{
    const sortes_vocab *v = chain->vocab;
    const struct srt_think *think = &chain->think;
    int32_t ids[SRT_THINK_TAG + 8];
    struct srt_token_list list = { ids, 0, SRT_COUNT(ids) };

    if (srt_vocab_can_tokenize(v))
        return srt_vocab_tokenize(v, think->end.text, think->end.n, true,
                                  &list) == SORTES_OK &&
                       list.n > 0
                   ? list.ids[list.n - 1]
                   : -1;
    for (size_t i = 0; i < v->n_tokens; i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(v, (int32_t)i, &n);

        if (n == think->end.n && memcmp(piece, think->end.text, n) == 0)
            return (int32_t)i;
    }
    return -1;
}

static sortes_status rmlx_one_tag(const struct sortes_params *p,
                                  enum srt_param_id id, struct srt_text *tag,
                                  sortes_error *err)
{
    const struct srt_string_list *list = srt_strings_in_force(p, id);

    if (list->n != 1)
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "%s: one tag is needed (got %zu)",
                        srt_param_rows[id].name, list->n);
    *tag = (struct srt_text){ list->items[0], list->sizes[0] };
    return SORTES_OK;
}

static sortes_status rmlx_set_budget(struct srt_rmlx *chain, sortes_error *err)
{
    const struct sortes_params *p = chain->params;
    struct srt_text start, end;
    sortes_status status;

    chain->close = -1;
    if (p->thinking_budget < 0)
        return SORTES_OK;
    if (!chain->vocab)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "thinking_budget: needs a vocab, to know the tags");
    status = rmlx_one_tag(p, SRT_PARAM_thinking_start_token, &start, err);
    if (status == SORTES_OK)
        status = rmlx_one_tag(p, SRT_PARAM_thinking_end_token, &end, err);
    if (status == SORTES_OK)
        status = srt_think_init(&chain->think, start, end, err);
    if (status != SORTES_OK)
        return status;
    chain->think.budget = p->thinking_budget;
    chain->think.literal = p->literal_think;
    chain->has_budget = true;
    chain->close = rmlx_close_token(chain);
    return SORTES_OK;
}

/* ---- made ---------------------------------------------------------------- */

static sortes_status rmlx_fill(struct srt_rmlx *chain, const sortes_params *p,
                               sortes_vocab *vocab, sortes_error *err)
{
    sortes_status status = sortes_params_clone(&chain->params, p);

    chain->kernels = srt_kernels();
    chain->vocab = sortes_vocab_retain(vocab);
    srt_window_init(&chain->window, SRT_RMLX_WINDOW);
    if (status == SORTES_OK)
        status = rmlx_copy_biases(chain);
    if (status == SORTES_OK)
        status = srt_window_reserve(&chain->window,
                                    SRT_RMLX_WINDOW + SRT_WINDOW_BEHIND);
    if (status != SORTES_OK)
        return srt_fail(err, status, 0, "sampler: no memory");
    return rmlx_set_budget(chain, err);
}

static sortes_status rmlx_chain_new(void **out, const sortes_params *p,
                                    sortes_vocab *vocab, sortes_error *err)
{
    struct srt_rmlx *chain = calloc(1, sizeof(*chain));
    sortes_status status;

    *out = NULL;
    if (!chain)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    status = rmlx_fill(chain, p, vocab, err);
    if (status != SORTES_OK) {
        rmlx_chain_free(chain);
        return status;
    }
    rmlx_restart(chain);
    *out = chain;
    return SORTES_OK;
}

static sortes_status rmlx_chain_clone(void **out, const void *self)
{
    const struct srt_rmlx *from = self;
    struct srt_rmlx *chain;
    sortes_status status = rmlx_chain_new(out, from->params, from->vocab, NULL);

    if (status != SORTES_OK)
        return status;
    chain = *out;
    *out = NULL;
    status = srt_window_copy(&chain->window, &from->window);
    if (status == SORTES_OK)
        status = srt_constraint_clone(&chain->constraint, &from->constraint);
    if (status != SORTES_OK) {
        rmlx_chain_free(chain);
        return status;
    }
    memcpy(chain->past, from->past, sizeof(chain->past));
    memcpy(chain->origins, from->origins, sizeof(chain->origins));
    chain->state = from->state;
    chain->n_accepted = from->n_accepted;
    chain->n_past = from->n_past;
    chain->kernels = from->kernels;
    chain->reference = from->reference;
    *out = chain;
    return SORTES_OK;
}

static sortes_status rmlx_set_constraint(void *self, const sortes_constraint *c)
{
    struct srt_rmlx *chain = self;
    const sortes_status status = srt_constraint_replace(&chain->constraint, c);

    if (status == SORTES_OK && c)
        chain->n_past = 0; /* it has not seen what was accepted before */
    return status;
}

static sortes_status rmlx_reset(void *self)
{
    struct srt_rmlx *chain = self;
    const sortes_status status = srt_constraint_reset(&chain->constraint);

    if (status != SORTES_OK)
        return status;
    srt_window_clear(&chain->window);
    rmlx_restart(chain);
    return SORTES_OK;
}

static uint64_t rmlx_seed(const void *self)
{
    return ((const struct srt_rmlx *)self)->params->seed;
}

static void rmlx_use_reference(void *self, bool on)
{
    ((struct srt_rmlx *)self)->reference = on;
}

static void rmlx_use_kernels(void *self, const struct srt_kernels *k)
{
    ((struct srt_rmlx *)self)->kernels = k;
}

/* ---- fed ----------------------------------------------------------------- */

static size_t rmlx_past_index(uint64_t n_accepted)
{
    return (size_t)(n_accepted % (SRT_WINDOW_BEHIND + 1));
}

/*
 * A generated token's text counts against the budget.  rMLX ignores what the
 * first token's callback answers, so a budget of 0 is used up and never
 * enforced there.
 */
static void rmlx_think(struct srt_rmlx *chain, int32_t token)
{
    struct srt_think_state *state = &chain->state.think;
    size_t n;
    const char *piece;

    if (!chain->has_budget)
        return;
    piece = sortes_vocab_piece(chain->vocab, token, &n);
    srt_think_step(&chain->think, state, (struct srt_text){ piece, n }, NULL,
                   NULL);
    if (chain->think.literal && chain->state.n_generated == 1)
        (void)srt_think_take_close(state);
}

/* Windows and budget know generated tokens only, forced ones among them. */
static void rmlx_accept_one(struct srt_rmlx *chain, int32_t token,
                            sortes_origin origin)
{
    size_t at;

    if (origin != SORTES_PROMPT) {
        srt_window_push(&chain->window, &token, 1);
        chain->state.n_generated++;
        rmlx_think(chain, token);
    }
    at = rmlx_past_index(++chain->n_accepted);
    chain->past[at] = chain->state;
    chain->origins[at] = origin;
}

static sortes_status rmlx_accept(void *self, const int32_t *tokens, size_t n,
                                 sortes_origin origin)
{
    struct srt_rmlx *chain = self;
    sortes_status status = SORTES_OK;

    if (origin != SORTES_PROMPT && srt_constraint_is_set(&chain->constraint))
        status = srt_constraint_advance(&chain->constraint, tokens, n);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        rmlx_accept_one(chain, tokens[i], origin);
    chain->n_past = n < SRT_WINDOW_BEHIND - chain->n_past ? chain->n_past + n
                                                          : SRT_WINDOW_BEHIND;
    return SORTES_OK;
}

/* What changed the budget beside the tokens outlives a rollback of 0. */
static void rmlx_keep_think(struct srt_rmlx *chain)
{
    chain->past[rmlx_past_index(chain->n_accepted)].think = chain->state.think;
}

/* The answer's opening in the prompt says whether a block is open; it is not
 * counted. */
static sortes_status rmlx_prefill(void *self, const int32_t *tokens, size_t n)
{
    struct srt_rmlx *chain = self;
    sortes_status status = SORTES_OK;

    if (srt_constraint_is_set(&chain->constraint))
        status = srt_constraint_advance(&chain->constraint, tokens, n);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < n && chain->has_budget; i++) {
        struct srt_text piece;

        piece.text = sortes_vocab_piece(chain->vocab, tokens[i], &piece.n);
        srt_think_prompt(&chain->think, &chain->state.think, piece);
    }
    rmlx_keep_think(chain);
    if (n > 0)
        chain->n_past = 0; /* a rollback would have to take it back */
    return SORTES_OK;
}

static sortes_status rmlx_end_reasoning(void *self)
{
    struct srt_rmlx *chain = self;

    if (!chain->has_budget || !srt_think_close_now(&chain->state.think))
        return SORTES_E_ARGUMENT;
    rmlx_keep_think(chain);
    return SORTES_OK;
}

static sortes_status rmlx_rollback(void *self, size_t n)
{
    struct srt_rmlx *chain = self;
    size_t generated = 0;
    sortes_status status;

    if (n > chain->n_past)
        return SORTES_E_LIMIT;
    for (size_t i = 0; i < n; i++)
        generated += chain->origins[rmlx_past_index(chain->n_accepted - i)] !=
                     SORTES_PROMPT;
    status = srt_constraint_rollback(&chain->constraint, generated);
    if (status != SORTES_OK)
        return status;
    srt_window_pop(&chain->window, generated);
    chain->n_accepted -= n;
    chain->n_past -= n;
    chain->state = chain->past[rmlx_past_index(chain->n_accepted)];
    return SORTES_OK;
}

/* ---- asked --------------------------------------------------------------- */

static sortes_status rmlx_sample(void *self, const sortes_row *row,
                                 sortes_draw *draw)
{
    struct srt_rmlx *chain = self;
    struct srt_rmlx_step step = chain->state;
    int32_t token = -1;
    const sortes_status status = srt_rmlx_choose(chain, row, &step, &token);

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

/* ---- speculation --------------------------------------------------------- */

static void *rmlx_state(void *self)
{
    return &((struct srt_rmlx *)self)->state;
}

/* rMLX does not enforce a thinking budget on this path; here it refuses. */
static sortes_status rmlx_open_verify(const void *self, bool *by_residual)
{
    const struct srt_rmlx *chain = self;

    if (!srt_constraint_can_undo(&chain->constraint))
        return SORTES_E_ARGUMENT;
    if (!srt_rmlx_samples(chain))
        *by_residual = false;
    return *by_residual && chain->has_budget ? SORTES_E_ARGUMENT : SORTES_OK;
}

static float rmlx_uniform(void *self)
{
    return srt_pcg32_float(&((struct srt_rmlx *)self)->state.rng);
}

static sortes_status rmlx_pick(void *self, const float *p, size_t n,
                               sortes_draw *draw)
{
    struct srt_rmlx_step *step = &((struct srt_rmlx *)self)->state;
    const int64_t drawn =
        srt_rmlx_inverse_cdf(p, n, srt_pcg32_float(&step->rng), step);

    if (drawn < 0)
        return SORTES_E_NO_TOKEN;
    draw->token = (int32_t)drawn;
    draw->n_candidates = step->n_candidates;
    draw->margin = step->margin;
    return SORTES_OK;
}

static const struct srt_speculation rmlx_speculation = {
    sizeof(struct srt_rmlx_step), rmlx_state, rmlx_open_verify, rmlx_uniform,
    rmlx_pick
};

/* rMLX keeps greedy rows on the device unless something changes them; a forced
 * token is the host's business. */
static bool rmlx_bare_argmax(const void *chain, sortes_argmax *of,
                             const sortes_constraint **c)
{
    const struct srt_rmlx *r = chain;
    const struct sortes_params *p = r->params;

    *of = SORTES_ARGMAX_LOGITS;
    *c = &r->constraint;
    return !srt_rmlx_samples(r) && !r->has_budget && r->n_biases == 0 &&
           p->repetition_penalty == 1.0f && p->presence_penalty == 0.0f &&
           p->frequency_penalty == 0.0f;
}

static const struct srt_param_of rmlx_params[] = {
#include "dialect/rmlx/params.def"
};

const struct srt_dialect srt_dialect_rmlx = {
    .name = "rmlx",
    .identity = "rmlx/2026-08 (host sampler; glibc's expf in place of Apple's)",
    .params = rmlx_params,
    .n_params = SRT_COUNT(rmlx_params),
    .chain_new = rmlx_chain_new,
    .chain_free = rmlx_chain_free,
    .chain_clone = rmlx_chain_clone,
    .set_constraint = rmlx_set_constraint,
    .reset = rmlx_reset,
    .seed = rmlx_seed,
    .use_reference = rmlx_use_reference,
    .use_kernels = rmlx_use_kernels,
    .accept = rmlx_accept,
    .prefill = rmlx_prefill,
    .end_reasoning = rmlx_end_reasoning,
    .rollback = rmlx_rollback,
    .sample = rmlx_sample,
    .distribution = srt_rmlx_distribution,
    .kept = srt_rmlx_kept,
    .probabilities = srt_rmlx_probabilities,
    .logprobs = srt_rmlx_logprobs,
    .explain = srt_rmlx_explain,
    .speculation = &rmlx_speculation,
    .bare_argmax = rmlx_bare_argmax,
};
