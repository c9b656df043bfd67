/*
 * shapes.c - parameters of every shape that a chain and its plans take
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const struct shape {
    const char *name;
    struct {
        const char *parameter, *value;
    } set[8];
} shapes[SHAPES_N] = {
    { "default", { { 0 } } },
    { "top-k alone",
      { { "top_k", "40" }, { "top_p", "1" }, { "min_p", "0" } } },
    { "top-k of 1", { { "top_k", "1" } } },
    { "top-k of 128, hot", { { "top_k", "128" }, { "temperature", "1.7" } } },
    { "top-k of 129", { { "top_k", "129" }, { "min_p", "0" } } },
    { "top-k of 3000",
      { { "top_k", "3000" }, { "top_p", "0.9" }, { "temperature", "1" } } },
    { "nucleus", { { "top_k", "0" } } },
    { "wide nucleus",
      { { "top_k", "0" }, { "top_p", "0.999" }, { "min_p", "0" } } },
    { "nucleus, kept large",
      { { "top_k", "0" }, { "top_p", "0.3" }, { "min_keep", "900" } } },
    { "min-p alone", { { "top_k", "0" }, { "top_p", "1" } } },
    { "min-p, kept large",
      { { "top_k", "0" },
        { "top_p", "1" },
        { "min_p", "0.9" },
        { "min_keep", "300" } } },
    { "whole row", { { "top_k", "0" }, { "top_p", "1" }, { "min_p", "0" } } },
    { "whole row, temperature 1",
      { { "top_k", "0" },
        { "top_p", "1" },
        { "min_p", "0" },
        { "temperature", "1" } } },
    { "temperature 0", { { "temperature", "0" } } },
    { "temperature 0, whole row",
      { { "top_k", "0" },
        { "top_p", "1" },
        { "min_p", "0" },
        { "temperature", "0" } } },
    { "greedy", { { "greedy", "true" } } },
    { "penalties",
      { { "repeat_penalty", "1.3" },
        { "frequency_penalty", "0.2" },
        { "presence_penalty", "0.4" } } },
    { "penalties on the nucleus",
      { { "top_k", "0" },
        { "repeat_penalty", "1.1" },
        { "repeat_last_n", "200" } } },
    { "biases, penalties, whole row",
      { { "top_k", "0" },
        { "top_p", "1" },
        { "min_p", "0" },
        { "presence_penalty", "0.5" },
        { "logit_bias", "0+2.5,7-1,7+0.25,11-inf,90+6,1000+3,3000-2" } } },
};

const char *shape_name(size_t shape)
{
    return shapes[shape].name;
}

int shape_draws(size_t shape)
{
    return strcmp(shapes[shape].name, "greedy") != 0;
}

sortes_params *shape_params(size_t shape, uint64_t seed)
{
    sortes_params *p;
    sortes_error err;

    assert_true(shape < SHAPES_N);
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    for (size_t i = 0; i < 8 && shapes[shape].set[i].parameter; i++)
        if (sortes_params_set_text(p, shapes[shape].set[i].parameter,
                                   shapes[shape].set[i].value,
                                   &err) != SORTES_OK)
            fail_msg("%s: %s", shapes[shape].name, err.text);
    assert_int_equal(sortes_params_set_seed(p, seed, NULL), SORTES_OK);
    return p;
}

sortes_sampler *shape_sampler(size_t shape, uint64_t seed)
{
    sortes_params *const p = shape_params(shape, seed);
    sortes_sampler *s;

    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    sortes_params_free(p);
    return s;
}

sortes_sampler *shape_clone(const sortes_sampler *s)
{
    sortes_sampler *copy;

    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    return copy;
}
