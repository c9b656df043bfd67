/*
 * json_out.c - writes JSON, one value after another, to a stream
 *
 * Source: RFC 8259.  Write errors are left to the stream (ferror), which the
 * program asks once for everything it wrote.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_out.h"

#include "utf8_stream.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_out_init(struct json_out *j, FILE *to)
{
    *j = (struct json_out){ to, 0 };
}

static void json_begin_value(struct json_out *j)
{
    if (j->comma)
        fputc(',', j->to);
    j->comma = 1;
}

void json_out_open(struct json_out *j, char bracket)
{
    json_begin_value(j);
    fputc(bracket, j->to);
    j->comma = 0;
}

void json_out_close(struct json_out *j, char bracket)
{
    fputc(bracket, j->to);
    j->comma = 1;
}

void json_out_key(struct json_out *j, const char *name)
{
    json_out_text(j, name);
    fputc(':', j->to);
    j->comma = 0;
}

/* One whole sequence; only ASCII needs more than a copy. */
static void json_put_letter(FILE *to, const char *text, size_t n_bytes)
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* letter, name */
    const char c = text[0];

    if (n_bytes > 1) {
        fwrite(text, 1, n_bytes, to);
        return;
    }
    for (size_t i = 0; i + 1 < sizeof(named); i += 2)
        if (c == named[i]) {
            fputc('\\', to);
            fputc(named[i + 1], to);
            return;
        }
    if ((unsigned char)c < 0x20 || c == 0x7F)
        fprintf(to, "\\u%04x", (unsigned)(unsigned char)c);
    else
        fputc(c, to);
}

void json_out_string(struct json_out *j, const char *text, size_t n)
{
    size_t n_bytes;

    json_begin_value(j);
    fputc('"', j->to);
    for (size_t i = 0; i < n; i += n_bytes)
        if (utf8_look(text + i, n - i, &n_bytes) == UTF8_WHOLE)
            json_put_letter(j->to, text + i, n_bytes);
        else
            fputs(UTF8_REPLACEMENT, j->to);
    fputc('"', j->to);
}

void json_out_text(struct json_out *j, const char *text)
{
    json_out_string(j, text, strlen(text));
}

void json_out_integer(struct json_out *j, int64_t value)
{
    json_begin_value(j);
    fprintf(j->to, "%" PRId64, value);
}

void json_out_unsigned(struct json_out *j, uint64_t value)
{
    json_begin_value(j);
    fprintf(j->to, "%" PRIu64, value);
}

/*
 * Fewest digits first.  A normal float's shortest decimal of up to 6 digits
 * is what %.6g prints, as it drops trailing zeros; so is a double's of up to
 * 15.  Below the normal numbers there are fewer bits, and shorter decimals.
 */
void json_format_float(char *out, size_t size, float value)
{
    int digits = fabsf(value) < FLT_MIN ? 1 : FLT_DIG;

    do
        snprintf(out, size, "%.*g", digits, (double)value);
    while (strtof(out, NULL) != value && digits++ < FLT_DECIMAL_DIG);
}

void json_format_double(char *out, size_t size, double value)
{
    int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;

    do
        snprintf(out, size, "%.*g", digits, value);
    while (strtod(out, NULL) != value && digits++ < DBL_DECIMAL_DIG);
}

void json_out_float(struct json_out *j, float value)
{
    char text[32];

    if (isfinite(value))
        json_format_float(text, sizeof(text), value);
    json_out_raw(j, isfinite(value) ? text : "null");
}

void json_out_double(struct json_out *j, double value)
{
    char text[32];

    if (isfinite(value))
        json_format_double(text, sizeof(text), value);
    json_out_raw(j, isfinite(value) ? text : "null");
}

void json_out_raw(struct json_out *j, const char *text)
{
    json_begin_value(j);
    fputs(text, j->to);
}

void json_out_end(struct json_out *j)
{
    fputc('\n', j->to);
    j->comma = 0;
}
