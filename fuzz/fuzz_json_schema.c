/*
 * fuzz_json_schema.c - any bytes as a JSON Schema
 *
 * Refused with a message, or read; then a machine that keeps its promise.  What
 * follows a NUL is a second document: any URI but one that ends in "none"
 * means it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz_walk.h"

#include <string.h>

struct second {
    const char *text;
    size_t n;
    unsigned asked;
};

static sortes_status second_document(void *ctx, const char *uri,
                                     const char **text, size_t *n)
{
    struct second *s = ctx;
    const size_t length = strlen(uri);

    check(!strchr(uri, '#'));
    check(s->asked++ < 256);
    if (!s->text || (length >= 4 && strcmp(uri + length - 4, "none") == 0))
        return SORTES_E_NAME;
    *text = s->text;
    *n = s->n;
    return SORTES_OK;
}

static void try_schema(const char *text, size_t n, struct second *second,
                       bool json)
{
    const struct srt_options options = {
        .order = json ? SRT_ORDER_FREE : SRT_ORDER_DECLARED,
        .numbers = json ? SRT_NUMBERS_JSON : SRT_NUMBERS_PLAIN,
        .escapes = json ? SRT_ESCAPES_JSON : SRT_ESCAPES_AUTO,
        .unique_keys = true,
        .max_states = 20000,
        .max_state_bytes = 16 << 20,
        .max_depth = 8,
        .resolve = second_document,
        .resolve_ctx = second
    };
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    second->asked = 0;
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
    const uint8_t *end = memchr(data, 0, n);
    struct second second = { 0 };

    if (n > 4096)
        return 0;
    if (end) {
        second.text = (const char *)end + 1;
        second.n = (size_t)(data + n - end) - 1;
        n = (size_t)(end - data);
    }
    try_schema((const char *)data, n, &second, false);
    try_schema((const char *)data, n, &second, true);
    return 0;
}
