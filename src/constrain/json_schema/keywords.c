/*
 * keywords.c - what each keyword says, as rules
 *
 * Table: keywords.def.  Keywords that work together (properties and its two
 * companions, items and its own, if) are read by whichever comes first in the
 * text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

#include <string.h>

sortes_status srt_keyword_wants(struct srt_loader *l, const struct srt_json *v,
                                const char *problem)
{
    return srt_loader_refuse(l, SORTES_E_SYNTAX, v, problem);
}

const struct srt_json *srt_keyword_beside(const struct srt_json *v,
                                          const char *key)
{
    return srt_json_find(v->parent, key);
}

bool srt_keyword_has_rule(struct srt_loader *l, enum srt_schema_rule_type type)
{
    const struct srt_schema_node *node = srt_schema_node(l->s, l->node);

    for (uint32_t i = 0; i < node->n_rules; i++)
        if (node->rules[i].type == type)
            return true;
    return false;
}

/* ---- any kind ----------------------------------------------------------- */

bool srt_keyword_is(const struct srt_json *v, const char *word)
{
    return v->type == SRT_JSON_STRING && srt_json_equals(v->text, v->n, word);
}

/* Bits of kinds; *integer: whole numbers alone. */
static bool keyword_one_type(const struct srt_json *v, uint32_t *kinds,
                             bool *integer)
{
    static const struct {
        const char *name;
        uint32_t kinds;
    } types[] = { { "null", 1u << SRT_KIND_NULL },
                  { "boolean", 1u << SRT_KIND_FALSE | 1u << SRT_KIND_TRUE },
                  { "number", 1u << SRT_KIND_NUMBER },
                  { "string", 1u << SRT_KIND_STRING },
                  { "array", 1u << SRT_KIND_ARRAY },
                  { "object", 1u << SRT_KIND_OBJECT },
                  { "any", (1u << SRT_KINDS) - 1 } };

    if (srt_keyword_is(v, "integer")) {
        *integer = !(*kinds & 1u << SRT_KIND_NUMBER) || *integer;
        *kinds |= 1u << SRT_KIND_NUMBER;
        return true;
    }
    for (size_t i = 0; i < SRT_COUNT(types); i++)
        if (srt_keyword_is(v, types[i].name)) {
            *kinds |= types[i].kinds;
            if (types[i].kinds & 1u << SRT_KIND_NUMBER)
                *integer = false;
            return true;
        }
    return false;
}

sortes_status srt_keyword_type(struct srt_loader *l, const struct srt_json *v,
                               enum srt_schema_rule_type rule)
{
    uint32_t kinds = 0;
    bool integer = false, number = false, unnamed, ok = true;
    sortes_status status;

    if (v->type == SRT_JSON_ARRAY) {
        for (const struct srt_json *i = v->first; i && ok; i = i->next) {
            number |= srt_keyword_is(i, "number") || srt_keyword_is(i, "any");
            ok = keyword_one_type(i, &kinds, &integer);
        }
    } else {
        ok = keyword_one_type(v, &kinds, &integer);
    }
    if (!ok)
        return srt_keyword_wants(l, v,
                                 "a type is null, boolean, number, integer, "
                                 "string, array or object");
    status = srt_loader_rule(l, rule, kinds, 0, 0, v);
    if (status == SORTES_OK && integer && !number)
        status = srt_loader_rule(l, SRT_RULE_INTEGER,
                                 srt_loader_draft(l, &unnamed) == 4, 0, 0, v);
    return status;
}

/* JSON's own depth bounds the recursion. */
static sortes_status keyword_check_value(struct srt_loader *l,
                                         const struct srt_json *v)
{
    sortes_status status = SORTES_OK;

    if (v->type == SRT_JSON_OBJECT)
        status = srt_loader_check_keys(l, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        if (i->first)
            status = keyword_check_value(l, i);
    return status;
}

sortes_status srt_keyword_enum(struct srt_loader *l, const struct srt_json *v,
                               enum srt_schema_rule_type rule)
{
    sortes_status status;

    (void)rule;
    if (v->type != SRT_JSON_ARRAY)
        return srt_keyword_wants(l, v, "enum is an array");
    status = keyword_check_value(l, v);
    return status == SORTES_OK ? srt_loader_enum(l, v, true) : status;
}

sortes_status srt_keyword_const(struct srt_loader *l, const struct srt_json *v,
                                enum srt_schema_rule_type rule)
{
    const sortes_status status = keyword_check_value(l, v);

    (void)rule;
    return status == SORTES_OK ? srt_loader_enum(l, v, false) : status;
}

/* ---- the table ---------------------------------------------------------- */

const struct srt_keyword *srt_keyword_find(const char *name, int draft,
                                           bool unnamed, uint32_t vocabularies)
{
    static const struct srt_keyword keywords[] = {
#define SRT_KEYWORD(name, first, last, vocabulary, reader, rule)               \
    { name, first, last, SRT_VOCABULARY_##vocabulary, reader, SRT_RULE_##rule },
#include "constrain/json_schema/keywords.def"
#undef SRT_KEYWORD
    };

    for (size_t i = 0; i < SRT_COUNT(keywords); i++)
        if (strcmp(keywords[i].name, name) == 0)
            return ((vocabularies & keywords[i].vocabulary) &&
                    draft >= keywords[i].first &&
                    (draft <= keywords[i].last ||
                     (unnamed && keywords[i].last >= 7 &&
                      keywords[i].reader != srt_keyword_recursive_ref)))
                       ? &keywords[i]
                       : NULL;
    return NULL;
}
