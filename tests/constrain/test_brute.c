/*
 * test_brute.c - every kind of grammar, by brute force over small vocabularies
 *
 * At the states that random walks pass: the mask is what single bytes say, no
 * token leads into a dead end, and nothing that is only a convenience or a
 * cache (clones, rollback, memo, flush, other cuts into tokens, saving, lists,
 * batches, forced bytes) changes an answer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/brute.h"
#include "support/completion.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct brute_grammar grammars[] = {
#define BRUTE_GRAMMAR(kind, text, profile) { kind, text, profile },
#include "constrain/brute.def"
#undef BRUTE_GRAMMAR
};

enum { N_GRAMMARS = sizeof(grammars) / sizeof(*grammars) };

/* One test over every grammar and vocabulary that go together. */
static void each(void (*check)(struct brute *b))
{
    static struct brute b;
    unsigned n = 0;

    for (size_t g = 0; g < N_GRAMMARS; g++)
        for (int v = 0; v < VOCABS_N; v++) {
            if (!brute_open(&b, &grammars[g], (enum vocabs_kind)v))
                continue;
            b.random.state = 1000 * g + (unsigned)v + 1;
            check(&b);
            brute_close(&b);
            n++;
        }
    assert_true(n >= N_GRAMMARS); /* each with one vocabulary at least */
}

/* Walks at random, up to n_steps tokens, and calls look at every state. */
static void walk(struct brute *b, size_t n_steps,
                 void (*look)(struct brute *b, const uint32_t *words))
{
    uint32_t words[BRUTE_WORDS];

    brute_restart(b);
    for (size_t i = 0; i < n_steps; i++) {
        assert_int_equal(sortes_matcher_mask(b->m, words, BRUTE_WORDS),
                         SORTES_OK);
        look(b, words);
        const int32_t token = brute_pick(b, words);
        if (token < 0)
            return;
        brute_take(b, token);
    }
}

static void walks(struct brute *b,
                  void (*look)(struct brute *b, const uint32_t *words))
{
    for (size_t n = 6; n < 100; n *= 2)
        walk(b, n, look);
}

/* ---- masks, and that they leave a way out -------------------------------- */

static void look_at_mask(struct brute *b, const uint32_t *words)
{
    uint32_t again[BRUTE_WORDS];

    brute_check_mask(b, b->m, again);
    assert_memory_equal(words, again, sizeof(again));
}

static void check_masks(struct brute *b)
{
    walks(b, look_at_mask);
}

static void mask_is_what_single_bytes_say(void **state)
{
    (void)state;
    each(check_masks);
}

/* The end tokens are allowed exactly at the end, and alone where nothing can
 * follow. */
static void finish(struct brute *b)
{
    static char rest[COMPLETION_ROOM];
    uint32_t words[BRUTE_WORDS];
    const long n = completion_find(b->m, b->has_byte, rest);

    if (n < 0)
        brute_fail(b, "a dead end", -1);
    for (long i = 0; i < n; i++) {
        const int32_t token = b->byte[(unsigned char)rest[i]];

        assert_int_equal(sortes_matcher_mask(b->m, words, BRUTE_WORDS),
                         SORTES_OK);
        if (!brute_has(words, token))
            brute_fail(b, "a completion is masked", token);
        brute_take(b, token);
    }
    assert_int_equal(sortes_matcher_mask(b->m, words, BRUTE_WORDS), SORTES_OK);
    assert_int_equal(sortes_matcher_is_accepting(b->m), 1);
    assert_int_equal(sortes_matcher_is_finished(b->m), 0);
    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_is_end(b, (int32_t)i)) {
            if (!brute_has(words, (int32_t)i))
                brute_fail(b, "no end where the text is whole", (int32_t)i);
            assert_int_equal(sortes_matcher_advance(
                                 b->m, (int32_t[]){ (int32_t)i }, 1, NULL),
                             SORTES_OK);
            assert_int_equal(sortes_matcher_is_finished(b->m), 1);
            assert_int_equal(sortes_matcher_rollback(b->m, 1), SORTES_OK);
            assert_int_equal(sortes_matcher_is_finished(b->m), 0);
        }
}

