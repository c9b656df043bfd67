/*
 * universe.c - every JSON text over a few pieces, and what a grammar says of
 * each and of all that they begin with
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/universe.h"

#include "compiler.h"
#include "constrain/matcher.h"
#include "support/completion.h"
#include "support/json_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pieces[] = { "{", "}",     "[",     "]",           ",",
                                      ":", "\"a\"", "\"b\"", "\"\\u0061\"", "0",
                                      "1", "1.0",   "true" };

enum { N_PIECES = SRT_COUNT(pieces), MAX_PIECES = 16, MAX_TEXT = 16 * 8 };

/* 0 in place of a node: none; the first node is the empty text. */
struct universe_node {
    uint32_t child[N_PIECES];
    uint32_t text; /* its number and 1; 0: not whole */
};

/* ---- making it ----------------------------------------------------------- */

enum want { VALUE, ITEM_OR_END, COLON, KEY, KEY_OR_END, NEXT };

/* Pieces that must come before a container can be closed, by what is wanted. */
static const size_t least[] = { 1, 0, 2, 3, 0, 0 };

struct place {
    enum want want;
    size_t depth;
    char bracket[MAX_PIECES];  /* that are open */
    unsigned keys[MAX_PIECES]; /* that each of them has: 1 a, 2 b */
    char text[MAX_TEXT];
    size_t n;
};

static bool close_bracket(struct place *p, char c)
{
    const enum want empty = c == '}' ? KEY_OR_END : ITEM_OR_END;

    if (p->depth == 0 || p->bracket[p->depth - 1] != c ||
        (p->want != NEXT && p->want != empty))
        return false;
    p->depth--;
    p->want = NEXT;
    return true;
}

static bool comma(struct place *p)
{
    if (p->want != NEXT || p->depth == 0)
        return false;
    p->want = p->bracket[p->depth - 1] == '}' ? KEY : VALUE;
    return true;
}

static bool key(struct place *p, const char *piece)
{
    const unsigned bit = piece[1] == 'b' ? 2 : 1; /* "\u0061" is a too */
    unsigned *keys = &p->keys[p->depth - 1];

    if (piece[0] != '"' || *keys & bit)
        return false;
    *keys |= bit;
    p->want = COLON;
    return true;
}

/* Whether a piece may come; p is past it. */
static bool go(struct place *p, const char *piece)
{
    const char c = piece[0];

    if (c == '}' || c == ']')
        return close_bracket(p, c);
    if (c == ',')
        return comma(p);
    if (c == ':') {
        const bool due = p->want == COLON;

        p->want = VALUE;
        return due;
    }
    if (p->want == KEY || p->want == KEY_OR_END)
        return key(p, piece);
    if (p->want != VALUE && p->want != ITEM_OR_END)
        return false;
    p->want = NEXT;
    if (c == '{' || c == '[') {
        p->want = c == '{' ? KEY_OR_END : ITEM_OR_END;
        p->keys[p->depth] = 0;
        p->bracket[p->depth++] = c == '{' ? '}' : ']';
    }
    return true;
}

static void *more_room(void *at, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return at;
    *room = *room ? 2 * *room : 1024;
    at = realloc(at, *room * size);
    assert_non_null(at);
    return at;
}

static uint32_t new_node(struct universe *u)
{
    u->nodes = more_room(u->nodes, u->n_nodes, &u->room, sizeof(*u->nodes));
    memset(&u->nodes[u->n_nodes], 0, sizeof(*u->nodes));
    return (uint32_t)u->n_nodes++;
}

static uint32_t new_text(struct universe *u, const struct place *p)
{
    char *text = malloc(p->n + 1);

    assert_non_null(text);
    memcpy(text, p->text, p->n);
    text[p->n] = '\0';
    u->texts =
        more_room(u->texts, u->n_texts, &u->text_room, sizeof(*u->texts));
    u->texts[u->n_texts++] = text;
    return (uint32_t)u->n_texts;
}

/* The node of p with all that follows in `left` more pieces. */
static uint32_t grow(struct universe *u, const struct place *p, size_t left)
{
    const uint32_t node = new_node(u);

    if (p->want == NEXT && p->depth == 0)
        u->nodes[node].text = new_text(u, p);
    for (size_t i = 0; i < N_PIECES && left > 0; i++) {
        struct place next = *p;
        uint32_t child;

        if (!go(&next, pieces[i]) || least[next.want] + next.depth > left - 1)
            continue;
        memcpy(next.text + next.n, pieces[i], strlen(pieces[i]));
        next.n += strlen(pieces[i]);
        child = grow(u, &next, left - 1);
        u->nodes[node].child[i] = child;
    }
    return node;
}

void universe_make(struct universe *u, size_t n_pieces)
{
    const struct place empty = { .want = VALUE };

    assert_in_range(n_pieces, 1, MAX_PIECES);
    memset(u, 0, sizeof(*u));
    grow(u, &empty, n_pieces);
}

void universe_free(struct universe *u)
{
    for (size_t i = 0; i < u->n_texts; i++)
        free(u->texts[i]);
    free(u->texts);
    free(u->nodes);
}

/* ---- asking -------------------------------------------------------------- */

enum { STATES = 65536 };

