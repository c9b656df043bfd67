/*
 * uri.h - URIs, as far as references need them
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_URI_H
#define SRT_JS_URI_H

#include <stddef.h>

/* Bytes that srt_uri_resolve may write beyond those of its two texts: the marks
 * between the parts, and a NUL. */
enum { SRT_URI_MORE = 8 };

/* How many bytes of text stand before its fragment. */
size_t srt_uri_split(const char *text, size_t n);

/*
 * Writes what ref means beside base, without a fragment but with a NUL behind
 * it; both may be relative.  out has room for n_base + n_ref + SRT_URI_MORE
 * bytes.  Returns the length.
 */
size_t srt_uri_resolve(char *out, const char *base, size_t n_base,
                       const char *ref, size_t n_ref);

#endif /* SRT_JS_URI_H */
