/*
 * show.c - output for the eye: titles, colour, quoted pieces, columns
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "show.h"

#include "utf8_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void show_init(struct show *s)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

    s->colour = isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]) &&
                terminal && strcmp(terminal, "dumb") != 0;
}

/* style: a number of ECMA-48's "select graphic rendition". */
static void show_styled(const struct show *s, const char *style,
                        const char *text)
{
    if (s->colour)
        printf("\033[%sm%s\033[0m", style, text);
    else
        fputs(text, stdout);
}

void show_title(const struct show *s, const char *text)
{
    fputc('\n', stdout);
    show_styled(s, "1", text); /* bold */
    fputc('\n', stdout);
}

void show_heading(const struct show *s, const char *text)
{
    show_styled(s, "2", text); /* faint */
    fputc('\n', stdout);
}

void show_verdict(const struct show *s, bool good, const char *text)
{
    show_styled(s, good ? "32" : "1;31", text); /* green; bold red */
}

void show_number(char *out, size_t size, uint64_t number)
{
    char digits[24];
    const int n =
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
    size_t at = 0;

    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

/* One letter into out; returns how many bytes it took, at most 4. */
static size_t show_letter(char *out, const char *text, size_t n_bytes,
                          enum utf8_kind kind, char quote)
{
    const char named[] = { '\n', 'n',  '\t', 't',   '\r',
                           'r',  '\\', '\\', quote, quote }; /* letter, name */
    const unsigned char c = (unsigned char)text[0];

    for (size_t i = 0; i < sizeof(named); i += 2)
        if (text[0] == named[i]) {
            out[0] = '\\';
            out[1] = named[i + 1];
            return 2;
        }
    if (kind == UTF8_WHOLE && c >= ' ' && c != 0x7F) {
        memcpy(out, text, n_bytes);
        return n_bytes;
    }
    return (size_t)snprintf(out, 5, "\\x%02X", c);
}

void show_quoted(char *out, size_t size, const char *text, size_t n,
                 size_t n_letters)
{
    /* A piece with a double quote in it is easier to read in single ones. */
    const char quote =
        memchr(text, '"', n) && !memchr(text, '\'', n) ? '\'' : '"';
    size_t at = 0, n_bytes;

    out[at++] = quote;
    for (size_t i = 0; i < n; i += n_bytes) {
        const enum utf8_kind kind = utf8_look(text + i, n - i, &n_bytes);
        if (kind != UTF8_WHOLE)
            n_bytes = 1;
        if (n_letters-- == 0 || at + 10 > size) {
            memcpy(out + at, "...", 3);
            at += 3;
            break;
        }
        at += show_letter(out + at, text + i, n_bytes, kind, quote);
    }
    out[at++] = quote;
    out[at] = '\0';
}

void show_padded(const char *text, size_t width)
{
    size_t n = 0;

    for (const char *p = text; *p; p++)
        n += ((unsigned char)*p & 0xC0) != 0x80; /* one a sequence */
    printf("%s%*s", text, n < width ? (int)(width - n) : 0, "");
}
