/*
 * replay.c - plays llama-server's part with sortes, one command a line
 *
 *   replay PROBE.gguf ROWS.f32
 *
 * The rows are 64 rows of one float a token; after token t comes row t % 64.
 * Words and tails of the vocabulary are libllama's.  Commands, each answered
 * by one line:
 *
 *   params JSON      a request, over the defaults; "ok" or "no STATUS TEXT"
 *   gguf PATH JSON   the same, over the defaults of a GGUF
 *   get NAME         a parameter of the last request, as JSON
 *   sampler WHICH    a sampler by that request: "plans" or "literal"
 *   language FILE    its constraint: for each state, one int32 a token, the
 *                    next state or -1; it starts in state 0
 *   prompt ID ...    tokens into its history
 *   draw N           N tokens, accepted; a '*' behind one that was redrawn
 *   post N K         the same, each with its probability after sampling and
 *                    the K most likely: "T,T:P,ID:P,ID:P ..."
 *   logprobs L T K   after token L: T's log-probability and the K best
 *   pieces           every token as hexadecimal, "!" behind what ends a text
 *
 * SPDX-License-Identifier: MIT
 */
#include "llama.h"
#include "llama_vocab.h"
#include "oracle/beside.h"
#include "order/order.h"
#include "sortes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_ROWS = 64, LINE_MAX_BYTES = 1 << 20, VALUE_MAX_BYTES = 1 << 16 };

/* A language over tokens: where each leads from each state. */
struct language {
    const int32_t *next; /* n_states times n_vocab */
    size_t n_vocab;
    int32_t state;
};

struct replay {
    const struct llama_vocab *llama;
    sortes_vocab *vocab;
    float *rows;
    size_t n_vocab;
    sortes_params *params;
    sortes_sampler *sampler;
    int32_t *table; /* of the language in use */
    int32_t last;   /* the token accepted last */
};

static void die(const char *what)
{
    fprintf(stderr, "replay: %s\n", what);
    exit(1);
}

static void *xalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p)
        die("no memory");
    return p;
}

static void *read_file(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    long size = 0;
    void *data;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        die(path);
    rewind(file);
    data = xalloc((size_t)size, 1);
    if (fread(data, 1, (size_t)size, file) != (size_t)size)
        die(path);
    fclose(file);
    *n_bytes = (size_t)size;
    return data;
}

static void say_refusal(sortes_status status, const char *text)
{
    printf("no %s %s\n", sortes_status_name(status), text);
}

/* ---- the vocabulary ------------------------------------------------------ */

static void make_vocab(struct replay *r)
{
    sortes_error err;

    if (engine_llama_vocab(&r->vocab, r->llama, &err) != SORTES_OK)
        die(err.text);
}

static void command_pieces(struct replay *r)
{
    for (size_t i = 0; i < r->n_vocab; i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(r->vocab, (int32_t)i, &n);

        if (i > 0)
            putchar(' ');
        putchar('.');
        for (size_t k = 0; k < n; k++)
            printf("%02x", (unsigned char)piece[k]);
        if (sortes_vocab_flags(r->vocab, (int32_t)i) & SORTES_TOKEN_EOG)
            putchar('!');
    }
    putchar('\n');
}

/* ---- parameters ---------------------------------------------------------- */

/* A request over the defaults, or over those of a GGUF (NULL: none). */
static void read_request(struct replay *r, const char *gguf, const char *text)
{
    sortes_error err = { 0 };
    sortes_params *p;
    sortes_status status;

    if (sortes_params_new(&p, "llama.cpp", &err) != SORTES_OK)
        die(err.text);
    (void)sortes_params_use_vocab(p, r->vocab); /* it speaks of words */
    if (gguf && sortes_params_read_gguf(p, gguf, &err) != SORTES_OK)
        die(err.text);
    status = sortes_params_read(p, "llama-server", text, strlen(text), &err);
    if (status != SORTES_OK) {
        sortes_params_free(p);
        say_refusal(status, err.text);
        return;
    }
    sortes_params_free(r->params);
    r->params = p;
    puts("ok");
}

static void command_params(struct replay *r, char *rest)
{
    read_request(r, NULL, rest);
}

