/*
 * listed.h - samplers of llama.cpp in any order, at random, and libllama's
 * own chain for them
 *
 * Stages that llama.cpp would leave empty are not made, so the chain is the
 * one that sortes_sampler_explain shows.  Without a vocabulary DRY has no
 * breakers, and there is no infill.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LISTED_H
#define TESTS_LISTED_H

#include "llama.h"
#include "oracle/beside.h"
#include "support/rows.h"

#include <stdbool.h>
#include <string.h>

enum {
    LISTED_LETTERS = 12,
    LISTED_HISTORY = 200,
    LISTED_STAGES = LISTED_LETTERS + 3
};

/* The floats and whole numbers of a case, by the library's names. */
struct listed_values {
    float temperature, top_p, min_p, typical_p, top_n_sigma;
    float xtc_probability, xtc_threshold, dynatemp_range, dynatemp_exponent;
    float repeat_penalty, frequency_penalty, presence_penalty;
    float dry_multiplier, dry_base, mirostat_tau, mirostat_eta;
    float adaptive_target, adaptive_decay;
    int32_t top_k, min_keep, repeat_last_n, dry_allowed_length;
    int32_t dry_penalty_last_n, mirostat;
};

struct listed {
    size_t n;
    enum rows_kind kind;
    uint64_t row_seed;
    uint32_t seed;
    struct listed_values v;
    char list[LISTED_LETTERS + 1]; /* samplers by letter */
    size_t n_history;
    int32_t history[LISTED_HISTORY];
};

/* ---- at random ----------------------------------------------------------- */

static inline float listed_pick(struct rows_random *r, const float *from,
                                size_t n)
{
    return from[rows_below(r, n)];
}

#define LISTED_PICK(...)                                                       \
    listed_pick(r, (const float[]){ __VA_ARGS__ },                             \
                sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float))

static inline void listed_random_values(struct listed_values *v,
                                        struct rows_random *r)
{
    v->temperature = LISTED_PICK(0.8f, 0.8f, 1, 1, 0, 0.3f, 1.7f);
    v->top_p = LISTED_PICK(1, 0.95f, 0.95f, 0.5f, 0, 0.999f);
    v->min_p = LISTED_PICK(0, 0.05f, 0.05f, 0.3f, 1);
    v->typical_p = LISTED_PICK(1, 0.9f, 0.9f, 0.5f, 0.2f);
    v->top_n_sigma = LISTED_PICK(-1, 0, 1, 1, 0.5f, 2.5f);
    v->xtc_probability = LISTED_PICK(0, 0.5f, 0.5f, 1);
    v->xtc_threshold = LISTED_PICK(0.1f, 0.1f, 0.02f, 0.3f, 0.6f);
    v->dynatemp_range = LISTED_PICK(0, 0, 0, 0.5f, 1, 2);
    v->dynatemp_exponent = LISTED_PICK(1, 1, 0.5f, 2);
    v->repeat_penalty = LISTED_PICK(1, 1.1f, 1.3f, 0.8f);
    v->frequency_penalty = LISTED_PICK(0, 0, 0.3f, -0.4f);
    v->presence_penalty = LISTED_PICK(0, 0, 0.6f, 1.5f);
    v->dry_multiplier = LISTED_PICK(0.8f, 0.8f, 2, 0);
    v->dry_base = LISTED_PICK(1.75f, 1.75f, 1.2f, 1, 0.5f);
    v->mirostat_tau = LISTED_PICK(5, 5, 3, 0.5f);
    v->mirostat_eta = LISTED_PICK(0.1f, 0.1f, 1);
    v->adaptive_target = LISTED_PICK(-1, 0, 0.3f, 0.3f, 0.9f);
    v->adaptive_decay = LISTED_PICK(0.9f, 0.9f, 0, 0.5f, 0.99f);
    v->top_k = (int32_t)LISTED_PICK(0, 1, 5, 40, 40, 128, 129, 200, 5000);
    v->min_keep = (int32_t)LISTED_PICK(0, 0, 0, 1, 3);
    v->repeat_last_n = (int32_t)LISTED_PICK(64, 64, 0, 1, 8);
    v->dry_allowed_length = (int32_t)LISTED_PICK(2, 2, 0, 1, 4);
    v->dry_penalty_last_n = (int32_t)LISTED_PICK(64, 64, 5, 0);
    v->mirostat = rows_below(r, 8) ? 0 : 1 + (int32_t)rows_below(r, 2);
}

