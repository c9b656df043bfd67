/*
 * examine_schema.c - what in a JSON Schema is seldom meant
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/examine.h"
#include "json/number.h"

#include <string.h>

static void examine_doubt(const struct srt_examine *x, const struct srt_json *v,
                          const char *what)
{
    srt_examine_tell(
        x, v, (sortes_finding){ .type = SORTES_FINDING_DOUBT, .what = what });
}

enum examine_holds {
    HOLDS_OTHER,
    HOLDS_SCHEMA,  /* or an array of them, in items */
    HOLDS_SCHEMAS, /* an array */
    HOLDS_NAMED    /* an object */
};

static const struct {
    const char *keyword;
    enum examine_holds holds;
} examine_keywords[] = {
    { "$anchor", HOLDS_OTHER },
    { "$comment", HOLDS_OTHER },
    { "$defs", HOLDS_NAMED },
    { "$dynamicAnchor", HOLDS_OTHER },
    { "$dynamicRef", HOLDS_OTHER },
    { "$id", HOLDS_OTHER },
    { "$recursiveAnchor", HOLDS_OTHER },
    { "$recursiveRef", HOLDS_OTHER },
    { "$ref", HOLDS_OTHER },
    { "$schema", HOLDS_OTHER },
    { "$vocabulary", HOLDS_OTHER },
    { "additionalItems", HOLDS_SCHEMA },
    { "additionalProperties", HOLDS_SCHEMA },
    { "allOf", HOLDS_SCHEMAS },
    { "anyOf", HOLDS_SCHEMAS },
    { "const", HOLDS_OTHER },
    { "contains", HOLDS_SCHEMA },
    { "contentEncoding", HOLDS_OTHER },
    { "contentMediaType", HOLDS_OTHER },
    { "contentSchema", HOLDS_OTHER },
    { "default", HOLDS_OTHER },
    { "definitions", HOLDS_NAMED },
    { "dependencies", HOLDS_OTHER },
    { "dependentRequired", HOLDS_OTHER },
    { "dependentSchemas", HOLDS_NAMED },
    { "deprecated", HOLDS_OTHER },
    { "description", HOLDS_OTHER },
    { "else", HOLDS_SCHEMA },
    { "enum", HOLDS_OTHER },
    { "example", HOLDS_OTHER },
    { "examples", HOLDS_OTHER },
    { "exclusiveMaximum", HOLDS_OTHER },
    { "exclusiveMinimum", HOLDS_OTHER },
    { "format", HOLDS_OTHER },
    { "id", HOLDS_OTHER },
    { "if", HOLDS_SCHEMA },
    { "items", HOLDS_SCHEMA },
    { "maxContains", HOLDS_OTHER },
    { "maxItems", HOLDS_OTHER },
    { "maxLength", HOLDS_OTHER },
    { "maxProperties", HOLDS_OTHER },
    { "maximum", HOLDS_OTHER },
    { "minContains", HOLDS_OTHER },
    { "minItems", HOLDS_OTHER },
    { "minLength", HOLDS_OTHER },
    { "minProperties", HOLDS_OTHER },
    { "minimum", HOLDS_OTHER },
    { "multipleOf", HOLDS_OTHER },
    { "not", HOLDS_SCHEMA },
    { "oneOf", HOLDS_SCHEMAS },
    { "pattern", HOLDS_OTHER },
    { "patternProperties", HOLDS_NAMED },
    { "prefixItems", HOLDS_SCHEMAS },
    { "properties", HOLDS_NAMED },
    { "propertyNames", HOLDS_SCHEMA },
    { "readOnly", HOLDS_OTHER },
    { "required", HOLDS_OTHER },
    { "then", HOLDS_SCHEMA },
    { "title", HOLDS_OTHER },
    { "type", HOLDS_OTHER },
    { "unevaluatedItems", HOLDS_SCHEMA },
    { "unevaluatedProperties", HOLDS_SCHEMA },
    { "uniqueItems", HOLDS_OTHER },
    { "writeOnly", HOLDS_OTHER },
};

static const struct srt_json *examine_named(const struct srt_json *list,
                                            const struct srt_json *name)
{
    const struct srt_json *found = NULL;

    for (const struct srt_json *v = list ? list->first : NULL; v; v = v->next)
        if (list->type == SRT_JSON_OBJECT && v->n_key == name->n &&
            memcmp(v->key, name->text, name->n) == 0)
            found = v;
    return found;
}

static bool examine_closed(const struct srt_json *schema)
{
    const struct srt_json *more = srt_json_find(schema, "additionalProperties");

    return more && more->type == SRT_JSON_FALSE &&
           !srt_json_find(schema, "patternProperties");
}

static void examine_required(const struct srt_examine *x,
                             const struct srt_json *schema)
{
    const struct srt_json *properties = srt_json_find(schema, "properties");
    const struct srt_json *list = srt_json_find(schema, "required");

    if (!list || list->type != SRT_JSON_ARRAY)
        return;
    for (const struct srt_json *name = list->first; name; name = name->next) {
        const struct srt_json *p;

        if (name->type != SRT_JSON_STRING)
            continue;
        p = examine_named(properties, name);
        if (p ? p->type == SRT_JSON_FALSE : examine_closed(schema))
            examine_doubt(x, name, "this key is required, but it cannot occur");
        else if (!p && properties)
            examine_doubt(x, name,
                          "this key is required, but no property has its name");
    }
}

