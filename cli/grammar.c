/*
 * grammar.c - `sortes grammar check`: texts against a grammar
 *
 * The door for comparisons from outside: one line in, one line out, times
 * taken around the library's calls.  Keep it stable.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "grammar_spec.h"
#include "greedy.h"
#include "json_out.h"
#include "json_text.h"
#include "samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRAMMAR_FILE = 1,
    GRAMMAR_JSON_LINES,
    GRAMMAR_KIND,
    GRAMMAR_TIME,
    GRAMMAR_VOCAB
};

static const struct cli_option grammar_options[] = {
    { GRAMMAR_KIND, "--kind", "K",
      "json_object, regex, choice (one a line), gbnf, structural_tag, tools, "
      "and "
      "whatever else this build has" },
    { GRAMMAR_FILE, "--file", "FILE",
      "the grammar's text; json_object needs none" },
    { GRAMMAR_VOCAB, "--vocab", "FILE",
      "a GGUF, a tokenizer.json or a tiktoken file: each text goes in as "
      "tokens of it, the longest that fits each time" },
    { GRAMMAR_JSON_LINES, "--json-lines", NULL,
      "each line is a JSON string that holds the text" },
    { GRAMMAR_TIME, "--time", NULL,
      "print a last line with compile_us, mask_us and advance_us" },
    GRAMMAR_PROFILE_OPTIONS,
};

static const char grammar_text[] =
    "Reads texts from standard input, one a line, and prints a JSON line for\n"
    "each: accepted (true or false) and byte (where the text fails, its "
    "length\n"
    "where it is not complete, or null).  A grammar that is refused prints "
    "one\n"
    "line {\"error\": ...} and exits 1.  Without --vocab the verdict is by "
    "bytes,\n"
    "with it by tokens: the mask, then the token.\n"
    "\n"
    "--time adds {\"compile_us\": ..., \"mask_us\": ..., \"advance_us\": ...}, "
    "each\n"
    "with p50, p99, p999, max, mean (microseconds) and n; compiling includes\n"
    "meeting the vocabulary, but not the vocabulary's own preparation.\n";

struct grammar_check {
    struct grammar_spec spec;
    const char *vocab_path;
    bool asked, json_lines, timed;

    sortes_vocab *vocab;
    struct greedy *greedy;
    sortes_matcher *matcher;
    uint32_t *mask;
    size_t n_words;
    struct samples compile, masks, advances;
};

/* Where one text stands. */
struct verdict {
    bool accepted;
    size_t byte;       /* where it fails */
    const char *error; /* the matcher itself failed; NULL: it did not */
};

/* ---- the command line ---------------------------------------------------- */

static int grammar_take(void *ctx, int id, const char *value)
{
    struct grammar_check *c = ctx;
    int rc;

    if (grammar_spec_take(&c->spec, id, value, &rc))
        return rc;
    switch (id) {
    case GRAMMAR_FILE:
        c->spec.value = value;
        c->spec.is_file = true;
        return 0;
    case GRAMMAR_JSON_LINES:
        c->json_lines = true;
        return 0;
    case GRAMMAR_KIND:
        c->spec.kind = value;
        return 0;
    case GRAMMAR_TIME:
        c->timed = true;
        return 0;
    case GRAMMAR_VOCAB:
        c->vocab_path = value;
        return 0;
    default:
        if (c->asked || strcmp(value, "check") != 0)
            return cli_fail(CLI_USAGE,
                            "grammar: unexpected '%s' (allowed: "
                            "check)",
                            value);
        c->asked = true;
        return 0;
    }
}

static int grammar_complete(const struct grammar_check *c)
{
    if (!c->asked)
        return cli_fail(CLI_USAGE, "grammar: say what to do: `sortes grammar "
                                   "check`");
    if (!c->spec.kind)
        return cli_fail(CLI_USAGE, "grammar check: --kind is missing");
    if (!c->spec.is_file && strcmp(c->spec.kind, "json_object") != 0)
        return cli_fail(CLI_USAGE, "grammar check: --file is missing (only "
                                   "json_object needs none)");
    return 0;
}

/* ---- opening ------------------------------------------------------------- */

