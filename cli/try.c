/*
 * try.c - `sortes try`: recorded rows, drawn again, on one screen
 *
 * For a first look, and for a machine's first check: no model is needed, and
 * every token is compared with the one that llama.cpp drew when the rows were
 * recorded.  Exit code 4 when one differs.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "engine.h"
#include "show.h"
#include "utf8_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRY_RECORDING "examples/rows/smollm2.rows"

enum { TRY_N_TOP = 3, TRY_STAGE_MAX = 32 };

struct try_best {
    int32_t token;
    double share; /* of those left */
};

struct
try {
    const char *path;
    char found[4096];
    struct engine *engine;
    const struct engine_recording *rec;
    sortes_params *params;
    sortes_sampler *sampler;
    struct show show;
    size_t n_same;
};

static int try_take(void *ctx, int id, const char *value)
{
    struct try *t = ctx;

    (void)id;
    if (t->path)
        return cli_fail(CLI_USAGE,
                        "one recording at a time (got '%s' and "
                        "'%s')",
                        t->path, value);
    t->path = value;
    return 0;
}

/* ---- opening ------------------------------------------------------------- */

static int try_open(struct try *t)
{
    sortes_error err = { 0 };

    if (!t->path && !cli_find(TRY_RECORDING, t->found, sizeof(t->found)))
        return cli_fail(CLI_RUNTIME,
                        "try: %s is neither beside this program nor here; "
                        "name a recording",
                        TRY_RECORDING);
    if (!t->path)
        t->path = t->found;
    const sortes_status status = engine_open(&t->engine, t->path, NULL, &err);
    if (status != SORTES_OK)
        return cli_fail_engine(status, &err);
    t->rec = engine_recording(t->engine);
    if (!t->rec)
        return cli_fail(CLI_USAGE,
                        "try: %s is a model, not a recording; "
                        "`sortes generate -m` runs it",
                        t->path);
    return 0;
}

static int try_sampler(struct try *t)
{
    const struct engine_recording *r = t->rec;
    sortes_error err = { 0 };

    sortes_status status = sortes_params_new(&t->params, r->dialect, &err);
    if (status == SORTES_OK)
        status = sortes_params_read(t->params, "llama-server", r->params,
                                    strlen(r->params), &err);
    if (status == SORTES_OK)
        status = sortes_params_set_seed(t->params, r->seed, &err);
    if (status == SORTES_OK)
        status = sortes_sampler_new(&t->sampler, t->params,
                                    engine_vocab(t->engine), &err);
    if (status == SORTES_OK)
        status = sortes_sampler_accept(t->sampler, r->prompt_tokens,
                                       r->n_prompt_tokens, SORTES_PROMPT);
    if (status == SORTES_OK)
        status = engine_decode(t->engine, r->prompt_tokens, r->n_prompt_tokens,
                               &err);
    return status == SORTES_OK ? 0 : cli_fail_engine(status, &err);
}

/* ---- the head ------------------------------------------------------------ */

static void try_fact(const char *name, const char *text)
{
    options_wrap(stdout, 12, printf("  %s", name), text);
}

static void try_head(struct try *t, const sortes_row *row)
{
    static const char *const types[] = { [SORTES_F32] = "float32",
                                         [SORTES_F16] = "float16",
                                         [SORTES_BF16] = "bfloat16" };
    const struct engine_recording *r = t->rec;
    char count[32], text[160];

    options_wrap(stdout, 0, 0,
                 "A model gives every token of its vocabulary a number, its "
                 "logit.  Here are logits that a model once gave; sortes draws "
                 "a token from each row, and it must be the one that the "
                 "engine drew.");
    fputc('\n', stdout);
    try_fact("model", r->model);
    show_number(count, sizeof(count), row->n);
    snprintf(text, sizeof(text), "%zu of %s logits each, in %s", r->n_tokens,
             count, types[row->type]);
    try_fact("rows", text);
    snprintf(text, sizeof(text), "%s, seed %llu", r->sampled,
             (unsigned long long)r->seed);
    try_fact("drawn by", text);
    try_fact("dialect", sortes_dialect_identity(r->dialect));
    try_fact("prompt", r->prompt);
}

/* ---- the first row, stage by stage --------------------------------------- */

