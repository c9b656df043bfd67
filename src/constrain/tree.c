/*
 * tree.c - builds the prefix tree of a vocabulary's tokens
 *
 * The tokens are sorted by their bytes; each one then adds the nodes that it
 * does not share with the one before it, and a node's subtree ends where the
 * next token leaves it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tree_build.h"

#include "constrain/grow.h"

#include <stdlib.h>
#include <string.h>

static void tree_destroy(struct srt_shared *shared)
{
    struct srt_tree *t = (struct srt_tree *)shared;

    free(t->has);
    free(t->all.node);
    srt_kinds_free(&t->kinds);
    srt_tree_strings_free(t);
    free(t->same);
    free(t->odd);
    free(t->ends);
    free(t->quoted);
    free(t->follows.node);
    free(t->written);
    free(t->listed);
    free(t);
}

/* ---- which tokens -------------------------------------------------------- */

static bool tree_takes(const struct srt_tree *t, int32_t token)
{
    const uint32_t flags = sortes_vocab_flags(t->vocab, token);
    size_t n;
    const char *bytes = sortes_vocab_piece(t->vocab, token, &n);

    if (n == 0 || (flags & SORTES_TOKEN_EOG) != 0)
        return false;
    if (t->literal)
        return bytes[0] != '\0';
    if ((flags & (SORTES_TOKEN_CONTROL | SORTES_TOKEN_UNUSED)) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!srt_alphabet_has(&t->alphabet, (uint8_t)bytes[i]))
            return false;
    return true;
}

/* Bytes that are a token by themselves. */
static void tree_alphabet(struct srt_tree *t, const sortes_vocab *v)
{
    const uint32_t never =
        SORTES_TOKEN_EOG | SORTES_TOKEN_CONTROL | SORTES_TOKEN_UNUSED;

    if (t->literal) {
        srt_alphabet_fill(&t->alphabet);
        return;
    }
    for (size_t i = 0; i < t->n_tokens; i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);

        if (n == 1 && (sortes_vocab_flags(v, (int32_t)i) & never) == 0)
            srt_alphabet_add(&t->alphabet, (uint8_t)bytes[0]);
    }
}

static int tree_compare(const void *a, const void *b)
{
    const struct srt_tree_word *x = a, *y = b;
    const uint32_t n = x->n < y->n ? x->n : y->n;
    int order;

    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    order = n > 8 ? memcmp(x->bytes + 8, y->bytes + 8, n - 8) : 0;
    if (order)
        return order;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->token < y->token ? -1 : 1;
}

/*
 * Sorts by counting the first two bytes, and compares only within the runs
 * that share them: four times as fast as comparing them all.
 */
sortes_status srt_tree_sort(struct srt_tree_word **words, size_t n)
{
    enum { RUNS = 1 << 16 };
    struct srt_tree_word *w = *words;
    struct srt_tree_word *sorted = malloc((n + 1) * sizeof(*sorted));
    uint32_t *end = calloc(RUNS + 1, sizeof(*end));

    if (!sorted || !end) {
        free(sorted);
        free(end);
        return SORTES_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++)
        end[(w[i].head >> 48) + 1]++;
    for (size_t run = 0; run < RUNS; run++)
        end[run + 1] += end[run];
    for (size_t i = 0; i < n; i++)
        sorted[end[w[i].head >> 48]++] = w[i];
    for (size_t run = 0; run < RUNS; run++) {
        const uint32_t first = run ? end[run - 1] : 0;

        if (end[run] - first > 1)
            qsort(sorted + first, end[run] - first, sizeof(*sorted),
                  tree_compare);
    }
    free(end);
    free(w);
    *words = sorted;
    return SORTES_OK;
}

/* The tokens of the tree, sorted; the long ones go to odd. */
static sortes_status tree_words(struct srt_tree *t, const sortes_vocab *v,
                                struct srt_tree_word **words, size_t *n_words)
{
    struct srt_tree_word *w = malloc((t->n_tokens + 1) * sizeof(*w));
    size_t n = 0;

    *words = w;
    *n_words = 0;
    t->has = calloc(t->n_words + 1, sizeof(*t->has));
    t->n_bytes += t->n_words * sizeof(*t->has);
    t->odd = malloc((t->n_tokens + 1) * sizeof(*t->odd));
    t->ends = malloc((t->n_tokens + 1) * sizeof(*t->ends));
    if (!w || !t->has || !t->odd || !t->ends)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < t->n_tokens; i++) {
        const int32_t token = (int32_t)i;
        size_t length;

        if ((sortes_vocab_flags(v, token) & SORTES_TOKEN_EOG) != 0)
            t->ends[t->n_ends++] = token;
        if (!tree_takes(t, token))
            continue;
        srt_bit_set(t->has, (int32_t)i);
        w[n].bytes = (const uint8_t *)sortes_vocab_piece(v, token, &length);
        if (length > t->longest)
            t->longest = (uint32_t)length;
        if (length > SRT_TREE_DEPTH) {
            t->odd[t->n_odd++] = token;
            continue;
        }
        w[n] = srt_tree_word(w[n].bytes, length, token);
        n++;
    }
    *n_words = n;
    return srt_tree_sort(words, n);
}

