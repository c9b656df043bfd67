/*
 * test_load.c - a plug-in that is missing, no plug-in, or of another version
 *
 * Plug-ins are made here, by $CC, from a few lines each.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "sortes_mlx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes NAME.c, makes ./NAME.so of it. */
static void make_plugin(const char *name, const char *source)
{
    const char *cc = getenv("CC");
    char path[64], command[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s.c", name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof(command),
             "%s -shared -fPIC -I%s/include %s.c -o %s.so", cc ? cc : "cc",
             SORTES_ROOT, name, name);
    fflush(NULL);
    assert_int_equal(system(command), 0);
}

static void check_refused(const char *path, sortes_status status,
                          const char *text)
{
    sortes_mlx mlx, empty = { 0 };
    sortes_error err;

    memset(&mlx, 7, sizeof(mlx));
    assert_int_equal(sortes_mlx_load(&mlx, path, &err), status);
    assert_int_equal(err.status, status);
    if (!strstr(err.text, text))
        fail_msg("%s: %s", path, err.text);
    assert_int_equal(strncmp(err.text, "mlx plug-in: ", 13), 0);
    assert_memory_equal(&mlx, &empty, sizeof(mlx));
    assert_int_equal(sortes_mlx_load(&mlx, path, NULL), status);
}

static void a_missing_plugin_is_said_to_be_missing(void **state)
{
    sortes_mlx mlx;
    sortes_error err;

    (void)state;
    check_refused("./none.so", SORTES_E_IO, "./none.so");
    assert_int_equal(sortes_mlx_load(&mlx, NULL, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_mlx_load(NULL, "./none.so", &err),
                     SORTES_E_ARGUMENT);
}

static void another_library_is_no_plugin(void **state)
{
    (void)state;
    make_plugin("other", "int other(void);\nint other(void) { return 1; }\n");
    check_refused("./other.so", SORTES_E_NAME, "no plug-in of sortes");
}

static void another_version_says_which(void **state)
{
    (void)state;
    make_plugin("old",
                "#include \"sortes_mlx.h\"\n#include <stdio.h>\n"
                "sortes_mlx_entry sortes_mlx_plugin;\n"
                "sortes_status sortes_mlx_plugin(int i, sortes_mlx *o,"
                " char *t, size_t n)\n"
                "{ (void)o; snprintf(t, n, \"wrong interface (got %d, allowed"
                " 0)\", i); return SORTES_E_NAME; }\n");
    check_refused("./old.so", SORTES_E_NAME,
                  "wrong interface (got 1, allowed 0)");
}

static void a_good_one_is_opened_and_closed(void **state)
{
    sortes_mlx mlx;
    sortes_error err;

    (void)state;
    make_plugin("good", "#include \"sortes_mlx.h\"\n"
                        "sortes_mlx_entry sortes_mlx_plugin;\n"
                        "sortes_status sortes_mlx_plugin(int i, sortes_mlx *o,"
                        " char *t, size_t n)\n"
                        "{ (void)i; (void)t; (void)n; o->version = \"9.9\";"
                        " return SORTES_OK; }\n");
    assert_int_equal(sortes_mlx_load(&mlx, "./good.so", &err), SORTES_OK);
    assert_int_equal(err.status, SORTES_OK);
    assert_string_equal(mlx.version, "9.9");
    sortes_mlx_unload(&mlx);
    assert_null(mlx.version);
    sortes_mlx_unload(&mlx);
    sortes_mlx_unload(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_plugin_is_said_to_be_missing),
        cmocka_unit_test(another_library_is_no_plugin),
        cmocka_unit_test(another_version_says_which),
        cmocka_unit_test(a_good_one_is_opened_and_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
