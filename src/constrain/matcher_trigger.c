/*
 * matcher_trigger.c - a grammar that sleeps until a trigger comes
 *
 * Source: llama.cpp, llama_grammar_accept_impl (src/llama-grammar.cpp): tokens
 * are kept as they come; once a pattern is found in their text, those that
 * overlap what it matched are given to the grammar, the first one cut.  While
 * it sleeps a literal grammar lets every token through, as llama.cpp's does; an
 * exact one refuses the tokens that would wake it and go on wrongly.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/matcher.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ------------------------------------------------------------- */

/* The last words before a place, which a trigger may have begun in. */
struct trigger_tail {
    const sortes_vocab *vocab;
    size_t wanted, n_bytes; /* of text */
    struct srt_word *words; /* the last one first */
    size_t n, room;
    sortes_status status;
};

static bool trigger_take(void *ctx, const struct srt_trace_entry *e)
{
    struct trigger_tail *t = ctx;
    struct srt_word *word;

    if (t->n_bytes >= t->wanted)
        return false;
    if (t->n == t->room) {
        const size_t room = t->room ? 2 * t->room : 16;
        struct srt_word *grown = realloc(t->words, room * sizeof(*grown));

        if (!grown) {
            t->status = SORTES_E_NOMEM;
            return false;
        }
        t->words = grown;
        t->room = room;
    }
    word = &t->words[t->n++];
    word->token = e->token;
    if (e->text) {
        word->bytes = (const uint8_t *)e->text->bytes;
        word->n = e->text->n;
    } else {
        word->bytes =
            (const uint8_t *)sortes_vocab_piece(t->vocab, e->token, &word->n);
    }
    t->n_bytes += word->n;
    return true;
}

/* The tail's text, and then the new word's; NULL: no memory. */
static uint8_t *trigger_text(const struct trigger_tail *t,
                             const struct srt_word *word)
{
    uint8_t *text = malloc(t->n_bytes + word->n + 1);
    size_t n = 0;

    for (size_t i = t->n; text && i-- > 0; n += t->words[i].n)
        if (t->words[i].n)
            memcpy(text + n, t->words[i].bytes, t->words[i].n);
    if (text && word->n)
        memcpy(text + n, word->bytes, word->n);
    return text;
}

/* Where a trigger begins in text[0 .. n-1], given that it ends behind `old`;
 * SIZE_MAX: there is none. */
static size_t trigger_find(const struct srt_triggers *triggers,
                           const uint8_t *text, size_t old, size_t n)
{
    for (size_t i = 0; i < triggers->n_words; i++) {
        const struct srt_trigger_word *w = &triggers->words[i];

        for (size_t at = old + 1 > w->n ? old + 1 - w->n : 0; at + w->n <= n;
             at++)
            if (memcmp(text + at, w->bytes, w->n) == 0)
                return at + w->start;
    }
    return SIZE_MAX;
}

static bool trigger_is_token(const struct srt_triggers *t, int32_t token)
{
    for (size_t i = 0; i < t->n_tokens; i++)
        if (t->tokens[i] == token)
            return true;
    return false;
}

/* ---- waking -------------------------------------------------------------- */

/* Goes on from *place, whose trail is let go. */
static sortes_status trigger_step(sortes_matcher *m, struct srt_place *place,
                                  const struct srt_word *word)
{
    struct srt_place next;
    size_t n_ok;
    const sortes_status status =
        srt_matcher_follow(m, place, word, false, &next, &n_ok);

    srt_trail_drop(place->trail);
    place->trail = NULL;
    if (status == SORTES_OK)
        *place = next;
    return status;
}

/* Gives the grammar the words from text[start] on. */
static sortes_status trigger_replay(sortes_matcher *m,
                                    const struct trigger_tail *tail,
                                    const struct srt_word *last, size_t start,
                                    struct srt_place *place)
{
    sortes_status status = SORTES_OK;
    size_t at = 0; /* where a word begins */

    for (size_t i = tail->n + 1; i-- > 0 && status == SORTES_OK;) {
        struct srt_word word = i ? tail->words[i - 1] : *last;
        const size_t end = at + word.n;

        if (end > start && at < start) { /* cut: no token any more */
            word.bytes += start - at;
            word.n = end - start;
            word.token = -1;
        }
        if (end > start)
            status = trigger_step(m, place, &word);
        at = end;
    }
    return status;
}

static sortes_status trigger_look(sortes_matcher *m,
                                  const struct srt_word *word,
                                  struct srt_place *next)
{
    struct trigger_tail tail = { .vocab = m->cursor.cache->vocab,
                                 .wanted = m->triggers->longest - 1 };
    uint8_t *text;
    size_t start;

