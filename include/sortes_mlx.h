/*
 * sortes_mlx.h - rows on an MLX device, through a plug-in that is loaded
 *
 * The plug-in (plugins/mlx/shim.cpp) is C++ against one MLX's own headers and
 * library; what is seen of it is C.  plugins/mlx/load.c opens it with dlopen
 * and refuses one of another interface or another MLX.  The core library knows
 * neither.
 *
 * A row's `data` is then an mlx::core::array * of n float32 or bfloat16 values,
 * whatever its shape; sortes neither keeps nor frees it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_MLX_H
#define SORTES_MLX_H

#include "sortes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when anything below changes. */
#define SORTES_MLX_INTERFACE 1

/* What the plug-in can do.  No exception leaves any of these. */
typedef struct sortes_mlx {
    sortes_device device; /* for sortes_sampler_set_device */
    const char *version;  /* of the MLX that runs, "0.32.4" */
    /* An array of its own, copied from host memory; for programs in C. */
    sortes_status (*array_new)(void **array, const void *data, size_t n,
                               sortes_dtype type);
    void (*array_free)(void *array);
    /* How many rows came to the host so far, in the whole process. */
    uint64_t (*n_transfers)(void);
    void *library; /* load.c's */
} sortes_mlx;

/* The plug-in's one symbol, "sortes_mlx_plugin"; text says why it fails. */
typedef sortes_status sortes_mlx_entry(int interface, sortes_mlx *out,
                                       char *text, size_t room);

/*
 * Loads the plug-in at path.  SORTES_E_IO: there is none, or it does not load;
 * SORTES_E_NAME: it is no plug-in, or of another version.
 */
sortes_status sortes_mlx_load(sortes_mlx *out, const char *path,
                              sortes_error *err);

/* After the last sampler and the last array. */
void sortes_mlx_unload(sortes_mlx *mlx);

#ifdef __cplusplus
}
#endif

#endif /* SORTES_MLX_H */
