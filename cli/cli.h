/*
 * cli.h - what the commands share: exit codes, messages, files
 *
 * Results go to standard output; everything else goes to standard error, one
 * line each, as "sortes: subject: problem".  Main asks once, at the end,
 * whether all of standard output could be written.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_H
#define CLI_H

#include "sortes.h"

#include <stdbool.h>
#include <stdio.h>

/* Scripts rely on these; the help and the man page list them. */
enum cli_exit {
    CLI_OK = 0,
    CLI_RUNTIME = 1, /* a file, the model, memory, standard output */
    CLI_USAGE = 2,   /* the command line */
    CLI_ROW = 3,     /* a row of logits was refused */
    CLI_DIFFERS = 4  /* a token is not the recorded one */
};

/* Macros, so that the compiler checks the formats. */
#define cli_say(...)                                                           \
    (fputs("sortes: ", stderr), fprintf(stderr, __VA_ARGS__),                  \
     fputc('\n', stderr))
#define cli_fail(code, ...) (cli_say(__VA_ARGS__), (code))

/*
 * Says what a call that was given the user's options said of them: CLI_USAGE,
 * or CLI_RUNTIME where the status blames the machine.
 */
int cli_fail_status(sortes_status status, const sortes_error *err);

/* The same for a call that works with a model or a file: CLI_RUNTIME. */
int cli_fail_engine(sortes_status status, const sortes_error *err);

/* A row that a sampler refused, counted from 0: CLI_ROW, with the reason. */
int cli_fail_row(const char *subject, uint64_t row, sortes_status status);

/* Sends pending output on its way; 0, or CLI_RUNTIME with a message. */
int cli_flush(void);

/*
 * Opens a file for reading, "-" being standard input; *name is what messages
 * call it.  NULL comes with a message.
 */
FILE *cli_open(const char *path, const char **name);
void cli_close(FILE *from);

struct cli_text {
    char *data; /* NUL-terminated as well; free with free() */
    size_t n;
};

/*
 * Reads a whole file, or standard input for "-".  Empty is fine; more than
 * 64 MiB is refused.  0 or CLI_RUNTIME with a message.
 */
int cli_read_file(const char *path, struct cli_text *out);

/* An option's value, or the file that "@FILE" names. */
int cli_read_value(const char *value, struct cli_text *out);

/*
 * Finds a file of the project: beside the executable, in up to two folders
 * above it, in ../share/sortes, then in the working directory.  Its path goes
 * to out; false when it is in none of them.
 */
bool cli_find(const char *relative, char *out, size_t size);

#endif /* CLI_H */
