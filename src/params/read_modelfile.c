/*
 * read_modelfile.c - the PARAMETER lines of an Ollama Modelfile
 *
 * Rule (ollama parser/parser.go, ParseFile, and api/types.go, FormatParams): a
 * command is a word of letters in any case; its value ends at the first end of
 * line where it is unquoted, or begins and ends with '"' or with three of
 * them; '#' begins a comment only where a command could begin; CR and LF are
 * an end of line each.  There must be a FROM.  Of a parameter that stands
 * twice the last value counts.  Unknown parameters are refused, unlike in a
 * request; retired ones are passed over.  Refusals in its words.
 *
 * Ours alone: hexadecimal, NaN and infinities are no float, and what once was
 * an option and changed tokens (mirostat, tfs_z) is refused by name, where
 * Ollama warns and goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/ollama.h"

#include "json/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MODELFILE_SHOWN 60

struct modelfile_reader {
    const char *text;
    size_t n, at;
    char *value; /* room for the longest one, and a NUL */
    size_t n_value;
    bool has_from;
    struct srt_ollama_sent sent;
    sortes_error *err;
};

enum modelfile_command {
    MODELFILE_FROM,
    MODELFILE_PARAMETER,
    MODELFILE_MESSAGE,
    MODELFILE_OTHER
};

/* ---- text ---------------------------------------------------------------- */

static bool modelfile_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool modelfile_is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static bool modelfile_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The line that Ollama would name: every CR and LF begins one. */
static size_t modelfile_line(const struct modelfile_reader *r)
{
    size_t line = 1;

    for (size_t i = 0; i < r->n && i <= r->at; i++)
        line += modelfile_is_newline(r->text[i]);
    return line;
}

static sortes_status modelfile_ends_early(struct modelfile_reader *r,
                                          size_t start)
{
    size_t n = r->at - start;

    return srt_fail(r->err, SORTES_E_SYNTAX, r->at, "unexpected EOF: %.*s",
                    (int)(n < MODELFILE_SHOWN ? n : MODELFILE_SHOWN),
                    r->text + start);
}

static bool modelfile_is(const char *text, size_t n, const char *word)
{
    if (n != strlen(word))
        return false;
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)text[i] | 0x20u) != (unsigned char)word[i])
            return false;
    return true;
}

/* ---- commands ------------------------------------------------------------ */

/* A word of letters and the blank behind it. */
static sortes_status modelfile_read_command(struct modelfile_reader *r,
                                            enum modelfile_command *command)
{
    static const char *const words[] = { "from",    "parameter", "message",
                                         "license", "template",  "system",
                                         "adapter", "draft",     "renderer",
                                         "parser",  "requires" };
    size_t start = r->at, i = 0, n;

    while (r->at < r->n && modelfile_is_letter(r->text[r->at]))
        r->at++;
    if (r->at == r->n)
        return modelfile_ends_early(r, start);
    n = r->at - start;
    while (i < SRT_COUNT(words) && !modelfile_is(r->text + start, n, words[i]))
        i++;
    if (i == SRT_COUNT(words) || !modelfile_is_blank(r->text[r->at]))
        return srt_fail(r->err, SORTES_E_SYNTAX, start,
                        "(line %zu): command must be one of \"from\", "
                        "\"license\", \"template\", \"system\", \"adapter\", "
                        "\"draft\", \"renderer\", \"parser\", \"parameter\", "
                        "\"message\", or \"requires\"",
                        modelfile_line(r));
    r->at++;
    *command =
        i < MODELFILE_OTHER ? (enum modelfile_command)i : MODELFILE_OTHER;
    return SORTES_OK;
}

