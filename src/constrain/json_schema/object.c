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
#include "constrain/json_schema/key_order.h"
#include "constrain/json_schema/trie.h"

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

/* ---- which names have come ----------------------------------------------- */

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

/* ---- order --------------------------------------------------------------- */

/* The place of the first name, from one on, that has to come. */
static uint32_t object_required(struct srt_js *js,
                                const struct srt_object_table *t,
                                const struct srt_object_state *o,
                                uint32_t order)
{
    const struct srt_object_place *p = &o->place[order];

    for (uint32_t at = p->at; at < t->n_declared; at++) {
        const uint32_t name = srt_key_order_name(t, order, at);

        if (t->name[name].has != SRT_NONE &&
            srt_dd_given(&js->dd, p->diagram, t->name[name].has, false) == 0 &&
            !srt_object_has_seen(js, o, name))
            return at;
    }
    return t->n_declared;
}

/* Declared: once no name has to come, any may. */
static bool object_in_order(const struct srt_js *js,
                            const struct srt_object_table *t,
                            const struct srt_object_state *o, uint32_t order,
                            uint32_t what)
{
    const struct srt_object_place *p = &o->place[order];
    const uint32_t place = srt_key_order_place(t, order, what);

    if (p->diagram == 0 || js->options->order == SRT_ORDER_FREE)
        return p->diagram != 0;
    return (place >= p->at && place <= p->required) ||
           (js->options->order == SRT_ORDER_DECLARED &&
            p->required == t->n_declared);
}

static bool object_in_any_order(const struct srt_js *js,
                                const struct srt_object_table *t,
                                const struct srt_object_state *o, uint32_t what)
{
    for (uint32_t i = 0; i < t->n_orders; i++)
        if (object_in_order(js, t, o, i, what))
            return true;
    return false;
}

/* A key comes: what it says of one order, but for itself. */
static void object_move(struct srt_js *js, const struct srt_object_table *t,
                        struct srt_object_state *o, uint32_t order,
                        uint32_t what)
{
    struct srt_object_place *p = &o->place[order];
    const uint32_t place = srt_key_order_place(t, order, what);

    if (!object_in_order(js, t, o, order, what))
        p->diagram = 0;
    if (js->options->order == SRT_ORDER_STRICT)
        for (uint32_t at = p->at; at < place; at++) {
            const uint32_t has = t->name[srt_key_order_name(t, order, at)].has;

            if (has != SRT_NONE)
                p->diagram = srt_dd_given(&js->dd, p->diagram, has, false);
        }
    if (place >= p->at)
        p->at = place < t->n_declared ? place + 1 : place;
}

/* ---- states -------------------------------------------------------------- */

/* A place in its least form. */
static void object_settle(struct srt_js *js, const struct srt_object_table *t,
                          struct srt_object_state *o, uint32_t order)
{
    struct srt_object_place *p = &o->place[order];

    if (p->diagram == 0 || js->options->order == SRT_ORDER_FREE) {
        p->at = p->required = 0;
        return;
    }
    p->required = object_required(js, t, o, order);
    if (js->options->order == SRT_ORDER_DECLARED &&
        p->required == t->n_declared)
        p->at = t->n_declared;
}

/* Interns a state in its least form. */
static uint32_t object_make(struct srt_js *js, struct srt_object_state *o)
{
    const struct srt_object_table *t = srt_object_table_at(js, o->table);
    bool counts = false;

    for (uint32_t i = 0; i < t->n_orders; i++) {
        const srt_dd f = o->place[i].diagram;

        for (uint32_t k = 0; k < t->n_pairs && !counts; k++)
            counts = srt_dd_given(&js->dd, f, t->pairs[k], false) != f;
        object_settle(js, t, o, i);
    }
    if (!counts)
        o->count = 0;
    return srt_js_intern(js, &js->objects, o,
                         offsetof(struct srt_object_state, place) +
                             t->n_orders * sizeof(*o->place));
}

uint32_t srt_object_start(struct srt_js *js, srt_dd duty)
{
    const uint32_t table = srt_object_table(js, duty);
    const struct srt_object_table *t;
    struct srt_object_state o = { .table = table };
    bool any = false;

    if (!table)
        return 0;
    t = srt_object_table_at(js, table);
    for (uint32_t i = 0; i < t->n_orders; i++) {
        o.place[i].diagram = t->order[i].diagram;
        any |= o.place[i].diagram != 0;
    }
    return any ? object_make(js, &o) : 0;
}

static bool object_answer(void *ctx, uint32_t variable)
{
    const struct srt_js *js = ctx;
    const uint32_t type = srt_js_question(js, variable)->type;

    return type != SRT_ASK_HAS && type != SRT_ASK_PAIRS;
}

bool srt_object_ends(struct srt_js *js, srt_dd diagram)
{
    return srt_dd_ask(&js->dd, diagram, object_answer, js) != 0;
}

