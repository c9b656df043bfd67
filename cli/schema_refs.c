/*
 * schema_refs.c - documents that schemas refer to, from files (--ref URI=PATH)
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "schema_refs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int schema_refs_take(struct schema_refs *refs, const char *value)
{
    const char *equals = strrchr(value, '=');

    if (!equals || equals == value || !equals[1])
        return cli_fail(CLI_USAGE, "--ref: '%s' is not URI=PATH", value);
    if (refs->n == sizeof(refs->at) / sizeof(*refs->at))
        return cli_fail(CLI_USAGE,
                        "--ref: more than %zu (a folder stands for "
                        "many)",
                        refs->n);
    refs->at[refs->n++] = value;
    return 0;
}

static bool refs_is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Whether "..", which would lead out of a folder, is a part of a path. */
static bool refs_leads_out(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0'))
            return true;
    }
    return false;
}

/* What follows a folder's URI; NULL: it is not in the folder. */
static const char *refs_below(const char *uri, const char *folder, size_t n)
{
    if (strncmp(uri, folder, n) != 0 || (folder[n - 1] != '/' && uri[n] != '/'))
        return NULL;
    uri += n + (uri[n] == '/');
    return *uri && !refs_leads_out(uri) ? uri : NULL;
}

/* The file that one of the options makes of a URI, in memory of its own; NULL:
 * none, or *failed. */
static char *refs_file(const char *ref, const char *uri, bool *failed)
{
    const char *path = strrchr(ref, '=') + 1;
    const size_t n = (size_t)(path - 1 - ref);
    const char *below;
    char *file;

    if (strlen(uri) == n && memcmp(uri, ref, n) == 0 && !refs_is_folder(path)) {
        file = strdup(path);
        *failed = !file;
        return file;
    }
    below = refs_is_folder(path) ? refs_below(uri, ref, n) : NULL;
    if (!below)
        return NULL;
    file = malloc(strlen(path) + strlen(below) + 2);
    *failed = !file;
    if (file) {
        strcpy(file, path);
        strcat(file, "/");
        strcat(file, below);
    }
    return file;
}

static sortes_status refs_read(struct schema_documents *d, const char *file,
                               const char **text, size_t *n)
{
    struct cli_text *more = realloc(d->text, (d->n + 1) * sizeof(*more));

    if (!more)
        return SORTES_E_NOMEM;
    d->text = more;
    if (cli_read_file(file, &d->text[d->n]) != 0)
        return SORTES_E_IO;
    *text = d->text[d->n].data;
    *n = d->text[d->n++].n;
    return SORTES_OK;
}

sortes_status schema_documents_get(void *ctx, const char *uri,
                                   const char **text, size_t *n)
{
    struct schema_documents *d = ctx;
    sortes_status status = SORTES_E_NAME;
    bool failed = false;
    struct stat s;

    for (size_t i = 0; i < d->refs->n && status == SORTES_E_NAME; i++) {
        const char *ref = d->refs->at[i];
        char *file = refs_file(ref, uri, &failed);

        if (failed)
            return SORTES_E_NOMEM;
        /* In a folder, a file may be missing. */
        if (file && (!refs_is_folder(strrchr(ref, '=') + 1) ||
                     (stat(file, &s) == 0 && S_ISREG(s.st_mode))))
            status = refs_read(d, file, text, n);
        free(file);
    }
    return status;
}

void schema_documents_free(struct schema_documents *d)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->text[i].data);
    free(d->text);
}
