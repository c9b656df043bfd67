/*
 * keys.h - the keys that the open objects of a text have so far: a trail
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KEYS_H
#define SRT_KEYS_H

#include "constrain/cache.h"

/* What a byte does to the keys. */
enum srt_key_event {
    SRT_KEY_NOTHING,
    SRT_KEY_OPEN_OBJECT,
    SRT_KEY_CLOSE_OBJECT,
    SRT_KEY_BEGIN, /* the quote that opens a key */
    SRT_KEY_BODY,  /* a byte between its quotes */
    SRT_KEY_END,   /* the quote that closes it */
    /* Items that must differ are keys of their array; numbers among them have
     * no quotes. */
    SRT_KEY_FIRST,    /* a number's first byte */
    SRT_KEY_WHOLE,    /* and no other will change its value */
    SRT_KEY_LAST,     /* a byte behind which the same holds */
    SRT_KEY_END_CLOSE /* its array's bracket right behind it */
};

/* Which event the byte between two states is. */
typedef enum srt_key_event srt_key_event_of(const struct srt_machine *m,
                                            uint32_t from, uint32_t to);

/* machine.h: follow and forbid, for a machine whose events are known.  in_key:
 * the state lies between the quotes of a key. */
sortes_status srt_keys_follow(const struct srt_machine *m,
                              srt_key_event_of *event_of,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok);

/* A mask whose tokens are looked at. */
struct srt_key_mask {
    const struct srt_machine *machine;
    srt_key_event_of *event_of;
    struct srt_cursor *cursor;
    uint32_t state;
    bool in_key;
    uint32_t *words;
};

/* Clears a token if following it fails. */
sortes_status srt_keys_try(const struct srt_key_mask *mask,
                           const struct srt_trail *trail, int32_t token);

sortes_status srt_keys_forbid(const struct srt_key_mask *mask,
                              const struct srt_trail *trail);

#endif /* SRT_KEYS_H */
