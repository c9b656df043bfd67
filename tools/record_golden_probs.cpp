/*
 * record_golden_probs.cpp - records what llama-server's n_probs would report
 *
 *   record_golden_probs FOLDER
 *
 * writes FOLDER/llamacpp_probs.jsonl: after the first line (tests/golden/
 * golden.h) one case a line: the row as in record_golden.c, k, a token and the
 * bits of its log-probability, and the k best, "ids" and "logprobs", or their
 * "hash".
 *
 * The server's function is not in libllama, so this program takes the same
 * steps with the same library calls: std::partial_sort of all candidates by
 * logit, the first k in order; the float sum of std::exp over the array as
 * that left it; divisions; std::log.  It is C++ for std::partial_sort's sake.
 *
 * SPDX-License-Identifier: MIT
 */
#include "golden/golden.h"

extern "C" {
#include "support/rows.h"
}

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gnu/libc-version.h>
#include <vector>

namespace
{

struct Candidate {
    int32_t id;
    float logit;
    float p;
};

struct Case {
    rows_kind kind;
    size_t n;
    size_t k;
    int32_t token;
    uint64_t seed;
};

constexpr int n_cases = 90;

/* The server's steps. */
std::vector<Candidate> probabilities(const std::vector<float> &row, size_t k)
{
    std::vector<Candidate> all(row.size());

    for (size_t i = 0; i < row.size(); i++)
        all[i] = Candidate{ int32_t(i), row[i], 0.0f };
    std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(k), all.end(),
                      [](const Candidate &a, const Candidate &b) {
                          return a.logit > b.logit;
                      });
    float sum = 0.0f;
    const float max = all[0].logit;
    for (Candidate &c : all) {
        c.p = std::exp(c.logit - max);
        sum += c.p;
    }
    for (Candidate &c : all)
        c.p /= sum;
    return all;
}

float logprob(const Candidate &c)
{
    return c.p == 0.0f ? -FLT_MAX : std::log(c.p);
}

Case pick(rows_random &r, int number)
{
    static const size_t sizes[] = { 1,    2,    7,    16,   24,    64,   129,
                                    1000, 1025, 4096, 9001, 20000, 49152 };
    static const size_t ks[] = { 1, 2, 5, 20, 128, 129, 600 };
    Case c;

    c.n = sizes[number % 13];
    c.kind = rows_kind(number * 7 % ROWS_N_KINDS);
    c.k = std::min(ks[rows_below(&r, 7)], c.n);
    c.token = int32_t(rows_below(&r, c.n));
    c.seed = rows_bits(&r) >> 32;
    return c;
}

void write_bits(FILE *out, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    fprintf(out, "%08x", bits);
}

void write_row(FILE *out, const Case &c, const std::vector<float> &row)
{
    if (c.n > GOLDEN_WHOLE) {
        fprintf(out,
                "{\"row\":{\"kind\":\"%s\",\"seed\":%llu,\"n\":%zu,"
                "\"type\":\"f32\"}",
                rows_kind_name(c.kind), (unsigned long long)c.seed, c.n);
        return;
    }
    fputs("{\"row\":{\"logits\":\"", out);
    for (float x : row)
        write_bits(out, x);
    fputs("\"}", out);
}

void write_top(FILE *out, const Case &c, const std::vector<Candidate> &all)
{
    uint64_t hash = GOLDEN_HASH_START;

    if (c.k > GOLDEN_WHOLE) {
        for (size_t i = 0; i < c.k; i++) {
            hash = golden_hash_word(hash, uint32_t(all[i].id));
            hash = golden_hash_float(hash, logprob(all[i]));
        }
        fprintf(out, ",\"hash\":\"%016llx\"}\n", (unsigned long long)hash);
        return;
    }
    fputs(",\"ids\":[", out);
    for (size_t i = 0; i < c.k; i++)
        fprintf(out, "%s%d", i ? "," : "", all[i].id);
    fputs("],\"logprobs\":\"", out);
    for (size_t i = 0; i < c.k; i++)
        write_bits(out, logprob(all[i]));
    fputs("\"}\n", out);
}

void write_case(FILE *out, const Case &c)
{
    std::vector<float> row(c.n);

    rows_fill(row.data(), c.n, c.kind, c.seed);
    const std::vector<Candidate> all = probabilities(row, c.k);
    write_row(out, c, row);
    fprintf(out, ",\"k\":%zu,\"token\":%d,\"logprob\":\"", c.k, c.token);
    for (const Candidate &it : all)
        if (it.id == c.token)
            write_bits(out, logprob(it));
    fputc('"', out);
    write_top(out, c, all);
}

void write_header(FILE *out)
{
    fprintf(out,
            "{\"golden\":\"llama-server n_probs\",\"recorder\":"
            "\"tools/record_golden_probs.cpp\",\"libc\":\"glibc %s\","
            "\"libstdc++\":\"%d\",\"cases\":%d,\"rows\":{",
            gnu_get_libc_version(), __GLIBCXX__, n_cases);
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        uint64_t hash = GOLDEN_HASH_START;
        std::vector<float> row(GOLDEN_CHECK);

        rows_fill(row.data(), row.size(), rows_kind(kind), 1);
        for (float x : row)
            hash = golden_hash_float(hash, x);
        fprintf(out, "%s\"%s\":\"%016llx\"", kind ? "," : "",
                rows_kind_name(rows_kind(kind)), (unsigned long long)hash);
    }
    fputs("}}\n", out);
}

} // namespace

int main(int argc, char **argv)
{
    rows_random r = { 8 };
    char path[1024];

    if (argc != 2) {
        fprintf(stderr, "usage: record_golden_probs FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof(path), "%s/llamacpp_probs.jsonl", argv[1]);
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "record_golden_probs: %s\n", path);
        return 1;
    }
    write_header(out);
    for (int i = 0; i < n_cases; i++)
        write_case(out, pick(r, i));
    if (ferror(out) || fclose(out) != 0) {
        fprintf(stderr, "record_golden_probs: %s was not written\n", path);
        return 1;
    }
    printf("%s: %d cases\n", path, n_cases);
    return 0;
}
