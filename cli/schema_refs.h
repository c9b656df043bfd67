/*
 * schema_refs.h - documents that schemas refer to, from files (--ref URI=PATH)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SCHEMA_REFS_H
#define CLI_SCHEMA_REFS_H

#include "options.h"

/* As given; the last '=' of each parts the two. */
struct schema_refs {
    const char *at[64];
    size_t n;
};

/* 0, or CLI_USAGE with a message. */
int schema_refs_take(struct schema_refs *refs, const char *value);

/* What was read of them for one grammar. */
struct schema_documents {
    const struct schema_refs *refs;
    struct cli_text *text;
    size_t n;
};

/* A sortes_resolver; ctx is the documents. */
sortes_status schema_documents_get(void *ctx, const char *uri,
                                   const char **text, size_t *n);
void schema_documents_free(struct schema_documents *d);

#endif /* CLI_SCHEMA_REFS_H */
