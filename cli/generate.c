/*
 * generate.c - `sortes generate`: a prompt in, text out
 *
 * The order of things is llama-server's: every prompt token enters the
 * history, then sample and accept, token by token, until an end token or -n.
 * Text is the tokens' pieces one after another, control tokens left out.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "engine.h"
#include "grammar_spec.h"
#include "json_out.h"
#include "request.h"
#include "utf8_stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GENERATE_MODEL  ".deps/models/SmolLM2-135M-Instruct.Q4_1.gguf"
#define GENERATE_PROMPT "The oracle opened the book at random and read:"

enum {
    GENERATE_CHAT = 1,
    GENERATE_CONTEXT,
    GENERATE_FILE,
    GENERATE_JSON,
    GENERATE_MODEL_PATH,
    GENERATE_N,
    GENERATE_TEXT,
    GENERATE_THREADS,
    GENERATE_VERBOSE
};

static const struct cli_option generate_options[] = {
    { GENERATE_MODEL_PATH, "-m, --model", "FILE",
      "a GGUF model (default: $SORTES_MODEL, else the one `make deps` "
      "fetched)" },
    { GENERATE_TEXT, "-p, --prompt", "TEXT",
      "what to continue (default: \"" GENERATE_PROMPT "\")" },
    { GENERATE_FILE, "-f, --file", "FILE", "read the prompt from a file" },
    { GENERATE_CHAT, "--chat", NULL,
      "put the prompt as a user's message to the model's chat template" },
    { GENERATE_N, "-n, --n-predict", "N",
      "draw at most N tokens; 0 draws none, -1 goes on to the end of the "
      "context (default 128)" },
    { GENERATE_JSON, "--json", NULL,
      "print one JSON object at the end in place of the text" },
    { GENERATE_CONTEXT, "-c, --ctx-size", "N",
      "tokens of context (default 0: the model's own, at most 4096)" },
    { GENERATE_THREADS, "-t, --threads", "N",
      "threads the model runs on (default 0: one a core, one core left free)" },
    { GENERATE_VERBOSE, "-v, --verbose", NULL,
      "let libllama's own log through to standard error" },
    REQUEST_OPTIONS,
    GRAMMAR_KIND_OPTIONS,
    GRAMMAR_PROFILE_OPTIONS,
};

static const char generate_text[] =
    "Continues a prompt with a model, the text going to standard output as it\n"
    "comes; \"-\" reads the prompt from standard input.  The same seed draws\n"
    "the same tokens; without one, a line at the end says which was used.\n"
    "Sampling defaults that the model's file carries hold, too.\n"
    "\n"
    "A grammar lets no token through after which the text could not be ended\n"
    "as it must be.  A token is drawn and, if it may not come, drawn again "
    "under\n"
    "the mask, as llama.cpp does; --mask-first masks at once.\n"
    "\n"
    "--json prints prompt_tokens, tokens (an end token included), text, "
    "params\n"
    "as resolved, the seed used, finish_reason (\"stop\" at an end token,\n"
    "\"length\" at -n or the end of the context) and timings.\n";

struct clock_ms {
    double prompt, decode, sampling;
};

struct generate {
    struct request request;
    struct grammar_spec grammar;
    const char *model, *prompt, *file;
    char found[4096]; /* the default model's path */
    int64_t n, n_ctx, n_threads;
    bool chat, json, verbose;

    struct engine *engine;
    sortes_params *params;
    sortes_sampler *sampler;
    struct engine_tokens prompt_tokens;
    int32_t *tokens; /* drawn */
    size_t n_tokens, room;
    bool stopped; /* by an end token */
    struct clock_ms ms;
    struct utf8_stream text;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- the command line ---------------------------------------------------- */

static int generate_take_prompt(struct generate *g, const char *text,
                                const char *file)
{
    if (g->prompt || g->file)
        return cli_fail(CLI_USAGE, "the prompt is given twice");
    g->prompt = text;
    g->file = file;
    return 0;
}

