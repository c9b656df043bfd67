/*
 * schema_naive.c - whether a value satisfies a JSON Schema, as the text of the
 * specification says it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/schema_naive.h"

#include "compiler.h"
#include "support/regex_naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The resources ($id) that evaluation came through, the innermost first. */
struct scope {
    const struct srt_json *resource;
    const struct scope *outer;
};

/* One schema object at work on one value. */
struct judging {
    const struct srt_json *schema, *value, *root;
    const struct scope *scope;
    int draft;
    uint64_t seen; /* members or items that some subschema looked at */
};

/* Whether v satisfies s; *seen: what its subschemas looked at is added. */
static bool satisfies(const struct judging *j, const struct srt_json *s,
                      const struct srt_json *v, uint64_t *seen);

/* Whether j's own value does. */
static bool also(struct judging *j, const struct srt_json *s)
{
    return satisfies(j, s, j->value, &j->seen);
}

static bool inside(const struct judging *j, const struct srt_json *s,
                   const struct srt_json *v)
{
    uint64_t seen = 0;

    return satisfies(j, s, v, &seen);
}

static bool is(const struct srt_json *s, const char *word)
{
    return s->type == SRT_JSON_STRING && srt_json_equals(s->text, s->n, word);
}

static double number(const struct srt_json *v)
{
    return strtod(v->text, NULL);
}

static bool is_whole(const struct srt_json *v)
{
    return v->type == SRT_JSON_NUMBER && floor(number(v)) == number(v);
}

static const struct srt_json *beside(const struct judging *j, const char *key)
{
    return srt_json_find(j->schema, key);
}

/* Of a value's own type alone; other types satisfy whatever it says. */
#define ONLY(j, kind)                                                          \
    if ((j)->value->type != (kind))                                            \
    return true

/* ---- any type ------------------------------------------------------------ */

static bool is_of_type(const struct srt_json *v, const struct srt_json *name)
{
    return is(name, srt_json_type_name(v)) ||
           (is(name, "integer") && is_whole(v));
}

static bool type(struct judging *j, const struct srt_json *k)
{
    bool any = k->type == SRT_JSON_STRING && is_of_type(j->value, k);

    if (k->type == SRT_JSON_ARRAY)
        for (const struct srt_json *i = k->first; i; i = i->next)
            any |= is_of_type(j->value, i);
    return any;
}

static bool same(const struct srt_json *a, const struct srt_json *b)
{
    const struct srt_json *i, *k;

    if (a->type != b->type || (a->type != SRT_JSON_NUMBER && a->n != b->n))
        return false;
    switch (a->type) {
    case SRT_JSON_NUMBER:
        return number(a) == number(b);
    case SRT_JSON_STRING:
        return memcmp(a->text, b->text, a->n) == 0;
    case SRT_JSON_ARRAY:
        for (i = a->first, k = b->first; i; i = i->next, k = k->next)
            if (!same(i, k))
                return false;
        return true;
    case SRT_JSON_OBJECT:
        for (i = a->first; i; i = i->next) {
            k = srt_json_find(b, i->key);
            if (!k || !same(i, k))
                return false;
        }
        return true;
    default:
        return true;
    }
}

static bool is_const(struct judging *j, const struct srt_json *k)
{
    return same(j->value, k);
}

static bool is_in_enum(struct judging *j, const struct srt_json *k)
{
    for (const struct srt_json *i = k->first; i; i = i->next)
        if (same(j->value, i))
            return true;
    return false;
}

/* ---- numbers and strings ------------------------------------------------- */

static bool minimum(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_NUMBER);
    return number(j->value) >= number(k);
}

static bool maximum(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_NUMBER);
    return number(j->value) <= number(k);
}

static bool exclusive_minimum(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_NUMBER);
    return number(j->value) > number(k);
}

static bool exclusive_maximum(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_NUMBER);
    return number(j->value) < number(k);
}

static bool multiple_of(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_NUMBER);
    return fmod(number(j->value), number(k)) == 0;
}

