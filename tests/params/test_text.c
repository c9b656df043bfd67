/*
 * test_text.c - parameters from text and to text
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

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *text, *shown;
} taken_rows[] = {
    { "temperature", "0.8", "0.800000011920929" },
    { "temperature", "0", "0.0" },
    { "temperature", "1e0", "1.0" },
    { "temperature", "+.5", "0.5" },
    { "temperature", "2.", "2.0" },
    { "temperature", "inf", "null" },
    { "top_p", "1.00", "1.0" },
    { "presence_penalty", "-2", "-2.0" },
    { "top_k", "0", "0" },
    { "top_k", "2147483647", "2147483647" },
    { "top_k", "1e2", "100" },
    { "n_probs", "-3", "-3" },
    { "seed", "0", "0" },
    { "seed", "42", "42" },
    { "seed", "-1", "4294967295" },
    { "seed", "4294967295", "4294967295" },
    { "greedy", "true", "true" },
    { "greedy", "false", "false" },
    { "greedy", "1", "true" },
    { "greedy", "0", "false" },
    { "logit_bias", "", "[]" },
    { "logit_bias", "15043+1.5,2-inf",
      "[{\"bias\":1.5,\"token\":15043},{\"bias\":null,\"token\":2}]" },
    { "logit_bias", " 7-2 ,\t7+.5 ",
      "[{\"bias\":-2.0,\"token\":7},{\"bias\":0.5,\"token\":7}]" },
    { "samplers", "", "[]" },
    { "samplers", "top_k;temp", "[\"top_k\",\"temperature\"]" },
    { "samplers", "e;TOP-K;x;x", "[\"penalties\",\"top_k\",\"xtc\",\"xtc\"]" },
    { "dry_sequence_breakers", "", "[]" },
    { "dry_sequence_breakers", "\\n;a\\;b;;\\x41\\\\",
      "[\"\\n\",\"a;b\",\"\",\"A\\\\\"]" },
    { "reasoning_budget_message", "", "[\"\"]" },
    { "reasoning_budget_end_tags", "</think>;\\n\\n",
      "[\"</think>\",\"\\n\\n\"]" },
    { "logit_bias", "0+0,2147483647-1e3",
      "[{\"bias\":0.0,\"token\":0},{\"bias\":-1000.0,\"token\":"
      "2147483647}]" },
};

static void set_text_reads_every_type(void **state)
{
    sortes_params *p = requests_fresh();
    char shown[200];
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(taken_rows); i++) {
        sortes_source source;

        if (sortes_params_set_text(p, taken_rows[i].name, taken_rows[i].text,
                                   &err) != SORTES_OK)
            fail_msg("%s", err.text);
        assert_int_equal(sortes_params_get(p, taken_rows[i].name, shown,
                                           sizeof(shown), NULL, &source),
                         SORTES_OK);
        assert_string_equal(shown, taken_rows[i].shown);
        assert_int_equal(source, SORTES_FROM_CALL);
    }
    sortes_params_free(p);
}

/* 1 + 2^-24 and a little: as a double it is the midpoint, and would go down. */
static void set_text_rounds_a_float_once(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(
        sortes_params_set_text(p, "temperature",
                               "1.00000005960464477539062500000000001", NULL),
        SORTES_OK);
    assert_true(p->temperature == nextafterf(1.0f, 2.0f));
    sortes_params_free(p);
}

