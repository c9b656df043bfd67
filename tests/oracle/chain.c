/*
 * chain.c - live: every stage and every draw against libllama's own chain
 *
 * Each case draws a row, parameters, biases and a history at random, builds
 * the same chain in libllama, and compares after every stage ids, logit bits,
 * p bits, `sorted` and `selected`; then the token of several draws, taken by
 * the plans, by the literal stages, and by libllama on fresh arrays, with the
 * draws' own reports.  With --long: a million draws, without the stages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "llama.h"
#include "row.h"
#include "sortes.h"
#include "support/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BIASES = 8, MAX_HISTORY = 300, MAX_STAGES = 8, DRAWS = 3 };

struct settings {
    size_t n;
    enum rows_kind kind;
    sortes_dtype type;
    uint64_t row_seed;
    uint32_t seed;
    float temperature, top_p, min_p, repeat, frequency, presence;
    int32_t top_k, min_keep, last_n;
    bool greedy;
    size_t n_biases, n_history;
    llama_logit_bias biases[MAX_BIASES];
    int32_t history[MAX_HISTORY];
};

struct totals {
    uint64_t cases, stages, draws, refused, different;
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

/* ---- cases --------------------------------------------------------------- */

static float pick(struct rows_random *r, const float *from, size_t n)
{
    return from[rows_below(r, n)];
}

#define PICK(r, ...)                                                           \
    pick(r, (const float[]){ __VA_ARGS__ },                                    \
         sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float))

static size_t pick_size(struct rows_random *r, bool long_run)
{
    static const size_t all[] = { 1,     2,     3,      17,     64,    100,
                                  128,   129,   300,    1000,   1024,  1025,
                                  1088,  2500,  5000,   8191,   8256,  32000,
                                  49152, 65537, 128256, 151936, 262144 };
    /* A million draws of the largest would take libllama an hour. */
    const size_t n = sizeof(all) / sizeof(all[0]);

    if (long_run && rows_below(r, 100) > 0)
        return all[9 + rows_below(r, 8)];
    return all[rows_below(r, n)];
}

static void random_settings(struct settings *s, struct rows_random *r,
                            bool long_run)
{
    const bool default_shape = rows_below(r, 3) == 0;

    s->n = pick_size(r, long_run);
    s->kind = (enum rows_kind)rows_below(r, ROWS_N_KINDS);
    s->type = (sortes_dtype)(rows_below(r, 4) ? 0 : rows_below(r, 3));
    s->row_seed = rows_bits(r);
    s->seed = (uint32_t)rows_bits(r) & 0x7fffffffu;
    s->temperature = PICK(r, 0.8f, 0.8f, 1, 0, 0.3f, 1.7f, 0.01f, 3);
    s->top_k = (int32_t)PICK(r, 0, 0, 0, 1, 5, 40, 40, 128, 129, 200, 1000,
                             5000, 40000, 500000);
    s->top_p = PICK(r, 1, 1, 0.95f, 0.95f, 0.5f, 0.1f, 0, 0.999f);
    s->min_p = PICK(r, 0, 0, 0.05f, 0.05f, 0.3f, 0.001f, 1);
    s->min_keep = (int32_t)PICK(r, 0, 0, 0, 1, 3, 300);
    s->last_n = (int32_t)PICK(r, 64, 64, 0, 1, 8, 250);
    s->repeat = PICK(r, 1, 1, 1.1f, 1.3f, 0.8f);
    s->frequency = PICK(r, 0, 0, 0.3f, -0.4f);
    s->presence = PICK(r, 0, 0, 0.6f, 1.5f);
    s->greedy = rows_below(r, 8) == 0;
    if (default_shape) {
        s->top_k = 40;
        s->top_p = 0.95f;
        s->min_p = 0.05f;
        s->min_keep = 0;
    }
    s->n_biases = rows_below(r, 3) ? 0 : rows_below(r, MAX_BIASES + 1);
    for (size_t i = 0; i < s->n_biases; i++) {
        s->biases[i].token = (llama_token)rows_below(r, s->n + 2);
        s->biases[i].bias = PICK(r, 1.5f, -2, 30, -100, -INFINITY, 0.125f);
    }
    s->n_history = rows_below(r, MAX_HISTORY);
    for (size_t i = 0; i < s->n_history; i++)
        s->history[i] =
            (int32_t)rows_below(r, rows_below(r, 2) ? s->n : 40 % s->n + 1);
}

