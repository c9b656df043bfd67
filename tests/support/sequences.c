/*
 * sequences.c - recorded sequences of draws, drawn again
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/sequences.h"

#include "golden/golden.h"
#include "json/json.h"
#include "json/number.h"
#include "kernel/kernel.h"
#include "support/requests.h"
#include "support/rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 4096, ROW_MOST = 32000, TOKENS_MOST = 32 };

struct sequence {
    char shape[16];
    uint64_t n, salt;
    sortes_dtype type;
    char request[LINE_MOST];
    bool still;              /* one row for all steps */
    char p[TOKENS_MOST][17]; /* hashes of the distributions; "": not told */
    int32_t prompt[TOKENS_MOST], tokens[TOKENS_MOST];
    size_t n_prompt, n_tokens;
};

static uint64_t whole(const struct srt_json *v)
{
    assert_non_null(v);
    assert_int_equal(v->type, SRT_JSON_NUMBER);
    return (uint64_t)srt_decimal_to_double(v->text, v->n);
}

static size_t list(const struct srt_json *v, int32_t *out)
{
    size_t n = 0;

    assert_true(v && v->type == SRT_JSON_ARRAY && v->n <= TOKENS_MOST);
    for (const struct srt_json *i = v->first; i != NULL; i = i->next)
        out[n++] = (int32_t)whole(i);
    return n;
}

/* One a step, or none at all. */
static void hashes(const struct srt_json *v, struct sequence *s)
{
    size_t n = 0;

    memset(s->p, 0, sizeof(s->p));
    if (v == NULL)
        return;
    assert_int_equal(v->n, s->n_tokens);
    for (const struct srt_json *i = v->first; i != NULL; i = i->next)
        snprintf(s->p[n++], sizeof(s->p[0]), "%s", i->text);
}

static void read_sequence(const char *line, struct sequence *s)
{
    const struct srt_json *root, *request;
    struct srt_json_document d;

    assert_int_equal(srt_json_read(&d, line, strlen(line), NULL), SORTES_OK);
    root = d.root;
    request = srt_json_find(root, "request");
    assert_non_null(request);
    snprintf(s->shape, sizeof(s->shape), "%s",
             srt_json_find(root, "shape")->text);
    s->n = whole(srt_json_find(root, "n"));
    s->salt = whole(srt_json_find(root, "salt"));
    s->type = strcmp(srt_json_find(root, "dtype")->text, "bf16") == 0
                  ? SORTES_BF16
                  : SORTES_F32;
    snprintf(s->request, sizeof(s->request), "%.*s", (int)request->length,
             line + request->offset);
    s->n_prompt = list(srt_json_find(root, "prompt"), s->prompt);
    s->n_tokens = list(srt_json_find(root, "tokens"), s->tokens);
    s->still = srt_json_find(root, "still") != NULL;
    hashes(srt_json_find(root, "p"), s);
    srt_json_free(&d);
    assert_true(s->n <= ROW_MOST && s->n_tokens > 0);
}

/* As make_row() of the recorder. */
static void make_row(const struct sequence *s, uint64_t salt, float *x)
{
    for (uint64_t i = 0; i < s->n; i++) {
        const uint32_t at =
            (uint32_t)((i + salt * 1000003) * UINT64_C(2654435761));
        const uint32_t h = at >> 20;

        x[i] = (float)h / 256.0f - 8.0f;
        if (strcmp(s->shape, "tied") == 0)
            x[i] = (float)(h >> 7) / 4.0f - 4.0f;
        else if (strcmp(s->shape, "flat") == 0)
            x[i] = (float)h / 65536.0f;
        else if (strcmp(s->shape, "holes") == 0 && h % 3 == 0)
            x[i] = -INFINITY;
        else if (strcmp(s->shape, "spiked") == 0 && h % 97 == 0)
            x[i] += 9.0f;
    }
}

/* The bits of the distribution that this step draws from. */
static void check_distribution(sortes_sampler *sampler, const sortes_row *row,
                               const char *want)
{
    static float p[ROW_MOST];
    uint64_t hash = GOLDEN_HASH_START;
    char got[17];

    if (want[0] == '\0')
        return;
    assert_int_equal(sortes_sampler_distribution(sampler, row, p), SORTES_OK);
    for (size_t i = 0; i < row->n; i++)
        hash = golden_hash_float(hash, p[i]);
    snprintf(got, sizeof(got), "%016llx", (unsigned long long)hash);
    assert_string_equal(got, want);
}

/* set NULL: the literal stages. */
static void draw_sequence(const char *dialect, const struct sequence *s,
                          const struct srt_kernels *set)
{
    static float x[ROW_MOST];
    static uint16_t narrow[ROW_MOST];
    sortes_params *p = requests_fresh_of(dialect);
    sortes_sampler *sampler;
    sortes_error err;

    if (requests_read(p, dialect, s->request, &err) != SORTES_OK)
        fail_msg("%s: %s", s->request, err.text);
    assert_int_equal(sortes_sampler_new(&sampler, p, NULL, &err), SORTES_OK);
    sortes_params_free(p);
    sortes_sampler_use_reference(sampler, set == NULL);
    if (set)
        assert_int_equal(sortes_sampler_use_kernels(sampler, set->name),
                         SORTES_OK);
    assert_int_equal(
        sortes_sampler_accept(sampler, s->prompt, s->n_prompt, SORTES_PROMPT),
        SORTES_OK);
    for (size_t i = 0; i < s->n_tokens; i++) {
        sortes_draw d;

        make_row(s, s->salt + (s->still ? 0 : i), x);
        const sortes_row row = rows_as(x, narrow, s->n, s->type);

        check_distribution(sampler, &row, s->p[i]);
        assert_int_equal(sortes_sampler_sample(sampler, &row, &d), SORTES_OK);
        if (d.token != s->tokens[i])
            fail_msg("%s, %s %llu, salt %llu, step %zu, %s: %d, want %d",
                     s->request, s->shape, (unsigned long long)s->n,
                     (unsigned long long)s->salt, i, set ? set->name : "stages",
                     d.token, s->tokens[i]);
        assert_int_equal(
            sortes_sampler_accept(sampler, &d.token, 1, SORTES_GENERATED),
            SORTES_OK);
    }
    sortes_sampler_free(sampler);
}

size_t sequences_draw_again(const char *dialect, const char *path,
                            const char *versions)
{
    static struct sequence s;
    char line[LINE_MOST];
    FILE *file = fopen(path, "r");
    const struct srt_kernels *set;
    size_t n = 0;

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    assert_non_null(strstr(line, versions));
    for (; fgets(line, sizeof(line), file); n++) {
        line[strcspn(line, "\n")] = '\0';
        read_sequence(line, &s);
        draw_sequence(dialect, &s, NULL);
        for (size_t i = 0; (set = srt_kernels_at(i)) != NULL; i++)
            draw_sequence(dialect, &s, set);
    }
    fclose(file);
    return n;
}
