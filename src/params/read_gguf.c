/*
 * read_gguf.c - the sampling defaults of a GGUF file into parameters
 *
 * Rule: llama.cpp keeps every value of a file as text and reads that text
 * back.  A float is printed with "%f", six decimals, before strtof() sees it:
 * 0.123456789 becomes 0.123457 and 0.0000004 becomes 0.  A whole number goes
 * through strtol(), which takes what digits a text begins with.  A text that
 * begins with no number leaves the default as it was, as does an array.
 * Source: llama.cpp common/common.cpp, common_init_sampler_from_model;
 * src/llama-impl.cpp, gguf_kv_to_str (commit 0c1e57098).
 *
 * A text in hexadecimal is refused, and so is NaN.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/coerce.h"
#include "params/samplers.h"

#include "gguf/gguf.h"
#include "json/number.h"
#include "unicode.h"

#include <math.h>
#include <string.h>

#define DEFAULTS_PREFIX      "general.sampling."
#define DEFAULTS_TEXT        512 /* llama.cpp's buffers: of a sequence, */
#define DEFAULTS_WHOLE_TEXT  64  /* a whole number, */
#define DEFAULTS_NUMBER_TEXT 128 /* and a float, each with a NUL */
#define DEFAULTS_SHOWN       80

static const struct srt_field defaults_fields[] = {
#define SRT_FIELD(field, aliases, parameter, as, limit, lo, hi)                \
    { DEFAULTS_PREFIX field,                                                   \
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
#include "params/formats/gguf.def"
#undef SRT_FIELD
};

const struct srt_field *srt_gguf_field_at(size_t i)
{
    return i < SRT_COUNT(defaults_fields) ? &defaults_fields[i] : NULL;
}

struct defaults_reader {
    const struct srt_gguf *file;
    sortes_params *params;
    sortes_error *err;
    const struct srt_field *field;
    const struct srt_gguf_value *value;
    char text[DEFAULTS_TEXT]; /* of the value, as llama.cpp keeps it */
    size_t n;
};

/* `got` is the text that llama.cpp would have read. */
static sortes_status defaults_refuse(struct defaults_reader *r,
                                     const char *problem, const char *allowed)
{
    int shown = (int)(r->n < DEFAULTS_SHOWN ? r->n : DEFAULTS_SHOWN);

    return srt_fail(r->err, SORTES_E_RANGE, r->value->offset,
                    "%s: key '%s': %s (got %.*s, allowed %s)",
                    srt_gguf_name(r->file), r->field->name, problem, shown,
                    r->text, allowed);
}

/* ---- text ---------------------------------------------------------------- */

/* A whole number of up to 64 bits; signed ones were widened as such. */
static size_t defaults_print_whole(const struct srt_gguf_value *v, char *out)
{
    const int64_t value = srt_gguf_integer(v, 0);

    return v->type == SRT_GGUF_U64
               ? srt_whole_to_text((uint64_t)value, false, out)
               : srt_integer_to_text(value, out);
}

/* The text of the value, cut as a buffer of this size (NUL included) cuts. */
static void defaults_print(struct defaults_reader *r, size_t size)
{
    const struct srt_gguf_value *v = r->value;
    const unsigned char *cursor = NULL;
    const char *text = NULL;
    char fixed[SRT_FIXED_TEXT];
    size_t n;

    switch (v->type) {
    case SRT_GGUF_STRING:
        text = srt_gguf_next_string(v, &cursor, &n);
        break;
    case SRT_GGUF_F32:
    case SRT_GGUF_F64:
        n = srt_double_to_fixed(srt_gguf_number(v, 0), fixed);
        text = fixed;
        break;
    case SRT_GGUF_BOOL:
        text = srt_gguf_integer(v, 0) != 0 ? "true" : "false";
        n = strlen(text);
        break;
    default:
        n = defaults_print_whole(v, fixed);
        text = fixed;
        break;
    }
    r->n = 0;
    while (r->n < n && r->n < size - 1 && text[r->n] != '\0') {
        r->text[r->n] = text[r->n];
        r->n++;
    }
    r->text[r->n] = '\0';
}

/* ---- numbers ------------------------------------------------------------- */

/* strncasecmp() without the locale; word is in lower case. */
static bool defaults_begins(const char *text, const char *word)
{
    while (*word != '\0') {
        if (srt_ascii_lower(*text) != *word)
            return false;
        text++;
        word++;
    }
    return true;
}

/* What strtof() makes of the text; *found: it begins with a number at all. */
static sortes_status defaults_read_float(struct defaults_reader *r,
                                         float *value, bool *found)
{
    size_t at = strspn(r->text, " \t\n\v\f\r"), sign, n;

    n = srt_decimal_length(r->text + at, r->n - at);
    sign = at + (r->text[at] == '-' || r->text[at] == '+');
    *found = true;
    if (defaults_begins(r->text + sign, "nan"))
        return defaults_refuse(r, "not a number", "any number");
    if (defaults_begins(r->text + sign, "0x"))
        return defaults_refuse(r, "hexadecimal text", "decimal text");
    if (defaults_begins(r->text + sign, "inf"))
        *value = r->text[at] == '-' ? -HUGE_VALF : HUGE_VALF;
    else if (n > 0)
        *value = srt_decimal_to_float(r->text + at, n);
    else
        *found = false;
    return SORTES_OK;
}

/* int32_t v = strtol(...): cut to 32 bits, not clamped. */
static sortes_status defaults_read_number(struct defaults_reader *r)
{
    const struct srt_field *f = r->field;
    struct srt_field_value value = { 0 };
    sortes_status status = SORTES_OK;
    bool found;
    size_t end;

    if (f->as == SRT_AS_f32) {
        defaults_print(r, DEFAULTS_NUMBER_TEXT);
        status = defaults_read_float(r, &value.number, &found);
    } else {
        defaults_print(r, DEFAULTS_WHOLE_TEXT);
        value.integer = (int32_t)(uint32_t)srt_strtol(r->text, r->n, &end);
        found = end > 0;
    }
    if (status != SORTES_OK || !found)
        return status;
    srt_field_store(f, r->params, &value, SORTES_FROM_GGUF);
    return SORTES_OK;
}

/* Names with ';' between them; an empty text says nothing. */
static sortes_status defaults_read_sequence(struct defaults_reader *r)
{
    srt_type_strings *list = srt_param_place(r->params, r->field->parameter);
    bool ok;

    defaults_print(r, DEFAULTS_TEXT);
    if (r->n == 0)
        return SORTES_OK;
    srt_strings_clear(list);
    ok = srt_samplers_add_names(list, r->text, r->n);
    list->given = true;
    r->params->source[r->field->parameter] = SORTES_FROM_GGUF;
    return ok ? SORTES_OK
              : srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
}

/* ---- the file ------------------------------------------------------------ */

/* A value that the user has set is not overwritten by a default. */
static sortes_status defaults_read_field(struct defaults_reader *r,
                                         const struct srt_field *f)
{
    r->field = f;
    r->value = srt_gguf_find(r->file, f->name);
    if (r->value == NULL || r->value->is_array)
        return SORTES_OK;
    if (r->params->source[f->parameter] > SORTES_FROM_GGUF)
        return SORTES_OK;
    return f->as == SRT_AS_samplers ? defaults_read_sequence(r)
                                    : defaults_read_number(r);
}

/* Tokens that llama.cpp forbids in every request to this model; its loader
 * drops ids below 0. */
static sortes_status defaults_read_suppressed(struct defaults_reader *r)
{
    static const char key[] = "tokenizer.ggml.suppress_tokens";
    const struct srt_gguf_value *v = srt_gguf_find(r->file, key);
    struct srt_bias_list *list = &r->params->suppressed;

    srt_bias_clear(list);
    if (v == NULL)
        return SORTES_OK;
    if (!v->is_array || v->type != SRT_GGUF_I32)
        return srt_fail(r->err, SORTES_E_SYNTAX, v->offset,
                        "%s: invalid gguf type for %s (got %s%s, needed array "
                        "of i32)",
                        srt_gguf_name(r->file), key,
                        v->is_array ? "array of " : "",
                        srt_gguf_type_name(v->type));
    for (uint64_t i = 0; i < v->n; i++) {
        int64_t token = srt_gguf_integer(v, i);

        if (token >= 0 && !srt_bias_add(list, (int32_t)token, -HUGE_VALF))
            return srt_fail(r->err, SORTES_E_NOMEM, 0, "params: out of memory");
    }
    return SORTES_OK;
}

SRT_NOINLINE sortes_status srt_params_read_gguf(sortes_params *p,
                                                const struct srt_gguf *g,
                                                sortes_error *err)
{
    struct defaults_reader r = { .file = g, .params = p, .err = err };
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < SRT_COUNT(defaults_fields) && !status; i++)
        status = defaults_read_field(&r, &defaults_fields[i]);
    if (status == SORTES_OK)
        status = defaults_read_suppressed(&r);
    if (status == SORTES_OK)
        status = srt_params_check_built(p, err);
    return status == SORTES_OK ? srt_ok(err) : status;
}
