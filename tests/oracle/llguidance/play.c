/*
 * play.c - sortes for a Python that runs llguidance: loaded with ctypes
 *
 * Times are taken here, around the library's calls, in nanoseconds.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "sortes.h"

#include <string.h>
#include <time.h>

#define PLAY __attribute__((visibility("default")))

PLAY void *play_vocab(const char *path, char *error, size_t room);
PLAY size_t play_size(void *vocab);
PLAY const char *play_piece(void *vocab, int32_t token, size_t *n,
                            uint32_t *flags);
PLAY void *play_matcher(void *vocab, const char *const *grammar, char *error,
                        size_t room);
PLAY int64_t play_mask(void *matcher, uint32_t *words, size_t n);
PLAY int64_t play_advance(void *matcher, int32_t token);
PLAY int play_accepts(void *matcher);
PLAY void play_reset(void *matcher);
PLAY void play_free(void *matcher);

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void say(const sortes_error *err, char *error, size_t room)
{
    strncpy(error, err->text, room - 1);
    error[room - 1] = '\0';
}

void *play_vocab(const char *path, char *error, size_t room)
{
    sortes_error err;
    sortes_vocab *v;

    if (sortes_vocab_from_file(&v, path, &err) != SORTES_OK) {
        say(&err, error, room);
        return NULL;
    }
    return v;
}

size_t play_size(void *vocab)
{
    return sortes_vocab_size(vocab);
}

const char *play_piece(void *vocab, int32_t token, size_t *n, uint32_t *flags)
{
    *flags = sortes_vocab_flags(vocab, token);
    return sortes_vocab_piece(vocab, token, n);
}

/* grammar: kind, text, profile (NULL: the defaults). */
void *play_matcher(void *vocab, const char *const *grammar, char *error,
                   size_t room)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .profile = grammar[2] };
    sortes_error err;
    sortes_grammar *g;
    sortes_matcher *m = NULL;

    if (sortes_grammar_new(&g, grammar[0], grammar[1], strlen(grammar[1]),
                           &options, &err) != SORTES_OK ||
        sortes_matcher_new(&m, g, vocab, &err) != SORTES_OK)
        say(&err, error, room);
    sortes_grammar_free(g);
    return m;
}

/* Nanoseconds, below 0: -status. */
int64_t play_mask(void *matcher, uint32_t *words, size_t n)
{
    const int64_t begin = now();
    const sortes_status status = sortes_matcher_mask(matcher, words, n);

    return status == SORTES_OK ? now() - begin : -(int64_t)status;
}

int64_t play_advance(void *matcher, int32_t token)
{
    const int64_t begin = now();
    const sortes_status status =
        sortes_matcher_advance(matcher, &token, 1, NULL);

    return status == SORTES_OK ? now() - begin : -(int64_t)status;
}

int play_accepts(void *matcher)
{
    return sortes_matcher_is_accepting(matcher);
}

void play_reset(void *matcher)
{
    sortes_matcher_reset(matcher);
}

void play_free(void *matcher)
{
    sortes_matcher_free(matcher);
}
