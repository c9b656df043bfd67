/*
 * vocab_table.c - tokens of a file that come in any order, by their ids
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab_table.h"

#include "unicode.h"
#include "vocab_text.h"

#include <stdlib.h>
#include <string.h>

#define VOCAB_TABLE_FIRST    1024
#define VOCAB_TABLE_MAX_TEXT ((size_t)1 << 20) /* bytes of a token's text */

struct srt_vocab_entry *srt_vocab_table_at(struct srt_vocab_table *t,
                                           int64_t id, size_t offset,
                                           sortes_status *status)
{
    size_t room = t->room > 0 ? t->room : VOCAB_TABLE_FIRST;
    struct srt_vocab_entry *at;

    if (id < 0 || id >= SRT_VOCAB_MAX_ID) {
        *status = srt_fail(t->err, SORTES_E_LIMIT, offset,
                           "%s: byte %zu: token id out of range (got %lld, "
                           "allowed 0 to %lld)",
                           t->name, offset, (long long)id,
                           (long long)SRT_VOCAB_MAX_ID - 1);
        return NULL;
    }
    while (room <= (size_t)id)
        room *= 2;
    if (room > t->room) {
        at = realloc(t->at, room * sizeof(*at));
        if (at == NULL) {
            *status =
                srt_fail(t->err, SORTES_E_NOMEM, 0, "vocab: out of memory");
            return NULL;
        }
        memset(at + t->room, 0, (room - t->room) * sizeof(*at));
        t->at = at;
        t->room = room;
    }
    if (t->n <= (size_t)id)
        t->n = (size_t)id + 1;
    return &t->at[id];
}

sortes_status srt_vocab_table_add(struct srt_vocab_table *t,
                                  const sortes_special_token *special,
                                  size_t n_special)
{
    for (size_t i = 0; i < n_special; i++) {
        const sortes_special_token *s = &special[i];
        bool there = s->id >= 0 && (size_t)s->id < t->n &&
                     t->at[s->id].spelling != SRT_VOCAB_ABSENT;
        sortes_status status = SORTES_OK;
        struct srt_vocab_entry *e;

        if ((s->flags & ~SRT_VOCAB_KNOWN_FLAGS) != 0)
            return srt_fail(t->err, SORTES_E_ARGUMENT, 0,
                            "vocab: unknown flags of token %d (got 0x%x, "
                            "allowed 0x%x)",
                            (int)s->id, (unsigned)s->flags,
                            (unsigned)SRT_VOCAB_KNOWN_FLAGS);
        if (s->text == NULL && !there)
            return srt_fail(t->err, SORTES_E_ARGUMENT, 0,
                            "%s: token %d is not in the file and has no text",
                            t->name, (int)s->id);
        e = srt_vocab_table_at(t, s->id, 0, &status);
        if (e == NULL)
            return status;
        e->flags |= s->flags;
        if (s->text != NULL) {
            e->text = s->text;
            e->n = strlen(s->text);
            e->spelling = SRT_VOCAB_LITERAL;
        }
    }
    return SORTES_OK;
}

/* ---- pieces -------------------------------------------------------------- */

/* Hugging Face's decoder: a text with a character that stands for no byte is
 * its own bytes. */
static bool table_append_byte_level(sortes_vocab *v,
                                    const struct srt_vocab_entry *e)
{
    size_t start = v->n_bytes;

    for (size_t i = 0; i < e->n;) {
        size_t length = srt_utf8_length(e->text + i, e->n - i);
        int byte =
            length > 0
                ? srt_vocab_byte_of(srt_vocab_code_at(e->text + i, length))
                : -1;
        char c = (char)byte;

        if (byte < 0) {
            v->n_bytes = start;
            return srt_vocab_append(v, e->text, e->n);
        }
        if (!srt_vocab_append(v, &c, 1))
            return false;
        i += length;
    }
    return true;
}

static bool table_append_base64(sortes_vocab *v,
                                const struct srt_vocab_entry *e)
{
    unsigned char bytes[3];

    for (size_t i = 0; i + 4 <= e->n; i += 4) {
        int n = srt_vocab_base64(e->text + i, bytes);

        if (n > 0 && !srt_vocab_append(v, (const char *)bytes, (size_t)n))
            return false;
    }
    return true;
}

static bool table_append(sortes_vocab *v, const struct srt_vocab_entry *e)
{
    int byte = -1;
    char c;

    switch (e->spelling) {
    case SRT_VOCAB_LITERAL:
        return srt_vocab_append(v, e->text, e->n);
    case SRT_VOCAB_BYTE_LEVEL:
        return table_append_byte_level(v, e);
    case SRT_VOCAB_BASE64:
        return table_append_base64(v, e);
    case SRT_VOCAB_SPM_BYTES:
        byte = srt_vocab_byte_token(e->text, e->n);
        c = (char)byte;
        if (byte >= 0)
            return srt_vocab_append(v, &c, 1);
        return srt_vocab_append_spm(v, e->text, e->n);
    case SRT_VOCAB_SPM:
        return srt_vocab_append_spm(v, e->text, e->n);
    case SRT_VOCAB_ABSENT:
        break;
    }
    return true;
}

static uint32_t table_flags_of(const struct srt_vocab_entry *e)
{
    if (e->spelling == SRT_VOCAB_ABSENT)
        return SORTES_TOKEN_UNUSED;
    if (e->spelling == SRT_VOCAB_SPM_BYTES &&
        srt_vocab_byte_token(e->text, e->n) >= 0)
        return e->flags | SORTES_TOKEN_BYTE;
    return e->flags;
}

sortes_status srt_vocab_table_fill(struct srt_vocab_table *t,
                                   sortes_vocab **out)
{
    sortes_vocab *v;

    *out = NULL;
    if (t->n == 0)
        return srt_fail(t->err, SORTES_E_SYNTAX, 0, "%s: holds no tokens",
                        t->name);
    v = srt_vocab_reserve(t->n);
    if (v == NULL || !srt_vocab_append(v, "", 0)) {
        sortes_vocab_free(v);
        return srt_fail(t->err, SORTES_E_NOMEM, 0, "vocab: out of memory");
    }
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].n > VOCAB_TABLE_MAX_TEXT) {
            sortes_vocab_free(v);
            return srt_fail(t->err, SORTES_E_LIMIT, 0,
                            "%s: token %zu: too long (got %zu bytes, allowed "
                            "%zu)",
                            t->name, i, t->at[i].n, VOCAB_TABLE_MAX_TEXT);
        }
        if (!table_append(v, &t->at[i])) {
            sortes_vocab_free(v);
            return srt_fail(t->err, SORTES_E_NOMEM, 0, "vocab: out of memory");
        }
        srt_vocab_end_token(v, table_flags_of(&t->at[i]));
    }
    *out = v;
    return SORTES_OK;
}

void srt_vocab_table_free(struct srt_vocab_table *t)
{
    free(t->at);
    t->at = NULL;
    t->n = t->room = 0;
}
