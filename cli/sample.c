/*
 * sample.c - `sortes sample`: rows of logits in, a token a row out
 *
 * The door for outside comparisons: one JSON object a line, whose fields keep
 * their names and meaning.  A line is written before the next row is read, so
 * that a program may feed rows and wait for tokens.
 *
 * SPDX-License-Identifier: MIT
 */
#include "commands.h"
#include "json_out.h"
#include "npy.h"
#include "request.h"
#include "utf8_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_VOCAB = 1,
    SAMPLE_PROMPT,
    SAMPLE_LOGPROBS,
    SAMPLE_DISTRIBUTION,
    SAMPLE_REFERENCE
};

static const struct cli_option sample_options[] = {
    REQUEST_OPTIONS,
    { SAMPLE_PROMPT, "--prompt-tokens", "LIST|@FILE",
      "ids that were the prompt, separated by commas or blanks: they count for "
      "the penalties" },
    { SAMPLE_VOCAB, "--vocab", "MODEL.gguf",
      "say each token's text; only the vocabulary is read" },
    { SAMPLE_LOGPROBS, "--logprobs", "K",
      "say the drawn token's log-probability before sampling, and the K best" },
    { SAMPLE_DISTRIBUTION, "--distribution", NULL,
      "say every candidate that was left, with its probability" },
    { SAMPLE_REFERENCE, "--reference", NULL,
      "run the literal stages in place of the fast plans: same tokens, for "
      "audits" },
};

static const char sample_text[] =
    "Draws one token a row and accepts it.  ROWS.npy is a NumPy array of\n"
    "float32, float16 or uint16 (the bits of bfloat16), [rows, n_vocab] or\n"
    "[n_vocab]; \"-\" reads it from standard input.  Prints a JSON line a "
    "row:\n"
    "\n"
    "  {\"token\":314,\"candidates\":12,\"margin\":0.0183}\n"
    "\n"
    "candidates: how many tokens had a probability above zero.  margin: how\n"
    "far, in probability, the random number was from drawing another token.\n"
    "With --vocab also text, and bytes where the text is no valid UTF-8; with\n"
    "--logprobs also logprob and top_logprobs; with --distribution also\n"
    "distribution, the most likely first.  A row that is refused (NaN, +inf,\n"
    "nothing left to draw) ends the run with exit code 3.\n";

struct candidate {
    int32_t token;
    float p;
};

struct sample {
    struct request request;
    const char *rows, *vocab_path, *prompt;
    int64_t n_logprobs; /* -1: not wanted */
    bool distribution, reference;

    sortes_sampler *sampler;
    sortes_vocab *vocab; /* NULL: no text wanted */
    const char *name;    /* of the rows, in messages */
    float *probabilities;
    struct candidate *candidates;
    sortes_logprob *top;
    size_t n_top; /* n_logprobs, or all tokens where that is fewer */
    float logprob;
    struct json_out out;
};

static int sample_take(void *ctx, int id, const char *value)
{
    struct sample *s = ctx;

    if (request_take(&s->request, id, value))
        return 0;
    switch (id) {
    case SAMPLE_VOCAB:
        s->vocab_path = value;
        return 0;
    case SAMPLE_PROMPT:
        s->prompt = value;
        return 0;
    case SAMPLE_LOGPROBS:
        return options_integer("--logprobs", value, 0, INT32_MAX,
                               &s->n_logprobs);
    case SAMPLE_DISTRIBUTION:
        s->distribution = true;
        return 0;
    case SAMPLE_REFERENCE:
        s->reference = true;
        return 0;
    default:
        if (s->rows)
            return cli_fail(CLI_USAGE,
                            "one array of rows at a time (got '%s' "
                            "and '%s')",
                            s->rows, value);
        s->rows = value;
        return 0;
    }
}

/* ---- the prompt's tokens ------------------------------------------------- */

/* Reads the ids of text, changing it, and hands them on one by one. */
static int sample_accept_ids(struct sample *s, char *text)
{
    static const char between[] = ", \t\r\n[]";

    for (char *word = text + strspn(text, between); *word;) {
        char *end = word + strcspn(word, between);
        char *next = end + strspn(end, between);
        int64_t id;
        *end = '\0';
        if (options_integer("--prompt-tokens", word, 0, INT32_MAX, &id) != 0)
            return CLI_USAGE;
        const int32_t token = (int32_t)id;
        const sortes_status status =
            sortes_sampler_accept(s->sampler, &token, 1, SORTES_PROMPT);
        if (status != SORTES_OK)
            return cli_fail(CLI_RUNTIME, "--prompt-tokens: %s",
                            sortes_status_name(status));
        word = next;
    }
    return 0;
}

