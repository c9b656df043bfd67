/*
 * tree.h - the prefix tree of a vocabulary's tokens
 *
 * Nodes lie in depth-first order, 8 bytes each: a walk reads memory forwards,
 * and leaves a subtree out by adding its size.  Tokens of the same bytes share
 * a node; the extra ones are listed apart.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TREE_H
#define SRT_TREE_H

#include "constrain/alphabet.h"
#include "constrain/kinds.h"
#include "vocab.h"

/* Tokens as a mask: a bit each. */
SRT_INLINE void srt_bit_set(uint32_t *words, int32_t token)
{
    words[(uint32_t)token / 32] |= (uint32_t)1 << (uint32_t)token % 32;
}

SRT_INLINE void srt_bit_clear(uint32_t *words, int32_t token)
{
    words[(uint32_t)token / 32] &= ~((uint32_t)1 << (uint32_t)token % 32);
}

SRT_INLINE bool srt_bit_get(const uint32_t *words, int32_t token)
{
    return words[(uint32_t)token / 32] >> (uint32_t)token % 32 & 1;
}

/* Longer tokens are kept out of the nodes, in `odd`. */
enum { SRT_TREE_DEPTH = 250 };

struct srt_tree_node {
    uint32_t token_byte; /* byte | (token + 1) << 8; 0 << 8: no token ends */
    uint32_t size_up;    /* nodes of the subtree << 8 | levels to go up, this
                            one included, to the parent of what follows it */
};

SRT_INLINE uint8_t srt_node_byte(const struct srt_tree_node *n)
{
    return (uint8_t)n->token_byte;
}

/* -1: no token ends here. */
SRT_INLINE int32_t srt_node_token(const struct srt_tree_node *n)
{
    return (int32_t)(n->token_byte >> 8) - 1;
}

SRT_INLINE uint32_t srt_node_size(const struct srt_tree_node *n)
{
    return n->size_up >> 8;
}

SRT_INLINE uint32_t srt_node_up(const struct srt_tree_node *n)
{
    return n->size_up & 255;
}

struct srt_tree_nodes {
    struct srt_tree_node *node;
    uint32_t n;
    /* Where the tokens with this first byte begin, and behind a space those
     * with this second one; n: there is none.  These two nodes have hundreds of
     * children, far apart, of which a state asks for few. */
    uint32_t first[256], spaced[256];
    uint32_t size[256]; /* nodes below both */
};

/* Tokens that a check of JSON keys must look at one by one. */
struct srt_tree_quoted {
    int32_t token;
    uint32_t next; /* past those of its kind that begin with the same byte */
    uint8_t begins;
    uint8_t n_quotes; /* up to 255 */
    bool backslash;
    bool opens;   /* a key alone, and goes on in it */
    bool plain;   /* two quotes, no backslash: see `written` */
    bool escaped; /* none but quotes behind a backslash of their own */
};

/* What stands between the two quotes of a token that has no others. */
struct srt_tree_written {
    uint32_t hash; /* srt_tree_hash */
    int32_t token;
};

SRT_INLINE uint32_t srt_tree_hash(const char *bytes, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)bytes[i]) * 16777619u;
    return h;
}

/* The kind that a text begins with; TORN: none, it is empty. */
SRT_INLINE srt_kinds srt_tree_begins(const char *bytes, size_t n)
{
    return n ? srt_kind_of((uint8_t)bytes[0]) : SRT_KINDS_TORN;
}

/* Immutable, and kept by the vocab it was made from. */
struct srt_tree {
    struct srt_shared shared;  /* first */
    const sortes_vocab *vocab; /* not held: it holds the tree */
    bool literal;
    size_t n_tokens, n_words; /* words of a mask */
    uint32_t longest;         /* bytes of a token */
    uint32_t *has;            /* the tokens that match by their bytes */

    struct srt_tree_nodes all;
    struct srt_kinds_below kinds; /* of its nodes */
    /* The tokens that are whole characters of a JSON string body (without DEL,
     * which many grammars leave out), as a mask,
     * the most characters that one of them has, and the tree of the rest. */
    uint32_t *string_words;
    uint32_t string_chars;
    int32_t *by_chars; /* those tokens, the longest first */
    uint32_t *longer;  /* [c]: how many have more than c characters */
    struct srt_tree_nodes rest;
    /* The same without the characters of a string that its tokens begin with:
     * the tokens of a node are tails, tail i stands for the tokens
     * tail_token[tail_first[i] .. tail_first[i + 1] - 1]. */
    struct srt_tree_nodes tails;
    uint32_t *tail_first;
    int32_t *tail_token;
    uint32_t n_tails;

    /* What of tokens may follow the end of a JSON value, from a comma, brace or
     * bracket on: strings, numbered, and their tree. */
    struct srt_tree_nodes follows;
    uint32_t n_follows;
    bool follows_all; /* none was left out for its length */

    /* Of the tokens with a quote: no other closes a key or string. */
    struct srt_tree_nodes closers;
    /* As a mask: those, the ones that are too long for nodes, and end tokens:
     * all that may depend on what lies around a string. */
    uint32_t *apart_words;
    uint32_t *apart_at; /* which words are not 0 */
    uint32_t n_apart_at;

    int32_t (*same)[2]; /* a token of the tree, another with its bytes */
    size_t n_same;
    int32_t *odd; /* tokens that are too long for nodes */
    size_t n_odd;
    int32_t *ends; /* end tokens */
    size_t n_ends;
    /* Three quotes, or one and a backslash; then those whose quotes are
     * escaped; then those that are plain; then those that open a key.  Each
     * kind by first bytes. */
    struct srt_tree_quoted *quoted;
    size_t n_tangled, n_escaped, n_plain, n_quoted; /* where each ends */
    struct srt_tree_written *written; /* of those that are plain, ascending */
    size_t n_written;
    uint8_t written_bits[512]; /* hashes that occur, by their low 12 bits */
    srt_kinds written_begins;  /* kinds that what is written begins with */
    int32_t *listed;           /* a comma that something but blanks follows */
    size_t n_listed;

    struct srt_alphabet alphabet; /* of the tokens of one byte */
    size_t n_bytes;               /* of memory */
};

/*
 * The vocab's tree, made on first use; the vocab keeps it as long as it lives.
 * literal: special tokens too, by their spelling, and every byte; without the
 * tokens that begin with NUL.  Otherwise: no special tokens, and none with a
 * byte outside the alphabet.
 */
sortes_status srt_tree_of(const struct srt_tree **out, sortes_vocab *v,
                          bool literal);

/* false: no token has that hash in `written`. */
SRT_INLINE bool srt_tree_may_write(const struct srt_tree *t, uint32_t hash)
{
    return t->written_bits[hash / 8 % 512] >> hash % 8 & 1;
}

/* Whether a token matches by its bytes at all. */
SRT_INLINE bool srt_tree_has(const struct srt_tree *t, int32_t token)
{
    return srt_bit_get(t->has, token);
}

#endif /* SRT_TREE_H */
