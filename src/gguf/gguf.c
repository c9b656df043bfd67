/*
 * gguf.c - reads the key-value part of a GGUF file
 *
 * Layout (ggml, docs/gguf.md): "GGUF", u32 version, u64 tensors, u64 pairs;
 * then pairs of string key, u32 type, value.  A string is u64 length and
 * bytes; an array is u32 element type, u64 count, elements.  All little-
 * endian.  Refused as llama.cpp refuses them: version 1, big-endian files,
 * empty and duplicate keys, arrays of arrays.
 *
 * The bytes of keys and values are kept as they stand, one after another, in
 * one buffer that grows by what has arrived; a value points into it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gguf/gguf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GGUF_CHUNK     65536 /* bytes that are read at a time */
#define GGUF_MAX_NAME  200   /* bytes of a file name that messages show */
#define GGUF_SHOWN_KEY 80

/* bytes is freed last: keys and values point into it. */
struct srt_gguf {
    char name[GGUF_MAX_NAME];
    unsigned char *bytes; /* what was kept, then room */
    size_t n_bytes, size;
    struct srt_gguf_value *values; /* in the file's order */
    const struct srt_gguf_value **by_key;
    size_t n_values, values_size;
};

/* While reading, key and bytes of a value are still positions in g->bytes. */
struct gguf_position {
    size_t key, bytes;
};

struct gguf_reader {
    struct srt_gguf *g;
    FILE *file;                /* or */
    const unsigned char *data; /* memory */
    uint64_t n_data;
    uint64_t at; /* bytes read so far */
    struct gguf_position *positions;
    const char *key; /* being read, for messages; NULL: none yet */
    sortes_error *err;
    sortes_status status;
};

/* ---- types --------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t size;
} gguf_types[] = {
    { "u8", 1 },  { "i8", 1 },  { "u16", 2 },  { "i16", 2 },    { "u32", 4 },
    { "i32", 4 }, { "f32", 4 }, { "bool", 1 }, { "string", 0 }, { "array", 0 },
    { "u64", 8 }, { "i64", 8 }, { "f64", 8 },
};

const char *srt_gguf_type_name(enum srt_gguf_type type)
{
    return gguf_types[type].name;
}

size_t srt_gguf_type_size(enum srt_gguf_type type)
{
    return gguf_types[type].size;
}

/* ---- errors -------------------------------------------------------------- */

/* With the key being read, where there is one, and how far reading got. */
static bool gguf_refuse(struct gguf_reader *r, sortes_status status,
                        const char *problem)
{
    size_t at = (size_t)r->at;

    if (r->key != NULL)
        r->status = srt_fail(r->err, status, at, "%s: key '%.*s', byte %zu: %s",
                             r->g->name, GGUF_SHOWN_KEY, r->key, at, problem);
    else
        r->status = srt_fail(r->err, status, at, "%s: byte %zu: %s", r->g->name,
                             at, problem);
    return false;
}

static bool gguf_no_memory(struct gguf_reader *r)
{
    return gguf_refuse(r, SORTES_E_NOMEM, "out of memory");
}

/* ---- bytes --------------------------------------------------------------- */

/* Reads exactly n bytes. */
static bool gguf_read_raw(struct gguf_reader *r, void *out, size_t n)
{
    size_t got = 0;

    if (r->file != NULL) {
        got = fread(out, 1, n, r->file);
        if (got < n && ferror(r->file))
            return gguf_refuse(r, SORTES_E_IO, "could not be read");
    } else if (r->n_data - r->at >= n) {
        memcpy(out, r->data + r->at, n);
        got = n;
    }
    if (got < n)
        return gguf_refuse(r, SORTES_E_SYNTAX, "the file ends too early");
    r->at += n;
    return true;
}