/* Takes memory of n items down to what is used of it. */
static void *tree_shrink(struct srt_tree *t, void *memory, size_t n,
                         size_t item)
{
    void *less = realloc(memory, n ? n * item : item);

    t->n_bytes += n * item;
    return less ? less : memory;
}

/* ---- nodes --------------------------------------------------------------- */

/* Subtrees of the open nodes deeper than depth end before node `end`. */
static void tree_close(struct srt_tree_node *node, const uint32_t *open,
                       uint32_t *n_open, uint32_t depth, uint32_t end)
{
    while (*n_open > depth) {
        const uint32_t at = open[--*n_open];
        /* What follows hangs below node `depth`; every node that ends here
         * is left, the one in question included. */
        node[at].size_up = (end - at) << 8 | (*n_open + 1 - depth);
    }
}

static uint32_t tree_count(const struct srt_tree_word *w, size_t n)
{
    size_t nodes = 0;

    for (size_t i = 0; i < n; i++)
        nodes += w[i].n - (i ? srt_tree_common(&w[i - 1], &w[i]) : 0);
    return nodes < TREE_MAX_NODES ? (uint32_t)nodes : UINT32_MAX;
}

/* Where each byte among the siblings from..end begins; adds to the sizes. */
static void tree_index(struct srt_tree_nodes *nodes, uint32_t from,
                       uint32_t end, uint32_t index[256])
{
    for (unsigned byte = 0; byte < 256; byte++)
        index[byte] = nodes->n;
    for (uint32_t at = from; at < end; at += srt_node_size(&nodes->node[at])) {
        const uint8_t byte = srt_node_byte(&nodes->node[at]);

        index[byte] = at;
        nodes->size[byte] += srt_node_size(&nodes->node[at]);
    }
}

sortes_status srt_tree_nodes_make(struct srt_tree *t, struct srt_tree_nodes *to,
                                  const struct srt_tree_word *w, size_t n)
{
    uint32_t open[SRT_TREE_DEPTH], n_open = 0;
    const uint32_t n_nodes = tree_count(w, n);

    if (n_nodes == UINT32_MAX)
        return SORTES_E_LIMIT;
    to->node = malloc(((size_t)n_nodes + 1) * sizeof(*to->node));
    if (!to->node)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        const uint32_t shared = i ? srt_tree_common(&w[i - 1], &w[i]) : 0;

        tree_close(to->node, open, &n_open, shared, to->n);
        for (uint32_t k = shared; k < w[i].n; k++) {
            to->node[to->n].token_byte = w[i].bytes[k];
            open[n_open++] = to->n++;
        }
        to->node[to->n - 1].token_byte |= (uint32_t)(w[i].token + 1) << 8;
    }
    tree_close(to->node, open, &n_open, 0, to->n);
    tree_index(to, 0, to->n, to->first);
    if (to->first[' '] < to->n)
        tree_index(to, to->first[' '] + 1,
                   to->first[' '] + srt_node_size(&to->node[to->first[' ']]),
                   to->spaced);
    else
        tree_index(to, 0, 0, to->spaced);
    t->n_bytes += (size_t)n_nodes * sizeof(*to->node);
    return SORTES_OK;
}

/* Leaves one word for each spelling; the others go to `same`. */
static sortes_status tree_unique(struct srt_tree *t, struct srt_tree_word *w,
                                 size_t *n)
{
    size_t kept = 0, n_same = 0;

    for (size_t i = 1; i < *n; i++)
        n_same +=
            w[i].n == w[i - 1].n && srt_tree_common(&w[i], &w[i - 1]) == w[i].n;
    t->same = malloc((n_same + 1) * sizeof(*t->same));
    if (!t->same)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < *n; i++) {
        if (kept && w[i].n == w[kept - 1].n &&
            srt_tree_common(&w[i], &w[kept - 1]) == w[i].n) {
            t->same[t->n_same][0] = w[kept - 1].token;
            t->same[t->n_same++][1] = w[i].token;
        } else {
            w[kept++] = w[i];
        }
    }
    *n = kept;
    t->n_bytes += n_same * sizeof(*t->same);
    return SORTES_OK;
}

