/*
 * tags_naive.h - what a structural tag accepts, by its definition
 *
 * Formats of fixed strings and free text only; texts of up to 31 bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_TAGS_NAIVE_H
#define SUPPORT_TAGS_NAIVE_H

#include "json/json.h"

/* A format's JSON, and whether a text satisfies it. */
bool tags_naive_accepts(const struct srt_json *format, const char *text,
                        size_t n);

#endif /* SUPPORT_TAGS_NAIVE_H */
