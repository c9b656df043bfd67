/*
 * explore.c - whether characters may follow whichever they are
 *
 * All of them are run beside the machine at once, as pairs of a state and a
 * part of UTF-8.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/walk.h"

enum { EXPLORE_PAIRS = 96 };

/* Pairs of a state and a part of a character that were met. */
struct explore_pairs {
    struct {
        uint32_t state, part;
    } pair[EXPLORE_PAIRS];
    size_t n;
    srt_kinds kinds; /* of the characters */
    uint32_t stays;  /* the only state between two of them; 0: any */
};

/* false: too many, or dead. */
static bool explore_meet(struct explore_pairs *pairs, uint32_t state,
                         uint32_t part)
{
    for (size_t i = 0; i < pairs->n; i++)
        if (pairs->pair[i].state == state && pairs->pair[i].part == part)
            return true;
    if (state == SRT_DEAD || pairs->n == EXPLORE_PAIRS ||
        (part == 0 && pairs->stays && state != pairs->stays))
        return false;
    pairs->pair[pairs->n].state = state;
    pairs->pair[pairs->n++].part = part;
    return true;
}

/* The bytes from first to last of a pair's state, to pairs in part `then`. */
static sortes_status explore_follow(struct srt_cursor *cursor,
                                    struct explore_pairs *pairs, size_t i,
                                    const struct srt_utf8_step *step,
                                    bool *covers)
{
    const struct srt_machine *m = cursor->cache->machine;
    bool asked[256] = { false };

    for (unsigned byte = step->first; *covers && byte <= step->last; byte++) {
        const uint8_t class_of = m->class_of[byte];
        uint32_t next;
        sortes_status status;

        if (asked[class_of] || !srt_alphabet_has(&m->alphabet, (uint8_t)byte) ||
            (pairs->pair[i].part == 0 &&
             !(srt_kind_of((uint8_t)byte) & pairs->kinds)))
            continue;
        asked[class_of] = true;
        status =
            srt_cursor_step(cursor, pairs->pair[i].state, (uint8_t)byte, &next);
        if (status != SORTES_OK)
            return status;
        *covers = explore_meet(pairs, next, step->then);
    }
    return SORTES_OK;
}

sortes_status srt_explore(struct srt_cursor *cursor, uint32_t state,
                          srt_kinds kinds, bool stays, bool *covers)
{
    struct explore_pairs pairs = { .kinds = kinds, .stays = stays ? state : 0 };
    sortes_status status = SORTES_OK;

    *covers = explore_meet(&pairs, state, 0);
    for (size_t i = 0; *covers && status == SORTES_OK && i < pairs.n; i++) {
        size_t n;
        const struct srt_utf8_step *step =
            srt_utf8_steps(pairs.pair[i].part, &n);

        for (size_t k = 0; *covers && status == SORTES_OK && k < n; k++)
            status = explore_follow(cursor, &pairs, i, &step[k], covers);
    }
    return status;
}
