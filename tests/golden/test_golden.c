/*
 * test_golden.c - recorded answers of llama.cpp, without llama.cpp
 *
 * tools/record_golden*.c and tools/record_golden_probs.cpp say what a line
 * holds.  Every line is answered by the literal stages and, where tokens are
 * drawn, by the plans on every instruction set of this machine.  The last
 * cases alter lines in memory, one bit at a time, and expect to see it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "golden/golden.h"

#include "json/json.h"
#include "kernel/kernel.h"
#include "numeric/bits.h"
#include "support/rows.h"
#include "support/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONGEST = 50000, MOST_TOP = 1024 };

/* A line may be wrong in any way; the first thing that is, is told. */
static char wrong[512];

static bool tell(const char *what, const char *where)
{
    (void)snprintf(wrong, sizeof(wrong), "%s (%s)", what, where);
    return false;
}

/* ---- JSON ---------------------------------------------------------------- */

/* Fields that are not there read as 0 and "", and then differ. */
static uint64_t number_of(const struct srt_json *v, const char *key)
{
    const struct srt_json *field = srt_json_find(v, key);

    return field && field->type == SRT_JSON_NUMBER
               ? strtoull(field->text, NULL, 10)
               : 0;
}

static const char *text_of(const struct srt_json *v, const char *key)
{
    const struct srt_json *field = srt_json_find(v, key);

    return field && field->type == SRT_JSON_STRING ? field->text : "";
}

static uint32_t bits_at(const char *hex, size_t i)
{
    char word[9] = "";

    if (strlen(hex) >= 8 * (i + 1))
        memcpy(word, hex + 8 * i, 8);
    return (uint32_t)strtoul(word, NULL, 16);
}

/* A list of ids; fewer than `most`. */
static size_t ids_of(const struct srt_json *v, const char *key, int32_t *ids,
                     size_t most)
{
    const struct srt_json *list = srt_json_find(v, key);
    size_t n = 0;

    if (list && list->type == SRT_JSON_ARRAY)
        for (const struct srt_json *it = list->first; it && n < most;
             it = it->next)
            ids[n++] = (int32_t)strtol(it->text, NULL, 10);
    return n;
}

/* ---- rows ---------------------------------------------------------------- */

static float x[LONGEST];
static uint16_t narrow[LONGEST];

static sortes_dtype type_of(const char *name)
{
    if (strcmp(name, "f16") == 0)
        return SORTES_F16;
    return strcmp(name, "bf16") == 0 ? SORTES_BF16 : SORTES_F32;
}

/* The row of a step; n 0: it makes no sense. */
static sortes_row row_of(const struct srt_json *v, uint64_t step)
{
    const struct srt_json *row = srt_json_find(v, "row");
    const char *logits = text_of(row, "logits");
    const char *kind = text_of(row, "kind");
    size_t n = strlen(logits) / 8;

    if (n > 0) {
        for (size_t i = 0; i < n && i < LONGEST; i++)
            x[i] = srt_float32(bits_at(logits, i));
        return (sortes_row){ x, n, SORTES_F32 };
    }
    n = (size_t)number_of(row, "n");
    for (int i = 0; i < ROWS_N_KINDS; i++) {
        if (strcmp(rows_kind_name((enum rows_kind)i), kind) != 0 || n > LONGEST)
            continue;
        rows_fill(x, n, (enum rows_kind)i, number_of(row, "seed") + step);
        return rows_as(x, narrow, n, type_of(text_of(row, "type")));
    }
    return (sortes_row){ x, 0, SORTES_F32 };
}

/* ---- the chain ----------------------------------------------------------- */

