/*
 * record_golden_stages.c - records what every sampler of libllama does, in any
 * order
 *
 *   record_golden_stages FOLDER
 *
 * writes FOLDER/llamacpp_stages.jsonl, line by line as record_golden.c does,
 * of the random chains that tests/oracle/stages.c compares live: params holds
 * "samplers", the seed, and what the samplers in the list read.  Without a
 * GGUF there is no vocabulary, so DRY has no breakers, and infill is left to
 * its unit test and to oracle/stages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "record_golden.h"

#include "oracle/listed.h"

#include <math.h>
#include <stdlib.h>

enum {
    RECORDED_CASES = 260,
    RECORDED_STEPS = 6,
    RECORDED_HISTORY = 40,
    RECORDED_LONGEST = 32000
};

static float recorded_row[RECORDED_LONGEST];
static llama_token_data recorded_data[RECORDED_LONGEST];

static void recorded_die(const char *what)
{
    fprintf(stderr, "record_golden_stages: %s\n", what);
    exit(1);
}

static bool recorded_is_small(const struct listed *s)
{
    return s->n <= GOLDEN_WHOLE;
}

/* A row that is written out stays for every step. */
static void recorded_fill(const struct listed *s, uint64_t step)
{
    rows_fill(recorded_row, s->n, s->kind,
              s->row_seed + (recorded_is_small(s) ? 0 : step));
}

/* Every size and kind in turn; DRY before every third list, and a mirostat more
 * often than it falls. */
static void recorded_pick(struct listed *s, struct rows_random *r,
                          uint64_t number)
{
    static const size_t sizes[] = { 1,    2,    3,    5,    8,    12,   16,
                                    40,   100,  128,  129,  130,  300,  1000,
                                    1024, 1025, 1500, 2500, 5000, 32000 };
    const bool small = number % 3 == 0;
    size_t length;

    s->n = small ? sizes[number / 3 % 7] : sizes[7 + number % 13];
    s->kind = (enum rows_kind)(number * 5 % ROWS_N_KINDS);
    s->row_seed = rows_bits(r) >> 32;
    s->seed = (uint32_t)rows_bits(r) & 0x7fffffffu;
    listed_random_values(&s->v, r);
    if (number % 6 == 5)
        s->v.mirostat = 1 + (int32_t)(number / 6 % 2);
    listed_random_list(s, r, false);
    length = strlen(s->list);
    if (rows_below(r, 3) == 0 && length + 1 < LISTED_LETTERS) {
        memmove(s->list + 1, s->list, length + 1);
        s->list[0] = 'd';
    }
    s->n_history = rows_below(r, RECORDED_HISTORY);
    for (size_t i = 0; i < s->n_history; i++)
        s->history[i] = (int32_t)rows_below(r, s->n < 4 ? s->n : 4);
}

/* ---- writing ------------------------------------------------------------- */

/* A digit more than a float needs, so that 0.99 does not become more than the
 * float that adaptive_decay may be at most. */
static void recorded_number(FILE *out, const char *name, float value)
{
    fprintf(out, ",\"%s\":%.10g", name, (double)value);
}

static void recorded_integer(FILE *out, const char *name, int32_t value)
{
    fprintf(out, ",\"%s\":%d", name, value);
}

#define NUMBER(name)  recorded_number(out, #name, v->name)
#define INTEGER(name) recorded_integer(out, #name, v->name)

static void recorded_write_filters(FILE *out, const char *list,
                                   const struct listed_values *v)
{
    if (strchr(list, 'k'))
        INTEGER(top_k);
    if (strchr(list, 'y'))
        NUMBER(typical_p);
    if (strchr(list, 'p'))
        NUMBER(top_p);
    if (strchr(list, 'm'))
        NUMBER(min_p);
    if (strchr(list, 's'))
        NUMBER(top_n_sigma);
    if (strchr(list, 'x')) {
        NUMBER(xtc_probability);
        NUMBER(xtc_threshold);
    }
}

static void recorded_write_others(FILE *out, const char *list,
                                  const struct listed_values *v)
{
    if (strchr(list, 't')) {
        NUMBER(dynatemp_range);
        NUMBER(dynatemp_exponent);
    }
    if (strchr(list, 'e')) {
        INTEGER(repeat_last_n);
        NUMBER(repeat_penalty);
        NUMBER(frequency_penalty);
        NUMBER(presence_penalty);
    }
    if (strchr(list, 'd')) {
        NUMBER(dry_multiplier);
        NUMBER(dry_base);
        INTEGER(dry_allowed_length);
        INTEGER(dry_penalty_last_n);
        fputs(",\"dry_sequence_breakers\":\"\"", out);
    }
    if (strchr(list, 'a')) {
        NUMBER(adaptive_target);
        NUMBER(adaptive_decay);
    }
    if (v->mirostat) {
        INTEGER(mirostat);
        NUMBER(mirostat_tau);
        NUMBER(mirostat_eta);
    }
}

