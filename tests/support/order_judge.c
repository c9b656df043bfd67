/*
 * order_judge.c - small schemas of objects, and by definition alone which texts
 * satisfy them and are in order
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/order_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char judge_letters[] = "abcd";
static const char *const judge_words[] = { "properties",
                                           "required",
                                           "dependentRequired",
                                           "dependentSchemas",
                                           "minProperties",
                                           "maxProperties",
                                           "allOf",
                                           "anyOf",
                                           "oneOf",
                                           "not",
                                           "if" };

/* ---- making and writing -------------------------------------------------- */

static int judge_new(struct judge_schema *s, int depth);

static void judge_shuffle(int *list, int n)
{
    for (int i = n; i > 1; i--) {
        const int k = rand() % i, swap = list[i - 1];

        list[i - 1] = list[k];
        list[k] = swap;
    }
}

static void judge_fill(struct judge_schema *s, struct judge_rule *r, int depth)
{
    static const unsigned values[] = { 3, 3, 3, 1, 2, 0 };

    for (int i = 0; i < JUDGE_NAMES; i++) {
        r->name[i] = i;
        r->values[i] = values[rand() % 6];
    }
    judge_shuffle(r->name, JUDGE_NAMES);
    switch (r->type) {
    case JUDGE_PROPERTIES:
        r->n = 1 + rand() % JUDGE_NAMES;
        break;
    case JUDGE_REQUIRED:
        r->n = 1 + rand() % 3;
        break;
    case JUDGE_AT_LEAST:
    case JUDGE_AT_MOST:
        r->n = 1 + rand() % JUDGE_NAMES;
        break;
    case JUDGE_ALL:
    case JUDGE_ANY:
    case JUDGE_ONE:
        r->n = 1 + rand() % JUDGE_PARTS;
        break;
    default:
        r->n = r->type == JUDGE_IF ? 3 : 1;
        break;
    }
    if (r->type >= JUDGE_ALL || r->type == JUDGE_DEPENDENT_SCHEMA)
        for (int i = 0; i < r->n; i++)
            r->node[i] = judge_new(s, depth + 1);
}

/* A node with rules of different types, properties most often. */
static int judge_new(struct judge_schema *s, int depth)
{
    const int at = s->n < JUDGE_NODES ? s->n++ : JUDGE_NODES - 1;
    const bool last = at == JUDGE_NODES - 1;
    struct judge_node *node = &s->node[at];
    int type[JUDGE_RULE_TYPES];

    node->by_reference = last || rand() % 4 == 0;
    if (node->n)
        return at;
    for (int i = 0; i < JUDGE_RULE_TYPES; i++)
        type[i] = i;
    judge_shuffle(type, JUDGE_RULE_TYPES);
    for (int i = 0; i < JUDGE_RULE_TYPES && node->n < JUDGE_RULES; i++) {
        const bool inner =
            type[i] >= JUDGE_ALL || type[i] == JUDGE_DEPENDENT_SCHEMA;
        struct judge_rule *r = &node->rule[node->n];

        if ((inner && (last || depth > 2 || rand() % (2 + depth))) ||
            (!inner && rand() % (type[i] < JUDGE_DEPENDENT_REQUIRED ? 2 : 8)))
            continue;
        r->type = type[i];
        node->n++;
        judge_fill(s, r, depth);
    }
    return at;
}

void judge_make(struct judge_schema *s, bool parted)
{
    static const enum judge_rule_type types[] = { JUDGE_ALL, JUDGE_ANY,
                                                  JUDGE_ONE };
    struct judge_rule *r = &s->node[0].rule[0];

    memset(s, 0, sizeof(*s));
    if (!parted) {
        judge_new(s, 0);
        return;
    }
    s->n = 1;
    s->node[0].n = 1;
    r->type = types[rand() % 3];
    r->n = 2;
    for (int i = 0; i < r->n; i++)
        r->node[i] = judge_new(s, 1);
}

struct judge_text {
    char *to;
    size_t n, size;
};

static void judge_put(struct judge_text *t, const char *format, const char *s)
{
    const int n = snprintf(t->to + t->n, t->size - t->n, format, s);

    if (n < 0 || (size_t)n >= t->size - t->n)
        abort();
    t->n += (size_t)n;
}

static void judge_put_number(struct judge_text *t, int number)
{
    char digits[12];

    snprintf(digits, sizeof(digits), "%d", number);
    judge_put(t, "%s", digits);
}

