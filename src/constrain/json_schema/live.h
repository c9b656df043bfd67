/*
 * live.h - what live.c and live_array.c share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_LIVE_H
#define SRT_JS_LIVE_H

#include "constrain/json_schema/frame.h"

/* Whether something of that depth does; sets js->cut where a "no" is due to the
 * depth. */
typedef bool srt_alive_attempt(struct srt_js *js, uint32_t what,
                               uint32_t depth);

/* Tries depths upwards, from the first that is not known. */
bool srt_alive_climb(struct srt_js *js, struct srt_life *life, uint32_t what,
                     uint32_t depth, srt_alive_attempt *attempt);

#endif /* SRT_JS_LIVE_H */
