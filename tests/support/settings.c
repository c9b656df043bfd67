/*
 * settings.c - parameters, biases and a history taken at random
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/settings.h"

#include <math.h>
#include <string.h>

struct settings settings_default(void)
{
    return (struct settings){
        .seed = 1,
        .temperature = 0.8f,
        .top_k = 40,
        .top_p = 0.95f,
        .min_p = 0.05f,
        .last_n = 64,
        .repeat = 1.0f,
    };
}

float settings_pick(struct rows_random *r, const float *from, size_t n)
{
    return from[rows_below(r, n)];
}

static void random_filters(struct settings *s, struct rows_random *r)
{
    s->temperature = PICK(r, 0.8f, 0.8f, 1, 0, 0.3f, 1.7f, 0.01f, 3);
    if (rows_below(r, 3) == 0)
        return; /* the default shape */
    s->top_k = (int32_t)PICK(r, 0, 0, 0, 1, 5, 40, 40, 128, 129, 200, 1000,
                             5000, 40000, 500000);
    s->top_p = PICK(r, 1, 1, 0.95f, 0.95f, 0.5f, 0.1f, 0, 0.999f);
    s->min_p = PICK(r, 0, 0, 0.05f, 0.05f, 0.3f, 0.001f, 1);
    s->min_keep = (int32_t)PICK(r, 0, 0, 0, 1, 3, 300);
}

void settings_random(struct settings *s, struct rows_random *r, size_t n)
{
    *s = settings_default();
    s->seed = (uint32_t)rows_bits(r) & 0x7fffffffu;
    random_filters(s, r);
    s->last_n = (int32_t)PICK(r, 64, 64, 0, 1, 8, 250);
    s->repeat = PICK(r, 1, 1, 1.1f, 1.3f, 0.8f);
    s->frequency = PICK(r, 0, 0, 0.3f, -0.4f);
    s->presence = PICK(r, 0, 0, 0.6f, 1.5f);
    s->greedy = rows_below(r, 8) == 0;
    s->n_biases = rows_below(r, 3) ? 0 : rows_below(r, SETTINGS_BIASES + 1);
    for (size_t i = 0; i < s->n_biases; i++) {
        s->biases[i].token = (int32_t)rows_below(r, n + 2);
        s->biases[i].value = PICK(r, 1.5f, -2, 30, -100, -INFINITY, 0.125f);
    }
    s->n_history = rows_below(r, SETTINGS_HISTORY);
    for (size_t i = 0; i < s->n_history; i++)
        s->history[i] =
            (int32_t)rows_below(r, rows_below(r, 2) ? n : 40 % n + 1);
}

/* A list as params.def reads it: "15043+1.5,2-inf". */
static void write_biases(char *out, size_t size, const struct settings *s)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < s->n_biases && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%d%+.9g", i ? "," : "",
                             s->biases[i].token, (double)s->biases[i].value);
}

void settings_write(FILE *out, const struct settings *s)
{
    char list[512];

    write_biases(list, sizeof(list), s);
    fprintf(out,
            "{\"seed\":%u,\"temperature\":%.9g,\"top_k\":%d,\"top_p\":%.9g,"
            "\"min_p\":%.9g,\"min_keep\":%d,\"repeat_last_n\":%d,"
            "\"repeat_penalty\":%.9g,\"frequency_penalty\":%.9g,"
            "\"presence_penalty\":%.9g,\"greedy\":%s,\"logit_bias\":\"%s\"}",
            s->seed, (double)s->temperature, s->top_k, (double)s->top_p,
            (double)s->min_p, s->min_keep, s->last_n, (double)s->repeat,
            (double)s->frequency, (double)s->presence,
            s->greedy ? "true" : "false", list);
}

static sortes_status set_all(sortes_params *p, const struct settings *s,
                             sortes_error *err)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        { "temperature", (double)s->temperature },
        { "top_k", s->top_k },
        { "top_p", (double)s->top_p },
        { "min_p", (double)s->min_p },
        { "min_keep", s->min_keep },
        { "repeat_last_n", s->last_n },
        { "repeat_penalty", (double)s->repeat },
        { "frequency_penalty", (double)s->frequency },
        { "presence_penalty", (double)s->presence },
        { "greedy", s->greedy },
    };
    char list[512];
    sortes_status status = sortes_params_set_seed(p, s->seed, err);

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (status == SORTES_OK)
            status = sortes_params_set_number(p, numbers[i].name,
                                              numbers[i].value, err);
    write_biases(list, sizeof(list), s);
    if (status == SORTES_OK)
        status = sortes_params_set_text(p, "logit_bias", list, err);
    return status;
}

sortes_sampler *settings_sampler(const struct settings *s)
{
    sortes_params *p = NULL;
    sortes_sampler *sampler = NULL;
    sortes_error err = { 0 };
    sortes_status status = sortes_params_new(&p, "llama.cpp", &err);

    if (status == SORTES_OK)
        status = set_all(p, s, &err);
    if (status == SORTES_OK)
        status = sortes_sampler_new(&sampler, p, NULL, &err);
    if (status == SORTES_OK && s->n_history > 0)
        status = sortes_sampler_accept(sampler, s->history, s->n_history,
                                       SORTES_PROMPT);
    if (status != SORTES_OK) {
        fprintf(stderr, "settings: %s %s\n", sortes_status_name(status),
                err.text);
        sortes_sampler_free(sampler);
        sampler = NULL;
    }
    sortes_params_free(p);
    return sampler;
}