uint32_t srt_object_close(struct srt_js *js, uint32_t object)
{
    struct srt_life *life = object_life(js, object);
    const struct srt_object_state *o = srt_object_at(js, object);
    const struct srt_object_table *t = srt_object_table_at(js, o->table);

    for (uint32_t i = 0; i < t->n_orders && !life->close_known; i++) {
        life->close =
            srt_dd_ask(&js->dd, o->place[i].diagram, object_answer, js);
        life->close_known = life->close != 0 || i + 1 == t->n_orders;
    }
    return life->close;
}

/* ---- a key --------------------------------------------------------------- */

struct object_pair {
    struct srt_js *js;
    struct srt_object_table *t;
    uint32_t n; /* diagrams */
    uint32_t what, depth;
    srt_object_leaf *leaf;
    void *ctx;
};

/* Diagrams, one an order. */
struct object_left {
    srt_dd at[SRT_OBJECT_ORDERS];
};

static bool object_is_over(const struct object_left *left, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (left->at[i] != 0)
            return false;
    return true;
}

/* What is left where a check fails; false: nothing asks it. */
static bool object_failed(struct srt_js *js, const struct object_left *left,
                          uint32_t n, uint32_t variable,
                          struct object_left *failed)
{
    bool asked = false;

    for (uint32_t i = 0; i < n; i++) {
        failed->at[i] = srt_dd_given(&js->dd, left->at[i], variable, false);
        asked |= failed->at[i] != left->at[i];
    }
    return asked;
}

/* The string that alone satisfies a duty, as a name; 0: it is not of that
 * form. */
static uint32_t object_only(struct srt_js *js, srt_dd duty)
{
    const srt_dd f = srt_js_expand(js, duty, SRT_KIND_STRING);
    const struct srt_question *q;
    const struct srt_schema_enum *e;

    for (int kind = 0; kind < SRT_KINDS; kind++)
        if (kind != SRT_KIND_STRING &&
            srt_js_expand(js, duty, (enum srt_kind)kind) != 0)
            return 0;
    if (srt_dd_is_terminal(f) || srt_dd_at(&js->dd, f)->low != 0 ||
        srt_dd_at(&js->dd, f)->high != SRT_DD_TRUE)
        return 0;
    q = srt_js_question(js, srt_dd_at(&js->dd, f)->variable);
    if (q->type != SRT_ASK_STRING_IN)
        return 0;
    e = SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, q->a);
    return e->n_strings == 1 ? e->strings[0] : 0;
}

/* What is known of a value: what it satisfies, and the string that it is,
 * 0: not known. */
struct object_known {
    srt_dd duty;
    uint32_t only;
};

static srt_dd object_fact(struct object_pair *p, uint32_t check,
                          const struct object_known *known)
{
    const srt_dd fact = srt_object_fact(p->js, p->t, check, p->what);

    if (!known->only || srt_dd_is_terminal(fact))
        return fact;
    return srt_text_ask(p->js, &p->js->unit[SRT_UNIT_VALUES],
                        srt_js_expand(p->js, fact, SRT_KIND_STRING),
                        known->only);
}

/* The next check that depends on the value; those before it that fail whatever
 * the value are answered at once, for they may be thousands. */
static uint32_t object_next_check(struct object_pair *p,
                                  struct object_left *left, uint32_t check,
                                  const struct object_known *known,
                                  srt_dd *fact)
{
    struct srt_ids no = { NULL, 0, 0 };
    sortes_status status = SORTES_OK;

    for (; check < p->t->n_checks && status == SORTES_OK; check++) {
        *fact = object_fact(p, check, known);
        if (*fact == SRT_DD_FALSE)
            status = srt_ids_add(&no, p->t->check[check]);
        else if (*fact != SRT_DD_TRUE)
            break;
    }
    if (status != SORTES_OK)
        srt_js_fail(p->js, status);
    for (uint32_t i = 0; i < p->n && no.n > 0; i++)
        left->at[i] = srt_dd_without(&p->js->dd, left->at[i], no.at, no.n);
    free(no.at);
    return check;
}

/*
 * The checks from `check` on: where the value satisfies one, and where not.  A
 * way that no value goes is left out, or n branches that exclude each other
 * would have 2^n ends.
 */
