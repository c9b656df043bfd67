/*
 * schema_maker.c - random schemas out of every keyword
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/schema_maker.h"

#include "compiler.h"
#include "json/json.h"
#include "support/rows.h"
#include "support/schema_naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 3 };

struct maker {
    struct srt_json_writer w;
    struct rows_random random;
    bool old; /* draft 7 */
    bool dynamic;
    int n_defs;
    int def;    /* which is being written; -1: the body */
    int within; /* containers around this place, in the values */
};

static void schema(struct maker *k, int depth);

static size_t below(struct maker *k, size_t n)
{
    return rows_below(&k->random, n);
}

static bool one_in(struct maker *k, size_t n)
{
    return below(k, n) == 0;
}

static const char *any(struct maker *k, const char *const *words, size_t n)
{
    return words[below(k, n)];
}

#define ANY(k, words) any(k, words, SRT_COUNT(words))

static void put(struct maker *k, const char *key, const char *raw)
{
    srt_json_key(&k->w, key);
    srt_json_put_raw(&k->w, raw);
}

static void count(struct maker *k, const char *key, size_t n)
{
    srt_json_key(&k->w, key);
    srt_json_put_unsigned(&k->w, below(k, n));
}

/* ---- what values are made of --------------------------------------------- */

static const char *const keys[] = { "a", "b", "a", "b", "a", "b", "aa", "c" };
static const char *const numbers[] = { "0", "1", "0", "1", "0.5", "-1", "2" };
static const char *const scalars[] = { "0", "1", "1.0",    "\"a\"",
                                       "1", "0", "true",   "\"b\"",
                                       "0", "1", "\"ab\"", "null" };
static const char *const values[] = {
    "0",           "1",          "1.0",   "\"a\"",
    "\"b\"",       "true",       "[]",    "{}",
    "[0]",         "{\"a\":0}",  "[[]]",  "{\"b\":true,\"a\":1}",
    "[1,\"a\"]",   "{\"a\":[]}", "false", "{\"b\":\"b\"}",
    "[true,true]", "null"
};

/* In its own container: a reference from here may lead back. */
static void inner(struct maker *k, int depth)
{
    k->within++;
    schema(k, depth - 1);
    k->within--;
}

static void list(struct maker *k, const char *key, int depth, size_t n)
{
    srt_json_key(&k->w, key);
    srt_json_open(&k->w, '[');
    for (size_t i = 0; i < n; i++)
        schema(k, depth - 1);
    srt_json_close(&k->w, ']');
}

/* Some of a and b, each once, with what `value` writes. */
static void by_key(struct maker *k, const char *key, int depth,
                   void (*value)(struct maker *k, int depth))
{
    const size_t which = 1 + below(k, 3);

    srt_json_key(&k->w, key);
    srt_json_open(&k->w, '{');
    for (size_t i = 0; i < 2; i++)
        if (which >> i & 1) {
            srt_json_key(&k->w, i ? "b" : "a");
            value(k, depth);
        }
    srt_json_close(&k->w, '}');
}

static void names(struct maker *k, int depth)
{
    const char *first = ANY(k, keys), *second = ANY(k, keys);

    (void)depth;
    srt_json_open(&k->w, '[');
    srt_json_put_string(&k->w, first, strlen(first));
    if (one_in(k, 3) && strcmp(first, second) != 0)
        srt_json_put_string(&k->w, second, strlen(second));
    srt_json_close(&k->w, ']');
}

/* ---- groups of keywords -------------------------------------------------- */

static void group_type(struct maker *k, int depth)
{
    static const char *const types[] = {
        "\"object\"",
        "\"array\"",
        "\"object\"",
        "\"array\"",
        "\"string\"",
        "\"number\"",
        "\"integer\"",
        "\"boolean\"",
        "\"null\"",
        "[\"object\",\"array\"]",
        "[\"array\",\"string\",\"null\"]",
        "[\"integer\",\"object\"]",
        "[\"string\",\"integer\"]",
        "[\"boolean\",\"number\",\"integer\"]"
    };

    (void)depth;
    put(k, "type", ANY(k, types));
}

