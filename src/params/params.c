/*
 * params.c - the life of a set of parameters, and its typed setters
 *
 * Nothing here names a parameter: the table below is params.def, and what each
 * dialect has of it is dialect/X/params.def.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/params.h"

#include "dialect/dialect.h"
#include "fp_state.h"
#include "gguf/gguf.h"
#include "params/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct srt_param srt_param_rows[SRT_N_PARAMS] = {
#define SRT_PARAM(name, type)                                                  \
    { #name, SRT_TYPE_##type, offsetof(struct sortes_params, name) },
#include "params/params.def"
#undef SRT_PARAM
};

const char srt_type_names[][8] = { "float",   "double", "integer", "seed",
                                   "boolean", "list",   "tokens",  "strings" };

/* ---- lists --------------------------------------------------------------- */

/* Room is the next power of two, so that it need not be kept. */
bool srt_bias_add(struct srt_bias_list *list, int32_t token, float value)
{
    struct srt_bias *items;

    if ((list->n & (list->n - 1)) == 0) {
        size_t room = list->n > 0 ? list->n * 2 : 1;

        items = realloc(list->items, room * sizeof(*items));
        if (items == NULL)
            return false;
        list->items = items;
    }
    list->items[list->n].token = token;
    list->items[list->n].value = value;
    list->n++;
    return true;
}

bool srt_bias_copy(struct srt_bias_list *to, const struct srt_bias_list *from)
{
    *to = (struct srt_bias_list){ 0 };
    for (size_t i = 0; i < from->n; i++) {
        if (!srt_bias_add(to, from->items[i].token, from->items[i].value)) {
            srt_bias_clear(to);
            return false;
        }
    }
    return true;
}

/* An empty list has no memory. */
void srt_bias_clear(struct srt_bias_list *list)
{
    free(list->items);
    *list = (struct srt_bias_list){ 0 };
}

/* Merges two ascending runs; of equal tokens the left one comes first. */
static void params_merge_biases(struct srt_bias *to,
                                const struct srt_bias *left, size_t n_left,
                                const struct srt_bias *right, size_t n_right)
{
    while (n_left > 0 || n_right > 0) {
        if (n_right == 0 || (n_left > 0 && left->token <= right->token)) {
            *to++ = *left++;
            n_left--;
        } else {
            *to++ = *right++;
            n_right--;
        }
    }
}

void srt_bias_sort(struct srt_bias *b, struct srt_bias *spare, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            const size_t n_left = n - i < width ? n - i : width;
            const size_t rest = n - i - n_left;
            const size_t n_right = rest < width ? rest : width;

            params_merge_biases(spare + i, b + i, n_left, b + i + n_left,
                                n_right);
        }
        memcpy(b, spare, n * sizeof(*b));
    }
}

/* ---- places -------------------------------------------------------------- */

void *srt_param_place(sortes_params *p, enum srt_param_id id)
{
    return (char *)p + srt_param_rows[id].offset;
}

const void *srt_param_value(const sortes_params *p, enum srt_param_id id)
{
    return (const char *)p + srt_param_rows[id].offset;
}

const struct srt_param_of *srt_param_row(const struct srt_dialect *dialect,
                                         enum srt_param_id id)
{
    for (size_t i = 0; i < dialect->n_params; i++)
        if (dialect->params[i].id == id)
            return &dialect->params[i];
    return NULL;
}

void srt_param_put_float(sortes_params *p, enum srt_param_id id, float value,
                         sortes_source source)
{
    *(srt_type_float *)srt_param_place(p, id) = value;
    p->source[id] = source;
}

void srt_param_put_whole(sortes_params *p, enum srt_param_id id, int64_t value,
                         sortes_source source)
{
    void *place = srt_param_place(p, id);

    if (srt_param_rows[id].type == SRT_TYPE_integer)
        *(srt_type_integer *)place = (srt_type_integer)value;
    else if (srt_param_rows[id].type == SRT_TYPE_seed)
        *(srt_type_seed *)place = (srt_type_seed)value;
    else
        *(srt_type_boolean *)place = value != 0;
    p->source[id] = source;
}

/* A loop over a few dozen names; only an unknown one is worth a distance. */
sortes_status srt_param_find(const struct srt_dialect *dialect,
                             const char *name, enum srt_param_id *id,
                             sortes_error *err)
{
    struct srt_nearest nearest;

    for (size_t i = 0; i < dialect->n_params; i++) {
        if (strcmp(name, dialect->params[i].info.name) == 0) {
            *id = dialect->params[i].id;
            return SORTES_OK;
        }
    }
    srt_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; i < dialect->n_params; i++)
        srt_nearest_try(&nearest, dialect->params[i].info.name,
                        strlen(dialect->params[i].info.name));
    return srt_fail_unknown(err, 0, "parameter", &nearest);
}

