/*
 * test_memory.c - the allocator: not called by steps, and allowed to fail
 *
 * Where support/heap.h cannot count and fail, the cases are skipped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include "gguf_build.h"
#include "support/files.h"
#include "support/heap.h"
#include "support/rows.h"
#include "support/settings.h"
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need_the_heap(void)
{
    if (!heap_is_ours())
        skip();
}

static void allocator_is_watched(void **state)
{
    volatile size_t size = 100; /* or the compiler drops the pair */
    void *block, *grown;

    (void)state;
    need_the_heap();
    heap_arm(2, false);
    block = malloc(size);
    assert_non_null(block);
    grown = realloc(block, 2 * size);
    free(grown ? grown : block);
    heap_disarm();
    assert_null(grown);
    assert_int_equal(heap.calls, 3);
    assert_int_equal(heap.failed, 1);
}

/* ---- steps --------------------------------------------------------------- */

enum { ROW = 1500, ROWS = 4, STEPS = 1000 };

static float logits[ROWS][ROW];

static sortes_row row_at(size_t step)
{
    const sortes_row row = { logits[step % ROWS], ROW, SORTES_F32 };

    return row;
}

static void fill_rows(void)
{
    static const enum rows_kind kinds[ROWS] = { ROWS_ORDINARY, ROWS_TIED,
                                                ROWS_FLAT, ROWS_STEPS };

    for (size_t i = 0; i < ROWS; i++)
        rows_fill(logits[i], ROW, kinds[i], i);
}

static sortes_status step(sortes_sampler *s, size_t number)
{
    const sortes_row row = row_at(number);
    sortes_status status;
    sortes_draw draw;

    status = sortes_sampler_sample(s, &row, &draw);
    if (status != SORTES_OK)
        return status;
    return sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED);
}

/* No call of the allocator in so many steps after the first. */
static void check_steps(size_t shape, int reference, size_t n)
{
    sortes_sampler *const s = shape_sampler(shape, 3);
    sortes_status status = SORTES_OK;

    sortes_sampler_use_reference(s, reference);
    assert_int_equal(step(s, 0), SORTES_OK);
    heap_arm(0, false);
    for (size_t i = 1; i <= n && status == SORTES_OK; i++)
        status = step(s, i);
    heap_disarm();
    assert_int_equal(status, SORTES_OK);
    if (heap.calls != 0)
        fail_msg("%s%s: %zu calls of the allocator", shape_name(shape),
                 reference ? " by the reference" : "", heap.calls);
    sortes_sampler_free(s);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    need_the_heap();
    fill_rows();
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        check_steps(shape, 0, STEPS);
        check_steps(shape, 1, STEPS / 10);
    }
}

/* Rows of every length and type up to the thread's longest so far. */
static void steps_with_any_settings_do_not_allocate(void **state)
{
    struct rows_random r = { 12 };
    static uint16_t narrow[ROW];

    (void)state;
    need_the_heap();
    fill_rows();
    for (int i = 0; i < 60; i++) {
        struct settings settings;
        sortes_sampler *s;
        sortes_draw draw;

        settings_random(&settings, &r, ROW);
        s = settings_sampler(&settings);
        assert_non_null(s);
        (void)step(s, 0);
        heap_arm(0, false);
        for (size_t n = 1; n <= ROW; n += 97) {
            const sortes_row row =
                rows_as(logits[n % ROWS], narrow, n, (sortes_dtype)(n % 3));
            (void)sortes_sampler_sample(s, &row, &draw);
        }
        heap_disarm();
        assert_int_equal(heap.calls, 0);
        sortes_sampler_free(s);
    }
}

static void prompts_within_a_short_window_do_not_allocate(void **state)
{
    static int32_t tokens[5000];
    sortes_sampler *const s = shape_sampler(17, 3);
    sortes_status status;

    (void)state;
    for (size_t i = 0; i < 5000; i++)
        tokens[i] = (int32_t)(i * 7 % 997);
    heap_arm(0, false);
    status = sortes_sampler_accept(s, tokens, 5000, SORTES_PROMPT);
    heap_disarm();
    assert_int_equal(status, SORTES_OK);
    assert_int_equal(heap.calls, 0);
    sortes_sampler_free(s);
    need_the_heap();
}

