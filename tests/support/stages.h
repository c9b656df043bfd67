/*
 * stages.h - the llama.cpp dialect on a few logits, stage by stage, for tests
 *
 * Everything handed out here belongs to this file and lives until
 * stages_teardown(), which is made for cmocka_unit_test_teardown().  What
 * goes wrong fails the test at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_STAGES_H
#define TESTS_STAGES_H

#include "sortes.h"

/* Logits in place, as pointer and length: stages_see(s, ROW(2, 1, 0), "top_p")
 */
#define ROW(...)                                                               \
    (const float[]){ __VA_ARGS__ },                                            \
        sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float)
#define IDS(...)                                                               \
    (const int32_t[]){ __VA_ARGS__ },                                          \
        sizeof((const int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t)

struct srt_llamacpp;

/* What one stage left; as sortes_stage_view, but it stays. */
struct stage {
    const char *name;
    size_t n;
    int32_t *token;
    float *logit, *p;
    int sorted;
    int64_t selected;
};

/* Tokens of a vocabulary made by hand, for what looks at words. */
enum {
    WORD_A,        /* "a" */
    WORD_B,        /* "b" */
    WORD_C,        /* "c" */
    WORD_NEWLINE,  /* "\n" */
    WORD_END_LINE, /* ".\n" */
    WORD_RATIO,    /* "a:b" */
    WORD_LEAD,     /* the first byte of an e acute */
    WORD_TRAIL,    /* its second byte */
    WORD_ACUTE,    /* the whole of it */
    WORD_THINK,    /* "<think>", a control token */
    WORD_THOUGHT,  /* "</think>", a control token */
    WORD_EOS,      /* "</s>", ends a generation */
    WORD_EOT,      /* "<|eot|>", ends a turn and a generation */
    WORD_AB,       /* "ab" */
    WORD_ABC,      /* "abc" */
    WORD_SPACE_A,  /* " a" */
    WORD_COLON,    /* ":" */
    WORD_STAR,     /* "*" */
    WORD_BANG,     /* "!" */
    WORD_D,        /* "d" */
    N_WORDS
};

/* The same vocabulary each time, until the teardown. */
sortes_vocab *stages_words(void);

/* Another one; it owns what it needs. */
struct stages_piece {
    const char *text;
    uint32_t flags;
};
sortes_vocab *stages_vocab(const struct stages_piece *pieces, size_t n);

/* The tokenizer of both: the longest piece that fits, again and again; control
 * tokens only if they are to be parsed.  How often it was called so far. */
size_t stages_tokenized(void);

/*
 * Every stage off but the draw, seed 1; then what settings say, by the names
 * of params.def: "top_k=2 temperature=0.5 logit_bias=3-inf,4+1".  The caller
 * frees it.
 */
sortes_params *stages_params(const char *settings);

sortes_sampler *stages_sampler(const char *settings);
sortes_sampler *stages_sampler_of(sortes_vocab *v, const char *settings);

/* The status with which no sampler is made; the message goes to err. */
sortes_status stages_refusal(sortes_vocab *v, const char *settings,
                             sortes_error *err);

/* The same as the dialect's own chain, whose insides a test may look at. */
struct srt_llamacpp *stages_chain(const char *settings);
/* The caller's; dialect()->chain_free. */
struct srt_llamacpp *stages_chain_clone(const struct srt_llamacpp *chain);
struct srt_llamacpp *stages_chain_of(sortes_vocab *v, const char *settings);

/* A draw of such a chain. */
sortes_status stages_chain_draw(struct srt_llamacpp *chain, const float *x,
                                size_t n, sortes_draw *draw);
/* Accepts tokens, as drawn ones. */
void stages_chain_accept(struct srt_llamacpp *chain, const int32_t *tokens,
                         size_t n);

/* The next draw of a chain finds these two words: its random number is
 * (b + a / 2^32) / 2^32. */
void stages_force(struct srt_llamacpp *chain, uint32_t a, uint32_t b);

/* Accepts tokens as a prompt, and as drawn ones. */
void stages_history(sortes_sampler *s, const int32_t *tokens, size_t n);
void stages_accept(sortes_sampler *s, const int32_t *tokens, size_t n);

/* What the named stage leaves of the logits; NULL: it is not in the chain. */
const struct stage *stages_find(sortes_sampler *s, const float *x, size_t n,
                                const char *name);
/* The same; the stage must be there. */
const struct stage *stages_see(sortes_sampler *s, const float *x, size_t n,
                               const char *name);

/* The names of all stages of one step, "logits top_k dist". */
const char *stages_names(sortes_sampler *s, const float *x, size_t n);

/* The ids, in order, and no others. */
void stages_check_ids(const struct stage *seen, const int32_t *ids, size_t n);
/* The logits, bit for bit. */
void stages_check_logits(const struct stage *seen, const float *x, size_t n);

/* Draws a token; does not accept it. */
int32_t stages_draw(sortes_sampler *s, const float *x, size_t n);
/* The same, for a row that may be refused. */
sortes_status stages_try(sortes_sampler *s, const float *x, size_t n);

int stages_teardown(void **state);

#endif /* TESTS_STAGES_H */
