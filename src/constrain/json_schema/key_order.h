/*
 * key_order.h - the orders in which the keys of an object may stand
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KEY_ORDER_H
#define SRT_KEY_ORDER_H

#include "constrain/json_schema/frame.h"

/* The orders of a duty with a diagram, once its names are declared.  known:
 * indices + 1 of names. */
bool srt_key_order_make(struct srt_js *js, srt_dd duty, srt_dd diagram,
                        struct srt_object_table *t, struct srt_pool *known);

/* The place of a key in an order: that of a declared name, or behind all. */
SRT_INLINE uint32_t srt_key_order_place(const struct srt_object_table *t,
                                        uint32_t order, uint32_t what)
{
    if (what >= t->n_declared)
        return t->n_declared;
    return t->order[order].place ? t->order[order].place[what] : what;
}

/* The name at a place. */
SRT_INLINE uint32_t srt_key_order_name(const struct srt_object_table *t,
                                       uint32_t order, uint32_t place)
{
    return t->order[order].name ? t->order[order].name[place] : place;
}

#endif /* SRT_KEY_ORDER_H */
