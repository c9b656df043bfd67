/*
 * backend.h - what an engine is to engine.c: a table of calls and a few facts
 *
 * llama.c and script.c each put struct engine first in their own struct and
 * fill it in their open function.  engine.c checks arguments and token ids
 * before it calls through the table, so the implementations need not.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_ENGINE_BACKEND_H
#define SORTES_ENGINE_BACKEND_H

#include "engine.h"

struct engine_ops {
    void (*close)(struct engine *e); /* frees e itself */
    sortes_status (*tokenize)(const struct engine *e, const char *text,
                              size_t n_bytes, unsigned flags,
                              struct engine_tokens *out, sortes_error *err);
    sortes_status (*chat)(const struct engine *e, const char *system,
                          const char *user, char **out, sortes_error *err);
    sortes_status (*decode)(struct engine *e, const int32_t *tokens, size_t n,
                            sortes_error *err); /* n >= 1, ids in range */
    sortes_status (*row)(const struct engine *e, sortes_row *row);
    void (*reset)(struct engine *e);
};

struct engine {
    const struct engine_ops *ops;
    sortes_vocab *vocab;
    char description[160];
    const struct engine_recording *recording; /* NULL: a living model */
};

/* Fills *err (NULL is allowed), offset 0, and returns status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
sortes_status
engine_fail(sortes_error *err, sortes_status status, const char *format, ...);

/* Every field of options is set. */
sortes_status engine_open_llama(struct engine **out, const char *path,
                                const struct engine_options *options,
                                sortes_error *err);
sortes_status engine_open_script(struct engine **out, const char *path,
                                 sortes_error *err);

#endif /* SORTES_ENGINE_BACKEND_H */
