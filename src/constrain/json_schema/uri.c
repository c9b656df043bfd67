/*
 * uri.c - URIs, as far as references need them
 *
 * Source: RFC 3986, section 5.  Nothing is decoded or changed to lower case:
 * two URIs are one if their bytes are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/uri.h"

#include <stdbool.h>
#include <string.h>

/* A part of a URI: text[at .. end-1]. */
struct uri_part {
    const char *text;
    size_t n;
    bool there;
};

struct uri_parts {
    struct uri_part scheme, authority, path, query;
};

static bool uri_is_scheme(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' ||
                                    c == '-' || c == '.')))
            return false;
    }
    return n > 0;
}

static size_t uri_find(const char *text, size_t n, const char *any)
{
    size_t i = 0;

    while (i < n && (text[i] == '\0' || !strchr(any, text[i])))
        i++;
    return i;
}

static void uri_split(struct uri_parts *u, const char *text, size_t n)
{
    size_t end = uri_find(text, n, ":/?#");

    memset(u, 0, sizeof(*u));
    if (end < n && text[end] == ':' && uri_is_scheme(text, end)) {
        u->scheme = (struct uri_part){ text, end, true };
        text += end + 1;
        n -= end + 1;
    }
    if (n >= 2 && text[0] == '/' && text[1] == '/') {
        end = 2 + uri_find(text + 2, n - 2, "/?#");
        u->authority = (struct uri_part){ text + 2, end - 2, true };
        text += end;
        n -= end;
    }
    end = uri_find(text, n, "?#");
    u->path = (struct uri_part){ text, end, true };
    if (end < n && text[end] == '?') {
        const size_t stop = end + uri_find(text + end, n - end, "#");

        u->query = (struct uri_part){ text + end + 1, stop - end - 1, true };
    }
}

/* Takes "." and ".." out of a path in place (RFC 3986, 5.2.4); its length. */
static size_t uri_remove_dots(char *path, size_t n)
{
    size_t out = 0, at = 0;

    while (at < n) {
        size_t end = at + 1;

        while (end < n && path[end] != '/')
            end++;
        if (end - at == 2 && memcmp(path + at, "/.", 2) == 0) {
            if (end == n)
                path[out++] = '/';
        } else if (end - at == 3 && memcmp(path + at, "/..", 3) == 0) {
            while (out > 0 && path[--out] != '/')
                continue;
            if (end == n)
                path[out++] = '/';
        } else {
            memmove(path + out, path + at, end - at);
            out += end - at;
        }
        at = end;
    }
    return out;
}

struct uri_writer {
    char *out;
    size_t n;
};

static void uri_put(struct uri_writer *w, const char *text, size_t n)
{
    if (n)
        memcpy(w->out + w->n, text, n);
    w->n += n;
}

/* Takes the dots out of the path that begins at start; of a relative one,
 * those before it. */
static void uri_end_path(struct uri_writer *w, size_t start)
{
    char *path = w->out + start;

    if (w->n > start && path[0] == '/')
        w->n = start + uri_remove_dots(path, w->n - start);
    while (w->n > start + 2 && memcmp(path, "./", 2) == 0) {
        w->n -= 2;
        memmove(path, path + 2, w->n - start);
    }
}

/* The path of a reference that has one but no authority. */
static void uri_put_path(struct uri_writer *w, const struct uri_parts *base,
                         const struct uri_part *path)
{
    const size_t start = w->n;
    size_t end = base->path.n;

    if (path->n > 0 && path->text[0] == '/') {
        uri_put(w, path->text, path->n);
    } else {
        while (end > 0 && base->path.text[end - 1] != '/')
            end--;
        uri_put(w, base->path.text, end);
        if (end == 0 && base->authority.there)
            uri_put(w, "/", 1);
        uri_put(w, path->text, path->n);
    }
    uri_end_path(w, start);
}

size_t srt_uri_split(const char *text, size_t n)
{
    return uri_find(text, n, "#");
}

size_t srt_uri_resolve(char *out, const char *base_text, size_t n_base,
                       const char *ref, size_t n_ref)
{
    struct uri_parts base, r;
    struct uri_writer w = { out, 0 };
    const struct uri_parts *from;
    size_t start;

    uri_split(&base, base_text, n_base);
    uri_split(&r, ref, n_ref);
    from = r.scheme.there ? &r : &base;
    if (from->scheme.there) {
        uri_put(&w, from->scheme.text, from->scheme.n);
        uri_put(&w, ":", 1);
    }
    from = r.scheme.there || r.authority.there ? &r : &base;
    if (from->authority.there) {
        uri_put(&w, "//", 2);
        uri_put(&w, from->authority.text, from->authority.n);
    }
    start = w.n;
    if (from == &r) {
        uri_put(&w, r.path.text, r.path.n);
        uri_end_path(&w, start);
    } else if (r.path.n == 0) {
        uri_put(&w, base.path.text, base.path.n);
    } else {
        uri_put_path(&w, &base, &r.path);
    }
    if (!r.query.there && r.path.n == 0 && from == &base)
        r.query = base.query;
    if (r.query.there) {
        uri_put(&w, "?", 1);
        uri_put(&w, r.query.text, r.query.n);
    }
    out[w.n] = '\0';
    return w.n;
}