/* Keeps the best few, best first; of equal ones the earlier stays in front. */
static void try_insert(struct try_best *top, size_t *n, int32_t token, double x)
{
    size_t at = *n;

    while (at > 0 && top[at - 1].share < x)
        at--;
    if (at == TRY_N_TOP)
        return;
    if (*n < TRY_N_TOP)
        ++*n;
    memmove(top + at + 1, top + at, (*n - at - 1) * sizeof(*top));
    top[at] = (struct try_best){ token, x };
}

struct try_view { /* one stage's outcome, for the eye */
    struct try_best top[TRY_N_TOP];
    size_t n_top;
    size_t n_left;      /* candidates above -inf */
    double drawn_share; /* 0 until one is drawn */
};

/*
 * Shares are taken from the logits, as only some stages compute
 * probabilities; they are shown and decide nothing.
 */
static void try_measure(const sortes_stage_view *view, struct try_view *v)
{
    double sum = 0;

    *v = (struct try_view){ .n_top = 0 };
    for (size_t i = 0; i < view->n; i++)
        if (view->logit[i] > -HUGE_VALF)
            try_insert(v->top, &v->n_top, view->token[i],
                       (double)view->logit[i]);
    const double best = v->top[0].share;
    for (size_t i = 0; i < view->n; i++) {
        v->n_left += view->logit[i] > -HUGE_VALF;
        sum += exp((double)view->logit[i] - best);
    }
    for (size_t i = 0; i < v->n_top; i++)
        v->top[i].share = exp(v->top[i].share - best) / sum;
    if (view->selected >= 0)
        v->drawn_share = exp((double)view->logit[view->selected] - best) / sum;
}

/* "top_k 40" where a parameter has the stage's name, else the stage. */
static void try_stage_name(const struct try *t, const char *stage, char *out,
                           size_t size)
{
    const sortes_param_info *info;
    char value[24];

    snprintf(out, size, "%s", stage);
    for (size_t i = 0; (info = sortes_param_at(t->rec->dialect, i)); i++)
        if (strcmp(info->name, stage) == 0) {
            options_value(t->params, info, value, sizeof(value));
            snprintf(out, size, "%s %s", stage, value);
        }
}

static void try_piece(const struct try *t, int32_t token, size_t width)
{
    size_t n = 0;
    const char *piece = engine_piece(t->engine, token, &n);
    char text[64];

    show_quoted(text, sizeof(text), piece, n, 14);
    show_padded(text, width);
}

static void try_stage(void *ctx, const sortes_stage_view *view)
{
    const struct try *t = ctx;
    struct try_view v;
    char name[TRY_STAGE_MAX], count[32];

    try_measure(view, &v);
    try_stage_name(t, view->stage, name, sizeof(name));
    show_number(count, sizeof(count), v.n_left);
    printf("  %-17s%8s   ", name, count);
    if (view->selected >= 0) {
        printf("draws ");
        try_piece(t, view->token[view->selected], 0);
        printf(", whose share is %.1f%%", v.drawn_share * 100);
    } else
        for (size_t i = 0; i < v.n_top; i++) {
            printf("%s", i > 0 ? "   " : "");
            try_piece(t, v.top[i].token, 8);
            printf("%5.1f%%", v.top[i].share * 100);
        }
    fputc('\n', stdout);
}

static int try_explain(struct try *t, const sortes_row *row)
{
    show_title(&t->show, "Row 0, stage by stage");
    show_heading(&t->show, "  stage                left   most likely, with "
                           "their shares of what is left");
    const sortes_status status =
        sortes_sampler_explain(t->sampler, row, try_stage, t);
    return status == SORTES_OK ? 0 : cli_fail_row(t->path, 0, status);
}

/* ---- every row ----------------------------------------------------------- */

static void try_show_draw(struct try *t, size_t i, const sortes_draw *draw)
{
    const bool same = draw->token == t->rec->tokens[i];
    char count[32];

    t->n_same += same;
    show_number(count, sizeof(count), draw->n_candidates);
    printf("  %3zu   ", i);
    try_piece(t, draw->token, 16);
    printf("%7ld  %11s   %.6f  %9ld  ", (long)draw->token, count, draw->margin,
           (long)t->rec->tokens[i]);
    show_verdict(&t->show, same, same ? "same" : "differs");
    fputc('\n', stdout);
}

