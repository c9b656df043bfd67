/*
 * samplers.c - the names of llama.cpp's samplers
 *
 * Rule (llama.cpp common/sampling.cpp, common_sampler_types_from_names and
 * _from_chars): case does not count in names; "_" may be "-" or left out, all
 * of them in a name alike; three have a second name.  "typical" and
 * "typical_p" are none.  Letters are compared as they are: 'T' is unknown.
 * Unknown ones are skipped there; typed setters refuse them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/samplers.h"

#include "params/names.h"
#include "unicode.h"

#include <string.h>

static const struct samplers_row {
    const char *name;
    char letter; /* 0: not for lists */
} samplers_rows[] = {
#define SRT_STAGE(symbol, name, letter) { name, letter },
#include "dialect/llamacpp/stages.def"
#undef SRT_STAGE
};

static const struct samplers_alias {
    const char *alias;
    const char *name;
} samplers_aliases[] = {
    { "nucleus", "top_p" },
    { "temp", "temperature" },
    { "typ", "typ_p" },
};

/* name equals known with each '_' as it is, made '-', or ('\0') left out. */
static bool samplers_match(const char *known, char underscore, const char *name,
                           size_t n)
{
    size_t at = 0;

    for (; *known != '\0'; known++) {
        char c = *known == '_' ? underscore : *known;

        if (c == '\0')
            continue;
        if (at == n || srt_ascii_lower(name[at]) != c)
            return false;
        at++;
    }
    return at == n;
}

/* The canonical name of what llama.cpp would take the name or letter for; NULL:
 * it knows none. */
static const char *samplers_by_name(const char *name, size_t n)
{
    for (size_t i = 0; i < SRT_COUNT(samplers_rows); i++) {
        const char *known = samplers_rows[i].name;

        if (samplers_rows[i].letter != 0 &&
            (samplers_match(known, '_', name, n) ||
             samplers_match(known, '-', name, n) ||
             samplers_match(known, '\0', name, n)))
            return known;
    }
    for (size_t i = 0; i < SRT_COUNT(samplers_aliases); i++)
        if (samplers_match(samplers_aliases[i].alias, '_', name, n))
            return samplers_aliases[i].name;
    return NULL;
}

static const char *samplers_by_letter(char letter)
{
    for (size_t i = 0; i < SRT_COUNT(samplers_rows); i++)
        if (letter != 0 && samplers_rows[i].letter == letter)
            return samplers_rows[i].name;
    return NULL;
}

/* ---- lists --------------------------------------------------------------- */

static bool samplers_add(struct srt_string_list *list, const char *name)
{
    return name == NULL || srt_strings_add(list, name, strlen(name));
}

bool srt_samplers_add_name(struct srt_string_list *list, const char *name,
                           size_t n)
{
    return samplers_add(list, samplers_by_name(name, n));
}

bool srt_samplers_add_names(struct srt_string_list *list, const char *names,
                            size_t n)
{
    size_t start = 0;
    bool ok = true;

    for (size_t at = 0; at <= n && ok; at++) {
        if (at < n && names[at] != ';')
            continue;
        ok = srt_samplers_add_name(list, names + start, at - start);
        start = at + 1;
    }
    return ok;
}

bool srt_samplers_add_letters(struct srt_string_list *list, const char *letters,
                              size_t n)
{
    bool ok = true;

    for (size_t i = 0; i < n && ok; i++)
        ok = samplers_add(list, samplers_by_letter(letters[i]));
    return ok;
}

static sortes_status samplers_unknown(const char *name, size_t n, size_t offset,
                                      sortes_error *err)
{
    struct srt_nearest nearest;

    srt_nearest_start(&nearest, name, n);
    for (size_t i = 0; i < SRT_COUNT(samplers_rows); i++)
        if (samplers_rows[i].letter != 0)
            srt_nearest_try(&nearest, samplers_rows[i].name,
                            strlen(samplers_rows[i].name));
    return srt_fail_unknown(err, offset, "sampler", &nearest);
}

sortes_status srt_samplers_from_text(struct srt_string_list *list,
                                     const char *text, sortes_error *err)
{
    const char *at = text;

    while (*at != '\0') {
        size_t n = strcspn(at, ";");
        const char *name =
            n == 1 ? samplers_by_letter(*at) : samplers_by_name(at, n);

        if (name == NULL || !samplers_add(list, name)) {
            srt_strings_clear(list);
            return name == NULL
                       ? samplers_unknown(at, n, (size_t)(at - text), err)
                       : srt_fail(err, SORTES_E_NOMEM, 0,
                                  "params: out of memory");
        }
        at += n;
        if (*at == ';' && *++at == '\0') { /* nothing behind the last ';' */
            srt_strings_clear(list);
            return samplers_unknown(at, 0, (size_t)(at - text), err);
        }
    }
    return SORTES_OK;
}
