/*
 * npy.c - reads a NumPy .npy array one row at a time
 *
 * Source: NumPy's own description of the format (numpy.lib.format): the magic
 * "\x93NUMPY", two version bytes, the header's length (2 bytes before version
 * 2.0, else 4, little-endian), the header, the data.  The header is a Python
 * dictionary with the keys descr, fortran_order and shape, once each.
 *
 * Every number in a header is somebody's claim: products are checked before
 * they are formed, and memory grows with the bytes that arrive.
 *
 * SPDX-License-Identifier: MIT
 */
#include "npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NPY_HEADER_MAX = 65536,      /* a real header has about 100 bytes */
    NPY_FIRST_ROOM = 1 << 20,    /* data grows from here by doubling */
    NPY_COLUMNS_MAX = 2147483647 /* sortes_row: below 2^31 */
};

#define npy_why(f, ...)  snprintf((f)->error, sizeof((f)->error), __VA_ARGS__)
#define npy_fail(f, ...) (npy_why(f, __VA_ARGS__), -1)

/* ---- the header's text --------------------------------------------------- */

struct npy_text {
    const char *at, *end;
};

struct npy_word { /* a quoted string, without its quotes */
    const char *at;
    int n;
};

struct npy_header {
    struct npy_word descr;
    int fortran;
    uint64_t shape[2];
    int n_dims;
    unsigned seen; /* bit i: the i-th key of npy_keys */
};

static void npy_skip_blanks(struct npy_text *t)
{
    while (t->at < t->end && strchr(" \t\r\n\f", *t->at) && *t->at)
        t->at++;
}

/* Takes c, blanks before it allowed; 1 when it was there. */
static int npy_take(struct npy_text *t, char c)
{
    npy_skip_blanks(t);
    if (t->at == t->end || *t->at != c)
        return 0;
    t->at++;
    return 1;
}

static int npy_take_word(struct npy_text *t, struct npy_word *word)
{
    npy_skip_blanks(t);
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"'))
        return 0;
    const char quote = *t->at++;
    const char *start = t->at;
    while (t->at < t->end && *t->at != quote) {
        if (*t->at == '\\' || *t->at < ' ' || *t->at > '~')
            return 0;
        t->at++;
    }
    if (t->at == t->end)
        return 0;
    *word = (struct npy_word){ start, (int)(t->at++ - start) };
    return 1;
}

static int npy_take_name(struct npy_text *t, const char *name)
{
    const size_t n = strlen(name);
    npy_skip_blanks(t);
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, name, n) != 0)
        return 0;
    t->at += n;
    return 1;
}

static int npy_word_is(struct npy_word word, const char *text)
{
    return strlen(text) == (size_t)word.n &&
           memcmp(word.at, text, (size_t)word.n) == 0;
}

/* A decimal number; 1, 0 when there is none, -1 when it passes 2^63. */
static int npy_take_number(struct npy_text *t, uint64_t *number)
{
    uint64_t x = 0;
    npy_skip_blanks(t);
    const char *start = t->at;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
        const uint64_t digit = (uint64_t)(*t->at - '0');
        if (x > (INT64_MAX - digit) / 10)
            return -1;
        x = x * 10 + digit;
    }
    if (t->at == start)
        return 0;
    if (t->at < t->end && *t->at == 'L') /* as Python 2 wrote them */
        t->at++;
    *number = x;
    return 1;
}

static int npy_read_descr(struct npy *f, struct npy_text *t,
                          struct npy_header *h)
{
    if (!npy_take_word(t, &h->descr))
        return npy_fail(f, "element type: not a plain one (allowed: '<f4', "
                           "'<f2', '<u2')");
    return 0;
}

static int npy_read_fortran(struct npy *f, struct npy_text *t,
                            struct npy_header *h)
{
    h->fortran = npy_take_name(t, "True");
    if (!h->fortran && !npy_take_name(t, "False"))
        return npy_fail(f, "header: fortran_order is neither True nor False");
    return 0;
}

static int npy_read_shape(struct npy *f, struct npy_text *t,
                          struct npy_header *h)
{
    if (!npy_take(t, '('))
        return npy_fail(f, "header: shape is not a tuple");
    for (h->n_dims = 0; !npy_take(t, ')'); h->n_dims++) {
        uint64_t length;
        const int got = npy_take_number(t, &length);
        if (got < 0)
            return npy_fail(f, "shape: a length does not fit 63 bits");
        if (got == 0)
            return npy_fail(f, "header: shape holds something that is no "
                               "number");
        if (h->n_dims == 2)
            return npy_fail(f, "shape: more than 2 dimensions (allowed: [n] "
                               "or [rows, n])");
        h->shape[h->n_dims] = length;
        npy_skip_blanks(t);
        if (!npy_take(t, ',') && (t->at == t->end || *t->at != ')'))
            return npy_fail(f, "header: shape is not closed");
    }
    return 0;
}

