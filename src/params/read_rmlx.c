/*
 * read_rmlx.c - a request to rMLX into parameters
 *
 * Rule: the types of all fields first, in the order of the text; then the
 * limits, in the order of formats/rmlx.def, in rMLX's words.  A number is read
 * as a double and rounded to a float; a whole number has no point and no
 * exponent; null is a field that is not there; a field that is there twice is
 * refused.
 *
 * Source: rMLX crates/rmlx-server/src/openai/request.rs (types), chat.rs
 * (limits).
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/read_rmlx.h"

#include "json/json.h"
#include "json/number.h"
#include "params/names.h"
#include "unicode.h"

#include <math.h>
#include <string.h>

static const struct srt_rmlx_field rmlx_fields[] = {
#define SRT_RMLX(field, type, parameter)                                       \
    { #field, SRT_RMLX_##type, SRT_PARAM_##parameter, NULL },
#define SRT_RMLX_PASSED(field, type)                                           \
    { #field, SRT_RMLX_##type, SRT_N_PARAMS, NULL },
#define SRT_RMLX_OFF(field, type, allowed)                                     \
    { #field, SRT_RMLX_##type, SRT_N_PARAMS, allowed },
#include "params/formats/rmlx.def"
#undef SRT_RMLX
#undef SRT_RMLX_PASSED
#undef SRT_RMLX_OFF
};

const struct srt_rmlx_field *srt_rmlx_field_at(size_t i)
{
    return i < SRT_COUNT(rmlx_fields) ? &rmlx_fields[i] : NULL;
}

/* ---- types --------------------------------------------------------------- */

/* Digits alone, up to max. */
static bool rmlx_whole(const struct srt_json *v, uint64_t max, uint64_t *value)
{
    return v->type == SRT_JSON_NUMBER &&
           srt_whole_from_text(v->text, v->n, value) && *value <= max;
}

static bool rmlx_has_type(const struct srt_json *v, enum srt_rmlx_type type)
{
    uint64_t value;

    switch (type) {
    case SRT_RMLX_f32:
        return v->type == SRT_JSON_NUMBER &&
               isfinite(srt_decimal_to_double(v->text, v->n));
    case SRT_RMLX_u32:
        return rmlx_whole(v, UINT32_MAX, &value);
    case SRT_RMLX_u64:
        return rmlx_whole(v, UINT64_MAX, &value);
    case SRT_RMLX_boolean:
        return v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE;
    case SRT_RMLX_string:
        return v->type == SRT_JSON_STRING;
    case SRT_RMLX_list:
        return v->type == SRT_JSON_ARRAY;
    case SRT_RMLX_bias:
    case SRT_RMLX_object:
        return v->type == SRT_JSON_OBJECT;
    case SRT_RMLX_any:
        break;
    }
    return true;
}

static sortes_status rmlx_check_type(const struct srt_json *v, const char *name,
                                     enum srt_rmlx_type type, sortes_error *err)
{
    static const char *const needed[] = {
        "a number",
        "a whole number from 0 to 4294967295",
        "a whole number from 0 to 18446744073709551615",
        "a boolean",
        "a string",
        "an object of numbers",
        "an object",
        "an array",
        "anything"
    };

    if (rmlx_has_type(v, type))
        return SORTES_OK;
    return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                    "field '%s': wrong type (got %s, needed %s)", name,
                    srt_json_type_name(v), needed[type]);
}

static const struct srt_rmlx_field *rmlx_find_field(const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(rmlx_fields); i++)
        if (srt_json_equals(v->key, v->n_key, rmlx_fields[i].name))
            return &rmlx_fields[i];
    return NULL;
}

static sortes_status rmlx_unknown(const struct srt_json *v, sortes_error *err)
{
    struct srt_nearest nearest;

    srt_nearest_start(&nearest, v->key, v->n_key);
    for (size_t i = 0; i < SRT_COUNT(rmlx_fields); i++)
        srt_nearest_try(&nearest, rmlx_fields[i].name,
                        strlen(rmlx_fields[i].name));
    return srt_fail_unknown(err, v->key_offset, "field", &nearest);
}

