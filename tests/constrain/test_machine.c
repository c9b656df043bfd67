/*
 * test_machine.c - what machines begin with, and how an empty one is named
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/machine.h"

static void a_fresh_machine_tells_all_bytes_apart(void **state)
{
    static const struct srt_machine_type type;
    struct srt_machine m;
    struct srt_alphabet a;

    (void)state;
    srt_alphabet_fill(&a);
    srt_machine_init(&m, &type, NULL, &a);
    assert_int_equal(m.n_classes, 256);
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(m.class_of[byte], byte);
    assert_false(m.literal);
    assert_true(srt_alphabet_equal(&m.alphabet, &a));
    srt_machine_clear(&m);
}

static void an_empty_grammar_names_the_missing_byte(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(srt_machine_empty("x", 0x1f, &err), SORTES_E_EMPTY);
    assert_string_equal(err.text, "x: the vocabulary has no token for the byte "
                                  "0x1F alone, and no text does without it");
    assert_int_equal(srt_machine_empty("x", -1, &err), SORTES_E_EMPTY);
    assert_string_equal(err.text, "x: no text satisfies it");
}

static void no_room_is_a_limit_or_the_end_of_memory(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(srt_machine_no_room("x", SORTES_E_LIMIT, &err),
                     SORTES_E_LIMIT);
    assert_string_equal(
        err.text, "x: no room for its states (max_states, max_state_bytes)");
    assert_int_equal(srt_machine_no_room("x", SORTES_E_NOMEM, &err),
                     SORTES_E_NOMEM);
    assert_string_equal(err.text, "x: no memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_machine_tells_all_bytes_apart),
        cmocka_unit_test(an_empty_grammar_names_the_missing_byte),
        cmocka_unit_test(no_room_is_a_limit_or_the_end_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
