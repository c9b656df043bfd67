/*
 * fuzz_params.c - any bytes as a request, and as a parameter's text
 *
 * The first byte says which: a parameter's number, or above those a request,
 * from 251 on in one of the other formats; 251 is mlx-lm's, 252 rMLX's, and 250
 * a text for mlx-lm's parameter of the second byte.  What is refused changes
 * nothing and says why; what is taken is inside the bounds that the engine's
 * own format gives.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "params/params.h"

#include "json/json.h"
#include "params/samplers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each name is one that is known. */
static void check_samplers(const struct srt_string_list *list)
{
    struct srt_string_list known = { 0 };

    for (size_t i = 0; i < list->n; i++)
        check(srt_samplers_add_name(&known, list->items[i], list->sizes[i]));
    check(known.n == list->n);
    srt_strings_clear(&known);
}

/* Bounds that hold whether a value came from a request or from a setter. */
static void check_bounds(const sortes_params *p)
{
    check(p->temperature >= 0 && p->top_k >= 0);
    check(p->top_p >= 0 && p->top_p <= 1 && p->min_p >= 0 && p->min_p <= 1);
    check(p->xtc_probability >= 0 && p->xtc_probability <= 1);
    check(p->mirostat >= 0 && p->mirostat <= 2);
    check(p->adaptive_target <= 1 && p->adaptive_decay >= 0 &&
          p->adaptive_decay <= 0.99f);
    check(p->dry_allowed_length >= 0 && p->dry_penalty_last_n >= 0);
    check(p->reasoning_budget_tokens >= -1);
    check(p->min_keep >= 0 && p->repeat_last_n >= 0);
    check_samplers(&p->samplers);
    check(isfinite(p->repeat_penalty) && p->repeat_penalty > 0 &&
          isfinite(1.0f / p->repeat_penalty));
    check(isfinite(p->frequency_penalty) && isfinite(p->presence_penalty));
    for (size_t i = 0; i < p->logit_bias.n; i++)
        check(p->logit_bias.items[i].token >= 0 &&
              !isnan(p->logit_bias.items[i].value));
}

/* The same for rMLX. */
static void check_rmlx(const sortes_params *p)
{
    check(p->temperature >= 0 && p->temperature <= 2 && p->top_k >= 0);
    check(p->top_p >= 0 && p->top_p <= 1 && p->min_p >= 0 && p->min_p <= 1);
    check(p->repetition_penalty > 0);
    check(fabsf(p->presence_penalty) <= 2 && fabsf(p->frequency_penalty) <= 2);
    check(p->top_logprobs >= 0 && p->top_logprobs <= 20);
    check(p->thinking_budget >= -1 && p->thinking_start_token.n <= 1 &&
          p->thinking_end_token.n <= 1);
    for (size_t i = 0; i < p->logit_bias.n; i++)
        check(p->logit_bias.items[i].token >= 0 &&
              !isnan(p->logit_bias.items[i].value));
}

static void check_mlx_lm(const sortes_params *p)
{
    check(p->exact_temperature >= 0 && isfinite(p->exact_temperature));
    check(p->exact_top_p >= 0 && p->exact_top_p <= 1);
    check(p->exact_min_p >= 0 && p->exact_min_p <= 1);
    check(p->exact_xtc_probability >= 0 && p->exact_xtc_probability <= 1);
    check(p->exact_xtc_threshold >= 0 && p->exact_xtc_threshold <= 1);
    check(p->top_k >= 0 && p->min_tokens_to_keep >= 1);
    check(p->repetition_penalty >= 0 && isfinite(p->repetition_penalty));
    check(isfinite(p->presence_penalty) && isfinite(p->frequency_penalty));
    check(p->repetition_context_size >= 0 && p->presence_context_size >= 0 &&
          p->frequency_context_size >= 0);
    check(p->top_logprobs >= -1 && p->top_logprobs <= 11);
    check(p->gumbel_rows >= 1 && p->gumbel_row >= 0);
    for (size_t i = 0; i < p->xtc_special_tokens.n; i++)
        check(p->xtc_special_tokens.items[i].token >= 0);
    for (size_t i = 0; i < p->logit_bias.n; i++)
        check(p->logit_bias.items[i].token >= 0 &&
              !isnan(p->logit_bias.items[i].value));
}

/* Every value is JSON, and as long as it says. */
static void check_shown(const sortes_params *p, const char *dialect)
{
    const sortes_param_info *info;

    for (size_t i = 0; (info = sortes_param_at(dialect, i)) != NULL; i++) {
        const char *name = info->name;
        struct srt_json_document d;
        size_t n, again;
        char *text;

        check(sortes_params_get(p, name, NULL, 0, &n, NULL) == SORTES_OK);
        text = malloc(n + 1);
        check(text != NULL);
        check(sortes_params_get(p, name, text, n + 1, &again, NULL) ==
              SORTES_OK);
        check(again == n && strlen(text) == n);
        check(srt_json_read(&d, text, n, NULL) == SORTES_OK);
        srt_json_free(&d);
        free(text);
    }
}

static sortes_status set_text(sortes_params *p, const char *name,
                              const uint8_t *data, size_t n, sortes_error *err)
{
    char *text = malloc(n + 1);
    sortes_status status;

    check(text != NULL);
    if (n > 0)
        memcpy(text, data, n);
    text[n] = '\0';
    status = sortes_params_set_text(p, name, text, err);
    free(text);
    return status;
}

static sortes_status set(sortes_params *p, unsigned which, const uint8_t *data,
                         size_t n, sortes_error *err)
{
    if (which == 250 && n > 0) {
        const sortes_param_info *info = sortes_param_at("mlx-lm", data[0]);

        return info ? set_text(p, info->name, data + 1, n - 1, err)
                    : srt_fail(err, SORTES_E_NAME, 0, "no such number");
    }
    if (which >= SRT_N_PARAMS)
        return sortes_params_read(p,
                                  which == 251   ? "mlx-lm"
                                  : which == 252 ? "rmlx"
                                  : which == 253 ? "ollama"
                                  : which == 254 ? "modelfile"
                                                 : "llama-server",
                                  (const char *)data, n, err);
    return set_text(p, srt_param_rows[which].name, data, n, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const unsigned which = n > 0 ? data[0] : 0;
    const bool mlx_lm = which == 250 || which == 251;
    const char *dialect = mlx_lm         ? "mlx-lm"
                          : which == 252 ? "rmlx"
                                         : "llama.cpp";
    sortes_params *p, before;
    sortes_error err;

    if (n == 0)
        return 0;
    check(sortes_params_new(&p, dialect, &err) == SORTES_OK);
    check(sortes_params_set_text(p, "logit_bias", "1+1,2-inf", &err) ==
          SORTES_OK);
    before = *p;
    if (set(p, data[0], data + 1, n - 1, &err) != SORTES_OK) {
        check(memcmp(&before, p, sizeof(before)) == 0);
        check(p->logit_bias.items[1].token == 2 && err.text[0] != '\0');
    }
    check(memchr(err.text, 0, sizeof(err.text)) != NULL);
    if (mlx_lm)
        check_mlx_lm(p);
    else if (which == 252)
        check_rmlx(p);
    else
        check_bounds(p);
    check_shown(p, dialect);
    sortes_params_free(p);
    return 0;
}
