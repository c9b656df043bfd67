/*
 * numeric.h - libm as glibc 2.36 computes it on a CPU with FMA, on every
 * machine
 *
 * llama.cpp's numbers come from the C library it runs on.  These functions
 * return the bits that glibc's FMA variants return, whatever machine, libm or
 * rounding helper is underneath.  NaN in gives NaN out (any NaN).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_NUMERIC_H
#define SRT_NUMERIC_H

#include "compiler.h"

float srt_expf(float x);
float srt_logf(float x);
float srt_log2f(float x);
float srt_powf(float x, float y);
double srt_exp(double x);
double srt_log(double x);
double srt_pow(double x, double y);

/* The lookup table that expf and its kernels share: 2^(i/32) with i << 47
 * taken off, so that adding k << 47 gives 2^(k/32) for any k. */
extern const uint64_t srt_exp2f_table[32];

/* 1/c and log2 c, c near the middle of a row of srt_split32()'s; log2f and
 * powf share it.  The row that holds 1 has c = 1. */
struct srt_log2f_row {
    double inverse;
    double log2;
};
extern const struct srt_log2f_row srt_log2f_table[16];

#endif /* SRT_NUMERIC_H */
