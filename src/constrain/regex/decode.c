/*
 * decode.c - from bytes to the code points that a regex reads
 *
 * Between two characters a state is a state of the reader; its row is filled
 * byte by byte.  The first byte of a longer character makes the whole map of
 * what can follow, from the last byte up, so that equal maps meet in the pool
 * whatever they were made for: where all code points of a range lead to the
 * same state, the map is the same one for every such range.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/decoder.h"

#include "unicode.h"

#include <stdlib.h>

/* Segments of a range that are tried one by one, at most. */
enum { DECODE_SEGMENTS = 100 };

static uint32_t decode_fail(struct srt_decoder *d, sortes_status status)
{
    if (d->status == SORTES_OK)
        d->status = status;
    return 0;
}

uint32_t srt_decode_intern(struct srt_decoder *d, const uint32_t *key, size_t n)
{
    uint32_t s;
    bool is_new;

    if (d->status != SORTES_OK)
        return 0;
    d->status = srt_pool_intern(&d->states, key, n * sizeof(*key), &s, &is_new);
    if (d->status != SORTES_OK)
        return 0;
    if (is_new && n == 1)
        srt_decode_info(d, s)->reader_state = key[0];
    return s;
}

/* The segment that code lies in. */
static const struct srt_book_segment *
decode_segment(const struct srt_decoder *d, uint32_t code)
{
    const struct srt_book_segment *s = d->reader.segments;
    size_t n = d->reader.n_segments;

    while (n > 1) {
        const size_t half = n / 2;

        if (s[half].first <= code)
            s += half;
        n -= half;
    }
    return s;
}

static uint32_t decode_read(struct srt_decoder *d, uint32_t reader_state,
                            uint32_t class_)
{
    struct srt_decode_answer *answer =
        &d->answer[(reader_state * 37 + class_) % SRT_DECODE_ANSWERS];
    uint32_t key[1], to;
    sortes_status status;

    if (d->status != SORTES_OK)
        return 0;
    if (answer->reader_state == reader_state && answer->class_ == class_)
        return answer->to;
    status = d->reader.step(d->reader.ctx, reader_state, class_, key);
    if (status != SORTES_OK)
        return decode_fail(d, status);
    to = key[0] ? srt_decode_intern(d, key, 1) : 0;
    if (d->status == SORTES_OK)
        *answer = (struct srt_decode_answer){ reader_state, class_, to };
    return to;
}

bool srt_decode_range(struct srt_decoder *d, uint32_t reader_state,
                      uint32_t first, uint32_t last, uint32_t *to)
{
    const struct srt_book_segment *s = decode_segment(d, first);

    *to = decode_read(d, reader_state, s->class_of);
    for (unsigned i = 0; s->last < last && d->status == SORTES_OK; i++) {
        s++;
        if (i == DECODE_SEGMENTS ||
            decode_read(d, reader_state, s->class_of) != *to)
            return false;
    }
    return true;
}

uint32_t srt_decode_code(struct srt_decoder *d, uint32_t reader_state,
                         uint32_t code)
{
    return decode_read(d, reader_state, decode_segment(d, code)->class_of);
}

/* ---- maps ---------------------------------------------------------------- */

static void decode_put_run(struct srt_decode_map *m, unsigned first,
                           unsigned last, uint32_t to)
{
    uint32_t *top = m->n ? &m->key[m->n - 2] : NULL;

    if (top && top[1] == to && (top[0] >> 8) + 1 == first) {
        top[0] = (top[0] & 0xFF) | last << 8;
        return;
    }
    m->key[m->n++] = first | last << 8;
    m->key[m->n++] = to;
}

void srt_decode_put(const struct srt_decoder *d, struct srt_decode_map *m,
                    unsigned first, unsigned last, uint32_t to)
{
    if (!to)
        return;
    if (first == 0x80 && last == 0xBF && d->alphabet.bits[2] == UINT64_MAX) {
        decode_put_run(m, first, last, to);
        return;
    }
    for (unsigned byte = first; byte <= last; byte++)
        if (srt_alphabet_has(&d->alphabet, (uint8_t)byte))
            decode_put_run(m, byte, byte, to);
}

uint32_t srt_decode_map(struct srt_decoder *d, const struct srt_decode_map *m)
{
    return m->n ? srt_decode_intern(d, m->key, m->n) : 0;
}

/* ---- UTF-8 --------------------------------------------------------------- */

/* n bytes, 80 to BF each, and then to. */
static uint32_t decode_any_bytes(struct srt_decoder *d, unsigned n, uint32_t to)
{
    const uint32_t wanted = to;
    uint32_t *of = n && n <= SRT_COUNT(d->any_bytes)
                       ? d->any_bytes[n - 1][to % SRT_DECODE_ANY]
                       : NULL;

    if (of && of[0] == wanted && of[1])
        return of[1];
    while (n-- > 0 && to) {
        struct srt_decode_map m = { .n = 0 };

        srt_decode_put(d, &m, 0x80, 0xBF, to);
        to = srt_decode_map(d, &m);
    }
    if (of) {
        of[0] = wanted;
        of[1] = to;
    }
    return to;
}