static double code_points(const struct srt_json *v)
{
    size_t n = 0;

    for (size_t i = 0; i < v->n; i++)
        n += ((unsigned char)v->text[i] & 0xC0) != 0x80;
    return (double)n;
}

static bool min_length(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_STRING);
    return code_points(j->value) >= number(k);
}

static bool max_length(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_STRING);
    return code_points(j->value) <= number(k);
}

#define CHAR(c)                                                                \
    {                                                                          \
        .kind = NAIVE_CHAR, .code = (c)                                        \
    }
#define PAIR(k, a, b)                                                          \
    {                                                                          \
        .kind = (k), .x = (a), .y = (b)                                        \
    }

static const struct naive start = { .kind = NAIVE_START },
                          end = { .kind = NAIVE_END },
                          dot = { .kind = NAIVE_DOT }, a = CHAR('a'),
                          b = CHAR('b'),
                          not_a = { .kind = NAIVE_NOT_CHAR, .code = 'a' };
static const struct naive a_or_b = PAIR(NAIVE_OR, &a, &b),
                          start_a = PAIR(NAIVE_CAT, &start, &a),
                          two = { NAIVE_REPEAT, 0, 2, 0, &a_or_b, NULL },
                          some = { NAIVE_REPEAT, 0, 1, 3, &a_or_b, NULL },
                          start_some = PAIR(NAIVE_CAT, &start, &some),
                          start_dot = PAIR(NAIVE_CAT, &start, &dot),
                          no_a = { NAIVE_NOT_AHEAD, 0, 0, 0, &a, NULL },
                          start_no_a = PAIR(NAIVE_CAT, &start, &no_a);
static const struct naive b_end = PAIR(NAIVE_CAT, &b, &end),
                          only_some = PAIR(NAIVE_CAT, &start_some, &end),
                          single = PAIR(NAIVE_CAT, &start_dot, &end),
                          empty = PAIR(NAIVE_CAT, &start, &end);

static const struct naive *const patterns[SCHEMA_PATTERNS] = {
    &start_a, &b_end, &only_some, &single, &empty, &not_a, &two, &start_no_a
};

const char *schema_naive_pattern(size_t i)
{
    static char text[SCHEMA_PATTERNS][64];

    if (!text[i][0])
        naive_write(patterns[i], text[i], sizeof(text[i]));
    return text[i];
}

/* A pattern may match anywhere. */
static bool matches(const struct srt_json *pattern, const char *text, size_t n)
{
    uint32_t codes[NAIVE_MAX_TEXT] = { 0 };
    size_t i = 0, n_codes = 0;
    bool found = false;

    while (!srt_json_equals(pattern->text, pattern->n, schema_naive_pattern(i)))
        i++;
    for (size_t at = 0; at < n; at++) {
        const unsigned char c = (unsigned char)text[at];

        if ((c & 0xC0) == 0x80) /* only what is no ASCII matters of it */
            continue;
        assert_true(n_codes < NAIVE_MAX_TEXT);
        codes[n_codes++] = c < 0x80 ? c : 0x100u + c;
    }
    for (size_t at = 0; at <= n_codes && !found; at++)
        found = naive_match(patterns[i], codes, n_codes, at) != 0;
    return found;
}

static bool pattern(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_STRING);
    return matches(k, j->value->text, j->value->n);
}

/* ---- objects ------------------------------------------------------------- */

static bool properties(struct judging *j, const struct srt_json *k)
{
    uint64_t bit = 1;
    bool ok = true;

    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *m = j->value->first; m; m = m->next, bit *= 2) {
        const struct srt_json *s = srt_json_find(k, m->key);

        if (s) {
            j->seen |= bit;
            ok &= inside(j, s, m);
        }
    }
    return ok;
}

/* A pattern as a key: the text of one as a value. */
static struct srt_json as_value(const struct srt_json *member)
{
    return (struct srt_json){ .type = SRT_JSON_STRING,
                              .text = member->key,
                              .n = member->n_key };
}

