/*
 * script.c - recorded rows as an engine: a model's logits without the model
 *
 * A recording is two files.  X.npy holds the rows: a NumPy array of uint16,
 * shape [steps, n_vocab], each entry a logit in bfloat16.  X.rows is a text
 * that says what they are, one fact a line, "#" opens a comment line:
 *
 *   sortes rows 1              the format and its version; always first
 *   model NAME                 what computed the logits
 *   sampled NAME               who drew the tokens, with version
 *   dialect NAME               the sortes dialect that must draw the same
 *   n_vocab N                  logits a row
 *   rows FILE                  the array, beside this file
 *   seed N                     the seed of the draws
 *   params JSON                their parameters, as a llama-server request
 *   prompt "TEXT"              what the model had read before row 0
 *   prompt_tokens ID ...       the same as tokens
 *   tokens ID ...              the tokens drawn, one a row
 *   piece ID "TEXT" [control] [eog]   a token that matters
 *
 * In quotes, \\ \" \n \r \t and \xHH stand for one byte.  Row i follows the
 * prompt and tokens[0 .. i-1]; decode takes exactly that sequence, because
 * after any other the recorded logits would be wrong.  tools/record_rows.c
 * writes such files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of what is read: far above any recording, far below trouble. */
enum {
    SCRIPT_MAX_TEXT = 16 << 20,
    SCRIPT_MAX_VOCAB = 1 << 24,
    SCRIPT_MAX_ROWS = 4096,
    SCRIPT_NPY_HEAD = 10 /* magic, version and length before the header */
};

struct script_engine {
    struct engine base;
    struct engine_recording facts; /* its pointers are the fields below */
    char *text;                    /* the .rows file; names point into it */
    const char *array;             /* the .npy file's name */
    size_t n_vocab;
    struct engine_tokens prompt, drawn;
    char **piece; /* n_vocab of them; NULL: a token that never mattered */
    size_t *n_piece;
    uint32_t *flags;
    uint16_t *rows; /* drawn.n rows of n_vocab */
    size_t n_past;  /* tokens decoded: row n_past - prompt.n is current */
};

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

/* ---- values -----------------------------------------------------------------
 */

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

static sortes_status script_ids(struct script_engine *s,
                                const struct script_line *line,
                                struct engine_tokens *out)
{
    size_t capacity = strlen(line->rest) / 2 + 1;
    char *at = line->rest;
    uint64_t id;

    if (s->n_vocab == 0 || out->ids)
        return script_bad(line, "n_vocab must come before, and only once");
    out->ids = malloc(capacity * sizeof(*out->ids));
    if (!out->ids)
        return engine_fail(line->err, SORTES_E_NOMEM, "%s: out of memory",
                           line->path);
    while (*at) {
        if (!script_number(&at, s->n_vocab - 1, &id))
            return script_bad(line, "expected token ids below n_vocab");
        out->ids[out->n++] = (int32_t)id;
    }
    return out->n ? SORTES_OK : script_bad(line, "expected token ids");
}

/* ---- the facts, one function each
 * -------------------------------------------- */

static sortes_status script_model(struct script_engine *s,
                                  const struct script_line *line)
{
    s->facts.model = line->rest;
    return SORTES_OK;
}

static sortes_status script_sampled(struct script_engine *s,
                                    const struct script_line *line)
{
    s->facts.sampled = line->rest;
    return SORTES_OK;
}

static sortes_status script_dialect(struct script_engine *s,
                                    const struct script_line *line)
{
    s->facts.dialect = line->rest;
    return SORTES_OK;
}

static sortes_status script_params(struct script_engine *s,
                                   const struct script_line *line)
{
    s->facts.params = line->rest;
    return SORTES_OK;
}

static sortes_status script_seed(struct script_engine *s,
                                 const struct script_line *line)
{
    char *at = line->rest;

    if (!script_number(&at, UINT64_MAX, &s->facts.seed) || *at)
        return script_bad(line, "expected a seed");
    return SORTES_OK;
}

