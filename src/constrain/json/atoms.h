/*
 * atoms.h - strings, numbers and literals of JSON, byte by byte
 *
 * A small automaton without memory; what stands around the atoms (brackets,
 * commas, blanks) is the caller's.  Source: RFC 8259.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ATOMS_H
#define SRT_ATOMS_H

#include "constrain/alphabet.h"

#define SRT_ATOM_DEAD 0 /* no state */
#define SRT_ATOM_END  1 /* the atom is complete, its last byte included */

enum { SRT_ATOM_STATES = 96 };

struct srt_atoms {
    uint8_t n; /* states in use */
    /* Where a value's first byte leads (not those of brackets). */
    uint8_t start[256];
    uint8_t key;                    /* behind the quote that opens a key */
    uint8_t string;                 /* behind the quote that opens a value */
    bool key_has_bodies;            /* some key is not empty */
    bool any;                       /* some atom can be written at all */
    bool complete[SRT_ATOM_STATES]; /* a number that may end before the next
                                       byte */
    uint8_t next[SRT_ATOM_STATES][256];
};

enum srt_atom_escapes {
    SRT_ATOM_LEGAL,     /* every legal one, but no lone surrogates (RFC 7493) */
    SRT_ATOM_CANONICAL, /* those that are needed, in their shortest form, hex
                           digits in lower case */
    SRT_ATOM_LLGUIDANCE /* what llguidance 1.9 lets through: the letters but
                           '/', and \u for controls and DEL, which must not
                           stand there as it is */
};

/* Atoms over an alphabet: what can not be completed over it is dead. */
void srt_atoms_init(struct srt_atoms *a, const struct srt_alphabet *alphabet,
                    enum srt_atom_escapes keys, enum srt_atom_escapes strings);

/* Whether any byte of a string's body may follow: between two characters. */
bool srt_atoms_in_body(const struct srt_atoms *a, uint8_t state);

/*
 * Decodes the body of a string (without quotes) as far as it is whole; out has
 * room for n bytes.  *rest (NULL: not wanted): bytes of an unfinished escape
 * at its end.  Returns the length.
 */
size_t srt_atoms_decode(const char *body, size_t n, char *out, size_t *rest);

#endif /* SRT_ATOMS_H */
