/*
 * grammar.c - live: GBNF in its literal form against libllama's grammar
 *
 * Random walks: at every step the whole mask is compared with what
 * llama_sampler_init_grammar leaves of a row of zeros, then both are told a
 * token that is allowed.  Grammars of the kinds that llama.cpp ships, with
 * token elements, lazy ones, and random ones, which must be refused alike as
 * well (their classes are narrow: llama.cpp's stacks multiply along a token's
 * characters).
 *
 *   oracle_grammar [--long | WALKS [SEED]]
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"
#include "llama.h"
#include "llama_vocab.h"
#include "sortes.h"
#include "support/gbnf_naive.h"
#include "support/gbnf_samples.h"
#include "support/rows.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALK_STEPS = 30, RANDOM_SECONDS = 3 };

static struct {
    const struct llama_vocab *llama;
    sortes_vocab *sortes;
    size_t n; /* tokens */
    llama_token_data *row;
    uint32_t *mask;
    int32_t *allowed;
    size_t n_allowed;
    struct rows_random random;
    uint64_t masks, walks, grammars, ends, different;
    uint64_t random_grammars, slow;
} world;

/* Grammars with elements that are whole tokens. */
static const char *const with_tokens[] = {
    "root ::= \"a\"+ <[30]> [0-9]* | !<[40]> \"b\"* <|im_start|>\n",
    "root ::= ([a-z]{1,3} (<[2683]> | !<[253]>))* \".\"\n",
    "root ::= <[999999]> | [\\u4e00-\\u9fff] <[10]>? | \"x\" !<[999999]>\n",
    "root ::= <|im_start|> [^<]* <|im_end|>\n",
    "root ::= \"\\u20ac\" <[5]> | [^\\u2000-\\u20ff] <[100]>\n",
};

static void grammar_die(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* ---- one step ------------------------------------------------------------ */

static bool llama_allows(size_t token)
{
    return isfinite(world.row[token].logit);
}

static bool sortes_allows(size_t token)
{
    return world.mask[token / 32] >> token % 32 & 1;
}

static void show_difference(const char *text, size_t token)
{
    size_t n;
    const char *piece = sortes_vocab_piece(world.sortes, (int32_t)token, &n);

    fprintf(stderr, "DIFFERENT token %zu '%.*s' (", token, (int)n, piece);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "%02x", (unsigned char)piece[i]);
    fprintf(stderr, "): llama.cpp %s, sortes %s\n%s\n",
            llama_allows(token) ? "allows" : "forbids",
            sortes_allows(token) ? "allows" : "forbids", text);
}

/* Whether both masks are the same; fills world.allowed. */
static bool compare_masks(const char *text, struct llama_sampler *theirs,
                          sortes_matcher *ours)
{
    llama_token_data_array a = { world.row, world.n, -1, false };
    sortes_status status;

    for (size_t i = 0; i < world.n; i++)
        world.row[i] = (llama_token_data){ (llama_token)i, 0, 0 };
    llama_sampler_apply(theirs, &a);
    status = sortes_matcher_mask(ours, world.mask, (world.n + 31) / 32);
    if (status != SORTES_OK) {
        fprintf(stderr, "DIFFERENT mask: %s\n%s\n", sortes_status_name(status),
                text);
        return false;
    }
    world.masks++;
    world.n_allowed = 0;
    for (size_t i = 0; i < world.n; i++) {
        const int allows = sortes_matcher_allows(ours, (int32_t)i);

        if (llama_allows(i) != sortes_allows(i) ||
            (i % 7 == world.masks % 7 && allows != sortes_allows(i))) {
            show_difference(text, i);
            return false;
        }
        if (sortes_allows(i))
            world.allowed[world.n_allowed++] = (int32_t)i;
    }
    return true;
}

/* One of the allowed tokens; often one that ends inside a character. */
static int32_t pick_token(void)
{
    int32_t token = world.allowed[rows_below(&world.random, world.n_allowed)];

    if (rows_below(&world.random, 3) == 0)
        for (size_t i = rows_below(&world.random, world.n_allowed);
             i < world.n_allowed; i++) {
            size_t n;
            const char *piece =
                sortes_vocab_piece(world.sortes, world.allowed[i], &n);

            if (n && (unsigned char)piece[n - 1] >= 0xc0)
                return world.allowed[i];
        }
    return token;
}

/* Whether the token leads to where something may follow: where it does not,
 * llama.cpp throws. */