static void check_ends(struct brute *b)
{
    uint32_t words[BRUTE_WORDS];

    for (int round = 0; round < 20; round++) {
        const size_t n_steps = rows_below(&b->random, 40);

        brute_restart(b);
        for (size_t i = 0; i < n_steps; i++) {
            assert_int_equal(sortes_matcher_mask(b->m, words, BRUTE_WORDS),
                             SORTES_OK);
            const int32_t token = brute_pick(b, words);
            if (token < 0) /* then the text is whole, and only an end is left */
                break;
            brute_take(b, token);
        }
        finish(b);
    }
}

static void walks_always_end(void **state)
{
    (void)state;
    each(check_ends);
}

/* ---- what must change nothing -------------------------------------------- */

static void same_masks(struct brute *b, sortes_matcher *m,
                       const uint32_t *words, const char *what)
{
    uint32_t other[BRUTE_WORDS];

    assert_int_equal(sortes_matcher_mask(m, other, BRUTE_WORDS), SORTES_OK);
    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_has(words, (int32_t)i) != brute_has(other, (int32_t)i))
            brute_fail(b, what, (int32_t)i);
    assert_int_equal(sortes_matcher_is_accepting(m),
                     sortes_matcher_is_accepting(b->m));
}

static void look_at_answers(struct brute *b, const uint32_t *words)
{
    int32_t list[32 * BRUTE_WORDS];
    size_t n = 0, k = 0;

    for (size_t i = 0; i < b->n_tokens; i++)
        if (sortes_matcher_allows(b->m, (int32_t)i) !=
            (int)brute_has(words, (int32_t)i))
            brute_fail(b, "mask and allows differ", (int32_t)i);
    assert_true(sortes_matcher_allows(b->m, -1) <= 0);
    assert_true(sortes_matcher_allows(b->m, (int32_t)b->n_tokens) <= 0);
    assert_int_equal(sortes_matcher_allowed(b->m, list, 32 * BRUTE_WORDS, &n),
                     SORTES_OK);
    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_has(words, (int32_t)i))
            assert_int_equal(k < n ? list[k++] : -1, i);
    assert_int_equal(k, n);
    if (n > 1) { /* too little room: the number alone */
        list[0] = -7;
        assert_int_equal(sortes_matcher_allowed(b->m, list, n - 1, &k),
                         SORTES_OK);
        assert_int_equal(k, n);
        assert_int_equal(list[0], -7);
    }
}

static void check_answers(struct brute *b)
{
    walks(b, look_at_answers);
}

static void lists_and_single_answers_are_the_mask(void **state)
{
    (void)state;
    each(check_answers);
}

/* A refused token, and a run of tokens with a refused one in it, move nothing.
 */
static void look_at_refusals(struct brute *b, const uint32_t *words)
{
    const int32_t token = brute_pick(b, words);
    int32_t refused = -1;
    size_t n_ok = 99;

    for (size_t i = 0; i < b->n_tokens; i++)
        if (!brute_has(words, (int32_t)i))
            refused = (int32_t)i;
    if (refused >= 0) {
        assert_int_equal(sortes_matcher_advance(b->m, &refused, 1, &n_ok),
                         SORTES_E_NO_TOKEN);
        assert_int_equal(n_ok, 0);
        same_masks(b, b->m, words, "a refused token moved the matcher");
    }
    if (token >= 0) {
        const int32_t run[] = { token, (int32_t)b->n_tokens - 4 }; /* "" */

        assert_int_equal(sortes_matcher_advance(b->m, run, 2, &n_ok),
                         SORTES_E_NO_TOKEN);
        assert_int_equal(n_ok, 1);
        same_masks(b, b->m, words, "half a run moved the matcher");
        assert_int_equal(
            sortes_matcher_advance(b->m, (int32_t[]){ token, -1 }, 2, NULL),
            SORTES_E_ARGUMENT);
        same_masks(b, b->m, words, "an id out of range moved the matcher");
    }
}

static void check_refusals(struct brute *b)
{
    walks(b, look_at_refusals);
}

static void refused_tokens_move_nothing(void **state)
{
    (void)state;
    each(check_refusals);
}

