/*
 * object_table.c - what is fixed about the objects of one duty: names in their
 * order, classes of other keys, and what each asks of its value
 *
 * Keys that are no declared name fall into cells, by the key patterns that
 * match them.  A cell of few keys becomes names: only names are counted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json_schema/key_order.h"
#include "constrain/json_schema/shown.h"
#include "constrain/json_schema/text.h"
#include "constrain/json_schema/unevaluated.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_CELLS = 64, TABLE_PATTERNS = 64, TABLE_FEW_KEYS = 256 };

struct table_maker {
    struct srt_js *js;
    struct srt_object_table *t;
    struct srt_pool known; /* names; payload: index + 1 */
    srt_regex pattern[TABLE_PATTERNS];
    struct srt_cell cell[2 * TABLE_CELLS];
};

struct srt_object_table *srt_object_table_at(const struct srt_js *js,
                                             uint32_t table)
{
    return *(struct srt_object_table **)srt_pool_payload(&js->object_tables,
                                                         table);
}

/* ---- names --------------------------------------------------------------- */

/* The entry of a name, which may be new. */
static struct srt_name_entry *table_name(struct table_maker *m, uint32_t name)
{
    struct srt_object_table *t = m->t;
    const uint32_t number =
        srt_js_intern(m->js, &m->known, &name, sizeof(name));
    uint64_t *index;

    if (!number)
        return NULL;
    index = srt_pool_payload(&m->known, number);
    if (*index)
        return &t->name[*index - 1];
    if (t->n_names == t->room) {
        const uint32_t room = t->room ? 2 * t->room : 16;
        struct srt_name_entry *larger =
            srt_js_take(m->js, room, sizeof(*larger));

        if (!larger)
            return NULL;
        if (t->n_names)
            memcpy(larger, t->name, t->n_names * sizeof(*larger));
        t->name = larger;
        t->room = room;
    }
    t->name[t->n_names] = (struct srt_name_entry){
        name, SRT_NONE, srt_unit_can_write(&m->js->unit[SRT_UNIT_KEYS], name)
    };
    *index = ++t->n_names;
    return &t->name[t->n_names - 1];
}

static void table_add_props(struct table_maker *m, uint32_t number)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(m->js->schema->props, struct srt_schema_props, number);

    for (uint32_t i = 0; i < p->n_named; i++)
        if (!table_name(m, p->named[i].what))
            return;
}

/* The declared names: those of properties as the schemas of the duty show
 * them, then those that are only required. */
static bool table_declare(struct table_maker *m, srt_dd duty)
{
    struct srt_js *js = m->js;
    struct srt_shown shown = { { NULL, 0, 0 }, { NULL, 0, 0 } };
    uint32_t *value;
    size_t n;
    const sortes_status status = srt_dd_variables(&js->dd, duty, &value, &n);

    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    for (size_t i = 0; i < n; i++) {
        const struct srt_question *q = srt_js_question(js, value[i]);

        srt_shown_by(js, q->a, q->b, &shown);
    }
    for (size_t i = 0; i < shown.props.n && srt_js_ok(js); i++)
        table_add_props(m, shown.props.at[i]);
    for (size_t i = 0; i < shown.names.n && srt_js_ok(js); i++)
        table_name(m, shown.names.at[i]);
    m->t->n_declared = m->t->n_names;
    srt_shown_free(&shown);
    free(value);
    return srt_js_ok(js);
}

/* Names that questions are about. */
static bool table_asked(struct table_maker *m, const uint32_t *variable,
                        size_t n)
{
    struct srt_js *js = m->js;

    for (size_t i = 0; i < n && srt_js_ok(js); i++) {
        const struct srt_question *q = srt_js_question(js, variable[i]);
        struct srt_name_entry *entry;

        if (q->type == SRT_ASK_PROPS)
            table_add_props(m, q->a);
        if (q->type != SRT_ASK_HAS)
            continue;
        entry = table_name(m, q->a);
        if (entry)
            entry->has = variable[i];
    }
    return srt_js_ok(js);
}

