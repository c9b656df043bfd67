/*
 * tags.h - texts in which whole grammars stand at marked places
 *
 * A program is an automaton of places: bytes lead from one to another, and at
 * some a program of another kind reads until its text is complete.  It is
 * built by the calls below, from left to right.
 *
 * A failure is kept in the program: the calls that follow do nothing and
 * return 0, and srt_tags_status tells at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TAGS_H
#define SRT_TAGS_H

#include "constrain/language.h"

/* Bytes first .. last lead to a place; or nothing at all does. */
struct srt_tags_edge {
    uint32_t next; /* of the same place; 0: last */
    uint32_t to;
    uint8_t first, last;
    bool empty;
};

struct srt_tags_place {
    uint32_t edge; /* the first; 0: none */
    uint32_t sub;  /* which program reads here; 0: none, then there are edges */
    uint32_t exit; /* behind its text */
};

struct srt_tags_sub {
    struct srt_program *program;
    char *where; /* for messages */
    size_t offset;
    const void *key; /* what it was read from, NULL: nothing that comes twice */
};

struct srt_tags {
    struct srt_program program;    /* first */
    struct srt_tags_place *places; /* from 1 on */
    size_t n_places, places_room;
    struct srt_tags_edge *edges; /* from 1 on */
    size_t n_edges, edges_room;
    struct srt_tags_sub *subs; /* from 1 on */
    size_t n_subs, subs_room;
    uint32_t start, end;
    sortes_status status; /* the first failure */
    void *notes;          /* the language's own */
};

/* NULL: no memory. */
struct srt_tags *srt_tags_new(const struct srt_language *language,
                              const struct srt_options *options);
void srt_tags_free(struct srt_program *program); /* NULL is allowed */

/* SORTES_OK, or names what the building took too much of. */
sortes_status srt_tags_status(const struct srt_tags *t, sortes_error *err);

uint32_t srt_tags_place(struct srt_tags *t);
void srt_tags_edge(struct srt_tags *t, uint32_t from, uint8_t first,
                   uint8_t last, uint32_t to);
void srt_tags_empty(struct srt_tags *t, uint32_t from, uint32_t to);

/* Where bytes lead from a place, by places of their own. */
uint32_t srt_tags_string(struct srt_tags *t, uint32_t from, const char *bytes,
                         size_t n);

/*
 * A program of another kind; text is read at once, and its failure is the
 * answer: "language: where: what is wrong with it".  key (NULL: none): what
 * was read under the same key before is used again.
 */
struct srt_tags_text {
    const char *kind;
    const char *text;
    size_t n;
    const char *where;
    size_t offset; /* of the text in the whole */
    const void *key;
};
sortes_status srt_tags_grammar(struct srt_tags *t, uint32_t from,
                               const struct srt_tags_text *text, uint32_t *to,
                               sortes_error *err);
/* The same, with other options than the program's. */
sortes_status srt_tags_grammar_with(struct srt_tags *t, uint32_t from,
                                    const struct srt_tags_text *text,
                                    const struct srt_options *options,
                                    uint32_t *to, sortes_error *err);

/* The two halves of that: reads a program, which gets a number, and puts it
 * behind a place, any number of times. */
sortes_status srt_tags_read(struct srt_tags *t,
                            const struct srt_tags_text *text,
                            const struct srt_options *options, uint32_t *sub,
                            sortes_error *err);
uint32_t srt_tags_run(struct srt_tags *t, uint32_t from, uint32_t sub);

/* Drops the programs from number n_subs on, which no place that is reached
 * reads. */
void srt_tags_forget(struct srt_tags *t, size_t n_subs);

/* ---- free text (free_text.c) --------------------------------------------- */

struct srt_tags_word {
    const char *bytes;
    size_t n;    /* not 0 */
    uint32_t to; /* where the text goes on behind a trigger */
};

#define SRT_TAGS_ANY_LENGTH UINT32_MAX

/*
 * UTF-8 that holds none of the excluded words and may end at `exit` (0: it may
 * not); behind a trigger it goes on where the trigger says, and nowhere else.
 * A trigger that lies within another one is no trigger there, if the other one
 * is meant.
 */
struct srt_tags_free {
    const struct srt_tags_word *triggers, *excludes;
    size_t n_triggers, n_excludes;
    uint32_t max_chars; /* SRT_TAGS_ANY_LENGTH: no bound */
    uint32_t exit;
};
void srt_tags_free_text(struct srt_tags *t, uint32_t from,
                        const struct srt_tags_free *text);

/* ---- machines (tags_machine.c) ------------------------------------------- */

/* srt_language's build, for every kind that is made of tags. */
sortes_status srt_tags_build(struct srt_machine **out,
                             const struct srt_program *program,
                             const struct srt_alphabet *alphabet,
                             const sortes_vocab *v, sortes_error *err);
bool srt_tags_needs_vocab(const struct srt_program *program);
/* The remarks of the programs in it. */
void srt_tags_remark(const struct srt_program *program, srt_remark *each,
                     void *ctx);

#endif /* SRT_TAGS_H */
