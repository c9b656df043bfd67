/*
 * test_device.c - which rows a sampler moves, and which it leaves where they
 * are
 *
 * The device here is a struct with a row in it: its address is the handle, and
 * its own memory cannot be mistaken for a row's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "device.h"
#include "row.h"
#include "support/requests.h"
#include "support/rows.h"
#include "support/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { N = 700 };

/* What a handle is the address of. */
struct remote {
    uint64_t secret[8];
    float x[N];
    uint16_t narrow[N];
};

struct fake {
    int n_argmax, n_masked, n_download;
    sortes_argmax of;
    sortes_status answers; /* of both calls */
};

static struct remote remote;
static struct fake fake;

static const void *remote_data(const sortes_row *row)
{
    assert_ptr_equal(row->data, &remote);
    return row->type == SORTES_F32 ? (const void *)remote.x : remote.narrow;
}

static sortes_status fake_argmax(void *ctx, const sortes_row *row,
                                 sortes_argmax of, const uint32_t *allowed,
                                 int32_t *token)
{
    struct fake *f = ctx;
    const sortes_row here = { remote_data(row), row->n, row->type };
    float best = -INFINITY;

    f->n_argmax++;
    f->n_masked += allowed != NULL;
    f->of = of;
    for (size_t i = 0; i < row->n; i++) {
        if (allowed && !(allowed[i / 32] >> i % 32 & 1))
            continue;
        if (srt_row_at(&here, i) > best) {
            best = srt_row_at(&here, i);
            *token = (int32_t)i;
        }
    }
    return f->answers;
}

static sortes_status fake_download(void *ctx, const sortes_row *row, void *out)
{
    struct fake *f = ctx;
    const size_t size =
        row->type == SORTES_F32 ? sizeof(float) : sizeof(uint16_t);

    f->n_download++;
    memcpy(out, remote_data(row), row->n * size);
    return f->answers;
}

static sortes_device device(void)
{
    return (sortes_device){ sizeof(sortes_device), &fake, fake_argmax,
                            fake_download };
}

static sortes_sampler *sampler(const char *dialect, const char *request)
{
    sortes_params *p = requests_fresh_of(dialect);
    sortes_sampler *s;
    sortes_error err;
    const sortes_device d = device();

    if (requests_read(
            p, strcmp(dialect, "llama.cpp") == 0 ? "llama-server" : dialect,
            request, &err) != SORTES_OK ||
        sortes_sampler_new(&s, p, NULL, &err) != SORTES_OK)
        fail_msg("%s: %s", request, err.text);
    sortes_params_free(p);
    assert_int_equal(sortes_sampler_set_device(s, &d), SORTES_OK);
    fake = (struct fake){ 0 };
    return s;
}

static sortes_row fill(sortes_dtype type, uint64_t seed)
{
    rows_fill(remote.x, N, ROWS_ORDINARY, seed);
    (void)rows_as(remote.x, remote.narrow, N, type);
    return (sortes_row){ &remote, N, type };
}

static sortes_draw draw(sortes_sampler *s, const sortes_row *row)
{
    sortes_draw d;

    assert_int_equal(sortes_sampler_sample(s, row, &d), SORTES_OK);
    return d;
}

/* The same on rows in host memory. */
static sortes_draw draw_here(sortes_sampler *s, const sortes_row *row)
{
    const sortes_row here = { remote_data(row), row->n, row->type };
    sortes_draw d;

    assert_int_equal(sortes_sampler_set_device(s, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_sample(s, &here, &d), SORTES_OK);
    return d;
}

static void greedy_moves_no_row(void **state)
{
    static const char *const dialects[] = { "mlx-lm", "rmlx" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int type = 0; type < 2; type++) {
            sortes_sampler *s = sampler(dialects[i], "{\"temperature\":0}");
            const sortes_row row = fill(type ? SORTES_BF16 : SORTES_F32, 5);
            const sortes_draw there = draw(s, &row), here = draw_here(s, &row);

            assert_int_equal(fake.n_argmax, 1);
            assert_int_equal(fake.n_masked, 0);
            assert_int_equal(fake.n_download, 0);
            assert_int_equal(fake.of,
                             i ? SORTES_ARGMAX_LOGITS : SORTES_ARGMAX_LOGPROBS);
            assert_memory_equal(&there, &here, sizeof(here));
            sortes_sampler_free(s);
        }
    }
}

static void greedy_under_a_mask_moves_no_row(void **state)
{
    static const char *const dialects[] = { "mlx-lm", "rmlx" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        sortes_sampler *s = sampler(dialects[i], "{\"temperature\":0}");
        const sortes_constraint c = rule_constraint(rule_of(0xf0f0));
        const sortes_row row = fill(SORTES_F32, 6);

        assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
        const sortes_draw there = draw(s, &row), here = draw_here(s, &row);
        assert_true(fake.n_argmax == 1 && fake.n_masked == 1);
        assert_int_equal(fake.n_download, 0);
        assert_true(there.token < 16 && (0xf0f0 >> there.token & 1));
        assert_memory_equal(&there, &here, sizeof(here));
        sortes_sampler_free(s);
    }
}

