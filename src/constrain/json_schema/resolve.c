/*
 * resolve.c - $id, anchors, and what a $ref means
 *
 * Source: RFC 3986, section 5, for URIs; RFC 6901 for pointers.  Identifiers
 * are looked for where schemas stand and nowhere else: an "$id" inside an enum
 * is a value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <string.h>

/* ---- URIs ------------------------------------------------------------------
 */

/* A part of a URI: text[at .. end-1]. */
struct uri_part {
    const char *text;
    size_t n;
    bool there;
};

struct uri_parts {
    struct uri_part scheme, authority, path, query;
};

static bool uri_is_scheme(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' ||
                                    c == '-' || c == '.')))
            return false;
    }
    return n > 0;
}

static size_t uri_find(const char *text, size_t n, const char *any)
{
    size_t i = 0;

    while (i < n && (text[i] == '\0' || !strchr(any, text[i])))
        i++;
    return i;
}

static void uri_split(struct uri_parts *u, const char *text, size_t n)
{
    size_t end = uri_find(text, n, ":/?#");

    memset(u, 0, sizeof(*u));
    if (end < n && text[end] == ':' && uri_is_scheme(text, end)) {
        u->scheme = (struct uri_part){ text, end, true };
        text += end + 1;
        n -= end + 1;
    }
    if (n >= 2 && text[0] == '/' && text[1] == '/') {
        end = 2 + uri_find(text + 2, n - 2, "/?#");
        u->authority = (struct uri_part){ text + 2, end - 2, true };
        text += end;
        n -= end;
    }
    end = uri_find(text, n, "?#");
    u->path = (struct uri_part){ text, end, true };
    if (end < n && text[end] == '?') {
        const size_t stop = end + uri_find(text + end, n - end, "#");

        u->query = (struct uri_part){ text + end + 1, stop - end - 1, true };
    }
}

/* Takes "." and ".." out of a path in place (RFC 3986, 5.2.4); its length. */
static size_t uri_remove_dots(char *path, size_t n)
{
    size_t out = 0, at = 0;

    while (at < n) {
        size_t end = at + 1;

        while (end < n && path[end] != '/')
            end++;
        if (end - at == 2 && memcmp(path + at, "/.", 2) == 0) {
            if (end == n)
                path[out++] = '/';
        } else if (end - at == 3 && memcmp(path + at, "/..", 3) == 0) {
            while (out > 0 && path[--out] != '/')
                continue;
            if (end == n)
                path[out++] = '/';
        } else {
            memmove(path + out, path + at, end - at);
            out += end - at;
        }
        at = end;
    }
    return out;
}

struct uri_writer {
    char *out;
    size_t n;
};

static void uri_put(struct uri_writer *w, const char *text, size_t n)
{
    if (n)
        memcpy(w->out + w->n, text, n);
    w->n += n;
}

/* The path of a reference that has one but no authority. */
static void uri_put_path(struct uri_writer *w, const struct uri_parts *base,
                         const struct uri_part *path)
{
    const size_t start = w->n;
    size_t end = base->path.n;

    if (path->n > 0 && path->text[0] == '/') {
        uri_put(w, path->text, path->n);
    } else {
        while (end > 0 && base->path.text[end - 1] != '/')
            end--;
        uri_put(w, base->path.text, end);
        if (end == 0 && base->authority.there)
            uri_put(w, "/", 1);
        uri_put(w, path->text, path->n);
    }
    if (w->n > start && w->out[start] == '/')
        w->n = start + uri_remove_dots(w->out + start, w->n - start);
}

/* ref against base, without a fragment; NULL: no memory. */
static const char *uri_resolve(struct srt_loader *l, const char *base_text,
                               size_t n_base, const char *ref, size_t n_ref,
                               size_t *n)
{
    struct uri_parts base, r;
    struct uri_writer w = { srt_loader_take(l, n_base + n_ref + 8, 1), 0 };
    const struct uri_parts *from;

    if (!w.out)
        return NULL;
    uri_split(&base, base_text, n_base);
    uri_split(&r, ref, n_ref);
    from = r.scheme.there ? &r : &base;
    if (from->scheme.there) {
        uri_put(&w, from->scheme.text, from->scheme.n);
        uri_put(&w, ":", 1);
    }
    from = r.scheme.there || r.authority.there ? &r : &base;
    if (from->authority.there) {
        uri_put(&w, "//", 2);
        uri_put(&w, from->authority.text, from->authority.n);
    }
    if (from == &r)
        uri_put(&w, r.path.text, r.path.n);
    else if (r.path.n == 0)
        uri_put(&w, base.path.text, base.path.n);
    else
        uri_put_path(&w, &base, &r.path);
    if (!r.query.there && r.path.n == 0 && from == &base)
        r.query = base.query;
    if (r.query.there) {
        uri_put(&w, "?", 1);
        uri_put(&w, r.query.text, r.query.n);
    }
    *n = w.n;
    return w.out;
}

