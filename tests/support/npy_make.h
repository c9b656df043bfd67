/*
 * npy_make.h - makes .npy files, good and bad ones, for the tests
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_NPY_MAKE_H
#define TEST_NPY_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct npy_file {
    unsigned char bytes[4096];
    size_t n;
};

static inline void npy_put(struct npy_file *f, const void *bytes, size_t n)
{
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

/* Magic, version major.0, the length of the header and the header itself. */
static inline void npy_begin(struct npy_file *f, int major, const char *header)
{
    const size_t n = strlen(header);
    const unsigned char head[12] = { 0x93,
                                     'N',
                                     'U',
                                     'M',
                                     'P',
                                     'Y',
                                     (unsigned char)major,
                                     0,
                                     (unsigned char)(n & 255),
                                     (unsigned char)(n >> 8 & 255),
                                     (unsigned char)(n >> 16 & 255),
                                     (unsigned char)(n >> 24 & 255) };
    f->n = 0;
    npy_put(f, head, major == 1 ? 10 : 12);
    npy_put(f, header, n);
}

/* A header as numpy.save writes it. */
static inline void npy_begin_array(struct npy_file *f, const char *descr,
                                   const char *shape)
{
    char header[256];
    snprintf(header, sizeof(header),
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr,
             shape);
    npy_begin(f, 1, header);
}

#endif /* TEST_NPY_MAKE_H */
