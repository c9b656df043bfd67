/*
 * test_ollama.c - Ollama's options: the table, its defaults, what is sent
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/ollama.h"
#include "support/requests.h"

#include <math.h>
#include <string.h>

static void ollama_starts_from_its_own_defaults(void **state)
{
    static const char *const rows[] = { "{}", "{\"model\":\"m\"}",
                                        "{\"options\":null}",
                                        "{\"options\":{\"top_p\":null}}" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = requests_fresh();

        p->min_p = 0.5f; /* as a GGUF might: Ollama sends its 0 over it */
        p->source[SRT_PARAM_min_p] = SORTES_FROM_GGUF;
        p->xtc_probability = 0.5f; /* Ollama sends nothing for this */
        assert_int_equal(requests_read(p, "ollama", rows[i], NULL), SORTES_OK);
        assert_true(p->top_p == 0.9f && p->min_p == 0.0f);
        assert_true(p->temperature == 0.8f && p->repeat_penalty == 1.0f);
        assert_int_equal(p->top_k, 40);
        assert_int_equal(p->repeat_last_n, 64);
        assert_int_equal(p->seed, UINT32_MAX);
        assert_true(p->xtc_probability == 0.5f);
        assert_int_equal(p->source[SRT_PARAM_top_p], SORTES_FROM_DEFAULT);
        assert_int_equal(p->source[SRT_PARAM_min_p], SORTES_FROM_DEFAULT);
        sortes_params_free(p);
    }
}

/* Names lead to rows, and every row to a name. */
static void ollama_finds_every_option(void **state)
{
    const struct srt_ollama_option *o;
    size_t n = 0;

    (void)state;
    for (; (o = srt_ollama_at(n)) != NULL; n++)
        assert_ptr_equal(srt_ollama_find(o->name, strlen(o->name)), o);
    assert_true(n > 20);
    assert_null(srt_ollama_find("top_kk", 6));
    assert_non_null(srt_ollama_find("top_kk", 5));
    assert_null(srt_ollama_find("", 0));
}

/* Ollama sends its defaults over a GGUF's, but not over what a user set. */
static void ollama_keeps_what_was_set(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(sortes_params_set_number(p, "top_p", 0.5, NULL),
                     SORTES_OK);
    assert_int_equal(requests_read(p, "llama-server", "{\"min_p\":0.25}", NULL),
                     SORTES_OK);
    assert_int_equal(requests_read(p, "ollama", "{\"top_k\":3}", NULL),
                     SORTES_OK);
    assert_true(p->top_p == 0.5f && p->min_p == 0.25f);
    assert_int_equal(p->top_k, 3);
    assert_int_equal(requests_read(p, "ollama", "{}", NULL), SORTES_OK);
    assert_int_equal(p->top_k, 3);
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ollama_starts_from_its_own_defaults),
        cmocka_unit_test(ollama_finds_every_option),
        cmocka_unit_test(ollama_keeps_what_was_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
