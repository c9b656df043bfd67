/*
 * names.c - the known name that a wrong one was probably meant to be
 *
 * Rule: the fewest insertions, deletions, substitutions and exchanges of
 * neighbours, at most a third of the longer name; case does not count, nor
 * does '-' for '_'.  A name that goes on where the wrong one ends ("temp" for
 * "temperature") is one step away.  The first of equals wins.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/names.h"

#include "unicode.h"

#include <string.h>

#define NAMES_LONGEST   48 /* longer ones are compared with nothing */
#define NAMES_SHOWN     60 /* bytes of a wrong name that a message shows */
#define NAMES_MIN_START 3  /* letters that are enough to mean a longer name */

static unsigned names_minimum(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* What does not count as a difference. */
static char names_fold(char c)
{
    return c == '-' ? '_' : srt_ascii_lower(c);
}

/* Optimal string alignment distance, three rows of the table at a time. */
static unsigned names_distance(const char *a, size_t n_a, const char *b,
                               size_t n_b)
{
    unsigned rows[3][NAMES_LONGEST + 1];

    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n_a; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];
        const unsigned *above2 = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            char x = names_fold(a[i - 1]), y = names_fold(b[j - 1]);

            row[j] = above[j - 1] + (x != y);
            row[j] = names_minimum(row[j], above[j] + 1);
            row[j] = names_minimum(row[j], row[j - 1] + 1);
            if (i > 1 && j > 1 && x == names_fold(b[j - 2]) &&
                y == names_fold(a[i - 2]))
                row[j] = names_minimum(row[j], above2[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

void srt_nearest_start(struct srt_nearest *s, const char *got, size_t n)
{
    *s = (struct srt_nearest){ .got = got, .n_got = n };
}

/* Names that nobody would type are not compared: the table is on the stack. */
void srt_nearest_try(struct srt_nearest *s, const char *known, size_t n)
{
    size_t longer = n > s->n_got ? n : s->n_got;
    unsigned distance;

    if (longer > NAMES_LONGEST || s->n_got == 0)
        return;
    distance = names_distance(s->got, s->n_got, known, n);
    if (n > s->n_got && s->n_got >= NAMES_MIN_START &&
        names_distance(s->got, s->n_got, known, s->n_got) == 0)
        distance = 1;
    if (distance > 1 && distance > longer / 3)
        return;
    if (s->best != NULL && distance >= s->distance)
        return;
    s->best = known;
    s->n_best = n;
    s->distance = distance;
}

sortes_status srt_fail_unknown(sortes_error *err, size_t offset,
                               const char *what, const struct srt_nearest *s)
{
    int n = (int)(s->n_got < NAMES_SHOWN ? s->n_got : NAMES_SHOWN);

    if (s->best == NULL)
        return srt_fail(err, SORTES_E_NAME, offset, "%s '%.*s' is unknown",
                        what, n, s->got);
    return srt_fail(err, SORTES_E_NAME, offset,
                    "%s '%.*s' is unknown; did you mean '%.*s'?", what, n,
                    s->got, (int)s->n_best, s->best);
}