/* A parameter's name or a role, and the blank behind it. */
static sortes_status modelfile_read_word(struct modelfile_reader *r,
                                         bool is_name, size_t *n)
{
    size_t start = r->at;

    while (r->at < r->n &&
           (modelfile_is_letter(r->text[r->at]) ||
            (is_name && ((r->text[r->at] >= '0' && r->text[r->at] <= '9') ||
                         r->text[r->at] == '_'))))
        r->at++;
    if (r->at == r->n || !modelfile_is_blank(r->text[r->at]))
        return modelfile_ends_early(r, start);
    *n = r->at++ - start;
    return SORTES_OK;
}

/* Takes the quotes off; false: one is open. */
static bool modelfile_unquote(const char **text, size_t *n)
{
    size_t quotes = *n >= 3 && memcmp(*text, "\"\"\"", 3) == 0 ? 3
                    : *n >= 1 && **text == '"'                 ? 1
                                                               : 0;

    if (*n < 2 * quotes || memcmp(*text + *n - quotes, "\"\"\"", quotes) != 0)
        return false;
    *text += quotes;
    *n -= 2 * quotes;
    return true;
}

/* Without the blanks around it; control bytes are dropped. */
static sortes_status modelfile_read_value(struct modelfile_reader *r)
{
    size_t start = r->at, n = 0, end = 0;
    const char *text;

    for (;; r->at++) {
        char c = r->at < r->n ? r->text[r->at] : '\n';
        bool blank = modelfile_is_blank(c) || modelfile_is_newline(c);

        text = r->value;
        r->n_value = end;
        if (modelfile_is_newline(c) && modelfile_unquote(&text, &r->n_value))
            break;
        if (r->at == r->n)
            return modelfile_ends_early(r, start);
        if ((blank && n > 0) || (unsigned char)c > 0x20)
            r->value[n++] = c;
        if (!blank)
            end = n;
    }
    memmove(r->value, text, r->n_value);
    r->value[r->n_value] = '\0';
    return SORTES_OK;
}

/* ---- parameters ---------------------------------------------------------- */

static sortes_status modelfile_invalid(struct modelfile_reader *r,
                                       const char *kind)
{
    size_t n = r->n_value;

    return srt_fail(r->err, SORTES_E_SYNTAX, r->at, "invalid %s value [%.*s]",
                    kind, (int)(n < MODELFILE_SHOWN ? n : MODELFILE_SHOWN),
                    r->value);
}

/* ParseFloat(text, 32): one rounding; out of a float's range is an error. */
static sortes_status modelfile_put_float(struct modelfile_reader *r,
                                         const struct srt_ollama_option *o)
{
    float value;

    if (r->n_value == 0 ||
        srt_decimal_length(r->value, r->n_value) != r->n_value)
        return modelfile_invalid(r, "float");
    value = srt_decimal_to_float(r->value, r->n_value);
    if (isinf(value))
        return modelfile_invalid(r, "float");
    srt_ollama_put_float(&r->sent, o, value);
    return SORTES_OK;
}

/* ParseInt(text, 10, 64) */
static bool modelfile_to_integer(const char *text, size_t n, int64_t *value)
{
    size_t sign = n > 0 && (text[0] == '-' || text[0] == '+');
    uint64_t most = UINT64_C(9223372036854775807) + (text[0] == '-');
    uint64_t digits = 0;

    for (size_t i = sign; i < n; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');

        if (text[i] < '0' || text[i] > '9' || digits > (most - digit) / 10)
            return false;
        digits = digits * 10 + digit;
    }
    *value = text[0] != '-'       ? (int64_t)digits
             : digits > INT64_MAX ? INT64_MIN
                                  : -(int64_t)digits;
    return n > sign;
}

/* Then the way over a double that every number in JSON takes. */
static sortes_status modelfile_put_integer(struct modelfile_reader *r,
                                           const struct srt_ollama_option *o)
{
    int64_t value;
    double wide;

    if (!modelfile_to_integer(r->value, r->n_value, &value))
        return modelfile_invalid(r, "int");
    wide = (double)value;
    srt_ollama_put_integer(
        &r->sent, o, wide < 9223372036854775808.0 ? (int64_t)wide : INT64_MIN);
    return SORTES_OK;
}

