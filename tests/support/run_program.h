/*
 * run_program.h - runs the built program and looks at what came out
 *
 * The program is the one that SORTES_BIN names.  Standard input is a text,
 * standard output and standard error are caught, each up to a limit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_RUN_PROGRAM_H
#define SUPPORT_RUN_PROGRAM_H

#include <stddef.h>

enum { RUN_TEXT_MAX = 65536, RUN_ARGS_MAX = 160 };

/* Where standard output goes. */
enum run_out {
    RUN_OUT_CAUGHT,
    RUN_OUT_CLOSED, /* no descriptor 1 at all */
    RUN_OUT_FULL,   /* /dev/full: every write fails */
    RUN_OUT_BROKEN  /* a pipe whose reader is gone */
};

struct run {
    const void *in; /* standard input; NULL: empty */
    size_t n_in;
    enum run_out to;

    int exit_code; /* 128 + signal when it was killed */
    char out[RUN_TEXT_MAX], err[RUN_TEXT_MAX]; /* NUL-terminated */
};

/*
 * Starts the program with the arguments up to the first NULL and waits.  The
 * test fails when it cannot be started.
 */
void run_program(struct run *r, const char *const *args);

/* run_program with the arguments in place: RUN(&r, "sample", "-") */
#define RUN(r, ...) run_program((r), (const char *const[]){ __VA_ARGS__, NULL })

/* Fails the test unless the program ended with code and said words. */
void run_check(const struct run *r, int code, const char *words);

/* A file with these bytes; its name is valid until the next but two calls,
 * and it is removed when the test program ends. */
const char *run_file(const void *bytes, size_t n);

#endif /* SUPPORT_RUN_PROGRAM_H */
