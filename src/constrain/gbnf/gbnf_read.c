/*
 * gbnf_read.c - GBNF text to rules
 *
 * The grammar of grammars is that of llama.cpp's llama_grammar_parser
 * (src/llama-grammar.cpp).  Its limits on repetition hold in the literal form
 * alone; {5,2}, which it does not survive, is an error in both.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/gbnf.h"

#include "constrain/grow.h"
#include "unicode.h"

#include <stdio.h>
#include <string.h>

/* llama.cpp's MAX_REPETITION_THRESHOLD. */
#define READ_REPEAT_MAX 2000

struct reader {
    struct srt_gbnf *g;
    sortes_error *err;
    struct srt_timer timer;
    size_t at;
    bool literal;
    unsigned depth;     /* groups that are open */
    uint64_t n_symbols; /* rules that llama.cpp would have by now */
};

/* The children of a sequence or choice as they come. */
struct read_list {
    uint32_t first, last, before_last;
    uint32_t weight;
    uint16_t height;
};

static sortes_status read_choice(struct reader *r, bool nested, uint32_t *to);

static sortes_status read_fail(const struct reader *r, size_t at,
                               const char *what)
{
    return srt_gbnf_fail(r->g, r->err, SORTES_E_SYNTAX, at, what);
}

/* ---- characters ---------------------------------------------------------- */

static char read_peek(const struct reader *r, size_t ahead)
{
    return r->at + ahead < r->g->n ? r->g->text[r->at + ahead] : '\0';
}

static bool read_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exact form takes underscores too, as XGrammar's EBNF does. */
static bool read_is_word(const struct reader *r, char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           read_is_digit(c) || (c == '_' && !r->literal);
}

static void read_space(struct reader *r, bool newlines)
{
    for (;; r->at++) {
        const char c = read_peek(r, 0);

        if (c == '#') {
            while (r->at + 1 < r->g->n && read_peek(r, 1) != '\n' &&
                   read_peek(r, 1) != '\r')
                r->at++;
        } else if (c != ' ' && c != '\t' &&
                   !(newlines && (c == '\n' || c == '\r'))) {
            return;
        }
    }
}

