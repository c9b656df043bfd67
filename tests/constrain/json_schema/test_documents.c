/*
 * test_documents.c - documents that the caller supplies, and their dialects
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json_schema/schema.h"
#include "support/heap.h"
#include "support/schema_cases.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <string.h>

#define NEW   "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\""
#define OLD   "\"$schema\":\"http://json-schema.org/draft-07/schema#\""
#define VOCAB "https://json-schema.org/draft/2020-12/vocab/"

/* A small shelf; asked counts what was asked for by index. */
static const struct {
    const char *uri, *text;
} shelf[] = {
    { "http://x/int.json", "{\"type\":\"integer\"}" },
    { "http://x/yes.json", "true" },
    { "http://x/no.json", "false" },
    { "http://x/many.json",
      "{\"$defs\":{\"a\":{\"type\":\"null\"},\"b\":{\"$anchor\":\"bee\","
      "\"type\":\"string\"}},\"$ref\":\"#/$defs/a\"}" },
    /* Refers on, and back to the schema itself. */
    { "http://x/node.json",
      "{\"type\":\"object\",\"properties\":{\"leaf\":{\"$ref\":\"int.json\"},"
      "\"tree\":{\"$ref\":\"http://x/"
      "root\"}},\"additionalProperties\":false}" },
    /* Has another name than the one it is found by. */
    { "http://x/alias.json",
      "{\"$id\":\"http://y/deep/real\",\"items\":{\"$ref\":\"beside\"}}" },
    { "http://y/deep/beside", "{\"type\":\"boolean\"}" },
    /* Draft 7: what stands beside $ref says nothing. */
    { "http://x/old.json", "{" OLD ",\"definitions\":{\"s\":{\"type\":"
                           "\"string\"}},\"properties\":{\"p\":{\"$ref\":"
                           "\"#/definitions/s\",\"maxLength\":1}}}" },
    { "http://x/plain.json",
      "{\"$defs\":{\"s\":{\"type\":\"string\"}},\"properties\":{\"p\":{"
      "\"$ref\":\"#/$defs/s\",\"maxLength\":1}}}" },
    { "http://x/list.json",
      "{" NEW ",\"$id\":\"http://x/list.json\",\"type\":\"array\",\"items\":{"
      "\"$dynamicRef\":\"#item\"},\"$defs\":{\"any\":{\"$dynamicAnchor\":"
      "\"item\"}}}" },
    { "loose.json", "{\"type\":\"null\"}" },
    { "http://x/torn.json", "{\"type\":" },
    { "http://x/twice.json", "{\"a\":{\"type\":\"null\",\"type\":\"null\"}}" },
    { "http://x/wrong.json", "{\"properties\":{\"a\":{\"minLength\":-1}}}" },
    { "http://x/lost.json", "{\"items\":{\"$ref\":\"nowhere.json\"}}" },
    /* Dialects. */
    { "http://x/no-validation", "{" NEW ",\"$vocabulary\":{\"" VOCAB
                                "core\":true,\"" VOCAB "applicator\":true}}" },
    { "http://x/no-unevaluated",
      "{" NEW ",\"$vocabulary\":{\"" VOCAB "core\":true,\"" VOCAB
      "applicator\":true,\"" VOCAB
      "validation\":true,\"http://x/own\":false}}" },
    { "http://x/required-own",
      "{" NEW ",\"$vocabulary\":{\"http://x/own\":true}}" },
    { "http://x/as-old", "{" OLD ",\"$vocabulary\":{\"http://x/own\":true}}" },
    { "http://x/not-a-map", "{" NEW ",\"$vocabulary\":[]}" },
    { "http://x/nameless", "{\"type\":\"object\"}" },
};

struct reader {
    unsigned asked[SRT_COUNT(shelf)];
    unsigned others;
    sortes_status status; /* of a URI that is not on the shelf */
};

static sortes_status fetch(void *ctx, const char *uri, const char **text,
                           size_t *n)
{
    struct reader *r = ctx;

    assert_null(strchr(uri, '#'));
    for (size_t i = 0; i < SRT_COUNT(shelf); i++)
        if (strcmp(shelf[i].uri, uri) == 0) {
            r->asked[i]++;
            *text = shelf[i].text;
            *n = strlen(shelf[i].text);
            return SORTES_OK;
        }
    r->others++;
    return r->status;
}

