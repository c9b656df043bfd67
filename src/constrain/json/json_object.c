/*
 * json_object.c - any JSON object: response_format {"type": "json_object"}
 *
 * A state is where the text stands between atoms (or where in an atom) and the
 * stack of containers around it; stacks are hash-consed frames, each a kind and
 * the frame it stands in.  Texts are RFC 8259's within the profile; keys do
 * not repeat, as keys.c sees to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/atoms.h"
#include "constrain/json/blanks.h"
#include "constrain/json/keys.h"
#include "constrain/language.h"
#include "constrain/pool.h"

#include <stdlib.h>
#include <string.h>

enum object_phase {
    OBJECT_START,      /* before the text */
    OBJECT_FIRST_KEY,  /* behind '{' */
    OBJECT_KEY,        /* behind ',' in an object */
    OBJECT_IN_KEY,     /* between a key's quotes */
    OBJECT_COLON,      /* behind a key */
    OBJECT_FIRST_ITEM, /* behind '[' */
    OBJECT_VALUE,      /* behind ':', or ',' in an array */
    OBJECT_IN_ATOM,
    OBJECT_AFTER, /* behind a value in a container */
    OBJECT_END    /* behind the whole */
};

struct object_state {
    uint8_t phase;
    uint8_t atom; /* inside one */
    uint16_t gap; /* between them */
    uint32_t frame;
};

enum { FRAME_OBJECT = '{', FRAME_ARRAY = '[' };

struct object_frame {
    uint32_t parent; /* 0: none */
    uint32_t kind;
};

struct object_program {
    struct srt_program program; /* first */
};

struct object_machine {
    struct srt_machine machine; /* first */
    struct srt_options options;
    struct srt_atoms atoms;
    bool can_array, can_member;
    struct srt_pool states; /* struct object_state */
    struct srt_pool frames; /* struct object_frame; payload: its depth */
};

/* ---- states -------------------------------------------------------------- */

static const struct object_state *object_at(const struct object_machine *m,
                                            uint32_t state)
{
    return srt_pool_key(&m->states, state, NULL);
}

static const struct object_frame *object_frame(const struct object_machine *m,
                                               uint32_t frame)
{
    return srt_pool_key(&m->frames, frame, NULL);
}

static uint64_t object_depth(const struct object_machine *m, uint32_t frame)
{
    return frame ? *(const uint64_t *)srt_pool_payload(&m->frames, frame) : 0;
}

static sortes_status object_open(struct object_machine *m, uint32_t parent,
                                 uint32_t kind, uint32_t *frame)
{
    const struct object_frame key = { parent, kind };
    bool is_new;
    const sortes_status status =
        srt_pool_intern(&m->frames, &key, sizeof(key), frame, &is_new);

    if (status == SORTES_OK && is_new) /* others may be reading an old one */
        *(uint64_t *)srt_pool_payload(&m->frames, *frame) =
            object_depth(m, parent) + 1;
    return status;
}

/* ---- steps --------------------------------------------------------------- */

static bool object_is_full(const struct object_machine *m, uint32_t frame)
{
    return object_depth(m, frame) >= m->options.max_depth;
}

/* Whether some value can stand in a frame at all. */
static bool object_can_value(const struct object_machine *m, uint32_t frame)
{
    return m->atoms.any || !object_is_full(m, frame);
}

/* The first byte of a value; phase stays what it is: dead. */
static sortes_status object_value(struct object_machine *m,
                                  struct object_state *s, uint8_t byte,
                                  bool *alive)
{
    if (byte == '{' || byte == '[') {
        if (object_is_full(m, s->frame) || (byte == '[' && !m->can_array))
            return SORTES_OK;
        *alive = true;
        s->phase = byte == '{' ? OBJECT_FIRST_KEY : OBJECT_FIRST_ITEM;
        return object_open(m, s->frame, byte, &s->frame);
    }
    s->atom = m->atoms.start[byte];
    s->phase = OBJECT_IN_ATOM;
    *alive = s->atom != SRT_ATOM_DEAD;
    return SORTES_OK;
}

static void object_key(const struct object_machine *m, struct object_state *s,
                       uint8_t byte, bool *alive)
{
    *alive = byte == '"' && m->can_member && object_can_value(m, s->frame);
    s->phase = OBJECT_IN_KEY;
    s->atom = m->atoms.key;
}