/* Names that may be left out, in an object that is open: what is written under
 * a name that was mistyped is anything. */
static void examine_open(const struct srt_examine *x,
                         const struct srt_json *schema)
{
    const struct srt_json *properties = srt_json_find(schema, "properties");
    const struct srt_json *required = srt_json_find(schema, "required");
    const struct srt_json *more = srt_json_find(schema, "additionalProperties");

    if (!properties || properties->type != SRT_JSON_OBJECT || more ||
        srt_json_find(schema, "unevaluatedProperties") ||
        properties->n <= (required ? required->n : 0))
        return;
    examine_doubt(x, properties,
                  "some names are optional and the object is open: other names "
                  "may come in their place (additionalProperties: false closes "
                  "it)");
}

/* Whether a "|" stands in no group and no class. */
static bool examine_splits(const char *text, size_t n)
{
    size_t depth = 0;
    bool in_class = false;

    for (size_t i = 0; i < n; i++)
        if (text[i] == '\\')
            i++;
        else if (in_class || text[i] == '[')
            in_class = text[i] != ']';
        else if (text[i] == '(')
            depth++;
        else if (text[i] == ')')
            depth -= depth > 0;
        else if (text[i] == '|' && depth == 0)
            return true;
    return false;
}

static void examine_pattern(const struct srt_examine *x,
                            const struct srt_json *pattern)
{
    if (!pattern || pattern->type != SRT_JSON_STRING || pattern->n == 0)
        return;
    if (pattern->text[0] != '^' || pattern->text[pattern->n - 1] != '$')
        examine_doubt(x, pattern,
                      "the pattern may match anywhere in the string: ^ and $ "
                      "would hold it to the whole");
    else if (examine_splits(pattern->text, pattern->n))
        examine_doubt(x, pattern,
                      "^ and $ hold only to the outermost alternatives: "
                      "^(...|...)$ would hold all of them to the whole");
}

/* Bounds that nothing is between. */
static void examine_bounds(const struct srt_examine *x,
                           const struct srt_json *schema)
{
    static const char *const bounds[][3] = {
        { "minLength", "maxLength", "minLength is above maxLength" },
        { "minItems", "maxItems", "minItems is above maxItems" },
        { "minProperties", "maxProperties",
          "minProperties is above maxProperties" },
        { "minContains", "maxContains", "minContains is above maxContains" },
        { "minimum", "maximum", "minimum is above maximum" },
    };

    for (size_t i = 0; i < SRT_COUNT(bounds); i++) {
        const struct srt_json *low = srt_json_find(schema, bounds[i][0]);
        const struct srt_json *high = srt_json_find(schema, bounds[i][1]);

        if (low && high && low->type == SRT_JSON_NUMBER &&
            high->type == SRT_JSON_NUMBER &&
            srt_decimal_to_double(low->text, low->n) >
                srt_decimal_to_double(high->text, high->n))
            examine_doubt(x, low, bounds[i][2]);
    }
}

static void examine_branches(const struct srt_examine *x,
                             const struct srt_json *list, bool one)
{
    for (const struct srt_json *v = list ? list->first : NULL; v; v = v->next)
        if (v->type == SRT_JSON_FALSE)
            examine_doubt(x, v, "nothing satisfies this branch");
        else if (v->type == SRT_JSON_TRUE ||
                 (v->type == SRT_JSON_OBJECT && !v->first))
            examine_doubt(x, v,
                          one ? "anything satisfies this branch, so no other "
                                "one may hold"
                              : "anything satisfies this branch, so the others "
                                "say nothing");
}

static void examine_each(const struct srt_examine *x,
                         const struct srt_json *list)
{
    for (const struct srt_json *v = list->first; v; v = v->next)
        srt_examine_schema(x, v);
}

static void examine_keyword(const struct srt_examine *x,
                            const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(examine_keywords); i++) {
        const enum examine_holds holds = examine_keywords[i].holds;

        if (!srt_json_equals(v->key, v->n_key, examine_keywords[i].keyword))
            continue;
        if (holds == HOLDS_SCHEMA && v->type == SRT_JSON_OBJECT)
            srt_examine_schema(x, v);
        else if (holds == HOLDS_NAMED
                     ? v->type == SRT_JSON_OBJECT
                     : holds != HOLDS_OTHER && v->type == SRT_JSON_ARRAY)
            examine_each(x, v);
        return;
    }
    if (!(v->n_key > 2 && memcmp(v->key, "x-", 2) == 0))
        examine_doubt(x, v, "JSON Schema knows no such keyword");
}

void srt_examine_schema(const struct srt_examine *x,
                        const struct srt_json *schema)
{
    if (schema->type != SRT_JSON_OBJECT)
        return;
    examine_required(x, schema);
    examine_open(x, schema);
    examine_pattern(x, srt_json_find(schema, "pattern"));
    examine_bounds(x, schema);
    examine_branches(x, srt_json_find(schema, "anyOf"), false);
    examine_branches(x, srt_json_find(schema, "oneOf"), true);
    for (const struct srt_json *v = schema->first; v; v = v->next)
        examine_keyword(x, v);
}