struct asking {
    const struct universe *u;
    const struct universe_question *q;
    sortes_matcher *m; /* q's */
    bool *live;        /* each node begins a text that is to be accepted */
    char text[MAX_TEXT + COMPLETION_ROOM];
    size_t n;
    size_t n_proofs;
    bool proved[STATES]; /* states that no trail goes with */
    char problem[1000];
    bool limit;
};

const char universe_limit[] = "a limit was reached";

static bool wrong(struct asking *a, const char *what)
{
    snprintf(a->problem, sizeof(a->problem), "'%.900s' %s", a->text, what);
    return false;
}

/* From the last node to the first: children have higher numbers. */
static void find_live(struct asking *a)
{
    for (size_t i = a->u->n_nodes; i-- > 0;) {
        const struct universe_node *node = &a->u->nodes[i];

        a->live[i] = node->text && a->q->verdict[node->text - 1];
        for (size_t k = 0; k < N_PIECES; k++)
            a->live[i] |= node->child[k] && a->live[node->child[k]];
    }
}

/* Whether judges that count in doubles can tell: no long numbers. */
static bool has_short_numbers(const char *text)
{
    size_t n = 0;

    for (; *text && n <= 12; text++)
        n = strchr("0123456789.", *text) ? n + 1 : *text == 'e' ? 11 : 0;
    return n <= 12;
}

/* What can come though no text of the universe goes on so: something completes
 * it, and that is right. */
static bool prove(struct asking *a)
{
    const uint32_t state = a->m->place.state;
    const size_t n = a->n;
    long more;
    bool ok = false;

    if ((!a->m->place.trail && a->proved[state % STATES]) ||
        a->n_proofs == a->q->n_proofs)
        return true;
    a->n_proofs++;
    if (!a->m->place.trail && state < STATES)
        a->proved[state] = true;
    more = completion_find(a->m, NULL, a->text + n);
    a->text[n + (size_t)(more < 0 ? 0 : more)] = '\0';
    a->limit = more == COMPLETION_LIMIT;
    if (more < 0)
        wrong(a, "can come, and nothing completes it");
    else
        ok = !has_short_numbers(a->text) ||
             a->q->judge(a->q->ctx, a->text, true) ||
             wrong(a, "is accepted and should not be");
    a->text[n] = '\0';
    return ok;
}

/* Outside of the universe: "01", "10", a key for the second time. */
static bool ask_outside(struct asking *a)
{
    const enum judge_verdict v = judge_json(a->text, a->n);
    const bool accepts = sortes_matcher_is_accepting(a->m) != 0;

    if (v == JUDGE_NEVER)
        return wrong(a, "begins no JSON text, and can come");
    if (accepts && v != JUDGE_WHOLE)
        return wrong(a, "is no JSON text, and is accepted");
    if (v == JUDGE_WHOLE && (accepts || !a->q->only_some) &&
        !a->q->judge(a->q->ctx, a->text, accepts))
        return wrong(a, accepts ? "is accepted and should not be"
                                : "is not accepted and should be");
    return accepts || prove(a);
}

static bool ask_node(struct asking *a, uint32_t node);

/* A piece that can come leads to a child, or out (0). */
static bool ask_child(struct asking *a, uint32_t child)
{
    const struct universe_node *node = &a->u->nodes[child];
    const bool accepts = sortes_matcher_is_accepting(a->m) != 0;
    const bool right = node->text && a->q->verdict[node->text - 1];

    if (!child)
        return ask_outside(a);
    if (accepts && !right)
        return wrong(a, "is accepted and should not be");
    if (right && !accepts && !a->q->only_some)
        return wrong(a, "is not accepted and should be");
    if (!accepts && (!a->live[child] || a->q->only_some) && !prove(a))
        return false;
    return ask_node(a, child);
}

static bool ask_node(struct asking *a, uint32_t node)
{
    const size_t n = a->n;
    bool ok = true;

    for (size_t i = 0; i < N_PIECES && ok; i++) {
        const uint32_t child = a->u->nodes[node].child[i];
        const size_t length = strlen(pieces[i]);
        const sortes_status status =
            sortes_matcher_advance_bytes(a->m, pieces[i], length, NULL);

        memcpy(a->text + n, pieces[i], length + 1);
        a->n = n + length;
        if (status == SORTES_OK) {
            ok = ask_child(a, child);
            assert_int_equal(sortes_matcher_rollback(a->m, 1), SORTES_OK);
        } else if (status != SORTES_E_NO_TOKEN) {
            a->limit = status == SORTES_E_LIMIT;
            ok = wrong(a, sortes_status_name(status));
        } else if (child && a->live[child] && !a->q->only_some) {
            ok = wrong(a, "cannot come and should");
        }
    }
    a->n = n;
    return ok;
}

const char *universe_ask(const struct universe *u,
                         const struct universe_question *q)
{
    static struct asking a;

    memset(&a, 0, sizeof(a));
    a.u = u;
    a.q = q;
    a.m = q->matcher;
    a.live = calloc(u->n_nodes, sizeof(*a.live));
    assert_non_null(a.live);
    find_live(&a);
    const bool ok = ask_node(&a, 0);
    free(a.live);
    return ok ? NULL : a.limit ? universe_limit : a.problem;
}
