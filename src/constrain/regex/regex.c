/*
 * regex.c - the language "regex": the whole output matches a pattern
 *
 * The program keeps the pattern; each alphabet has a book of its own, in which
 * the characters that it cannot write do not occur.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/decode.h"

#include "constrain/language.h"

#include <stdlib.h>
#include <string.h>

struct regex_program {
    struct srt_program base; /* first */
    size_t n;
    char text[]; /* of n bytes */
};

struct regex_machine {
    struct srt_machine base; /* first */
    struct srt_book *book;
    struct srt_decoder *decoder;
};

static void regex_destroy(struct srt_shared *shared)
{
    struct regex_machine *r = (struct regex_machine *)shared;

    srt_decoder_free(r->decoder);
    srt_book_free(r->book);
    srt_machine_clear(&r->base);
    free(r);
}

static sortes_status regex_step(struct srt_machine *m, uint32_t state,
                                uint8_t byte, uint32_t *next)
{
    return srt_decoder_step(((struct regex_machine *)m)->decoder, state, byte,
                            next);
}

static bool regex_accepts(const struct srt_machine *m, uint32_t state)
{
    const struct regex_machine *r = (const struct regex_machine *)m;

    return srt_book_accepts(r->book,
                            srt_decoder_reader_state(r->decoder, state));
}

static void regex_stats(const struct srt_machine *m, size_t *n_states,
                        size_t *n_bytes)
{
    const struct regex_machine *r = (const struct regex_machine *)m;
    size_t of_book;

    srt_decoder_stats(r->decoder, n_states, n_bytes);
    srt_book_stats(r->book, NULL, &of_book);
    *n_bytes += of_book;
}

static const struct srt_machine_type regex_type = {
    .step = regex_step,
    .accepts = regex_accepts,
    .stats = regex_stats,
};

static void regex_make_book(struct regex_machine *r,
                            const struct regex_program *p, uint32_t *start,
                            sortes_status *status, sortes_error *err)
{
    const struct srt_regex_limits limits = {
        .max_states = p->base.options.max_states,
        .max_bytes = p->base.options.max_state_bytes,
        .max_us = p->base.options.max_compile_us
    };
    struct srt_code_reader reader;
    uint32_t(*missing)[2] = NULL;
    size_t n_missing;
    srt_regex x;

    *start = 0;
    *status = srt_book_new(&r->book, &limits);
    if (*status == SORTES_OK)
        *status = srt_book_parse(r->book, p->text, p->n, false, &x, err);
    if (*status == SORTES_OK)
        *status = srt_spelling_missing(SRT_SPELL_UTF8, &r->base.alphabet,
                                       &missing, &n_missing);
    if (*status == SORTES_OK)
        *status =
            srt_book_close(r->book, (const uint32_t(*)[2])missing, n_missing);
    free(missing);
    if (*status == SORTES_OK)
        *status = srt_book_start(r->book, x, start);
    if (*status != SORTES_OK)
        return;
    reader = srt_book_reader(r->book);
    *status = srt_decoder_new(&r->decoder, &reader, SRT_SPELL_UTF8,
                              &r->base.alphabet, &limits);
    if (*status == SORTES_OK)
        *status = srt_decoder_at(r->decoder, *start, &r->base.start);
}

/* A machine whose start may be dead. */
static sortes_status regex_make(struct regex_machine **out,
                                const struct regex_program *p,
                                const struct srt_alphabet *alphabet,
                                sortes_error *err)
{
    struct regex_machine *r = calloc(1, sizeof(*r));
    sortes_status status;
    uint32_t start;

    *out = NULL;
    if (!r)
        return srt_fail(err, SORTES_E_NOMEM, 0, "regex: no memory");
    srt_machine_init(&r->base, &regex_type, regex_destroy, alphabet);
    (void)srt_ok(err);
    regex_make_book(r, p, &start, &status, err);
    if (status != SORTES_OK) {
        if (err && err->status == SORTES_OK)
            (void)srt_fail(
                err, status, 0, "regex: %s",
                status == SORTES_E_LIMIT
                    ? "more states, memory or time than the limits allow"
                    : "no memory");
        srt_shared_release(&r->base.shared);
        return status;
    }
    r->base.n_classes = srt_decoder_classes(r->decoder, r->base.class_of);
    *out = r;
    return SORTES_OK;
}

