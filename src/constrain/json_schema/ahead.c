/*
 * ahead.c - what can be said of a state before its bytes are asked one by one
 *
 * Hints that spare a mask most of its questions: bytes that no state tells
 * apart, bytes that cannot come, white space that changes nothing but its own
 * count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json/blanks.h"

static const char ahead_blanks[] = " \n\t\r";
static const char ahead_values[] = "{[\"-0123456789tfn";
static const char ahead_number[] = "0123456789.eE+-,]}";

/* Bytes that have a meaning outside strings. */
static const char ahead_structure[] = " \n\t\r{}[]:,\"-+.0123456789Etrufalsn";

/* Neighbours that neither strings nor what is between them tell apart are one
 * class; e is among the letters of words. */
void srt_js_classes(struct srt_js *js)
{
    uint8_t of_unit[SRT_UNITS][256];
    bool cut[257] = { false };
    unsigned n = 0;

    for (int i = 0; i < SRT_UNITS; i++)
        srt_decoder_classes(js->unit[i].decoder, of_unit[i]);
    for (const char *c = ahead_structure; *c; c++)
        cut[(uint8_t)*c] = cut[(uint8_t)*c + 1] = true;
    cut['e'] = cut['f'] = true;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool differs = cut[byte];

        for (int i = 0; byte && i < SRT_UNITS && !differs; i++)
            differs = of_unit[i][byte] != of_unit[i][byte - 1];
        n += byte && differs;
        js->machine.class_of[byte] = (uint8_t)n;
    }
    js->machine.n_classes = (uint16_t)(n + 1);
}

static void ahead_add(struct srt_alphabet *to, const char *bytes)
{
    for (; *bytes; bytes++)
        srt_alphabet_add(to, (uint8_t)*bytes);
}

/* Where in a string or key a state is: the unit, and the state of its reader;
 * 0: inside a character, or not in a string. */
static uint32_t ahead_reader(const struct srt_js *js,
                             const struct srt_js_state *s, uint32_t *unit)
{
    const bool key = s->mode == SRT_MODE_KEY;

    *unit = SRT_UNIT_KEYS;
    if (!key && s->mode != SRT_MODE_STRING)
        return 0;
    *unit = key ? SRT_UNIT_KEYS : s->b;
    return srt_decoder_reader_state(js->unit[*unit].decoder, key ? s->b : s->a);
}

static void ahead_in_text(const struct srt_js *js, const struct srt_js_state *s,
                          struct srt_alphabet *to)
{
    uint32_t unit;
    const uint32_t reader = ahead_reader(js, s, &unit);

    if (reader)
        srt_text_ahead(js, &js->unit[unit], reader, to);
    else
        srt_decoder_ahead(js->unit[unit].decoder,
                          s->mode == SRT_MODE_KEY ? s->b : s->a, to);
}

struct srt_alphabet srt_js_may_follow(const struct srt_machine *m,
                                      uint32_t state)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    struct srt_alphabet to = { { 0 } };

    if (s->mode == SRT_MODE_STRING || s->mode == SRT_MODE_KEY) {
        ahead_in_text(js, s, &to);
        return to;
    }
    if (s->mode == SRT_MODE_WORD) {
        srt_alphabet_add(&to, (uint8_t)srt_js_words[s->a][s->b]);
        return to;
    }
    ahead_add(&to, ahead_blanks);
    switch ((enum srt_mode)s->mode) {
    case SRT_MODE_VALUE:
        ahead_add(&to, ahead_values);
        break;
    case SRT_MODE_OPEN_ARRAY:
        ahead_add(&to, ahead_values);
        srt_alphabet_add(&to, ']');
        break;
    case SRT_MODE_NUMBER:
        ahead_add(&to, ahead_number);
        break;
    case SRT_MODE_OPEN_OBJECT:
        ahead_add(&to, "\"}");
        break;
    case SRT_MODE_NEXT_KEY:
        srt_alphabet_add(&to, '"');
        break;
    case SRT_MODE_AFTER_PAIR:
        ahead_add(&to, ",}");
        break;
    case SRT_MODE_AFTER_ITEM:
        ahead_add(&to, ",]");
        break;
    case SRT_MODE_COLON:
        srt_alphabet_add(&to, ':');
        break;
    default:
        break;
    }
    return to;
}

/* ---- states that are nearly alike ---------------------------------------- */

