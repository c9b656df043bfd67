/*
 * test_dialect.c - the dialects by name and by index
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/dialect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void name_lists_the_dialects(void **state)
{
    size_t n = 0;

    (void)state;
    assert_string_equal(sortes_dialect_name(0), "llama.cpp");
    while (sortes_dialect_name(n))
        n++;
    assert_null(sortes_dialect_name(n + 1));
    assert_null(sortes_dialect_name(SIZE_MAX));
}

static void find_knows_every_name(void **state)
{
    const char *name;

    (void)state;
    for (size_t i = 0; (name = sortes_dialect_name(i)) != NULL; i++) {
        const struct srt_dialect *const d = srt_dialect_find(name);

        assert_non_null(d);
        assert_string_equal(d->name, name);
    }
}

static void find_knows_no_other_name(void **state)
{
    static const char *const names[] = { "", "llama", "llama.cpp ", "LLAMA.CPP",
                                         "llama.cpp/b11192" };

    (void)state;
    assert_null(srt_dialect_find(NULL));
    for (size_t i = 0; i < SRT_COUNT(names); i++)
        assert_null(srt_dialect_find(names[i]));
}

static void identity_says_which_engine_and_versions(void **state)
{
    const char *const identity = sortes_dialect_identity("llama.cpp");

    (void)state;
    assert_non_null(identity);
    assert_non_null(strstr(identity, "llama.cpp/b"));
    assert_non_null(strstr(identity, "libstdc++"));
    assert_null(sortes_dialect_identity("llama"));
    assert_null(sortes_dialect_identity(NULL));
}

static void dialects_are_complete(void **state)
{
    const char *name;

    (void)state;
    for (size_t i = 0; (name = sortes_dialect_name(i)) != NULL; i++) {
        const struct srt_dialect *const d = srt_dialect_find(name);

        assert_non_null(d);
        assert_true(d->identity && d->chain_new && d->chain_free);
        assert_true(d->chain_clone && d->reset && d->seed);
        assert_true(d->use_reference && d->use_kernels && d->accept);
        assert_true(d->set_constraint && d->prefill && d->end_reasoning);
        assert_true(d->rollback && d->sample && d->distribution && d->kept);
        assert_true(d->probabilities && d->logprobs && d->explain);
        assert_true(d->speculation && d->speculation->state &&
                    d->speculation->open && d->speculation->n_state > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_lists_the_dialects),
        cmocka_unit_test(find_knows_every_name),
        cmocka_unit_test(find_knows_no_other_name),
        cmocka_unit_test(identity_says_which_engine_and_versions),
        cmocka_unit_test(dialects_are_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