static int generate_take(void *ctx, int id, const char *value)
{
    struct generate *g = ctx;
    int rc;

    if (request_take(&g->request, id, value))
        return 0;
    if (grammar_spec_take(&g->grammar, id, value, &rc))
        return rc;
    switch (id) {
    case GENERATE_CHAT:
        g->chat = true;
        return 0;
    case GENERATE_CONTEXT:
        return options_integer("--ctx-size", value, 0, INT32_MAX, &g->n_ctx);
    case GENERATE_FILE:
        return generate_take_prompt(g, NULL, value);
    case GENERATE_JSON:
        g->json = true;
        return 0;
    case GENERATE_MODEL_PATH:
        g->model = value;
        return 0;
    case GENERATE_N:
        return options_integer("-n", value, -1, INT32_MAX, &g->n);
    case GENERATE_TEXT:
        return generate_take_prompt(g, value, NULL);
    case GENERATE_THREADS:
        return options_integer("--threads", value, 0, 1024, &g->n_threads);
    case GENERATE_VERBOSE:
        g->verbose = true;
        return 0;
    default:
        if (strcmp(value, "-") == 0)
            return generate_take_prompt(g, NULL, value);
        return cli_fail(CLI_USAGE, "unexpected '%s'; a prompt is given with -p",
                        value);
    }
}

/* ---- opening the model --------------------------------------------------- */

static int generate_find_model(struct generate *g)
{
    const char *wanted = getenv("SORTES_MODEL");

    if (g->model)
        return 0;
    g->model = wanted && wanted[0] ? wanted : g->found;
    if (g->model == wanted ||
        cli_find(GENERATE_MODEL, g->found, sizeof(g->found)))
        return 0;
    return cli_fail(CLI_RUNTIME, "model: none found; `make deps` fetches one, "
                                 "or name a GGUF file with -m");
}

/* One line, written again only when its number changes. */
static void generate_progress(void *ctx, float fraction)
{
    int *percent = ctx;
    const int now = (int)(fraction * 100);

    if (now == *percent)
        return;
    *percent = now;
    fprintf(stderr, "\rloading the model: %3d %%", now);
    fflush(stderr);
}

static int generate_open(struct generate *g)
{
    const bool terminal = isatty(STDERR_FILENO) && !g->verbose;
    int percent = -1;
    const struct engine_options options = {
        .n_ctx = (uint32_t)g->n_ctx,
        .n_threads = (int)g->n_threads,
        .verbose = g->verbose,
        .progress = terminal ? generate_progress : NULL,
        .progress_ctx = &percent,
    };
    sortes_error err = { 0 };

    const sortes_status status =
        engine_open(&g->engine, g->model, &options, &err);
    if (percent >= 0)
        fputs("\r\033[K", stderr); /* and gone, as the text begins */
    return status == SORTES_OK ? 0 : cli_fail_engine(status, &err);
}

/* v NULL: only to see whether the grammar is refused. */
static int generate_matcher(const struct generate *g, sortes_vocab *v,
                            sortes_matcher **out)
{
    struct grammar_spec spec = g->grammar;
    struct cli_text text;
    sortes_error err = { 0 };

    const int rc = grammar_spec_read(&spec, &text);
    if (rc != 0)
        return rc;
    if (!spec.options.form && strcmp(g->request.dialect, "llama.cpp") == 0)
        spec.options.form = "literal";
    const sortes_status status =
        grammar_spec_compile(&spec, &text, v, out, &err);
    free(text.data);
    return status == SORTES_OK ? 0 : cli_fail_status(status, &err);
}

static int generate_constrain(struct generate *g)
{
    sortes_matcher *matcher = NULL;
    sortes_constraint constraint = { 0 };

    if (!g->grammar.kind)
        return 0;
    const int rc = generate_matcher(g, engine_vocab(g->engine), &matcher);
    if (rc != 0)
        return rc;
    sortes_status status = sortes_matcher_constraint(matcher, &constraint);
    sortes_matcher_free(matcher);
    if (status == SORTES_OK)
        status = sortes_sampler_set_constraint(g->sampler, &constraint);
    if (status == SORTES_OK)
        return 0;
    if (constraint.free)
        constraint.free(constraint.ctx);
    return cli_fail(CLI_RUNTIME, "grammar: cannot be used (%s)",
                    sortes_status_name(status));
}

