/*
 * params.h - the parameters of one request, as the dialects read them
 *
 * Every field comes from a row of params.def; nothing else names one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_PARAMS_H
#define SRT_PARAMS_H

#include "status.h"

#include <stdbool.h>

struct srt_dialect;

struct srt_bias {
    int32_t token;
    float value; /* added to the logit; -inf forbids the token */
};

struct srt_bias_list {
    struct srt_bias *items; /* in the order given: duplicates add up in order */
    size_t n;
};

/* C types of the kinds of parameter that params.def may use. */
typedef float srt_type_float;
typedef int32_t srt_type_integer;
typedef uint32_t srt_type_seed;
typedef bool srt_type_boolean;
typedef struct srt_bias_list srt_type_list;

enum srt_param_id {
#define SRT_PARAM(name, type, ...) SRT_PARAM_##name,
#include "params/params.def"
#undef SRT_PARAM
    SRT_N_PARAMS
};

struct sortes_params {
    const struct srt_dialect *dialect;
#define SRT_PARAM(name, type, ...) srt_type_##type name;
#include "params/params.def"
#undef SRT_PARAM
    sortes_source source[SRT_N_PARAMS];
};

#endif /* SRT_PARAMS_H */