static const struct {
    const char *name;
    int (*read)(struct npy *f, struct npy_text *t, struct npy_header *h);
} npy_keys[] = { { "descr", npy_read_descr },
                 { "fortran_order", npy_read_fortran },
                 { "shape", npy_read_shape } };

enum { NPY_N_KEYS = sizeof(npy_keys) / sizeof(npy_keys[0]) };

static int npy_read_key(struct npy *f, struct npy_text *t, struct npy_header *h)
{
    struct npy_word key;
    unsigned i = 0;

    if (!npy_take_word(t, &key) || !npy_take(t, ':'))
        return npy_fail(f, "header: not a Python dictionary");
    while (i < NPY_N_KEYS && !npy_word_is(key, npy_keys[i].name))
        i++;
    if (i == NPY_N_KEYS)
        return npy_fail(f, "header: unknown key '%.*s'",
                        key.n < 40 ? key.n : 40, key.at);
    if (h->seen & (1u << i))
        return npy_fail(f, "header: key '%s' twice", npy_keys[i].name);
    h->seen |= 1u << i;
    return npy_keys[i].read(f, t, h);
}

static int npy_read_dictionary(struct npy *f, struct npy_text *t,
                               struct npy_header *h)
{
    if (!npy_take(t, '{'))
        return npy_fail(f, "header: not a Python dictionary");
    while (!npy_take(t, '}')) {
        if (npy_read_key(f, t, h) < 0)
            return -1;
        npy_skip_blanks(t);
        if (!npy_take(t, ',') && (t->at == t->end || *t->at != '}'))
            return npy_fail(f, "header: not a Python dictionary");
    }
    for (unsigned i = 0; i < NPY_N_KEYS; i++)
        if (!(h->seen & (1u << i)))
            return npy_fail(f, "header: no key '%s'", npy_keys[i].name);
    npy_skip_blanks(t);
    if (t->at != t->end)
        return npy_fail(f, "header: text after the dictionary");
    return 0;
}

/* ---- what it means ------------------------------------------------------- */

static size_t npy_element_bytes(sortes_dtype type)
{
    return type == SORTES_F32 ? 4 : 2;
}

static int npy_set_type(struct npy *f, struct npy_word descr)
{
    if (npy_word_is(descr, "<f4"))
        f->type = SORTES_F32;
    else if (npy_word_is(descr, "<f2"))
        f->type = SORTES_F16;
    else if (npy_word_is(descr, "<u2"))
        f->type = SORTES_BF16;
    else
        return npy_fail(f,
                        "element type: '%.*s' is not read (allowed: '<f4' "
                        "float32, '<f2' float16, '<u2' bfloat16 bits)",
                        descr.n < 24 ? descr.n : 24, descr.at);
    return 0;
}

static int npy_set_shape(struct npy *f, const struct npy_header *h)
{
    const uint64_t n = h->n_dims ? h->shape[h->n_dims - 1] : 0;

    if (h->n_dims == 0)
        return npy_fail(f, "shape: a single number (allowed: [n] or "
                           "[rows, n])");
    if (h->n_dims == 2 && h->fortran)
        return npy_fail(f, "order: Fortran (allowed: C order; "
                           "numpy.ascontiguousarray makes it)");
    f->n_rows = h->n_dims == 2 ? h->shape[0] : 1;
    if (n < 1 || n > NPY_COLUMNS_MAX)
        return npy_fail(f, "shape: %llu logits a row (allowed: 1 .. %d)",
                        (unsigned long long)n, NPY_COLUMNS_MAX);
    if (f->n_rows == 0)
        return npy_fail(f, "shape: 0 rows (allowed: 1 or more)");
    f->n_columns = (size_t)n;
    if (n > SIZE_MAX / 4 || f->n_rows > INT64_MAX / (n * 4))
        return npy_fail(f, "shape: %llu x %llu is larger than any file",
                        (unsigned long long)f->n_rows, (unsigned long long)n);
    return 0;
}

/* Reads exactly n bytes or says which part of the file was cut short. */
static int npy_read_exactly(struct npy *f, void *out, size_t n,
                            const char *part)
{
    int failed = 0;
    const size_t got = f->read(f->ctx, out, n, &failed);

    if (failed)
        return npy_fail(f, "%s: cannot be read", part);
    if (got != n)
        return npy_fail(f, "%s: cut short (%zu of %zu bytes)", part, got, n);
    return 0;
}

