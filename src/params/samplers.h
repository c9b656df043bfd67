/*
 * samplers.h - the names of llama.cpp's samplers
 *
 * Parameters hold the names of dialect/llamacpp/stages.def; other spellings
 * and letters end here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SAMPLERS_H
#define SRT_SAMPLERS_H

#include "params/params.h"

/*
 * Reads "top_k;temp" into an empty list; an item of one byte is a letter.
 * Unknown items are refused with the nearest name, and the list stays empty.
 */
sortes_status srt_samplers_from_text(struct srt_string_list *list,
                                     const char *text, sortes_error *err);

/*
 * Adds what llama.cpp would: nothing for an unknown name or letter, or one
 * string of names with ';' between them, or of letters.  False: no memory.
 */
bool srt_samplers_add_name(struct srt_string_list *list, const char *name,
                           size_t n);
bool srt_samplers_add_names(struct srt_string_list *list, const char *names,
                            size_t n);
bool srt_samplers_add_letters(struct srt_string_list *list, const char *letters,
                              size_t n);

#endif /* SRT_SAMPLERS_H */