static void print_settings(const struct settings *s)
{
    fprintf(stderr,
            "  n %zu kind %s type %d row_seed %llu seed %u temp %a top_k %d "
            "top_p %a min_p %a min_keep %d last_n %d repeat %a freq %a "
            "pres %a greedy %d biases %zu history %zu\n",
            s->n, rows_kind_name(s->kind), (int)s->type,
            (unsigned long long)s->row_seed, s->seed, (double)s->temperature,
            s->top_k, (double)s->top_p, (double)s->min_p, s->min_keep,
            s->last_n, (double)s->repeat, (double)s->frequency,
            (double)s->presence, s->greedy, s->n_biases, s->n_history);
}

/* The row in its type, and widened again in x for libllama. */
static void make_row(const struct settings *s, uint64_t seed, float *x,
                     uint16_t *narrow, sortes_row *row)
{
    rows_fill(x, s->n, s->kind, seed);
    *row = (sortes_row){ x, s->n, s->type };
    if (s->type == SORTES_F32)
        return;
    row->data = narrow;
    for (size_t i = 0; i < s->n; i++) {
        if (s->type == SORTES_F16) {
            narrow[i] = rows_to_half(x[i]);
            x[i] = srt_half_to_float(narrow[i]);
        } else {
            const uint32_t bits = (uint32_t)(narrow[i] = rows_to_bfloat(x[i]))
                                  << 16;
            memcpy(&x[i], &bits, sizeof(bits));
        }
    }
}

/* ---- the two chains ------------------------------------------------------ */

static size_t make_llama(const struct settings *s,
                         struct llama_sampler *stage[MAX_STAGES],
                         const char *name[MAX_STAGES])
{
    size_t n = 0;

#define ADD(label, sampler) (name[n] = (label), stage[n++] = (sampler))
    if (s->n_biases > 0)
        ADD("logit_bias", llama_sampler_init_logit_bias(
                              (int32_t)s->n, (int32_t)s->n_biases, s->biases));
    if (s->last_n > 0 &&
        (s->repeat != 1 || s->frequency != 0 || s->presence != 0))
        ADD("penalties",
            llama_sampler_init_penalties((int32_t)s->n, s->last_n, s->repeat,
                                         s->frequency, s->presence));
    if (s->top_k > 0)
        ADD("top_k", llama_sampler_init_top_k(s->top_k));
    if (s->top_p < 1)
        ADD("top_p", llama_sampler_init_top_p(s->top_p, (size_t)s->min_keep));
    if (s->min_p > 0)
        ADD("min_p", llama_sampler_init_min_p(s->min_p, (size_t)s->min_keep));
    if (s->temperature != 1)
        ADD("temperature", llama_sampler_init_temp_ext(s->temperature, 0, 1));
    if (s->greedy)
        ADD("greedy", llama_sampler_init_greedy());
    else
        ADD("dist", llama_sampler_init_dist(s->seed));
#undef ADD
    return n;
}

