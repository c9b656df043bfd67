/*
 * fuzz_walk.h - a machine keeps its promise: a live state has a way to its end
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_FUZZ_WALK_H
#define SORTES_FUZZ_WALK_H

#include "constrain/language.h"
#include "fuzz.h"

/* A few bytes of a text, by chance; exact: a state that is no end must go on
 * by some byte. */
static inline void fuzz_walk(struct srt_machine *m, bool exact, uint32_t choice)
{
    uint32_t state = m->start;

    for (int i = 0; i < 8; i++) {
        uint32_t last = SRT_DEAD;
        bool limit = false;

        for (unsigned byte = 0; byte < 256; byte++) {
            uint32_t next;
            const sortes_status status =
                m->type->step(m, state, (uint8_t)byte, &next);

            limit |= status != SORTES_OK;
            if (status != SORTES_OK || next == SRT_DEAD)
                continue;
            choice = choice * 1664525 + 1013904223;
            if (last == SRT_DEAD || choice >> 29 == 0)
                last = next;
        }
        if (last == SRT_DEAD) {
            check(!exact || limit || m->type->accepts(m, state));
            return;
        }
        state = last;
    }
}

#endif /* SORTES_FUZZ_WALK_H */