    srt_trace_back_each(&m->trace, trigger_take, &tail);
    text = tail.status == SORTES_OK ? trigger_text(&tail, word) : NULL;
    if (!text) {
        free(tail.words);
        return SORTES_E_NOMEM;
    }
    start =
        trigger_find(m->triggers, text, tail.n_bytes, tail.n_bytes + word->n);
    free(text);
    if (start != SIZE_MAX) {
        next->asleep = false;
        tail.status = trigger_replay(m, &tail, word, start, next);
    }
    free(tail.words);
    return tail.status;
}

sortes_status srt_trigger_follow(sortes_matcher *m,
                                 const struct srt_place *from,
                                 const struct srt_word *word,
                                 struct srt_place *next, size_t *n_ok)
{
    sortes_status status = SORTES_OK;

    assert(from->trail == NULL);
    *next = *from;
    *n_ok = 0;
    if (word->token >= 0 && trigger_is_token(m->triggers, word->token)) {
        next->asleep = false;
        status = trigger_step(m, next, word);
    } else if (m->triggers->n_words) {
        status = trigger_look(m, word, next);
    }
    if (status == SORTES_OK)
        *n_ok = word->n;
    return status;
}

/* ---- masks --------------------------------------------------------------- */

sortes_status srt_trigger_mask(sortes_matcher *m, uint32_t *words)
{
    const struct srt_triggers *t = m->triggers;
    sortes_status status;

    if (m->cursor.cache->machine->literal)
        return srt_matcher_mask_but(m, NULL, 0, words);
    status = srt_matcher_mask_but(m, t->crossing, t->n_crossing, words);
    for (size_t i = 0; i < t->n_tokens && status == SORTES_OK; i++)
        if (sortes_matcher_allows(m, t->tokens[i]) == 0)
            srt_bit_clear(words, t->tokens[i]);
    return status;
}

bool srt_trigger_wants_mask(sortes_matcher *m)
{
    const struct srt_triggers *t = m->triggers;

    if (m->cursor.cache->machine->literal || !m->cursor.cache->vocab)
        return false;
    for (size_t i = 0; i < t->n_tokens; i++)
        if (sortes_matcher_allows(m, t->tokens[i]) != 1)
            return true;
    for (size_t i = 0; i < t->n_crossing; i++)
        if (sortes_matcher_allows(m, t->crossing[i]) != 1)
            return true;
    return false;
}

/* ---- setting out --------------------------------------------------------- */

static void triggers_destroy(struct srt_shared *shared)
{
    struct srt_triggers *t = (struct srt_triggers *)shared;

    for (size_t i = 0; i < t->n_words; i++)
        free(t->words[i].bytes);
    free(t->words);
    free(t->tokens);
    free(t->crossing);
    free(t);
}

