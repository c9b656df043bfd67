/*
 * budget.c - llama.cpp's reasoning budget: end a thinking block in time
 *
 * Source: llama.cpp common/reasoning-budget.cpp.
 *
 *   IDLE      until the start sequence; then
 *   COUNTING  down the budget; the end sequence leads to DONE, the last token
 *             to FORCING, by way of
 *   WAITING   if it ends inside a UTF-8 character, until one is complete
 *   FORCING   message and end tag, token by token, whatever is drawn; then
 *   DONE      until a new start sequence arms it again
 *
 * Sequences are found by the failure function of Knuth, Morris and Pratt, one
 * position each; llama.cpp's automaton over all of them forgets every partial
 * match when one sequence is complete, and so do the positions here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/budget.h"

#include <stdlib.h>
#include <string.h>

struct budget_sequence {
    int32_t *tokens;
    size_t n;
};

struct srt_budget {
    struct budget_sequence start, forced;
    struct budget_sequence ends[SRT_BUDGET_ENDS];
    size_t n_ends;
    int32_t tokens; /* a block's budget */
};

/* ---- making -------------------------------------------------------------- */

void srt_budget_free(struct srt_budget *b)
{
    if (!b)
        return;
    free(b->start.tokens);
    free(b->forced.tokens);
    for (size_t i = 0; i < SRT_BUDGET_ENDS; i++)
        free(b->ends[i].tokens);
    free(b);
}

/* Appends the tokens of a text, special ones read as such. */
static sortes_status budget_tokenize(struct budget_sequence *to,
                                     const sortes_vocab *v, const char *text,
                                     size_t n_bytes, sortes_error *err)
{
    const size_t room = n_bytes + 8; /* no token stands for less than a byte */
    int32_t *grown = realloc(to->tokens, (to->n + room) * sizeof(*to->tokens));
    struct srt_token_list list;
    sortes_status status;

    if (!grown)
        return srt_fail(err, SORTES_E_NOMEM, 0, "reasoning budget: no memory");
    to->tokens = grown;
    list = (struct srt_token_list){ grown, to->n, to->n + room };
    status = srt_vocab_tokenize(v, text, n_bytes, true, &list);
    if (status != SORTES_OK)
        return srt_fail(err, status, 0,
                        "reasoning budget: a tag cannot be tokenized (needs a "
                        "vocab with a tokenizer)");
    to->n = list.n;
    return SORTES_OK;
}

static sortes_status budget_add_end(struct srt_budget *b, const sortes_vocab *v,
                                    const char *text, size_t n_bytes,
                                    sortes_error *err)
{
    struct budget_sequence *it = &b->ends[b->n_ends];
    sortes_status status;

    if (b->n_ends == SRT_BUDGET_ENDS)
        return srt_fail(err, SORTES_E_LIMIT, 0,
                        "reasoning_budget_end_tags: too many (allowed %d)",
                        SRT_BUDGET_ENDS);
    status = budget_tokenize(it, v, text, n_bytes, err);
    if (status == SORTES_OK && it->n > 0)
        b->n_ends++;
    return status;
}

/* Message, then the first end tag; only where a message was given at all. */
static sortes_status budget_make_forced(struct srt_budget *b,
                                        const struct sortes_params *p,
                                        const sortes_vocab *v,
                                        sortes_error *err)
{
    const struct srt_string_list *message = &p->reasoning_budget_message;
    const struct srt_string_list *ends = &p->reasoning_budget_end_tags;
    sortes_status status = SORTES_OK;

    if (!message->given)
        return SORTES_OK;
    if (message->n > 0) /* a text set to nothing is an empty list */
        status = budget_tokenize(&b->forced, v, message->items[0],
                                 message->sizes[0], err);
    if (status == SORTES_OK)
        status =
            budget_tokenize(&b->forced, v, ends->items[0], ends->sizes[0], err);
    return status;
}

static sortes_status budget_fill(struct srt_budget *b,
                                 const struct sortes_params *p,
                                 const sortes_vocab *v, sortes_error *err)
{
    const struct srt_string_list *start = &p->reasoning_budget_start_tag;
    const struct srt_string_list *ends = &p->reasoning_budget_end_tags;
    sortes_status status =
        budget_tokenize(&b->start, v, start->items[0], start->sizes[0], err);

    for (size_t i = 0; i < ends->n && status == SORTES_OK; i++)
        status = budget_add_end(b, v, ends->items[i], ends->sizes[i], err);
    if (status == SORTES_OK)
        status = budget_make_forced(b, p, v, err);
    return status;
}

sortes_status srt_budget_new(struct srt_budget **out,
                             const struct sortes_params *p,
                             const sortes_vocab *v, sortes_error *err)
{
    const int32_t tokens = p->reasoning_budget_tokens;
    struct srt_budget *b;
    sortes_status status;

    *out = NULL;
    if (p->reasoning_budget_start_tag.n == 0 ||
        p->reasoning_budget_start_tag.sizes[0] == 0 ||
        p->reasoning_budget_end_tags.n == 0 ||
        (tokens < 0 && !p->reasoning_control))
        return SORTES_OK;
    b = calloc(1, sizeof(*b));
    if (!b)
        return srt_fail(err, SORTES_E_NOMEM, 0, "reasoning budget: no memory");
    b->tokens = tokens < 0 ? INT32_MAX : tokens;
    status = budget_fill(b, p, v, err);
    if (status != SORTES_OK) {
        srt_budget_free(b);
        return status;
    }
    *out = b;
    return SORTES_OK;
}

