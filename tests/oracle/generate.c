/*
 * generate.c - live: `sortes generate` against libllama's own chain and decode
 *
 * The program that SORTES_BIN names continues a prompt twice, with the model
 * that SORTES_MODEL names, and must draw the same tokens twice.  Then this
 * program tokenizes and decodes the same prompt through llama.h alone, feeds
 * libllama's own chain, and must draw these tokens too.  Nothing of engine/ or
 * cli/ is used on that side.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/json.h"
#include "oracle/llama_chain.h"
#include "support/run_program.h"

#include <ggml-backend.h>

#include <math.h>

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The same on both sides, as a sum's order may depend on it; and one, because
 * libllama's threads spin while they wait, which other work makes very slow. */
#define THREADS "1"

enum { GENERATE_TOKENS = 64, GENERATE_CTX = 1024, GENERATE_MOST = 512 };

struct tokens {
    int32_t id[GENERATE_MOST];
    size_t n;
};

/* What a run of the program printed. */
struct printed {
    struct tokens prompt, drawn;
    char finish[16];
    uint64_t seed;
};

static struct llama_model *model;
static const struct llama_vocab *vocab;
static size_t n_vocab;
static uint64_t n_compared;

static const char *model_path(void)
{
    const char *path = getenv("SORTES_MODEL");

    if (!path || !path[0])
        fail_msg("SORTES_MODEL names no model");
    return path;
}

/* ---- the program --------------------------------------------------------- */

static void read_ids(const struct srt_json *root, const char *key,
                     struct tokens *out)
{
    const struct srt_json *list = srt_json_find(root, key);

    assert_non_null(list);
    out->n = 0;
    for (const struct srt_json *it = list->first; it; it = it->next) {
        assert_true(out->n < GENERATE_MOST);
        out->id[out->n++] = (int32_t)strtol(it->text, NULL, 10);
    }
}

static void read_printed(const char *text, struct printed *out)
{
    struct srt_json_document document;
    const struct srt_json *finish, *seed;

    assert_int_equal(srt_json_read(&document, text, strlen(text), NULL),
                     SORTES_OK);
    read_ids(document.root, "prompt_tokens", &out->prompt);
    read_ids(document.root, "tokens", &out->drawn);
    finish = srt_json_find(document.root, "finish_reason");
    seed = srt_json_find(document.root, "seed");
    assert_true(finish && seed);
    assert_true(finish->n < sizeof(out->finish));
    strcpy(out->finish, finish->text);
    out->seed = strtoull(seed->text, NULL, 10);
    srt_json_free(&document);
}

/* Runs `sortes generate` with some more arguments, the last one NULL. */
static void generate(const char *prompt, const char *const *more,
                     struct printed *out)
{
    static struct run r;
    const char *args[RUN_ARGS_MAX] = { "generate", "-m",        model_path(),
                                       "-p",       prompt,      "-n",
                                       "64",       "--json",    "-c",
                                       "1024",     "--threads", THREADS };
    size_t n = 12;

    while (*more) {
        assert_true(n + 1 < RUN_ARGS_MAX);
        args[n++] = *more++;
    }
    memset(&r, 0, sizeof(r));
    run_program(&r, args);
    run_check(&r, 0, "");
    read_printed(r.out, out);
}

/* ---- libllama alone ------------------------------------------------------ */

static int open_model(void **state)
{
    (void)state;
    llama_log_set(beside_quiet, NULL);
    ggml_backend_load_all();
    llama_backend_init();
    model =
        llama_model_load_from_file(model_path(), llama_model_default_params());
    assert_non_null(model);
    vocab = llama_model_get_vocab(model);
    n_vocab = (size_t)llama_vocab_n_tokens(vocab);
    return 0;
}

static int close_model(void **state)
{
    (void)state;
    llama_model_free(model);
    llama_backend_free();
    printf("oracle/generate: %llu tokens compared (libllama %s)\n",
           (unsigned long long)n_compared, llama_version());
    return 0;
}

static void tokenize(const char *text, struct tokens *out)
{
    const int32_t n = llama_tokenize(vocab, text, (int32_t)strlen(text),
                                     out->id, GENERATE_MOST, true, true);

    assert_true(n > 0);
    out->n = (size_t)n;
}

static const char *in_template(const char *user)
{
    static char text[4096];
    const struct llama_chat_message message = { "user", user };
    const int32_t n =
        llama_chat_apply_template(llama_model_chat_template(model, NULL),
                                  &message, 1, true, text, sizeof(text) - 1);

    assert_in_range(n, 1, sizeof(text) - 1);
    text[n] = '\0';
    return text;
}

/* The logits behind some more tokens. */
static const float *decode(struct llama_context *ctx, int32_t *tokens, size_t n)
{
    const float *logits;

    assert_int_equal(llama_decode(ctx, llama_batch_get_one(tokens, (int32_t)n)),
                     0);
    logits = llama_get_logits_ith(ctx, -1);
    assert_non_null(logits);
    return logits;
}

