/*
 * grammar.c - the life of a grammar: text to program to machine
 *
 * The machine over all bytes is made at once, so that a grammar that no text
 * satisfies is refused where it is compiled.  A vocabulary that can emit every
 * byte by itself shares that machine; any other gets one of its own, in which
 * what it cannot write does not exist.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/grammar.h"

#include <stdlib.h>
#include <string.h>

static const struct srt_language *const grammar_languages[] = {
#define SRT_LANGUAGE(symbol) &symbol,
#include "constrain/languages.def"
#undef SRT_LANGUAGE
};

const struct srt_language *srt_language_find(const char *name)
{
    for (size_t i = 0; i < SRT_COUNT(grammar_languages); i++)
        if (strcmp(grammar_languages[i]->name, name) == 0)
            return grammar_languages[i];
    return NULL;
}

const char *sortes_grammar_kind(size_t index)
{
    return index < SRT_COUNT(grammar_languages) ? grammar_languages[index]->name
                                                : NULL;
}

/* ---- grammars ------------------------------------------------------------ */

static void grammar_destroy(struct srt_shared *shared)
{
    sortes_grammar *g = (sortes_grammar *)shared;

    srt_shared_clear(&g->caches);
    if (g->bytes)
        srt_shared_release(&g->bytes->shared);
    if (g->program)
        g->program->language->free(g->program);
    free(g);
}

static sortes_status grammar_no_kind(const char *kind, sortes_error *err)
{
    char list[160];
    size_t n = 0;

    for (size_t i = 0; i < SRT_COUNT(grammar_languages); i++) {
        const char *name = grammar_languages[i]->name;
        const size_t length = strlen(name);

        if (n + length + 3 > sizeof(list))
            break;
        memcpy(list + n, i ? ", " : "", i ? 2 : 0);
        n += i ? 2 : 0;
        memcpy(list + n, name, length);
        n += length;
    }
    list[n] = '\0';
    return srt_fail(err, SORTES_E_NAME, 0,
                    "grammar: there is no kind '%s' (allowed: %s)", kind, list);
}

static sortes_status grammar_compile(sortes_grammar *g,
                                     const struct srt_language *language,
                                     const char *text, size_t n,
                                     const struct srt_options *options,
                                     sortes_error *err)
{
    struct srt_alphabet whole;
    sortes_status status = language->parse(&g->program, text, n, options, err);

    if (status != SORTES_OK)
        return status;
    srt_alphabet_fill(&whole);
    return language->build(&g->bytes, g->program, &whole, NULL, err);
}

sortes_status sortes_grammar_new(sortes_grammar **out, const char *kind,
                                 const char *text, size_t n,
                                 const sortes_grammar_options *options,
                                 sortes_error *err)
{
    const struct srt_language *language;
    struct srt_options read;
    sortes_grammar *g;
    sortes_status status;

    if (out == NULL || kind == NULL || (text == NULL && n > 0))
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sortes_grammar_new: an argument is NULL");
    *out = NULL;
    language = srt_language_find(kind);
    if (language == NULL)
        return grammar_no_kind(kind, err);
    status = srt_options_read(&read, options, err);
    if (status != SORTES_OK)
        return status;
    g = calloc(1, sizeof(*g));
    if (g == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "grammar: no memory");
    srt_shared_init(&g->shared, grammar_destroy);
    atomic_flag_clear(&g->caches.lock);
    status = grammar_compile(g, language, text ? text : "", n, &read, err);
    if (status != SORTES_OK) {
        sortes_grammar_free(g);
        return status;
    }
    *out = g;
    return srt_ok(err);
}

sortes_grammar *sortes_grammar_retain(sortes_grammar *g)
{
    srt_shared_retain(&g->shared);
    return g;
}

void sortes_grammar_remarks(const sortes_grammar *g,
                            void (*each)(void *ctx, const char *where,
                                         const char *text),
                            void *ctx)
{
    const struct srt_language *l = g->program->language;

    if (l->remark)
        l->remark(g->program, each, ctx);
}

void sortes_grammar_free(sortes_grammar *g)
{
    if (g)
        srt_shared_release(&g->shared);
}

/* ---- one cache a vocab --------------------------------------------------- */

static bool grammar_is_cache_of(const struct srt_shared *shared,
                                const void *key)
{
    return (const void *)((const struct srt_cache *)shared)->vocab == key;
}

static bool grammar_needs(const sortes_grammar *g)
{
    const struct srt_language *l = g->program->language;

    return l->needs_vocab && l->needs_vocab(g->program);
}

/* The machine for a vocab; held for the caller. */
static sortes_status grammar_machine(struct srt_machine **out,
                                     sortes_grammar *g, sortes_vocab *v,
                                     sortes_error *err)
{
    const struct srt_tree *tree;
    struct srt_alphabet whole;
    sortes_status status;

    srt_alphabet_fill(&whole);
    if (v) {
        status = srt_tree_of(&tree, v, g->bytes->literal);
        if (status != SORTES_OK)
            return srt_fail(err, status, 0,
                            status == SORTES_E_LIMIT
                                ? "vocab: too large for a prefix tree"
                                : "vocab: no memory for its prefix tree");
        if (grammar_needs(g) || !srt_alphabet_equal(&tree->alphabet, &whole))
            return g->program->language->build(out, g->program, &tree->alphabet,
                                               v, err);
    }
    *out = g->bytes;
    srt_shared_retain(&g->bytes->shared);
    return SORTES_OK;
}

sortes_status srt_grammar_cache(struct srt_cache **out, sortes_grammar *g,
                                sortes_vocab *v, sortes_error *err)
{
    struct srt_cache *c =
        (struct srt_cache *)srt_shared_find(&g->caches, grammar_is_cache_of, v);
    struct srt_machine *machine;
    sortes_status status;

    *out = c;
    if (c)
        return SORTES_OK;
    status = grammar_machine(&machine, g, v, err);
    if (status != SORTES_OK)
        return status;
    status = srt_cache_new(&c, machine, v, g->program->options.max_cache_bytes);
    if (status != SORTES_OK)
        return srt_fail(err, status, 0, "grammar: no memory for its caches");
    *out = (struct srt_cache *)srt_shared_add(&g->caches, &c->shared,
                                              grammar_is_cache_of, v);
    return SORTES_OK;
}
