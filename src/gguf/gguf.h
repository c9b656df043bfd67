/*
 * gguf.h - the metadata of a GGUF file: keys and typed values
 *
 * Reads versions 2 and 3, little-endian, up to the end of the key-value part;
 * what follows (tensor names, tensor data) is never read.  No length or count
 * in the file is trusted: memory is taken only as bytes really arrive.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_GGUF_H
#define SRT_GGUF_H

#include "status.h"

#include <stdbool.h>

/* Limits, SORTES_E_LIMIT beyond; the largest real files stay far below. */
#define SRT_GGUF_MAX_KEYS     65536
#define SRT_GGUF_MAX_KEY      65535u /* bytes; the format's own limit */
#define SRT_GGUF_MAX_METADATA ((uint64_t)1 << 30) /* bytes in all */

/* The numbers that stand in the file. */
enum srt_gguf_type {
    SRT_GGUF_U8 = 0,
    SRT_GGUF_I8 = 1,
    SRT_GGUF_U16 = 2,
    SRT_GGUF_I16 = 3,
    SRT_GGUF_U32 = 4,
    SRT_GGUF_I32 = 5,
    SRT_GGUF_F32 = 6,
    SRT_GGUF_BOOL = 7,
    SRT_GGUF_STRING = 8,
    SRT_GGUF_ARRAY = 9,
    SRT_GGUF_U64 = 10,
    SRT_GGUF_I64 = 11,
    SRT_GGUF_F64 = 12
};

struct srt_gguf_value {
    const char *key; /* NUL after its end */
    size_t n_key;
    size_t offset;              /* of the value in the file */
    bool is_array;              /* of `type`; arrays do not nest */
    enum srt_gguf_type type;    /* never SRT_GGUF_ARRAY */
    uint64_t n;                 /* elements; 1 when it is no array */
    const unsigned char *bytes; /* as they stand in the file */
};

struct srt_gguf;

/* `name` is how messages call the file; it is copied. */
sortes_status srt_gguf_open(struct srt_gguf **out, const char *path,
                            sortes_error *err);
sortes_status srt_gguf_open_memory(struct srt_gguf **out, const char *name,
                                   const void *data, size_t n,
                                   sortes_error *err);
void srt_gguf_close(struct srt_gguf *g); /* NULL is allowed */

const char *srt_gguf_name(const struct srt_gguf *g);
size_t srt_gguf_count(const struct srt_gguf *g);

/* By index in the file's order, and by key; NULL when there is none. */
const struct srt_gguf_value *srt_gguf_at(const struct srt_gguf *g, size_t i);
const struct srt_gguf_value *srt_gguf_find(const struct srt_gguf *g,
                                           const char *key);

/* "u8" ... "f64" "bool" "string"; of the element type for arrays. */
const char *srt_gguf_type_name(enum srt_gguf_type type);

/* Bytes of one element; 0 for strings. */
size_t srt_gguf_type_size(enum srt_gguf_type type);

/* Element i of a value of whole numbers or bools; wraps u64 into int64_t. */
int64_t srt_gguf_integer(const struct srt_gguf_value *v, uint64_t i);

/* Element i of a value of f32 or f64. */
double srt_gguf_number(const struct srt_gguf_value *v, uint64_t i);

/*
 * Strings one after another: *cursor is NULL before the first.  The text is
 * not NUL-terminated.  Call it v->n times.
 */
const char *srt_gguf_next_string(const struct srt_gguf_value *v,
                                 const unsigned char **cursor, size_t *n);

#endif /* SRT_GGUF_H */