/* ---- matching ------------------------------------------------------------ */

/* The longest proper prefix of the first n tokens that also ends them. */
static size_t budget_fall_back(const struct budget_sequence *s, size_t n)
{
    for (size_t k = n - 1; k > 0; k--)
        if (memcmp(s->tokens, s->tokens + (n - k), k * sizeof(*s->tokens)) == 0)
            return k;
    return 0;
}

/* Moves one position past a token; true: the sequence is complete. */
static bool budget_match(const struct budget_sequence *s, uint32_t *at,
                         int32_t token)
{
    size_t n = *at;

    if (s->n == 0)
        return false;
    while (n > 0 && s->tokens[n] != token)
        n = budget_fall_back(s, n);
    if (s->tokens[n] == token)
        n++;
    *at = (uint32_t)n;
    return n == s->n;
}

static void budget_forget_ends(struct srt_budget_state *s)
{
    memset(s->end_at, 0, sizeof(s->end_at));
}

static bool budget_match_ends(const struct srt_budget *b,
                              struct srt_budget_state *s, int32_t token)
{
    bool complete = false;

    for (size_t i = 0; i < b->n_ends; i++)
        complete |= budget_match(&b->ends[i], &s->end_at[i], token);
    if (complete)
        budget_forget_ends(s);
    return complete;
}

/* Whether the token's text does not end inside a UTF-8 character. */
static bool budget_is_whole(const sortes_vocab *v, int32_t token)
{
    size_t n;
    const char *text = sortes_vocab_piece(v, token, &n);

    if (n == 0 || (sortes_vocab_flags(v, token) & SORTES_TOKEN_CONTROL))
        return true;
    for (size_t i = 1; i <= 4 && i <= n; i++) {
        const unsigned char c = (unsigned char)text[n - i];

        if ((c & 0xc0) != 0x80)
            return i >= (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : c >= 0xc0 ? 2u : 1u);
    }
    return false;
}

/* ---- the states ---------------------------------------------------------- */

void srt_budget_start(const struct srt_budget *b, struct srt_budget_state *s)
{
    memset(s, 0, sizeof(*s));
    s->phase = SRT_BUDGET_IDLE;
    if (b)
        s->remaining = b->tokens;
}

static void budget_force(struct srt_budget_state *s)
{
    s->phase = SRT_BUDGET_FORCING;
    s->forced_at = 0;
}

static void budget_wait_for_start(const struct srt_budget *b,
                                  struct srt_budget_state *s, int32_t token)
{
    if (!budget_match(&b->start, &s->start_at, token))
        return;
    s->start_at = 0;
    if (s->phase == SRT_BUDGET_DONE)
        budget_forget_ends(s);
    s->phase = SRT_BUDGET_COUNTING;
    s->remaining = b->tokens;
    if (s->remaining <= 0)
        budget_force(s);
}

static void budget_count(const struct srt_budget *b, const sortes_vocab *v,
                         struct srt_budget_state *s, int32_t token)
{
    if (budget_match_ends(b, s, token)) {
        s->phase = SRT_BUDGET_DONE;
        return;
    }
    if (s->phase == SRT_BUDGET_COUNTING && --s->remaining > 0)
        return;
    if (budget_is_whole(v, token)) {
        budget_forget_ends(s);
        budget_force(s);
    } else if (s->phase == SRT_BUDGET_COUNTING) {
        budget_forget_ends(s);
        s->phase = SRT_BUDGET_WAITING;
    }
}

void srt_budget_accept(const struct srt_budget *b, const sortes_vocab *v,
                       struct srt_budget_state *s, int32_t token)
{
    if (!b)
        return;
    switch (s->phase) {
    case SRT_BUDGET_COUNTING:
    case SRT_BUDGET_WAITING:
        budget_count(b, v, s, token);
        break;
    case SRT_BUDGET_FORCING:
        (void)budget_match_ends(b, s, token);
        if (++s->forced_at >= b->forced.n)
            s->phase = SRT_BUDGET_DONE;
        break;
    default:
        budget_wait_for_start(b, s, token);
        break;
    }
}

int32_t srt_budget_forced(const struct srt_budget *b,
                          const struct srt_budget_state *s)
{
    if (!b || s->phase != SRT_BUDGET_FORCING || s->forced_at >= b->forced.n)
        return -1;
    return b->forced.tokens[s->forced_at];
}

bool srt_budget_end_now(const struct srt_budget *b, struct srt_budget_state *s)
{
    if (!b || s->phase != SRT_BUDGET_COUNTING)
        return false;
    budget_forget_ends(s);
    budget_force(s);
    return true;
}