/* Whatever the machine's own order. */
static uint64_t gguf_little_endian(const unsigned char *bytes, size_t n)
{
    uint64_t value = 0;

    for (size_t i = n; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

/* A number that is used at once and not kept. */
static bool gguf_read_number(struct gguf_reader *r, size_t n, uint64_t *value)
{
    unsigned char bytes[8];

    if (!gguf_read_raw(r, bytes, n))
        return false;
    *value = gguf_little_endian(bytes, n);
    return true;
}

/* Makes room for n more bytes to keep, n at most GGUF_CHUNK. */
static bool gguf_reserve(struct gguf_reader *r, size_t n)
{
    struct srt_gguf *g = r->g;
    size_t size = g->size > 0 ? g->size : GGUF_CHUNK;
    unsigned char *bytes;

    if (g->n_bytes + n > SRT_GGUF_MAX_METADATA)
        return gguf_refuse(r, SORTES_E_LIMIT, "more than 1 GiB of metadata");
    while (size - g->n_bytes < n)
        size *= 2;
    if (size == g->size)
        return true;
    bytes = realloc(g->bytes, size);
    if (bytes == NULL)
        return gguf_no_memory(r);
    g->bytes = bytes;
    g->size = size;
    return true;
}

/* Reads n bytes into the buffer, a chunk at a time. */
static bool gguf_keep(struct gguf_reader *r, uint64_t n)
{
    while (n > 0) {
        size_t part = n < GGUF_CHUNK ? (size_t)n : GGUF_CHUNK;

        if (!gguf_reserve(r, part) ||
            !gguf_read_raw(r, r->g->bytes + r->g->n_bytes, part))
            return false;
        r->g->n_bytes += part;
        n -= part;
    }
    return true;
}

/* Reads a u64 length and as many bytes; both are kept. */
static bool gguf_keep_string(struct gguf_reader *r)
{
    uint64_t n;

    if (!gguf_keep(r, 8))
        return false;
    n = gguf_little_endian(r->g->bytes + r->g->n_bytes - 8, 8);
    if (n > SRT_GGUF_MAX_METADATA)
        return gguf_refuse(r, SORTES_E_LIMIT, "string too long");
    return gguf_keep(r, n);
}

/* ---- pairs --------------------------------------------------------------- */

/* Keys get a NUL, which the file does not have, so that they can be shown. */
static bool gguf_read_key(struct gguf_reader *r, struct srt_gguf_value *v,
                          struct gguf_position *position)
{
    uint64_t n;

    r->key = NULL;
    if (!gguf_read_number(r, 8, &n))
        return false;
    if (n == 0)
        return gguf_refuse(r, SORTES_E_SYNTAX, "empty key");
    if (n > SRT_GGUF_MAX_KEY)
        return gguf_refuse(r, SORTES_E_LIMIT, "key too long");
    position->key = r->g->n_bytes;
    v->n_key = (size_t)n;
    if (!gguf_keep(r, n) || !gguf_reserve(r, 1))
        return false;
    r->g->bytes[r->g->n_bytes++] = '\0';
    return true;
}

static bool gguf_read_type(struct gguf_reader *r, enum srt_gguf_type *type)
{
    uint64_t number;

    if (!gguf_read_number(r, 4, &number))
        return false;
    if (number >= SRT_COUNT(gguf_types))
        return gguf_refuse(r, SORTES_E_SYNTAX, "unknown type");
    *type = (enum srt_gguf_type)number;
    return true;
}

/* A value's offset is that of its first byte, behind types and counts. */
static bool gguf_read_value(struct gguf_reader *r, struct srt_gguf_value *v,
                            struct gguf_position *position)
{
    size_t size;

    v->n = 1;
    if (!gguf_read_type(r, &v->type))
        return false;
    v->is_array = v->type == SRT_GGUF_ARRAY;
    if (v->is_array &&
        (!gguf_read_type(r, &v->type) || !gguf_read_number(r, 8, &v->n)))
        return false;
    if (v->type == SRT_GGUF_ARRAY)
        return gguf_refuse(r, SORTES_E_SYNTAX, "array of arrays");
    if (v->n > SRT_GGUF_MAX_METADATA)
        return gguf_refuse(r, SORTES_E_LIMIT, "array too long");
    v->offset = (size_t)r->at;
    position->bytes = r->g->n_bytes;
    size = srt_gguf_type_size(v->type);
    if (size > 0)
        return gguf_keep(r, v->n * size);
    for (uint64_t i = 0; i < v->n; i++)
        if (!gguf_keep_string(r))
            return false;
    return true;
}

/* A place for one more value, in both lists. */
static bool gguf_add_value(struct gguf_reader *r)
{
    struct srt_gguf *g = r->g;
    size_t size = g->values_size > 0 ? g->values_size * 2 : 64;
    void *memory;

    if (g->n_values < g->values_size)
        return true;
    memory = realloc(g->values, size * sizeof(*g->values));
    if (memory == NULL)
        return gguf_no_memory(r);
    g->values = memory;
    memory = realloc(r->positions, size * sizeof(*r->positions));
    if (memory == NULL)
        return gguf_no_memory(r);
    r->positions = memory;
    g->values_size = size;
    return true;
}

/* The key is copied for messages: the buffer may move while its value is
 * read. */
static bool gguf_read_pair(struct gguf_reader *r)
{
    struct srt_gguf *g = r->g;
    char key[GGUF_SHOWN_KEY + 1] = { 0 };
    struct gguf_position *position;
    struct srt_gguf_value *v;
    bool ok;

    r->key = NULL;
    if (!gguf_add_value(r))
        return false;
    v = &g->values[g->n_values];
    position = &r->positions[g->n_values];
    memset(v, 0, sizeof(*v));
    if (!gguf_read_key(r, v, position))
        return false;
    memcpy(key, g->bytes + position->key,
           v->n_key < GGUF_SHOWN_KEY ? v->n_key : GGUF_SHOWN_KEY);
    r->key = key;
    ok = gguf_read_value(r, v, position);
    r->key = NULL;
    g->n_values += ok;
    return ok;
}

static bool gguf_read_magic(struct gguf_reader *r)
{
    unsigned char m[4] = { 0 };

    if (gguf_read_raw(r, m, sizeof(m)) && memcmp(m, "GGUF", sizeof(m)) == 0)
        return true;
    if (r->status == SORTES_E_IO)
        return false;
    if (r->at == 0)
        r->status =
            srt_fail(r->err, SORTES_E_SYNTAX, 0,
                     "%s: not a GGUF file (shorter than 4 bytes)", r->g->name);
    else
        r->status = srt_fail(r->err, SORTES_E_SYNTAX, 0,
                             "%s: not a GGUF file (magic %02x %02x %02x %02x, "
                             "needed 47 47 55 46)",
                             r->g->name, m[0], m[1], m[2], m[3]);
    return false;
}

/* A version whose lower half is 0 is a small one with its bytes turned. */
static bool gguf_read_header(struct gguf_reader *r, uint64_t *n_pairs)
{
    uint64_t version, n_tensors;

    *n_pairs = 0;
    if (!gguf_read_magic(r) || !gguf_read_number(r, 4, &version))
        return false;
    if (version != 0 && (version & 0xFFFF) == 0)
        return gguf_refuse(r, SORTES_E_SYNTAX, "big-endian GGUF");
    if (version != 2 && version != 3) {
        r->status = srt_fail(r->err, SORTES_E_SYNTAX, 4,
                             "%s: GGUF version unknown (got %u, allowed 2 and "
                             "3)",
                             r->g->name, (unsigned)version);
        return false;
    }
    return gguf_read_number(r, 8, &n_tensors) &&
           gguf_read_number(r, 8, n_pairs);
}

/* ---- the finished list --------------------------------------------------- */

/* By bytes; of two that begin alike, the shorter is first. */
static int gguf_compare_keys(const char *a, size_t n_a, const char *b,
                             size_t n_b)
{
    int order = memcmp(a, b, n_a < n_b ? n_a : n_b);

    return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

static int gguf_compare_values(const void *a, const void *b)
{
    const struct srt_gguf_value *const *va = a, *const *vb = b;

    return gguf_compare_keys((*va)->key, (*va)->n_key, (*vb)->key,
                             (*vb)->n_key);
}

/* Positions become pointers, now that the buffer stands still. */
static bool gguf_index(struct gguf_reader *r)
{
    struct srt_gguf *g = r->g;

    if (g->n_values == 0)
        return true;
    g->by_key = malloc(g->n_values * sizeof(*g->by_key));
    if (g->by_key == NULL)
        return gguf_no_memory(r);
    for (size_t i = 0; i < g->n_values; i++) {
        g->values[i].key = (const char *)g->bytes + r->positions[i].key;
        g->values[i].bytes = g->bytes + r->positions[i].bytes;
        g->by_key[i] = &g->values[i];
    }
    qsort(g->by_key, g->n_values, sizeof(*g->by_key), gguf_compare_values);
    for (size_t i = 1; i < g->n_values; i++) {
        const struct srt_gguf_value *v = g->by_key[i - 1], *w = g->by_key[i];

        if (gguf_compare_values(&v, &w) != 0)
            continue;
        r->key = w->key;
        r->at = v->offset > w->offset ? v->offset : w->offset;
        return gguf_refuse(r, SORTES_E_SYNTAX, "key stands twice");
    }
    return true;
}

/* The count of pairs is a claim: it bounds the loop and sizes nothing. */
static bool gguf_read_all(struct gguf_reader *r)
{
    uint64_t n_pairs;

    if (!gguf_read_header(r, &n_pairs))
        return false;
    if (n_pairs > SRT_GGUF_MAX_KEYS)
        return gguf_refuse(r, SORTES_E_LIMIT, "too many keys");
    for (uint64_t i = 0; i < n_pairs; i++)
        if (!gguf_read_pair(r))
            return false;
    return gguf_index(r);
}

/* The reader has its source already; positions are needed only until the
 * index is made. */
static sortes_status gguf_open(struct srt_gguf **out, const char *name,
                               struct gguf_reader *r)
{
    size_t n = strlen(name);

    *out = NULL;
    r->g = calloc(1, sizeof(*r->g));
    if (r->g == NULL)
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "gguf: out of memory");
    /* Of a long path the end says more than the beginning. */
    if (n >= sizeof(r->g->name))
        name += n - (sizeof(r->g->name) - 1);
    memcpy(r->g->name, name, strlen(name) + 1);
    if (gguf_read_all(r)) {
        *out = r->g;
        r->status = srt_ok(r->err);
    } else {
        srt_gguf_close(r->g);
    }
    free(r->positions);
    return r->status;
}

sortes_status srt_gguf_open(struct srt_gguf **out, const char *path,
                            sortes_error *err)
{
    struct gguf_reader r = { .err = err };
    sortes_status status;

    *out = NULL;
    errno = 0;
    r.file = fopen(path, "rb");
    if (r.file == NULL && errno == ENOMEM)
        return srt_fail(err, SORTES_E_NOMEM, 0, "%s: out of memory", path);
    if (r.file == NULL)
        return srt_fail(err, SORTES_E_IO, 0, "%s: could not be opened", path);
    status = gguf_open(out, path, &r);
    fclose(r.file);
    return status;
}

sortes_status srt_gguf_open_memory(struct srt_gguf **out, const char *name,
                                   const void *data, size_t n,
                                   sortes_error *err)
{
    struct gguf_reader r = { .err = err, .data = data, .n_data = n };

    return gguf_open(out, name, &r);
}

void srt_gguf_close(struct srt_gguf *g)
{
    if (g == NULL)
        return;
    free(g->by_key);
    free(g->values);
    free(g->bytes);
    free(g);
}

/* ---- looking ------------------------------------------------------------- */

const char *srt_gguf_name(const struct srt_gguf *g)
{
    return g->name;
}

size_t srt_gguf_count(const struct srt_gguf *g)
{
    return g->n_values;
}

const struct srt_gguf_value *srt_gguf_at(const struct srt_gguf *g, size_t i)
{
    return i < g->n_values ? &g->values[i] : NULL;
}

/* Binary search in the sorted list; keys are unique. */
const struct srt_gguf_value *srt_gguf_find(const struct srt_gguf *g,
                                           const char *key)
{
    size_t n = strlen(key), low = 0, high = g->n_values;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct srt_gguf_value *v = g->by_key[middle];
        int order = gguf_compare_keys(v->key, v->n_key, key, n);

        if (order == 0)
            return v;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int64_t srt_gguf_integer(const struct srt_gguf_value *v, uint64_t i)
{
    size_t size = srt_gguf_type_size(v->type);
    uint64_t value = gguf_little_endian(v->bytes + i * size, size);

    switch (v->type) {
    case SRT_GGUF_I8:
        return (int8_t)value;
    case SRT_GGUF_I16:
        return (int16_t)value;
    case SRT_GGUF_I32:
        return (int32_t)value;
    default:
        return (int64_t)value;
    }
}

double srt_gguf_number(const struct srt_gguf_value *v, uint64_t i)
{
    size_t size = srt_gguf_type_size(v->type);
    uint64_t bits = gguf_little_endian(v->bytes + i * size, size);
    uint32_t bits32 = (uint32_t)bits;
    float single;
    double value;

    if (v->type == SRT_GGUF_F32) {
        memcpy(&single, &bits32, sizeof(single));
        return (double)single;
    }
    memcpy(&value, &bits, sizeof(value));
    return value;
}

const char *srt_gguf_next_string(const struct srt_gguf_value *v,
                                 const unsigned char **cursor, size_t *n)
{
    const unsigned char *at = *cursor != NULL ? *cursor : v->bytes;

    *n = (size_t)gguf_little_endian(at, 8);
    *cursor = at + 8 + *n;
    return (const char *)at + 8;
}