static int generate_sampler(struct generate *g, const struct options *o)
{
    /* A recording is no GGUF and carries no defaults. */
    const char *gguf = engine_recording(g->engine) ? NULL : g->model;
    sortes_error err = { 0 };

    sortes_vocab *vocab = engine_vocab(g->engine);

    const int rc = request_params(&g->request, o, gguf, vocab, &g->params);
    if (rc != 0)
        return rc;
    const sortes_status status =
        sortes_sampler_new(&g->sampler, g->params, vocab, &err);
    return status == SORTES_OK ? 0 : cli_fail_status(status, &err);
}

/* ---- the prompt ---------------------------------------------------------- */

static int generate_tokenize(struct generate *g, const char *text, size_t n)
{
    char *chat = NULL;
    sortes_error err = { 0 };
    sortes_status status = SORTES_OK;

    if (g->chat) {
        status = engine_chat(g->engine, NULL, text, &chat, &err);
        if (status != SORTES_OK)
            return cli_fail_engine(status, &err);
        text = chat;
        n = strlen(chat);
    }
    status = engine_tokenize(g->engine, text, n,
                             ENGINE_ADD_SPECIAL | ENGINE_PARSE_SPECIAL,
                             &g->prompt_tokens, &err);
    free(chat);
    if (status != SORTES_OK)
        return cli_fail_engine(status, &err);
    if (g->prompt_tokens.n == 0)
        return cli_fail(CLI_USAGE, "the prompt is empty, and this model begins "
                                   "with no token of its own");
    return 0;
}

static int generate_read_prompt(struct generate *g)
{
    struct cli_text text = { NULL, 0 };

    if (!g->file) {
        const char *prompt = g->prompt ? g->prompt : GENERATE_PROMPT;
        return generate_tokenize(g, prompt, strlen(prompt));
    }
    int rc = cli_read_file(g->file, &text);
    if (rc == 0 && g->chat && strlen(text.data) != text.n)
        rc = cli_fail(CLI_RUNTIME, "%s: holds a NUL byte", g->file);
    if (rc == 0)
        rc = generate_tokenize(g, text.data, text.n);
    free(text.data);
    return rc;
}

static int generate_feed_prompt(struct generate *g)
{
    const struct engine_tokens *t = &g->prompt_tokens;
    const double begin = now_ms();
    sortes_error err = { 0 };

    sortes_status status = engine_decode(g->engine, t->ids, t->n, &err);
    if (status != SORTES_OK)
        return cli_fail_engine(status, &err);
    g->ms.prompt = now_ms() - begin;
    status = sortes_sampler_accept(g->sampler, t->ids, t->n, SORTES_PROMPT);
    return status == SORTES_OK ? 0 : cli_fail_engine(status, &err);
}

/* ---- token by token ------------------------------------------------------ */

/* Keeps the token, and streams its piece unless JSON comes at the end. */
static int generate_keep(struct generate *g, int32_t token)
{
    size_t n = 0;

    if (g->n_tokens == g->room) {
        const size_t room = g->room ? g->room * 2 : 256;
        int32_t *tokens = realloc(g->tokens, room * sizeof(*tokens));
        if (!tokens)
            return cli_fail(CLI_RUNTIME, "out of memory");
        g->tokens = tokens;
        g->room = room;
    }
    g->tokens[g->n_tokens++] = token;
    g->stopped = engine_is_eog(g->engine, token);
    if (g->json || g->stopped || engine_is_control(g->engine, token))
        return 0;
    const char *piece = engine_piece(g->engine, token, &n);
    (void)utf8_stream_push(&g->text, piece, n); /* the flush tells */
    return cli_flush();
}

static int generate_draw(struct generate *g, const sortes_row *row)
{
    const double begin = now_ms();
    sortes_draw draw;

    sortes_status status = sortes_sampler_sample(g->sampler, row, &draw);
    if (status == SORTES_OK)
        status =
            sortes_sampler_accept(g->sampler, &draw.token, 1, SORTES_GENERATED);
    g->ms.sampling += now_ms() - begin;
    if (status != SORTES_OK)
        return cli_fail_row("generate", g->n_tokens, status);
    return generate_keep(g, draw.token);
}