static sortes_sampler *sampler_of(const struct srt_json *line)
{
    const struct srt_json *params = srt_json_find(line, "params");
    int32_t history[512];
    const size_t n = ids_of(line, "history", history, 512);
    sortes_params *p;
    sortes_sampler *s = NULL;
    sortes_error err;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_non_null(params);
    for (const struct srt_json *it = params->first; it; it = it->next) {
        const char *text = it->type == SRT_JSON_TRUE    ? "true"
                           : it->type == SRT_JSON_FALSE ? "false"
                                                        : it->text;
        if (sortes_params_set_text(p, it->key, text, &err) != SORTES_OK)
            fail_msg("%s", err.text);
    }
    /* DRY asks for a vocab, and then for no word of it: no breakers. */
    if (sortes_sampler_new(&s, p, stages_words(), &err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_int_equal(sortes_sampler_accept(s, history, n, SORTES_PROMPT),
                     SORTES_OK);
    sortes_params_free(p);
    return s;
}

/* Walks the recorded stages beside the ones shown. */
struct walk {
    const struct srt_json *next;
    bool same;
};

static bool same_array(const struct srt_json *stage,
                       const sortes_stage_view *view)
{
    const char *logits = text_of(stage, "logits");
    const char *p = text_of(stage, "p");
    int32_t ids[GOLDEN_WHOLE + 1];

    if (ids_of(stage, "ids", ids, GOLDEN_WHOLE + 1) != view->n ||
        strlen(logits) != 8 * view->n || strlen(p) != 8 * view->n)
        return tell("lengths", view->stage);
    for (size_t i = 0; i < view->n; i++) {
        if (ids[i] != view->token[i])
            return tell("an id", view->stage);
        if (bits_at(logits, i) != srt_bits32(view->logit[i]))
            return tell("a logit", view->stage);
        if (bits_at(p, i) != srt_bits32(view->p[i]))
            return tell("a p", view->stage);
    }
    return true;
}

static bool same_hash(const struct srt_json *stage,
                      const sortes_stage_view *view)
{
    uint64_t hash = GOLDEN_HASH_START;

    for (size_t i = 0; i < view->n; i++) {
        hash = golden_hash_word(hash, (uint32_t)view->token[i]);
        hash = golden_hash_float(hash, view->logit[i]);
        hash = golden_hash_float(hash, view->p[i]);
    }
    if (strtoull(text_of(stage, "hash"), NULL, 16) != hash)
        return tell("the hash", view->stage);
    return true;
}

static bool same_stage(const struct srt_json *stage,
                       const sortes_stage_view *view)
{
    const struct srt_json *sorted = srt_json_find(stage, "sorted");
    const struct srt_json *selected = srt_json_find(stage, "selected");

    if (!stage || strcmp(text_of(stage, "stage"), view->stage) != 0)
        return tell("another stage", view->stage);
    if (number_of(stage, "n") != view->n)
        return tell("n", view->stage);
    if (!sorted || (sorted->type == SRT_JSON_TRUE) != (view->sorted != 0))
        return tell("sorted", view->stage);
    if (!selected || !selected->text ||
        strtoll(selected->text, NULL, 10) != view->selected)
        return tell("selected", view->stage);
    return view->n <= GOLDEN_WHOLE ? same_array(stage, view)
                                   : same_hash(stage, view);
}

static void look(void *ctx, const sortes_stage_view *view)
{
    struct walk *walk = ctx;

    if (!walk->same || strcmp(view->stage, "logits") == 0)
        return;
    walk->same = same_stage(walk->next, view);
    walk->next = walk->next ? walk->next->next : NULL;
}

static bool same_stages(const struct srt_json *line, sortes_sampler *s)
{
    const struct srt_json *stages = srt_json_find(line, "stages");
    const sortes_row row = row_of(line, 0);
    struct walk walk = { stages ? stages->first : NULL, true };

    if (sortes_sampler_explain(s, &row, look, &walk) != SORTES_OK)
        return tell("refused", "explain");
    if (walk.same && walk.next)
        return tell("a stage is missing", text_of(walk.next, "stage"));
    return walk.same;
}

/* way: an index of srt_kernels_at(), or one past the last for the reference. */
static bool same_tokens(const struct srt_json *line, const sortes_sampler *from,
                        size_t way)
{
    const struct srt_kernels *kernels = srt_kernels_at(way);
    const char *name = kernels ? kernels->name : "reference";
    int32_t tokens[64];
    const size_t n = ids_of(line, "tokens", tokens, 64);
    sortes_sampler *s;
    bool same = n > 0 || tell("no tokens", name);

    assert_int_equal(sortes_sampler_clone(&s, from), SORTES_OK);
    if (kernels)
        assert_int_equal(sortes_sampler_use_kernels(s, name), SORTES_OK);
    else
        sortes_sampler_use_reference(s, 1);
    for (size_t i = 0; i < n && same; i++) {
        const sortes_row row = row_of(line, i);
        sortes_draw draw;

        if (sortes_sampler_sample(s, &row, &draw) != SORTES_OK)
            same = tell("refused", name);
        else if (draw.token != tokens[i])
            same = tell("a token", name);
        else
            assert_int_equal(
                sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
                SORTES_OK);
    }
    sortes_sampler_free(s);
    return same;
}

static bool chain_line(const struct srt_json *line)
{
    sortes_sampler *s = sampler_of(line);
    bool same = same_stages(line, s);
    size_t way = 0;

    for (; same && srt_kernels_at(way); way++)
        same = same_tokens(line, s, way);
    same = same && same_tokens(line, s, way);
    sortes_sampler_free(s);
    return same;
}

/* ---- log-probabilities --------------------------------------------------- */

static bool same_top(const struct srt_json *line, const sortes_logprob *top,
                     size_t k)
{
    const char *logprobs = text_of(line, "logprobs");
    uint64_t hash = GOLDEN_HASH_START;
    int32_t ids[GOLDEN_WHOLE + 1];

    if (k > GOLDEN_WHOLE) {
        for (size_t i = 0; i < k; i++) {
            hash = golden_hash_word(hash, (uint32_t)top[i].token);
            hash = golden_hash_float(hash, top[i].logprob);
        }
        return strtoull(text_of(line, "hash"), NULL, 16) == hash ||
               tell("the hash", "top");
    }
    if (ids_of(line, "ids", ids, GOLDEN_WHOLE + 1) != k ||
        strlen(logprobs) != 8 * k)
        return tell("lengths", "top");
    for (size_t i = 0; i < k; i++) {
        if (ids[i] != top[i].token)
            return tell("an id", "top");
        if (bits_at(logprobs, i) != srt_bits32(top[i].logprob))
            return tell("a logprob", "top");
    }
    return true;
}

static bool probs_line(const struct srt_json *line)
{
    static sortes_logprob top[MOST_TOP];
    const sortes_row row = row_of(line, 0);
    const size_t k = (size_t)number_of(line, "k");
    const int32_t token = (int32_t)number_of(line, "token");
    sortes_params *p;
    sortes_sampler *s;
    float logprob = 1;
    sortes_status status;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    sortes_params_free(p);
    status = k <= MOST_TOP
                 ? sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, token,
                                           top, k, &logprob)
                 : SORTES_E_LIMIT;
    sortes_sampler_free(s);
    if (status != SORTES_OK)
        return tell("refused", sortes_status_name(status));
    if (bits_at(text_of(line, "logprob"), 0) != srt_bits32(logprob))
        return tell("the logprob", "token");
    return same_top(line, top, k);
}

/* ---- files --------------------------------------------------------------- */

struct golden {
    const char *name;
    bool (*check)(const struct srt_json *line);
    char *text;
    char *line[512]; /* NUL-terminated, without the first */
    size_t n_lines;
};

static struct golden chain = { .name = "llamacpp_chain.jsonl",
                               .check = chain_line };
static struct golden stages = { .name = "llamacpp_stages.jsonl",
                                .check = chain_line };
static struct golden probs = { .name = "llamacpp_probs.jsonl",
                               .check = probs_line };

static bool check_text(const struct golden *g, const char *text)
{
    struct srt_json_document document;
    sortes_error err;
    bool same;

    if (srt_json_read(&document, text, strlen(text), &err) != SORTES_OK)
        return tell("no JSON", err.text);
    same = g->check(document.root);
    srt_json_free(&document);
    return same;
}

static char *read_all(const char *name)
{
    char path[1024];
    FILE *file;
    char *text = NULL;
    long n = 0;

    (void)snprintf(path, sizeof(path), SORTES_ROOT "/tests/golden/%s", name);
    file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    if (fseek(file, 0, SEEK_END) == 0 && (n = ftell(file)) > 0 &&
        fseek(file, 0, SEEK_SET) == 0)
        text = calloc((size_t)n + 1, 1);
    if (!text || fread(text, 1, (size_t)n, file) != (size_t)n)
        fail_msg("%s cannot be read", path);
    (void)fclose(file);
    return text;
}

/* The generator's own rows are those that the recorder saw. */
static void check_header(const char *text)
{
    struct srt_json_document document;
    const struct srt_json *rows;

    assert_int_equal(srt_json_read(&document, text, strlen(text), NULL),
                     SORTES_OK);
    rows = srt_json_find(document.root, "rows");
    assert_non_null(rows);
    assert_int_equal(rows->n, ROWS_N_KINDS);
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        const char *name = rows_kind_name((enum rows_kind)kind);
        uint64_t hash = GOLDEN_HASH_START;

        rows_fill(x, GOLDEN_CHECK, (enum rows_kind)kind, 1);
        for (size_t i = 0; i < GOLDEN_CHECK; i++)
            hash = golden_hash_float(hash, x[i]);
        if (strtoull(text_of(rows, name), NULL, 16) != hash)
            fail_msg("rows.c makes other %s rows than were recorded", name);
    }
    srt_json_free(&document);
}