/* ---- quotes -------------------------------------------------------------- */

static bool tree_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What a key may begin with inside a token, and more behind the quote. */
static bool tree_opens(const char *bytes, size_t n)
{
    const char *quote = n ? memchr(bytes, '"', n) : NULL;

    if (!quote || quote + 1 == bytes + n)
        return false;
    while (quote > bytes && tree_is_blank(quote[-1]))
        quote--;
    return quote == bytes || quote[-1] == ',';
}

/* Whether every quote is escaped, read from between two characters. */
static bool tree_escapes(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '"')
            return false;
        i += bytes[i] == '\\';
    }
    return true;
}

/* By kinds, and then by first bytes. */
static int tree_quotes_order(const struct srt_tree_quoted *q)
{
    return (q->escaped + 2 * q->plain + 3 * q->opens) << 8 | q->begins;
}

static int tree_by_quotes(const void *x, const void *y)
{
    const struct srt_tree_quoted *a = x, *b = y;
    const int order = tree_quotes_order(a) - tree_quotes_order(b);

    return order ? order : (a->token > b->token) - (a->token < b->token);
}

static void tree_sort_quoted(struct srt_tree *t)
{
    if (t->n_quoted)
        qsort(t->quoted, t->n_quoted, sizeof(*t->quoted), tree_by_quotes);
    for (size_t i = 0; i < t->n_quoted; i++) {
        const struct srt_tree_quoted *q = &t->quoted[i];

        t->n_tangled += !q->escaped && !q->plain && !q->opens;
        t->n_escaped += !q->plain && !q->opens;
        t->n_plain += !q->opens;
    }
    for (uint32_t i = (uint32_t)t->n_quoted; i-- > 0;)
        t->quoted[i].next =
            i + 1 < t->n_quoted && tree_quotes_order(&t->quoted[i]) ==
                                       tree_quotes_order(&t->quoted[i + 1])
                ? t->quoted[i + 1].next
                : i + 1;
}

static int tree_by_hash(const void *x, const void *y)
{
    const struct srt_tree_written *a = x, *b = y;

    return (a->hash > b->hash) - (a->hash < b->hash);
}

static sortes_status tree_written(struct srt_tree *t, const sortes_vocab *v)
{
    t->written = malloc((t->n_quoted + 1) * sizeof(*t->written));
    if (!t->written)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < t->n_quoted; i++) {
        const int32_t token = t->quoted[i].token;
        size_t n;
        const char *bytes = sortes_vocab_piece(v, token, &n);
        const char *open, *close;
        uint32_t hash;

        if (!t->quoted[i].plain)
            continue;
        open = (const char *)memchr(bytes, '"', n) + 1;
        close = memchr(open, '"', (size_t)(bytes + n - open));
        hash = srt_tree_hash(open, (size_t)(close - open));
        t->written_begins |= srt_tree_begins(open, (size_t)(close - open));
        t->written_bits[hash / 8 % 512] |= (uint8_t)(1u << hash % 8);
        t->written[t->n_written++] = (struct srt_tree_written){ hash, token };
    }
    qsort(t->written, t->n_written, sizeof(*t->written), tree_by_hash);
    t->n_bytes += t->n_quoted * sizeof(*t->written);
    return SORTES_OK;
}

static sortes_status tree_apart(struct srt_tree *t)
{
    t->apart_at = malloc((t->n_words + 1) * sizeof(*t->apart_at));
    if (!t->apart_at)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < t->n_words; i++)
        if (t->apart_words[i])
            t->apart_at[t->n_apart_at++] = (uint32_t)i;
    t->n_bytes += t->n_words * sizeof(*t->apart_at);
    return SORTES_OK;
}