static sortes_sampler *make_sortes(const struct settings *s)
{
    sortes_params *p;
    sortes_sampler *sampler;
    sortes_error err = { 0 };
    char list[1024] = "";
    size_t used = 0;
    bool ok;

    if (sortes_params_new(&p, "llama.cpp", &err) != SORTES_OK)
        die(err.text);
    for (size_t i = 0; i < s->n_biases; i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%d%+.9g",
                                 i ? "," : "", s->biases[i].token,
                                 (double)s->biases[i].bias);
    ok = sortes_params_set_seed(p, s->seed, &err) == SORTES_OK &&
         sortes_params_set_number(p, "temperature", (double)s->temperature,
                                  &err) == SORTES_OK &&
         sortes_params_set_integer(p, "top_k", s->top_k, &err) == SORTES_OK &&
         sortes_params_set_number(p, "top_p", (double)s->top_p, &err) ==
             SORTES_OK &&
         sortes_params_set_number(p, "min_p", (double)s->min_p, &err) ==
             SORTES_OK &&
         sortes_params_set_integer(p, "min_keep", s->min_keep, &err) ==
             SORTES_OK &&
         sortes_params_set_integer(p, "repeat_last_n", s->last_n, &err) ==
             SORTES_OK &&
         sortes_params_set_number(p, "repeat_penalty", (double)s->repeat,
                                  &err) == SORTES_OK &&
         sortes_params_set_number(p, "frequency_penalty", (double)s->frequency,
                                  &err) == SORTES_OK &&
         sortes_params_set_number(p, "presence_penalty", (double)s->presence,
                                  &err) == SORTES_OK &&
         sortes_params_set_integer(p, "greedy", s->greedy, &err) == SORTES_OK &&
         (!used ||
          sortes_params_set_text(p, "logit_bias", list, &err) == SORTES_OK) &&
         sortes_sampler_new(&sampler, p, NULL, &err) == SORTES_OK;
    if (!ok)
        die(err.text);
    sortes_params_free(p);
    return sampler;
}

/* ---- comparison ---------------------------------------------------------- */

struct comparison {
    const struct settings *settings;
    struct llama_sampler *const *stage;
    const char *const *name;
    llama_token_data_array array;
    size_t next;
    struct totals *totals;
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
            c->next ? c->name[c->next - 1] : "logits", what, at);
    print_settings(c->settings);
}

static void look(void *ctx, const sortes_stage_view *view)
{
    struct comparison *c = ctx;

    if (!c->same)
        return;
    if (strcmp(view->stage, "logits") != 0) {
        if (strcmp(view->stage, c->name[c->next]) != 0) {
            differ(c, view->stage, 0);
            return;
        }
        llama_sampler_apply(c->stage[c->next++], &c->array);
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
        else if (!same_bits(d->logit, view->logit[i]))
            differ(c, "logit", i);
        else if (!same_bits(d->p, view->p[i]))
            differ(c, "p", i);
    }
}

static void fill_array(llama_token_data_array *a, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a->data[i] = (llama_token_data){ (llama_token)i, x[i], 0 };
    a->size = n;
    a->selected = -1;
    a->sorted = false;
}

/* One draw three ways; returns false at the first difference. */
static bool compare_draw(struct comparison *c, sortes_sampler *plan,
                         sortes_sampler *reference, const sortes_row *row,
                         const float *x, llama_token_data *base)
{
    sortes_draw a = { 0 }, b = { 0 };
    const sortes_status sa = sortes_sampler_sample(plan, row, &a);
    const sortes_status sb = sortes_sampler_sample(reference, row, &b);
    llama_token want;

    if (sa != sb || memcmp(&a, &b, sizeof(a)) != 0) {
        fprintf(stderr,
                "DIFFERENT plan %s token %d candidates %llu margin %a\n"
                "     reference %s token %d candidates %llu margin %a\n",
                sortes_status_name(sa), a.token,
                (unsigned long long)a.n_candidates, a.margin,
                sortes_status_name(sb), b.token,
                (unsigned long long)b.n_candidates, b.margin);
        print_settings(c->settings);
        return false;
    }
    if (sa != SORTES_OK) { /* sortes refuses; libllama would go on with NaN */
        c->totals->refused++;
        return true;
    }
    c->array.data = base;
    fill_array(&c->array, x, row->n);
    for (size_t i = 0; c->name[i]; i++)
        llama_sampler_apply(c->stage[i], &c->array);
    want = c->array.data[c->array.selected].id;
    c->totals->draws++;
    if (want != a.token) {
        fprintf(stderr, "DIFFERENT token %d, libllama %d\n", a.token, want);
        print_settings(c->settings);
        return false;
    }
    (void)sortes_sampler_accept(plan, &want, 1, SORTES_GENERATED);
    (void)sortes_sampler_accept(reference, &want, 1, SORTES_GENERATED);
    for (size_t i = 0; c->name[i]; i++)
        llama_sampler_accept(c->stage[i], want);
    return true;
}

