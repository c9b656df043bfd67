/*
 * batch.c - one step of many sequences, on the caller's threads
 *
 * Every sampler owns all that its draw depends on, so who else is in the batch
 * and which thread takes which row cannot matter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "status.h"

struct batch_job {
    sortes_sampler *const *samplers;
    const sortes_row *rows;
    sortes_draw *draws;
    sortes_status *statuses; /* NULL: not wanted */
};

static void batch_one(void *ctx, size_t i)
{
    const struct batch_job *job = ctx;
    const sortes_status status =
        sortes_sampler_sample(job->samplers[i], &job->rows[i], &job->draws[i]);

    if (status != SORTES_OK)
        job->draws[i] = (sortes_draw){ .token = -(int32_t)status };
    if (job->statuses)
        job->statuses[i] = status;
}

sortes_status sortes_sampler_sample_batch(sortes_sampler *const *s,
                                          const sortes_row *rows,
                                          sortes_draw *draws,
                                          sortes_status *statuses, size_t n,
                                          sortes_parallel_for *run, void *ctx)
{
    struct batch_job job = { s, rows, draws, statuses };

    if (n > 0 && (!s || !rows || !draws))
        return SORTES_E_ARGUMENT;
    if (run) {
        run(ctx, n, batch_one, &job);
    } else {
        for (size_t i = 0; i < n; i++)
            batch_one(&job, i);
    }
    for (size_t i = 0; i < n; i++)
        if (draws[i].token < 0)
            return (sortes_status)-draws[i].token;
    return SORTES_OK;
}
