/*
 * read_rmlx.h - the rows of rMLX's request format
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_READ_RMLX_H
#define SRT_READ_RMLX_H

#include "params/params.h"

enum srt_rmlx_type {
    SRT_RMLX_f32,
    SRT_RMLX_u32,
    SRT_RMLX_u64,
    SRT_RMLX_boolean,
    SRT_RMLX_string,
    SRT_RMLX_bias, /* an object of token ids and biases */
    SRT_RMLX_object,
    SRT_RMLX_list,
    SRT_RMLX_any
};

struct srt_rmlx_field {
    const char *name;
    enum srt_rmlx_type type;
    enum srt_param_id parameter; /* SRT_N_PARAMS: sets none */
    const char *allowed;         /* NULL: anything of its type */
};

/* In rMLX's order of validation; NULL past the last. */
const struct srt_rmlx_field *srt_rmlx_field_at(size_t i);

#endif /* SRT_READ_RMLX_H */