/* *full: the context has no room for one more token. */
static int generate_step_model(struct generate *g, bool *full)
{
    const double begin = now_ms();
    sortes_error err = { 0 };

    const sortes_status status =
        engine_decode(g->engine, &g->tokens[g->n_tokens - 1], 1, &err);
    g->ms.decode += now_ms() - begin;
    *full = status == SORTES_E_LIMIT;
    return status == SORTES_OK || *full ? 0 : cli_fail_engine(status, &err);
}

static int generate_tokens(struct generate *g)
{
    bool full = false;
    int rc = 0;

    while (rc == 0 && !full && !g->stopped && (int64_t)g->n_tokens != g->n) {
        sortes_row row;
        if (g->n_tokens > 0)
            rc = generate_step_model(g, &full);
        if (rc != 0 || full)
            break;
        const sortes_status status = engine_row(g->engine, &row);
        if (status != SORTES_OK)
            return cli_fail(CLI_RUNTIME, "model: no logits (%s)",
                            sortes_status_name(status));
        rc = generate_draw(g, &row);
    }
    return rc;
}

/* ---- reports ------------------------------------------------------------- */

static double generate_rate(const struct generate *g)
{
    const double ms = g->ms.decode + g->ms.sampling;
    return ms > 0 ? (double)g->n_tokens * 1e3 / ms : 0;
}

static void write_ids(struct json_out *j, const char *name, const int32_t *ids,
                      size_t n)
{
    json_out_key(j, name);
    json_out_open(j, '[');
    for (size_t i = 0; i < n; i++)
        json_out_integer(j, ids[i]);
    json_out_close(j, ']');
}

/* In whole microseconds: more digits would be noise. */
static void write_ms(struct json_out *j, const char *name, double ms)
{
    char text[32];
    snprintf(text, sizeof(text), "%.3f", ms);
    json_out_key(j, name);
    json_out_raw(j, text);
}

static void write_timings(const struct generate *g, struct json_out *j)
{
    json_out_key(j, "timings");
    json_out_open(j, '{');
    write_ms(j, "prompt_ms", g->ms.prompt);
    write_ms(j, "decode_ms", g->ms.decode);
    write_ms(j, "sampling_ms", g->ms.sampling);
    json_out_key(j, "n_prompt");
    json_out_unsigned(j, g->prompt_tokens.n);
    json_out_key(j, "n_tokens");
    json_out_unsigned(j, g->n_tokens);
    write_ms(j, "tokens_per_second", generate_rate(g));
    json_out_close(j, '}');
}

static int generate_report_json(const struct generate *g)
{
    struct json_out j;
    char *text = NULL;
    size_t n = 0;
    sortes_error err = { 0 };

    const sortes_status status = engine_detokenize(
        g->engine, g->tokens, g->n_tokens - g->stopped, &text, &n, &err);
    if (status != SORTES_OK)
        return cli_fail_engine(status, &err);
    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    write_ids(&j, "prompt_tokens", g->prompt_tokens.ids, g->prompt_tokens.n);
    write_ids(&j, "tokens", g->tokens, g->n_tokens);
    json_out_key(&j, "text");
    json_out_string(&j, text, n);
    free(text);
    json_out_key(&j, "params");
    const int rc = request_write(g->params, g->request.dialect, &j);
    if (rc != 0)
        return rc;
    json_out_key(&j, "seed");
    json_out_unsigned(&j, sortes_sampler_seed(g->sampler));
    json_out_key(&j, "finish_reason");
    json_out_text(&j, g->stopped ? "stop" : "length");
    write_timings(g, &j);
    json_out_close(&j, '}');
    json_out_end(&j);
    return cli_flush();
}

/* Ends the text that was streamed, whole or broken off. */
static int generate_end_text(struct generate *g)
{
    if (g->json || g->n_tokens == 0)
        return 0;
    (void)utf8_stream_end(&g->text);
    fputc('\n', stdout);
    return cli_flush();
}