/* Keys that propertyNames' enums list. */
static bool table_listed(struct table_maker *m, srt_dd formula)
{
    struct srt_js *js = m->js;
    uint32_t *variable;
    size_t n;
    const sortes_status status =
        srt_dd_variables(&js->dd, formula, &variable, &n);

    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    for (size_t i = 0; i < n; i++) {
        const struct srt_question *q = srt_js_question(js, variable[i]);
        const struct srt_schema_enum *e;

        if (q->type != SRT_ASK_STRING_IN)
            continue;
        e = SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, q->a);
        for (uint32_t k = 0; k < e->n_strings && srt_js_ok(js); k++)
            table_name(m, e->strings[k]);
    }
    free(variable);
    return srt_js_ok(js);
}

/* ---- questions ----------------------------------------------------------- */

static uint32_t table_pattern(struct table_maker *m, srt_regex regex)
{
    struct srt_object_table *t = m->t;

    for (uint32_t i = 0; i < t->n_key_patterns; i++)
        if (m->pattern[i] == regex)
            return i;
    if (t->n_key_patterns == TABLE_PATTERNS) {
        srt_js_fail(m->js, SORTES_E_LIMIT);
        return 0;
    }
    m->pattern[t->n_key_patterns] = regex;
    return t->n_key_patterns++;
}

static void table_add_patterns(struct table_maker *m, uint32_t number)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(m->js->schema->props, struct srt_schema_props, number);
    const struct srt_unit *u = &m->js->unit[SRT_UNIT_KEYS];

    for (uint32_t i = 0; i < p->n_matched; i++)
        table_pattern(m, u->of_pattern[p->matched[i].what]);
}

/* What one of the questions about keys needs. */
static bool table_check(struct table_maker *m, uint32_t variable)
{
    struct srt_js *js = m->js;
    struct srt_object_table *t = m->t;
    const struct srt_question *q = srt_js_question(js, variable);
    struct srt_cover cover;
    srt_dd formula;

    switch (q->type) {
    case SRT_ASK_PROPS:
        table_add_patterns(m, q->a);
        break;
    case SRT_ASK_LEFT_KEYS:
        srt_cover_read(js, q->a, &cover);
        for (uint32_t i = 0; i < cover.n_parts; i++) {
            table_add_props(m, cover.part[i]);
            table_add_patterns(m, cover.part[i]);
        }
        break;
    case SRT_ASK_NAMES:
        formula = srt_js_formula(js, q->a, q->b, SRT_KIND_STRING);
        if (!table_listed(m, formula))
            return false;
        t->check_pattern[t->n_checks] = table_pattern(
            m, srt_text_regex(js, &js->unit[SRT_UNIT_KEYS], formula));
        break;
    case SRT_ASK_PAIRS:
        t->pairs[t->n_pairs++] = variable;
        return true;
    default:
        return true;
    }
    t->check[t->n_checks++] = variable;
    return srt_js_ok(js);
}

static bool table_checks(struct table_maker *m, const uint32_t *variable,
                         size_t n)
{
    struct srt_object_table *t = m->t;

    t->check = srt_js_take(m->js, n, sizeof(*t->check));
    t->check_pattern = srt_js_take(m->js, n, sizeof(*t->check_pattern));
    t->pairs = srt_js_take(m->js, n, sizeof(*t->pairs));
    if (!t->check || !t->check_pattern || !t->pairs)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!table_check(m, variable[i]))
            return false;
    return true;
}

/* ---- cells --------------------------------------------------------------- */

