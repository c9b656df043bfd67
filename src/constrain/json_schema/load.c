/*
 * load.c - JSON text to schema nodes
 *
 * Nodes are read in a queue: reading one makes nodes of the schemas it refers
 * to, which are read in turn.  What nothing refers to is never read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a JSON value by its address. */
struct load_place {
    uint32_t node, resource;
};

uint32_t srt_schema_add(struct srt_schema_table *t)
{
    if (t->n == t->room) {
        const uint32_t room = t->room ? 2 * t->room : 16;
        void *larger = realloc(t->item, room * t->size);

        if (!larger)
            return 0;
        t->item = larger;
        t->room = room;
    }
    memset((char *)t->item + t->n * t->size, 0, t->size);
    return ++t->n;
}

/* ---- errors -------------------------------------------------------------- */

sortes_status srt_loader_refuse(struct srt_loader *l, sortes_status status,
                                const struct srt_json *v, const char *problem)
{
    char where[SRT_SCHEMA_WHERE];

    srt_schema_where(l->s, v, where, sizeof(where));
    return srt_fail(l->err, status, srt_schema_offset(l->s, v),
                    "json_schema: %s: %s", where, problem);
}

sortes_status srt_loader_no_memory(struct srt_loader *l)
{
    return srt_fail(l->err, SORTES_E_NOMEM, 0, "json_schema: out of memory");
}

/* ---- parts --------------------------------------------------------------- */

void *srt_loader_take(struct srt_loader *l, size_t n, size_t size)
{
    return srt_pool_take(&l->s->memory, (n ? n : 1) * size);
}

const char *srt_loader_copy(struct srt_loader *l, const char *text, size_t n)
{
    char *copy = srt_loader_take(l, n + 1, 1);

    if (copy && n)
        memcpy(copy, text, n);
    return copy;
}

sortes_status srt_loader_name(struct srt_loader *l, const char *text, size_t n,
                              uint32_t *name)
{
    if (srt_pool_intern(&l->s->names, text, n, name, NULL) != SORTES_OK)
        return srt_loader_no_memory(l);
    return SORTES_OK;
}

sortes_status srt_loader_note(struct srt_loader *l, const struct srt_json *v,
                              const char *what)
{
    const uint32_t number = srt_schema_add(&l->s->notes);

    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->notes, struct srt_schema_note, number) =
        (struct srt_schema_note){ v, what };
    return SORTES_OK;
}

sortes_status srt_loader_rule(struct srt_loader *l,
                              enum srt_schema_rule_type type, uint32_t a,
                              uint32_t b, uint32_t c, const struct srt_json *v)
{
    struct srt_schema_node *node = srt_schema_node(l->s, l->node);

    if (node->n_rules == node->room) {
        const uint32_t room = node->room ? 2 * node->room : 4;
        struct srt_schema_rule *larger =
            srt_loader_take(l, room, sizeof(*node->rules));

        if (!larger)
            return srt_loader_no_memory(l);
        if (node->n_rules)
            memcpy(larger, node->rules, node->n_rules * sizeof(*larger));
        node->rules = larger;
        node->room = room;
    }
    node->rules[node->n_rules++] = (struct srt_schema_rule){ type, a, b, c, v };
    return SORTES_OK;
}

const struct srt_schema_resource *srt_loader_resource(struct srt_loader *l)
{
    const uint32_t r = srt_schema_node(l->s, l->node)->resource;

    return SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, r);
}

int srt_loader_draft(struct srt_loader *l, bool *unnamed)
{
    static const int years[] = { 2020, 4, 6, 7, 2019, 2020 };
    const enum srt_draft draft = srt_loader_resource(l)->draft;

    *unnamed = draft == SRT_DRAFT_BY_SCHEMA;
    return years[draft];
}

/* The text that a resource stands in. */
static const char *load_text(const struct srt_schema *s, uint32_t resource)
{
    const struct srt_schema_resource *r =
        SRT_SCHEMA_AT(s->resources, struct srt_schema_resource, resource);

    return SRT_SCHEMA_AT(s->documents, struct srt_schema_document, r->document)
        ->text;
}

/* Schemas with the same text in the same resource are one node. */
static sortes_status load_same_text(struct srt_loader *l,
                                    const struct srt_json *v, uint32_t *node)
{
    const uint32_t resource = srt_resolve_resource(l->s, v);
    const size_t n = sizeof(resource) + v->length;
    char few[256], *key = n <= sizeof(few) ? few : malloc(n);
    sortes_status status;
    uint32_t number, *known;

    if (!key)
        return srt_loader_no_memory(l);
    memcpy(key, &resource, sizeof(resource));
    memcpy(key + sizeof(resource), load_text(l->s, resource) + v->offset,
           v->length);
    status = srt_pool_intern(&l->by_text, key, n, &number, NULL);
    if (key != few)
        free(key);
    if (status != SORTES_OK)
        return srt_loader_no_memory(l);
    known = srt_pool_payload(&l->by_text, number);
    if (!*known) {
        *known = srt_schema_add(&l->s->nodes);
        if (!*known)
            return srt_loader_no_memory(l);
        srt_schema_node(l->s, *known)->json = v;
        srt_schema_node(l->s, *known)->resource = resource;
    }
    *node = *known;
    return SORTES_OK;
}