static bool can_go_on(sortes_matcher *ours, int32_t token)
{
    sortes_matcher *ahead;
    size_t n = 0;
    bool ends;

    if (sortes_matcher_clone(&ahead, ours) != SORTES_OK ||
        sortes_matcher_advance(ahead, &token, 1, NULL) != SORTES_OK)
        grammar_die("an allowed token was refused");
    ends = sortes_matcher_is_finished(ahead) != 0;
    if (!ends && sortes_matcher_allowed(ahead, NULL, 0, &n) != SORTES_OK)
        grammar_die("no list");
    sortes_matcher_free(ahead);
    return ends || n > 0;
}

static bool walk_once(const char *text, sortes_grammar *g,
                      const struct llama_sampler *fresh)
{
    struct llama_sampler *theirs = llama_sampler_clone(fresh);
    sortes_matcher *ours;
    bool same = true;

    if (sortes_matcher_new(&ours, g, world.sortes, NULL) != SORTES_OK)
        grammar_die("no matcher");
    for (int step = 0; step < WALK_STEPS; step++) {
        int32_t token;

        same = compare_masks(text, theirs, ours);
        if (!same || !world.n_allowed)
            break;
        token = pick_token();
        if (!can_go_on(ours, token))
            break;
        llama_sampler_accept(theirs, token);
        if (sortes_matcher_advance(ours, &token, 1, NULL) != SORTES_OK)
            grammar_die("an allowed token was refused");
        if (sortes_matcher_is_finished(ours)) {
            world.ends++;
            break;
        }
    }
    world.walks++;
    sortes_matcher_free(ours);
    llama_sampler_free(theirs);
    return same;
}

/* ---- one grammar --------------------------------------------------------- */

/* llama.cpp would not come back from left recursion that it does not see. */
static bool is_endless(const char *text)
{
    const struct srt_options options = { .form = SRT_FORM_LITERAL,
                                         .max_states = 100000,
                                         .max_state_bytes = 100 << 20 };
    struct srt_program *p;
    struct srt_timer timer = { 0 };
    struct srt_rules r;
    bool found = false;

    if (srt_language_gbnf.parse(&p, text, strlen(text), &options, NULL) !=
        SORTES_OK)
        return false;
    if (srt_rules_build(&r, (const struct srt_gbnf *)p, NULL, NULL, &timer,
                        NULL) != SORTES_OK)
        grammar_die("no rules");
    for (size_t i = 0; i < r.n_rules; i++)
        found |= r.rules[i].recursive;
    srt_rules_free(&r);
    srt_language_gbnf.free(p);
    return found;
}

static bool compare_grammar(const char *text, uint64_t walks)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .form = "literal" };
    struct llama_sampler *theirs;
    sortes_grammar *ours = NULL;
    sortes_error err = { 0 };
    bool same;

    theirs = llama_sampler_init_grammar(world.llama, text, "root");
    same = (sortes_grammar_new(&ours, "gbnf", text, strlen(text), &options,
                               &err) == SORTES_OK) == (theirs != NULL);
    world.grammars++;
    if (!same)
        fprintf(stderr, "DIFFERENT: llama.cpp %s, sortes: %s\n%s\n",
                theirs ? "accepts" : "refuses", err.text, text);
    for (uint64_t i = 0; same && theirs && i < walks; i++)
        same = walk_once(text, ours, theirs);
    world.different += !same;
    sortes_grammar_free(ours);
    if (theirs)
        llama_sampler_free(theirs);
    return same;
}

/* ---- lazy ---------------------------------------------------------------- */

static void tokens_of(const char *text, int32_t *tokens, int32_t *n)
{
    *n = llama_tokenize(world.llama, text, (int32_t)strlen(text), tokens, 64,
                        false, true);
    if (*n < 0)
        grammar_die("too many tokens");
}

/* Both sleep, hear one text in llama.cpp's tokens or in random cuts, and then
 * agree on every token. */
