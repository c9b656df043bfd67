/*
 * schema_naive.h - whether a value satisfies a JSON Schema, as the text of the
 * specification says it
 *
 * Plain recursion over a parsed value, once for each subschema: no automaton,
 * no rewriting of schemas.  It knows drafts 2020-12 and 7, without formats, and
 * the patterns of its own table; numbers are doubles.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_SCHEMA_NAIVE_H
#define SUPPORT_SCHEMA_NAIVE_H

#include "json/json.h"

/* schema: the root of its document.  Objects and arrays of up to 64 members. */
bool schema_naive_accepts(const struct srt_json *schema,
                          const struct srt_json *value);

/* The patterns it understands, by index. */
enum { SCHEMA_PATTERNS = 8 };
const char *schema_naive_pattern(size_t i);

#endif /* SUPPORT_SCHEMA_NAIVE_H */
