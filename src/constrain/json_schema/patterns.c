/*
 * patterns.c - every pattern is read once with the schema, so that a bad one is
 * refused there; keys of patterns that match few strings become names
 *
 * Names are counted, other keys are not: with "^[ab]$" and nothing else, no
 * third key can come, and the machine has to know.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include "constrain/regex/regex.h"
#include "unicode.h"

#include <string.h>

enum { PATTERNS_FEW = 256, PATTERNS_BYTES = 4 * 64 + 4 };

struct pattern_walk {
    struct srt_schema *s;
    struct srt_book *book;
    char text[PATTERNS_BYTES];
    uint32_t n; /* strings so far */
    bool keeps; /* and not only counts */
    sortes_status status;
};

/* Every string that completes a state; text[0 .. at-1] led there.  A long one
 * means that there are many, and ends the walk: some string completes every
 * state. */
static void pattern_strings(struct pattern_walk *w, uint32_t state, size_t at)
{
    size_t n_segments;
    const struct srt_book_segment *segments =
        srt_book_segments(w->book, &n_segments);
    uint32_t name, next;

    if (at > sizeof(w->text) - 4) {
        w->n = PATTERNS_FEW + 1;
        return;
    }
    if (srt_book_accepts(w->book, state)) {
        w->n++;
        if (w->keeps)
            w->status = srt_pool_intern(&w->s->names, w->text, at, &name, NULL);
    }
    for (size_t i = 0;
         i < n_segments && w->n <= PATTERNS_FEW && w->status == SORTES_OK;
         i++) {
        const struct srt_book_segment *s = &segments[i];

        if (s->class_of == srt_book_missing(w->book))
            continue;
        w->status = srt_book_step(w->book, state, s->class_of, &next);
        if (w->status != SORTES_OK || !next)
            continue;
        if (s->last - s->first >= PATTERNS_FEW) {
            w->n = PATTERNS_FEW + 1;
            return;
        }
        for (uint32_t code = s->first;
             code <= s->last && w->n <= PATTERNS_FEW && w->status == SORTES_OK;
             code++)
            pattern_strings(w, next, at + srt_utf8_encode(code, w->text + at));
    }
}

/* Makes names of a key pattern's strings if there are few. */
static sortes_status pattern_names(struct srt_schema *s, struct srt_book *book,
                                   srt_regex regex)
{
    struct pattern_walk w = { .s = s, .book = book };
    uint32_t state;
    const sortes_status status = srt_book_start(book, regex, &state);

    if (status != SORTES_OK || !state)
        return status;
    pattern_strings(&w, state, 0);
    w.keeps = w.n <= PATTERNS_FEW;
    w.n = 0;
    if (w.keeps)
        pattern_strings(&w, state, 0);
    return w.status;
}

static sortes_status pattern_read(struct srt_loader *l, struct srt_book *book,
                                  uint32_t number, srt_regex *regex)
{
    const struct srt_schema_pattern *p =
        SRT_SCHEMA_AT(l->s->patterns, struct srt_schema_pattern, number);
    sortes_error why = { 0 };
    const sortes_status status =
        srt_book_parse(book, p->text, p->n, p->search, regex, &why);

    return status == SORTES_OK
               ? SORTES_OK
               : srt_loader_refuse(l, status, p->json, why.text);
}

static sortes_status patterns_in(struct srt_loader *l, struct srt_book *book)
{
    static const uint32_t surrogates[1][2] = { { 0xD800, 0xDFFF } };
    const uint32_t n = l->s->patterns.n;
    srt_regex *regex = srt_loader_take(l, n + 1, sizeof(*regex));
    sortes_status status = SORTES_OK;

    if (!regex)
        return srt_loader_no_memory(l);
    for (uint32_t i = 1; i <= n && status == SORTES_OK; i++)
        status = pattern_read(l, book, i, &regex[i]);
    if (status != SORTES_OK)
        return status;
    status = srt_book_close(book, surrogates, 1);
    for (uint32_t i = 1; i <= n && status == SORTES_OK; i++)
        if (SRT_SCHEMA_AT(l->s->patterns, struct srt_schema_pattern, i)
                ->of_name)
            status = pattern_names(l->s, book, regex[i]);
    return status == SORTES_OK
               ? SORTES_OK
               : srt_fail(l->err, status, 0,
                          "json_schema: no room for its patterns");
}

sortes_status srt_loader_patterns(struct srt_loader *l)
{
    const struct srt_regex_limits limits = { l->s->options.max_states,
                                             l->s->options.max_state_bytes,
                                             l->s->options.max_compile_us };
    struct srt_book *book;
    sortes_status status;

    if (l->s->patterns.n == 0)
        return SORTES_OK;
    status = srt_book_new(&book, &limits);
    if (status != SORTES_OK)
        return srt_loader_no_memory(l);
    status = patterns_in(l, book);
    srt_book_free(book);
    return status;
}
