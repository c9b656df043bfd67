/*
 * test_decision.c - decision diagrams agree with truth tables
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json_schema/decision.h"

#include <stdlib.h>

enum { VARIABLES = 5, TABLE = 1 << VARIABLES };

static bool answer(void *ctx, uint32_t variable)
{
    return *(const unsigned *)ctx >> variable & 1;
}

/* The diagram of a truth table of terminals, by its definition. */
static srt_dd from_table(struct srt_decisions *d, const uint8_t *table,
                         uint32_t variable, unsigned row)
{
    if (variable == VARIABLES)
        return table[row];
    return srt_dd_make(
        d, variable, from_table(d, table, variable + 1, row),
        from_table(d, table, variable + 1, row | 1u << variable));
}

static void random_table(uint8_t *table, unsigned most)
{
    for (int i = 0; i < TABLE; i++)
        table[i] = (uint8_t)((unsigned)rand() % most);
}

static void operations_agree_with_tables(void **state)
{
    struct srt_decisions d;
    uint8_t f[TABLE], g[TABLE], h[TABLE], want[TABLE];

    (void)state;
    srand(1);
    assert_int_equal(srt_decisions_init(&d, 100000, 64 << 20), SORTES_OK);
    for (int round = 0; round < 200; round++) {
        const uint32_t variable = (uint32_t)rand() % VARIABLES;
        srt_dd a, b, c;

        random_table(f, 2);
        random_table(g, 4);
        random_table(h, 4);
        a = from_table(&d, f, 0, 0);
        b = from_table(&d, g, 0, 0);
        c = from_table(&d, h, 0, 0);
        for (int i = 0; i < TABLE; i++)
            want[i] = f[i] ? g[i] : h[i];
        assert_int_equal(srt_dd_if(&d, a, b, c), from_table(&d, want, 0, 0));
        for (unsigned i = 0; i < TABLE; i++)
            want[i] = g[i | 1u << variable];
        assert_int_equal(srt_dd_given(&d, b, variable, true),
                         from_table(&d, want, 0, 0));
        for (int i = 0; i < TABLE; i++)
            want[i] = h[i] == 2;
        assert_int_equal(srt_dd_is(&d, c, 2), from_table(&d, want, 0, 0));
        for (unsigned set = 0; set < TABLE; set++) {
            uint32_t list[VARIABLES];
            size_t n = 0;

            for (uint32_t v = 0; v < VARIABLES; v++)
                if (set >> v & 1)
                    list[n++] = v;
            for (unsigned i = 0; i < TABLE; i++)
                want[i] = g[i & ~set];
            assert_int_equal(srt_dd_without(&d, b, list, n),
                             from_table(&d, want, 0, 0));
        }
        for (unsigned i = 0; i < TABLE; i++)
            assert_int_equal(srt_dd_ask(&d, b, answer, &i), g[i]);
        assert_int_equal(srt_dd_not(&d, srt_dd_not(&d, a)), a);
    }
    assert_int_equal(d.status, SORTES_OK);
    srt_decisions_clear(&d);
}

static void variables_are_those_that_matter(void **state)
{
    struct srt_decisions d;
    uint32_t *list;
    size_t n;
    srt_dd f;

    (void)state;
    assert_int_equal(srt_decisions_init(&d, 1000, 1 << 20), SORTES_OK);
    f = srt_dd_or(&d, srt_dd_variable(&d, 7), srt_dd_variable(&d, 3));
    f = srt_dd_and(&d, f, srt_dd_or(&d, srt_dd_variable(&d, 5), SRT_DD_TRUE));
    assert_int_equal(srt_dd_variables(&d, f, &list, &n), SORTES_OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[0], 3);
    assert_int_equal(list[1], 7);
    free(list);
    assert_int_equal(srt_dd_variables(&d, SRT_DD_TRUE, &list, &n), SORTES_OK);
    assert_int_equal(n, 0);
    free(list);
    srt_decisions_clear(&d);
}

static void a_limit_sticks(void **state)
{
    struct srt_decisions d;
    srt_dd f = SRT_DD_TRUE;

    (void)state;
    assert_int_equal(srt_decisions_init(&d, 10, 1 << 20), SORTES_OK);
    for (uint32_t i = 0; i < 20; i++)
        f = srt_dd_and(&d, f, srt_dd_variable(&d, i));
    assert_int_equal(d.status, SORTES_E_LIMIT);
    assert_int_equal(f, SRT_DD_FALSE);
    d.status = SORTES_OK;
    assert_int_not_equal(srt_dd_variable(&d, 0), SRT_DD_FALSE);
    assert_int_equal(d.status, SORTES_OK);
    srt_decisions_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_with_tables),
        cmocka_unit_test(variables_are_those_that_matter),
        cmocka_unit_test(a_limit_sticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
