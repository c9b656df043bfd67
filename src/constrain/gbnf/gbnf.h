/*
 * gbnf.h - a GBNF grammar as it was read
 *
 * Rules are trees of nodes.  What llama.cpp's parser takes is taken, with its
 * meaning: the last definition of a name counts, an empty class or literal is
 * nothing at all, and a repetition repeats the whole item before it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_GBNF_H
#define SRT_GBNF_H

#include "constrain/clock.h"
#include "constrain/language.h"
#include "constrain/pool.h"

/* Groups and repetitions inside one another; SORTES_E_LIMIT beyond. */
#define SRT_GBNF_DEPTH 400

/* No upper bound, in a repetition. */
#define SRT_GBNF_MANY UINT32_MAX

/* Steps between two looks at the clock. */
#define SRT_GBNF_A_LOOK 4096

enum srt_gbnf_type {
    SRT_GBNF_CHARS,    /* ranges[a .. b - 1], or all others if negated */
    SRT_GBNF_NAME,     /* rule a */
    SRT_GBNF_TOKEN,    /* token a, or the one spelled text[a .. b - 1]; or any
                          other one if negated */
    SRT_GBNF_SEQUENCE, /* the children, one after the other; none: "" */
    SRT_GBNF_CHOICE,   /* one of the children, at least one */
    SRT_GBNF_REPEAT    /* the child, a to b times */
};

struct srt_gbnf_node {
    uint8_t type;
    bool negated;
    bool spelled;    /* of a token: by its text */
    uint16_t height; /* of the tree below */
    uint32_t child;  /* the first one; 0: none */
    uint32_t next;   /* the node after this one in its parent; 0: last */
    uint32_t a, b;
    uint32_t offset; /* in the text */
    uint32_t weight; /* elements when all repetitions are written out, or
                        UINT32_MAX */
};

struct srt_gbnf_rule {
    uint32_t node;   /* a choice; 0: not defined */
    uint32_t offset; /* of the first mention */
};

struct srt_gbnf {
    struct srt_program program; /* first */
    char *text;
    size_t n;
    struct srt_pool names; /* rule r is name r + 1 */
    struct srt_gbnf_rule *rules;
    size_t n_rules, rules_room;
    struct srt_gbnf_node *nodes; /* from 1 on */
    size_t n_nodes, nodes_room;
    uint32_t (*ranges)[2]; /* first and last code point, as written */
    size_t n_ranges, ranges_room;
    uint32_t root;
    bool has_tokens;
};

/* Reads text; *err names line and column. */
sortes_status srt_gbnf_read(struct srt_gbnf **out, const char *text, size_t n,
                            const struct srt_options *options,
                            sortes_error *err);
void srt_gbnf_free(struct srt_gbnf *g); /* NULL is allowed */

/* llama.cpp's own check for left recursion: it knows no empty derivation but
 * that of an empty alternative. */
sortes_status srt_gbnf_check_left(const struct srt_gbnf *g,
                                  struct srt_timer *timer, sortes_error *err);

/* SORTES_E_LIMIT: the time is over. */
SRT_INLINE sortes_status srt_gbnf_step(struct srt_timer *timer)
{
    return srt_timer_step(timer, SRT_GBNF_A_LOOK) ? SORTES_OK : SORTES_E_LIMIT;
}

/* srt_fail() for the building: "gbnf: what" if a limit was reached that is not
 * that of time. */
sortes_status srt_gbnf_fail_limit(const struct srt_timer *timer,
                                  sortes_error *err, sortes_status status,
                                  const char *what);

/* SORTES_E_..., "gbnf: line 1, column 2: what"; offset is a byte of text. */
sortes_status srt_gbnf_fail(const struct srt_gbnf *g, sortes_error *err,
                            sortes_status status, size_t offset,
                            const char *what);

/* Writes a rule's name, cut to `size`, and a NUL. */
void srt_gbnf_name(const struct srt_gbnf *g, uint32_t rule, char *out,
                   size_t size);

/* gbnf_literal.c: the machine by llama.cpp's own rules. */
sortes_status srt_gbnf_build_literal(struct srt_machine **out,
                                     const struct srt_gbnf *g,
                                     const sortes_vocab *v, sortes_error *err);

#endif /* SRT_GBNF_H */
