/*
 * object.c - an object, key by key
 *
 * What is left of the duty is a diagram: a key that has come, a count that has
 * been reached, a value that has failed its schema are answers put into it.  At
 * the closing brace the rest is answered: what has not come is not there, what
 * has not failed holds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include <stdlib.h>
#include <string.h>

struct srt_object_table *srt_object_table_of(const struct srt_js *js,
                                             uint32_t object)
{
    return srt_object_table_at(js, srt_object_at(js, object)->table);
}

static struct srt_life *object_life(const struct srt_js *js, uint32_t object)
{
    return srt_pool_payload(&js->objects, object);
}

/* ---- which names have come
 * ------------------------------------------------------- */

bool srt_set_has(const struct srt_js *js, uint32_t set, uint32_t item)
{
    const uint32_t *bits;
    size_t n;

    if (!set)
        return false;
    bits = srt_pool_key(&js->sets, set, &n);
    return item / 32 < n / sizeof(*bits) && (bits[item / 32] >> item % 32 & 1);
}

bool srt_object_has_seen(const struct srt_js *js,
                         const struct srt_object_state *o, uint32_t name)
{
    return srt_set_has(js, o->seen, name);
}

uint32_t srt_set_with(struct srt_js *js, uint32_t seen, uint32_t name)
{
    uint32_t few[64], *bits = few, set;
    const void *old = NULL;
    size_t n = 0;
    const size_t words = name / 32 + 1;

    if (seen)
        old = srt_pool_key(&js->sets, seen, &n);
    n = n > words * sizeof(*bits) ? n : words * sizeof(*bits);
    if (n > sizeof(few))
        bits = malloc(n);
    if (!bits)
        return srt_js_fail(js, SORTES_E_NOMEM);
    memset(bits, 0, n);
    if (old) {
        size_t n_old;

        srt_pool_key(&js->sets, seen, &n_old);
        memcpy(bits, old, n_old);
    }
    bits[name / 32] |= UINT32_C(1) << name % 32;
    set = srt_js_intern(js, &js->sets, bits, n);
    if (bits != few)
        free(bits);
    return set;
}

/* ---- order
 * -------------------------------------------------------------------------- */

static bool object_requires(struct srt_js *js, const struct srt_object_table *t,
                            srt_dd diagram, uint32_t name)
{
    return t->name[name].has != SRT_NONE &&
           srt_dd_given(&js->dd, diagram, t->name[name].has, false) == 0;
}

/* The first name from o->at on that has to come; n_names: none. */
static uint32_t object_required(struct srt_js *js,
                                const struct srt_object_table *t,
                                const struct srt_object_state *o)
{
    for (uint32_t i = o->at; i < t->n_declared; i++)
        if (object_requires(js, t, o->diagram, i) &&
            !srt_object_has_seen(js, o, i))
            return i;
    return t->n_names;
}

static uint32_t object_next_required(struct srt_js *js, uint32_t object)
{
    struct srt_life *life = object_life(js, object);

    if (!life->required_known) {
        life->required = object_required(js, srt_object_table_of(js, object),
                                         srt_object_at(js, object));
        life->required_known = srt_js_ok(js);
    }
    return life->required;
}

static bool object_in_order(struct srt_js *js, uint32_t object, uint32_t what)
{
    const struct srt_object_state *o = srt_object_at(js, object);
    const struct srt_object_table *t = srt_object_table_of(js, object);
    uint32_t required;

    if (js->options->order == SRT_ORDER_FREE)
        return true;
    required = object_next_required(js, object);
    if (what >= t->n_declared)
        return required == t->n_names;
    if (js->options->order == SRT_ORDER_STRICT)
        return what >= o->at && what <= required;
    return required == t->n_names || (what >= o->at && what <= required);
}

/* ---- states
 * ------------------------------------------------------------------------------
 */

/* Interns a state in its least form. */
static uint32_t object_make(struct srt_js *js, struct srt_object_state *o)
{
    const struct srt_object_table *t = srt_object_table_at(js, o->table);
    bool counts = false;

    for (uint32_t i = 0; i < t->n_pairs && !counts; i++)
        counts =
            srt_dd_given(&js->dd, o->diagram, t->pairs[i], false) != o->diagram;
    if (!counts)
        o->count = 0;
    if (js->options->order == SRT_ORDER_FREE ||
        (js->options->order == SRT_ORDER_DECLARED &&
         object_required(js, t, o) == t->n_names))
        o->at = t->n_declared;
    return srt_js_intern(js, &js->objects, o, sizeof(*o));
}

