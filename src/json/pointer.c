/*
 * pointer.c - where a value stands, for messages
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/json.h"

#include <string.h>

/* Filled from its end on, as parents are found from the value up. */
struct pointer {
    char *out;
    size_t at; /* of the first byte that is written */
    bool full;
};

static void pointer_byte(struct pointer *p, char c)
{
    if (p->at > 0)
        p->out[--p->at] = c;
    else
        p->full = true;
}

static void pointer_key(struct pointer *p, const char *key, size_t n)
{
    while (n-- > 0) {
        const char c = key[n];

        if (c == '~' || c == '/') {
            pointer_byte(p, c == '~' ? '0' : '1');
            pointer_byte(p, '~');
        } else {
            pointer_byte(p, c);
        }
    }
}

static void pointer_index(struct pointer *p, const struct srt_json *v)
{
    size_t index = 0;

    for (const struct srt_json *i = v->parent->first; i != v; i = i->next)
        index++;
    do {
        pointer_byte(p, (char)('0' + index % 10));
        index /= 10;
    } while (index > 0);
}

void srt_json_pointer(const struct srt_json *v, char *out, size_t size)
{
    struct pointer p = { out, size - 1, false };

    if (size == 0)
        return;
    for (; v->parent; v = v->parent) {
        if (v->parent->type == SRT_JSON_OBJECT)
            pointer_key(&p, v->key, v->n_key);
        else
            pointer_index(&p, v);
        pointer_byte(&p, '/');
    }
    memmove(out, out + p.at, size - 1 - p.at);
    out[size - 1 - p.at] = '\0';
    if (p.full && size > 4) {
        char *cut = out + 3;

        while (((unsigned char)*cut & 0xC0) ==
               0x80) /* not inside a character */
            cut++;
        memmove(out + 3, cut, strlen(cut) + 1);
        memcpy(out, "...", 3);
    }
}

void srt_json_where(const struct srt_json *v, char *out, size_t size)
{
    out[0] = size > 1 ? '#' : '\0';
    srt_json_pointer(v, out + 1, size - 1);
}
