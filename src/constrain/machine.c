/*
 * machine.c - what every machine begins and ends with
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/machine.h"

void srt_machine_init(struct srt_machine *m,
                      const struct srt_machine_type *type,
                      void (*destroy)(struct srt_shared *),
                      const struct srt_alphabet *alphabet)
{
    srt_shared_init(&m->shared, destroy);
    srt_lock_init(&m->lock);
    m->type = type;
    m->alphabet = *alphabet;
    m->n_classes = 256;
    for (int byte = 0; byte < 256; byte++)
        m->class_of[byte] = (uint8_t)byte;
    m->literal = false;
}

void srt_machine_clear(struct srt_machine *m)
{
    srt_lock_destroy(&m->lock);
}

sortes_status srt_machine_empty(const char *kind, int missing,
                                sortes_error *err)
{
    if (missing < 0)
        return srt_fail(err, SORTES_E_EMPTY, 0, "%s: no text satisfies it",
                        kind);
    return srt_fail(err, SORTES_E_EMPTY, 0,
                    "%s: the vocabulary has no token for the byte 0x%02X "
                    "alone, and no text does without it",
                    kind, (unsigned)missing);
}

sortes_status srt_machine_no_room(const char *kind, sortes_status status,
                                  sortes_error *err)
{
    return srt_fail(err, status, 0,
                    status == SORTES_E_LIMIT
                        ? "%s: no room for its states (max_states, "
                          "max_state_bytes)"
                        : "%s: no memory",
                    kind);
}
