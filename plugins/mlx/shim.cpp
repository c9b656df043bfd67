/*
 * shim.cpp - MLX behind a C interface: argmax, masked argmax, download
 *
 * Built against the headers and libmlx of one MLX, in C++20.  Every function
 * that C calls catches what MLX throws.  The mask is a select, not an added
 * -inf: NaN plus -inf is NaN, and MLX 0.32.4's argmax returns the first NaN.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes_mlx.h"

#include "mlx/mlx.h"
#include "mlx/version.h"

#include <atomic>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

namespace mx = mlx::core;

namespace
{

std::atomic<uint64_t> n_rows_moved{ 0 };

/* Runs what may throw. */
template <typename F> sortes_status guarded(F &&body)
{
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return SORTES_E_NOMEM;
    } catch (const std::exception &) {
        return SORTES_E_ARGUMENT;
    } catch (...) {
        return SORTES_E_ARGUMENT;
    }
}

/* The row's array, flat; NULL-like answers are exceptions. */
mx::array flat(const sortes_row *row)
{
    const auto *array = static_cast<const mx::array *>(row->data);
    const auto wanted = row->type == SORTES_BF16 ? mx::bfloat16 : mx::float32;

    if (array == nullptr || array->dtype() != wanted || array->size() != row->n)
        throw std::invalid_argument("row");
    return mx::reshape(*array, { static_cast<int>(row->n) });
}

/* One byte a token from one bit a token. */
mx::array unpacked(const uint32_t *words, size_t n)
{
    std::vector<uint8_t> bytes(n);

    for (size_t i = 0; i < n; i++)
        bytes[i] = words[i / 32] >> i % 32 & 1;
    return mx::array(reinterpret_cast<const bool *>(bytes.data()),
                     { static_cast<int>(n) }, mx::bool_);
}

sortes_status shim_argmax(void *, const sortes_row *row, sortes_argmax of,
                          const uint32_t *allowed, int32_t *token)
{
    return guarded([&] {
        mx::array x = flat(row);
        const mx::array good =
            mx::all(mx::less_equal(x, mx::array(FLT_MAX, mx::float32)));

        if (allowed)
            x = mx::where(unpacked(allowed, row->n), x,
                          mx::array(-INFINITY, x.dtype()));
        mx::array top = mx::max(x);
        if (of == SORTES_ARGMAX_LOGPROBS)
            x = mx::subtract(x, mx::logsumexp(x));
        mx::array best = mx::argmax(x);

        top = mx::astype(top, mx::float32);
        mx::eval({ good, top, best });
        if (!good.item<bool>())
            return SORTES_E_NOT_FINITE;
        if (top.item<float>() == -INFINITY)
            return SORTES_E_NO_TOKEN;
        *token = static_cast<int32_t>(best.item<uint32_t>());
        return SORTES_OK;
    });
}

sortes_status shim_download(void *, const sortes_row *row, void *out)
{
    return guarded([&] {
        mx::array x = mx::contiguous(flat(row));

        mx::eval(x);
        n_rows_moved++;
        std::memcpy(out, x.data<void>(), x.nbytes());
        return SORTES_OK;
    });
}

sortes_status shim_array_new(void **out, const void *data, size_t n,
                             sortes_dtype type)
{
    *out = nullptr;
    if (type != SORTES_F32 && type != SORTES_BF16)
        return SORTES_E_ARGUMENT;
    return guarded([&] {
        const mx::Shape shape{ static_cast<int>(n) };

        *out = type == SORTES_F32
                   ? new mx::array(static_cast<const float *>(data), shape,
                                   mx::float32)
                   : new mx::array(static_cast<const mx::bfloat16_t *>(data),
                                   shape, mx::bfloat16);
        return SORTES_OK;
    });
}

void shim_array_free(void *array)
{
    delete static_cast<mx::array *>(array);
}

uint64_t shim_n_transfers(void)
{
    return n_rows_moved;
}

/* "0.32.4" of the headers this was built with. */
bool is_built_with(const char *version)
{
    char built[32];

    std::snprintf(built, sizeof(built), "%d.%d.%d", MLX_VERSION_MAJOR,
                  MLX_VERSION_MINOR, MLX_VERSION_PATCH);
    return std::strcmp(built, version) == 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) sortes_status
sortes_mlx_plugin(int interface, sortes_mlx *out, char *text, size_t room)
{
    if (interface != SORTES_MLX_INTERFACE) {
        std::snprintf(text, room, "wrong interface (got %d, allowed %d)",
                      interface, SORTES_MLX_INTERFACE);
        return SORTES_E_NAME;
    }
    if (!is_built_with(mx::version())) {
        std::snprintf(text, room, "built with mlx %d.%d.%d, but %.32s runs",
                      MLX_VERSION_MAJOR, MLX_VERSION_MINOR, MLX_VERSION_PATCH,
                      mx::version());
        return SORTES_E_NAME;
    }
    *out = sortes_mlx{};
    out->device = sortes_device{ sizeof(sortes_device), nullptr, shim_argmax,
                                 shim_download };
    out->version = mx::version();
    out->array_new = shim_array_new;
    out->array_free = shim_array_free;
    out->n_transfers = shim_n_transfers;
    return SORTES_OK;
}
