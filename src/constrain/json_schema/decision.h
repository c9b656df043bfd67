/*
 * decision.h - decision diagrams: what is allowed, as a function of yes/no
 * questions
 *
 * A diagram asks one variable at each node, in ascending order, and ends in a
 * terminal.  Nodes are made once: equal functions are equal numbers.  Terminal
 * 0 is "not allowed"; functions with terminals 0 and 1 are truth values, others
 * say which of several outcomes comes.
 *
 * Failures stick: after one, results are 0 until the caller has taken the
 * status.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DECISION_H
#define SRT_DECISION_H

#include "constrain/pool.h"

typedef uint32_t srt_dd;

#define SRT_DD_FALSE     ((srt_dd)0)
#define SRT_DD_TRUE      ((srt_dd)1)
#define SRT_DD_TERMINALS ((srt_dd)1 << 16) /* from here on, nodes */

struct srt_dd_node {
    uint32_t variable;
    srt_dd low, high; /* where the answer is no, yes */
};

struct srt_decisions {
    struct srt_pool nodes; /* payload: stamp of the last walk over it */
    struct srt_dd_memo *memo;
    sortes_status status;
    unsigned depth; /* of the running recursion */
    uint64_t stamp; /* of the last walk over nodes */
};

sortes_status srt_decisions_init(struct srt_decisions *d, size_t limit,
                                 size_t byte_limit);
void srt_decisions_clear(struct srt_decisions *d);

SRT_INLINE bool srt_dd_is_terminal(srt_dd f)
{
    return f < SRT_DD_TERMINALS;
}

SRT_INLINE const struct srt_dd_node *srt_dd_at(const struct srt_decisions *d,
                                               srt_dd f)
{
    return srt_pool_key(&d->nodes, f - SRT_DD_TERMINALS, NULL);
}

/* A node; low == high: that. Variables below are greater ones. */
srt_dd srt_dd_make(struct srt_decisions *d, uint32_t variable, srt_dd low,
                   srt_dd high);

/* f ? g : h; f is a truth value, g and h may have any terminals. */
srt_dd srt_dd_if(struct srt_decisions *d, srt_dd f, srt_dd g, srt_dd h);

SRT_INLINE srt_dd srt_dd_variable(struct srt_decisions *d, uint32_t variable)
{
    return srt_dd_make(d, variable, SRT_DD_FALSE, SRT_DD_TRUE);
}
SRT_INLINE srt_dd srt_dd_not(struct srt_decisions *d, srt_dd f)
{
    return srt_dd_if(d, f, SRT_DD_FALSE, SRT_DD_TRUE);
}
SRT_INLINE srt_dd srt_dd_and(struct srt_decisions *d, srt_dd f, srt_dd g)
{
    return srt_dd_if(d, f, g, SRT_DD_FALSE);
}
SRT_INLINE srt_dd srt_dd_or(struct srt_decisions *d, srt_dd f, srt_dd g)
{
    return srt_dd_if(d, f, SRT_DD_TRUE, g);
}

/* f, once the answer to a variable is known. */
srt_dd srt_dd_given(struct srt_decisions *d, srt_dd f, uint32_t variable,
                    bool answer);

/* f, once the answer to each of n variables, ascending, is no: one walk. */
srt_dd srt_dd_without(struct srt_decisions *d, srt_dd f,
                      const uint32_t *variable, size_t n);

/* Where f ends in terminal t, as a truth value. */
srt_dd srt_dd_is(struct srt_decisions *d, srt_dd f, uint32_t t);

/* The variables that f asks, ascending; *variables is malloc()ed. */
sortes_status srt_dd_variables(struct srt_decisions *d, srt_dd f,
                               uint32_t **variables, size_t *n);

/* The terminal that f ends in, asking the caller; answer NULL: no. */
uint32_t srt_dd_ask(const struct srt_decisions *d, srt_dd f,
                    bool (*answer)(void *ctx, uint32_t variable), void *ctx);

#endif /* SRT_DECISION_H */
