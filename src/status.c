/*
 * status.c - the names of statuses and the text of errors
 *
 * A text may quote names and values that a caller or a file gave.  It stays
 * one line of well-formed UTF-8 all the same: control characters and bytes
 * that are no UTF-8 are shown as '?'.
 *
 * SPDX-License-Identifier: MIT
 */
#include "status.h"

#include "unicode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *sortes_status_name(sortes_status status)
{
    switch (status) {
    case SORTES_OK:
        return "SORTES_OK";
    case SORTES_E_NOMEM:
        return "SORTES_E_NOMEM";
    case SORTES_E_ARGUMENT:
        return "SORTES_E_ARGUMENT";
    case SORTES_E_NOT_FINITE:
        return "SORTES_E_NOT_FINITE";
    case SORTES_E_NAME:
        return "SORTES_E_NAME";
    case SORTES_E_RANGE:
        return "SORTES_E_RANGE";
    case SORTES_E_SYNTAX:
        return "SORTES_E_SYNTAX";
    case SORTES_E_IO:
        return "SORTES_E_IO";
    case SORTES_E_NO_TOKEN:
        return "SORTES_E_NO_TOKEN";
    case SORTES_E_LIMIT:
        return "SORTES_E_LIMIT";
    case SORTES_E_EMPTY:
        return "SORTES_E_EMPTY";
    case SORTES_E_SELFTEST:
        return "SORTES_E_SELFTEST";
    }
    return "SORTES_E_UNKNOWN";
}

/* Shows what is no printable UTF-8 as '?', without changing the length. */
static void status_clean_text(char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < n;) {
        size_t length = srt_utf8_length(text + i, n - i);
        unsigned char c = (unsigned char)text[i];

        if (length == 0 || (length == 1 && (c < 0x20 || c == 0x7F))) {
            text[i] = '?';
            length = 1;
        }
        i += length;
    }
}

/* Ends a text that did not fit in "...", not inside a character. */
static void status_cut_text(char *text, size_t size)
{
    size_t end = size - sizeof("...");

    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    memcpy(text + end, "...", sizeof("..."));
}

/* Floating-point numbers come as text (json/number.h): vsnprintf() would print
 * them with the point of the locale. */
sortes_status srt_fail(sortes_error *err, sortes_status status, size_t offset,
                       const char *format, ...)
{
    va_list arguments;
    int n;

    if (err == NULL)
        return status;
    err->status = status;
    err->offset = offset;
    err->text[0] = '\0';
    va_start(arguments, format);
    n = vsnprintf(err->text, sizeof(err->text), format, arguments);
    va_end(arguments);
    if (n >= (int)sizeof(err->text))
        status_cut_text(err->text, sizeof(err->text));
    status_clean_text(err->text);
    return status;
}

sortes_status srt_ok(sortes_error *err)
{
    if (err != NULL) {
        err->status = SORTES_OK;
        err->offset = 0;
        err->text[0] = '\0';
    }
    return SORTES_OK;
}