static void any_other_step_moves_it_once(void **state)
{
    static const char *const requests[][2] = {
        { "mlx-lm", "{\"temperature\":0.8,\"seed\":3}" },
        { "mlx-lm", "{\"temperature\":0,\"logit_bias\":{\"3\":1}}" },
        { "rmlx", "{\"temperature\":0.8,\"seed\":3}" },
        { "rmlx", "{\"temperature\":0,\"frequency_penalty\":1}" },
        { "llama.cpp", "{\"temperature\":0.8,\"seed\":3}" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(requests); i++) {
        sortes_sampler *s = sampler(requests[i][0], requests[i][1]);
        const sortes_row row = fill(SORTES_F32, 7);
        sortes_logprob top[3];

        const int32_t token = draw(s, &row).token;
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 token, top, 3, NULL),
                         SORTES_OK);
        assert_int_equal(fake.n_argmax, 0);
        assert_int_equal(fake.n_download, 1);
        /* another token, another row behind the same handle */
        assert_int_equal(sortes_sampler_accept(s, &token, 1, SORTES_GENERATED),
                         SORTES_OK);
        (void)fill(SORTES_F32, 8);
        (void)draw(s, &row);
        assert_int_equal(fake.n_download, 2);
        sortes_sampler_free(s);
    }
}

static void logprobs_before_the_draw_share_the_row_too(void **state)
{
    sortes_sampler *s = sampler("mlx-lm", "{\"temperature\":0.8,\"seed\":3}");
    const sortes_row row = fill(SORTES_BF16, 9);
    float p[N], own;
    size_t n;

    (void)state;
    assert_int_equal(
        sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 1, NULL, 0, &own),
        SORTES_OK);
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                     SORTES_OK);
    (void)draw(s, &row);
    assert_int_equal(fake.n_download, 1);
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    (void)draw(s, &row);
    assert_int_equal(fake.n_download, 2);
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    (void)draw(s, &row);
    assert_int_equal(fake.n_download, 3);
    sortes_sampler_free(s);
}

/* Greedy with logprobs: the draw stays there, the question brings it here. */
static void logprobs_of_greedy_cost_one_transfer(void **state)
{
    sortes_sampler *s = sampler("mlx-lm", "{}");
    const sortes_row row = fill(SORTES_F32, 10);
    float own;

    (void)state;
    const int32_t token = draw(s, &row).token;
    assert_int_equal(fake.n_download, 0);
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                             token, NULL, 0, &own),
                     SORTES_OK);
    assert_int_equal(fake.n_download, 1);
    sortes_sampler_free(s);
}

static void draws_are_those_of_host_memory(void **state)
{
    sortes_sampler *there = sampler("mlx-lm", "{\"temp\":1,\"seed\":4}");
    sortes_sampler *here = sampler("mlx-lm", "{\"temp\":1,\"seed\":4}");

    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        const sortes_row row = fill(i % 2 ? SORTES_BF16 : SORTES_F32, i);
        const sortes_draw a = draw(there, &row), b = draw_here(here, &row);

        assert_memory_equal(&a, &b, sizeof(a));
        assert_int_equal(
            sortes_sampler_accept(there, &a.token, 1, SORTES_GENERATED),
            SORTES_OK);
    }
    assert_int_equal(fake.n_download, 30);
    sortes_sampler_free(there);
    sortes_sampler_free(here);
}

static void a_clone_has_the_device_but_not_the_row(void **state)
{
    sortes_sampler *s = sampler("mlx-lm", "{\"temp\":1,\"seed\":4}"), *copy;
    const sortes_row row = fill(SORTES_F32, 11);

    (void)state;
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    assert_int_equal(draw(s, &row).token, draw(copy, &row).token);
    assert_int_equal(fake.n_download, 2);
    sortes_sampler_free(copy);
    sortes_sampler_free(s);
}

static void what_a_device_cannot_do_is_done_here(void **state)
{
    sortes_sampler *s = sampler("mlx-lm", "{}");
    const sortes_row row = fill(SORTES_F32, 12);
    sortes_device d = device();
    sortes_draw drawn;

    (void)state;
    d.argmax = NULL;
    assert_int_equal(sortes_sampler_set_device(s, &d), SORTES_OK);
    const sortes_draw there = draw(s, &row);
    assert_int_equal(fake.n_download, 1);
    const sortes_draw here = draw_here(s, &row);
    assert_memory_equal(&there, &here, sizeof(here));
    /* "not this kind of argmax" brings the row; a failure is a failure */
    d = device();
    assert_int_equal(sortes_sampler_set_device(s, &d), SORTES_OK);
    fake = (struct fake){ .answers = SORTES_E_NOT_FINITE };
    assert_int_equal(sortes_sampler_sample(s, &row, &drawn),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(fake.n_download, 0);
    fake = (struct fake){ .answers = SORTES_E_NAME };
    assert_int_equal(sortes_sampler_sample(s, &row, &drawn), SORTES_E_NAME);
    assert_int_equal(fake.n_download, 1);
    fake = (struct fake){ 0 };
    (void)draw(s, &row);
    assert_int_equal(fake.n_argmax, 1);
    sortes_sampler_free(s);
}

static void devices_are_checked(void **state)
{
    sortes_sampler *s = sampler("mlx-lm", "{}");
    sortes_device d = device();

    (void)state;
    d.struct_size--;
    assert_int_equal(sortes_sampler_set_device(s, &d), SORTES_E_ARGUMENT);
    d = device();
    d.download = NULL;
    assert_int_equal(sortes_sampler_set_device(s, &d), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_set_device(NULL, NULL), SORTES_E_ARGUMENT);
    sortes_sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_moves_no_row),
        cmocka_unit_test(greedy_under_a_mask_moves_no_row),
        cmocka_unit_test(any_other_step_moves_it_once),
        cmocka_unit_test(logprobs_before_the_draw_share_the_row_too),
        cmocka_unit_test(logprobs_of_greedy_cost_one_transfer),
        cmocka_unit_test(draws_are_those_of_host_memory),
        cmocka_unit_test(a_clone_has_the_device_but_not_the_row),
        cmocka_unit_test(what_a_device_cannot_do_is_done_here),
        cmocka_unit_test(devices_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