static const struct {
    const char *name, *text;
    sortes_status status;
    const char *problem;
} refused_rows[] = {
    { "temperature", "", SORTES_E_SYNTAX,
      "temperature: cannot read '' (needed a number)" },
    { "temperature", "warm", SORTES_E_SYNTAX,
      "temperature: cannot read 'warm' (needed a number)" },
    { "temperature", " 1", SORTES_E_SYNTAX, "cannot read ' 1'" },
    { "temperature", "1 ", SORTES_E_SYNTAX, "cannot read '1 '" },
    { "temperature", "1,5", SORTES_E_SYNTAX, "cannot read '1,5'" },
    { "temperature", "0x1p3", SORTES_E_SYNTAX, "cannot read '0x1p3'" },
    { "temperature", "nan", SORTES_E_SYNTAX, "cannot read 'nan'" },
    { "temperature", "-inf", SORTES_E_RANGE, "got -inf" },
    { "temperature", "-0.5", SORTES_E_RANGE, "got -0.5" },
    { "temperature", "1e39", SORTES_E_RANGE, "got 1e+39" },
    { "temperature", "1e400", SORTES_E_RANGE, "out of range" },
    { "top_k", "40.5", SORTES_E_RANGE, "not a whole number (got 40.5)" },
    { "top_k", "x", SORTES_E_SYNTAX, "needed a whole number" },
    { "top_k", "-1", SORTES_E_RANGE, "got -1, allowed 0 to 2147483647" },
    { "top_k", "99999999999999999999", SORTES_E_RANGE, "got 1e+20" },
    { "seed", "-2", SORTES_E_RANGE, "got -2" },
    { "seed", "4294967296", SORTES_E_RANGE, "got 4294967296" },
    { "seed", "random", SORTES_E_SYNTAX, "needed a whole number" },
    { "greedy", "yes", SORTES_E_SYNTAX, "needed true or false" },
    { "greedy", "2", SORTES_E_RANGE, "allowed 0 to 1" },
    { "logit_bias", "3=-inf", SORTES_E_SYNTAX, "logit_bias: " },
    { "logit_bias", "3 -100", SORTES_E_SYNTAX, "logit_bias: " },
    { "logit_bias", "3-", SORTES_E_SYNTAX, "logit_bias: " },
    { "samplers", "top_k;mn_p", SORTES_E_NAME,
      "sampler 'mn_p' is unknown; did you mean 'min_p'?" },
    { "samplers", "typical_p", SORTES_E_NAME,
      "sampler 'typical_p' is unknown" },
    { "samplers", "T", SORTES_E_NAME, "sampler 'T' is unknown" },
    { "samplers", "top_k;", SORTES_E_NAME, "sampler '' is unknown" },
    { "dry_sequence_breakers", "a;\\q", SORTES_E_SYNTAX,
      "dry_sequence_breakers: byte 2: unknown escape" },
    { "dry_sequence_breakers", "a\\", SORTES_E_SYNTAX, "byte 1" },
    { "dry_sequence_breakers", "\\x4", SORTES_E_SYNTAX, "byte 0" },
    { "logit_bias", "x", SORTES_E_SYNTAX,
      "logit_bias: byte 0: expected a token id, 0 to 2147483647" },
    { "logit_bias", "1", SORTES_E_SYNTAX,
      "byte 0: expected '+' or '-' after the token id" },
    { "logit_bias", "1+1,-2+1", SORTES_E_SYNTAX,
      "byte 4: expected a token id" },
    { "logit_bias", "2147483648+1", SORTES_E_SYNTAX, "token id" },
    { "logit_bias", "99999999999999999999+1", SORTES_E_SYNTAX, "token id" },
    { "logit_bias", "1+", SORTES_E_SYNTAX, "expected a number" },
    { "logit_bias", "1++1", SORTES_E_SYNTAX, "expected a number" },
    { "logit_bias", "1+-1", SORTES_E_SYNTAX, "expected a number" },
    { "logit_bias", "1+x", SORTES_E_SYNTAX, "expected a number" },
    { "logit_bias", "1+nan", SORTES_E_SYNTAX, "expected a number" },
    { "logit_bias", "1 +1", SORTES_E_SYNTAX, "expected '+' or '-'" },
    { "logit_bias", "1+inf", SORTES_E_SYNTAX, "below infinity" },
    { "logit_bias", "1+1e39", SORTES_E_SYNTAX, "below infinity" },
    { "logit_bias", "1-1e39", SORTES_E_SYNTAX, "a float or -inf" },
    { "logit_bias", "1+1,", SORTES_E_SYNTAX, "nothing after ','" },
    { "logit_bias", "1+1 2+2", SORTES_E_SYNTAX, "byte 4: expected ','" },
    { "logit_bias", ",1+1", SORTES_E_SYNTAX, "expected a token id" },
    { "top_kk", "1", SORTES_E_NAME, "did you mean 'top_k'?" },
};

static void set_text_refuses_what_it_cannot_read(void **state)
{
    sortes_params *p = requests_fresh(), before;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "5+5", NULL),
                     SORTES_OK);
    for (size_t i = 0; i < SRT_COUNT(refused_rows); i++) {
        before = *p;
        if (sortes_params_set_text(p, refused_rows[i].name,
                                   refused_rows[i].text,
                                   &err) != refused_rows[i].status ||
            strstr(err.text, refused_rows[i].problem) == NULL)
            fail_msg("%s %s: %s", refused_rows[i].name, refused_rows[i].text,
                     err.text);
        assert_memory_equal(p, &before, sizeof(before));
        assert_int_equal(p->logit_bias.items[0].token, 5);
    }
    assert_int_equal(sortes_params_set_text(p, "top_k", NULL, &err),
                     SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

static void get_says_how_much_room_it_needs(void **state)
{
    static const char whole[] = "[{\"bias\":-1.0,\"token\":1}]";
    sortes_params *p = requests_fresh();
    char text[64];
    size_t n;

    (void)state;
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "1-1", NULL),
                     SORTES_OK);
    assert_int_equal(sortes_params_get(p, "logit_bias", NULL, 0, &n, NULL),
                     SORTES_OK);
    assert_int_equal(n, strlen(whole));
    for (size_t size = 1; size < sizeof(text); size++) {
        size_t kept = size - 1 < strlen(whole) ? size - 1 : strlen(whole);

        memset(text, 'x', sizeof(text));
        assert_int_equal(
            sortes_params_get(p, "logit_bias", text, size, &n, NULL),
            SORTES_OK);
        assert_int_equal(n, strlen(whole));
        assert_memory_equal(text, whole, kept);
        assert_int_equal(text[kept], 0);
        assert_int_equal(text[size], 'x');
    }
    assert_int_equal(sortes_params_get(p, "bias", text, 1, &n, NULL),
                     SORTES_E_NAME);
    assert_int_equal(sortes_params_get(p, "seed", NULL, 1, &n, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_get(NULL, "seed", text, 1, &n, NULL),
                     SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

static void numbers_in_messages_are_short(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0, "0" },
        { -1, "-1" },
        { 0.1, "0.1" },
        { 40, "40" },
        { 4294967295.0, "4294967295" },
        { 1e39, "1e+39" },
        { HUGE_VAL, "inf" },
        { -HUGE_VAL, "-inf" },
        { (double)NAN, "NaN" },
        { -2.2250738585072014e-308, "-2.2250738585072014e-308" },
    };
    char text[SRT_NUMBER_TEXT];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        srt_number_to_text(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_text_reads_every_type),
        cmocka_unit_test(set_text_rounds_a_float_once),
        cmocka_unit_test(set_text_refuses_what_it_cannot_read),
        cmocka_unit_test(get_says_how_much_room_it_needs),
        cmocka_unit_test(numbers_in_messages_are_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
