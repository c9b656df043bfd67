/*
 * record_golden.h - how the recorders of chains write what libllama did
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOOLS_RECORD_GOLDEN_H
#define TOOLS_RECORD_GOLDEN_H

#include "golden/golden.h"
#include "llama.h"
#include "support/rows.h"

#include <gnu/libc-version.h>
#include <stdio.h>

static inline void golden_bits(FILE *out, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    fprintf(out, "%08x", bits);
}

static inline void golden_write_ids(FILE *out, const char *name,
                                    const int32_t *ids, size_t n)
{
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%d", i ? "," : "", ids[i]);
    fputc(']', out);
}

static inline void golden_write_array(FILE *out,
                                      const llama_token_data_array *a)
{
    fputs(",\"ids\":[", out);
    for (size_t i = 0; i < a->size; i++)
        fprintf(out, "%s%d", i ? "," : "", a->data[i].id);
    fputs("],\"logits\":\"", out);
    for (size_t i = 0; i < a->size; i++)
        golden_bits(out, a->data[i].logit);
    fputs("\",\"p\":\"", out);
    for (size_t i = 0; i < a->size; i++)
        golden_bits(out, a->data[i].p);
    fputc('"', out);
}

static inline void golden_write_stage(FILE *out, const char *name,
                                      const llama_token_data_array *a)
{
    uint64_t hash = GOLDEN_HASH_START;

    fprintf(out, "{\"stage\":\"%s\",\"n\":%zu,\"sorted\":%s,\"selected\":%lld",
            name, a->size, a->sorted ? "true" : "false",
            (long long)a->selected);
    if (a->size <= GOLDEN_WHOLE) {
        golden_write_array(out, a);
    } else {
        for (size_t i = 0; i < a->size; i++) {
            hash = golden_hash_word(hash, (uint32_t)a->data[i].id);
            hash = golden_hash_float(hash, a->data[i].logit);
            hash = golden_hash_float(hash, a->data[i].p);
        }
        fprintf(out, ",\"hash\":\"%016llx\"", (unsigned long long)hash);
    }
    fputc('}', out);
}

/* what: of the first line, "chain"; x: room for GOLDEN_CHECK. */
static inline void golden_write_header(FILE *out, const char *what,
                                       const char *recorder, int cases,
                                       const char *note, float *x)
{
    fprintf(out,
            "{\"golden\":\"llama.cpp %s\",\"recorder\":"
            "\"tools/%s.c\",\"libllama\":\"%s\",\"ggml\":\"%s\","
            "\"commit\":\"%s\",\"libc\":\"glibc %s\",\"cases\":%d,%s\"rows\":{",
            what, recorder, llama_version(), ggml_version(), ggml_commit(),
            gnu_get_libc_version(), cases, note);
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        uint64_t hash = GOLDEN_HASH_START;

        rows_fill(x, GOLDEN_CHECK, (enum rows_kind)kind, 1);
        for (size_t i = 0; i < GOLDEN_CHECK; i++)
            hash = golden_hash_float(hash, x[i]);
        fprintf(out, "%s\"%s\":\"%016llx\"", kind ? "," : "",
                rows_kind_name((enum rows_kind)kind), (unsigned long long)hash);
    }
    fputs("}}\n", out);
}

#endif /* TOOLS_RECORD_GOLDEN_H */
