/*
 * tag_reader.h - a structural tag being read
 *
 * Each reader builds what stands between two places: `from`, and *to, which it
 * makes.  Failures name a JSON pointer and a byte of the text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TAG_READER_H
#define SRT_TAG_READER_H

#include "constrain/tags/tags.h"
#include "json/json.h"

struct srt_tag_reader {
    struct srt_tags *t;
    const char *text;            /* the whole */
    const struct srt_json *ends; /* of the tag around: a string, or an array of
                                    them; NULL: none */
    bool older;                  /* {"structures": ..., "triggers": ...} */
    sortes_error *err;
};

sortes_status srt_tag_format(struct srt_tag_reader *r, const struct srt_json *v,
                             uint32_t from, uint32_t *to);

/* ---- tag_fields.c: fields and failures ----------------------------------- */

/* "#" and a JSON pointer. */
enum { SRT_TAG_WHERE = 160 };
void srt_tag_where(const struct srt_json *v, char out[SRT_TAG_WHERE]);

/* "language: #/pointer: problem" */
sortes_status srt_tag_refuse(struct srt_tag_reader *r, sortes_status status,
                             const struct srt_json *v, const char *problem);
sortes_status srt_tag_missing(struct srt_tag_reader *r,
                              const struct srt_json *v, const char *field);
/* A field that must be there, of a type. */
sortes_status srt_tag_field(struct srt_tag_reader *r, const struct srt_json *v,
                            const char *name, enum srt_json_type type,
                            const struct srt_json **out);
sortes_status srt_tag_bool(struct srt_tag_reader *r, const struct srt_json *v,
                           const char *name, bool otherwise, bool *out);
/* A whole number from least on that must be there. */
sortes_status srt_tag_number(struct srt_tag_reader *r, const struct srt_json *v,
                             const char *name, uint32_t least, uint32_t *out);

/* A list of strings, none of them empty; a field that is not there is an empty
 * one.  *words is the caller's, even on failure. */
struct srt_tag_words {
    struct srt_tags_word *at;
    size_t n, room;
};
sortes_status srt_tag_words(struct srt_tag_reader *r, const struct srt_json *v,
                            const char *name, struct srt_tag_words *words);
sortes_status srt_tag_words_add(struct srt_tag_words *words, const char *bytes,
                                size_t n, uint32_t to);

/* A program of another kind, its text being the string v. */
sortes_status srt_tag_program(struct srt_tag_reader *r,
                              const struct srt_json *v, const char *kind,
                              uint32_t from, uint32_t *to);
/* A schema, its text being a value's own. */
sortes_status srt_tag_schema(struct srt_tag_reader *r, const struct srt_json *v,
                             const struct srt_options *options, uint32_t from,
                             uint32_t *to);

/* ---- tag_formats.c: formats of tags and free text ------------------------ */

/* Free text with v's excluded words and those of the tag around; makes exit. */
sortes_status srt_tag_free_text(struct srt_tag_reader *r,
                                const struct srt_json *v,
                                struct srt_tags_free *text, uint32_t from,
                                uint32_t *to);

typedef sortes_status srt_tag_read(struct srt_tag_reader *r,
                                   const struct srt_json *v, uint32_t from,
                                   uint32_t *to);
srt_tag_read srt_tag_tag, srt_tag_triggered, srt_tag_separated,
    srt_tag_dispatch, srt_tag_structures, srt_tag_qwen;

#endif /* SRT_TAG_READER_H */
