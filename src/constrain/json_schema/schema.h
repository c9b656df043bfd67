/*
 * schema.h - a JSON Schema as it was read: nodes, and the rules of each
 *
 * A node is a schema: a value satisfies it if all of its rules hold.  Rules say
 * what keywords say, in fewer words; references are numbers of nodes.
 * Everything lives as long as the program.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SCHEMA_H
#define SRT_SCHEMA_H

#include "constrain/json_schema/decimal.h"
#include "constrain/options.h"
#include "constrain/pool.h"
#include "json/json.h"

/* Kinds of values, as far as the first byte tells them apart. */
enum srt_kind {
    SRT_KIND_NULL,
    SRT_KIND_FALSE,
    SRT_KIND_TRUE,
    SRT_KIND_NUMBER,
    SRT_KIND_STRING,
    SRT_KIND_ARRAY,
    SRT_KIND_OBJECT,
    SRT_KINDS
};

enum srt_schema_rule_type {
    SRT_RULE_NEVER,    /* the schema false */
    SRT_RULE_KINDS,    /* a: bits of kinds */
    SRT_RULE_INTEGER,  /* numbers are whole; a: in their spelling (draft 4) */
    SRT_RULE_MEMBER,   /* a: enum; as far as scalars go, else see ANY */
    SRT_RULE_MINIMUM,  /* a: decimal; b: exclusive */
    SRT_RULE_MAXIMUM,  /* the same */
    SRT_RULE_MULTIPLE, /* a: decimal */
    SRT_RULE_LENGTH,   /* a: at least, b: at most code points */
    SRT_RULE_PATTERN,  /* a: pattern */
    SRT_RULE_HAS,      /* a: name; b: only if this name is there, or 0 */
    SRT_RULE_IF_HAS,   /* a: name; b: node */
    SRT_RULE_PAIRS,    /* a: at least, b: at most properties */
    SRT_RULE_PROPS,    /* a: props */
    SRT_RULE_NAMES,    /* a: node that every key satisfies */
    SRT_RULE_COUNT,    /* a: at least, b: at most items */
    SRT_RULE_ITEMS,    /* a: items */
    SRT_RULE_CONTAINS, /* a: node; b: at least, c: at most */
    SRT_RULE_UNIQUE,   /* a: list of the values there are; 0: a trail's */
    SRT_RULE_ALL,      /* a: list of nodes */
    SRT_RULE_ANY,
    SRT_RULE_ONE,
    SRT_RULE_NOT,     /* a: node */
    SRT_RULE_IF,      /* a: node; b, c: node or 0 */
    SRT_RULE_REF,     /* a: node */
    SRT_RULE_DYNAMIC, /* a: node it means statically; b: anchor's name */
    SRT_RULE_UNEVALUATED_PROPS, /* a: node */
    SRT_RULE_UNEVALUATED_ITEMS  /* a: node */
};

struct srt_schema_rule {
    enum srt_schema_rule_type type;
    uint32_t a, b, c;
    const struct srt_json *json; /* the keyword's value */
};

struct srt_schema_node {
    const struct srt_json *json; /* NULL: made by us */
    struct srt_schema_rule *rules;
    uint32_t n_rules, room;
    uint32_t resource; /* base URI and draft */
    bool read;
    bool constant;    /* an enum's structure: evaluates nothing */
    bool of_name;     /* a key may have to satisfy it */
    uint8_t progress; /* of the search for cycles */
    uint32_t height;  /* schemas that apply in place, one inside another */
};

/* Applies to the value of a key: properties, patternProperties and
 * additionalProperties of one schema. */
struct srt_schema_pair {
    uint32_t what; /* name; pattern */
    uint32_t node;
};
struct srt_schema_props {
    struct srt_schema_pair *named, *matched;
    uint32_t n_named, n_matched;
    uint32_t rest; /* node; 0: anything */
    bool has_rest;
};

struct srt_schema_items {
    uint32_t *prefix;
    uint32_t n_prefix;
    uint32_t rest; /* node; 0: anything */
    bool has_rest;
};

