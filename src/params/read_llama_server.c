/*
 * read_llama_server.c - a llama-server request into parameters
 *
 * Everything that a row of formats/llama_server.def can say is there; here is
 * how a row is evaluated, and the few fields whose value has a shape.
 * Source: llama.cpp tools/server/server-schema.cpp (commit 0c1e57098).
 *
 * Refusals are that server's own texts where it refuses.  Ours alone are:
 * unknown fields (it ignores them), fields of stages that sortes does not
 * have yet and, while the parameters have no vocab, ignore_eos and logit_bias
 * keys that are words.  No id is dropped for being past the vocabulary: a row
 * says later how many there are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/coerce.h"
#include "params/names.h"
#include "params/samplers.h"
#include "vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SERVER_SHOWN 80 /* bytes of a value that a message shows */

/* In the order of evaluation, which decides whose error comes first. */
static const struct srt_field server_fields[] = {
#define SRT_FIELD(field, aliases, parameter, as, limit, lo, hi)                \
    { field,                                                                   \
      aliases,                                                                 \
      SRT_FIELD_SETS,                                                          \
      SRT_PARAM_##parameter,                                                   \
      SRT_AS_##as,                                                             \
      SRT_LIMIT_##limit,                                                       \
      lo,                                                                      \
      hi,                                                                      \
      0,                                                                       \
      0,                                                                       \
      NULL },
#define SRT_FIELD_PASSED(field, aliases, as, limit, lo, hi)                    \
    { field,                                                                   \
      aliases,                                                                 \
      SRT_FIELD_IS_PASSED,                                                     \
      SRT_N_PARAMS,                                                            \
      SRT_AS_##as,                                                             \
      SRT_LIMIT_##limit,                                                       \
      lo,                                                                      \
      hi,                                                                      \
      0,                                                                       \
      0,                                                                       \
      NULL },
#define SRT_FIELD_OFF(field, aliases, as, limit, lo, hi, from, to, allowed)    \
    { field,        aliases,     SRT_FIELD_IS_OFF,                             \
      SRT_N_PARAMS, SRT_AS_##as, SRT_LIMIT_##limit,                            \
      lo,           hi,          from,                                         \
      to,           allowed },
#include "params/formats/llama_server.def"
#undef SRT_FIELD
#undef SRT_FIELD_PASSED
#undef SRT_FIELD_OFF
};

const struct srt_field *srt_server_field_at(size_t i)
{
    return i < SRT_COUNT(server_fields) ? &server_fields[i] : NULL;
}

struct server_reader {
    sortes_params *params;
    const char *text; /* of the whole request */
    const struct srt_json *request;
    sortes_error *err;

    /* the field being read: by this name the request gives it */
    const struct srt_field *field;
    const char *name;
    size_t n_name;
    const struct srt_json *value;
};

/* ---- refusals ------------------------------------------------------------ */

/* nlohmann::json's own text, as the server passes it on. */
static sortes_status server_wrong_type(struct server_reader *r,
                                       const struct srt_json *v,
                                       const char *needed)
{
    return srt_fail(r->err, SORTES_E_SYNTAX, v->offset,
                    "Field '%.*s': [json.exception.type_error.302] type must "
                    "be %s, but is %s",
                    (int)r->n_name, r->name, needed, srt_json_type_name(v));
}

static sortes_status server_not_supported(struct server_reader *r)
{
    size_t n = r->value->length;

    return srt_fail(r->err, SORTES_E_RANGE, r->value->offset,
                    "Field '%.*s': not supported by this version of sortes "
                    "(got %.*s%s, allowed %s)",
                    (int)r->n_name, r->name,
                    (int)(n < SERVER_SHOWN ? n : SERVER_SHOWN),
                    r->text + r->value->offset, n > SERVER_SHOWN ? "..." : "",
                    r->field->allowed);
}

/* ---- names --------------------------------------------------------------- */

/* The next of names with a blank between them; moves past it. */
static bool server_next_alias(const char **at, const char **name, size_t *n)
{
    while (**at == ' ')
        ++*at;
    *name = *at;
    *n = strcspn(*at, " ");
    *at += *n;
    return *n > 0;
}

