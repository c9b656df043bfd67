/*
 * masks.c - masks under schemas that people wrote, token by token
 *
 *   long_schema_masks VOCAB < LINES
 *
 * A line is {"name": ..., "schema": TEXT, "texts": [TEXT, ...]}.  Over the
 * vocabulary of a file, and over a small one that lacks bytes: at states along
 * the texts and of random walks the mask is what single bytes say, led through
 * a grammar that was compiled apart; and what was begun can be ended.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "json/json.h"
#include "support/rows.h"
#include "support/vocabs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 5, STEPS = 40, LINE = 1 << 22, TEXT = 1 << 20, CLOSE = 8000 };

struct piece {
    const char *bytes;
    size_t n;
    int32_t token;
    bool usable; /* it has bytes, and means them */
    bool end;
};

struct lexicon {
    sortes_vocab *vocab;
    struct piece *pieces; /* in the order of their bytes */
    size_t n, n_words;
    bool has[256];
    uint32_t *words;
};

struct masks {
    const struct lexicon *lex;
    const char *name;
    sortes_matcher *m, *slow;
    struct rows_random random;
    char text[TEXT];
    size_t n_text;
    size_t n_states, n_ends;
};

static void wrong(const struct masks *k, const char *what,
                  const struct piece *piece)
{
    printf("%s: after '%.*s': %s '%.*s'\n", k->name, (int)k->n_text, k->text,
           what, piece ? (int)piece->n : 0, piece ? piece->bytes : "");
    exit(1);
}

/* ---- vocabularies -------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    const int order = memcmp(x->bytes, y->bytes, x->n < y->n ? x->n : y->n);

    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static void lexicon_open(struct lexicon *l, sortes_vocab *v)
{
    memset(l, 0, sizeof(*l));
    l->vocab = v;
    l->n = sortes_vocab_size(v);
    l->n_words = (l->n + 31) / 32;
    l->pieces = calloc(l->n, sizeof(*l->pieces));
    l->words = calloc(l->n_words, sizeof(*l->words));
    assert_true(l->pieces && l->words);
    for (size_t i = 0; i < l->n; i++) {
        struct piece *p = &l->pieces[i];
        const uint32_t flags = sortes_vocab_flags(v, (int32_t)i);

        p->bytes = sortes_vocab_piece(v, (int32_t)i, &p->n);
        p->token = (int32_t)i;
        p->end = (flags & SORTES_TOKEN_EOG) != 0;
        p->usable =
            p->n > 0 && !(flags & (SORTES_TOKEN_CONTROL | SORTES_TOKEN_UNUSED));
        if (p->usable && p->n == 1)
            l->has[(unsigned char)p->bytes[0]] = true;
    }
    qsort(l->pieces, l->n, sizeof(*l->pieces), by_bytes);
}

static void lexicon_close(struct lexicon *l)
{
    free(l->pieces);
    free(l->words);
    sortes_vocab_free(l->vocab);
}

/* ---- masks --------------------------------------------------------------- */

static bool has(const uint32_t *words, int32_t token)
{
    return words[token / 32] >> (token % 32) & 1;
}

static bool step(const struct masks *k, sortes_matcher *m, char byte)
{
    return k->lex->has[(unsigned char)byte] &&
           sortes_matcher_advance_bytes(m, &byte, 1, NULL) == SORTES_OK;
}

/* k->slow stands behind the first `at` bytes of a piece: moves it behind as
 * many bytes of the next one as can come, going back no further than must be.
 */
static size_t lead(struct masks *k, const struct piece *from, size_t at,
                   const struct piece *to)
{
    size_t common = 0;

    while (common < at && common < to->n &&
           from->bytes[common] == to->bytes[common])
        common++;
    assert_int_equal(sortes_matcher_rollback(k->slow, at - common), SORTES_OK);
    while (common < to->n && step(k, k->slow, to->bytes[common]))
        common++;
    return common;
}