static bool pattern_properties(struct judging *j, const struct srt_json *k)
{
    uint64_t bit = 1;
    bool ok = true;

    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *m = j->value->first; m; m = m->next, bit *= 2)
        for (const struct srt_json *s = k->first; s; s = s->next) {
            const struct srt_json key = as_value(s);

            if (matches(&key, m->key, m->n_key)) {
                j->seen |= bit;
                ok &= inside(j, s, m);
            }
        }
    return ok;
}

/* Whether properties or patternProperties of the same schema name a key. */
static bool is_named(const struct judging *j, const struct srt_json *m)
{
    const struct srt_json *named = beside(j, "properties");
    const struct srt_json *patterned = beside(j, "patternProperties");

    if (named && srt_json_find(named, m->key))
        return true;
    for (const struct srt_json *s = patterned ? patterned->first : NULL; s;
         s = s->next) {
        const struct srt_json key = as_value(s);

        if (matches(&key, m->key, m->n_key))
            return true;
    }
    return false;
}

static bool additional_properties(struct judging *j, const struct srt_json *k)
{
    uint64_t bit = 1;
    bool ok = true;

    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *m = j->value->first; m; m = m->next, bit *= 2)
        if (!is_named(j, m)) {
            j->seen |= bit;
            ok &= inside(j, k, m);
        }
    return ok;
}

static bool property_names(struct judging *j, const struct srt_json *k)
{
    bool ok = true;

    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *m = j->value->first; m; m = m->next) {
        const struct srt_json key = as_value(m);

        ok &= inside(j, k, &key);
    }
    return ok;
}

/* k: an array of names. */
static bool required(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *i = k->first; i; i = i->next)
        if (!srt_json_find(j->value, i->text))
            return false;
    return true;
}

static bool min_properties(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_OBJECT);
    return (double)j->value->n >= number(k);
}

static bool max_properties(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_OBJECT);
    return (double)j->value->n <= number(k);
}

/* dependentRequired, dependentSchemas, and what was both of them. */
static bool dependencies(struct judging *j, const struct srt_json *k)
{
    bool ok = true;

    ONLY(j, SRT_JSON_OBJECT);
    for (const struct srt_json *i = k->first; i; i = i->next)
        if (srt_json_find(j->value, i->key))
            ok &= i->type == SRT_JSON_ARRAY ? required(j, i) : also(j, i);
    return ok;
}

/* Members and items that nothing looked at. */
static bool unevaluated(struct judging *j, const struct srt_json *k)
{
    uint64_t bit = 1;
    bool ok = true;

    for (const struct srt_json *m = j->value->first; m; m = m->next, bit *= 2)
        if (!(j->seen & bit)) {
            j->seen |= bit;
            ok &= inside(j, k, m);
        }
    return ok;
}

static bool unevaluated_properties(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_OBJECT);
    return unevaluated(j, k);
}

/* ---- arrays -------------------------------------------------------------- */

/* The first items each by its own schema; the others by `rest`. */
static bool sequence(struct judging *j, const struct srt_json *prefix,
                     const struct srt_json *rest)
{
    const struct srt_json *s = prefix ? prefix->first : NULL;
    uint64_t bit = 1;
    bool ok = true;

    for (const struct srt_json *i = j->value->first; i; i = i->next, bit *= 2) {
        const struct srt_json *one = s ? s : rest;

        if (one) {
            j->seen |= bit;
            ok &= inside(j, one, i);
        }
        s = s ? s->next : NULL;
    }
    return ok;
}

static bool prefix_items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    return sequence(j, k, NULL);
}

static bool items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    if (k->type == SRT_JSON_ARRAY)
        return sequence(j, k, beside(j, "additionalItems"));
    return sequence(j, beside(j, "prefixItems"), k);
}

static bool min_items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    return (double)j->value->n >= number(k);
}

static bool max_items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    return (double)j->value->n <= number(k);
}

