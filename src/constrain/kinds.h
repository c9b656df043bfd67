/*
 * kinds.h - kinds of characters, and which of them occur below the nodes of a
 * tree
 *
 * Where a machine stays in a state whatever characters of some kinds come, a
 * subtree that has no others need not be walked.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KINDS_H
#define SRT_KINDS_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of kinds, a bit each. */
typedef uint64_t srt_kinds;
#define SRT_KINDS_OTHER                                                        \
    (UINT64_C(1) << 63) /* controls, quotes, backslash,                        \
                           what is no UTF-8 */

/* Of what lies below a node: a token ends inside a character. */
#define SRT_KINDS_TORN (UINT64_C(1) << 62)

/* The kind of a character's first byte. */
srt_kinds srt_kind_of(uint8_t byte);
/* Those of the characters from first to last, without OTHER. */
srt_kinds srt_kinds_of(uint32_t first, uint32_t last);

/*
 * UTF-8 by parts (RFC 3629, section 4): part 0 is between two characters.
 * Bytes from first to last lead to part `then`.
 */
struct srt_utf8_step {
    uint8_t first, last, then;
};
enum { SRT_UTF8_PARTS = 8 };
/* The steps of a part; *n of them. */
const struct srt_utf8_step *srt_utf8_steps(uint32_t part, size_t *n);

struct srt_tree_node;

/* Nodes with fewer below them, themselves included, have no entry. */
enum { SRT_KINDS_NODES = 8 };

/* What lies strictly below a node. */
struct srt_kinds_entry {
    srt_kinds kinds;     /* of all bytes; inside a character: OTHER too */
    uint32_t first, end; /* the tokens, in srt_kinds_below's list */
};

struct srt_kinds_below {
    uint64_t *has;  /* bit i: node i has an entry */
    uint32_t *rank; /* entries before those of has[i] */
    struct srt_kinds_entry *entry;
    int32_t *token; /* of all nodes, in their order */
    size_t n_bytes;
};

/* false: no memory; srt_kinds_free is due either way. */
bool srt_kinds_find(struct srt_kinds_below *k, const struct srt_tree_node *node,
                    uint32_t n);
void srt_kinds_free(struct srt_kinds_below *k);

/* Of a node with an entry. */
SRT_INLINE const struct srt_kinds_entry *
srt_kinds_at(const struct srt_kinds_below *k, uint32_t node)
{
    const uint64_t before =
        k->has[node / 64] & ((UINT64_C(1) << node % 64) - 1);

    return &k->entry[k->rank[node / 64] + srt_popcount64(before)];
}

#endif /* SRT_KINDS_H */
