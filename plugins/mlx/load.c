/*
 * load.c - finds the MLX plug-in at run time; for programs, not for the core
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes_mlx.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static sortes_status load_fail(sortes_error *err, sortes_status status,
                               const char *path, const char *why)
{
    if (err) {
        err->status = status;
        err->offset = 0;
        (void)snprintf(err->text, sizeof(err->text), "mlx plug-in: %.80s: %s",
                       path, why);
    }
    return status;
}

/* dlsym's void * to a function, as POSIX has it. */
static sortes_mlx_entry *load_entry(void *library)
{
    void *symbol = dlsym(library, "sortes_mlx_plugin");
    sortes_mlx_entry *entry;

    memcpy(&entry, &symbol, sizeof(entry));
    return entry;
}

sortes_status sortes_mlx_load(sortes_mlx *out, const char *path,
                              sortes_error *err)
{
    sortes_mlx_entry *entry;
    char text[160] = "";
    sortes_status status;
    void *library;

    if (!out || !path)
        return load_fail(err, SORTES_E_ARGUMENT, "(none)", "argument is NULL");
    memset(out, 0, sizeof(*out));
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return load_fail(err, SORTES_E_IO, path, dlerror());
    entry = load_entry(library);
    status = entry ? entry(SORTES_MLX_INTERFACE, out, text, sizeof(text))
                   : SORTES_E_NAME;
    if (status != SORTES_OK) {
        (void)dlclose(library);
        memset(out, 0, sizeof(*out));
        return load_fail(err, status, path,
                         entry ? text : "no plug-in of sortes");
    }
    out->library = library;
    if (err)
        *err = (sortes_error){ SORTES_OK, 0, "" };
    return SORTES_OK;
}

void sortes_mlx_unload(sortes_mlx *mlx)
{
    if (!mlx || !mlx->library)
        return;
    (void)dlclose(mlx->library);
    memset(mlx, 0, sizeof(*mlx));
}
