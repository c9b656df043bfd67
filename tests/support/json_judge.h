/*
 * json_judge.h - whether a text is, or can still become, JSON
 *
 * A recogniser by recursive descent over RFC 8259 that knows nothing of
 * automata: strict UTF-8, no half of a surrogate pair, no key twice in an
 * object once its escapes are read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_JSON_JUDGE_H
#define SUPPORT_JSON_JUDGE_H

#include <stddef.h>

enum judge_verdict {
    JUDGE_NEVER, /* nothing that begins so is one */
    JUDGE_MORE,  /* not yet */
    JUDGE_WHOLE  /* it is one */
};

/* An object, or any value.  Blanks may stand between tokens and around. */
enum judge_verdict judge_object(const char *text, size_t n);
enum judge_verdict judge_json(const char *text, size_t n);

#endif /* SUPPORT_JSON_JUDGE_H */