/* ---- the index
 * --------------------------------------------------------------- */

static uint32_t *resolve_place(struct srt_schema *s, const struct srt_json *v,
                               bool make)
{
    uint32_t number;

    (void)make;
    if (srt_pool_intern(&s->by_json, &v, sizeof(v), &number, NULL) != SORTES_OK)
        return NULL;
    return (uint32_t *)srt_pool_payload(&s->by_json, number) + 1;
}

uint32_t srt_resolve_resource(struct srt_schema *s, const struct srt_json *v)
{
    for (; v; v = v->parent) {
        const uint32_t *resource = resolve_place(s, v, false);

        if (resource && *resource)
            return *resource;
    }
    return 1;
}

static bool resolve_starts(const struct srt_json *v, const char *with)
{
    return v->n >= strlen(with) && memcmp(v->text, with, strlen(with)) == 0;
}

/* *draft is the outer one's where nothing is said. */
static sortes_status resolve_draft(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_draft *draft)
{
    static const struct {
        const char *uri;
        enum srt_draft draft;
    } drafts[] = {
        { "json-schema.org/draft-03/", SRT_DRAFT_4 },
        { "json-schema.org/draft-04/", SRT_DRAFT_4 },
        { "json-schema.org/draft-06/", SRT_DRAFT_6 },
        { "json-schema.org/draft-07/", SRT_DRAFT_7 },
        { "json-schema.org/draft/2019-09/", SRT_DRAFT_2019_09 },
        { "json-schema.org/draft/2020-12/", SRT_DRAFT_2020_12 },
    };
    const struct srt_json *uri = srt_json_find(v, "$schema");

    if (l->s->options.draft != SRT_DRAFT_BY_SCHEMA)
        *draft = (enum srt_draft)l->s->options.draft;
    if (l->s->options.draft != SRT_DRAFT_BY_SCHEMA || !uri ||
        uri->type != SRT_JSON_STRING)
        return SORTES_OK;
    for (size_t i = 0; i < SRT_COUNT(drafts); i++)
        if (strstr(uri->text, drafts[i].uri)) {
            *draft = drafts[i].draft;
            return SORTES_OK;
        }
    if (l->s->options.lenient || strstr(uri->text, "json-schema.org/schema"))
        return srt_loader_note(l, uri, "unknown dialect, ignored");
    return srt_loader_refuse(l, SORTES_E_NAME, uri,
                             "this dialect is unknown (drafts 4, 6, 7, "
                             "2019-09, 2020-12)");
}

static sortes_status resolve_add_anchor(struct srt_loader *l,
                                        const struct srt_json *v,
                                        const struct srt_json *json,
                                        size_t skip, bool dynamic)
{
    const uint32_t number = srt_schema_add(&l->s->anchors);

    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->anchors, struct srt_schema_anchor, number) =
        (struct srt_schema_anchor){ srt_resolve_resource(l->s, json),
                                    skip ? v->text + 1 : v->text,
                                    skip ? v->n - 1 : v->n,
                                    json,
                                    0,
                                    dynamic };
    l->s->has_dynamic |= dynamic;
    return SORTES_OK;
}

/* A schema with an identifier of its own, or the root. */
static sortes_status resolve_add_resource(struct srt_loader *l,
                                          const struct srt_json *v,
                                          const struct srt_json *id,
                                          enum srt_draft draft, uint32_t base)
{
    const struct srt_schema_resource *parent =
        base ? SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, base)
             : NULL;
    const char *uri = "";
    size_t n = 0;
    uint32_t number, *place = resolve_place(l->s, v, true);

    if (id) {
        uri = uri_resolve(l, parent ? parent->uri : "", parent ? parent->n : 0,
                          id->text, id->n, &n);
        if (!uri)
            return srt_loader_no_memory(l);
    }
    number = srt_schema_add(&l->s->resources);
    if (!number || !place)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, number) =
        (struct srt_schema_resource){ uri, n, draft, v };
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
    const struct srt_json *anchor = srt_json_find(v, "$anchor");
    const struct srt_json *dynamic = srt_json_find(v, "$dynamicAnchor");
    const struct srt_json *recursive = srt_json_find(v, "$recursiveAnchor");
    sortes_status status = SORTES_OK;

    if (anchor && anchor->type == SRT_JSON_STRING)
        status = resolve_add_anchor(l, anchor, v, 0, false);
    if (status == SORTES_OK && dynamic && dynamic->type == SRT_JSON_STRING)
        status = resolve_add_anchor(l, dynamic, v, 0, true);
    if (status == SORTES_OK && draft == SRT_DRAFT_2019_09 && recursive &&
        recursive->type == SRT_JSON_TRUE)
        status = resolve_add_anchor(l, recursive, v, 0, true);
    return status;
}

