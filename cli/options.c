/*
 * options.c - command lines and their help, from tables
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "options.h"

#include "json_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_NAME_MAX = 48, /* longer names are near no other */
    HELP_COLUMN = 27,
    HELP_WIDTH = 79
};

#define OPTIONS_HELP_NAMES "-h, --help"

/* ---- names --------------------------------------------------------------- */

/* Takes the next name off a list like "-s, --seed"; NULL past the last. */
static const char *names_next(const char **list, size_t *n)
{
    const char *name = *list + strspn(*list, ", ");

    *n = strcspn(name, ", ");
    *list = name + *n;
    return *n ? name : NULL;
}

static bool names_have(const char *list, const char *name, size_t n)
{
    const char *have;
    size_t n_have;

    while ((have = names_next(&list, &n_have)))
        if (n_have == n && memcmp(have, name, n) == 0)
            return true;
    return false;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance; both shorter than OPTIONS_NAME_MAX. */
static size_t name_distance(const char *a, size_t n_a, const char *b,
                            size_t n_b)
{
    size_t row[OPTIONS_NAME_MAX + 1];

    for (size_t j = 0; j <= n_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[n_b];
}

struct nearest {
    const char *text;
    size_t n;
    const char *best; /* not NUL-terminated */
    size_t n_best, distance;
};

static void nearest_init(struct nearest *x, const char *text, size_t n)
{
    /* Two slips, or one letter in three; one slip in the shortest names. */
    const size_t far = n < 4 ? 2 : n < 9 ? 3 : n / 3 + 1;
    *x = (struct nearest){ text, n, NULL, 0, far };
}

static void nearest_look(struct nearest *x, const char *list)
{
    const char *name;
    size_t n;

    while ((name = names_next(&list, &n))) {
        if (n >= OPTIONS_NAME_MAX || x->n >= OPTIONS_NAME_MAX)
            continue;
        const size_t distance = name_distance(x->text, x->n, name, n);
        if (distance < x->distance) {
            x->best = name;
            x->n_best = n;
            x->distance = distance;
        }
    }
}

const char *options_nearest(const char *text, const char *const *names,
                            size_t n)
{
    struct nearest x;
    const char *best = NULL;

    nearest_init(&x, text, strlen(text));
    for (size_t i = 0; i < n; i++) {
        nearest_look(&x, names[i]);
        if (x.best == names[i])
            best = names[i];
    }
    return best;
}

/* ---- the library's options ----------------------------------------------- */

static const sortes_param_info *sampling_find(const char *dialect,
                                              const char *name, size_t n)
{
    const sortes_param_info *info;

    for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++)
        if (info->flag && names_have(info->flag, name, n))
            return info;
    return NULL;
}

/* Any dialect's: --dialect may stand behind the option on the line. */
static const sortes_param_info *sampling_find_any(const char *name, size_t n)
{
    const sortes_param_info *info = NULL;
    const char *dialect;

    for (size_t i = 0; !info && (dialect = sortes_dialect_name(i)); i++)
        info = sampling_find(dialect, name, n);
    return info;
}

static bool type_is(const sortes_param_info *info, const char *type)
{
    return strcmp(info->type, type) == 0;
}

/* ---- the command line ---------------------------------------------------- */

int options_init(struct options *o, const struct cli_command *command, int argc,
                 char **argv)
{
    *o = (struct options){
        .command = command, .argc = argc, .argv = argv, .at = 1
    };
    o->settings = calloc((size_t)argc + 1, sizeof(*o->settings));
    return o->settings ? 0 : cli_fail(CLI_RUNTIME, "out of memory");
}

void options_free(struct options *o)
{
    free(o->settings);
    o->settings = NULL;
}

static int option_unknown(const struct options *o, const char *name, size_t n)
{
    struct nearest x;
    const sortes_param_info *info;
    const char *dialect;

    nearest_init(&x, name, n);
    nearest_look(&x, OPTIONS_HELP_NAMES);
    for (size_t i = 0; i < o->command->n_options; i++)
        nearest_look(&x, o->command->options[i].names);
    for (size_t d = 0; o->command->samples; d++) {
        if (!(dialect = sortes_dialect_name(d)))
            break;
        for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++)
            if (info->flag)
                nearest_look(&x, info->flag);
    }
    if (x.best)
        cli_say("unknown option '%.*s'; did you mean '%.*s'?", (int)n, name,
                (int)x.n_best, x.best);
    else
        cli_say("unknown option '%.*s'; `sortes help %s` lists them", (int)n,
                name, o->command->name);
    return CLI_USAGE;
}

/*
 * Sets *value to the text behind '=' or to the next argument, which may begin
 * with '-' ("--seed -1"); a switch has none.
 */
