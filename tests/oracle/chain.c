/*
 * chain.c - live: every stage and every draw against libllama's own chain
 *
 * Each case draws a row, parameters, biases and a history at random, builds
 * the same chain in libllama, and compares after every stage ids, logit bits,
 * p bits, `sorted` and `selected`; then the token of several draws, taken by
 * the plans, by the literal stages, and by libllama on fresh arrays, with the
 * draws' own reports.  Rows are made (tests/support/rows.h), and, where
 * SORTES_MODEL names a model, that model's own: as they are, rounded to bf16,
 * and rounded to eighths.
 *
 *   oracle_chain [CASES [SEED]]   2,000 cases
 *   oracle_chain --long           a million draws, without the stages
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"
#include "oracle/llama_chain.h"
#include "sortes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 3, LONG_DRAWS = 16, MAX_ROW = 262144, REAL_ROWS = 32 };

/* The kinds of rows.h, and a model's. */
enum { REAL = ROWS_N_KINDS, REAL_BF16, REAL_EIGHTHS, N_KINDS };

struct trial {
    struct settings s;
    size_t n;
    int kind;
    sortes_dtype type;
    uint64_t row_seed;
};

struct totals {
    uint64_t cases, stages, draws, refused, different;
    uint64_t by_kind[N_KINDS]; /* draws */
};

/* What all cases share. */
struct oracle {
    bool long_run;
    float *x;
    uint16_t *narrow;
    llama_token_data *data;
    float *real; /* REAL_ROWS of n_real; NULL: no model */
    size_t n_real;
    struct totals totals;
};

static void die(const char *what)
{
    fprintf(stderr, "oracle/chain: %s\n", what);
    exit(1);
}

static void *xalloc(size_t n, size_t size)
{
    void *p = calloc(n, size);

    if (!p)
        die("no memory");
    return p;
}

static const char *kind_name(int kind)
{
    static const char *const real[] = { "real", "real as bf16",
                                        "real in eighths" };

    return kind < REAL ? rows_kind_name((enum rows_kind)kind)
                       : real[kind - REAL];
}

/* ---- a model's rows ------------------------------------------------------ */

static const char real_prompt[] =
    "The lots were shaken in a jar of bronze, and whoever asked drew one with "
    "his own hand. What did it say? Nobody but the priest could read it, and "
    "he took his time.";

/* The rows behind the first REAL_ROWS tokens of the prompt. */
static void load_real(struct oracle *o, const char *model)
{
    struct engine *engine;
    struct engine_tokens prompt;
    sortes_error err = { 0 };
    sortes_row row;

    if (engine_open(&engine, model, NULL, &err) ||
        engine_tokenize(engine, real_prompt, sizeof(real_prompt) - 1,
                        ENGINE_ADD_SPECIAL, &prompt, &err))
        die(err.text);
    o->n_real = engine_n_vocab(engine);
    if (prompt.n < REAL_ROWS || o->n_real > MAX_ROW)
        die("this model does not suit: too few tokens, or too many logits");
    o->real = xalloc(REAL_ROWS * o->n_real, sizeof(float));
    for (size_t i = 0; i < REAL_ROWS; i++) {
        if (engine_decode(engine, &prompt.ids[i], 1, &err) ||
            engine_row(engine, &row) || row.type != SORTES_F32)
            die("the model gave no row");
        memcpy(o->real + i * o->n_real, row.data, o->n_real * sizeof(float));
    }
    free(prompt.ids);
    engine_close(engine);
}

static void fill_real(const struct oracle *o, const struct trial *t,
                      uint64_t seed)
{
    memcpy(o->x, o->real + seed % REAL_ROWS * o->n_real, t->n * sizeof(*o->x));
    for (size_t i = 0; t->kind == REAL_EIGHTHS && i < t->n; i++)
        o->x[i] = roundf(o->x[i] * 8) / 8;
    if (t->kind == REAL_BF16)
        (void)rows_as(o->x, o->narrow, t->n, SORTES_BF16);
}

/* The row in its type, and in x as libllama sees it. */
static sortes_row make_row(const struct oracle *o, const struct trial *t,
                           uint64_t seed)
{
    if (t->kind < REAL)
        rows_fill(o->x, t->n, (enum rows_kind)t->kind, seed);
    else
        fill_real(o, t, seed);
    return rows_as(o->x, o->narrow, t->n, t->type);
}

