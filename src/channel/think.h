/*
 * think.h - reasoning or answer: which channel a piece of output goes to
 *
 * Tags open and close a thinking block; they are text of neither channel.  By
 * default a tag is found wherever it is torn across pieces, and text goes to
 * the channel it stands in: bytes that may be the beginning of a tag are held
 * back until it is known.  The literal rule is rMLX's: tags inside one piece
 * only, and the whole piece goes to the channel that it ends in.
 *
 * A budget counts pieces that end with the block open, empty ones too; the
 * first above it asks for the block to be closed, once in a request.
 *
 * Source: rMLX crates/rmlx-server/src/engine/think.rs, ThinkSplitter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_THINK_H
#define SRT_THINK_H

#include "status.h"

#include <stdbool.h>

/* The longest tag. */
enum { SRT_THINK_TAG = 256 };

struct srt_text {
    const char *text;
    size_t n;
};

/* A tag with the failure function of Knuth, Morris and Pratt: fail[m] is the
 * length of the longest beginning of it that also ends its first m bytes, m
 * itself not counted. */
struct srt_think_tag {
    char *text;
    size_t n;
    uint16_t fail[SRT_THINK_TAG + 1];
};

/* The tags and the rule; not changed while it is in use. */
struct srt_think {
    struct srt_think_tag start, end;
    bool literal;
    int64_t budget; /* below 0: none */
};

/* Where one stream stands; all 0 at its beginning, outside a block. */
struct srt_think_state {
    bool open;
    bool exceeded; /* the budget has been; it is not counted any more */
    bool close;    /* the block is to be closed now */
    uint16_t at_start, at_end; /* bytes of each tag that the text ends in */
    int64_t count;
};

/* Copies the tags; no budget, not literal.  Free it with srt_think_free. */
sortes_status srt_think_init(struct srt_think *think, struct srt_text start,
                             struct srt_text end, sortes_error *err);
void srt_think_free(struct srt_think *think);

/*
 * Text of the prompt: the block is open if the last tag in it opens one.
 * Nothing is counted; a tag may be torn across several calls.
 */
void srt_think_prompt(const struct srt_think *think,
                      struct srt_think_state *state, struct srt_text text);

/* One piece of output; emit NULL: the text is not wanted. */
void srt_think_step(const struct srt_think *think,
                    struct srt_think_state *state, struct srt_text piece,
                    sortes_think_emit *emit, void *ctx);

/* The end of the output: what was held back is text after all. */
void srt_think_finish(const struct srt_think *think,
                      struct srt_think_state *state, sortes_think_emit *emit,
                      void *ctx);

/* Whether the block is to be closed; says so once. */
bool srt_think_take_close(struct srt_think_state *state);

/* As if the budget were used up now; false: no block is open. */
bool srt_think_close_now(struct srt_think_state *state);

#endif /* SRT_THINK_H */
