/*
 * script_text.c - reads the text of a recording
 *
 * SPDX-License-Identifier: MIT
 */
#include "script_text.h"

#include "backend.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of what is read: far above any recording, far below trouble. */
enum { SCRIPT_MAX_VOCAB = 1 << 24, SCRIPT_MAX_ROWS = 4096 };

/* One line while it is read. */
struct script_line {
    const char *path;
    size_t number; /* from 1 */
    char *rest;    /* what follows the keyword */
    sortes_error *err;
};

static sortes_status script_bad(const struct script_line *line,
                                const char *problem)
{
    return engine_fail(line->err, SORTES_E_SYNTAX, "%s: line %zu: %s",
                       line->path, line->number, problem);
}

/* ---- values -------------------------------------------------------------- */

/* Reads a number of at most the given size, moves past it and its blanks. */
static bool script_number(char **at, uint64_t most, uint64_t *value)
{
    const char *start = *at;
    uint64_t n = 0;

    while (**at >= '0' && **at <= '9') {
        unsigned digit = (unsigned)(**at - '0');

        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
        (*at)++;
    }
    if (*at == start || n > most || (**at != '\0' && **at != ' '))
        return false;
    while (**at == ' ')
        (*at)++;
    *value = n;
    return true;
}

static int script_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads one escape behind the backslash; -1: there is no such. */
static int script_escape(char **at)
{
    static const char names[] = "\\\"nrt", bytes[] = "\\\"\n\r\t";
    const char *found;
    int high, low;

    if (**at == 'x') {
        high = script_hex((*at)[1]);
        low = high < 0 ? -1 : script_hex((*at)[2]);
        *at += low < 0 ? 0 : 3;
        return low < 0 ? -1 : high * 16 + low;
    }
    found = **at ? strchr(names, **at) : NULL;
    if (!found)
        return -1;
    (*at)++;
    return (unsigned char)bytes[found - names];
}

/*
 * Unquotes a text in place (it can only become shorter), puts a NUL behind it
 * and moves past it and its blanks.
 */
static bool script_quoted(char **at, char **text, size_t *n)
{
    char *in = *at, *out;

    if (*in++ != '"')
        return false;
    *text = out = in;
    while (*in && *in != '"') {
        int byte = (unsigned char)*in++;

        if (byte == '\\')
            byte = script_escape(&in);
        if (byte < 0)
            return false;
        *out++ = (char)byte;
    }
    if (*in != '"')
        return false;
    *n = (size_t)(out - *text);
    in++;
    *out = '\0';
    while (*in == ' ')
        in++;
    *at = in;
    return true;
}

static sortes_status script_ids(struct script_text *t,
                                const struct script_line *line,
                                struct engine_tokens *out)
{
    size_t capacity = strlen(line->rest) / 2 + 1;
    char *at = line->rest;
    uint64_t id;

    if (t->n_vocab == 0 || out->ids)
        return script_bad(line, "n_vocab must come before, and only once");
    out->ids = malloc(capacity * sizeof(*out->ids));
    if (!out->ids)
        return engine_fail(line->err, SORTES_E_NOMEM, "%s: out of memory",
                           line->path);
    while (*at) {
        if (!script_number(&at, t->n_vocab - 1, &id))
            return script_bad(line, "expected token ids below n_vocab");
        out->ids[out->n++] = (int32_t)id;
    }
    return out->n ? SORTES_OK : script_bad(line, "expected token ids");
}

/* ---- the facts, one function each ---------------------------------------- */

static sortes_status script_model(struct script_text *t,
                                  const struct script_line *line)
{
    t->facts.model = line->rest;
    return SORTES_OK;
}

static sortes_status script_sampled(struct script_text *t,
                                    const struct script_line *line)
{
    t->facts.sampled = line->rest;
    return SORTES_OK;
}

static sortes_status script_dialect(struct script_text *t,
                                    const struct script_line *line)
{
    t->facts.dialect = line->rest;
    return SORTES_OK;
}

static sortes_status script_params(struct script_text *t,
                                   const struct script_line *line)
{
    t->facts.params = line->rest;
    return SORTES_OK;
}

static sortes_status script_seed(struct script_text *t,
                                 const struct script_line *line)
{
    char *at = line->rest;

    if (!script_number(&at, UINT64_MAX, &t->facts.seed) || *at)
        return script_bad(line, "expected a seed");
    return SORTES_OK;
}

/* The array lies beside the recording: a name, not a path. */
static sortes_status script_rows(struct script_text *t,
                                 const struct script_line *line)
{
    if (!*line->rest || strchr(line->rest, '/'))
        return script_bad(line, "expected the name of a file beside this one");
    t->array = line->rest;
    return SORTES_OK;
}

