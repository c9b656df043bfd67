/*
 * think.c - reasoning or answer: which channel a piece of output goes to
 *
 * SPDX-License-Identifier: MIT
 */
#include "channel/think.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- tags ---------------------------------------------------------------- */

/* How much of the tag the text ends in, after one more byte. */
static uint16_t think_next(const struct srt_think_tag *tag, uint16_t at, char c)
{
    size_t m = at;

    while (m > 0 && tag->text[m] != c)
        m = tag->fail[m];
    return (uint16_t)(tag->text[m] == c ? m + 1 : 0);
}

static sortes_status think_set_tag(struct srt_think_tag *tag, const char *name,
                                   struct srt_text from, sortes_error *err)
{
    if (srt_utf8_is_blank(from.text, from.n))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "`%s` must be a non-empty, non-whitespace delimiter "
                        "string",
                        name);
    if (from.n > SRT_THINK_TAG)
        return srt_fail(err, SORTES_E_LIMIT, 0,
                        "%s: too long (got %zu bytes, allowed %d)", name,
                        from.n, SRT_THINK_TAG);
    tag->text = malloc(from.n + 1);
    if (!tag->text)
        return srt_fail(err, SORTES_E_NOMEM, 0, "%s: no memory", name);
    memcpy(tag->text, from.text, from.n);
    tag->text[from.n] = '\0';
    tag->n = from.n;
    tag->fail[0] = tag->fail[1] = 0;
    for (size_t m = 1; m < from.n; m++)
        tag->fail[m + 1] = think_next(tag, tag->fail[m], from.text[m]);
    return SORTES_OK;
}

sortes_status srt_think_init(struct srt_think *think, struct srt_text start,
                             struct srt_text end, sortes_error *err)
{
    sortes_status status;

    memset(think, 0, sizeof(*think));
    think->budget = -1;
    status = think_set_tag(&think->start, "thinking_start_token", start, err);
    if (status == SORTES_OK)
        status = think_set_tag(&think->end, "thinking_end_token", end, err);
    if (status != SORTES_OK)
        srt_think_free(think);
    return status;
}

void srt_think_free(struct srt_think *think)
{
    free(think->start.text);
    free(think->end.text);
    think->start.text = think->end.text = NULL;
}

/* ---- tags that may be torn ----------------------------------------------- */

/* What the bytes held back are the beginning of; the longer one holds both. */
static const struct srt_think_tag *
think_held(const struct srt_think *think, const struct srt_think_state *state,
           size_t *n)
{
    const bool start = state->at_start > state->at_end;

    *n = start ? state->at_start : state->at_end;
    return start ? &think->start : &think->end;
}

struct think_output {
    sortes_think_emit *emit; /* NULL: nobody listens */
    void *ctx;
};

static void think_put(const struct think_output *out, bool thinking,
                      const char *text, size_t n)
{
    if (out->emit && n > 0)
        out->emit(out->ctx, thinking, text, n);
}

/*
 * One byte.  What was held and is not held any more goes out, oldest first:
 * at most the held bytes and this one.
 */
static void think_byte(const struct srt_think *think,
                       struct srt_think_state *state, const char *c,
                       const struct think_output *out)
{
    size_t n_held, n_after;
    const struct srt_think_tag *held = think_held(think, state, &n_held);
    const bool was_open = state->open;
    size_t n_out;

    state->at_start = think_next(&think->start, state->at_start, *c);
    state->at_end = think_next(&think->end, state->at_end, *c);
    if (state->at_end == think->end.n || state->at_start == think->start.n) {
        const bool ends = state->at_end == think->end.n;

        n_after = ends ? think->end.n : think->start.n;
        state->open = !ends;
        state->at_start = state->at_end = 0;
    } else {
        (void)think_held(think, state, &n_after);
    }
    n_out = n_held + 1 - n_after;
    think_put(out, was_open, held->text, n_out < n_held ? n_out : n_held);
    if (n_out > n_held)
        think_put(out, was_open, c, 1);
}

/* Bytes that begin no tag go out together. */
static void think_feed(const struct srt_think *think,
                       struct srt_think_state *state, struct srt_text piece,
                       const struct think_output *out)
{
    size_t at = 0;

    while (at < piece.n) {
        size_t n = 0;

        while (state->at_start + state->at_end == 0 && at + n < piece.n &&
               piece.text[at + n] != think->start.text[0] &&
               piece.text[at + n] != think->end.text[0])
            n++;
        think_put(out, state->open, piece.text + at, n);
        at += n;
        if (at < piece.n)
            think_byte(think, state, piece.text + at++, out);
    }
}

/* ---- rMLX's rule --------------------------------------------------------- */

/* Where the tag begins in text; NULL: nowhere. */
static const char *think_find(const struct srt_think_tag *tag, const char *text,
                              const char *end)
{
    uint16_t at = 0;

    for (const char *c = text; c < end; c++) {
        at = think_next(tag, at, *c);
        if (at == tag->n)
            return c + 1 - tag->n;
    }
    return NULL;
}

