/*
 * main.c - the command `sortes`: finds the command that was named and runs it
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "engine.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {
    &cli_try, &cli_generate, &cli_sample, &cli_grammar, &cli_doctor,
};

enum { N_COMMANDS = sizeof(commands) / sizeof(*commands) };

static int main_usage(FILE *to)
{
    fputs("sortes draws the next token from a model's logits: the very token "
          "that\nllama.cpp, rMLX or mlx-lm draws from the same seed, under a "
          "grammar if asked.\n\n"
          "usage: sortes COMMAND [options]\n\n",
          to);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    fputs("  help        show this text, or a command's: sortes help sample\n"
          "  --version   show the version and the engines it equals\n\n"
          "exit codes: 0 ok; 1 a file, the model or the machine failed; 2 the "
          "command line\nis wrong; 3 a row of logits was refused; 4 a token "
          "differs from the recorded one\n\n"
          "First time here?  `sortes try` needs no model.\n",
          to);
    return 0;
}

static const struct cli_command *main_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int main_unknown(const char *name)
{
    const char *names[N_COMMANDS + 2] = { "help", "--version" };

    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i + 2] = commands[i]->name;
    const char *near = options_nearest(name, names, N_COMMANDS + 2);
    if (near)
        return cli_fail(CLI_USAGE, "unknown command '%s'; did you mean '%s'?",
                        name, near);
    return cli_fail(CLI_USAGE, "unknown command '%s'; `sortes help` lists them",
                    name);
}

static int main_help(const char *name)
{
    const struct cli_command *command = name ? main_find(name) : NULL;

    if (!name)
        return main_usage(stdout);
    if (!command)
        return main_unknown(name);
    options_help(stdout, command);
    return 0;
}

static int main_version(void)
{
    const char *dialect;

    printf("sortes %s (%s kernels, %s libllama)\n", sortes_version(),
           sortes_kernel_name(), engine_has_llama() ? "with" : "without");
    printf("\ndialects, and what each equals:\n");
    for (size_t i = 0; (dialect = sortes_dialect_name(i)); i++)
        printf("  %-12s%s\n", dialect, sortes_dialect_identity(dialect));
    return 0;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int main_dispatch(int argc, char **argv)
{
    if (argc < 2) {
        main_usage(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || is_one_of(argv[1], "-h", "--help"))
        return main_help(argc > 2 ? argv[2] : NULL);
    if (is_one_of(argv[1], "-V", "--version"))
        return main_version();
    const struct cli_command *command = main_find(argv[1]);
    if (!command)
        return main_unknown(argv[1]);
    return command->run(command, argc - 1, argv + 1);
}

/*
 * A file opened later must not become standard output: a descriptor that is
 * closed is filled so that its use fails, and is noticed.
 */
static void main_fill_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    main_fill_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like others */
    const int rc = main_dispatch(argc, argv);
    return rc == CLI_OK ? cli_flush() : rc;
}
