/*
 * kinds.c - kinds of characters, and which of them occur below a node
 *
 * Small letters have a kind each, so that a pattern which looks for one word
 * does not spoil all the others; longer characters are told apart by their
 * first byte, with U+00A0, U+2000 and U+3000 on, where blanks are, by
 * themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/kinds.h"

#include "constrain/tree.h"
#include "unicode.h"

#include <stdlib.h>

srt_kinds srt_kind_of(uint8_t byte)
{
    static const char marks[] = "_-./:, @'()#+=";
    static const uint8_t leads[] = { 0xC2, 0xC3, 0xE0, 0xE2, 0xE3,
                                     0xE4, 0xED, 0xEF, 0xF0, 0xF5 };
    const char *mark = byte ? strchr(marks, (char)byte) : NULL;
    unsigned i = 0;

    if (byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F)
        return SRT_KINDS_OTHER;
    if (byte >= 'a' && byte <= 'z')
        return UINT64_C(1) << (byte - 'a');
    if (byte >= 'A' && byte <= 'Z')
        return UINT64_C(1) << 26;
    if (byte >= '0' && byte <= '9')
        return UINT64_C(1) << 27;
    if (mark)
        return UINT64_C(1) << (28 + (mark - marks));
    if (byte < 0x80)
        return UINT64_C(1) << 42;
    while (i < SRT_COUNT(leads) && byte >= leads[i])
        i++;
    return i == 0 || i == SRT_COUNT(leads) ? SRT_KINDS_OTHER
                                           : UINT64_C(1) << (42 + i);
}

/* The first byte of a code point. */
static uint8_t kinds_lead(uint32_t code)
{
    char utf8[4];

    srt_utf8_encode(code, utf8);
    return (uint8_t)utf8[0];
}

srt_kinds srt_kinds_of(uint32_t first, uint32_t last)
{
    srt_kinds kinds = 0;

    for (unsigned lead = kinds_lead(first); lead <= kinds_lead(last); lead++)
        kinds |= srt_kind_of((uint8_t)lead);
    return kinds & ~SRT_KINDS_OTHER;
}

/* ---- UTF-8 --------------------------------------------------------------- */

static const struct srt_utf8_step utf8_first[] = {
    { 0x00, 0x7F, 0 }, { 0xC2, 0xDF, 1 }, { 0xE0, 0xE0, 4 },
    { 0xE1, 0xEC, 2 }, { 0xED, 0xED, 5 }, { 0xEE, 0xEF, 2 },
    { 0xF0, 0xF0, 6 }, { 0xF1, 0xF3, 3 }, { 0xF4, 0xF4, 7 },
};
/* Parts 1 to 7: what is left of a character, and its lead's own bounds. */
static const struct srt_utf8_step utf8_later[] = {
    { 0x80, 0xBF, 0 }, { 0x80, 0xBF, 1 }, { 0x80, 0xBF, 2 }, { 0xA0, 0xBF, 1 },
    { 0x80, 0x9F, 1 }, { 0x90, 0xBF, 2 }, { 0x80, 0x8F, 2 },
};

const struct srt_utf8_step *srt_utf8_steps(uint32_t part, size_t *n)
{
    *n = part == 0 ? SRT_COUNT(utf8_first) : 1;
    return part == 0 ? utf8_first : &utf8_later[part - 1];
}

enum { KINDS_NONE = SRT_UTF8_PARTS }; /* behind a byte that is none of it */

static uint32_t kinds_part(uint32_t part, uint8_t byte)
{
    const struct srt_utf8_step *step;
    size_t n;

    if (part == KINDS_NONE)
        return KINDS_NONE;
    step = srt_utf8_steps(part, &n);
    for (size_t i = 0; i < n; i++)
        if (byte >= step[i].first && byte <= step[i].last)
            return step[i].then;
    return KINDS_NONE;
}

/* ---- below a node -------------------------------------------------------- */

