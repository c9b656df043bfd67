/*
 * dialect.c - finding a dialect
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/dialect.h"

#include <string.h>

static const struct srt_dialect *const dialect_table[] = {
#define SRT_DIALECT(symbol) &symbol,
#include "dialect/dialects.def"
#undef SRT_DIALECT
};

const struct srt_dialect *srt_dialect_find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < SRT_COUNT(dialect_table); i++)
        if (strcmp(dialect_table[i]->name, name) == 0)
            return dialect_table[i];
    return NULL;
}

const char *sortes_dialect_name(size_t index)
{
    return index < SRT_COUNT(dialect_table) ? dialect_table[index]->name : NULL;
}

const char *sortes_dialect_identity(const char *dialect)
{
    const struct srt_dialect *d = srt_dialect_find(dialect);

    return d ? d->identity : NULL;
}