/* The identifiers of one schema. */
static sortes_status resolve_identify(struct srt_loader *l,
                                      const struct srt_json *v)
{
    const uint32_t base = v->parent ? srt_resolve_resource(l->s, v) : 0;
    enum srt_draft draft =
        base ? SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, base)
                   ->draft
             : SRT_DRAFT_BY_SCHEMA;
    const struct srt_json *id;
    sortes_status status = resolve_draft(l, v, &draft);
    bool is_anchor;

    if (status != SORTES_OK)
        return status;
    id = srt_json_find(v, draft == SRT_DRAFT_4 ? "id" : "$id");
    if (id && (id->type != SRT_JSON_STRING ||
               (resolve_is_old(draft) && srt_json_find(v, "$ref"))))
        id = NULL;
    is_anchor = id && resolve_starts(id, "#");
    if (!base || (id && !is_anchor))
        status = resolve_add_resource(l, v, is_anchor ? NULL : id, draft, base);
    if (status == SORTES_OK && !resolve_is_old(draft))
        return resolve_anchors(l, v, draft);
    if (status == SORTES_OK && is_anchor && id->n > 1)
        status = resolve_add_anchor(l, id, v, 1, false);
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

sortes_status srt_resolve_index(struct srt_loader *l)
{
    const struct srt_json *root = l->s->document.root;

    if (root->type != SRT_JSON_OBJECT)
        return resolve_add_resource(l, root, NULL,
                                    (enum srt_draft)l->s->options.draft, 0);
    return resolve_walk(l, root);
}

/* ---- references
 * ---------------------------------------------------------------- */

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

static const struct srt_json *resolve_step(const struct srt_json *v,
                                           const char *step, size_t n)
{
    size_t index = 0;
    const struct srt_json *found = NULL;

    if (v->type == SRT_JSON_OBJECT) {
        for (const struct srt_json *i = v->first; i; i = i->next)
            if (resolve_step_is(step, n, i->key, i->n_key))
                found = i;
        return found;
    }
    if (v->type != SRT_JSON_ARRAY || n == 0 || n > 9)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (step[i] < '0' || step[i] > '9')
            return NULL;
        index = index * 10 + (size_t)(step[i] - '0');
    }
    found = v->first;
    while (found && index-- > 0)
        found = found->next;
    return found;
}

static const struct srt_json *resolve_pointer(const struct srt_json *v,
                                              const char *pointer, size_t n)
{
    size_t at = 0;

    while (v && at < n) {
        size_t end = ++at;

        while (end < n && pointer[end] != '/')
            end++;
        v = resolve_step(v, pointer + at, end - at);
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
            (n == 0 || memcmp(a->name, name, n) == 0))
            return a;
    }
    return NULL;
}

/* The resource that the part before "#" names; 0: none of this document. */
static sortes_status resolve_find(struct srt_loader *l, const char *uri,
                                  size_t n, uint32_t *resource)
{
    const struct srt_schema_resource *base = srt_loader_resource(l);
    const char *whole;
    size_t n_whole;

    *resource = srt_schema_node(l->s, l->node)->resource;
    if (n == 0)
        return SORTES_OK;
    whole = uri_resolve(l, base->uri, base->n, uri, n, &n_whole);
    if (!whole)
        return srt_loader_no_memory(l);
    for (uint32_t i = 1; i <= l->s->resources.n; i++) {
        const struct srt_schema_resource *r =
            SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, i);

        *resource = i;
        if (r->n == n_whole && memcmp(r->uri, whole, n_whole) == 0)
            return SORTES_OK;
    }
    *resource = 0;
    return SORTES_OK;
}

sortes_status srt_resolve(struct srt_loader *l,
                          const struct srt_json *reference,
                          const struct srt_json **target,
                          const struct srt_schema_anchor **anchor)
{
    const size_t split = uri_find(reference->text, reference->n, "#");
    const char *fragment;
    size_t n = 0;
    uint32_t resource;
    const struct srt_schema_anchor *found = NULL;
    sortes_status status = resolve_find(l, reference->text, split, &resource);

    if (status != SORTES_OK)
        return status;
    if (!resource)
        return srt_loader_refuse(
            l, SORTES_E_NAME, reference,
            "a reference to another document is refused: it is not here");
    fragment =
        resolve_decode(l, reference->text + split + (split < reference->n),
                       reference->n - split - (split < reference->n), &n);
    if (!fragment)
        return srt_loader_no_memory(l);
    *target =
        SRT_SCHEMA_AT(l->s->resources, struct srt_schema_resource, resource)
            ->root;
    if (n > 0 && fragment[0] == '/') {
        *target = resolve_pointer(*target, fragment, n);
    } else if (n > 0) {
        found = resolve_anchor(l->s, resource, fragment, n);
        *target = found ? found->json : NULL;
    }
    if (anchor)
        *anchor = found;
    if (!*target)
        return srt_loader_refuse(l, SORTES_E_NAME, reference,
                                 "nothing stands where the reference points");
    return SORTES_OK;
}
