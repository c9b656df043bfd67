/*
 * stages.c - live: every sampler of llama.cpp, in any order, against libllama
 *
 * Random chains of random samplers with random parameters, repeats and ties:
 * after every stage ids, logit bits, p bits, size, sorted and selected must be
 * equal (a NaN equals any NaN), then the tokens of several draws, taken by the
 * plans and by the literal stages.  DRY and infill run with the vocabulary of
 * SORTES_MODEL.  With --long: ten million draws in all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "llama.h"
#include "sortes.h"
#include "support/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SORTES_COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { MAX_LIST = 12, MAX_HISTORY = 200, MAX_STAGES = MAX_LIST + 3 };

/* The floats and whole numbers of a case, by the library's names. */
struct values {
    float temperature, top_p, min_p, typical_p, top_n_sigma;
    float xtc_probability, xtc_threshold, dynatemp_range, dynatemp_exponent;
    float repeat_penalty, frequency_penalty, presence_penalty;
    float dry_multiplier, dry_base, mirostat_tau, mirostat_eta;
    float adaptive_target, adaptive_decay;
    int32_t top_k, min_keep, repeat_last_n, dry_allowed_length;
    int32_t dry_penalty_last_n, mirostat;
};

struct settings {
    size_t n;
    enum rows_kind kind;
    uint64_t row_seed;
    uint32_t seed;
    struct values v;
    char list[MAX_LIST + 1]; /* samplers by letter */
    size_t n_history;
    int32_t history[MAX_HISTORY];
};

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

static float pick(struct rows_random *r, const float *from, size_t n)
{
    return from[rows_below(r, n)];
}

#define PICK(...)                                                              \
    pick(r, (const float[]){ __VA_ARGS__ },                                    \
         sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float))

static void random_values(struct values *v, struct rows_random *r)
{
    v->temperature = PICK(0.8f, 0.8f, 1, 1, 0, 0.3f, 1.7f);
    v->top_p = PICK(1, 0.95f, 0.95f, 0.5f, 0, 0.999f);
    v->min_p = PICK(0, 0.05f, 0.05f, 0.3f, 1);
    v->typical_p = PICK(1, 0.9f, 0.9f, 0.5f, 0.2f);
    v->top_n_sigma = PICK(-1, 0, 1, 1, 0.5f, 2.5f);
    v->xtc_probability = PICK(0, 0.5f, 0.5f, 1);
    v->xtc_threshold = PICK(0.1f, 0.1f, 0.02f, 0.3f, 0.6f);
    v->dynatemp_range = PICK(0, 0, 0, 0.5f, 1, 2);
    v->dynatemp_exponent = PICK(1, 1, 0.5f, 2);
    v->repeat_penalty = PICK(1, 1.1f, 1.3f, 0.8f);
    v->frequency_penalty = PICK(0, 0, 0.3f, -0.4f);
    v->presence_penalty = PICK(0, 0, 0.6f, 1.5f);
    v->dry_multiplier = PICK(0.8f, 0.8f, 2, 0);
    v->dry_base = PICK(1.75f, 1.75f, 1.2f, 1, 0.5f);
    v->mirostat_tau = PICK(5, 5, 3, 0.5f);
    v->mirostat_eta = PICK(0.1f, 0.1f, 1);
    v->adaptive_target = PICK(-1, 0, 0.3f, 0.3f, 0.9f);
    v->adaptive_decay = PICK(0.9f, 0.9f, 0, 0.5f, 0.99f);
    v->top_k = (int32_t)PICK(0, 1, 5, 40, 40, 128, 129, 200, 5000);
    v->min_keep = (int32_t)PICK(0, 0, 0, 1, 3);
    v->repeat_last_n = (int32_t)PICK(64, 64, 0, 1, 8);
    v->dry_allowed_length = (int32_t)PICK(2, 2, 0, 1, 4);
    v->dry_penalty_last_n = (int32_t)PICK(64, 64, 5, 0);
    v->mirostat = rows_below(r, 8) ? 0 : 1 + (int32_t)rows_below(r, 2);
}