static int sample_accept_prompt(struct sample *s)
{
    struct cli_text text;
    int rc = s->prompt ? cli_read_value(s->prompt, &text) : 0;

    if (!s->prompt || rc != 0)
        return rc;
    rc = sample_accept_ids(s, text.data);
    free(text.data);
    return rc;
}

/* ---- one row ------------------------------------------------------------- */

static void sample_write_text(struct sample *s, int32_t token)
{
    size_t n = 0;
    const char *piece = sortes_vocab_piece(s->vocab, token, &n);

    json_out_key(&s->out, "text");
    json_out_string(&s->out, piece, n);
    if (utf8_is_valid(piece, n))
        return;
    json_out_key(&s->out, "bytes");
    json_out_open(&s->out, '[');
    for (size_t i = 0; i < n; i++)
        json_out_unsigned(&s->out, (unsigned char)piece[i]);
    json_out_close(&s->out, ']');
}

static void sample_write_logprobs(struct sample *s)
{
    json_out_key(&s->out, "logprob");
    json_out_float(&s->out, s->logprob);
    json_out_key(&s->out, "top_logprobs");
    json_out_open(&s->out, '[');
    for (size_t i = 0; i < s->n_top; i++) {
        json_out_open(&s->out, '{');
        json_out_key(&s->out, "token");
        json_out_integer(&s->out, s->top[i].token);
        json_out_key(&s->out, "logprob");
        json_out_float(&s->out, s->top[i].logprob);
        json_out_close(&s->out, '}');
    }
    json_out_close(&s->out, ']');
}

static int sample_compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->p != b->p)
        return a->p > b->p ? -1 : 1;
    return a->token < b->token ? -1 : a->token > b->token;
}

/* p is the dialect's own; its logarithm is taken here, in double. */
static void sample_write_candidates(struct sample *s, size_t n_row)
{
    size_t n = 0;

    for (size_t i = 0; i < n_row; i++)
        if (s->probabilities[i] > 0)
            s->candidates[n++] =
                (struct candidate){ (int32_t)i, s->probabilities[i] };
    qsort(s->candidates, n, sizeof(*s->candidates), sample_compare);
    json_out_key(&s->out, "distribution");
    json_out_open(&s->out, '[');
    for (size_t i = 0; i < n; i++) {
        json_out_open(&s->out, '{');
        json_out_key(&s->out, "token");
        json_out_integer(&s->out, s->candidates[i].token);
        json_out_key(&s->out, "p");
        json_out_float(&s->out, s->candidates[i].p);
        json_out_key(&s->out, "logprob");
        json_out_float(&s->out, (float)log((double)s->candidates[i].p));
        json_out_close(&s->out, '}');
    }
    json_out_close(&s->out, ']');
}

static void sample_write_line(struct sample *s, const sortes_draw *draw,
                              size_t n_row)
{
    json_out_open(&s->out, '{');
    json_out_key(&s->out, "token");
    json_out_integer(&s->out, draw->token);
    json_out_key(&s->out, "candidates");
    json_out_unsigned(&s->out, draw->n_candidates);
    json_out_key(&s->out, "margin");
    json_out_double(&s->out, draw->margin);
    if (s->vocab)
        sample_write_text(s, draw->token);
    if (s->n_logprobs >= 0)
        sample_write_logprobs(s);
    if (s->distribution)
        sample_write_candidates(s, n_row);
    json_out_close(&s->out, '}');
    json_out_end(&s->out);
}

/* Nothing is written before everything that may refuse the row has passed. */
static sortes_status sample_row(struct sample *s, const sortes_row *row)
{
    sortes_draw draw;
    sortes_status status = SORTES_OK;

    if (s->distribution)
        status = sortes_sampler_distribution(s->sampler, row, s->probabilities);
    if (status == SORTES_OK)
        status = sortes_sampler_sample(s->sampler, row, &draw);
    if (status == SORTES_OK && s->n_logprobs >= 0)
        status =
            sortes_sampler_logprobs(s->sampler, row, SORTES_LOGPROBS_RAW,
                                    draw.token, s->top, s->n_top, &s->logprob);
    if (status != SORTES_OK)
        return status;
    sample_write_line(s, &draw, row->n);
    return sortes_sampler_accept(s->sampler, &draw.token, 1, SORTES_GENERATED);
}

/* ---- all rows ------------------------------------------------------------ */

/* Memory for what the options ask of a row of n logits. */
static int sample_make_room(struct sample *s, size_t n)
{
    if (s->n_logprobs > 0) {
        s->n_top = (uint64_t)s->n_logprobs < n ? (size_t)s->n_logprobs : n;
        s->top = calloc(s->n_top, sizeof(*s->top));
        if (!s->top)
            return cli_fail(CLI_RUNTIME, "--logprobs: out of memory");
    }
    if (!s->distribution)
        return 0;
    s->probabilities = calloc(n, sizeof(*s->probabilities));
    s->candidates = calloc(n, sizeof(*s->candidates));
    if (!s->probabilities || !s->candidates)
        return cli_fail(CLI_RUNTIME, "--distribution: out of memory");
    return 0;
}

