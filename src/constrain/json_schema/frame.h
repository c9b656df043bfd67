/*
 * frame.h - the machine of a JSON Schema: its parts and what they share
 *
 * JSON text is read by one stack of frames, whatever the schema.  What a value
 * must satisfy is its *duty*: a decision diagram over "does the value satisfy
 * schema S", whose terminals say what happens to the container around it (0:
 * not allowed).  Once the first byte has told the kind of the value, every S
 * becomes a diagram over questions about that kind (formula.c), and the value's
 * own parts answer them one by one:
 *
 *   text.c    strings and keys: sets of strings, lanes of regular languages
 *   number.c  numbers, by exact arithmetic on their digits
 *   object.c  keys seen, counts, what failed: the diagram that is left;
 *             key_order.c in which order they come
 *   array.c   the same for items
 *   live.c    whether anything allowed can still come
 *
 * A state of the machine is (stack, mode, two numbers), interned.
 *
 * Failures stick (js->status) until step() has taken them; nothing is
 * remembered from a computation in which something failed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_FRAME_H
#define SRT_FRAME_H

#include "constrain/clock.h"
#include "constrain/grow.h"
#include "constrain/json_schema/decision.h"
#include "constrain/json_schema/schema.h"
#include "constrain/machine.h"
#include "constrain/regex/decode.h"

#include <stdatomic.h>

#define SRT_NONE UINT32_MAX

/* ---- questions ----------------------------------------------------------- */

enum srt_question_type {
    SRT_ASK_VALUE,      /* satisfies node a in scope b */
    SRT_ASK_INTEGER,    /* is whole; a: by its spelling */
    SRT_ASK_AT_LEAST,   /* is >= decimal a */
    SRT_ASK_ABOVE,      /* is > decimal a */
    SRT_ASK_MULTIPLE,   /* of decimal a */
    SRT_ASK_NUMBER_IN,  /* enum a */
    SRT_ASK_PATTERN,    /* matches pattern a */
    SRT_ASK_LENGTH,     /* has at least a code points */
    SRT_ASK_STRING_IN,  /* enum a */
    SRT_ASK_HAS,        /* the key a */
    SRT_ASK_PAIRS,      /* at least a of them */
    SRT_ASK_PROPS,      /* props a hold in scope b for every key */
    SRT_ASK_NAMES,      /* every key satisfies node a in scope b */
    SRT_ASK_LEFT_KEYS,  /* like PROPS: see unevaluated.c; a: cover, b: scope */
    SRT_ASK_COUNT,      /* at least a items */
    SRT_ASK_ITEMS,      /* items a hold in scope b for every item */
    SRT_ASK_CONTAINS,   /* at least c items satisfy node a in scope b */
    SRT_ASK_LEFT_ITEMS, /* like ITEMS; a: cover, b: scope */
    SRT_ASK_UNIQUE      /* a: list of all values, or 0 */
};

struct srt_question {
    uint32_t type, a, b, c;
};

/* ---- strings ------------------------------------------------------------- */

#define SRT_LANE_ANYTHING UINT32_MAX /* a state of a lane: every string */

/* A regular language, with lengths from .. to, that leads to an outcome. */
struct srt_lane {
    srt_regex regex; /* SRT_LANE_ANYTHING: every string */
    uint32_t from, to;
    uint32_t outcome;
};

struct srt_trie_node {
    uint32_t child, n_children; /* side by side, ascending by class */
    uint32_t class_;
    uint32_t outcome;     /* of the string that ends here, NONE: none does */
    uint32_t first, last; /* strings below, in their order; last excluded */
    bool any;             /* some outcome below is not 0 */
};
#define SRT_TRIE_NONE UINT32_MAX

struct srt_trie {
    struct srt_trie_node *node; /* node 1 is the root */
    uint32_t *order;            /* outcomes of the strings, in their order */
    uint32_t n_order;
    bool plain; /* no character but printable ASCII without quote, backslash */
};

/* What strings there may be: those of the trie, with its outcomes, and beside
 * them those of the lanes.  Lanes are disjoint. */
struct srt_text_plan {
    int unit;
    const struct srt_trie *trie; /* NULL: none */
    struct srt_lane *lane;
    uint32_t n_lanes;
    bool of_keys;       /* outcomes of the trie are indices of names */
    bool counts;        /* some lane bounds the length */
    uint32_t cap;       /* counts above this are equal to it */
    uint32_t unbounded; /* the plan without bounds, same.c; 0: not made */
};

