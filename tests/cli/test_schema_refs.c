/*
 * test_schema_refs.c - tests of cli/schema_refs.c, from outside
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRUE_LINE     "{\"accepted\":true,\"byte\":null}\n"
#define FALSE_LINE(n) "{\"accepted\":false,\"byte\":" #n "}\n"

static struct run r;

/* A folder: a.json, and in/b.json. */
static char folder[64];

static void write_file(const char *name, const char *text)
{
    char path[96];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int prepare(void **state)
{
    char path[96];

    (void)state;
    memset(&r, 0, sizeof(r));
    strcpy(folder, "/tmp/sortes-refs-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/in", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("a.json", "{\"items\":{\"$ref\":\"in/b.json\"}}");
    write_file("in/b.json", "{\"type\":\"null\"}");
    return 0;
}

static int tidy(void **state)
{
    static const char *const names[] = { "a.json", "in/b.json", "in", "." };
    char path[96];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        (void)remove(i == 3 ? folder : path);
    }
    return 0;
}

static const char *file(const char *text)
{
    return run_file(text, strlen(text));
}

static const char *join(char *out, const char *uri, const char *name)
{
    sprintf(out, "%s=%s%s", uri, folder, name);
    return out;
}

static void check(const char *schema, const char *ref, const char *more)
{
    r.in = "[null]\n[1]\n";
    r.n_in = strlen(r.in);
    RUN(&r, "grammar", "check", "--kind", "json_schema", "--file", file(schema),
        "--ref", ref, more ? "--ref" : NULL, more);
}

static void documents_come_from_files_and_folders(void **state)
{
    static const char schema[] = "{\"$ref\":\"http://x/y/a.json\"}";
    char one[128], two[128];

    (void)state;
    check(schema, join(one, "http://x/y/a.json", "/a.json"),
          join(two, "http://x/y/in/b.json", "/in/b.json"));
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(1));
    run_check(&r, 0, "");
    check(schema, join(one, "http://x/y", ""), NULL);
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(1));
    check(schema, join(one, "http://x/y/", "/"), NULL);
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(1));
    /* The first that has it. */
    check(schema, join(one, "http://x/y", "/in"), join(two, "http://x/y", ""));
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(1));
    check("{\"$ref\":\"a.json\"}", join(one, "a.json", "/a.json"),
          join(two, "in", "/in"));
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(1));
    RUN(&r, "doctor", "--ref", join(one, "http://x/y", ""), file(schema));
    run_check(&r, 0, "");
}

static void what_is_not_there_is_told(void **state)
{
    static const char schema[] = "{\"$ref\":\"http://x/y/a.json\"}";
    char one[128];

    (void)state;
    check(schema, join(one, "http://x/y/a.json", "/a.json"), NULL);
    run_check(&r, 1, "");
    assert_string_equal(r.out,
                        "{\"error\":\"json_schema: http://x/y/a.json#/items/"
                        "$ref: this document is not here: "
                        "'http://x/y/in/b.json'\"}\n");
    check(schema, join(one, "http://x/y/a.json", "/none.json"), NULL);
    run_check(&r, 1, "none.json: cannot be opened");
    assert_non_null(strstr(r.out, "this document could not be had: "
                                  "'http://x/y/a.json'"));
    /* Neither another folder's URI nor a way out. */
    check("{\"$ref\":\"http://x/yy/a.json\"}", join(one, "http://x/y", ""),
          NULL);
    assert_non_null(strstr(r.out, "is not here"));
    check("{\"$ref\":\"in/../a.json\"}", join(one, "in", "/in"), NULL);
    assert_non_null(strstr(r.out, "is not here"));
    check("{\"$ref\":\"http://x/y/in\"}", join(one, "http://x/y", ""), NULL);
    assert_non_null(strstr(r.out, "is not here"));
}

static void the_option_needs_both_parts(void **state)
{
    static const char *const wrong[] = { "http://x", "=file", "http://x=" };
    const char *args[132] = { "doctor" };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        RUN(&r, "doctor", "--ref", wrong[i], "-");
        run_check(&r, 2, "is not URI=PATH");
    }
    for (size_t i = 0; i < 65; i++) {
        args[1 + 2 * i] = "--ref";
        args[2 + 2 * i] = "u=p";
    }
    run_program(&r, args);
    run_check(&r, 2, "--ref: more than 64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(documents_come_from_files_and_folders,
                                        prepare, tidy),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_told, prepare,
                                        tidy),
        cmocka_unit_test_setup_teardown(the_option_needs_both_parts, prepare,
                                        tidy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