static void object_close(const struct object_machine *m, struct object_state *s)
{
    s->frame = object_frame(m, s->frame)->parent;
    s->phase = s->frame ? OBJECT_AFTER : OBJECT_END;
}

/* Behind a value: a comma, or the end of its container. */
static void object_after(const struct object_machine *m, struct object_state *s,
                         uint8_t byte, bool *alive)
{
    const bool object = object_frame(m, s->frame)->kind == FRAME_OBJECT;

    if (byte == ',') {
        /* With only "" to name members, there is no second one. */
        *alive = !object || m->atoms.key_has_bodies || !m->options.unique_keys;
        s->phase = object ? OBJECT_KEY : OBJECT_VALUE;
    } else if (byte == (object ? '}' : ']')) {
        *alive = true;
        object_close(m, s);
    }
}

/* A byte between atoms that is no blank. */
static sortes_status object_structure(struct object_machine *m,
                                      struct object_state *s, uint8_t byte,
                                      bool *alive)
{
    switch ((enum object_phase)s->phase) {
    case OBJECT_START:
        if (byte == '{')
            return object_value(m, s, byte, alive);
        break;
    case OBJECT_FIRST_KEY:
    case OBJECT_FIRST_ITEM:
        if (byte == (s->phase == OBJECT_FIRST_KEY ? '}' : ']')) {
            *alive = true;
            object_close(m, s);
        } else if (s->phase == OBJECT_FIRST_KEY) {
            object_key(m, s, byte, alive);
        } else {
            return object_value(m, s, byte, alive);
        }
        break;
    case OBJECT_KEY:
        object_key(m, s, byte, alive);
        break;
    case OBJECT_COLON:
        *alive = byte == ':';
        s->phase = OBJECT_VALUE;
        break;
    case OBJECT_VALUE:
        return object_value(m, s, byte, alive);
    case OBJECT_AFTER:
        object_after(m, s, byte, alive);
        break;
    case OBJECT_IN_KEY:
    case OBJECT_IN_ATOM:
    case OBJECT_END:
        break;
    }
    return SORTES_OK;
}

/* A byte of an atom; false: a number has ended before it. */
static bool object_atom(const struct object_machine *m, struct object_state *s,
                        uint8_t byte, bool *alive)
{
    const uint8_t next = m->atoms.next[s->atom][byte];

    if (next == SRT_ATOM_DEAD && m->atoms.complete[s->atom]) {
        s->phase = OBJECT_AFTER;
        s->atom = 0;
        return false;
    }
    *alive = next != SRT_ATOM_DEAD;
    s->atom = next;
    if (next == SRT_ATOM_END) {
        s->phase = s->phase == OBJECT_IN_KEY ? OBJECT_COLON : OBJECT_AFTER;
        s->atom = 0;
    }
    return true;
}

static void object_blank(const struct object_machine *m, struct object_state *s,
                         uint8_t byte, bool *alive)
{
    if (s->phase == OBJECT_END && m->options.whitespace != SRT_WHITESPACE_ANY)
        return;
    if (m->options.like_llguidance &&
        (s->phase == OBJECT_START || s->phase == OBJECT_END))
        return; /* that library has blanks inside only */
    s->gap = srt_gap_step(m->options.whitespace, s->gap, byte);
    *alive = s->gap != SRT_GAP_NONE;
}

/* Where blanks change the gap alone. */
static int object_gap(const struct srt_machine *machine, uint32_t state)
{
    const struct object_machine *m = (const struct object_machine *)machine;
    const struct object_state *s = object_at(m, state);
    const bool inside = s->phase != OBJECT_START && s->phase != OBJECT_END;

    return inside && s->phase != OBJECT_IN_KEY && s->phase != OBJECT_IN_ATOM
               ? s->gap
               : -1;
}

static int object_gap_step(const struct srt_machine *machine, int gap,
                           uint8_t byte)
{
    const struct object_machine *m = (const struct object_machine *)machine;

    return srt_gap_next((int)m->options.whitespace, gap, byte);
}

