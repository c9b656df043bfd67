/*
 * test_read_gguf.c - sampling defaults of a GGUF file, through text as in
 * llama.cpp
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/params.h"
#include "support/requests.h"

#include "gguf_build.h"
#include "support/files.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct gguf_build built;

static sortes_status read_built(sortes_params *p, sortes_error *err)
{
    struct srt_gguf *g;
    sortes_status status;

    build_end(&built);
    assert_int_equal(srt_gguf_open_memory(&g, "m", built.bytes, built.n, NULL),
                     SORTES_OK);
    status = srt_params_read_gguf(p, g, err);
    srt_gguf_close(g);
    return status;
}

static void gguf_defaults_may_be_missing(void **state)
{
    sortes_params *p = requests_fresh(), before = *p;

    (void)state;
    build_start(&built);
    build_text(&built, "general.name", "x");
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_memory_equal(p, &before, sizeof(before));
    sortes_params_free(p);
}

static void gguf_defaults_set_what_they_name(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    build_start(&built);
    build_whole(&built, "general.sampling.top_k", SRT_GGUF_I32, 20);
    build_f32(&built, "general.sampling.top_p", 0.5f);
    build_f32(&built, "general.sampling.min_p", 0.25f);
    build_f32(&built, "general.sampling.temp", 0.75f);
    build_whole(&built, "general.sampling.penalty_last_n", SRT_GGUF_I32, -1);
    build_f32(&built, "general.sampling.penalty_repeat", 1.5f);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->top_k, 20);
    assert_true(p->top_p == 0.5f);
    assert_true(p->min_p == 0.25f);
    assert_true(p->temperature == 0.75f);
    assert_int_equal(p->repeat_last_n, -1);
    assert_true(p->repeat_penalty == 1.5f);
    assert_int_equal(p->source[SRT_PARAM_top_k], SORTES_FROM_GGUF);
    assert_int_equal(p->source[SRT_PARAM_repeat_last_n], SORTES_FROM_GGUF);
    assert_int_equal(p->source[SRT_PARAM_seed], SORTES_FROM_DEFAULT);
    sortes_params_free(p);
}

/* Printed with six decimals and read back. */
static void gguf_floats_go_through_text(void **state)
{
    static const struct {
        double value;
        float as_f32, as_f64; /* what either type becomes */
    } rows[] = {
        { 0.123456789, 0.123457f, 0.123457f },
        { 4.4e-7, 0.0f, 0.0f },
        { 0.95, 0.95f, 0.95f },
        { 1.0000004, 1.0f, 1.0f },
        { 0.0000015, 0.000002f, 0.000002f },
        { 0.0078125, 0.007812f, 0.007812f }, /* a tie, to even */
        { -0.0000001, -0.0f, -0.0f },
        { 1e30, 1e30f, 1e30f },
        /* cut after 127 characters: still far beyond floats */
        { 1e300, HUGE_VALF, HUGE_VALF },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        for (int wide = 0; wide < 2; wide++) {
            sortes_params *p = requests_fresh();
            float want = wide ? rows[i].as_f64 : rows[i].as_f32;

            build_start(&built);
            if (wide)
                build_f64(&built, "general.sampling.temp", rows[i].value);
            else
                build_f32(&built, "general.sampling.temp",
                          rows[i].value > (double)FLT_MAX
                              ? HUGE_VALF
                              : (float)rows[i].value);
            assert_int_equal(read_built(p, NULL), SORTES_OK);
            if (memcmp(&p->temperature, &want, sizeof(want)) != 0)
                fail_msg("%g: %a", rows[i].value, (double)p->temperature);
            sortes_params_free(p);
        }
    }
}

static void gguf_texts_are_read_as_far_as_they_are_numbers(void **state)
{
    static const struct {
        const char *text;
        int32_t top_k; /* 40: not set */
        float top_p;   /* 0.95: not set */
    } rows[] = {
        { "12", 12, 12.0f },
        { "0.7abc", 0, 0.7f },
        { " \t-3x", -3, -3.0f },
        { "+1e-1", 1, 0.1f },
        { ".5", 40, 0.5f },
        { "", 40, 0.95f },
        { "x", 40, 0.95f },
        { "-", 40, 0.95f },
        { "4294967297", 1, 4294967296.0f },
        { "99999999999999999999", -1, 1e20f },
        { "inf", 40, HUGE_VALF },
        { "-Infinity", 40, -HUGE_VALF },
        /* 63 digits at most */
        { "0000000000000000000000000000000000000000000000000000000000000"
          "0123",
          1, 123.0f },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = requests_fresh();

        build_start(&built);
        build_text(&built, "general.sampling.top_k", rows[i].text);
        build_text(&built, "general.sampling.top_p", rows[i].text);
        assert_int_equal(read_built(p, NULL), SORTES_OK);
        if (p->top_k != rows[i].top_k || p->top_p != rows[i].top_p)
            fail_msg("%s: %d %g", rows[i].text, p->top_k, (double)p->top_p);
        sortes_params_free(p);
    }
}