/* The n bytes that are left of the code points from first on. */
static uint32_t decode_bytes(struct srt_decoder *d, uint32_t reader_state,
                             uint32_t first, unsigned n)
{
    const uint32_t last = first + (1u << (6 * n)) - 1;
    struct srt_decode_map m = { .n = 0 };
    uint32_t to;

    if (srt_decode_range(d, reader_state, first, last, &to))
        return decode_any_bytes(d, n, to);
    for (unsigned i = 0; i < 64 && d->status == SORTES_OK; i++) {
        to = decode_bytes(d, reader_state, first + (i << (6 * (n - 1))), n - 1);
        srt_decode_put(d, &m, 0x80 + i, 0x80 + i, to);
    }
    return srt_decode_map(d, &m);
}

/* A first byte, C2 to F4.  The range of the second one is RFC 3629's. */
static uint32_t decode_lead(struct srt_decoder *d, uint32_t reader_state,
                            unsigned byte)
{
    const unsigned n = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    const uint32_t first = (byte & (0x3Fu >> n)) << (6 * n);
    const unsigned low = byte == 0xE0 ? 0x20 : byte == 0xF0 ? 0x10 : 0;
    const unsigned high = byte == 0xED ? 0x1F : byte == 0xF4 ? 0x0F : 0x3F;
    struct srt_decode_map m = { .n = 0 };

    if (low == 0 && high == 0x3F)
        return decode_bytes(d, reader_state, first, n);
    for (unsigned i = low; i <= high && d->status == SORTES_OK; i++)
        srt_decode_put(
            d, &m, 0x80 + i, 0x80 + i,
            decode_bytes(d, reader_state, first + (i << (6 * (n - 1))), n - 1));
    return srt_decode_map(d, &m);
}

/* ---- the decoder --------------------------------------------------------- */

static uint32_t decode_first(struct srt_decoder *d, uint32_t reader_state,
                             unsigned byte)
{
    if (d->spelling != SRT_SPELL_UTF8 && byte == '\\')
        return srt_decode_escape(d, reader_state);
    if (d->spelling != SRT_SPELL_UTF8 && (byte < 0x20 || byte == '"'))
        return 0;
    if (d->spelling == SRT_SPELL_JSON_LLGUIDANCE && byte == 0x7F)
        return 0;
    if (byte < 0x80)
        return srt_decode_code(d, reader_state, byte);
    if (byte < 0xC2 || byte > 0xF4)
        return 0;
    return decode_lead(d, reader_state, byte);
}

/* A character's later bytes: the range that holds this one. */
static uint32_t decode_inside(const struct srt_decoder *d, uint32_t state,
                              unsigned byte)
{
    size_t n;
    const uint32_t *key = srt_pool_key(&d->states, state, &n);

    for (size_t i = 0; i < n / sizeof(*key); i += 2)
        if (byte >= (key[i] & 0xFF) && byte <= key[i] >> 8)
            return key[i + 1];
    return 0;
}

sortes_status srt_decoder_step(struct srt_decoder *d, uint32_t state,
                               uint8_t byte, uint32_t *next)
{
    struct srt_decode_info *info = srt_decode_info(d, state);
    const unsigned class_ = d->class_of[byte];
    uint32_t to;

    if (!info->reader_state) {
        *next = decode_inside(d, state, byte);
        return SORTES_OK;
    }
    if (!info->next) {
        const size_t n_bytes = d->n_classes * sizeof(*info->next);
        uint32_t *row = srt_pool_take(&d->states, n_bytes);

        if (!row)
            return srt_pool_refusal(&d->states, n_bytes);
        for (unsigned c = 0; c < d->n_classes; c++)
            row[c] = SRT_NEXT_UNKNOWN;
        info->next = row;
    }
    if (info->next[class_] == SRT_NEXT_UNKNOWN) {
        d->status = SORTES_OK;
        to = srt_alphabet_has(&d->alphabet, byte)
                 ? decode_first(d, info->reader_state, byte)
                 : 0;
        if (d->status != SORTES_OK)
            return d->status;
        info->next[class_] = to;
    }
    *next = info->next[class_];
    return SORTES_OK;
}

sortes_status srt_decoder_at(struct srt_decoder *d, uint32_t reader_state,
                             uint32_t *state)
{
    const uint32_t key[1] = { reader_state };

    d->status = SORTES_OK;
    *state = reader_state ? srt_decode_intern(d, key, 1) : 0;
    return d->status;
}