static void judge_put_name(struct judge_text *t, int name)
{
    const char letter[2] = { judge_letters[name], '\0' };

    judge_put(t, "\"%s\"", letter);
}

static void judge_put_node(const struct judge_schema *s, struct judge_text *t,
                           int node, bool here);

static void judge_put_nodes(const struct judge_schema *s, struct judge_text *t,
                            const struct judge_rule *r)
{
    for (int i = 0; i < r->n; i++) {
        judge_put(t, "%s", i ? "," : "[");
        judge_put_node(s, t, r->node[i], false);
    }
    judge_put(t, "%s", "]");
}

static void judge_put_rule(const struct judge_schema *s, struct judge_text *t,
                           const struct judge_rule *r)
{
    static const char *const values[] = { "false", "{\"const\":1}",
                                          "{\"const\":2}", "true" };

    judge_put(t, "\"%s\":", judge_words[r->type]);
    switch (r->type) {
    case JUDGE_PROPERTIES:
        for (int i = 0; i < r->n; i++) {
            judge_put(t, "%s", i ? "," : "{");
            judge_put_name(t, r->name[i]);
            judge_put(t, ":%s", values[r->values[i]]);
        }
        judge_put(t, "%s", "}");
        break;
    case JUDGE_REQUIRED:
        for (int i = 0; i < r->n; i++) {
            judge_put(t, "%s", i ? "," : "[");
            judge_put_name(t, r->name[i]);
        }
        judge_put(t, "%s", "]");
        break;
    case JUDGE_DEPENDENT_REQUIRED:
        judge_put(t, "%s", "{");
        judge_put_name(t, r->name[0]);
        judge_put(t, "%s", ":[");
        judge_put_name(t, r->name[1]);
        judge_put(t, "%s", "]}");
        break;
    case JUDGE_DEPENDENT_SCHEMA:
        judge_put(t, "%s", "{");
        judge_put_name(t, r->name[0]);
        judge_put(t, "%s", ":");
        judge_put_node(s, t, r->node[0], false);
        judge_put(t, "%s", "}");
        break;
    case JUDGE_AT_LEAST:
    case JUDGE_AT_MOST:
        judge_put_number(t, r->n);
        break;
    case JUDGE_NOT:
        judge_put_node(s, t, r->node[0], false);
        break;
    case JUDGE_IF:
        judge_put_node(s, t, r->node[0], false);
        judge_put(t, "%s", ",\"then\":");
        judge_put_node(s, t, r->node[1], false);
        judge_put(t, "%s", ",\"else\":");
        judge_put_node(s, t, r->node[2], false);
        break;
    default:
        judge_put_nodes(s, t, r);
        break;
    }
}

static void judge_put_node(const struct judge_schema *s, struct judge_text *t,
                           int node, bool here)
{
    const struct judge_node *n = &s->node[node];

    if (!here && n->by_reference) {
        judge_put(t, "%s", "{\"$ref\":\"#/$defs/n");
        judge_put_number(t, node);
        judge_put(t, "%s", "\"}");
        return;
    }
    judge_put(t, "%s", "{");
    for (int i = 0; i < n->n; i++) {
        judge_put(t, "%s", i ? "," : "");
        judge_put_rule(s, t, &n->rule[i]);
    }
    judge_put(t, "%s", "}");
}

/* The parts of the root, each asked of "x". */
static void judge_put_within(const struct judge_schema *s, struct judge_text *t)
{
    const struct judge_rule *r = &s->node[0].rule[0];

    judge_put(t, "\"%s\":", judge_words[r->type]);
    for (int i = 0; i < r->n; i++) {
        judge_put(t, "%s{\"properties\":{\"x\":", i ? "," : "[");
        judge_put_node(s, t, r->node[i], false);
        judge_put(t, "%s", "}}");
    }
    judge_put(t, "%s", "]}");
}

