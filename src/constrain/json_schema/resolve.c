/*
 * resolve.c - $id, anchors, and what a $ref means
 *
 * Source: RFC 6901 for pointers; uri.c for URIs, documents.c for other
 * documents.  Identifiers are looked for where schemas stand and nowhere else:
 * an "$id" inside an enum is a value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"
#include "constrain/json_schema/uri.h"

#include <string.h>

/* ---- the index ----------------------------------------------------------- */

static struct srt_schema_resource *resolve_at(const struct srt_schema *s,
                                              uint32_t resource)
{
    return SRT_SCHEMA_AT(s->resources, struct srt_schema_resource, resource);
}

/* ref, seen from a resource, in memory of the schema; NULL: no memory. */
static const char *resolve_uri(struct srt_loader *l,
                               const struct srt_schema_resource *base,
                               const char *ref, size_t n_ref, size_t *n)
{
    char *out = srt_loader_take(l, base->n + n_ref + SRT_URI_MORE, 1);

    if (out)
        *n = srt_uri_resolve(out, base->uri, base->n, ref, n_ref);
    return out;
}

static uint32_t *resolve_place(struct srt_schema *s, const struct srt_json *v)
{
    uint32_t number;

    if (srt_pool_intern(&s->by_json, &v, sizeof(v), &number, NULL) != SORTES_OK)
        return NULL;
    return (uint32_t *)srt_pool_payload(&s->by_json, number) + 1;
}

uint32_t srt_resolve_resource(struct srt_schema *s, const struct srt_json *v)
{
    for (; v; v = v->parent) {
        const uint32_t *resource = resolve_place(s, v);

        if (resource && *resource)
            return *resource;
    }
    return 1;
}

static bool resolve_starts(const struct srt_json *v, const char *with)
{
    return v->n >= strlen(with) && memcmp(v->text, with, strlen(with)) == 0;
}

static sortes_status resolve_add_anchor(struct srt_loader *l,
                                        const struct srt_json *json,
                                        const char *name, size_t n,
                                        bool dynamic)
{
    const uint32_t number = srt_schema_add(&l->s->anchors);

    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->anchors, struct srt_schema_anchor, number) =
        (struct srt_schema_anchor){ .resource =
                                        srt_resolve_resource(l->s, json),
                                    .name = name,
                                    .n = n,
                                    .json = json,
                                    .dynamic = dynamic };
    l->s->has_dynamic |= dynamic;
    return SORTES_OK;
}

/* A schema with an identifier of its own (id NULL: it has none), or the root of
 * a document.  around: of the resource that it stands in. */
static sortes_status
resolve_add_resource(struct srt_loader *l, const struct srt_json *v,
                     const struct srt_json *id,
                     const struct srt_schema_resource *around)
{
    struct srt_schema_resource r = *around;
    uint32_t number, *place = resolve_place(l->s, v);

    r.root = v;
    if (id) {
        r.uri = resolve_uri(l, around, id->text, id->n, &r.n);
        if (!r.uri)
            return srt_loader_no_memory(l);
    }
    number = srt_schema_add(&l->s->resources);
    if (!number || !place)
        return srt_loader_no_memory(l);
    *resolve_at(l->s, number) = r;
    *place = number;
    return SORTES_OK;
}

static bool resolve_is_old(enum srt_draft draft)
{
    return draft == SRT_DRAFT_4 || draft == SRT_DRAFT_6 || draft == SRT_DRAFT_7;
}

/* What the anchors of one schema are called, newer drafts. */
static sortes_status resolve_anchors(struct srt_loader *l,
                                     const struct srt_json *v,
                                     enum srt_draft draft)
{
    const bool older = draft == SRT_DRAFT_2019_09;
    const struct srt_json *anchor = srt_json_find(v, "$anchor");
    const struct srt_json *dynamic =
        srt_json_find(v, older ? "$recursiveAnchor" : "$dynamicAnchor");
    const uint32_t *root = resolve_place(l->s, v);
    sortes_status status = SORTES_OK;

