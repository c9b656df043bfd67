/*
 * text.c - parameters from text and to text
 *
 * Numbers are read without a locale and rounded once.  Accepted: decimals as
 * C writes them, and "inf" and "-inf"; blanks and hexadecimal are not.  A list
 * is written as llama-cli's --logit-bias writes one entry, ID+BIAS or ID-BIAS,
 * with commas between several; a list of strings has ';' between them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

#include "dialect/dialect.h"
#include "fp_state.h"
#include "json/json.h"
#include "json/number.h"
#include "params/samplers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TEXT_SHOWN 60 /* bytes of a wrong value that a message shows */

void srt_number_to_text(double value, char out[SRT_NUMBER_TEXT])
{
    size_t n;

    if (isnan(value)) {
        memcpy(out, "NaN", 4);
        return;
    }
    if (isinf(value)) {
        memcpy(out, value > 0 ? "inf" : "-inf", value > 0 ? 4 : 5);
        return;
    }
    n = srt_double_to_text(value, out);
    if (n > 2 && memcmp(out + n - 2, ".0", 2) == 0)
        out[n - 2] = '\0';
}

/* The whole of text as a number; *rounded is the nearest float. */
static bool text_to_number(const char *text, size_t n, double *value,
                           float *rounded)
{
    size_t sign = n > 0 && (text[0] == '-' || text[0] == '+');

    if (n > 0 && srt_decimal_length(text, n) == n) {
        *value = srt_decimal_to_double(text, n);
        *rounded = srt_decimal_to_float(text, n);
        if (isinf(*value)) /* written as a number, so to be refused as one */
            *value = text[0] == '-' ? -DBL_MAX : DBL_MAX;
        return true;
    }
    if (!srt_json_equals(text + sign, n - sign, "inf"))
        return false;
    *value = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
    *rounded = text[0] == '-' ? -HUGE_VALF : HUGE_VALF;
    return true;
}

/* What was given, shortened, and what would have done. */
static sortes_status text_refuse(const struct srt_param *row, const char *text,
                                 const char *needed, sortes_error *err)
{
    size_t n = strlen(text);

    return srt_fail(err, SORTES_E_SYNTAX, 0,
                    "%s: cannot read '%.*s' (needed "
                    "%s)",
                    row->name, (int)(n < TEXT_SHOWN ? n : TEXT_SHOWN), text,
                    needed);
}

/* ---- lists --------------------------------------------------------------- */

/* Between entries of a list only; a number has none. */
static size_t text_skip_blanks(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return at;
}

/* A token id; -1 when there is none or it does not fit. */
static int64_t text_read_id(const char *text, size_t *at)
{
    int64_t id = 0;
    size_t start = *at;

    for (; text[*at] >= '0' && text[*at] <= '9'; ++*at)
        if (id <= INT32_MAX)
            id = id * 10 + (text[*at] - '0');
    return *at > start && id <= INT32_MAX ? id : -1;
}

/* One entry, "15043+1.5"; moves past it.  NULL, or what is wrong. */
static const char *text_read_bias(struct srt_bias_list *list, const char *text,
                                  size_t *at)
{
    int64_t id = text_read_id(text, at);
    size_t start = *at, n;
    double value;
    float rounded;

    if (id < 0)
        return "expected a token id, 0 to 2147483647";
    if (text[start] != '+' && text[start] != '-')
        return "expected '+' or '-' after the token id";
    n = strcspn(text + start, ", \t");
    if ((n > 1 && (text[start + 1] == '+' || text[start + 1] == '-')) ||
        !text_to_number(text + start, n, &value, &rounded))
        return "expected a number after the sign";
    if (rounded == HUGE_VALF)
        return "a bias must be below infinity";
    if (isinf(rounded) && !isinf(value))
        return "a bias must be a float or -inf";
    if (!srt_bias_add(list, (int32_t)id, rounded))
        return "out of memory";
    *at = start + n;
    return NULL;
}

sortes_status srt_bias_from_text(struct srt_bias_list *list, const char *text,
                                 sortes_error *err)
{
    size_t at = text_skip_blanks(text, 0);
    const char *problem = NULL;
    size_t start = at;

    while (text[at] != '\0' && problem == NULL) {
        start = at;
        problem = text_read_bias(list, text, &at);
        if (problem != NULL)
            break;
        start = at = text_skip_blanks(text, at);
        if (text[at] != '\0' && text[at] != ',')
            problem = "expected ','";
        else if (text[at] == ',' &&
                 text[at = text_skip_blanks(text, at + 1)] == '\0')
            problem = "nothing after ','";
    }
    if (problem == NULL)
        return SORTES_OK;
    srt_bias_clear(list);
    if (strcmp(problem, "out of memory") == 0)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    return srt_fail(err, SORTES_E_SYNTAX, start, "logit_bias: byte %zu: %s",
                    start, problem);
}