static sortes_status modelfile_check_boolean(struct modelfile_reader *r)
{
    static const char *const known[] = { "1",    "t",     "T",     "TRUE",
                                         "true", "True",  "0",     "f",
                                         "F",    "FALSE", "false", "False" };

    for (size_t i = 0; i < SRT_COUNT(known); i++)
        if (strcmp(r->value, known[i]) == 0)
            return SORTES_OK;
    return modelfile_invalid(r, "bool");
}

static sortes_status modelfile_read_parameter(struct modelfile_reader *r)
{
    size_t start = r->at, n;
    const struct srt_ollama_option *o;
    sortes_status status = modelfile_read_word(r, true, &n);

    if (status == SORTES_OK)
        status = modelfile_read_value(r);
    if (status != SORTES_OK)
        return status;
    o = srt_ollama_find(r->text + start, n);
    if (o == NULL)
        return srt_ollama_unknown(r->err, start, "unknown parameter",
                                  r->text + start, n);
    if (o->kind == SRT_OLLAMA_float)
        return modelfile_put_float(r, o);
    if (o->kind == SRT_OLLAMA_integer)
        return modelfile_put_integer(r, o);
    return o->kind == SRT_OLLAMA_boolean ? modelfile_check_boolean(r)
                                         : SORTES_OK;
}

/* ---- the file ------------------------------------------------------------ */

static sortes_status modelfile_read_role(struct modelfile_reader *r)
{
    size_t start = r->at, n;
    sortes_status status = modelfile_read_word(r, false, &n);

    if (status != SORTES_OK || srt_json_equals(r->text + start, n, "system") ||
        srt_json_equals(r->text + start, n, "user") ||
        srt_json_equals(r->text + start, n, "assistant"))
        return status;
    return srt_fail(r->err, SORTES_E_SYNTAX, start,
                    "(line %zu): message role must be one of \"system\", "
                    "\"user\", or \"assistant\"",
                    modelfile_line(r));
}

static sortes_status modelfile_read_line(struct modelfile_reader *r)
{
    enum modelfile_command command = MODELFILE_OTHER;
    sortes_status status = modelfile_read_command(r, &command);

    if (status != SORTES_OK)
        return status;
    if (command == MODELFILE_PARAMETER)
        return modelfile_read_parameter(r);
    if (command == MODELFILE_MESSAGE)
        status = modelfile_read_role(r);
    if (command == MODELFILE_FROM)
        r->has_from = true;
    return status == SORTES_OK ? modelfile_read_value(r) : status;
}

static sortes_status modelfile_read(struct modelfile_reader *r)
{
    sortes_status status = SORTES_OK;

    if (r->n >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0)
        r->at = 3;
    while (r->at < r->n && status == SORTES_OK) {
        char c = r->text[r->at];

        if (c == '#')
            while (r->at < r->n && !modelfile_is_newline(r->text[r->at]))
                r->at++;
        else if (modelfile_is_blank(c) || modelfile_is_newline(c))
            r->at++;
        else
            status = modelfile_read_line(r);
    }
    if (status == SORTES_OK && !r->has_from)
        return srt_fail(r->err, SORTES_E_SYNTAX, 0, "no FROM line");
    return status;
}

sortes_status srt_params_read_modelfile(sortes_params *p, const char *text,
                                        size_t n, sortes_error *err)
{
    struct modelfile_reader r = { .text = text, .n = n, .err = err };
    sortes_status status;

    r.value = malloc(n + 1);
    if (r.value == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    srt_ollama_begin(&r.sent);
    status = modelfile_read(&r);
    free(r.value);
    if (status == SORTES_OK)
        return srt_ollama_end(&r.sent, p, err);
    srt_ollama_drop(&r.sent);
    return status;
}