static int generate_report(struct generate *g)
{
    if (g->json)
        return generate_report_json(g);
    cli_say("%zu token%s, %.1f a second; decoding %.1f ms, sampling %.3f ms; "
            "seed %llu",
            g->n_tokens, g->n_tokens == 1 ? "" : "s", generate_rate(g),
            g->ms.decode, g->ms.sampling,
            (unsigned long long)sortes_sampler_seed(g->sampler));
    return 0;
}

/* ---- all of it ----------------------------------------------------------- */

static int32_t generate_no_tokens(void *ctx, const char *text, size_t n_bytes,
                                  int parse_special, int32_t *tokens,
                                  size_t room)
{
    (void)ctx, (void)text, (void)n_bytes;
    (void)parse_special, (void)tokens, (void)room;
    return 0;
}

static int generate_check_grammar(const struct generate *g)
{
    sortes_matcher *matcher = NULL;

    if (!g->grammar.kind)
        return 0;
    const int rc = generate_matcher(g, NULL, &matcher);
    sortes_matcher_free(matcher);
    return rc;
}

/*
 * Refuses a bad option before a model is loaded.  Until then its words stand
 * for no tokens, in a vocabulary of one.
 */
static int generate_check(const struct generate *g, const struct options *o)
{
    static const char *const bytes[] = { "" };
    static const size_t n_bytes[] = { 0 };
    const sortes_vocab_desc desc = {
        .struct_size = sizeof(desc),
        .n_tokens = 1,
        .bytes = bytes,
        .n_bytes = n_bytes,
        .tokenize = generate_no_tokens,
    };
    sortes_vocab *vocab = NULL;
    sortes_params *params = NULL;
    sortes_error err = { 0 };

    const sortes_status status = sortes_vocab_new(&vocab, &desc, &err);
    if (status != SORTES_OK)
        return cli_fail_status(status, &err);
    const int rc = request_params(&g->request, o, NULL, vocab, &params);
    sortes_params_free(params);
    sortes_vocab_free(vocab);
    return rc == 0 ? generate_check_grammar(g) : rc;
}

static int generate_all(struct generate *g, const struct options *o)
{
    int rc = generate_check(g, o);

    if (rc == 0)
        rc = generate_find_model(g);
    if (rc == 0)
        rc = generate_open(g);
    if (rc == 0)
        rc = generate_sampler(g, o);
    if (rc == 0)
        rc = generate_constrain(g);
    if (rc == 0 && g->request.dump)
        return request_dump(g->params, g->request.dialect);
    if (rc == 0)
        rc = generate_read_prompt(g);
    if (rc == 0)
        rc = generate_feed_prompt(g);
    if (rc != 0)
        return rc;
    rc = generate_tokens(g);
    if (rc == 0 || rc == CLI_ROW) { /* what was drawn stands */
        const int ended = generate_end_text(g);
        rc = rc == 0 ? ended : rc;
    }
    return rc == 0 ? generate_report(g) : rc;
}

static int generate_run(const struct cli_command *self, int argc, char **argv)
{
    struct generate g = { .request.dialect = request_dialect, .n = 128 };
    struct options o;
    int rc = options_init(&o, self, argc, argv);

    utf8_stream_init(&g.text, utf8_to_stdout, NULL);
    if (rc == 0)
        rc = options_parse(&o, generate_take, &g);
    if (rc == OPTIONS_GO)
        rc = generate_all(&g, &o);
    sortes_sampler_free(g.sampler);
    sortes_params_free(g.params);
    free(g.tokens);
    free(g.prompt_tokens.ids);
    engine_close(g.engine);
    options_free(&o);
    return rc;
}

const struct cli_command cli_generate = {
    .name = "generate",
    .summary = "continue a prompt with a model",
    .operands = "[-]",
    .text = generate_text,
    .options = generate_options,
    .n_options = sizeof(generate_options) / sizeof(*generate_options),
    .samples = true,
    .run = generate_run,
};