enum { SRT_UNIT_KEYS, SRT_UNIT_VALUES, SRT_UNITS };

/* One spelling of strings, with all that is read in it. */
struct srt_unit {
    struct srt_js *js;
    int number;
    enum srt_spelling spelling;
    struct srt_book *book; /* NULL: no patterns */
    srt_regex *of_pattern; /* by pattern */
    srt_regex any;         /* one character, whichever */
    struct srt_decoder *decoder;
    struct srt_book_segment *segments;
    size_t n_segments;
    uint32_t n_classes;
    uint32_t *book_class;   /* of a class; UINT32_MAX: missing */
    uint32_t *first_code;   /* of a class: its least code point */
    uint32_t ascii[128];    /* classes of these characters */
    uint32_t *class_sizes;  /* characters of a class; NULL: not counted yet */
    srt_kinds *class_kinds; /* of its characters; the same */
    struct srt_pool states; /* key: uint32_t plan, owner, trie node, count,
                               lanes; payload: text_left.c's bits */
    struct srt_pool needs;  /* by state of the book; payload: characters */
    uint32_t met[4];        /* states of the book: same.c; 0: none */
    unsigned n_met;         /* so far */
};

/* ---- containers ---------------------------------------------------------- */

struct srt_name_entry {
    uint32_t name;
    uint32_t has;  /* variable of "has it", SRT_NONE: nobody asks */
    bool writable; /* over the alphabet */
};

struct srt_cell {
    srt_regex regex;  /* of keys; SRT_LANE_ANYTHING */
    uint64_t matched; /* bits of the table's key patterns */
};

/* An order of the declared names; both NULL: as they stand. */
struct srt_object_order {
    srt_dd diagram;  /* of objects that may keep to it */
    uint32_t *name;  /* index, by place */
    uint32_t *place; /* by index */
};

/* All that is fixed about the objects of one duty. */
struct srt_object_table {
    struct srt_name_entry *name; /* in declared order */
    uint32_t n_names, n_declared, room;
    struct srt_object_order *order; /* one or more */
    uint32_t n_orders;
    uint32_t *check; /* variables that every key bears upon */
    uint32_t n_checks;
    srt_dd *fact;    /* [check][name or cell]: duty of the value, or NONE */
    uint32_t *own;   /* [check][name]: node of the key's own schema, or 0 */
    uint32_t *pairs; /* variables of counts */
    uint32_t n_pairs;
    srt_regex *key_pattern;
    uint32_t n_key_patterns;
    uint32_t *check_pattern; /* of a NAMES check, its key pattern; else NONE */
    struct srt_cell *cell;
    uint32_t n_cells;
    struct srt_trie trie;
    bool has_trie;
};

enum { SRT_OBJECT_ORDERS = 32 }; /* documented */

/* An object in an order: names from `at` on may come, up to the next one that
 * has to. */
struct srt_object_place {
    srt_dd diagram; /* 0: the order has not been kept to */
    uint32_t at;
    uint32_t required; /* n_declared: none */
};

/* An object so far; the key of a record, as long as its orders. */
struct srt_object_state {
    uint32_t table;
    uint32_t count; /* of keys, as far as anyone asks */
    uint32_t seen;  /* set of names; 0: none */
    uint32_t last;  /* 1: nothing can follow, for want of a comma */
    struct srt_object_place place[SRT_OBJECT_ORDERS];
};

struct srt_life {
    uint32_t from;  /* depth + 1, the least one that does; 0: none known */
    uint32_t below; /* depths below it do not do */
    bool never;     /* does any */
    bool close_known;
    uint32_t close; /* outcome when it ends here */
    /* Of an object: levels, plus 1, with which so many keys can come, whatever
     * has (the lower half; all ones: without number); 0: not known of any. */
    _Atomic(uint64_t) keys_from;
    /* Levels with which only names come, which the machine's states keep. */
    _Atomic(uint32_t) keys_named;
};

struct srt_array_table {
    srt_dd diagram;
    uint32_t *check; /* variables that every item bears upon */
    uint32_t n_checks;
    uint32_t *contains; /* variables */
    uint32_t *counter;  /* of contains[i] */
    uint32_t n_contains, n_counters;
    uint32_t *counts; /* variables of COUNT */
    uint32_t n_counts;
    uint32_t n_prefix; /* items from here on are alike to the checks */
    uint32_t *unique;  /* variables */
    uint32_t n_unique;
    bool trails; /* items that must differ are a trail's business */
    const struct srt_schema_list *values; /* all there are, where they are in
                                             the state; or NULL */
};