void judge_write(const struct judge_schema *s, enum judge_form form, char *to,
                 size_t size)
{
    static const char pairs[] =
        "{\"type\":\"object\",\"propertyNames\":{\"enum\":[\"a\",\"b\",\"c\","
        "\"d\"]},\"additionalProperties\":{\"enum\":[1,2]}";
    struct judge_text t = { to, 0, size };
    const char *comma = "";

    judge_put(&t, "%s", "{\"$defs\":{");
    for (int i = 1; i < s->n; i++) {
        if (!s->node[i].by_reference)
            continue;
        judge_put(&t, "%s\"n", comma);
        comma = ",";
        judge_put_number(&t, i);
        judge_put(&t, "%s", "\":");
        judge_put_node(s, &t, i, true);
    }
    judge_put(&t, "%s", "},");
    if (form == JUDGE_WITHIN) {
        judge_put(&t,
                  "\"type\":\"object\",\"required\":[\"x\"],"
                  "\"additionalProperties\":false,\"properties\":{\"x\":"
                  "%s}},",
                  pairs);
        judge_put_within(s, &t);
        return;
    }
    judge_put(&t, "%s,\"allOf\":[", pairs + 1);
    judge_put(&t, "%s", form == JUDGE_NOT_NOT ? "{\"not\":{\"not\":" : "");
    judge_put_node(s, &t, 0, true);
    judge_put(&t, "%s]}", form == JUDGE_NOT_NOT ? "}}" : "");
}

/* ---- truth --------------------------------------------------------------- */

/* Answers to all that a schema asks: of an object, or of what it may become. */
struct judge_world {
    unsigned has;    /* names */
    unsigned failed; /* rules of properties, by judge_place */
    unsigned counts; /* bit n: at least n properties */
};

static int judge_place(const struct judge_schema *s, int node, int rule)
{
    int place = 0;

    for (int i = 0; i < node; i++)
        for (int k = 0; k < s->node[i].n; k++)
            place += s->node[i].rule[k].type == JUDGE_PROPERTIES;
    for (int k = 0; k < rule; k++)
        place += s->node[node].rule[k].type == JUDGE_PROPERTIES;
    return place;
}

static bool judge_holds(const struct judge_schema *s, int node,
                        const struct judge_world *w);

static bool judge_rule_holds(const struct judge_schema *s, int node, int rule,
                             const struct judge_world *w)
{
    const struct judge_rule *r = &s->node[node].rule[rule];
    int n = 0;

    switch (r->type) {
    case JUDGE_PROPERTIES:
        return !(w->failed >> judge_place(s, node, rule) & 1);
    case JUDGE_REQUIRED:
        for (int i = 0; i < r->n; i++)
            n += (w->has >> r->name[i] & 1) != 0;
        return n == r->n;
    case JUDGE_DEPENDENT_REQUIRED:
        return !(w->has >> r->name[0] & 1) || (w->has >> r->name[1] & 1);
    case JUDGE_DEPENDENT_SCHEMA:
        return !(w->has >> r->name[0] & 1) || judge_holds(s, r->node[0], w);
    case JUDGE_AT_LEAST:
        return w->counts >> r->n & 1;
    case JUDGE_AT_MOST:
        return !(w->counts >> (r->n + 1) & 1);
    case JUDGE_NOT:
        return !judge_holds(s, r->node[0], w);
    case JUDGE_IF:
        return judge_holds(s, r->node[judge_holds(s, r->node[0], w) ? 1 : 2],
                           w);
    default:
        for (int i = 0; i < r->n; i++)
            n += judge_holds(s, r->node[i], w);
        return r->type == JUDGE_ALL   ? n == r->n
               : r->type == JUDGE_ONE ? n == 1
                                      : n > 0;
    }
}

static bool judge_holds(const struct judge_schema *s, int node,
                        const struct judge_world *w)
{
    for (int i = 0; i < s->node[node].n; i++)
        if (!judge_rule_holds(s, node, i, w))
            return false;
    return true;
}

/* The world of what has come. */
static struct judge_world judge_world_of(const struct judge_schema *s,
                                         const struct judge_pair *pair, int n)
{
    struct judge_world w = { 0, 0, (2u << n) - 1 };
    int place = 0;

    for (int i = 0; i < n; i++)
        w.has |= 1u << pair[i].name;
    for (int node = 0; node < s->n; node++)
        for (int k = 0; k < s->node[node].n; k++) {
            const struct judge_rule *r = &s->node[node].rule[k];

            if (r->type != JUDGE_PROPERTIES)
                continue;
            for (int i = 0; i < r->n; i++)
                for (int p = 0; p < n; p++)
                    if (pair[p].name == r->name[i] &&
                        !(r->values[i] >> pair[p].value & 1))
                        w.failed |= 1u << place;
            place++;
        }
    return w;
}

int judge_properties(const struct judge_schema *s)
{
    return judge_place(s, s->n, 0);
}

bool judge_is_true(const struct judge_schema *s, const struct judge_pair *pair,
                   int n)
{
    const struct judge_world w = judge_world_of(s, pair, n);

    return judge_holds(s, 0, &w);
}

