/*
 * entropy.h - a seed for those who ask for a random one
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ENTROPY_H
#define SRT_ENTROPY_H

#include "compiler.h"

/* 32 unpredictable bits; any thread. */
uint32_t srt_entropy32(void);

#endif /* SRT_ENTROPY_H */