sortes_status srt_loader_node(struct srt_loader *l, const struct srt_json *v,
                              uint32_t *node)
{
    struct load_place *place;
    uint32_t number;

    *node = 0;
    if (v->type != SRT_JSON_OBJECT && v->type != SRT_JSON_TRUE &&
        v->type != SRT_JSON_FALSE)
        return srt_loader_refuse(l, SORTES_E_SYNTAX, v,
                                 "a schema is an object, true or false");
    if (srt_pool_intern(&l->s->by_json, &v, sizeof(v), &number, NULL) !=
        SORTES_OK)
        return srt_loader_no_memory(l);
    place = srt_pool_payload(&l->s->by_json, number);
    if (!place->node) {
        sortes_status status = load_same_text(l, v, &place->node);

        if (status != SORTES_OK)
            return status;
    }
    *node = place->node;
    return SORTES_OK;
}

/* ---- the queue ----------------------------------------------------------- */

sortes_status srt_loader_check_keys(struct srt_loader *l,
                                    const struct srt_json *v)
{
    l->n_stamps++;
    for (const struct srt_json *i = v->first; i; i = i->next) {
        uint64_t *stamp;
        uint32_t name;
        sortes_status status = srt_loader_name(l, i->key, i->n_key, &name);

        if (status != SORTES_OK)
            return status;
        stamp = srt_pool_payload(&l->s->names, name);
        if (*stamp == l->n_stamps)
            return srt_loader_refuse(l, SORTES_E_SYNTAX, i,
                                     "the key occurs twice");
        *stamp = l->n_stamps;
    }
    return SORTES_OK;
}

/* Up to draft 7 a $ref stands for the whole schema. */
static const struct srt_json *load_only_ref(struct srt_loader *l,
                                            const struct srt_json *v)
{
    const struct srt_json *ref = srt_json_find(v, "$ref");
    bool unnamed;

    return srt_loader_draft(l, &unnamed) <= 7 && ref &&
                   ref->type == SRT_JSON_STRING
               ? ref
               : NULL;
}

static sortes_status load_keyword(struct srt_loader *l,
                                  const struct srt_json *v)
{
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const struct srt_keyword *keyword;

    if (strlen(v->key) != v->n_key)
        return SORTES_OK;
    keyword = srt_keyword_find(v->key, draft, unnamed,
                               srt_loader_resource(l)->vocabularies);
    return keyword ? keyword->reader(l, v, keyword->rule) : SORTES_OK;
}

static sortes_status load_read_node(struct srt_loader *l, uint32_t node)
{
    const struct srt_json *v = srt_schema_node(l->s, node)->json;
    const struct srt_json *only;
    sortes_status status;

    l->node = node;
    if (srt_schema_node(l->s, node)->read)
        return SORTES_OK;
    srt_schema_node(l->s, node)->read = true;
    if (v->type == SRT_JSON_FALSE)
        return srt_loader_rule(l, SRT_RULE_NEVER, 0, 0, 0, v);
    if (v->type == SRT_JSON_TRUE)
        return SORTES_OK;
    status = srt_loader_check_keys(l, v);
    only = load_only_ref(l, v);
    if (status != SORTES_OK || only)
        return status == SORTES_OK ? load_keyword(l, only) : status;
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        status = load_keyword(l, i);
    return status;
}

/* ---- names --------------------------------------------------------------- */

/* What applies to the same string as node does, and its patterns. */
static void load_mark_names(struct srt_schema *s, uint32_t node);

static void load_mark_rule(struct srt_schema *s,
                           const struct srt_schema_rule *r)
{
    const struct srt_schema_list *list;

    switch (r->type) {
    case SRT_RULE_PATTERN:
        SRT_SCHEMA_AT(s->patterns, struct srt_schema_pattern, r->a)->of_name =
            true;
        break;
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        list = SRT_SCHEMA_AT(s->lists, struct srt_schema_list, r->a);
        for (uint32_t i = 0; i < list->n; i++)
            load_mark_names(s, list->node[i]);
        break;
    case SRT_RULE_IF:
        if (r->b)
            load_mark_names(s, r->b);
        if (r->c)
            load_mark_names(s, r->c);
        load_mark_names(s, r->a);
        break;
    case SRT_RULE_NOT:
    case SRT_RULE_REF:
        load_mark_names(s, r->a);
        break;
    default:
        break;
    }
}

