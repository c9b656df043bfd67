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
    has("refused     #: tools: tool 0: #/tools/0: a function has a name\n");
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

static void doctor_writes_json(void **state)
{
    (void)state;
    RUN(&r, "doctor", "--json", file("{\"a\":"));
    run_check(&r, 1, "");
    assert_string_equal(
        r.out,
        "{\"findings\":[{\"level\":\"refused\",\"part\":\"\",\"where\":\"#\","
        "\"text\":\"json: byte 5: expected a value (got the "
        "end)\"}],\"parts\":1,"
        "\"refused\":1,\"suspicious\":0}\n");
}

static void doctor_takes_one_file_and_a_profile(void **state)
{
    const char *path = file("[{\"name\":\"f\"},{\"name\":1}]");

    (void)state;
    RUN(&r, "doctor", "--lenient", "true", path);
    run_check(&r, 0, "");
    has("ignored     #: tools: tool 1: #/1: a function has a name; left out\n");
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
        cmocka_unit_test_setup(doctor_writes_json, prepare),
        cmocka_unit_test_setup(doctor_takes_one_file_and_a_profile, prepare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
