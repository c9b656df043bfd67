/*
 * engine.h - tokens in, logits out: what the programs know of a model
 *
 * Two engines stand behind it: libllama with any GGUF (llama.c), and rows
 * that were recorded once and are played back (script.c).  One engine holds
 * one sequence and belongs to one thread at a time.  Nothing here samples:
 * rows go to a sortes_sampler, tokens come back through engine_decode.
 *
 * Calls that can fail return a sortes_status and fill *err (NULL is allowed);
 * pointers they return in *out are NULL after a failure.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_ENGINE_H
#define SORTES_ENGINE_H

#include "sortes.h"

#include <stdbool.h>

struct engine;

struct engine_options {
    uint32_t n_ctx; /* tokens of context; 0: the model's own, at most 4096 */
    int n_threads;  /* 0: as many as this machine has cores, less one */
    bool verbose;   /* let the engine's own log through to stderr */
    /* Called while a model loads, with 0 .. 1; NULL: not wanted. */
    void (*progress)(void *ctx, float fraction);
    void *progress_ctx;
};

/*
 * Opens a GGUF model or a recording; the first bytes of the file decide.  A
 * program built without libllama refuses a GGUF with SORTES_E_NAME.  options
 * NULL: all zero.
 */
sortes_status engine_open(struct engine **out, const char *path,
                          const struct engine_options *options,
                          sortes_error *err);
void engine_close(struct engine *e); /* NULL is allowed */

/* Whether this program can open GGUF models. */
bool engine_has_llama(void);

/* One line: "model.gguf (llama 135M Q4_1), libllama 0.5.0"; lives as long as e.
 */
const char *engine_description(const struct engine *e);
size_t engine_n_vocab(const struct engine *e);

/*
 * Pieces and flags of every token, made when the engine was opened; retain it
 * to keep it longer than e.  Control tokens have their text ("<|im_end|>") as
 * piece.  In a recording, tokens that never mattered have empty pieces.
 */
sortes_vocab *engine_vocab(const struct engine *e);

/* Shorthands for the vocab's answers; a token out of range: "" and false. */
const char *engine_piece(const struct engine *e, int32_t token, size_t *n);
bool engine_is_eog(const struct engine *e, int32_t token);
bool engine_is_control(const struct engine *e, int32_t token);

enum {
    ENGINE_ADD_SPECIAL = 1,  /* BOS and the like, where the model wants them */
    ENGINE_PARSE_SPECIAL = 2 /* "<|im_end|>" in the text is that token */
};

struct engine_tokens {
    int32_t *ids; /* free with free() */
    size_t n;
};

/* A recording knows only its own prompt and refuses other text. */
sortes_status engine_tokenize(const struct engine *e, const char *text,
                              size_t n_bytes, unsigned flags,
                              struct engine_tokens *out, sortes_error *err);

/*
 * The bytes of some tokens one after another, control tokens left out; with
 * its length in *n_bytes and a NUL behind.  Free with free().
 */
sortes_status engine_detokenize(const struct engine *e, const int32_t *tokens,
                                size_t n, char **out, size_t *n_bytes,
                                sortes_error *err);

/*
 * Wraps a user's text (and a system text, if not NULL) in the model's own
 * chat template, ready for the assistant's answer; tokenize the result with
 * ENGINE_ADD_SPECIAL | ENGINE_PARSE_SPECIAL.  *out is NUL-terminated; free it
 * with free().  A model without a template: SORTES_E_NAME.
 */
sortes_status engine_chat(const struct engine *e, const char *system,
                          const char *user, char **out, sortes_error *err);

/*
 * Appends tokens to the sequence and computes the logits that follow the last
 * of them.  No room left in the context: SORTES_E_LIMIT, nothing appended.
 */
sortes_status engine_decode(struct engine *e, const int32_t *tokens, size_t n,
                            sortes_error *err);

/*
 * The row that the last engine_decode made, without a copy: valid until the
 * next engine_decode, engine_reset or engine_close.  Before the first decode:
 * SORTES_E_ARGUMENT.
 */
sortes_status engine_row(const struct engine *e, sortes_row *row);

/* Forgets the sequence; the next engine_decode starts a new one. */
void engine_reset(struct engine *e);

/*
 * What a recording says of itself.  The tokens are those that the named
 * engine drew on exactly these rows; row i follows prompt_tokens and
 * tokens[0 .. i-1], which engine_decode expects in this order.
 */
struct engine_recording {
    const char *model;   /* what computed the logits */
    const char *sampled; /* who drew: "llama.cpp (libllama 0.5.0)" */
    const char *dialect; /* the sortes dialect that must draw the same */
    const char *params;  /* a llama-server request, as JSON text */
    uint64_t seed;
    const char *prompt;
    const int32_t *prompt_tokens;
    size_t n_prompt_tokens;
    const int32_t *tokens;
    size_t n_tokens; /* also the number of rows */
};

/* NULL for a living model. */
const struct engine_recording *engine_recording(const struct engine *e);

#endif /* SORTES_ENGINE_H */