static void look_at_clone(struct brute *b, const uint32_t *words)
{
    sortes_matcher *clone;
    uint32_t other[BRUTE_WORDS];
    size_t n = 0;

    assert_int_equal(sortes_matcher_clone(&clone, b->m), SORTES_OK);
    same_masks(b, clone, words, "a clone's mask");
    for (; n < 5; n++) { /* the clone goes its own way, and back */
        assert_int_equal(sortes_matcher_mask(clone, other, BRUTE_WORDS),
                         SORTES_OK);
        const int32_t token = brute_pick(b, other);
        if (token < 0)
            break;
        assert_int_equal(sortes_matcher_advance(clone, &token, 1, NULL),
                         SORTES_OK);
    }
    same_masks(b, b->m, words, "a clone moved its original");
    assert_int_equal(sortes_matcher_rollback(clone, n), SORTES_OK);
    same_masks(b, clone, words, "a clone rolled back");
    assert_int_equal(sortes_matcher_rollback(clone, b->n), SORTES_OK);
    assert_int_equal(sortes_matcher_rollback(clone, 1), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_advance(clone, b->tokens, b->n, NULL),
                     SORTES_OK);
    same_masks(b, clone, words, "rolled back to the start and led again");
    sortes_matcher_free(clone);
}

static void check_clones(struct brute *b)
{
    walks(b, look_at_clone);
}

static void clones_and_rollback_lead_where_they_were(void **state)
{
    (void)state;
    each(check_clones);
}

static void look_without_memo(struct brute *b, const uint32_t *words)
{
    sortes_matcher_use_memo(b->m, 0);
    same_masks(b, b->m, words, "without memo");
    sortes_matcher_use_memo(b->m, 1);
    same_masks(b, b->m, words, "with memo again");
    sortes_matcher_flush(b->m);
    same_masks(b, b->m, words, "after a flush");
    if (b->n % 2)
        sortes_matcher_flush(b->m); /* and the walk goes on from there */
}

static void check_caches(struct brute *b)
{
    walks(b, look_without_memo);
}

static void caches_change_nothing(void **state)
{
    (void)state;
    each(check_caches);
}

/* Any tokens that the text can be cut into, at random. */
static void lead_by_another_cut(struct brute *b, sortes_matcher *m)
{
    int32_t fits[32 * BRUTE_WORDS];
    size_t length;

    for (size_t at = 0; at < b->n_text; at += length) {
        size_t n = 0;

        for (size_t i = 0; i < b->n_tokens; i++) {
            const char *piece =
                sortes_vocab_piece(b->vocab, (int32_t)i, &length);
            if (length > 0 && length <= b->n_text - at &&
                memcmp(piece, b->text + at, length) == 0 &&
                !brute_is_special(b, (int32_t)i))
                fits[n++] = (int32_t)i;
        }
        assert_true(n > 0);
        const int32_t token = fits[rows_below(&b->random, n)];
        if (sortes_matcher_advance(m, &token, 1, NULL) != SORTES_OK)
            brute_fail(b, "another cut is refused", token);
        (void)sortes_vocab_piece(b->vocab, token, &length);
    }
}

static void look_at_cuts(struct brute *b, const uint32_t *words)
{
    sortes_matcher *m = brute_fresh(b);
    size_t n_ok = 0;

    lead_by_another_cut(b, m);
    same_masks(b, m, words, "another cut");
    sortes_matcher_reset(m);
    if (b->n_text > 0)
        assert_int_equal(
            sortes_matcher_advance_bytes(m, b->text, b->n_text, &n_ok),
            SORTES_OK);
    assert_int_equal(n_ok, b->n_text);
    same_masks(b, m, words, "as bytes");
    sortes_matcher_free(m);
}

static void check_cuts(struct brute *b)
{
    walks(b, look_at_cuts);
}

static void any_cut_leads_to_the_same_place(void **state)
{
    (void)state;
    each(check_cuts);
}