static void open_golden(struct golden *g)
{
    struct srt_json_document document;
    char *at;

    if (g->text)
        return;
    g->text = read_all(g->name);
    for (at = strchr(g->text, '\n'); at && at[1]; at = strchr(at, '\n')) {
        *at++ = '\0';
        assert_true(g->n_lines < sizeof(g->line) / sizeof(g->line[0]));
        g->line[g->n_lines++] = at;
    }
    assert_non_null(at); /* the last line is whole */
    *at = '\0';
    check_header(g->text);
    assert_int_equal(srt_json_read(&document, g->text, strlen(g->text), NULL),
                     SORTES_OK);
    assert_int_equal(number_of(document.root, "cases"), g->n_lines);
    srt_json_free(&document);
}

static int close_golden(void **state)
{
    (void)state;
    free(chain.text);
    free(stages.text);
    free(probs.text);
    return 0;
}

static void check_all(struct golden *g)
{
    open_golden(g);
    for (size_t i = 0; i < g->n_lines; i++)
        if (!check_text(g, g->line[i]))
            fail_msg("%s, line %zu differs: %s\n%.300s", g->name, i + 2, wrong,
                     g->line[i]);
}

static void golden_chain(void **state)
{
    (void)state;
    check_all(&chain);
}

static void golden_stages(void **state)
{
    (void)state;
    check_all(&stages);
}

