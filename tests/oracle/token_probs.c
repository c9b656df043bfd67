/*
 * token_probs.c - live: n_probs against libllama's partial sort and glibc
 *
 * llama-server's function is not in libllama, but its one hard part is:
 * llama_sampler_init_top_k(k) with k of up to 128 is std::partial_sort of the
 * whole array in place, and what lies behind the k it keeps is the permuted
 * tail.  Over that order runs the float sum of glibc's expf.  So every bit of
 * sortes_sampler_logprobs is compared with what the server's own libraries
 * give; more than 128 is left to the recorded answers (tests/golden).
 *
 *   oracle_token_probs [CASES [SEED]]   3,000 cases
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/llama_chain.h"
#include "sortes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBS_LONGEST = 151936, PROBS_MOST = 128 };

static float row_x[PROBS_LONGEST];
static llama_token_data row_data[PROBS_LONGEST];

struct probs_case {
    size_t n, k;
    enum rows_kind kind;
    uint64_t seed;
    int32_t token;
};

/* Every candidate's log-probability, in the order of the partial sort. */
static void server_logprobs(const struct probs_case *c)
{
    struct llama_sampler *top_k = llama_sampler_init_top_k((int32_t)c->k);
    llama_token_data_array a = beside_fill(row_data, row_x, c->n);
    const float max = (llama_sampler_apply(top_k, &a), row_data[0].logit);
    float sum = 0;

    for (size_t i = 0; i < c->n; i++) {
        row_data[i].p = expf(row_data[i].logit - max);
        sum += row_data[i].p;
    }
    for (size_t i = 0; i < c->n; i++) {
        row_data[i].p /= sum;
        row_data[i].p = row_data[i].p == 0 ? -FLT_MAX : logf(row_data[i].p);
    }
    llama_sampler_free(top_k);
}

static int same(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static int run_case(sortes_sampler *s, const struct probs_case *c)
{
    static sortes_logprob top[PROBS_MOST];
    const sortes_row row = { row_x, c->n, SORTES_F32 };
    float logprob = 1;
    int is_same;

    rows_fill(row_x, c->n, c->kind, c->seed);
    if (sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, c->token, top,
                                c->k, &logprob) != SORTES_OK) {
        for (size_t i = 0; i < c->n; i++)
            if (row_x[i] > -INFINITY)
                return 0;
        return -1; /* nothing but -inf */
    }
    server_logprobs(c);
    is_same = 1;
    for (size_t i = 0; i < c->k; i++)
        is_same &= top[i].token == row_data[i].id &&
                   same(top[i].logprob, row_data[i].p);
    for (size_t i = 0; i < c->n; i++)
        if (row_data[i].id == c->token)
            is_same &= same(logprob, row_data[i].p);
    if (!is_same)
        fprintf(stderr, "DIFFERENT n %zu k %zu kind %s seed %llu token %d\n",
                c->n, c->k, rows_kind_name(c->kind),
                (unsigned long long)c->seed, c->token);
    return is_same;
}

static void random_case(struct probs_case *c, struct rows_random *r)
{
    static const size_t sizes[] = { 1,     2,     3,     40,     127,
                                    128,   129,   1000,  1025,   4097,
                                    20000, 32000, 49152, 128256, 151936 };
    static const size_t ks[] = { 1, 2, 3, 5, 10, 20, 20, 64, 127, 128 };

    c->n = sizes[rows_below(r, sizeof(sizes) / sizeof(sizes[0]))];
    c->k = ks[rows_below(r, sizeof(ks) / sizeof(ks[0]))];
    if (c->k > c->n)
        c->k = c->n;
    c->kind = (enum rows_kind)rows_below(r, ROWS_N_KINDS);
    c->seed = rows_bits(r) >> 1;
    c->token = (int32_t)rows_below(r, c->n);
}

int main(int argc, char **argv)
{
    const uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000;
    struct rows_random r = { argc > 2 ? strtoull(argv[2], NULL, 10) : 31 };
    const struct settings settings = settings_default();
    sortes_sampler *s = settings_sampler(&settings);
    uint64_t n_values = 0, refused = 0, different = 0;

    if (!s)
        return 1;
    for (uint64_t i = 0; i < cases && different < 10; i++) {
        struct probs_case c;
        int result;

        random_case(&c, &r);
        result = run_case(s, &c);
        n_values += result < 0 ? 0 : c.k + 1;
        refused += result < 0;
        different += result == 0;
    }
    printf("oracle/token_probs: %llu cases, %llu log-probabilities, %llu "
           "refused, %llu different (libllama %s)\n",
           (unsigned long long)cases, (unsigned long long)n_values,
           (unsigned long long)refused, (unsigned long long)different,
           llama_version());
    sortes_sampler_free(s);
    return different || !n_values ? 1 : 0;
}