enum { SRT_ARRAY_COUNTERS = 16 };

/* An array so far; the key of a record, as long as its counters. */
struct srt_array_state {
    uint32_t table;
    srt_dd diagram;
    uint32_t at;   /* items that have come, as far as anyone asks */
    uint32_t last; /* 1: nothing can follow, for want of a comma */
    uint32_t seen; /* set of values */
    uint32_t counter[SRT_ARRAY_COUNTERS];
};

/* A place for a value: what it must be, and what comes of it. */
struct srt_place_slot {
    srt_dd duty;
    uint32_t *next; /* container states by outcome - 1 */
    uint32_t n_next;
    bool made;
};
struct srt_place_slot_key {
    uint32_t kind; /* SRT_KIND_OBJECT, _ARRAY; _NULL: the root */
    uint32_t state;
    uint32_t what;  /* name, or n_names + cell */
    uint32_t depth; /* levels that the value may take */
};

struct srt_frame {
    uint32_t parent; /* 0: none */
    uint32_t slot;
};

/* An object whose next key is being read; its values may take depth levels. */
struct srt_keyed {
    uint32_t object, depth;
};

/* ---- the machine --------------------------------------------------------- */

enum srt_mode {
    SRT_MODE_VALUE,       /* a gap, then a value */
    SRT_MODE_STRING,      /* a: decoder's state, b: unit */
    SRT_MODE_NUMBER,      /* a: state of the number */
    SRT_MODE_WORD,        /* a: kind, b: letters that have come */
    SRT_MODE_OPEN_OBJECT, /* a: object, b: gap */
    SRT_MODE_NEXT_KEY,
    SRT_MODE_AFTER_PAIR,
    SRT_MODE_KEY,        /* a: keyed, b: decoder's state */
    SRT_MODE_COLON,      /* a: slot, b: gap */
    SRT_MODE_OPEN_ARRAY, /* a: array, b: gap */
    SRT_MODE_AFTER_ITEM,
    SRT_MODE_DONE
};

struct srt_js_state {
    uint32_t mode, frame, a, b;
};

struct srt_js {
    struct srt_machine machine; /* first */
    const struct srt_schema *schema;
    const struct srt_options *options;
    sortes_status status;
    struct srt_decisions dd;
    struct srt_pool states, frames, slots;
    struct srt_pool questions; /* variable n is record n + 1 */
    struct srt_pool formulas, expansions, scopes, covers, sets;
    struct srt_pool choices, chains;             /* shown.c */
    struct srt_pool duties;                      /* payload: struct srt_life */
    struct srt_pool objects, arrays;             /* payload: struct srt_life */
    struct srt_pool object_tables, array_tables; /* by duty */
    struct srt_pool text_plans, key_plans, regexes; /* payload: number */
    struct srt_pool number_plans, number_states;
    struct srt_pool counts;  /* by duty, depth, bound; payload: plus 1 */
    struct srt_pool keyed;   /* struct srt_keyed */
    struct srt_pool insides; /* unit, decoder's state; payload: state */
    struct srt_pool parts;   /* around.c: of values */
    struct srt_pool rests;   /* around.c: of keys, by classes */
    struct srt_pool memory;
    struct srt_pool plans; /* by number; payload: struct srt_text_plan */
    struct srt_unit unit[SRT_UNITS];
    uint64_t work; /* steps of the search for life, in this call */
    struct srt_timer timer;
    bool trails_items; /* some array's items must differ */
    bool keys_end;     /* some object's keys are not any strings */
    bool cut;          /* an answer "no" was due to the depth */
};

/* "null", "false", "true", by their kinds. */
extern const char *const srt_js_words[3];

/* Memory that lives as long as the machine, zeroed; NULL: js->status. */
void *srt_js_take(struct srt_js *js, size_t n, size_t size);
uint32_t srt_js_fail(struct srt_js *js, sortes_status status); /* returns 0 */
bool srt_js_ok(struct srt_js *js); /* the diagrams' status too */
/* The status of the call that ends, for the next one to begin anew. */
sortes_status srt_js_end(struct srt_js *js);
/* srt_pool_intern; 0: failed. */
uint32_t srt_js_intern(struct srt_js *js, struct srt_pool *pool,
                       const void *key, size_t n);
