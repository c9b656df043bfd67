/*
 * parse.c - patterns: ECMAScript's regular expressions, read into a book
 *
 * Grammar: ECMA-262, Patterns, with the u flag; of Annex B the escapes, braces
 * and brackets that stand for themselves, and quantified lookaheads.  Beyond
 * it: (?P<n>..), (?i:..), (?s:..), a leading (?i), \A and \z.  `^` and `$` are
 * the ends of the text, never of a line.  What no finite automaton can do, and
 * what other dialects have, is refused by name.
 *
 * Laziness of a quantifier changes what a group captures, not what matches.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/parse.h"

#include <stdlib.h>

static uint32_t pattern_alternatives(struct srt_pattern *p);

uint32_t srt_pattern_fail(struct srt_pattern *p, sortes_status status,
                          size_t offset, const char *what)
{
    if (!srt_book_failed(p->b)) {
        (void)srt_fail(p->err, status, offset, "regex: byte %zu: %s", offset,
                       what);
        srt_book_fail(p->b, status);
    }
    return 0;
}

/* ---- groups and assertions ----------------------------------------------- */

static bool pattern_name_byte(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80 ||
           (!first && c >= '0' && c <= '9');
}

/* Behind '<': a name and its '>'. */
static size_t pattern_name(struct srt_pattern *p, size_t *name, char end)
{
    size_t n = 0;

    *name = p->at;
    while (p->at < p->n && pattern_name_byte(p->text[p->at], n == 0)) {
        p->at++;
        n++;
    }
    if (n == 0 || !srt_pattern_take(p, end)) {
        srt_pattern_fail(p, SORTES_E_SYNTAX, *name,
                         "a group's name is letters, digits and _");
        return 0;
    }
    return n;
}

/* What a finished ")" leaves: `)` itself, or a failure. */
static uint32_t pattern_close(struct srt_pattern *p, size_t start, uint32_t x)
{
    if (srt_book_failed(p->b))
        return 0;
    if (!srt_pattern_take(p, ')'))
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start, "( without its )");
    return x;
}

static uint32_t pattern_capture(struct srt_pattern *p, size_t start)
{
    const size_t number = ++p->n_opened;
    struct srt_pattern_group *g = &p->groups[number];
    uint32_t key[3] = { SRT_S_GROUP, (uint32_t)number, 0 };

    if (number > p->n_groups)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start, "( without its )");
    g->in_lookbehind = p->lookbehind > 0;
    key[2] = pattern_close(p, start, pattern_alternatives(p));
    g->closed = true;
    srt_words_push(p->b, &p->closed, (uint32_t)number);
    /* A group that can match nothing still has to be passed. */
    return key[2] && p->refers ? srt_source_make(p->b, key, 3) : key[2];
}

static uint32_t pattern_look(struct srt_pattern *p, size_t start, bool negated)
{
    const uint32_t x = pattern_close(p, start, pattern_alternatives(p));

    return srt_book_failed(p->b) ? 0 : srt_source_ahead(p->b, x, negated);
}

static uint32_t pattern_look_behind(struct srt_pattern *p, size_t start,
                                    bool negated)
{
    uint32_t x;

    p->lookbehind++;
    x = pattern_close(p, start, pattern_alternatives(p));
    p->lookbehind--;
    if (srt_book_failed(p->b))
        return 0;
    if (x == 0)
        return negated ? srt_source_empty(p->b) : 0;
    if (srt_source_info(p->b, x)->asserts)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "an assertion inside lookbehind");
    x = srt_source_tracker(p->b, x);
    return srt_source_behind(p->b, x, negated);
}

/* Behind "(?", at flags: sets them until ':' or ')'. */
static void pattern_flags(struct srt_pattern *p)
{
    const size_t start = p->at;
    bool on = true;

    for (; p->at < p->n && p->text[p->at] != ':' && p->text[p->at] != ')';
         p->at++) {
        const char c = p->text[p->at];

        if (c == '-' && on)
            on = false;
        else if (c == 'i')
            p->ignore_case = on;
        else if (c == 's')
            p->dot_all = on;
        else if (c == 'm') {
            srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                             "the flag m (lines) is not supported");
            return;
        } else if (c != 'u') {
            srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                             "unknown group or flag");
            return;
        }
    }
}

