/*
 * run_program.c - runs the built program and looks at what came out
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
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { RUN_N_FILES = 4 };

static char run_files[RUN_N_FILES][64];
static size_t run_n_files;

static void run_remove_files(void)
{
    for (size_t i = 0; i < RUN_N_FILES; i++)
        if (run_files[i][0])
            unlink(run_files[i]);
}

/* An open, empty file that vanishes when it is closed. */
static int run_scratch(void)
{
    char name[] = "/tmp/sortes-test-XXXXXX";
    const int fd = mkstemp(name);

    assert_true(fd >= 0);
    unlink(name);
    return fd;
}

static void run_write(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;

    while (n > 0) {
        const ssize_t done = write(fd, p, n);
        assert_true(done > 0);
        p += done;
        n -= (size_t)done;
    }
}

const char *run_file(const void *bytes, size_t n)
{
    char *name = run_files[run_n_files++ % RUN_N_FILES];

    if (run_n_files == 1)
        atexit(run_remove_files);
    if (name[0])
        unlink(name);
    strcpy(name, "/tmp/sortes-test-XXXXXX");
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    run_write(fd, bytes, n);
    close(fd);
    return name;
}

static void run_read_back(int fd, char *text)
{
    const ssize_t n = pread(fd, text, RUN_TEXT_MAX - 1, 0);

    assert_true(n >= 0 && n < RUN_TEXT_MAX - 1); /* all of it */
    text[n] = '\0';
    close(fd);
}

/* The write end of a pipe that nobody reads. */
static int run_broken_pipe(void)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    return ends[1];
}

static pid_t run_start(const struct run *r, char *const *argv, const int fds[3])
{
    posix_spawn_file_actions_t actions;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[0], 0);
    if (r->to == RUN_OUT_CLOSED)
        posix_spawn_file_actions_addclose(&actions, 1);
    else
        posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_adddup2(&actions, fds[2], 2);
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0)
        fail_msg("%s cannot be started", argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

void run_program(struct run *r, const char *const *args)
{
    char *argv[RUN_ARGS_MAX + 2] = { getenv("SORTES_BIN") };
    const int fds[3] = { run_scratch(),
                         r->to == RUN_OUT_FULL     ? open("/dev/full", O_WRONLY)
                         : r->to == RUN_OUT_BROKEN ? run_broken_pipe()
                                                   : run_scratch(),
                         run_scratch() };
    int status;

    if (!argv[0])
        fail_msg("SORTES_BIN names no program");
    assert_true(fds[1] >= 0);
    for (size_t i = 0; args[i]; i++) {
        assert_true(i < RUN_ARGS_MAX);
        argv[i + 1] = strdup(args[i]);
    }
    run_write(fds[0], r->in, r->n_in);
    lseek(fds[0], 0, SEEK_SET);
    const pid_t pid = run_start(r, argv, fds);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    r->exit_code =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    for (size_t i = 1; argv[i]; i++)
        free(argv[i]);
    close(fds[0]);
    r->out[0] = '\0';
    if (r->to == RUN_OUT_CAUGHT)
        run_read_back(fds[1], r->out);
    else
        close(fds[1]);
    run_read_back(fds[2], r->err);
}

void run_check(const struct run *r, int code, const char *words)
{
    if (r->exit_code != code)
        fail_msg("exit code %d, not %d; it said: %s", r->exit_code, code,
                 r->err);
    if (!strstr(r->err, words))
        fail_msg("\"%s\" does not say \"%s\"", r->err, words);
}