/* ---- cases --------------------------------------------------------------- */

static size_t pick_size(struct rows_random *r, bool long_run)
{
    static const size_t all[] = { 1,     2,     3,      17,     64,    100,
                                  128,   129,   300,    1000,   1024,  1025,
                                  1088,  2500,  5000,   8191,   8256,  32000,
                                  49152, 65537, 128256, 151936, 262144 };
    const size_t n = sizeof(all) / sizeof(all[0]);

    /* A million draws of the largest would take libllama an hour. */
    if (long_run && rows_below(r, 100) > 0)
        return all[9 + rows_below(r, 8)];
    return all[rows_below(r, n)];
}

static void random_trial(const struct oracle *o, struct trial *t,
                         struct rows_random *r)
{
    const size_t n = pick_size(r, o->long_run);

    t->kind = (int)rows_below(r, o->real ? N_KINDS : ROWS_N_KINDS);
    t->n = t->kind < REAL ? n : o->n_real;
    t->type = (sortes_dtype)(rows_below(r, 4) ? 0 : rows_below(r, 3));
    t->row_seed = rows_bits(r) >> 1;
    settings_random(&t->s, r, t->n);
}

static void print_trial(const struct trial *t)
{
    fprintf(stderr, "  n %zu kind %s type %d row_seed %llu history %zu ", t->n,
            kind_name(t->kind), (int)t->type, (unsigned long long)t->row_seed,
            t->s.n_history);
    settings_write(stderr, &t->s);
    fputc('\n', stderr);
}

/* ---- comparison ---------------------------------------------------------- */

struct comparison {
    struct oracle *oracle;
    const struct trial *trial;
    struct llama_chain *chain;
    llama_token_data_array array;
    size_t next; /* stage */
    bool same;
};

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static void differ(struct comparison *c, const char *what, size_t at)
{
    c->same = false;
    fprintf(stderr, "DIFFERENT after %s: %s at %zu\n",
            c->next ? c->chain->name[c->next - 1] : "logits", what, at);
    print_trial(c->trial);
}

static void look(void *ctx, const sortes_stage_view *view)
{
    struct comparison *c = ctx;

    if (!c->same)
        return;
    if (strcmp(view->stage, "logits") != 0) {
        if (c->next == c->chain->n ||
            strcmp(view->stage, c->chain->name[c->next]) != 0) {
            differ(c, view->stage, 0);
            return;
        }
        llama_sampler_apply(c->chain->stage[c->next++], &c->array);
    }
    c->oracle->totals.stages++;
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
        else if (!same_bits(d->logit, view->logit[i]))
            differ(c, "logit", i);
        else if (!same_bits(d->p, view->p[i]))
            differ(c, "p", i);
    }
}

/* One draw three ways; returns false at the first difference. */
static bool compare_draw(struct comparison *c, sortes_sampler *plan,
                         sortes_sampler *reference, const sortes_row *row)
{
    struct totals *totals = &c->oracle->totals;
    sortes_draw a = { 0 }, b = { 0 };
    const sortes_status sa = sortes_sampler_sample(plan, row, &a);
    const sortes_status sb = sortes_sampler_sample(reference, row, &b);
    int32_t want;

    if (sa != sb || memcmp(&a, &b, sizeof(a)) != 0) {
        fprintf(stderr,
                "DIFFERENT plan %s token %d candidates %llu margin %a\n"
                "     reference %s token %d candidates %llu margin %a\n",
                sortes_status_name(sa), a.token,
                (unsigned long long)a.n_candidates, a.margin,
                sortes_status_name(sb), b.token,
                (unsigned long long)b.n_candidates, b.margin);
        print_trial(c->trial);
        return false;
    }
    if (sa == SORTES_E_NO_TOKEN || sa == SORTES_E_NOT_FINITE) {
        totals->refused++; /* libllama would go on with NaN */
        return true;
    }
    if (sa != SORTES_OK) {
        fprintf(stderr, "REFUSED %s\n", sortes_status_name(sa));
        print_trial(c->trial);
        return false;
    }
    want = llama_chain_draw(c->chain, c->oracle->data, c->oracle->x, row->n);
    totals->draws++;
    totals->by_kind[c->trial->kind]++;
    if (want != a.token) {
        fprintf(stderr, "DIFFERENT token %d, libllama %d\n", a.token, want);
        print_trial(c->trial);
        return false;
    }
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    (void)sortes_sampler_accept(reference, &want, 1, SORTES_GENERATED);
    llama_chain_accept(c->chain, &want, 1);
    return true;
}

