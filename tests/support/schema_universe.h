/*
 * schema_universe.h - schemas, and the naive validator's verdicts, over every
 * text of a few pieces
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_SCHEMA_UNIVERSE_H
#define SUPPORT_SCHEMA_UNIVERSE_H

#include "support/schema_maker.h"
#include "support/universe.h"

#include <stdlib.h>

struct schema_universe {
    struct universe universe;
    struct srt_json_document *values; /* of its texts, once one is judged */
    uint8_t *verdict;
    struct srt_json_document schema; /* that the verdicts are of */
};

void schema_universe_make(struct schema_universe *su, size_t n_pieces);
void schema_universe_free(struct schema_universe *su);

/* From here on a document is the one that is asked about. */
void schema_universe_set(struct schema_universe *su, const char *document);

/* The same, and finds out which texts satisfy it. */
void schema_universe_judge(struct schema_universe *su, const char *document);

/* Whether any other text satisfies it, as `accepts` says. */
bool schema_universe_agrees(void *su, const char *text, bool accepts);

enum schema_answer {
    SCHEMA_RIGHT,
    SCHEMA_EMPTY,   /* refused, as no text satisfies it */
    SCHEMA_REFUSED, /* by a name: what it asks for cannot be had */
    SCHEMA_LIMITED, /* the same, found out on the way */
    SCHEMA_ANSWERS
};

/*
 * Asks the library about a document (profile "json", but for `order`) and
 * fails the test where it does not say what the document judged last does.
 * With an order it may refuse more texts.
 */
enum schema_answer schema_universe_ask(struct schema_universe *su,
                                       const char *document, const char *order);

#endif /* SUPPORT_SCHEMA_UNIVERSE_H */
