/*
 * test_laws.c - what must hold between schemas, whatever they say
 *
 * Random schemas, over every text of a few pieces: what is put together of a
 * schema says what the schema says, nothing, or everything.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/schema_universe.h"

#include <string.h>

enum { PIECES = 7, SCHEMAS = 200, SEED = 100000 };

/* % stands for the schema. */
static const char *const same[] = {
    "\"allOf\":[%,%]",
    "\"anyOf\":[%,%]",
    "\"oneOf\":[%,false]",
    "\"not\":{\"not\":%}",
    "\"if\":%,\"then\":true,\"else\":false",
    "\"allOf\":[true,{\"anyOf\":[false,%]}]",
};

static const char *const everything[] = {
    "\"anyOf\":[%,{\"not\":%}]",
    "\"oneOf\":[%,{\"not\":%}]",
    "\"if\":%,\"else\":{\"not\":%}",
};

static const char *const nothing[] = {
    "\"allOf\":[%,{\"not\":%}]",
    "\"oneOf\":[%,%]",
    "\"if\":%,\"then\":{\"not\":%},\"else\":%",
};

/* Calls each for random schemas that nothing is refused of. */
static void for_schemas(void (*each)(struct schema_universe *su,
                                     const struct schema_made *made))
{
    struct schema_universe su;
    size_t n = 0;

    schema_universe_make(&su, PIECES);
    for (uint64_t seed = SEED; seed < SEED + SCHEMAS; seed++) {
        struct schema_made made;

        schema_make(&made, seed);
        if (!strstr(made.head, "uniqueItems") &&
            !strstr(made.body, "uniqueItems")) {
            each(&su, &made);
            n++;
        }
        schema_made_free(&made);
    }
    schema_universe_free(&su);
    assert_in_range(n, SCHEMAS / 2, SCHEMAS);
}

static enum schema_answer ask(struct schema_universe *su,
                              const struct schema_made *made, const char *form,
                              const char *order)
{
    char *document = schema_document(made, form);
    const enum schema_answer answer = schema_universe_ask(su, document, order);

    if (answer >= SCHEMA_REFUSED)
        fail_msg("%s: is refused", document);
    free(document);
    return answer;
}

static void judge(struct schema_universe *su, const struct schema_made *made,
                  const char *form)
{
    char *document = schema_document(made, form);

    schema_universe_judge(su, document);
    free(document);
}

static void check_same(struct schema_universe *su,
                       const struct schema_made *made)
{
    judge(su, made, NULL);
    const enum schema_answer answer = ask(su, made, NULL, NULL);
    for (size_t i = 0; i < SRT_COUNT(same); i++)
        if (ask(su, made, same[i], NULL) != answer)
            fail_msg("%s of %s", same[i], made->body);
}

static void a_schema_is_itself_in_other_words(void **state)
{
    (void)state;
    for_schemas(check_same);
}

static void check_everything(struct schema_universe *su,
                             const struct schema_made *made)
{
    judge(su, made, "\"allOf\":[true]");
    for (size_t i = 0; i < SRT_COUNT(everything); i++)
        assert_int_equal(ask(su, made, everything[i], NULL), SCHEMA_RIGHT);
}

static void a_schema_or_its_opposite_is_everything(void **state)
{
    (void)state;
    for_schemas(check_everything);
}

static void check_nothing(struct schema_universe *su,
                          const struct schema_made *made)
{
    judge(su, made, "\"allOf\":[false]");
    for (size_t i = 0; i < SRT_COUNT(nothing); i++)
        if (ask(su, made, nothing[i], NULL) != SCHEMA_EMPTY)
            fail_msg("%s of %s %s: is not empty", nothing[i], made->head,
                     made->body);
}

static void a_schema_and_its_opposite_is_refused_as_empty(void **state)
{
    (void)state;
    for_schemas(check_nothing);
}

/* Orders refuse texts and add none, nor take the last text away. */
static void check_orders(struct schema_universe *su,
                         const struct schema_made *made)
{
    judge(su, made, NULL);
    const enum schema_answer answer = ask(su, made, NULL, NULL);
    assert_int_equal(ask(su, made, NULL, "declared"), answer);
    assert_int_equal(ask(su, made, NULL, "strict"), answer);
}

static void an_order_only_refuses(void **state)
{
    (void)state;
    for_schemas(check_orders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_is_itself_in_other_words),
        cmocka_unit_test(a_schema_or_its_opposite_is_everything),
        cmocka_unit_test(a_schema_and_its_opposite_is_refused_as_empty),
        cmocka_unit_test(an_order_only_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