static sortes_status script_n_vocab(struct script_text *t,
                                    const struct script_line *line)
{
    char *at = line->rest;
    uint64_t n;

    if (t->n_vocab || !script_number(&at, SCRIPT_MAX_VOCAB, &n) || *at || !n)
        return script_bad(line, "expected the number of tokens, once");
    t->n_vocab = (size_t)n;
    t->piece = calloc(t->n_vocab, sizeof(*t->piece));
    t->n_piece = calloc(t->n_vocab, sizeof(*t->n_piece));
    t->flags = calloc(t->n_vocab, sizeof(*t->flags));
    if (!t->piece || !t->n_piece || !t->flags)
        return engine_fail(line->err, SORTES_E_NOMEM, "%s: out of memory",
                           line->path);
    return SORTES_OK;
}

static sortes_status script_prompt(struct script_text *t,
                                   const struct script_line *line)
{
    char *at = line->rest, *text;
    size_t n;

    if (!script_quoted(&at, &text, &n) || *at)
        return script_bad(line, "expected a text in quotes");
    t->facts.prompt = text;
    return SORTES_OK;
}

static sortes_status script_prompt_tokens(struct script_text *t,
                                          const struct script_line *line)
{
    return script_ids(t, line, &t->prompt);
}

static sortes_status script_tokens(struct script_text *t,
                                   const struct script_line *line)
{
    return script_ids(t, line, &t->drawn);
}

static sortes_status script_piece(struct script_text *t,
                                  const struct script_line *line)
{
    char *at = line->rest;
    uint64_t id;

    if (t->n_vocab == 0)
        return script_bad(line, "n_vocab must come before");
    if (!script_number(&at, t->n_vocab - 1, &id) ||
        !script_quoted(&at, &t->piece[id], &t->n_piece[id]))
        return script_bad(line, "expected a token id and a text in quotes");
    if (strncmp(at, "control", 7) == 0) {
        t->flags[id] |= SORTES_TOKEN_CONTROL;
        at += at[7] == ' ' ? 8 : 7;
    }
    if (strcmp(at, "eog") == 0) {
        t->flags[id] |= SORTES_TOKEN_EOG;
        at += 3;
    }
    return *at ? script_bad(line, "expected control, eog or nothing")
               : SORTES_OK;
}

static const struct {
    const char *name;
    sortes_status (*read)(struct script_text *t,
                          const struct script_line *line);
} script_facts[] = {
    { "model", script_model },
    { "sampled", script_sampled },
    { "dialect", script_dialect },
    { "n_vocab", script_n_vocab },
    { "rows", script_rows },
    { "seed", script_seed },
    { "params", script_params },
    { "prompt", script_prompt },
    { "prompt_tokens", script_prompt_tokens },
    { "tokens", script_tokens },
    { "piece", script_piece },
};

/* ---- the text ------------------------------------------------------------ */

static sortes_status script_read_line(struct script_text *t, char *text,
                                      struct script_line *line)
{
    const size_t n = sizeof(script_facts) / sizeof(script_facts[0]);
    char *blank = strchr(text, ' ');
    size_t i;

    if (line->number == 1)
        return strcmp(text, "sortes rows 1") == 0
                   ? SORTES_OK
                   : script_bad(line, "expected 'sortes rows 1'");
    if (*text == '\0' || *text == '#')
        return SORTES_OK;
    if (!blank)
        return script_bad(line, "expected a name, a blank and a value");
    *blank = '\0';
    line->rest = blank + 1;
    for (i = 0; i < n; i++) {
        if (strcmp(text, script_facts[i].name) == 0)
            return script_facts[i].read(t, line);
    }
    return script_bad(line, "no such fact");
}

static sortes_status script_check(const struct script_text *t, const char *path,
                                  sortes_error *err)
{
    if (!t->array || !t->prompt.n || !t->drawn.n || !t->facts.params ||
        !t->facts.prompt || !t->facts.dialect || !t->facts.model ||
        !t->facts.sampled)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "%s: a fact is missing, or the file is torn", path);
    if (t->drawn.n > SCRIPT_MAX_ROWS)
        return engine_fail(err, SORTES_E_LIMIT,
                           "%s: %zu rows are more than a recording may have "
                           "(%d)",
                           path, t->drawn.n, (int)SCRIPT_MAX_ROWS);
    return SORTES_OK;
}

sortes_status script_text_read(struct script_text *t, const char *path,
                               char *text, size_t n, sortes_error *err)
{
    struct script_line line = { path, 0, NULL, err };
    sortes_status status = SORTES_OK;
    char *at, *end;

    *t = (struct script_text){ 0 };
    if (strlen(text) != n)
        return engine_fail(err, SORTES_E_SYNTAX, "%s: byte %zu is a NUL", path,
                           strlen(text));
    for (at = text; status == SORTES_OK && *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = '\0';
        line.number++;
        status = script_read_line(t, at, &line);
    }
    if (status == SORTES_OK)
        status = script_check(t, path, err);
    t->facts.prompt_tokens = t->prompt.ids;
    t->facts.n_prompt_tokens = t->prompt.n;
    t->facts.tokens = t->drawn.ids;
    t->facts.n_tokens = t->drawn.n;
    return status;
}

void script_text_free(struct script_text *t)
{
    free(t->prompt.ids);
    free(t->drawn.ids);
    free(t->piece);
    free(t->n_piece);
    free(t->flags);
    *t = (struct script_text){ 0 };
}
