/*
 * params_doc.c - writes docs/parameters.md from the tables
 *
 *   params_doc                prints it
 *   params_doc --check FILE   says whether FILE is what would be printed
 *
 * Names, bounds and help come through sortes_param_at; what the formats call a
 * parameter comes from the readers' tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/dialect.h"
#include "params/field.h"
#include "params/ollama.h"
#include "params/read_rmlx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char llamacpp[] = "llama.cpp";

/* ---- cells --------------------------------------------------------------- */

/* A float as its shortest decimal, not as the double that it widens to. */
static void put_number(FILE *to, double value)
{
    char text[SRT_NUMBER_TEXT];

    if (fabs(value) <= 3.4028234663852886e38 && (double)(float)value == value)
        for (int digits = 1; digits <= 9; digits++) {
            snprintf(text, sizeof(text), "%.*g", digits, value);
            if (strtof(text, NULL) == (float)value)
                break;
        }
    else
        srt_number_to_text(value, text);
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof(text), "%.0f", value);
    fputs(text, to);
}

static void put_range(FILE *to, double low, double high)
{
    put_number(to, low);
    fputs(" to ", to);
    put_number(to, high);
}

static bool is_list(const sortes_param_info *info)
{
    return strcmp(info->type, "list") == 0 ||
           strcmp(info->type, "tokens") == 0 ||
           strcmp(info->type, "strings") == 0;
}

static void put_default(FILE *to, const sortes_params *p,
                        const sortes_param_info *info)
{
    char text[512];

    if (sortes_params_get(p, info->name, text, sizeof(text), NULL, NULL) !=
        SORTES_OK)
        exit(1);
    if (strcmp(info->type, "float") == 0)
        put_number(to, strtod(text, NULL));
    else if (is_list(info) && strlen(text) > 2)
        fprintf(to, "`%s`", text);
    else
        fputs(text, to);
}

/* "a", "b" of "a b" or "a, b", each as code. */
static void put_names(FILE *to, const char *names)
{
    bool first = true;

    while (*(names += strspn(names, ", ")) != '\0') {
        int n = (int)strcspn(names, ", ");

        fprintf(to, "%s`%.*s`", first ? "" : ", ", n, names);
        names += n;
        first = false;
    }
}

static void put_limit(FILE *to, const struct srt_field *f)
{
    if (f->limit == SRT_LIMIT_soft) {
        fputs(", moved into ", to);
        put_range(to, f->lo, f->hi);
    } else if (f->limit == SRT_LIMIT_hard) {
        fputs(", refused outside ", to);
        put_range(to, f->lo, f->hi);
    } else if (f->limit == SRT_LIMIT_keep) {
        fputs(", below ", to);
        put_number(to, f->lo);
        fputs(" as if not given", to);
    }
}

static void put_server(FILE *to, enum srt_param_id id)
{
    const struct srt_field *f;
    size_t n = 0;

    for (size_t i = 0; (f = srt_server_field_at(i)) != NULL; i++) {
        if (f->use != SRT_FIELD_SETS || f->parameter != id)
            continue;
        fputs(n++ > 0 ? ", " : "", to);
        put_names(to, f->name);
        if (f->aliases[0] != '\0') {
            fputs(", ", to);
            put_names(to, f->aliases);
        }
        put_limit(to, f);
    }
}

static void put_option(FILE *to, enum srt_param_id id)
{
    const struct srt_ollama_option *o;

    for (size_t i = 0; (o = srt_ollama_at(i)) != NULL; i++) {
        if (o->parameter != id)
            continue;
        put_names(to, o->name);
        fputs(", ", to);
        put_number(to, o->initial);
    }
}

static void put_key(FILE *to, enum srt_param_id id)
{
    const struct srt_field *f;

    for (size_t i = 0; (f = srt_gguf_field_at(i)) != NULL; i++)
        if (f->parameter == id)
            put_names(to, f->name);
}

/* ---- tables -------------------------------------------------------------- */

static void put_parameters(FILE *to, const char *dialect)
{
    const sortes_param_info *info;
    sortes_params *p;

    if (sortes_params_new(&p, dialect, NULL) != SORTES_OK)
        exit(1);

    fputs("| name | type | default | bounds | |\n|---|---|---|---|---|\n", to);
    for (size_t i = 0; (info = sortes_param_at(dialect, i)) != NULL; i++) {
        fprintf(to, "| `%s` | %s | ", info->name, info->type);
        put_default(to, p, info);
        fputs(" | ", to);
        if (!is_list(info) && strcmp(info->type, "boolean") != 0)
            put_range(to, info->min, info->max);
        fprintf(to, " | %s |\n", info->help);
    }
    sortes_params_free(p);
}

static enum srt_param_id id_of(const sortes_param_info *info)
{
    enum srt_param_id id = SRT_N_PARAMS;

    if (srt_param_find(srt_dialect_find(llamacpp), info->name, &id, NULL) !=
        SORTES_OK)
        exit(1);
    return id;
}

static void put_spellings(FILE *to)
{
    const sortes_param_info *info;

    fputs("| name | flags | llama-server | Ollama, its default | GGUF |\n"
          "|---|---|---|---|---|\n",
          to);
    for (size_t i = 0; (info = sortes_param_at(llamacpp, i)) != NULL; i++) {
        fprintf(to, "| `%s` | ", info->name);
        if (info->flag != NULL)
            put_names(to, info->flag);
        fputs(" | ", to);
        put_server(to, id_of(info));
        fputs(" | ", to);
        put_option(to, id_of(info));
        fputs(" | ", to);
        put_key(to, id_of(info));
        fputs(" |\n", to);
    }
}

