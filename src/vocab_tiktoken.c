/*
 * vocab_tiktoken.c - a vocab from a tiktoken file
 *
 * A line is a token: its bytes in base64, a space, its rank, which is its id.
 * Such a file has no special tokens; the caller knows them.
 * Source: openai/tiktoken, tiktoken/load.py, load_tiktoken_bpe.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab_file.h"
#include "vocab_table.h"
#include "vocab_text.h"

#include "json/number.h"

#include <string.h>

struct tiktoken_line {
    const char *text; /* base64 */
    size_t n;
    int64_t id;
};

/* Splits text[0 .. n-1]; what is wrong with it, NULL: nothing. */
static const char *tiktoken_split(const char *text, size_t n,
                                  struct tiktoken_line *line)
{
    const char *space = memchr(text, ' ', n);
    unsigned char bytes[3];
    uint64_t rank;

    if (space == NULL || space == text)
        return "expected a token in base64, a space and its rank";
    line->text = text;
    line->n = (size_t)(space - text);
    if (line->n % 4 != 0)
        return "malformed base64";
    for (size_t i = 0; i < line->n; i += 4) {
        int got = srt_vocab_base64(text + i, bytes);

        if (got < 0 || (got < 3 && i + 4 < line->n))
            return "malformed base64";
    }
    if (!srt_whole_from_text(space + 1, n - line->n - 1, &rank))
        return "malformed rank";
    line->id = rank > INT64_MAX ? INT64_MAX : (int64_t)rank;
    return NULL;
}

static sortes_status tiktoken_read(struct srt_vocab_table *t, const char *text,
                                   size_t n)
{
    sortes_status status = SORTES_OK;
    size_t number = 1;

    for (size_t at = 0; at < n; number++) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t next = end != NULL ? (size_t)(end - text) + 1 : n;
        size_t length = (end != NULL ? next - 1 : n) - at;
        struct tiktoken_line line;
        struct srt_vocab_entry *e;
        const char *wrong;

        if (length > 0 && text[at + length - 1] == '\r')
            length--;
        if (length > 0) {
            wrong = tiktoken_split(text + at, length, &line);
            if (wrong != NULL)
                return srt_fail(t->err, SORTES_E_SYNTAX, at, "%s: line %zu: %s",
                                t->name, number, wrong);
            e = srt_vocab_table_at(t, line.id, at, &status);
            if (e == NULL)
                return status;
            if (e->spelling != SRT_VOCAB_ABSENT)
                return srt_fail(t->err, SORTES_E_SYNTAX, at,
                                "%s: line %zu: rank %lld comes twice", t->name,
                                number, (long long)line.id);
            *e = (struct srt_vocab_entry){ line.text, line.n, 0,
                                           SRT_VOCAB_BASE64 };
        }
        at = next;
    }
    return SORTES_OK;
}

sortes_status srt_vocab_read_tiktoken(sortes_vocab **out,
                                      const struct srt_vocab_source *source,
                                      sortes_error *err)
{
    struct srt_vocab_table t = { .name = source->name, .err = err };
    sortes_status status = tiktoken_read(&t, source->text, source->n);

    *out = NULL;
    if (status == SORTES_OK)
        status = srt_vocab_table_add(&t, source->special, source->n_special);
    if (status == SORTES_OK)
        status = srt_vocab_table_fill(&t, out);
    srt_vocab_table_free(&t);
    return status == SORTES_OK ? srt_ok(err) : status;
}
