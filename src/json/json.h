/*
 * json.h - one strict JSON reader and a small writer, for requests, schemas
 * and answers alike
 *
 * The reader takes RFC 8259 and nothing else.  It keeps what a schema or a
 * clear error needs and other readers drop: numbers as written, byte offsets,
 * the order of keys, and every one of duplicate keys.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JSON_H
#define SRT_JSON_H

#include "status.h"

#include <stdbool.h>

/* Levels of arrays and objects inside one another; SORTES_E_LIMIT beyond. */
#define SRT_JSON_MAX_DEPTH 512

/* Bytes of text.  A tree takes at most about 50 times its text. */
#define SRT_JSON_MAX_BYTES ((size_t)256 << 20)

enum srt_json_type {
    SRT_JSON_NULL,
    SRT_JSON_FALSE,
    SRT_JSON_TRUE,
    SRT_JSON_NUMBER,
    SRT_JSON_STRING,
    SRT_JSON_ARRAY,
    SRT_JSON_OBJECT
};

struct srt_json {
    enum srt_json_type type;
    size_t offset; /* of the value's first byte in the text that was read */
    size_t length; /* of the value in that text, in bytes */

    /* A string decoded (it may hold NULs), a number as written; NUL after. */
    const char *text;
    size_t n; /* bytes of text; of an array or object, its items */

    /* In an object only: the key, decoded, and where its quote stands. */
    const char *key;
    size_t n_key;
    size_t key_offset;

    struct srt_json *first;  /* of an array or object, its first item */
    struct srt_json *next;   /* the item after this one */
    struct srt_json *parent; /* NULL at the root */
};

/* A tree and the memory it lives in; needs no text once it is read. */
struct srt_json_document {
    struct srt_json *root;
    struct srt_json_block *blocks;
};

/* Reads text whole.  On failure *document is empty and needs no free. */
sortes_status srt_json_read(struct srt_json_document *document,
                            const char *text, size_t n, sortes_error *err);
void srt_json_free(struct srt_json_document *document);

/*
 * The value of a key, NULL when there is none or v is no object.  Of duplicate
 * keys the last one counts, as it does in nlohmann::json.
 */
const struct srt_json *srt_json_find(const struct srt_json *v, const char *key);

/* "null" "boolean" "number" "string" "array" "object". */
const char *srt_json_type_name(const struct srt_json *v);

/* text[0 .. n-1] equals the NUL-terminated string. */
bool srt_json_equals(const char *text, size_t n, const char *string);

/*
 * Writes the JSON pointer (RFC 6901) of a value, "" at the root; one that does
 * not fit begins with "..." and keeps its end.
 */
void srt_json_pointer(const struct srt_json *v, char *out, size_t size);
/* The same after a "#", as messages have it; size > 0. */
void srt_json_where(const struct srt_json *v, char *out, size_t size);

/* 0 to 15; -1 when c is no hexadecimal digit. */
int srt_json_hex_digit(char c);

/* ---- writing ------------------------------------------------------------- */

/*
 * Writes into the caller's buffer (what does not fit is counted and dropped)
 * or into memory that grows.  Commas come by themselves.  Strings are escaped
 * as nlohmann::json does it; bytes that are no UTF-8 become U+FFFD.
 */
struct srt_json_writer {
    char *out;
    size_t size;  /* of out */
    size_t n;     /* bytes written, or that would have been */
    bool grows;   /* out is malloc()ed and the writer's */
    bool failed;  /* memory ran out; the rest was dropped */
    bool between; /* a comma is due before the next item */
};

void srt_json_write_fixed(struct srt_json_writer *w, char *out, size_t size);
void srt_json_write_growing(struct srt_json_writer *w);

/*
 * Ends the text with a NUL (cut short if it does not fit).  A growing writer
 * hands out, which the caller frees, over; NULL when memory ran out.
 */
char *srt_json_write_end(struct srt_json_writer *w);

void srt_json_open(struct srt_json_writer *w, char bracket);  /* '{' '[' */
void srt_json_close(struct srt_json_writer *w, char bracket); /* '}' ']' */
void srt_json_key(struct srt_json_writer *w, const char *key);
void srt_json_put_string(struct srt_json_writer *w, const char *s, size_t n);
void srt_json_put_integer(struct srt_json_writer *w, int64_t value);
void srt_json_put_unsigned(struct srt_json_writer *w, uint64_t value);
void srt_json_put_double(struct srt_json_writer *w, double value);

/* text is one whole JSON value already: "true", "null". */
void srt_json_put_raw(struct srt_json_writer *w, const char *text);
void srt_json_put_text(struct srt_json_writer *w, const char *text, size_t n);

#endif /* SRT_JSON_H */