static void check_mask(struct masks *k)
{
    const struct lexicon *l = k->lex;
    const bool ends = sortes_matcher_is_accepting(k->slow) != 0;
    const struct piece *last = NULL;
    size_t at = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct piece *p = &l->pieces[i];
        bool may = p->end && ends;

        if (p->usable && !p->end) {
            at = lead(k, last, at, p);
            last = p;
            may = at == p->n;
        }
        if (has(l->words, p->token) != may)
            wrong(k, may ? "the mask lacks" : "the mask lets through", p);
    }
    assert_int_equal(sortes_matcher_rollback(k->slow, at), SORTES_OK);
    k->n_states++;
}

/* ---- ends ---------------------------------------------------------------- */

static bool in_string(const char *text, size_t n)
{
    bool in = false;

    for (size_t i = 0; i < n; i++)
        if (in && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in = !in;
    return in;
}

/* Goes for what closes: brackets, and quotes inside of strings. */
static bool close_step(struct masks *k, sortes_matcher *m, size_t *n)
{
    static const char outside[] = "}],:\"01tfn[{", inside[] = "\"0a1-";
    const char *first = in_string(k->text, *n) ? inside : outside;
    const size_t n_first = strlen(first);

    for (size_t i = 0; i < n_first + 256; i++) {
        const char c = i < n_first ? first[i] : (char)(255 - (i - n_first));

        if (step(k, m, c)) {
            k->text[(*n)++] = c;
            return true;
        }
    }
    return false;
}

static void check_end(struct masks *k)
{
    sortes_matcher *m;
    size_t n = k->n_text;

    assert_int_equal(sortes_matcher_clone(&m, k->slow), SORTES_OK);
    while (!sortes_matcher_is_accepting(m) && n < k->n_text + CLOSE)
        if (!close_step(k, m, &n)) {
            k->n_text = n;
            wrong(k, "nothing can come", NULL);
        }
    k->n_ends += sortes_matcher_is_accepting(m) != 0;
    sortes_matcher_free(m);
}

static void check_state(struct masks *k)
{
    check_mask(k);
    check_end(k);
}

/* ---- ways through texts -------------------------------------------------- */

static void restart(struct masks *k)
{
    sortes_matcher_reset(k->m);
    sortes_matcher_reset(k->slow);
    k->n_text = 0;
}

static void take(struct masks *k, const struct piece *p)
{
    if (sortes_matcher_advance(k->m, &p->token, 1, NULL) != SORTES_OK)
        wrong(k, "cannot take what the mask allows:", p);
    for (size_t i = 0; i < p->n; i++)
        assert_true(step(k, k->slow, p->bytes[i]));
    assert_in_range(k->n_text + p->n, 0, TEXT - CLOSE - 1);
    memcpy(k->text + k->n_text, p->bytes, p->n);
    k->n_text += p->n;
}

static bool mask(struct masks *k)
{
    return sortes_matcher_mask(k->m, k->lex->words, k->lex->n_words) ==
           SORTES_OK;
}

/* The longest token that text begins with and that may come; NULL: none. */
static const struct piece *longest(const struct masks *k, const char *text,
                                   size_t n)
{
    const struct piece *best = NULL;

    for (size_t i = 0; i < k->lex->n; i++) {
        const struct piece *p = &k->lex->pieces[i];

        if (p->usable && p->n <= n && (!best || p->n > best->n) &&
            has(k->lex->words, p->token) && memcmp(p->bytes, text, p->n) == 0)
            best = p;
    }
    return best;
}

static bool go_along(struct masks *k, const struct srt_json *text)
{
    const size_t every = 1 + text->n / (3 * STATES);

    restart(k);
    for (size_t at = 0; at < text->n;) {
        const struct piece *p;

        if (!mask(k))
            return false;
        if (rows_below(&k->random, every) == 0)
            check_state(k);
        p = longest(k, text->text + at, text->n - at);
        if (!p) /* keys in another order, or bytes that are missing */
            return true;
        take(k, p);
        at += p->n;
    }
    return true;
}

/* One of the mask's tokens that mean bytes, short ones mostly. */
static const struct piece *pick(struct masks *k)
{
    const struct piece *found = NULL;
    size_t n = 0;
    const bool few = rows_below(&k->random, 2) != 0;

    for (size_t i = 0; i < k->lex->n; i++) {
        const struct piece *p = &k->lex->pieces[i];

        if (p->usable && has(k->lex->words, p->token) &&
            (!few || !found || p->n <= 2) && rows_below(&k->random, ++n) == 0)
            found = p;
    }
    return found;
}

static bool go_at_random(struct masks *k)
{
    restart(k);
    for (int i = 0; i < STEPS; i++) {
        const struct piece *p;

        if (!mask(k))
            return false;
        if (rows_below(&k->random, STEPS / STATES) == 0)
            check_state(k);
        p = pick(k);
        if (!p)
            break;
        take(k, p);
    }
    return true;
}

/* ---- schemas ------------------------------------------------------------- */

enum { REFUSED, RIGHT, LIMITED, ANSWERS };

static sortes_matcher *matcher(const struct lexicon *l, const char *schema,
                               size_t n)
{
    sortes_grammar *g;
    sortes_matcher *m;
    sortes_status status =
        sortes_grammar_new(&g, "json_schema", schema, n, NULL, NULL);

    if (status != SORTES_OK)
        return NULL;
    status = sortes_matcher_new(&m, g, l->vocab, NULL);
    sortes_grammar_free(g);
    return status == SORTES_OK ? m : NULL;
}

static int check(struct masks *k, const struct srt_json *schema,
                 const struct srt_json *texts)
{
    int answer = REFUSED;

    k->m = matcher(k->lex, schema->text, schema->n);
    k->slow = matcher(k->lex, schema->text, schema->n);
    if (k->m && k->slow) {
        sortes_matcher_use_memo(k->slow, 0);
        answer = go_at_random(k) && go_at_random(k) ? RIGHT : LIMITED;
        for (const struct srt_json *t = texts->first; t; t = t->next)
            if (answer == RIGHT && !go_along(k, t))
                answer = LIMITED;
    }
    sortes_matcher_free(k->m);
    sortes_matcher_free(k->slow);
    return answer;
}

int main(int argc, char **argv)
{
    static struct masks k;
    static char line[LINE];
    struct lexicon lexicons[2];
    size_t n[ANSWERS] = { 0 };
    sortes_vocab *v;
    sortes_error err;

    if (argc < 2 || sortes_vocab_from_file(&v, argv[1], &err) != SORTES_OK) {
        printf("%s\n", argc < 2 ? "which vocabulary?" : err.text);
        return 1;
    }
    lexicon_open(&lexicons[0], v);
    lexicon_open(&lexicons[1], vocabs_make(VOCABS_LACKING));
    while (fgets(line, sizeof(line), stdin)) {
        struct srt_json_document d;

        assert_int_equal(srt_json_read(&d, line, strlen(line), NULL),
                         SORTES_OK);
        k.name = srt_json_find(d.root, "name")->text;
        for (int i = 0; i < 2; i++) {
            k.lex = &lexicons[i];
            k.random.state++;
            n[check(&k, srt_json_find(d.root, "schema"),
                    srt_json_find(d.root, "texts"))]++;
        }
        srt_json_free(&d);
    }
    printf("%zu walked through, %zu refused, %zu limited; %zu states, %zu of "
           "them brought to an end\n",
           n[RIGHT], n[REFUSED], n[LIMITED], k.n_states, k.n_ends);
    lexicon_close(&lexicons[0]);
    lexicon_close(&lexicons[1]);
    return n[RIGHT] < 300 || k.n_ends < k.n_states * 9 / 10;
}