/* (?i:..); a whole-pattern (?i) is taken at the start. */
static uint32_t pattern_flagged(struct srt_pattern *p, size_t start)
{
    const bool ignore_case = p->ignore_case, dot_all = p->dot_all;
    uint32_t x;

    pattern_flags(p);
    if (srt_book_failed(p->b))
        return 0;
    if (srt_pattern_next_is(p, 0, ')'))
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "flags stand at the start or before ':'");
    if (!srt_pattern_take(p, ':'))
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start, "( without its )");
    x = pattern_close(p, start, pattern_alternatives(p));
    p->ignore_case = ignore_case;
    p->dot_all = dot_all;
    return x;
}

static uint32_t pattern_refer(struct srt_pattern *p, size_t number,
                              size_t start)
{
    const uint32_t key[3] = { SRT_S_REFER, (uint32_t)number, p->ignore_case };

    if (number == 0 || number > p->n_groups)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "reference to a group that is not there");
    if (p->lookbehind || p->groups[number].in_lookbehind)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                                "a backreference with a lookbehind");
    /* Before its group has ended a reference is to nothing: it is empty. */
    if (!p->groups[number].closed)
        return srt_source_empty(p->b);
    p->groups[number].referred = true;
    return srt_source_make(p->b, key, 3);
}

static uint32_t pattern_refer_name(struct srt_pattern *p, char end)
{
    size_t name;
    const size_t start = p->at, n = pattern_name(p, &name, end);

    for (size_t i = 1; n && i <= p->n_groups; i++)
        if (p->groups[i].n_name == n &&
            memcmp(p->text + p->groups[i].name, p->text + name, n) == 0)
            return pattern_refer(p, i, start);
    return srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                            "reference to a group that is not there");
}

/* Behind "(?". */
static uint32_t pattern_special(struct srt_pattern *p, size_t start)
{
    const char *refused = NULL;
    size_t name;

    if (srt_pattern_take(p, ':'))
        return pattern_close(p, start, pattern_alternatives(p));
    if (srt_pattern_take(p, '='))
        return pattern_look(p, start, false);
    if (srt_pattern_take(p, '!'))
        return pattern_look(p, start, true);
    if (srt_pattern_next_is(p, 0, 'P') && srt_pattern_next_is(p, 1, '=')) {
        p->at += 2;
        return pattern_refer_name(p, ')');
    }
    if (srt_pattern_next_is(p, 0, 'P') && srt_pattern_next_is(p, 1, '<'))
        p->at++;
    if (srt_pattern_take(p, '<')) {
        if (srt_pattern_take(p, '='))
            return pattern_look_behind(p, start, false);
        if (srt_pattern_take(p, '!'))
            return pattern_look_behind(p, start, true);
        (void)pattern_name(p, &name, '>');
        return srt_book_failed(p->b) ? 0 : pattern_capture(p, start);
    }
    if (srt_pattern_next_is(p, 0, '>'))
        refused = "atomic groups are not supported";
    else if (srt_pattern_next_is(p, 0, '#'))
        refused = "comments are not supported";
    else if (srt_pattern_next_is(p, 0, '('))
        refused = "conditionals are not supported";
    else if (srt_pattern_next_is(p, 0, 'R') || srt_pattern_next_is(p, 0, '&'))
        refused = "recursion is not regular";
    else if (srt_pattern_next_is(p, 0, '|'))
        refused = "branch reset is not supported";
    if (refused)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, start, refused);
    return pattern_flagged(p, start);
}

static uint32_t pattern_group(struct srt_pattern *p)
{
    const size_t start = p->at - 1;
    uint32_t x;

    if (p->depth == SRT_PATTERN_DEPTH)
        return srt_pattern_fail(p, SORTES_E_LIMIT, start,
                                "parentheses nested too deep (200 at most)");
    p->depth++;
    x = srt_pattern_take(p, '?') ? pattern_special(p, start)
                                 : pattern_capture(p, start);
    p->depth--;
    return x;
}

