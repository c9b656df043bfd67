/*
 * test_universe.c - random schemas out of every keyword, over every text of a
 * few pieces
 *
 * A validator by plain recursion says which texts are right; what they begin
 * with must be able to come, and nothing that has no end.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/schema_universe.h"

#include <string.h>

/* ---- the validator itself ------------------------------------------------ */

/* What a schema says of texts, by hand. */
static const struct {
    const char *schema, *text;
    bool accepts;
} by_hand[] = {
    { "{\"type\":\"integer\"}", "1.0", true },
    { "{\"type\":\"integer\"}", "0.5", false },
    { "{\"enum\":[{\"a\":1,\"b\":[0]}]}", "{\"b\":[0],\"a\":1.0}", true },
    { "{\"maxLength\":1}", "\"\\ud83d\\ude00\"", true },
    { "{\"pattern\":\"[^a]\"}", "\"aa\"", false },
    { "{\"properties\":{\"a\":true},\"patternProperties\":{\"[^a]\":{\"type\":"
      "\"null\"}},\"additionalProperties\":false}",
      "{\"a\":1,\"b\":null}", true },
    { "{\"properties\":{\"a\":true},\"additionalProperties\":false}",
      "{\"b\":1}", false },
    { "{\"prefixItems\":[{\"const\":0}],\"items\":{\"const\":1}}", "[0,1,1]",
      true },
    { "{\"contains\":{\"const\":1},\"minContains\":0,\"maxContains\":1}",
      "[1,1]", false },
    { "{\"allOf\":[{\"properties\":{\"a\":true}},{\"if\":{\"properties\":{"
      "\"b\":{\"const\":1}}},\"else\":{}}],\"unevaluatedProperties\":false}",
      "{\"a\":0,\"b\":1}", true },
    { "{\"allOf\":[{\"properties\":{\"a\":true}},{\"if\":{\"properties\":{"
      "\"b\":{\"const\":1}}},\"else\":{}}],\"unevaluatedProperties\":false}",
      "{\"a\":0,\"b\":2}", false },
    { "{\"contains\":{\"const\":1},\"unevaluatedItems\":{\"const\":0}}",
      "[0,1,0]", true },
    { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":"
      "\"#/definitions/d\",\"maximum\":0,\"definitions\":{\"d\":{\"minimum\":"
      "1}}}",
      "2", true },
    { "{\"$ref\":\"more\",\"$defs\":{\"base\":{\"$id\":\"base\","
      "\"$dynamicAnchor\":\"n\",\"items\":{\"$dynamicRef\":\"#n\"}},\"more\":{"
      "\"$id\":\"more\",\"$dynamicAnchor\":\"n\",\"$ref\":\"base\",\"minItems\""
      ":1}}}",
      "[[]]", false },
};

static void the_validator_is_right_where_people_looked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(by_hand) / sizeof(*by_hand); i++) {
        struct schema_universe su = { .values = NULL };

        schema_universe_set(&su, by_hand[i].schema);
        if (!schema_universe_agrees(&su, by_hand[i].text, by_hand[i].accepts))
            fail_msg("%s: %s", by_hand[i].schema, by_hand[i].text);
        schema_universe_free(&su);
    }
}

/* ---- the library beside it ----------------------------------------------- */

enum { PIECES = 8, SCHEMAS = 1200, SEED = 1 };

/* What is refused is uniqueItems, of items that cannot be kept apart. */
static bool may_be_refused(const char *document)
{
    return strstr(document, "uniqueItems") != NULL;
}

static void every_text_is_judged_alike(void **state)
{
    struct schema_universe su;
    size_t n[SCHEMA_ANSWERS] = { 0 };

    (void)state;
    schema_universe_make(&su, PIECES);
    for (uint64_t seed = SEED; seed < SEED + SCHEMAS; seed++) {
        struct schema_made made;
        enum schema_answer answer;
        char *document;

        schema_make(&made, seed);
        document = schema_document(&made, NULL);
        schema_universe_judge(&su, document);
        answer = schema_universe_ask(&su, document, NULL);
        n[answer]++;
        if (answer >= SCHEMA_REFUSED && !may_be_refused(document))
            fail_msg("%s: is refused", document);
        free(document);
        schema_made_free(&made);
    }
    assert_in_range(n[SCHEMA_RIGHT], SCHEMAS * 3 / 4, SCHEMAS);
    assert_in_range(n[SCHEMA_EMPTY], 1, SCHEMAS / 5);
    schema_universe_free(&su);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_validator_is_right_where_people_looked),
        cmocka_unit_test(every_text_is_judged_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
