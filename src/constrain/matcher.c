/*
 * matcher.c - the life of a matcher: one sequence's position in a grammar
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/matcher.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---------------------------------------------------------------- */

sortes_status sortes_matcher_new(sortes_matcher **out, sortes_grammar *g,
                                 sortes_vocab *v, sortes_error *err)
{
    struct srt_cache *cache;
    sortes_matcher *m;
    sortes_status status;

    if (out == NULL || g == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sortes_matcher_new: an argument is NULL");
    *out = NULL;
    status = srt_grammar_cache(&cache, g, v, err);
    if (status != SORTES_OK)
        return status;
    m = calloc(1, sizeof(*m));
    if (m == NULL) {
        srt_shared_release(&cache->shared);
        return srt_fail(err, SORTES_E_NOMEM, 0, "matcher: no memory");
    }
    srt_cursor_init(&m->cursor, cache);
    srt_shared_release(&cache->shared);
    m->grammar = sortes_grammar_retain(g);
    m->memo = true;
    m->start.state = cache->machine->start;
    m->place = m->start;
    *out = m;
    return srt_ok(err);
}

void sortes_matcher_free(sortes_matcher *m)
{
    if (m == NULL)
        return;
    srt_trace_clear(&m->trace);
    if (m->prefix)
        srt_shared_release(&m->prefix->shared);
    if (m->close)
        srt_shared_release(&m->close->shared);
    if (m->triggers)
        srt_shared_release(&m->triggers->shared);
    srt_cursor_free(&m->cursor);
    sortes_grammar_free(m->grammar);
    free(m->states);
    free(m->words);
    free(m);
}

sortes_status sortes_matcher_clone(sortes_matcher **out,
                                   const sortes_matcher *from)
{
    sortes_matcher *m;

    if (out == NULL || from == NULL)
        return SORTES_E_ARGUMENT;
    *out = NULL;
    m = malloc(sizeof(*m));
    if (m == NULL)
        return SORTES_E_NOMEM;
    *m = *from;
    sortes_grammar_retain(m->grammar);
    srt_cursor_share(&m->cursor, &from->cursor);
    srt_trace_share(&m->trace, &from->trace);
    if (m->prefix)
        srt_shared_retain(&m->prefix->shared);
    if (m->close)
        srt_shared_retain(&m->close->shared);
    if (m->triggers)
        srt_shared_retain(&m->triggers->shared);
    m->states = NULL;
    m->n_states = 0;
    m->words = NULL;
    *out = m;
    return SORTES_OK;
}

void sortes_matcher_reset(sortes_matcher *m)
{
    srt_trace_clear(&m->trace);
    m->place = m->start;
}

/* ---- going on ------------------------------------------------------------ */

static bool matcher_is_end(const sortes_matcher *m, int32_t token)
{
    const uint32_t flags = sortes_vocab_flags(m->cursor.cache->vocab, token);

    return (flags & SORTES_TOKEN_EOG) != 0;
}

static bool matcher_accepts(const sortes_matcher *m,
                            const struct srt_place *place)
{
    const struct srt_machine *machine = m->cursor.cache->machine;

    if (place->finished || place->asleep || place->close || place->left)
        return place->finished;
    return machine->type->may_end
               ? machine->type->may_end(machine, place->trail, place->state)
               : machine->type->accepts(machine, place->state);
}

/* Room for a path of n bytes. */
static sortes_status matcher_room(sortes_matcher *m, size_t n)
{
    uint32_t *states;

    if (n < m->n_states)
        return SORTES_OK;
    n = n < 64 ? 64 : 2 * n;
    states = realloc(m->states, n * sizeof(*states));
    if (states == NULL)
        return SORTES_E_NOMEM;
    m->states = states;
    m->n_states = n;
    return SORTES_OK;
}

/*
 * The grammar's own bytes from place on.  place->trail, which is not the
 * caller's at first, is so on success.
 */
static sortes_status matcher_bytes(sortes_matcher *m, struct srt_place *place,
                                   const uint8_t *bytes, size_t n, bool dry,
                                   size_t *n_ok)
{
    const struct srt_machine *machine = m->cursor.cache->machine;
    sortes_status status = matcher_room(m, n);
    struct srt_trail *trail = NULL;

    *n_ok = 0;
    if (status != SORTES_OK)
        return status;
    m->states[0] = place->state;
    status = srt_cursor_path(&m->cursor, m->states, bytes, n, n_ok);
    if (status != SORTES_OK)
        return status;
    if (machine->type->follow) { /* it may refuse an earlier byte */
        const struct srt_path path = { bytes, m->states, *n_ok };

        status = machine->type->follow(machine, place->trail, &path,
                                       dry || *n_ok < n ? NULL : &trail, n_ok);
        if (status != SORTES_OK)
            return status;
    }
    if (*n_ok < n)
        return SORTES_E_NO_TOKEN;
    place->state = m->states[n];
    place->trail = trail;
    return SORTES_OK;
}

/* Tokens match by bytes unless they are special or hold a byte that the
 * vocabulary lacks; token -1: by bytes. */
static bool matcher_has_bytes(const sortes_matcher *m, int32_t token)
{
    return token < 0 || srt_tree_has(m->cursor.cache->tree, token);
}

/* The same of a token whose first bytes came before the text: those may be
 * any, and the machine sees to the rest. */
static bool matcher_has_rest(const sortes_matcher *m, int32_t token)
{
    const uint32_t never =
        SORTES_TOKEN_CONTROL | SORTES_TOKEN_UNUSED | SORTES_TOKEN_EOG;

    return token < 0 || m->cursor.cache->machine->literal ||
           (sortes_vocab_flags(m->cursor.cache->vocab, token) & never) == 0;
}

static sortes_status matcher_token(sortes_matcher *m,
                                   const struct srt_place *from, int32_t token,
                                   struct srt_place *next, sortes_status status)
{
    const struct srt_machine *machine = m->cursor.cache->machine;
    uint32_t state;

    if (status != SORTES_OK && status != SORTES_E_NO_TOKEN)
        return status;
    if (from->close || from->left || token < 0 || !machine->type->step_token)
        return status;
    status =
        srt_cursor_token(&m->cursor, from->state, token,
                         status == SORTES_OK ? next->state : SRT_DEAD, &state);
    if (status != SORTES_OK)
        return status;
    next->state = state;
    return state == SRT_DEAD ? SORTES_E_NO_TOKEN : SORTES_OK;
}

sortes_status srt_matcher_follow(sortes_matcher *m,
                                 const struct srt_place *from,
                                 const struct srt_word *word, bool dry,
                                 struct srt_place *next, size_t *n_ok)
{
    const struct srt_machine *machine = m->cursor.cache->machine;
    const bool spelled =
        matcher_has_bytes(m, word->token) && (word->n > 0 || word->token < 0);
    sortes_status status;
    size_t used = 0;

    *next = *from;
    next->trail = NULL;
    *n_ok = 0;
    if (from->asleep && !from->finished)
        return srt_trigger_follow(m, from, word, next, n_ok);
    if (from->finished || (from->left && !from->close && !spelled))
        return SORTES_E_NO_TOKEN;
    status = srt_matcher_before(m, next, word, &used);
    if (status == SORTES_OK && next->left == 0 && next->close == 0) {
        next->trail = from->trail;
        if (used < word->n || used == 0) { /* else: all before the text */
            status = (used ? matcher_has_rest(m, word->token) : spelled)
                         ? matcher_bytes(m, next, word->bytes + used,
                                         word->n - used, dry, n_ok)
                         : SORTES_E_NO_TOKEN;
            if (status != SORTES_OK) /* a token by itself changes no trail */
                next->trail = dry ? NULL : srt_trail_hold(from->trail);
        }
        if (status == SORTES_OK && word->token >= 0 &&
            machine->type->token_may_end &&
            !machine->type->token_may_end(machine, next->state))
            status = SORTES_E_NO_TOKEN;
        status = matcher_token(m, from, word->token, next, status);
        if (status != SORTES_OK)
            srt_trail_drop(next->trail);
    }
    *n_ok += used;
    return status;
}

/* A token and its bytes; bytes NULL: out of range. */
static struct srt_word matcher_word(const sortes_matcher *m, int32_t token)
{
    struct srt_word word = { .token = token };

    word.bytes = (const uint8_t *)sortes_vocab_piece(m->cursor.cache->vocab,
                                                     token, &word.n);
    return word;
}

static sortes_status matcher_end(const sortes_matcher *m,
                                 struct srt_place *next)
{
    if (!matcher_accepts(m, &m->place) && m->place.close == 0 &&
        !m->place.asleep)
        return SORTES_E_NO_TOKEN;
    *next = m->place;
    next->finished = true;
    srt_trail_hold(next->trail);
    return SORTES_OK;
}

static sortes_status matcher_go(sortes_matcher *m, int32_t token)
{
    struct srt_trace_entry entry = { .token = token, .text = NULL };
    const struct srt_word word = matcher_word(m, token);
    sortes_status status;
    size_t n_ok;

    if (word.bytes == NULL)
        return SORTES_E_ARGUMENT;
    if (matcher_is_end(m, token))
        status = matcher_end(m, &entry.place);
    else
        status =
            srt_matcher_follow(m, &m->place, &word, false, &entry.place, &n_ok);
    if (status == SORTES_OK)
        status = srt_trace_add(&m->trace, &entry);
    if (status == SORTES_OK)
        m->place = entry.place;
    return status;
}

sortes_status sortes_matcher_advance(sortes_matcher *m, const int32_t *tokens,
                                     size_t n, size_t *n_ok)
{
    sortes_status status = SORTES_OK;
    size_t done = 0;

    if (m == NULL || (tokens == NULL && n > 0) ||
        m->cursor.cache->vocab == NULL)
        return SORTES_E_ARGUMENT;
    srt_cursor_enter(&m->cursor);
    while (done < n && status == SORTES_OK) {
        status = matcher_go(m, tokens[done]);
        done += status == SORTES_OK;
    }
    srt_cursor_leave(&m->cursor);
    if (n_ok)
        *n_ok = done;
    if (status != SORTES_OK)
        (void)sortes_matcher_rollback(m, done);
    return status;
}

sortes_status sortes_matcher_advance_bytes(sortes_matcher *m, const char *bytes,
                                           size_t n, size_t *n_ok)
{
    struct srt_trace_entry entry = { .token = -1 };
    const struct srt_word word = { -1, (const uint8_t *)bytes, n };
    sortes_status status;
    size_t ok = 0;

    if (m == NULL || (bytes == NULL && n > 0))
        return SORTES_E_ARGUMENT;
    entry.text = srt_trace_bytes_new(bytes, n);
    if (entry.text == NULL)
        return SORTES_E_NOMEM;
    srt_cursor_enter(&m->cursor);
    status = srt_matcher_follow(m, &m->place, &word, false, &entry.place, &ok);
    srt_cursor_leave(&m->cursor);
    if (n_ok)
        *n_ok = ok;
    if (status != SORTES_OK) {
        srt_shared_release(&entry.text->shared);
        return status;
    }
    status = srt_trace_add(&m->trace, &entry);
    if (status == SORTES_OK)
        m->place = entry.place;
    return status;
}

sortes_status sortes_matcher_rollback(sortes_matcher *m, size_t n)
{
    if (m == NULL || n > m->trace.n)
        return SORTES_E_ARGUMENT;
    srt_trace_back(&m->trace, n);
    m->place = m->trace.n ? *srt_trace_last(&m->trace) : m->start;
    return SORTES_OK;
}

int sortes_matcher_is_accepting(const sortes_matcher *m)
{
    /* What ended while it was thinking is no text. */
    return m != NULL && m->place.close == 0 && matcher_accepts(m, &m->place);
}

int sortes_matcher_is_finished(const sortes_matcher *m)
{
    return m != NULL && m->place.finished;
}

int sortes_matcher_allows(sortes_matcher *m, int32_t token)
{
    struct srt_place next;
    struct srt_word word;
    sortes_status status;
    size_t n_ok;

    if (m == NULL || m->cursor.cache->vocab == NULL)
        return -SORTES_E_ARGUMENT;
    word = matcher_word(m, token);
    if (word.bytes == NULL)
        return -SORTES_E_ARGUMENT;
    if (matcher_is_end(m, token))
        return matcher_accepts(m, &m->place) || m->place.close != 0 ||
               m->place.asleep;
    if (m->place.asleep && m->cursor.cache->machine->literal)
        return 1;
    srt_cursor_enter(&m->cursor);
    status = srt_matcher_follow(m, &m->place, &word, true, &next, &n_ok);
    srt_cursor_leave(&m->cursor);
    if (m->place.asleep && status == SORTES_OK)
        srt_trail_drop(next.trail);
    if (status != SORTES_OK && status != SORTES_E_NO_TOKEN)
        return -(int)status;
    return status == SORTES_OK;
}

/* ---- masks --------------------------------------------------------------- */

static sortes_status matcher_mask_text(sortes_matcher *m, uint32_t *words)
{
    struct srt_cache *c = m->cursor.cache;
    const struct srt_machine_type *type = c->machine->type;
    sortes_status status;

    if (m->place.finished) {
        memset(words, 0, c->tree->n_words * sizeof(*words));
        for (size_t i = 0; i < c->tree->n_ends; i++)
            srt_bit_set(words, c->tree->ends[i]);
        return SORTES_OK;
    }
    if (m->place.asleep)
        return srt_trigger_mask(m, words);
    if (m->place.close || m->place.left)
        return srt_matcher_mask_before(m, words);
    status = srt_mask_at(&m->cursor, m->place.state, m->memo, words);
    if (status == SORTES_OK && type->forbid)
        status = type->forbid(c->machine, m->place.trail, m->place.state,
                              &m->cursor, words);
    return status;
}

static sortes_status matcher_mask(sortes_matcher *m, uint32_t *words)
{
    sortes_status status;

    srt_cursor_enter(&m->cursor);
    status = matcher_mask_text(m, words);
    srt_cursor_leave(&m->cursor);
    return status;
}

sortes_status sortes_matcher_mask(sortes_matcher *m, uint32_t *words,
                                  size_t n_words)
{
    sortes_status status;
    size_t n;

    if (m == NULL || words == NULL || m->cursor.cache->vocab == NULL)
        return SORTES_E_ARGUMENT;
    n = m->cursor.cache->tree->n_words;
    if (n_words < n)
        return SORTES_E_ARGUMENT;
    status = matcher_mask(m, words);
    if (status == SORTES_OK && n_words > n)
        memset(words + n, 0, (n_words - n) * sizeof(*words));
    return status;
}

sortes_status sortes_matcher_allowed(sortes_matcher *m, int32_t *tokens,
                                     size_t room, size_t *n)
{
    sortes_status status;
    size_t found = 0, n_words;

    if (m == NULL || n == NULL || (tokens == NULL && room > 0) ||
        m->cursor.cache->vocab == NULL)
        return SORTES_E_ARGUMENT;
    n_words = m->cursor.cache->tree->n_words;
    if (m->words == NULL) {
        m->words = malloc(n_words * sizeof(*m->words));
        if (m->words == NULL)
            return SORTES_E_NOMEM;
    }
    status = matcher_mask(m, m->words);
    if (status != SORTES_OK)
        return status;
    *n = 0;
    for (size_t i = 0; i < n_words; i++)
        *n += srt_popcount64(m->words[i]);
    for (size_t i = 0; i < n_words && *n <= room; i++)
        for (uint32_t left = m->words[i]; left; left &= left - 1)
            tokens[found++] = (int32_t)(32 * i + srt_ctz64(left));
    return SORTES_OK;
}

struct matcher_batch {
    sortes_matcher *const *m;
    uint32_t *const *words;
    size_t n_words;
    sortes_status *statuses;
};

static void matcher_batch_one(void *job, size_t i)
{
    const struct matcher_batch *b = job;

    b->statuses[i] = sortes_matcher_mask(b->m[i], b->words[i], b->n_words);
}

sortes_status sortes_matcher_mask_batch(sortes_matcher *const *m,
                                        uint32_t *const *words, size_t n_words,
                                        sortes_status *statuses, size_t n,
                                        sortes_parallel_for *run, void *ctx)
{
    struct matcher_batch b = { m, words, n_words, statuses };
    sortes_status first = SORTES_OK;

    if (n == 0)
        return SORTES_OK;
    if (m == NULL || words == NULL || statuses == NULL)
        return SORTES_E_ARGUMENT;
    if (run)
        run(ctx, n, matcher_batch_one, &b);
    else
        for (size_t i = 0; i < n; i++)
            matcher_batch_one(&b, i);
    for (size_t i = n; i-- > 0;)
        if (statuses[i] != SORTES_OK)
            first = statuses[i];
    return first;
}

/* ---- tests and tuning ---------------------------------------------------- */

void sortes_matcher_stats(const sortes_matcher *m, sortes_grammar_stats *stats)
{
    struct srt_machine *machine = m->cursor.cache->machine;

    memset(stats, 0, sizeof(*stats));
    srt_cursor_stats(&m->cursor, stats);
    srt_lock_take(&machine->lock);
    machine->type->stats(machine, &stats->n_states, &stats->state_bytes);
    srt_lock_release(&machine->lock);
}

void sortes_matcher_flush(sortes_matcher *m)
{
    srt_cursor_flush(&m->cursor);
}

void sortes_matcher_use_memo(sortes_matcher *m, int on)
{
    m->memo = on != 0;
}
