/*
 * fuzz_gbnf.c - any bytes as a GBNF grammar, in both forms
 *
 * Refused with a place in the text, or read; then machines that take a few
 * bytes and keep their promise: a live state has a way to its end (the exact
 * form), which a short search must not find to be a dead end at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz_walk.h"

static void try_form(const char *text, size_t n, int form)
{
    const struct srt_options options = { .form = form,
                                         .max_states = 20000,
                                         .max_state_bytes = 16 << 20 };
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    if (srt_language_gbnf.parse(&p, text, n, &options, &err) != SORTES_OK) {
        check(err.offset <= n && err.text[0]);
        return;
    }
    srt_alphabet_fill(&all);
    if (srt_language_gbnf.build(&m, p, &all, NULL, &err) == SORTES_OK) {
        /* Without a vocab, token elements may leave nothing. */
        fuzz_walk(m, !srt_language_gbnf.needs_vocab(p), (uint32_t)n);
        srt_shared_release(&m->shared);
    } else {
        check(err.text[0] != '\0');
    }
    srt_language_gbnf.free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4096)
        return 0;
    try_form((const char *)data, n, SRT_FORM_EXACT);
    try_form((const char *)data, n, SRT_FORM_LITERAL);
    return 0;
}