/* x and y, or x and not y; NOTHING: no key. */
static srt_regex table_part(struct srt_js *js, srt_regex x, srt_regex y,
                            bool with)
{
    struct srt_book *book = js->unit[SRT_UNIT_KEYS].book;
    srt_regex both[2] = { x, y }, to = SRT_REGEX_NOTHING;
    uint32_t state = 0;
    sortes_status status = SORTES_OK;

    if (y == SRT_LANE_ANYTHING)
        return with ? x : SRT_REGEX_NOTHING;
    if (y == SRT_REGEX_NOTHING)
        return with ? SRT_REGEX_NOTHING : x;
    if (!with)
        status = srt_book_not(book, y, &both[1]);
    if (status == SORTES_OK && x == SRT_LANE_ANYTHING)
        to = both[1];
    else if (status == SORTES_OK)
        status = srt_book_and(book, both, 2, &to);
    if (status == SORTES_OK)
        status = srt_book_start(book, to, &state);
    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    return state ? to : SRT_REGEX_NOTHING;
}

static bool table_split(struct table_maker *m, uint32_t pattern)
{
    struct srt_object_table *t = m->t;
    const uint32_t n = t->n_cells;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct srt_cell whole = m->cell[i];
        const srt_regex yes =
            table_part(m->js, whole.regex, m->pattern[pattern], true);
        const srt_regex no =
            table_part(m->js, whole.regex, m->pattern[pattern], false);

        m->cell[i].regex = no;
        if (yes == SRT_REGEX_NOTHING)
            continue;
        if (t->n_cells == 2 * TABLE_CELLS)
            return srt_js_fail(m->js, SORTES_E_LIMIT);
        m->cell[t->n_cells].regex = yes;
        m->cell[t->n_cells++].matched = whole.matched | UINT64_C(1) << pattern;
    }
    for (uint32_t i = 0; i < t->n_cells; i++)
        if (m->cell[i].regex != SRT_REGEX_NOTHING)
            m->cell[kept++] = m->cell[i];
    t->n_cells = kept;
    if (kept > TABLE_CELLS)
        return srt_js_fail(m->js, SORTES_E_LIMIT);
    return srt_js_ok(m->js);
}

/* Turns a cell of few keys into names, if all of them are names of the schema
 * (load.c sees to it for the patterns themselves). */
static bool table_few(struct table_maker *m, struct srt_cell *cell)
{
    struct srt_js *js = m->js;
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    uint32_t state, shortest, longest, n, found = 0, steps = UINT32_MAX;
    sortes_status status;
    bool interval;

    if (cell->regex == SRT_LANE_ANYTHING)
        return true;
    status = srt_book_start(u->book, cell->regex, &state);
    if (status == SORTES_OK)
        status =
            srt_book_lengths(u->book, state, &shortest, &longest, &interval);
    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    if (longest == UINT32_MAX || longest > TABLE_FEW_KEYS)
        return true;
    n = srt_unit_count(js, u, state, TABLE_FEW_KEYS + 1, &steps);
    if (n > TABLE_FEW_KEYS)
        return srt_js_ok(js);
    for (uint32_t i = 1; i <= js->schema->names.n; i++)
        found += srt_text_matches(js, u, cell->regex, i);
    if (found != n)
        return srt_js_ok(js);
    for (uint32_t i = 1; i <= js->schema->names.n; i++)
        if (srt_text_matches(js, u, cell->regex, i))
            table_name(m, i);
    cell->regex = SRT_REGEX_NOTHING;
    return srt_js_ok(js);
}

static bool table_cells(struct table_maker *m)
{
    struct srt_object_table *t = m->t;
    uint32_t kept = 0;

    m->cell[0] = (struct srt_cell){ SRT_LANE_ANYTHING, 0 };
    t->n_cells = 1;
    for (uint32_t i = 0; i < t->n_key_patterns; i++)
        if (!table_split(m, i))
            return false;
    for (uint32_t i = 0; i < t->n_cells; i++)
        if (!table_few(m, &m->cell[i]))
            return false;
    for (uint32_t i = 0; i < t->n_cells; i++)
        if (m->cell[i].regex != SRT_REGEX_NOTHING)
            m->cell[kept++] = m->cell[i];
    t->n_cells = kept;
    t->cell = srt_js_take(m->js, kept, sizeof(*t->cell));
    t->key_pattern =
        srt_js_take(m->js, t->n_key_patterns, sizeof(*t->key_pattern));
    if (!t->cell || !t->key_pattern)
        return false;
    memcpy(t->cell, m->cell, kept * sizeof(*t->cell));
    memcpy(t->key_pattern, m->pattern,
           t->n_key_patterns * sizeof(*t->key_pattern));
    return true;
}