static void group_values(struct maker *k, int depth)
{
    (void)depth;
    if (one_in(k, 3)) {
        put(k, "const", ANY(k, values));
        return;
    }
    srt_json_key(&k->w, "enum");
    srt_json_open(&k->w, '[');
    for (size_t n = 1 + below(k, 5); n > 0; n--)
        srt_json_put_raw(&k->w, ANY(k, values));
    srt_json_close(&k->w, ']');
}

static void group_numbers(struct maker *k, int depth)
{
    static const char *const divisors[] = { "1", "2", "0.5", "3" };

    (void)depth;
    if (one_in(k, 2))
        put(k, one_in(k, 2) ? "minimum" : "exclusiveMinimum", ANY(k, numbers));
    if (one_in(k, 2))
        put(k, one_in(k, 2) ? "maximum" : "exclusiveMaximum", ANY(k, numbers));
    if (one_in(k, 3))
        put(k, "multipleOf", ANY(k, divisors));
}

static void put_pattern(struct maker *k)
{
    const char *text = schema_naive_pattern(below(k, SCHEMA_PATTERNS));

    srt_json_put_string(&k->w, text, strlen(text));
}

static void group_strings(struct maker *k, int depth)
{
    (void)depth;
    if (one_in(k, 3))
        count(k, "minLength", 3);
    if (one_in(k, 3))
        count(k, "maxLength", 3);
    if (one_in(k, 2)) {
        srt_json_key(&k->w, "pattern");
        put_pattern(k);
    }
}

static void group_properties(struct maker *k, int depth)
{
    by_key(k, "properties", depth, inner);
    if (one_in(k, 2)) {
        srt_json_key(&k->w, "required");
        names(k, depth);
    }
}

static void group_other_properties(struct maker *k, int depth)
{
    if (one_in(k, 2)) {
        const size_t first = below(k, SCHEMA_PATTERNS);

        srt_json_key(&k->w, "patternProperties");
        srt_json_open(&k->w, '{');
        for (size_t i = 0; i <= below(k, 2); i++) {
            srt_json_key(&k->w,
                         schema_naive_pattern((first + i) % SCHEMA_PATTERNS));
            inner(k, depth);
        }
        srt_json_close(&k->w, '}');
    }
    if (one_in(k, 2)) {
        srt_json_key(&k->w, "additionalProperties");
        inner(k, depth);
    }
    if (one_in(k, 3)) {
        srt_json_key(&k->w, "propertyNames");
        inner(k, depth);
    }
}

static void group_pairs(struct maker *k, int depth)
{
    (void)depth;
    if (one_in(k, 2))
        count(k, "minProperties", 3);
    if (one_in(k, 2))
        count(k, "maxProperties", 3);
}

static void names_or_schema(struct maker *k, int depth)
{
    if (one_in(k, 2))
        names(k, depth);
    else
        schema(k, depth - 1);
}

static void whole_schema(struct maker *k, int depth)
{
    schema(k, depth - 1);
}

static void group_dependents(struct maker *k, int depth)
{
    if (k->old) {
        by_key(k, "dependencies", depth, names_or_schema);
        return;
    }
    if (one_in(k, 2))
        by_key(k, "dependentRequired", depth, names);
    else
        by_key(k, "dependentSchemas", depth, whole_schema);
}

static void group_items(struct maker *k, int depth)
{
    k->within++;
    if (one_in(k, 2))
        list(k, k->old ? "items" : "prefixItems", depth, 1 + below(k, 2));
    else if (k->old) {
        srt_json_key(&k->w, "items");
        schema(k, depth - 1);
    }
    if (!k->old || one_in(k, 2)) {
        srt_json_key(&k->w, k->old ? "additionalItems" : "items");
        schema(k, depth - 1);
    }
    k->within--;
}

static void group_counts(struct maker *k, int depth)
{
    (void)depth;
    if (one_in(k, 2))
        count(k, "minItems", 4);
    if (one_in(k, 2))
        count(k, "maxItems", 4);
}

static void group_contains(struct maker *k, int depth)
{
    srt_json_key(&k->w, "contains");
    inner(k, depth);
    if (!k->old && one_in(k, 2))
        count(k, "minContains", 3);
    if (!k->old && one_in(k, 2))
        count(k, "maxContains", 3);
}

