/*
 * test_around.c - what may follow a value, much or little, and no room for it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/around.h"
#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 400 };

/* Commas with numbers behind them: all of them may follow an item. */
static sortes_vocab *comma_vocab(int n)
{
    static char bytes[MANY][8];
    static struct small_token tokens[MANY];

    for (int i = 0; i < n; i++) {
        snprintf(bytes[i], sizeof(bytes[i]), ",%d", 100 + i);
        tokens[i] = (struct small_token){ bytes[i], 0, 0 };
    }
    return small_vocab(NULL, tokens, (size_t)n);
}

static uint32_t reach(sortes_matcher *m, const char *text)
{
    sortes_matcher_reset(m);
    assert_int_equal(sortes_matcher_advance_bytes(m, text, strlen(text), NULL),
                     SORTES_OK);
    return m->place.state;
}

/* Of three items: the first two are followed by the same, the last is not, and
 * neither is what may be less by one. */
static void check(int n_tokens, size_t budget, bool known)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };
    sortes_vocab *v = comma_vocab(n_tokens);
    uint32_t state[3], same[3];
    sortes_grammar *g;
    sortes_matcher *m;

    o.max_cache_bytes = budget;
    g = small_grammar("json_schema",
                      "{\"type\":\"array\",\"minItems\":3,\"maxItems\":3,"
                      "\"items\":{\"type\":\"integer\",\"maximum\":4711}}",
                      &o);
    m = small_matcher(g, v);
    state[0] = reach(m, "[12");
    state[1] = reach(m, "[1,12");
    state[2] = reach(m, "[1,1,12");
    srt_cursor_enter(&m->cursor);
    for (int i = 0; i < 3; i++)
        same[i] = srt_around_same(&m->cursor, state[i]);
    for (int i = 0; i < 3; i++) /* and once more, from memory */
        assert_int_equal(srt_around_same(&m->cursor, state[i]), same[i]);
    srt_cursor_leave(&m->cursor);
    assert_true(state[0] != state[1] && state[1] != state[2]);
    assert_int_equal(same[0], state[0]);
    assert_int_equal(same[1], known ? state[0] : state[1]);
    assert_int_equal(same[2], state[2]);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void what_follows_decides(void **state)
{
    (void)state;
    check(20, 0, true);
    check(MANY, 0, true); /* more than a list has room for */
}

static void without_room_a_state_is_itself(void **state)
{
    (void)state;
    check(20, 1, false);
    check(MANY, 20000, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_decides),
        cmocka_unit_test(without_room_a_state_is_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
