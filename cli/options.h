/*
 * options.h - command lines and their help, from tables
 *
 * A command states its own options in a table; the sampling options and
 * their help come from the library's parameter table, so that a new parameter
 * is a new option without a line here.  A value may follow its option or be
 * joined to it with '='; "--" ends the options.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli.h"

#include <stddef.h>
#include <stdint.h>

struct cli_option {
    int id;            /* the command's own, above 0 */
    const char *names; /* "-n, --n-predict" */
    const char *value; /* what the value stands for, "N"; NULL: a switch */
    const char *help;
};

struct cli_command {
    const char *name;
    const char *summary;  /* one line */
    const char *operands; /* "ROWS.npy|-", "" for none */
    const char *text;     /* what it does and prints; lines end in \n */
    const struct cli_option *options;
    size_t n_options;
    bool samples; /* takes the sampling options too */
    int (*run)(const struct cli_command *self, int argc, char **argv);
};

/* A sampling option as it was given; settings_apply looks it up. */
struct cli_setting {
    const char *name; /* "--top-k", in argv; n_name bytes */
    size_t n_name;
    const char *value; /* NULL: a switch */
};

struct options {
    const struct cli_command *command;
    int argc;
    char **argv;
    int at;                       /* the next of argv */
    struct cli_setting *settings; /* room for argc; in the order given */
    size_t n_settings;
};

/* An operand has no id of its own. */
enum { OPTION_OPERAND = 0 };

/* What options_parse returns when the command may begin. */
enum { OPTIONS_GO = -1 };

/* argv[0] is the command's name.  0 or CLI_RUNTIME. */
int options_init(struct options *o, const struct cli_command *command, int argc,
                 char **argv);
void options_free(struct options *o);

/*
 * Hands each option and operand to take(), which returns 0 or an exit code
 * with a message; sampling options are collected in o.  OPTIONS_GO, or the
 * exit code to end with: CLI_OK after --help was answered.
 */
int options_parse(struct options *o,
                  int (*take)(void *ctx, int id, const char *value), void *ctx);

/* Sets what was collected on p.  0 or CLI_USAGE with a message. */
int settings_apply(const struct options *o, const char *dialect,
                   sortes_params *p);

/* A whole number in low .. high; 0 or CLI_USAGE with a message. */
int options_integer(const char *name, const char *text, int64_t low,
                    int64_t high, int64_t *out);

/* A name like text among names, NULL when none is near. */
const char *options_nearest(const char *text, const char *const *names,
                            size_t n);

/*
 * A parameter's value for the eye: floats as the shortest decimal (0.8), where
 * sortes_params_get shows the number that is computed with
 * (0.800000011920929).
 */
void options_value(const sortes_params *p, const sortes_param_info *info,
                   char *out, size_t size);

/*
 * Writes text word by word from column on, 79 wide; at says where the line
 * already stands.
 */
void options_wrap(FILE *to, int column, int at, const char *text);

void options_help(FILE *to, const struct cli_command *command);

#endif /* CLI_OPTIONS_H */