/* Reads "15043,2" into an empty list; on failure it stays empty. */
static sortes_status text_read_tokens(struct srt_bias_list *list,
                                      const char *name, const char *text,
                                      sortes_error *err)
{
    size_t at = text_skip_blanks(text, 0);
    bool more = text[at] != '\0';

    while (more) {
        const size_t start = at;
        const int64_t id = text_read_id(text, &at);
        const size_t end = at;

        at = text_skip_blanks(text, at);
        more = text[at] == ',';
        if (id < 0 || (!more && text[at] != '\0')) {
            srt_bias_clear(list);
            return srt_fail(err, SORTES_E_SYNTAX, id < 0 ? start : end,
                            "%s: byte %zu: expected %s", name,
                            id < 0 ? start : end,
                            id < 0 ? "a token id, 0 to 2147483647" : "','");
        }
        if (!srt_bias_add(list, (int32_t)id, 0.0f)) {
            srt_bias_clear(list);
            return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
        }
        if (more)
            at = text_skip_blanks(text, at + 1);
    }
    return SORTES_OK;
}

/* ---- setting ------------------------------------------------------------- */

/* The old list goes only when the new one is whole. */
static sortes_status text_set_list(sortes_params *p, enum srt_param_id id,
                                   const char *text, sortes_error *err)
{
    struct srt_bias_list list = { 0 };
    srt_type_list *place = srt_param_place(p, id);
    sortes_status status =
        srt_param_rows[id].type == SRT_TYPE_tokens
            ? text_read_tokens(&list, srt_param_rows[id].name, text, err)
            : srt_bias_from_text(&list, text, err);

    if (status != SORTES_OK)
        return status;
    srt_bias_clear(place);
    *place = list;
    p->source[id] = SORTES_FROM_CALL;
    return srt_ok(err);
}

static bool text_is_mlx_draw(const struct srt_string_list *list)
{
    return list->n == 1 && (strcmp(list->items[0], "inverse-cdf") == 0 ||
                            strcmp(list->items[0], "gumbel") == 0);
}

/* Samplers are kept by their own names, a grammar is one text. */
static sortes_status text_to_strings(struct srt_string_list *list,
                                     enum srt_param_id id, const char *text,
                                     sortes_error *err)
{
    if (id == SRT_PARAM_samplers)
        return srt_samplers_from_text(list, text, err);
    if (id != SRT_PARAM_grammar)
        return srt_strings_from_text(list, srt_param_rows[id].name, text, err);
    if (text[0] == '\0' || srt_strings_add(list, text, strlen(text)))
        return SORTES_OK;
    return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
}

/* As a list. */
static sortes_status text_set_strings(sortes_params *p, enum srt_param_id id,
                                      const char *text, sortes_error *err)
{
    struct srt_string_list list = { 0 };
    srt_type_strings *place = srt_param_place(p, id);
    sortes_status status = text_to_strings(&list, id, text, err);

    if (status != SORTES_OK)
        return status;
    if (id == SRT_PARAM_mlx_draw && !text_is_mlx_draw(&list)) {
        srt_strings_clear(&list);
        return text_refuse(&srt_param_rows[id], text, "inverse-cdf or gumbel",
                           err);
    }
    /* an empty text is no list of tags, but it is a message */
    if (id == SRT_PARAM_reasoning_budget_message && text[0] == '\0' &&
        !srt_strings_add(&list, "", 0)) {
        srt_strings_clear(&list);
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    }
    srt_strings_clear(place);
    *place = list;
    place->given = true;
    p->source[id] = SORTES_FROM_CALL;
    return srt_ok(err);
}

/* Up to 64 bits, which a double does not hold; -1 asks for a random one where
 * the engine knows such a thing, as llama-cli does. */
static bool text_to_seed(const sortes_params *p, const char *text,
                         uint64_t *seed)
{
    if (strcmp(text, "-1") == 0 && p->dialect->random_seed != 0) {
        *seed = p->dialect->random_seed;
        return true;
    }
    return srt_whole_from_text(text, strlen(text), seed);
}