static void golden_probs(void **state)
{
    (void)state;
    check_all(&probs);
}

/* ---- the test itself ----------------------------------------------------- */

/* The last value of a key inside v, v's own items and theirs. */
static const struct srt_json *find_last(const struct srt_json *v,
                                        const char *key)
{
    const struct srt_json *found = NULL;

    for (const struct srt_json *it = v->first; it; it = it->next) {
        const struct srt_json *inner = find_last(it, key);

        if (it->key && strcmp(it->key, key) == 0)
            found = it;
        else if (inner)
            found = inner;
    }
    return found;
}

/*
 * Makes a small change to a value in a copy of its line: the lowest bit of its
 * last hex digit, digit or letter, or true for false.
 */
static char *altered(const char *line, const struct srt_json *v)
{
    static const char digits[] = "0123456789abcdef";
    const size_t end = v->offset + v->length;
    char *copy = calloc(strlen(line) + 2, 1);
    size_t i = end - 1;

    assert_non_null(copy);
    strcpy(copy, line);
    if (v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE) {
        strcpy(copy + v->offset, v->type == SRT_JSON_TRUE ? "false" : "true");
        strcat(copy, line + end);
        return copy;
    }
    while (strchr("]\"", copy[i]))
        i--;
    if (strchr(digits, copy[i]))
        copy[i] = digits[(strchr(digits, copy[i]) - digits) ^ 1];
    else
        copy[i] ^= 1;
    return copy;
}

/* Altering the last value of this key in the line must be seen. */
static void check_altered(const struct golden *g, const char *line,
                          const char *key, size_t *n_altered)
{
    struct srt_json_document document;
    const struct srt_json *v;

    assert_int_equal(srt_json_read(&document, line, strlen(line), NULL),
                     SORTES_OK);
    v = find_last(document.root, key);
    if (v) {
        char *copy = altered(line, v);

        if (check_text(g, copy))
            fail_msg("%s altered was not seen:\n%.2000s", key, copy);
        free(copy);
        ++*n_altered;
    }
    srt_json_free(&document);
}

static void check_chains_altered(struct golden *g)
{
    static const char *const keys[] = { "n",    "sorted", "selected",
                                        "ids",  "logits", "p",
                                        "hash", "tokens", "stage" };

    open_golden(g);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        size_t n_altered = 0;

        for (size_t j = 0; j < g->n_lines; j += 5)
            check_altered(g, g->line[j], keys[i], &n_altered);
        assert_true(n_altered > 5);
    }
}

static void golden_sees_a_bit_altered_in_the_chain(void **state)
{
    (void)state;
    check_chains_altered(&chain);
}

static void golden_sees_a_bit_altered_in_the_stages(void **state)
{
    (void)state;
    check_chains_altered(&stages);
}

static void golden_sees_a_bit_altered_in_the_probs(void **state)
{
    static const char *const keys[] = { "ids", "logprobs", "logprob", "hash" };

    (void)state;
    open_golden(&probs);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        size_t n_altered = 0;

        for (size_t j = 0; j < probs.n_lines; j += 3)
            check_altered(&probs, probs.line[j], keys[i], &n_altered);
        assert_true(n_altered > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(golden_chain, stages_teardown),
        cmocka_unit_test_teardown(golden_stages, stages_teardown),
        cmocka_unit_test(golden_probs),
        cmocka_unit_test_teardown(golden_sees_a_bit_altered_in_the_chain,
                                  stages_teardown),
        cmocka_unit_test_teardown(golden_sees_a_bit_altered_in_the_stages,
                                  stages_teardown),
        cmocka_unit_test(golden_sees_a_bit_altered_in_the_probs),
    };

    return cmocka_run_group_tests(tests, NULL, close_golden);
}
