/*
 * doctor.c - `sortes doctor`: what a schema, a list of tools or a request says,
 * in plain words, before a model is there
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "grammar_spec.h"
#include "json_out.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

enum { DOCTOR_JSON = 1 };

static const struct cli_option doctor_options[] = {
    { DOCTOR_JSON, "--json", NULL, "print one JSON object for machines" },
    GRAMMAR_PROFILE_OPTIONS,
};

static const char doctor_text[] =
    "Reads a JSON Schema, a structural tag, a list of tools, or a whole "
    "request\n"
    "(OpenAI's, llama-server's, Ollama's or vLLM's), and says for each part "
    "that\n"
    "asks for a grammar what was understood, what is refused and why, what "
    "was\n"
    "ignored, how long it takes to compile and how large it is; and what is\n"
    "suspicious.  Of a list of tools, every one that is refused is told.  "
    "Places\n"
    "are JSON pointers.  Exits 1 if anything is refused.  No model is "
    "needed.\n";

struct doctor {
    struct grammar_spec spec; /* its profile and documents alone */
    const char *path;
    bool as_json;
    struct json_out j;
    unsigned n_parts, n_refused, n_doubts;

    /* A list of tools that was refused; its tools may say why. */
    bool list_refused; /* the last one */
    bool holds;        /* and why has not been said yet */
    char where[256];
    sortes_error err;
};

static int doctor_take(void *ctx, int id, const char *value)
{
    struct doctor *d = ctx;
    int rc;

    if (id < GRAMMAR_OPTION_JSON_OBJECT &&
        grammar_spec_take(&d->spec, id, value, &rc))
        return rc;
    if (id == DOCTOR_JSON) {
        d->as_json = true;
        return 0;
    }
    if (d->path)
        return cli_fail(CLI_USAGE, "doctor: one file at a time (got '%s')",
                        value);
    d->path = value;
    return 0;
}

/* ---- findings ------------------------------------------------------------ */

/* One line, or one object. */
static void doctor_say(struct doctor *d, const char *level, const char *where,
                       const char *text)
{
    if (!d->as_json) {
        printf("%-10s  %s: %s\n", level, where, text);
        return;
    }
    json_out_open(&d->j, '{');
    json_out_key(&d->j, "level");
    json_out_text(&d->j, level);
    json_out_key(&d->j, "where");
    json_out_text(&d->j, where);
    json_out_key(&d->j, "text");
    json_out_text(&d->j, text);
    json_out_close(&d->j, '}');
}

/* Behind "kind: ", where the library's messages begin. */
static const char *doctor_skip_kind(const char *text)
{
    const char *kind;

    for (size_t i = 0; (kind = sortes_grammar_kind(i)); i++) {
        const size_t n = strlen(kind);

        if (strncmp(text, kind, n) == 0 && strncmp(text + n, ": ", 2) == 0)
            return text + n + 2;
    }
    return text;
}

/*
 * A message about a part names places in the part, one inside another: "tools:
 * 'f': #/parameters: json_schema: #/properties/a: problem".  Told is one place
 * in the whole, and "'f': problem".
 */
static void doctor_say_of(struct doctor *d, const char *level, const char *part,
                          const char *message)
{
    char where[512], text[512];
    const char *at = doctor_skip_kind(message), *end;

    snprintf(where, sizeof(where), "%s", part);
    text[0] = '\0';
    while ((end = strstr(at, ": "))) {
        if (*at == '#') {
            snprintf(where + strlen(where), sizeof(where) - strlen(where),
                     "%.*s", (int)(end - at - 1), at + 1);
        } else if (*at == '\'' || strncmp(at, "tool ", 5) == 0) {
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s",
                     (int)(end + 2 - at), at);
        } else {
            break;
        }
        at = doctor_skip_kind(end + 2);
    }
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s", at);
    doctor_say(d, level, where, text);
}

struct doctor_part {
    struct doctor *d;
    const char *where;
};

static void doctor_remark(void *ctx, const char *where, const char *text)
{
    const struct doctor_part *part = ctx;
    char message[512];

    snprintf(message, sizeof(message), "%s: %s", where, text);
    doctor_say_of(part->d, "ignored", part->where, message);
}

static void doctor_understood(struct doctor *d, const sortes_finding *f,
                              sortes_grammar *g, uint64_t ns)
{
    struct doctor_part part = { d, f->where };
    sortes_grammar_stats stats = { 0 };
    sortes_matcher *m = NULL;
    char text[160];

    if (sortes_matcher_new(&m, g, NULL, NULL) == SORTES_OK)
        sortes_matcher_stats(m, &stats);
    sortes_matcher_free(m);
    snprintf(text, sizeof(text),
             "understood as %s: compiled in %llu us, %zu "
             "bytes before the first token",
             f->what, (unsigned long long)(ns / 1000), stats.state_bytes);
    doctor_say(d, "ok", f->where, text);
    sortes_grammar_remarks(g, doctor_remark, &part);
}