static sortes_grammar_options options_for(struct reader *r)
{
    *r = (struct reader){ .status = SORTES_E_NAME };
    return (sortes_grammar_options){ .struct_size =
                                         sizeof(sortes_grammar_options),
                                     .profile = "json",
                                     .resolve = fetch,
                                     .resolve_ctx = r };
}

static void documents_are_read_as_if_they_stood_here(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$ref\":\"http://x/int.json\"}", { "1" }, { "\"a\"" } },
        { "{\"$ref\":\"http://x/int.json#\"}", { "1" }, { "\"a\"" } },
        { "{\"items\":{\"$ref\":\"http://x/yes.json\"}}", { "[1]" }, { "[" } },
        { "{\"items\":{\"$ref\":\"http://x/no.json\"}}", { "[]" }, { "[1]" } },
        { "{\"$ref\":\"http://x/many.json\"}", { "null" }, { "\"a\"" } },
        { "{\"$ref\":\"http://x/many.json#/$defs/b\"}",
          { "\"a\"" },
          { "null" } },
        { "{\"$ref\":\"http://x/many.json#bee\"}", { "\"a\"" }, { "null" } },
        { "{\"$id\":\"http://x/root\",\"properties\":{\"n\":{\"$ref\":"
          "\"node.json\"}},\"additionalProperties\":false}",
          { "{}", "{\"n\":{\"leaf\":1,\"tree\":{\"n\":{\"leaf\":2}}}}" },
          { "{\"n\":{\"leaf\":\"a\"}}", "{\"n\":{\"tree\":{\"m\":1}}}" } },
        { "{\"$ref\":\"http://x/alias.json\"}", { "[true]" }, { "[1]" } },
        /* By both of its names: one document. */
        { "{\"prefixItems\":[{\"$ref\":\"http://x/alias.json\"},{\"$ref\":"
          "\"http://y/deep/real\"}]}",
          { "[[true],[false]]" },
          { "[[1]]", "[[true],[1]]" } },
        { "{\"$ref\":\"loose.json\"}", { "null" }, { "1" } },
        { "{\"$ref\":\"./loose.json\"}", { "null" }, { "1" } },
    };
    struct reader r;
    const sortes_grammar_options options = options_for(&r);

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

/* What a document says of its draft counts for it alone; where it says nothing,
 * it is read as the schema. */
static void documents_keep_their_dialect(void **state)
{
    static const struct schema_case cases[] = {
        { "{" NEW ",\"$ref\":\"http://x/old.json\"}",
          { "{\"p\":\"ab\"}" },
          { "{\"p\":1}" } },
        { "{" NEW ",\"$ref\":\"http://x/plain.json\"}",
          { "{\"p\":\"a\"}" },
          { "{\"p\":\"ab\"}" } },
        { "{" OLD ",\"$ref\":\"http://x/plain.json\"}",
          { "{\"p\":\"ab\"}" },
          { "{\"p\":1}" } },
        { "{" NEW ",\"$id\":\"http://x/strings\",\"$ref\":\"list.json\","
          "\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\",\"type\":\"string\"}}"
          "}",
          { "[\"a\"]", "[]" },
          { "[1]" } },
    };
    struct reader r;
    const sortes_grammar_options options = options_for(&r);

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void dialects_may_be_described_by_documents(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$schema\":\"http://x/no-validation\",\"properties\":{\"a\":{"
          "\"type\":\"integer\"},\"b\":false},\"required\":[\"a\"]}",
          { "{}", "{\"a\":\"x\"}" },
          { "{\"b\":1}" } },
        { "{\"$schema\":\"http://x/no-unevaluated#\",\"properties\":{\"a\":{"
          "\"type\":\"integer\"}},\"unevaluatedProperties\":false}",
          { "{\"b\":1}" },
          { "{\"a\":\"x\"}" } },
        { "{\"$schema\":\"http://x/as-old\",\"properties\":{\"a\":{\"$ref\":"
          "\"#/definitions/i\",\"minimum\":5}},\"definitions\":{\"i\":{"
          "\"type\":\"integer\"}}}",
          { "{\"a\":1}" },
          { "{\"a\":\"x\"}" } },
        /* An outer dialect does not reach into a resource that names one. */
        { "{\"$schema\":\"http://x/no-validation\",\"$id\":\"http://x/r\","
          "\"properties\":{\"a\":{\"$id\":\"s\"," NEW ",\"type\":\"integer\"},"
          "\"b\":{\"$id\":\"t\",\"type\":\"integer\"}}}",
          { "{\"a\":1,\"b\":\"x\"}" },
          { "{\"a\":\"x\"}" } },
    };
    struct reader r;
    const sortes_grammar_options options = options_for(&r);

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void check_refused(const sortes_grammar_options *options,
                          const char *schema, sortes_status status,
                          const char *text)
{
    sortes_grammar *g = NULL;
    sortes_error err = { 0 };
    const sortes_status got = sortes_grammar_new(&g, "json_schema", schema,
                                                 strlen(schema), options, &err);

    if (got != status || strcmp(err.text, text) != 0 || g ||
        err.offset > strlen(schema))
        fail_msg("%s: %s, \"%s\", byte %zu", schema, sortes_status_name(got),
                 err.text, err.offset);
}

