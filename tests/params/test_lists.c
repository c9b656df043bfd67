/*
 * test_lists.c - which list of strings is in force
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/params.h"

#include <string.h>

/* In the order in which stages.def has them. */
static void default_samplers_are_every_row_up_to_temperature(void **state)
{
    static const struct {
        const char *name;
        char letter;
    } rows[] = {
#define SRT_STAGE(symbol, name, letter) { name, letter },
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE
    };
    const struct srt_string_list *list;
    sortes_params *p;
    size_t n = 0;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    list = srt_strings_in_force(p, SRT_PARAM_samplers);
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        if (rows[i].letter == 0)
            continue;
        assert_string_equal(list->items[n], rows[i].name);
        assert_int_equal(list->sizes[n], strlen(rows[i].name));
        n++;
        if (rows[i].letter == 't')
            break;
    }
    assert_int_equal(list->n, n);
    sortes_params_free(p);
}

static void list_that_was_given_is_in_force(void **state)
{
    const struct srt_string_list *list;
    sortes_params *p;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    list = srt_strings_in_force(p, SRT_PARAM_dry_sequence_breakers);
    assert_int_equal(list->n, 4);
    assert_string_equal(list->items[2], "\"");
    assert_int_equal(
        sortes_params_set_text(p, "dry_sequence_breakers", "", NULL),
        SORTES_OK);
    list = srt_strings_in_force(p, SRT_PARAM_dry_sequence_breakers);
    assert_int_equal(list->n, 0);
    assert_int_equal(
        srt_strings_in_force(p, SRT_PARAM_reasoning_budget_end_tags)->n, 0);
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_samplers_are_every_row_up_to_temperature),
        cmocka_unit_test(list_that_was_given_is_in_force),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
