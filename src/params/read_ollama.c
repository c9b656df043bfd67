/*
 * read_ollama.c - a request to Ollama, or its options alone, into parameters
 *
 * Rule (ollama api/types.go, Options.FromMap): every JSON number is a double;
 * a whole-number option takes one cut toward zero, a float option rounds it to
 * a float; a boolean is no number; null says nothing; wrong types are refused,
 * in its words below.  Unknown options it logs and ignores; here they are
 * refused, as a misspelt "temperature" would silently be 0.8.  So is an option
 * that stands beside "options", where Ollama does not see it.
 *
 * An object is a request if a key of formats/ollama_request.def is in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/ollama.h"

#include "json/number.h"
#include "params/coerce.h"
#include "params/names.h"

#include <math.h>
#include <string.h>

enum ollama_use {
    OLLAMA_USE_passed,
    OLLAMA_USE_options,
    OLLAMA_USE_format,
    OLLAMA_USE_tools,
    OLLAMA_USE_logprobs
};

static const struct ollama_request_row {
    const char *name;
    enum ollama_use use;
} ollama_request_rows[] = {
#define SRT_REQUEST(field, use) { field, OLLAMA_USE_##use },
#include "params/formats/ollama_request.def"
#undef SRT_REQUEST
};

/* ---- options ------------------------------------------------------------- */

static sortes_status ollama_wrong_type(const struct srt_json *v,
                                       const struct srt_ollama_option *o,
                                       const char *type, sortes_error *err)
{
    return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                    "option \"%s\" must be of %s", o->name, type);
}

static sortes_status ollama_read_float(struct srt_ollama_sent *s,
                                       const struct srt_ollama_option *o,
                                       const struct srt_json *v,
                                       sortes_error *err)
{
    float value;

    if (v->type != SRT_JSON_NUMBER)
        return ollama_wrong_type(v, o, "type float32", err);
    value = (float)srt_decimal_to_double(v->text, v->n);
    if (isinf(value)) /* the request to llama-server cannot be written */
        return srt_fail(err, SORTES_E_RANGE, v->offset,
                        "failed to marshal completion request: json: "
                        "unsupported value: %sInf",
                        value > 0 ? "+" : "-");
    srt_ollama_put_float(s, o, value);
    return SORTES_OK;
}

/* int64(double), which on x86-64 is the lowest number when it does not fit. */
static sortes_status ollama_read_integer(struct srt_ollama_sent *s,
                                         const struct srt_ollama_option *o,
                                         const struct srt_json *v,
                                         sortes_error *err)
{
    double value;
    bool fits;

    if (v->type != SRT_JSON_NUMBER)
        return ollama_wrong_type(v, o, "type integer", err);
    value = srt_decimal_to_double(v->text, v->n);
    fits = value >= -9223372036854775808.0 && value < 9223372036854775808.0;
    srt_ollama_put_integer(s, o, fits ? (int64_t)value : INT64_MIN);
    return SORTES_OK;
}

static sortes_status ollama_read_option(struct srt_ollama_sent *s,
                                        const struct srt_ollama_option *o,
                                        const struct srt_json *v,
                                        sortes_error *err)
{
    switch (v->type == SRT_JSON_NULL ? SRT_OLLAMA_RETIRED : o->kind) {
    case SRT_OLLAMA_float:
        return ollama_read_float(s, o, v, err);
    case SRT_OLLAMA_integer:
        return ollama_read_integer(s, o, v, err);
    case SRT_OLLAMA_boolean:
        return v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE
                   ? SORTES_OK
                   : ollama_wrong_type(v, o, "type boolean", err);
    case SRT_OLLAMA_strings:
        if (v->type != SRT_JSON_ARRAY)
            return ollama_wrong_type(v, o, "type array", err);
        for (const struct srt_json *i = v->first; i != NULL; i = i->next)
            if (i->type != SRT_JSON_STRING)
                return ollama_wrong_type(i, o, "an array of strings", err);
        break;
    case SRT_OLLAMA_RETIRED:
        break;
    }
    return SORTES_OK;
}

/* Ollama's own order is a hash table's; ours is the table's. */
static sortes_status ollama_read_options(struct srt_ollama_sent *s,
                                         const struct srt_json *options,
                                         sortes_error *err)
{
    const struct srt_ollama_option *o;
    sortes_status status = SORTES_OK;
    const struct srt_json *v;

    if (options->type == SRT_JSON_NULL)
        return SORTES_OK;
    if (options->type != SRT_JSON_OBJECT)
        return srt_fail(err, SORTES_E_SYNTAX, options->offset,
                        "options: wrong type (got %s, needed object)",
                        srt_json_type_name(options));
    for (v = options->first; v != NULL; v = v->next)
        if (srt_ollama_find(v->key, v->n_key) == NULL)
            return srt_ollama_unknown(err, v->key_offset, NULL, v->key,
                                      v->n_key);
    for (size_t i = 0; (o = srt_ollama_at(i)) != NULL && !status; i++)
        if ((v = srt_json_find(options, o->name)) != NULL)
            status = ollama_read_option(s, o, v, err);
    return status;
}

/* ---- requests ------------------------------------------------------------ */

static const struct ollama_request_row *
ollama_find_row(const struct srt_json *v)
{
    for (size_t i = 0; i < SRT_COUNT(ollama_request_rows); i++)
        if (srt_json_equals(v->key, v->n_key, ollama_request_rows[i].name))
            return &ollama_request_rows[i];
    return NULL;
}