    if (anchor && anchor->type == SRT_JSON_STRING && anchor->n > 0)
        status = resolve_add_anchor(l, v, anchor->text, anchor->n, false);
    if (status != SORTES_OK || !dynamic)
        return status;
    if (older) /* of a resource's root; it has no name */
        return dynamic->type == SRT_JSON_TRUE && root && *root
                   ? resolve_add_anchor(l, v, "", 0, true)
                   : SORTES_OK;
    return dynamic->type == SRT_JSON_STRING && dynamic->n > 0
               ? resolve_add_anchor(l, v, dynamic->text, dynamic->n, true)
               : SORTES_OK;
}

/* The resource that v stands in; for a root, what its document makes of it: the
 * URI it was asked for by, and the first document's dialect. */
static struct srt_schema_resource resolve_around(struct srt_loader *l,
                                                 const struct srt_json *v)
{
    const struct srt_schema_document *d =
        SRT_SCHEMA_AT(l->s->documents, struct srt_schema_document, l->document);
    struct srt_schema_resource r = { .uri = d->uri,
                                     .n = d->n,
                                     .draft = SRT_DRAFT_BY_SCHEMA,
                                     .vocabularies = SRT_VOCABULARY_ALL,
                                     .document = l->document };

    if (v->parent)
        return *resolve_at(l->s, srt_resolve_resource(l->s, v));
    if (l->document > 1) {
        r.draft = resolve_at(l->s, 1)->draft;
        r.vocabularies = resolve_at(l->s, 1)->vocabularies;
    }
    return r;
}

/* The identifiers of one schema. */
static sortes_status resolve_identify(struct srt_loader *l,
                                      const struct srt_json *v)
{
    struct srt_schema_resource around = resolve_around(l, v);
    struct srt_js_dialect dialect = { around.draft, around.vocabularies };
    const struct srt_json *id;
    sortes_status status = srt_document_draft(l, v, &dialect);
    bool is_anchor;

    if (status != SORTES_OK)
        return status;
    around.draft = dialect.draft;
    around.vocabularies = dialect.vocabularies;
    id = srt_json_find(v, dialect.draft == SRT_DRAFT_4 ? "id" : "$id");
    if (id && (id->type != SRT_JSON_STRING ||
               (resolve_is_old(dialect.draft) && srt_json_find(v, "$ref"))))
        id = NULL;
    is_anchor = id && resolve_starts(id, "#");
    if (!v->parent || (id && !is_anchor))
        status = resolve_add_resource(l, v, is_anchor ? NULL : id, &around);
    if (status == SORTES_OK && !resolve_is_old(dialect.draft))
        return resolve_anchors(l, v, dialect.draft);
    if (status == SORTES_OK && is_anchor && id->n > 1)
        status = resolve_add_anchor(l, v, id->text + 1, id->n - 1, false);
    return status;
}

/* Where schemas stand: under the keyword itself, in a list or a map of it. */
enum resolve_shape { RESOLVE_ONE = 1, RESOLVE_LIST = 2, RESOLVE_MAP = 4 };

static int resolve_shape_of(const char *key)
{
    static const struct {
        const char *key;
        int shape;
    } shapes[] = {
        { "properties", RESOLVE_MAP },
        { "patternProperties", RESOLVE_MAP },
        { "additionalProperties", RESOLVE_ONE },
        { "propertyNames", RESOLVE_ONE },
        { "dependencies", RESOLVE_MAP },
        { "dependentSchemas", RESOLVE_MAP },
        { "items", RESOLVE_ONE | RESOLVE_LIST },
        { "prefixItems", RESOLVE_LIST },
        { "additionalItems", RESOLVE_ONE },
        { "contains", RESOLVE_ONE },
        { "allOf", RESOLVE_LIST },
        { "anyOf", RESOLVE_LIST },
        { "oneOf", RESOLVE_LIST },
        { "not", RESOLVE_ONE },
        { "if", RESOLVE_ONE },
        { "then", RESOLVE_ONE },
        { "else", RESOLVE_ONE },
        { "$defs", RESOLVE_MAP },
        { "definitions", RESOLVE_MAP },
        { "unevaluatedProperties", RESOLVE_ONE },
        { "unevaluatedItems", RESOLVE_ONE },
        { "contentSchema", RESOLVE_ONE },
    };

    for (size_t i = 0; i < SRT_COUNT(shapes); i++)
        if (strcmp(shapes[i].key, key) == 0)
            return shapes[i].shape;
    return 0;
}