struct srt_schema_list {
    uint32_t *node;
    uint32_t n;
};

/* Scalars of an enum, by kind; structures become nodes. */
struct srt_schema_enum {
    uint32_t kinds;    /* bits: null, false, true */
    uint32_t *strings; /* names, ascending */
    uint32_t *numbers; /* decimals, ascending */
    uint32_t n_strings, n_numbers;
};

/* A pattern, or a format by its pattern. */
struct srt_schema_pattern {
    const char *text;
    size_t n;
    bool search; /* anywhere in the string */
    bool of_value, of_name;
    const struct srt_json *json;
};

/* Bits of what a dialect's keywords may say; the core is in every one. */
enum srt_vocabulary {
    SRT_VOCABULARY_CORE = 1,
    SRT_VOCABULARY_APPLICATOR = 2,
    SRT_VOCABULARY_UNEVALUATED = 4,
    SRT_VOCABULARY_VALIDATION = 8,
    SRT_VOCABULARY_FORMAT = 16,
    SRT_VOCABULARY_ALL = 31
};

struct srt_schema_resource {
    const char *uri; /* without a fragment */
    size_t n;
    enum srt_draft draft;
    uint32_t vocabularies;
    const struct srt_json *root;
    uint32_t document;
};

/* The schema's text is the first one; the others were supplied. */
struct srt_schema_document {
    const char *uri; /* it was asked for by; "" the first */
    size_t n;
    const char *text; /* while the schema is read */
    struct srt_json_document json;
    uint32_t resource; /* of its root; 0: not looked into as a schema */
};

/* A growing array; items are numbered from 1. */
struct srt_schema_table {
    void *item;
    uint32_t n, room;
    size_t size;
};

struct srt_schema {
    struct srt_options options;
    struct srt_pool memory; /* what nodes point to */
    struct srt_pool names;  /* decoded strings: keys and enum's */
    struct srt_pool by_json;
    struct srt_pool decimals; /* struct srt_decimal, as far as its digits go */
    struct srt_schema_table nodes, props, items, lists, enums;
    struct srt_schema_table patterns, resources, documents, anchors, notes;
    uint32_t root, never;
    bool has_dynamic;
};

/* Something that was ignored or read in another way, for the report. */
struct srt_schema_note {
    const struct srt_json *json;
    const char *what; /* static */
};

sortes_status srt_schema_read(struct srt_schema *s, const char *text, size_t n,
                              const struct srt_options *options,
                              sortes_error *err);
void srt_schema_free(struct srt_schema *s);

enum { SRT_SCHEMA_WHERE = 160 };

/* Where a value stands, for messages: "#/pointer", behind the URI of a document
 * that was supplied. */
void srt_schema_where(const struct srt_schema *s, const struct srt_json *v,
                      char *out, size_t size);
/* Its byte in the schema's own text, or 0. */
size_t srt_schema_offset(const struct srt_schema *s, const struct srt_json *v);

/* ---- inside -------------------------------------------------------------- */

#define SRT_SCHEMA_AT(table, type, number) (&((type *)(table).item)[(number)-1])

SRT_INLINE struct srt_schema_node *srt_schema_node(const struct srt_schema *s,
                                                   uint32_t number)
{
    return SRT_SCHEMA_AT(s->nodes, struct srt_schema_node, number);
}

SRT_INLINE const char *srt_schema_name(const struct srt_schema *s,
                                       uint32_t name, size_t *n)
{
    return srt_pool_key(&s->names, name, n);
}

/* Never to be copied as a struct: there is no more of it than its digits. */
SRT_INLINE const struct srt_decimal *
srt_schema_decimal(const struct srt_schema *s, uint32_t number)
{
    return srt_pool_key(&s->decimals, number, NULL);
}

/* Zeroed; 0: no memory. */
uint32_t srt_schema_add(struct srt_schema_table *t);

#endif /* SRT_SCHEMA_H */