SRT_NOINLINE static sortes_status text_set(sortes_params *p, const char *name,
                                           const char *text, sortes_error *err)
{
    static const char *const needed[] = { "a number", "a number",
                                          "a whole number", "a whole number",
                                          "true or false" };
    enum srt_param_id id;
    sortes_status status = srt_param_find(p->dialect, name, &id, err);
    size_t n = strlen(text);
    double value;
    float rounded;
    uint64_t seed;

    if (status != SORTES_OK)
        return status;
    if (srt_param_rows[id].type == SRT_TYPE_list ||
        srt_param_rows[id].type == SRT_TYPE_tokens)
        return text_set_list(p, id, text, err);
    if (srt_param_rows[id].type == SRT_TYPE_strings)
        return text_set_strings(p, id, text, err);
    if (srt_param_rows[id].type == SRT_TYPE_boolean &&
        srt_json_equals(text, n, "true"))
        return srt_param_store(p, id, 1, 1, err);
    if (srt_param_rows[id].type == SRT_TYPE_boolean &&
        srt_json_equals(text, n, "false"))
        return srt_param_store(p, id, 0, 0, err);
    if (srt_param_rows[id].type == SRT_TYPE_seed &&
        text_to_seed(p, text, &seed))
        return srt_param_store_seed(p, seed, err);
    if (!text_to_number(text, n, &value, &rounded))
        return text_refuse(&srt_param_rows[id], text,
                           needed[srt_param_rows[id].type], err);
    return srt_param_store(p, id, value, rounded, err);
}

sortes_status sortes_params_set_text(sortes_params *p, const char *name,
                                     const char *text, sortes_error *err)
{
    struct srt_fp_state state;
    sortes_status status;

    if (p == NULL || name == NULL || text == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    state = srt_fp_begin();
    status = text_set(p, name, text, err);
    srt_fp_end(state);
    return status;
}

/* ---- getting ------------------------------------------------------------- */

/* As llama-server reports it: -inf is null, as JSON knows no infinity. */
static void text_put_list(struct srt_json_writer *w, const srt_type_list *list)
{
    srt_json_open(w, '[');
    for (size_t i = 0; i < list->n; i++) {
        srt_json_open(w, '{');
        srt_json_key(w, "bias");
        srt_json_put_double(w, (double)list->items[i].value);
        srt_json_key(w, "token");
        srt_json_put_integer(w, list->items[i].token);
        srt_json_close(w, '}');
    }
    srt_json_close(w, ']');
}

static void text_put_strings(struct srt_json_writer *w,
                             const srt_type_strings *list)
{
    srt_json_open(w, '[');
    for (size_t i = 0; i < list->n; i++)
        srt_json_put_string(w, list->items[i], list->sizes[i]);
    srt_json_close(w, ']');
}

static void text_put_tokens(struct srt_json_writer *w,
                            const srt_type_tokens *list)
{
    srt_json_open(w, '[');
    for (size_t i = 0; i < list->n; i++)
        srt_json_put_integer(w, list->items[i].token);
    srt_json_close(w, ']');
}

SRT_NOINLINE static void text_put(struct srt_json_writer *w,
                                  enum srt_param_type type, const void *value)
{
    switch (type) {
    case SRT_TYPE_float:
        srt_json_put_double(w, (double)*(const srt_type_float *)value);
        break;
    case SRT_TYPE_double:
        srt_json_put_double(w, *(const srt_type_double *)value);
        break;
    case SRT_TYPE_integer:
        srt_json_put_integer(w, *(const srt_type_integer *)value);
        break;
    case SRT_TYPE_seed:
        srt_json_put_unsigned(w, *(const srt_type_seed *)value);
        break;
    case SRT_TYPE_boolean:
        srt_json_put_raw(w,
                         *(const srt_type_boolean *)value ? "true" : "false");
        break;
    case SRT_TYPE_list:
        text_put_list(w, value);
        break;
    case SRT_TYPE_tokens:
        text_put_tokens(w, value);
        break;
    case SRT_TYPE_strings:
        text_put_strings(w, value);
        break;
    }
}

sortes_status sortes_params_get(const sortes_params *p, const char *name,
                                char *out, size_t size, size_t *n,
                                sortes_source *source)
{
    struct srt_json_writer w;
    struct srt_fp_state state;
    enum srt_param_id id;
    sortes_status status;

    if (p == NULL || name == NULL || (out == NULL && size > 0))
        return SORTES_E_ARGUMENT;
    status = srt_param_find(p->dialect, name, &id, NULL);
    if (status != SORTES_OK)
        return status;
    state = srt_fp_begin();
    srt_json_write_fixed(&w, out, size);
    text_put(&w, srt_param_rows[id].type,
             srt_param_rows[id].type == SRT_TYPE_strings
                 ? (const void *)srt_strings_in_force(p, id)
                 : srt_param_value(p, id));
    srt_json_write_end(&w);
    srt_fp_end(state);
    if (n != NULL)
        *n = w.n;
    if (source != NULL)
        *source = p->source[id];
    return SORTES_OK;
}