/* JSON's own depth bounds the recursion. */
static sortes_status resolve_walk(struct srt_loader *l,
                                  const struct srt_json *v)
{
    sortes_status status;

    if (v->type != SRT_JSON_OBJECT)
        return SORTES_OK;
    status = resolve_identify(l, v);
    for (const struct srt_json *k = v->first; k && status == SORTES_OK;
         k = k->next) {
        const int shape = resolve_shape_of(k->key);

        if ((shape & RESOLVE_ONE) && k->type == SRT_JSON_OBJECT) {
            status = resolve_walk(l, k);
        } else if (((shape & RESOLVE_LIST) && k->type == SRT_JSON_ARRAY) ||
                   ((shape & RESOLVE_MAP) && k->type == SRT_JSON_OBJECT)) {
            for (const struct srt_json *i = k->first; i && status == SORTES_OK;
                 i = i->next)
                status = resolve_walk(l, i);
        }
    }
    return status;
}

sortes_status srt_resolve_index(struct srt_loader *l, uint32_t document)
{
    const struct srt_json *root =
        SRT_SCHEMA_AT(l->s->documents, struct srt_schema_document, document)
            ->json.root;
    struct srt_schema_resource around;
    sortes_status status;

    l->document = document;
    if (root->type == SRT_JSON_OBJECT) {
        status = resolve_walk(l, root);
    } else {
        around = resolve_around(l, root);
        around.draft = (enum srt_draft)l->s->options.draft;
        status = resolve_add_resource(l, root, NULL, &around);
    }
    if (status == SORTES_OK)
        SRT_SCHEMA_AT(l->s->documents, struct srt_schema_document, document)
            ->resource = srt_resolve_resource(l->s, root);
    return status;
}

/* ---- references ---------------------------------------------------------- */

static int resolve_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Percent-decodes into memory of the schema; NULL: none. */
static const char *resolve_decode(struct srt_loader *l, const char *text,
                                  size_t n, size_t *n_out)
{
    char *out = srt_loader_take(l, n + 1, 1);
    size_t at = 0;

    for (size_t i = 0; out && i < n; i++) {
        if (text[i] == '%' && i + 2 < n && resolve_hex(text[i + 1]) >= 0 &&
            resolve_hex(text[i + 2]) >= 0) {
            out[at++] = (char)(resolve_hex(text[i + 1]) * 16 +
                               resolve_hex(text[i + 2]));
            i += 2;
        } else {
            out[at++] = text[i];
        }
    }
    *n_out = at;
    return out;
}

/* A step of a JSON pointer equals a key: "~1" is "/", "~0" is "~". */
static bool resolve_step_is(const char *step, size_t n, const char *key,
                            size_t n_key)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++, k++) {
        char c = step[i];

        if (c == '~' && i + 1 < n && (step[i + 1] == '0' || step[i + 1] == '1'))
            c = step[++i] == '0' ? '~' : '/';
        if (k >= n_key || key[k] != c)
            return false;
    }
    return k == n_key;
}

/* NULL: there is nothing; *twice: two keys have the name. */
static const struct srt_json *
resolve_key(const struct srt_json *v, const char *step, size_t n, bool *twice)
{
    const struct srt_json *found = NULL;

    for (const struct srt_json *i = v->first; i; i = i->next)
        if (resolve_step_is(step, n, i->key, i->n_key)) {
            *twice |= found != NULL;
            found = i;
        }
    return found;
}

static const struct srt_json *resolve_index(const struct srt_json *v,
                                            const char *step, size_t n)
{
    const struct srt_json *found = v->first;
    size_t index = 0;

    if (n == 0 || n > 9)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (step[i] < '0' || step[i] > '9')
            return NULL;
        index = index * 10 + (size_t)(step[i] - '0');
    }
    while (found && index-- > 0)
        found = found->next;
    return found;
}

