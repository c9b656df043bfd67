/*
 * choice.c - one of several texts, one a line
 *
 * The texts are sorted; a state is the run of them that begin with what has
 * come, and how long that is.  A choice that the vocabulary cannot write is
 * left out, and if none is left the grammar is refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/language.h"
#include "constrain/pool.h"

#include <stdlib.h>
#include <string.h>

struct choice_text {
    const uint8_t *bytes;
    size_t n;
};

struct choice_program {
    struct srt_program program; /* first */
    char *text;
    struct choice_text *choices; /* sorted, each once */
    size_t n;
};

/* choices[first .. last] begin with the same `length` bytes. */
struct choice_state {
    uint32_t first, last;
    uint64_t length;
};

struct choice_machine {
    struct srt_machine machine; /* first */
    struct choice_text *choices;
    uint32_t n;
    struct srt_pool states; /* struct choice_state */
};

/* ---- the program --------------------------------------------------------- */

static int choice_compare(const void *a, const void *b)
{
    const struct choice_text *x = a, *y = b;
    const size_t n = x->n < y->n ? x->n : y->n;
    const int order = n ? memcmp(x->bytes, y->bytes, n) : 0;

    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static void choice_free(struct srt_program *program)
{
    struct choice_program *p = (struct choice_program *)program;

    free(p->text);
    free(p->choices);
    free(p);
}

/* One choice a line; a newline at the end of the text begins no new one. */
static void choice_split(struct choice_program *p, size_t n)
{
    const char *at = p->text, *end = p->text + n;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            stop = end;
        p->choices[p->n].bytes = (const uint8_t *)at;
        p->choices[p->n++].n = (size_t)(stop - at);
        at = stop + 1;
    }
}

static void choice_sort(struct choice_program *p)
{
    size_t kept = 0;

    qsort(p->choices, p->n, sizeof(*p->choices), choice_compare);
    for (size_t i = 0; i < p->n; i++)
        if (!kept || choice_compare(&p->choices[kept - 1], &p->choices[i]))
            p->choices[kept++] = p->choices[i];
    p->n = kept;
}

static sortes_status choice_parse(struct srt_program **out, const char *text,
                                  size_t n, const struct srt_options *options,
                                  sortes_error *err)
{
    struct choice_program *p;
    size_t lines = 1;

    if (n == 0)
        return srt_fail(err, SORTES_E_EMPTY, 0,
                        "choice: there is none (one a line)");
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    if (lines >= UINT32_MAX)
        return srt_fail(err, SORTES_E_LIMIT, 0, "choice: too many of them");
    p = calloc(1, sizeof(*p));
    if (p) {
        p->text = malloc(n);
        p->choices = malloc(lines * sizeof(*p->choices));
    }
    if (!p || !p->text || !p->choices) {
        if (p)
            choice_free(&p->program);
        return srt_fail(err, SORTES_E_NOMEM, 0, "choice: no memory");
    }
    p->program.language = &srt_language_choice;
    p->program.options = *options;
    memcpy(p->text, text, n);
    choice_split(p, n);
    choice_sort(p);
    *out = &p->program;
    return SORTES_OK;
}

/* ---- the machine --------------------------------------------------------- */

static const struct choice_state *choice_at(const struct choice_machine *m,
                                            uint32_t state)
{
    return srt_pool_key(&m->states, state, NULL);
}

/* The first of choices[first .. last] whose byte at `length` is >= byte; a
 * choice that has ended comes before all. */
static uint32_t choice_bound(const struct choice_machine *m,
                             const struct choice_state *s, unsigned byte)
{
    uint32_t low = s->first, high = s->last + 1;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct choice_text *c = &m->choices[middle];

        if (c->n > s->length && c->bytes[s->length] >= byte)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static sortes_status choice_step(struct srt_machine *machine, uint32_t state,
                                 uint8_t byte, uint32_t *next)
{
    struct choice_machine *m = (struct choice_machine *)machine;
    const struct choice_state from = *choice_at(m, state);
    const uint32_t first = choice_bound(m, &from, byte);
    const uint32_t end = choice_bound(m, &from, byte + 1u);
    struct choice_state to;

    *next = SRT_DEAD;
    if (first == end)
        return SORTES_OK;
    to.first = first;
    to.last = end - 1;
    to.length = from.length + 1;
    return srt_pool_intern(&m->states, &to, sizeof(to), next, NULL);
}

static bool choice_accepts(const struct srt_machine *machine, uint32_t state)
{
    const struct choice_machine *m = (const struct choice_machine *)machine;
    const struct choice_state *s = choice_at(m, state);

    return m->choices[s->first].n == s->length;
}

static void choice_stats(const struct srt_machine *machine, size_t *n_states,
                         size_t *n_bytes)
{
    const struct choice_machine *m = (const struct choice_machine *)machine;

    *n_states = m->states.n;
    *n_bytes = m->states.n_bytes;
}

static void choice_destroy(struct srt_shared *shared)
{
    struct choice_machine *m = (struct choice_machine *)shared;

    srt_pool_clear(&m->states);
    srt_machine_clear(&m->machine);
    free(m->choices);
    free(m);
}

static const struct srt_machine_type choice_type = {
    .step = choice_step,
    .accepts = choice_accepts,
    .stats = choice_stats,
};

/* Keeps the choices that the alphabet can write; *missing: a byte that kept
 * one out, or -1. */
static void choice_keep(struct choice_machine *m,
                        const struct choice_program *p,
                        const struct srt_alphabet *alphabet, int *missing)
{
    *missing = -1;
    for (size_t i = 0; i < p->n; i++) {
        const struct choice_text *c = &p->choices[i];
        size_t k = 0;

        while (k < c->n && srt_alphabet_has(alphabet, c->bytes[k]))
            k++;
        if (k == c->n)
            m->choices[m->n++] = *c;
        else if (*missing < 0)
            *missing = c->bytes[k];
    }
}

static sortes_status choice_begin(struct choice_machine *m, int missing,
                                  sortes_error *err)
{
    const struct choice_state start = { 0, m->n ? m->n - 1 : 0, 0 };
    sortes_status status;

    if (m->n == 0)
        return srt_machine_empty("choice", missing, err);
    status = srt_pool_intern(&m->states, &start, sizeof(start),
                             &m->machine.start, NULL);
    return status == SORTES_OK ? SORTES_OK
                               : srt_machine_no_room("choice", status, err);
}

static sortes_status choice_build(struct srt_machine **out,
                                  const struct srt_program *program,
                                  const struct srt_alphabet *alphabet,
                                  const sortes_vocab *v, sortes_error *err)
{
    const struct choice_program *p = (const struct choice_program *)program;
    struct choice_machine *m = calloc(1, sizeof(*m));
    sortes_status status;
    int missing;

    (void)v;
    if (m)
        m->choices = malloc(p->n * sizeof(*m->choices));
    if (!m || !m->choices) {
        free(m);
        return srt_fail(err, SORTES_E_NOMEM, 0, "choice: no memory");
    }
    srt_machine_init(&m->machine, &choice_type, choice_destroy, alphabet);
    srt_pool_init(&m->states, 0, p->program.options.max_states,
                  p->program.options.max_state_bytes);
    choice_keep(m, p, alphabet, &missing);
    status = choice_begin(m, missing, err);
    if (status != SORTES_OK) {
        srt_shared_release(&m->machine.shared);
        return status;
    }
    *out = &m->machine;
    return SORTES_OK;
}

const struct srt_language srt_language_choice = {
    .name = "choice",
    .parse = choice_parse,
    .build = choice_build,
    .free = choice_free,
};
