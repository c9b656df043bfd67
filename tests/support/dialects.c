/*
 * dialects.c - samplers of any dialect from a line of settings, for tests
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/dialects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* settings is a list of NAME=VALUE with blanks between. */
void dialects_set(sortes_params *p, const char *settings)
{
    char text[2048], *name = text;
    sortes_error err = { 0 };

    assert_true(strlen(settings) < sizeof(text) - 1);
    strcpy(text, settings);
    while (*name) {
        const size_t n = strcspn(name, " ");
        char *value = strchr(name, '=');
        char *next = name[n] ? name + n + 1 : name + n;

        name[n] = '\0';
        if (n > 0) {
            assert_non_null(value);
            *value = '\0';
            if (sortes_params_set_text(p, name, value + 1, &err) != SORTES_OK)
                fail_msg("%s=%s: %s", name, value + 1, err.text);
        }
        name = next;
    }
}

sortes_params *dialects_params(const char *dialect, const char *settings)
{
    sortes_params *p;
    sortes_error err;

    if (sortes_params_new(&p, dialect, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    dialects_set(p, settings);
    return p;
}

sortes_sampler *dialects_sampler(const char *dialect, sortes_vocab *v,
                                 const char *settings)
{
    sortes_params *p = dialects_params(dialect, settings);
    sortes_sampler *s;
    sortes_error err;

    if (sortes_sampler_new(&s, p, v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    sortes_params_free(p);
    return s;
}

void dialects_accept(sortes_sampler *s, const int32_t *tokens, size_t n,
                     sortes_origin origin)
{
    assert_int_equal(sortes_sampler_accept(s, tokens, n, origin), SORTES_OK);
}

int32_t dialects_draw(sortes_sampler *s, const float *x, size_t n)
{
    const sortes_row row = { x, n, SORTES_F32 };
    sortes_draw draw;
    const sortes_status status = sortes_sampler_sample(s, &row, &draw);

    return status == SORTES_OK ? draw.token : -(int32_t)status;
}

/* ---- masks --------------------------------------------------------------- */

struct dialects_allowed {
    const uint8_t *allowed;
    size_t n;
};

static int allowed_allows(void *ctx, int32_t token)
{
    const struct dialects_allowed *a = ctx;

    return (size_t)token < a->n && a->allowed[token];
}

static sortes_status allowed_mask(void *ctx, uint32_t *words, size_t n_words)
{
    const struct dialects_allowed *a = ctx;

    for (size_t i = 0; i < a->n && i / 32 < n_words; i++)
        words[i / 32] |= (uint32_t)(a->allowed[i] != 0) << i % 32;
    return SORTES_OK;
}

static sortes_status allowed_advance(void *ctx, int32_t token)
{
    return allowed_allows(ctx, token) ? SORTES_OK : SORTES_E_ARGUMENT;
}

static sortes_status allowed_rollback(void *ctx, size_t n_tokens)
{
    (void)ctx;
    (void)n_tokens;
    return SORTES_OK;
}

static sortes_status allowed_reset(void *ctx)
{
    (void)ctx;
    return SORTES_OK;
}

static void *allowed_clone(void *ctx)
{
    struct dialects_allowed *copy = malloc(sizeof(*copy));

    if (copy)
        memcpy(copy, ctx, sizeof(*copy));
    return copy;
}

void dialects_constrain(sortes_sampler *s, const uint8_t *allowed, size_t n)
{
    struct dialects_allowed *ctx = malloc(sizeof(*ctx));
    const sortes_constraint c = { sizeof(c),
                                  ctx,
                                  allowed_allows,
                                  allowed_mask,
                                  allowed_advance,
                                  allowed_rollback,
                                  allowed_reset,
                                  allowed_clone,
                                  free };

    assert_non_null(ctx);
    *ctx = (struct dialects_allowed){ allowed, n };
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
}