/* The state s with another one of its reader; 0: failed. */
static uint32_t ahead_with(struct srt_js *js, struct srt_js_state s,
                           uint32_t reader)
{
    const bool key = s.mode == SRT_MODE_KEY;
    const sortes_status status = srt_decoder_at(
        js->unit[key ? SRT_UNIT_KEYS : s.b].decoder, reader, key ? &s.b : &s.a);

    return status == SORTES_OK ? srt_js_intern(js, &js->states, &s, sizeof(s))
                               : srt_js_fail(js, status);
}

/* Counts that make no difference. */
sortes_status srt_js_same_mask(struct srt_machine *m, uint32_t state,
                               uint32_t longest, uint32_t *same)
{
    struct srt_js *js = (struct srt_js *)m;
    const struct srt_js_state s = *srt_frame_state_at(js, state);
    uint32_t unit, other;
    const uint32_t reader = ahead_reader(js, &s, &unit);
    sortes_status status;

    *same = state;
    if (!reader)
        return SORTES_OK;
    other = srt_text_same(js, &js->unit[unit], reader, longest);
    if (other && other != reader)
        *same = ahead_with(js, s, other);
    status = srt_js_end(js);
    if (status != SORTES_OK)
        *same = state;
    return status;
}

srt_kinds srt_js_kinds_stay(const struct srt_machine *m, uint32_t state)
{
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    uint32_t unit;
    const uint32_t reader =
        ahead_reader(js, srt_frame_state_at(js, state), &unit);

    return reader ? srt_text_kinds_stay(js, &js->unit[unit], reader) : 0;
}

/* By the state of the decoder; all that may be followed by any characters are
 * one.  On a trie there would be too many. */
sortes_status srt_js_inside(struct srt_machine *m, uint32_t state,
                            uint32_t *other)
{
    struct srt_js *js = (struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const bool key = s->mode == SRT_MODE_KEY;
    uint32_t at[2] = { key ? SRT_UNIT_KEYS : s->b, key ? s->b : s->a };
    const struct srt_unit *u;
    enum srt_text_place place;
    uint32_t number;

    *other = 0;
    if (!key && s->mode != SRT_MODE_STRING)
        return SORTES_OK;
    u = &js->unit[at[0]];
    place =
        srt_text_place(js, u, srt_decoder_some_reader_state(u->decoder, at[1]));
    if (place == SRT_TEXT_ON_TRIE)
        return SORTES_OK;
    if (place == SRT_TEXT_ANY && srt_decoder_reader_state(u->decoder, at[1]))
        at[1] = 0;
    number = srt_js_intern(js, &js->insides, at, sizeof(at));
    if (number) {
        uint32_t *first = srt_pool_payload(&js->insides, number);

        if (!*first)
            *first = state;
        *other = *first;
    }
    return srt_js_end(js);
}

/* On a trie with any strings beside it: the state off the trie. */
sortes_status srt_js_like(struct srt_machine *m, uint32_t state, uint32_t *base,
                          struct srt_alphabet *unlike)
{
    struct srt_js *js = (struct srt_js *)m;
    const struct srt_js_state s = *srt_frame_state_at(js, state);
    uint32_t unit;
    const uint32_t reader = ahead_reader(js, &s, &unit);
    const uint32_t off = reader ? srt_text_off(js, &js->unit[unit], reader) : 0;
    sortes_status status;

    *base = 0;
    if (off)
        *base = ahead_with(js, s, off);
    if (*base) {
        memset(unlike, 0, sizeof(*unlike));
        srt_text_ahead_trie(js, &js->unit[unit], reader, unlike);
    }
    status = srt_js_end(js);
    if (status != SORTES_OK)
        *base = 0;
    return status;
}

/* ---- white space --------------------------------------------------------- */

int srt_js_gap(const struct srt_machine *m, uint32_t state)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);

    switch ((enum srt_mode)s->mode) {
    case SRT_MODE_VALUE:
        return js->options->like_llguidance &&
                       !srt_frame_at(js, s->frame)->parent
                   ? -1
                   : (int)s->b;
    case SRT_MODE_OPEN_OBJECT:
    case SRT_MODE_NEXT_KEY:
    case SRT_MODE_AFTER_PAIR:
    case SRT_MODE_COLON:
    case SRT_MODE_OPEN_ARRAY:
    case SRT_MODE_AFTER_ITEM:
        return (int)s->b;
    default:
        return -1;
    }
}

int srt_js_gap_step(const struct srt_machine *m, int gap, uint8_t byte)
{
    const struct srt_js *js = (const struct srt_js *)m;

    return srt_gap_next((int)js->options->whitespace, gap, byte);
}