/* \b: a word character on one side and none on the other.  \B: neither. */
static uint32_t pattern_boundary(struct srt_pattern *p, bool negated)
{
    struct srt_book *b = p->b;
    struct srt_code_set s = { 0 };
    uint32_t word, before[2], sides[2];

    if (p->lookbehind)
        return srt_pattern_fail(p, SORTES_E_SYNTAX, p->at - 2,
                                "an assertion inside lookbehind");
    srt_code_set_add_class(&s, 'w');
    if (p->ignore_case)
        srt_code_set_fold(&s);
    word = srt_pattern_set(p, &s);
    if (srt_book_failed(b))
        return 0;
    before[0] = srt_source_tracker(b, word);
    before[1] = srt_source_behind(b, before[0], true);
    before[0] = srt_source_behind(b, before[0], false);
    for (int i = 0; i < 2; i++) {
        const uint32_t parts[2] = {
            before[i], srt_source_ahead(b, word, (i == 0) != negated)
        };

        sides[i] = srt_source_cat(b, parts, 2);
    }
    return srt_source_or(b, sides, 2);
}

/* ---- atoms, terms, alternatives ------------------------------------------ */

/* Behind a backslash; *quantify: whether a quantifier may follow. */
static uint32_t pattern_escaped(struct srt_pattern *p, bool *quantify)
{
    const size_t start = p->at - 1;
    const char c = p->at < p->n ? p->text[p->at] : 0;
    struct srt_code_set s = { 0 };
    uint32_t code;
    size_t number = 0;

    if (c && strchr("bBAz", c)) {
        p->at++;
        *quantify = false;
        if (c == 'A')
            return srt_source_behind(p->b, SRT_TRACK_START, false);
        if (c == 'z')
            return srt_source_end(p->b);
        return pattern_boundary(p, c == 'B');
    }
    if (c >= '1' && c <= '9') {
        while (p->at < p->n && p->text[p->at] >= '0' && p->text[p->at] <= '9' &&
               number <= SRT_PATTERN_GROUPS)
            number = 10 * number + (size_t)(p->text[p->at++] - '0');
        return pattern_refer(p, number, start);
    }
    if (c == 'k' && srt_pattern_next_is(p, 1, '<')) {
        p->at += 2;
        return pattern_refer_name(p, '>');
    }
    if (!srt_pattern_escape(p, false, &s, &code) && !srt_book_failed(p->b))
        srt_code_set_add(&s, code, code);
    if (srt_book_failed(p->b)) {
        srt_code_set_clear(&s);
        return 0;
    }
    return srt_pattern_set(p, &s);
}

/* One code point, as the text has it. */
static uint32_t pattern_itself(struct srt_pattern *p)
{
    const uint32_t code = srt_pattern_code(p);
    const uint32_t one[1][2] = { { code, code } };
    struct srt_code_set s = { 0 };

    if (srt_book_failed(p->b))
        return 0;
    if (!p->ignore_case)
        return srt_source_set(p->b, one, 1);
    srt_code_set_add(&s, code, code);
    return srt_pattern_set(p, &s);
}

static uint32_t pattern_atom(struct srt_pattern *p, bool *quantify)
{
    struct srt_code_set s = { 0 };

    *quantify = true;
    if (srt_pattern_take(p, '('))
        return pattern_group(p);
    if (srt_pattern_take(p, '\\'))
        return pattern_escaped(p, quantify);
    if (srt_pattern_take(p, '^')) {
        *quantify = false;
        return srt_source_behind(p->b, SRT_TRACK_START, false);
    }
    if (srt_pattern_take(p, '$')) {
        *quantify = false;
        return srt_source_end(p->b);
    }
    if (srt_pattern_take(p, '[')) {
        srt_pattern_class(p, &s);
    } else if (srt_pattern_take(p, '.')) {
        if (p->dot_all)
            srt_code_set_add(&s, 0, SRT_CODE_MAX);
        else
            srt_code_set_add_class(&s, '.');
    } else {
        return pattern_itself(p);
    }
    if (srt_book_failed(p->b)) {
        srt_code_set_clear(&s);
        return 0;
    }
    return srt_pattern_set(p, &s);
}

