/*
 * record_rows.c - records a model's rows and the tokens that llama.cpp draws
 *
 *   record_rows MODEL.gguf FOLDER NAME [PROMPT]
 *
 * writes FOLDER/NAME.rows and FOLDER/NAME.npy, as engine/script.c describes
 * them.  Every row is first rounded to bfloat16, to nearest and ties to even;
 * libllama's own sampler chain then draws on the rounded logits, the drawn
 * token is accepted by the chain, and the model reads it before the next row.
 * So the tokens can be checked without the model.
 *
 * The chain is what llama.cpp's common_sampler builds by default, less the
 * stages that are off: penalties, top-k, top-p, min-p, temperature, dist.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

#include <llama.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_ROWS = 4, RECORD_PIECES = 64, RECORD_SEED = 42 };

static const char record_params[] =
    "{\"temperature\":0.8,\"top_k\":40,\"top_p\":0.95,\"min_p\":0.05,"
    "\"repeat_last_n\":64,\"repeat_penalty\":1.0,\"frequency_penalty\":0.0,"
    "\"presence_penalty\":0.0}";

struct recording {
    struct engine *engine;
    size_t n_vocab;
    struct engine_tokens prompt;
    llama_token_data *candidates;
    uint16_t *rows; /* RECORD_ROWS of n_vocab */
    int32_t drawn[RECORD_ROWS];
    unsigned char *matters; /* per token: its piece is written */
};

static void record_die(const char *what, const sortes_error *err)
{
    fprintf(stderr, "record_rows: %s%s%s\n", what, err ? ": " : "",
            err ? err->text : "");
    exit(1);
}

static void *record_alloc(size_t n, size_t size)
{
    void *block = calloc(n, size);

    if (!block)
        record_die("out of memory", NULL);
    return block;
}

static struct llama_sampler *record_chain(size_t n_vocab)
{
    struct llama_sampler *chain =
        llama_sampler_chain_init(llama_sampler_chain_default_params());

    llama_sampler_chain_add(chain, llama_sampler_init_penalties(
                                       (int32_t)n_vocab, 64, 1.0f, 0.0f, 0.0f));
    llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
    llama_sampler_chain_add(chain, llama_sampler_init_top_p(0.95f, 0));
    llama_sampler_chain_add(chain, llama_sampler_init_min_p(0.05f, 0));
    llama_sampler_chain_add(chain,
                            llama_sampler_init_temp_ext(0.8f, 0.0f, 1.0f));
    llama_sampler_chain_add(chain, llama_sampler_init_dist(RECORD_SEED));
    return chain;
}

/* To nearest, ties to even; logits are finite, so no NaN can be made. */
static uint16_t record_round(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    bits += 0x7fffu + ((bits >> 16) & 1u);
    return (uint16_t)(bits >> 16);
}

