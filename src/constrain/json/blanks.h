/*
 * blanks.h - how much white space may stand between the parts of a JSON text
 *
 * A gap is 0 where it begins, and a small number that only this file knows
 * afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_BLANKS_H
#define SRT_BLANKS_H

#include "compiler.h"
#include "constrain/options.h"

enum {
    SRT_GAP_SPACE = 1,    /* the one space has come */
    SRT_GAP_LINE = 2,     /* a line break, and as many blanks as it exceeds
                             this */
    SRT_GAP_BLANKS = 64,  /* behind a line break */
    SRT_GAP_NONE = 0xFFFF /* no such blank here */
};

SRT_INLINE bool srt_is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* The gap after a blank. */
SRT_INLINE uint16_t srt_gap_step(int whitespace, uint16_t gap, uint8_t blank)
{
    switch (whitespace) {
    case SRT_WHITESPACE_ANY:
        return 0;
    case SRT_WHITESPACE_SINGLE:
        return gap == 0 && blank == ' ' ? SRT_GAP_SPACE : SRT_GAP_NONE;
    case SRT_WHITESPACE_BOUNDED:
        if (gap == 0)
            return blank == ' '    ? SRT_GAP_SPACE
                   : blank == '\n' ? SRT_GAP_LINE
                                   : SRT_GAP_NONE;
        if (gap >= SRT_GAP_LINE && gap < SRT_GAP_LINE + SRT_GAP_BLANKS &&
            (blank == ' ' || blank == '\t'))
            return (uint16_t)(gap + 1);
        return SRT_GAP_NONE;
    default:
        return SRT_GAP_NONE;
    }
}

/* The same for a machine's gap_step: below 0, none here. */
SRT_INLINE int srt_gap_next(int whitespace, int gap, uint8_t byte)
{
    const uint16_t next = srt_is_blank(byte)
                              ? srt_gap_step(whitespace, (uint16_t)gap, byte)
                              : SRT_GAP_NONE;

    return next == SRT_GAP_NONE ? -1 : next;
}

#endif /* SRT_BLANKS_H */