/* A number of a quantifier, at *at; false: there is none. */
static bool pattern_number(const struct srt_pattern *p, size_t *at,
                           uint64_t *value)
{
    const size_t start = *at;

    *value = 0;
    for (; *at < p->n && p->text[*at] >= '0' && p->text[*at] <= '9'; ++*at)
        if (*value < SRT_INFINITY)
            *value = 10 * *value + (uint64_t)(p->text[*at] - '0');
    return *at > start;
}

/* "{m}", "{m,}" or "{m,n}" at p->at, taken; anything else is no quantifier. */
static bool pattern_braces(struct srt_pattern *p, uint64_t counts[2])
{
    size_t at = p->at + 1;

    if (!srt_pattern_next_is(p, 0, '{') || !pattern_number(p, &at, &counts[0]))
        return false;
    counts[1] = counts[0];
    if (at < p->n && p->text[at] == ',') {
        at++;
        if (!pattern_number(p, &at, &counts[1]))
            counts[1] = UINT64_MAX;
    }
    if (at >= p->n || p->text[at] != '}')
        return false;
    p->at = at + 1;
    return true;
}

static bool pattern_quantifier(struct srt_pattern *p, uint64_t counts[2])
{
    const size_t start = p->at;

    counts[0] = 0;
    counts[1] = UINT64_MAX;
    if (srt_pattern_take(p, '+'))
        counts[0] = 1;
    else if (srt_pattern_take(p, '?'))
        counts[1] = 1;
    else if (!srt_pattern_take(p, '*') && !pattern_braces(p, counts))
        return false;
    if (counts[0] > counts[1])
        srt_pattern_fail(p, SORTES_E_SYNTAX, start,
                         "{m,n} with m greater than n");
    else if (counts[0] >= SRT_INFINITY ||
             (counts[1] >= SRT_INFINITY && counts[1] != UINT64_MAX))
        srt_pattern_fail(p, SORTES_E_LIMIT, start, "a count beyond 4294967294");
    (void)srt_pattern_take(p, '?');
    return true;
}

/* An atom and what repeats it, pushed. */
static void pattern_term(struct srt_pattern *p)
{
    size_t at = p->at;
    uint64_t counts[2];
    bool quantify;
    uint32_t x;

    if (pattern_quantifier(p, counts)) {
        srt_pattern_fail(p, SORTES_E_SYNTAX, at, "nothing to repeat");
        return;
    }
    x = pattern_atom(p, &quantify);
    at = p->at;
    if (!srt_book_failed(p->b) && pattern_quantifier(p, counts)) {
        const uint32_t max =
            counts[1] == UINT64_MAX ? SRT_INFINITY : (uint32_t)counts[1];

        if (!quantify)
            srt_pattern_fail(p, SORTES_E_SYNTAX, at,
                             "an anchor cannot be repeated");
        x = srt_source_repeat(p->b, x, (uint32_t)counts[0], max);
        at = p->at;
        if (pattern_quantifier(p, counts))
            srt_pattern_fail(p, SORTES_E_SYNTAX, at,
                             "a second quantifier (possessive ones are not "
                             "supported)");
    }
    srt_words_push(p->b, &p->b->words, x);
}

static uint32_t pattern_sequence(struct srt_pattern *p)
{
    const size_t from = p->b->words.n;

    while (srt_pattern_more(p) && !srt_pattern_next_is(p, 0, '|') &&
           !srt_pattern_next_is(p, 0, ')'))
        pattern_term(p);
    return srt_source_cat_words(p->b, from);
}

static uint32_t pattern_alternatives(struct srt_pattern *p)
{
    const size_t from = p->b->words.n;
    uint32_t x;

    do {
        x = pattern_sequence(p);
        srt_words_push(p->b, &p->b->words, x);
    } while (srt_pattern_more(p) && srt_pattern_take(p, '|'));
    return srt_source_or_words(p->b, from);
}

/* ---- the whole ----------------------------------------------------------- */

/* How many bytes behind "(" a name begins; 0: none.  *captures: no (?: or so.
 */
