/*
 * sampler.c - the life of a sampler; start reading here
 *
 * A sampler is a dialect's chain.  Every entry point checks what it was given,
 * sets the floating-point state where something is computed, and hands over to
 * the dialect; what a step changed is committed by the dialect at its end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constraint.h"
#include "device.h"
#include "dialect/dialect.h"
#include "fp_state.h"
#include "json/number.h"
#include "kernel/kernel.h"
#include "params/params.h"
#include "row.h"
#include "vocab.h"
#include "speculate/verify.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

struct sortes_sampler {
    const struct srt_dialect *dialect;
    void *chain;
    struct srt_device device;
};

/* A word that is one token wakes by that token, as in llama-server. */
static sortes_status sampler_word(const sortes_vocab *v, sortes_trigger *t)
{
    int32_t ids[2];
    struct srt_token_list list = { .ids = ids, .room = SRT_COUNT(ids) };
    const sortes_status status =
        srt_vocab_tokenize(v, t->text, t->n_bytes, true, &list);

    if (status == SORTES_OK && list.n == 1) {
        t->kind = "token";
        t->token = ids[0];
    }
    return status == SORTES_E_LIMIT ? SORTES_OK : status;
}

/* "token:12", "word:x", "pattern:x". */
static sortes_status sampler_trigger(const char *text, size_t n,
                                     const sortes_vocab *v, sortes_trigger *t)
{
    static const char *const kinds[] = { "token", "word", "pattern" };
    uint64_t token;

    for (size_t i = 0; i < SRT_COUNT(kinds); i++) {
        const size_t length = strlen(kinds[i]);

        if (n <= length || memcmp(text, kinds[i], length) != 0 ||
            text[length] != ':')
            continue;
        *t =
            (sortes_trigger){ kinds[i], text + length + 1, n - length - 1, -1 };
        if (i == 1)
            return sampler_word(v, t);
        if (i == 0 && (!srt_whole_from_text(t->text, t->n_bytes, &token) ||
                       token > INT32_MAX))
            return SORTES_E_RANGE;
        if (i == 0)
            t->token = (int32_t)token;
        return SORTES_OK;
    }
    return SORTES_E_RANGE;
}

static sortes_status sampler_put_to_sleep(sortes_matcher *m,
                                          const sortes_params *p,
                                          const sortes_vocab *v,
                                          sortes_error *err)
{
    const struct srt_string_list *list = &p->grammar_triggers;
    sortes_trigger *triggers = calloc(list->n + 1, sizeof(*triggers));
    sortes_status status = SORTES_OK;

    if (!triggers)
        return srt_fail(err, SORTES_E_NOMEM, 0, "grammar_triggers: no memory");
    if (p->reasoning_budget_start_tag.n > 0)
        status = srt_fail(err, SORTES_E_NAME, 0,
                          "grammar_lazy: not supported together with "
                          "reasoning_budget_start_tag");
    for (size_t i = 0; i < list->n && status == SORTES_OK; i++) {
        status =
            sampler_trigger(list->items[i], list->sizes[i], v, &triggers[i]);
        if (status != SORTES_OK)
            status = srt_fail(err, status, 0,
                              status == SORTES_E_NAME
                                  ? "grammar_triggers: a word needs a vocab "
                                    "with a tokenizer"
                                  : "grammar_triggers: '%s' is not token:ID, "
                                    "word:TEXT or pattern:REGEX",
                              list->items[i]);
    }
    if (status == SORTES_OK)
        status = sortes_matcher_trigger(m, triggers, list->n, err);
    free(triggers);
    return status;
}

/* The grammar of a request becomes the sampler's constraint. */
static sortes_status sampler_take_grammar(sortes_sampler *s,
                                          const sortes_params *p,
                                          sortes_vocab *v, sortes_error *err)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .form = "literal" };
    sortes_constraint constraint;
    sortes_grammar *g;
    sortes_matcher *m;
    sortes_status status;

    if (p->grammar.n == 0)
        return SORTES_OK;
    if (!v)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "grammar: it needs a vocab, and none was given");
    status = sortes_grammar_new(&g, "gbnf", p->grammar.items[0],
                                p->grammar.sizes[0], &options, err);
    if (status != SORTES_OK)
        return status;
    status = sortes_matcher_new(&m, g, v, err);
    sortes_grammar_free(g);
    if (status != SORTES_OK)
        return status;
    if (p->grammar_lazy)
        status = sampler_put_to_sleep(m, p, v, err);
    if (status == SORTES_OK) {
        status = sortes_matcher_constraint(m, &constraint);
        if (status == SORTES_OK)
            status = s->dialect->set_constraint(s->chain, &constraint);
        if (status != SORTES_OK)
            status = srt_fail(err, status, 0, "grammar: it cannot be used");
    }
    sortes_matcher_free(m);
    return status;
}

