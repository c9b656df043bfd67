/*
 * schema_cases.h - schemas, with texts that satisfy them and texts that do not
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCHEMA_CASES_H
#define SCHEMA_CASES_H

#include "sortes.h"

struct schema_case {
    const char *schema;
    const char *right[8]; /* up to the first NULL */
    const char *wrong[8];
};

/* Fails at the first text that is judged otherwise.  options NULL: the profile
 * "json". */
void schema_check(const struct schema_case *cases, size_t n,
                  const sortes_grammar_options *options);

/* The message that a schema is refused with contains `words`. */
void schema_check_refused(const char *schema, sortes_status status,
                          const char *words);

/* A text can come up to its `reach` bytes and no further. */
void schema_check_reach(const char *schema, const char *text, size_t reach);

#endif /* SCHEMA_CASES_H */