static size_t pattern_names_group(const char *at, size_t left, bool *captures)
{
    size_t name = 0;

    if (left > 3 && at[1] == '?' && at[2] == 'P' && at[3] == '<')
        name = 4;
    else if (left > 3 && at[1] == '?' && at[2] == '<' && at[3] != '=' &&
             at[3] != '!')
        name = 3;
    *captures = name > 0 || left < 2 || at[1] != '?';
    return name;
}

static void pattern_add_group(struct srt_pattern *p, size_t at, size_t name)
{
    struct srt_pattern_group *g = p->groups;
    size_t n = 0;

    if (p->n_groups == p->room) {
        p->room = p->room ? 2 * p->room : 8;
        g = realloc(g, (p->room + 1) * sizeof(*g));
        if (!g) {
            srt_book_fail(p->b, SORTES_E_NOMEM);
            return;
        }
        p->groups = g;
    }
    while (name && at + n < p->n && p->text[at + n] != '>')
        n++;
    for (size_t i = 1; n > 0 && i <= p->n_groups; i++)
        if (g[i].n_name == n &&
            memcmp(p->text + g[i].name, p->text + at, n) == 0)
            srt_pattern_fail(p, SORTES_E_SYNTAX, at,
                             "a second group of that name");
    memset(&g[++p->n_groups], 0, sizeof(*g));
    g[p->n_groups].name = at;
    g[p->n_groups].n_name = n;
}

/* Counts the groups, with their names, and whether one is referred to. */
static void pattern_survey(struct srt_pattern *p)
{
    bool in_class = false, captures;

    for (size_t i = 0; i < p->n && !srt_book_failed(p->b); i++) {
        const char *at = p->text + i;
        const size_t left = p->n - i;

        if (*at == '\\' && left > 1) {
            i++;
            p->refers |=
                !in_class && ((at[1] >= '1' && at[1] <= '9') || at[1] == 'k');
        } else if (in_class) {
            in_class = *at != ']';
        } else if (*at == '[') {
            in_class = true;
        } else if (*at == '(') {
            const size_t name = pattern_names_group(at, left, &captures);

            p->refers |= left > 3 && memcmp(at, "(?P=", 4) == 0;
            if (captures)
                pattern_add_group(p, i + name, name);
        }
    }
}

/* Flags in parentheses of their own, at the very start. */
static void pattern_leading_flags(struct srt_pattern *p)
{
    size_t at = 2;

    if (!srt_pattern_next_is(p, 0, '(') || !srt_pattern_next_is(p, 1, '?'))
        return;
    while (at < p->n && p->text[at] >= 'a' && p->text[at] <= 'z')
        at++;
    if (at == 2 || at >= p->n || p->text[at] != ')')
        return;
    p->at = 2;
    pattern_flags(p);
    (void)srt_pattern_take(p, ')');
}

static uint32_t pattern_whole(struct srt_pattern *p, bool search)
{
    uint32_t parts[3] = { 0, 0, 0 };

    pattern_survey(p);
    pattern_leading_flags(p);
    parts[1] = srt_book_failed(p->b) ? 0 : pattern_alternatives(p);
    if (!srt_book_failed(p->b) && p->at < p->n)
        srt_pattern_fail(p, SORTES_E_SYNTAX, p->at, ") without its (");
    if (p->refers)
        parts[1] = srt_pattern_resolve(p, parts[1]);
    if (!search)
        return parts[1];
    parts[0] = parts[2] = srt_source_anything(p->b);
    return srt_source_cat(p->b, parts, 3);
}

sortes_status srt_book_parse(struct srt_book *b, const char *pattern, size_t n,
                             bool search, srt_regex *to, sortes_error *err)
{
    struct srt_pattern p = { .b = b, .text = pattern, .n = n, .err = err };
    uint32_t x;

    if (b->closed)
        return SORTES_E_ARGUMENT;
    srt_book_begin(b);
    (void)srt_ok(err);
    x = pattern_whole(&p, search);
    free(p.groups);
    free(p.closed.at);
    if (b->status == SORTES_OK)
        *to = x;
    else if (err && err->status == SORTES_OK)
        (void)srt_fail(err, b->status, 0, "regex: %s",
                       b->status == SORTES_E_NOMEM
                           ? "no memory"
                           : "the pattern is larger than the limits allow");
    return b->status;
}
