/*
 * keywords_number.c - keywords of numbers, and those that count
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

static sortes_status keyword_bound(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_schema_rule_type rule,
                                   bool exclusive)
{
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return srt_keyword_wants(l, v, "a bound is a number");
    status = srt_loader_decimal(l, v, &decimal);
    return status == SORTES_OK
               ? srt_loader_rule(l, rule, decimal, exclusive, 0, v)
               : status;
}

/* Draft 4 has booleans beside the bound. */
sortes_status srt_keyword_bound(struct srt_loader *l, const struct srt_json *v,
                                enum srt_schema_rule_type rule)
{
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const struct srt_json *beside = srt_keyword_beside(
        v, rule == SRT_RULE_MINIMUM ? "exclusiveMinimum" : "exclusiveMaximum");

    return keyword_bound(l, v, rule,
                         (draft == 4 || unnamed) && beside &&
                             beside->type == SRT_JSON_TRUE);
}

sortes_status srt_keyword_exclusive(struct srt_loader *l,
                                    const struct srt_json *v,
                                    enum srt_schema_rule_type rule)
{
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const bool boolean = v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE;

    if (boolean && (draft == 4 || unnamed))
        return draft == 4 ? SORTES_OK
                          : srt_loader_note(l, v, "read as in draft 4");
    return keyword_bound(l, v, rule, true);
}

sortes_status srt_keyword_multiple_of(struct srt_loader *l,
                                      const struct srt_json *v,
                                      enum srt_schema_rule_type rule)
{
    struct srt_divisor m;
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return srt_keyword_wants(l, v, "multipleOf is a number above 0");
    status = srt_loader_decimal(l, v, &decimal);
    if (status != SORTES_OK)
        return status;
    if (!srt_divisor_from(&m, srt_schema_decimal(l->s, decimal)))
        return srt_keyword_wants(
            l, v, "multipleOf is above 0 and has at most 18 digits");
    return srt_loader_rule(l, rule, decimal, 0, 0, v);
}

/* ---- counts ------------------------------------------------------------- */

/* A whole number from 0 on, 2.0 too; UINT32_MAX: that or more. */
sortes_status srt_keyword_count(struct srt_loader *l, const struct srt_json *v,
                                uint32_t *count)
{
    static const char wanted[] = "a count is a whole number from 0 on";
    const struct srt_decimal *d;
    uint64_t value = 0;
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return srt_keyword_wants(l, v, wanted);
    status = srt_loader_decimal(l, v, &decimal);
    if (status != SORTES_OK)
        return status;
    d = srt_schema_decimal(l->s, decimal);
    if (d->negative || d->exponent < 0)
        return srt_keyword_wants(l, v, wanted);
    for (uint32_t i = 0; i < d->n + (uint32_t)d->exponent; i++) {
        value = value * 10 + (i < d->n ? d->digit[i] : 0);
        if (value > UINT32_MAX)
            value = UINT32_MAX;
    }
    *count = d->n ? (uint32_t)value : 0;
    return SORTES_OK;
}

sortes_status srt_keyword_at_least(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_schema_rule_type rule)
{
    uint32_t count;
    sortes_status status = srt_keyword_count(l, v, &count);

    if (status == SORTES_OK && count == UINT32_MAX)
        status = srt_loader_refuse(l, SORTES_E_LIMIT, v,
                                   "the count is above 4294967294");
    return status == SORTES_OK
               ? srt_loader_rule(l, rule, count, UINT32_MAX, 0, v)
               : status;
}

sortes_status srt_keyword_at_most(struct srt_loader *l,
                                  const struct srt_json *v,
                                  enum srt_schema_rule_type rule)
{
    uint32_t count;
    sortes_status status = srt_keyword_count(l, v, &count);

    return status == SORTES_OK ? srt_loader_rule(l, rule, 0, count, 0, v)
                               : status;
}
