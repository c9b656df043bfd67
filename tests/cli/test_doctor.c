/*
 * test_doctor.c - tests of cli/doctor.c, from outside
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "support/run_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static struct run r;

static int prepare(void **state)
{
    (void)state;
    memset(&r, 0, sizeof(r));
    return 0;
}

static const char *file(const char *text)
{
    return run_file(text, strlen(text));
}

static void has(const char *text)
{
    if (!strstr(r.out, text))
        fail_msg("'%s' is not in: %s", text, r.out);
}

static void doctor_tells_what_is_refused(void **state)
{
    const char *path =
        file("{\"messages\":[],\"tools\":[{\"type\":\"function\","
             "\"function\":{\"description\":\"\"}}],"
             "\"response_format\":{\"type\":\"json_object\"}}");

    (void)state;
    RUN(&r, "doctor", path);
    run_check(&r, 1, "");
    has("refused     #/tools/0: a function has a name\n");
    has("ok          #/response_format: understood as json_object: compiled ");
    has("1 of 2 understood; 0 suspicious\n");
}

static void doctor_tells_what_is_suspicious(void **state)
{
    const char *path =
        file("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
             "\"string\",\"format\":\"zip\"}}}");

    (void)state;
    RUN(&r, "doctor", path);
    run_check(&r, 0, "");
    has("ok          #: understood as json_schema: compiled in ");
    has("ignored     #/properties/a/format: unknown format, ignored\n");
    has("suspicious  #/properties: some names are optional and the object is ");
    has("1 of 1 understood; 1 suspicious\n");
}

/* Each of them, and not the first alone; the list counts as one part. */
static void doctor_tells_every_tool_that_is_refused(void **state)
{
    const char *path = file(
        "{\"model\":\"m\",\"tools\":["
        "{\"type\":\"function\",\"function\":{\"name\":\"find\",\"parameters\":"
        "{"
        "\"type\":\"object\",\"properties\":{\"re\":{\"format\":\"regex\"}}}}},"
        "{\"type\":\"function\",\"function\":{\"name\":\"fine\",\"parameters\":"
        "{"
        "\"type\":\"object\"}}},"
        "{\"name\":\"wrong\",\"input_schema\":{\"type\":\"object\","
        "\"required\":["
        "\"a\"],\"additionalProperties\":false}},"
        "{\"type\":\"web_search\"},3],"
        "\"response_format\":{\"type\":\"json_object\"}}");
    static const char told[] =
        "refused     #/tools/0/function/parameters/properties/re/format: "
        "'find': this format cannot be checked while a text comes "
        "(formats=annotate passes it over)\n";
    static const char rest[] =
        "refused     #/tools/2/input_schema/required/0: 'wrong': no text "
        "satisfies it: this key is required, but it cannot occur\n"
        "suspicious  #/tools/2/input_schema/required/0: this key is required, "
        "but it cannot occur\n"
        "refused     #/tools/3: the type is not \"function\"\n"
        "refused     #/tools/4: a list of tools is wanted, an object with "
        "one, or a function\n"
        "ok          #/response_format: ";

    (void)state;
    RUN(&r, "doctor", path);
    run_check(&r, 1, "");
    has(told);
    has(rest);
    assert_null(strstr(r.out, "fine"));
    has("1 of 2 understood; 2 suspicious\n");
    /* What is wrong with the list itself. */
    RUN(&r, "doctor",
        file("{\"tools\":[{\"name\":\"f\"}],\"tool_choice\":\"perhaps\"}"));
    run_check(&r, 1, "");
    has("refused     #/tool_choice: there is no such choice (allowed: ");
    has("0 of 1 understood; 0 suspicious\n");
}

/* One place in the whole, however many grammars are inside one another. */
static void doctor_says_where_in_the_whole(void **state)
{
    (void)state;
    RUN(&r, "doctor",
        file("{\"response_format\":{\"type\":\"structural_tag\",\"format\":{"
             "\"type\":\"tag\",\"begin\":\"<\",\"end\":\">\",\"content\":{"
             "\"type\":\"json_schema\",\"json_schema\":{\"items\":{\"type\":"
             "\"strong\"}}}}}}"));
    run_check(&r, 1, "");
    has("refused     #/response_format/format/content/json_schema/items/type: "
        "a type is null, ");
    RUN(&r, "doctor",
        file("{\"model\":\"m\",\"format\":{\"items\":{\"type\":\"strong\"}}}"));
    run_check(&r, 1, "");
    has("refused     #/format/items/type: a type is null, ");
}

static void doctor_refuses_what_it_cannot_read(void **state)
{
    (void)state;
    RUN(&r, "doctor", file("{\"response_format\":{\"type\":\"json_schema\"}}"));
    run_check(&r, 1, "");
    has("refused     #/response_format: the schema is missing: it stands in "
        "json_schema.schema\n");
    RUN(&r, "doctor", file("{\"prompt\":\"\",\"guided_choice\":[\"a\"]}"));
    run_check(&r, 1, "");
    has("refused     #/guided_choice: sortes does not read this field\n");
    RUN(&r, "doctor", file("{\"prompt\":\"\",\"temperature\":0}"));
    run_check(&r, 0, "");
    assert_string_equal(r.out, "nothing here asks for a grammar\n");
}

static void doctor_writes_json(void **state)
{
    (void)state;
    RUN(&r, "doctor", "--json", file("{\"a\":"));
    run_check(&r, 1, "");
    assert_string_equal(
        r.out,
        "{\"findings\":[{\"level\":\"refused\",\"where\":\"#\","
        "\"text\":\"json: byte 5: expected a value (got the end); a schema, a "
        "structural tag, tools or a request is wanted\"}],\"parts\":1,"
        "\"refused\":1,\"suspicious\":0}\n");
}

static void doctor_takes_one_file_and_a_profile(void **state)
{
    const char *path = file("[{\"name\":\"f\"},{\"name\":1}]");

    (void)state;
    RUN(&r, "doctor", "--lenient", "true", path);
    run_check(&r, 0, "");
    has("ignored     #/1: tool 1: a function has a name; left out\n");
    RUN(&r, "doctor");
    run_check(&r, 2, "sortes: doctor: a file is missing\n");
    RUN(&r, "doctor", path, path);
    assert_int_equal(r.exit_code, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(doctor_tells_what_is_refused, prepare),
        cmocka_unit_test_setup(doctor_tells_what_is_suspicious, prepare),
        cmocka_unit_test_setup(doctor_tells_every_tool_that_is_refused,
                               prepare),
        cmocka_unit_test_setup(doctor_says_where_in_the_whole, prepare),
        cmocka_unit_test_setup(doctor_refuses_what_it_cannot_read, prepare),
        cmocka_unit_test_setup(doctor_writes_json, prepare),
        cmocka_unit_test_setup(doctor_takes_one_file_and_a_profile, prepare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
