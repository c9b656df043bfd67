/*
 * chain.c - the life of an mlx-lm chain: made, fed, asked, taken back
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"

#include "random/entropy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* mlx-lm's "context size 0" is tokens[-0:], all of them; more than a sequence
 * can have here. */
enum { MLXLM_ALL = INT32_MAX };

/* Windows up to this long get all their memory when the chain is made; longer
 * ones grow in accept(). */
enum { MLXLM_WINDOW_READY = 1024 };

static size_t mlxlm_past(uint64_t n_accepted)
{
    return (size_t)(n_accepted % (SRT_WINDOW_BEHIND + 1));
}

/* MLX seeds itself from the clock where nobody does. */
static void mlxlm_restart(struct srt_mlxlm *m)
{
    m->seed = m->params->seed;
    if (m->params->source[SRT_PARAM_seed] == SORTES_FROM_DEFAULT)
        m->seed = (uint64_t)srt_entropy32() << 32 | srt_entropy32();
    m->now = (struct srt_mlxlm_step){ .state = srt_threefry_seed(m->seed) };
    m->n_accepted = 0;
    m->n_past = 0;
    m->past[0] = m->now.state;
}

static void mlxlm_free(void *chain)
{
    struct srt_mlxlm *m = chain;

    if (!m)
        return;
    srt_constraint_drop(&m->constraint);
    sortes_params_free(m->params);
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        srt_window_free(&m->window[i]);
    free(m);
}

/* A window only where its penalty is on; mlx-lm leaves out the others. */
static sortes_status mlxlm_open_windows(struct srt_mlxlm *m)
{
    const struct sortes_params *p = m->params;
    const struct {
        float penalty;
        int32_t context;
    } rows[SRT_MLXLM_PENALTIES] = {
        { p->repetition_penalty, p->repetition_context_size },
        { p->presence_penalty, p->presence_context_size },
        { p->frequency_penalty, p->frequency_context_size },
    };

    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++) {
        const int32_t context =
            rows[i].context > 0 ? rows[i].context : MLXLM_ALL;
        const size_t limit = rows[i].penalty != 0.0f ? (size_t)context : 0;
        const size_t ready =
            limit < MLXLM_WINDOW_READY ? limit : MLXLM_WINDOW_READY;

        srt_window_init(&m->window[i], limit);
        if (srt_window_reserve(&m->window[i], ready + SRT_WINDOW_BEHIND) !=
            SORTES_OK)
            return SORTES_E_NOMEM;
    }
    return SORTES_OK;
}

static sortes_status mlxlm_new(void **out, const sortes_params *p,
                               sortes_vocab *vocab, sortes_error *err)
{
    struct srt_mlxlm *m;
    sortes_status status;

    (void)vocab; /* nothing here speaks of words */
    *out = NULL;
    m = calloc(1, sizeof(*m));
    if (!m)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    m->kernels = srt_kernels();
    status = srt_mlxlm_settle(m->settings, p, err);
    if (status == SORTES_OK) {
        status = sortes_params_clone(&m->params, p);
        if (status == SORTES_OK)
            status = mlxlm_open_windows(m);
        if (status != SORTES_OK)
            status = srt_fail(err, status, 0, "sampler: no memory");
    }
    if (status != SORTES_OK) {
        mlxlm_free(m);
        return status;
    }
    mlxlm_restart(m);
    *out = m;
    return SORTES_OK;
}

static sortes_status mlxlm_copy_state(struct srt_mlxlm *to,
                                      const struct srt_mlxlm *from)
{
    sortes_status status =
        srt_constraint_clone(&to->constraint, &from->constraint);

    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES && status == SORTES_OK; i++)
        status = srt_window_copy(&to->window[i], &from->window[i]);
    if (status != SORTES_OK)
        return status;
    to->seed = from->seed;
    to->now = from->now;
    memcpy(to->past, from->past, sizeof(to->past));
    memcpy(to->origins, from->origins, sizeof(to->origins));
    to->n_accepted = from->n_accepted;
    to->n_past = from->n_past;
    to->kernels = from->kernels;
    to->reference = from->reference;
    return SORTES_OK;
}

static sortes_status mlxlm_clone(void **out, const void *chain)
{
    const struct srt_mlxlm *from = chain;
    void *copy;
    sortes_status status = mlxlm_new(&copy, from->params, NULL, NULL);

    *out = NULL;
    if (status != SORTES_OK)
        return status;
    status = mlxlm_copy_state(copy, from);
    if (status != SORTES_OK) {
        mlxlm_free(copy);
        return status;
    }
    *out = copy;
    return SORTES_OK;
}

static sortes_status mlxlm_set_constraint(void *chain,
                                          const sortes_constraint *c)
{
    struct srt_mlxlm *m = chain;
    const sortes_status status = srt_constraint_replace(&m->constraint, c);

    if (status == SORTES_OK && c)
        m->n_past = 0; /* it has not seen what was accepted before */
    return status;
}

static sortes_status mlxlm_reset(void *chain)
{
    struct srt_mlxlm *m = chain;
    const sortes_status status = srt_constraint_reset(&m->constraint);

    if (status != SORTES_OK)
        return status;
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        srt_window_clear(&m->window[i]);
    mlxlm_restart(m);
    return SORTES_OK;
}

static uint64_t mlxlm_seed(const void *chain)
{
    return ((const struct srt_mlxlm *)chain)->seed;
}

static void mlxlm_use_reference(void *chain, bool on)
{
    ((struct srt_mlxlm *)chain)->reference = on;
}

