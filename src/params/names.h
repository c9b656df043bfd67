/*
 * names.h - the known name that a wrong one was probably meant to be
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_NAMES_H
#define SRT_NAMES_H

#include "status.h"

/* Texts need no NUL. */
struct srt_nearest {
    const char *got;
    size_t n_got;
    const char *best; /* NULL: nothing near so far */
    size_t n_best;
    unsigned distance; /* of the best */
};

void srt_nearest_start(struct srt_nearest *s, const char *got, size_t n);
void srt_nearest_try(struct srt_nearest *s, const char *known, size_t n);

/*
 * Fails with SORTES_E_NAME: "parameter 'minp' is unknown; did you mean
 * 'min_p'?", without the question when nothing is near.
 */
sortes_status srt_fail_unknown(sortes_error *err, size_t offset,
                               const char *what, const struct srt_nearest *s);

#endif /* SRT_NAMES_H */
