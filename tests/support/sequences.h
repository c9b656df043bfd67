/*
 * sequences.h - recorded sequences of draws, drawn again
 *
 * A file is JSON lines: the first says of which versions; each other is a
 * request in the dialect's own format, a prompt, and the tokens drawn from rows
 * that integer arithmetic makes, each accepted before the next; "p", where it
 * stands, has a hash of each step's distribution.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SEQUENCES_H
#define TESTS_SEQUENCES_H

#include <stddef.h>

/*
 * Draws each sequence of the file by the literal stages and by the plans on
 * every instruction set, and fails where a token or hash is another; how many
 * there were.  versions: what must stand in the first line.
 */
size_t sequences_draw_again(const char *dialect, const char *path,
                            const char *versions);

#endif /* TESTS_SEQUENCES_H */
