/*
 * slot.c - what comes of the values that a place can have
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include <stdlib.h>
#include <string.h>

uint32_t srt_slot_outcome(struct srt_js *js, struct srt_ids *next,
                          uint32_t state)
{
    sortes_status status;

    for (size_t i = 0; i < next->n; i++)
        if (next->at[i] == state)
            return (uint32_t)i + 1;
    if (next->n + 2 >= SRT_DD_TERMINALS)
        return srt_js_fail(js, SORTES_E_LIMIT);
    status = srt_ids_add(next, state);
    return status == SORTES_OK ? (uint32_t)next->n : srt_js_fail(js, status);
}

bool srt_slot_fill(struct srt_js *js, struct srt_place_slot *slot, srt_dd duty,
                   struct srt_ids *next)
{
    slot->duty = duty;
    slot->n_next = (uint32_t)next->n;
    slot->next = srt_js_take(js, next->n, sizeof(*slot->next));
    if (slot->next && next->n)
        memcpy(slot->next, next->at, next->n * sizeof(*slot->next));
    free(next->at);
    slot->made = srt_js_ok(js);
    return slot->made;
}
