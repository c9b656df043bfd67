/*
 * status.h - how a call inside the library reports a failure
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_STATUS_H
#define SRT_STATUS_H

#include "compiler.h"
#include "sortes.h"

/*
 * Fills *err (NULL is allowed) and returns status, so that a failing function
 * ends with `return srt_fail(err, SORTES_E_RANGE, 0, "top_k: ...", ...)`.
 * Text longer than the field is cut at a UTF-8 boundary and ends in "...".
 */
sortes_status srt_fail(sortes_error *err, sortes_status status, size_t offset,
                       const char *format, ...) SRT_PRINTF(4, 5);

/* Clears *err (NULL is allowed) and returns SORTES_OK. */
sortes_status srt_ok(sortes_error *err);

#endif /* SRT_STATUS_H */
