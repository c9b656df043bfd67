/*
 * rivals.c - items that have come, and that the one being written may still
 * become
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/rivals.h"

#include "constrain/grow.h"
#include "constrain/json/values.h"

#include <string.h>

/* The nodes of a trail, lowest first, from the outermost array whose items must
 * differ. */
struct rival_nodes {
    const struct srt_key_node **at, *space[64];
    size_t n;
};

static bool rival_is_mark(const struct srt_key_node *k)
{
    return k->kind == SRT_KEY_OBJECT || k->kind == SRT_KEY_ARRAY;
}

static sortes_status rival_collect(const struct srt_key_node *top,
                                   struct rival_nodes *nodes)
{
    size_t n = 0, i;

    for (const struct srt_key_node *k = top; k && k->mark && k->mark->keeps;
         k = k->below)
        n++;
    nodes->n = n;
    nodes->at = nodes->space;
    if (n > SRT_COUNT(nodes->space))
        nodes->at = malloc(n * sizeof(*nodes->at));
    if (!nodes->at)
        return SORTES_E_NOMEM;
    i = n;
    for (const struct srt_key_node *k = top; i > 0; k = k->below)
        nodes->at[--i] = k;
    return SORTES_OK;
}

static void rival_free(struct rival_nodes *nodes)
{
    if (nodes->at != nodes->space)
        free(nodes->at);
}

/* A container of a value beside one that is being written. */
struct rival_match {
    const struct rival_nodes *nodes;
    size_t at;         /* node */
    const char *value; /* what is there in the other one; NULL: nothing */
};

/* The items above an array's mark. */
static bool rival_items(struct rival_match *m, struct srt_rival *r)
{
    r->next = srt_value_next(r->inside, NULL);
    for (; m->at < m->nodes->n; m->at++) {
        const struct srt_key_node *k = m->nodes->at[m->at];

        if (!r->next)
            return false;
        if (k->kind != SRT_KEY_VALUE)
            break;
        if (!srt_value_equal(k->bytes, r->next))
            return false;
        r->next = srt_value_next(r->inside, r->next);
    }
    m->value = r->next;
    return true;
}

/* The members above an object's mark. */
static bool rival_members(struct rival_match *m, struct srt_rival *r)
{
    r->next = NULL;
    for (; m->at < m->nodes->n; m->at++) {
        const struct srt_key_node *k = m->nodes->at[m->at];

        if (k->kind == SRT_KEY_USED) {
            r->next = srt_value_member(r->inside, k->bytes, k->n);
            if (!r->next)
                return false;
        } else if (k->kind == SRT_KEY_VALUE) {
            if (!srt_value_equal(k->bytes, r->next))
                return false;
            r->next = NULL;
        } else {
            break;
        }
    }
    m->value = r->next;
    return true;
}

/* Whether an item that is complete begins like the nodes from m->at on. */
static bool rival_matches(struct rival_match *m, struct srt_rival *r)
{
    r->inside = NULL;
    r->next = m->value;
    while (m->at < m->nodes->n) {
        const bool object = m->nodes->at[m->at]->kind == SRT_KEY_OBJECT;

        if (m->value[0] != (object ? SRT_VALUE_OBJECT : SRT_VALUE_ARRAY))
            return false;
        m->at++;
        r->inside = m->value;
        if (!(object ? rival_members(m, r) : rival_items(m, r)))
            return false;
    }
    return true;
}

static sortes_status rival_add(struct srt_rivals *list,
                               const struct srt_rival *r)
{
    void *at = list->at;
    const sortes_status status =
        srt_grow_from(list->space, SRT_COUNT(list->space), &at, &list->room,
                      list->n + 1, sizeof(*r));

    list->at = at;
    if (status == SORTES_OK)
        list->at[list->n++] = *r;
    return status;
}

void srt_rivals_free(struct srt_rivals *list)
{
    if (list->at != list->space)
        free(list->at);
}

/* The items above the mark nodes[mark]; list NULL: whether there is one. */
static sortes_status rival_level(const struct rival_nodes *nodes, size_t mark,
                                 bool begins, struct srt_rivals *list,
                                 bool *any)
{
    size_t end = mark + 1;

    while (end < nodes->n && nodes->at[end]->kind == SRT_KEY_VALUE)
        end++;
    if (end == nodes->n && !begins)
        return SORTES_OK;
    for (size_t i = mark + 1; i < end; i++) {
        struct rival_match m = { nodes, end, nodes->at[i]->bytes };
        struct srt_rival r;
        sortes_status status;

        if (!rival_matches(&m, &r))
            continue;
        *any = true;
        if (!list)
            return SORTES_OK;
        status = rival_add(list, &r);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

static sortes_status rival_levels(const struct srt_key_node *top, bool begins,
                                  struct srt_rivals *list, bool *any)
{
    struct rival_nodes nodes;
    sortes_status status = rival_collect(top, &nodes);

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < nodes.n && status == SORTES_OK && (list || !*any);
         i++)
        if (rival_is_mark(nodes.at[i]) && nodes.at[i]->unique)
            status = rival_level(&nodes, i, begins, list, any);
    rival_free(&nodes);
    return status;
}

bool srt_rivals_any(const struct srt_key_node *top, bool begins,
                    sortes_status *status)
{
    bool any = false;

    *status = rival_levels(top, begins, NULL, &any);
    return any;
}

sortes_status srt_rivals_find(const struct srt_key_node *top, bool begins,
                              struct srt_rivals *list)
{
    bool any = false;

    list->n = 0;
    return rival_levels(top, begins, list, &any);
}
