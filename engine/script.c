/*
 * script.c - recorded rows as an engine: a model's logits without the model
 *
 * A recording is two files.  X.npy holds the rows: a NumPy array of uint16,
 * shape [steps, n_vocab], each entry a logit in bfloat16.  X.rows is a text
 * that says what they are (script_text.h).  Row i follows the prompt and
 * tokens[0 .. i-1]; decode takes exactly that sequence, because after any
 * other the recorded logits would be wrong.  tools/record_rows.c writes such
 * files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "backend.h"
#include "npy.h"
#include "script_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_MAX_TEXT = 16 << 20 }; /* bytes; far above any recording */

struct script_engine {
    struct engine base;
    struct script_text is;
    char *text;     /* the .rows file; names point into it */
    uint16_t *rows; /* is.drawn.n rows of is.n_vocab */
    size_t n_past;  /* tokens decoded: row n_past - is.prompt.n is current */
};

/* ---- the two files ------------------------------------------------------- */

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

static sortes_status script_read_text(struct script_engine *s, const char *path,
                                      sortes_error *err)
{
    size_t n = 0;
    const sortes_status status =
        script_slurp(path, SCRIPT_MAX_TEXT, &s->text, &n, err);

    return status == SORTES_OK ? script_text_read(&s->is, path, s->text, n, err)
                               : status;
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

/* Memory grows with the rows that are really there. */
static sortes_status script_take_row(struct script_engine *s, size_t i,
                                     const sortes_row *row)
{
    const size_t n_row = s->is.n_vocab * sizeof(*s->rows);

    if ((i & (i - 1)) == 0) { /* room is the next power of two */
        const size_t room = i > 0 ? 2 * i : 1;
        uint16_t *rows =
            room > SIZE_MAX / n_row ? NULL : realloc(s->rows, room * n_row);

        if (!rows)
            return SORTES_E_NOMEM;
        s->rows = rows;
    }
    memcpy(s->rows + i * s->is.n_vocab, row->data, n_row);
    return SORTES_OK;
}

static sortes_status script_take_rows(struct script_engine *s, struct npy *f,
                                      const char *path, sortes_error *err)
{
    sortes_row row;
    enum npy_got got;

    if (f->type != SORTES_BF16 || f->n_rows != s->is.drawn.n ||
        f->n_columns != s->is.n_vocab)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "%s: %llu rows of %zu logits%s (needed %zu rows of "
                           "%zu in bfloat16)",
                           path, (unsigned long long)f->n_rows, f->n_columns,
                           f->type == SORTES_BF16 ? "" : " of another type",
                           s->is.drawn.n, s->is.n_vocab);
    for (size_t i = 0; (got = npy_next(f, &row)) == NPY_ROW; i++)
        if (script_take_row(s, i, &row) != SORTES_OK)
            return engine_fail(err, SORTES_E_NOMEM, "%s: out of memory", path);
    return got == NPY_END
               ? SORTES_OK
               : engine_fail(err, SORTES_E_SYNTAX, "%s: %s", path, f->error);
}

static sortes_status script_read_array(struct script_engine *s,
                                       const char *path, sortes_error *err)
{
    char *array = script_beside(path, s->is.array);
    sortes_status status;
    struct npy f;
    FILE *file;

    if (!array)
        return engine_fail(err, SORTES_E_NOMEM, "%s: out of memory", path);
    file = fopen(array, "rb");
    if (!file) {
        status =
            engine_fail(err, SORTES_E_IO, "%s: %s", array, strerror(errno));
        free(array);
        return status;
    }
    if (npy_open(&f, npy_read_stream, file) == 0)
        status = script_take_rows(s, &f, array, err);
    else
        status = engine_fail(err, SORTES_E_SYNTAX, "%s: %s", array, f.error);
    npy_close(&f);
    fclose(file);
    free(array);
    return status;
}

/* ---- the calls of the table ---------------------------------------------- */

static void script_close(struct engine *e)
{
    struct script_engine *s = (struct script_engine *)e;

    sortes_vocab_free(s->base.vocab);
    script_text_free(&s->is);
    free(s->text);
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
    if (n_bytes != strlen(s->is.facts.prompt) ||
        memcmp(text, s->is.facts.prompt, n_bytes) != 0)
        return engine_fail(err, SORTES_E_ARGUMENT,
                           "tokenize: a recording knows only its own prompt");
    out->ids = malloc(s->is.prompt.n * sizeof(*out->ids));
    if (!out->ids)
        return engine_fail(err, SORTES_E_NOMEM, "tokenize: out of memory");
    memcpy(out->ids, s->is.prompt.ids, s->is.prompt.n * sizeof(*out->ids));
    out->n = s->is.prompt.n;
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
    return at < s->is.prompt.n ? s->is.prompt.ids[at]
                               : s->is.drawn.ids[at - s->is.prompt.n];
}

static sortes_status script_decode(struct engine *e, const int32_t *tokens,
                                   size_t n, sortes_error *err)
{
    struct script_engine *s = (struct script_engine *)e;
    /* The last token drawn has no row behind it. */
    const size_t end = s->is.prompt.n + s->is.drawn.n - 1;
    size_t i;

    if (n > end - s->n_past)
        return engine_fail(err, SORTES_E_LIMIT,
                           "decode: the recording ends after %zu rows",
                           s->is.drawn.n);
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

    if (s->n_past < s->is.prompt.n)
        return SORTES_E_ARGUMENT;
    row->data = s->rows + (s->n_past - s->is.prompt.n) * s->is.n_vocab;
    row->n = s->is.n_vocab;
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

/* ---- opening ------------------------------------------------------------- */

static sortes_status script_make_vocab(struct script_engine *s,
                                       sortes_error *err)
{
    const char **bytes = malloc(s->is.n_vocab * sizeof(*bytes));
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = s->is.n_vocab,
                               .bytes = bytes,
                               .n_bytes = s->is.n_piece,
                               .flags = s->is.flags };
    sortes_status status;
    size_t i;

    if (!bytes)
        return engine_fail(err, SORTES_E_NOMEM, "recording: out of memory");
    for (i = 0; i < s->is.n_vocab; i++)
        bytes[i] = s->is.piece[i] ? s->is.piece[i] : "";
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
    s->base.recording = &s->is.facts;
    snprintf(s->base.description, sizeof(s->base.description),
             "%zu recorded rows of %s", s->is.drawn.n, s->is.facts.model);
    *out = &s->base;
    return SORTES_OK;
}
