/*
 * fuzz_gbnf.c - any bytes as a GBNF grammar, in both forms
 *
 * Refused with a place in the text, or read; then machines that take a few
 * bytes and keep their promise: a live state has a way to its end (the exact
 * form), which a short search must not find to be a dead end at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/language.h"
#include "fuzz.h"

/* In the exact form a state that is no end goes on by some byte. */
static void walk_some(struct srt_machine *m, bool exact, uint32_t choice)
{
    uint32_t state = m->start;

    for (int i = 0; i < 8; i++) {
        uint32_t last = SRT_DEAD;
        bool limit = false;

        for (unsigned byte = 0; byte < 256; byte++) {
            uint32_t next;
            const sortes_status status =
                m->type->step(m, state, (uint8_t)byte, &next);

            limit |= status != SORTES_OK;
            if (status != SORTES_OK || next == SRT_DEAD)
                continue;
            choice = choice * 1664525 + 1013904223;
            if (last == SRT_DEAD || choice >> 29 == 0)
                last = next;
        }
        if (last == SRT_DEAD) {
            check(!exact || limit || m->type->accepts(m, state));
            return;
        }
        state = last;
    }
}

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
        walk_some(m, !srt_language_gbnf.needs_vocab(p), (uint32_t)n);
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