/* The value of a key, the last one if it stands twice. */
static const struct srt_json *server_find(const struct srt_json *request,
                                          const char *name, size_t n)
{
    const struct srt_json *found = NULL;

    for (const struct srt_json *v = request->first; v != NULL; v = v->next)
        if (v->n_key == n && memcmp(v->key, name, n) == 0)
            found = v;
    return found;
}

/* Looks the field up by its names: the first that is there and not null. */
static bool server_look_up(struct server_reader *r, const struct srt_field *f)
{
    const char *at = f->aliases;

    r->field = f;
    r->name = f->name;
    r->n_name = strlen(f->name);
    do {
        r->value = server_find(r->request, r->name, r->n_name);
        if (r->value != NULL && r->value->type != SRT_JSON_NULL)
            return true;
    } while (server_next_alias(&at, &r->name, &r->n_name));
    return false;
}

static bool server_is_named(const struct srt_field *f, const char *key,
                            size_t n_key)
{
    const char *at = f->aliases, *name = f->name;
    size_t n = strlen(f->name);

    do {
        if (n == n_key && memcmp(name, key, n) == 0)
            return true;
    } while (server_next_alias(&at, &name, &n));
    return false;
}

static bool server_is_known(const char *key, size_t n_key)
{
    for (size_t i = 0; i < SRT_COUNT(server_fields); i++)
        if (server_is_named(&server_fields[i], key, n_key))
            return true;
    return false;
}

/* llama-server ignores what it does not know; a misspelt "temperature" would
 * then silently be 0.8. */
static sortes_status server_unknown(struct server_reader *r,
                                    const struct srt_json *v)
{
    struct srt_nearest nearest;

    srt_nearest_start(&nearest, v->key, v->n_key);
    for (size_t i = 0; i < SRT_COUNT(server_fields); i++) {
        const char *at = server_fields[i].aliases;
        const char *name = server_fields[i].name;
        size_t n = strlen(name);

        do {
            srt_nearest_try(&nearest, name, n);
        } while (server_next_alias(&at, &name, &n));
    }
    return srt_fail_unknown(r->err, v->key_offset, "field", &nearest);
}

/* Before any value is looked at. */
static sortes_status server_check_names(struct server_reader *r)
{
    for (const struct srt_json *v = r->request->first; v; v = v->next)
        if (!server_is_known(v->key, v->n_key))
            return server_unknown(r, v);
    return SORTES_OK;
}

/* ---- logit_bias ---------------------------------------------------------- */

/* A number, or false for "never"; anything else skips the entry. */
static bool server_read_bias(const struct srt_json *v, float *bias)
{
    struct srt_field_value value;

    if (v->type == SRT_JSON_FALSE) {
        *bias = -HUGE_VALF;
        return true;
    }
    if (v->type != SRT_JSON_NUMBER || !srt_coerce(v, SRT_AS_f32, &value))
        return false;
    *bias = value.number;
    return true;
}

/* Ids below 0 are dropped, as are those beyond the vocabulary, in time. */
static sortes_status server_add_bias(struct server_reader *r, int32_t token,
                                     float bias)
{
    if (token >= 0 && !srt_bias_add(&r->params->logit_bias, token, bias))
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    return SORTES_OK;
}

struct server_text {
    const char *text;
    size_t n, offset;
};

/* A word biases each of its tokens, special ones not read as such. */
static sortes_status server_add_word(struct server_reader *r, const char *key,
                                     size_t n, float bias)
{
    /* No token stands for less than a byte, but for a space put before. */
    struct srt_token_list list = { malloc((n + 8) * sizeof(int32_t)), 0,
                                   n + 8 };
    sortes_status status;

    if (list.ids == NULL)
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    status = srt_vocab_tokenize(r->params->vocab, key, n, false, &list);
    if (status != SORTES_OK)
        status = srt_fail(r->err, status, 0,
                          "Field 'logit_bias': the key '%.*s' could not be "
                          "tokenized",
                          (int)(n < SERVER_SHOWN ? n : SERVER_SHOWN), key);
    for (size_t i = 0; i < list.n && status == SORTES_OK; i++)
        status = server_add_bias(r, list.ids[i], bias);
    free(list.ids);
    return status;
}

