/*
 * stages.c - live: every sampler of llama.cpp, in any order, against libllama
 *
 * Random chains of random samplers with random parameters, repeats and ties:
 * after every stage ids, logit bits, p bits, size, sorted and selected must be
 * equal (a NaN equals any NaN), then the tokens of several draws, taken by the
 * plans and by the literal stages.  DRY and infill run with the vocabulary of
 * SORTES_MODEL.  With --long: nine million draws.
 *
 * SPDX-License-Identifier: MIT
 */
#include "llama.h"
#include "llama_vocab.h"
#include "oracle/listed.h"
#include "sortes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ROW = 151936 };

struct totals {
    uint64_t cases, stages, draws, refused, different;
};

struct world {
    const struct llama_vocab *llama; /* NULL: no model */
    sortes_vocab *sortes;
    float *x;
    llama_token_data *data;
    struct totals totals;
};

static void die(const char *what)
{
    fprintf(stderr, "oracle/stages: %s\n", what);
    exit(1);
}

/* ---- cases --------------------------------------------------------------- */

static void random_settings(struct listed *s, struct rows_random *r,
                            const struct world *w, bool long_run)
{
    static const size_t sizes[] = { 1,    2,    3,    7,    16,    17,    40,
                                    100,  128,  129,  130,  300,   1000,  1024,
                                    1025, 1500, 2500, 5000, 32000, 151936 };
    const bool has_vocab = w->llama && rows_below(r, long_run ? 200 : 12) == 0;

    s->n = sizes[rows_below(r, long_run ? 13 : 20)];
    if (has_vocab)
        s->n = (size_t)llama_vocab_n_tokens(w->llama);
    s->kind = (enum rows_kind)rows_below(r, ROWS_N_KINDS);
    s->row_seed = rows_bits(r);
    s->seed = (uint32_t)rows_bits(r) & 0x7fffffffu;
    listed_random_values(&s->v, r);
    listed_random_list(s, r, has_vocab);
    if (strchr(s->list, 'i') && (s->v.top_k == 0 || s->v.top_k > 128))
        s->v.top_k = 40;
    s->n_history = rows_below(r, LISTED_HISTORY);
    for (size_t i = 0; i < s->n_history; i++)
        s->history[i] = (int32_t)rows_below(r, s->n < 12 ? s->n : 12);
}

static void print_settings(const struct listed *s)
{
    const struct listed_values *v = &s->v;

    fprintf(stderr,
            "  n %zu kind %s row_seed %llu seed %u list '%s' temp %g top_k %d "
            "top_p %g min_p %g typ %g nsigma %g xtc %g/%g dyn %g/%g rep "
            "%d/%g/%g/%g dry %g/%g/%d/%d miro %d/%g/%g adapt %g/%g keep %d "
            "history %zu\n",
            s->n, rows_kind_name(s->kind), (unsigned long long)s->row_seed,
            s->seed, s->list, (double)v->temperature, v->top_k,
            (double)v->top_p, (double)v->min_p, (double)v->typical_p,
            (double)v->top_n_sigma, (double)v->xtc_probability,
            (double)v->xtc_threshold, (double)v->dynatemp_range,
            (double)v->dynatemp_exponent, v->repeat_last_n,
            (double)v->repeat_penalty, (double)v->frequency_penalty,
            (double)v->presence_penalty, (double)v->dry_multiplier,
            (double)v->dry_base, v->dry_allowed_length, v->dry_penalty_last_n,
            v->mirostat, (double)v->mirostat_tau, (double)v->mirostat_eta,
            (double)v->adaptive_target, (double)v->adaptive_decay, v->min_keep,
            s->n_history);
}

/* ---- sortes's chain ------------------------------------------------------ */

