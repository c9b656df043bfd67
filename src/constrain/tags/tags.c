/*
 * tags.c - building an automaton of places
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tags.h"

#include "constrain/grow.h"

#include <string.h>

/* Places and edges in all: what tags may be written out to. */
enum { TAGS_MOST = 1 << 22 };

struct srt_tags *srt_tags_new(const struct srt_language *language,
                              const struct srt_options *options)
{
    struct srt_tags *t = calloc(1, sizeof(*t));

    if (!t)
        return NULL;
    t->program.language = language;
    t->program.options = *options;
    t->n_places = t->n_edges = t->n_subs = 1;
    t->start = srt_tags_place(t);
    return t;
}

void srt_tags_forget(struct srt_tags *t, size_t n_subs)
{
    while (t->n_subs > n_subs) {
        const struct srt_tags_sub *s = &t->subs[--t->n_subs];

        s->program->language->free(s->program);
        free(s->where);
    }
    for (size_t i = 1; i < t->n_places; i++)
        if (t->places[i].sub >= n_subs)
            t->places[i].sub = 0;
}

void srt_tags_free(struct srt_program *program)
{
    struct srt_tags *t = (struct srt_tags *)program;

    if (!t)
        return;
    srt_tags_forget(t, 1);
    free(t->subs);
    free(t->places);
    free(t->edges);
    free(t);
}

sortes_status srt_tags_status(const struct srt_tags *t, sortes_error *err)
{
    const char *name = t->program.language->name;

    if (t->status == SORTES_OK)
        return SORTES_OK;
    return srt_fail(err, t->status, 0,
                    t->status == SORTES_E_LIMIT
                        ? "%s: too large when written out (at most %d places)"
                        : "%s: no memory",
                    name, (int)TAGS_MOST);
}

/* Room for one more; false: the failure is kept. */
static bool tags_room(struct srt_tags *t, void **block, size_t *room, size_t n,
                      size_t size)
{
    if (t->status == SORTES_OK && n >= TAGS_MOST)
        t->status = SORTES_E_LIMIT;
    if (t->status == SORTES_OK)
        t->status = srt_grow(block, room, n + 1, size);
    return t->status == SORTES_OK;
}

uint32_t srt_tags_place(struct srt_tags *t)
{
    void *block = t->places;
    const bool ok =
        tags_room(t, &block, &t->places_room, t->n_places, sizeof(*t->places));

    t->places = block;
    if (!ok)
        return 0;
    t->places[t->n_places] = (struct srt_tags_place){ 0 };
    return (uint32_t)t->n_places++;
}

static void tags_add(struct srt_tags *t, uint32_t from,
                     struct srt_tags_edge edge)
{
    void *block = t->edges;
    const bool ok =
        tags_room(t, &block, &t->edges_room, t->n_edges, sizeof(*t->edges));

    t->edges = block;
    if (!ok || !from || !edge.to)
        return;
    edge.next = t->places[from].edge;
    t->edges[t->n_edges] = edge;
    t->places[from].edge = (uint32_t)t->n_edges++;
}

void srt_tags_edge(struct srt_tags *t, uint32_t from, uint8_t first,
                   uint8_t last, uint32_t to)
{
    tags_add(t, from, (struct srt_tags_edge){ 0, to, first, last, false });
}

void srt_tags_empty(struct srt_tags *t, uint32_t from, uint32_t to)
{
    tags_add(t, from, (struct srt_tags_edge){ 0, to, 0, 0, true });
}

uint32_t srt_tags_string(struct srt_tags *t, uint32_t from, const char *bytes,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t to = srt_tags_place(t);

        srt_tags_edge(t, from, (uint8_t)bytes[i], (uint8_t)bytes[i], to);
        from = to;
    }
    return from;
}

/* ---- programs of other kinds --------------------------------------------- */

/* A failure inside a part, with the part's place before it. */
static sortes_status tags_blame(const struct srt_tags *t,
                                const struct srt_tags_text *text,
                                const sortes_error *inner, sortes_status status,
                                sortes_error *err)
{
    return srt_fail(err, status, text->offset + inner->offset, "%s: %s: %s",
                    t->program.language->name, text->where, inner->text);
}

