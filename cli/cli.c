/*
 * cli.c - what the commands share: exit codes, messages, files
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLI_FILE_MAX = 64 << 20, CLI_PATH_MAX = 4096 };

static const char *cli_reason(sortes_status status, const sortes_error *err)
{
    return err->text[0] ? err->text : sortes_status_name(status);
}

int cli_fail_status(sortes_status status, const sortes_error *err)
{
    const bool machine = status == SORTES_E_NOMEM || status == SORTES_E_IO ||
                         status == SORTES_E_SELFTEST;
    return cli_fail(machine ? CLI_RUNTIME : CLI_USAGE, "%s",
                    cli_reason(status, err));
}

int cli_fail_engine(sortes_status status, const sortes_error *err)
{
    return cli_fail(CLI_RUNTIME, "%s", cli_reason(status, err));
}

int cli_fail_row(const char *subject, uint64_t row, sortes_status status)
{
    const char *why = sortes_status_name(status);

    if (status == SORTES_E_NOT_FINITE)
        why = "refused: NaN or +inf among the logits, given or made";
    else if (status == SORTES_E_NO_TOKEN)
        why = "refused: no token is left to draw, all are at -inf";
    else if (status == SORTES_E_NOMEM)
        return cli_fail(CLI_RUNTIME, "%s: row %llu: out of memory", subject,
                        (unsigned long long)row);
    return cli_fail(CLI_ROW, "%s: row %llu: %s", subject,
                    (unsigned long long)row, why);
}

int cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return cli_fail(CLI_RUNTIME, "standard output: cannot be written (%s)",
                    errno ? strerror(errno) : "an earlier write failed");
}

/* ---- reading whole files ------------------------------------------------- */

static int cli_read_all(FILE *from, const char *name, struct cli_text *out)
{
    size_t room = 0;

    do {
        if (out->n + 1 >= room) {
            room = room ? room * 2 : 4096;
            char *data = realloc(out->data, room);
            if (!data)
                return cli_fail(CLI_RUNTIME, "%s: out of memory", name);
            out->data = data;
        }
        out->n += fread(out->data + out->n, 1, room - 1 - out->n, from);
        if (out->n > CLI_FILE_MAX)
            return cli_fail(CLI_RUNTIME, "%s: more than %d MiB", name,
                            CLI_FILE_MAX >> 20);
    } while (!feof(from) && !ferror(from));
    if (ferror(from))
        return cli_fail(CLI_RUNTIME, "%s: cannot be read (%s)", name,
                        strerror(errno));
    out->data[out->n] = '\0';
    return 0;
}

FILE *cli_open(const char *path, const char **name)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");

    *name = standard ? "standard input" : path;
    if (!from)
        cli_say("%s: cannot be opened (%s)", path, strerror(errno));
    return from;
}

void cli_close(FILE *from)
{
    if (from && from != stdin)
        fclose(from);
}

int cli_read_file(const char *path, struct cli_text *out)
{
    const char *name;
    FILE *from = cli_open(path, &name);

    *out = (struct cli_text){ NULL, 0 };
    if (!from)
        return CLI_RUNTIME;
    const int rc = cli_read_all(from, name, out);
    cli_close(from);
    if (rc != 0) {
        free(out->data);
        *out = (struct cli_text){ NULL, 0 };
    }
    return rc;
}

int cli_read_value(const char *value, struct cli_text *out)
{
    if (value[0] == '@')
        return cli_read_file(value + 1, out);
    *out = (struct cli_text){ strdup(value), strlen(value) };
    return out->data ? 0 : cli_fail(CLI_RUNTIME, "out of memory");
}

/* ---- finding files ------------------------------------------------------- */

/* The executable's folder, without a slash at the end; "" when unknown. */
static void cli_own_folder(char *out, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", out, size - 1);

    out[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
}

static bool cli_is_there(char *out, size_t size, const char *folder,
                         const char *between, const char *relative)
{
    const int n = snprintf(out, size, "%s%s%s", folder, between, relative);
    return n > 0 && (size_t)n < size && access(out, R_OK) == 0;
}

bool cli_find(const char *relative, char *out, size_t size)
{
    static const char *const between[] = { "/", "/../", "/../../",
                                           "/../share/sortes/" };
    char folder[CLI_PATH_MAX];

    cli_own_folder(folder, sizeof(folder));
    for (size_t i = 0; folder[0] && i < sizeof(between) / sizeof(*between); i++)
        if (cli_is_there(out, size, folder, between[i], relative))
            return true;
    return cli_is_there(out, size, "", "", relative);
}