static sortes_status tree_quotes(struct srt_tree *t, const sortes_vocab *v)
{
    size_t room = 0;

    t->apart_words = calloc(t->n_words, sizeof(*t->apart_words));
    if (!t->apart_words)
        return SORTES_E_NOMEM;
    t->n_bytes += t->n_words * sizeof(*t->apart_words);
    for (size_t i = 0; i < t->n_odd; i++)
        srt_bit_set(t->apart_words, t->odd[i]);
    for (size_t i = 0; i < t->n_ends; i++)
        srt_bit_set(t->apart_words, t->ends[i]);

    for (size_t i = 0; i < t->n_tokens; i++) {
        struct srt_tree_quoted q = { .token = (int32_t)i };
        size_t n, n_quotes = 0;
        const char *bytes = sortes_vocab_piece(v, q.token, &n);
        sortes_status status;
        void *block;

        for (size_t k = 0; k < n; k++) {
            n_quotes += bytes[k] == '"';
            q.backslash |= bytes[k] == '\\';
        }
        if (n_quotes)
            srt_bit_set(t->apart_words, q.token);
        q.escaped = q.backslash && tree_escapes(bytes, n);
        q.plain = n_quotes == 2 && !q.backslash;
        q.opens = n_quotes == 1 && !q.backslash && tree_opens(bytes, n);
        if (n_quotes < 2 && !(n_quotes && q.backslash) && !q.opens)
            continue;
        if (!srt_tree_has(t, q.token))
            continue;
        q.begins = (uint8_t)bytes[0];
        q.n_quotes = n_quotes < UINT8_MAX ? (uint8_t)n_quotes : UINT8_MAX;
        block = t->quoted;
        status = srt_grow(&block, &room, t->n_quoted + 1, sizeof(*t->quoted));
        t->quoted = block;
        if (status != SORTES_OK)
            return status;
        t->quoted[t->n_quoted++] = q;
    }
    t->n_bytes += room * sizeof(*t->quoted);
    tree_sort_quoted(t);
    return tree_apart(t) == SORTES_OK ? tree_written(t, v) : SORTES_E_NOMEM;
}

static bool tree_is_listed(const char *bytes, size_t n)
{
    const char *comma = n ? memchr(bytes, ',', n) : NULL;

    if (!comma)
        return false;
    while (++comma < bytes + n)
        if (!tree_is_blank(*comma))
            return true;
    return false;
}

static sortes_status tree_commas(struct srt_tree *t, const sortes_vocab *v)
{
    size_t room = 0;

    for (size_t i = 0; i < t->n_tokens; i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);
        void *block = t->listed;
        sortes_status status;

        if (!tree_is_listed(bytes, n) || !srt_tree_has(t, (int32_t)i))
            continue;
        status = srt_grow(&block, &room, t->n_listed + 1, sizeof(*t->listed));
        t->listed = block;
        if (status != SORTES_OK)
            return status;
        t->listed[t->n_listed++] = (int32_t)i;
    }
    t->n_bytes += room * sizeof(*t->listed);
    return SORTES_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static sortes_status tree_build(struct srt_tree *t, const sortes_vocab *v)
{
    struct srt_tree_word *words;
    size_t n;
    sortes_status status;

    tree_alphabet(t, v);
    status = tree_words(t, v, &words, &n);
    if (status == SORTES_OK)
        status = tree_unique(t, words, &n);
    if (status == SORTES_OK)
        status = srt_tree_nodes_make(t, &t->all, words, n);
    if (status == SORTES_OK &&
        !srt_kinds_find(&t->kinds, t->all.node, t->all.n))
        status = SORTES_E_NOMEM;
    if (status == SORTES_OK)
        status = srt_tree_follows(t, words, n);
    if (status == SORTES_OK)
        status = srt_tree_strings(t, words, n);
    if (status == SORTES_OK)
        status = tree_quotes(t, v);
    t->n_bytes += t->kinds.n_bytes;
    if (status == SORTES_OK)
        status = tree_commas(t, v);
    free(words);
    if (t->odd)
        t->odd = tree_shrink(t, t->odd, t->n_odd, sizeof(*t->odd));
    if (t->ends)
        t->ends = tree_shrink(t, t->ends, t->n_ends, sizeof(*t->ends));
    return status;
}

static bool tree_match(const struct srt_shared *shared, const void *key)
{
    return ((const struct srt_tree *)shared)->literal == *(const bool *)key;
}

sortes_status srt_tree_of(const struct srt_tree **out, sortes_vocab *v,
                          bool literal)
{
    struct srt_tree *t =
        (struct srt_tree *)srt_shared_find(&v->trees, tree_match, &literal);
    sortes_status status;

    *out = NULL;
    if (!t) {
        t = calloc(1, sizeof(*t));
        if (!t)
            return SORTES_E_NOMEM;
        srt_shared_init(&t->shared, tree_destroy);
        t->vocab = v;
        t->literal = literal;
        t->n_tokens = sortes_vocab_size(v);
        t->n_words = (t->n_tokens + 31) / 32;
        t->n_bytes = sizeof(*t);
        status =
            t->n_tokens < TREE_MAX_NODES ? tree_build(t, v) : SORTES_E_LIMIT;
        if (status != SORTES_OK) {
            srt_shared_release(&t->shared);
            return status;
        }
        t = (struct srt_tree *)srt_shared_add(&v->trees, &t->shared, tree_match,
                                              &literal);
    }
    /* The list's own hold keeps it. */
    srt_shared_release(&t->shared);
    *out = t;
    return SORTES_OK;
}
