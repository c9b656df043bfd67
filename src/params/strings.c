/*
 * strings.c - lists of strings of any bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

#include <stdlib.h>
#include <string.h>

bool srt_strings_add(struct srt_string_list *list, const char *text, size_t n)
{
    char **items = realloc(list->items, (list->n + 1) * sizeof(*items));
    size_t *sizes;
    char *copy;

    if (items == NULL)
        return false;
    list->items = items;
    sizes = realloc(list->sizes, (list->n + 1) * sizeof(*sizes));
    if (sizes == NULL)
        return false;
    list->sizes = sizes;
    copy = malloc(n + 1);
    if (copy == NULL)
        return false;
    if (n > 0)
        memcpy(copy, text, n);
    copy[n] = '\0';
    list->items[list->n] = copy;
    list->sizes[list->n] = n;
    list->n++;
    return true;
}

bool srt_strings_copy(struct srt_string_list *to,
                      const struct srt_string_list *from)
{
    *to = (struct srt_string_list){ .given = from->given };
    for (size_t i = 0; i < from->n; i++) {
        if (!srt_strings_add(to, from->items[i], from->sizes[i])) {
            srt_strings_clear(to);
            return false;
        }
    }
    return true;
}

bool srt_strings_equal(const struct srt_string_list *a,
                       const struct srt_string_list *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->sizes[i] != b->sizes[i] ||
            memcmp(a->items[i], b->items[i], a->sizes[i]) != 0)
            return false;
    return true;
}

void srt_strings_clear(struct srt_string_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    free(list->sizes);
    *list = (struct srt_string_list){ 0 };
}
