/*
 * test_settings.c - parameters in the two types, and those that are refused
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "support/mlxlm.h"
#include "support/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct srt_mlxlm_settings settled[2];

static void settle(const char *request)
{
    sortes_params *p = requests_fresh_of("mlx-lm");
    sortes_error err;

    assert_int_equal(requests_read(p, "mlx-lm", request, &err), SORTES_OK);
    assert_int_equal(srt_mlxlm_settle(settled, p, &err), SORTES_OK);
    sortes_params_free(p);
}

static void settings_are_off_by_default(void **state)
{
    (void)state;
    settle("{}");
    assert_true(settled[0].greedy && settled[1].greedy);
    settle("{\"temp\":1}");
    for (int i = 0; i < 2; i++) {
        assert_false(settled[i].greedy);
        assert_false(settled[i].has_top_p || settled[i].has_min_p ||
                     settled[i].has_xtc || settled[i].gumbel);
        assert_int_equal(settled[i].top_k, 0);
        assert_true(settled[i].scale == 1.0f);
        assert_int_equal(settled[i].narrow, i);
    }
}

static void settings_round_once_from_double(void **state)
{
    (void)state;
    settle("{\"temperature\":0.7,\"min_p\":0.05,\"top_p\":0.95}");
    assert_int_equal(srt_bits32(settled[0].scale), 0x3fb6db6eu);
    assert_int_equal(srt_bits32(settled[0].ln_min_p), 0xc03fba14u);
    assert_true(settled[0].top_p == 0.95f);
    assert_true(settled[1].scale == 1.4296875f); /* 1.428571 in bf16 */
    assert_true(settled[1].ln_min_p == -3.0f);
    assert_true(settled[1].top_p == 0.95f); /* meets a float sum */
    /* math.log(0.13) rounded to float is not logf(0.13f), c00292fb */
    settle("{\"temp\":1,\"min_p\":0.13}");
    assert_int_equal(srt_bits32(settled[0].ln_min_p), 0xc00292fau);
}

static void settings_know_a_filter_that_is_off(void **state)
{
    (void)state;
    settle("{\"temp\":1,\"top_p\":0}");
    assert_false(settled[0].has_top_p);
    settle("{\"temp\":1,\"top_p\":1.0}");
    assert_false(settled[0].has_top_p);
    /* below 1 as Python sees it, 1 as a float */
    settle("{\"temp\":1,\"top_p\":0.99999999999}");
    assert_true(settled[0].has_top_p && settled[0].top_p == 1.0f);
    settle("{\"temp\":1,\"min_p\":1}");
    assert_true(settled[0].has_min_p && settled[0].ln_min_p == 0.0f);
    settle("{\"temp\":1,\"xtc_probability\":1e-9}");
    assert_true(settled[1].has_xtc);
}

static void settings_refuse_what_the_arithmetic_cannot_bear(void **state)
{
    (void)state;
    mlxlm_check_refused("{\"temp\":1e-39}", SORTES_E_RANGE,
                        "temperature: too close to 0 (got 1e-39): its "
                        "reciprocal must be a float");
    mlxlm_check_refused("{\"temp\":1e39}", SORTES_E_RANGE,
                        "temperature: too high (got 1e+39): its reciprocal "
                        "must be a float");
    mlxlm_check_refused("{\"temp\":1,\"top_p\":1e-46}", SORTES_E_RANGE,
                        "top_p: too close to 0 (got 1e-46): no token would be "
                        "left");
    mlxlm_check_refused("{\"gumbel_row\":2,\"gumbel_rows\":2}", SORTES_E_RANGE,
                        "gumbel_row: out of range (got 2, allowed 0 to 1)");
}

static void settings_refuse_a_threshold_as_apply_xtc_does(void **state)
{
    (void)state;
    mlxlm_check_refused(
        "{\"temp\":1,\"xtc_probability\":0.5,\"xtc_threshold\":0.6}",
        SORTES_E_RANGE,
        "`threshold` has to be a float in the [0, 0.5] interval, but is 0.6");
    settle("{\"temp\":1,\"xtc_threshold\":0.6}"); /* xtc is off */
    settle("{\"temp\":1,\"xtc_probability\":0.5,\"xtc_threshold\":0.5}");
    assert_true(settled[0].xtc_line == 0.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_off_by_default),
        cmocka_unit_test(settings_round_once_from_double),
        cmocka_unit_test(settings_know_a_filter_that_is_off),
        cmocka_unit_test(settings_refuse_what_the_arithmetic_cannot_bear),
        cmocka_unit_test(settings_refuse_a_threshold_as_apply_xtc_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