/* The array lies beside the recording: a name, not a path. */
static sortes_status script_rows(struct script_engine *s,
                                 const struct script_line *line)
{
    if (!*line->rest || strchr(line->rest, '/'))
        return script_bad(line, "expected the name of a file beside this one");
    s->array = line->rest;
    return SORTES_OK;
}

static sortes_status script_n_vocab(struct script_engine *s,
                                    const struct script_line *line)
{
    char *at = line->rest;
    uint64_t n;

    if (s->n_vocab || !script_number(&at, SCRIPT_MAX_VOCAB, &n) || *at || !n)
        return script_bad(line, "expected the number of tokens, once");
    s->n_vocab = (size_t)n;
    s->piece = calloc(s->n_vocab, sizeof(*s->piece));
    s->n_piece = calloc(s->n_vocab, sizeof(*s->n_piece));
    s->flags = calloc(s->n_vocab, sizeof(*s->flags));
    if (!s->piece || !s->n_piece || !s->flags)
        return engine_fail(line->err, SORTES_E_NOMEM, "%s: out of memory",
                           line->path);
    return SORTES_OK;
}

static sortes_status script_prompt(struct script_engine *s,
                                   const struct script_line *line)
{
    char *at = line->rest, *text;
    size_t n;

    if (!script_quoted(&at, &text, &n) || *at)
        return script_bad(line, "expected a text in quotes");
    s->facts.prompt = text;
    return SORTES_OK;
}

static sortes_status script_prompt_tokens(struct script_engine *s,
                                          const struct script_line *line)
{
    return script_ids(s, line, &s->prompt);
}

static sortes_status script_tokens(struct script_engine *s,
                                   const struct script_line *line)
{
    return script_ids(s, line, &s->drawn);
}

static sortes_status script_piece(struct script_engine *s,
                                  const struct script_line *line)
{
    char *at = line->rest;
    uint64_t id;

    if (s->n_vocab == 0)
        return script_bad(line, "n_vocab must come before");
    if (!script_number(&at, s->n_vocab - 1, &id) ||
        !script_quoted(&at, &s->piece[id], &s->n_piece[id]))
        return script_bad(line, "expected a token id and a text in quotes");
    if (strncmp(at, "control", 7) == 0) {
        s->flags[id] |= SORTES_TOKEN_CONTROL;
        at += at[7] == ' ' ? 8 : 7;
    }
    if (strcmp(at, "eog") == 0) {
        s->flags[id] |= SORTES_TOKEN_EOG;
        at += 3;
    }
    return *at ? script_bad(line, "expected control, eog or nothing")
               : SORTES_OK;
}

static const struct {
    const char *name;
    sortes_status (*read)(struct script_engine *s,
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

/* ---- the two files
 * ------------------------------------------------------------ */

/* Reads a whole file of at most limit bytes; a NUL is put behind it. */
static sortes_status script_slurp(const char *path, size_t limit, char **out,
                                  size_t *n, sortes_error *err)
{
    FILE *file = fopen(path, "rb");
    long size = -1;

    *out = NULL;
    if (!file)
        return engine_fail(err, SORTES_E_IO, "%s: %s", path, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && (size_t)size <= limit)
        *out = malloc((size_t)size + 1);
    if (*out) {
        rewind(file);
        *n = fread(*out, 1, (size_t)size, file);
        (*out)[*n] = '\0';
    }
    fclose(file);
    if (*out && *n == (size_t)size)
        return SORTES_OK;
    free(*out);
    *out = NULL;
    return engine_fail(err, SORTES_E_IO, "%s: cannot be read (%ld bytes)", path,
                       size);
}

static sortes_status script_read_line(struct script_engine *s, char *text,
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
            return script_facts[i].read(s, line);
    }
    return script_bad(line, "no such fact");
}

static sortes_status script_read_text(struct script_engine *s, const char *path,
                                      sortes_error *err)
{
    struct script_line line = { path, 0, NULL, err };
    sortes_status status;
    char *at, *end;
    size_t n;

    status = script_slurp(path, SCRIPT_MAX_TEXT, &s->text, &n, err);
    for (at = s->text; status == SORTES_OK && *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = '\0';
        line.number++;
        status = script_read_line(s, at, &line);
    }
    if (status != SORTES_OK)
        return status;
    if (!s->array || !s->prompt.n || !s->drawn.n || !s->facts.params ||
        !s->facts.prompt || !s->facts.dialect || !s->facts.model ||
        !s->facts.sampled)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "%s: a fact is missing, or the file is torn", path);
    if (s->drawn.n > SCRIPT_MAX_ROWS)
        return engine_fail(err, SORTES_E_LIMIT,
                           "%s: %zu rows are more than a recording may have "
                           "(%d)",
                           path, s->drawn.n, (int)SCRIPT_MAX_ROWS);
    return SORTES_OK;
}