/* ---- life ---------------------------------------------------------------- */

/* Sources are 0, SORTES_FROM_DEFAULT, everywhere. */
static void params_start(sortes_params *p, const struct srt_dialect *dialect)
{
    memset(p, 0, sizeof(*p));
    p->dialect = dialect;
    for (size_t i = 0; i < dialect->n_params; i++) {
        const struct srt_param_of *row = &dialect->params[i];
        void *place = srt_param_place(p, row->id);

        switch (srt_param_rows[row->id].type) {
        case SRT_TYPE_float:
            *(srt_type_float *)place = (srt_type_float)row->initial;
            break;
        case SRT_TYPE_double:
            *(srt_type_double *)place = row->initial;
            break;
        case SRT_TYPE_integer:
            *(srt_type_integer *)place = (srt_type_integer)row->initial;
            break;
        case SRT_TYPE_seed:
            *(srt_type_seed *)place = (srt_type_seed)row->initial;
            break;
        case SRT_TYPE_boolean:
            *(srt_type_boolean *)place = row->initial != 0;
            break;
        case SRT_TYPE_list:
        case SRT_TYPE_tokens:
        case SRT_TYPE_strings:
            break;
        }
    }
}

sortes_status sortes_params_new(sortes_params **out, const char *dialect,
                                sortes_error *err)
{
    const struct srt_dialect *known;
    struct srt_nearest nearest;
    const char *name;

    if (out == NULL || dialect == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    *out = NULL;
    known = srt_dialect_find(dialect);
    if (known == NULL) {
        srt_nearest_start(&nearest, dialect, strlen(dialect));
        for (size_t i = 0; (name = sortes_dialect_name(i)) != NULL; i++)
            srt_nearest_try(&nearest, name, strlen(name));
        return srt_fail_unknown(err, 0, "dialect", &nearest);
    }
    *out = malloc(sizeof(**out));
    if (*out == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    params_start(*out, known);
    return srt_ok(err);
}

/* Without go the copy is emptied: the original's memory is not its own. */
static bool params_copy_biases(struct srt_bias_list *to,
                               const struct srt_bias_list *from, bool go)
{
    if (go)
        return srt_bias_copy(to, from);
    *to = (struct srt_bias_list){ 0 };
    return false;
}

static bool params_has_biases(enum srt_param_id id)
{
    return srt_param_rows[id].type == SRT_TYPE_list ||
           srt_param_rows[id].type == SRT_TYPE_tokens;
}

/* What lies in memory of its own. */
static bool params_copy_memory(sortes_params *copy, const sortes_params *p,
                               enum srt_param_id id, bool go)
{
    struct srt_string_list *strings;

    if (params_has_biases(id))
        return params_copy_biases(srt_param_place(copy, id),
                                  srt_param_value(p, id), go);
    if (srt_param_rows[id].type != SRT_TYPE_strings)
        return go;
    strings = srt_param_place(copy, id);
    if (go)
        return srt_strings_copy(strings, srt_param_value(p, id));
    *strings = (struct srt_string_list){ 0 };
    return false;
}

sortes_status sortes_params_clone(sortes_params **out, const sortes_params *p)
{
    sortes_params *copy;
    bool ok = true;

    if (out == NULL)
        return SORTES_E_ARGUMENT;
    *out = NULL;
    if (p == NULL)
        return SORTES_E_ARGUMENT;
    copy = malloc(sizeof(*copy));
    if (copy == NULL)
        return SORTES_E_NOMEM;
    *copy = *p;
    (void)sortes_vocab_retain(copy->vocab);
    for (unsigned i = 0; i < SRT_N_PARAMS; i++)
        ok = params_copy_memory(copy, p, i, ok);
    ok = params_copy_biases(&copy->suppressed, &p->suppressed, ok);
    if (!ok) {
        sortes_params_free(copy);
        return SORTES_E_NOMEM;
    }
    *out = copy;
    return SORTES_OK;
}

void sortes_params_free(sortes_params *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; i < SRT_N_PARAMS; i++) {
        if (params_has_biases(i))
            srt_bias_clear(srt_param_place(p, i));
        else if (srt_param_rows[i].type == SRT_TYPE_strings)
            srt_strings_clear(srt_param_place(p, i));
    }
    srt_bias_clear(&p->suppressed);
    sortes_vocab_free(p->vocab);
    free(p);
}

sortes_status sortes_params_use_vocab(sortes_params *p, sortes_vocab *v)
{
    sortes_vocab *old;

    if (p == NULL)
        return SORTES_E_ARGUMENT;
    old = p->vocab;
    p->vocab = sortes_vocab_retain(v);
    sortes_vocab_free(old);
    return SORTES_OK;
}

const sortes_param_info *sortes_param_at(const char *dialect, size_t index)
{
    const struct srt_dialect *known = srt_dialect_find(dialect);

    if (known == NULL || index >= known->n_params)
        return NULL;
    return &known->params[index].info;
}

/* ---- typed setters ------------------------------------------------------- */

static sortes_status params_out_of_range(const sortes_param_info *info,
                                         double got, sortes_error *err)
{
    char value[SRT_NUMBER_TEXT], min[SRT_NUMBER_TEXT], max[SRT_NUMBER_TEXT];

    srt_number_to_text(got, value);
    srt_number_to_text(info->min, min);
    srt_number_to_text(info->max, max);
    return srt_fail(err, SORTES_E_RANGE, 0,
                    "%s: out of range (got %s, allowed %s to %s)", info->name,
                    value, min, max);
}

/* The dialect's row, or a failure by name. */
static sortes_status params_row(const sortes_params *p, enum srt_param_id id,
                                const struct srt_param_of **row,
                                sortes_error *err)
{
    *row = srt_param_row(p->dialect, id);
    if (*row)
        return SORTES_OK;
    return srt_fail(err, SORTES_E_NAME, 0, "%s: dialect '%s' has none",
                    srt_param_rows[id].name, p->dialect->name);
}

/* A seed of 2^53 or more is compared rounded: the top bound is a power of 2,
 * or one less and exact. */
sortes_status srt_param_store_seed(sortes_params *p, uint64_t seed,
                                   sortes_error *err)
{
    const struct srt_param_of *row;
    const sortes_status status = params_row(p, SRT_PARAM_seed, &row, err);

    if (status != SORTES_OK)
        return status;
    if ((double)seed > row->info.max)
        return params_out_of_range(&row->info, (double)seed, err);
    p->seed = seed;
    p->source[SRT_PARAM_seed] = SORTES_FROM_CALL;
    return srt_ok(err);
}

/* Whole numbers inside the bounds of any row fit its type; seeds up to 2^64
 * come as such. */
SRT_NOINLINE sortes_status srt_param_store(sortes_params *p,
                                           enum srt_param_id id, double value,
                                           float rounded, sortes_error *err)
{
    const struct srt_param_of *row;
    const enum srt_param_type type = srt_param_rows[id].type;
    char got[SRT_NUMBER_TEXT];
    const sortes_status status = params_row(p, id, &row, err);

    if (status != SORTES_OK)
        return status;
    if (params_has_biases(id) || type == SRT_TYPE_strings)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "%s: a list cannot be set from a number",
                        row->info.name);
    if (!(value >= row->info.min && value <= row->info.max)) /* NaN fails */
        return params_out_of_range(&row->info, value, err);
    if (type == SRT_TYPE_double) {
        *(srt_type_double *)srt_param_place(p, id) = value;
        p->source[id] = SORTES_FROM_CALL;
        return srt_ok(err);
    }
    if (type != SRT_TYPE_float && value != floor(value)) {
        srt_number_to_text(value, got);
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "%s: not a whole number (got %s)", row->info.name, got);
    }
    if (type == SRT_TYPE_seed)
        return value < 0x1p64 ? srt_param_store_seed(p, (uint64_t)value, err)
                              : params_out_of_range(&row->info, value, err);
    if (type != SRT_TYPE_float) {
        srt_param_put_whole(p, id, (int64_t)value, SORTES_FROM_CALL);
        return srt_ok(err);
    }
    if (isinf(rounded) && !isinf(value)) /* too large for a float */
        return params_out_of_range(&row->info, value, err);
    srt_param_put_float(p, id, rounded, SORTES_FROM_CALL);
    return srt_ok(err);
}