/* A key that is no number. */
static sortes_status server_word_key(struct server_reader *r,
                                     const struct server_text *key, float bias)
{
    const size_t shown = key->n < SERVER_SHOWN ? key->n : SERVER_SHOWN;

    if (srt_vocab_can_tokenize(r->params->vocab))
        return server_add_word(r, key->text, key->n, bias);
    return srt_fail(r->err, SORTES_E_NAME, key->offset,
                    "Field 'logit_bias': the key '%.*s' is a word, and no "
                    "tokenizer is known here (allowed: token ids)",
                    (int)shown, key->text);
}

/* [[id, bias], ...]; entries of another shape are skipped. */
static sortes_status server_bias_array(struct server_reader *r)
{
    sortes_status status = SORTES_OK;
    struct srt_field_value id;
    float bias;

    for (const struct srt_json *v = r->value->first; v && !status;
         v = v->next) {
        const struct srt_json *key = v->first;

        if (v->type != SRT_JSON_ARRAY || v->n != 2 ||
            !server_read_bias(key->next, &bias))
            continue;
        if (key->type == SRT_JSON_STRING)
            status = server_word_key(
                r, &(struct server_text){ key->text, key->n, key->offset },
                bias);
        else if (srt_is_whole(key) && srt_coerce(key, SRT_AS_i32, &id))
            status = server_add_bias(r, (int32_t)id.integer, bias);
    }
    return status;
}

/* The id is strtol's answer, cut to 32 bits as the server's is. */
static sortes_status server_bias_item(struct server_reader *r,
                                      const struct srt_json *v)
{
    size_t end;
    int64_t id;
    float bias;

    if (!server_read_bias(v, &bias))
        return SORTES_OK;
    id = srt_strtol(v->key, v->n_key, &end);
    if (v->key[end] != '\0') /* end is 0 when it begins with no number */
        return server_word_key(
            r, &(struct server_text){ v->key, v->n_key, v->key_offset }, bias);
    return server_add_bias(r, (int32_t)(uint32_t)(uint64_t)id, bias);
}

/* An item of an object, and where it stands in it. */
struct server_item {
    const struct srt_json *v;
    size_t place;
};