/* The nearest tag, of two at one place the closing one; NULL: none. */
static const struct srt_think_tag *think_nearest(const struct srt_think *think,
                                                 const char *text,
                                                 const char *end,
                                                 const char **found)
{
    const char *const opening = think_find(&think->start, text, end);
    const char *const closing = think_find(&think->end, text, end);
    const bool is_start = opening && (!closing || opening < closing);

    *found = is_start ? opening : closing;
    if (!*found)
        return NULL;
    return is_start ? &think->start : &think->end;
}

/* The state is settled before the text goes out, in the parts between tags. */
static void think_piece(const struct srt_think *think,
                        struct srt_think_state *state, struct srt_text piece,
                        const struct think_output *out)
{
    const char *const end = piece.text + piece.n;
    const struct srt_think_tag *tag;
    const char *text, *found;

    if (piece.n == 0)
        return;
    for (text = piece.text; (tag = think_nearest(think, text, end, &found));
         text = found + tag->n)
        state->open = tag == &think->start;
    for (text = piece.text; (tag = think_nearest(think, text, end, &found));
         text = found + tag->n)
        think_put(out, state->open, text, (size_t)(found - text));
    think_put(out, state->open, text, (size_t)(end - text));
}

/* ---- a stream ------------------------------------------------------------ */

void srt_think_prompt(const struct srt_think *think,
                      struct srt_think_state *state, struct srt_text text)
{
    const struct think_output nowhere = { NULL, NULL };

    think_feed(think, state, text, &nowhere);
}

static void think_count(const struct srt_think *think,
                        struct srt_think_state *state)
{
    if (think->budget < 0 || !state->open || state->exceeded)
        return;
    state->count++;
    if (state->count > think->budget)
        state->exceeded = state->close = true;
}

void srt_think_step(const struct srt_think *think,
                    struct srt_think_state *state, struct srt_text piece,
                    sortes_think_emit *emit, void *ctx)
{
    const struct think_output out = { emit, ctx };

    if (think->literal)
        think_piece(think, state, piece, &out);
    else
        think_feed(think, state, piece, &out);
    think_count(think, state);
}

void srt_think_finish(const struct srt_think *think,
                      struct srt_think_state *state, sortes_think_emit *emit,
                      void *ctx)
{
    const struct think_output out = { emit, ctx };
    size_t n;
    const struct srt_think_tag *held = think_held(think, state, &n);

    state->at_start = state->at_end = 0;
    think_put(&out, state->open, held->text, think->literal ? 0 : n);
}

bool srt_think_take_close(struct srt_think_state *state)
{
    const bool close = state->close;

    state->close = false;
    return close;
}

bool srt_think_close_now(struct srt_think_state *state)
{
    if (!state->open)
        return false;
    state->exceeded = state->close = true;
    return true;
}

/* ---- for callers --------------------------------------------------------- */

struct sortes_think {
    struct srt_think think;
    struct srt_think_state state;
};

static struct srt_text think_text_of(const char *text, const char *otherwise)
{
    const char *const chosen = text ? text : otherwise;

    return (struct srt_text){ chosen, strlen(chosen) };
}

sortes_status sortes_think_new(sortes_think **out,
                               const sortes_think_desc *desc, sortes_error *err)
{
    sortes_status status;
    sortes_think *t;

    if (out)
        *out = NULL;
    if (!out || !desc || desc->struct_size != sizeof(*desc))
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "think: a whole description is needed");
    t = calloc(1, sizeof(*t));
    if (!t)
        return srt_fail(err, SORTES_E_NOMEM, 0, "think: no memory");
    status =
        srt_think_init(&t->think, think_text_of(desc->start_tag, "<think>"),
                       think_text_of(desc->end_tag, "</think>"), err);
    if (status != SORTES_OK) {
        free(t);
        return status;
    }
    t->think.budget = desc->budget;
    t->think.literal = desc->literal != 0;
    *out = t;
    return srt_ok(err);
}

void sortes_think_free(sortes_think *t)
{
    if (!t)
        return;
    srt_think_free(&t->think);
    free(t);
}

void sortes_think_prompt(sortes_think *t, const char *text, size_t n)
{
    if (t && text)
        srt_think_prompt(&t->think, &t->state, (struct srt_text){ text, n });
}

void sortes_think_step(sortes_think *t, const char *piece, size_t n,
                       sortes_think_emit *emit, void *ctx)
{
    const struct srt_text text = { piece, piece ? n : 0 };

    if (t)
        srt_think_step(&t->think, &t->state, text, emit, ctx);
}

void sortes_think_finish(sortes_think *t, sortes_think_emit *emit, void *ctx)
{
    if (t)
        srt_think_finish(&t->think, &t->state, emit, ctx);
}

int sortes_think_is_open(const sortes_think *t)
{
    return t && t->state.open;
}

int sortes_think_take_close(sortes_think *t)
{
    return t && srt_think_take_close(&t->state);
}
