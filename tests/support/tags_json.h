/*
 * tags_json.h - structural tags written with apostrophes for quotes
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_TAGS_JSON_H
#define SUPPORT_TAGS_JSON_H

#include "sortes.h"

/* A kind of grammar from such a text; a format alone is put into a tag. */
sortes_grammar *tags_grammar(const char *kind, const char *format);

/* That it is refused: status, exactly this text, and the first offset at which
 * `at` stands in the JSON (NULL: none is checked). */
void tags_refused(const char *kind, const char *format, sortes_status status,
                  const char *text, const char *at);

/* Texts, and how many bytes of each may come (-1: it is accepted). */
struct tags_line {
    const char *text;
    int byte;
};
void tags_check(const char *kind, const char *format,
                const struct tags_line *lines, size_t n);

#endif /* SUPPORT_TAGS_JSON_H */
