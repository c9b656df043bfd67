/*
 * fuzz_json_schema.c - any bytes as a JSON Schema
 *
 * Refused with a message, or read; then a machine that keeps its promise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz_walk.h"

static void try_schema(const char *text, size_t n, bool json)
{
    const struct srt_options options = {
        .order = json ? SRT_ORDER_FREE : SRT_ORDER_DECLARED,
        .numbers = json ? SRT_NUMBERS_JSON : SRT_NUMBERS_PLAIN,
        .escapes = json ? SRT_ESCAPES_JSON : SRT_ESCAPES_AUTO,
        .unique_keys = true,
        .max_states = 20000,
        .max_state_bytes = 16 << 20,
        .max_depth = 8
    };
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    if (srt_language_json_schema.parse(&p, text, n, &options, &err) !=
        SORTES_OK) {
        check(err.text[0] != '\0');
        return;
    }
    srt_alphabet_fill(&all);
    if (srt_language_json_schema.build(&m, p, &all, NULL, &err) == SORTES_OK) {
        fuzz_walk(m, true, (uint32_t)n);
        srt_shared_release(&m->shared);
    } else {
        check(err.text[0] != '\0');
    }
    srt_language_json_schema.free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4096)
        return 0;
    try_schema((const char *)data, n, false);
    try_schema((const char *)data, n, true);
    return 0;
}
