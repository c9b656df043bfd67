/*
 * stages.c - the llama.cpp dialect on a few logits, stage by stage, for tests
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/stages.h"

#include "support/dialects.h"

#include "dialect/llamacpp/chain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLERS_MAX = 64,
    VIEWS_MAX = 256,
    NAMES_MAX = 1024,
    VOCABS_MAX = 16,
    PIECES_MAX = 64
};

static sortes_sampler *samplers[SAMPLERS_MAX];
static size_t n_samplers;
static struct srt_llamacpp *chains[SAMPLERS_MAX];
static size_t n_chains;
static struct stage views[VIEWS_MAX];
static size_t n_views;
static sortes_vocab *vocabs[VOCABS_MAX], *word_vocab;
static size_t n_vocabs;
static char names[NAMES_MAX];

static void *copy_of(const void *from, size_t n_bytes)
{
    void *to = malloc(n_bytes);

    assert_non_null(to);
    return memcpy(to, from, n_bytes);
}

static const char stages_off[] =
    "seed=1 temperature=1 top_k=0 top_p=1 min_p=0 min_keep=0";

sortes_params *stages_params(const char *settings)
{
    sortes_params *p;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    dialects_set(p, stages_off);
    dialects_set(p, settings);
    return p;
}

/* ---- vocabularies -------------------------------------------------------- */

static const struct stages_piece words[N_WORDS] = {
    [WORD_A] = { "a", 0 },
    [WORD_B] = { "b", 0 },
    [WORD_C] = { "c", 0 },
    [WORD_NEWLINE] = { "\n", 0 },
    [WORD_END_LINE] = { ".\n", 0 },
    [WORD_RATIO] = { "a:b", 0 },
    [WORD_LEAD] = { "\xc3", 0 },
    [WORD_TRAIL] = { "\xa9", 0 },
    [WORD_ACUTE] = { "\xc3\xa9", 0 },
    [WORD_THINK] = { "<think>", SORTES_TOKEN_CONTROL },
    [WORD_THOUGHT] = { "</think>", SORTES_TOKEN_CONTROL },
    [WORD_EOS] = { "</s>",
                   SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG | SORTES_TOKEN_EOS },
    [WORD_EOT] = { "<|eot|>",
                   SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG | SORTES_TOKEN_EOT },
    [WORD_AB] = { "ab", 0 },
    [WORD_ABC] = { "abc", 0 },
    [WORD_SPACE_A] = { " a", 0 },
    [WORD_COLON] = { ":", 0 },
    [WORD_STAR] = { "*", 0 },
    [WORD_BANG] = { "!", 0 },
    [WORD_D] = { "d", 0 },
};

static atomic_size_t tokenized;

/* Of the vocabulary that ctx points to. */
static int32_t tokenize(void *ctx, const char *text, size_t n_bytes,
                        int parse_special, int32_t *tokens, size_t room)
{
    const sortes_vocab *v = *(sortes_vocab *const *)ctx;
    size_t n_tokens = 0;

    atomic_fetch_add(&tokenized, 1);
    for (; n_bytes > 0; n_tokens++) {
        int32_t best = -1;
        size_t n_best = 0;

        for (int32_t t = 0; (size_t)t < sortes_vocab_size(v); t++) {
            size_t n;
            const char *piece = sortes_vocab_piece(v, t, &n);

            if (n > n_bytes || n <= n_best || memcmp(piece, text, n) != 0 ||
                (!parse_special &&
                 (sortes_vocab_flags(v, t) & SORTES_TOKEN_CONTROL)))
                continue;
            best = t;
            n_best = n;
        }
        if (best < 0 || n_tokens == room)
            return -1;
        tokens[n_tokens] = best;
        text += n_best;
        n_bytes -= n_best;
    }
    return (int32_t)n_tokens;
}

size_t stages_tokenized(void)
{
    return atomic_load(&tokenized);
}