static bool contains(struct judging *j, const struct srt_json *k)
{
    const struct srt_json *least = beside(j, "minContains");
    const struct srt_json *most = beside(j, "maxContains");
    uint64_t bit = 1;
    double n = 0;

    ONLY(j, SRT_JSON_ARRAY);
    for (const struct srt_json *i = j->value->first; i; i = i->next, bit *= 2)
        if (inside(j, k, i)) {
            j->seen |= bit;
            n++;
        }
    return n >= (least ? number(least) : 1) && (!most || n <= number(most));
}

static bool unique_items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    if (k->type != SRT_JSON_TRUE)
        return true;
    for (const struct srt_json *x = j->value->first; x; x = x->next)
        for (const struct srt_json *y = x->next; y; y = y->next)
            if (same(x, y))
                return false;
    return true;
}

static bool unevaluated_items(struct judging *j, const struct srt_json *k)
{
    ONLY(j, SRT_JSON_ARRAY);
    return unevaluated(j, k);
}

/* ---- several schemas ----------------------------------------------------- */

static size_t how_many(struct judging *j, const struct srt_json *k)
{
    size_t n = 0;

    for (const struct srt_json *s = k->first; s; s = s->next)
        n += also(j, s);
    return n;
}

static bool all_of(struct judging *j, const struct srt_json *k)
{
    return how_many(j, k) == k->n;
}

static bool any_of(struct judging *j, const struct srt_json *k)
{
    return how_many(j, k) > 0;
}

static bool one_of(struct judging *j, const struct srt_json *k)
{
    return how_many(j, k) == 1;
}

static bool none_of(struct judging *j, const struct srt_json *k)
{
    return !inside(j, k, j->value);
}

static bool conditional(struct judging *j, const struct srt_json *k)
{
    const struct srt_json *next = beside(j, also(j, k) ? "then" : "else");

    return !next || also(j, next);
}

/* ---- references ---------------------------------------------------------- */

static const struct srt_json *resource_of(const struct srt_json *s)
{
    while (s->parent && !srt_json_find(s, "$id"))
        s = s->parent;
    return s;
}

static bool has(const struct srt_json *s, const char *key, const char *word)
{
    const struct srt_json *v = srt_json_find(s, key);

    return v && is(v, word);
}

/* The schema below s, in its own resource unless key is "$id", that says so. */
static const struct srt_json *find_below(const struct srt_json *s,
                                         const char *key, const char *word)
{
    const struct srt_json *found = has(s, key, word) ? s : NULL;

    for (const struct srt_json *i = s->first; i && !found; i = i->next)
        if (strcmp(key, "$id") == 0 || !srt_json_find(i, "$id"))
            found = find_below(i, key, word);
    return found;
}

static const struct srt_json *anchor_in(const struct srt_json *resource,
                                        const char *name)
{
    const struct srt_json *s = find_below(resource, "$anchor", name);

    return s ? s : find_below(resource, "$dynamicAnchor", name);
}

/* "#", "#/$defs/NAME", "#/definitions/NAME", "#ANCHOR" or another's $id. */
static const struct srt_json *target(const struct judging *j, const char *to)
{
    const struct srt_json *s = resource_of(j->schema);
    char folder[16];

    if (strcmp(to, "#") == 0)
        return s;
    if (to[0] != '#')
        s = find_below(j->root, "$id", to);
    else if (to[1] != '/')
        s = anchor_in(s, to + 1);
    else {
        const char *name = strchr(to + 2, '/');

        memcpy(folder, to + 2, (size_t)(name - to) - 2);
        folder[name - to - 2] = '\0';
        s = srt_json_find(srt_json_find(s, folder), name + 1);
    }
    if (!s)
        fail_msg("schema_naive: %s leads nowhere", to);
    return s;
}

/* What a reference leads to is judged as part of the resource it is in. */
static bool at(struct judging *j, const struct srt_json *s)
{
    const struct scope there = { resource_of(s), j->scope };
    struct judging next = *j;

    next.scope = &there;
    return satisfies(&next, s, j->value, &j->seen);
}

static bool reference(struct judging *j, const struct srt_json *k)
{
    return at(j, target(j, k->text));
}