static float record_widen(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static int record_by_logit(const void *a, const void *b)
{
    const llama_token_data *x = a, *y = b;

    if (x->logit > y->logit)
        return -1;
    if (x->logit < y->logit)
        return 1;
    return x->id < y->id ? -1 : 1;
}

static llama_token_data_array record_fill(struct recording *r,
                                          const uint16_t *row)
{
    size_t i;

    for (i = 0; i < r->n_vocab; i++) {
        r->candidates[i].id = (llama_token)i;
        r->candidates[i].logit = record_widen(row[i]);
        r->candidates[i].p = 0.0f;
    }
    return (llama_token_data_array){ r->candidates, r->n_vocab, -1, false };
}

static int32_t record_draw(struct recording *r, struct llama_sampler *chain,
                           const uint16_t *row)
{
    llama_token_data_array array = record_fill(r, row);
    int32_t token;
    size_t i;

    llama_sampler_apply(chain, &array);
    if (array.selected < 0)
        record_die("the chain drew nothing", NULL);
    token = array.data[array.selected].id;
    llama_sampler_accept(chain, token);

    record_fill(r, row);
    qsort(r->candidates, r->n_vocab, sizeof(*r->candidates), record_by_logit);
    for (i = 0; i < RECORD_PIECES && i < r->n_vocab; i++)
        r->matters[r->candidates[i].id] = 1;
    r->matters[token] = 1;
    return token;
}

static void record_steps(struct recording *r)
{
    struct llama_sampler *chain = record_chain(r->n_vocab);
    sortes_error err;
    sortes_row row;
    size_t step, i;

    for (i = 0; i < r->prompt.n; i++) {
        llama_sampler_accept(chain, r->prompt.ids[i]);
        r->matters[r->prompt.ids[i]] = 1;
    }
    if (engine_decode(r->engine, r->prompt.ids, r->prompt.n, &err))
        record_die("prompt", &err);
    for (step = 0; step < RECORD_ROWS; step++) {
        uint16_t *rounded = r->rows + step * r->n_vocab;

        if (step && engine_decode(r->engine, &r->drawn[step - 1], 1, &err))
            record_die("decode", &err);
        if (engine_row(r->engine, &row) || row.type != SORTES_F32)
            record_die("no row", NULL);
        for (i = 0; i < r->n_vocab; i++)
            rounded[i] = record_round(((const float *)row.data)[i]);
        r->drawn[step] = record_draw(r, chain, rounded);
    }
    llama_sampler_free(chain);
}

/* ---- writing ------------------------------------------------------------- */

static FILE *record_create(const char *folder, const char *name,
                           const char *ending)
{
    char path[1024];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
    file = fopen(path, "wb");
    if (!file)
        record_die(path, NULL);
    return file;
}

static void record_finish(FILE *file)
{
    if (ferror(file) || fclose(file) != 0)
        record_die("a file could not be written", NULL);
}

static void record_quote(FILE *file, const char *text, size_t n)
{
    size_t i;

    fputc('"', file);
    for (i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c == '\\' || c == '"')
            fprintf(file, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", file);
        else if (c < 0x20 || c >= 0x7f)
            fprintf(file, "\\x%02X", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void record_ids(FILE *file, const char *name, const int32_t *ids,
                       size_t n)
{
    size_t i;

    fputs(name, file);
    for (i = 0; i < n; i++)
        fprintf(file, " %d", (int)ids[i]);
    fputc('\n', file);
}

static void record_write_text(const struct recording *r, const char *folder,
                              const char *name, const char *prompt)
{
    FILE *file = record_create(folder, name, ".rows");
    size_t i, n;

    fprintf(file, "sortes rows 1\n# written by tools/record_rows.c\n");
    fprintf(file, "model %s\n", engine_description(r->engine));
    fprintf(file, "sampled llama.cpp (libllama %s)\n", llama_version());
    fprintf(file, "dialect llama.cpp\nn_vocab %zu\nrows %s.npy\nseed %d\n",
            r->n_vocab, name, (int)RECORD_SEED);
    fprintf(file, "params %s\nprompt ", record_params);
    record_quote(file, prompt, strlen(prompt));
    fputc('\n', file);
    record_ids(file, "prompt_tokens", r->prompt.ids, r->prompt.n);
    record_ids(file, "tokens", r->drawn, RECORD_ROWS);
    for (i = 0; i < r->n_vocab; i++) {
        const char *piece = engine_piece(r->engine, (int32_t)i, &n);

        if (!r->matters[i])
            continue;
        fprintf(file, "piece %zu ", i);
        record_quote(file, piece, n);
        fputs(engine_is_control(r->engine, (int32_t)i) ? " control" : "", file);
        fputs(engine_is_eog(r->engine, (int32_t)i) ? " eog\n" : "\n", file);
    }
    record_finish(file);
}

/* NumPy's format 1.0: the header padded so that the data begins at 128. */
static void record_write_rows(const struct recording *r, const char *folder,
                              const char *name)
{
    FILE *file = record_create(folder, name, ".npy");
    const size_t n = RECORD_ROWS * r->n_vocab;
    char header[118 + 1];
    size_t i;

    snprintf(header, sizeof(header),
             "{'descr': '<u2', 'fortran_order': False, 'shape': (%d, %zu), }",
             (int)RECORD_ROWS, r->n_vocab);
    fprintf(file, "\x93NUMPY\x01%c%c%c%-117s\n", 0, 118, 0, header);
    for (i = 0; i < n; i++) {
        fputc(r->rows[i] & 0xff, file);
        fputc(r->rows[i] >> 8, file);
    }
    record_finish(file);
}

int main(int argc, char **argv)
{
    const char *prompt = argc > 4 ? argv[4] : "Once upon a time";
    struct recording r = { 0 };
    sortes_error err;
    size_t step;

    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: record_rows MODEL.gguf FOLDER NAME [PROMPT]\n");
        return 2;
    }
    if (engine_open(&r.engine, argv[1], NULL, &err))
        record_die("open", &err);
    r.n_vocab = engine_n_vocab(r.engine);
    r.candidates = record_alloc(r.n_vocab, sizeof(*r.candidates));
    r.rows = record_alloc(r.n_vocab * RECORD_ROWS, sizeof(*r.rows));
    r.matters = record_alloc(r.n_vocab, 1);
    if (engine_tokenize(r.engine, prompt, strlen(prompt), ENGINE_ADD_SPECIAL,
                        &r.prompt, &err))
        record_die("prompt", &err);
    record_steps(&r);
    record_write_text(&r, argv[2], argv[3], prompt);
    record_write_rows(&r, argv[2], argv[3]);
    printf("%s", prompt);
    for (step = 0; step < RECORD_ROWS; step++)
        printf("%s", engine_piece(r.engine, r.drawn[step], NULL));
    printf("\n");
    free(r.candidates);
    free(r.rows);
    free(r.matters);
    free(r.prompt.ids);
    engine_close(r.engine);
    return 0;
}