bool srt_js_has(const struct srt_js *js, const char *bytes); /* alphabet */

SRT_INLINE const struct srt_question *srt_js_question(const struct srt_js *js,
                                                      uint32_t variable)
{
    return srt_pool_key(&js->questions, variable + 1, NULL);
}

SRT_INLINE const struct srt_keyed *srt_js_keyed(const struct srt_js *js,
                                                uint32_t number)
{
    return srt_pool_key(&js->keyed, number, NULL);
}

SRT_INLINE const struct srt_js_state *
srt_frame_state_at(const struct srt_js *js, uint32_t state)
{
    return srt_pool_key(&js->states, state, NULL);
}

SRT_INLINE const struct srt_frame *srt_frame_at(const struct srt_js *js,
                                                uint32_t frame)
{
    return srt_pool_key(&js->frames, frame, NULL);
}

SRT_INLINE const struct srt_place_slot_key *
srt_frame_slot_key(const struct srt_js *js, uint32_t frame)
{
    return srt_pool_key(&js->slots, srt_frame_at(js, frame)->slot, NULL);
}

/* slot.c */
/* The outcome that leads to the container's state, added to the list if need
 * be; 0: failed. */
uint32_t srt_slot_outcome(struct srt_js *js, struct srt_ids *next,
                          uint32_t state);
/* Frees the list. */
bool srt_slot_fill(struct srt_js *js, struct srt_place_slot *slot, srt_dd duty,
                   struct srt_ids *next);

/* ahead.c */
void srt_js_classes(struct srt_js *js);
struct srt_alphabet srt_js_may_follow(const struct srt_machine *m,
                                      uint32_t state);
sortes_status srt_js_same_mask(struct srt_machine *m, uint32_t state,
                               uint32_t longest, uint32_t *same);
srt_kinds srt_js_kinds_stay(const struct srt_machine *m, uint32_t state);
sortes_status srt_js_inside(struct srt_machine *m, uint32_t state,
                            uint32_t *other);
sortes_status srt_js_like(struct srt_machine *m, uint32_t state, uint32_t *base,
                          struct srt_alphabet *unlike);
int srt_js_gap(const struct srt_machine *m, uint32_t state);
int srt_js_gap_step(const struct srt_machine *m, int gap, uint8_t byte);

/* around.c */
sortes_status srt_js_around(struct srt_machine *m, uint32_t state,
                            struct srt_around *around);
sortes_status srt_js_moved(struct srt_machine *m, uint32_t state,
                           uint32_t place, uint32_t *same);

/* frame.c: machine.h's step, accepts and string_room */
sortes_status srt_frame_step(struct srt_machine *m, uint32_t state,
                             uint8_t byte, uint32_t *next);
bool srt_frame_accepts(const struct srt_machine *m, uint32_t state);
uint32_t srt_frame_string_room(const struct srt_machine *m, uint32_t state);
/* The state before a value that lies in nothing; 0: failed. */
uint32_t srt_frame_start(struct srt_js *js, uint32_t slot);
/* The states behind a key and its quote, and where its value begins; 0: it must
 * not come. */
uint32_t srt_frame_key_end(struct srt_js *js, const struct srt_js_state *s,
                           uint32_t what);
uint32_t srt_frame_key_value(struct srt_js *js, const struct srt_js_state *s,
                             uint32_t what);
/* Ends a computation; what failed, if anything. */
sortes_status srt_js_end(struct srt_js *js);
/* The state when the value of a frame is complete; 0: it cannot be that. */
uint32_t srt_frame_complete(struct srt_js *js, uint32_t frame,
                            uint32_t outcome);
/* The frame of an array's next item; 0: there can be none. */
uint32_t srt_frame_item(struct srt_js *js, const struct srt_js_state *s);

/* trail.c */
sortes_status srt_js_follow(const struct srt_machine *m,
                            const struct srt_trail *from,
                            const struct srt_path *path, struct srt_trail **to,
                            size_t *n_ok);
sortes_status srt_js_forbid(const struct srt_machine *m,
                            const struct srt_trail *trail, uint32_t state,
                            struct srt_cursor *cursor, uint32_t *words);

/* formula.c */
/* The question alone. */
srt_dd srt_js_ask(struct srt_js *js, enum srt_question_type type, uint32_t a,
                  uint32_t b, uint32_t c);