static int option_value(struct options *o, const char *name, size_t n,
                        bool wanted, const char **value)
{
    const bool joined = name[n] == '=';

    *value = NULL;
    if (joined && !wanted) {
        cli_say("%.*s: takes no value (got '%s')", (int)n, name, name + n + 1);
        return CLI_USAGE;
    }
    if (!wanted)
        return 0;
    if (!joined && o->at == o->argc) {
        cli_say("%.*s: its value is missing", (int)n, name);
        return CLI_USAGE;
    }
    *value = joined ? name + n + 1 : o->argv[o->at++];
    return 0;
}

/* Looks the option up and hands it on; 0 or an exit code. */
static int option_take(struct options *o, const char *name,
                       int (*take)(void *ctx, int id, const char *value),
                       void *ctx)
{
    const struct cli_command *command = o->command;
    const size_t n = strcspn(name, "=");
    const char *value;

    for (size_t i = 0; i < command->n_options; i++) {
        const struct cli_option *option = &command->options[i];
        if (!names_have(option->names, name, n))
            continue;
        if (option_value(o, name, n, option->value != NULL, &value) != 0)
            return CLI_USAGE;
        return take(ctx, option->id, value);
    }
    const sortes_param_info *info =
        command->samples ? sampling_find_any(name, n) : NULL;
    if (!info)
        return option_unknown(o, name, n);
    if (option_value(o, name, n, !type_is(info, "boolean"), &value) != 0)
        return CLI_USAGE;
    o->settings[o->n_settings++] = (struct cli_setting){ name, n, value };
    return 0;
}

int options_parse(struct options *o,
                  int (*take)(void *ctx, int id, const char *value), void *ctx)
{
    bool only_operands = false;
    int rc = 0;

    while (rc == 0 && o->at < o->argc) {
        const char *word = o->argv[o->at++];
        if (only_operands || word[0] != '-' || word[1] == '\0')
            rc = take(ctx, OPTION_OPERAND, word);
        else if (strcmp(word, "--") == 0)
            only_operands = true;
        else if (names_have(OPTIONS_HELP_NAMES, word, strlen(word))) {
            options_help(stdout, o->command);
            return CLI_OK;
        } else
            rc = option_take(o, word, take, ctx);
    }
    return rc == 0 ? OPTIONS_GO : rc;
}

int options_integer(const char *name, const char *text, int64_t low,
                    int64_t high, int64_t *out)
{
    char *end;

    errno = 0;
    const long long x = strtoll(text, &end, 10);
    const bool number =
        end != text && *end == '\0' && strchr("+-0123456789", text[0]);
    if (!number)
        return cli_fail(CLI_USAGE,
                        "%s: '%s' is not a whole number (allowed: %lld .. "
                        "%lld)",
                        name, text, (long long)low, (long long)high);
    if (errno == ERANGE || x < low || x > high)
        return cli_fail(CLI_USAGE,
                        "%s: %s is out of range (allowed: %lld .. %lld)", name,
                        text, (long long)low, (long long)high);
    *out = x;
    return 0;
}

/* ---- applying the sampling options --------------------------------------- */

/* The values that were given for one list, joined by commas; the caller frees
 * the text. */
static char *join_list(const struct options *o, const sortes_param_info *info)
{
    size_t n = 1;
    char *text;

    for (size_t i = 0; i < o->n_settings; i++)
        n += strlen(o->settings[i].value ? o->settings[i].value : "") + 1;
    text = calloc(n, 1);
    for (size_t i = 0; text && i < o->n_settings; i++) {
        const struct cli_setting *s = &o->settings[i];
        if (!names_have(info->flag, s->name, s->n_name))
            continue;
        if (text[0])
            strcat(text, ",");
        strcat(text, s->value);
    }
    return text;
}

/* Letters become items of a list of samplers: "kpt" is "k;p;t". */
static char *spread_letters(const char *letters)
{
    const size_t n = strlen(letters);
    char *text = calloc(2 * n + 1, 1);

    for (size_t i = 0; text && i < n; i++) {
        text[2 * i] = letters[i];
        if (i + 1 < n)
            text[2 * i + 1] = ';';
    }
    return text;
}

/*
 * One string an option, so a ';' in it is none between strings; "none" takes
 * away what was given before, as llama-cli's --dry-sequence-breaker has it.
 */
static char *join_strings(const struct options *o,
                          const sortes_param_info *info)
{
    size_t n = 1, at = 0;
    char *text;

    for (size_t i = 0; i < o->n_settings; i++)
        n += 2 * strlen(o->settings[i].value ? o->settings[i].value : "") + 1;
    text = calloc(n, 1);
    for (size_t i = 0; text && i < o->n_settings; i++) {
        const struct cli_setting *s = &o->settings[i];
        if (!names_have(info->flag, s->name, s->n_name))
            continue;
        if (strcmp(s->value, "none") == 0) {
            at = 0;
            continue;
        }
        if (at > 0)
            text[at++] = ';';
        for (const char *c = s->value; *c; c++) {
            if (*c == ';')
                text[at++] = '\\';
            else if (*c == '\\' && c[1]) /* an escape stays whole */
                text[at++] = *c++;
            text[at++] = *c;
        }
    }
    if (text)
        text[at] = '\0';
    return text;
}