static void what_is_wrong_is_named_with_its_document(void **state)
{
    static const struct {
        const char *schema;
        sortes_status status;
        const char *text;
    } cases[] = {
        { "{\"items\":{\"$ref\":\"http://z/a#/b\"}}", SORTES_E_NAME,
          "json_schema: #/items/$ref: this document is not here: "
          "'http://z/a'" },
        { "{\"$ref\":\"http://x/a\\u0000b\"}", SORTES_E_NAME,
          "json_schema: #/$ref: this document is not here: 'http://x/a'" },
        { "{\"$ref\":\"http://x/int.json#/b\"}", SORTES_E_NAME,
          "json_schema: #/$ref: nothing stands where the reference points" },
        { "{\"$ref\":\"http://x/torn.json\"}", SORTES_E_SYNTAX,
          "json_schema: #/$ref: json: byte 8: expected a value (got the end): "
          "'http://x/torn.json'" },
        { "{\"$ref\":\"http://x/twice.json#/a\"}", SORTES_E_SYNTAX,
          "json_schema: http://x/twice.json#/a/type: the key occurs twice" },
        { "{\"$ref\":\"http://x/wrong.json\"}", SORTES_E_SYNTAX,
          "json_schema: http://x/wrong.json#/properties/a/minLength: a count "
          "is a whole number from 0 on" },
        { "{\"$ref\":\"http://x/lost.json\"}", SORTES_E_NAME,
          "json_schema: http://x/lost.json#/items/$ref: this document is not "
          "here: 'http://x/nowhere.json'" },
        { "{\"$schema\":\"http://x/required-own\"}", SORTES_E_NAME,
          "json_schema: http://x/required-own#/$vocabulary/http:~1~1x~1own: "
          "this vocabulary is unknown" },
        { "{\"$schema\":\"http://x/not-a-map\"}", SORTES_E_SYNTAX,
          "json_schema: http://x/not-a-map#/$vocabulary: $vocabulary is an "
          "object" },
        { "{\"$schema\":\"http://x/nameless\"}", SORTES_E_NAME,
          "json_schema: #/$schema: this dialect is unknown (drafts 4, 6, 7, "
          "2019-09, 2020-12)" },
        { "{\"$schema\":\"http://z/a\"}", SORTES_E_NAME,
          "json_schema: #/$schema: this dialect is unknown (drafts 4, 6, 7, "
          "2019-09, 2020-12)" },
    };
    struct reader r;
    sortes_grammar_options options = options_for(&r);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++)
        check_refused(&options, cases[i].schema, cases[i].status,
                      cases[i].text);
    /* A callback that fails, and one that has nothing in spite of its word. */
    r.status = SORTES_E_IO;
    check_refused(&options, "{\"$ref\":\"http://z/a\"}", SORTES_E_IO,
                  "json_schema: #/$ref: this document could not be had: "
                  "'http://z/a'");
    r.status = SORTES_OK;
    check_refused(&options, "{\"$ref\":\"http://z/a\"}", SORTES_E_NAME,
                  "json_schema: #/$ref: this document is not here: "
                  "'http://z/a'");
}

