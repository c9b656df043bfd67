/*
 * device.h - rows that lie where only the host program can reach them
 *
 * A sampler with a device gets handles in place of addresses.  A bare argmax is
 * asked of the device; everything else brings the row here, once for all that
 * is asked about it until the sampler moves on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DEVICE_H
#define SRT_DEVICE_H

#include "status.h"

#include <stdbool.h>

struct srt_device {
    sortes_device calls; /* struct_size 0: rows lie in host memory */
    void *copy;          /* the row held, of its own type */
    size_t room;         /* bytes */
    sortes_row held;     /* as the device names it; data NULL: none */
};

SRT_INLINE bool srt_device_is_set(const struct srt_device *d)
{
    return d->calls.struct_size != 0;
}

/* NULL: host memory again.  Forgets the row held. */
sortes_status srt_device_set(struct srt_device *d, const sortes_device *calls);
void srt_device_free(struct srt_device *d);

/* What a handle stands for may change from here on. */
void srt_device_forget(struct srt_device *d);

/* The row in host memory: itself, or its copy. */
sortes_status srt_device_row(struct srt_device *d, const sortes_row *row,
                             sortes_row *out);

#endif /* SRT_DEVICE_H */
