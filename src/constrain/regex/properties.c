/*
 * properties.c - what \p{..} stands for, and what differs by case alone
 *
 * The data is unicode_data.def, made by tools/unicode_properties.py, which
 * describes its encoding.  A script's extensions are kept as what they differ
 * in from the script.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/code_set.h"

#include <stdlib.h>
#include <string.h>

enum property_kind { PROPERTY_GC, PROPERTY_SC, PROPERTY_SCX, PROPERTY_BINARY };

struct property {
    uint8_t kind;
    const char *names; /* separated by blanks */
    uint32_t first, n; /* in property_bytes */
};

static const struct property properties[] = {
#define SRT_UNICODE_SET(kind, names, first, n)                                 \
    { PROPERTY_##kind, names, first, n },
#include "constrain/regex/unicode_data.def"
#undef SRT_UNICODE_SET
};

/* Categories by the letter that their short names begin with; LC: cased. */
static const char *const property_groups[] = {
#define SRT_UNICODE_GROUP(names) names,
#include "constrain/regex/unicode_data.def"
#undef SRT_UNICODE_GROUP
};

static const uint8_t property_bytes[] = {
#define SRT_UNICODE_BYTES
#include "constrain/regex/unicode_data.def"
#undef SRT_UNICODE_BYTES
};

static const uint8_t property_folds[] = {
#define SRT_UNICODE_FOLDS
#include "constrain/regex/unicode_data.def"
#undef SRT_UNICODE_FOLDS
};

const char *srt_unicode_version(void)
{
#define SRT_UNICODE_VERSION(text) return text;
#include "constrain/regex/unicode_data.def"
#undef SRT_UNICODE_VERSION
}

static uint32_t property_number(const uint8_t **at)
{
    uint32_t value = 0;
    unsigned shift = 0;

    for (; **at & 0x80; shift += 7)
        value |= (uint32_t)(*(*at)++ & 0x7F) << shift;
    return value | (uint32_t) * (*at)++ << shift;
}

static void property_add(struct srt_code_set *s, const struct property *p)
{
    const uint8_t *at = property_bytes + p->first, *end = at + p->n;
    uint32_t code = 0;

    while (at < end) {
        uint32_t n;

        code += property_number(&at);
        n = property_number(&at);
        srt_code_set_add(s, code, code + n - 1);
        code += n;
    }
}

static bool property_is_named(const char *names, const char *name, size_t n)
{
    while (*names) {
        const size_t length = strcspn(names, " ");

        if (length == n && memcmp(names, name, n) == 0)
            return true;
        names += length + (names[length] == ' ');
    }
    return false;
}

static const struct property *property_find(enum property_kind kind,
                                            const char *name, size_t n)
{
    for (size_t i = 0; i < SRT_COUNT(properties); i++)
        if (properties[i].kind == kind &&
            property_is_named(properties[i].names, name, n))
            return &properties[i];
    return NULL;
}

/* Code points in one of the two and not in the other. */
static void property_difference(struct srt_code_set *s,
                                const struct property *change)
{
    struct srt_code_set other = { .failed = false }, both = { .failed = false };

    property_add(&other, change);
    for (size_t i = 0, j = 0; i < s->n && j < other.n;) {
        const uint32_t *a = s->ranges[i], *b = other.ranges[j];
        const uint32_t first = a[0] > b[0] ? a[0] : b[0];
        const uint32_t last = a[1] < b[1] ? a[1] : b[1];

        if (first <= last)
            srt_code_set_add(&both, first, last);
        if (a[1] < b[1])
            i++;
        else
            j++;
    }
    srt_code_set_add_all(s, (const uint32_t(*)[2])other.ranges, other.n);
    srt_code_set_invert(s);
    srt_code_set_add_all(s, (const uint32_t(*)[2])both.ranges, both.n);
    srt_code_set_invert(s);
    s->failed |= other.failed | both.failed;
    srt_code_set_clear(&other);
    srt_code_set_clear(&both);
}

static bool property_category(struct srt_code_set *s, const char *name,
                              size_t n)
{
    const struct property *p = property_find(PROPERTY_GC, name, n);

    if (p) {
        property_add(s, p);
        return true;
    }
    for (size_t i = 0; i < SRT_COUNT(property_groups); i++) {
        const char *group = property_groups[i];
        const bool cased = group[1] == 'C';

        if (!property_is_named(group, name, n))
            continue;
        for (p = properties; p->kind == PROPERTY_GC; p++)
            if (p->names[0] == group[0] &&
                (!cased || strchr("ult", p->names[1])))
                property_add(s, p);
        return true;
    }
    return false;
}

static bool property_script(struct srt_code_set *s, const char *name, size_t n,
                            bool extended)
{
    const struct property *p = property_find(PROPERTY_SC, name, n);
    const struct property *x = property_find(PROPERTY_SCX, name, n);

    if (!p)
        return false;
    property_add(s, p);
    if (extended && x)
        property_difference(s, x);
    return true;
}

static bool property_binary(struct srt_code_set *s, const char *name, size_t n)
{
    const struct property *p = property_find(PROPERTY_BINARY, name, n);

    if (p) {
        property_add(s, p);
    } else if (property_is_named("Any", name, n)) {
        srt_code_set_add(s, 0, 0x10FFFF);
    } else if (property_is_named("ASCII", name, n)) {
        srt_code_set_add(s, 0, 0x7F);
    } else if (property_is_named("Assigned", name, n)) {
        property_add(s, property_find(PROPERTY_GC, "Cn", 2));
        srt_code_set_invert(s);
    } else {
        return false;
    }
    return true;
}

bool srt_code_set_add_property(struct srt_code_set *s, const char *name,
                               size_t n_name, const char *value, size_t n_value)
{
    struct srt_code_set own = { .failed = false };
    bool known;

    if (!value)
        known = property_category(&own, name, n_name) ||
                property_binary(&own, name, n_name) ||
                property_script(&own, name, n_name, false);
    else if (property_is_named("General_Category gc", name, n_name))
        known = property_category(&own, value, n_value);
    else if (property_is_named("Script sc", name, n_name))
        known = property_script(&own, value, n_value, false);
    else
        known = property_is_named("Script_Extensions scx", name, n_name) &&
                property_script(&own, value, n_value, true);
    srt_code_set_tidy(&own);
    srt_code_set_add_all(s, (const uint32_t(*)[2])own.ranges, own.n);
    s->failed |= own.failed;
    srt_code_set_clear(&own);
    return known;
}

static bool fold_has(const struct srt_code_set *s, uint32_t code)
{
    size_t low = 0, n = s->n;

    while (n > 0) {
        const size_t half = n / 2;

        if (code > s->ranges[low + half][1]) {
            low += half + 1;
            n -= half + 1;
        } else if (code < s->ranges[low + half][0]) {
            n = half;
        } else {
            return true;
        }
    }
    return false;
}

void srt_code_set_fold(struct srt_code_set *s)
{
    const uint8_t *at = property_folds;
    const uint8_t *end = at + sizeof(property_folds);
    struct srt_code_set more = { .failed = false };
    uint32_t first = 0;

    srt_code_set_tidy(s);
    while (at < end) {
        uint32_t class_[8];
        uint32_t n = 0, last;
        bool any = false;

        first += property_number(&at);
        class_[0] = first;
        last = property_number(&at);
        for (; n < last; n++)
            class_[n + 1] = class_[n] + property_number(&at);
        for (uint32_t i = 0; i <= last; i++)
            any |= fold_has(s, class_[i]);
        for (uint32_t i = 0; any && i <= last; i++)
            srt_code_set_add(&more, class_[i], class_[i]);
    }
    srt_code_set_add_all(s, (const uint32_t(*)[2])more.ranges, more.n);
    s->failed |= more.failed;
    srt_code_set_clear(&more);
    srt_code_set_tidy(s);
}
