/*
 * fuzz_json.c - any bytes as JSON: a tree that keeps its promises, or refused
 *
 * A tree that is read is written, and what was written is read again: the
 * second tree must equal the first.  Every number is read both ways, and its
 * double printed and read back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "json/json.h"
#include "json/number.h"
#include "unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, size_t n)
{
    check(text[n] == '\0');
    for (size_t i = 0; i < n;) {
        size_t length = srt_utf8_length(text + i, n - i);

        check(length > 0);
        i += length;
    }
}

static void check_number(const struct srt_json *v)
{
    char text[SRT_DOUBLE_TEXT], fixed[SRT_FIXED_TEXT];
    double value, back;

    check(srt_decimal_length(v->text, v->n) == v->n);
    value = srt_decimal_to_double(v->text, v->n);
    (void)srt_decimal_to_float(v->text, v->n);
    check(srt_double_to_fixed(value, fixed) == strlen(fixed));
    if (!isfinite(value))
        return;
    check(srt_double_to_text(value, text) < SRT_DOUBLE_TEXT);
    back = srt_decimal_to_double(text, strlen(text));
    check(memcmp(&back, &value, sizeof(value)) == 0);
}

/* A value and what is in it, with its place in the text. */
static void check_tree(const struct srt_json *v, const char *text, size_t n,
                       size_t depth)
{
    size_t items = 0;

    check(depth <= SRT_JSON_MAX_DEPTH + 1);
    check(v->offset < n && v->length > 0 && v->length <= n - v->offset);
    if (v->type == SRT_JSON_STRING || v->type == SRT_JSON_NUMBER)
        check_text(v->text, v->n);
    if (v->type == SRT_JSON_NUMBER)
        check_number(v);
    check(strlen(srt_json_type_name(v)) > 0);
    for (const struct srt_json *w = v->first; w != NULL; w = w->next) {
        check(w->parent == v);
        if (v->type == SRT_JSON_OBJECT) {
            check_text(w->key, w->n_key);
            check(text[w->key_offset] == '"');
        }
        check_tree(w, text, n, depth + 1);
        items++;
    }
    if (v->type == SRT_JSON_ARRAY || v->type == SRT_JSON_OBJECT)
        check(items == v->n);
}

static void write_tree(struct srt_json_writer *w, const struct srt_json *v)
{
    static const char *const names[] = { "null", "false", "true" };

    if (v->type == SRT_JSON_STRING) {
        srt_json_put_string(w, v->text, v->n);
    } else if (v->type == SRT_JSON_ARRAY || v->type == SRT_JSON_OBJECT) {
        srt_json_open(w, v->type == SRT_JSON_ARRAY ? '[' : '{');
        for (const struct srt_json *item = v->first; item; item = item->next) {
            /* the writer's keys end at a NUL */
            if (item->key != NULL && strlen(item->key) == item->n_key)
                srt_json_key(w, item->key);
            else if (item->key != NULL)
                srt_json_key(w, "nul");
            write_tree(w, item);
        }
        srt_json_close(w, v->type == SRT_JSON_ARRAY ? ']' : '}');
    } else {
        srt_json_put_raw(w,
                         v->type == SRT_JSON_NUMBER ? v->text : names[v->type]);
    }
}

static void check_equal(const struct srt_json *a, const struct srt_json *b)
{
    check(a->type == b->type && a->n == b->n);
    if (a->text != NULL)
        check(memcmp(a->text, b->text, a->n) == 0);
    a = a->first;
    b = b->first;
    for (; a != NULL; a = a->next, b = b->next)
        check_equal(a, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct srt_json_document d, again;
    struct srt_json_writer w;
    sortes_error err;
    char *text;

    if (srt_json_read(&d, (const char *)data, n, &err) != SORTES_OK) {
        check(err.text[0] != '\0' && err.offset <= n && d.root == NULL);
        check_text(err.text, strlen(err.text));
        return 0;
    }
    check_tree(d.root, (const char *)data, n, 1);
    srt_json_write_growing(&w);
    write_tree(&w, d.root);
    text = srt_json_write_end(&w);
    check(text != NULL);
    check(srt_json_read(&again, text, w.n, &err) == SORTES_OK);
    check_equal(d.root, again.root);
    srt_json_free(&again);
    srt_json_free(&d);
    free(text);
    return 0;
}