/* A byte of a pattern that stands for itself; -1: it does not. */
static int trigger_plain(const char *text, size_t n, size_t *at)
{
    char c = text[(*at)++];

    if (!strchr("^$.*+?()[]{}|\\", c) || c == '\0')
        return (unsigned char)c;
    if (c != '\\' || *at == n)
        return -1;
    c = text[(*at)++];
    if (c > ' ' && c < 0x7f && c != '_' && !(c >= '0' && c <= '9') &&
        !((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
        return (unsigned char)c;
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : -1;
}

/* A word, or a regex that is one. */
static sortes_status trigger_word(struct srt_trigger_word *w,
                                  const sortes_trigger *from, bool pattern)
{
    size_t open = SIZE_MAX, close = SIZE_MAX;

    w->n = w->start = 0;
    w->bytes = malloc(from->n_bytes + 1);
    if (!w->bytes)
        return SORTES_E_NOMEM;
    for (size_t at = 0; at < from->n_bytes;) {
        const char c = from->text[at];
        int byte = (unsigned char)c;

        if (pattern && c == '(' && open == SIZE_MAX) {
            open = w->n;
            at++;
            continue;
        }
        if (pattern && c == ')' && open != SIZE_MAX && close == SIZE_MAX) {
            close = w->n;
            at++;
            continue;
        }
        if (pattern)
            byte = trigger_plain(from->text, from->n_bytes, &at);
        else
            at++;
        if (byte < 0)
            return SORTES_E_NAME;
        w->bytes[w->n++] = (uint8_t)byte;
    }
    if ((open == SIZE_MAX) != (close == SIZE_MAX))
        return SORTES_E_NAME;
    if (open < close)
        w->start = open;
    return w->n ? SORTES_OK : SORTES_E_RANGE;
}

static sortes_status trigger_add(struct srt_triggers *t,
                                 const sortes_trigger *from,
                                 const sortes_vocab *v, sortes_error *err)
{
    const bool pattern = from->kind && strcmp(from->kind, "pattern") == 0;
    struct srt_trigger_word *w = &t->words[t->n_words];
    sortes_status status;

    if (from->kind && strcmp(from->kind, "token") == 0) {
        if (!v || from->token < 0 || (size_t)from->token >= v->n_tokens)
            return srt_fail(err, SORTES_E_RANGE, 0,
                            "trigger: token %d is not in the vocabulary",
                            from->token);
        t->tokens[t->n_tokens++] = from->token;
        return SORTES_OK;
    }
    if (!from->kind || (!pattern && strcmp(from->kind, "word") != 0))
        return srt_fail(err, SORTES_E_NAME, 0,
                        "trigger: the kind is not token, word or pattern");
    if (!from->text)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "trigger: it has no text");
    status = trigger_word(w, from, pattern);
    if (w->bytes)
        t->n_words++;
    if (status == SORTES_E_NAME)
        return srt_fail(err, status, 0,
                        "trigger: the pattern is not a word with at most one "
                        "group in it");
    if (status != SORTES_OK)
        return srt_fail(err, status, 0,
                        status == SORTES_E_RANGE ? "trigger: it is empty"
                                                 : "trigger: no memory");
    if (t->longest < w->n)
        t->longest = w->n;
    return SORTES_OK;
}

/* Whether a word, begun before or in a token, may end in it. */
static bool trigger_crosses(const struct srt_trigger_word *w,
                            const uint8_t *bytes, size_t n)
{
    for (size_t end = 1; end <= n; end++) {
        const size_t back = end < w->n ? end : w->n;

        if (memcmp(bytes + end - back, w->bytes + w->n - back, back) == 0)
            return true;
    }
    return false;
}

static sortes_status trigger_cross(struct srt_triggers *t,
                                   const sortes_vocab *v)
{
    size_t room = 0;

    for (size_t i = 0; v && i < v->n_tokens; i++) {
        size_t n, w = 0;
        const uint8_t *bytes =
            (const uint8_t *)sortes_vocab_piece(v, (int32_t)i, &n);

        while (w < t->n_words && !trigger_crosses(&t->words[w], bytes, n))
            w++;
        if (w == t->n_words)
            continue;
        if (t->n_crossing == room) {
            int32_t *grown;

            room = room ? 2 * room : 64;
            grown = realloc(t->crossing, room * sizeof(*grown));
            if (!grown)
                return SORTES_E_NOMEM;
            t->crossing = grown;
        }
        t->crossing[t->n_crossing++] = (int32_t)i;
    }
    return SORTES_OK;
}

static sortes_status triggers_new(struct srt_triggers **out,
                                  const sortes_trigger *from, size_t n,
                                  const sortes_vocab *v, sortes_error *err)
{
    struct srt_triggers *t = calloc(1, sizeof(*t));
    sortes_status status = SORTES_OK;

    if (!t)
        return srt_fail(err, SORTES_E_NOMEM, 0, "trigger: no memory");
    srt_shared_init(&t->shared, triggers_destroy);
    t->words = calloc(n, sizeof(*t->words));
    t->tokens = calloc(n, sizeof(*t->tokens));
    if (!t->words || !t->tokens)
        status = srt_fail(err, SORTES_E_NOMEM, 0, "trigger: no memory");
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = trigger_add(t, &from[i], v, err);
    if (status == SORTES_OK && trigger_cross(t, v) != SORTES_OK)
        status = srt_fail(err, SORTES_E_NOMEM, 0, "trigger: no memory");
    if (status == SORTES_OK)
        *out = t;
    else
        srt_shared_release(&t->shared);
    return status;
}

sortes_status sortes_matcher_trigger(sortes_matcher *m,
                                     const sortes_trigger *triggers, size_t n,
                                     sortes_error *err)
{
    sortes_status status;

    if (m == NULL || triggers == NULL || n == 0 || m->trace.n > 0 ||
        m->prefix || m->close || m->triggers)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sortes_matcher_trigger: nothing to wait for, or the "
                        "matcher has set out already");
    status =
        triggers_new(&m->triggers, triggers, n, m->cursor.cache->vocab, err);
    if (status != SORTES_OK)
        return status;
    m->start.asleep = true;
    m->place = m->start;
    return srt_ok(err);
}