static sortes_status object_step(struct srt_machine *machine, uint32_t state,
                                 uint8_t byte, uint32_t *next)
{
    struct object_machine *m = (struct object_machine *)machine;
    struct object_state s = *object_at(m, state);
    const bool in_atom = s.phase == OBJECT_IN_KEY || s.phase == OBJECT_IN_ATOM;
    sortes_status status = SORTES_OK;
    bool alive = false;

    *next = SRT_DEAD;
    if (!srt_alphabet_has(&machine->alphabet, byte))
        return SORTES_OK;
    if (!in_atom || !object_atom(m, &s, byte, &alive)) {
        if (srt_is_blank(byte)) {
            object_blank(m, &s, byte, &alive);
        } else {
            s.gap = 0;
            status = object_structure(m, &s, byte, &alive);
        }
    }
    if (status != SORTES_OK || !alive)
        return status;
    return srt_pool_intern(&m->states, &s, sizeof(s), next, NULL);
}

static bool object_accepts(const struct srt_machine *machine, uint32_t state)
{
    const struct object_machine *m = (const struct object_machine *)machine;

    return object_at(m, state)->phase == OBJECT_END;
}

static uint32_t object_string_room(const struct srt_machine *machine,
                                   uint32_t state)
{
    const struct object_machine *m = (const struct object_machine *)machine;
    const struct object_state *s = object_at(m, state);

    if (m->options.like_llguidance) /* not DEL */
        return 0;
    return (s->phase == OBJECT_IN_KEY || s->phase == OBJECT_IN_ATOM) &&
                   srt_atoms_in_body(&m->atoms, s->atom)
               ? UINT32_MAX
               : 0;
}

static srt_kinds object_kinds_stay(const struct srt_machine *machine,
                                   uint32_t state)
{
    return object_string_room(machine, state) == UINT32_MAX ? ~SRT_KINDS_OTHER
                                                            : 0;
}

static void object_stats(const struct srt_machine *machine, size_t *n_states,
                         size_t *n_bytes)
{
    const struct object_machine *m = (const struct object_machine *)machine;

    *n_states = m->states.n;
    *n_bytes = m->states.n_bytes + m->frames.n_bytes;
}

/* ---- keys ---------------------------------------------------------------- */

static unsigned object_event(const struct srt_machine *machine, uint32_t from,
                             uint32_t to)
{
    const struct object_machine *m = (const struct object_machine *)machine;
    const struct object_state *s = object_at(m, from), *t = object_at(m, to);

    if (s->phase == OBJECT_IN_KEY)
        return t->phase == OBJECT_IN_KEY ? SRT_KEY_BODY : SRT_KEY_END;
    if (t->phase == OBJECT_IN_KEY)
        return SRT_KEY_BEGIN;
    if (s->frame == t->frame)
        return SRT_KEY_NOTHING;
    if (object_depth(m, t->frame) > object_depth(m, s->frame))
        return object_frame(m, t->frame)->kind == FRAME_OBJECT
                   ? SRT_KEY_OPEN_OBJECT
                   : SRT_KEY_NOTHING;
    return object_frame(m, s->frame)->kind == FRAME_OBJECT
               ? SRT_KEY_CLOSE_OBJECT
               : SRT_KEY_NOTHING;
}

static const struct srt_key_rules object_rules = { .event_of = object_event };

static sortes_status object_follow(const struct srt_machine *machine,
                                   const struct srt_trail *from,
                                   const struct srt_path *path,
                                   struct srt_trail **to, size_t *n_ok)
{
    return srt_keys_follow(machine, &object_rules, from, path, to, n_ok);
}

static sortes_status object_forbid(const struct srt_machine *machine,
                                   const struct srt_trail *trail,
                                   uint32_t state, struct srt_cursor *cursor,
                                   uint32_t *words)
{
    const struct srt_key_mask mask = { machine, &object_rules, cursor, state,
                                       words };

    return srt_keys_forbid(&mask, trail);
}

/* ---- making it ----------------------------------------------------------- */

#define OBJECT_TYPE                                                            \
    .step = object_step, .accepts = object_accepts,                            \
    .string_room = object_string_room, .kinds_stay = object_kinds_stay,        \
    .stats = object_stats, .gap = object_gap, .gap_step = object_gap_step

static const struct srt_machine_type object_type = { OBJECT_TYPE };

static const struct srt_machine_type object_type_unique = {
    OBJECT_TYPE,
    .follow = object_follow,
    .forbid = object_forbid,
};

static void object_destroy(struct srt_shared *shared)
{
    struct object_machine *m = (struct object_machine *)shared;

    srt_pool_clear(&m->states);
    srt_pool_clear(&m->frames);
    srt_machine_clear(&m->machine);
    free(m);
}

