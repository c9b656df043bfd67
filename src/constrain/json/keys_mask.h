/*
 * keys_mask.h - what keys_mask.c and keys_suspects.c share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KEYS_MASK_H
#define SRT_KEYS_MASK_H

#include "constrain/json/keys.h"

/* Clears a token if following it fails. */
sortes_status srt_key_try(const struct srt_key_mask *mask,
                          const struct srt_trail *trail, int32_t token);

/* Clears those that begin and complete what must not be repeated: as far as
 * they have to be listed, and (plain ones) in the spelling of a key that has
 * come, in any open object. */
sortes_status srt_keys_forbid_suspects(const struct srt_key_mask *mask,
                                       const struct srt_trail *trail);
sortes_status srt_keys_forbid_written(const struct srt_key_mask *mask,
                                      const struct srt_trail *trail);

#endif /* SRT_KEYS_MASK_H */