/* ---- facts --------------------------------------------------------------- */

/* For every PROPS check, which of its schemas is a name's own. */
static bool table_own(struct table_maker *m)
{
    struct srt_object_table *t = m->t;
    struct srt_js *js = m->js;
    const size_t width = (size_t)t->n_names + t->n_cells;

    t->own = srt_js_take(js, (size_t)t->n_checks * t->n_names, sizeof(*t->own));
    t->fact = srt_js_take(js, t->n_checks * width, sizeof(*t->fact));
    if (!t->own || !t->fact)
        return false;
    memset(t->fact, 0xff, t->n_checks * width * sizeof(*t->fact));
    for (uint32_t i = 0; i < t->n_checks; i++) {
        const struct srt_question *q = srt_js_question(js, t->check[i]);
        const struct srt_schema_props *p;

        if (q->type != SRT_ASK_PROPS)
            continue;
        p = SRT_SCHEMA_AT(js->schema->props, struct srt_schema_props, q->a);
        for (uint32_t k = 0; k < p->n_named; k++) {
            const uint32_t number = srt_js_intern(
                js, &m->known, &p->named[k].what, sizeof(uint32_t));
            const uint64_t *index =
                number ? srt_pool_payload(&m->known, number) : NULL;

            if (!index)
                return false;
            t->own[i * t->n_names + *index - 1] = p->named[k].node;
        }
    }
    return true;
}

/* Whether a key matches a pattern. */
static bool table_matches(struct srt_js *js, const struct srt_object_table *t,
                          uint32_t pattern, uint32_t what)
{
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    const srt_regex regex = u->of_pattern[pattern];

    if (what < t->n_names)
        return srt_text_matches(js, u, regex, t->name[what].name);
    for (uint32_t i = 0; i < t->n_key_patterns; i++)
        if (t->key_pattern[i] == regex)
            return t->cell[what - t->n_names].matched >> i & 1;
    return false;
}

static srt_dd table_props(struct srt_js *js, struct srt_object_table *t,
                          uint32_t check, uint32_t what)
{
    const struct srt_question *q = srt_js_question(js, t->check[check]);
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(js->schema->props, struct srt_schema_props, q->a);
    const uint32_t own =
        what < t->n_names ? t->own[check * t->n_names + what] : 0;
    srt_dd duty = SRT_DD_TRUE;
    bool applied = own != 0;

    if (own)
        duty = srt_js_duty(js, own, q->b);
    for (uint32_t i = 0; i < p->n_matched; i++) {
        if (!table_matches(js, t, p->matched[i].what, what))
            continue;
        applied = true;
        duty = srt_dd_and(&js->dd, duty,
                          srt_js_duty(js, p->matched[i].node, q->b));
    }
    if (!applied && p->has_rest)
        duty = srt_js_duty(js, p->rest, q->b);
    return duty;
}

static bool table_covered(struct srt_js *js, struct srt_object_table *t,
                          uint32_t number, uint32_t what)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(js->schema->props, struct srt_schema_props, number);

    for (uint32_t i = 0; i < p->n_named && what < t->n_names; i++)
        if (p->named[i].what == t->name[what].name)
            return true;
    for (uint32_t i = 0; i < p->n_matched; i++)
        if (table_matches(js, t, p->matched[i].what, what))
            return true;
    return p->has_rest;
}