uint32_t srt_object_start(struct srt_js *js, srt_dd duty)
{
    struct srt_object_state o = { 0 };
    const uint32_t table = srt_object_table(js, duty);

    if (!table)
        return 0;
    o.table = table;
    o.diagram = srt_object_table_at(js, table)->diagram;
    if (o.diagram == 0)
        return 0;
    return object_make(js, &o);
}

static bool object_answer(void *ctx, uint32_t variable)
{
    const struct srt_js *js = ctx;
    const uint32_t type = srt_js_question(js, variable)->type;

    return type != SRT_ASK_HAS && type != SRT_ASK_PAIRS;
}

uint32_t srt_object_close(struct srt_js *js, uint32_t object)
{
    struct srt_life *life = object_life(js, object);

    if (!life->close_known) {
        life->close = srt_dd_ask(&js->dd, srt_object_at(js, object)->diagram,
                                 object_answer, js);
        life->close_known = true;
    }
    return life->close;
}

/* ---- a key
 * ----------------------------------------------------------------------------------
 */

struct object_pair {
    struct srt_js *js;
    struct srt_object_table *t;
    uint32_t what, depth;
    srt_object_leaf *leaf;
    void *ctx;
};

/*
 * The checks from `check` on: where the value satisfies one, and where not.
 * known: what the value satisfies on this way.  A way that no value goes is
 * left out, or n branches that exclude each other would have 2^n ends.
 */
static srt_dd object_vector(struct object_pair *p, srt_dd left, uint32_t check,
                            srt_dd known)
{
    struct srt_decisions *dd = &p->js->dd;
    srt_dd fact, failed, yes, no, with, without;

    for (;; check++) {
        if (left == 0 || !srt_js_ok(p->js))
            return 0;
        if (check == p->t->n_checks)
            return p->leaf(p->ctx, left);
        failed = srt_dd_given(dd, left, p->t->check[check], false);
        if (failed == left)
            continue;
        fact = srt_object_fact(p->js, p->t, check, p->what);
        if (fact == SRT_DD_FALSE)
            left = failed;
        else if (fact != SRT_DD_TRUE)
            break;
    }
    if (!failed) {
        yes = object_vector(p, left, check + 1, srt_dd_and(dd, known, fact));
        return srt_dd_if(dd, fact, yes, 0);
    }
    with = srt_dd_and(dd, known, fact);
    without = srt_dd_if(dd, fact, SRT_DD_FALSE, known);
    yes = srt_js_can(p->js, with, p->depth)
              ? object_vector(p, left, check + 1, with)
              : 0;
    no = srt_js_can(p->js, without, p->depth)
             ? object_vector(p, failed, check + 1, without)
             : 0;
    return srt_dd_if(dd, fact, yes, no);
}

/* What a key alone changes, whatever its value. */
static srt_dd object_key_comes(struct srt_js *js,
                               const struct srt_object_state *o, uint32_t what)
{
    const struct srt_object_table *t = srt_object_table_at(js, o->table);
    srt_dd left = o->diagram;

    if (what < t->n_names && t->name[what].has != SRT_NONE)
        left = srt_dd_given(&js->dd, left, t->name[what].has, true);
    for (uint32_t i = 0; i < t->n_pairs; i++)
        if (srt_js_question(js, t->pairs[i])->a <= o->count + 1)
            left = srt_dd_given(&js->dd, left, t->pairs[i], true);
    if (js->options->order == SRT_ORDER_STRICT) {
        const uint32_t end = what < t->n_declared ? what : t->n_declared;

        for (uint32_t i = o->at; i < end; i++)
            if (t->name[i].has != SRT_NONE)
                left = srt_dd_given(&js->dd, left, t->name[i].has, false);
    }
    return left;
}

srt_dd srt_object_pair(struct srt_js *js, const struct srt_object_state *o,
                       const struct srt_object_key *key, srt_object_leaf *leaf,
                       void *ctx)
{
    struct object_pair p = { js,        srt_object_table_at(js, o->table),
                             key->what, key->depth,
                             leaf,      ctx };

    return object_vector(&p, object_key_comes(js, o, key->what), 0,
                         SRT_DD_TRUE);
}

/* ---- slots
 * ------------------------------------------------------------------------------------
 */

struct object_slot {
    struct srt_js *js;
    struct srt_object_state with; /* the key; but for the diagram */
    uint32_t depth;
    struct srt_ids next; /* states by outcome - 1 */
};