sortes_vocab *stages_vocab(const struct stages_piece *pieces, size_t n)
{
    const char *bytes[PIECES_MAX];
    size_t n_bytes[PIECES_MAX];
    uint32_t flags[PIECES_MAX];
    const sortes_vocab_desc desc = {
        .struct_size = sizeof(desc),
        .n_tokens = n,
        .bytes = bytes,
        .n_bytes = n_bytes,
        .flags = flags,
        .tokenize = tokenize,
        .tokenize_ctx = &vocabs[n_vocabs],
    };

    assert_true(n <= PIECES_MAX && n_vocabs < VOCABS_MAX);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = pieces[i].text;
        n_bytes[i] = strlen(pieces[i].text);
        flags[i] = pieces[i].flags;
    }
    assert_int_equal(sortes_vocab_new(&vocabs[n_vocabs], &desc, NULL),
                     SORTES_OK);
    return vocabs[n_vocabs++];
}

sortes_vocab *stages_words(void)
{
    if (!word_vocab)
        word_vocab = stages_vocab(words, N_WORDS);
    return word_vocab;
}

/* ---- samplers and chains ------------------------------------------------- */

sortes_status stages_refusal(sortes_vocab *v, const char *settings,
                             sortes_error *err)
{
    sortes_params *p = stages_params(settings);
    sortes_sampler *s;
    const sortes_status status = sortes_sampler_new(&s, p, v, err);

    sortes_params_free(p);
    assert_int_not_equal(status, SORTES_OK);
    assert_null(s);
    return status;
}

