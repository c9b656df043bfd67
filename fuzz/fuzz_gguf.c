/*
 * fuzz_gguf.c - any bytes as a GGUF file: its metadata, vocab and defaults
 *
 * Every byte of every value is touched, every key is found under its name, and
 * what the vocab and the parameters make of the file keeps their promises.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "gguf/gguf.h"
#include "params/params.h"
#include "vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned touch_bytes(const char *bytes, size_t n)
{
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (unsigned char)bytes[i];
    return sum;
}

static unsigned touch_value(const struct srt_gguf_value *v)
{
    const unsigned char *cursor = NULL;
    unsigned sum = 0;

    check(strlen(srt_gguf_type_name(v->type)) > 0);
    for (uint64_t i = 0; i < v->n; i++) {
        if (v->type == SRT_GGUF_STRING) {
            size_t n;
            const char *text = srt_gguf_next_string(v, &cursor, &n);

            sum += touch_bytes(text, n);
        } else if (v->type == SRT_GGUF_F32 || v->type == SRT_GGUF_F64) {
            sum += srt_gguf_number(v, i) > 0;
        } else {
            sum += srt_gguf_integer(v, i) != 0;
        }
    }
    return sum;
}

static unsigned check_vocab(const struct srt_gguf *g)
{
    sortes_vocab *v;
    sortes_error err;
    unsigned sum = 0;

    if (srt_vocab_read(&v, g, &err) != SORTES_OK) {
        check(v == NULL && err.text[0] != '\0');
        return 0;
    }
    check(sortes_vocab_size(v) > 0);
    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(v, (int32_t)i, &n);

        check(piece != NULL);
        sum += touch_bytes(piece, n) + sortes_vocab_flags(v, (int32_t)i);
    }
    sortes_vocab_free(v);
    return sum;
}

static void check_params(const struct srt_gguf *g)
{
    sortes_params *p;
    sortes_error err;

    check(sortes_params_new(&p, "llama.cpp", &err) == SORTES_OK);
    if (srt_params_read_gguf(p, g, &err) == SORTES_OK) {
        check(!isnan(p->temperature) && !isnan(p->top_p) && !isnan(p->min_p));
        check(isfinite(p->repeat_penalty) && p->repeat_penalty > 0);
    } else {
        check(err.text[0] != '\0');
    }
    sortes_params_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct srt_gguf *g;
    sortes_error err;
    volatile unsigned sum = 0;

    if (srt_gguf_open_memory(&g, "fuzz", data, n, &err) != SORTES_OK) {
        check(g == NULL && err.text[0] != '\0' && err.offset <= n);
        return 0;
    }
    for (size_t i = 0; i < srt_gguf_count(g); i++) {
        const struct srt_gguf_value *v = srt_gguf_at(g, i);

        check(v->key[v->n_key] == '\0' && v->offset <= n);
        if (strlen(v->key) == v->n_key)
            check(srt_gguf_find(g, v->key) == v);
        sum = sum + touch_value(v);
    }
    sum = sum + check_vocab(g);
    check_params(g);
    srt_gguf_close(g);
    return 0;
}