static int read_hex_digit(char c)
{
    if (read_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static sortes_status read_hex(struct reader *r, unsigned digits, uint32_t *code)
{
    char what[32];

    *code = 0;
    for (unsigned i = 0; i < digits; i++) {
        const int digit = read_hex_digit(read_peek(r, 0));

        if (digit < 0) {
            snprintf(what, sizeof(what), "expected %u hex digits", digits);
            return read_fail(r, r->at, what);
        }
        *code = *code << 4 | (uint32_t)digit;
        r->at++;
    }
    return SORTES_OK;
}

static sortes_status read_escape(struct reader *r, uint32_t *code)
{
    const size_t start = r->at;
    const char c = read_peek(r, 1);

    r->at += 2;
    switch (c) {
    case 'x':
        return read_hex(r, 2, code);
    case 'u':
        return read_hex(r, 4, code);
    case 'U':
        return read_hex(r, 8, code);
    case 't':
        *code = '\t';
        return SORTES_OK;
    case 'r':
        *code = '\r';
        return SORTES_OK;
    case 'n':
        *code = '\n';
        return SORTES_OK;
    case '\\':
    case '"':
    case '[':
    case ']':
    case '-':
        *code = (uint32_t)c;
        return SORTES_OK;
    default:
        return read_fail(r, start,
                         "no such escape (expected \\x \\u \\U \\t \\r \\n "
                         "\\\\ \\\" \\[ \\] \\-)");
    }
}

/* A character of a literal or class; the text does not end here. */
static sortes_status read_code(struct reader *r, uint32_t *code)
{
    const char *at = r->g->text + r->at;
    const size_t length = srt_utf8_length(at, r->g->n - r->at);
    const unsigned char first = (unsigned char)*at;

    if (first == '\\')
        return read_escape(r, code);
    if (length == 0)
        return read_fail(r, r->at, "not UTF-8");
    *code = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | ((unsigned char)at[i] & 0x3fu);
    r->at += length;
    return SORTES_OK;
}

static sortes_status read_number(struct reader *r, uint32_t *number)
{
    const size_t start = r->at;
    uint64_t value = 0;

    while (read_is_digit(read_peek(r, 0))) {
        value = value * 10 + (uint64_t)(read_peek(r, 0) - '0');
        if (value >= UINT32_MAX)
            return read_fail(r, start, "a number beyond 4294967294");
        r->at++;
    }
    if (r->at == start)
        return read_fail(r, start, "expected a number");
    *number = (uint32_t)value;
    return SORTES_OK;
}

/* ---- nodes --------------------------------------------------------------- */

static sortes_status read_node(struct reader *r, enum srt_gbnf_type type,
                               size_t offset, uint32_t *to)
{
    struct srt_gbnf *g = r->g;
    void *block = g->nodes;
    sortes_status status = srt_gbnf_step(&r->timer);

    if (status == SORTES_OK)
        status =
            srt_grow(&block, &g->nodes_room, g->n_nodes + 2, sizeof(*g->nodes));
    g->nodes = block;
    if (status != SORTES_OK)
        return srt_gbnf_fail_limit(&r->timer, r->err, status, "");
    *to = (uint32_t)++g->n_nodes;
    memset(&g->nodes[*to], 0, sizeof(g->nodes[*to]));
    g->nodes[*to].type = (uint8_t)type;
    g->nodes[*to].offset = (uint32_t)offset;
    g->nodes[*to].weight = 1;
    return SORTES_OK;
}

static uint32_t read_add_weight(uint32_t x, uint32_t y)
{
    return x > UINT32_MAX - y ? UINT32_MAX : x + y;
}

static void read_append(struct reader *r, struct read_list *list, uint32_t node)
{
    const struct srt_gbnf_node *n = &r->g->nodes[node];

    if (list->last)
        r->g->nodes[list->last].next = node;
    else
        list->first = node;
    list->before_last = list->last;
    list->last = node;
    list->weight = read_add_weight(list->weight, n->weight);
    if (list->height < n->height)
        list->height = n->height;
}

/* Takes the last child off again; once between two read_append(). */
static void read_take_last(struct reader *r, struct read_list *list)
{
    list->last = list->before_last;
    if (list->last)
        r->g->nodes[list->last].next = 0;
    else
        list->first = 0;
}

static sortes_status read_close(struct reader *r, enum srt_gbnf_type type,
                                size_t offset, const struct read_list *list,
                                uint32_t *to)
{
    const sortes_status status = read_node(r, type, offset, to);

    if (status == SORTES_OK) {
        struct srt_gbnf_node *n = &r->g->nodes[*to];

        n->child = list->first;
        n->weight = list->weight;
        n->height = (uint16_t)(list->height + 1);
        if (n->height > SRT_GBNF_DEPTH)
            return srt_gbnf_fail(r->g, r->err, SORTES_E_LIMIT, offset,
                                 "groups and repetitions nested too deep");
    }
    return status;
}

static sortes_status read_range(struct reader *r, uint32_t first, uint32_t last)
{
    struct srt_gbnf *g = r->g;
    void *block = g->ranges;
    const sortes_status status =
        srt_grow(&block, &g->ranges_room, g->n_ranges + 1, sizeof(*g->ranges));

    g->ranges = block;
    if (status != SORTES_OK)
        return srt_fail(r->err, status, 0, "gbnf: no memory");
    g->ranges[g->n_ranges][0] = first;
    g->ranges[g->n_ranges++][1] = last;
    return SORTES_OK;
}

/* A node of one character. */
static sortes_status read_one(struct reader *r, size_t offset, uint32_t code,
                              uint32_t *to)
{
    const uint32_t a = (uint32_t)r->g->n_ranges;
    sortes_status status = read_range(r, code, code);

    if (status == SORTES_OK)
        status = read_node(r, SRT_GBNF_CHARS, offset, to);
    if (status == SORTES_OK) {
        r->g->nodes[*to].a = a;
        r->g->nodes[*to].b = a + 1;
    }
    return status;
}

/* ---- items --------------------------------------------------------------- */

/* *to is 0 for what is nothing at all. */
static sortes_status read_literal(struct reader *r, uint32_t *to)
{
    const size_t start = r->at++;
    struct read_list list = { 0 };
    sortes_status status = SORTES_OK;

    *to = 0;
    while (status == SORTES_OK && read_peek(r, 0) != '"') {
        const size_t offset = r->at;
        uint32_t code, node;

        if (r->at >= r->g->n)
            return read_fail(r, start, "a literal without its closing '\"'");
        status = read_code(r, &code);
        if (status == SORTES_OK)
            status = read_one(r, offset, code, &node);
        if (status == SORTES_OK)
            read_append(r, &list, node);
    }
    r->at++;
    if (status != SORTES_OK || !list.first)
        return status;
    if (list.first == list.last) {
        *to = list.first;
        return SORTES_OK;
    }
    return read_close(r, SRT_GBNF_SEQUENCE, start, &list, to);
}

static sortes_status read_class(struct reader *r, uint32_t *to)
{
    const size_t start = r->at++;
    const bool negated = read_peek(r, 0) == '^';
    const uint32_t a = (uint32_t)r->g->n_ranges;
    sortes_status status = SORTES_OK;

    *to = 0;
    r->at += negated;
    while (status == SORTES_OK && read_peek(r, 0) != ']') {
        uint32_t first, last;

        if (r->at >= r->g->n)
            return read_fail(r, start, "a class without its closing ']'");
        status = read_code(r, &first);
        last = first;
        if (status == SORTES_OK && read_peek(r, 0) == '-' &&
            read_peek(r, 1) != ']') {
            if (++r->at >= r->g->n)
                return read_fail(r, start, "a class without its closing ']'");
            status = read_code(r, &last);
        }
        if (status == SORTES_OK)
            status = read_range(r, first, last);
    }
    r->at++;
    if (status != SORTES_OK || r->g->n_ranges == a)
        return status;
    status = read_node(r, SRT_GBNF_CHARS, start, to);
    if (status == SORTES_OK) {
        struct srt_gbnf_node *n = &r->g->nodes[*to];

        n->negated = negated;
        n->a = a;
        n->b = (uint32_t)r->g->n_ranges;
        n->weight = 4;
    }
    return status;
}

static sortes_status read_any(struct reader *r, uint32_t *to)
{
    const sortes_status status = read_node(r, SRT_GBNF_CHARS, r->at++, to);

    if (status == SORTES_OK) {
        r->g->nodes[*to].negated = true;
        r->g->nodes[*to].weight = 8;
    }
    return status;
}

/* <[12]>, <text>, and either behind a '!'. */
static sortes_status read_token(struct reader *r, uint32_t *to)
{
    const size_t start = r->at;
    const bool negated = read_peek(r, 0) == '!';
    struct srt_gbnf_node *n;
    uint32_t id = 0;
    sortes_status status = read_node(r, SRT_GBNF_TOKEN, start, to);

    if (status != SORTES_OK)
        return status;
    r->at += negated;
    if (read_peek(r, 0) != '<')
        return read_fail(r, r->at, "expected '<'");
    n = &r->g->nodes[*to];
    n->negated = negated;
    n->spelled = read_peek(r, 1) != '[';
    n->a = (uint32_t)r->at;
    if (n->spelled) {
        while (r->at < r->g->n && read_peek(r, 0) != '>')
            r->at++;
    } else {
        r->at += 2;
        status = read_number(r, &id);
        if (status != SORTES_OK)
            return status;
        n->a = id;
        if (read_peek(r, 0) != ']')
            return read_fail(r, r->at, "expected ']'");
        r->at++;
    }
    if (read_peek(r, 0) != '>')
        return read_fail(r, r->at, "expected '>'");
    n->b = (uint32_t)++r->at;
    r->g->has_tokens = true;
    return SORTES_OK;
}

static sortes_status read_rule_number(struct reader *r, uint32_t *rule)
{
    struct srt_gbnf *g = r->g;
    const size_t start = r->at;
    void *block = g->rules;
    bool is_new;
    sortes_status status;

    while (read_is_word(r, read_peek(r, 0)))
        r->at++;
    if (r->at == start)
        return read_fail(r, start, "expected the name of a rule");
    status =
        srt_grow(&block, &g->rules_room, g->n_rules + 1, sizeof(*g->rules));
    g->rules = block;
    if (status == SORTES_OK)
        status = srt_pool_intern(&g->names, g->text + start, r->at - start,
                                 rule, &is_new);
    if (status != SORTES_OK)
        return srt_fail(r->err, status, start, "gbnf: too many names");
    --*rule;
    if (is_new) {
        g->rules[g->n_rules].node = 0;
        g->rules[g->n_rules++].offset = (uint32_t)start;
        r->n_symbols++;
    }
    return SORTES_OK;
}

static sortes_status read_name(struct reader *r, uint32_t *to)
{
    const size_t start = r->at;
    uint32_t rule;
    sortes_status status = read_rule_number(r, &rule);

    if (status == SORTES_OK)
        status = read_node(r, SRT_GBNF_NAME, start, to);
    if (status == SORTES_OK)
        r->g->nodes[*to].a = rule;
    return status;
}

static sortes_status read_group(struct reader *r, uint64_t *n_rules,
                                uint32_t *to)
{
    const uint64_t before = r->n_symbols++;
    const size_t start = r->at++;
    sortes_status status;

    if (++r->depth > SRT_GBNF_DEPTH)
        return srt_gbnf_fail(r->g, r->err, SORTES_E_LIMIT, start,
                             "groups and repetitions nested too deep");
    read_space(r, true);
    status = read_choice(r, true, to);
    r->depth--;
    if (status != SORTES_OK)
        return status;
    if (read_peek(r, 0) != ')')
        return read_fail(r, r->at, "expected ')'");
    r->at++;
    *n_rules = r->n_symbols - before;
    return SORTES_OK;
}

/* ---- repetition ---------------------------------------------------------- */

/* {m} {m,} {m,n}, behind the brace. */
static sortes_status read_bounds(struct reader *r, bool nested, uint32_t *min,
                                 uint32_t *max)
{
    const size_t start = r->at++;
    sortes_status status;

    read_space(r, nested);
    status = read_number(r, min);
    if (status != SORTES_OK)
        return status;
    read_space(r, nested);
    *max = *min;
    if (read_peek(r, 0) == ',') {
        r->at++;
        read_space(r, nested);
        *max = SRT_GBNF_MANY;
        if (read_is_digit(read_peek(r, 0))) {
            status = read_number(r, max);
            read_space(r, nested);
        }
        if (status == SORTES_OK && read_peek(r, 0) != '}')
            return read_fail(r, r->at, "expected '}'");
    } else if (read_peek(r, 0) != '}') {
        return read_fail(r, r->at, "expected ',' or '}'");
    }
    if (status != SORTES_OK)
        return status;
    r->at++;
    if (*max < *min)
        return read_fail(r, start,
                         "a repetition whose maximum is below its minimum");
    if (r->literal && *min > READ_REPEAT_MAX)
        return read_fail(r, start, "more than 2000 repetitions");
    if (r->literal && *max > READ_REPEAT_MAX)
        *max = SRT_GBNF_MANY;
    return SORTES_OK;
}

/* llama.cpp's account of the rules that a repetition makes. */
static sortes_status read_account(struct reader *r, size_t offset, uint32_t min,
                                  uint32_t max, uint64_t *n_rules)
{
    const uint64_t total = max != SRT_GBNF_MANY && max > 0 ? max
                           : min > 0                       ? min
                                                           : 1;

    if (r->literal && *n_rules * total > READ_REPEAT_MAX)
        return read_fail(r, offset,
                         "repetitions inside one another beyond 2000");
    r->n_symbols += max == SRT_GBNF_MANY ? 1 : max - min;
    if (r->literal)
        *n_rules *= total;
    return SORTES_OK;
}

/* Repeats the last item of the list; *item becomes what the next repetition
 * would repeat. */
static sortes_status read_repeat(struct reader *r, bool nested,
                                 struct read_list *list, uint32_t *item,
                                 uint64_t *n_rules)
{
    const size_t start = r->at;
    const char c = read_peek(r, 0);
    uint32_t min = c == '+', max = c == '?' ? 1 : SRT_GBNF_MANY, weight;
    struct read_list own = { 0 };
    sortes_status status = SORTES_OK;

    if (c == '{')
        status = read_bounds(r, nested, &min, &max);
    else
        r->at++;
    if (status != SORTES_OK)
        return status;
    if (!*item)
        return read_fail(r, start, "nothing to repeat");
    status = read_account(r, start, min, max, n_rules);
    if (status != SORTES_OK)
        return status;
    weight = r->g->nodes[*item].weight;
    read_take_last(r, list);
    if (max == 0) {
        *item = 0;
        return SORTES_OK;
    }
    own.first = own.last = *item;
    own.height = r->g->nodes[*item].height;
    status = read_close(r, SRT_GBNF_REPEAT, start, &own, item);
    if (status != SORTES_OK)
        return status;
    r->g->nodes[*item].a = min;
    r->g->nodes[*item].b = max;
    {
        const uint64_t copies = max == SRT_GBNF_MANY ? (uint64_t)min + 1 : max;

        r->g->nodes[*item].weight = weight * copies < UINT32_MAX
                                        ? (uint32_t)(weight * copies)
                                        : UINT32_MAX;
    }
    read_append(r, list, *item);
    return SORTES_OK;
}

/* ---- sequences, choices, rules ------------------------------------------- */

static sortes_status read_sequence(struct reader *r, bool nested, uint32_t *to)
{
    const size_t start = r->at;
    struct read_list list = { 0 };
    uint32_t item = 0;
    uint64_t n_rules = 1;
    sortes_status status = SORTES_OK;

    while (status == SORTES_OK && r->at < r->g->n) {
        const char c = read_peek(r, 0);

        if (c == '*' || c == '+' || c == '?' || c == '{') {
            status = read_repeat(r, nested, &list, &item, &n_rules);
            read_space(r, nested);
            continue;
        }
        n_rules = 1;
        if (c == '"')
            status = read_literal(r, &item);
        else if (c == '[')
            status = read_class(r, &item);
        else if (c == '<' || c == '!')
            status = read_token(r, &item);
        else if (c == '(')
            status = read_group(r, &n_rules, &item);
        else if (c == '.')
            status = read_any(r, &item);
        else if (read_is_word(r, c))
            status = read_name(r, &item);
        else
            break;
        if (status == SORTES_OK && item)
            read_append(r, &list, item);
        read_space(r, nested);
    }
    if (status != SORTES_OK)
        return status;
    return read_close(r, SRT_GBNF_SEQUENCE, start, &list, to);
}

static sortes_status read_choice(struct reader *r, bool nested, uint32_t *to)
{
    const size_t start = r->at;
    struct read_list list = { 0 };
    uint32_t node;
    sortes_status status;

    for (;;) {
        status = read_sequence(r, nested, &node);
        if (status != SORTES_OK)
            return status;
        read_append(r, &list, node);
        if (read_peek(r, 0) != '|')
            break;
        r->at++;
        read_space(r, true);
    }
    return read_close(r, SRT_GBNF_CHOICE, start, &list, to);
}

static sortes_status read_rule(struct reader *r)
{
    uint32_t rule, node;
    sortes_status status = read_rule_number(r, &rule);

    if (status != SORTES_OK)
        return status;
    read_space(r, false);
    if (read_peek(r, 0) != ':' || read_peek(r, 1) != ':' ||
        read_peek(r, 2) != '=')
        return read_fail(r, r->at, "expected ::=");
    r->at += 3;
    read_space(r, true);
    status = read_choice(r, false, &node);
    if (status != SORTES_OK)
        return status;
    r->g->rules[rule].node = node;
    if (r->at < r->g->n && read_peek(r, 0) != '\n' && read_peek(r, 0) != '\r')
        return read_fail(r, r->at, "expected an item, '|' or the line's end");
    read_space(r, true);
    return SORTES_OK;
}

/* ---- the whole text ------------------------------------------------------ */

static sortes_status read_check_names(struct reader *r)
{
    struct srt_gbnf *g = r->g;
    bool has_root = false;
    char name[64], what[128];

    for (uint32_t i = 0; i < g->n_rules; i++) {
        srt_gbnf_name(g, i, name, sizeof(name));
        if (!g->rules[i].node) {
            snprintf(what, sizeof(what), "rule '%s' is not defined", name);
            return read_fail(r, g->rules[i].offset, what);
        }
        if (strcmp(name, "root") == 0) {
            g->root = i;
            has_root = true;
        }
    }
    if (!has_root)
        return read_fail(r, 0, "there is no rule 'root'");
    return SORTES_OK;
}

static sortes_status read_text(struct reader *r)
{
    const char *nul = memchr(r->g->text, '\0', r->g->n);
    sortes_status status = SORTES_OK;

    if (nul)
        return read_fail(r, (size_t)(nul - r->g->text),
                         "a NUL (write \\x00 for the character)");
    read_space(r, true);
    while (status == SORTES_OK && r->at < r->g->n)
        status = read_rule(r);
    if (status == SORTES_OK)
        status = read_check_names(r);
    if (status == SORTES_OK && r->literal)
        status = srt_gbnf_check_left(r->g, &r->timer, r->err);
    return status;
}

sortes_status srt_gbnf_read(struct srt_gbnf **out, const char *text, size_t n,
                            const struct srt_options *options,
                            sortes_error *err)
{
    struct reader r = { .err = err,
                        .timer = { .limit_us = options->max_compile_us } };
    sortes_status status;

    *out = NULL;
    if (n > UINT32_MAX / 4)
        return srt_fail(err, SORTES_E_LIMIT, 0, "gbnf: the text has %zu bytes",
                        n);
    r.g = calloc(1, sizeof(*r.g));
    if (!r.g)
        return srt_fail(err, SORTES_E_NOMEM, 0, "gbnf: no memory");
    srt_pool_init(&r.g->names, 0, SIZE_MAX, options->max_state_bytes);
    r.g->program.language = &srt_language_gbnf;
    r.g->program.options = *options;
    r.literal = options->form == SRT_FORM_LITERAL;
    r.g->text = malloc(n + 1);
    if (r.g->text) {
        if (n)
            memcpy(r.g->text, text, n);
        r.g->n = n;
        status = read_text(&r);
    } else {
        status = srt_fail(err, SORTES_E_NOMEM, 0, "gbnf: no memory");
    }
    if (status == SORTES_OK)
        *out = r.g;
    else
        srt_gbnf_free(r.g);
    return status;
}

void srt_gbnf_free(struct srt_gbnf *g)
{
    if (!g)
        return;
    srt_pool_clear(&g->names);
    free(g->text);
    free(g->rules);
    free(g->nodes);
    free(g->ranges);
    free(g);
}

void srt_gbnf_name(const struct srt_gbnf *g, uint32_t rule, char *out,
                   size_t size)
{
    size_t n;
    const char *name = srt_pool_key(&g->names, rule + 1, &n);

    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), name);
}

sortes_status srt_gbnf_fail(const struct srt_gbnf *g, sortes_error *err,
                            sortes_status status, size_t offset,
                            const char *what)
{
    size_t line = 1, column = 1;

    for (size_t i = 0; i < offset && i < g->n; i++) {
        column++;
        if (g->text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    return srt_fail(err, status, offset, "gbnf: line %zu, column %zu: %s", line,
                    column, what);
}

sortes_status srt_gbnf_fail_limit(const struct srt_timer *timer,
                                  sortes_error *err, sortes_status status,
                                  const char *what)
{
    if (status == SORTES_E_NOMEM)
        return srt_fail(err, status, 0, "gbnf: no memory");
    if (timer->over)
        return srt_fail(err, status, 0,
                        "gbnf: more time than max_compile_us allows (%llu)",
                        (unsigned long long)timer->limit_us);
    return srt_fail(err, status, 0, "gbnf: %s", what);
}