/* The stages of one step, on samplers of their own. */
static bool compare_stages(struct comparison *c, sortes_sampler *s,
                           const sortes_row *row, const float *x,
                           llama_token_data *base)
{
    sortes_status status;

    c->array.data = base;
    fill_array(&c->array, x, row->n);
    c->next = 0;
    status = sortes_sampler_explain(s, row, look, c);
    for (size_t i = 0; c->name[i]; i++)
        llama_sampler_reset(c->stage[i]);
    if (status == SORTES_OK && c->same && c->name[c->next])
        differ(c, "a stage is missing", 0);
    return c->same;
}

struct buffers {
    float *x;
    uint16_t *narrow;
    llama_token_data *data;
};

static bool run_case(const struct settings *s, const struct buffers *b,
                     struct totals *totals, bool long_run)
{
    struct llama_sampler *stage[MAX_STAGES];
    const char *name[MAX_STAGES + 1] = { 0 };
    const size_t n_stages = make_llama(s, stage, name);
    struct comparison c = { s, stage, name, { 0 }, 0, totals, true };
    sortes_sampler *plan = make_sortes(s), *reference;
    const int n_draws = long_run ? 16 : DRAWS;
    sortes_row row;
    bool same = true;

    if (sortes_sampler_clone(&reference, plan) != SORTES_OK)
        die("clone failed");
    sortes_sampler_use_reference(reference, 1);
    make_row(s, s->row_seed, b->x, b->narrow, &row);
    if (!long_run)
        same = compare_stages(&c, reference, &row, b->x, b->data);
    if (sortes_sampler_accept(plan, s->history, s->n_history, SORTES_PROMPT) ||
        sortes_sampler_accept(reference, s->history, s->n_history,
                              SORTES_PROMPT))
        die("accept failed");
    for (size_t i = 0; i < s->n_history; i++)
        for (size_t j = 0; j < n_stages; j++)
            llama_sampler_accept(stage[j], s->history[i]);
    for (int i = 0; i < n_draws && same; i++) {
        if (i % 4 == 3 || !long_run)
            make_row(s, s->row_seed + (uint64_t)i, b->x, b->narrow, &row);
        same = compare_draw(&c, plan, reference, &row, b->x, b->data);
    }
    for (size_t j = 0; j < n_stages; j++)
        llama_sampler_free(stage[j]);
    sortes_sampler_free(plan);
    sortes_sampler_free(reference);
    totals->cases++;
    totals->different += !same;
    return same;
}

static void quiet(enum ggml_log_level level, const char *text, void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

int main(int argc, char **argv)
{
    const size_t max = 262144;
    const bool long_run = argc > 1 && strcmp(argv[1], "--long") == 0;
    uint64_t cases = long_run ? UINT64_MAX : 2000;
    struct buffers b = { xalloc(max, sizeof(float)),
                         xalloc(max, sizeof(uint16_t)),
                         xalloc(max, sizeof(llama_token_data)) };
    struct rows_random r = { 20261129 };
    struct totals totals = { 0 };

    if (argc > 1 && !long_run)
        cases = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        r.state = strtoull(argv[2], NULL, 10);
    llama_log_set(quiet, NULL);
    for (uint64_t i = 0; i < cases; i++) {
        struct settings s;

        if (long_run && totals.draws >= 1000000)
            break;
        random_settings(&s, &r, long_run);
        if (!run_case(&s, &b, &totals, long_run) && totals.different >= 10)
            break;
    }
    printf("oracle/chain: %llu cases, %llu stages compared, %llu draws, %llu "
           "refused, %llu different (kernels: %s)\n",
           (unsigned long long)totals.cases, (unsigned long long)totals.stages,
           (unsigned long long)totals.draws, (unsigned long long)totals.refused,
           (unsigned long long)totals.different, sortes_kernel_name());
    free(b.x);
    free(b.narrow);
    free(b.data);
    return totals.different ? 1 : 0;
}
