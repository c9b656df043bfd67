/*
 * options.h - the text profile and the limits of a grammar, as numbers
 *
 * Names and values: options.def.  Every kind takes the whole set and looks at
 * what concerns it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_OPTIONS_H
#define SRT_OPTIONS_H

#include "status.h"

#include <stdbool.h>

enum srt_order { SRT_ORDER_DECLARED, SRT_ORDER_STRICT, SRT_ORDER_FREE };
enum srt_whitespace {
    SRT_WHITESPACE_BOUNDED, /* a space; or a line break and up to 64 blanks */
    SRT_WHITESPACE_NONE,
    SRT_WHITESPACE_SINGLE, /* at most one space */
    SRT_WHITESPACE_ANY
};
enum srt_escapes {
    SRT_ESCAPES_AUTO, /* canonical in keys, enum and const; else any legal */
    SRT_ESCAPES_CANONICAL,
    SRT_ESCAPES_JSON
};
enum srt_numbers { SRT_NUMBERS_PLAIN, SRT_NUMBERS_JSON };
enum srt_formats { SRT_FORMATS_ASSERT, SRT_FORMATS_ANNOTATE };
enum srt_draft {
    SRT_DRAFT_BY_SCHEMA,
    SRT_DRAFT_4,
    SRT_DRAFT_6,
    SRT_DRAFT_7,
    SRT_DRAFT_2019_09,
    SRT_DRAFT_2020_12
};

enum srt_form {
    SRT_FORM_EXACT,
    SRT_FORM_LITERAL /* llama.cpp's own rules */
};

/* Options of words hold one of the values above, or 0 and 1. */
struct srt_options {
    int order, whitespace, escapes, numbers, formats, draft;
    int unique_keys;
    int lenient;          /* refused keywords are passed over, and listed */
    int form;             /* of GBNF */
    bool like_llguidance; /* the profile was asked for */

    size_t max_states;      /* of a machine */
    size_t max_state_bytes; /* all that a machine keeps of them */
    size_t max_cache_bytes; /* masks and transitions, beside the states */
    size_t max_depth; /* arrays and objects; rules are bounded by states */
    uint64_t max_compile_us;

    sortes_resolver *resolve; /* NULL: there are no other documents */
    void *resolve_ctx;
};

/* options NULL: the defaults. */
sortes_status srt_options_read(struct srt_options *to,
                               const sortes_grammar_options *options,
                               sortes_error *err);

#endif /* SRT_OPTIONS_H */