static srt_dd object_vector(struct object_pair *p, struct object_left left,
                            uint32_t check, struct object_known known)
{
    struct srt_decisions *dd = &p->js->dd;
    struct object_known with = known, without = known;
    struct object_left failed;
    srt_dd fact = SRT_DD_TRUE, yes, no;
    bool must;

    for (;; check++) {
        check = object_next_check(p, &left, check, &known, &fact);
        if (object_is_over(&left, p->n) || !srt_js_ok(p->js))
            return 0;
        if (check == p->t->n_checks)
            return p->leaf(p->ctx, left.at);
        if (object_failed(p->js, &left, p->n, p->t->check[check], &failed))
            break;
    }
    must = object_is_over(&failed, p->n);
    with.duty = srt_dd_and(dd, known.duty, fact);
    with.only = object_only(p->js, fact);
    without.duty = srt_dd_if(dd, fact, SRT_DD_FALSE, known.duty);
    yes = must || srt_js_can(p->js, with.duty, p->depth)
              ? object_vector(p, left, check + 1, with)
              : 0;
    no = !must && srt_js_can(p->js, without.duty, p->depth)
             ? object_vector(p, failed, check + 1, without)
             : 0;
    return srt_dd_if(dd, fact, yes, no);
}

/* What a key alone changes, whatever its value. */
static srt_dd object_key_comes(struct srt_js *js,
                               const struct srt_object_table *t,
                               const struct srt_object_key *key, srt_dd left)
{
    if (key->what < t->n_names && t->name[key->what].has != SRT_NONE)
        left = srt_dd_given(&js->dd, left, t->name[key->what].has, true);
    for (uint32_t i = 0; i < t->n_pairs; i++)
        if (srt_js_question(js, t->pairs[i])->a <= key->count + 1)
            left = srt_dd_given(&js->dd, left, t->pairs[i], true);
    return left;
}

srt_dd srt_object_pair(struct srt_js *js, struct srt_object_table *t,
                       const struct srt_object_key *key, srt_object_leaf *leaf,
                       void *ctx)
{
    struct object_pair p = { js,   t,  key->n_diagrams, key->what, key->depth,
                             leaf, ctx };
    struct object_left left;

    for (uint32_t i = 0; i < key->n_diagrams; i++)
        left.at[i] = object_key_comes(js, t, key, key->diagram[i]);
    return object_vector(&p, left, 0, (struct object_known){ SRT_DD_TRUE, 0 });
}

/* ---- slots --------------------------------------------------------------- */

struct object_slot {
    struct srt_js *js;
    struct srt_object_state with; /* the key; but for the diagrams */
    uint32_t n;                   /* of these */
    uint32_t depth;
    struct srt_ids next; /* states by outcome - 1 */
};

static uint32_t object_slot_leaf(void *ctx, const srt_dd *left)
{
    struct object_slot *s = ctx;
    struct srt_object_state o = s->with;
    uint32_t object;

    for (uint32_t i = 0; i < s->n; i++)
        o.place[i].diagram = left[i];
    object = object_make(s->js, &o);
    if (!object || !srt_object_alive(s->js, object, s->depth))
        return 0;
    return srt_slot_outcome(s->js, &s->next, object);
}

static bool object_fill(struct srt_js *js, struct srt_place_slot *slot,
                        const struct srt_place_slot_key *key)
{
    struct srt_object_table *t = srt_object_table_of(js, key->state);
    struct object_slot s = { .js = js, .n = t->n_orders, .depth = key->depth };
    struct object_left left;
    struct srt_object_key pair = { left.at, s.n, 0, key->what, key->depth };
    size_t n;
    const void *state = srt_pool_key(&js->objects, key->state, &n);

    memcpy(&s.with, state, n);
    for (uint32_t i = 0; i < s.n; i++) {
        object_move(js, t, &s.with, i, key->what);
        left.at[i] = s.with.place[i].diagram;
    }
    pair.count = s.with.count++;
    s.with.last = !srt_js_has(js, ",");
    if (key->what < t->n_names && js->options->unique_keys)
        s.with.seen = srt_set_with(js, s.with.seen, key->what);
    return srt_slot_fill(
        js, slot, srt_object_pair(js, t, &pair, object_slot_leaf, &s), &s.next);
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
    if (!object_in_any_order(js, t, o, what))
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
    const uint32_t first = o->place[0].at;

    for (uint32_t i = n; i-- > t->n_names && srt_js_ok(js);)
        if (srt_object_allows(js, object, i, depth))
            return true;
    for (uint32_t i = 0; i < t->n_names && srt_js_ok(js); i++)
        if (srt_object_allows(js, object, (first + i) % t->n_names, depth))
            return true;
    return false;
}

/* ---- the reader of keys -------------------------------------------------- */

static bool object_make_trie(struct srt_js *js, struct srt_object_table *t)
{
    struct srt_trie_string *string;

    if (t->has_trie)
        return true;
    string = malloc((t->n_names + 1) * sizeof(*string));
    if (!string)
        return srt_js_fail(js, SORTES_E_NOMEM);
    for (uint32_t i = 0; i < t->n_names; i++)
        string[i] = (struct srt_trie_string){ t->name[i].name, i };
    t->has_trie = srt_trie_make(js, &js->unit[SRT_UNIT_KEYS], &t->trie, string,
                                t->n_names);
    free(string);
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
