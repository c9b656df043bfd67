/*
 * rules.c - from nodes to the automata of the rules
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"

#include <string.h>

static int rules_compare(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

static sortes_status rules_list_tokens(struct srt_rules *r)
{
    sortes_status status = SORTES_OK;
    size_t kept = 0;

    for (size_t i = 0; i < r->n_states; i++)
        for (uint32_t e = r->states[i].edge[2];
             e < r->states[i].edge[3] && status == SORTES_OK; e++)
            status = srt_ids_add(&r->tokens,
                                 r->edges[e].label & ~SRT_RULE_TOKEN_NOT);
    if (r->tokens.n)
        qsort(r->tokens.at, r->tokens.n, sizeof(*r->tokens.at), rules_compare);
    for (size_t i = 0; i < r->tokens.n; i++)
        if (i == 0 || r->tokens.at[i] != r->tokens.at[kept - 1])
            r->tokens.at[kept++] = r->tokens.at[i];
    r->tokens.n = kept;
    return status;
}

sortes_status srt_rules_build(struct srt_rules *to, const struct srt_gbnf *g,
                              const struct srt_alphabet *alphabet,
                              const sortes_vocab *v, struct srt_timer *timer,
                              sortes_error *err)
{
    struct srt_draft_rules d;
    sortes_status status;

    memset(to, 0, sizeof(*to));
    status = srt_rules_draft(&d, g, v, timer, err);
    if (status != SORTES_OK) {
        srt_rules_draft_free(&d);
        return status;
    }
    status = srt_rules_close(to, &d);
    srt_rules_draft_free(&d);
    if (status == SORTES_OK && alphabet)
        status = srt_rules_trim(to, alphabet, timer);
    if (status == SORTES_OK)
        status = srt_rules_tie(to);
    if (status == SORTES_OK)
        status = rules_list_tokens(to);
    if (status != SORTES_OK) {
        srt_rules_free(to);
        return srt_gbnf_fail_limit(timer, err, status,
                                   "the rules take too many edges");
    }
    return SORTES_OK;
}

void srt_rules_free(struct srt_rules *r)
{
    free(r->states);
    free(r->edges);
    free(r->rules);
    free(r->knots);
    free(r->by_knot);
    free(r->lifts);
    free(r->tokens.at);
    memset(r, 0, sizeof(*r));
}
