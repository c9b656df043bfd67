/*
 * npy.h - reads a NumPy .npy array one row at a time
 *
 * Formats 1.0 to 3.0; element types '<f4', '<f2' and '<u2' (the bits of a
 * bfloat16, which NumPy itself does not have); shapes [n] and [rows, n], C
 * order.  One row is in memory, and never more than was really read: a header
 * that promises more than there is costs a message, not the memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_ENGINE_NPY_H
#define SORTES_ENGINE_NPY_H

#include "sortes.h"

#include <stdint.h>

/* Reads up to n bytes; fewer only at the end, or when *failed was set. */
typedef size_t npy_read(void *ctx, void *out, size_t n, int *failed);

struct npy {
    npy_read *read;
    void *ctx;
    sortes_dtype type;
    uint64_t n_rows;
    size_t n_columns; /* 1 .. 2^31 - 1 */
    uint64_t row;     /* how many were read */
    unsigned char *data;
    size_t room; /* bytes at data */
    char error[160];
};

enum npy_got { NPY_ROW, NPY_END, NPY_ERROR };

/*
 * Reads the header.  0, or -1 with the reason in f->error; call npy_close in
 * either case.
 */
int npy_open(struct npy *f, npy_read *read, void *ctx);

/*
 * Reads the next row and describes it in *row, valid until the next call.
 * The array must end where its header says: bytes after it are an error.
 */
enum npy_got npy_next(struct npy *f, sortes_row *row);

void npy_close(struct npy *f);

/* An npy_read over a FILE *. */
size_t npy_read_stream(void *stream, void *out, size_t n, int *failed);

#endif /* SORTES_ENGINE_NPY_H */
