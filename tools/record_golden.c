/*
 * record_golden.c - records what libllama's own chain does, stage by stage
 *
 *   record_golden FOLDER
 *
 * writes FOLDER/llamacpp_chain.jsonl: after the first line (tests/golden/
 * golden.h) one case a line,
 *
 *   params, history   as params.def names them; tokens accepted before
 *   row               "logits" (bits), or "kind", "seed", "n" and "type" of a
 *                     row of tests/support/rows.c
 *   stages            what each stage left of the first row: "n", "sorted",
 *                     "selected", and "ids", "logits" and "p", or their "hash"
 *   tokens            what was drawn and accepted, step by step; of a made row
 *                     every step has its own, its seed going up by one
 *
 * Rows of which libllama makes NaN, or of which nothing is left, are not
 * recorded: sortes refuses them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "record_golden.h"

#include "oracle/llama_chain.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    GOLDEN_CASES = 210,
    GOLDEN_STEPS = 5,
    GOLDEN_HISTORY = 70,
    GOLDEN_LONGEST = 32000
};

struct golden_case {
    struct settings s;
    enum rows_kind kind;
    sortes_dtype type;
    uint64_t seed;
    size_t n;
};

static float golden_row[GOLDEN_LONGEST];
static uint16_t golden_narrow[GOLDEN_LONGEST];
static llama_token_data golden_data[GOLDEN_LONGEST];

static void golden_die(const char *what)
{
    fprintf(stderr, "record_golden: %s\n", what);
    exit(1);
}

static bool golden_is_small(const struct golden_case *g)
{
    return g->n <= GOLDEN_WHOLE;
}

/* The row of a step, in its type and widened again. */
static void golden_fill(const struct golden_case *g, uint64_t step)
{
    rows_fill(golden_row, g->n, g->kind,
              g->seed + (golden_is_small(g) ? 0 : step));
    (void)rows_as(golden_row, golden_narrow, g->n, g->type);
}

/* Every size and kind in turn, the rest at random. */
static void golden_pick(struct golden_case *g, struct rows_random *r,
                        uint64_t number)
{
    static const size_t sizes[] = { 1,    2,    3,    5,    8,    12,   16,
                                    24,   65,   128,  129,  300,  1000, 1024,
                                    1025, 1088, 2500, 5000, 8256, 32000 };
    const size_t n_sizes = sizeof(sizes) / sizeof(sizes[0]);
    const bool small = number % 2 == 0;

    g->n =
        small ? sizes[rows_below(r, 8)] : sizes[8 + number / 2 % (n_sizes - 8)];
    g->kind = (enum rows_kind)(number * 5 % ROWS_N_KINDS);
    g->type = (sortes_dtype)(small || rows_below(r, 2) ? 0 : rows_below(r, 3));
    g->seed = rows_bits(r) >> 32;
    settings_random(&g->s, r, g->n);
    if (g->s.n_history > GOLDEN_HISTORY)
        g->s.n_history = GOLDEN_HISTORY;
    if (small && g->s.top_k > 1000) /* as good as none */
        g->s.top_k = 3;
}

/* ---- writing ------------------------------------------------------------- */

static void golden_write_row(FILE *out, const struct golden_case *g)
{
    static const char *const types[] = { "f32", "f16", "bf16" };

    fputs(",\"row\":{", out);
    if (golden_is_small(g)) {
        golden_fill(g, 0);
        fputs("\"logits\":\"", out);
        for (size_t i = 0; i < g->n; i++)
            golden_bits(out, golden_row[i]);
        fputs("\"}", out);
        return;
    }
    fprintf(out, "\"kind\":\"%s\",\"seed\":%llu,\"n\":%zu,\"type\":\"%s\"}",
            rows_kind_name(g->kind), (unsigned long long)g->seed, g->n,
            types[g->type]);
}

/* ---- running ------------------------------------------------------------- */

/* Whether what libllama drew from was a distribution. */
static bool golden_is_sound(const llama_token_data_array *a)
{
    const llama_token_data *it = &a->data[a->selected];

    return !isnan(it->p) && it->logit > -INFINITY && it->logit < INFINITY;
}

static void golden_write_stages(FILE *out, const struct golden_case *g)
{
    struct llama_chain chain = llama_chain_make(&g->s, g->n);
    llama_token_data_array a;

    llama_chain_accept(&chain, g->s.history, g->s.n_history);
    golden_fill(g, 0);
    a = beside_fill(golden_data, golden_row, g->n);
    fputs(",\"stages\":[", out);
    for (size_t i = 0; i < chain.n; i++) {
        llama_sampler_apply(chain.stage[i], &a);
        fputs(i ? "," : "", out);
        golden_write_stage(out, chain.name[i], &a);
    }
    fputc(']', out);
    llama_chain_free(&chain);
}

/* False: sortes would refuse one of the rows. */
static bool golden_draw(const struct golden_case *g,
                        int32_t tokens[GOLDEN_STEPS])
{
    struct llama_chain chain = llama_chain_make(&g->s, g->n);
    bool sound = true;

    llama_chain_accept(&chain, g->s.history, g->s.n_history);
    for (uint64_t step = 0; step < GOLDEN_STEPS && sound; step++) {
        llama_token_data_array a;

        golden_fill(g, step);
        a = beside_fill(golden_data, golden_row, g->n);
        for (size_t i = 0; i < chain.n; i++)
            llama_sampler_apply(chain.stage[i], &a);
        sound = golden_is_sound(&a);
        tokens[step] = a.data[a.selected].id;
        llama_chain_accept(&chain, &tokens[step], 1);
    }
    llama_chain_free(&chain);
    return sound;
}

static bool golden_write_case(FILE *out, const struct golden_case *g)
{
    int32_t tokens[GOLDEN_STEPS];

    if (!golden_draw(g, tokens))
        return false;
    fputs("{\"params\":", out);
    settings_write(out, &g->s);
    golden_write_ids(out, "history", g->s.history, g->s.n_history);
    golden_write_row(out, g);
    golden_write_stages(out, g);
    golden_write_ids(out, "tokens", tokens, GOLDEN_STEPS);
    fputs("}\n", out);
    return true;
}

int main(int argc, char **argv)
{
    struct rows_random r = { 7 };
    char path[1024];
    uint64_t written = 0;
    FILE *out;

    if (argc != 2) {
        fprintf(stderr, "usage: record_golden FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof(path), "%s/llamacpp_chain.jsonl", argv[1]);
    out = fopen(path, "wb");
    if (!out)
        golden_die(path);
    llama_log_set(beside_quiet, NULL);
    golden_write_header(out, "chain", "record_golden", GOLDEN_CASES, "",
                        golden_row);
    while (written < GOLDEN_CASES) {
        struct golden_case g;

        golden_pick(&g, &r, written);
        written += golden_write_case(out, &g);
    }
    if (ferror(out) || fclose(out) != 0)
        golden_die("the file could not be written");
    printf("%s: %llu cases\n", path, (unsigned long long)written);
    return 0;
}