/* A long URI leaves room for the pointer. */
static void long_uris_are_cut_in_front(void **state)
{
    char schema[300], uri[200], text[256];
    struct reader r;
    const sortes_grammar_options options = options_for(&r);

    (void)state;
    memset(uri, 'u', 150);
    strcpy(uri + 150, "/end");
    snprintf(schema, sizeof(schema),
             "{\"$id\":\"http://x/%s\",\"items\":{\"$ref\":\"int.json\"}}",
             uri);
    check_refused(&options, schema, SORTES_E_NAME,
                  (snprintf(text, sizeof(text),
                            "json_schema: #/items/$ref: this document is not "
                            "here: 'http://x/%.150s/int.json'",
                            uri),
                   text));
}

static void nothing_is_asked_twice_or_in_vain(void **state)
{
    static const char schema[] =
        "{\"$id\":\"http://x/root\",\"$defs\":{\"unused\":{\"$ref\":"
        "\"http://z/a\"}},\"prefixItems\":[{\"$ref\":\"int.json\"},{\"$ref\":"
        "\"http://x/int.json#\"},{\"$ref\":\"node.json\"},{\"$ref\":\"#\"}]}";
    struct reader r;
    const sortes_grammar_options options = options_for(&r);
    sortes_grammar *g = small_grammar("json_schema", schema, &options);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(shelf); i++)
        assert_int_equal(r.asked[i], i == 0 || i == 4);
    assert_int_equal(r.others, 0);
    /* Nothing is asked once it is compiled, whatever comes. */
    memset(&r, 0, sizeof(r));
    assert_true(small_accepts(g, "[1,2,{\"tree\":[3]}]"));
    assert_int_equal(r.asked[0] + r.asked[4] + r.others, 0);
    sortes_grammar_free(g);
}

/* http://n/1 refers to http://n/2, and so on, `last` to none. */
struct chain {
    unsigned last, asked;
    char text[300][64];
};

static sortes_status next_of_chain(void *ctx, const char *uri,
                                   const char **text, size_t *n)
{
    struct chain *c = ctx;
    unsigned at;

    if (sscanf(uri, "http://n/%u", &at) != 1 || at >= SRT_COUNT(c->text))
        return SORTES_E_NAME;
    c->asked++;
    if (at < c->last)
        snprintf(c->text[at], sizeof(c->text[at]),
                 "{\"items\":{\"$ref\":\"http://n/%u\"}}", at + 1);
    else
        strcpy(c->text[at], "{\"type\":\"null\"}");
    *text = c->text[at];
    *n = strlen(c->text[at]);
    return SORTES_OK;
}

static void their_number_is_limited(void **state)
{
    static const char schema[] = "{\"$ref\":\"http://n/1\"}";
    static struct chain c;
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .resolve = next_of_chain,
                                             .resolve_ctx = &c };

    (void)state;
    c = (struct chain){ .last = 256 };
    sortes_grammar_free(small_grammar("json_schema", schema, &options));
    assert_int_equal(c.asked, 256);
    c = (struct chain){ .last = 257 };
    check_refused(&options, schema, SORTES_E_LIMIT,
                  "json_schema: http://n/256#/items/$ref: more than 256 other "
                  "documents: 'http://n/257'");
    assert_int_equal(c.asked, 256);
}