/* What uniqueItems can be had with, and now and then anything. */
static void group_unique(struct maker *k, int depth)
{
    put(k, "uniqueItems", "true");
    if (one_in(k, 3))
        put(k, "maxItems", "2");
    srt_json_key(&k->w, k->old ? "additionalItems" : "items");
    if (one_in(k, 16)) {
        inner(k, depth);
        return;
    }
    srt_json_open(&k->w, '{');
    if (one_in(k, 2)) {
        put(k, "type", one_in(k, 2) ? "\"string\"" : "\"integer\"");
    } else {
        srt_json_key(&k->w, "enum");
        srt_json_open(&k->w, '[');
        for (size_t n = 1 + below(k, 4); n > 0; n--)
            srt_json_put_raw(&k->w, ANY(k, scalars));
        srt_json_close(&k->w, ']');
    }
    srt_json_close(&k->w, '}');
}

static void group_several(struct maker *k, int depth)
{
    static const char *const words[] = { "allOf", "anyOf", "oneOf", "oneOf" };

    list(k, ANY(k, words), depth, 1 + below(k, 3));
}

static void group_not(struct maker *k, int depth)
{
    srt_json_key(&k->w, "not");
    schema(k, depth - 1);
}

static void group_if(struct maker *k, int depth)
{
    static const char *const words[] = { "if", "then", "else" };

    for (size_t i = 0; i < SRT_COUNT(words); i++)
        if (i == 0 || !one_in(k, 3)) {
            srt_json_key(&k->w, words[i]);
            schema(k, depth - 1);
        }
}

/* To one of the pair; from inside of it to whichever the way led through. */
static void dynamic_ref(struct maker *k)
{
    static const char *const to[] = { "\"base\"", "\"extended\"", "\"#node\"" };
    const char *word = one_in(k, 2) ? "$dynamicRef" : "$ref";

    if (k->def < 0)
        put(k, "$ref", to[below(k, 2)]);
    else
        put(k, word, to[strcmp(word, "$ref") ? 2 : below(k, 3)]);
}

/* Outside of containers only to definitions further on: no circle without
 * anything between. */
static void group_ref(struct maker *k, int depth)
{
    const int first = k->within ? 0 : k->def + 1;
    char to[] = "\"#/definitions/d0\"";

    (void)depth;
    if (k->dynamic) {
        dynamic_ref(k);
        return;
    }
    if (!k->old)
        strcpy(to, "\"#/$defs/d0\"");
    to[strlen(to) - 2] =
        (char)('0' + first + (int)below(k, (size_t)(k->n_defs - first)));
    put(k, "$ref", to);
}

static void group_unevaluated(struct maker *k, int depth)
{
    srt_json_key(&k->w,
                 one_in(k, 2) ? "unevaluatedProperties" : "unevaluatedItems");
    if (one_in(k, 2))
        srt_json_put_raw(&k->w, "false");
    else
        inner(k, depth);
}

/* ---- a schema ------------------------------------------------------------ */

static const struct group {
    void (*write)(struct maker *k, int depth);
    int depth;      /* that it needs */
    unsigned clash; /* with groups of the same keywords */
} groups[] = {
    { group_type, 0, 0 },         { group_values, 0, 0 },
    { group_numbers, 0, 0 },      { group_strings, 0, 0 },
    { group_properties, 1, 0 },   { group_other_properties, 1, 0 },
    { group_pairs, 0, 0 },        { group_dependents, 1, 0 },
    { group_items, 1, 1u << 11 }, { group_counts, 0, 1u << 11 },
    { group_contains, 1, 0 },     { group_unique, 1, 1u << 8 | 1u << 9 },
    { group_several, 1, 0 },      { group_not, 1, 0 },
    { group_if, 1, 0 },           { group_ref, 0, 0 },
    { group_unevaluated, 1, 0 },
};

static bool may_write(const struct maker *k, int depth, size_t i)
{
    if (groups[i].write == group_unevaluated)
        return !k->old && depth >= 1;
    if (groups[i].write == group_ref)
        return k->dynamic ? k->def < 0 || k->within > 0
                          : (k->within ? 0 : k->def + 1) < k->n_defs;
    return depth >= groups[i].depth;
}