uint32_t srt_decoder_reader_state(const struct srt_decoder *d, uint32_t state)
{
    return state ? srt_decode_info(d, state)->reader_state : 0;
}

void srt_decoder_ahead(const struct srt_decoder *d, uint32_t state,
                       struct srt_alphabet *bytes)
{
    size_t n;
    const uint32_t *key = srt_pool_key(&d->states, state, &n);

    for (size_t i = 0; i < n / sizeof(*key); i += 2)
        for (unsigned byte = key[i] & 0xFF; byte <= key[i] >> 8; byte++)
            srt_alphabet_add(bytes, (uint8_t)byte);
}

uint32_t srt_decoder_some_reader_state(const struct srt_decoder *d,
                                       uint32_t state)
{
    uint32_t reader = srt_decoder_reader_state(d, state);

    while (!reader) {
        const uint32_t *key = srt_pool_key(&d->states, state, NULL);

        state = key[1];
        reader = srt_decode_info(d, state)->reader_state;
    }
    return reader;
}

uint16_t srt_decoder_classes(const struct srt_decoder *d, uint8_t class_of[256])
{
    memcpy(class_of, d->class_of, sizeof(d->class_of));
    return d->n_classes;
}

/* Where a code point begins that is not like the one before it. */
static void decode_cut_at(bool cut[257], uint32_t code)
{
    char bytes[4];
    const size_t n = srt_utf8_encode(code, bytes);

    for (size_t i = 0; i < n; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        bool first = true; /* all that follow are the lowest */

        for (size_t j = i + 1; j < n; j++)
            first &= (unsigned char)bytes[j] == 0x80;
        cut[byte] = true;
        if (!first)
            cut[byte + 1] = true;
    }
}

/* Neighbours that no state tells apart are one class. */
static void decode_find_classes(struct srt_decoder *d)
{
    static const unsigned char utf8[] = { 0x80, 0x90, 0xA0, 0xC0, 0xC2,
                                          0xE0, 0xE1, 0xED, 0xEE, 0xF0,
                                          0xF1, 0xF4, 0xF5 };
    static const char json[] = "\"/\\bfnrtu0123456789ABCDEFacde";
    bool cut[257] = { false };
    unsigned n = 0;

    for (size_t i = 0; i < sizeof(utf8); i++)
        cut[utf8[i]] = true;
    for (size_t i = 0; d->spelling != SRT_SPELL_UTF8 && json[i]; i++)
        cut[(unsigned)json[i]] = cut[(unsigned)json[i] + 1] = true;
    cut[0x20] |= d->spelling != SRT_SPELL_UTF8;
    cut[0x7F] |= d->spelling == SRT_SPELL_JSON_LLGUIDANCE;
    for (size_t i = 1; i < d->reader.n_segments; i++)
        if (d->reader.segments[i].first < 0xD800 ||
            d->reader.segments[i].first > 0xDFFF)
            decode_cut_at(cut, d->reader.segments[i].first);
    for (unsigned byte = 1; byte < 256; byte++)
        cut[byte] |= srt_alphabet_has(&d->alphabet, (uint8_t)byte) !=
                     srt_alphabet_has(&d->alphabet, (uint8_t)(byte - 1));
    for (unsigned byte = 0; byte < 256; byte++) {
        n += byte > 0 && cut[byte];
        d->class_of[byte] = (uint8_t)n;
    }
    d->n_classes = (uint16_t)(n + 1);
}

sortes_status srt_decoder_new(struct srt_decoder **out,
                              const struct srt_code_reader *reader,
                              enum srt_spelling spelling,
                              const struct srt_alphabet *alphabet,
                              const struct srt_regex_limits *limits)
{
    struct srt_decoder *d = calloc(1, sizeof(*d));

    *out = d;
    if (!d)
        return SORTES_E_NOMEM;
    d->reader = *reader;
    d->spelling = spelling;
    d->alphabet = *alphabet;
    srt_pool_init(&d->states, sizeof(struct srt_decode_info),
                  limits->max_states, limits->max_bytes);
    decode_find_classes(d);
    return SORTES_OK;
}

void srt_decoder_free(struct srt_decoder *d)
{
    if (!d)
        return;
    srt_pool_clear(&d->states);
    free(d);
}

void srt_decoder_stats(const struct srt_decoder *d, size_t *n_states,
                       size_t *n_bytes)
{
    *n_states = d->states.n;
    *n_bytes = d->states.n_bytes;
}

static sortes_status decode_step_book(void *ctx, uint32_t state,
                                      uint32_t class_, uint32_t *next)
{
    return srt_book_step(ctx, state, class_, next);
}

struct srt_code_reader srt_book_reader(struct srt_book *closed)
{
    struct srt_code_reader reader = { .ctx = closed, .step = decode_step_book };

    reader.segments = srt_book_segments(closed, &reader.n_segments);
    return reader;
}