/* The path of a file beside another. */
static char *script_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *out = malloc(folder + strlen(name) + 1);

    if (out) {
        memcpy(out, path, folder);
        memcpy(out + folder, name, strlen(name) + 1);
    }
    return out;
}

/*
 * The array's own header is checked only for its length: that the type and the
 * shape are right follows from the size of the whole file.
 */
static sortes_status script_take_rows(struct script_engine *s, const char *path,
                                      const char *file, size_t n_bytes,
                                      sortes_error *err)
{
    const unsigned char *byte = (const unsigned char *)file;
    const size_t n = s->drawn.n * s->n_vocab;
    size_t head = SCRIPT_NPY_HEAD, i;

    if (n_bytes < head || memcmp(file, "\x93NUMPY\x01", 7) != 0)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "%s: not a NumPy array of format 1", path);
    head += (size_t)byte[8] + ((size_t)byte[9] << 8);
    if (n_bytes != head + 2 * n)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "%s: %zu bytes do not hold %zu rows of %zu bf16 "
                           "logits",
                           path, n_bytes, s->drawn.n, s->n_vocab);
    s->rows = malloc(n * sizeof(*s->rows));
    if (!s->rows)
        return engine_fail(err, SORTES_E_NOMEM, "%s: out of memory", path);
    for (i = 0; i < n; i++) {
        const unsigned char *two = byte + head + 2 * i;

        s->rows[i] = (uint16_t)(two[0] | (unsigned)two[1] << 8);
    }
    return SORTES_OK;
}

static sortes_status script_read_array(struct script_engine *s,
                                       const char *path, sortes_error *err)
{
    const size_t most =
        SCRIPT_NPY_HEAD + UINT16_MAX + 2 * s->drawn.n * s->n_vocab;
    char *array = script_beside(path, s->array), *file = NULL;
    sortes_status status;
    size_t n = 0;

    if (!array)
        return engine_fail(err, SORTES_E_NOMEM, "%s: out of memory", path);
    status = script_slurp(array, most, &file, &n, err);
    if (status == SORTES_OK)
        status = script_take_rows(s, array, file, n, err);
    free(file);
    free(array);
    return status;
}

/* ---- the calls of the table
 * ----------------------------------------------------- */

static void script_close(struct engine *e)
{
    struct script_engine *s = (struct script_engine *)e;

    sortes_vocab_free(s->base.vocab);
    free(s->text);
    free(s->prompt.ids);
    free(s->drawn.ids);
    free(s->piece);
    free(s->n_piece);
    free(s->flags);
    free(s->rows);
    free(s);
}

static sortes_status script_tokenize(const struct engine *e, const char *text,
                                     size_t n_bytes, unsigned flags,
                                     struct engine_tokens *out,
                                     sortes_error *err)
{
    const struct script_engine *s = (const struct script_engine *)e;

    (void)flags;
    if (n_bytes != strlen(s->facts.prompt) ||
        memcmp(text, s->facts.prompt, n_bytes) != 0)
        return engine_fail(err, SORTES_E_ARGUMENT,
                           "tokenize: a recording knows only its own prompt");
    out->ids = malloc(s->prompt.n * sizeof(*out->ids));
    if (!out->ids)
        return engine_fail(err, SORTES_E_NOMEM, "tokenize: out of memory");
    memcpy(out->ids, s->prompt.ids, s->prompt.n * sizeof(*out->ids));
    out->n = s->prompt.n;
    return SORTES_OK;
}

