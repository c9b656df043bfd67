/*
 * samplers.h - whether a list of llama.cpp's samplers is the chain we have
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SAMPLERS_H
#define SRT_SAMPLERS_H

#include <stdbool.h>
#include <stddef.h>

struct srt_sampler_order {
    unsigned n; /* samplers of the chain so far */
    bool fits;  /* and they came in its order */
};

void srt_sampler_order_start(struct srt_sampler_order *order);
void srt_sampler_order_name(struct srt_sampler_order *order, const char *name,
                            size_t n);
void srt_sampler_order_letter(struct srt_sampler_order *order, char letter);
bool srt_sampler_order_is_ours(const struct srt_sampler_order *order);

#endif /* SRT_SAMPLERS_H */