/* Prompt, then sample and accept until an end token or the last of them. */
static void continue_alone(const struct settings *s, struct tokens *prompt,
                           struct tokens *drawn)
{
    struct llama_context_params params = llama_context_default_params();
    struct llama_chain chain = llama_chain_make(s, n_vocab);
    llama_token_data *data = calloc(n_vocab, sizeof(*data));
    struct llama_context *ctx;
    const float *logits;

    params.n_ctx = GENERATE_CTX;
    params.n_threads = params.n_threads_batch = atoi(THREADS);
    ctx = llama_init_from_model(model, params);
    assert_true(ctx && data);
    llama_chain_accept(&chain, prompt->id, prompt->n);
    logits = decode(ctx, prompt->id, prompt->n);
    for (drawn->n = 0; drawn->n < GENERATE_TOKENS;) {
        int32_t token = llama_chain_draw(&chain, data, logits, n_vocab);

        llama_chain_accept(&chain, &token, 1);
        drawn->id[drawn->n++] = token;
        if (llama_vocab_is_eog(vocab, token))
            break;
        logits = decode(ctx, &token, 1);
    }
    llama_free(ctx);
    llama_chain_free(&chain);
    free(data);
}

/* ---- comparison ---------------------------------------------------------- */

static void check_same(const struct tokens *a, const struct tokens *b,
                       const char *what)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->id[i] != b->id[i])
            fail_msg("%s: token %zu is %d, and %d the other time", what, i,
                     a->id[i], b->id[i]);
    assert_int_equal(a->n, b->n);
}

/* text: the prompt as the model reads it. */
static void compare(const char *prompt, const char *text,
                    const char *const *arguments, const struct settings *s)
{
    static struct printed first, second;
    static struct tokens alone_prompt, alone;

    generate(prompt, arguments, &first);
    generate(prompt, arguments, &second);
    check_same(&first.prompt, &second.prompt, "prompt, twice");
    check_same(&first.drawn, &second.drawn, "drawn, twice");
    assert_string_equal(first.finish, second.finish);
    assert_int_equal(first.seed, s->seed);

    tokenize(text, &alone_prompt);
    check_same(&first.prompt, &alone_prompt, "prompt, libllama alone");
    continue_alone(s, &alone_prompt, &alone);
    check_same(&first.drawn, &alone, "drawn, libllama alone");
    assert_true(first.drawn.n > 1);
    assert_string_equal(
        first.finish,
        llama_vocab_is_eog(vocab, alone.id[alone.n - 1]) ? "stop" : "length");
    n_compared += alone.n;
}

#define ARGUMENTS(...)                                                         \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

static const char oracle_prompt[] =
    "The priest shook the jar, drew a lot and read aloud:";

static void generate_with_the_defaults(void **state)
{
    struct settings s = settings_default();

    (void)state;
    s.seed = 42;
    compare(oracle_prompt, oracle_prompt, ARGUMENTS("--seed", "42"), &s);
}

static void generate_with_penalties_and_a_nucleus(void **state)
{
    struct settings s = settings_default();

    (void)state;
    s.seed = 7;
    s.temperature = 1.2f;
    s.top_k = 0;
    s.top_p = 0.9f;
    s.min_p = 0;
    s.repeat = 1.15f;
    s.last_n = 32;
    compare(oracle_prompt, oracle_prompt,
            ARGUMENTS("--seed", "7", "--temp", "1.2", "--top-k", "0", "--top-p",
                      "0.9", "--min-p", "0", "--repeat-penalty", "1.15",
                      "--repeat-last-n", "32"),
            &s);
}

static void generate_with_biases_and_the_whole_row(void **state)
{
    struct settings s = settings_default();

    (void)state;
    s.seed = 4294967294u;
    s.temperature = 0.7f;
    s.top_k = 0;
    s.top_p = 1;
    s.min_p = 0;
    s.frequency = 0.3f;
    s.presence = 0.4f;
    s.n_biases = 2;
    s.biases[0] = (struct settings_bias){ 0, -HUGE_VALF };
    s.biases[1] = (struct settings_bias){ 28, 2.5f };
    compare(oracle_prompt, oracle_prompt,
            ARGUMENTS("--seed", "4294967294", "--temp", "0.7", "--top-k", "0",
                      "--top-p", "1", "--min-p", "0", "--frequency-penalty",
                      "0.3", "--presence-penalty", "0.4", "-l", "0-inf,28+2.5"),
            &s);
}

static void generate_in_the_chat_template(void **state)
{
    static const char question[] = "What does a drawn lot decide?";
    struct settings s = settings_default();

    (void)state;
    s.seed = 42;
    compare(question, in_template(question),
            ARGUMENTS("--seed", "42", "--chat"), &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generate_with_the_defaults),
        cmocka_unit_test(generate_with_penalties_and_a_nucleus),
        cmocka_unit_test(generate_with_biases_and_the_whole_row),
        cmocka_unit_test(generate_in_the_chat_template),
    };

    return cmocka_run_group_tests(tests, open_model, close_model);
}
