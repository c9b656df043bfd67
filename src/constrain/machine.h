/*
 * machine.h - what every kind of grammar becomes: an automaton over bytes
 * whose states are made on demand
 *
 * A state is a number; 0 is dead, and equal states have equal numbers.  Every
 * other state is alive: some text over the alphabet completes it (a machine
 * that is `literal` makes no such promise; it stands in for an engine that
 * makes none).  That is what turns "the bytes lead to a live state" into "the
 * token is allowed", and it is the machine's own duty: an answer of step() is
 * final.
 *
 * What depends on the values seen so far (keys already used, items of an
 * array that must differ) would make states without number.  It is kept out
 * of them, in an srt_trail that each sequence owns: masks are computed and
 * remembered by state alone, and the few tokens that a trail forbids are
 * cleared afterwards.
 *
 * Threads: step() and step_token() run under the machine's lock, which the
 * caller takes.  The rest may run at any time on any thread, for states that
 * the thread has been given.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MACHINE_H
#define SRT_MACHINE_H

#include "constrain/alphabet.h"
#include "constrain/kinds.h"
#include "constrain/lock.h"
#include "shared.h"
#include "status.h"

#include <stdbool.h>

#define SRT_DEAD 0u

struct srt_machine;
struct srt_cursor; /* cache.h */

/* Immutable and counted; a machine's own struct begins with it. */
struct srt_trail {
    struct srt_shared shared;
};

/*
 * Bytes on their way through a machine: states[0] is where they start and
 * states[i + 1] where bytes[i] leads, n + 1 live states in all.
 */
struct srt_path {
    const uint8_t *bytes;
    const uint32_t *states;
    size_t n;
};

/*
 * What lies around a JSON value.  Inside two places with the same part, states
 * that are the same otherwise differ only in where they lead once the value has
 * ended; a comma, brace or bracket comes then, or blanks before it, of which as
 * many may come at one end as at another (`gap`).
 *
 * In a key of which one thing alone can come, or anything at all, all that
 * counts is that rest of it, and the value behind it.
 */
enum { SRT_AROUND_ENDS = 8 };

struct srt_around {
    uint32_t place; /* 0: none */
    uint32_t part[2];
    uint32_t n_ends;
    uint32_t end[SRT_AROUND_ENDS]; /* states, one for each outcome */
    uint32_t rest;                 /* a number for it; 0: not in such a key */
    uint32_t value;                /* the state where its value begins */
};

struct srt_tree_nodes;
struct srt_listed;

/* A node of a tree of tokens, and the state there. */
struct srt_branch {
    uint32_t node, state;
};

enum { SRT_BRANCHES = 32 };

/* Where the tokens of names go to. */
struct srt_named {
    uint32_t *words;
    struct srt_listed *set;
    uint32_t first; /* number of the first branch that is wanted */
    uint32_t n;     /* of all of them */
    struct srt_branch branch[SRT_BRANCHES];
};

struct srt_machine_type {
    /* Where a byte leads from a live state; *next SRT_DEAD: nowhere.  Fails
     * with SORTES_E_LIMIT or SORTES_E_NOMEM, and then nothing has changed. */
    sortes_status (*step)(struct srt_machine *m, uint32_t state, uint8_t byte,
                          uint32_t *next);

    /* Whether the text may end here. */
    bool (*accepts)(const struct srt_machine *m, uint32_t state);

    /* What its states take; the lock is held. */
    void (*stats)(const struct srt_machine *m, size_t *n_states,
                  size_t *n_bytes);

    /* The rest may be NULL. */

    /* Whether a token may end here, inside a character; NULL: anywhere. */
    bool (*token_may_end)(const struct srt_machine *m, uint32_t state);

    /* For machines that know whole tokens: where token leads, given that its
     * bytes lead to by_bytes (SRT_DEAD: nowhere, or a special token). */
    sortes_status (*step_token)(struct srt_machine *m, uint32_t state,
                                int32_t token, uint32_t by_bytes,
                                uint32_t *next);
    /* Whether step_token differs from the bytes at this state, and for which
     * tokens: calls each(ctx, token) for all that it may differ for. */
    void (*tokens_at)(const struct srt_machine *m, uint32_t state,
                      void (*each)(void *ctx, int32_t token), void *ctx);

    /* How many characters of a JSON string body, any at all, may follow here:
     * a hint that spares the mask a walk; UINT32_MAX: no bound.  NULL, or
     * SRT_ROOM_UNKNOWN: the mask finds out by itself. */
    uint32_t (*string_room)(const struct srt_machine *m, uint32_t state);

    /* In a JSON string, kinds whose characters all lead from a state back to
     * it, as far as any token has them; SRT_KINDS_OTHER never.  NULL: the mask
     * finds out by itself. */
    srt_kinds (*kinds_stay)(const struct srt_machine *m, uint32_t state);

    /* In a string, a state that lets the same tokens without a quote come,
     * perhaps state itself; *other 0: not in one.  The lock is held. */
    sortes_status (*inside)(struct srt_machine *m, uint32_t state,
                            uint32_t *other);