static bool compare_lazy(const char *said, const char *word, bool cut)
{
    static const char text[] = "root ::= \"<tool>\" [a-z]+ \"(\" [0-9]* \")\" "
                               "| \"call\" [a-z]{2,} \";\"\n";
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .form = "literal" };
    const sortes_trigger trigger = { "word", word, strlen(word), -1 };
    struct llama_sampler *theirs = llama_sampler_init_grammar_lazy_patterns(
        world.llama, text, "root", &word, 1, NULL, 0);
    char part[64];
    int32_t tokens[64], n;
    sortes_grammar *g;
    sortes_matcher *ours;
    bool same = true;

    if (!theirs ||
        sortes_grammar_new(&g, "gbnf", text, strlen(text), &options, NULL) !=
            SORTES_OK ||
        sortes_matcher_new(&ours, g, world.sortes, NULL) != SORTES_OK ||
        sortes_matcher_trigger(ours, &trigger, 1, NULL) != SORTES_OK)
        grammar_die("no lazy grammar");
    for (size_t at = 0; same && at < strlen(said);) {
        const size_t piece =
            cut ? 1 + rows_below(&world.random, 4) : strlen(said);

        snprintf(part, sizeof(part), "%.*s", (int)piece, said + at);
        at += strlen(part);
        tokens_of(part, tokens, &n);
        for (int32_t i = 0; i < n && same; i++) {
            same =
                compare_masks(text, theirs, ours) &&
                sortes_matcher_advance(ours, &tokens[i], 1, NULL) == SORTES_OK;
            if (same)
                llama_sampler_accept(theirs, tokens[i]);
        }
    }
    same = same && compare_masks(text, theirs, ours) &&
           world.n_allowed < world.n / 2;
    if (!same)
        fprintf(stderr, "DIFFERENT, lazy: '%s' in '%s'\n", word, said);
    world.different += !same;
    sortes_matcher_free(ours);
    sortes_grammar_free(g);
    llama_sampler_free(theirs);
    return same;
}

static void compare_all_lazy(void)
{
    static const char *const said[][2] = {
        { "I may call it: <tool>", "<tool>" },
        { "<<tool>abc(1", "<tool>" },
        { "no <to <tool>ab", "<tool>" },
        { "recall", "call" },
        { "we callab", "call" },
    };

    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
        for (int cut = 0; cut < 6; cut++)
            (void)compare_lazy(said[i][0], said[i][1], cut > 0);
}

static void quiet(enum ggml_log_level level, const char *text, void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

/* In a process of its own: llama.cpp's stacks multiply, and what takes it more
 * than some seconds is passed over. */
static void compare_random(const char *text)
{
    int how = 0;
    pid_t child;

    if (is_endless(text))
        return;
    child = fork();
    if (child < 0)
        grammar_die("no process");
    if (child == 0) {
        alarm(RANDOM_SECONDS);
        _exit(compare_grammar(text, 1) ? 0 : 1);
    }
    if (waitpid(child, &how, 0) != child)
        grammar_die("a process was lost");
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        world.random_grammars++;
    else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGALRM)
        world.slow++;
    else
        world.different++;
}

static void load_grammar_vocab(void)
{
    struct llama_model_params params = llama_model_default_params();
    const char *path = getenv("SORTES_MODEL");
    struct llama_model *model;

    if (!path || !*path)
        grammar_die("SORTES_MODEL names no GGUF: run `make deps`");
    llama_log_set(quiet, NULL);
    params.vocab_only = true;
    model = llama_model_load_from_file(path, params);
    if (!model)
        grammar_die("cannot load SORTES_MODEL");
    world.llama = llama_model_get_vocab(model);
    if (engine_llama_vocab(&world.sortes, world.llama, NULL) != SORTES_OK)
        grammar_die("cannot make the vocab");
    world.n = (size_t)llama_vocab_n_tokens(world.llama);
    world.row = calloc(world.n, sizeof(*world.row));
    world.mask = calloc(world.n / 32 + 1, sizeof(*world.mask));
    world.allowed = calloc(world.n, sizeof(*world.allowed));
    if (!world.row || !world.mask || !world.allowed)
        grammar_die("no memory");
}

int main(int argc, char **argv)
{
    const bool long_run = argc > 1 && strcmp(argv[1], "--long") == 0;
    uint64_t walks = long_run ? 20 : 2;
    uint64_t seed;
    char text[4096];

    if (argc > 1 && !long_run)
        walks = strtoull(argv[1], NULL, 10);
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    world.random.state = seed;
    load_grammar_vocab();
    for (size_t i = 0; i < gbnf_n_samples; i++)
        (void)compare_grammar(gbnf_samples[i].text, walks);
    for (size_t i = 0; i < sizeof(with_tokens) / sizeof(*with_tokens); i++)
        (void)compare_grammar(with_tokens[i], walks);
    compare_all_lazy();
    for (uint64_t i = 0; i < 50 * walks && world.different < 10; i++) {
        naive_grammar(text, sizeof(text), true, &seed);
        compare_random(text);
    }
    printf("grammar: %llu masks in %llu walks (%llu to the end) of %llu "
           "grammars, %llu random grammars (%llu too slow there), %llu "
           "different\n",
           (unsigned long long)world.masks, (unsigned long long)world.walks,
           (unsigned long long)world.ends, (unsigned long long)world.grammars,
           (unsigned long long)world.random_grammars,
           (unsigned long long)world.slow, (unsigned long long)world.different);
    return world.different || world.masks < 100 || world.random_grammars < 20
               ? 1
               : 0;
}
