/*
 * load.h - a schema being read
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SCHEMA_LOAD_H
#define SRT_SCHEMA_LOAD_H

#include "constrain/json_schema/schema.h"

struct srt_loader {
    struct srt_schema *s;
    sortes_error *err;
    struct srt_pool by_text; /* payload: node */
    uint32_t node;           /* being read */
    uint32_t document;       /* whose identifiers are being looked for */
    uint64_t n_stamps;       /* for the search for duplicate keys */
    uint32_t height; /* of the schemas just walked, one inside another */
};

/* How keywords are read. */
struct srt_js_dialect {
    enum srt_draft draft;
    uint32_t vocabularies;
};

/* An anchor of a resource. */
struct srt_schema_anchor {
    uint32_t resource;
    const char *name;
    size_t n;
    const struct srt_json *json;
    uint32_t node; /* of a dynamic one */
    bool dynamic;
};

/* "json_schema: ", where v stands, and the problem. */
sortes_status srt_loader_refuse(struct srt_loader *l, sortes_status status,
                                const struct srt_json *v, const char *problem);
sortes_status srt_loader_no_memory(struct srt_loader *l);

/* The node of a schema; 0: it is none (refused), or no memory. */
sortes_status srt_loader_node(struct srt_loader *l, const struct srt_json *v,
                              uint32_t *node);
sortes_status srt_loader_rule(struct srt_loader *l,
                              enum srt_schema_rule_type type, uint32_t a,
                              uint32_t b, uint32_t c, const struct srt_json *v);
sortes_status srt_loader_name(struct srt_loader *l, const char *text, size_t n,
                              uint32_t *name);
/* Every key once: which of two counts is anyone's guess. */
sortes_status srt_loader_check_keys(struct srt_loader *l,
                                    const struct srt_json *v);
sortes_status srt_loader_note(struct srt_loader *l, const struct srt_json *v,
                              const char *what);
/* Memory that lives as long as the schema. */
void *srt_loader_take(struct srt_loader *l, size_t n, size_t size);
/* A copy there, NUL-terminated; NULL: no memory. */
const char *srt_loader_copy(struct srt_loader *l, const char *text, size_t n);

/* Of the node that is being read. */
const struct srt_schema_resource *srt_loader_resource(struct srt_loader *l);
/* 4, 6, 7, 2019, 2020; *unnamed: no draft is named (then it is 2020). */
int srt_loader_draft(struct srt_loader *l, bool *unnamed);

/* ---- keywords.c, constants.c --------------------------------------------- */

/* rule: what is added; readers that several keywords share are told by it. */
typedef sortes_status srt_keyword_reader(struct srt_loader *l,
                                         const struct srt_json *v,
                                         enum srt_schema_rule_type rule);

/* keywords.def */
struct srt_keyword {
    const char *name;
    int first, last; /* drafts */
    enum srt_vocabulary vocabulary;
    srt_keyword_reader *reader;
    enum srt_schema_rule_type rule;
};

/* NULL: no such keyword in that draft, or in these vocabularies. */
const struct srt_keyword *srt_keyword_find(const char *name, int draft,
                                           bool unnamed, uint32_t vocabularies);

/* Adds the rule of an enum's items, or of the one item v. */
sortes_status srt_loader_enum(struct srt_loader *l, const struct srt_json *v,
                              bool is_list);
/* A node that v alone satisfies. */
sortes_status srt_loader_constant(struct srt_loader *l,
                                  const struct srt_json *v, uint32_t *node);
sortes_status srt_loader_decimal(struct srt_loader *l, const struct srt_json *v,
                                 uint32_t *decimal);

/* ---- documents.c --------------------------------------------------------- */

/* Reads a document's JSON; text stays with the caller. */
sortes_status srt_document_read(struct srt_loader *l, const char *text,
                                size_t n, sortes_error *err);
/* The document that v refers to by its URI, which is asked for once; *document
 * 0: there is none. */
sortes_status srt_document_find(struct srt_loader *l, const struct srt_json *v,
                                const char *uri, size_t n, uint32_t *document);
/* v refers to a document by its URI, and that is not possible. */
sortes_status srt_document_refuse(struct srt_loader *l, sortes_status status,
                                  const struct srt_json *v, const char *problem,
                                  const char *uri);
/* What $schema says; *dialect stays where it says nothing. */
sortes_status srt_document_draft(struct srt_loader *l,
                                 const struct srt_json *schema,
                                 struct srt_js_dialect *dialect);

/* ---- resolve.c ----------------------------------------------------------- */

/* Finds every $id and anchor of a document. */
sortes_status srt_resolve_index(struct srt_loader *l, uint32_t document);
/* What a reference of the node being read means; *anchor (NULL: not wanted):
 * it named this dynamic anchor. */
sortes_status srt_resolve(struct srt_loader *l,
                          const struct srt_json *reference,
                          const struct srt_json **target,
                          const struct srt_schema_anchor **anchor);
/* The resource that v stands in. */
uint32_t srt_resolve_resource(struct srt_schema *s, const struct srt_json *v);

/* ---- patterns.c ---------------------------------------------------------- */

sortes_status srt_loader_patterns(struct srt_loader *l);

/* ---- unique.c ------------------------------------------------------------ */

/* Finds out what the items of arrays with uniqueItems can be. */
sortes_status srt_loader_unique(struct srt_loader *l);

/* ---- formats.c ----------------------------------------------------------- */

/* A whole-string pattern, to be expanded; NULL: unknown.  *refused: no regular
 * language. */
const char *srt_format_pattern(const char *name, size_t n, bool *refused);
/* The pattern as it is, written to out (NULL: not wanted); its length. */
size_t srt_format_expand(const char *pattern, bool iri, char *out);

#endif /* SRT_SCHEMA_LOAD_H */