static void look_at_nothing(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    (void)view;
}

static void looking_does_not_allocate(void **state)
{
    static float p[ROW];
    static sortes_logprob top[ROW];
    sortes_sampler *const s = shape_sampler(16, 3);
    float logprob;
    bool ok = true;

    (void)state;
    fill_rows();
    assert_int_equal(step(s, 0), SORTES_OK);
    heap_arm(0, false);
    for (size_t i = 0; i < 20; i++) {
        const sortes_row row = row_at(i);

        ok &= sortes_sampler_distribution(s, &row, p) == SORTES_OK;
        ok &=
            sortes_sampler_explain(s, &row, look_at_nothing, NULL) == SORTES_OK;
        ok &= sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 1, top, 100,
                                      &logprob) == SORTES_OK;
        ok &= sortes_sampler_reset(s) == SORTES_OK;
    }
    heap_disarm();
    assert_true(ok);
    assert_int_equal(heap.calls, 0);
    sortes_sampler_free(s);
    need_the_heap();
}

static void batches_do_not_allocate(void **state)
{
    sortes_sampler *s[SHAPES_N];
    sortes_row rows[SHAPES_N];
    sortes_draw draws[SHAPES_N];
    sortes_status status = SORTES_OK;

    (void)state;
    fill_rows();
    for (size_t i = 0; i < SHAPES_N; i++) {
        s[i] = shape_sampler(i, i);
        rows[i] = row_at(i);
    }
    assert_int_equal(step(s[0], 0), SORTES_OK);
    heap_arm(0, false);
    for (int i = 0; i < 20 && status == SORTES_OK; i++)
        status = sortes_sampler_sample_batch(s, rows, draws, NULL, SHAPES_N,
                                             NULL, NULL);
    heap_disarm();
    assert_int_equal(status, SORTES_OK);
    assert_int_equal(heap.calls, 0);
    for (size_t i = 0; i < SHAPES_N; i++)
        sortes_sampler_free(s[i]);
    need_the_heap();
}

/* ---- failures: the calls ------------------------------------------------- */

/* What a call works on, made before it; what it makes; all freed after it. */
struct world {
    sortes_params *params;
    sortes_sampler *sampler, *twin; /* the same, and never touched */
    sortes_params *new_params;
    sortes_sampler *new_sampler;
    sortes_vocab *new_vocab;
    sortes_draw draw; /* token -5, logprob 7, p all 0.5 before the call */
    float logprob, p[ROW];
    sortes_error err;
};

static const char request[] =
    "{\"temperature\": 0.7, \"top_k\": 17, \"seed\": 5, \"samplers\": "
    "[\"penalties\", \"top_k\", \"top_p\", \"min_p\", \"temperature\"], "
    "\"logit_bias\": [[1, 2.5], [2, false], [3, -1], [4, 1], [5, 1]], "
    "\"n_probs\": 3}";

static sortes_status call_params_new(struct world *w)
{
    return sortes_params_new(&w->new_params, "llama.cpp", &w->err);
}

static sortes_status call_params_clone(struct world *w)
{
    return sortes_params_clone(&w->new_params, w->params);
}

static sortes_status call_set_list(struct world *w)
{
    return sortes_params_set_text(w->params, "logit_bias",
                                  "1+1,2-2,3+3,4-4,5+5,6-inf", &w->err);
}

static sortes_status call_set_strings(struct world *w)
{
    return sortes_params_set_text(w->params, "dry_sequence_breakers",
                                  "a;\\n;bc", &w->err);
}

static sortes_status call_set_samplers(struct world *w)
{
    return sortes_params_set_text(w->params, "samplers", "top_k;t;xtc",
                                  &w->err);
}

static sortes_status call_read_ollama(struct world *w)
{
    static const char options[] = "{\"top_k\":5,\"temperature\":0.5}";

    return sortes_params_read(w->params, "ollama", options, sizeof(options) - 1,
                              &w->err);
}

