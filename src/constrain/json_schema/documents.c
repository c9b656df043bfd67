/*
 * documents.c - the documents that a schema is made of, and their dialects
 *
 * The first is the schema's own text.  Others are asked of the caller when a
 * reference, or a $schema, names them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"
#include "constrain/json_schema/uri.h"

#include <stdio.h>
#include <string.h>

enum { DOCUMENTS = 256 }; /* that may be supplied */

static struct srt_schema_document *document_at(const struct srt_schema *s,
                                               uint32_t number)
{
    return SRT_SCHEMA_AT(s->documents, struct srt_schema_document, number);
}

/* ---- where a value stands ------------------------------------------------ */

static const struct srt_schema_document *document_of(const struct srt_schema *s,
                                                     const struct srt_json *v)
{
    while (v->parent)
        v = v->parent;
    for (uint32_t i = 1; i <= s->documents.n; i++)
        if (document_at(s, i)->json.root == v)
            return document_at(s, i);
    return NULL;
}

void srt_schema_where(const struct srt_schema *s, const struct srt_json *v,
                      char *out, size_t size)
{
    const struct srt_schema_document *d = document_of(s, v);
    const size_t n = d ? d->n : 0, most = size / 2;
    size_t cut = n > most ? n - most : 0;
    int length;

    while (cut && cut < n && ((unsigned char)d->uri[cut] & 0xC0) == 0x80)
        cut++; /* not inside a character */
    length =
        snprintf(out, size, "%s%s", cut ? "..." : "", n ? d->uri + cut : "");
    srt_json_where(v, out + length, size - (size_t)length);
}

size_t srt_schema_offset(const struct srt_schema *s, const struct srt_json *v)
{
    const struct srt_schema_document *d = document_of(s, v);

    return d && d->n == 0 ? v->offset : 0;
}

/* ---- reading ------------------------------------------------------------- */

sortes_status srt_document_read(struct srt_loader *l, const char *text,
                                size_t n, sortes_error *err)
{
    const uint32_t number = srt_schema_add(&l->s->documents);
    struct srt_schema_document *d;

    if (!number)
        return srt_fail(err, SORTES_E_NOMEM, 0, "json_schema: out of memory");
    d = document_at(l->s, number);
    d->uri = "";
    d->text = text;
    return srt_json_read(&d->json, text, n, err);
}

/* v refers to it by this URI. */
sortes_status srt_document_refuse(struct srt_loader *l, sortes_status status,
                                  const struct srt_json *v, const char *problem,
                                  const char *uri)
{
    char where[SRT_SCHEMA_WHERE];

    srt_schema_where(l->s, v, where, sizeof(where));
    return srt_fail(l->err, status, srt_schema_offset(l->s, v),
                    "json_schema: %s: %s: '%s'", where, problem, uri);
}

static sortes_status document_ask(struct srt_loader *l,
                                  const struct srt_json *v, const char *uri,
                                  size_t n, uint32_t *document)
{
    const struct srt_options *o = &l->s->options;
    const char *text = NULL;
    size_t n_text = 0;
    sortes_error err = { 0 };
    sortes_status status;

    if (l->s->documents.n > DOCUMENTS)
        return srt_document_refuse(l, SORTES_E_LIMIT, v,
                                   "more than 256 other documents", uri);
    status = o->resolve(o->resolve_ctx, uri, &text, &n_text);
    if (status == SORTES_E_NAME || (status == SORTES_OK && !text))
        return SORTES_OK;
    if (status != SORTES_OK)
        return srt_document_refuse(l, status, v,
                                   "this document could not be had", uri);
    status = srt_document_read(l, text, n_text, &err);
    if (status != SORTES_OK)
        return srt_document_refuse(l, status, v, err.text, uri);
    *document = l->s->documents.n;
    document_at(l->s, *document)->uri = uri;
    document_at(l->s, *document)->n = n;
    return SORTES_OK;
}

sortes_status srt_document_find(struct srt_loader *l, const struct srt_json *v,
                                const char *uri, size_t n, uint32_t *document)
{
    *document = 0;
    for (uint32_t i = 2; i <= l->s->documents.n; i++) {
        const struct srt_schema_document *d = document_at(l->s, i);

        if (d->n == n && memcmp(d->uri, uri, n) == 0) {
            *document = i;
            return SORTES_OK;
        }
    }
    if (!l->s->options.resolve || strlen(uri) != n)
        return SORTES_OK;
    return document_ask(l, v, uri, n, document);
}

/* ---- dialects ------------------------------------------------------------ */

static bool draft_is_known(const char *uri, enum srt_draft *draft)
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

    for (size_t i = 0; i < SRT_COUNT(drafts); i++)
        if (strstr(uri, drafts[i].uri)) {
            *draft = drafts[i].draft;
            return true;
        }
    return false;
}