/* What several options, or letters, come to as one text; the caller frees. */
static char *gather(const struct options *o, const struct cli_setting *s,
                    const sortes_param_info *info)
{
    if (type_is(info, "list"))
        return join_list(o, info);
    if (strcmp(info->name, "samplers") != 0)
        return join_strings(o, info);
    return names_have("--sampler-seq, --sampling-seq", s->name, s->n_name)
               ? spread_letters(s->value)
               : strdup(s->value);
}

static int apply_one(const struct options *o, const struct cli_setting *s,
                     const sortes_param_info *info, sortes_params *p)
{
    const char *text = s->value ? s->value : "true";
    char *joined = NULL;
    sortes_error err = { 0 };

    if (type_is(info, "list") || type_is(info, "strings")) {
        text = joined = gather(o, s, info);
        if (!joined)
            return cli_fail(CLI_RUNTIME, "out of memory");
    }
    const sortes_status status =
        sortes_params_set_text(p, info->name, text, &err);
    free(joined);
    return status == SORTES_OK ? 0 : cli_fail_status(status, &err);
}

int settings_apply(const struct options *o, const char *dialect,
                   sortes_params *p)
{
    for (size_t i = 0; i < o->n_settings; i++) {
        const struct cli_setting *s = &o->settings[i];
        const sortes_param_info *info =
            sampling_find(dialect, s->name, s->n_name);
        if (!info)
            return cli_fail(CLI_USAGE, "%.*s: dialect '%s' has no such option",
                            (int)s->n_name, s->name, dialect);
        const int rc = apply_one(o, s, info, p);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* ---- help ---------------------------------------------------------------- */

void options_wrap(FILE *to, int column, int at, const char *text)
{
    const char *word = text + strspn(text, " ");

    while (*word) {
        const int n = (int)strcspn(word, " ");
        if (at > column && at + 1 + n > HELP_WIDTH) {
            fputc('\n', to);
            at = 0;
        }
        if (at < column)
            fprintf(to, "%*s", column - at, "");
        else if (at > column)
            fputc(' ', to);
        at = (at < column ? column : at > column ? at + 1 : at) + n;
        fwrite(word, 1, (size_t)n, to);
        word += n;
        word += strspn(word, " ");
    }
    fputc('\n', to);
}

static void help_option(FILE *to, const char *names, const char *value,
                        const char *help)
{
    const int at =
        fprintf(to, "  %s%s%s", names, value ? " " : "", value ? value : "");

    if (at > HELP_COLUMN - 2)
        fputc('\n', to);
    options_wrap(to, HELP_COLUMN, at > HELP_COLUMN - 2 ? 0 : at, help);
}

static const char *sampling_value(const sortes_param_info *info)
{
    static const char *const values[][2] = { { "float", "X" },
                                             { "integer", "N" },
                                             { "seed", "S" },
                                             { "list", "LIST" },
                                             { "strings", "TEXT" } };

    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        if (type_is(info, values[i][0]))
            return values[i][1];
    return NULL;
}

void options_value(const sortes_params *p, const sortes_param_info *info,
                   char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    if (sortes_params_get(p, info->name, out, size, &n, NULL) == SORTES_OK &&
        type_is(info, "float"))
        json_format_float(out, size, strtof(out, NULL));
}

/* The parameter's help with its default; a list's is empty, a switch's off. */
static void help_sampling_option(FILE *to, const sortes_param_info *info,
                                 const sortes_params *defaults)
{
    char value[64] = "", help[512];

    if (defaults && sampling_value(info) && !type_is(info, "list") &&
        !type_is(info, "strings"))
        options_value(defaults, info, value, sizeof(value));
    snprintf(help, sizeof(help), value[0] ? "%s (default %s)" : "%s",
             info->help, value);
    help_option(to, info->flag, sampling_value(info), help);
}

static void help_sampling(FILE *to)
{
    const sortes_param_info *info;
    const char *dialect;

    for (size_t d = 0; (dialect = sortes_dialect_name(d)); d++) {
        sortes_params *defaults = NULL;
        (void)sortes_params_new(&defaults, dialect, NULL);
        fprintf(to, "\nsampling options of dialect %s:\n", dialect);
        for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++)
            if (info->flag)
                help_sampling_option(to, info, defaults);
        sortes_params_free(defaults);
    }
}

void options_help(FILE *to, const struct cli_command *command)
{
    fprintf(to, "usage: sortes %s [options]%s%s\n\n%s\noptions:\n",
            command->name, command->operands[0] ? " " : "", command->operands,
            command->text);
    for (size_t i = 0; i < command->n_options; i++)
        help_option(to, command->options[i].names, command->options[i].value,
                    command->options[i].help);
    help_option(to, OPTIONS_HELP_NAMES, NULL, "show this text");
    if (command->samples)
        help_sampling(to);
}