/* The stages of the first step, on a chain of libllama's of their own: what
 * it draws there must not move the other one's generator. */
static bool compare_stages(struct comparison *c, sortes_sampler *s,
                           const sortes_row *row)
{
    struct llama_chain own = llama_chain_make(&c->trial->s, row->n);
    struct llama_chain *const shared = c->chain;
    sortes_status status;

    llama_chain_accept(&own, c->trial->s.history, c->trial->s.n_history);
    c->chain = &own;
    c->array = beside_fill(c->oracle->data, c->oracle->x, row->n);
    c->next = 0;
    status = sortes_sampler_explain(s, row, look, c);
    if (status == SORTES_OK && c->same && c->next < own.n)
        differ(c, "a stage is missing", 0);
    c->chain = shared;
    llama_chain_free(&own);
    return c->same;
}

static bool run_trial(struct oracle *o, const struct trial *t)
{
    struct llama_chain chain = llama_chain_make(&t->s, t->n);
    struct comparison c = { o, t, &chain, { 0 }, 0, true };
    sortes_sampler *plan = settings_sampler(&t->s), *reference = NULL;
    const int n_draws = o->long_run ? LONG_DRAWS : DRAWS;
    sortes_row row = make_row(o, t, t->row_seed);
    bool same = true;

    if (!plan || sortes_sampler_clone(&reference, plan) != SORTES_OK)
        die("no sampler");
    sortes_sampler_use_reference(reference, 1);
    llama_chain_accept(&chain, t->s.history, t->s.n_history);
    if (!o->long_run)
        same = compare_stages(&c, reference, &row);
    for (int i = 0; i < n_draws && same; i++) {
        if (i % 4 == 3 || (i > 0 && !o->long_run))
            row = make_row(o, t, t->row_seed + (uint64_t)i);
        same = compare_draw(&c, plan, reference, &row);
    }
    llama_chain_free(&chain);
    sortes_sampler_free(plan);
    sortes_sampler_free(reference);
    o->totals.cases++;
    o->totals.different += !same;
    return same;
}

static void print_totals(const struct oracle *o)
{
    const struct totals *t = &o->totals;

    printf("oracle/chain: %llu cases, %llu stages compared, %llu draws, %llu "
           "refused, %llu different (libllama %s, kernels %s); draws by kind "
           "of row:",
           (unsigned long long)t->cases, (unsigned long long)t->stages,
           (unsigned long long)t->draws, (unsigned long long)t->refused,
           (unsigned long long)t->different, llama_version(),
           sortes_kernel_name());
    for (int i = 0; i < N_KINDS; i++)
        printf("%s %s %llu", i ? "," : "", kind_name(i),
               (unsigned long long)t->by_kind[i]);
    printf("%s\n", o->real ? "" : " (SORTES_MODEL names no model)");
}

int main(int argc, char **argv)
{
    const char *model = getenv("SORTES_MODEL");
    struct oracle o = { .long_run = argc > 1 && strcmp(argv[1], "--long") == 0,
                        .x = xalloc(MAX_ROW, sizeof(float)),
                        .narrow = xalloc(MAX_ROW, sizeof(uint16_t)),
                        .data = xalloc(MAX_ROW, sizeof(llama_token_data)) };
    uint64_t cases = o.long_run ? UINT64_MAX : 2000;
    struct rows_random r = { 20261129 };

    if (argc > 1 && !o.long_run)
        cases = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        r.state = strtoull(argv[2], NULL, 10);
    if (model && model[0])
        load_real(&o, model);
    llama_log_set(beside_quiet, NULL);
    for (uint64_t i = 0; i < cases && o.totals.different < 10; i++) {
        struct trial t;

        if (o.long_run && o.totals.draws >= 1000000)
            break;
        random_trial(&o, &t, &r);
        (void)run_trial(&o, &t);
    }
    print_totals(&o);
    free(o.x);
    free(o.narrow);
    free(o.data);
    free(o.real);
    return o.totals.different || !o.totals.draws ||
           o.totals.refused > o.totals.draws / 50;
}