/* Apart, so that no rounding moves out of the span between begin and end. */
SRT_NOINLINE static sortes_status params_set_double(sortes_params *p,
                                                    const char *name,
                                                    double value,
                                                    sortes_error *err)
{
    enum srt_param_id id = SRT_N_PARAMS;
    sortes_status status = srt_param_find(p->dialect, name, &id, err);

    if (status != SORTES_OK)
        return status;
    return srt_param_store(p, id, value, (float)value, err);
}

sortes_status sortes_params_set_number(sortes_params *p, const char *name,
                                       double value, sortes_error *err)
{
    struct srt_fp_state state;
    sortes_status status;

    if (p == NULL || name == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    state = srt_fp_begin();
    status = params_set_double(p, name, value, err);
    srt_fp_end(state);
    return status;
}

/*
 * By way of a double: it holds every whole number within any bounds but a
 * seed's exactly, and a rounded one beyond 2^53 is as far out of bounds as the
 * given one.
 */
sortes_status sortes_params_set_integer(sortes_params *p, const char *name,
                                        int64_t value, sortes_error *err)
{
    struct srt_fp_state state;
    sortes_status status;

    if (p == NULL || name == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    state = srt_fp_begin();
    status = value >= 0 && strcmp(name, "seed") == 0
                 ? srt_param_store_seed(p, (uint64_t)value, err)
                 : params_set_double(p, name, (double)value, err);
    srt_fp_end(state);
    return status;
}

sortes_status sortes_params_set_seed(sortes_params *p, uint64_t seed,
                                     sortes_error *err)
{
    struct srt_fp_state state;
    sortes_status status;

    if (p == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    state = srt_fp_begin();
    status = srt_param_store_seed(p, seed, err);
    srt_fp_end(state);
    return status;
}

/* ---- formats ------------------------------------------------------------- */

static const struct params_format {
    const char *name;
    const char *dialect; /* whose parameters its engine has */
    sortes_status (*read)(sortes_params *p, const char *text, size_t n,
                          sortes_error *err);
} params_formats[] = {
    { "llama-server", "llama.cpp", srt_params_read_llama_server },
    { "ollama", "llama.cpp", srt_params_read_ollama },
    { "modelfile", "llama.cpp", srt_params_read_modelfile },
    { "rmlx", "rmlx", srt_params_read_rmlx },
    { "mlx-lm", "mlx-lm", srt_params_read_mlx_lm },
};

/* Finds a reader by its format's name, or fails with the nearest one. */
static sortes_status params_find_format(const char *name,
                                        const struct params_format **found,
                                        sortes_error *err)
{
    struct srt_nearest nearest;

    srt_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; i < SRT_COUNT(params_formats); i++) {
        *found = &params_formats[i];
        if (strcmp(name, (*found)->name) == 0)
            return SORTES_OK;
        srt_nearest_try(&nearest, (*found)->name, strlen((*found)->name));
    }
    return srt_fail_unknown(err, 0, "format", &nearest);
}

/* What a format says has a meaning in its engine's dialect only. */
static sortes_status params_speaks(const sortes_params *p, const char *format,
                                   const char *dialect, sortes_error *err)
{
    if (strcmp(p->dialect->name, dialect) == 0)
        return SORTES_OK;
    return srt_fail(err, SORTES_E_NAME, 0,
                    "format '%s': belongs to another dialect (got '%s', "
                    "allowed '%s')",
                    format, p->dialect->name, dialect);
}

/* What was read takes the place of what was there, all at once. */
static void params_replace(sortes_params *p, sortes_params *work)
{
    sortes_params old = *p;

    *p = *work;
    *work = old;
    sortes_params_free(work);
}

/* The reader works on a clone: a refused request leaves no trace. */
sortes_status sortes_params_read(sortes_params *p, const char *format,
                                 const char *text, size_t n, sortes_error *err)
{
    const struct params_format *found;
    struct srt_fp_state state;
    sortes_params *work;
    sortes_status status;

    if (p == NULL || format == NULL || (text == NULL && n > 0))
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    status = params_find_format(format, &found, err);
    if (status == SORTES_OK)
        status = params_speaks(p, format, found->dialect, err);
    if (status != SORTES_OK)
        return status;
    if (sortes_params_clone(&work, p) != SORTES_OK)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    state = srt_fp_begin();
    status = found->read(work, text, n, err);
    srt_fp_end(state);
    if (status == SORTES_OK)
        params_replace(p, work);
    else
        sortes_params_free(work);
    return status;
}

/* As sortes_params_read; the file is closed before it returns. */
sortes_status sortes_params_read_gguf(sortes_params *p, const char *path,
                                      sortes_error *err)
{
    struct srt_fp_state state;
    sortes_params *work;
    struct srt_gguf *g;
    sortes_status status;

    if (p == NULL || path == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "params: argument is NULL");
    status = params_speaks(p, "gguf", "llama.cpp", err);
    if (status == SORTES_OK)
        status = srt_gguf_open(&g, path, err);
    if (status != SORTES_OK)
        return status;
    if (sortes_params_clone(&work, p) != SORTES_OK) {
        srt_gguf_close(g);
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    }
    state = srt_fp_begin();
    status = srt_params_read_gguf(work, g, err);
    srt_fp_end(state);
    if (status == SORTES_OK)
        params_replace(p, work);
    else
        sortes_params_free(work);
    srt_gguf_close(g);
    return status;
}
