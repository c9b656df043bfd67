/*
 * read_mlx_lm.c - a request to mlx-lm's server into parameters
 *
 * Rule (mlx-lm 0.32.2, server.py): every field is checked in a fixed order, by
 * its Python type and then its bounds, with the words below; -1 is always a
 * top_logprobs.  Unknown fields it ignores; here they are refused, as a
 * misspelt "temperature" would silently be 0, and so are response_format and
 * its like, which it ignores as well.
 *
 * Python reads a number with a point or an exponent as a float, another as an
 * integer of any size, and true and false as integers where one is wanted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

#include "json/json.h"
#include "json/number.h"
#include "params/names.h"

#include <math.h>
#include <string.h>

enum mlx_type {
    MLX_boolean,
    MLX_integer,
    MLX_number,
    MLX_real,
    MLX_seed,
    MLX_biases,
    MLX_ids,
    MLX_word,
    MLX_any
};

static const struct mlx_field {
    const char *name, *alias;
    enum srt_param_id parameter; /* SRT_N_PARAMS: none */
    enum mlx_type type;
    double min, max;
} mlx_fields[] = {
#define SRT_MLX_FIELD(field, other, parameter, type, min, max)                 \
    { field, other, SRT_PARAM_##parameter, MLX_##type, min, max },
#define SRT_MLX_PASSED(field, type, min, max)                                  \
    { field, "", SRT_N_PARAMS, MLX_##type, min, max },
#include "params/formats/mlx_lm.def"
#undef SRT_MLX_FIELD
#undef SRT_MLX_PASSED
};

/* ---- types --------------------------------------------------------------- */

static const char *mlx_python_type(enum mlx_type type)
{
    static const char *const names[] = { "bool",  "int", "('float', 'int')",
                                         "float", "int", "dict",
                                         "list",  "str", "" };

    return names[type];
}

static bool mlx_is_boolean(const struct srt_json *v)
{
    return v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE;
}

static bool mlx_is_integer(const struct srt_json *v)
{
    return v->type == SRT_JSON_NUMBER && strcspn(v->text, ".eE") == v->n;
}

static bool mlx_is_of(const struct srt_json *v, enum mlx_type type)
{
    switch (type) {
    case MLX_boolean:
        return mlx_is_boolean(v);
    case MLX_integer:
    case MLX_seed:
        return mlx_is_boolean(v) || mlx_is_integer(v);
    case MLX_number:
        return mlx_is_boolean(v) || v->type == SRT_JSON_NUMBER;
    case MLX_real:
        return v->type == SRT_JSON_NUMBER && !mlx_is_integer(v);
    case MLX_biases:
        return v->type == SRT_JSON_OBJECT;
    case MLX_ids:
        return v->type == SRT_JSON_ARRAY;
    case MLX_word:
        return v->type == SRT_JSON_STRING;
    case MLX_any:
        break;
    }
    return true;
}

static double mlx_value(const struct srt_json *v)
{
    if (v->type != SRT_JSON_NUMBER)
        return v->type == SRT_JSON_TRUE;
    return srt_decimal_to_double(v->text, v->n);
}

/* ---- setting ------------------------------------------------------------- */

/* What Python bears and a parameter does not. */
static sortes_status mlx_too_large(const struct mlx_field *f,
                                   const struct srt_json *v, sortes_error *err)
{
    return srt_fail(err, SORTES_E_RANGE, v->offset,
                    "%s: out of range (got %.*s)", f->name,
                    (int)(v->n < SRT_NUMBER_TEXT ? v->n : SRT_NUMBER_TEXT),
                    v->text ? v->text : "");
}

static sortes_status mlx_set_number(const struct mlx_field *f,
                                    const struct srt_json *v, sortes_params *p,
                                    sortes_error *err)
{
    const double value = mlx_value(v);
    void *place = srt_param_place(p, f->parameter);

    switch (srt_param_rows[f->parameter].type) {
    case SRT_TYPE_double:
        if (isinf(value))
            return mlx_too_large(f, v, err);
        *(srt_type_double *)place = value;
        return SORTES_OK;
    case SRT_TYPE_float:
        if (isinf((float)value))
            return mlx_too_large(f, v, err);
        *(srt_type_float *)place = (float)value;
        return SORTES_OK;
    default:
        if (fabs(value) > INT32_MAX)
            return mlx_too_large(f, v, err);
        *(srt_type_integer *)place = (srt_type_integer)value;
        return SORTES_OK;
    }
}

/* mx.random.seed() takes 0 .. 2^64 - 1. */
static sortes_status mlx_set_seed(const struct mlx_field *f,
                                  const struct srt_json *v, sortes_params *p,
                                  sortes_error *err)
{
    uint64_t seed = v->type == SRT_JSON_TRUE;

    if (v->type == SRT_JSON_NUMBER &&
        !srt_whole_from_text(v->text, v->n, &seed))
        return mlx_too_large(f, v, err);
    p->seed = seed;
    return SORTES_OK;
}

/* int(key); -1: no token id. */
static int64_t mlx_token(const char *text, size_t n)
{
    uint64_t id;

    return srt_whole_from_text(text, n, &id) && id <= INT32_MAX ? (int64_t)id
                                                                : -1;
}

/* float(v) of a number, a boolean, or a text that is a number. */
static bool mlx_bias(const struct srt_json *v, float *bias)
{
    double value;

    if (v->type == SRT_JSON_STRING) {
        if (v->n == 0 || srt_decimal_length(v->text, v->n) != v->n)
            return false;
        value = srt_decimal_to_double(v->text, v->n);
    } else {
        if (!mlx_is_of(v, MLX_number))
            return false;
        value = mlx_value(v);
    }
    *bias = (float)value;
    return !isinf(*bias);
}

/* A dictionary holds each token once: a later value takes the place. */
static sortes_status mlx_set_biases(const struct srt_json *v, sortes_params *p,
                                    sortes_error *err)
{
    struct srt_bias_list *list = &p->logit_bias;

    srt_bias_clear(list);
    for (const struct srt_json *i = v->first; i != NULL; i = i->next) {
        const int64_t token = mlx_token(i->key, i->n_key);
        size_t at = 0;
        float bias;

        if (token < 0 || !mlx_bias(i, &bias))
            return srt_fail(err, SORTES_E_SYNTAX, i->key_offset,
                            "logit_bias must be a dict of int to float");
        while (at < list->n && list->items[at].token != token)
            at++;
        if (at < list->n)
            list->items[at].value = bias;
        else if (!srt_bias_add(list, (int32_t)token, bias))
            return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    }
    return SORTES_OK;
}

static sortes_status mlx_set_ids(const struct mlx_field *f,
                                 const struct srt_json *v, sortes_params *p,
                                 sortes_error *err)
{
    struct srt_bias_list *list = srt_param_place(p, f->parameter);

    srt_bias_clear(list);
    for (const struct srt_json *i = v->first; i != NULL; i = i->next) {
        const int64_t token = mlx_is_integer(i) ? mlx_token(i->text, i->n) : -1;

        if (token < 0)
            return srt_fail(err, SORTES_E_SYNTAX, i->offset,
                            "%s: expected a token id, 0 to 2147483647",
                            f->name);
        if (!srt_bias_add(list, (int32_t)token, 0.0f))
            return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    }
    return SORTES_OK;
}

static sortes_status mlx_set(const struct mlx_field *f,
                             const struct srt_json *v, sortes_params *p,
                             sortes_error *err)
{
    sortes_status status;

    switch (f->type) {
    case MLX_seed:
        status = mlx_set_seed(f, v, p, err);
        break;
    case MLX_biases:
        status = mlx_set_biases(v, p, err);
        break;
    case MLX_ids:
        status = mlx_set_ids(f, v, p, err);
        break;
    case MLX_word:
        status = sortes_params_set_text(p, f->name, v->text, err);
        break;
    default:
        status = mlx_set_number(f, v, p, err);
        break;
    }
    p->source[f->parameter] = SORTES_FROM_REQUEST;
    return status;
}

/* ---- fields -------------------------------------------------------------- */

static sortes_status mlx_check(const struct mlx_field *f, const char *name,
                               const struct srt_json *v, sortes_error *err)
{
    double value;

    if (!mlx_is_of(v, f->type))
        return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                        "%s must be of type %s", name,
                        mlx_python_type(f->type));
    if (f->type > MLX_real)
        return SORTES_OK;
    value = mlx_value(v);
    if (f->parameter == SRT_PARAM_top_logprobs && value == -1.0)
        return SORTES_OK;
    if (value < f->min)
        return srt_fail(err, SORTES_E_RANGE, v->offset,
                        "%s must be at least %d", name, (int)f->min);
    if (value > f->max)
        return srt_fail(err, SORTES_E_RANGE, v->offset, "%s must be at most %d",
                        name, (int)f->max);
    return SORTES_OK;
}

static sortes_status mlx_read_field(const struct mlx_field *f,
                                    const struct srt_json *root,
                                    sortes_params *p, sortes_error *err)
{
    const char *name = f->name;
    const struct srt_json *v = srt_json_find(root, name);
    sortes_status status;

    if (v == NULL && f->alias[0] != '\0')
        v = srt_json_find(root, name = f->alias);
    if (v == NULL || f->type == MLX_any ||
        (v->type == SRT_JSON_NULL &&
         (f->type == MLX_seed || f->type == MLX_biases)))
        return SORTES_OK;
    status = mlx_check(f, name, v, err);
    if (status != SORTES_OK || f->parameter == SRT_N_PARAMS)
        return status;
    return mlx_set(f, v, p, err);
}

static bool mlx_knows(const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(mlx_fields); i++)
        if (srt_json_equals(v->key, v->n_key, mlx_fields[i].name) ||
            (mlx_fields[i].alias[0] != '\0' &&
             srt_json_equals(v->key, v->n_key, mlx_fields[i].alias)))
            return true;
    return false;
}