static void look_at_saved(struct brute *b, const uint32_t *words)
{
    char data[4 * BRUTE_TEXT];
    sortes_matcher *m = brute_fresh(b);
    sortes_error err;
    size_t n = 0, needed = 0;

    assert_int_equal(sortes_matcher_save(b->m, NULL, 0, &needed), SORTES_OK);
    assert_in_range(needed, 1, sizeof(data));
    assert_int_equal(sortes_matcher_save(b->m, data, sizeof(data), &n),
                     SORTES_OK);
    assert_int_equal(n, needed);
    if (sortes_matcher_load(m, data, n, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    same_masks(b, m, words, "saved and loaded");
    assert_int_equal(sortes_matcher_rollback(m, b->n), SORTES_OK);
    assert_int_equal(sortes_matcher_load(m, data, n, &err), SORTES_OK);
    for (size_t i = 0; i < n; i++) /* cut short anywhere: refused */
        if (sortes_matcher_load(m, data, i, &err) == SORTES_OK)
            fail_msg("%zu of %zu bytes are enough", i, n);
    same_masks(b, m, words, "after a load that failed");
    sortes_matcher_free(m);
}

static void check_saving(struct brute *b)
{
    walks(b, look_at_saved);
}

static void what_was_saved_goes_on(void **state)
{
    (void)state;
    each(check_saving);
}

/* ---- forced bytes -------------------------------------------------------- */

/* The bytes of the vocabulary that may come next, end included. */
static size_t ways_on(struct brute *b, sortes_matcher *m, unsigned char *last)
{
    size_t n = sortes_matcher_is_accepting(m) ? 1 : 0;

    for (int byte = 0; byte < 256; byte++) {
        const char c = (char)byte;

        if (b->has_byte[byte] && brute_may_come(b, m, &c, 1)) {
            *last = (unsigned char)byte;
            n++;
        }
    }
    return n;
}

static void look_at_forced(struct brute *b, const uint32_t *words)
{
    char forced[BRUTE_TEXT];
    unsigned char only = 0;
    sortes_matcher *m;
    size_t n = 0;

    assert_int_equal(sortes_matcher_forced(b->m, forced, sizeof(forced), &n),
                     SORTES_OK);
    same_masks(b, b->m, words, "asking for forced bytes");
    assert_int_equal(sortes_matcher_clone(&m, b->slow), SORTES_OK);
    for (size_t i = 0; i <= n; i++) {
        const size_t ways = ways_on(b, m, &only);

        if (i < n && (ways != 1 || only != (unsigned char)forced[i]))
            brute_fail(b, "forced, but there are other ways", (int32_t)i);
        if (i == n && ways == 1 && !sortes_matcher_is_accepting(m))
            brute_fail(b, "one way on, but not forced", (int32_t)i);
        if (i < n)
            assert_int_equal(
                sortes_matcher_advance_bytes(m, forced + i, 1, NULL),
                SORTES_OK);
    }
    sortes_matcher_free(m);
}

static void check_forced(struct brute *b)
{
    walks(b, look_at_forced);
}

static void forced_bytes_are_the_only_way_on(void **state)
{
    (void)state;
    each(check_forced);
}

/* ---- before the text ----------------------------------------------------- */

/* What was saved behind a prefix or a tag is taken up by a matcher that begins
 * with the same. */
static void check_saved_start(struct brute *b, const sortes_matcher *from,
                              const char *prefix, const char *tag)
{
    uint32_t words[BRUTE_WORDS];
    char data[256];
    sortes_matcher *m = brute_fresh(b);
    size_t n = 0;

    assert_int_equal(sortes_matcher_save(from, data, sizeof(data), &n),
                     SORTES_OK);
    assert_in_range(n, 1, sizeof(data));
    if (prefix)
        assert_int_equal(sortes_matcher_heal(m, prefix, strlen(prefix)),
                         SORTES_OK);
    if (tag)
        assert_int_equal(sortes_matcher_think(m, tag, strlen(tag)), SORTES_OK);
    assert_int_equal(sortes_matcher_load(m, data, n, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_mask(b->m, words, BRUTE_WORDS), SORTES_OK);
    same_masks(b, m, words, "saved behind what comes before the text");
    sortes_matcher_free(m);
}

/* Whether a token may come where `left` must be spelled before the text. */
static bool heals(struct brute *b, const char *left, size_t n_left,
                  int32_t token)
{
    size_t n;
    const char *piece = sortes_vocab_piece(b->vocab, token, &n);
    const size_t both = n < n_left ? n : n_left;

    if (n == 0 || brute_is_special(b, token) || memcmp(piece, left, both) != 0)
        return false;
    return brute_may_come(b, b->slow, piece + both, n - both);
}

static void check_healing(struct brute *b)
{
    static const char *const prefixes[] = {
        "a", "ab", "\"", "1", "\\u00", ":"
    };
    uint32_t words[BRUTE_WORDS];

    for (size_t p = 0; p < sizeof(prefixes) / sizeof(*prefixes); p++) {
        const size_t n = strlen(prefixes[p]);
        sortes_matcher *m;

        assert_int_equal(sortes_matcher_new(&m, b->g, b->vocab, NULL),
                         SORTES_OK);
        if (sortes_matcher_heal(m, prefixes[p], n) != SORTES_OK)
            fail_msg("%s: not healed", prefixes[p]);
        for (size_t at = 0; at < n; at++) {
            assert_int_equal(sortes_matcher_is_accepting(m), 0);
            assert_int_equal(sortes_matcher_mask(m, words, BRUTE_WORDS),
                             SORTES_OK);
            for (size_t i = 0; i < b->n_tokens; i++)
                if (brute_has(words, (int32_t)i) !=
                    heals(b, prefixes[p] + at, n - at, (int32_t)i))
                    brute_fail(b, prefixes[p], (int32_t)i);
            assert_int_equal(
                sortes_matcher_advance(
                    m, &b->byte[(unsigned char)prefixes[p][at]], 1, NULL),
                SORTES_OK);
        }
        same_masks(b, m, (sortes_matcher_mask(b->m, words, BRUTE_WORDS), words),
                   "healed");
        check_saved_start(b, m, prefixes[p], NULL);
        assert_int_equal(sortes_matcher_rollback(m, n), SORTES_OK);
        sortes_matcher_free(m);
    }
}

static void healing_spells_the_prefix_first(void **state)
{
    (void)state;
    each(check_healing);
}

static const char close_tag[] = "</t>";

/* Whether a token may come where seen (of the thinking) came before. */
static bool thinks(struct brute *b, const char *seen, int32_t token)
{
    char text[64];
    size_t n;
    const char *piece = sortes_vocab_piece(b->vocab, token, &n), *tag;

    memcpy(text, seen, strlen(seen));
    memcpy(text + strlen(seen), piece, n);
    text[strlen(seen) + n] = '\0'; /* a NUL inside cuts it short: no tag */
    tag = strstr(text, close_tag);
    if (!tag || brute_is_end(b, token))
        return true;
    tag += strlen(close_tag);
    return *tag == '\0' || (!brute_is_special(b, token) &&
                            brute_may_come(b, b->slow, tag, strlen(tag)));
}

static void check_thinking(struct brute *b)
{
    static const char *const seen[] = {
        "", "x<", "</", "</t", "</</t", "<</t"
    };
    uint32_t words[BRUTE_WORDS];

    for (size_t s = 0; s < sizeof(seen) / sizeof(*seen); s++) {
        sortes_matcher *m;
        bool all = true;

        assert_int_equal(sortes_matcher_new(&m, b->g, b->vocab, NULL),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_think(m, close_tag, 4), SORTES_OK);
        if (seen[s][0])
            assert_int_equal(
                sortes_matcher_advance_bytes(m, seen[s], strlen(seen[s]), NULL),
                SORTES_OK);
        assert_int_equal(sortes_matcher_mask(m, words, BRUTE_WORDS), SORTES_OK);
        for (size_t i = 0; i < b->n_tokens; i++) {
            const bool may = thinks(b, seen[s], (int32_t)i);

            if (brute_has(words, (int32_t)i) != may)
                brute_fail(b, seen[s], (int32_t)i);
            all = all && may;
        }
        assert_int_equal(sortes_matcher_wants_mask(m), !all);
        assert_int_equal(sortes_matcher_advance_bytes(m, close_tag, 4, NULL),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_wants_mask(m), 1);
        same_masks(b, m, (sortes_matcher_mask(b->m, words, BRUTE_WORDS), words),
                   "after thinking");
        check_saved_start(b, m, NULL, close_tag);
        sortes_matcher_free(m);
    }
}

static void thinking_lets_all_through_until_its_tag(void **state)
{
    (void)state;
    each(check_thinking);
}

/* ---- threads ------------------------------------------------------------- */

enum { N_THREADS = 4, N_BATCH = 12 };

struct share {
    void (*fn)(void *job, size_t i);
    void *job;
    size_t n, first;
};

static void *run_share(void *ctx)
{
    const struct share *s = ctx;

    for (size_t i = s->first; i < s->n; i += N_THREADS)
        s->fn(s->job, i);
    return NULL;
}

static void run_threads(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                        void *job)
{
    pthread_t threads[N_THREADS];
    struct share shares[N_THREADS];

    (void)ctx;
    for (size_t i = 0; i < N_THREADS; i++) {
        shares[i] = (struct share){ fn, job, n, i };
        assert_int_equal(
            pthread_create(&threads[i], NULL, run_share, &shares[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* A dozen sequences of one grammar, each on its own way, mask by mask. */
static void check_batch(struct brute *b)
{
    static uint32_t words[N_BATCH][BRUTE_WORDS];
    sortes_status statuses[N_BATCH];
    sortes_matcher *m[N_BATCH];
    uint32_t *at[N_BATCH];

    for (size_t i = 0; i < N_BATCH; i++) {
        assert_int_equal(sortes_matcher_new(&m[i], b->g, b->vocab, NULL),
                         SORTES_OK);
        at[i] = words[i];
    }
    for (int step = 0; step < 12; step++) {
        assert_int_equal(sortes_matcher_mask_batch(m, at, BRUTE_WORDS, statuses,
                                                   N_BATCH, run_threads, NULL),
                         SORTES_OK);
        if (step == 5)
            sortes_matcher_flush(m[0]);
        for (size_t i = 0; i < N_BATCH; i++) {
            uint32_t other[BRUTE_WORDS];
            const int32_t token = brute_pick(b, words[i]);

            assert_int_equal(statuses[i], SORTES_OK);
            sortes_matcher_use_memo(m[i], 0);
            assert_int_equal(sortes_matcher_mask(m[i], other, BRUTE_WORDS),
                             SORTES_OK);
            sortes_matcher_use_memo(m[i], 1);
            assert_memory_equal(words[i], other, sizeof(other));
            if (token >= 0)
                assert_int_equal(sortes_matcher_advance(m[i], &token, 1, NULL),
                                 SORTES_OK);
        }
    }
    for (size_t i = 0; i < N_BATCH; i++)
        sortes_matcher_free(m[i]);
}

static void batches_are_the_single_masks(void **state)
{
    (void)state;
    each(check_batch);
}

/* A sequence of its own on each thread, with one grammar's caches. */
static void walk_alone(void *job, size_t i)
{
    struct brute *b = job;
    struct rows_random random = { i + 1 };
    uint32_t words[BRUTE_WORDS];
    sortes_matcher *m;

    assert_int_equal(sortes_matcher_new(&m, b->g, b->vocab, NULL), SORTES_OK);
    for (int step = 0; step < 60; step++) {
        int32_t list[32 * BRUTE_WORDS];
        size_t n;

        assert_int_equal(sortes_matcher_mask(m, words, BRUTE_WORDS), SORTES_OK);
        assert_int_equal(sortes_matcher_allowed(m, list, 32 * BRUTE_WORDS, &n),
                         SORTES_OK);
        assert_true(n > 0);
        const int32_t token = list[rows_below(&random, n)];
        assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL), SORTES_OK);
        if (step == 30 && i == 0)
            sortes_matcher_flush(m);
        if (sortes_matcher_is_finished(m))
            sortes_matcher_reset(m);
    }
    sortes_matcher_free(m);
}

static void check_threads(struct brute *b)
{
    run_threads(NULL, 8, walk_alone, b);
}

static void threads_share_a_grammar(void **state)
{
    (void)state;
    each(check_threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mask_is_what_single_bytes_say),
        cmocka_unit_test(walks_always_end),
        cmocka_unit_test(lists_and_single_answers_are_the_mask),
        cmocka_unit_test(refused_tokens_move_nothing),
        cmocka_unit_test(clones_and_rollback_lead_where_they_were),
        cmocka_unit_test(caches_change_nothing),
        cmocka_unit_test(any_cut_leads_to_the_same_place),
        cmocka_unit_test(what_was_saved_goes_on),
        cmocka_unit_test(forced_bytes_are_the_only_way_on),
        cmocka_unit_test(healing_spells_the_prefix_first),
        cmocka_unit_test(thinking_lets_all_through_until_its_tag),
        cmocka_unit_test(batches_are_the_single_masks),
        cmocka_unit_test(threads_share_a_grammar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