/* "#ANCHOR": that of the outermost resource on the way here that has it. */
static bool dynamic_reference(struct judging *j, const struct srt_json *k)
{
    const struct srt_json *s = target(j, k->text);

    if (has(s, "$dynamicAnchor", k->text + 1))
        for (const struct scope *i = j->scope; i; i = i->outer) {
            const struct srt_json *found =
                find_below(i->resource, "$dynamicAnchor", k->text + 1);

            s = found ? found : s;
        }
    return at(j, s);
}

/* ---- a schema ------------------------------------------------------------ */

/* Words without a row say nothing by themselves. */
static const struct {
    const char *name;
    bool (*judge)(struct judging *j, const struct srt_json *k);
    bool last; /* looks at what all the others have seen */
} keywords[] = {
    { "type", type, false },
    { "const", is_const, false },
    { "enum", is_in_enum, false },
    { "minimum", minimum, false },
    { "maximum", maximum, false },
    { "exclusiveMinimum", exclusive_minimum, false },
    { "exclusiveMaximum", exclusive_maximum, false },
    { "multipleOf", multiple_of, false },
    { "minLength", min_length, false },
    { "maxLength", max_length, false },
    { "pattern", pattern, false },
    { "properties", properties, false },
    { "patternProperties", pattern_properties, false },
    { "additionalProperties", additional_properties, false },
    { "propertyNames", property_names, false },
    { "required", required, false },
    { "minProperties", min_properties, false },
    { "maxProperties", max_properties, false },
    { "dependencies", dependencies, false },
    { "dependentRequired", dependencies, false },
    { "dependentSchemas", dependencies, false },
    { "prefixItems", prefix_items, false },
    { "items", items, false },
    { "minItems", min_items, false },
    { "maxItems", max_items, false },
    { "contains", contains, false },
    { "uniqueItems", unique_items, false },
    { "allOf", all_of, false },
    { "anyOf", any_of, false },
    { "oneOf", one_of, false },
    { "not", none_of, false },
    { "if", conditional, false },
    { "$ref", reference, false },
    { "$dynamicRef", dynamic_reference, false },
    { "unevaluatedProperties", unevaluated_properties, true },
    { "unevaluatedItems", unevaluated_items, true },
};

static bool keyword(struct judging *j, const struct srt_json *k, bool last)
{
    for (size_t i = 0; i < SRT_COUNT(keywords); i++)
        if (strcmp(k->key, keywords[i].name) == 0)
            return keywords[i].last != last || keywords[i].judge(j, k);
    return true;
}

static bool satisfies(const struct judging *j, const struct srt_json *s,
                      const struct srt_json *v, uint64_t *seen)
{
    const struct scope own = { s, j->scope };
    struct judging next = { s, v, j->root, j->scope, j->draft, 0 };
    const struct srt_json *ref;
    bool ok = true;

    if (s->type != SRT_JSON_OBJECT)
        return s->type == SRT_JSON_TRUE;
    assert_in_range(v->type < SRT_JSON_ARRAY ? 0 : v->n, 0, 64);
    if (srt_json_find(s, "$id"))
        next.scope = &own;
    ref = next.draft == 7 ? srt_json_find(s, "$ref") : NULL;
    if (ref) /* and nothing beside it counts */
        return reference(&next, ref);
    for (int last = 0; last < 2; last++)
        for (const struct srt_json *k = s->first; k; k = k->next)
            ok = ok && keyword(&next, k, last);
    if (ok)
        *seen |= next.seen;
    return ok;
}

bool schema_naive_accepts(const struct srt_json *schema,
                          const struct srt_json *value)
{
    const struct srt_json *draft = srt_json_find(schema, "$schema");
    const struct scope own = { schema, NULL };
    const struct judging j = { .schema = schema,
                               .value = value,
                               .root = schema,
                               .scope = &own,
                               .draft = draft && strstr(draft->text, "draft-07")
                                            ? 7
                                            : 2020 };

    return inside(&j, schema, value);
}