static void load_mark_names(struct srt_schema *s, uint32_t node)
{
    struct srt_schema_node *n = srt_schema_node(s, node);

    if (n->of_name)
        return;
    n->of_name = true;
    for (uint32_t i = 0; i < n->n_rules; i++)
        load_mark_rule(s, &n->rules[i]);
}

/* ---- cycles -------------------------------------------------------------- */

/* Whether a dynamic reference means what it says, as there is one anchor. */
static bool load_is_static(const struct srt_schema *s,
                           const struct srt_schema_rule *r)
{
    size_t n, found = 0;
    const char *name = srt_schema_name(s, r->b, &n);

    for (uint32_t i = 1; i <= s->anchors.n; i++) {
        const struct srt_schema_anchor *a =
            SRT_SCHEMA_AT(s->anchors, struct srt_schema_anchor, i);

        found += a->dynamic && a->n == n && memcmp(a->name, name, n) == 0;
    }
    return found == 1;
}

enum { LOAD_IN_PLACE = 1000 }; /* schemas that apply to one value in a chain */

static sortes_status load_too_long(struct srt_loader *l,
                                   const struct srt_json *v)
{
    return srt_loader_refuse(l, SORTES_E_LIMIT, v,
                             "more than 1000 schemas in a chain");
}

static sortes_status load_cycle(struct srt_loader *l, uint32_t node,
                                uint32_t depth);

static sortes_status load_cycle_rule(struct srt_loader *l,
                                     const struct srt_schema_rule *r,
                                     uint32_t depth)
{
    const struct srt_schema_list *list;
    sortes_status status = SORTES_OK;

    switch (r->type) {
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        list = SRT_SCHEMA_AT(l->s->lists, struct srt_schema_list, r->a);
        for (uint32_t i = 0; i < list->n && status == SORTES_OK; i++)
            status = load_cycle(l, list->node[i], depth);
        return status;
    case SRT_RULE_IF:
        status = load_cycle(l, r->a, depth);
        if (status == SORTES_OK && r->b)
            status = load_cycle(l, r->b, depth);
        if (status == SORTES_OK && r->c)
            status = load_cycle(l, r->c, depth);
        return status;
    case SRT_RULE_NOT:
    case SRT_RULE_REF:
        return load_cycle(l, r->a, depth);
    case SRT_RULE_DYNAMIC:
        return load_is_static(l->s, r) ? load_cycle(l, r->a, depth) : SORTES_OK;
    case SRT_RULE_IF_HAS:
        return load_cycle(l, r->b, depth);
    default:
        return SORTES_OK;
    }
}

/* A schema that applies to a value whatever is read of it, itself included,
 * means nothing. */
static sortes_status load_cycle(struct srt_loader *l, uint32_t node,
                                uint32_t depth)
{
    struct srt_schema_node *n = srt_schema_node(l->s, node);
    sortes_status status = SORTES_OK;

    const uint32_t outer = l->height;

    if (n->progress == 2) {
        l->height = n->height > outer ? n->height : outer;
        return SORTES_OK;
    }
    if (n->progress == 1)
        return srt_loader_refuse(l, SORTES_E_SYNTAX, n->json,
                                 "the schema refers to itself without "
                                 "anything in between");
    if (depth > LOAD_IN_PLACE)
        return load_too_long(l, n->json);
    l->height = 0;
    n->progress = 1;
    for (uint32_t i = 0; i < n->n_rules && status == SORTES_OK; i++)
        status = load_cycle_rule(l, &n->rules[i], depth + 1);
    n->progress = 2;
    n->height = l->height + 1;
    l->height = n->height > outer ? n->height : outer;
    if (status == SORTES_OK && n->height > LOAD_IN_PLACE)
        return load_too_long(l, n->json);
    return status;
}

static sortes_status load_cycles(struct srt_loader *l)
{
    sortes_status status = SORTES_OK;

    for (uint32_t i = 1; i <= l->s->nodes.n && status == SORTES_OK; i++)
        status = load_cycle(l, i, 0);
    return status;
}

/* ---- names, again -------------------------------------------------------- */

/* A dynamic reference may lead anywhere: every pattern may be a key's. */
static void load_mark(struct srt_schema *s)
{
    for (uint32_t i = 1; i <= s->nodes.n; i++) {
        const struct srt_schema_node *n = srt_schema_node(s, i);

        for (uint32_t r = 0; r < n->n_rules; r++)
            if (n->rules[r].type == SRT_RULE_NAMES)
                load_mark_names(s, n->rules[r].a);
    }
    for (uint32_t i = 1; s->has_dynamic && i <= s->patterns.n; i++)
        SRT_SCHEMA_AT(s->patterns, struct srt_schema_pattern, i)->of_name =
            true;
}

