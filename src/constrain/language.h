/*
 * language.h - a kind of grammar: text to program to machine
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LANGUAGE_H
#define SRT_LANGUAGE_H

#include "constrain/machine.h"
#include "constrain/options.h"
#include "vocab.h"

/* Parsed once, by a language; its own struct begins with this. */
struct srt_program {
    const struct srt_language *language;
    struct srt_options options;
};

/* Something about a grammar that is worth knowing: sortes_grammar_remarks. */
typedef void srt_remark(void *ctx, const char *where, const char *text);

struct srt_language {
    const char *name; /* "regex" */

    /* Reads text whole.  On failure *err says where and why. */
    sortes_status (*parse)(struct srt_program **out, const char *text, size_t n,
                           const struct srt_options *options,
                           sortes_error *err);

    /*
     * A machine whose live states are completed by bytes of the alphabet
     * alone.  v is NULL where only bytes matter (then the alphabet is whole);
     * token elements need it.  A language with no text over the alphabet is
     * refused: SORTES_E_EMPTY, naming a missing byte if the whole alphabet
     * would do.  The program outlives its machines.
     */
    sortes_status (*build)(struct srt_machine **out,
                           const struct srt_program *p,
                           const struct srt_alphabet *alphabet,
                           const sortes_vocab *v, sortes_error *err);

    void (*free)(struct srt_program *p);

    /* Whether a machine depends on the vocab and not on its bytes alone. */
    bool (*needs_vocab)(const struct srt_program *p); /* NULL: never */

    /* What was ignored, left out or read in another way; NULL: nothing. */
    void (*remark)(const struct srt_program *p, srt_remark *each, void *ctx);
};

#define SRT_LANGUAGE(symbol) extern const struct srt_language symbol;
#include "constrain/languages.def"
#undef SRT_LANGUAGE

/* By name; NULL: no such kind. */
const struct srt_language *srt_language_find(const char *name);

#endif /* SRT_LANGUAGE_H */
