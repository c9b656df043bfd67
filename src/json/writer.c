/*
 * writer.c - JSON text into a buffer that is given or that grows
 *
 * Layout: compact, as nlohmann::json's dump() without indentation.  An
 * infinity or NaN is written as null, as there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/json.h"

#include "json/number.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* bytes; enough for most answers without a second allocation */
#define JSON_WRITER_FIRST 256

void srt_json_write_fixed(struct srt_json_writer *w, char *out, size_t size)
{
    *w = (struct srt_json_writer){ .out = out, .size = size };
}

void srt_json_write_growing(struct srt_json_writer *w)
{
    *w = (struct srt_json_writer){ .grows = true };
}

/* Room for n more bytes and a NUL, where the buffer grows. */
static void json_writer_reserve(struct srt_json_writer *w, size_t n)
{
    size_t size = w->size > 0 ? w->size : JSON_WRITER_FIRST;
    char *out;

    if (w->failed || (w->size > w->n && w->size - w->n > n))
        return;
    while (size - w->n <= n && size <= SIZE_MAX / 2)
        size *= 2;
    out = size - w->n > n ? realloc(w->out, size) : NULL;
    if (out == NULL) {
        w->failed = true;
        return;
    }
    w->out = out;
    w->size = size;
}

/* n counts on when a fixed buffer is full, so that the caller can come back
 * with enough room. */
static void json_write_bytes(struct srt_json_writer *w, const char *bytes,
                             size_t n)
{
    size_t room;

    if (w->grows)
        json_writer_reserve(w, n);
    if (w->failed)
        return;
    room = w->n < w->size ? w->size - w->n : 0;
    if (room > 0 && n > 0)
        memcpy(w->out + w->n, bytes, n < room ? n : room);
    w->n += n;
}

static void json_write_char(struct srt_json_writer *w, char c)
{
    json_write_bytes(w, &c, 1);
}

/* Before an item: the comma that is due; after it, one will be. */
static void json_write_item(struct srt_json_writer *w)
{
    if (w->between)
        json_write_char(w, ',');
    w->between = true;
}

/* A cut text may end inside a character; it is not valid JSON anyway. */
char *srt_json_write_end(struct srt_json_writer *w)
{
    if (w->grows) {
        json_writer_reserve(w, 0);
        if (w->failed) {
            free(w->out);
            w->out = NULL;
            return NULL;
        }
    }
    if (w->size > 0)
        w->out[w->n < w->size ? w->n : w->size - 1] = '\0';
    return w->out;
}

/* After a bracket that opens, no comma; after one that closes, one is due. */
void srt_json_open(struct srt_json_writer *w, char bracket)
{
    json_write_item(w);
    json_write_char(w, bracket);
    w->between = false;
}

void srt_json_close(struct srt_json_writer *w, char bracket)
{
    json_write_char(w, bracket);
    w->between = true;
}

/* Two characters where JSON has a short form, else \u00XX in lower case. */
static void json_write_escaped(struct srt_json_writer *w, unsigned char c)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    static const char hex[] = "0123456789abcdef";
    char unit[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
    const char *found = c != '\0' ? strchr(from, c) : NULL;

    if (found == NULL) {
        json_write_bytes(w, unit, sizeof(unit));
        return;
    }
    json_write_char(w, '\\');
    json_write_char(w, to[found - from]);
}

/* DEL and everything above ASCII stand as they are. */
static void json_write_quoted(struct srt_json_writer *w, const char *s,
                              size_t n)
{
    json_write_char(w, '"');
    for (size_t i = 0; i < n;) {
        size_t length = srt_utf8_length(s + i, n - i);
        unsigned char c = (unsigned char)s[i];

        if (c < 0x20 || c == '"' || c == '\\')
            json_write_escaped(w, c);
        else if (length == 0)
            json_write_bytes(w, "\xEF\xBF\xBD", 3);
        else
            json_write_bytes(w, s + i, length);
        i += length > 0 ? length : 1;
    }
    json_write_char(w, '"');
}

void srt_json_key(struct srt_json_writer *w, const char *key)
{
    json_write_item(w);
    json_write_quoted(w, key, strlen(key));
    json_write_char(w, ':');
    w->between = false;
}

void srt_json_put_string(struct srt_json_writer *w, const char *s, size_t n)
{
    json_write_item(w);
    json_write_quoted(w, s, n);
}

void srt_json_put_text(struct srt_json_writer *w, const char *text, size_t n)
{
    json_write_item(w);
    json_write_bytes(w, text, n);
}

void srt_json_put_raw(struct srt_json_writer *w, const char *text)
{
    srt_json_put_text(w, text, strlen(text));
}

void srt_json_put_unsigned(struct srt_json_writer *w, uint64_t value)
{
    char text[SRT_WHOLE_TEXT];

    json_write_item(w);
    json_write_bytes(w, text, srt_whole_to_text(value, false, text));
}

void srt_json_put_integer(struct srt_json_writer *w, int64_t value)
{
    char text[SRT_WHOLE_TEXT];

    json_write_item(w);
    json_write_bytes(w, text, srt_integer_to_text(value, text));
}

void srt_json_put_double(struct srt_json_writer *w, double value)
{
    char text[SRT_DOUBLE_TEXT];

    if (!(value - value == 0)) { /* an infinity or NaN */
        srt_json_put_raw(w, "null");
        return;
    }
    json_write_item(w);
    json_write_bytes(w, text, srt_double_to_text(value, text));
}
