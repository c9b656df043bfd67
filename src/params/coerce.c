/*
 * coerce.c - JSON numbers as nlohmann::json holds and converts them, and
 * strtol
 *
 * Source: nlohmann::json 3.x, lexer::scan_number and get_arithmetic_value:
 * text without point and exponent is a u64, or with a minus an i64, if it
 * fits; all else is a double.  get<T>() is static_cast<T>, so whole numbers
 * wrap, and one of them is rounded to a float once.  What C leaves undefined,
 * a double out of the range of T, is here what gcc's code for x86-64 gives:
 * cvttsd2si, whose answer is the lowest number, in 32 bits for int32_t and in
 * 64 bits, then cut, for uint32_t.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/coerce.h"

#include "json/number.h"

#include <math.h>
#include <string.h>

#define COERCE_SHOWN 80 /* bytes of a number that a message shows */

/* The 64 bits of a whole number, as u64 or, when *negative, as i64. */
static bool coerce_whole(const struct srt_json *v, uint64_t *bits,
                         bool *negative)
{
    if (v->type != SRT_JSON_NUMBER || strpbrk(v->text, ".eE") != NULL)
        return false;
    *negative = v->text[0] == '-';
    if (!srt_whole_from_text(v->text + *negative, v->n - *negative, bits))
        return false;
    if (*negative && *bits > UINT64_C(1) << 63)
        return false;
    if (*negative)
        *bits = 0 - *bits;
    return true;
}

bool srt_is_whole(const struct srt_json *v)
{
    uint64_t bits;
    bool negative;

    return coerce_whole(v, &bits, &negative);
}

/* A number that is no whole one and beyond the largest double. */
static bool coerce_overflows(const struct srt_json *v)
{
    return v->type == SRT_JSON_NUMBER && !srt_is_whole(v) &&
           isinf(srt_decimal_to_double(v->text, v->n));
}

/* Truncation: -2147483648.9 is still in range. */
static int32_t coerce_to_i32(double d)
{
    return d > -2147483649.0 && d < 2147483648.0 ? (int32_t)d : INT32_MIN;
}

static int64_t coerce_to_i64(double d)
{
    return d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? (int64_t)d
                                                                    : INT64_MIN;
}

static void coerce_from_whole(uint64_t bits, bool negative,
                              enum srt_coercion as,
                              struct srt_field_value *value)
{
    if (as == SRT_AS_f32)
        value->number = negative ? (float)(int64_t)bits : (float)bits;
    else if (as == SRT_AS_i32)
        value->integer = (int32_t)(uint32_t)bits;
    else if (as == SRT_AS_u32)
        value->integer = (uint32_t)bits;
    else
        value->integer = (int64_t)bits;
}

static void coerce_from_double(double d, enum srt_coercion as,
                               struct srt_field_value *value)
{
    if (as == SRT_AS_f32)
        value->number = (float)d;
    else if (as == SRT_AS_i32)
        value->integer = coerce_to_i32(d);
    else if (as == SRT_AS_u32)
        value->integer = (uint32_t)coerce_to_i64(d);
    else
        value->integer = coerce_to_i64(d);
}

/* get_arithmetic_value has a case for booleans only where T is none of the
 * three number types that nlohmann::json itself stores, and int64_t is one. */
bool srt_coerce(const struct srt_json *v, enum srt_coercion as,
                struct srt_field_value *value)
{
    bool truth = v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE;
    bool negative;
    uint64_t bits;

    *value = (struct srt_field_value){ 0 };
    if (truth) {
        value->integer = v->type == SRT_JSON_TRUE;
        value->number = (float)value->integer;
        return as != SRT_AS_i64;
    }
    if (v->type != SRT_JSON_NUMBER || as == SRT_AS_boolean)
        return false;
    if (coerce_whole(v, &bits, &negative))
        coerce_from_whole(bits, negative, as, value);
    else
        coerce_from_double(srt_decimal_to_double(v->text, v->n), as, value);
    return true;
}

int64_t srt_strtol(const char *text, size_t n, size_t *end)
{
    size_t at = 0, start;
    uint64_t value = 0;
    bool negative;

    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0')
            n = i;
    while (at < n && text[at] != '\0' && strchr(" \t\n\v\f\r", text[at]))
        at++;
    negative = at < n && text[at] == '-';
    if (at < n && (text[at] == '-' || text[at] == '+'))
        at++;
    start = at;
    while (at < n && text[at] >= '0' && text[at] <= '9')
        at++;
    *end = at > start ? at : 0;
    if (at > start && !srt_whole_from_text(text + start, at - start, &value))
        value = UINT64_MAX;
    if (negative)
        return value > INT64_MAX ? INT64_MIN : -(int64_t)value;
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

sortes_status srt_check_numbers(const struct srt_json *v, sortes_error *err)
{
    const struct srt_json *root = v;

    while (v != NULL) {
        if (coerce_overflows(v))
            return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                            "json: byte %zu: number too large (got %.*s)",
                            v->offset, COERCE_SHOWN, v->text);
        if (v->first != NULL) {
            v = v->first;
            continue;
        }
        while (v != root && v->next == NULL)
            v = v->parent;
        v = v == root ? NULL : v->next;
    }
    return SORTES_OK;
}
