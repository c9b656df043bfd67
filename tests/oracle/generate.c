/*
 * generate.c - live: a whole generation, against libllama's chain on its rows
 *
 * The program draws 64 tokens twice with one seed; both must be the same.  Then
 * the model is run again, here, and on every row libllama's own chain with
 * default parameters must draw the token that the program drew.  The rows that
 * the repository carries are checked the same way: what they record is what
 * libllama draws.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "llama.h"
#include "support/run_program.h"

enum { N_TOKENS = 64 };

static const char prompt[] = "The oracle opened the book at random and read:";

/* What common_sampler builds by default, less the stages that are off. */
static struct llama_sampler *default_chain(size_t n_vocab, uint32_t seed)
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
    llama_sampler_chain_add(chain, llama_sampler_init_dist(seed));
    return chain;
}

static int32_t chain_draw(struct llama_sampler *chain, const sortes_row *row)
{
    llama_token_data *data = calloc(row->n, sizeof(*data));
    llama_token_data_array array = { data, row->n, -1, false };
    int32_t token;
    size_t i;

    assert_non_null(data);
    for (i = 0; i < row->n; i++) {
        data[i].id = (llama_token)i;
        if (row->type == SORTES_F32) {
            data[i].logit = ((const float *)row->data)[i];
        } else {
            uint32_t bits = (uint32_t)((const uint16_t *)row->data)[i] << 16;

            memcpy(&data[i].logit, &bits, sizeof(bits));
        }
    }
    llama_sampler_apply(chain, &array);
    assert_true(array.selected >= 0);
    token = array.data[array.selected].id;
    llama_sampler_accept(chain, token);
    free(data);
    return token;
}

/* The numbers of a JSON array "name": [1, 2, ...] in the program's answer. */
static size_t read_ids(const char *json, const char *name, int32_t *ids)
{
    char key[32];
    const char *at;
    size_t n = 0;

    snprintf(key, sizeof(key), "\"%s\":", name);
    at = strstr(json, key);
    assert_non_null(at);
    at = strchr(at, '[');
    assert_non_null(at);
    while (*at != ']') {
        char *end;

        ids[n++] = (int32_t)strtol(at + 1, &end, 10);
        assert_ptr_not_equal(end, at + 1);
        assert_true(n <= N_TOKENS);
        at = end + strspn(end, " \n");
        assert_true(*at == ',' || *at == ']');
    }
    return n;
}

static size_t run_generate(const char *model, const char *seed,
                           int32_t *prompt_ids, size_t *n_prompt, int32_t *ids)
{
    static struct run r;

    memset(&r, 0, sizeof(r));
    RUN(&r, "generate", "-m", model, "-p", prompt, "-n", "64", "--seed", seed,
        "--json");
    assert_int_equal(r.exit_code, 0);
    *n_prompt = read_ids(r.out, "prompt_tokens", prompt_ids);
    return read_ids(r.out, "tokens", ids);
}

static void generate_draws_libllamas_tokens(void **state)
{
    const char *model = getenv("SORTES_MODEL");
    int32_t prompt_ids[N_TOKENS], ids[2][N_TOKENS];
    size_t n_prompt, n, i;
    struct llama_sampler *chain;
    struct engine *e;
    sortes_row row;

    (void)state;
    assert_non_null(model);
    n = run_generate(model, "42", prompt_ids, &n_prompt, ids[0]);
    assert_true(n > 8);
    assert_int_equal(run_generate(model, "42", prompt_ids, &n_prompt, ids[1]),
                     n);
    assert_memory_equal(ids[0], ids[1], n * sizeof(ids[0][0]));

    assert_int_equal(engine_open(&e, model, NULL, NULL), SORTES_OK);
    chain = default_chain(engine_n_vocab(e), 42);
    assert_int_equal(engine_decode(e, prompt_ids, n_prompt, NULL), SORTES_OK);
    for (i = 0; i < n; i++) {
        assert_int_equal(engine_row(e, &row), SORTES_OK);
        assert_int_equal(chain_draw(chain, &row), ids[0][i]);
        assert_int_equal(engine_decode(e, &ids[0][i], 1, NULL), SORTES_OK);
    }
    llama_sampler_free(chain);
    engine_close(e);
}

static void another_seed_draws_other_tokens(void **state)
{
    const char *model = getenv("SORTES_MODEL");
    int32_t prompt_ids[N_TOKENS], ids[2][N_TOKENS] = { { 0 } };
    size_t n_prompt;

    (void)state;
    (void)run_generate(model, "1", prompt_ids, &n_prompt, ids[0]);
    (void)run_generate(model, "2", prompt_ids, &n_prompt, ids[1]);
    assert_memory_not_equal(ids[0], ids[1], sizeof(ids[0]));
}

static void the_recording_is_what_libllama_draws(void **state)
{
    const struct engine_recording *r;
    struct llama_sampler *chain;
    struct engine *e;
    sortes_row row;
    size_t i;

    (void)state;
    assert_int_equal(
        engine_open(&e, SORTES_ROOT "/examples/rows/smollm2.rows", NULL, NULL),
        SORTES_OK);
    r = engine_recording(e);
    chain = default_chain(engine_n_vocab(e), (uint32_t)r->seed);
    assert_int_equal(
        engine_decode(e, r->prompt_tokens, r->n_prompt_tokens, NULL),
        SORTES_OK);
    for (i = 0; i < r->n_tokens; i++) {
        assert_int_equal(engine_row(e, &row), SORTES_OK);
        assert_int_equal(chain_draw(chain, &row), r->tokens[i]);
        if (i + 1 < r->n_tokens)
            assert_int_equal(engine_decode(e, &r->tokens[i], 1, NULL),
                             SORTES_OK);
    }
    llama_sampler_free(chain);
    engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generate_draws_libllamas_tokens),
        cmocka_unit_test(another_seed_draws_other_tokens),
        cmocka_unit_test(the_recording_is_what_libllama_draws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