static void command_gguf(struct replay *r, char *rest)
{
    char *json = strchr(rest, ' ');

    if (!json)
        die("gguf: no request");
    *json++ = '\0';
    read_request(r, rest, json);
}

static void command_get(struct replay *r, char *rest)
{
    static char value[VALUE_MAX_BYTES];
    size_t n;
    const sortes_status status =
        sortes_params_get(r->params, rest, value, sizeof(value), &n, NULL);

    if (status != SORTES_OK || n >= sizeof(value))
        say_refusal(status, rest);
    else
        puts(value);
}

static void command_sampler(struct replay *r, char *rest)
{
    sortes_error err = { 0 };
    sortes_sampler *s;
    const sortes_status status =
        sortes_sampler_new(&s, r->params, r->vocab, &err);

    if (status != SORTES_OK) {
        say_refusal(status, err.text);
        return;
    }
    sortes_sampler_free(r->sampler);
    r->sampler = s;
    sortes_sampler_use_reference(s, strcmp(rest, "literal") == 0);
    puts("ok");
}

/* ---- the constraint ------------------------------------------------------ */

static int32_t language_next(const struct language *l, int32_t token)
{
    return l->next[(size_t)l->state * l->n_vocab + (size_t)token];
}

static int language_allows(void *ctx, int32_t token)
{
    return language_next(ctx, token) >= 0;
}

static sortes_status language_mask(void *ctx, uint32_t *words, size_t n_words)
{
    const struct language *l = ctx;

    (void)n_words;
    for (size_t t = 0; t < l->n_vocab; t++)
        if (language_next(l, (int32_t)t) >= 0)
            words[t / 32] |= UINT32_C(1) << t % 32;
    return SORTES_OK;
}

static sortes_status language_advance(void *ctx, int32_t token)
{
    struct language *l = ctx;
    const int32_t next = language_next(l, token);

    if (next < 0)
        return SORTES_E_NO_TOKEN;
    l->state = next;
    return SORTES_OK;
}

static void command_language(struct replay *r, char *rest)
{
    struct language *l = xalloc(1, sizeof(*l));
    size_t n_bytes;
    const sortes_constraint c = { .struct_size = sizeof(c),
                                  .ctx = l,
                                  .allows = language_allows,
                                  .mask = language_mask,
                                  .advance = language_advance,
                                  .free = free };

    free(r->table);
    r->table = read_file(rest, &n_bytes);
    if (n_bytes == 0 || n_bytes % (r->n_vocab * sizeof(int32_t)) != 0)
        die("language: a table of the wrong size");
    *l = (struct language){ r->table, r->n_vocab, 0 };
    if (sortes_sampler_set_constraint(r->sampler, &c) != SORTES_OK)
        die("language: refused");
    puts("ok");
}

/* ---- tokens -------------------------------------------------------------- */

static long take_number(char **at)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(*at, &end, 10);
    if (end == *at || errno != 0)
        die("a number was expected");
    *at = end;
    return value;
}

static int32_t take_token(struct replay *r, char **at)
{
    const long value = take_number(at);

    if (value < 0 || (size_t)value >= r->n_vocab)
        die("no such token");
    return (int32_t)value;
}

static sortes_row row_after(const struct replay *r, int32_t token)
{
    const float *row = r->rows + (size_t)(token % N_ROWS) * r->n_vocab;

    return (sortes_row){ row, r->n_vocab, SORTES_F32 };
}

static void command_prompt(struct replay *r, char *rest)
{
    while (*rest) {
        r->last = take_token(r, &rest);
        if (sortes_sampler_accept(r->sampler, &r->last, 1, SORTES_PROMPT) !=
            SORTES_OK)
            die("prompt: refused");
    }
    puts("ok");
}

static bool draw_one(struct replay *r, sortes_draw *draw)
{
    const sortes_row row = row_after(r, r->last);
    sortes_status status = sortes_sampler_sample(r->sampler, &row, draw);

    if (status == SORTES_OK)
        status = sortes_sampler_accept(r->sampler, &draw->token, 1,
                                       SORTES_GENERATED);
    if (status != SORTES_OK) {
        printf(" %s", sortes_status_name(status));
        return false;
    }
    r->last = draw->token;
    return true;
}