static void random_list(struct settings *s, struct rows_random *r,
                        bool has_vocab)
{
    static const char letters[] = "kypmsxtea";
    static const char *const planned[] = { "yt",  "y",   "eyt", "st",
                                           "skt", "xt",  "ext", "kxt",
                                           "pxt", "kyt", "smt", "skpmxt" };
    size_t n = rows_below(r, 7);

    memset(s->list, 0, sizeof(s->list));
    if (rows_below(r, 4) == 0) { /* what the plans are made for */
        strcpy(s->list, planned[rows_below(r, SORTES_COUNT(planned))]);
        return;
    }
    if (rows_below(r, 3) == 0) {
        strcpy(s->list, has_vocab ? "edskypmxt" : "eskypmxt");
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->list[i] = letters[rows_below(r, sizeof(letters) - 1)];
    if (!has_vocab)
        return;
    if (rows_below(r, 2))
        s->list[n++] = 'd';
    if (rows_below(r, 3) == 0) { /* after a cut: its pairs are quadratic */
        s->list[n++] = 'k';
        s->list[n++] = 'i';
    }
}

static void random_settings(struct settings *s, struct rows_random *r,
                            const struct world *w, bool long_run)
{
    static const size_t sizes[] = { 1,    2,    3,    7,    16,   17,   40,
                                    100,  128,  129,  130,  300,  1000, 1024,
                                    1025, 1500, 2500, 5000, 32000 };
    const bool has_vocab = w->llama && rows_below(r, long_run ? 200 : 12) == 0;

    s->n = sizes[rows_below(r, long_run ? 13 : 19)];
    if (has_vocab)
        s->n = (size_t)llama_vocab_n_tokens(w->llama);
    s->kind = (enum rows_kind)rows_below(r, ROWS_N_KINDS);
    s->row_seed = rows_bits(r);
    s->seed = (uint32_t)rows_bits(r) & 0x7fffffffu;
    random_values(&s->v, r);
    random_list(s, r, has_vocab);
    if (strchr(s->list, 'i') && (s->v.top_k == 0 || s->v.top_k > 128))
        s->v.top_k = 40;
    s->n_history = rows_below(r, MAX_HISTORY);
    for (size_t i = 0; i < s->n_history; i++)
        s->history[i] = (int32_t)rows_below(r, s->n < 12 ? s->n : 12);
}

static void print_settings(const struct settings *s)
{
    const struct values *v = &s->v;

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

/* ---- libllama's chain ---------------------------------------------------- */

struct chain {
    struct llama_sampler *stage[MAX_STAGES];
    char letter[MAX_STAGES + 1];
    size_t n;
};

static void add(struct chain *c, char letter, struct llama_sampler *s)
{
    c->letter[c->n] = letter;
    c->stage[c->n++] = s;
}

static struct llama_sampler *make_dry(const struct values *v,
                                      const struct world *w)
{
    static const char *breakers[] = { "\n", ":", "\"", "*" };

    return llama_sampler_init_dry(w->llama, v->dry_multiplier, v->dry_base,
                                  v->dry_allowed_length, v->dry_penalty_last_n,
                                  breakers, 4);
}

static bool penalties_off(const struct values *v)
{
    return v->repeat_last_n <= 0 ||
           (v->repeat_penalty == 1 && v->frequency_penalty == 0 &&
            v->presence_penalty == 0);
}

/* One listed sampler, unless llama.cpp would make an empty one. */
static void add_listed(struct chain *c, char letter, const struct settings *s,
                       const struct world *w)
{
    const struct values *v = &s->v;
    const size_t keep = (size_t)v->min_keep;

    if (letter == 'k' && v->top_k > 0)
        add(c, letter, llama_sampler_init_top_k(v->top_k));
    if (letter == 'y' && v->typical_p < 1)
        add(c, letter, llama_sampler_init_typical(v->typical_p, keep));
    if (letter == 'p' && v->top_p < 1)
        add(c, letter, llama_sampler_init_top_p(v->top_p, keep));
    if (letter == 'm' && v->min_p > 0)
        add(c, letter, llama_sampler_init_min_p(v->min_p, keep));
    if (letter == 's' && v->top_n_sigma > 0)
        add(c, letter, llama_sampler_init_top_n_sigma(v->top_n_sigma));
    if (letter == 'x' && v->xtc_probability > 0 && v->xtc_threshold <= 0.5f)
        add(c, letter,
            llama_sampler_init_xtc(v->xtc_probability, v->xtc_threshold, keep,
                                   s->seed));
    if (letter == 't' && (v->temperature != 1 || v->dynatemp_range > 0))
        add(c, letter,
            llama_sampler_init_temp_ext(v->temperature, v->dynatemp_range,
                                        v->dynatemp_exponent));
    if (letter == 'e' && !penalties_off(v))
        add(c, letter,
            llama_sampler_init_penalties(
                (int32_t)s->n, v->repeat_last_n, v->repeat_penalty,
                v->frequency_penalty, v->presence_penalty));
    if (letter == 'd' && v->dry_multiplier != 0 && v->dry_base >= 1 &&
        v->dry_penalty_last_n > 0)
        add(c, letter, make_dry(v, w));
    if (letter == 'i')
        add(c, letter, llama_sampler_init_infill(w->llama));
}

static void make_llama(struct chain *c, const struct settings *s,
                       const struct world *w)
{
    const struct values *v = &s->v;

    memset(c, 0, sizeof(*c));
    if (v->mirostat) {
        if (v->temperature != 1)
            add(c, 't', llama_sampler_init_temp(v->temperature));
        add(c, '1',
            v->mirostat == 1
                ? llama_sampler_init_mirostat((int32_t)s->n, s->seed,
                                              v->mirostat_tau, v->mirostat_eta,
                                              100)
                : llama_sampler_init_mirostat_v2(s->seed, v->mirostat_tau,
                                                 v->mirostat_eta));
        return;
    }
    for (const char *l = s->list; *l; l++)
        if (*l != 'a')
            add_listed(c, *l, s, w);
    if (strchr(s->list, 'a'))
        add(c, 'a',
            llama_sampler_init_adaptive_p(v->adaptive_target, v->adaptive_decay,
                                          s->seed));
    else
        add(c, '0', llama_sampler_init_dist(s->seed));
}

static void free_llama(struct chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        llama_sampler_free(c->stage[i]);
}

/* ---- sortes's chain ------------------------------------------------------ */

static const char *letter_name(char letter)
{
    switch (letter) {
    case 'k':
        return "top_k";
    case 'y':
        return "typ_p";
    case 'p':
        return "top_p";
    case 'm':
        return "min_p";
    case 's':
        return "top_n_sigma";
    case 'x':
        return "xtc";
    case 't':
        return "temperature";
    case 'e':
        return "penalties";
    case 'd':
        return "dry";
    case 'i':
        return "infill";
    default:
        return "adaptive_p";
    }
}

static void set_values(sortes_params *p, const struct values *v)
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

static sortes_sampler *make_sortes(const struct settings *s,
                                   const struct world *w)
{
    sortes_error err = { 0 };
    sortes_sampler *sampler;
    sortes_params *p;
    char list[512] = "";

    if (sortes_params_new(&p, "llama.cpp", &err) != SORTES_OK)
        die(err.text);
    set_values(p, &s->v);
    for (const char *l = s->list; *l; l++) {
        if (l > s->list)
            strcat(list, ";");
        strcat(list, letter_name(*l));
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
    const struct settings *settings;
    struct chain *chain;
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

static void fill_array(llama_token_data_array *a, const struct world *w,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->data[i] = (llama_token_data){ (llama_token)i, w->x[i], 0 };
    *a = (llama_token_data_array){ w->data, n, -1, false };
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

    fill_array(&c->array, w, row.n);
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
    if (status != SORTES_OK) {
        w->totals.refused++;
        return false; /* libllama has gone on with NaN */
    }
    w->totals.draws++;
    want = c->array.data[c->array.selected].id;
    if (want != a.token)
        differ(c, "token", (size_t)a.token);
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    (void)sortes_sampler_accept(reference, &want, 1, SORTES_GENERATED);
    for (size_t i = 0; i < c->chain->n; i++)
        llama_sampler_accept(c->chain->stage[i], want);
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

    if (status != SORTES_OK) {
        w->totals.refused++;
        return false;
    }
    fill_array(&c->array, w, row.n);
    for (size_t i = 0; i < c->chain->n; i++)
        llama_sampler_apply(c->chain->stage[i], &c->array);
    c->next = c->chain->n;
    w->totals.draws++;
    want = c->array.data[c->array.selected].id;
    if (want != draw.token)
        differ(c, "token", (size_t)draw.token);
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    for (size_t i = 0; i < c->chain->n; i++)
        llama_sampler_accept(c->chain->stage[i], want);
    return c->same;
}

static bool run_case(const struct settings *s, struct world *w, bool long_run)
{
    struct chain chain;
    struct comparison c = { s, &chain, { 0 }, 0, &w->totals, true };
    sortes_sampler *plan = make_sortes(s, w), *reference;
    bool go_on = true;

    make_llama(&chain, s, w);
    if (sortes_sampler_clone(&reference, plan) != SORTES_OK ||
        sortes_sampler_accept(plan, s->history, s->n_history, SORTES_PROMPT) ||
        sortes_sampler_accept(reference, s->history, s->n_history,
                              SORTES_PROMPT))
        die("cannot prepare the samplers");
    sortes_sampler_use_reference(reference, 1);
    for (size_t i = 0; i < s->n_history; i++)
        for (size_t j = 0; j < chain.n; j++)
            llama_sampler_accept(chain.stage[j], s->history[i]);
    for (uint64_t i = 0; i < 3 && go_on; i++) {
        rows_fill(w->x, s->n, s->kind, s->row_seed + i);
        go_on = compare_step(&c, plan, reference, w);
    }
    for (uint64_t i = 3; long_run && go_on && i < 256; i++) {
        if (i % 16 == 0)
            rows_fill(w->x, s->n, s->kind, s->row_seed + i);
        go_on = compare_token(&c, plan, w);
    }
    free_llama(&chain);
    sortes_sampler_free(plan);
    sortes_sampler_free(reference);
    w->totals.cases++;
    w->totals.different += !c.same;
    return c.same;
}

/* ---- the vocabulary ------------------------------------------------------ */

static int32_t tokenize(void *ctx, const char *text, size_t n_bytes,
                        int parse_special, int32_t *tokens, size_t room)
{
    const int32_t n = llama_tokenize(ctx, text, (int32_t)n_bytes, tokens,
                                     (int32_t)room, false, parse_special != 0);

    return n < 0 && n != INT32_MIN ? -n : n; /* below 0: that many needed */
}

static char *copy_text(const struct llama_vocab *v, llama_token t, bool word,
                       size_t *n)
{
    char buffer[1024];
    const int32_t got =
        word ? llama_detokenize(v, &t, 1, buffer, sizeof(buffer), false, true)
             : llama_token_to_piece(v, t, buffer, sizeof(buffer), 0, true);
    char *copy;

    if (got < 0)
        die("a piece is too long");
    *n = (size_t)got;
    copy = malloc(*n + 1);
    if (!copy)
        die("no memory");
    memcpy(copy, buffer, *n);
    return copy;
}

static void load_vocab(struct world *w, const char *path)
{
    struct llama_model_params params = llama_model_default_params();
    struct llama_model *model;
    sortes_vocab_desc d = { .struct_size = sizeof(d) };
    char **text[2];
    size_t *sizes[2];
    uint32_t *flags;

    params.vocab_only = true;
    model = llama_model_load_from_file(path, params);
    if (!model)
        die("cannot load SORTES_MODEL");
    w->llama = llama_model_get_vocab(model);
    d.n_tokens = (size_t)llama_vocab_n_tokens(w->llama);
    flags = calloc(d.n_tokens, sizeof(*flags));
    for (int k = 0; k < 2; k++) {
        text[k] = calloc(d.n_tokens, sizeof(char *));
        sizes[k] = calloc(d.n_tokens, sizeof(size_t));
        for (size_t i = 0; i < d.n_tokens; i++)
            text[k][i] =
                copy_text(w->llama, (llama_token)i, k == 1, &sizes[k][i]);
    }
    for (size_t i = 0; i < d.n_tokens; i++) {
        if (llama_vocab_is_control(w->llama, (llama_token)i))
            flags[i] |= SORTES_TOKEN_CONTROL;
        if (llama_vocab_is_eog(w->llama, (llama_token)i))
            flags[i] |= SORTES_TOKEN_EOG;
        if ((llama_token)i == llama_vocab_eos(w->llama))
            flags[i] |= SORTES_TOKEN_EOS;
        if ((llama_token)i == llama_vocab_eot(w->llama))
            flags[i] |= SORTES_TOKEN_EOT;
    }
    d.bytes = (const char *const *)text[0];
    d.n_bytes = sizes[0];
    d.words = (const char *const *)text[1];
    d.n_word_bytes = sizes[1];
    d.flags = flags;
    d.tokenize = tokenize;
    d.tokenize_ctx = (void *)(uintptr_t)w->llama;
    if (sortes_vocab_new(&w->sortes, &d, NULL) != SORTES_OK)
        die("cannot make the vocab");
}

static void quiet(enum ggml_log_level level, const char *text, void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

int main(int argc, char **argv)
{
    const bool long_run = argc > 1 && strcmp(argv[1], "--long") == 0;
    const char *model = getenv("SORTES_MODEL");
    uint64_t cases = long_run ? UINT64_MAX : 3000;
    uint64_t draws = UINT64_MAX;
    struct rows_random r = { 4711 };
    struct world w = { 0 };

    w.x = calloc(65536, sizeof(*w.x));
    w.data = calloc(65536, sizeof(*w.data));
    llama_log_set(quiet, NULL);
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
        struct settings s;

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
    return w.totals.different ? 1 : 0;
}