static bool ollama_is_request(const struct srt_json *root)
{
    for (const struct srt_json *v = root->first; v != NULL; v = v->next)
        if (ollama_find_row(v) != NULL)
            return true;
    return false;
}

static sortes_status ollama_unknown_field(const struct srt_json *v,
                                          sortes_error *err)
{
    struct srt_nearest nearest;

    if (srt_ollama_find(v->key, v->n_key) != NULL)
        return srt_fail(err, SORTES_E_NAME, v->key_offset,
                        "field '%.*s': belongs inside \"options\"",
                        (int)v->n_key, v->key);
    srt_nearest_start(&nearest, v->key, v->n_key);
    for (size_t i = 0; i < SRT_COUNT(ollama_request_rows); i++)
        srt_nearest_try(&nearest, ollama_request_rows[i].name,
                        strlen(ollama_request_rows[i].name));
    return srt_fail_unknown(err, v->key_offset, "field", &nearest);
}

/* null and "" are no format; "json" and a schema become a grammar. */
static sortes_status ollama_check_format(const struct srt_json *v,
                                         sortes_error *err)
{
    if (v->type == SRT_JSON_NULL || (v->type == SRT_JSON_STRING && v->n == 0))
        return SORTES_OK;
    return srt_fail(err, SORTES_E_RANGE, v->offset,
                    "field 'format': not supported by this version of sortes "
                    "(allowed null)");
}

static sortes_status ollama_check_tools(const struct srt_json *v,
                                        sortes_error *err)
{
    if (v->type == SRT_JSON_NULL || (v->type == SRT_JSON_ARRAY && v->n == 0))
        return SORTES_OK;
    return srt_fail(err, SORTES_E_RANGE, v->offset,
                    "field 'tools': not supported by this version of sortes "
                    "(allowed [])");
}

/* logprobs: true asks for top_logprobs of them, one at least. */
static sortes_status ollama_read_logprobs(struct srt_ollama_sent *s,
                                          const struct srt_json *root,
                                          sortes_error *err)
{
    const struct srt_json *on = srt_json_find(root, "logprobs");
    const struct srt_json *top = srt_json_find(root, "top_logprobs");
    struct srt_field_value count = { 0 };

    if (on != NULL && on->type != SRT_JSON_NULL && on->type != SRT_JSON_TRUE &&
        on->type != SRT_JSON_FALSE)
        return srt_fail(err, SORTES_E_SYNTAX, on->offset,
                        "field 'logprobs': wrong type (got %s, needed boolean)",
                        srt_json_type_name(on));
    if (top != NULL && top->type != SRT_JSON_NULL &&
        (!srt_is_whole(top) || !srt_coerce(top, SRT_AS_i64, &count)))
        return srt_fail(err, SORTES_E_SYNTAX, top->offset,
                        "field 'top_logprobs': wrong type (got %s, needed "
                        "whole number)",
                        srt_json_type_name(top));
    if (count.integer < 0 || count.integer > 20)
        return srt_fail(err, SORTES_E_RANGE, top->offset,
                        "top_logprobs must be between 0 and 20");
    if (on == NULL || on->type != SRT_JSON_TRUE)
        return SORTES_OK;
    srt_json_key(&s->w, "n_probs");
    srt_json_put_integer(&s->w, count.integer > 1 ? count.integer : 1);
    return SORTES_OK;
}

static sortes_status ollama_read_request(struct srt_ollama_sent *s,
                                         const struct srt_json *root,
                                         sortes_error *err)
{
    sortes_status status = SORTES_OK;

    for (const struct srt_json *v = root->first; v != NULL && !status;
         v = v->next) {
        const struct ollama_request_row *row = ollama_find_row(v);

        if (row == NULL)
            status = ollama_unknown_field(v, err);
        else if (row->use == OLLAMA_USE_format)
            status = ollama_check_format(v, err);
        else if (row->use == OLLAMA_USE_tools)
            status = ollama_check_tools(v, err);
        else if (row->use == OLLAMA_USE_options)
            status = ollama_read_options(s, v, err);
    }
    return status == SORTES_OK ? ollama_read_logprobs(s, root, err) : status;
}

static sortes_status ollama_read_root(struct srt_ollama_sent *s,
                                      const struct srt_json *root,
                                      sortes_error *err)
{
    if (root->type != SRT_JSON_OBJECT)
        return srt_fail(err, SORTES_E_SYNTAX, root->offset,
                        "request: wrong type (got %s, needed object)",
                        srt_json_type_name(root));
    return ollama_is_request(root) ? ollama_read_request(s, root, err)
                                   : ollama_read_options(s, root, err);
}

sortes_status srt_params_read_ollama(sortes_params *p, const char *text,
                                     size_t n, sortes_error *err)
{
    struct srt_json_document document;
    struct srt_ollama_sent sent;
    sortes_status status = srt_json_read(&document, text, n, err);

    if (status != SORTES_OK)
        return status;
    srt_ollama_begin(&sent);
    status = srt_check_numbers(document.root, err);
    if (status == SORTES_OK)
        status = ollama_read_root(&sent, document.root, err);
    srt_json_free(&document);
    if (status == SORTES_OK)
        return srt_ollama_end(&sent, p, err);
    srt_ollama_drop(&sent);
    return status;
}