static sortes_status call_read_modelfile(struct world *w)
{
    static const char file[] = "FROM x\nPARAMETER top_k 5\n";

    return sortes_params_read(w->params, "modelfile", file, sizeof(file) - 1,
                              &w->err);
}

static sortes_status call_set_number(struct world *w)
{
    return sortes_params_set_text(w->params, "top_p", "0.123456789", &w->err);
}

static sortes_status call_read_request(struct world *w)
{
    return sortes_params_read(w->params, "llama-server", request,
                              sizeof(request) - 1, &w->err);
}

static sortes_status call_read_gguf(struct world *w)
{
    return sortes_params_read_gguf(w->params, "tiny.gguf", &w->err);
}

static sortes_status call_vocab_from_gguf(struct world *w)
{
    return sortes_vocab_from_gguf(&w->new_vocab, "tiny.gguf", &w->err);
}

static sortes_status call_vocab_new(struct world *w)
{
    static const char *const bytes[] = { "a", "bc", "", "\xff\xfe" };
    static const size_t n_bytes[] = { 1, 2, 0, 2 };
    static const uint32_t flags[] = { 0, 0, SORTES_TOKEN_EOG, 0 };
    const sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                                     .n_tokens = 4,
                                     .bytes = bytes,
                                     .n_bytes = n_bytes,
                                     .flags = flags };

    return sortes_vocab_new(&w->new_vocab, &desc, &w->err);
}

static sortes_status call_sampler_new(struct world *w)
{
    return sortes_sampler_new(&w->new_sampler, w->params, NULL, &w->err);
}

static sortes_status call_sampler_clone(struct world *w)
{
    return sortes_sampler_clone(&w->new_sampler, w->sampler);
}

static sortes_status call_accept(struct world *w)
{
    static int32_t tokens[3000];

    for (size_t i = 0; i < 3000; i++)
        tokens[i] = (int32_t)(i * 13 % 1201);
    return sortes_sampler_accept(w->sampler, tokens, 3000, SORTES_PROMPT);
}

static sortes_status call_accept_one(struct world *w)
{
    const int32_t token = 44;

    return sortes_sampler_accept(w->sampler, &token, 1, SORTES_PROMPT);
}

static sortes_status call_sample(struct world *w)
{
    const sortes_row row = row_at(1);

    return sortes_sampler_sample(w->sampler, &row, &w->draw);
}

static sortes_status call_sample_reference(struct world *w)
{
    sortes_status status;

    sortes_sampler_use_reference(w->sampler, 1);
    status = call_sample(w);
    sortes_sampler_use_reference(w->sampler, 0);
    return status;
}

static sortes_status call_distribution(struct world *w)
{
    const sortes_row row = row_at(1);

    return sortes_sampler_distribution(w->sampler, &row, w->p);
}

static sortes_status call_explain(struct world *w)
{
    const sortes_row row = row_at(1);

    return sortes_sampler_explain(w->sampler, &row, look_at_nothing, NULL);
}

static sortes_status call_logprobs(struct world *w)
{
    const sortes_row row = row_at(1);
    sortes_logprob top[5];

    return sortes_sampler_logprobs(w->sampler, &row, SORTES_LOGPROBS_RAW, 3,
                                   top, 5, &w->logprob);
}

static sortes_status call_batch(struct world *w)
{
    const sortes_row row = row_at(1);
    sortes_draw draw;

    return sortes_sampler_sample_batch(&w->sampler, &row, &draw, NULL, 1, NULL,
                                       NULL);
}

static sortes_status call_selftest(struct world *w)
{
    return sortes_selftest(&w->err);
}

/* moves: on success the sampler is no longer where its twin is.  least: the
 * allocations that it surely needs. */