srt_dd srt_js_formula(struct srt_js *js, uint32_t node, uint32_t scope,
                      enum srt_kind kind);
/* "Satisfies the node", as a duty. */
srt_dd srt_js_duty(struct srt_js *js, uint32_t node, uint32_t scope);
/* A duty for a value of this kind. */
srt_dd srt_js_expand(struct srt_js *js, srt_dd duty, enum srt_kind kind);
/* The node that a dynamic reference means. */
uint32_t srt_js_dynamic(const struct srt_js *js,
                        const struct srt_schema_rule *r, uint32_t scope);
/* The scope inside a node. */
uint32_t srt_js_enter(struct srt_js *js, uint32_t scope, uint32_t node);

/* text.c, unit.c */
sortes_status srt_unit_open(struct srt_js *js, int number,
                            enum srt_spelling spelling, sortes_error *err);
void srt_unit_close(struct srt_unit *u);
/* A name that cannot be written. */
bool srt_unit_can_write(struct srt_unit *u, uint32_t name);
/* The plan for strings with this diagram, plan.c; 0: failed. */
uint32_t srt_text_plan(struct srt_js *js, srt_dd diagram);
/* The plan for keys of an object: bits of the cells that are allowed. */
uint32_t srt_text_key_plan(struct srt_js *js, uint32_t object, uint64_t cells);
/* Whether a name has the property that a diagram over strings asks. */
uint32_t srt_text_ask(struct srt_js *js, struct srt_unit *u, srt_dd diagram,
                      uint32_t name);
bool srt_text_matches(struct srt_js *js, struct srt_unit *u, srt_regex regex,
                      uint32_t name);
/* The strings where the diagram is true, those of enums apart, as a regex of
 * keys; SRT_LANE_ANYTHING, SRT_REGEX_NOTHING. */
srt_regex srt_text_regex(struct srt_js *js, struct srt_unit *u, srt_dd diagram);
/* State of the reader at the start; 0: nothing can come.  owner: the object
 * whose keys these are, 0: a value. */
uint32_t srt_text_start(struct srt_js *js, uint32_t plan, uint32_t owner);
sortes_status srt_text_step(void *unit, uint32_t state, uint32_t class_,
                            uint32_t *next);
/* The outcome of the string read, 0: none.  Of a key: name + 1, or
 * n_names + cell + 1. */
uint32_t srt_text_outcome(struct srt_js *js, const struct srt_unit *u,
                          uint32_t state);

/* Kinds whose characters all lead from a state back to it.  Any thread. */
srt_kinds srt_text_kinds_stay(struct srt_js *js, struct srt_unit *u,
                              uint32_t state);
/* Where a string has come to: along the names, or off them, where any
 * characters may follow without end, or not. */
enum srt_text_place { SRT_TEXT_ON_TRIE, SRT_TEXT_ANY, SRT_TEXT_BOUND };
enum srt_text_place srt_text_place(const struct srt_js *js,
                                   const struct srt_unit *u, uint32_t state);
/* The state of the same plan off its trie, where any character may follow; 0:
 * there is none, or it is that. */
uint32_t srt_text_off(struct srt_js *js, struct srt_unit *u, uint32_t state);
/* A state that goes the same way for the next `longest` characters, as far as
 * that is easily seen. */
uint32_t srt_text_same(struct srt_js *js, struct srt_unit *u, uint32_t state,
                       uint32_t longest);
/* Adds the bytes that may come next, and perhaps more. */
void srt_text_ahead_trie(const struct srt_js *js, const struct srt_unit *u,
                         uint32_t state, struct srt_alphabet *bytes);
void srt_text_ahead(const struct srt_js *js, const struct srt_unit *u,
                    uint32_t state, struct srt_alphabet *bytes);
/* How many characters may follow, whichever they are; UINT32_MAX: no bound. */
uint32_t srt_text_room(struct srt_js *js, struct srt_unit *u, uint32_t state);

/* number.c, number_live.c */
uint32_t srt_number_plan(struct srt_js *js, srt_dd diagram);
/* From 0, the start; 0: the byte leads nowhere. */
uint32_t srt_number_step(struct srt_js *js, uint32_t plan, uint32_t state,
                         uint8_t byte);
/* Whether any number has an outcome. */
bool srt_number_live(struct srt_js *js, uint32_t plan);
uint32_t srt_number_outcome(const struct srt_js *js, uint32_t state);