/* Nodes whose subtrees are being read, and the entries of the larger ones. */
struct kinds_reader {
    const struct srt_tree_node *node;
    struct {
        uint32_t end, part;
        bool large;
    } open[SRT_TREE_DEPTH + 1];
    uint32_t n_open;
    struct srt_kinds_entry *above[SRT_TREE_DEPTH + 1];
    uint32_t n_above;
    uint32_t n_entries, n_tokens;
};

static bool kinds_make_room(struct srt_kinds_below *k,
                            const struct srt_tree_node *node, uint32_t n)
{
    const size_t words = (size_t)n / 64 + 1;
    uint32_t entries = 0, tokens = 0;

    k->has = calloc(words, sizeof(*k->has));
    k->rank = calloc(words, sizeof(*k->rank));
    if (!k->has || !k->rank)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (i % 64 == 0)
            k->rank[i / 64] = entries;
        tokens += srt_node_token(&node[i]) >= 0;
        if (srt_node_size(&node[i]) < SRT_KINDS_NODES)
            continue;
        k->has[i / 64] |= UINT64_C(1) << i % 64;
        entries++;
    }
    k->entry = calloc((size_t)entries + 1, sizeof(*k->entry));
    k->token = malloc(((size_t)tokens + 1) * sizeof(*k->token));
    k->n_bytes = words * (sizeof(*k->has) + sizeof(*k->rank)) +
                 entries * sizeof(*k->entry) + tokens * sizeof(*k->token);
    return k->entry && k->token;
}

/* The nodes that end before this one. */
static void kinds_close(struct kinds_reader *r, uint32_t at)
{
    while (r->n_open && r->open[r->n_open - 1].end == at) {
        if (r->open[--r->n_open].large) {
            struct srt_kinds_entry *e = r->above[--r->n_above];

            e->end = r->n_tokens;
            if (r->n_above)
                r->above[r->n_above - 1]->kinds |= e->kinds;
            if (r->open[r->n_open].part)
                e->kinds |= SRT_KINDS_OTHER; /* inside a character */
        }
    }
}

static void kinds_open(struct kinds_reader *r, struct srt_kinds_below *k,
                       uint32_t at, const srt_kinds kind_of[256])
{
    const struct srt_tree_node *node = &r->node[at];
    const uint32_t before = r->n_open ? r->open[r->n_open - 1].part : 0;
    const uint32_t part = kinds_part(before, srt_node_byte(node));

    if (r->n_above && part == KINDS_NONE)
        r->above[r->n_above - 1]->kinds |= SRT_KINDS_OTHER;
    else if (r->n_above && before == 0) /* the first byte says it all */
        r->above[r->n_above - 1]->kinds |= kind_of[srt_node_byte(node)];
    if (r->n_above && part && part != KINDS_NONE && srt_node_token(node) >= 0)
        r->above[r->n_above - 1]->kinds |= SRT_KINDS_TORN;
    if (srt_node_token(node) >= 0)
        k->token[r->n_tokens++] = srt_node_token(node);
    r->open[r->n_open].end = at + srt_node_size(node);
    r->open[r->n_open].part = part;
    r->open[r->n_open].large = srt_node_size(node) >= SRT_KINDS_NODES;
    if (r->open[r->n_open++].large) {
        k->entry[r->n_entries].first = r->n_tokens;
        r->above[r->n_above++] = &k->entry[r->n_entries++];
    }
}

bool srt_kinds_find(struct srt_kinds_below *k, const struct srt_tree_node *node,
                    uint32_t n)
{
    struct kinds_reader r = { .node = node };
    srt_kinds kind_of[256];

    if (!kinds_make_room(k, node, n))
        return false;
    for (unsigned byte = 0; byte < 256; byte++)
        kind_of[byte] = srt_kind_of((uint8_t)byte);
    for (uint32_t at = 0; at < n; at++) {
        kinds_close(&r, at);
        kinds_open(&r, k, at, kind_of);
    }
    kinds_close(&r, n);
    return true;
}

void srt_kinds_free(struct srt_kinds_below *k)
{
    free(k->has);
    free(k->rank);
    free(k->entry);
    free(k->token);
}