static const struct call {
    const char *name;
    sortes_status (*run)(struct world *w);
    bool moves;
    size_t least;
} calls[] = {
    { "params_new", call_params_new, false, 1 },
    { "params_clone", call_params_clone, false, 2 },
    { "params_set_text, a list", call_set_list, false, 2 },
    { "params_set_text, strings", call_set_strings, false, 4 },
    { "params_set_text, samplers", call_set_samplers, false, 3 },
    { "params_read, ollama", call_read_ollama, false, 5 },
    { "params_read, modelfile", call_read_modelfile, false, 5 },
    { "params_set_text, a number", call_set_number, false, 0 },
    { "params_read", call_read_request, false, 5 },
    { "params_read_gguf", call_read_gguf, false, 5 },
    { "vocab_from_gguf", call_vocab_from_gguf, false, 5 },
    { "vocab_new", call_vocab_new, false, 2 },
    { "sampler_new", call_sampler_new, false, 5 },
    { "sampler_clone", call_sampler_clone, false, 5 },
    { "sampler_accept, many", call_accept, true, 2 },
    { "sampler_accept, one", call_accept_one, true, 2 },
    { "sampler_sample", call_sample, true, 1 },
    { "sampler_sample by the reference", call_sample_reference, true, 1 },
    { "sampler_distribution", call_distribution, false, 1 },
    { "sampler_explain", call_explain, false, 1 },
    { "sampler_logprobs", call_logprobs, false, 1 },
    { "sampler_sample_batch", call_batch, true, 1 },
    { "selftest", call_selftest, false, 5 },
};

/* ---- failures: around a call --------------------------------------------- */

static void write_tiny_gguf(void)
{
    static const char *const texts[] = { "<s>", "</s>", "a", "<0x41>" };
    static const int32_t types[] = { 3, 3, 1, 6 };
    static struct gguf_build built;

    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "llama");
    build_texts(&built, "tokenizer.ggml.tokens", texts, 4);
    build_i32s(&built, "tokenizer.ggml.token_type", types, 4);
    build_whole(&built, "tokenizer.ggml.eos_token_id", SRT_GGUF_U32, 1);
    build_f32(&built, "general.sampling.temp", 0.5f);
    build_whole(&built, "general.sampling.top_k", SRT_GGUF_I32, 20);
    build_end(&built);
    file_write("tiny.gguf", built.bytes, built.n);
}

