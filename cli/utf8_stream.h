/*
 * utf8_stream.h - text that arrives in pieces, handed on without a torn letter
 *
 * A token may end in the middle of a UTF-8 sequence.  What has begun well is
 * held back until it is whole; what cannot become a sequence any more, and
 * what is still torn at the end, becomes U+FFFD.  What is handed on is always
 * valid UTF-8.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_UTF8_STREAM_H
#define CLI_UTF8_STREAM_H

#include <stddef.h>

enum utf8_kind {
    UTF8_WHOLE, /* a well-formed sequence */
    UTF8_TORN,  /* the beginning of one, and no bytes after it */
    UTF8_BAD    /* neither; stands for one U+FFFD */
};

/* The U+FFFD that stands for bytes which are no UTF-8. */
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

/*
 * Looks at the sequence at text[0 .. n-1], n > 0; its length goes to
 * *n_bytes.  Ill-formed bytes are grouped as the Unicode standard recommends
 * ("substitution of maximal subparts").
 */
enum utf8_kind utf8_look(const char *text, size_t n, size_t *n_bytes);

/* Whether all of text is well-formed. */
int utf8_is_valid(const char *text, size_t n);

/* Takes bytes; 0 or, when they could not be written, -1. */
typedef int utf8_sink(void *ctx, const char *text, size_t n);

/* A sink; ctx is not looked at. */
int utf8_to_stdout(void *ctx, const char *text, size_t n);

struct utf8_stream {
    utf8_sink *sink;
    void *ctx;
    char held[4]; /* at most 3 bytes of a sequence that has begun */
    size_t n_held;
};

void utf8_stream_init(struct utf8_stream *u, utf8_sink *sink, void *ctx);

/* Adds bytes and hands on what is whole.  0, or -1 from the sink. */
int utf8_stream_push(struct utf8_stream *u, const char *bytes, size_t n);

/* No more bytes come: what is still held becomes U+FFFD. */
int utf8_stream_end(struct utf8_stream *u);

#endif /* CLI_UTF8_STREAM_H */
