/*
 * vocabs.h - small vocabularies for tests of constraints
 *
 * Real ones have a hundred thousand tokens; what can go wrong needs some two
 * hundred: tokens that cross every border of JSON, letters torn inside, bytes
 * that no token is, two tokens of the same bytes, special ones that are spelled
 * like text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_VOCABS_H
#define SUPPORT_VOCABS_H

#include "sortes.h"

enum vocabs_kind {
    VOCABS_BYTES,    /* every byte, and tokens of several */
    VOCABS_LACKING,  /* as SmolLM2: the same, but a dozen bytes are missing */
    VOCABS_BRACKETS, /* JSON's punctuation, some letters, torn UTF-8 */
    VOCABS_N
};

const char *vocabs_name(enum vocabs_kind kind);

/* Fails the test when there is no memory. */
sortes_vocab *vocabs_make(enum vocabs_kind kind);

#endif /* SUPPORT_VOCABS_H */
