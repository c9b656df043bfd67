/*
 * keywords.h - the readers of keywords, and what they share
 *
 * A reader turns the keyword's value v into rules of the node that is being
 * read.  Values beside it are found through v's parent.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KEYWORDS_H
#define SRT_KEYWORDS_H

#include "constrain/json_schema/load.h"

/* Some keywords share one. */
#define SRT_KEYWORD(name, first, last, vocabulary, reader, rule)               \
    srt_keyword_reader reader;
#include "constrain/json_schema/keywords.def"
#undef SRT_KEYWORD

/* ---- keywords.c --------------------------------------------------------- */

/* Refuses v: what it should have been. */
sortes_status srt_keyword_wants(struct srt_loader *l, const struct srt_json *v,
                                const char *problem);
/* The value of another key of v's object; NULL: it has none. */
const struct srt_json *srt_keyword_beside(const struct srt_json *v,
                                          const char *key);
/* Whether the node has such a rule already. */
bool srt_keyword_has_rule(struct srt_loader *l, enum srt_schema_rule_type type);
/* Whether v is this string. */
bool srt_keyword_is(const struct srt_json *v, const char *word);

/* ---- keywords_number.c, keywords_string.c, keywords_array.c ------------- */

/* A whole number from 0 on, 2.0 too; UINT32_MAX: that or more. */
sortes_status srt_keyword_count(struct srt_loader *l, const struct srt_json *v,
                                uint32_t *count);
/* A new pattern; search: it may begin anywhere.  text stays as long as the
 * schema. */
sortes_status srt_keyword_add_pattern(struct srt_loader *l, const char *text,
                                      size_t n, bool search,
                                      const struct srt_json *v,
                                      uint32_t *number);
/* The nodes of an array of schemas; *n counts on from what it is. */
sortes_status srt_keyword_list(struct srt_loader *l, const struct srt_json *v,
                               uint32_t **node, uint32_t *n);

#endif /* SRT_KEYWORDS_H */