sortes_status sortes_sampler_new(sortes_sampler **out, const sortes_params *p,
                                 sortes_vocab *v, sortes_error *err)
{
    struct srt_fp_state fp;
    sortes_sampler *s;
    sortes_status status;

    if (out)
        *out = NULL;
    if (!out || !p)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sampler: NULL where an object is needed");
    s = calloc(1, sizeof(*s));
    if (!s)
        return srt_fail(err, SORTES_E_NOMEM, 0, "sampler: no memory");
    s->dialect = p->dialect;
    fp = srt_fp_begin();
    status = s->dialect->chain_new(&s->chain, p, v, err);
    srt_fp_end(fp);
    if (status != SORTES_OK) {
        free(s);
        return status;
    }
    status = sampler_take_grammar(s, p, v, err);
    if (status != SORTES_OK) {
        sortes_sampler_free(s);
        return status;
    }
    *out = s;
    return srt_ok(err);
}

void sortes_sampler_free(sortes_sampler *s)
{
    if (!s)
        return;
    s->dialect->chain_free(s->chain);
    srt_device_free(&s->device);
    free(s);
}

sortes_status sortes_sampler_clone(sortes_sampler **out,
                                   const sortes_sampler *s)
{
    struct srt_fp_state fp;
    sortes_sampler *copy;
    sortes_status status;

    if (out)
        *out = NULL;
    if (!out || !s)
        return SORTES_E_ARGUMENT;
    copy = calloc(1, sizeof(*copy));
    if (!copy)
        return SORTES_E_NOMEM;
    copy->dialect = s->dialect;
    fp = srt_fp_begin();
    status = s->dialect->chain_clone(&copy->chain, s->chain);
    srt_fp_end(fp);
    if (status != SORTES_OK) {
        free(copy);
        return status;
    }
    (void)srt_device_set(
        &copy->device, srt_device_is_set(&s->device) ? &s->device.calls : NULL);
    *out = copy;
    return SORTES_OK;
}

sortes_status sortes_sampler_reset(sortes_sampler *s)
{
    struct srt_fp_state fp;
    sortes_status status;

    if (!s)
        return SORTES_E_ARGUMENT;
    srt_device_forget(&s->device);
    fp = srt_fp_begin();
    status = s->dialect->reset(s->chain);
    srt_fp_end(fp);
    return status;
}

uint64_t sortes_sampler_seed(const sortes_sampler *s)
{
    return s ? s->dialect->seed(s->chain) : 0;
}

void sortes_sampler_use_reference(sortes_sampler *s, int on)
{
    if (s)
        s->dialect->use_reference(s->chain, on != 0);
}

sortes_status sortes_sampler_use_kernels(sortes_sampler *s, const char *name)
{
    const struct srt_kernels *k;

    if (!s || !name)
        return SORTES_E_ARGUMENT;
    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++) {
        if (strcmp(k->name, name) == 0) {
            s->dialect->use_kernels(s->chain, k);
            return SORTES_OK;
        }
    }
    return SORTES_E_NAME;
}

static bool sampler_tokens_are_good(const int32_t *tokens, size_t n)
{
    if (n > 0 && !tokens)
        return false;
    for (size_t i = 0; i < n; i++)
        if (tokens[i] < 0)
            return false;
    return true;
}

sortes_status sortes_sampler_accept(sortes_sampler *s, const int32_t *tokens,
                                    size_t n, sortes_origin origin)
{
    struct srt_fp_state fp;
    sortes_status status;

    if (!s || !sampler_tokens_are_good(tokens, n))
        return SORTES_E_ARGUMENT;
    if (origin != SORTES_PROMPT && origin != SORTES_GENERATED &&
        origin != SORTES_FORCED)
        return SORTES_E_ARGUMENT;
    srt_device_forget(&s->device);
    fp = srt_fp_begin();
    status = s->dialect->accept(s->chain, tokens, n, origin);
    srt_fp_end(fp);
    return status;
}

sortes_status sortes_sampler_prefill(sortes_sampler *s, const int32_t *tokens,
                                     size_t n)
{
    if (!s || !sampler_tokens_are_good(tokens, n))
        return SORTES_E_ARGUMENT;
    return s->dialect->prefill(s->chain, tokens, n);
}

sortes_status sortes_sampler_end_reasoning(sortes_sampler *s)
{
    return s ? s->dialect->end_reasoning(s->chain) : SORTES_E_ARGUMENT;
}

sortes_status sortes_sampler_set_constraint(sortes_sampler *s,
                                            const sortes_constraint *c)
{
    return s ? s->dialect->set_constraint(s->chain, c) : SORTES_E_ARGUMENT;
}

sortes_status sortes_sampler_rollback(sortes_sampler *s, size_t n)
{
    if (!s)
        return SORTES_E_ARGUMENT;
    srt_device_forget(&s->device);
    return s->dialect->rollback(s->chain, n);
}

sortes_status sortes_sampler_set_device(sortes_sampler *s,
                                        const sortes_device *d)
{
    return s ? srt_device_set(&s->device, d) : SORTES_E_ARGUMENT;
}

