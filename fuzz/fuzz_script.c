/*
 * fuzz_script.c - any bytes as the text of a recording: its facts, or refused
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "script_text.h"

#include <string.h>

static void check_tokens(const struct script_text *t,
                         const struct engine_tokens *tokens)
{
    check(tokens->n > 0);
    for (size_t i = 0; i < tokens->n; i++)
        check(tokens->ids[i] >= 0 && (size_t)tokens->ids[i] < t->n_vocab);
}

/* Names and pieces lie in the text, each with a NUL behind it. */
static void check_text(const char *at, const char *text, size_t n)
{
    check(at >= text && at <= text + n);
    check(strlen(at) <= n);
}

static void check_facts(const struct script_text *t, const char *text, size_t n)
{
    const struct engine_recording *r = &t->facts;
    const char *const texts[] = { r->model,  r->sampled, r->dialect,
                                  r->params, r->prompt,  t->array };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        check_text(texts[i], text, n);
    check(strchr(t->array, '/') == NULL);
    check_tokens(t, &t->prompt);
    check_tokens(t, &t->drawn);
    check(r->tokens == t->drawn.ids && r->n_tokens == t->drawn.n);
    check(r->prompt_tokens == t->prompt.ids && r->n_prompt_tokens > 0);
    for (size_t i = 0; i < t->n_vocab; i++) {
        if (t->piece[i] == NULL) {
            check(t->n_piece[i] == 0 && t->flags[i] == 0);
            continue;
        }
        check_text(t->piece[i], text, n);
        check(t->piece[i][t->n_piece[i]] == '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = malloc(n + 1);
    struct script_text t;
    sortes_error err = { SORTES_OK, 0, "" };

    check(text != NULL);
    if (n > 0)
        memcpy(text, data, n);
    text[n] = '\0';
    if (script_text_read(&t, "fuzz", text, n, &err) == SORTES_OK)
        check_facts(&t, text, n);
    else
        check(err.text[0] != '\0' && err.status != SORTES_OK);
    script_text_free(&t);
    free(text);
    return 0;
}
