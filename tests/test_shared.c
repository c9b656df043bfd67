/*
 * test_shared.c - immutable objects that several holders share, and threads
 *
 * Under the thread sanitizer the cases with threads show that nothing races.
 *
 * SPDX-License-Identifier: MIT
 */
#include "shared.h"

#include "support/stages.h"

#include <pthread.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { THREADS = 4, ROUNDS = 200, KEYS = 5 };

struct object {
    struct srt_shared shared;
    int key;
};

static atomic_int n_alive;

static void destroy(struct srt_shared *shared)
{
    atomic_fetch_sub(&n_alive, 1);
    free(shared);
}

static struct srt_shared *new_object(int key)
{
    struct object *o = malloc(sizeof(*o));

    assert_non_null(o);
    srt_shared_init(&o->shared, destroy);
    o->key = key;
    atomic_fetch_add(&n_alive, 1);
    return &o->shared;
}

static bool has_key(const struct srt_shared *shared, const void *key)
{
    return ((const struct object *)shared)->key == *(const int *)key;
}

static void last_holder_destroys(void **state)
{
    struct srt_shared *o = new_object(1);

    (void)state;
    srt_shared_retain(o);
    srt_shared_release(o);
    assert_int_equal(atomic_load(&n_alive), 1);
    srt_shared_release(o);
    assert_int_equal(atomic_load(&n_alive), 0);
}

static void list_finds_by_key_and_retains(void **state)
{
    struct srt_shared_list list = { ATOMIC_FLAG_INIT, NULL };
    const int one = 1, two = 2;
    struct srt_shared *o = srt_shared_add(&list, new_object(1), has_key, &one);
    struct srt_shared *found = srt_shared_find(&list, has_key, &one);

    (void)state;
    assert_ptr_equal(found, o);
    assert_null(srt_shared_find(&list, has_key, &two));
    assert_int_equal(atomic_load(&o->holders), 3); /* list, o and found */
    srt_shared_release(found);
    srt_shared_release(o);
    assert_int_equal(atomic_load(&n_alive), 1);
    srt_shared_clear(&list);
    assert_int_equal(atomic_load(&n_alive), 0);
}

static void list_keeps_the_first_of_a_key(void **state)
{
    struct srt_shared_list list = { ATOMIC_FLAG_INIT, NULL };
    const int one = 1;
    struct srt_shared *a = srt_shared_add(&list, new_object(1), has_key, &one);
    struct srt_shared *b = srt_shared_add(&list, new_object(1), has_key, &one);

    (void)state;
    assert_ptr_equal(a, b);
    assert_int_equal(atomic_load(&n_alive), 1);
    srt_shared_release(a);
    srt_shared_release(b);
    srt_shared_clear(&list);
    assert_int_equal(atomic_load(&n_alive), 0);
}

static void holders_outlive_the_list(void **state)
{
    struct srt_shared_list list = { ATOMIC_FLAG_INIT, NULL };
    const int one = 1;
    struct srt_shared *o = srt_shared_add(&list, new_object(1), has_key, &one);

    (void)state;
    srt_shared_clear(&list);
    assert_null(list.first);
    assert_int_equal(atomic_load(&n_alive), 1);
    srt_shared_release(o);
    assert_int_equal(atomic_load(&n_alive), 0);
}

/* ---- threads ------------------------------------------------------------- */

/* Runs work(job) on all threads at once; each says whether it went well. */
static void on_threads(void *(*work)(void *), void *job)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, job), 0);
    for (int i = 0; i < THREADS; i++) {
        void *bad;

        assert_int_equal(pthread_join(threads[i], &bad), 0);
        assert_null(bad);
    }
}

static void *find_or_add(void *job)
{
    struct srt_shared_list *list = job;

    for (int i = 0; i < ROUNDS; i++) {
        const int key = i % KEYS;
        struct srt_shared *o = srt_shared_find(list, has_key, &key);

        if (!o)
            o = srt_shared_add(list, new_object(key), has_key, &key);
        if (!has_key(o, &key))
            return list;
        srt_shared_release(o);
    }
    return NULL;
}

static void list_serves_many_threads(void **state)
{
    struct srt_shared_list list = { ATOMIC_FLAG_INIT, NULL };
    int n = 0;

    (void)state;
    on_threads(find_or_add, &list);
    for (struct srt_shared *it = list.first; it; it = it->next)
        n++;
    assert_int_equal(n, KEYS);
    srt_shared_clear(&list);
    assert_int_equal(atomic_load(&n_alive), 0);
}

/* Everything that threads may share, and a sampler of each thread's own. */
struct common {
    sortes_vocab *vocab;
    sortes_params *params;
};

static void *make_and_draw(void *job)
{
    const struct common *c = job;
    const float x[N_WORDS] = { 3, 2, 1 };
    const sortes_row row = { x, N_WORDS, SORTES_F32 };

    for (int i = 0; i < 20; i++) {
        sortes_sampler *s, *copy;
        sortes_draw a, b;

        if (sortes_sampler_new(&s, c->params, c->vocab, NULL) != SORTES_OK)
            return job;
        for (int j = 0; j < 10; j++) {
            if (sortes_sampler_sample(s, &row, &a) != SORTES_OK)
                return job;
            (void)sortes_sampler_accept(s, &a.token, 1, SORTES_GENERATED);
        }
        if (sortes_sampler_clone(&copy, s) != SORTES_OK ||
            sortes_sampler_sample(s, &row, &a) != SORTES_OK ||
            sortes_sampler_sample(copy, &row, &b) != SORTES_OK ||
            a.token != b.token)
            return job;
        sortes_sampler_free(copy);
        sortes_sampler_free(s);
    }
    sortes_thread_release();
    return NULL;
}

static void samplers_of_many_threads_share_vocab_and_breakers(void **state)
{
    struct common c = { stages_words(), NULL };

    (void)state;
    c.params = stages_params(
        "dry_multiplier=1 dry_sequence_breakers=abc!;:;b! "
        "xtc_probability=0.5 reasoning_budget_tokens=3 "
        "reasoning_budget_start_tag=c reasoning_budget_end_tags=d "
        "reasoning_budget_message=!");
    on_threads(make_and_draw, &c);
    sortes_params_free(c.params);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(last_holder_destroys),
        CASE(list_finds_by_key_and_retains),
        CASE(list_keeps_the_first_of_a_key),
        CASE(holders_outlive_the_list),
        CASE(list_serves_many_threads),
        CASE(samplers_of_many_threads_share_vocab_and_breakers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
