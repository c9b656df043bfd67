/*
 * keys.h - what must not come twice in a text: a trail of keys and items
 *
 * A trail is a chain of nodes that sequences share.  An object is a mark, and
 * above it the keys that it has so far.  An array whose items must differ is a
 * mark too, and above it its items, each in the form of values.h.  While such
 * an item is being written all its parts are kept: marks of its containers,
 * keys, values of what is complete; a container that closes becomes one value.
 * On top may lie the text of a key or scalar that is not complete.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KEYS_H
#define SRT_KEYS_H

#include "constrain/cache.h"

/* ---- what a byte does ---------------------------------------------------- */

enum srt_key_event {
    SRT_KEY_NOTHING,
    SRT_KEY_OPEN_OBJECT,
    SRT_KEY_OPEN_ARRAY,
    SRT_KEY_OPEN_UNIQUE, /* an array whose items must differ */
    SRT_KEY_CLOSE_OBJECT,
    SRT_KEY_CLOSE_ARRAY,
    SRT_KEY_BEGIN, /* the quote that opens a key */
    SRT_KEY_BODY,  /* a byte between its quotes, or those of a string */
    SRT_KEY_END,   /* the quote that closes it */
    SRT_KEY_STRING_BEGIN,
    SRT_KEY_STRING_END,
    SRT_KEY_DIGIT, /* a byte of a number, its first or not */
    SRT_KEY_NULL,  /* the last letter */
    SRT_KEY_FALSE,
    SRT_KEY_TRUE,
    SRT_KEY_EVENTS = 0xFF,
    SRT_KEY_ENDS_NUMBER = 0x100 /* beside one: a number ended before the byte */
};

/* ---- the trail ----------------------------------------------------------- */

enum srt_key_kind {
    SRT_KEY_OBJECT, /* marks */
    SRT_KEY_ARRAY,
    SRT_KEY_USED,  /* a key, decoded */
    SRT_KEY_VALUE, /* of a key or an item */
    SRT_KEY_PART   /* what is being written, as it stands */
};

enum srt_key_part {
    SRT_PART_NONE,
    SRT_PART_KEY,
    SRT_PART_STRING,
    SRT_PART_NUMBER
};

struct srt_key_node {
    struct srt_trail trail; /* first */
    uint8_t kind;
    uint8_t part;
    bool keeps;  /* of a mark: the values inside are kept */
    bool unique; /* of a mark: its items must differ */
    /* Some item may become one that has come: rivals.c finds which. */
    bool rivals;
    uint32_t hash;    /* of a key or value */
    uint32_t n_keys;  /* in the object, up to here */
    srt_kinds begins; /* kinds that keys begin with, of all open objects */
    struct srt_key_node *below;
    const struct srt_key_node *mark; /* the nearest, may be itself; or NULL */
    size_t n;
    char bytes[];
};

/* A trail on its way through bytes. */
struct srt_key_walk {
    struct srt_key_node *top; /* held; never a part */
    enum srt_key_part part;
    char *body; /* of the part */
    size_t n, room;
    char space[128];
};

sortes_status srt_key_walk_begin(struct srt_key_walk *w,
                                 const struct srt_trail *from);
/* Another one from the same place. */
sortes_status srt_key_walk_copy(struct srt_key_walk *w,
                                const struct srt_key_walk *from);
void srt_key_walk_end(struct srt_key_walk *w);
/* SORTES_E_NO_TOKEN: a repetition. */
sortes_status srt_key_walk_byte(struct srt_key_walk *w, unsigned event,
                                char byte);

/* ---- a machine's rules --------------------------------------------------- */

enum srt_key_verdict {
    SRT_KEYS_DEAD, /* what comes can only repeat */
    SRT_KEYS_ALIVE,
    SRT_KEYS_FREE /* nor will that change up to the next comma */
};

struct srt_key_rules {
    /* Which event the byte between two states is. */
    unsigned (*event_of)(const struct srt_machine *m, uint32_t from,
                         uint32_t to);
    /* Whether a text over a live state can be completed; NULL: it can.  Asked
     * where w->top->rivals, and behind the first key of an object. */
    sortes_status (*judge)(const struct srt_machine *m, uint32_t state,
                           const struct srt_key_walk *w,
                           enum srt_key_verdict *verdict);
    /* At least the bytes that lead nearer to a repetition from where the judge
     * says ALIVE: behind any other one it would say FREE.  NULL: all. */
    sortes_status (*near)(const struct srt_machine *m, uint32_t state,
                          const struct srt_key_walk *w,
                          struct srt_alphabet *bytes);
    /* Whether strings without number may always come of the key being written,
     * however it goes on: then nothing but its quote is to be looked at.  NULL:
     * they may. */
    bool (*any_key)(const struct srt_machine *m, uint32_t state);
    /* At least so many keys may come of it; UINT32_MAX: without number. */
    sortes_status (*keys_of)(const struct srt_machine *m, uint32_t state,
                             uint32_t *n);
    /* Whether a string that is no key is being written; NULL: not told. */
    bool (*in_string)(const struct srt_machine *m, uint32_t state);
    bool items;    /* some arrays' items must differ */
    bool keys_end; /* keys_of has a number somewhere */
};

/* The judge's verdict, where it is to be asked. */
SRT_INLINE sortes_status srt_keys_judge(const struct srt_key_rules *rules,
                                        const struct srt_machine *m,
                                        uint32_t state,
                                        const struct srt_key_walk *w,
                                        enum srt_key_verdict *verdict)
{
    *verdict = SRT_KEYS_FREE;
    if (!rules->judge || !w->top || (!w->top->rivals && w->top->n_keys == 0))
        return SORTES_OK;
    return rules->judge(m, state, w, verdict);
}

/* machine.h: follow. */
sortes_status srt_keys_follow(const struct srt_machine *m,
                              const struct srt_key_rules *rules,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok);

/* ---- keys_mask.c --------------------------------------------------------- */

/* A mask whose tokens are looked at. */
struct srt_key_mask {
    const struct srt_machine *machine;
    const struct srt_key_rules *rules;
    struct srt_cursor *cursor;
    uint32_t state;
    uint32_t *words;
};

/* machine.h: forbid. */
sortes_status srt_keys_forbid(const struct srt_key_mask *mask,
                              const struct srt_trail *trail);

#endif /* SRT_KEYS_H */