sortes_status srt_tags_read(struct srt_tags *t,
                            const struct srt_tags_text *text,
                            const struct srt_options *options, uint32_t *sub,
                            sortes_error *err)
{
    const struct srt_language *language = srt_language_find(text->kind);
    struct srt_tags_sub s = { .offset = text->offset, .key = text->key };
    void *block = t->subs;
    sortes_error inner = { 0 };
    sortes_status status;

    if (!language)
        return srt_fail(err, SORTES_E_NAME, text->offset,
                        "%s: %s: this build has no kind '%s'",
                        t->program.language->name, text->where, text->kind);
    status = language->parse(&s.program, text->text, text->n, options, &inner);
    if (status != SORTES_OK)
        return tags_blame(t, text, &inner, status, err);
    s.where = malloc(strlen(text->where) + 1);
    if (s.where)
        strcpy(s.where, text->where);
    if (!s.where ||
        !tags_room(t, &block, &t->subs_room, t->n_subs, sizeof(*t->subs))) {
        free(s.where);
        language->free(s.program);
        t->status = t->status == SORTES_OK ? SORTES_E_NOMEM : t->status;
        *sub = 0;
        return SORTES_OK;
    }
    t->subs = block;
    t->subs[t->n_subs] = s;
    *sub = (uint32_t)t->n_subs++;
    return SORTES_OK;
}

uint32_t srt_tags_run(struct srt_tags *t, uint32_t from, uint32_t sub)
{
    const uint32_t at = srt_tags_place(t), to = srt_tags_place(t);

    srt_tags_empty(t, from, at);
    if (t->status == SORTES_OK) {
        t->places[at].sub = sub;
        t->places[at].exit = to;
    }
    return to;
}

sortes_status srt_tags_grammar_with(struct srt_tags *t, uint32_t from,
                                    const struct srt_tags_text *text,
                                    const struct srt_options *options,
                                    uint32_t *to, sortes_error *err)
{
    uint32_t sub = 0;

    *to = 0;
    for (size_t i = 1; text->key && i < t->n_subs; i++)
        if (t->subs[i].key == text->key)
            sub = (uint32_t)i;
    if (!sub) {
        const sortes_status status = srt_tags_read(t, text, options, &sub, err);

        if (status != SORTES_OK)
            return status;
    }
    *to = srt_tags_run(t, from, sub);
    return SORTES_OK;
}

sortes_status srt_tags_grammar(struct srt_tags *t, uint32_t from,
                               const struct srt_tags_text *text, uint32_t *to,
                               sortes_error *err)
{
    return srt_tags_grammar_with(t, from, text, &t->program.options, to, err);
}

bool srt_tags_needs_vocab(const struct srt_program *program)
{
    const struct srt_tags *t = (const struct srt_tags *)program;

    for (size_t i = 1; i < t->n_subs; i++) {
        const struct srt_program *p = t->subs[i].program;

        if (p->language->needs_vocab && p->language->needs_vocab(p))
            return true;
    }
    return false;
}

struct tags_remarks {
    srt_remark *each;
    void *ctx;
    const char *where;
};

/* The place of a part goes before the place in it. */
static void tags_remark_part(void *ctx, const char *where, const char *text)
{
    const struct tags_remarks *r = ctx;
    char whole[256];
    size_t n = strlen(r->where);

    if (n >= sizeof(whole))
        n = sizeof(whole) - 1;
    memcpy(whole, r->where, n);
    if (where[0] == '#')
        where++;
    for (; *where && n + 1 < sizeof(whole); where++)
        whole[n++] = *where;
    whole[n] = '\0';
    r->each(r->ctx, whole, text);
}

void srt_tags_remark(const struct srt_program *program, srt_remark *each,
                     void *ctx)
{
    const struct srt_tags *t = (const struct srt_tags *)program;

    for (size_t i = 1; i < t->n_subs; i++) {
        struct tags_remarks r = { each, ctx, t->subs[i].where };
        const struct srt_program *p = t->subs[i].program;

        if (p->language->remark)
            p->language->remark(p, tags_remark_part, &r);
    }
}
