/*
 * options.c - reads the text profile and the limits of a grammar
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* An option and, by its words, what it may be. */
struct option_row {
    const char *name;
    size_t from; /* offset in sortes_grammar_options */
    size_t to;   /* offset in struct srt_options */
};

static const struct option_row option_rows[] = {
#define SRT_OPTION(field, name)                                                \
    { name, offsetof(sortes_grammar_options, field),                           \
      offsetof(struct srt_options, field) },
#define SRT_WORD(field, word, value)
#include "constrain/options.def"
#undef SRT_OPTION
#undef SRT_WORD
};

static const struct option_words {
    size_t to;
    const char *word;
    int value;
} option_words[] = {
#define SRT_OPTION(field, name)
#define SRT_WORD(field, word, value)                                           \
    { offsetof(struct srt_options, field), word, value },
#include "constrain/options.def"
#undef SRT_OPTION
#undef SRT_WORD
};

static int *option_at(struct srt_options *o, size_t to)
{
    return (int *)(void *)((char *)o + to);
}

static void option_defaults(struct srt_options *o)
{
    memset(o, 0, sizeof(*o));
    /* Backwards, so that the first word of each option stays. */
    for (size_t i = SRT_COUNT(option_words); i-- > 0;)
        *option_at(o, option_words[i].to) = option_words[i].value;
    o->max_states = 1000000;
    o->max_state_bytes = (size_t)256 << 20;
    o->max_cache_bytes = (size_t)16 << 20;
    o->max_depth = 128;
    o->max_compile_us = 10000000;
}

/* "a, b or c": the words of an option. */
static void option_list(size_t to, char *out, size_t size)
{
    size_t n = 0, left = 0;

    for (size_t i = 0; i < SRT_COUNT(option_words); i++)
        left += option_words[i].to == to;
    out[0] = '\0';
    for (size_t i = 0; i < SRT_COUNT(option_words); i++) {
        if (option_words[i].to != to)
            continue;
        left--;
        n += (size_t)snprintf(out + n, size - n, "%s%s", option_words[i].word,
                              left > 1    ? ", "
                              : left == 1 ? " or "
                                          : "");
    }
}

static sortes_status option_read(struct srt_options *o,
                                 const struct option_row *row, const char *word,
                                 sortes_error *err)
{
    char list[128];

    for (size_t i = 0; i < SRT_COUNT(option_words); i++)
        if (option_words[i].to == row->to &&
            strcmp(option_words[i].word, word) == 0) {
            *option_at(o, row->to) = option_words[i].value;
            return SORTES_OK;
        }
    option_list(row->to, list, sizeof(list));
    return srt_fail(err, SORTES_E_RANGE, 0, "%s: '%s' is not %s", row->name,
                    word, list);
}

static sortes_status option_profile(struct srt_options *o, const char *name,
                                    sortes_error *err)
{
    if (strcmp(name, "json") == 0) {
        o->order = SRT_ORDER_FREE;
        o->whitespace = SRT_WHITESPACE_ANY;
        o->escapes = SRT_ESCAPES_JSON;
        o->numbers = SRT_NUMBERS_JSON;
        o->formats = SRT_FORMATS_ASSERT;
        return SORTES_OK;
    }
    if (strcmp(name, "llguidance") == 0) {
        o->order = SRT_ORDER_STRICT;
        o->whitespace = SRT_WHITESPACE_ANY;
        o->escapes = SRT_ESCAPES_CANONICAL;
        o->numbers = SRT_NUMBERS_PLAIN;
        o->unique_keys = 0;
        o->like_llguidance = true;
        return SORTES_OK;
    }
    return srt_fail(err, SORTES_E_RANGE, 0,
                    "profile: '%s' is not json or llguidance", name);
}

static void option_limits(struct srt_options *o,
                          const sortes_grammar_options *from)
{
    if (from->max_states)
        o->max_states = from->max_states;
    if (from->max_state_bytes)
        o->max_state_bytes = from->max_state_bytes;
    if (from->max_cache_bytes)
        o->max_cache_bytes = from->max_cache_bytes;
    if (from->max_depth)
        o->max_depth = from->max_depth;
    if (from->max_compile_us)
        o->max_compile_us = from->max_compile_us;
}

sortes_status srt_options_read(struct srt_options *to,
                               const sortes_grammar_options *options,
                               sortes_error *err)
{
    struct srt_options o;
    sortes_status status = SORTES_OK;

    option_defaults(&o);
    if (options) {
        if (options->struct_size != sizeof(*options))
            return srt_fail(err, SORTES_E_ARGUMENT, 0,
                            "sortes_grammar_options: struct_size is %zu, "
                            "not %zu",
                            options->struct_size, sizeof(*options));
        if (options->profile)
            status = option_profile(&o, options->profile, err);
        for (size_t i = 0; status == SORTES_OK && i < SRT_COUNT(option_rows);
             i++) {
            const char *word;

            memcpy(&word, (const char *)options + option_rows[i].from,
                   sizeof(word));
            if (word)
                status = option_read(&o, &option_rows[i], word, err);
        }
        option_limits(&o, options);
        o.resolve = options->resolve;
        o.resolve_ctx = options->resolve_ctx;
    }
    if (status == SORTES_OK)
        *to = o;
    return status;
}
