/*
 * leave.c - whether there is a string beside a few
 *
 * The few are walked through as a trie.  A string leaves them where it ends and
 * none of them does, or where a class of characters leads on that has more of
 * them than the trie has there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"
#include "constrain/json_schema/trail.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

struct leave {
    struct srt_js *js;
    struct srt_unit *u;
    uint32_t keyed;
    const struct srt_leave_text *texts;
    uint32_t *in_trie; /* by class: characters at the place at hand */
};

static int leave_compare(const void *a, const void *b)
{
    const struct srt_leave_text *x = a, *y = b;
    const size_t n = x->n < y->n ? x->n : y->n;
    const int order = n ? memcmp(x->text, y->text, n) : 0;

    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static uint32_t leave_step(struct leave *l, uint32_t reader, uint32_t class_)
{
    uint32_t next = 0;
    const sortes_status status = srt_text_step(l->u, reader, class_, &next);

    return status == SORTES_OK ? next : srt_js_fail(l->js, status);
}

static bool leave_ends(struct leave *l, uint32_t reader)
{
    const uint32_t outcome = srt_text_outcome(l->js, l->u, reader);
    const struct srt_keyed *k;

    if (!outcome || !l->keyed)
        return outcome != 0;
    k = srt_js_keyed(l->js, l->keyed);
    return srt_object_allows(l->js, k->object, outcome - 1, k->depth);
}

/* texts[from .. end-1] begin alike, `at` bytes long; the first of them that
 * goes on with another character than texts[from]. */
static size_t leave_group(const struct leave *l, size_t from, size_t end,
                          size_t at, uint32_t *class_, size_t *length)
{
    const struct srt_leave_text *first = &l->texts[from];
    size_t i = from + 1;

    *length = srt_utf8_length(first->text + at, first->n - at);
    *class_ = srt_unit_class(l->u, first->text + at, *length);
    while (i < end &&
           memcmp(l->texts[i].text + at, first->text + at, *length) == 0)
        i++;
    return i;
}

/* A class with a character that no text goes on with. */
static bool leave_by_class(struct leave *l, uint32_t reader, size_t from,
                           size_t end, size_t at)
{
    const uint32_t *sizes = srt_unit_class_sizes(l->js, l->u);
    uint32_t class_;
    size_t length;
    bool leaves = false;

    if (!sizes)
        return false;
    for (size_t i = from; i < end;) {
        i = leave_group(l, i, end, at, &class_, &length);
        l->in_trie[class_]++;
    }
    for (uint32_t c = 0; c < l->u->n_classes && !leaves && srt_js_ok(l->js);
         c++)
        leaves = sizes[c] > l->in_trie[c] && leave_step(l, reader, c) != 0;
    for (size_t i = from; i < end;) {
        i = leave_group(l, i, end, at, &class_, &length);
        l->in_trie[class_] = 0;
    }
    return leaves;
}

static bool leave_from(struct leave *l, uint32_t reader, size_t from,
                       size_t end, size_t at)
{
    const bool ends = l->texts[from].n == at;

    if (!ends && leave_ends(l, reader))
        return true;
    while (from < end && l->texts[from].n == at)
        from++;
    if (leave_by_class(l, reader, from, end, at))
        return true;
    while (from < end && srt_js_ok(l->js)) {
        uint32_t class_, next;
        size_t length;
        const size_t group = leave_group(l, from, end, at, &class_, &length);

        next = leave_step(l, reader, class_);
        if (next && leave_from(l, next, from, group, at + length))
            return true;
        from = group;
    }
    return false;
}

bool srt_leave_texts(struct srt_js *js, struct srt_unit *u, uint32_t reader,
                     uint32_t keyed, struct srt_leave_text *texts, size_t n)
{
    struct leave l = { js, u, keyed, texts, NULL };
    bool leaves;

    if (n == 0 || srt_text_is_endless(js, u, reader))
        return true;
    l.in_trie = calloc(u->n_classes, sizeof(*l.in_trie));
    if (!l.in_trie)
        return srt_js_fail(js, SORTES_E_NOMEM);
    qsort(texts, n, sizeof(*texts), leave_compare);
    leaves = leave_from(&l, reader, 0, n, 0);
    free(l.in_trie);
    return leaves && srt_js_ok(js);
}