static void command_draw(struct replay *r, char *rest)
{
    sortes_draw draw;

    printf("ok");
    for (long n = take_number(&rest); n > 0 && draw_one(r, &draw); n--)
        printf(" %d%s", draw.token,
               draw.flags & SORTES_DRAW_REDRAWN ? "*" : "");
    putchar('\n');
}

/* The token drawn with its p, then the likeliest: post_sampling_probs. */
static void command_post(struct replay *r, char *rest)
{
    long n = take_number(&rest);
    const long k = take_number(&rest);
    sortes_probability *top = xalloc(r->n_vocab, sizeof(*top)), drawn;
    sortes_draw draw;
    size_t n_top;

    printf("ok");
    for (; n > 0; n--) {
        const sortes_row row = row_after(r, r->last);

        if (sortes_sampler_probabilities(r->sampler, &row, top, (size_t)k,
                                         &n_top, &drawn) != SORTES_OK ||
            !draw_one(r, &draw) || draw.token != drawn.token)
            break;
        printf(" %d%s,%d:%.17g", draw.token,
               draw.flags & SORTES_DRAW_REDRAWN ? "*" : "", drawn.token,
               (double)drawn.p);
        for (size_t i = 0; i < n_top; i++)
            printf(",%d:%.17g", top[i].token, (double)top[i].p);
    }
    putchar('\n');
    free(top);
}

static void command_logprobs(struct replay *r, char *rest)
{
    const int32_t last = take_token(r, &rest), token = take_token(r, &rest);
    const long wanted = take_number(&rest);
    const size_t k = (size_t)wanted < r->n_vocab ? (size_t)wanted : r->n_vocab;
    const sortes_row row = row_after(r, last);
    sortes_logprob *top = xalloc(k, sizeof(*top));
    float own;
    const sortes_status status = sortes_sampler_logprobs(
        r->sampler, &row, SORTES_LOGPROBS_RAW, token, top, k, &own);

    if (status != SORTES_OK) {
        say_refusal(status, "logprobs");
    } else {
        printf("ok %d:%.17g", token, (double)own);
        for (size_t i = 0; i < k; i++)
            printf(" %d:%.17g", top[i].token, (double)top[i].logprob);
        putchar('\n');
    }
    free(top);
}

/* ---- the command line ---------------------------------------------------- */

static const struct command {
    const char *name;
    void (*run)(struct replay *r, char *rest);
} commands[] = {
    { "params", command_params },     { "gguf", command_gguf },
    { "get", command_get },           { "sampler", command_sampler },
    { "language", command_language }, { "prompt", command_prompt },
    { "draw", command_draw },         { "post", command_post },
    { "logprobs", command_logprobs },
};

static void run_command(struct replay *r, char *line)
{
    char *rest = line + strcspn(line, " ");

    if (*rest)
        *rest++ = '\0';
    if (strcmp(line, "pieces") == 0) {
        command_pieces(r);
        return;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        if (strcmp(line, commands[i].name) == 0) {
            commands[i].run(r, rest);
            return;
        }
    die(line);
}

int main(int argc, char **argv)
{
    struct llama_model_params options = llama_model_default_params();
    struct replay r = { 0 };
    struct llama_model *model;
    size_t n_bytes;
    char *line = xalloc(LINE_MAX_BYTES, 1);

    if (argc != 3)
        die("PROBE.gguf ROWS.f32 are needed");
    llama_log_set(beside_quiet, NULL);
    options.vocab_only = true;
    model = llama_model_load_from_file(argv[1], options);
    if (!model)
        die(argv[1]);
    r.llama = llama_model_get_vocab(model);
    r.n_vocab = (size_t)llama_vocab_n_tokens(r.llama);
    r.rows = read_file(argv[2], &n_bytes);
    if (n_bytes != N_ROWS * r.n_vocab * sizeof(float))
        die("rows of another vocabulary");
    make_vocab(&r);
    while (fgets(line, LINE_MAX_BYTES, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        run_command(&r, line);
        fflush(stdout);
    }
    sortes_sampler_free(r.sampler);
    sortes_params_free(r.params);
    sortes_vocab_free(r.vocab);
    free(r.table);
    free(r.rows);
    free(line);
    llama_model_free(model);
    return 0;
}