/* The list was refused, but none of its tools: for something else in it. */
static void doctor_release(struct doctor *d)
{
    if (d->holds)
        doctor_say_of(d, "refused", d->where, d->err.text);
    d->holds = false;
}

static void doctor_part(struct doctor *d, const sortes_finding *f)
{
    sortes_grammar *g = NULL;
    sortes_error err = { 0 };

    d->n_parts++;
    d->list_refused = false;
    const uint64_t begin = samples_now();
    const sortes_status status =
        grammar_spec_new(&d->spec, f->what, f->text, f->n, &g, &err);
    if (status == SORTES_OK) {
        doctor_understood(d, f, g, samples_now() - begin);
    } else {
        d->n_refused++;
        d->holds = d->list_refused = true;
        d->err = err;
        snprintf(d->where, sizeof(d->where), "%s", f->where);
        if (strcmp(f->what, "tools") != 0)
            doctor_release(d);
    }
    sortes_grammar_free(g);
}

/* Told in place of its list, if the list is refused. */
static void doctor_tool(struct doctor *d, const sortes_finding *f)
{
    sortes_grammar *g = NULL;
    sortes_error err = { 0 };

    if (!d->list_refused)
        return;
    if (grammar_spec_new(&d->spec, f->what, f->text, f->n, &g, &err) !=
        SORTES_OK) {
        d->holds = false;
        doctor_say_of(d, "refused", f->where, err.text);
    }
    sortes_grammar_free(g);
}

static void doctor_finding(void *ctx, const sortes_finding *f)
{
    struct doctor *d = ctx;

    switch (f->type) {
    case SORTES_FINDING_PART:
        doctor_release(d);
        doctor_part(d, f);
        break;
    case SORTES_FINDING_TOOL:
        doctor_tool(d, f);
        break;
    case SORTES_FINDING_UNREAD:
        d->n_parts++;
        d->n_refused++;
        doctor_say(d, "refused", f->where, f->what);
        break;
    case SORTES_FINDING_DOUBT:
        d->n_doubts++;
        doctor_say(d, "suspicious", f->where, f->what);
        break;
    }
}

/* ---- all of it ----------------------------------------------------------- */

static int doctor_end(struct doctor *d)
{
    if (d->as_json) {
        json_out_close(&d->j, ']');
        json_out_key(&d->j, "parts");
        json_out_unsigned(&d->j, d->n_parts);
        json_out_key(&d->j, "refused");
        json_out_unsigned(&d->j, d->n_refused);
        json_out_key(&d->j, "suspicious");
        json_out_unsigned(&d->j, d->n_doubts);
        json_out_close(&d->j, '}');
        json_out_end(&d->j);
    } else if (d->n_parts == 0) {
        puts("nothing here asks for a grammar");
    } else {
        printf("%u of %u understood; %u suspicious\n",
               d->n_parts - d->n_refused, d->n_parts, d->n_doubts);
    }
    return d->n_refused ? CLI_RUNTIME : 0;
}

static int doctor_read(struct doctor *d)
{
    sortes_error err = { 0 };
    struct cli_text text;
    sortes_status status;
    int rc;

    if (!d->path)
        return cli_fail(CLI_USAGE, "doctor: a file is missing");
    rc = cli_read_file(d->path, &text);
    if (rc != 0)
        return rc;
    json_out_init(&d->j, stdout);
    if (d->as_json) {
        json_out_open(&d->j, '{');
        json_out_key(&d->j, "findings");
        json_out_open(&d->j, '[');
    }
    status = sortes_grammar_examine(text.data, text.n, doctor_finding, d, &err);
    doctor_release(d);
    if (status != SORTES_OK) {
        char wanted[384];

        snprintf(wanted, sizeof(wanted),
                 "%s; a schema, a structural tag, tools or a request is wanted",
                 err.text);
        d->n_parts = d->n_refused = 1;
        doctor_say(d, "refused", "#", wanted);
    }
    free(text.data);
    rc = doctor_end(d);
    return cli_flush() != 0 ? CLI_RUNTIME : rc;
}

static int doctor_run(const struct cli_command *self, int argc, char **argv)
{
    struct doctor d = { 0 };
    struct options o;
    int rc = options_init(&o, self, argc, argv);

    if (rc == 0)
        rc = options_parse(&o, doctor_take, &d);
    if (rc == OPTIONS_GO)
        rc = doctor_read(&d);
    options_free(&o);
    return rc;
}

const struct cli_command cli_doctor = {
    .name = "doctor",
    .summary = "say what a schema, tools or a request ask for",
    .operands = "FILE|-",
    .text = doctor_text,
    .options = doctor_options,
    .n_options = sizeof(doctor_options) / sizeof(*doctor_options),
    .run = doctor_run,
};
