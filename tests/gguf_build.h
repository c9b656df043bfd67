/*
 * gguf_build.h - small GGUF texts for tests
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_GGUF_BUILD_H
#define TESTS_GGUF_BUILD_H

#include "gguf/gguf.h"

#include <assert.h>
#include <string.h>

struct gguf_build {
    unsigned char bytes[1 << 16];
    size_t n;
    uint64_t n_pairs;
};

static inline void build_raw(struct gguf_build *b, const void *data, size_t n)
{
    assert(b->n + n <= sizeof(b->bytes));
    memcpy(b->bytes + b->n, data, n);
    b->n += n;
}

static inline void build_number(struct gguf_build *b, uint64_t value,
                                size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> (8 * i));

        build_raw(b, &byte, 1);
    }
}

static inline void build_string(struct gguf_build *b, const char *text)
{
    build_number(b, strlen(text), 8);
    build_raw(b, text, strlen(text));
}

/* Magic, version 3, no tensors; build_end() fills the number of pairs in. */
static inline void build_start(struct gguf_build *b)
{
    memset(b, 0, sizeof(*b));
    build_raw(b, "GGUF", 4);
    build_number(b, 3, 4);
    build_number(b, 0, 8);
    build_number(b, 0, 8);
}

static inline void build_end(struct gguf_build *b)
{
    for (size_t i = 0; i < 8; i++)
        b->bytes[16 + i] = (unsigned char)(b->n_pairs >> (8 * i));
}

static inline void build_key(struct gguf_build *b, const char *key,
                             enum srt_gguf_type type)
{
    build_string(b, key);
    build_number(b, type, 4);
    b->n_pairs++;
}

static inline void build_whole(struct gguf_build *b, const char *key,
                               enum srt_gguf_type type, int64_t value)
{
    build_key(b, key, type);
    build_number(b, (uint64_t)value, srt_gguf_type_size(type));
}

static inline void build_f32(struct gguf_build *b, const char *key, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    build_key(b, key, SRT_GGUF_F32);
    build_number(b, bits, 4);
}

static inline void build_f64(struct gguf_build *b, const char *key,
                             double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    build_key(b, key, SRT_GGUF_F64);
    build_number(b, bits, 8);
}

static inline void build_text(struct gguf_build *b, const char *key,
                              const char *value)
{
    build_key(b, key, SRT_GGUF_STRING);
    build_string(b, value);
}

static inline void build_texts(struct gguf_build *b, const char *key,
                               const char *const *values, size_t n)
{
    build_key(b, key, SRT_GGUF_ARRAY);
    build_number(b, SRT_GGUF_STRING, 4);
    build_number(b, n, 8);
    for (size_t i = 0; i < n; i++)
        build_string(b, values[i]);
}

static inline void build_i32s(struct gguf_build *b, const char *key,
                              const int32_t *values, size_t n)
{
    build_key(b, key, SRT_GGUF_ARRAY);
    build_number(b, SRT_GGUF_I32, 4);
    build_number(b, n, 8);
    for (size_t i = 0; i < n; i++)
        build_number(b, (uint32_t)values[i], 4);
}

#endif /* TESTS_GGUF_BUILD_H */