/* Prepares the vocabulary's own tables: a throwaway grammar makes them. */
static void grammar_warm(sortes_vocab *v)
{
    sortes_grammar *g = NULL;
    sortes_matcher *m = NULL;

    if (sortes_grammar_new(&g, "json_object", NULL, 0, NULL, NULL) == SORTES_OK)
        (void)sortes_matcher_new(&m, g, v, NULL);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

static int grammar_open_vocab(struct grammar_check *c)
{
    sortes_error err = { 0 };

    if (!c->vocab_path)
        return 0;
    const sortes_status status =
        sortes_vocab_from_file(&c->vocab, c->vocab_path, &err);
    if (status != SORTES_OK)
        return cli_fail_engine(status, &err);
    c->n_words = (sortes_vocab_size(c->vocab) + 31) / 32;
    c->greedy = greedy_new(c->vocab);
    c->mask = calloc(c->n_words, sizeof(*c->mask));
    if (!c->greedy || !c->mask)
        return cli_fail(CLI_RUNTIME, "out of memory");
    grammar_warm(c->vocab);
    return 0;
}

static int grammar_refused(sortes_status status, const sortes_error *err)
{
    struct json_out j;

    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    json_out_key(&j, "error");
    json_out_text(&j, err->text[0] ? err->text : sortes_status_name(status));
    json_out_close(&j, '}');
    json_out_end(&j);
    (void)cli_flush();
    return CLI_RUNTIME;
}

static int grammar_compile(struct grammar_check *c)
{
    sortes_error err = { 0 };
    sortes_status status;
    struct cli_text text;

    const int rc = grammar_spec_read(&c->spec, &text);
    if (rc != 0)
        return rc;
    const uint64_t begin = samples_now();
    status = grammar_spec_compile(&c->spec, &text, c->vocab, &c->matcher, &err);
    samples_add(&c->compile, samples_now() - begin);
    free(text.data);
    return status == SORTES_OK ? 0 : grammar_refused(status, &err);
}

/* ---- one text ------------------------------------------------------------ */

static void verdict_fail(struct verdict *v, size_t byte, sortes_status status)
{
    v->accepted = false;
    v->byte = byte;
    if (status != SORTES_OK && status != SORTES_E_NO_TOKEN)
        v->error = sortes_status_name(status);
}

/* Where in a token that may not come the bytes cease to fit. */
static size_t grammar_locate(struct grammar_check *c, const char *piece,
                             size_t n)
{
    size_t n_ok = 0;

    (void)sortes_matcher_advance_bytes(c->matcher, piece, n, &n_ok);
    return n_ok;
}

/* One token: mask, then advance; false: it may not come. */
static bool grammar_step(struct grammar_check *c, int32_t token,
                         sortes_status *status, const char **error)
{
    uint64_t begin = samples_now();

    *status = sortes_matcher_mask(c->matcher, c->mask, c->n_words);
    if (c->timed)
        samples_add(&c->masks, samples_now() - begin);
    if (*status != SORTES_OK)
        return false;
    const bool allowed = c->mask[token / 32] >> (token % 32) & 1;
    begin = samples_now();
    *status = sortes_matcher_advance(c->matcher, &token, 1, NULL);
    if (c->timed && *status == SORTES_OK)
        samples_add(&c->advances, samples_now() - begin);
    if (*status == (allowed ? SORTES_E_NO_TOKEN : SORTES_OK))
        *error = "mask and advance disagree";
    return *status == SORTES_OK;
}

static void grammar_tokens(struct grammar_check *c, const char *text, size_t n,
                           struct verdict *v)
{
    sortes_status status = SORTES_OK;
    size_t length;

    for (size_t at = 0; at < n; at += length) {
        const int32_t token =
            greedy_next(c->greedy, text + at, n - at, &length);
        if (token < 0 || !grammar_step(c, token, &status, &v->error)) {
            if (token >= 0 && status == SORTES_E_NO_TOKEN)
                at += grammar_locate(c, text + at, length);
            verdict_fail(v, at, status);
            return;
        }
    }
}

/* Timed, byte by byte: there is no other step to take the time of. */
static void grammar_bytes(struct grammar_check *c, const char *text, size_t n,
                          struct verdict *v)
{
    const size_t step = c->timed ? 1 : n;

    for (size_t at = 0; at < n; at += step) {
        const uint64_t begin = samples_now();
        size_t n_ok = 0;
        const sortes_status status =
            sortes_matcher_advance_bytes(c->matcher, text + at, step, &n_ok);
        if (status != SORTES_OK) {
            verdict_fail(v, at + n_ok, status);
            return;
        }
        if (c->timed)
            samples_add(&c->advances, samples_now() - begin);
    }
}

static int grammar_text_line(struct grammar_check *c, const char *text,
                             size_t n)
{
    struct verdict v = { .accepted = true };
    struct json_out j;

    sortes_matcher_reset(c->matcher);
    if (c->vocab)
        grammar_tokens(c, text, n, &v);
    else
        grammar_bytes(c, text, n, &v);
    if (v.accepted && !sortes_matcher_is_accepting(c->matcher))
        verdict_fail(&v, n, SORTES_OK);
    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    json_out_key(&j, "accepted");
    json_out_raw(&j, v.accepted ? "true" : "false");
    json_out_key(&j, "byte");
    if (v.accepted)
        json_out_raw(&j, "null");
    else
        json_out_unsigned(&j, v.byte);
    if (v.error) {
        json_out_key(&j, "error");
        json_out_text(&j, v.error);
    }
    json_out_close(&j, '}');
    json_out_end(&j);
    return v.error ? CLI_RUNTIME : 0;
}

/* ---- all of them --------------------------------------------------------- */

/* A line without its line break; in JSON, what it holds. */
static int grammar_line(struct grammar_check *c, char *line, size_t n,
                        uint64_t number)
{
    const char *wrong;

    if (n > 0 && line[n - 1] == '\n')
        n--;
    if (c->json_lines && (wrong = json_text_decode(line, &n)))
        return cli_fail(CLI_RUNTIME, "standard input: line %llu: %s",
                        (unsigned long long)number, wrong);
    return grammar_text_line(c, line, n);
}

static void grammar_report(struct grammar_check *c)
{
    struct json_out j;

    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    samples_write(&c->compile, "compile_us", &j);
    samples_write(&c->masks, "mask_us", &j);
    samples_write(&c->advances, "advance_us", &j);
    json_out_close(&j, '}');
    json_out_end(&j);
}

static int grammar_lines(struct grammar_check *c)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int rc = 0, worst = 0;

    for (uint64_t number = 1; (n = getline(&line, &room, stdin)) >= 0;
         number++) {
        rc = grammar_line(c, line, (size_t)n, number);
        worst = rc > worst ? rc : worst;
    }
    free(line);
    if (ferror(stdin))
        return cli_fail(CLI_RUNTIME, "standard input: cannot be read (%s)",
                        strerror(errno));
    if (c->masks.failed || c->advances.failed)
        return cli_fail(CLI_RUNTIME, "out of memory");
    if (c->timed)
        grammar_report(c);
    return worst;
}

static int grammar_all(struct grammar_check *c)
{
    int rc = grammar_complete(c);

    if (rc == 0)
        rc = grammar_open_vocab(c);
    if (rc == 0)
        rc = grammar_compile(c);
    return rc == 0 ? grammar_lines(c) : rc;
}

static int grammar_run(const struct cli_command *self, int argc, char **argv)
{
    struct grammar_check c = { 0 };
    struct options o;
    int rc = options_init(&o, self, argc, argv);

    if (rc == 0)
        rc = options_parse(&o, grammar_take, &c);
    if (rc == OPTIONS_GO)
        rc = grammar_all(&c);
    sortes_matcher_free(c.matcher);
    greedy_free(c.greedy);
    sortes_vocab_free(c.vocab);
    free(c.mask);
    samples_free(&c.compile);
    samples_free(&c.masks);
    samples_free(&c.advances);
    options_free(&o);
    return rc;
}

const struct cli_command cli_grammar = {
    .name = "grammar",
    .summary = "check texts against a grammar",
    .operands = "check < LINES",
    .text = grammar_text,
    .options = grammar_options,
    .n_options = sizeof(grammar_options) / sizeof(*grammar_options),
    .run = grammar_run,
};