/* ---- orders -------------------------------------------------------------- */

/* Names in a row. */
struct judge_row {
    int n;
    int name[JUDGE_NAMES];
};

enum { JUDGE_ROWS = 200 };

struct judge_rows {
    struct judge_row row[JUDGE_ROWS];
    int n;
};

static bool judge_same(const struct judge_row *a, const struct judge_row *b)
{
    return a->n == b->n &&
           memcmp(a->name, b->name, (size_t)a->n * sizeof(a->name[0])) == 0;
}

static void judge_add_row(struct judge_rows *to, const struct judge_row *row)
{
    for (int i = 0; i < to->n; i++)
        if (judge_same(&to->row[i], row))
            return;
    if (to->n == JUDGE_ROWS)
        abort();
    to->row[to->n++] = *row;
}

static void judge_append(struct judge_row *to, int name)
{
    for (int i = 0; i < to->n; i++)
        if (to->name[i] == name)
            return;
    to->name[to->n++] = name;
}

/* Every row of one, then every row of the other. */
static void judge_product(struct judge_rows *to, const struct judge_rows *then)
{
    struct judge_rows all = { .n = 0 };

    for (int i = 0; i < to->n; i++)
        for (int k = 0; k < then->n; k++) {
            struct judge_row row = to->row[i];

            for (int j = 0; j < then->row[k].n; j++)
                judge_append(&row, then->row[k].name[j]);
            judge_add_row(&all, &row);
        }
    *to = all;
}

static void judge_rows_of(const struct judge_schema *s, int node,
                          const struct judge_world *w, struct judge_rows *to);

/* The rows of a node's choices behind each row that is there.  w NULL: one of
 * everything, whatever holds: the whole. */
static void judge_then(const struct judge_schema *s, int node,
                       const struct judge_world *w, struct judge_rows *to)
{
    struct judge_rows one;

    judge_rows_of(s, node, w, &one);
    judge_product(to, &one);
}

static void judge_rule_rows(const struct judge_schema *s,
                            const struct judge_rule *r,
                            const struct judge_world *w, struct judge_rows *to)
{
    struct judge_rows some = { .n = 0 }, one;
    bool holds;

    switch (r->type) {
    case JUDGE_PROPERTIES:
        for (int i = 0; i < to->n; i++)
            for (int k = 0; k < r->n; k++)
                judge_append(&to->row[i], r->name[k]);
        break;
    case JUDGE_DEPENDENT_SCHEMA:
        judge_then(s, r->node[0], w && (w->has >> r->name[0] & 1) ? w : NULL,
                   to);
        break;
    case JUDGE_IF:
        holds = !w || judge_holds(s, r->node[0], w);
        if (holds)
            judge_then(s, r->node[0], w, to);
        if (holds)
            judge_then(s, r->node[1], w, to);
        if (!w || !holds)
            judge_then(s, r->node[2], w, to);
        break;
    case JUDGE_ALL:
    case JUDGE_ANY:
    case JUDGE_ONE:
        for (int i = 0; i < r->n; i++) {
            if (!w || r->type == JUDGE_ALL) {
                judge_then(s, r->node[i], w, to);
                continue;
            }
            if (!judge_holds(s, r->node[i], w))
                continue;
            judge_rows_of(s, r->node[i], w, &one);
            for (int k = 0; k < one.n; k++)
                judge_add_row(&some, &one.row[k]);
        }
        if (w && r->type != JUDGE_ALL)
            judge_product(to, &some);
        break;
    default:
        break;
    }
}

static void judge_rows_of(const struct judge_schema *s, int node,
                          const struct judge_world *w, struct judge_rows *to)
{
    *to = (struct judge_rows){ .n = 1 };
    for (int i = 0; i < s->node[node].n; i++)
        judge_rule_rows(s, &s->node[node].rule[i], w, to);
}

/* Names that are only asked for, as the schema shows them. */
static void judge_asked(const struct judge_schema *s, int node,
                        struct judge_row *to)
{
    for (int i = 0; i < s->node[node].n; i++) {
        const struct judge_rule *r = &s->node[node].rule[i];

        for (int k = 0; k < r->n && r->type == JUDGE_REQUIRED; k++)
            judge_append(to, r->name[k]);
        if (r->type == JUDGE_DEPENDENT_REQUIRED ||
            r->type == JUDGE_DEPENDENT_SCHEMA)
            judge_append(to, r->name[0]);
        if (r->type == JUDGE_DEPENDENT_REQUIRED)
            judge_append(to, r->name[1]);
        for (int k = 0;
             k < r->n && r->type != JUDGE_NOT &&
             (r->type >= JUDGE_ALL || r->type == JUDGE_DEPENDENT_SCHEMA);
             k++)
            judge_asked(s, r->node[k], to);
    }
}

