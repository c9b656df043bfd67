/*
 * schema_maker.h - random schemas out of every keyword
 *
 * Small ones, whose keys, constants and bounds lie among those of the texts
 * that support/universe.h goes through.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_SCHEMA_MAKER_H
#define SUPPORT_SCHEMA_MAKER_H

#include <stdint.h>

/* A schema, and what the root of its document must hold beside it. */
struct schema_made {
    char *head; /* members: "$schema", "$defs"; may be empty */
    char *body; /* true, false or an object */
};

void schema_make(struct schema_made *made, uint64_t seed);
void schema_made_free(struct schema_made *made);

/*
 * A document, which the caller frees: the schema itself, or with `form` the
 * members of another one, in which % stands for it: "\"not\":{\"not\":%}".
 */
char *schema_document(const struct schema_made *made, const char *form);

#endif /* SUPPORT_SCHEMA_MAKER_H */