/* Fields of a request in the order of its text. */
static sortes_status rmlx_check_fields(const struct srt_json *root,
                                       sortes_error *err)
{
    const struct srt_json *seen[SRT_COUNT(rmlx_fields)] = { NULL };

    for (const struct srt_json *v = root->first; v != NULL; v = v->next) {
        const struct srt_rmlx_field *f = rmlx_find_field(v);
        sortes_status status = SORTES_OK;

        if (f == NULL)
            return rmlx_unknown(v, err);
        if (seen[f - rmlx_fields] != NULL)
            return srt_fail(err, SORTES_E_SYNTAX, v->key_offset,
                            "duplicate field `%s`", f->name);
        seen[f - rmlx_fields] = v;
        if (v->type != SRT_JSON_NULL)
            status = rmlx_check_type(v, f->name, f->type, err);
        for (const struct srt_json *b = v->first;
             b != NULL && status == SORTES_OK && f->type == SRT_RMLX_bias;
             b = b->next)
            status = rmlx_check_type(b, f->name, SRT_RMLX_f32, err);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

/* ---- limits -------------------------------------------------------------- */

struct rmlx_reader {
    const struct srt_json *root;
    sortes_params *params;
    sortes_error *err;
    const struct srt_rmlx_field *field;
    const struct srt_json *value;
};

/* The field's value; NULL: none, or null. */
static const struct srt_json *rmlx_value(const struct rmlx_reader *r,
                                         const char *name)
{
    const struct srt_json *v = srt_json_find(r->root, name);

    return v != NULL && v->type != SRT_JSON_NULL ? v : NULL;
}

static sortes_status rmlx_refuse(const struct rmlx_reader *r, const char *rule)
{
    return srt_fail(r->err, SORTES_E_RANGE, r->value->offset, "%s %s",
                    r->field->name, rule);
}

/* What must hold for a float, as rMLX says it; NULL: nothing. */
static const char *rmlx_float_rule(enum srt_param_id id, float value)
{
    switch (id) {
    case SRT_PARAM_temperature:
        return value >= 0.0f && value <= 2.0f ? NULL : "must be in [0.0, 2.0]";
    case SRT_PARAM_top_p:
    case SRT_PARAM_min_p:
        return value >= 0.0f && value <= 1.0f ? NULL : "must be in [0.0, 1.0]";
    case SRT_PARAM_repetition_penalty:
        return value > 0.0f ? NULL : "must be > 0.0";
    case SRT_PARAM_presence_penalty:
    case SRT_PARAM_frequency_penalty:
        return value >= -2.0f && value <= 2.0f ? NULL
                                               : "must be in [-2.0, 2.0]";
    default:
        return NULL;
    }
}

static sortes_status rmlx_read_float(const struct rmlx_reader *r)
{
    const float value =
        (float)srt_decimal_to_double(r->value->text, r->value->n);
    const char *rule = rmlx_float_rule(r->field->parameter, value);

    if (rule != NULL)
        return rmlx_refuse(r, rule);
    *(srt_type_float *)srt_param_place(r->params, r->field->parameter) = value;
    return SORTES_OK;
}

/* A top_k or budget above what is stored is as good as the largest that is. */
static sortes_status rmlx_read_whole(const struct rmlx_reader *r)
{
    const enum srt_param_id id = r->field->parameter;
    uint64_t value = 0;

    (void)rmlx_whole(r->value, UINT64_MAX, &value);
    if (id == SRT_PARAM_seed) {
        r->params->seed = value;
        return SORTES_OK;
    }
    *(srt_type_integer *)srt_param_place(r->params, id) =
        value < INT32_MAX ? (int32_t)value : INT32_MAX;
    return SORTES_OK;
}

/* Rust's str::parse::<u32>(): digits, behind a plus sign if there is one. */
static bool rmlx_read_id(const struct srt_json *v, uint64_t *id)
{
    const size_t sign = v->n_key > 0 && v->key[0] == '+';

    return srt_whole_from_text(v->key + sign, v->n_key - sign, id) &&
           *id <= UINT32_MAX;
}

/* Ids that no vocabulary reaches do nothing in rMLX either. */
static sortes_status rmlx_add_bias(const struct rmlx_reader *r,
                                   const struct srt_json *v,
                                   struct srt_bias_list *list)
{
    const float value = (float)srt_decimal_to_double(v->text, v->n);
    uint64_t id = 0;

    if (!rmlx_read_id(v, &id))
        return srt_fail(r->err, SORTES_E_RANGE, v->key_offset,
                        "logit_bias key \"%.*s\" is not a valid token id (u32)",
                        (int)(v->n_key < 60 ? v->n_key : 60), v->key);
    if (isinf(value))
        return srt_fail(r->err, SORTES_E_RANGE, v->offset,
                        "logit_bias[%llu] = %sinf is not finite",
                        (unsigned long long)id, value < 0 ? "-" : "");
    if (id <= INT32_MAX && !srt_bias_add(list, (int32_t)id, value))
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    return SORTES_OK;
}

/* Of a key that is there twice the last value counts: rMLX's is a map. */
static bool rmlx_comes_again(const struct srt_json *v)
{
    for (const struct srt_json *w = v->next; w != NULL; w = w->next)
        if (w->n_key == v->n_key && memcmp(w->key, v->key, v->n_key) == 0)
            return true;
    return false;
}

static sortes_status rmlx_read_bias(const struct rmlx_reader *r)
{
    struct srt_bias_list list = { 0 };
    sortes_status status = SORTES_OK;

    for (const struct srt_json *v = r->value->first;
         v != NULL && status == SORTES_OK; v = v->next)
        if (!rmlx_comes_again(v))
            status = rmlx_add_bias(r, v, &list);
    if (status != SORTES_OK) {
        srt_bias_clear(&list);
        return status;
    }
    srt_bias_clear(&r->params->logit_bias);
    r->params->logit_bias = list;
    return SORTES_OK;
}

static sortes_status rmlx_read_tag(const struct rmlx_reader *r)
{
    srt_type_strings *place = srt_param_place(r->params, r->field->parameter);

    if (srt_utf8_is_blank(r->value->text, r->value->n))
        return srt_fail(r->err, SORTES_E_RANGE, r->value->offset,
                        "`%s` must be a non-empty, non-whitespace delimiter "
                        "string",
                        r->field->name);
    srt_strings_clear(place);
    if (!srt_strings_add(place, r->value->text, r->value->n))
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    place->given = true;
    return SORTES_OK;
}

/* logprobs: true alone asks for one. */
static sortes_status rmlx_read_logprobs(const struct rmlx_reader *r)
{
    const struct srt_json *on = rmlx_value(r, "logprobs");
    uint64_t n = 0;

    if (r->value != NULL) {
        if (on == NULL || on->type != SRT_JSON_TRUE)
            return rmlx_refuse(r, "requires logprobs to be set to true");
        (void)rmlx_whole(r->value, UINT32_MAX, &n);
        if (n > 20)
            return rmlx_refuse(r, "must be in [0, 20]");
    }
    if (on == NULL)
        return SORTES_OK;
    r->params->top_logprobs =
        on->type != SRT_JSON_TRUE ? 0 : (int32_t)(n > 0 ? n : 1);
    r->params->source[SRT_PARAM_top_logprobs] = SORTES_FROM_REQUEST;
    return SORTES_OK;
}

/* Whether a field of a SRT_RMLX_OFF row is off. */
static bool rmlx_is_off(const struct srt_rmlx_field *f,
                        const struct srt_json *v)
{
    const struct srt_json *type = srt_json_find(v, "type");

    if (f->type == SRT_RMLX_boolean)
        return v->type == SRT_JSON_FALSE;
    if (f->type == SRT_RMLX_object)
        return type != NULL && type->type == SRT_JSON_STRING &&
               srt_json_equals(type->text, type->n, "text");
    return f->allowed[0] == '"' && v->type == SRT_JSON_STRING &&
           (srt_json_equals(v->text, v->n, "none") ||
            srt_json_equals(v->text, v->n, "auto"));
}

static sortes_status rmlx_check_passed(const struct rmlx_reader *r)
{
    const struct srt_json *v = r->value;

    if (strcmp(r->field->name, "max_tokens") == 0 && v->n == 1 &&
        v->text[0] == '0')
        return rmlx_refuse(r, "must be > 0");
    if (strcmp(r->field->name, "messages") == 0 && v->n == 0)
        return rmlx_refuse(r, "must not be empty");
    if (r->field->allowed == NULL || rmlx_is_off(r->field, v))
        return SORTES_OK;
    return srt_fail(r->err, SORTES_E_RANGE, v->offset,
                    "field '%s': not supported here (allowed %s)",
                    r->field->name, r->field->allowed);
}

static sortes_status rmlx_read_field(const struct rmlx_reader *r)
{
    sortes_status status;

    if (r->field->parameter == SRT_PARAM_top_logprobs)
        return rmlx_read_logprobs(r);
    if (r->value == NULL)
        return SORTES_OK;
    if (r->field->parameter == SRT_N_PARAMS)
        return rmlx_check_passed(r);
    if (r->field->type == SRT_RMLX_f32)
        status = rmlx_read_float(r);
    else if (r->field->type == SRT_RMLX_bias)
        status = rmlx_read_bias(r);
    else if (r->field->type == SRT_RMLX_string)
        status = rmlx_read_tag(r);
    else
        status = rmlx_read_whole(r);
    if (status == SORTES_OK)
        r->params->source[r->field->parameter] = SORTES_FROM_REQUEST;
    return status;
}

static sortes_status rmlx_read_root(struct rmlx_reader *r)
{
    sortes_status status;

    if (r->root->type != SRT_JSON_OBJECT)
        return srt_fail(r->err, SORTES_E_SYNTAX, r->root->offset,
                        "request: wrong type (got %s, needed object)",
                        srt_json_type_name(r->root));
    status = rmlx_check_fields(r->root, r->err);
    for (size_t i = 0; i < SRT_COUNT(rmlx_fields) && status == SORTES_OK; i++) {
        r->field = &rmlx_fields[i];
        r->value = rmlx_value(r, r->field->name);
        status = rmlx_read_field(r);
    }
    return status;
}

sortes_status srt_params_read_rmlx(sortes_params *p, const char *text, size_t n,
                                   sortes_error *err)
{
    struct srt_json_document document;
    struct rmlx_reader reader = { .params = p, .err = err };
    sortes_status status = srt_json_read(&document, text, n, err);

    if (status != SORTES_OK)
        return status;
    reader.root = document.root;
    status = rmlx_read_root(&reader);
    srt_json_free(&document);
    return status == SORTES_OK ? srt_ok(err) : status;
}
