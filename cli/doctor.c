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
    "(OpenAI's or llama-server's), and says for each part that asks for a "
    "grammar\n"
    "what was understood, what is refused and why, what was ignored, how long "
    "it\n"
    "takes to compile and how large it is; and what is suspicious.  Places are "
    "JSON\n"
    "pointers.  Exits 1 if a part is refused.  No model is needed.\n";

struct doctor {
    struct grammar_spec spec; /* its profile and documents alone */
    const char *path;
    bool as_json;
    struct json_out j;
    unsigned n_parts, n_refused, n_doubts;
    const char *where; /* of the part that is being told */
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

/* ---- findings -------------------------------------------------------------
 */

/* One line, or one object; where: behind the part's own place. */
static void doctor_say(struct doctor *d, const char *level, const char *where,
                       const char *text)
{
    const char *part = d->where ? d->where : "";

    if (where[0] == '#' && part[0])
        where++;
    if (!d->as_json) {
        printf("%-10s  %s%s: %s\n", level, part, where, text);
        return;
    }
    json_out_open(&d->j, '{');
    json_out_key(&d->j, "level");
    json_out_text(&d->j, level);
    json_out_key(&d->j, "part");
    json_out_text(&d->j, part);
    json_out_key(&d->j, "where");
    json_out_text(&d->j, where);
    json_out_key(&d->j, "text");
    json_out_text(&d->j, text);
    json_out_close(&d->j, '}');
}

static void doctor_remark(void *ctx, const char *where, const char *text)
{
    doctor_say(ctx, "ignored", where, text);
}

static void doctor_understood(struct doctor *d, const char *kind,
                              sortes_grammar *g, uint64_t ns)
{
    sortes_grammar_stats stats = { 0 };
    sortes_matcher *m = NULL;
    char text[160];

    if (sortes_matcher_new(&m, g, NULL, NULL) == SORTES_OK)
        sortes_matcher_stats(m, &stats);
    sortes_matcher_free(m);
    snprintf(text, sizeof(text),
             "understood as %s: compiled in %llu us; %zu states and %zu bytes "
             "so far",
             kind, (unsigned long long)(ns / 1000), stats.n_states,
             stats.state_bytes);
    doctor_say(d, "ok", "", text);
    sortes_grammar_remarks(g, doctor_remark, d);
}

static void doctor_part(struct doctor *d, const sortes_finding *f)
{
    sortes_grammar *g = NULL;
    sortes_error err = { 0 };

    d->n_parts++;
    d->where = f->where;
    const uint64_t begin = samples_now();
    const sortes_status status =
        grammar_spec_new(&d->spec, f->what, f->text, f->n, &g, &err);
    if (status == SORTES_OK) {
        doctor_understood(d, f->what, g, samples_now() - begin);
    } else {
        d->n_refused++;
        doctor_say(d, "refused", "", err.text);
    }
    sortes_grammar_free(g);
    d->where = NULL;
}

static void doctor_finding(void *ctx, const sortes_finding *f)
{
    struct doctor *d = ctx;

    if (f->text) {
        doctor_part(d, f);
        return;
    }
    d->n_doubts++;
    doctor_say(d, "suspicious", f->where, f->what);
}

/* ---- all of it ------------------------------------------------------------
 */

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
    if (status != SORTES_OK) {
        d->n_parts = d->n_refused = 1;
        doctor_say(d, "refused", "#", err.text);
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
