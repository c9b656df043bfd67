/*
 * completion.h - that what a matcher has taken can be completed, by doing so
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_COMPLETION_H
#define SUPPORT_COMPLETION_H

#include "sortes.h"

#include <stdbool.h>

enum { COMPLETION_ROOM = 4096, COMPLETION_LIMIT = -2 };

/*
 * Writes bytes that complete what m has taken to out (COMPLETION_ROOM), out of
 * those that has[] says may be used (NULL: all).  Their number; -1: none were
 * found by going for what closes, at random, nor by a search of 20,000 places;
 * COMPLETION_LIMIT: and some that might be could not be followed.
 */
long completion_find(const sortes_matcher *m, const bool *has, char *out);

#endif /* SUPPORT_COMPLETION_H */
