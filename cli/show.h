/*
 * show.h - output for the eye: titles, colour, quoted pieces, columns
 *
 * Colour and bold only on a terminal, and not where NO_COLOR is set
 * (no-color.org) or TERM is "dumb".  Everything goes to standard output.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct show {
    bool colour;
};

void show_init(struct show *s);

void show_title(const struct show *s, const char *text);
void show_heading(const struct show *s, const char *text);
void show_verdict(const struct show *s, bool good, const char *text);

/* "49,152" */
void show_number(char *out, size_t size, uint64_t number);

/*
 * A token's bytes in quotes, at most n_letters of them, what cannot be seen
 * escaped as in C; "..." ends what was cut.  size must hold 4 bytes a letter
 * and 8 more.
 */
void show_quoted(char *out, size_t size, const char *text, size_t n,
                 size_t n_letters);

/* Prints UTF-8 text and blanks up to width letters. */
void show_padded(const char *text, size_t width);

#endif /* CLI_SHOW_H */
