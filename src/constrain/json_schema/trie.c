/*
 * trie.c - strings with outcomes, as a tree over classes of characters
 *
 * The strings are sorted, so that those below a node are a stretch of them, and
 * its children lie side by side, ascending: nodes are made level by level, each
 * from its stretch.  Every character of a name is a class of its own, in the
 * order of code points, which is that of bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/trie.h"

#include "constrain/json_schema/text.h"

#include <stdlib.h>
#include <string.h>

/* A string on the way to its place; from `at` on it is not yet in the tree. */
struct trie_text {
    const char *text;
    size_t n;
    uint32_t name, outcome;
    const uint32_t *at, *end; /* classes */
};

struct trie_maker {
    struct srt_js *js;
    struct srt_trie *t;
    struct trie_text *text;
    uint32_t *classes;
    struct srt_trie_node *node;
    size_t n, room; /* nodes, node 0 among them */
};

static int trie_order(const void *a, const void *b)
{
    const struct trie_text *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);

    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Texts in order, each once, and their classes; false: no memory. */
static bool trie_sort(struct trie_maker *m, struct srt_unit *u,
                      const struct srt_trie_string *string, uint32_t n)
{
    size_t n_classes = 0, at = 0;
    uint32_t kept = 0;

    m->text = malloc((n + 1) * sizeof(*m->text));
    if (!m->text)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        struct trie_text *text = &m->text[i];

        *text = (struct trie_text){ .name = string[i].name,
                                    .outcome = string[i].outcome };
        text->text = srt_schema_name(m->js->schema, text->name, &text->n);
        n_classes += text->n;
    }
    qsort(m->text, n, sizeof(*m->text), trie_order);
    m->classes = malloc((n_classes + 1) * sizeof(*m->classes));
    if (!m->classes)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        struct trie_text *text = &m->text[kept];

        if (kept > 0 && m->text[i].name == m->text[kept - 1].name)
            continue;
        *text = m->text[i];
        text->at = m->classes + at;
        at += srt_unit_classes(u, text->name, m->classes + at);
        text->end = m->classes + at;
        kept++;
    }
    m->t->n_order = kept;
    return true;
}

static bool trie_add(struct trie_maker *m, uint32_t class_, uint32_t first)
{
    void *block = m->node;
    const sortes_status status =
        srt_grow(&block, &m->room, m->n + 1, sizeof(*m->node));

    m->node = block;
    if (status != SORTES_OK)
        return false;
    m->node[m->n++] = (struct srt_trie_node){ .class_ = class_,
                                              .outcome = SRT_TRIE_NONE,
                                              .first = first };
    return true;
}

/* The children of a node; all strings below are as far as it. */
static bool trie_children(struct trie_maker *m, size_t at)
{
    uint32_t i = m->node[at].first;
    const uint32_t last = m->node[at].last;

    m->node[at].child = (uint32_t)m->n;
    if (i < last && m->text[i].at == m->text[i].end)
        m->node[at].outcome = m->text[i++].outcome;
    while (i < last) {
        const uint32_t class_ = *m->text[i].at;

        if (!trie_add(m, class_, i))
            return false;
        for (; i < last && *m->text[i].at == class_; i++)
            m->text[i].at++;
        m->node[m->n - 1].last = i;
        m->node[at].n_children++;
    }
    return true;
}

/* Level by level: a node's children come behind it. */
static bool trie_grow(struct trie_maker *m)
{
    if (!trie_add(m, 0, 0) || !trie_add(m, 0, 0)) /* node 1 is the root */
        return false;
    m->node[1].last = m->t->n_order;
    for (size_t at = 1; at < m->n; at++)
        if (!trie_children(m, at))
            return false;
    for (size_t at = m->n; at-- > 1;) {
        struct srt_trie_node *node = &m->node[at];

        node->any = node->outcome != SRT_TRIE_NONE && node->outcome != 0;
        for (uint32_t i = 0; i < node->n_children && !node->any; i++)
            node->any = m->node[node->child + i].any;
    }
    return true;
}

static bool trie_is_plain(const struct trie_maker *m, const struct srt_unit *u)
{
    for (size_t i = 2; i < m->n; i++) {
        const uint32_t code = u->first_code[m->node[i].class_];

        if (code < ' ' || code > '~' || code == '"' || code == '\\')
            return false;
    }
    return true;
}

static void trie_keep(struct trie_maker *m, const struct srt_unit *u)
{
    struct srt_trie *t = m->t;

    t->node = srt_js_take(m->js, m->n, sizeof(*t->node));
    t->order = srt_js_take(m->js, t->n_order, sizeof(*t->order));
    if (!t->node || !t->order)
        return;
    memcpy(t->node, m->node, m->n * sizeof(*t->node));
    for (uint32_t i = 0; i < t->n_order; i++)
        t->order[i] = m->text[i].outcome;
    t->plain = trie_is_plain(m, u);
}

bool srt_trie_make(struct srt_js *js, struct srt_unit *u, struct srt_trie *t,
                   const struct srt_trie_string *string, uint32_t n)
{
    struct trie_maker m = { .js = js, .t = t };

    memset(t, 0, sizeof(*t));
    if (!trie_sort(&m, u, string, n) || !trie_grow(&m))
        srt_js_fail(js, SORTES_E_NOMEM);
    else
        trie_keep(&m, u);
    free(m.text);
    free(m.classes);
    free(m.node);
    return srt_js_ok(js);
}

uint32_t srt_trie_child(const struct srt_trie *t, uint32_t node,
                        uint32_t class_)
{
    const struct srt_trie_node *n = &t->node[node];
    uint32_t low = n->child, high = n->child + n->n_children;

    if (!node)
        return 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (t->node[middle].class_ == class_)
            return middle;
        if (t->node[middle].class_ < class_)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