/* Names with commas between, wrapped. */
static void put_item(FILE *to, const char *name, size_t *column)
{
    size_t n = strlen(name) + 4;

    if (*column > 0 && *column + n > 79) {
        fputs(",\n", to);
        *column = 0;
    } else if (*column > 0) {
        fputs(", ", to);
    }
    fprintf(to, "`%s`", name);
    *column += n;
}

static void put_rest(FILE *to)
{
    const struct srt_field *f;
    const struct srt_ollama_option *o;
    size_t column = 0;

    fputs("\n### llama-server: only off\n\n"
          "Another value is refused by name.\n\n"
          "| field | allowed |\n|---|---|\n",
          to);
    for (size_t i = 0; (f = srt_server_field_at(i)) != NULL; i++)
        if (f->use == SRT_FIELD_IS_OFF)
            fprintf(to, "| `%s`%s%s%s | %s |\n", f->name,
                    f->aliases[0] ? ", `" : "", f->aliases,
                    f->aliases[0] ? "`" : "", f->allowed);
    fputs("\n### llama-server: passed over\n\n", to);
    for (size_t i = 0; (f = srt_server_field_at(i)) != NULL; i++)
        if (f->use == SRT_FIELD_IS_PASSED)
            put_item(to, f->name, &column);
    fputs("\n\n### Ollama: passed over\n\n", to);
    column = 0;
    for (size_t i = 0; (o = srt_ollama_at(i)) != NULL; i++)
        if (o->parameter == SRT_N_PARAMS)
            put_item(to, o->name, &column);
    fputc('\n', to);
}

static void put_head(FILE *to)
{
    fputs("# Parameters\n\n"
          "Written by tools/params_doc.c from the tables in src/: do not "
          "edit.\n\n"
          "Each dialect has its own parameters. Typed setters and flags refuse "
          "a value outside\nthe bounds. Request formats have the limits of "
          "their engine, below. Sources, the\nlater over the earlier: the "
          "dialect's defaults, the GGUF's, a request, a call.\n`sortes sample "
          "--dump-params` shows values and sources.\n\n"
          "Text for lists: `logit_bias` takes `15043+1.5,2-inf`; lists of "
          "strings have `;`\nbetween strings and take `\\n \\r \\t \\\\ \\\" "
          "\\' \\; \\xHH`. `samplers` takes names,\ntheir other spellings "
          "(`top-k`, `topk`, `temp`, `nucleus`, `typ`), and letters.\n\n",
          to);
}

/* The flags of a dialect whose requests have the parameters' own names. */
static void put_flags(FILE *to, const char *dialect)
{
    const sortes_param_info *info;
    bool first = true;

    fputs("\nFlags: ", to);
    for (size_t i = 0; (info = sortes_param_at(dialect, i)) != NULL; i++) {
        if (info->flag == NULL)
            continue;
        fputs(first ? "" : ", ", to);
        put_names(to, info->flag);
        first = false;
    }
    fputs(".\n", to);
}

static void put_rmlx(FILE *to)
{
    const struct srt_rmlx_field *f;
    size_t column = 0;

    fputs("\n### rmlx: only off\n\n| field | allowed |\n|---|---|\n", to);
    for (size_t i = 0; (f = srt_rmlx_field_at(i)) != NULL; i++)
        if (f->allowed != NULL)
            fprintf(to, "| `%s` | %s |\n", f->name, f->allowed);
    fputs("\n### rmlx: passed over\n\n", to);
    for (size_t i = 0; (f = srt_rmlx_field_at(i)) != NULL; i++)
        if (f->allowed == NULL && f->parameter == SRT_N_PARAMS)
            put_item(to, f->name, &column);
    fputc('\n', to);
}

static void put_document(FILE *to)
{
    const char *dialect;

    put_head(to);
    fputs("## llama.cpp\n\n", to);
    put_parameters(to, llamacpp);
    fputs("\n### By other names\n\n"
          "Reading \"ollama\" or \"modelfile\" first sets Ollama's own "
          "defaults where no request\nand no call has set the parameter.\n\n",
          to);
    put_spellings(to);
    put_rest(to);
    for (size_t i = 1; (dialect = sortes_dialect_name(i)) != NULL; i++) {
        fprintf(to, "\n## %s\n\n", dialect);
        put_parameters(to, dialect);
        put_flags(to, dialect);
        if (strcmp(dialect, "rmlx") == 0)
            put_rmlx(to);
    }
}

static int check_file(const char *path)
{
    FILE *want = tmpfile(), *have = fopen(path, "rb");
    size_t line = 1;
    int a, b;

    if (want == NULL || have == NULL) {
        fprintf(stderr, "params_doc: %s: cannot be opened\n", path);
        return 1;
    }
    put_document(want);
    rewind(want);
    do {
        a = fgetc(want);
        b = fgetc(have);
        line += a == '\n' && a == b;
    } while (a == b && a != EOF);
    fclose(want);
    fclose(have);
    if (a == b)
        return 0;
    fprintf(stderr,
            "params_doc: %s: line %zu is not what the tables say; "
            "`params_doc >%s` writes it\n",
            path, line, path);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--check") == 0)
        return check_file(argv[2]);
    put_document(stdout);
    return fflush(stdout) != 0;
}