static int server_compare_items(const void *a, const void *b)
{
    const struct server_item *x = a, *y = b;
    size_t n = x->v->n_key < y->v->n_key ? x->v->n_key : y->v->n_key;
    int order = memcmp(x->v->key, y->v->key, n);

    if (order == 0)
        order = (x->v->n_key > n) - (y->v->n_key > n);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Back to the order of the text. */
static int server_compare_places(const void *a, const void *b)
{
    const struct server_item *x = a, *y = b;

    return (x->place > y->place) - (x->place < y->place);
}

/* Of equal keys one item is left: the last value, at the first one's place. */
static size_t server_merge_items(struct server_item *items, size_t n)
{
    size_t kept = 0;

    qsort(items, n, sizeof(*items), server_compare_items);
    for (size_t i = 0; i < n; i++) {
        const struct srt_json *v = items[i].v, *last;

        last = kept > 0 ? items[kept - 1].v : NULL;
        if (last != NULL && last->n_key == v->n_key &&
            memcmp(last->key, v->key, v->n_key) == 0)
            items[kept - 1].v = v;
        else
            items[kept++] = items[i];
    }
    qsort(items, kept, sizeof(*items), server_compare_places);
    return kept;
}

/* {"id": bias, ...} */
static sortes_status server_bias_object(struct server_reader *r)
{
    sortes_status status = SORTES_OK;
    struct server_item *items;
    size_t n = 0;

    if (r->value->n == 0)
        return SORTES_OK;
    items = malloc(r->value->n * sizeof(*items));
    if (items == NULL)
        return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    for (const struct srt_json *v = r->value->first; v; v = v->next, n++)
        items[n] = (struct server_item){ v, n };
    n = server_merge_items(items, n);
    for (size_t i = 0; i < n && !status; i++)
        status = server_bias_item(r, items[i].v);
    free(items);
    return status;
}

/* Even a value of the wrong type empties the list that was there. */
static sortes_status server_read_biases(struct server_reader *r)
{
    srt_bias_clear(&r->params->logit_bias);
    r->params->source[r->field->parameter] = SORTES_FROM_REQUEST;
    if (r->value->type == SRT_JSON_ARRAY)
        return server_bias_array(r);
    if (r->value->type == SRT_JSON_OBJECT)
        return server_bias_object(r);
    return SORTES_OK; /* other types are an empty list */
}

/* ignore_eos: every end token is forbidden, after the request's own biases. */
static sortes_status server_read_ends(struct server_reader *r)
{
    const sortes_vocab *v = r->params->vocab;
    sortes_status status = SORTES_OK;

    if (r->value->type == SRT_JSON_FALSE)
        return SORTES_OK;
    if (r->value->type != SRT_JSON_TRUE)
        return server_wrong_type(r, r->value, "boolean");
    if (v == NULL)
        return srt_fail(r->err, SORTES_E_RANGE, r->value->offset,
                        "Field 'ignore_eos': no vocab is known here, and so "
                        "no end tokens (allowed: false; logit_bias with false "
                        "for each end token does it)");
    for (size_t i = 0; i < sortes_vocab_size(v) && status == SORTES_OK; i++)
        if (sortes_vocab_flags(v, (int32_t)i) & SORTES_TOKEN_EOG)
            status = server_add_bias(r, (int32_t)i, -HUGE_VALF);
    r->params->source[SRT_PARAM_logit_bias] = SORTES_FROM_REQUEST;
    return status;
}

/* ---- other shapes -------------------------------------------------------- */

static sortes_status server_check_strings(struct server_reader *r)
{
    for (const struct srt_json *v = r->value->first; v; v = v->next)
        if (v->type != SRT_JSON_STRING)
            return server_wrong_type(r, v, "string");
    return SORTES_OK;
}

/* What nlohmann::json calls empty is skipped: null, [] and {}. */
static sortes_status server_check_stop(struct server_reader *r)
{
    if (r->value->type != SRT_JSON_ARRAY)
        return SORTES_OK;
    for (const struct srt_json *v = r->value->first; v; v = v->next) {
        bool container =
            v->type == SRT_JSON_ARRAY || v->type == SRT_JSON_OBJECT;

        if (v->type == SRT_JSON_NULL || (container && v->n == 0))
            continue;
        if (v->type != SRT_JSON_STRING)
            return server_wrong_type(r, v, "string");
    }
    return SORTES_OK;
}

/* The parameter's list, to be filled. */
static srt_type_strings *server_strings(struct server_reader *r)
{
    return srt_param_place(r->params, r->field->parameter);
}

static sortes_status server_strings_given(struct server_reader *r, bool ok)
{
    server_strings(r)->given = true;
    r->params->source[r->field->parameter] = SORTES_FROM_REQUEST;
    return ok ? SORTES_OK
              : srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
}

/* Takes the value, whose items are strings, in place of what was there. */
static sortes_status server_take_strings(struct server_reader *r)
{
    const struct srt_json *value = r->value;
    srt_type_strings *list = server_strings(r);
    bool ok = true;

    srt_strings_clear(list);
    if (value->type == SRT_JSON_STRING)
        ok = srt_strings_add(list, value->text, value->n);
    for (const struct srt_json *v = value->first; v && ok; v = v->next)
        ok = srt_strings_add(list, v->text, v->n);
    return server_strings_given(r, ok);
}

/* The server catches the parser's type error and sees an empty list. */
static sortes_status server_read_breakers(struct server_reader *r)
{
    bool good = r->value->type == SRT_JSON_ARRAY && r->value->n > 0;

    for (const struct srt_json *v = r->value->first; v; v = v->next)
        good &= v->type == SRT_JSON_STRING;
    if (good)
        return server_take_strings(r);
    return srt_fail(r->err, SORTES_E_SYNTAX, r->value->offset,
                    "Field '%.*s': Error: dry_sequence_breakers must be a "
                    "non-empty array of strings",
                    (int)r->n_name, r->name);
}

/* Names in a list, or one letter each in a string; other types say nothing. */
static sortes_status server_read_samplers(struct server_reader *r)
{
    const struct srt_json *value = r->value;
    srt_type_strings *list = server_strings(r);
    bool ok = true;

    if (value->type == SRT_JSON_STRING) {
        srt_strings_clear(list);
        ok = srt_samplers_add_letters(list, value->text, value->n);
    } else if (value->type == SRT_JSON_ARRAY) {
        sortes_status status = server_check_strings(r);

        if (status != SORTES_OK)
            return status;
        srt_strings_clear(list);
        for (const struct srt_json *v = value->first; v && ok; v = v->next)
            ok = srt_samplers_add_name(list, v->text, v->n);
    } else {
        return SORTES_OK;
    }
    return server_strings_given(r, ok);
}

/*
 * The server's handler looks at the first name alone once that key is there,
 * even as null, and takes what a C++ range over the value gives: the items of
 * a list or an object, or a lone value.  Empty tags are dropped.
 */
static sortes_status server_read_tags(struct server_reader *r)
{
    const struct srt_json *value = srt_json_find(r->request, r->field->name);
    srt_type_strings *list = server_strings(r);
    const struct srt_json *v;
    bool ok = true;

    if (value == NULL)
        value = r->value;
    srt_strings_clear(list);
    v = value->type == SRT_JSON_NULL ? NULL : value;
    if (value->type == SRT_JSON_ARRAY || value->type == SRT_JSON_OBJECT)
        v = value->first;
    for (; v != NULL && ok; v = v == value ? NULL : v->next) {
        if (v->type != SRT_JSON_STRING)
            return server_wrong_type(r, v, "string");
        ok = v->n == 0 || srt_strings_add(list, v->text, v->n);
    }
    return server_strings_given(r, ok);
}

/* Without an end tag it says nothing; of another type it is empty. */
static sortes_status server_read_message(struct server_reader *r)
{
    srt_type_strings *list = server_strings(r);
    bool is_text = r->value->type == SRT_JSON_STRING;

    if (r->params->reasoning_budget_end_tags.n == 0)
        return SORTES_OK;
    srt_strings_clear(list);
    return server_strings_given(
        r, srt_strings_add(list, is_text ? r->value->text : "",
                           is_text ? r->value->n : 0));
}

/* A schema counts only when there is no key "grammar", even one that is null.
 */
static sortes_status server_check_schema(struct server_reader *r)
{
    return srt_json_find(r->request, "grammar") ? SORTES_OK
                                                : server_not_supported(r);
}

/* A grammar counts only when it is a string with something in it. */
static sortes_status server_read_grammar(struct server_reader *r)
{
    return r->value->type == SRT_JSON_STRING && r->value->n > 0
               ? server_take_strings(r)
               : SORTES_OK;
}

/* {"type": 0, "value": "x", "token": 5}; 1: a word; 2: a pattern. */
static bool server_add_trigger(struct srt_string_list *list,
                               const struct srt_json *v)
{
    static const char *const kinds[] = { "token:", "word:", "pattern:" };
    const struct srt_json *type = srt_json_find(v, "type");
    const struct srt_json *value = srt_json_find(v, "value");
    const struct srt_json *of;
    size_t n;
    char *text;
    bool added;

    if (!type || type->type != SRT_JSON_NUMBER || type->n != 1 ||
        type->text[0] < '0' || type->text[0] > '2' || !value ||
        value->type != SRT_JSON_STRING)
        return false;
    of = type->text[0] == '0' ? srt_json_find(v, "token") : value;
    if (!of || (of != value && of->type != SRT_JSON_NUMBER))
        return false;
    n = strlen(kinds[type->text[0] - '0']);
    text = malloc(n + of->n + 1);
    if (!text)
        return false;
    memcpy(text, kinds[type->text[0] - '0'], n);
    memcpy(text + n, of->text, of->n);
    added = srt_strings_add(list, text, n + of->n);
    free(text);
    return added;
}

static sortes_status server_read_triggers(struct server_reader *r)
{
    srt_type_strings *list = server_strings(r);
    bool good = r->value->type == SRT_JSON_ARRAY;

    srt_strings_clear(list);
    for (const struct srt_json *v = r->value->first; v && good; v = v->next)
        good = server_add_trigger(list, v);
    if (!good)
        return srt_fail(r->err, SORTES_E_SYNTAX, r->value->offset,
                        "Field '%.*s': must be a list of objects with 'type' "
                        "(0 with 'token', 1 or 2) and 'value'",
                        (int)r->n_name, r->name);
    if (r->params->grammar_lazy && list->n == 0)
        return srt_fail(r->err, SORTES_E_SYNTAX, r->value->offset,
                        "Field '%.*s': Error: no triggers set for lazy "
                        "grammar!",
                        (int)r->n_name, r->name);
    return server_strings_given(r, true);
}

/* /completion has no such field; on the chat path anything but text becomes a
 * grammar. */
static sortes_status server_check_format(struct server_reader *r)
{
    const struct srt_json *type = srt_json_find(r->value, "type");

    if (type == NULL || type->type != SRT_JSON_STRING || type->n == 0 ||
        srt_json_equals(type->text, type->n, "text"))
        return SORTES_OK;
    return server_not_supported(r);
}

/* Fields whose value is no plain number or boolean. */
static sortes_status server_read_shape(struct server_reader *r)
{
    const struct srt_json *v = r->value;

    switch (r->field->as) {
    case SRT_AS_bias:
        return server_read_biases(r);
    case SRT_AS_ends:
        return server_read_ends(r);
    case SRT_AS_samplers:
        return server_read_samplers(r);
    case SRT_AS_breakers:
        return server_read_breakers(r);
    case SRT_AS_grammar:
        return server_read_grammar(r);
    case SRT_AS_triggers:
        return server_read_triggers(r);
    case SRT_AS_schema:
        return server_check_schema(r);
    case SRT_AS_response_format:
        return server_check_format(r);
    case SRT_AS_stop:
        return server_check_stop(r);
    case SRT_AS_list:
        return v->n > 0 ? server_not_supported(r) : SORTES_OK;
    case SRT_AS_tags:
        return server_read_tags(r);
    case SRT_AS_message:
        return server_read_message(r);
    case SRT_AS_string:
        if (v->type != SRT_JSON_STRING)
            return server_wrong_type(r, v, "string");
        return r->field->use == SRT_FIELD_SETS ? server_take_strings(r)
                                               : SORTES_OK;
    default:
        return SORTES_OK;
    }
}

/* ---- rows ---------------------------------------------------------------- */

/* Type, limit, and then what the row is for, in the server's order. */
static sortes_status server_read_field(struct server_reader *r)
{
    const struct srt_field *f = r->field;
    struct srt_field_value value;
    sortes_status status;

    if (f->as > SRT_AS_boolean)
        return server_read_shape(r);
    if (!srt_coerce(r->value, f->as, &value))
        return server_wrong_type(
            r, r->value, f->as == SRT_AS_boolean ? "boolean" : "number");
    status = srt_field_limit(f, r->name, r->n_name, r->value->offset, &value,
                             r->err);
    if (status != SORTES_OK)
        return status;
    if (f->use == SRT_FIELD_IS_OFF && !srt_field_is_off(f, &value))
        return server_not_supported(r);
    if (f->use == SRT_FIELD_SETS)
        srt_field_store(f, r->params, &value, SORTES_FROM_REQUEST);
    return SORTES_OK;
}

static sortes_status server_read_fields(struct server_reader *r)
{
    sortes_status status = server_check_names(r);

    for (size_t i = 0; i < SRT_COUNT(server_fields) && !status; i++)
        if (server_look_up(r, &server_fields[i]))
            status = server_read_field(r);
    return status;
}

sortes_status srt_params_read_llama_server(sortes_params *p, const char *text,
                                           size_t n, sortes_error *err)
{
    struct srt_json_document document;
    struct server_reader r = { .params = p, .text = text, .err = err };
    sortes_status status = srt_json_read(&document, text, n, err);

    if (status != SORTES_OK)
        return status;
    r.request = document.root;
    status = srt_check_numbers(document.root, err);
    if (status == SORTES_OK && r.request->type != SRT_JSON_OBJECT)
        status = srt_fail(err, SORTES_E_SYNTAX, r.request->offset,
                          "request: wrong type (got %s, needed object)",
                          srt_json_type_name(r.request));
    if (status == SORTES_OK)
        status = server_read_fields(&r);
    if (status == SORTES_OK)
        status = srt_params_check_built(p, err);
    srt_json_free(&document);
    return status == SORTES_OK ? srt_ok(err) : status;
}
