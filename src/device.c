/*
 * device.c - rows that lie where only the host program can reach them
 *
 * SPDX-License-Identifier: MIT
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

sortes_status srt_device_set(struct srt_device *d, const sortes_device *calls)
{
    if (calls && (calls->struct_size != sizeof(*calls) || !calls->download))
        return SORTES_E_ARGUMENT;
    srt_device_forget(d);
    d->calls = calls ? *calls : (sortes_device){ 0 };
    return SORTES_OK;
}

void srt_device_free(struct srt_device *d)
{
    free(d->copy);
    memset(d, 0, sizeof(*d));
}

void srt_device_forget(struct srt_device *d)
{
    d->held = (sortes_row){ 0 };
}

static sortes_status device_make_room(struct srt_device *d, size_t n)
{
    void *grown;

    if (n <= d->room)
        return SORTES_OK;
    grown = realloc(d->copy, n);
    if (!grown)
        return SORTES_E_NOMEM;
    d->copy = grown;
    d->room = n;
    return SORTES_OK;
}

sortes_status srt_device_row(struct srt_device *d, const sortes_row *row,
                             sortes_row *out)
{
    const size_t size =
        row->type == SORTES_F32 ? sizeof(float) : sizeof(uint16_t);
    sortes_status status;

    *out = *row;
    if (!srt_device_is_set(d))
        return SORTES_OK;
    if (d->held.data != row->data || d->held.n != row->n ||
        d->held.type != row->type) {
        srt_device_forget(d);
        status = device_make_room(d, row->n * size);
        if (status == SORTES_OK)
            status = d->calls.download(d->calls.ctx, row, d->copy);
        if (status != SORTES_OK)
            return status;
        d->held = *row;
    }
    out->data = d->copy;
    return SORTES_OK;
}