static srt_dd table_left(struct srt_js *js, struct srt_object_table *t,
                         const struct srt_question *q, uint32_t what)
{
    struct srt_cover cover;

    srt_cover_read(js, q->a, &cover);
    for (uint32_t i = 0; i < cover.n_parts; i++)
        if (table_covered(js, t, cover.part[i], what))
            return SRT_DD_TRUE;
    return srt_js_duty(js, cover.rest, q->b);
}

srt_dd srt_object_fact(struct srt_js *js, struct srt_object_table *t,
                       uint32_t check, uint32_t what)
{
    const size_t width = (size_t)t->n_names + t->n_cells;
    srt_dd *fact = &t->fact[check * width + what];
    const struct srt_question *q = srt_js_question(js, t->check[check]);
    srt_dd duty;

    if (*fact != SRT_NONE)
        return *fact;
    if (q->type == SRT_ASK_PROPS)
        duty = table_props(js, t, check, what);
    else if (q->type == SRT_ASK_LEFT_KEYS)
        duty = table_left(js, t, q, what);
    else if (what < t->n_names)
        duty = srt_text_ask(js, &js->unit[SRT_UNIT_KEYS],
                            srt_js_formula(js, q->a, q->b, SRT_KIND_STRING),
                            t->name[what].name);
    else
        duty =
            t->cell[what - t->n_names].matched >> t->check_pattern[check] & 1;
    if (srt_js_ok(js))
        *fact = duty;
    return duty;
}

/* ---- the whole ----------------------------------------------------------- */

static int table_by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The questions of every order's diagram, ascending. */
static bool table_questions(struct table_maker *m, struct srt_ids *questions)
{
    struct srt_js *js = m->js;
    sortes_status status = SORTES_OK;
    size_t kept = 0;

    for (uint32_t i = 0; i < m->t->n_orders && status == SORTES_OK; i++) {
        uint32_t *variable;
        size_t n;

        status =
            srt_dd_variables(&js->dd, m->t->order[i].diagram, &variable, &n);
        for (size_t k = 0; k < n && status == SORTES_OK; k++)
            status = srt_ids_add(questions, variable[k]);
        free(variable);
    }
    if (questions->n > 1)
        qsort(questions->at, questions->n, sizeof(*questions->at),
              table_by_number);
    for (size_t i = 0; i < questions->n; i++)
        if (i == 0 || questions->at[i] != questions->at[kept - 1])
            questions->at[kept++] = questions->at[i];
    questions->n = kept;
    return status == SORTES_OK || srt_js_fail(js, status);
}

static bool table_make(struct table_maker *m, srt_dd duty)
{
    struct srt_js *js = m->js;
    const srt_dd diagram = srt_js_expand(js, duty, SRT_KIND_OBJECT);
    struct srt_ids asked = { NULL, 0, 0 };
    const bool ok =
        table_declare(m, duty) &&
        srt_key_order_make(js, duty, diagram, m->t, &m->known) &&
        table_questions(m, &asked) && table_asked(m, asked.at, asked.n) &&
        table_checks(m, asked.at, asked.n) && table_cells(m) && table_own(m);

    free(asked.at);
    return ok && srt_js_ok(js);
}

uint32_t srt_object_table(struct srt_js *js, srt_dd duty)
{
    const uint32_t number =
        srt_js_intern(js, &js->object_tables, &duty, sizeof(duty));
    struct table_maker *m;
    struct srt_object_table **place;
    bool ok;

    if (!number)
        return 0;
    place = srt_pool_payload(&js->object_tables, number);
    if (*place)
        return number;
    m = calloc(1, sizeof(*m));
    if (!m)
        return srt_js_fail(js, SORTES_E_NOMEM);
    m->js = js;
    m->t = srt_js_take(js, 1, sizeof(*m->t));
    srt_pool_init(&m->known, sizeof(uint64_t), SRT_POOL_MAX, SIZE_MAX);
    ok = m->t && table_make(m, duty);
    if (ok)
        *place = m->t;
    srt_pool_clear(&m->known);
    free(m);
    return ok ? number : 0;
}