static void set_values(sortes_params *p, const struct listed_values *v)
{
#define NUMBER(name)                                                           \
    if (sortes_params_set_number(p, #name, (double)v->name, NULL) !=           \
        SORTES_OK)                                                             \
    die("cannot set " #name)
    NUMBER(temperature);
    NUMBER(top_p);
    NUMBER(min_p);
    NUMBER(typical_p);
    NUMBER(top_n_sigma);
    NUMBER(xtc_probability);
    NUMBER(xtc_threshold);
    NUMBER(dynatemp_range);
    NUMBER(dynatemp_exponent);
    NUMBER(repeat_penalty);
    NUMBER(frequency_penalty);
    NUMBER(presence_penalty);
    NUMBER(dry_multiplier);
    NUMBER(dry_base);
    NUMBER(mirostat_tau);
    NUMBER(mirostat_eta);
    NUMBER(adaptive_target);
    NUMBER(adaptive_decay);
    NUMBER(top_k);
    NUMBER(min_keep);
    NUMBER(repeat_last_n);
    NUMBER(dry_allowed_length);
    NUMBER(dry_penalty_last_n);
    NUMBER(mirostat);
#undef NUMBER
}

static sortes_sampler *make_sortes(const struct listed *s,
                                   const struct world *w)
{
    sortes_error err = { 0 };
    sortes_sampler *sampler = NULL;
    sortes_params *p;
    char list[512] = "";

    if (sortes_params_new(&p, "llama.cpp", &err) != SORTES_OK)
        die(err.text);
    set_values(p, &s->v);
    for (const char *l = s->list; *l; l++) {
        if (l > s->list)
            strcat(list, ";");
        strcat(list, listed_name(*l));
    }
    if (sortes_params_set_seed(p, s->seed, &err) != SORTES_OK ||
        sortes_params_set_text(p, "samplers", list, &err) != SORTES_OK ||
        sortes_sampler_new(&sampler, p, w->sortes, &err) != SORTES_OK)
        die(err.text);
    sortes_params_free(p);
    return sampler;
}

/* ---- comparison ---------------------------------------------------------- */

struct comparison {
    const struct listed *settings;
    struct listed_chain *chain;
    llama_token_data_array array;
    size_t next;
    struct totals *totals;
    bool same;
};

static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static void differ(struct comparison *c, const char *what, size_t at)
{
    if (!c->same)
        return;
    c->same = false;
    fprintf(stderr, "DIFFERENT after stage %zu ('%c' of '%s'): %s at %zu\n",
            c->next, c->next ? c->chain->letter[c->next - 1] : '-',
            c->chain->letter, what, at);
    print_settings(c->settings);
}

/* libllama goes on with NaN where sortes may refuse; nothing else is refused.
 */
static bool refuse(struct comparison *c, struct world *w, sortes_status status)
{
    w->totals.refused++;
    if (status != SORTES_E_NO_TOKEN && status != SORTES_E_NOT_FINITE)
        differ(c, sortes_status_name(status), 0);
    return false;
}

static void look(void *ctx, const sortes_stage_view *view)
{
    struct comparison *c = ctx;

    if (!c->same)
        return;
    if (strcmp(view->stage, "logits") != 0) {
        if (c->next == c->chain->n) {
            differ(c, view->stage, 0);
            return;
        }
        llama_sampler_apply(c->chain->stage[c->next++], &c->array);
    }
    c->totals->stages++;
    if (c->array.size != view->n) {
        differ(c, "size", view->n);
        return;
    }
    if (c->array.sorted != (view->sorted != 0))
        differ(c, "sorted", 0);
    if (c->array.selected != view->selected)
        differ(c, "selected", (size_t)view->selected);
    for (size_t i = 0; i < view->n && c->same; i++) {
        const llama_token_data *d = &c->array.data[i];

        if (d->id != view->token[i])
            differ(c, "id", i);
        else if (!same_float(d->logit, view->logit[i]))
            differ(c, "logit", i);
        else if (!same_float(d->p, view->p[i]))
            differ(c, "p", i);
    }
}

/* The stages of the step that comes next; libllama's samplers are moved by
 * it, and so are ours by the draw that follows. */
static bool compare_step(struct comparison *c, sortes_sampler *plan,
                         sortes_sampler *reference, struct world *w)
{
    const sortes_row row = { w->x, c->settings->n, SORTES_F32 };
    sortes_draw a = { 0 }, b = { 0 };
    sortes_status sa, sb, status;
    llama_token want;

    c->array = beside_fill(w->data, w->x, row.n);
    c->next = 0;
    status = sortes_sampler_explain(reference, &row, look, c);
    if (status == SORTES_OK && c->same && c->next != c->chain->n)
        differ(c, "a stage is missing", 0);
    sa = sortes_sampler_sample(plan, &row, &a);
    sb = sortes_sampler_sample(reference, &row, &b);
    if (sa != sb || sa != status || memcmp(&a, &b, sizeof(a)) != 0) {
        fprintf(stderr, "plan %s %d %llu %a, reference %s %d %llu %a\n",
                sortes_status_name(sa), a.token,
                (unsigned long long)a.n_candidates, a.margin,
                sortes_status_name(sb), b.token,
                (unsigned long long)b.n_candidates, b.margin);
        differ(c, "plan and reference", 0);
    }
    if (!c->same)
        return false;
    if (status != SORTES_OK)
        return refuse(c, w, status);
    w->totals.draws++;
    want = c->array.data[c->array.selected].id;
    if (want != a.token)
        differ(c, "token", (size_t)a.token);
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    (void)sortes_sampler_accept(reference, &want, 1, SORTES_GENERATED);
    beside_accept(c->chain->stage, c->chain->n, &want, 1);
    return c->same;
}

/* A step that goes by the token alone: ours by the plan, theirs whole. */
static bool compare_token(struct comparison *c, sortes_sampler *plan,
                          struct world *w)
{
    const sortes_row row = { w->x, c->settings->n, SORTES_F32 };
    sortes_draw draw = { 0 };
    const sortes_status status = sortes_sampler_sample(plan, &row, &draw);
    llama_token want;

    if (status != SORTES_OK)
        return refuse(c, w, status);
    c->array = beside_fill(w->data, w->x, row.n);
    for (size_t i = 0; i < c->chain->n; i++)
        llama_sampler_apply(c->chain->stage[i], &c->array);
    c->next = c->chain->n;
    w->totals.draws++;
    want = c->array.data[c->array.selected].id;
    if (want != draw.token)
        differ(c, "token", (size_t)draw.token);
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    beside_accept(c->chain->stage, c->chain->n, &want, 1);
    return c->same;
}

static bool run_case(const struct listed *s, struct world *w, bool long_run)
{
    struct listed_chain chain;
    struct comparison c = { s, &chain, { 0 }, 0, &w->totals, true };
    sortes_sampler *plan = make_sortes(s, w), *reference;
    bool go_on = true;

    listed_chain_make(&chain, s, w->llama);
    if (sortes_sampler_clone(&reference, plan) != SORTES_OK ||
        sortes_sampler_accept(plan, s->history, s->n_history, SORTES_PROMPT) ||
        sortes_sampler_accept(reference, s->history, s->n_history,
                              SORTES_PROMPT))
        die("cannot prepare the samplers");
    sortes_sampler_use_reference(reference, 1);
    beside_accept(chain.stage, chain.n, s->history, s->n_history);
    for (uint64_t i = 0; i < 3 && go_on; i++) {
        rows_fill(w->x, s->n, s->kind, s->row_seed + i);
        go_on = compare_step(&c, plan, reference, w);
    }
    for (uint64_t i = 3; long_run && go_on && i < 256; i++) {
        if (i % 16 == 0)
            rows_fill(w->x, s->n, s->kind, s->row_seed + i);
        go_on = compare_token(&c, plan, w);
    }
    listed_chain_free(&chain);
    sortes_sampler_free(plan);
    sortes_sampler_free(reference);
    w->totals.cases++;
    w->totals.different += !c.same;
    return c.same;
}

/* ---- the vocabulary ------------------------------------------------------ */

static void load_vocab(struct world *w, const char *path)
{
    struct llama_model_params params = llama_model_default_params();
    struct llama_model *model;

    params.vocab_only = true;
    model = llama_model_load_from_file(path, params);
    if (!model)
        die("cannot load SORTES_MODEL");
    w->llama = llama_model_get_vocab(model);
    if (engine_llama_vocab(&w->sortes, w->llama, NULL) != SORTES_OK)
        die("cannot make the vocab");
}

int main(int argc, char **argv)
{
    const bool long_run = argc > 1 && strcmp(argv[1], "--long") == 0;
    const char *model = getenv("SORTES_MODEL");
    uint64_t cases = long_run ? UINT64_MAX : 3000;
    uint64_t draws = UINT64_MAX;
    struct rows_random r = { 4711 };
    struct world w = { 0 };

    w.x = calloc(LONGEST_ROW, sizeof(*w.x));
    w.data = calloc(LONGEST_ROW, sizeof(*w.data));
    llama_log_set(beside_quiet, NULL);
    if (!w.x || !w.data)
        die("no memory");
    if (!model || !*model)
        die("SORTES_MODEL names no GGUF: run `make deps`");
    load_vocab(&w, model);
    if (long_run)
        draws = argc > 2 ? strtoull(argv[2], NULL, 10) : 9000000;
    else if (argc > 1)
        cases = strtoull(argv[1], NULL, 10);
    if (argc > 2 && !long_run)
        r.state = strtoull(argv[2], NULL, 10);
    for (uint64_t i = 0; i < cases && w.totals.different < 10; i++) {
        struct listed s;

        if (w.totals.draws >= draws)
            break;
        random_settings(&s, &r, &w, long_run);
        (void)run_case(&s, &w, long_run);
    }
    printf("oracle/stages: %llu chains, %llu stages compared, %llu draws, %llu "
           "refused, %llu different (kernels: %s)\n",
           (unsigned long long)w.totals.cases,
           (unsigned long long)w.totals.stages,
           (unsigned long long)w.totals.draws,
           (unsigned long long)w.totals.refused,
           (unsigned long long)w.totals.different, sortes_kernel_name());
    return w.totals.different || !w.totals.draws ||
           w.totals.refused > w.totals.draws / 50;
}
