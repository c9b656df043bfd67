/*
 * field.c - limits of a request's fields, and the parameters they set
 *
 * Source: llama.cpp tools/server/server-schema.cpp, field_num::eval: a soft
 * limit is std::max(lo, std::min(hi, value)), and a field without limits has
 * those of its type, so that every float ends up finite unless its row says
 * otherwise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/field.h"

#include "json/number.h"

#include <float.h>
#include <math.h>

/* Limits are whole numbers in the table's doubles; 2^63 stands for the top. */
static int64_t field_whole_limit(double limit)
{
    return limit >= 9223372036854775807.0 ? INT64_MAX : (int64_t)limit;
}

/* The three numbers as text: lowest, highest, got. */
static sortes_status field_refuse(const char *name, size_t n_name,
                                  size_t offset, const char *const text[3],
                                  sortes_error *err)
{
    return srt_fail(err, SORTES_E_RANGE, offset,
                    "Field '%.*s': Value must be between %s <= value <= %s, "
                    "but got %s",
                    (int)n_name, name, text[0], text[1], text[2]);
}

static sortes_status field_refuse_whole(const struct srt_field *f,
                                        const char *name, size_t n_name,
                                        size_t offset, int64_t value,
                                        sortes_error *err)
{
    const int64_t shown[3] = { field_whole_limit(f->lo),
                               field_whole_limit(f->hi), value };
    char text[3][SRT_WHOLE_TEXT];
    const char *const texts[3] = { text[0], text[1], text[2] };

    for (size_t i = 0; i < 3; i++)
        srt_integer_to_text(shown[i], text[i]);
    return field_refuse(name, n_name, offset, texts, err);
}

/* std::to_string of a float prints it with "%f". */
static sortes_status field_refuse_float(const struct srt_field *f,
                                        const char *name, size_t n_name,
                                        size_t offset, float value,
                                        sortes_error *err)
{
    char text[3][SRT_FIXED_TEXT];
    const char *const texts[3] = { text[0], text[1], text[2] };

    srt_double_to_fixed((double)(float)f->lo, text[0]);
    srt_double_to_fixed((double)(float)f->hi, text[1]);
    srt_double_to_fixed((double)value, text[2]);
    return field_refuse(name, n_name, offset, texts, err);
}

/* A hard limit lets NaN pass, but JSON has none. */
static sortes_status field_limit_float(const struct srt_field *f,
                                       const char *name, size_t n_name,
                                       size_t offset,
                                       struct srt_field_value *value,
                                       sortes_error *err)
{
    bool bounded = f->limit != SRT_LIMIT_none;
    float lo = bounded ? (float)f->lo : -FLT_MAX;
    float hi = bounded ? (float)f->hi : FLT_MAX;

    if (f->limit == SRT_LIMIT_keep)
        return SORTES_OK;
    if (f->limit == SRT_LIMIT_hard)
        return value->number < lo || value->number > hi
                   ? field_refuse_float(f, name, n_name, offset, value->number,
                                        err)
                   : SORTES_OK;
    /* in std::max's and std::min's order, which settles -0 */
    value->number = value->number < hi ? value->number : hi;
    value->number = lo < value->number ? value->number : lo;
    return SORTES_OK;
}

sortes_status srt_field_limit(const struct srt_field *f, const char *name,
                              size_t n_name, size_t offset,
                              struct srt_field_value *value, sortes_error *err)
{
    int64_t lo, hi;

    if (f->as == SRT_AS_f32)
        return field_limit_float(f, name, n_name, offset, value, err);
    if (f->limit == SRT_LIMIT_none)
        return SORTES_OK;
    lo = field_whole_limit(f->lo);
    hi = field_whole_limit(f->hi);
    if (value->integer >= lo && value->integer <= hi)
        return SORTES_OK;
    if (f->limit == SRT_LIMIT_hard)
        return field_refuse_whole(f, name, n_name, offset, value->integer, err);
    value->integer = value->integer < lo ? lo : hi;
    return SORTES_OK;
}

/* Floats and 32-bit numbers are exact in a double. */
bool srt_field_is_off(const struct srt_field *f,
                      const struct srt_field_value *value)
{
    double v =
        f->as == SRT_AS_f32 ? (double)value->number : (double)value->integer;

    return v >= f->off_from && v <= f->off_to;
}

void srt_field_store(const struct srt_field *f, sortes_params *p,
                     const struct srt_field_value *value, sortes_source source)
{
    if (f->limit == SRT_LIMIT_keep && value->number < (float)f->lo)
        return;
    if (srt_param_rows[f->parameter].type == SRT_TYPE_float)
        srt_param_put_float(p, f->parameter, value->number, source);
    else
        srt_param_put_whole(p, f->parameter, value->integer, source);
}

sortes_status srt_params_check_built(const sortes_params *p, sortes_error *err)
{
    static const char begun[] = "Failed to initialize samplers";

    if (!isfinite(p->repeat_penalty) || p->repeat_penalty <= 0.0f ||
        !isfinite(1.0f / p->repeat_penalty))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "%s: penalty_repeat must be finite and greater than 0",
                        begun);
    if (!isfinite(p->frequency_penalty))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "%s: penalty_freq must be finite", begun);
    if (!isfinite(p->presence_penalty))
        return srt_fail(err, SORTES_E_RANGE, 0,
                        "%s: penalty_present must be finite", begun);
    return SORTES_OK;
}