/* A window that must grow, and then drops tokens; no work memory yet. */
static void world_make(struct world *w)
{
    static const int32_t tokens[] = { 5, 6, 7, 5 };

    memset(w, 0, sizeof(*w));
    w->draw.token = -5;
    w->logprob = 7.0f;
    for (size_t i = 0; i < ROW; i++)
        w->p[i] = 0.5f;
    w->params = shape_params(18, 9);
    assert_int_equal(sortes_params_set_text(w->params, "samplers",
                                            "penalties;top_k;top_p;min_p;temp",
                                            NULL),
                     SORTES_OK);
    assert_int_equal(
        sortes_params_set_text(w->params, "repeat_last_n", "1500", NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_new(&w->sampler, w->params, NULL, NULL),
                     SORTES_OK);
    for (size_t i = 0; i < 272; i++) /* all that is reserved from the start */
        assert_int_equal(
            sortes_sampler_accept(w->sampler, tokens, 4, SORTES_PROMPT),
            SORTES_OK);
    w->twin = shape_clone(w->sampler);
    sortes_thread_release();
}

static void world_free(struct world *w)
{
    sortes_params_free(w->params);
    sortes_params_free(w->new_params);
    sortes_sampler_free(w->sampler);
    sortes_sampler_free(w->twin);
    sortes_sampler_free(w->new_sampler);
    sortes_vocab_free(w->new_vocab);
    sortes_thread_release();
}

/* Every parameter's value and source, as text. */
static void params_text(const sortes_params *p, char *out, size_t size)
{
    const sortes_param_info *info;
    size_t at = 0;

    for (size_t i = 0; (info = sortes_param_at("llama.cpp", i)) != NULL; i++) {
        sortes_source source;
        size_t n;

        assert_int_equal(
            sortes_params_get(p, info->name, out + at, size - at, &n, &source),
            SORTES_OK);
        assert_true(at + n + 2 < size);
        out[at + n] = (char)('0' + source);
        at += n + 1;
    }
    out[at] = '\0';
}

/* The same draws, before and after so many tokens that the oldest leave. */
static void check_twins(sortes_sampler *a, sortes_sampler *b)
{
    int32_t tokens[120];

    for (size_t i = 0; i < 3 * ROWS; i++) {
        const sortes_row row = row_at(i);
        sortes_draw x, y;

        assert_int_equal(sortes_sampler_sample(a, &row, &x), SORTES_OK);
        assert_int_equal(sortes_sampler_sample(b, &row, &y), SORTES_OK);
        assert_memory_equal(&x, &y, sizeof(x));
        for (size_t j = 0; j < 120; j++)
            tokens[j] = (int32_t)(i * j % 1009);
        (void)sortes_sampler_accept(a, tokens, 120, SORTES_FORCED);
        (void)sortes_sampler_accept(b, tokens, 120, SORTES_FORCED);
    }
}

/* A failed call has made nothing and left everything as it was. */
static void check_failed(struct world *w, const struct call *call,
                         const char *before)
{
    static char after[4096];

    assert_null(w->new_params);
    assert_null(w->new_sampler);
    assert_null(w->new_vocab);
    assert_true(w->draw.token == -5 && w->logprob == 7.0f);
    for (size_t i = 0; i < ROW; i++)
        assert_true(w->p[i] == 0.5f);
    params_text(w->params, after, sizeof(after));
    assert_string_equal(after, before);
    check_twins(w->sampler, w->twin);
    /* and it can be made again */
    assert_int_equal(call->run(w), SORTES_OK);
}

/* One call with one failure; false: it was over before that. */
static bool fail_once(const struct call *call, size_t fail_at, bool go_on)
{
    static char before[4096];
    const long live = heap.live;
    static struct world w;
    sortes_status status;
    bool failed;

    world_make(&w);
    params_text(w.params, before, sizeof(before));
    heap_arm(fail_at, go_on);
    status = call->run(&w);
    heap_disarm();
    failed = heap.failed > 0;
    if (status != SORTES_OK && status != SORTES_E_NOMEM)
        fail_msg("%s, allocation %zu: %s: %s", call->name, fail_at,
                 sortes_status_name(status), w.err.text);
    if (status != SORTES_OK)
        check_failed(&w, call, before);
    else if (!call->moves)
        check_twins(w.sampler, w.twin);
    world_free(&w);
    if (heap.live != live)
        fail_msg("%s, allocation %zu: %ld blocks are left", call->name, fail_at,
                 heap.live - live);
    return failed;
}

static void check_calls(bool go_on)
{
    need_the_heap();
    fill_rows();
    write_tiny_gguf();
    sortes_thread_release();
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        size_t n = 1;

        while (fail_once(&calls[i], n, go_on))
            n++;
        assert_in_range(n - 1, calls[i].least, 10000);
    }
}

static void calls_survive_one_failed_allocation(void **state)
{
    (void)state;
    check_calls(false);
}

static void calls_survive_the_end_of_memory(void **state)
{
    (void)state;
    check_calls(true);
}

static void longer_row_without_memory_keeps_the_old_memory(void **state)
{
    sortes_sampler *const s = shape_sampler(6, 3);
    const sortes_row shorter = { logits[0], ROW - 100, SORTES_F32 };
    const sortes_row longer = row_at(0);
    sortes_status failed, status;
    sortes_draw draw;

    (void)state;
    fill_rows();
    sortes_thread_release();
    assert_int_equal(sortes_sampler_sample(s, &shorter, &draw), SORTES_OK);
    heap_arm(1, true);
    failed = sortes_sampler_sample(s, &longer, &draw);
    status = sortes_sampler_sample(s, &shorter, &draw);
    heap_disarm();
    sortes_sampler_free(s);
    need_the_heap();
    assert_int_equal(failed, SORTES_E_NOMEM);
    assert_int_equal(status, SORTES_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocator_is_watched),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(steps_with_any_settings_do_not_allocate),
        cmocka_unit_test(prompts_within_a_short_window_do_not_allocate),
        cmocka_unit_test(looking_does_not_allocate),
        cmocka_unit_test(batches_do_not_allocate),
        cmocka_unit_test(calls_survive_one_failed_allocation),
        cmocka_unit_test(calls_survive_the_end_of_memory),
        cmocka_unit_test(longer_row_without_memory_keeps_the_old_memory),
    };

    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    (void)remove("tiny.gguf");
    return failed;
}