static uint32_t object_slot_leaf(void *ctx, srt_dd left)
{
    struct object_slot *s = ctx;
    struct srt_object_state o = s->with;
    uint32_t object;

    o.diagram = left;
    object = object_make(s->js, &o);
    if (!object || !srt_object_alive(s->js, object, s->depth))
        return 0;
    return srt_slot_outcome(s->js, &s->next, object);
}

static bool object_fill(struct srt_js *js, struct srt_place_slot *slot,
                        const struct srt_place_slot_key *key)
{
    const struct srt_object_state *o = srt_object_at(js, key->state);
    const struct srt_object_table *t = srt_object_table_at(js, o->table);
    struct object_slot s = { js, *o, key->depth, { NULL, 0, 0 } };
    srt_dd duty;

    s.with.count++;
    s.with.last = !srt_js_has(js, ",");
    if (key->what < t->n_names && js->options->unique_keys)
        s.with.seen = srt_set_with(js, o->seen, key->what);
    if (js->options->order != SRT_ORDER_FREE) {
        if (key->what >= t->n_declared)
            s.with.at = t->n_declared;
        else if (key->what >= o->at)
            s.with.at = key->what + 1;
    }
    duty = srt_object_pair(js, o,
                           &(struct srt_object_key){ key->what, key->depth },
                           object_slot_leaf, &s);
    return srt_slot_fill(js, slot, duty, &s.next);
}

uint32_t srt_object_slot(struct srt_js *js, uint32_t object, uint32_t what,
                         uint32_t depth)
{
    const struct srt_place_slot_key key = { SRT_KIND_OBJECT, object, what,
                                            depth };
    const uint32_t number = srt_js_intern(js, &js->slots, &key, sizeof(key));
    struct srt_place_slot *slot;

    if (!number)
        return 0;
    slot = srt_pool_payload(&js->slots, number);
    if (!slot->made && !object_fill(js, slot, &key))
        return 0;
    return number;
}

bool srt_object_allows(struct srt_js *js, uint32_t object, uint32_t what,
                       uint32_t depth)
{
    const struct srt_object_state *o = srt_object_at(js, object);
    const struct srt_object_table *t = srt_object_table_of(js, object);
    uint32_t slot;

    if (what < t->n_names &&
        (!t->name[what].writable || srt_object_has_seen(js, o, what)))
        return false;
    if (!object_in_order(js, object, what))
        return false;
    slot = srt_object_slot(js, object, what, depth);
    return slot && srt_js_can(js,
                              ((struct srt_place_slot *)srt_pool_payload(
                                   &js->slots, slot))
                                  ->duty,
                              depth);
}

/* Names first: those that come soon are allowed most often. */
bool srt_object_any_key(struct srt_js *js, uint32_t object, uint32_t depth)
{
    const struct srt_object_state *o = srt_object_at(js, object);
    const struct srt_object_table *t = srt_object_table_of(js, object);
    const uint32_t n = t->n_names + t->n_cells;

    for (uint32_t i = n; i-- > t->n_names && srt_js_ok(js);)
        if (srt_object_allows(js, object, i, depth))
            return true;
    for (uint32_t i = 0; i < t->n_names && srt_js_ok(js); i++)
        if (srt_object_allows(js, object, (o->at + i) % t->n_names, depth))
            return true;
    return false;
}

/* ---- the reader of keys
 * ------------------------------------------------------------------------- */

static bool object_make_trie(struct srt_js *js, struct srt_object_table *t)
{
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];

    if (t->has_trie)
        return true;
    memset(&t->trie, 0, sizeof(t->trie));
    for (uint32_t i = 0; i < t->n_names; i++)
        if (!srt_trie_add(js, u, &t->trie, t->name[i].name, i))
            return false;
    t->has_trie = srt_trie_finish(js, &t->trie);
    return t->has_trie;
}

uint32_t srt_object_keys(struct srt_js *js, uint32_t object, uint32_t depth,
                         uint32_t *keyed)
{
    struct srt_object_table *t = srt_object_table_of(js, object);
    const struct srt_keyed key = { object, depth };
    uint64_t cells = 0;
    uint32_t plan;

    if (!object_make_trie(js, t))
        return 0;
    for (uint32_t i = 0; i < t->n_cells; i++)
        if (srt_object_allows(js, object, t->n_names + i, depth))
            cells |= UINT64_C(1) << i;
    *keyed = srt_js_intern(js, &js->keyed, &key, sizeof(key));
    plan = srt_text_key_plan(js, object, cells);
    if (!srt_js_ok(js))
        return 0;
    return srt_text_start(js, plan, *keyed);
}
