/*
 * grammar.h - the inside of a grammar: a program, and the caches that its
 * matchers share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_GRAMMAR_H
#define SRT_GRAMMAR_H

#include "constrain/cache.h"
#include "constrain/language.h"

struct sortes_grammar {
    struct srt_shared shared; /* first */
    struct srt_program *program;
    struct srt_machine *bytes;     /* over all bytes, for no vocab */
    struct srt_shared_list caches; /* one a vocab */
};

/* The cache of a vocab (NULL: of bytes alone), made on first use; held for the
 * caller. */
sortes_status srt_grammar_cache(struct srt_cache **out, sortes_grammar *g,
                                sortes_vocab *v, sortes_error *err);

#endif /* SRT_GRAMMAR_H */