/* The device's answer; SORTES_E_NAME: it has none, and the row must come. */
static sortes_status sampler_argmax(sortes_sampler *s, const sortes_row *row,
                                    sortes_draw *draw)
{
    const sortes_device *d = &s->device.calls;
    const sortes_constraint *c;
    sortes_draw found = { .n_candidates = 1, .margin = 1.0 };
    struct srt_scratch *scratch = NULL;
    sortes_argmax of;
    sortes_status status = SORTES_OK;

    if (!d->argmax || row->type == SORTES_F16 || !s->dialect->bare_argmax ||
        !s->dialect->bare_argmax(s->chain, &of, &c))
        return SORTES_E_NAME;
    if (srt_constraint_is_set(c)) {
        scratch = srt_scratch_get(row->n);
        if (!scratch)
            return SORTES_E_NOMEM;
        status = srt_constraint_mask(c, row->n, scratch->keys);
    }
    if (status == SORTES_OK)
        status = d->argmax(d->ctx, row, of, scratch ? scratch->keys : NULL,
                           &found.token);
    if (status == SORTES_OK)
        *draw = found;
    return status;
}

sortes_status sortes_sampler_sample(sortes_sampler *s, const sortes_row *row,
                                    sortes_draw *draw)
{
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || !draw || srt_row_check(row) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    if (srt_device_is_set(&s->device)) {
        status = sampler_argmax(s, row, draw);
        if (status != SORTES_E_NAME)
            return status;
    }
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->sample(s->chain, &here, draw);
    srt_fp_end(fp);
    return status;
}

/* Rows, distributions and proposals that make sense; values are not read. */
static bool sampler_verifies(const struct srt_verify *v)
{
    if (!v->target || !v->out || (v->n > 0 && !v->proposed))
        return false;
    for (size_t i = 0; i <= v->n; i++)
        if (srt_row_check(&v->target[i]) != SORTES_OK)
            return false;
    for (size_t i = 0; i < v->n; i++)
        if (v->proposed[i] < 0 || (size_t)v->proposed[i] >= v->target[i].n ||
            (v->draft && !v->draft[i]))
            return false;
    return true;
}

sortes_status sortes_sampler_verify(sortes_sampler *s, const sortes_row *target,
                                    const float *const *draft,
                                    const int32_t *proposed, size_t n,
                                    sortes_draw *out, size_t *n_out)
{
    struct srt_verify v = { NULL, NULL, target, draft, proposed, n, out };
    struct srt_fp_state fp;
    sortes_status status;

    if (!s || !n_out)
        return SORTES_E_ARGUMENT;
    if (n > SRT_VERIFY_MOST)
        return SORTES_E_LIMIT;
    if (!sampler_verifies(&v) || srt_device_is_set(&s->device))
        return SORTES_E_ARGUMENT;
    v.dialect = s->dialect;
    v.chain = s->chain;
    fp = srt_fp_begin();
    status = srt_verify(&v, n_out);
    srt_fp_end(fp);
    return status;
}

sortes_status sortes_sampler_distribution(sortes_sampler *s,
                                          const sortes_row *row,
                                          float *probabilities)
{
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || !probabilities || srt_row_check(row) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->distribution(s->chain, &here, probabilities);
    srt_fp_end(fp);
    return status;
}

sortes_status sortes_sampler_kept(sortes_sampler *s, const sortes_row *row,
                                  int32_t *tokens, float *probabilities,
                                  size_t room, size_t *n)
{
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || !n || srt_row_check(row) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->kept(s->chain, &here, tokens, probabilities, room, n);
    srt_fp_end(fp);
    return status;
}

sortes_status sortes_sampler_probabilities(sortes_sampler *s,
                                           const sortes_row *row,
                                           sortes_probability *top, size_t k,
                                           size_t *n, sortes_probability *drawn)
{
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || !n || (k > 0 && !top) || srt_row_check(row) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->probabilities(s->chain, &here, top, k, n, drawn);
    srt_fp_end(fp);
    return status;
}

sortes_status sortes_sampler_logprobs(sortes_sampler *s, const sortes_row *row,
                                      sortes_logprob_mode mode, int32_t token,
                                      sortes_logprob *top, size_t k,
                                      float *logprob)
{
    const struct srt_logprob_query query = { mode, token, top, k, logprob };
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || srt_row_check(row) != SORTES_OK || (k > 0 && !top))
        return SORTES_E_ARGUMENT;
    if (logprob && (token < 0 || (size_t)token >= row->n))
        return SORTES_E_ARGUMENT;
    if (mode != SORTES_LOGPROBS_RAW && mode != SORTES_LOGPROBS_TEMPERATURE &&
        mode != SORTES_LOGPROBS_PROCESSED)
        return SORTES_E_ARGUMENT;
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->logprobs(s->chain, &here, &query);
    srt_fp_end(fp);
    return status;
}

sortes_status
sortes_sampler_explain(sortes_sampler *s, const sortes_row *row,
                       void (*look)(void *ctx, const sortes_stage_view *view),
                       void *ctx)
{
    struct srt_fp_state fp;
    sortes_status status;
    sortes_row here;

    if (!s || !look || srt_row_check(row) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    status = srt_device_row(&s->device, row, &here);
    if (status != SORTES_OK)
        return status;
    fp = srt_fp_begin();
    status = s->dialect->explain(s->chain, &here, look, ctx);
    srt_fp_end(fp);
    return status;
}
