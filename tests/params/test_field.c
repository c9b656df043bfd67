/*
 * test_field.c - limits of fields, and where values go
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/field.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct srt_field whole(enum srt_limit limit, double lo, double hi)
{
    struct srt_field f = {
        .as = SRT_AS_i32, .limit = limit, .lo = lo, .hi = hi
    };

    return f;
}

static struct srt_field real(enum srt_limit limit, double lo, double hi)
{
    struct srt_field f = {
        .as = SRT_AS_f32, .limit = limit, .lo = lo, .hi = hi
    };

    return f;
}

static int64_t limit_whole(struct srt_field f, int64_t value)
{
    struct srt_field_value v = { .integer = value };

    assert_int_equal(srt_field_limit(&f, "f", 1, 0, &v, NULL), SORTES_OK);
    return v.integer;
}

static float limit_real(struct srt_field f, float value)
{
    struct srt_field_value v = { .number = value };

    assert_int_equal(srt_field_limit(&f, "f", 1, 0, &v, NULL), SORTES_OK);
    return v.number;
}

static void soft_limits_move_values_to_the_border(void **state)
{
    (void)state;
    assert_int_equal(limit_whole(whole(SRT_LIMIT_soft, 0, 2), -1), 0);
    assert_int_equal(limit_whole(whole(SRT_LIMIT_soft, 0, 2), 3), 2);
    assert_int_equal(limit_whole(whole(SRT_LIMIT_soft, 0, 2), 1), 1);
    assert_int_equal(limit_whole(whole(SRT_LIMIT_none, 0, 0), -7), -7);
    assert_true(limit_real(real(SRT_LIMIT_soft, 0, 1), -0.5f) == 0.0f);
    assert_true(limit_real(real(SRT_LIMIT_soft, 0, 1), 1.5f) == 1.0f);
    assert_true(limit_real(real(SRT_LIMIT_soft, 0, 1), 0.25f) == 0.25f);
}

static void soft_limits_take_minus_zero_as_std_max_does(void **state)
{
    (void)state;
    assert_false(signbit(limit_real(real(SRT_LIMIT_soft, 0, 1), -0.0f)));
    assert_true(signbit(limit_real(real(SRT_LIMIT_none, 0, 0), -0.0f)));
}

static void floats_without_limits_become_finite(void **state)
{
    (void)state;
    assert_true(limit_real(real(SRT_LIMIT_none, 0, 0), HUGE_VALF) == FLT_MAX);
    assert_true(limit_real(real(SRT_LIMIT_none, 0, 0), -HUGE_VALF) == -FLT_MAX);
    assert_true(limit_real(real(SRT_LIMIT_soft, 0, HUGE_VAL), HUGE_VALF) ==
                HUGE_VALF);
}

static void hard_limits_refuse_in_the_servers_words(void **state)
{
    struct srt_field_value v = { .integer = -2 };
    struct srt_field f = whole(SRT_LIMIT_hard, -1, INT32_MAX);
    sortes_error err;

    (void)state;
    assert_int_equal(srt_field_limit(&f, "n_predictx", 9, 13, &v, &err),
                     SORTES_E_RANGE);
    assert_string_equal(err.text,
                        "Field 'n_predict': Value must be between -1 <= value "
                        "<= 2147483647, but got -2");
    assert_int_equal(err.offset, 13);
    f = whole(SRT_LIMIT_hard, -1, 9223372036854775807.0);
    f.as = SRT_AS_i64;
    v.integer = INT64_MIN;
    srt_field_limit(&f, "t", 1, 0, &v, &err);
    assert_string_equal(err.text,
                        "Field 't': Value must be between -1 <= value <= "
                        "9223372036854775807, but got -9223372036854775808");
    v.integer = INT64_MAX;
    assert_int_equal(srt_field_limit(&f, "t", 1, 0, &v, &err), SORTES_OK);
    f = real(SRT_LIMIT_hard, 0, 0.99);
    v.number = 1.5f;
    srt_field_limit(&f, "adaptive_decay", 14, 0, &v, &err);
    assert_string_equal(err.text,
                        "Field 'adaptive_decay': Value must be between "
                        "0.000000 <= value <= 0.990000, but got 1.500000");
    v.number = 0.99f; /* the float, a little below 0.99 as a double */
    assert_int_equal(srt_field_limit(&f, "d", 1, 0, &v, &err), SORTES_OK);
    v.number = nextafterf(0.99f, 1.0f);
    assert_int_equal(srt_field_limit(&f, "d", 1, 0, &v, &err), SORTES_E_RANGE);
}

