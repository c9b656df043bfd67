/*
 * script_text.h - what the text of a recording says
 *
 * One fact a line, "#" opens a comment line:
 *
 *   sortes rows 1              the format and its version; always first
 *   model NAME                 what computed the logits
 *   sampled NAME               who drew the tokens, with version
 *   dialect NAME               the sortes dialect that must draw the same
 *   n_vocab N                  logits a row
 *   rows FILE                  the array, beside this file
 *   seed N                     the seed of the draws
 *   params JSON                their parameters, as a llama-server request
 *   prompt "TEXT"              what the model had read before row 0
 *   prompt_tokens ID ...       the same as tokens
 *   tokens ID ...              the tokens drawn, one a row
 *   piece ID "TEXT" [control] [eog]   a token that matters
 *
 * In quotes, \\ \" \n \r \t and \xHH stand for one byte.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_ENGINE_SCRIPT_TEXT_H
#define SORTES_ENGINE_SCRIPT_TEXT_H

#include "engine.h"

struct script_text {
    struct engine_recording facts; /* its pointers are the fields below */
    const char *array;             /* the .npy file's name */
    size_t n_vocab;
    struct engine_tokens prompt, drawn;
    char **piece; /* n_vocab of them; NULL: a token that never mattered */
    size_t *n_piece;
    uint32_t *flags;
};

/*
 * Reads text[0 .. n-1], which has a NUL behind it.  The text is changed, and
 * names point into it: it must stay as long as t.  path is for messages.
 * Whatever the answer, free t.
 */
sortes_status script_text_read(struct script_text *t, const char *path,
                               char *text, size_t n, sortes_error *err);
void script_text_free(struct script_text *t);

#endif /* SORTES_ENGINE_SCRIPT_TEXT_H */