/* Bits of a vocabulary by its URI; 0: unknown. */
static uint32_t draft_vocabulary(const char *uri)
{
    static const struct {
        const char *name;
        uint32_t in_2019_09, in_2020_12;
    } names[] = {
        { "core", SRT_VOCABULARY_CORE, SRT_VOCABULARY_CORE },
        { "applicator", SRT_VOCABULARY_APPLICATOR | SRT_VOCABULARY_UNEVALUATED,
          SRT_VOCABULARY_APPLICATOR },
        { "unevaluated", 0, SRT_VOCABULARY_UNEVALUATED },
        { "validation", SRT_VOCABULARY_VALIDATION, SRT_VOCABULARY_VALIDATION },
        { "format", SRT_VOCABULARY_FORMAT, 0 },
        { "format-annotation", 0, SRT_VOCABULARY_FORMAT },
        { "format-assertion", 0, SRT_VOCABULARY_FORMAT },
        { "meta-data", SRT_VOCABULARY_CORE, SRT_VOCABULARY_CORE },
        { "content", SRT_VOCABULARY_CORE, SRT_VOCABULARY_CORE },
    };
    static const char older[] = "https://json-schema.org/draft/2019-09/vocab/";
    static const char newer[] = "https://json-schema.org/draft/2020-12/vocab/";
    const size_t n = sizeof(older) - 1;
    const bool old = strncmp(uri, older, n) == 0;

    if (!old && strncmp(uri, newer, n) != 0)
        return 0;
    for (size_t i = 0; i < SRT_COUNT(names); i++)
        if (strcmp(uri + n, names[i].name) == 0)
            return old ? names[i].in_2019_09 : names[i].in_2020_12;
    return 0;
}

static sortes_status draft_vocabularies(struct srt_loader *l,
                                        const struct srt_json *list,
                                        uint32_t *vocabularies)
{
    if (list->type != SRT_JSON_OBJECT)
        return srt_loader_refuse(l, SORTES_E_SYNTAX, list,
                                 "$vocabulary is an object");
    *vocabularies = SRT_VOCABULARY_CORE;
    for (const struct srt_json *i = list->first; i; i = i->next) {
        const uint32_t known = draft_vocabulary(i->key);
        sortes_status status = SORTES_OK;

        *vocabularies |= known;
        if (!known && i->type == SRT_JSON_TRUE && !l->s->options.lenient)
            return srt_loader_refuse(l, SORTES_E_NAME, i,
                                     "this vocabulary is unknown");
        if (!known)
            status = srt_loader_note(l, i, "unknown vocabulary, ignored");
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

/* The dialect that a document describes; false: none that is known. */
static sortes_status draft_from(struct srt_loader *l,
                                const struct srt_json *root,
                                struct srt_js_dialect *dialect, bool *known)
{
    const struct srt_json *uri = srt_json_find(root, "$schema");
    const struct srt_json *list = srt_json_find(root, "$vocabulary");

    *known = uri && uri->type == SRT_JSON_STRING &&
             draft_is_known(uri->text, &dialect->draft);
    dialect->vocabularies = SRT_VOCABULARY_ALL;
    if (!*known || !list || dialect->draft < SRT_DRAFT_2019_09)
        return SORTES_OK;
    return draft_vocabularies(l, list, &dialect->vocabularies);
}

sortes_status srt_document_draft(struct srt_loader *l,
                                 const struct srt_json *schema,
                                 struct srt_js_dialect *dialect)
{
    const struct srt_options *o = &l->s->options;
    const struct srt_json *uri = srt_json_find(schema, "$schema");
    const char *text;
    uint32_t document;
    size_t n;
    bool known = false;
    sortes_status status;

    if (o->draft != SRT_DRAFT_BY_SCHEMA)
        dialect->draft = (enum srt_draft)o->draft;
    if (o->draft != SRT_DRAFT_BY_SCHEMA || !uri || uri->type != SRT_JSON_STRING)
        return SORTES_OK;
    dialect->vocabularies = SRT_VOCABULARY_ALL;
    if (draft_is_known(uri->text, &dialect->draft))
        return SORTES_OK;
    n = srt_uri_split(uri->text, uri->n);
    text = srt_loader_copy(l, uri->text, n);
    if (!text)
        return srt_loader_no_memory(l);
    status = srt_document_find(l, uri, text, n, &document);
    if (status == SORTES_OK && document)
        status = draft_from(l, document_at(l->s, document)->json.root, dialect,
                            &known);
    if (status != SORTES_OK || known)
        return status;
    if (o->lenient || strstr(uri->text, "json-schema.org/schema"))
        return srt_loader_note(l, uri, "unknown dialect, ignored");
    return srt_loader_refuse(l, SORTES_E_NAME, uri,
                             "this dialect is unknown (drafts 4, 6, 7, "
                             "2019-09, 2020-12)");
}
