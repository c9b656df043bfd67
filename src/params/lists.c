/*
 * lists.c - the lists of strings that are in force when none is given
 *
 * Sources: llama.cpp common/common.h, struct common_params_sampling (letters
 * and names of the samplers: dialect/llamacpp/stages.def); rMLX
 * crates/rmlx-server/src/engine/think.rs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

/* A string list's items can be written to, so literals will not do. */
static const struct lists_row {
    enum srt_param_id id;
    struct srt_string_list list;
} lists_rows[] = {
    { SRT_PARAM_samplers,
      { (char *[]){ (char[]){ "penalties" }, (char[]){ "dry" },
                    (char[]){ "top_n_sigma" }, (char[]){ "top_k" },
                    (char[]){ "typ_p" }, (char[]){ "top_p" },
                    (char[]){ "min_p" }, (char[]){ "xtc" },
                    (char[]){ "temperature" } },
        (size_t[]){ 9, 3, 11, 5, 5, 5, 5, 3, 11 }, 9, true } },
    { SRT_PARAM_dry_sequence_breakers,
      { (char *[]){ (char[]){ "\n" }, (char[]){ ":" }, (char[]){ "\"" },
                    (char[]){ "*" } },
        (size_t[]){ 1, 1, 1, 1 }, 4, true } },
    { SRT_PARAM_mlx_draw,
      { (char *[]){ (char[]){ "inverse-cdf" } }, (size_t[]){ 11 }, 1, true } },
    { SRT_PARAM_thinking_start_token,
      { (char *[]){ (char[]){ "<think>" } }, (size_t[]){ 7 }, 1, true } },
    { SRT_PARAM_thinking_end_token,
      { (char *[]){ (char[]){ "</think>" } }, (size_t[]){ 8 }, 1, true } },
};

const struct srt_string_list *srt_strings_in_force(const sortes_params *p,
                                                   enum srt_param_id id)
{
    const struct srt_string_list *list = srt_param_value(p, id);

    for (size_t i = 0; i < SRT_COUNT(lists_rows) && !list->given; i++)
        if (lists_rows[i].id == id)
            return &lists_rows[i].list;
    return list;
}