/* Of each schema in a list of tools, and inside tags. */
static void regions_have_documents_too(void **state)
{
    static const char tools[] =
        "{\"tools\":[{\"name\":\"f\",\"parameters\":{\"type\":\"object\","
        "\"properties\":{\"a\":{\"$ref\":\"http://x/int.json\"}}}}],"
        "\"tool_choice\":\"required\",\"format\":\"json\"}";
    struct reader r;
    sortes_grammar_options options = options_for(&r);
    sortes_grammar *g = small_grammar("tools", tools, &options);

    (void)state;
    assert_true(small_accepts(g, "{\"name\": \"f\", \"arguments\": "
                                 "{\"a\":1}}"));
    assert_false(small_accepts(g, "{\"name\": \"f\", \"arguments\": "
                                  "{\"a\":\"x\"}}"));
    sortes_grammar_free(g);
}

static void remarks_name_their_document(void *ctx, const char *where,
                                        const char *text)
{
    if (strstr(text, "vocabulary")) {
        assert_string_equal(where, "http://x/no-unevaluated#/$vocabulary/"
                                   "http:~1~1x~1own");
        assert_string_equal(text, "unknown vocabulary, ignored");
        ++*(int *)ctx;
    }
}

static void what_was_ignored_is_told(void **state)
{
    struct reader r;
    const sortes_grammar_options options = options_for(&r);
    sortes_grammar *g = small_grammar(
        "json_schema", "{\"$schema\":\"http://x/no-unevaluated\"}", &options);
    int n = 0;

    (void)state;
    sortes_grammar_remarks(g, remarks_name_their_document, &n);
    assert_int_equal(n, 1);
    sortes_grammar_free(g);
}

/* Each allocation fails in turn, alone and with all after it. */
static void memory_may_end_anywhere(void **state)
{
    static const char text[] =
        "{\"$schema\":\"http://x/no-unevaluated\",\"$id\":\"http://x/root\","
        "\"properties\":{\"n\":{\"$ref\":\"node.json\"},\"a\":{\"$ref\":"
        "\"alias.json\"},\"l\":{\"$ref\":\"list.json\"}}}";
    struct reader r;
    const sortes_grammar_options options = options_for(&r);
    struct srt_options read;
    struct srt_schema s;
    uint32_t whole;
    bool failed = true;

    (void)state;
    if (!heap_is_ours())
        skip();
    assert_int_equal(srt_options_read(&read, &options, NULL), SORTES_OK);
    assert_int_equal(srt_schema_read(&s, text, strlen(text), &read, NULL),
                     SORTES_OK);
    whole = s.nodes.n;
    srt_schema_free(&s);
    for (size_t n = 1; failed; n++)
        for (int go_on = 0; go_on < 2; go_on++) {
            const long before = heap.live;
            sortes_status status;

            heap_arm(n, go_on);
            status = srt_schema_read(&s, text, strlen(text), &read, NULL);
            heap_disarm();
            failed = heap.failed > 0;
            if (status == SORTES_OK) { /* what failed was done without */
                assert_int_equal(s.documents.n, 7);
                assert_int_equal(s.nodes.n, whole);
                srt_schema_free(&s);
            } else {
                assert_true(failed && status == SORTES_E_NOMEM);
            }
            assert_int_equal(heap.live, before);
        }
    failed = true;
    for (size_t n = 1; failed; n++) { /* and what is built of it */
        const long before = heap.live;
        sortes_grammar *g = NULL;
        sortes_status status;

        heap_arm(n, n % 2);
        status = sortes_grammar_new(&g, "json_schema", text, strlen(text),
                                    &options, NULL);
        heap_disarm();
        failed = heap.failed > 0;
        assert_true(status == SORTES_OK ||
                    (failed && status == SORTES_E_NOMEM));
        sortes_grammar_free(g);
        assert_int_equal(heap.live, before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_read_as_if_they_stood_here),
        cmocka_unit_test(documents_keep_their_dialect),
        cmocka_unit_test(dialects_may_be_described_by_documents),
        cmocka_unit_test(what_is_wrong_is_named_with_its_document),
        cmocka_unit_test(long_uris_are_cut_in_front),
        cmocka_unit_test(nothing_is_asked_twice_or_in_vain),
        cmocka_unit_test(their_number_is_limited),
        cmocka_unit_test(regions_have_documents_too),
        cmocka_unit_test(what_was_ignored_is_told),
        cmocka_unit_test(memory_may_end_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