/* Bytes that lead the same way from every state have one class. */
static bool object_same_class(const struct object_machine *m, uint8_t a,
                              uint8_t b)
{
    if (a == b)
        return true;
    if (strchr("{}[],:\" \n\t\r", a) || strchr("{}[],:\" \n\t\r", b) ||
        a == 0 || b == 0 || m->atoms.start[a] != m->atoms.start[b])
        return false;
    for (uint8_t s = 0; s < m->atoms.n; s++)
        if (m->atoms.next[s][a] != m->atoms.next[s][b])
            return false;
    return true;
}

static void object_classes(struct object_machine *m)
{
    uint8_t member[256];

    m->machine.n_classes = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint16_t c = 0;

        while (c < m->machine.n_classes &&
               !object_same_class(m, (uint8_t)byte, member[c]))
            c++;
        if (c == m->machine.n_classes)
            member[m->machine.n_classes++] = (uint8_t)byte;
        m->machine.class_of[byte] = (uint8_t)c;
    }
}

static sortes_status object_begin(struct object_machine *m, sortes_error *err)
{
    const struct srt_alphabet *a = &m->machine.alphabet;
    const struct object_state start = { .phase = OBJECT_START };
    sortes_status status;

    if (!srt_alphabet_has(a, '{') || !srt_alphabet_has(a, '}'))
        return srt_machine_empty("json_object",
                                 srt_alphabet_has(a, '{') ? '}' : '{', err);
    m->can_array = srt_alphabet_has(a, '[') && srt_alphabet_has(a, ']');
    m->can_member = m->atoms.key != SRT_ATOM_DEAD && srt_alphabet_has(a, ':');
    object_classes(m);
    status = srt_pool_intern(&m->states, &start, sizeof(start),
                             &m->machine.start, NULL);
    return status == SORTES_OK
               ? SORTES_OK
               : srt_machine_no_room("json_object", status, err);
}

static enum srt_atom_escapes object_escapes(const struct srt_options *o,
                                            bool canonical)
{
    if (o->like_llguidance)
        return SRT_ATOM_LLGUIDANCE;
    return canonical ? SRT_ATOM_CANONICAL : SRT_ATOM_LEGAL;
}

static sortes_status object_build(struct srt_machine **out,
                                  const struct srt_program *program,
                                  const struct srt_alphabet *alphabet,
                                  const sortes_vocab *v, sortes_error *err)
{
    const struct srt_options *o = &program->options;
    struct object_machine *m = calloc(1, sizeof(*m));
    sortes_status status;

    (void)v;
    if (!m)
        return srt_fail(err, SORTES_E_NOMEM, 0, "json_object: no memory");
    srt_machine_init(&m->machine,
                     o->unique_keys ? &object_type_unique : &object_type,
                     object_destroy, alphabet);
    m->options = *o;
    srt_atoms_init(&m->atoms, alphabet,
                   object_escapes(o, o->escapes != SRT_ESCAPES_JSON),
                   object_escapes(o, o->escapes == SRT_ESCAPES_CANONICAL));
    srt_pool_init(&m->states, 0, o->max_states, o->max_state_bytes / 2);
    srt_pool_init(&m->frames, 8, o->max_states, o->max_state_bytes / 2);
    status = object_begin(m, err);
    if (status != SORTES_OK) {
        srt_shared_release(&m->machine.shared);
        return status;
    }
    *out = &m->machine;
    return SORTES_OK;
}

static void object_free(struct srt_program *program)
{
    free(program);
}

static sortes_status object_parse(struct srt_program **out, const char *text,
                                  size_t n, const struct srt_options *options,
                                  sortes_error *err)
{
    struct object_program *p;

    for (size_t i = 0; i < n; i++)
        if (!srt_is_blank((uint8_t)text[i]))
            return srt_fail(err, SORTES_E_SYNTAX, i,
                            "json_object: takes no text of its own");
    p = calloc(1, sizeof(*p));
    if (!p)
        return srt_fail(err, SORTES_E_NOMEM, 0, "json_object: no memory");
    p->program.language = &srt_language_json_object;
    p->program.options = *options;
    *out = &p->program;
    return SORTES_OK;
}

const struct srt_language srt_language_json_object = {
    .name = "json_object",
    .parse = object_parse,
    .build = object_build,
    .free = object_free,
};