/* rMLX's words where it has some. */
static int sample_fail_row(const struct sample *s, const struct npy *rows,
                           const sortes_row *row, sortes_status status)
{
    const unsigned long long at = (unsigned long long)rows->row - 1;

    if (status == SORTES_E_ARGUMENT && row->type == SORTES_F16)
        return cli_fail(CLI_ROW,
                        "%s: row %llu: sample_token: unsupported logit dtype "
                        "F16; expected F32 or BF16",
                        s->name, at);
    if (status == SORTES_E_RANGE && s->n_logprobs >= 0)
        return cli_fail(CLI_USAGE,
                        "--logprobs: dialect '%s' reports fewer (got %lld)",
                        s->request.dialect, (long long)s->n_logprobs);
    return cli_fail_row(s->name, rows->row - 1, status);
}

static int sample_all(struct sample *s, struct npy *rows)
{
    sortes_row row;
    enum npy_got got;

    while ((got = npy_next(rows, &row)) == NPY_ROW) {
        /* The first row really came: a lying header has cost nothing yet. */
        int rc = rows->row == 1 ? sample_make_room(s, row.n) : 0;
        if (rc != 0)
            return rc;
        const sortes_status status = sample_row(s, &row);
        if (status != SORTES_OK)
            return sample_fail_row(s, rows, &row, status);
        rc = cli_flush();
        if (rc != 0)
            return rc;
    }
    return got == NPY_END
               ? 0
               : cli_fail(CLI_RUNTIME, "%s: %s", s->name, rows->error);
}

static int sample_array(struct sample *s)
{
    FILE *from = cli_open(s->rows, &s->name);
    struct npy rows;
    int rc;

    if (!from)
        return CLI_RUNTIME;
    json_out_init(&s->out, stdout);
    if (npy_open(&rows, npy_read_stream, from) == 0)
        rc = sample_all(s, &rows);
    else
        rc = cli_fail(CLI_RUNTIME, "%s: %s", s->name, rows.error);
    npy_close(&rows);
    cli_close(from);
    return rc;
}

/* The request needs it, for its end tokens, and the sampler, for DRY. */
static int sample_vocab(struct sample *s)
{
    sortes_error err = { 0 };

    if (!s->vocab_path)
        return 0;
    const sortes_status status =
        sortes_vocab_from_gguf(&s->vocab, s->vocab_path, &err);
    return status == SORTES_OK ? 0 : cli_fail_engine(status, &err);
}

static int sample_prepare(struct sample *s, const sortes_params *params)
{
    sortes_error err = { 0 };

    const sortes_status status =
        sortes_sampler_new(&s->sampler, params, s->vocab, &err);
    if (status != SORTES_OK)
        return cli_fail_status(status, &err);
    sortes_sampler_use_reference(s->sampler, s->reference);
    return sample_accept_prompt(s);
}

static int sample_resolved(struct sample *s, const struct options *o)
{
    sortes_params *params = NULL;

    if (!s->rows && !s->request.dump)
        return cli_fail(CLI_USAGE, "sample: which rows? (a .npy file, or - for "
                                   "standard input)");
    int rc = sample_vocab(s);
    if (rc == 0)
        rc = request_params(&s->request, o, NULL, s->vocab, &params);
    if (rc != 0)
        return rc;
    if (s->request.dump)
        rc = request_dump(params, s->request.dialect);
    else if ((rc = sample_prepare(s, params)) == 0)
        rc = sample_array(s);
    sortes_params_free(params);
    return rc;
}

static int sample_run(const struct cli_command *self, int argc, char **argv)
{
    struct sample s = { .request.dialect = request_dialect, .n_logprobs = -1 };
    struct options o;
    int rc = options_init(&o, self, argc, argv);

    if (rc == 0)
        rc = options_parse(&o, sample_take, &s);
    if (rc == OPTIONS_GO)
        rc = sample_resolved(&s, &o);
    sortes_sampler_free(s.sampler);
    sortes_vocab_free(s.vocab);
    free(s.probabilities);
    free(s.candidates);
    free(s.top);
    options_free(&o);
    return rc;
}

const struct cli_command cli_sample = {
    .name = "sample",
    .summary = "draw one token from each row of a .npy array of logits",
    .operands = "ROWS.npy|-",
    .text = sample_text,
    .options = sample_options,
    .n_options = sizeof(sample_options) / sizeof(*sample_options),
    .samples = true,
    .run = sample_run,
};