/* object.c */
uint32_t srt_object_start(struct srt_js *js, srt_dd duty);
/* Whether an object that is left with a diagram may end. */
bool srt_object_ends(struct srt_js *js, srt_dd diagram);
uint32_t srt_object_close(struct srt_js *js, uint32_t object);
uint32_t srt_object_slot(struct srt_js *js, uint32_t object, uint32_t what,
                         uint32_t depth);
bool srt_object_allows(struct srt_js *js, uint32_t object, uint32_t what,
                       uint32_t depth);
bool srt_object_any_key(struct srt_js *js, uint32_t object, uint32_t depth);
struct srt_object_table *srt_object_table_of(const struct srt_js *js,
                                             uint32_t object);
/* As much of it as there is: a place an order. */
SRT_INLINE const struct srt_object_state *srt_object_at(const struct srt_js *js,
                                                        uint32_t object)
{
    return srt_pool_key(&js->objects, object, NULL);
}
bool srt_set_has(const struct srt_js *js, uint32_t set, uint32_t item);
uint32_t srt_set_with(struct srt_js *js, uint32_t set, uint32_t item);
bool srt_object_has_seen(const struct srt_js *js,
                         const struct srt_object_state *o, uint32_t name);
/*
 * A key comes: the duty of its value, with a terminal for all that the object
 * can be left with, a diagram an order, as leaf says (0: not allowed).
 */
typedef uint32_t srt_object_leaf(void *ctx, const srt_dd *left);
struct srt_object_key {
    const srt_dd *diagram; /* of the object, */
    uint32_t n_diagrams;
    uint32_t count; /* and its keys before this one */
    uint32_t what;  /* index of a name, or n_names + cell */
    uint32_t depth; /* levels its value may take */
};
srt_dd srt_object_pair(struct srt_js *js, struct srt_object_table *t,
                       const struct srt_object_key *key, srt_object_leaf *leaf,
                       void *ctx);

/* object_table.c */
uint32_t srt_object_table(struct srt_js *js, srt_dd duty);
struct srt_object_table *srt_object_table_at(const struct srt_js *js,
                                             uint32_t table);
/* Duty of the value of a key (index, or n_names + cell), by one check. */
srt_dd srt_object_fact(struct srt_js *js, struct srt_object_table *t,
                       uint32_t check, uint32_t what);
/* State of the reader where a key begins; 0: none may come. */
uint32_t srt_object_keys(struct srt_js *js, uint32_t object, uint32_t depth,
                         uint32_t *keyed);

/* array.c */
uint32_t srt_array_start(struct srt_js *js, srt_dd duty);
uint32_t srt_array_close(struct srt_js *js, uint32_t array);
uint32_t srt_array_slot(struct srt_js *js, uint32_t array, uint32_t depth);
/* Whether the items that have come are a trail's business. */
bool srt_array_trails(const struct srt_js *js, uint32_t array);
struct srt_array_table *srt_array_table_of(const struct srt_js *js,
                                           uint32_t array);
void srt_array_load(const struct srt_js *js, uint32_t array,
                    struct srt_array_state *a);
/* An item comes: the duty of it, with a terminal for each state that the array
 * can be left in, as leaf says (0: not allowed). */
typedef uint32_t srt_array_leaf(void *ctx, uint32_t array);
srt_dd srt_array_item(struct srt_js *js, uint32_t array, uint32_t depth,
                      srt_array_leaf *leaf, void *ctx);
/* What the checks that hold in every outcome ask of item `at`. */
srt_dd srt_array_fact(struct srt_js *js, const struct srt_array_table *t,
                      uint32_t check, uint32_t at);

/* live.c */
/* A step of a search; false: they are used up, or the time is. */
bool srt_js_work(struct srt_js *js);
bool srt_js_can(struct srt_js *js, srt_dd duty, uint32_t depth);
bool srt_object_alive(struct srt_js *js, uint32_t object, uint32_t depth);
bool srt_array_alive(struct srt_js *js, uint32_t array, uint32_t depth);

/* unique_known.c */
/* A uniqueItems that is refused, and why; NULL: none. */
const struct srt_json *srt_unique_unknown(struct srt_js *js, const char **why);

/* blame.c */
/* Fails with the part for which no text satisfies the schema. */
sortes_status srt_js_blame(struct srt_js *js, sortes_error *err);

#endif /* SRT_FRAME_H */
