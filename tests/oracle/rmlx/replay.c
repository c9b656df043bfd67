/*
 * replay.c - sortes' side of oracle/rmlx: cases in, distributions and draws out
 *
 * Reads cases from standard input until it ends, each a struct replay_head in
 * this machine's own layout, then n values of the row, n_history ids,
 * n_biases pairs of id and float, and, if masked, one byte a token.  Writes
 * for each a status, and if that is 0 the n probabilities and n_draws tokens.
 *
 * The plan on every instruction set and the literal steps draw side by side:
 * where their tokens, candidates or margins differ, the run ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLAY_SAMPLERS = 8 };

struct replay_head {
    uint32_t n, type, n_history, n_biases, masked, n_draws;
    uint64_t seed;
    float temperature, top_p, min_p, repetition, presence, frequency;
    int32_t top_k, pad;
};

struct replay_bias {
    int32_t id;
    float value;
};

struct replay_case {
    struct replay_head head;
    void *row;
    int32_t *history;
    struct replay_bias *biases;
    uint8_t *mask;
};

static void check(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "replay: %s\n", what);
    exit(2);
}

static void *take(size_t n)
{
    void *block = malloc(n + 1);

    check(block != NULL, "out of memory");
    check(n == 0 || fread(block, n, 1, stdin) == 1, "a case is cut short");
    return block;
}

static void put(const void *data, size_t n)
{
    check(n == 0 || fwrite(data, n, 1, stdout) == 1, "cannot write");
}

/* ---- the mask as a constraint -------------------------------------------- */

static int mask_allows(void *ctx, int32_t token)
{
    const struct replay_case *c = ctx;

    return c->mask[token] != 0;
}

static sortes_status mask_fill(void *ctx, uint32_t *words, size_t n_words)
{
    const struct replay_case *c = ctx;

    (void)n_words;
    for (uint32_t i = 0; i < c->head.n; i++)
        if (c->mask[i])
            words[i / 32] |= (uint32_t)1 << i % 32;
    return SORTES_OK;
}

static sortes_status mask_advance(void *ctx, int32_t token)
{
    (void)ctx;
    (void)token;
    return SORTES_OK;
}

/* ---- samplers ------------------------------------------------------------ */

static sortes_params *params_of(const struct replay_case *c)
{
    const struct replay_head *h = &c->head;
    const struct {
        const char *name;
        float value;
    } numbers[] = { { "temperature", h->temperature },
                    { "top_p", h->top_p },
                    { "min_p", h->min_p },
                    { "top_k", (float)h->top_k },
                    { "repetition_penalty", h->repetition },
                    { "presence_penalty", h->presence },
                    { "frequency_penalty", h->frequency } };
    char *text = calloc(h->n_biases + 1, 64);
    sortes_params *p;
    size_t at = 0;

    check(text && sortes_params_new(&p, "rmlx", NULL) == SORTES_OK, "params");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        check(sortes_params_set_number(p, numbers[i].name,
                                       (double)numbers[i].value,
                                       NULL) == SORTES_OK,
              numbers[i].name);
    check(sortes_params_set_seed(p, h->seed, NULL) == SORTES_OK, "seed");
    for (uint32_t i = 0; i < h->n_biases; i++)
        at += (size_t)sprintf(text + at, "%s%d%+.9g", i > 0 ? "," : "",
                              c->biases[i].id, (double)c->biases[i].value);
    check(sortes_params_set_text(p, "logit_bias", text, NULL) == SORTES_OK,
          "logit_bias");
    free(text);
    return p;
}

static sortes_sampler *sampler_of(struct replay_case *c, const sortes_params *p)
{
    sortes_constraint mask = { .struct_size = sizeof(mask),
                               .ctx = c,
                               .allows = mask_allows,
                               .mask = mask_fill,
                               .advance = mask_advance };
    sortes_sampler *s;

    check(sortes_sampler_new(&s, p, NULL, NULL) == SORTES_OK, "sampler");
    for (uint32_t i = 0; i < c->head.n_history; i++)
        check(sortes_sampler_accept(s, &c->history[i], 1, SORTES_GENERATED) ==
                  SORTES_OK,
              "accept");
    if (c->head.masked)
        check(sortes_sampler_set_constraint(s, &mask) == SORTES_OK, "mask");
    return s;
}

/* The literal steps, and the plan on every set of kernels. */
static size_t samplers_of(struct replay_case *c, sortes_sampler **s)
{
    static const char *const kernels[] = { "scalar", "avx2", "avx512", "neon" };
    sortes_params *const p = params_of(c);
    size_t n = 0;

    s[n] = sampler_of(c, p);
    sortes_sampler_use_reference(s[n++], 1);
    for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
        s[n] = sampler_of(c, p);
        if (sortes_sampler_use_kernels(s[n], kernels[i]) == SORTES_OK)
            n++;
        else
            sortes_sampler_free(s[n]);
    }
    sortes_params_free(p);
    return n;
}

/* One draw of all of them; the token, or the status negated. */
static int32_t draw_all(sortes_sampler **s, size_t n, const sortes_row *row)
{
    sortes_draw first = { 0 }, other = { 0 };
    const sortes_status status = sortes_sampler_sample(s[0], row, &first);

    for (size_t i = 1; i < n; i++) {
        check(sortes_sampler_sample(s[i], row, &other) == status,
              "the plan has another status");
        check(memcmp(&first, &other, sizeof(first)) == 0,
              "the plan draws something else");
    }
    return status == SORTES_OK ? first.token : -(int32_t)status;
}

static void answer(struct replay_case *c)
{
    const sortes_row row = { c->row, c->head.n, (sortes_dtype)c->head.type };
    sortes_sampler *s[REPLAY_SAMPLERS];
    const size_t n = samplers_of(c, s);
    float *p = malloc(c->head.n * sizeof(*p));
    int32_t status;

    check(p != NULL, "out of memory");
    status = (int32_t)sortes_sampler_distribution(s[0], &row, p);
    put(&status, sizeof(status));
    if (status == SORTES_OK)
        put(p, c->head.n * sizeof(*p));
    for (uint32_t i = 0; i < c->head.n_draws; i++) {
        const int32_t token = draw_all(s, n, &row);

        if (status == SORTES_OK)
            put(&token, sizeof(token));
        else
            check(token == -status, "a refused row is drawn from");
    }
    for (size_t i = 0; i < n; i++)
        sortes_sampler_free(s[i]);
    free(p);
}

int main(void)
{
    struct replay_case c;

    while (fread(&c.head, sizeof(c.head), 1, stdin) == 1) {
        const size_t size = c.head.type == SORTES_F32 ? 4 : 2;

        c.row = take(c.head.n * size);
        c.history = take(c.head.n_history * sizeof(*c.history));
        c.biases = take(c.head.n_biases * sizeof(*c.biases));
        c.mask = take(c.head.masked ? c.head.n : 0);
        answer(&c);
        free(c.row);
        free(c.history);
        free(c.biases);
        free(c.mask);
    }
    return fflush(stdout) != 0;
}
