/*
 * keywords_string.c - keywords of strings
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

#include <string.h>

sortes_status srt_keyword_add_pattern(struct srt_loader *l, const char *text,
                                      size_t n, bool search,
                                      const struct srt_json *v,
                                      uint32_t *number)
{
    *number = srt_schema_add(&l->s->patterns);
    if (!*number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->patterns, struct srt_schema_pattern, *number) =
        (struct srt_schema_pattern){ text, n, search, true, false, v };
    return SORTES_OK;
}

sortes_status srt_keyword_pattern(struct srt_loader *l,
                                  const struct srt_json *v,
                                  enum srt_schema_rule_type rule)
{
    uint32_t pattern;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return srt_keyword_wants(l, v, "a pattern is a string");
    status = srt_keyword_add_pattern(l, v->text, v->n, true, v, &pattern);
    return status == SORTES_OK ? srt_loader_rule(l, rule, pattern, 0, 0, v)
                               : status;
}

sortes_status srt_keyword_format(struct srt_loader *l, const struct srt_json *v,
                                 enum srt_schema_rule_type rule)
{
    const char *text;
    char *whole;
    size_t n;
    const bool iri = v->n >= 3 && v->type == SRT_JSON_STRING &&
                     memcmp(v->text, "iri", 3) == 0;
    bool refused = false;
    uint32_t pattern;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return srt_keyword_wants(l, v, "a format is a string");
    if (l->s->options.formats == SRT_FORMATS_ANNOTATE)
        return SORTES_OK;
    text = srt_format_pattern(v->text, v->n, &refused);
    if (refused && !l->s->options.lenient)
        return srt_loader_refuse(l, SORTES_E_NAME, v,
                                 "this format cannot be checked while a text "
                                 "comes (formats=annotate passes it over)");
    if (!text)
        return srt_loader_note(l, v,
                               refused ? "this format is not checked, ignored"
                                       : "unknown format, ignored");
    n = srt_format_expand(text, iri, NULL);
    whole = srt_loader_take(l, n, 1);
    if (!whole)
        return srt_loader_no_memory(l);
    srt_format_expand(text, iri, whole);
    status = srt_keyword_add_pattern(l, whole, n, false, v, &pattern);
    return status == SORTES_OK ? srt_loader_rule(l, rule, pattern, 0, 0, v)
                               : status;
}
