/*
 * test_tags.c - building an automaton of places
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_made.h"

#include <string.h>

static struct srt_tags *new_tags(void)
{
    static const struct tags_part nothing[][TAGS_PARTS] = { { { NULL, "" } } };

    return tags_made(nothing, 1, false);
}

static void programs_are_read_once(void **state)
{
    const struct srt_tags_text text = { "choice", "a\nb", 3, "here", 7, "key" };
    struct srt_tags *t = new_tags();
    uint32_t to;

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(srt_tags_grammar(t, t->start, &text, &to, NULL),
                         SORTES_OK);
    assert_int_equal(t->n_subs, 2); /* the first is none */
    assert_string_equal(t->subs[1].where, "here");
    assert_int_equal(t->subs[1].offset, 7);
    srt_tags_free(&t->program);
    srt_tags_free(NULL);
}

static void a_kind_that_is_not_there_is_named(void **state)
{
    const struct srt_tags_text text = { "abnf", "", 0, "#/a", 3, NULL };
    struct srt_tags *t = new_tags();
    sortes_error err;
    uint32_t to;

    (void)state;
    assert_int_equal(srt_tags_grammar(t, t->start, &text, &to, &err),
                     SORTES_E_NAME);
    assert_string_equal(err.text,
                        "structural_tag: #/a: this build has no kind 'abnf'");
    assert_int_equal(err.offset, 3);
    srt_tags_free(&t->program);
}

/* The first failure stays, and nothing more is built. */
static void a_failure_is_kept(void **state)
{
    struct srt_tags *t = new_tags();
    sortes_error err;

    (void)state;
    t->status = SORTES_E_LIMIT;
    assert_int_equal(srt_tags_place(t), 0);
    assert_int_equal(srt_tags_string(t, t->start, "ab", 2), 0);
    assert_int_equal(srt_tags_status(t, &err), SORTES_E_LIMIT);
    t->status = SORTES_E_NOMEM;
    assert_int_equal(srt_tags_status(t, &err), SORTES_E_NOMEM);
    assert_string_equal(err.text, "structural_tag: no memory");
    srt_tags_free(&t->program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_read_once),
        cmocka_unit_test(a_kind_that_is_not_there_is_named),
        cmocka_unit_test(a_failure_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
