/*
 * reader.c - JSON text to a tree
 *
 * Source: RFC 8259; UTF-8 as RFC 3629.  Refused besides malformed text:
 * unpaired surrogates in \u escapes, a byte order mark, anything after the
 * value.
 *
 * The reader keeps no stack of its own: the container being filled and the
 * item last added say where the next value goes, and a container that closes
 * is itself the item last added to its parent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/json.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* Blocks double, so that a tree takes few of them, and stop doubling, so that
 * the last one is not mostly empty. */
#define JSON_FIRST_BLOCK 4096
#define JSON_LAST_BLOCK  ((size_t)1 << 20)

/* The tree is freed as a whole: nothing in it has an owner of its own. */
struct srt_json_block {
    struct srt_json_block *next;
    size_t size, used;
    max_align_t bytes[];
};

struct json_reader {
    struct srt_json_document *document;
    const char *text;
    size_t n, at;
    sortes_error *err;
    sortes_status status;

    struct srt_json *container; /* being filled; NULL at the root */
    struct srt_json *last;      /* item last added to it; NULL: none yet */
    size_t depth;

    const char *key; /* of the value to come, in an object */
    size_t n_key, key_offset;
};

/* ---- memory -------------------------------------------------------------- */

/* Memory for any type, not cleared; NULL: there was none, and status says so.
 * A string longer than a block gets a block of its own. */
static void *json_allocate(struct json_reader *r, size_t size)
{
    struct srt_json_block *b = r->document->blocks;
    size_t room, rest = size % sizeof(max_align_t);

    size += rest > 0 ? sizeof(max_align_t) - rest : 0;
    if (b == NULL || b->size - b->used < size) {
        room = b == NULL ? JSON_FIRST_BLOCK : b->size * 2;
        room = room > JSON_LAST_BLOCK ? JSON_LAST_BLOCK : room;
        room = room < size ? size : room;
        b = malloc(sizeof(*b) + room);
        if (b == NULL) {
            r->status =
                srt_fail(r->err, SORTES_E_NOMEM, 0, "json: out of memory");
            return NULL;
        }
        b->size = room;
        b->used = 0;
        b->next = r->document->blocks;
        r->document->blocks = b;
    }
    b->used += size;
    return (char *)b->bytes + (b->used - size);
}