static void gguf_whole_numbers_of_every_type_are_taken(void **state)
{
    static const struct {
        enum srt_gguf_type type;
        int64_t value;
        int32_t top_k;
        float top_p;
    } rows[] = {
        { SRT_GGUF_U8, 200, 200, 200.0f },
        { SRT_GGUF_I8, -3, -3, -3.0f },
        { SRT_GGUF_U16, 65535, 65535, 65535.0f },
        { SRT_GGUF_I16, -2, -2, -2.0f },
        { SRT_GGUF_U32, 4000000000, -294967296, 4e9f },
        { SRT_GGUF_I32, INT32_MIN, INT32_MIN, -2147483648.0f },
        { SRT_GGUF_U64, -1, -1, 18446744073709551616.0f },
        { SRT_GGUF_I64, INT64_MIN, 0, -9223372036854775808.0f },
        { SRT_GGUF_BOOL, 1, 40, 0.95f }, /* "true" is no number */
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = requests_fresh();

        build_start(&built);
        build_whole(&built, "general.sampling.top_k", rows[i].type,
                    rows[i].value);
        build_whole(&built, "general.sampling.top_p", rows[i].type,
                    rows[i].value);
        assert_int_equal(read_built(p, NULL), SORTES_OK);
        if (p->top_k != rows[i].top_k || p->top_p != rows[i].top_p)
            fail_msg("%zu: %d %g", i, p->top_k, (double)p->top_p);
        sortes_params_free(p);
    }
}

static void gguf_floats_for_whole_numbers_are_cut(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    build_start(&built);
    build_f32(&built, "general.sampling.top_k", 39.9f);
    build_f32(&built, "general.sampling.penalty_last_n", -0.5f);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->top_k, 39);
    assert_int_equal(p->repeat_last_n, 0);
    sortes_params_free(p);
}

static void gguf_arrays_are_not_looked_at(void **state)
{
    static const int32_t values[] = { 7 };
    sortes_params *p = requests_fresh();

    (void)state;
    build_start(&built);
    build_i32s(&built, "general.sampling.top_k", values, 1);
    build_i32s(&built, "general.sampling.mirostat", values, 1);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->top_k, 40);
    sortes_params_free(p);
}

static void gguf_does_not_overwrite_what_the_user_set(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(sortes_params_set_integer(p, "top_k", 3, NULL), SORTES_OK);
    assert_int_equal(
        sortes_params_read(p, "llama-server", "{\"top_p\":0.5}", 13, NULL),
        SORTES_OK);
    build_start(&built);
    build_whole(&built, "general.sampling.top_k", SRT_GGUF_I32, 20);
    build_f32(&built, "general.sampling.top_p", 0.25f);
    build_f32(&built, "general.sampling.temp", 0.5f);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->top_k, 3);
    assert_true(p->top_p == 0.5f);
    assert_true(p->temperature == 0.5f);
    /* a second file overwrites the first */
    build_start(&built);
    build_f32(&built, "general.sampling.temp", 2.0f);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_true(p->temperature == 2.0f);
    sortes_params_free(p);
}

static void gguf_sets_the_samplers_and_mirostat(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    build_start(&built);
    build_text(&built, "general.sampling.sequence", "top_k;bogus;Temp;;typ");
    build_f32(&built, "general.sampling.xtc_probability", 0.5f);
    build_f32(&built, "general.sampling.xtc_threshold", 0.123456789f);
    build_whole(&built, "general.sampling.mirostat", SRT_GGUF_I32, 3);
    build_f32(&built, "general.sampling.mirostat_tau", 3.0f);
    build_f32(&built, "general.sampling.mirostat_eta", 0.2f);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->samplers.n, 3);
    assert_string_equal(p->samplers.items[0], "top_k");
    assert_string_equal(p->samplers.items[1], "temperature");
    assert_string_equal(p->samplers.items[2], "typ_p");
    assert_true(p->samplers.given);
    assert_int_equal(p->source[SRT_PARAM_samplers], SORTES_FROM_GGUF);
    assert_true(p->xtc_probability == 0.5f && p->xtc_threshold == 0.123457f);
    assert_int_equal(p->mirostat, 3); /* refused when a chain is built */
    assert_true(p->mirostat_tau == 3.0f && p->mirostat_eta == 0.2f);
    /* an empty text says nothing; what the user set stays */
    build_start(&built);
    build_text(&built, "general.sampling.sequence", "");
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->samplers.n, 3);
    assert_int_equal(sortes_params_set_text(p, "samplers", "dry", NULL),
                     SORTES_OK);
    build_start(&built);
    build_text(&built, "general.sampling.sequence", "xtc");
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_string_equal(p->samplers.items[0], "dry");
    sortes_params_free(p);
}

