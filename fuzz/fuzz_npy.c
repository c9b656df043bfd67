/*
 * fuzz_npy.c - any bytes as a .npy file: read without fault, or refused
 *
 * Besides the sanitizers' own checks: what is read keeps its promises (a row's
 * size, its type, the number of rows), and a refusal has a message.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "npy.h"

#include <stdlib.h>
#include <string.h>

struct memory {
    const uint8_t *at;
    size_t n;
};

static size_t memory_read(void *ctx, void *out, size_t n, int *failed)
{
    struct memory *m = ctx;
    const size_t got = n < m->n ? n : m->n;

    (void)failed;
    if (got > 0)
        memcpy(out, m->at, got);
    m->at += got;
    m->n -= got;
    return got;
}

/* Reads every byte of a row, for the sanitizers. */
static unsigned touch(const sortes_row *row)
{
    const unsigned char *p = row->data;
    const size_t n = row->n * (row->type == SORTES_F32 ? 4u : 2u);
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct memory m = { data, n };
    struct npy f;
    sortes_row row;
    enum npy_got got = NPY_ERROR;
    volatile unsigned sum = 0;
    uint64_t n_rows = 0;

    if (npy_open(&f, memory_read, &m) == 0) {
        check(f.n_columns >= 1 && f.n_columns < 2147483648u && f.n_rows >= 1);
        while ((got = npy_next(&f, &row)) == NPY_ROW) {
            check(row.n == f.n_columns && row.type == f.type);
            sum = sum + touch(&row);
            n_rows++;
        }
        check(got == NPY_ERROR || n_rows == f.n_rows);
    }
    check(got == NPY_END || f.error[0] != '\0');
    check(memchr(f.error, 0, sizeof(f.error)) != NULL);
    npy_close(&f);
    return 0;
}
