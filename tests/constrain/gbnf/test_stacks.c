/*
 * test_stacks.c - lists take no depth, ambiguity is bounded, texts end alike
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/gbnf/stacks.h"

#include <string.h>

struct built {
    struct srt_gbnf *g;
    struct srt_rules rules;
    struct srt_stacks stacks;
    uint32_t config;
};

static void build_stacks(struct built *b, const char *text)
{
    static const struct srt_options options = { .max_states = 100000,
                                                .max_state_bytes = 64 << 20 };
    struct srt_timer timer = { 0 };
    struct srt_alphabet all;

    srt_alphabet_fill(&all);
    assert_int_equal(srt_gbnf_read(&b->g, text, strlen(text), &options, NULL),
                     SORTES_OK);
    assert_int_equal(srt_rules_build(&b->rules, b->g, &all, NULL, &timer, NULL),
                     SORTES_OK);
    assert_int_equal(srt_stacks_init(&b->stacks, &b->rules, NULL, &options),
                     SORTES_OK);
    assert_int_equal(srt_stacks_start(&b->stacks, &b->config), SORTES_OK);
}

static void drop_stacks(struct built *b)
{
    srt_stacks_clear(&b->stacks);
    srt_rules_free(&b->rules);
    srt_gbnf_free(b->g);
}

static sortes_status read_bytes(struct built *b, const char *text, int times)
{
    sortes_status status = SORTES_OK;

    for (int i = 0; i < times; i++)
        for (const char *c = text; *c && status == SORTES_OK; c++) {
            assert_int_not_equal(b->config, 0);
            status =
                srt_stacks_read(&b->stacks, b->config, (uint8_t)*c, &b->config);
        }
    return status;
}

/* However long the list, its configurations come back. */
static void lists_take_no_depth(void **state)
{
    static const struct {
        const char *grammar, *item;
        size_t configs;
    } lists[] = {
        { "root ::= \"a,\" root | \"a\"", "a,", 3 },
        { "root ::= root \"a,\" | \"a,\"", "a,", 4 },
        { "root ::= (\"a\" \",\")*", "a,", 3 },
        { "root ::= x root | x\nx ::= \"a\" y\ny ::= \",\" | \"\"", "a,", 3 },
        { "root ::= a \"x\" | \"\"\na ::= b \"y\" | \"z\"\nb ::= a \"w\"",
          "zwywywy", 8 },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(lists); i++) {
        struct built b;
        size_t configs;

        build_stacks(&b, lists[i].grammar);
        if (i < 4)
            assert_int_equal(read_bytes(&b, lists[i].item, 3), SORTES_OK);
        else
            assert_int_equal(read_bytes(&b, lists[i].item, 1), SORTES_OK);
        configs = b.stacks.configs.n;
        assert_in_range(configs, 1, lists[i].configs);
        if (i < 4)
            assert_int_equal(read_bytes(&b, lists[i].item, 500), SORTES_OK);
        else
            assert_int_equal(read_bytes(&b, "wy", 500), SORTES_OK);
        assert_int_not_equal(b.config, 0);
        assert_int_equal(b.stacks.configs.n, configs);
        assert_in_range(b.stacks.frames.n, 1, 4);
        drop_stacks(&b);
    }
}

/* What nests takes one frame a level, and gives it back. */
static void nesting_comes_back(void **state)
{
    struct built b;
    uint32_t shallow;

    (void)state;
    build_stacks(&b, "root ::= \"(\" root \")\" | \"x\"");
    assert_int_equal(read_bytes(&b, "(", 3), SORTES_OK);
    shallow = b.config;
    assert_int_equal(read_bytes(&b, "(", 1000), SORTES_OK);
    assert_int_not_equal(b.config, shallow);
    assert_int_equal(read_bytes(&b, "x", 1), SORTES_OK);
    assert_int_equal(read_bytes(&b, ")", 1002), SORTES_OK);
    assert_false(srt_stacks_may_end(&b.stacks, b.config));
    assert_int_equal(read_bytes(&b, ")", 1), SORTES_OK);
    assert_true(srt_stacks_may_end(&b.stacks, b.config));
    assert_int_equal(srt_stacks_read(&b.stacks, b.config, ')', &b.config),
                     SORTES_OK);
    assert_int_equal(b.config, 0);
    drop_stacks(&b);
}

/* Work for one step is bounded; a step that is too much changes nothing. */
static void ambiguity_is_bounded(void **state)
{
    struct built b;
    uint32_t before, next;
    int n = 0;

    (void)state;
    build_stacks(&b, "root ::= \"a\" root \"a\" | \"a\" root | \"a\"");
    while (srt_stacks_read(&b.stacks, b.config, 'a', &next) == SORTES_OK) {
        b.config = next;
        assert_in_range(++n, 1, 10000);
    }
    assert_in_range(n, 100, 10000);
    before = b.config;
    assert_int_equal(srt_stacks_read(&b.stacks, before, 'a', &next),
                     SORTES_E_LIMIT);
    assert_int_equal(srt_stacks_read(&b.stacks, before, 'b', &next), SORTES_OK);
    assert_int_equal(next, 0);
    drop_stacks(&b);
}

static void a_stuck_configuration_goes_nowhere(void **state)
{
    struct built b;
    uint32_t stuck, next;

    (void)state;
    build_stacks(&b, "root ::= \"ab\"*");
    assert_true(srt_stacks_may_end(&b.stacks, b.config));
    assert_int_equal(srt_stacks_go_on(&b.stacks, b.config, &next), SORTES_OK);
    assert_false(srt_stacks_may_end(&b.stacks, next));
    assert_int_equal(srt_stacks_read(&b.stacks, next, 'a', &next), SORTES_OK);
    assert_int_not_equal(next, 0);
    assert_int_equal(srt_stacks_stuck(&b.stacks, &stuck), SORTES_OK);
    assert_int_not_equal(stuck, 0);
    assert_int_equal(srt_stacks_read(&b.stacks, stuck, 'a', &next), SORTES_OK);
    assert_int_equal(next, 0);
    drop_stacks(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_take_no_depth),
        cmocka_unit_test(nesting_comes_back),
        cmocka_unit_test(ambiguity_is_bounded),
        cmocka_unit_test(a_stuck_configuration_goes_nowhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