/* Magic and version; returns the width of the length field, or -1. */
static int npy_read_magic(struct npy *f)
{
    static const unsigned char magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };
    unsigned char b[8];
    int failed = 0;
    const size_t got = f->read(f->ctx, b, sizeof(b), &failed);

    if (failed)
        return npy_fail(f, "cannot be read");
    if (got == 0)
        return npy_fail(f, "empty (expected a .npy array)");
    if (got >= 2 && b[0] == 'P' && b[1] == 'K')
        return npy_fail(f, "a zip archive, perhaps .npz (expected one array, "
                           "as numpy.save writes it)");
    if (memcmp(b, magic, got < 6 ? got : 6) != 0)
        return npy_fail(f, "not a .npy file: it does not begin with "
                           "\\x93NUMPY");
    if (got < sizeof(b))
        return npy_fail(f, "header: cut short (%zu of %zu bytes)", got,
                        sizeof(b));
    if (b[6] < 1 || b[6] > 3)
        return npy_fail(f,
                        "format: version %u.%u is unknown (allowed: 1.0 "
                        "to 3.0)",
                        b[6], b[7]);
    return b[6] == 1 ? 2 : 4;
}

int npy_open(struct npy *f, npy_read *read, void *ctx)
{
    struct npy_header h = { { 0 }, 0, { 0 }, 0, 0 };
    unsigned char b[4] = { 0 };

    *f = (struct npy){ .read = read, .ctx = ctx };
    const int width = npy_read_magic(f);
    if (width < 0 || npy_read_exactly(f, b, (size_t)width, "header") < 0)
        return -1;
    const uint32_t length = (uint32_t)b[0] | (uint32_t)b[1] << 8 |
                            (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (length > NPY_HEADER_MAX)
        return npy_fail(f, "header: %lu bytes long (allowed: at most %d)",
                        (unsigned long)length, NPY_HEADER_MAX);

    char *text = malloc(length + 1u);
    if (!text)
        return npy_fail(f, "out of memory");
    struct npy_text t = { text, text + length };
    int rc = npy_read_exactly(f, text, length, "header");
    if (rc == 0)
        rc = npy_read_dictionary(f, &t, &h);
    if (rc == 0)
        rc = npy_set_type(f, h.descr);
    if (rc == 0)
        rc = npy_set_shape(f, &h);
    free(text);
    return rc;
}

/* ---- rows ---------------------------------------------------------------- */

/* Makes room for more than f->room bytes, at most want. */
static int npy_grow(struct npy *f, size_t want)
{
    size_t room = f->room ? f->room * 2 : NPY_FIRST_ROOM;
    if (room > want || room < f->room)
        room = want;
    unsigned char *data = realloc(f->data, room);
    if (!data)
        return npy_fail(f, "out of memory: a row has %zu bytes", want);
    f->data = data;
    f->room = room;
    return 0;
}

/* The file is little-endian, whatever this machine is. */
static void npy_to_host(struct npy *f, size_t n_bytes)
{
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    if (low == 1)
        return;
    const size_t width = npy_element_bytes(f->type);
    for (unsigned char *p = f->data; p < f->data + n_bytes; p += width)
        for (size_t i = 0; i < width / 2; i++) {
            const unsigned char c = p[i];
            p[i] = p[width - 1 - i];
            p[width - 1 - i] = c;
        }
}

static enum npy_got npy_at_end(struct npy *f)
{
    unsigned char b;
    int failed = 0;
    if (f->read(f->ctx, &b, 1, &failed) == 0 && !failed)
        return NPY_END;
    npy_why(f,
            failed ? "cannot be read"
                   : "bytes after the last of the %llu rows that the "
                     "header promises",
            (unsigned long long)f->n_rows);
    return NPY_ERROR;
}

enum npy_got npy_next(struct npy *f, sortes_row *row)
{
    const size_t want = f->n_columns * npy_element_bytes(f->type);
    size_t have = 0;
    int failed = 0;

    if (f->row == f->n_rows)
        return npy_at_end(f);
    while (have < want) {
        if (have == f->room && npy_grow(f, want) < 0)
            return NPY_ERROR;
        const size_t part = (f->room < want ? f->room : want) - have;
        const size_t got = f->read(f->ctx, f->data + have, part, &failed);
        have += got;
        if (got < part) {
            npy_why(f,
                    failed ? "row %llu: cannot be read"
                           : "row %llu: cut short (%zu of %zu bytes; the "
                             "header promises %llu rows)",
                    (unsigned long long)f->row, have, want,
                    (unsigned long long)f->n_rows);
            return NPY_ERROR;
        }
    }
    npy_to_host(f, want);
    f->row++;
    *row = (sortes_row){ f->data, f->n_columns, f->type };
    return NPY_ROW;
}

void npy_close(struct npy *f)
{
    free(f->data);
    f->data = NULL;
    f->room = 0;
}

size_t npy_read_stream(void *stream, void *out, size_t n, int *failed)
{
    const size_t got = fread(out, 1, n, stream);
    if (got < n && ferror((FILE *)stream))
        *failed = 1;
    return got;
}
