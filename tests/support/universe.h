/*
 * universe.h - every JSON text over a few pieces, and what a grammar says of
 * each and of all that they begin with
 *
 * The pieces are { } [ ] , : "a" "b" "\u0061" 0 1 1.0 true; no number is put
 * together of two, and no key is in an object twice.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_UNIVERSE_H
#define SUPPORT_UNIVERSE_H

#include "json/json.h"

struct universe_node; /* a text, or what one begins with */

struct universe {
    struct universe_node *nodes;
    size_t n_nodes, room;
    char **texts; /* whole ones, shorter ones not first */
    size_t n_texts, text_room;
};

/* All texts of at most n_pieces. */
void universe_make(struct universe *u, size_t n_pieces);
void universe_free(struct universe *u);

/*
 * A text that is not in the universe and was come by on the way: whether it is
 * judged as the grammar judged it.
 */
typedef bool universe_judge(void *ctx, const char *text, bool accepted);

struct universe_question {
    sortes_matcher *matcher; /* at its beginning */
    const uint8_t *verdict;  /* of each text */
    bool only_some;          /* the matcher may refuse more than that */
    size_t n_proofs;         /* dead ends to look for, at most */
    universe_judge *judge;
    void *ctx;
};

/*
 * Goes through all texts, piece by piece.  What begins a text that is to be
 * accepted can come; what can come and begins none is completed, and judged;
 * texts are accepted as their verdict says.  NULL, or what is wrong;
 * universe_limit: the matcher came to a limit, and was right so far.
 */
extern const char universe_limit[];
const char *universe_ask(const struct universe *u,
                         const struct universe_question *q);

#endif /* SUPPORT_UNIVERSE_H */