static void mlxlm_use_kernels(void *chain, const struct srt_kernels *k)
{
    ((struct srt_mlxlm *)chain)->kernels = k;
}

/* mlx-lm's history is the prompt and all that came after it. */
static sortes_status mlxlm_accept(void *chain, const int32_t *tokens, size_t n,
                                  sortes_origin origin)
{
    struct srt_mlxlm *m = chain;
    sortes_status status = SORTES_OK;

    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES && status == SORTES_OK; i++)
        status = srt_window_reserve(&m->window[i], n);
    if (status == SORTES_OK && origin != SORTES_PROMPT &&
        srt_constraint_is_set(&m->constraint))
        status = srt_constraint_advance(&m->constraint, tokens, n);
    if (status != SORTES_OK)
        return status;
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        srt_window_push(&m->window[i], tokens, n);
    for (size_t i = 0; i < n; i++) {
        const size_t at = mlxlm_past(++m->n_accepted);

        m->past[at] = m->now.state;
        m->origins[at] = origin;
    }
    m->n_past =
        n < SRT_WINDOW_BEHIND - m->n_past ? m->n_past + n : SRT_WINDOW_BEHIND;
    return SORTES_OK;
}

static sortes_status mlxlm_prefill(void *chain, const int32_t *tokens, size_t n)
{
    struct srt_mlxlm *m = chain;
    sortes_status status = SORTES_OK;

    if (srt_constraint_is_set(&m->constraint))
        status = srt_constraint_advance(&m->constraint, tokens, n);
    if (status == SORTES_OK && n > 0)
        m->n_past = 0; /* the windows cannot tell what to take back */
    return status;
}

/* mlx-lm knows no reasoning budget. */
static sortes_status mlxlm_end_reasoning(void *chain)
{
    (void)chain;
    return SORTES_E_ARGUMENT;
}

static sortes_status mlxlm_rollback(void *chain, size_t n)
{
    struct srt_mlxlm *m = chain;
    size_t generated = 0;
    sortes_status status;

    if (n > m->n_past)
        return SORTES_E_LIMIT;
    for (size_t i = 0; i < n; i++)
        generated += m->origins[mlxlm_past(m->n_accepted - i)] != SORTES_PROMPT;
    status = srt_constraint_rollback(&m->constraint, generated);
    if (status != SORTES_OK)
        return status;
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        if (m->window[i].limit > 0)
            srt_window_pop(&m->window[i], n);
    m->n_accepted -= n;
    m->n_past -= n;
    m->now.state = m->past[mlxlm_past(m->n_accepted)];
    return SORTES_OK;
}

static sortes_status mlxlm_sample(void *chain, const sortes_row *row,
                                  sortes_draw *draw)
{
    struct srt_mlxlm *m = chain;
    struct srt_mlxlm_step step = m->now;
    int32_t token = -1;
    const sortes_status status = m->reference
                                     ? srt_mlxlm_run(m, row, &step, &token)
                                     : srt_mlxlm_plan(m, row, &step, &token);

    if (status != SORTES_OK)
        return status;
    m->now = step;
    *draw = (sortes_draw){ 0 };
    draw->token = token;
    draw->n_candidates = step.n_candidates;
    draw->margin = step.margin;
    return SORTES_OK;
}

static void *mlxlm_state(void *chain)
{
    return &((struct srt_mlxlm *)chain)->now;
}

/* mlx-lm compares tokens; it has no acceptance by residual. */
static sortes_status mlxlm_open_verify(const void *chain, bool *by_residual)
{
    const struct srt_mlxlm *m = chain;

    return *by_residual || !srt_constraint_can_undo(&m->constraint)
               ? SORTES_E_ARGUMENT
               : SORTES_OK;
}

static const struct srt_speculation mlxlm_speculation = {
    .n_state = sizeof(struct srt_mlxlm_step),
    .state = mlxlm_state,
    .open = mlxlm_open_verify,
};

/* Greedy is an argmax of log-probabilities. */
static bool mlxlm_bare_argmax(const void *chain, sortes_argmax *of,
                              const sortes_constraint **c)
{
    const struct srt_mlxlm *m = chain;

    *of = SORTES_ARGMAX_LOGPROBS;
    *c = &m->constraint;
    return m->settings[0].greedy && !srt_mlxlm_processes(m);
}

static const struct srt_param_of mlxlm_params[] = {
#include "dialect/mlxlm/params.def"
};

const struct srt_dialect srt_dialect_mlxlm = {
    .name = "mlx-lm",
    .identity = "mlx-lm/0.32 (mlx 0.32, Linux CPU)",
    .params = mlxlm_params,
    .n_params = SRT_COUNT(mlxlm_params),
    .chain_new = mlxlm_new,
    .chain_free = mlxlm_free,
    .chain_clone = mlxlm_clone,
    .set_constraint = mlxlm_set_constraint,
    .reset = mlxlm_reset,
    .seed = mlxlm_seed,
    .use_reference = mlxlm_use_reference,
    .use_kernels = mlxlm_use_kernels,
    .accept = mlxlm_accept,
    .prefill = mlxlm_prefill,
    .end_reasoning = mlxlm_end_reasoning,
    .rollback = mlxlm_rollback,
    .sample = mlxlm_sample,
    .distribution = srt_mlxlm_distribution,
    .kept = srt_mlxlm_kept,
    .probabilities = srt_mlxlm_probabilities,
    .logprobs = srt_mlxlm_logprobs,
    .explain = srt_mlxlm_explain,
    .speculation = &mlxlm_speculation,
    .bare_argmax = mlxlm_bare_argmax,
};