/* ---- what cannot be written ---------------------------------------------- */

struct regex_walk {
    struct regex_machine *r;
    uint32_t *from; /* by state: where it was reached from, plus one */
    uint8_t *byte;  /* and by which byte */
    size_t n;
};

/* Breadth first; the first state that accepts, 0: none within the room. */
static uint32_t regex_shortest(struct regex_walk *w, uint32_t *queue)
{
    size_t head = 0, tail = 0;

    queue[tail++] = w->r->base.start;
    w->from[w->r->base.start] = 1;
    while (head < tail) {
        const uint32_t state = queue[head++];

        if (regex_accepts(&w->r->base, state))
            return state;
        for (unsigned byte = 0; byte < 256; byte++) {
            uint32_t next;

            if (regex_step(&w->r->base, state, (uint8_t)byte, &next) !=
                SORTES_OK)
                return 0;
            if (next == 0 || next >= w->n || w->from[next])
                continue;
            w->from[next] = state + 1;
            w->byte[next] = (uint8_t)byte;
            queue[tail++] = next;
        }
    }
    return 0;
}

/*
 * Some byte that a text of the language has and the alphabet has not; below 0:
 * none was found.  r is over all bytes.
 */
static int regex_missing_byte(struct regex_machine *r,
                              const struct srt_alphabet *alphabet)
{
    enum { ROOM = 1 << 16 };
    struct regex_walk w = { .r = r, .n = ROOM };
    uint32_t *queue = malloc(ROOM * sizeof(*queue));
    uint32_t state;
    int missing = -1;

    w.from = calloc(ROOM, sizeof(*w.from));
    w.byte = calloc(ROOM, sizeof(*w.byte));
    if (queue && w.from && w.byte) {
        state = regex_shortest(&w, queue);
        while (state && state != r->base.start) {
            if (!srt_alphabet_has(alphabet, w.byte[state]))
                missing = w.byte[state];
            state = w.from[state] - 1;
        }
    }
    free(queue);
    free(w.from);
    free(w.byte);
    return missing;
}

/* ---- the language -------------------------------------------------------- */

static void regex_free(struct srt_program *p)
{
    free(p);
}

static sortes_status regex_build(struct srt_machine **out,
                                 const struct srt_program *p,
                                 const struct srt_alphabet *alphabet,
                                 const sortes_vocab *v, sortes_error *err)
{
    const struct regex_program *program = (const struct regex_program *)p;
    struct regex_machine *r;
    struct srt_alphabet all;
    sortes_status status = regex_make(&r, program, alphabet, err);
    int missing;

    (void)v;
    *out = NULL;
    if (status != SORTES_OK)
        return status;
    if (r->base.start) {
        *out = &r->base;
        return SORTES_OK;
    }
    srt_shared_release(&r->base.shared);
    srt_alphabet_fill(&all);
    status = regex_make(&r, program, &all, err);
    if (status != SORTES_OK)
        return status;
    missing = r->base.start ? regex_missing_byte(r, alphabet) : -1;
    srt_shared_release(&r->base.shared);
    return srt_machine_empty("regex", missing, err);
}

static sortes_status regex_parse(struct srt_program **out, const char *text,
                                 size_t n, const struct srt_options *options,
                                 sortes_error *err)
{
    struct regex_program *p = malloc(sizeof(*p) + n);
    struct srt_alphabet all;
    struct regex_machine *r;
    sortes_status status;

    *out = NULL;
    if (!p)
        return srt_fail(err, SORTES_E_NOMEM, 0, "regex: no memory");
    p->base.language = &srt_language_regex;
    p->base.options = *options;
    p->n = n;
    if (n)
        memcpy(p->text, text, n);
    srt_alphabet_fill(&all);
    status = regex_make(&r, p, &all, err);
    if (status == SORTES_OK) {
        if (!r->base.start)
            status = srt_machine_empty("regex", -1, err);
        srt_shared_release(&r->base.shared);
    }
    if (status != SORTES_OK)
        free(p);
    else
        *out = &p->base;
    return status;
}

const struct srt_language srt_language_regex = {
    .name = "regex",
    .parse = regex_parse,
    .build = regex_build,
    .free = regex_free,
};
