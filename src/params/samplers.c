/*
 * samplers.c - whether a list of llama.cpp's samplers is the chain we have
 *
 * llama.cpp runs the samplers it is told to, in the order given.  This version
 * has penalties, top_k, top_p, min_p, temperature in that order; the samplers
 * it has not are off wherever they stand, since no value that turns one on is
 * let in.  So a list is ours when those five are in it once each, in order,
 * and neither infill nor adaptive_p is, which no value turns off.
 *
 * Names (llama.cpp common/sampling.cpp): case does not count; "_" may be "-"
 * or left out, all of them alike; a few have a second name.  Unknown ones are
 * skipped, as there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/samplers.h"

#include "compiler.h"

#include <string.h>

enum samplers_kind { SAMPLERS_OURS, SAMPLERS_OFF, SAMPLERS_NEVER };

static const struct samplers_entry {
    const char *name;
    const char *second; /* "": none */
    char letter;
    enum samplers_kind kind;
} samplers_table[] = {
    /* the five first, in the chain's order: the index is the place */
    { "penalties", "", 'e', SAMPLERS_OURS },
    { "top_k", "", 'k', SAMPLERS_OURS },
    { "top_p", "nucleus", 'p', SAMPLERS_OURS },
    { "min_p", "", 'm', SAMPLERS_OURS },
    { "temperature", "temp", 't', SAMPLERS_OURS },
    { "dry", "", 'd', SAMPLERS_OFF },
    { "top_n_sigma", "", 's', SAMPLERS_OFF },
    { "typ_p", "typ", 'y', SAMPLERS_OFF },
    { "xtc", "", 'x', SAMPLERS_OFF },
    { "infill", "", 'i', SAMPLERS_NEVER },
    { "adaptive_p", "", 'a', SAMPLERS_NEVER },
};

#define SAMPLERS_N_OURS 5

/* n is the place where the next of ours must be. */
void srt_sampler_order_start(struct srt_sampler_order *order)
{
    order->n = 0;
    order->fits = true;
}

static void samplers_add(struct srt_sampler_order *order, size_t index)
{
    if (samplers_table[index].kind == SAMPLERS_NEVER)
        order->fits = false;
    if (samplers_table[index].kind != SAMPLERS_OURS)
        return;
    if (order->n != index)
        order->fits = false;
    order->n++;
}

/* tolower() without the locale. */
static char samplers_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* name equals known with each '_' as it is, made '-', or ('\0') left out. */
static bool samplers_match(const char *known, char underscore, const char *name,
                           size_t n)
{
    size_t at = 0;

    for (; *known != '\0'; known++) {
        char c = *known == '_' ? underscore : *known;

        if (c == '\0')
            continue;
        if (at == n || samplers_lower(name[at]) != c)
            return false;
        at++;
    }
    return at == n;
}

void srt_sampler_order_name(struct srt_sampler_order *order, const char *name,
                            size_t n)
{
    for (size_t i = 0; i < SRT_COUNT(samplers_table); i++) {
        const struct samplers_entry *e = &samplers_table[i];

        if (samplers_match(e->name, '_', name, n) ||
            samplers_match(e->name, '-', name, n) ||
            samplers_match(e->name, '\0', name, n) ||
            (e->second[0] != '\0' && samplers_match(e->second, '_', name, n)))
            samplers_add(order, i);
    }
}

/* Letters are compared as they are: 'T' is unknown. */
void srt_sampler_order_letter(struct srt_sampler_order *order, char letter)
{
    for (size_t i = 0; i < SRT_COUNT(samplers_table); i++)
        if (samplers_table[i].letter == letter)
            samplers_add(order, i);
}

bool srt_sampler_order_is_ours(const struct srt_sampler_order *order)
{
    return order->fits && order->n == SAMPLERS_N_OURS;
}