static void is_off_compares_with_its_range(void **state)
{
    struct srt_field f = real(SRT_LIMIT_none, 0, 0);
    struct srt_field_value v = { .number = 0.0f };

    (void)state;
    f.off_from = -HUGE_VAL;
    assert_true(srt_field_is_off(&f, &v));
    v.number = -FLT_MAX;
    assert_true(srt_field_is_off(&f, &v));
    v.number = 1e-45f;
    assert_false(srt_field_is_off(&f, &v));
    f.as = SRT_AS_boolean;
    v.integer = 0;
    assert_true(srt_field_is_off(&f, &v));
    v.integer = 1;
    assert_false(srt_field_is_off(&f, &v));
}

static void store_writes_every_type(void **state)
{
    sortes_params p;
    struct srt_field f = { 0 };
    struct srt_field_value v = { .integer = 4294967295, .number = 0.5f };

    (void)state;
    memset(&p, 0, sizeof(p));
    f.parameter = SRT_PARAM_seed;
    srt_field_store(&f, &p, &v, SORTES_FROM_REQUEST);
    assert_int_equal(p.seed, 4294967295u);
    f.parameter = SRT_PARAM_top_p;
    srt_field_store(&f, &p, &v, SORTES_FROM_GGUF);
    assert_true(p.top_p == 0.5f);
    v.integer = -3;
    f.parameter = SRT_PARAM_top_k;
    srt_field_store(&f, &p, &v, SORTES_FROM_REQUEST);
    assert_int_equal(p.top_k, -3);
    f.parameter = SRT_PARAM_greedy;
    srt_field_store(&f, &p, &v, SORTES_FROM_REQUEST);
    assert_true(p.greedy);
    assert_int_equal(p.source[SRT_PARAM_top_p], SORTES_FROM_GGUF);
    assert_int_equal(p.source[SRT_PARAM_top_k], SORTES_FROM_REQUEST);
    assert_int_equal(p.source[SRT_PARAM_min_p], SORTES_FROM_DEFAULT);
}

static void check_built_checks_what_the_engine_checks(void **state)
{
    static const struct {
        float repeat, frequency, presence;
        const char *text; /* NULL: fine */
    } rows[] = {
        { 1.0f, 0.0f, 0.0f, NULL },
        { FLT_MAX, -FLT_MAX, FLT_MAX, NULL },
        { 1e-38f, 0.0f, 0.0f, NULL },
        { 0.0f, 0.0f, 0.0f,
          "penalty_repeat must be finite and greater than 0" },
        { -1.0f, 0.0f, 0.0f,
          "penalty_repeat must be finite and greater than 0" },
        { 1e-40f, 0.0f, 0.0f,
          "penalty_repeat must be finite and greater than 0" },
        { HUGE_VALF, 0.0f, 0.0f,
          "penalty_repeat must be finite and greater than 0" },
        { NAN, 0.0f, 0.0f, "penalty_repeat must be finite and greater than 0" },
        { 1.0f, HUGE_VALF, NAN, "penalty_freq must be finite" },
        { 1.0f, NAN, 0.0f, "penalty_freq must be finite" },
        { 1.0f, 0.0f, -HUGE_VALF, "penalty_present must be finite" },
    };
    sortes_params p;
    sortes_error err;

    (void)state;
    memset(&p, 0, sizeof(p));
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        p.repeat_penalty = rows[i].repeat;
        p.frequency_penalty = rows[i].frequency;
        p.presence_penalty = rows[i].presence;
        if (rows[i].text == NULL) {
            assert_int_equal(srt_params_check_built(&p, &err), SORTES_OK);
            continue;
        }
        assert_int_equal(srt_params_check_built(&p, &err), SORTES_E_RANGE);
        assert_memory_equal(err.text, "Failed to initialize samplers: ", 31);
        assert_string_equal(err.text + 31, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_limits_move_values_to_the_border),
        cmocka_unit_test(soft_limits_take_minus_zero_as_std_max_does),
        cmocka_unit_test(floats_without_limits_become_finite),
        cmocka_unit_test(hard_limits_refuse_in_the_servers_words),
        cmocka_unit_test(is_off_compares_with_its_range),
        cmocka_unit_test(store_writes_every_type),
        cmocka_unit_test(check_built_checks_what_the_engine_checks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