static void recorded_write_params(FILE *out, const struct listed *s)
{
    const struct listed_values *v = &s->v;

    fprintf(out, "{\"params\":{\"seed\":%u,\"samplers\":\"", s->seed);
    for (const char *l = s->list; *l; l++)
        fprintf(out, "%s%s", l > s->list ? ";" : "", listed_name(*l));
    fputc('"', out);
    INTEGER(min_keep);
    NUMBER(temperature);
    recorded_write_filters(out, s->list, v);
    recorded_write_others(out, s->list, v);
    fputc('}', out);
}

static void recorded_write_row(FILE *out, const struct listed *s)
{
    if (recorded_is_small(s)) {
        recorded_fill(s, 0);
        fputs(",\"row\":{\"logits\":\"", out);
        for (size_t i = 0; i < s->n; i++)
            golden_bits(out, recorded_row[i]);
        fputs("\"}", out);
        return;
    }
    fprintf(out, ",\"row\":{\"kind\":\"%s\",\"seed\":%llu,\"n\":%zu}",
            rows_kind_name(s->kind), (unsigned long long)s->row_seed, s->n);
}

/* ---- running ------------------------------------------------------------- */

/* As sortes names them; '1' and '0' are listed_chain_make's own. */
static const char *recorded_name(const struct listed *s, char letter)
{
    if (letter == '1')
        return s->v.mirostat == 1 ? "mirostat" : "mirostat_v2";
    return letter == '0' ? "dist" : listed_name(letter);
}

static bool recorded_is_sound(const llama_token_data_array *a)
{
    bool finite = false;

    for (size_t i = 0; i < a->size; i++) {
        if (isnan(a->data[i].logit) || isnan(a->data[i].p) ||
            a->data[i].logit == INFINITY)
            return false;
        finite = finite || a->data[i].logit > -INFINITY;
    }
    return finite;
}

/* One step; the stages are written to `out` unless it is NULL.  False: sortes
 * would refuse the row. */
static bool recorded_step(FILE *out, const struct listed *s,
                          struct listed_chain *c, uint64_t step, int32_t *token)
{
    llama_token_data_array a;

    recorded_fill(s, step);
    a = beside_fill(recorded_data, recorded_row, s->n);
    for (size_t i = 0; i < c->n; i++) {
        llama_sampler_apply(c->stage[i], &a);
        if (!recorded_is_sound(&a))
            return false;
        if (out) {
            fputs(i ? "," : "", out);
            golden_write_stage(out, recorded_name(s, c->letter[i]), &a);
        }
    }
    *token = a.data[a.selected].id;
    return a.data[a.selected].logit > -INFINITY;
}

static bool recorded_draw(const struct listed *s,
                          int32_t tokens[RECORDED_STEPS])
{
    struct listed_chain c;
    bool sound = true;

    listed_chain_make(&c, s, NULL);
    beside_accept(c.stage, c.n, s->history, s->n_history);
    for (uint64_t step = 0; step < RECORDED_STEPS && sound; step++) {
        sound = recorded_step(NULL, s, &c, step, &tokens[step]);
        if (sound)
            beside_accept(c.stage, c.n, &tokens[step], 1);
    }
    listed_chain_free(&c);
    return sound;
}

static bool recorded_write_case(FILE *out, const struct listed *s)
{
    int32_t tokens[RECORDED_STEPS], first;
    struct listed_chain c;

    if (!recorded_draw(s, tokens))
        return false;
    recorded_write_params(out, s);
    golden_write_ids(out, "history", s->history, s->n_history);
    recorded_write_row(out, s);
    fputs(",\"stages\":[", out);
    listed_chain_make(&c, s, NULL);
    beside_accept(c.stage, c.n, s->history, s->n_history);
    (void)recorded_step(out, s, &c, 0, &first);
    listed_chain_free(&c);
    fputc(']', out);
    golden_write_ids(out, "tokens", tokens, RECORDED_STEPS);
    fputs("}\n", out);
    return true;
}

int main(int argc, char **argv)
{
    struct rows_random r = { 11 };
    char path[1024];
    uint64_t written = 0;
    FILE *out;

    if (argc != 2) {
        fprintf(stderr, "usage: record_golden_stages FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof(path), "%s/llamacpp_stages.jsonl", argv[1]);
    out = fopen(path, "wb");
    if (!out)
        recorded_die(path);
    llama_log_set(beside_quiet, NULL);
    golden_write_header(out, "stages", "record_golden_stages", RECORDED_CASES,
                        "\"without\":\"infill; DRY's breakers\",",
                        recorded_row);
    while (written < RECORDED_CASES) {
        struct listed s;

        recorded_pick(&s, &r, written);
        written += recorded_write_case(out, &s);
    }
    if (ferror(out) || fclose(out) != 0)
        recorded_die("the file could not be written");
    printf("%s: %llu cases\n", path, (unsigned long long)written);
    return 0;
}