sortes_sampler *stages_sampler_of(sortes_vocab *v, const char *settings)
{
    sortes_params *p = stages_params(settings);
    sortes_sampler *s;
    sortes_error err = { 0 };

    assert_true(n_samplers < SAMPLERS_MAX);
    if (sortes_sampler_new(&s, p, v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    sortes_params_free(p);
    samplers[n_samplers++] = s;
    return s;
}

sortes_sampler *stages_sampler(const char *settings)
{
    return stages_sampler_of(NULL, settings);
}

static const struct srt_dialect *dialect(void)
{
    return srt_dialect_find("llama.cpp");
}

struct srt_llamacpp *stages_chain_of(sortes_vocab *v, const char *settings)
{
    sortes_params *p = stages_params(settings);
    void *chain;

    assert_true(n_chains < SAMPLERS_MAX);
    assert_int_equal(dialect()->chain_new(&chain, p, v, NULL), SORTES_OK);
    sortes_params_free(p);
    chains[n_chains++] = chain;
    return chain;
}

struct srt_llamacpp *stages_chain_clone(const struct srt_llamacpp *chain)
{
    void *copy;

    assert_int_equal(dialect()->chain_clone(&copy, chain), SORTES_OK);
    return copy;
}

struct srt_llamacpp *stages_chain(const char *settings)
{
    return stages_chain_of(NULL, settings);
}

sortes_status stages_chain_draw(struct srt_llamacpp *chain, const float *x,
                                size_t n, sortes_draw *draw)
{
    const sortes_row row = { x, n, SORTES_F32 };

    return dialect()->sample(chain, &row, draw);
}

void stages_chain_accept(struct srt_llamacpp *chain, const int32_t *tokens,
                         size_t n)
{
    assert_int_equal(dialect()->accept(chain, tokens, n, SORTES_GENERATED),
                     SORTES_OK);
}

/* The word that the generator's tempering turns into y: its four steps undone,
 * the last one first. */
static uint32_t untempered(uint32_t y)
{
    uint32_t x;

    y ^= y >> 18;
    y ^= y << 15 & 0xefc60000u;
    x = y;
    for (int i = 0; i < 5; i++)
        x = y ^ (x << 7 & 0x9d2c5680u);
    y = x;
    for (int i = 0; i < 3; i++)
        x = y ^ x >> 11;
    return x;
}

void stages_force(struct srt_llamacpp *chain, uint32_t a, uint32_t b)
{
    const uint64_t at = chain->state.position[0];
    uint32_t *const x = chain->rng[0].x;

    (void)srt_mt19937_word(&chain->rng[0], at + 1);
    x[(at + SRT_MT_TERMS) % SRT_MT_RING] = untempered(a);
    x[(at + SRT_MT_TERMS + 1) % SRT_MT_RING] = untempered(b);
    assert_true(srt_mt19937_word(&chain->rng[0], at) == a);
    assert_true(srt_mt19937_word(&chain->rng[0], at + 1) == b);
}

void stages_history(sortes_sampler *s, const int32_t *tokens, size_t n)
{
    assert_int_equal(sortes_sampler_accept(s, tokens, n, SORTES_PROMPT),
                     SORTES_OK);
}

void stages_accept(sortes_sampler *s, const int32_t *tokens, size_t n)
{
    assert_int_equal(sortes_sampler_accept(s, tokens, n, SORTES_GENERATED),
                     SORTES_OK);
}

/* Keeps the view when it is the wanted one. */
struct wish {
    const char *name;
    const struct stage *seen;
};

static void keep(void *ctx, const sortes_stage_view *view)
{
    struct wish *wish = ctx;
    struct stage *to = &views[n_views];

    if (strcmp(view->stage, wish->name) != 0)
        return;
    assert_true(n_views < VIEWS_MAX);
    *to = (struct stage){
        .name = wish->name,
        .n = view->n,
        .token = copy_of(view->token, view->n * sizeof(*view->token)),
        .logit = copy_of(view->logit, view->n * sizeof(*view->logit)),
        .p = copy_of(view->p, view->n * sizeof(*view->p)),
        .sorted = view->sorted,
        .selected = view->selected,
    };
    n_views++;
    wish->seen = to;
}

const struct stage *stages_find(sortes_sampler *s, const float *x, size_t n,
                                const char *name)
{
    const sortes_row row = { x, n, SORTES_F32 };
    struct wish wish = { name, NULL };

    assert_int_equal(sortes_sampler_explain(s, &row, keep, &wish), SORTES_OK);
    return wish.seen;
}

const struct stage *stages_see(sortes_sampler *s, const float *x, size_t n,
                               const char *name)
{
    const struct stage *seen = stages_find(s, x, n, name);

    if (!seen)
        fail_msg("the chain has no stage %s", name);
    return seen;
}

static void add_name(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    assert_true(strlen(names) + strlen(view->stage) + 2 < sizeof(names));
    if (names[0])
        strcat(names, " ");
    strcat(names, view->stage);
}

const char *stages_names(sortes_sampler *s, const float *x, size_t n)
{
    const sortes_row row = { x, n, SORTES_F32 };

    names[0] = '\0';
    assert_int_equal(sortes_sampler_explain(s, &row, add_name, NULL),
                     SORTES_OK);
    return names;
}

void stages_check_ids(const struct stage *seen, const int32_t *ids, size_t n)
{
    assert_int_equal(seen->n, n);
    for (size_t i = 0; i < n; i++)
        if (seen->token[i] != ids[i])
            fail_msg("%s: at %zu stands token %d, not %d", seen->name, i,
                     seen->token[i], ids[i]);
}

void stages_check_logits(const struct stage *seen, const float *x, size_t n)
{
    assert_int_equal(seen->n, n);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&seen->logit[i], &x[i], sizeof(x[i])) != 0)
            fail_msg("%s: at %zu is logit %a, not %a", seen->name, i,
                     (double)seen->logit[i], (double)x[i]);
}

int32_t stages_draw(sortes_sampler *s, const float *x, size_t n)
{
    const sortes_row row = { x, n, SORTES_F32 };
    sortes_draw draw;

    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
    return draw.token;
}

sortes_status stages_try(sortes_sampler *s, const float *x, size_t n)
{
    const sortes_row row = { x, n, SORTES_F32 };
    sortes_draw draw;

    return sortes_sampler_sample(s, &row, &draw);
}

int stages_teardown(void **state)
{
    (void)state;
    while (n_samplers > 0)
        sortes_sampler_free(samplers[--n_samplers]);
    while (n_chains > 0)
        dialect()->chain_free(chains[--n_chains]);
    while (n_vocabs > 0)
        sortes_vocab_free(vocabs[--n_vocabs]);
    word_vocab = NULL;
    while (n_views > 0) {
        n_views--;
        free(views[n_views].token);
        free(views[n_views].logit);
        free(views[n_views].p);
    }
    return 0;
}
