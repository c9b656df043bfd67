/*
 * test_formats.c - formats accept what their sources do
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/schema_cases.h"

static void dates_and_addresses(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\": \"string\", \"format\": \"date\"}",
          { "\"2024-02-29\"", "\"2000-02-29\"", "\"1999-12-31\"" },
          { "\"2023-02-29\"", "\"1900-02-29\"", "\"2024-13-01\"",
            "\"2024-04-31\"", "\"24-1-1\"" } },
        { "{\"type\": \"string\", \"format\": \"time\"}",
          { "\"12:00:00Z\"", "\"23:59:60Z\"", "\"15:59:60-08:00\"",
            "\"05:29:60+05:30\"", "\"08:30:06.283185+02:00\"" },
          { "\"24:00:00Z\"", "\"12:00:00\"", "\"22:59:60Z\"",
            "\"23:59:60+01:00\"", "\"12:60:00Z\"" } },
        { "{\"type\": \"string\", \"format\": \"date-time\"}",
          { "\"2024-02-29T12:00:00Z\"", "\"1990-12-31t15:59:60.5-08:00\"" },
          { "\"2024-02-30T12:00:00Z\"", "\"2024-01-01\"",
            "\"2024-01-01 00:00:00Z\"" } },
        { "{\"type\": \"string\", \"format\": \"duration\"}",
          { "\"P3Y\"", "\"PT1H2M\"", "\"P1W\"", "\"P1DT12H\"", "\"P1Y2M3D\"" },
          { "\"P\"", "\"PT\"", "\"P1Y1W\"", "\"1D\"", "\"P1D2H\"",
            "\"P1Y3D\"" } },
        { "{\"type\": \"string\", \"format\": \"email\"}",
          { "\"a@b.co\"", "\"a.b+c@d-e.f\"", "\"x@[127.0.0.1]\"" },
          { "\"a\"", "\"a@\"", "\"@b\"", "\"a..b@c\"", "\"a@b..c\"" } },
        { "{\"type\": \"string\", \"format\": \"hostname\"}",
          { "\"a\"", "\"a.b-c.d\"", "\"1a\"" },
          { "\"-a\"", "\"a-\"", "\"a..b\"", "\"a_b\"", "\"\"" } },
        { "{\"type\": \"string\", \"format\": \"ipv4\"}",
          { "\"127.0.0.1\"", "\"255.255.255.255\"" },
          { "\"256.0.0.1\"", "\"1.2.3\"", "\"01.2.3.4\"" } },
        { "{\"type\": \"string\", \"format\": \"ipv6\"}",
          { "\"::\"", "\"::1\"", "\"1:2:3:4:5:6:7:8\"", "\"2001:db8::1\"",
            "\"::ffff:1.2.3.4\"" },
          { "\"12345::\"", "\"1::2::3\"", "\":1\"", "\"1:2:3:4:5:6:7\"",
            "\"1:2:3:4:5:6:7:8:9\"" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void identifiers(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\": \"string\", \"format\": \"uuid\"}",
          { "\"2eb8aa08-AA98-11ea-b4aa-73b441d16380\"" },
          { "\"2eb8aa08aa9811eab4aa73b441d16380\"", "\"g\"" } },
        { "{\"type\": \"string\", \"format\": \"uri\"}",
          { "\"https://a.b/c?d=e#f\"", "\"urn:x\"", "\"http://[::1]:80/\"" },
          { "\"a b\"", "\"/a\"", "\"//a\"", "\"http://a b\"",
            "\"http://[1::2::3]/\"" } },
        { "{\"type\": \"string\", \"format\": \"uri-reference\"}",
          { "\"/a/b\"", "\"\"", "\"a\"", "\"?q\"", "\"//h/p\"" },
          { "\"a b\"", "\"\\\\\\\\x\"", "\"a:b:[\"" } },
        { "{\"type\": \"string\", \"format\": \"iri\"}",
          { "\"https://é.b/ü\"" },
          { "\"a b\"", "\"/é\"" } },
        { "{\"type\": \"string\", \"format\": \"json-pointer\"}",
          { "\"\"", "\"/a\"", "\"/~0~1\"" },
          { "\"a\"", "\"/~2\"" } },
        { "{\"type\": \"string\", \"format\": \"relative-json-pointer\"}",
          { "\"0\"", "\"1/a\"", "\"2#\"" },
          { "\"01\"", "\"/a\"", "\"-1\"" } },
        { "{\"type\": \"string\", \"format\": \"uri-template\"}",
          { "\"/a/{b}\"", "\"{+x:3,y*}\"", "\"a'b\"" },
          { "\"{\"", "\"{}\"", "\"a}b\"", "\"{a b}\"" } },
        { "{\"type\": \"string\", \"format\": \"idn-email\"}",
          { "\"é@ü.co\"" },
          { "\"a\"", "\"@\"" } },
        { "{\"type\": \"string\", \"format\": \"x-unknown\"}",
          { "\"anything\"" },
          { "1" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void annotations_say_nothing(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .formats = "annotate" };
    static const struct schema_case cases[] = {
        { "{\"format\":\"date\"}", { "\"x\"", "1" }, { "x" } },
        { "{\"format\":\"regex\"}", { "\"(\"" }, { "(" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_and_addresses),
        cmocka_unit_test(identifiers),
        cmocka_unit_test(annotations_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