static void gguf_suppressed_tokens_outlive_a_request(void **state)
{
    static const int32_t suppressed[] = { 5, -1, 7 };
    static const char request[] = "{\"logit_bias\":[[1,2]]}";
    sortes_params *p = requests_fresh();

    (void)state;
    build_start(&built);
    build_i32s(&built, "tokenizer.ggml.suppress_tokens", suppressed, 3);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(
        sortes_params_read(p, "llama-server", request, strlen(request), NULL),
        SORTES_OK);
    assert_int_equal(p->logit_bias.n, 1);
    assert_int_equal(p->suppressed.n, 2);
    assert_int_equal(p->suppressed.items[0].token, 5);
    assert_int_equal(p->suppressed.items[1].token, 7);
    assert_true(p->suppressed.items[1].value == -HUGE_VALF);
    build_start(&built);
    build_i32s(&built, "tokenizer.ggml.suppress_tokens", NULL, 0);
    assert_int_equal(read_built(p, NULL), SORTES_OK);
    assert_int_equal(p->suppressed.n, 0);
    sortes_params_free(p);
}

static void check_refused(const char *text)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    assert_int_equal(read_built(p, &err), SORTES_E_RANGE);
    assert_string_equal(err.text, text);
    sortes_params_free(p);
}

static void gguf_refuses_suppressed_tokens_of_another_type(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    build_start(&built);
    build_whole(&built, "tokenizer.ggml.suppress_tokens", SRT_GGUF_I32, 5);
    assert_int_equal(read_built(p, &err), SORTES_E_SYNTAX);
    assert_string_equal(err.text,
                        "m: invalid gguf type for "
                        "tokenizer.ggml.suppress_tokens (got i32, needed array "
                        "of i32)");
    sortes_params_free(p);
}

static void gguf_refuses_values_that_are_no_numbers(void **state)
{
    (void)state;
    build_start(&built);
    build_f32(&built, "general.sampling.temp", NAN);
    check_refused("m: key 'general.sampling.temp': not a number (got nan, "
                  "allowed any number)");
    build_start(&built);
    build_f32(&built, "general.sampling.temp", -NAN);
    check_refused("m: key 'general.sampling.temp': not a number (got -nan, "
                  "allowed any number)");
    build_start(&built);
    build_text(&built, "general.sampling.min_p", "0x1p-3");
    check_refused("m: key 'general.sampling.min_p': hexadecimal text (got "
                  "0x1p-3, allowed decimal text)");
    build_start(&built);
    build_f32(&built, "general.sampling.penalty_repeat", 4e-7f);
    check_refused("Failed to initialize samplers: penalty_repeat must be "
                  "finite and greater than 0");
}

static void read_gguf_is_all_or_nothing(void **state)
{
    sortes_params *p = requests_fresh(), before = *p;
    sortes_error err;
    const float one = 1.0f;

    (void)state;
    build_start(&built);
    build_whole(&built, "general.sampling.top_k", SRT_GGUF_I32, 20);
    build_f32(&built, "general.sampling.penalty_repeat", 0.0f);
    build_end(&built);
    file_write("defaults.gguf", built.bytes, built.n);
    assert_int_equal(sortes_params_read_gguf(p, "defaults.gguf", &err),
                     SORTES_E_RANGE);
    assert_memory_equal(p, &before, sizeof(before));
    memcpy(built.bytes + built.n - 4, &one, 4); /* penalty_repeat */
    file_write("defaults.gguf", built.bytes, built.n);
    assert_int_equal(sortes_params_read_gguf(p, "defaults.gguf", &err),
                     SORTES_OK);
    assert_int_equal(p->top_k, 20);
    remove("defaults.gguf");
    assert_int_equal(sortes_params_read_gguf(p, "defaults.gguf", &err),
                     SORTES_E_IO);
    assert_int_equal(sortes_params_read_gguf(p, NULL, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_read_gguf(NULL, "x", &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(p->top_k, 20);
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gguf_defaults_may_be_missing),
        cmocka_unit_test(gguf_defaults_set_what_they_name),
        cmocka_unit_test(gguf_floats_go_through_text),
        cmocka_unit_test(gguf_texts_are_read_as_far_as_they_are_numbers),
        cmocka_unit_test(gguf_whole_numbers_of_every_type_are_taken),
        cmocka_unit_test(gguf_floats_for_whole_numbers_are_cut),
        cmocka_unit_test(gguf_arrays_are_not_looked_at),
        cmocka_unit_test(gguf_does_not_overwrite_what_the_user_set),
        cmocka_unit_test(gguf_sets_the_samplers_and_mirostat),
        cmocka_unit_test(gguf_suppressed_tokens_outlive_a_request),
        cmocka_unit_test(gguf_refuses_suppressed_tokens_of_another_type),
        cmocka_unit_test(gguf_refuses_values_that_are_no_numbers),
        cmocka_unit_test(read_gguf_is_all_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