/* Draws for the current row, then goes on with the recorded token. */
static int try_row(struct try *t, size_t i)
{
    const int32_t *recorded = &t->rec->tokens[i];
    sortes_row row;
    sortes_draw draw;
    sortes_error err = { 0 };

    sortes_status status = engine_row(t->engine, &row);
    if (status == SORTES_OK)
        status = sortes_sampler_sample(t->sampler, &row, &draw);
    if (status != SORTES_OK)
        return cli_fail_row(t->path, i, status);
    try_show_draw(t, i, &draw);
    status = sortes_sampler_accept(t->sampler, recorded, 1, SORTES_GENERATED);
    if (status == SORTES_OK && i + 1 < t->rec->n_tokens)
        status = engine_decode(t->engine, recorded, 1, &err);
    return status == SORTES_OK ? 0 : cli_fail_engine(status, &err);
}

static int try_rows(struct try *t)
{
    int rc = 0;

    show_title(&t->show, "Every row; margin: how far the random number was "
                         "from another token");
    show_heading(&t->show, "  row   text              token   candidates     "
                           "margin   recorded");
    for (size_t i = 0; i < t->rec->n_tokens && rc == 0; i++)
        rc = try_row(t, i);
    return rc;
}

/* The prompt and what the recorded tokens make of it. */
static void try_read_out(struct try *t)
{
    struct utf8_stream u;

    printf("\n  %s", t->rec->prompt);
    utf8_stream_init(&u, utf8_to_stdout, NULL);
    for (size_t i = 0; i < t->rec->n_tokens; i++) {
        size_t n = 0;
        const int32_t token = t->rec->tokens[i];
        const char *piece = engine_piece(t->engine, token, &n);
        if (!engine_is_control(t->engine, token))
            (void)utf8_stream_push(&u, piece, n);
    }
    (void)utf8_stream_end(&u);
    fputs(" ...\n\n", stdout);
}

static int try_verdict(struct try *t)
{
    const size_t n = t->rec->n_tokens;
    char line[120];

    try_read_out(t);
    if (t->n_same == n)
        snprintf(line, sizeof(line), "All %zu tokens are the recorded ones.",
                 n);
    else
        snprintf(line, sizeof(line),
                 "%zu of %zu tokens are not the recorded "
                 "ones.",
                 n - t->n_same, n);
    show_verdict(&t->show, t->n_same == n, line);
    fputs("\nNext: `make demo` runs a model, `sortes help` lists the "
          "commands.\n",
          stdout);
    return t->n_same == n ? CLI_OK : CLI_DIFFERS;
}

/* ---- all of it ----------------------------------------------------------- */

static int try_all(struct try *t)
{
    sortes_row row;
    int rc = try_open(t);

    if (rc == 0)
        rc = try_sampler(t);
    if (rc != 0)
        return rc;
    const sortes_status status = engine_row(t->engine, &row);
    if (status != SORTES_OK)
        return cli_fail_row(t->path, 0, status);
    show_init(&t->show);
    try_head(t, &row);
    rc = try_explain(t, &row);
    if (rc == 0)
        rc = try_rows(t);
    return rc == 0 ? try_verdict(t) : rc;
}

static int try_run(const struct cli_command *self, int argc, char **argv)
{
    struct try t = { 0 };
    struct options o;
    int rc = options_init(&o, self, argc, argv);

    if (rc == 0)
        rc = options_parse(&o, try_take, &t);
    if (rc == OPTIONS_GO)
        rc = try_all(&t);
    sortes_sampler_free(t.sampler);
    sortes_params_free(t.params);
    engine_close(t.engine);
    options_free(&o);
    return rc;
}

static const char try_text[] =
    "Plays rows of logits that were recorded once, with the tokens llama.cpp\n"
    "drew from them: shows what each stage of the first draw leaves, then\n"
    "draws from every row and compares.  Without a recording's path it takes\n"
    "the one that comes with sortes.  Exit code 4 when a token differs.\n";

const struct cli_command cli_try = {
    .name = "try",
    .summary = "draw from recorded rows and compare; needs no model",
    .operands = "[RECORDING]",
    .text = try_text,
    .options = NULL,
    .n_options = 0,
    .samples = false,
    .run = try_run,
};