void srt_json_free(struct srt_json_document *document)
{
    struct srt_json_block *next;

    for (struct srt_json_block *b = document->blocks; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    document->blocks = NULL;
    document->root = NULL;
}

/* ---- errors -------------------------------------------------------------- */

/* Refuses the text at byte `at`, and says what stands there. */
static bool json_refuse(struct json_reader *r, size_t at, const char *problem)
{
    unsigned char c = at < r->n ? (unsigned char)r->text[at] : 0;

    if (at >= r->n)
        r->status = srt_fail(r->err, SORTES_E_SYNTAX, at,
                             "json: byte %zu: %s (got the end)", at, problem);
    else if (c < 0x20 || c >= 0x7F)
        r->status =
            srt_fail(r->err, SORTES_E_SYNTAX, at,
                     "json: byte %zu: %s (got byte 0x%02x)", at, problem, c);
    else
        r->status = srt_fail(r->err, SORTES_E_SYNTAX, at,
                             "json: byte %zu: %s (got '%c')", at, problem, c);
    return false;
}

/* ---- tokens -------------------------------------------------------------- */

/* The next byte that is no blank, which stays unread; -1 at the end.  RFC 8259
 * knows four blanks; isspace() knows more. */
static int json_peek(struct json_reader *r)
{
    while (r->at < r->n && strchr(" \t\n\r", r->text[r->at]) != NULL &&
           r->text[r->at] != '\0')
        r->at++;
    return r->at < r->n ? (unsigned char)r->text[r->at] : -1;
}

int srt_json_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits after \u; moves past them. */
static bool json_read_hex(struct json_reader *r, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        int digit = r->at < r->n ? srt_json_hex_digit(r->text[r->at]) : -1;

        if (digit < 0)
            return json_refuse(r, r->at, "expected four hex digits after \\u");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

/* What follows a "\u": one unit, or a pair of surrogates. */
static bool json_read_code(struct json_reader *r, uint32_t *code)
{
    size_t start = r->at - 2;
    uint32_t low = 0;

    if (!json_read_hex(r, code))
        return false;
    if (*code < 0xD800 || *code > 0xDFFF)
        return true;
    if (*code <= 0xDBFF && r->n - r->at >= 2 && r->text[r->at] == '\\' &&
        r->text[r->at + 1] == 'u') {
        r->at += 2;
        if (!json_read_hex(r, &low))
            return false;
    }
    if (low < 0xDC00 || low > 0xDFFF)
        return json_refuse(r, start, "unpaired surrogate");
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

/* What a backslash escapes; appends it to out[0 .. *n-1]. */
static bool json_read_escape(struct json_reader *r, char *out, size_t *n)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found;
    uint32_t code;

    r->at++;
    if (r->at < r->n && r->text[r->at] == 'u') {
        r->at++;
        if (!json_read_code(r, &code))
            return false;
        *n += srt_utf8_encode(code, out + *n);
        return true;
    }
    found = r->at < r->n && r->text[r->at] != '\0'
                ? strchr(from, r->text[r->at])
                : NULL;
    if (found == NULL)
        return json_refuse(r, r->at, "unknown escape");
    out[(*n)++] = to[found - from];
    r->at++;
    return true;
}

/* Bytes between the quotes, an upper bound of what they decode to. */
static size_t json_string_span(const struct json_reader *r)
{
    size_t at = r->at;

    while (at < r->n && r->text[at] != '"')
        at += r->text[at] == '\\' ? 2 : 1;
    return (at < r->n ? at : r->n) - r->at;
}

/* A string, from its first quote past its last. */
static bool json_read_string(struct json_reader *r, const char **text,
                             size_t *n)
{
    char *out;
    size_t length;

    r->at++;
    out = json_allocate(r, json_string_span(r) + 1);
    if (out == NULL)
        return false;
    *n = 0;
    while (r->at < r->n && r->text[r->at] != '"') {
        if (r->text[r->at] == '\\') {
            if (!json_read_escape(r, out, n))
                return false;
            continue;
        }
        if ((unsigned char)r->text[r->at] < 0x20)
            return json_refuse(r, r->at, "control character in a string");
        length = srt_utf8_length(r->text + r->at, r->n - r->at);
        if (length == 0)
            return json_refuse(r, r->at, "malformed UTF-8");
        memcpy(out + *n, r->text + r->at, length);
        *n += length;
        r->at += length;
    }
    if (r->at >= r->n)
        return json_refuse(r, r->at, "unterminated string");
    r->at++;
    out[*n] = '\0';
    *text = out;
    return true;
}

/* Moves past digits; there must be one. */
static bool json_skip_digits(struct json_reader *r)
{
    size_t start = r->at;

    while (r->at < r->n && r->text[r->at] >= '0' && r->text[r->at] <= '9')
        r->at++;
    return r->at > start || json_refuse(r, r->at, "expected a digit");
}

/* The grammar is stricter than strtod's: no leading zeros, no bare point, no
 * plus sign.  Nothing is computed, so no digit is lost. */
static bool json_read_number(struct json_reader *r, struct srt_json *v)
{
    size_t start = r->at;
    char *copy;

    if (r->text[r->at] == '-')
        r->at++;
    if (r->at < r->n && r->text[r->at] == '0')
        r->at++;
    else if (!json_skip_digits(r))
        return false;
    if (r->at < r->n && r->text[r->at] == '.') {
        r->at++;
        if (!json_skip_digits(r))
            return false;
    }
    if (r->at < r->n && (r->text[r->at] | 0x20) == 'e') {
        r->at++;
        if (r->at < r->n && (r->text[r->at] == '+' || r->text[r->at] == '-'))
            r->at++;
        if (!json_skip_digits(r))
            return false;
    }
    v->type = SRT_JSON_NUMBER;
    v->n = r->at - start;
    copy = json_allocate(r, v->n + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, r->text + start, v->n);
    copy[v->n] = '\0';
    v->text = copy;
    return true;
}

/* Only the name: what follows it ("nullx") is refused by whoever reads on. */
static bool json_read_literal(struct json_reader *r, struct srt_json *v)
{
    static const struct {
        const char *name;
        size_t n;
        enum srt_json_type type;
    } literals[] = { { "null", 4, SRT_JSON_NULL },
                     { "true", 4, SRT_JSON_TRUE },
                     { "false", 5, SRT_JSON_FALSE } };

    for (size_t i = 0; i < SRT_COUNT(literals); i++) {
        if (r->n - r->at < literals[i].n ||
            memcmp(r->text + r->at, literals[i].name, literals[i].n) != 0)
            continue;
        r->at += literals[i].n;
        v->type = literals[i].type;
        return true;
    }
    return json_refuse(r, r->at, "expected a value");
}

/* ---- structure ----------------------------------------------------------- */

/* A key and its colon; the value comes next. */
static bool json_read_key(struct json_reader *r)
{
    if (json_peek(r) != '"')
        return json_refuse(r, r->at, "expected a key");
    r->key_offset = r->at;
    if (!json_read_string(r, &r->key, &r->n_key))
        return false;
    if (json_peek(r) != ':')
        return json_refuse(r, r->at, "expected ':'");
    r->at++;
    return true;
}

/* A new value at this place, added to the container. */
static struct srt_json *json_add_value(struct json_reader *r)
{
    struct srt_json *v = json_allocate(r, sizeof(*v));

    if (v == NULL)
        return NULL;
    memset(v, 0, sizeof(*v));
    v->offset = r->at;
    v->parent = r->container;
    if (r->container == NULL)
        r->document->root = v;
    else if (r->last == NULL)
        r->container->first = v;
    else
        r->last->next = v;
    if (r->container != NULL)
        r->container->n++;
    if (r->container != NULL && r->container->type == SRT_JSON_OBJECT) {
        v->key = r->key;
        v->n_key = r->n_key;
        v->key_offset = r->key_offset;
    }
    r->last = v;
    return v;
}

/* Depth is counted here alone, so that a refused text was never followed. */
static bool json_open_container(struct json_reader *r, struct srt_json *v)
{
    if (++r->depth > SRT_JSON_MAX_DEPTH) {
        r->status = srt_fail(r->err, SORTES_E_LIMIT, r->at,
                             "json: byte %zu: nested too deep (allowed %d)",
                             r->at, SRT_JSON_MAX_DEPTH);
        return false;
    }
    v->type = r->text[r->at] == '{' ? SRT_JSON_OBJECT : SRT_JSON_ARRAY;
    r->at++;
    r->container = v;
    r->last = NULL;
    return true;
}

/* Back to the parent, whose last item this container is. */
static void json_close_container(struct json_reader *r)
{
    struct srt_json *v = r->container;

    r->at++;
    r->depth--;
    v->length = r->at - v->offset;
    r->container = v->parent;
    r->last = v;
}

/*
 * Goes to the next value: over what closes, and a comma.  *more is false at
 * the end of the root.  `opened`: a container was just opened.
 */
static bool json_go_on(struct json_reader *r, bool opened, bool *more)
{
    *more = false;
    while (r->container != NULL) {
        bool object = r->container->type == SRT_JSON_OBJECT;
        int c = json_peek(r);

        if (c == (object ? '}' : ']')) {
            json_close_container(r);
            opened = false;
            continue;
        }
        if (!opened && c != ',')
            return json_refuse(r, r->at,
                               object ? "expected ',' or '}'"
                                      : "expected ',' or ']'");
        if (!opened)
            r->at++;
        *more = true;
        return !object || json_read_key(r);
    }
    return true;
}

/* A value, what closes behind it, the next value ... until the root is whole.
 * No recursion: depth costs no stack. */
static bool json_read_tree(struct json_reader *r)
{
    bool more = true;

    while (more) {
        int c = json_peek(r);
        struct srt_json *v = json_add_value(r);
        bool opened = c == '{' || c == '[', ok;

        if (v == NULL)
            return false;
        if (opened)
            ok = json_open_container(r, v);
        else if (c == '"')
            ok = json_read_string(r, &v->text, &v->n);
        else if (c == '-' || (c >= '0' && c <= '9'))
            ok = json_read_number(r, v);
        else
            ok = json_read_literal(r, v);
        if (!ok)
            return false;
        if (c == '"')
            v->type = SRT_JSON_STRING;
        if (!opened)
            v->length = r->at - v->offset;
        if (!json_go_on(r, opened, &more))
            return false;
    }
    return json_peek(r) < 0 ||
           json_refuse(r, r->at, "expected the end of the text");
}

sortes_status srt_json_read(struct srt_json_document *document,
                            const char *text, size_t n, sortes_error *err)
{
    struct json_reader r = {
        .document = document, .text = text, .n = n, .err = err
    };

    document->root = NULL;
    document->blocks = NULL;
    if (n > SRT_JSON_MAX_BYTES)
        return srt_fail(err, SORTES_E_LIMIT, 0,
                        "json: text too long (got %zu bytes, allowed %zu)", n,
                        SRT_JSON_MAX_BYTES);
    if (!json_read_tree(&r)) {
        srt_json_free(document);
        return r.status;
    }
    return srt_ok(err);
}

/* ---- looking ------------------------------------------------------------- */

bool srt_json_equals(const char *text, size_t n, const char *string)
{
    return strlen(string) == n && memcmp(text, string, n) == 0;
}

const struct srt_json *srt_json_find(const struct srt_json *v, const char *key)
{
    const struct srt_json *found = NULL;

    if (v->type != SRT_JSON_OBJECT)
        return NULL;
    for (const struct srt_json *item = v->first; item; item = item->next)
        if (srt_json_equals(item->key, item->n_key, key))
            found = item;
    return found;
}

/* nlohmann::json's names, as llama-server's messages use them. */
const char *srt_json_type_name(const struct srt_json *v)
{
    static const char *const names[] = { "null",   "boolean", "boolean",
                                         "number", "string",  "array",
                                         "object" };

    return names[v->type];
}