/* ---- the whole ----------------------------------------------------------- */

static sortes_status load_never(struct srt_loader *l)
{
    struct srt_schema *s = l->s;

    s->never = srt_schema_add(&s->nodes);
    if (!s->never)
        return srt_loader_no_memory(l);
    l->node = s->never;
    srt_schema_node(s, s->never)->read = true;
    srt_schema_node(s, s->never)->resource = 1;
    return srt_loader_rule(l, SRT_RULE_NEVER, 0, 0, 0, NULL);
}

/* Reading a node may bring nodes, and documents with anchors in them. */
static sortes_status load_queue(struct srt_loader *l)
{
    struct srt_schema *s = l->s;
    uint32_t node = 0, anchor = 0;
    sortes_status status = SORTES_OK;

    while (status == SORTES_OK) {
        if (anchor < s->anchors.n) {
            struct srt_schema_anchor *a =
                SRT_SCHEMA_AT(s->anchors, struct srt_schema_anchor, ++anchor);

            if (a->dynamic)
                status = srt_loader_node(l, a->json, &a->node);
        } else if (node < s->nodes.n) {
            status = load_read_node(l, ++node);
        } else {
            break;
        }
    }
    return status;
}

static sortes_status load_all(struct srt_loader *l)
{
    struct srt_schema *s = l->s;
    sortes_status status = srt_resolve_index(l, 1);

    if (status == SORTES_OK)
        status = load_never(l);
    if (status == SORTES_OK)
        status = srt_loader_node(
            l,
            SRT_SCHEMA_AT(s->documents, struct srt_schema_document, 1)
                ->json.root,
            &s->root);
    if (status == SORTES_OK)
        status = load_queue(l);
    if (status == SORTES_OK)
        status = load_cycles(l);
    if (status == SORTES_OK)
        status = srt_loader_unique(l);
    if (status != SORTES_OK)
        return status;
    load_mark(s);
    return srt_loader_patterns(l);
}

static void load_table(struct srt_schema_table *t, size_t size)
{
    memset(t, 0, sizeof(*t));
    t->size = size;
}

sortes_status srt_schema_read(struct srt_schema *s, const char *text, size_t n,
                              const struct srt_options *options,
                              sortes_error *err)
{
    struct srt_loader l = { .s = s, .err = err };
    const size_t bytes = options->max_state_bytes;
    sortes_status status;

    memset(s, 0, sizeof(*s));
    s->options = *options;
    srt_pool_init(&s->memory, 0, 0, bytes);
    srt_pool_init(&s->names, sizeof(uint64_t), SRT_POOL_MAX, bytes);
    srt_pool_init(&s->by_json, sizeof(struct load_place), SRT_POOL_MAX, bytes);
    srt_pool_init(&s->decimals, 0, SRT_POOL_MAX, bytes);
    load_table(&s->nodes, sizeof(struct srt_schema_node));
    load_table(&s->props, sizeof(struct srt_schema_props));
    load_table(&s->items, sizeof(struct srt_schema_items));
    load_table(&s->lists, sizeof(struct srt_schema_list));
    load_table(&s->enums, sizeof(struct srt_schema_enum));
    load_table(&s->patterns, sizeof(struct srt_schema_pattern));
    load_table(&s->resources, sizeof(struct srt_schema_resource));
    load_table(&s->documents, sizeof(struct srt_schema_document));
    load_table(&s->anchors, sizeof(struct srt_schema_anchor));
    load_table(&s->notes, sizeof(struct srt_schema_note));
    srt_pool_init(&l.by_text, sizeof(uint64_t), SRT_POOL_MAX, bytes);
    status = srt_document_read(&l, text, n, err);
    if (status == SORTES_OK)
        status = load_all(&l);
    srt_pool_clear(&l.by_text);
    if (status != SORTES_OK)
        srt_schema_free(s);
    return status;
}

void srt_schema_free(struct srt_schema *s)
{
    struct srt_schema_table *tables[] = {
        &s->nodes,    &s->props,     &s->items,     &s->lists,   &s->enums,
        &s->patterns, &s->resources, &s->documents, &s->anchors, &s->notes
    };

    for (uint32_t i = 1; i <= s->documents.n; i++)
        srt_json_free(
            &SRT_SCHEMA_AT(s->documents, struct srt_schema_document, i)->json);
    for (size_t i = 0; i < SRT_COUNT(tables); i++) {
        free(tables[i]->item);
        tables[i]->item = NULL;
    }
    srt_pool_clear(&s->memory);
    srt_pool_clear(&s->names);
    srt_pool_clear(&s->by_json);
    srt_pool_clear(&s->decimals);
}