    /* In a string, a state that goes most of the same ways: bytes that are not
     * in *unlike lead to the same states, and up to a quote the one is alive
     * where the other is.  *base 0: there is none.  The lock is held. */
    sortes_status (*like)(struct srt_machine *m, uint32_t state, uint32_t *base,
                          struct srt_alphabet *unlike);

    /* Whether in a key nothing but names may come.  NULL: nowhere.  Then: sets
     * the tokens of nodes from..end-1 of a tree (siblings, and what is below
     * them), as far as they end in a name or with its quote; if to->first is 0,
     * for else they are set already.  The branches are the nodes of such quotes
     * that have others below them.  The lock is held. */
    bool (*is_named)(const struct srt_machine *m, uint32_t state);
    sortes_status (*names)(struct srt_machine *m, uint32_t state,
                           const struct srt_tree_nodes *all, uint32_t from,
                           uint32_t end, struct srt_named *to);

    /* At least the bytes that lead on from a state, and inside a character or
     * an escape no others: a hint that spares a row the rest.  NULL: any
     * may. */
    struct srt_alphabet (*may_follow)(const struct srt_machine *m,
                                      uint32_t state);

    /* White space between the parts of a text: states that differ in how much
     * of it has come, and in nothing else, need not be made for a mask.  gap:
     * the number that says how much, below 0 where blanks change more than
     * that; gap_step: the number after one more byte, below 0: not here. */
    int (*gap)(const struct srt_machine *m, uint32_t state);
    int (*gap_step)(const struct srt_machine *m, int gap, uint8_t byte);

    /* A state with the same mask over tokens of up to `longest` bytes, perhaps
     * state itself: states that differ in a count far from its bounds share
     * one.  The lock is held. */
    sortes_status (*same_mask)(struct srt_machine *m, uint32_t state,
                               uint32_t longest, uint32_t *same);

    /* What lies around the value that is being written.  The lock is held. */
    sortes_status (*around)(struct srt_machine *m, uint32_t state,
                            struct srt_around *around);
    /* The same state in another place, of the same part and with ends for the
     * same outcomes.  The lock is held. */
    sortes_status (*moved)(struct srt_machine *m, uint32_t state,
                           uint32_t place, uint32_t *same);

    /* Where a path leaves the trail that a sequence had before it (NULL: none
     * yet).  *to is the caller's, and may be NULL; to NULL: only the status is
     * wanted.  SORTES_E_NO_TOKEN: the path repeats what must not be repeated,
     * at bytes[*n_ok].  Paths may begin and end anywhere. */
    sortes_status (*follow)(const struct srt_machine *m,
                            const struct srt_trail *from,
                            const struct srt_path *path, struct srt_trail **to,
                            size_t *n_ok);
    /* Clears from words (the mask of state) every token that follow() would
     * refuse.  cursor: where bytes lead, and the tree. */
    sortes_status (*forbid)(const struct srt_machine *m,
                            const struct srt_trail *trail, uint32_t state,
                            struct srt_cursor *cursor, uint32_t *words);
    /* Whether the text may end here, where that depends on the trail too;
     * forbid() clears the end tokens where it says no.  NULL: accepts() says
     * it all. */
    bool (*may_end)(const struct srt_machine *m, const struct srt_trail *trail,
                    uint32_t state);
};

#define SRT_ROOM_UNKNOWN (UINT32_MAX - 1) /* string_room's */

struct srt_machine {
    struct srt_shared shared; /* first */
    const struct srt_machine_type *type;
    struct srt_lock lock;
    uint32_t start;
    /* Bytes of one class lead to the same state from every state. */
    uint16_t n_classes;
    uint8_t class_of[256];
    struct srt_alphabet alphabet;
    /* Tokens match by their spelling, special ones too; none that begins with
     * NUL does: llama.cpp's rules. */
    bool literal;
};

/* may_follow's answer, or every byte. */
SRT_INLINE void srt_machine_may_follow(const struct srt_machine *m,
                                       uint32_t state, struct srt_alphabet *may)
{
    if (m->type->may_follow)
        *may = m->type->may_follow(m, state);
    else
        srt_alphabet_fill(may);
}

/*
 * What every machine begins with: held once, by the caller; every byte a class
 * of its own, not literal; start is left to the machine.  destroy ends with
 * srt_machine_clear and free().
 */
void srt_machine_init(struct srt_machine *m,
                      const struct srt_machine_type *type,
                      void (*destroy)(struct srt_shared *),
                      const struct srt_alphabet *alphabet);
void srt_machine_clear(struct srt_machine *m);

/* SORTES_E_EMPTY; missing: a byte that the alphabet lacks, or -1. */
sortes_status srt_machine_empty(const char *kind, int missing,
                                sortes_error *err);

/* Names why a machine could not be made: SORTES_E_LIMIT or SORTES_E_NOMEM. */
sortes_status srt_machine_no_room(const char *kind, sortes_status status,
                                  sortes_error *err);

#endif /* SRT_MACHINE_H */