static sortes_status mlx_read_root(const struct srt_json *root,
                                   sortes_params *p, sortes_error *err)
{
    struct srt_nearest nearest;
    sortes_status status = SORTES_OK;

    if (root->type != SRT_JSON_OBJECT)
        return srt_fail(err, SORTES_E_SYNTAX, root->offset,
                        "Request should be a JSON dictionary");
    for (const struct srt_json *v = root->first; v != NULL; v = v->next) {
        if (mlx_knows(v))
            continue;
        srt_nearest_start(&nearest, v->key, v->n_key);
        for (size_t i = 0; i < SRT_COUNT(mlx_fields); i++)
            srt_nearest_try(&nearest, mlx_fields[i].name,
                            strlen(mlx_fields[i].name));
        return srt_fail_unknown(err, v->key_offset, "field", &nearest);
    }
    for (size_t i = 0; i < SRT_COUNT(mlx_fields) && status == SORTES_OK; i++)
        status = mlx_read_field(&mlx_fields[i], root, p, err);
    return status;
}

sortes_status srt_params_read_mlx_lm(sortes_params *p, const char *text,
                                     size_t n, sortes_error *err)
{
    struct srt_json_document document;
    sortes_status status = srt_json_read(&document, text, n, err);

    if (status != SORTES_OK)
        return status;
    status = mlx_read_root(document.root, p, err);
    srt_json_free(&document);
    return status == SORTES_OK ? srt_ok(err) : status;
}
