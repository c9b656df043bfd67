/*
 * unit.c - one spelling of strings: its patterns, its classes of characters
 *
 * The reader's classes are the book's, with every character of a name or an
 * enum's string as a class of its own, so that tries go by classes too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- code points of names ------------------------------------------------ */

/* The next code point of well-formed UTF-8. */
static uint32_t unit_next_code(const char *text, size_t n, size_t *at)
{
    const unsigned char *s = (const unsigned char *)text + *at;
    const size_t length = *s < 128 ? 1 : srt_utf8_length(text + *at, n - *at);

    *at += length ? length : 1;
    switch (length) {
    case 2:
        return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    case 3:
        return (s[0] & 0xFu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    case 4:
        return (s[0] & 7u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 |
               (s[3] & 0x3Fu);
    default:
        return s[0];
    }
}

static int unit_order(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Every code point of every name once, ascending; ASCII by a table, for names
 * have little else. */
static bool unit_codes(const struct srt_schema *s, struct srt_ids *codes)
{
    bool ascii[128] = { false };
    size_t kept = 0;

    for (uint32_t i = 1; i <= s->names.n; i++) {
        size_t n_text, at = 0;
        const char *text = srt_schema_name(s, i, &n_text);

        while (at < n_text) {
            const uint32_t code = unit_next_code(text, n_text, &at);

            if (code < 128 && ascii[code])
                continue;
            if (code < 128)
                ascii[code] = true;
            if (srt_ids_add(codes, code) != SORTES_OK)
                return false;
        }
    }
    if (codes->n > 1)
        qsort(codes->at, codes->n, sizeof(*codes->at), unit_order);
    for (size_t i = 0; i < codes->n; i++)
        if (i == 0 || codes->at[i] != codes->at[kept - 1])
            codes->at[kept++] = codes->at[i];
    codes->n = kept;
    return true;
}

/* ---- segments ------------------------------------------------------------ */

struct unit_cutter {
    struct srt_unit *u;
    uint32_t *class_of_book; /* class + 1 of whole segments */
    size_t room;
};

static bool unit_segment(struct unit_cutter *c, uint32_t first, uint32_t last,
                         uint32_t book_class, bool single)
{
    struct srt_unit *u = c->u;
    uint32_t *known =
        book_class == UINT32_MAX ? NULL : &c->class_of_book[book_class];
    uint32_t class_;

    if (u->n_segments == c->room)
        return false;
    if (!single && known && *known) {
        class_ = *known - 1;
    } else {
        class_ = u->n_classes++;
        u->book_class[class_] = book_class;
        u->first_code[class_] = first;
        if (!single && known)
            *known = class_ + 1;
    }
    u->segments[u->n_segments++] =
        (struct srt_book_segment){ first, last, class_ };
    return true;
}

/* Cuts one segment of the book at the code points of names. */
static bool unit_cut(struct unit_cutter *c, const struct srt_book_segment *s,
                     uint32_t book_class, const uint32_t *codes, size_t *at,
                     size_t n)
{
    uint32_t first = s->first;

    while (*at < n && codes[*at] <= s->last) {
        const uint32_t code = codes[(*at)++];

        if (code > first &&
            !unit_segment(c, first, code - 1, book_class, false))
            return false;
        if (!unit_segment(c, code, code, book_class, true))
            return false;
        first = code + 1;
    }
    return first > s->last ||
           unit_segment(c, first, s->last, book_class, false);
}

/* The code points without a book: those that can be written, and the rest. */
static struct srt_book_segment *unit_plain(const uint32_t (*missing)[2],
                                           size_t n_missing, size_t *n)
{
    struct srt_book_segment *s = malloc((2 * n_missing + 1) * sizeof(*s));
    uint32_t next = 0;

    *n = 0;
    for (size_t i = 0; s && i < n_missing; i++) {
        if (missing[i][0] > next)
            s[(*n)++] = (struct srt_book_segment){ next, missing[i][0] - 1, 0 };
        s[(*n)++] =
            (struct srt_book_segment){ missing[i][0], missing[i][1], 1 };
        next = missing[i][1] + 1;
    }
    if (s && next <= 0x10FFFF)
        s[(*n)++] = (struct srt_book_segment){ next, 0x10FFFF, 0 };
    return s;
}

static bool unit_make_segments(struct srt_unit *u, const uint32_t (*missing)[2],
                               size_t n_missing)
{
    struct unit_cutter c = { u, NULL, 0 };
    struct srt_book_segment *plain = NULL;
    const struct srt_book_segment *from;
    struct srt_ids codes = { NULL, 0, 0 };
    uint32_t lost = 1;
    size_t n_from, at = 0;
    bool ok = unit_codes(u->js->schema, &codes);

    if (u->book) {
        from = srt_book_segments(u->book, &n_from);
        lost = srt_book_missing(u->book);
    } else {
        from = plain = unit_plain(missing, n_missing, &n_from);
    }
    c.room = n_from + 2 * codes.n + 1;
    ok = ok && from;
    if (ok) {
        const uint32_t n_book = u->book ? srt_book_n_classes(u->book) + 1 : 2;

        u->segments = malloc(c.room * sizeof(*u->segments));
        u->book_class = malloc(c.room * sizeof(*u->book_class));
        u->first_code = malloc(c.room * sizeof(*u->first_code));
        c.class_of_book = calloc(n_book, sizeof(*c.class_of_book));
        ok = u->segments && u->book_class && u->first_code && c.class_of_book;
    }
    for (size_t i = 0; ok && i < n_from; i++)
        ok = unit_cut(&c, &from[i],
                      from[i].class_of == lost ? UINT32_MAX : from[i].class_of,
                      codes.at, &at, codes.n);
    free(c.class_of_book);
    free(codes.at);
    free(plain);
    return ok;
}

static uint32_t unit_find(const struct srt_unit *u, uint32_t code)
{
    size_t low = 0, high = u->n_segments;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (u->segments[middle].first <= code)
            low = middle;
        else
            high = middle;
    }
    return u->segments[low].class_of;
}

static uint32_t unit_class(const struct srt_unit *u, uint32_t code)
{
    return code < SRT_COUNT(u->ascii) ? u->ascii[code] : unit_find(u, code);
}

bool srt_unit_can_write(struct srt_unit *u, uint32_t name)
{
    size_t n, at = 0;
    const char *text = srt_schema_name(u->js->schema, name, &n);

    while (at < n)
        if (u->book_class[unit_class(u, unit_next_code(text, n, &at))] ==
            UINT32_MAX)
            return false;
    return true;
}

uint32_t srt_unit_class(const struct srt_unit *u, const char *text, size_t n)
{
    size_t at = 0;

    return unit_class(u, unit_next_code(text, n, &at));
}

size_t srt_unit_classes(struct srt_unit *u, uint32_t name, uint32_t *classes)
{
    size_t n, at = 0, out = 0;
    const char *text = srt_schema_name(u->js->schema, name, &n);

    while (at < n) {
        const uint32_t class_ = unit_class(u, unit_next_code(text, n, &at));

        if (classes)
            classes[out] = class_;
        out++;
    }
    return out;
}

/* Surrogates are no characters. */
const uint32_t *srt_unit_class_sizes(struct srt_js *js, struct srt_unit *u)
{
    if (u->class_sizes)
        return u->class_sizes;
    u->class_sizes = srt_js_take(js, u->n_classes, sizeof(*u->class_sizes));
    for (size_t i = 0; u->class_sizes && i < u->n_segments; i++) {
        const struct srt_book_segment *s = &u->segments[i];
        const uint32_t first = s->first > 0xD800 ? s->first : 0xD800;
        const uint32_t last = s->last < 0xDFFF ? s->last : 0xDFFF;

        u->class_sizes[s->class_of] += s->last - s->first + 1;
        if (first <= last)
            u->class_sizes[s->class_of] -= last - first + 1;
    }
    return u->class_sizes;
}

/* Whether a key's length is asked for: it becomes part of the regex. */
static bool unit_counts_keys(const struct srt_schema *s)
{
    for (uint32_t i = 1; i <= s->nodes.n; i++) {
        const struct srt_schema_node *n = srt_schema_node(s, i);

        for (uint32_t r = 0; r < n->n_rules; r++)
            if (n->rules[r].type == SRT_RULE_LENGTH &&
                (n->of_name || s->has_dynamic))
                return true;
    }
    return false;
}

/* ---- opening and closing ------------------------------------------------- */

static sortes_status unit_patterns(struct srt_unit *u, sortes_error *err)
{
    const struct srt_schema *s = u->js->schema;
    const struct srt_regex_limits limits = { u->js->options->max_states,
                                             u->js->options->max_state_bytes,
                                             u->js->options->max_compile_us };
    sortes_status status = SORTES_OK;
    sortes_error why = { 0 };
    static const uint32_t any[1][2] = { { 0, 0x10FFFF } };
    char pointer[SRT_SCHEMA_WHERE];

    if (u->number == SRT_UNIT_KEYS && unit_counts_keys(s)) {
        status = srt_book_new(&u->book, &limits);
        if (status == SORTES_OK)
            status = srt_book_set(u->book, any, 1, &u->any);
        if (status != SORTES_OK)
            return srt_fail(err, status, 0, "json_schema: no room");
    }
    for (uint32_t i = 1; i <= s->patterns.n && status == SORTES_OK; i++) {
        const struct srt_schema_pattern *p =
            SRT_SCHEMA_AT(s->patterns, struct srt_schema_pattern, i);

        if (!(u->number == SRT_UNIT_KEYS ? p->of_name : p->of_value))
            continue;
        if (!u->book)
            status = srt_book_new(&u->book, &limits);
        if (status == SORTES_OK)
            status = srt_book_parse(u->book, p->text, p->n, p->search,
                                    &u->of_pattern[i], &why);
        if (status != SORTES_OK) {
            srt_schema_where(s, p->json, pointer, sizeof(pointer));
            return srt_fail(err, status, srt_schema_offset(s, p->json),
                            "json_schema: %s: %s", pointer, why.text);
        }
    }
    return status;
}

static sortes_status unit_fail(sortes_error *err, sortes_status status)
{
    return srt_fail(err, status, 0, "json_schema: no room for its strings");
}

sortes_status srt_unit_open(struct srt_js *js, int number,
                            enum srt_spelling spelling, sortes_error *err)
{
    struct srt_unit *u = &js->unit[number];
    const struct srt_regex_limits limits = { js->options->max_states,
                                             js->options->max_state_bytes,
                                             js->options->max_compile_us };
    uint32_t(*missing)[2] = NULL;
    struct srt_code_reader reader;
    size_t n_missing = 0;
    sortes_status status;

    u->js = js;
    u->number = number;
    u->spelling = spelling;
    srt_pool_init(&u->states, sizeof(uint64_t), js->options->max_states,
                  js->options->max_state_bytes);
    srt_pool_init(&u->needs, sizeof(uint64_t), js->options->max_states,
                  js->options->max_state_bytes);
    u->of_pattern =
        srt_js_take(js, js->schema->patterns.n + 1, sizeof(*u->of_pattern));
    if (!u->of_pattern)
        return unit_fail(err, SORTES_E_NOMEM);
    status = unit_patterns(u, err);
    if (status != SORTES_OK)
        return status;
    status = srt_spelling_missing(spelling, &js->machine.alphabet, &missing,
                                  &n_missing);
    if (status == SORTES_OK && u->book)
        status =
            srt_book_close(u->book, (const uint32_t(*)[2])missing, n_missing);
    if (status == SORTES_OK &&
        !unit_make_segments(u, (const uint32_t(*)[2])missing, n_missing))
        status = SORTES_E_NOMEM;
    for (uint32_t i = 0; i < SRT_COUNT(u->ascii) && status == SORTES_OK; i++)
        u->ascii[i] = unit_find(u, i);
    free(missing);
    reader = (struct srt_code_reader){ u, u->segments, u->n_segments,
                                       srt_text_step };
    if (status == SORTES_OK)
        status = srt_decoder_new(&u->decoder, &reader, spelling,
                                 &js->machine.alphabet, &limits);
    return status == SORTES_OK ? SORTES_OK : unit_fail(err, status);
}

void srt_unit_close(struct srt_unit *u)
{
    srt_decoder_free(u->decoder);
    srt_book_free(u->book);
    free(u->segments);
    free(u->book_class);
    free(u->first_code);
    if (u->js) {
        srt_pool_clear(&u->states);
        srt_pool_clear(&u->needs);
    }
}