static struct judge_row judge_whole(const struct judge_schema *s)
{
    struct judge_rows rows;

    judge_rows_of(s, 0, NULL, &rows);
    judge_asked(s, 0, &rows.row[0]);
    return rows.row[0];
}

static int judge_find(const struct judge_row *row, int name)
{
    int i = 0;

    while (i < row->n && row->name[i] != name)
        i++;
    return i;
}

/* The order of a choice. */
static struct judge_row judge_order(const struct judge_row *choice,
                                    const struct judge_row *whole)
{
    struct judge_row order = *choice;
    bool agrees = true;

    for (int i = 1; i < choice->n; i++)
        agrees &= judge_find(whole, choice->name[i - 1]) <
                  judge_find(whole, choice->name[i]);
    if (agrees)
        return *whole;
    for (int i = 0; i < whole->n; i++)
        judge_append(&order, whole->name[i]);
    return order;
}

/* Whether an order is one of a choice that holds in a world. */
static bool judge_offers(const struct judge_schema *s,
                         const struct judge_world *w,
                         const struct judge_row *order)
{
    const struct judge_row whole = judge_whole(s);
    struct judge_rows choices;

    judge_rows_of(s, 0, w, &choices);
    for (int i = 0; i < choices.n; i++) {
        const struct judge_row o = judge_order(&choices.row[i], &whole);

        if (judge_same(&o, order))
            return true;
    }
    return false;
}

/* The counts that the schema asks for. */
static unsigned judge_counts(const struct judge_schema *s)
{
    unsigned counts = 0;

    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->node[i].n; k++) {
            const struct judge_rule *r = &s->node[i].rule[k];

            if (r->type == JUDGE_AT_LEAST)
                counts |= 1u << r->n;
            if (r->type == JUDGE_AT_MOST)
                counts |= 2u << r->n;
        }
    return counts;
}

/* Whether a name comes in every world that may become of one, where the schema
 * holds and offers the order. */
static bool judge_has_to_come(const struct judge_schema *s,
                              const struct judge_world *now,
                              const struct judge_row *order, int name)
{
    const unsigned asked = judge_counts(s);
    const int n_rules = judge_properties(s);

    for (unsigned has = 0; has < 1u << JUDGE_NAMES; has++)
        for (unsigned failed = 0; failed < 1u << n_rules; failed++)
            for (unsigned counts = 0; counts < 4u << JUDGE_NAMES; counts++) {
                const struct judge_world w = { has, failed, counts };

                if ((has & now->has) != now->has || (has >> name & 1) ||
                    (failed & now->failed) != now->failed ||
                    (counts & ~asked) != (now->counts & ~asked) ||
                    (counts & now->counts) != now->counts)
                    continue;
                if (judge_holds(s, 0, &w) && judge_offers(s, &w, order))
                    return false;
            }
    return true;
}

/* Declared: up to the next name that has to come; when none has, any. */
static bool judge_keeps(const struct judge_schema *s,
                        const struct judge_pair *pair, int n,
                        const struct judge_row *order, bool strict)
{
    int at = 0;
    bool any = false;

    for (int i = 0; i < n && !any; i++) {
        const int place = judge_find(order, pair[i].name);
        const struct judge_world now = judge_world_of(s, pair, i);
        int next = at;

        while (!strict && next < order->n &&
               ((now.has >> order->name[next] & 1) ||
                !judge_has_to_come(s, &now, order, order->name[next])))
            next++;
        any = !strict && next == order->n;
        if (!any && (place < at || (!strict && place > next)))
            return false;
        at = place < order->n ? place + 1 : place;
    }
    return true;
}

bool judge_is_in_order(const struct judge_schema *s,
                       const struct judge_pair *pair, int n, bool strict)
{
    const struct judge_world w = judge_world_of(s, pair, n);
    const struct judge_row whole = judge_whole(s);
    struct judge_rows choices;

    judge_rows_of(s, 0, &w, &choices);
    for (int i = 0; i < choices.n; i++) {
        const struct judge_row order = judge_order(&choices.row[i], &whole);

        if (judge_keeps(s, pair, n, &order, strict))
            return true;
    }
    return false;
}
