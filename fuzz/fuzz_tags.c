/*
 * fuzz_tags.c - any bytes as a structural tag, and as a list of tools
 *
 * Refused with a place in the text, or read; then a machine that takes a few
 * bytes and keeps its promise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz_walk.h"

static void try_kind(const struct srt_language *language, const char *text,
                     size_t n)
{
    const struct srt_options options = { .max_states = 20000,
                                         .max_state_bytes = 16 << 20,
                                         .max_cache_bytes = 1 << 20,
                                         .max_depth = 16,
                                         .max_compile_us = 1000000 };
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    if (language->parse(&p, text, n, &options, &err) != SORTES_OK) {
        check(err.offset <= n && err.text[0]);
        return;
    }
    srt_alphabet_fill(&all);
    if (language->build(&m, p, &all, NULL, &err) == SORTES_OK) {
        fuzz_walk(m, !language->needs_vocab(p), (uint32_t)n);
        srt_shared_release(&m->shared);
    } else {
        check(err.text[0] != '\0');
    }
    language->free(p);
}

/* Places and texts of findings are whole. */
static void look_at(void *ctx, const sortes_finding *f)
{
    (void)ctx;
    check(f->where[0] == '#' && f->what[0] != '\0');
    check((f->text != NULL) ==
          (f->type == SORTES_FINDING_PART || f->type == SORTES_FINDING_TOOL));
    for (size_t i = 0; i < f->n; i++)
        check(f->text[i] == f->text[i]); /* it can be read */
}

static void try_examine(const char *text, size_t n)
{
    sortes_error err = { 0 };

    if (sortes_grammar_examine(text, n, look_at, NULL, &err) != SORTES_OK)
        check(err.offset <= n && err.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4096)
        return 0;
    try_examine((const char *)data, n);
    try_kind(&srt_language_structural_tag, (const char *)data, n);
    try_kind(&srt_language_tools, (const char *)data, n);
    return 0;
}