static const struct srt_json *resolve_pointer(const struct srt_json *v,
                                              const char *pointer, size_t n,
                                              bool *twice)
{
    size_t at = 0;

    while (v && at < n) {
        size_t end = ++at;

        while (end < n && pointer[end] != '/')
            end++;
        v = v->type == SRT_JSON_OBJECT
                ? resolve_key(v, pointer + at, end - at, twice)
            : v->type == SRT_JSON_ARRAY
                ? resolve_index(v, pointer + at, end - at)
                : NULL;
        at = end;
    }
    return v;
}

static const struct srt_schema_anchor *resolve_anchor(struct srt_schema *s,
                                                      uint32_t resource,
                                                      const char *name,
                                                      size_t n)
{
    for (uint32_t i = 1; i <= s->anchors.n; i++) {
        const struct srt_schema_anchor *a =
            SRT_SCHEMA_AT(s->anchors, struct srt_schema_anchor, i);

        if (a->resource == resource && a->n == n &&
            memcmp(a->name, name, n) == 0)
            return a;
    }
    return NULL;
}

/* The resource of this document or of another one that a URI names. */
static sortes_status resolve_find(struct srt_loader *l,
                                  const struct srt_json *reference,
                                  const char *uri, size_t n, uint32_t *resource)
{
    const struct srt_schema_document *d;
    uint32_t document;
    sortes_status status;

    for (uint32_t i = 1; i <= l->s->resources.n; i++) {
        const struct srt_schema_resource *r = resolve_at(l->s, i);

        *resource = i;
        if (r->n == n && memcmp(r->uri, uri, n) == 0)
            return SORTES_OK;
    }
    status = srt_document_find(l, reference, uri, n, &document);
    if (status != SORTES_OK)
        return status;
    if (!document)
        return srt_document_refuse(l, SORTES_E_NAME, reference,
                                   "this document is not here", uri);
    d = SRT_SCHEMA_AT(l->s->documents, struct srt_schema_document, document);
    if (!d->resource)
        status = srt_resolve_index(l, document);
    *resource =
        SRT_SCHEMA_AT(l->s->documents, struct srt_schema_document, document)
            ->resource;
    return status;
}

/* The resource that the part of a reference before "#" names. */
static sortes_status resolve_base(struct srt_loader *l,
                                  const struct srt_json *reference, size_t n,
                                  uint32_t *resource)
{
    const char *uri;
    size_t n_uri;

    *resource = srt_schema_node(l->s, l->node)->resource;
    if (n == 0)
        return SORTES_OK;
    uri = resolve_uri(l, srt_loader_resource(l), reference->text, n, &n_uri);
    return uri ? resolve_find(l, reference, uri, n_uri, resource)
               : srt_loader_no_memory(l);
}

sortes_status srt_resolve(struct srt_loader *l,
                          const struct srt_json *reference,
                          const struct srt_json **target,
                          const struct srt_schema_anchor **anchor)
{
    const size_t split = srt_uri_split(reference->text, reference->n);
    const char *fragment;
    size_t n = 0;
    uint32_t resource;
    bool twice = false;
    const struct srt_schema_anchor *found = NULL;
    sortes_status status = resolve_base(l, reference, split, &resource);

    if (status != SORTES_OK)
        return status;
    fragment =
        resolve_decode(l, reference->text + split + (split < reference->n),
                       reference->n - split - (split < reference->n), &n);
    if (!fragment)
        return srt_loader_no_memory(l);
    *target = resolve_at(l->s, resource)->root;
    if (n > 0 && fragment[0] == '/') {
        *target = resolve_pointer(*target, fragment, n, &twice);
    } else {
        found = resolve_anchor(l->s, resource, fragment, n);
        if (found || n > 0)
            *target = found ? found->json : NULL;
    }
    if (anchor)
        *anchor = found;
    if (twice)
        return srt_loader_refuse(l, SORTES_E_SYNTAX, reference,
                                 "a key that the reference names occurs twice");
    if (!*target)
        return srt_loader_refuse(l, SORTES_E_NAME, reference,
                                 "nothing stands where the reference points");
    return SORTES_OK;
}
