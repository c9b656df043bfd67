/*
 * cxx.c - compiles and runs a C++ program, to ask its standard library
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "support/cxx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>

enum { CXX_WRONG_LIBRARY = 77 };

/* Exit status of a shell command; above 255 where it was killed. */
static int cxx_shell(const char *format, const char *a, const char *b)
{
    char command[4096];
    const int n = snprintf(command, sizeof(command), format, a, b);
    int status;

    assert_true(n > 0 && (size_t)n < sizeof(command));
    fflush(NULL);
    status = system(command);
    assert_int_not_equal(status, -1);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

static const char *cxx_find(void)
{
    const char *const names[] = { getenv("CXX"), "g++", "c++", "clang++" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i] && names[i][0] &&
            cxx_shell("%s --version >/dev/null 2>&1%s", names[i], "") == 0)
            return names[i];
    }
    return NULL;
}

bool cxx_run(const char *source, const char *arguments)
{
    const char *compiler = cxx_find();
    int code;

    if (!compiler)
        return false;
    code = cxx_shell("%s -std=c++11 -O1 -o cxx_oracle '%s'", compiler, source);
    if (code != 0)
        fail_msg("%s does not compile", source);
    code = cxx_shell("./cxx_oracle %s%s", arguments, "");
    if (code != 0 && code != CXX_WRONG_LIBRARY)
        fail_msg("%s ended with %d", source, code);
    return code == 0;
}

#else

bool cxx_run(const char *source, const char *arguments)
{
    (void)source;
    (void)arguments;
    return false;
}

#endif