static inline void listed_random_list(struct listed *s, struct rows_random *r,
                                      bool has_vocab)
{
    static const char letters[] = "kypmsxtea";
    static const char *const planned[] = { "yt",  "y",   "eyt", "st",
                                           "skt", "xt",  "ext", "kxt",
                                           "pxt", "kyt", "smt", "skpmxt" };
    size_t n = rows_below(r, 7);

    memset(s->list, 0, sizeof(s->list));
    if (rows_below(r, 4) == 0) { /* what the plans are made for */
        strcpy(s->list,
               planned[rows_below(r, sizeof(planned) / sizeof(planned[0]))]);
        return;
    }
    if (rows_below(r, 3) == 0) {
        strcpy(s->list, has_vocab ? "edskypmxt" : "eskypmxt");
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->list[i] = letters[rows_below(r, sizeof(letters) - 1)];
    if (!has_vocab)
        return;
    if (rows_below(r, 2))
        s->list[n++] = 'd';
    if (rows_below(r, 3) == 0) { /* after a cut: its pairs are quadratic */
        s->list[n++] = 'k';
        s->list[n++] = 'i';
    }
}

/* ---- libllama's chain ---------------------------------------------------- */

struct listed_chain {
    struct llama_sampler *stage[LISTED_STAGES];
    char letter[LISTED_STAGES + 1];
    size_t n;
};

static inline void listed_add(struct listed_chain *c, char letter,
                              struct llama_sampler *s)
{
    c->letter[c->n] = letter;
    c->stage[c->n++] = s;
}

static inline struct llama_sampler *listed_dry(const struct listed_values *v,
                                               const struct llama_vocab *vocab)
{
    static const char *breakers[] = { "\n", ":", "\"", "*" };

    return llama_sampler_init_dry(vocab, v->dry_multiplier, v->dry_base,
                                  v->dry_allowed_length, v->dry_penalty_last_n,
                                  breakers, vocab ? 4 : 0);
}

static inline bool listed_penalties_off(const struct listed_values *v)
{
    return v->repeat_last_n <= 0 ||
           (v->repeat_penalty == 1 && v->frequency_penalty == 0 &&
            v->presence_penalty == 0);
}

/* One listed sampler, unless llama.cpp would make an empty one. */
static inline void listed_add_letter(struct listed_chain *c, char letter,
                                     const struct listed *s,
                                     const struct llama_vocab *vocab)
{
    const struct listed_values *v = &s->v;
    const size_t keep = (size_t)v->min_keep;

    if (letter == 'k' && v->top_k > 0)
        listed_add(c, letter, llama_sampler_init_top_k(v->top_k));
    if (letter == 'y' && v->typical_p < 1)
        listed_add(c, letter, llama_sampler_init_typical(v->typical_p, keep));
    if (letter == 'p' && v->top_p < 1)
        listed_add(c, letter, llama_sampler_init_top_p(v->top_p, keep));
    if (letter == 'm' && v->min_p > 0)
        listed_add(c, letter, llama_sampler_init_min_p(v->min_p, keep));
    if (letter == 's' && v->top_n_sigma > 0)
        listed_add(c, letter, llama_sampler_init_top_n_sigma(v->top_n_sigma));
    if (letter == 'x' && v->xtc_probability > 0 && v->xtc_threshold <= 0.5f)
        listed_add(c, letter,
                   llama_sampler_init_xtc(v->xtc_probability, v->xtc_threshold,
                                          keep, s->seed));
    if (letter == 't' && (v->temperature != 1 || v->dynatemp_range > 0))
        listed_add(c, letter,
                   llama_sampler_init_temp_ext(v->temperature,
                                               v->dynatemp_range,
                                               v->dynatemp_exponent));
    if (letter == 'e' && !listed_penalties_off(v))
        listed_add(c, letter,
                   llama_sampler_init_penalties(
                       (int32_t)s->n, v->repeat_last_n, v->repeat_penalty,
                       v->frequency_penalty, v->presence_penalty));
    if (letter == 'd' && v->dry_multiplier != 0 && v->dry_base >= 1 &&
        v->dry_penalty_last_n > 0)
        listed_add(c, letter, listed_dry(v, vocab));
    if (letter == 'i')
        listed_add(c, letter, llama_sampler_init_infill(vocab));
}

static inline void listed_chain_make(struct listed_chain *c,
                                     const struct listed *s,
                                     const struct llama_vocab *vocab)
{
    const struct listed_values *v = &s->v;

    memset(c, 0, sizeof(*c));
    if (v->mirostat) {
        if (v->temperature != 1)
            listed_add(c, 't', llama_sampler_init_temp(v->temperature));
        listed_add(c, '1',
                   v->mirostat == 1
                       ? llama_sampler_init_mirostat((int32_t)s->n, s->seed,
                                                     v->mirostat_tau,
                                                     v->mirostat_eta, 100)
                       : llama_sampler_init_mirostat_v2(
                             s->seed, v->mirostat_tau, v->mirostat_eta));
        return;
    }
    for (const char *l = s->list; *l; l++)
        if (*l != 'a')
            listed_add_letter(c, *l, s, vocab);
    if (strchr(s->list, 'a'))
        listed_add(c, 'a',
                   llama_sampler_init_adaptive_p(v->adaptive_target,
                                                 v->adaptive_decay, s->seed));
    else
        listed_add(c, '0', llama_sampler_init_dist(s->seed));
}

static inline void listed_chain_free(struct listed_chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        llama_sampler_free(c->stage[i]);
}

/* ---- names --------------------------------------------------------------- */

static inline const char *listed_name(char letter)
{
    switch (letter) {
    case 'k':
        return "top_k";
    case 'y':
        return "typ_p";
    case 'p':
        return "top_p";
    case 'm':
        return "min_p";
    case 's':
        return "top_n_sigma";
    case 'x':
        return "xtc";
    case 't':
        return "temperature";
    case 'e':
        return "penalties";
    case 'd':
        return "dry";
    case 'i':
        return "infill";
    default:
        return "adaptive_p";
    }
}

#endif /* TESTS_LISTED_H */
