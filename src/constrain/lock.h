/*
 * lock.h - a mutex where threads are POSIX threads, else a spinning flag
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LOCK_H
#define SRT_LOCK_H

#include "compiler.h"

#if defined(__unix__) || defined(__APPLE__)

#include <pthread.h>

struct srt_lock {
    pthread_mutex_t mutex;
};

SRT_INLINE void srt_lock_init(struct srt_lock *lock)
{
    (void)pthread_mutex_init(&lock->mutex, NULL);
}

SRT_INLINE void srt_lock_destroy(struct srt_lock *lock)
{
    (void)pthread_mutex_destroy(&lock->mutex);
}

SRT_INLINE void srt_lock_take(struct srt_lock *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

SRT_INLINE void srt_lock_release(struct srt_lock *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}

#else

#include <stdatomic.h>

struct srt_lock {
    atomic_flag taken;
};

SRT_INLINE void srt_lock_init(struct srt_lock *lock)
{
    atomic_flag_clear(&lock->taken);
}

SRT_INLINE void srt_lock_destroy(struct srt_lock *lock)
{
    (void)lock;
}

SRT_INLINE void srt_lock_take(struct srt_lock *lock)
{
    while (
        atomic_flag_test_and_set_explicit(&lock->taken, memory_order_acquire))
        continue;
}

SRT_INLINE void srt_lock_release(struct srt_lock *lock)
{
    atomic_flag_clear_explicit(&lock->taken, memory_order_release);
}

#endif

#endif /* SRT_LOCK_H */
