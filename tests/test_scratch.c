/*
 * test_scratch.c - a thread's work memory: its parts, its growth, its end
 *
 * SPDX-License-Identifier: MIT
 */
#include "scratch.h"

#include "sortes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>

/* A vector of the widest set, which kernels may write past the end. */
enum { SLACK_BYTES = 64, N_PARTS = 9 };

struct part {
    unsigned char *at;
    size_t n_bytes;
};

static void list_parts(const struct srt_scratch *s, size_t n,
                       struct part parts[N_PARTS])
{
    const size_t n_blocks = (n + SRT_BLOCK - 1) / SRT_BLOCK;
    const struct part all[N_PARTS] = {
        { (void *)s->candidates, n * sizeof(*s->candidates) },
        { (void *)s->spare, n * sizeof(*s->spare) },
        { (void *)s->values, n * sizeof(*s->values) + SLACK_BYTES },
        { (void *)s->weights, n * sizeof(*s->weights) + SLACK_BYTES },
        { (void *)s->ids, n * sizeof(*s->ids) + SLACK_BYTES },
        { (void *)s->raw, n * sizeof(*s->raw) + SLACK_BYTES },
        { (void *)s->keys, 2 * n * sizeof(*s->keys) + SLACK_BYTES },
        { (void *)s->block_max,
          n_blocks * sizeof(*s->block_max) + SLACK_BYTES },
        { (void *)s->prefix, (n_blocks + 1) * sizeof(*s->prefix) },
    };

    memcpy(parts, all, sizeof(all));
}

/* Fills every part with a number of its own: none may reach into another. */
static void check_parts(const struct srt_scratch *s, size_t n)
{
    struct part parts[N_PARTS];

    assert_true(s->n >= n);
    list_parts(s, n, parts);
    for (size_t i = 0; i < N_PARTS; i++) {
        assert_int_equal((uintptr_t)parts[i].at % 64, 0);
        memset(parts[i].at, (int)i + 1, parts[i].n_bytes);
    }
    for (size_t i = 0; i < N_PARTS; i++)
        for (size_t j = 0; j < parts[i].n_bytes; j++)
            assert_int_equal(parts[i].at[j], i + 1);
}

static void scratch_has_room_for_any_row(void **state)
{
    static const size_t sizes[] = { 1, 2, 63, 64, 65, 127, 128, 1000, 70001 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(sizes); i++) {
        const struct srt_scratch *const s = srt_scratch_get(sizes[i]);

        assert_non_null(s);
        check_parts(s, sizes[i]);
        sortes_thread_release();
    }
}

static void scratch_is_kept_for_shorter_rows(void **state)
{
    const struct srt_candidate *candidates;
    struct srt_scratch *s = srt_scratch_get(5000);

    (void)state;
    assert_non_null(s);
    candidates = s->candidates;
    s = srt_scratch_get(100);
    assert_int_equal(s->n, 5000);
    assert_ptr_equal(s->candidates, candidates);
    s = srt_scratch_get(5000);
    assert_ptr_equal(s->candidates, candidates);
    check_parts(s, 5000);
}

static void scratch_grows_for_a_longer_row(void **state)
{
    const struct srt_scratch *s;

    (void)state;
    for (size_t n = 1; n < 100000; n = n * 3 + 1) {
        s = srt_scratch_get(n);
        assert_non_null(s);
        check_parts(s, n);
    }
}

static void release_may_come_at_any_time(void **state)
{
    (void)state;
    sortes_thread_release();
    sortes_thread_release();
    assert_non_null(srt_scratch_get(100));
    sortes_thread_release();
    assert_non_null(srt_scratch_get(10));
    check_parts(srt_scratch_get(10), 10);
}

/* Leaves its memory to the thread's end: a leak checker sees that it goes. */
static void *other_thread(void *result)
{
    const struct srt_scratch *const s = srt_scratch_get(3000);

    if (s)
        check_parts(s, 3000);
    *(const void **)result = s ? s->candidates : NULL;
    return NULL;
}

static void scratch_belongs_to_its_thread(void **state)
{
    const struct srt_scratch *const mine = srt_scratch_get(3000);

    (void)state;
    assert_non_null(mine);
    memset(mine->candidates, 0x5a, 3000 * sizeof(*mine->candidates));
    for (int i = 0; i < 20; i++) {
        const void *theirs = NULL;
        pthread_t thread;

        assert_int_equal(pthread_create(&thread, NULL, other_thread, &theirs),
                         0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_non_null(theirs);
        assert_true(theirs != (const void *)mine->candidates);
    }
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(mine->candidates[i].id, 0x5a5a5a5a);
    sortes_thread_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_has_room_for_any_row),
        cmocka_unit_test(scratch_is_kept_for_shorter_rows),
        cmocka_unit_test(scratch_grows_for_a_longer_row),
        cmocka_unit_test(release_may_come_at_any_time),
        cmocka_unit_test(scratch_belongs_to_its_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