static void members(struct maker *k, int depth)
{
    unsigned taken = 0;

    for (size_t n = 1 + below(k, 3); n > 0; n--) {
        const size_t i = below(k, SRT_COUNT(groups));

        if (taken >> i & 1 || !may_write(k, depth, i))
            continue;
        groups[i].write(k, depth);
        taken |= 1u << i | groups[i].clash;
    }
}

static void schema(struct maker *k, int depth)
{
    if (depth < DEPTH && one_in(k, 10)) {
        srt_json_put_raw(&k->w, one_in(k, 3) ? "false" : "true");
        return;
    }
    srt_json_open(&k->w, '{');
    members(k, depth);
    srt_json_close(&k->w, '}');
}

/* ---- documents ----------------------------------------------------------- */

/* A pair that $dynamicRef leads to: "extended" is "base" and something more,
 * inside as well. */
static void dynamic_defs(struct maker *k)
{
    static const char *const ids[] = { "base", "extended" };

    for (k->def = 0; k->def < 2; k->def++) {
        srt_json_key(&k->w, ids[k->def]);
        srt_json_open(&k->w, '{');
        srt_json_key(&k->w, "$id");
        srt_json_put_string(&k->w, ids[k->def], strlen(ids[k->def]));
        put(k, "$dynamicAnchor", "\"node\"");
        if (k->def == 0)
            put(k, "items", "{\"$dynamicRef\":\"#node\"}");
        else
            put(k, "$ref", "\"base\"");
        srt_json_key(&k->w, "allOf");
        srt_json_open(&k->w, '[');
        schema(k, DEPTH - 1);
        srt_json_close(&k->w, ']');
        srt_json_close(&k->w, '}');
    }
}

static void defs(struct maker *k)
{
    for (k->def = 0; k->def < k->n_defs; k->def++) {
        const char name[] = { 'd', (char)('0' + k->def), '\0' };

        srt_json_key(&k->w, name);
        schema(k, DEPTH - 1);
    }
}

static char *head(struct maker *k)
{
    char *text;

    srt_json_write_growing(&k->w);
    srt_json_open(&k->w, '{');
    if (k->old)
        put(k, "$schema", "\"http://json-schema.org/draft-07/schema#\"");
    if (k->n_defs || k->dynamic) {
        srt_json_key(&k->w, k->old ? "definitions" : "$defs");
        srt_json_open(&k->w, '{');
        if (k->dynamic)
            dynamic_defs(k);
        else
            defs(k);
        srt_json_close(&k->w, '}');
    }
    srt_json_close(&k->w, '}');
    text = srt_json_write_end(&k->w);
    assert_non_null(text);
    text[strlen(text) - 1] = '\0'; /* its members alone */
    memmove(text, text + 1, strlen(text));
    return text;
}

void schema_make(struct schema_made *made, uint64_t seed)
{
    struct maker k = { .random = { seed } };

    k.old = one_in(&k, 6);
    k.dynamic = !k.old && one_in(&k, 6);
    k.n_defs = k.dynamic ? 0 : (int)below(&k, 3);
    made->head = head(&k);
    k.def = -1;
    srt_json_write_growing(&k.w);
    schema(&k, DEPTH);
    made->body = srt_json_write_end(&k.w);
    assert_non_null(made->body);
}

void schema_made_free(struct schema_made *made)
{
    free(made->head);
    free(made->body);
}

char *schema_document(const struct schema_made *made, const char *form)
{
    const bool own = !form && made->body[0] == '{';
    size_t room = strlen(made->head) + 4;
    char *text, *to;

    if (!form)
        form = "\"allOf\":[%]"; /* unless it is an object */
    for (const char *c = form; *c; c++)
        room += *c == '%' ? strlen(made->body) : 1;
    text = malloc(room);
    assert_non_null(text);
    to = text + sprintf(text, "{%s%s", made->head, made->head[0] ? "," : "");
    for (; !own && *form; form++) {
        if (*form == '%')
            to += sprintf(to, "%s", made->body);
        else
            *to++ = *form;
    }
    if (own)
        sprintf(to - (made->body[1] == '}' && made->head[0]), "%s",
                made->body + 1);
    else
        strcpy(to, "}");
    return text;
}