static sortes_status script_chat(const struct engine *e, const char *system,
                                 const char *user, char **out,
                                 sortes_error *err)
{
    (void)e;
    (void)system;
    (void)user;
    (void)out;
    return engine_fail(err, SORTES_E_NAME,
                       "chat: a recording has no chat template");
}

/* The token at a place of the recorded sequence. */
static int32_t script_token(const struct script_engine *s, size_t at)
{
    return at < s->prompt.n ? s->prompt.ids[at]
                            : s->drawn.ids[at - s->prompt.n];
}

static sortes_status script_decode(struct engine *e, const int32_t *tokens,
                                   size_t n, sortes_error *err)
{
    struct script_engine *s = (struct script_engine *)e;
    /* The last token drawn has no row behind it. */
    const size_t end = s->prompt.n + s->drawn.n - 1;
    size_t i;

    if (n > end - s->n_past)
        return engine_fail(err, SORTES_E_LIMIT,
                           "decode: the recording ends after %zu rows",
                           s->drawn.n);
    for (i = 0; i < n; i++) {
        int32_t recorded = script_token(s, s->n_past + i);

        if (tokens[i] != recorded)
            return engine_fail(err, SORTES_E_ARGUMENT,
                               "decode: token %d is not the recorded one (%d) "
                               "at position %zu",
                               (int)tokens[i], (int)recorded, s->n_past + i);
    }
    s->n_past += n;
    return SORTES_OK;
}

static sortes_status script_row(const struct engine *e, sortes_row *row)
{
    const struct script_engine *s = (const struct script_engine *)e;

    if (s->n_past < s->prompt.n)
        return SORTES_E_ARGUMENT;
    row->data = s->rows + (s->n_past - s->prompt.n) * s->n_vocab;
    row->n = s->n_vocab;
    row->type = SORTES_BF16;
    return SORTES_OK;
}

static void script_reset(struct engine *e)
{
    ((struct script_engine *)e)->n_past = 0;
}

static const struct engine_ops script_ops = {
    .close = script_close,
    .tokenize = script_tokenize,
    .chat = script_chat,
    .decode = script_decode,
    .row = script_row,
    .reset = script_reset,
};

/* ---- opening
 * ---------------------------------------------------------------------- */

static sortes_status script_make_vocab(struct script_engine *s,
                                       sortes_error *err)
{
    const char **bytes = malloc(s->n_vocab * sizeof(*bytes));
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = s->n_vocab,
                               .bytes = bytes,
                               .n_bytes = s->n_piece,
                               .flags = s->flags };
    sortes_status status;
    size_t i;

    if (!bytes)
        return engine_fail(err, SORTES_E_NOMEM, "recording: out of memory");
    for (i = 0; i < s->n_vocab; i++)
        bytes[i] = s->piece[i] ? s->piece[i] : "";
    status = sortes_vocab_new(&s->base.vocab, &desc, err);
    free(bytes);
    return status;
}

sortes_status engine_open_script(struct engine **out, const char *path,
                                 sortes_error *err)
{
    struct script_engine *s = calloc(1, sizeof(*s));
    sortes_status status;

    if (!s)
        return engine_fail(err, SORTES_E_NOMEM, "recording: out of memory");
    s->base.ops = &script_ops;
    status = script_read_text(s, path, err);
    if (status == SORTES_OK)
        status = script_read_array(s, path, err);
    if (status == SORTES_OK)
        status = script_make_vocab(s, err);
    if (status != SORTES_OK) {
        script_close(&s->base);
        return status;
    }
    s->facts.prompt_tokens = s->prompt.ids;
    s->facts.n_prompt_tokens = s->prompt.n;
    s->facts.tokens = s->drawn.ids;
    s->facts.n_tokens = s->drawn.n;
    s->base.recording = &s->facts;
    s->base.n_ctx = s->prompt.n + s->drawn.n;
    snprintf(s->base.description, sizeof(s->base.description),
             "%zu recorded rows of %s", s->drawn.n, s->facts.model);
    *out = &s->base;
    return SORTES_OK;
}
