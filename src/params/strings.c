/*
 * strings.c - lists of strings of any bytes, from text too
 *
 * The escapes are those that llama-cli processes in --dry-sequence-breaker
 * (llama.cpp common/common.cpp, string_process_escapes), and "\;"; it lets an
 * unknown one stand, here it is refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

#include "json/json.h"

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

/* ---- text ---------------------------------------------------------------- */

/* The byte that an escape stands for; moves past it.  False: none. */
static bool strings_escape(const char **at, char *out)
{
    static const char known[] = "nrt\\\"';";
    static const char bytes[] = "\n\r\t\\\"';";
    const char *escape = *at + 1;
    const char *found = *escape != '\0' ? strchr(known, *escape) : NULL;

    if (found != NULL) {
        *out = bytes[found - known];
        *at += 2;
        return true;
    }
    if (*escape != 'x' || srt_json_hex_digit(escape[1]) < 0 ||
        srt_json_hex_digit(escape[2]) < 0)
        return false;
    *out = (char)(unsigned char)(srt_json_hex_digit(escape[1]) * 16 +
                                 srt_json_hex_digit(escape[2]));
    *at += 4;
    return true;
}

/* One string into out, up to the ';' or the end; false: a bad escape. */
static bool strings_unescape(const char **at, char *out, size_t *n)
{
    *n = 0;
    while (**at != '\0' && **at != ';') {
        if (**at != '\\') {
            out[(*n)++] = *(*at)++;
            continue;
        }
        if (!strings_escape(at, &out[*n]))
            return false;
        ++*n;
    }
    return true;
}

static sortes_status strings_read(struct srt_string_list *list,
                                  const char *name, const char *text,
                                  char *buffer, sortes_error *err)
{
    const char *at = text;
    size_t n;

    while (*text != '\0') {
        if (!strings_unescape(&at, buffer, &n))
            return srt_fail(err, SORTES_E_SYNTAX, (size_t)(at - text),
                            "%s: byte %zu: unknown escape (allowed \\n \\r \\t "
                            "\\\\ \\\" \\' \\; \\xHH)",
                            name, (size_t)(at - text));
        if (!srt_strings_add(list, buffer, n))
            return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
        if (*at == '\0')
            break;
        at++;
    }
    return SORTES_OK;
}

sortes_status srt_strings_from_text(struct srt_string_list *list,
                                    const char *name, const char *text,
                                    sortes_error *err)
{
    char *buffer = malloc(strlen(text) + 1);
    sortes_status status;

    if (buffer == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    status = strings_read(list, name, text, buffer, err);
    free(buffer);
    if (status != SORTES_OK)
        srt_strings_clear(list);
    return status;
}
