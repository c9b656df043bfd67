/*
 * matcher_save.c - a position as bytes: the tokens that led to it
 *
 * State numbers mean nothing in another process, so what is saved is the way,
 * and loading goes it again.  All numbers are little-endian:
 *
 *   "SRTM" 1            magic and version
 *   u32 n               steps
 *   n times: i32 token, or -1, u32 length, bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/matcher.h"

#include <string.h>

static const uint8_t save_magic[5] = { 'S', 'R', 'T', 'M', 1 };

/* Writes what fits and counts the rest. */
struct save_writer {
    uint8_t *out;
    size_t room, n;
};

static void save_bytes(struct save_writer *w, const void *bytes, size_t n)
{
    if (w->n < w->room && n > 0)
        memcpy(w->out + w->n, bytes, n < w->room - w->n ? n : w->room - w->n);
    w->n += n;
}

static void save_u32(struct save_writer *w, uint32_t value)
{
    uint8_t bytes[4];

    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    save_bytes(w, bytes, 4);
}

static sortes_status save_entry(void *ctx, const struct srt_trace_entry *e)
{
    struct save_writer *w = ctx;

    if (e->text && e->text->n > UINT32_MAX)
        return SORTES_E_LIMIT;
    save_u32(w, (uint32_t)e->token);
    if (e->text) {
        save_u32(w, (uint32_t)e->text->n);
        save_bytes(w, e->text->bytes, e->text->n);
    }
    return SORTES_OK;
}

sortes_status sortes_matcher_save(const sortes_matcher *m, void *data,
                                  size_t room, size_t *n)
{
    struct save_writer w = { data, room, 0 };
    sortes_status status;

    if (m == NULL || n == NULL || (data == NULL && room > 0))
        return SORTES_E_ARGUMENT;
    if (m->trace.n > UINT32_MAX)
        return SORTES_E_LIMIT;
    save_bytes(&w, save_magic, sizeof(save_magic));
    save_u32(&w, (uint32_t)m->trace.n);
    status = srt_trace_each(&m->trace, save_entry, &w);
    if (status == SORTES_OK)
        *n = w.n;
    return status;
}

struct save_reader {
    const uint8_t *data;
    size_t n, at;
};

static bool save_take_u32(struct save_reader *r, uint32_t *value)
{
    if (r->n - r->at < 4)
        return false;
    *value = 0;
    for (int i = 0; i < 4; i++)
        *value |= (uint32_t)r->data[r->at++] << 8 * i;
    return true;
}

static sortes_status save_step(sortes_matcher *m, struct save_reader *r,
                               sortes_error *err)
{
    const size_t at = r->at;
    sortes_status status;
    uint32_t token, n;

    if (!save_take_u32(r, &token))
        return srt_fail(err, SORTES_E_SYNTAX, at, "saved matcher: cut short");
    if (token != UINT32_MAX) {
        const int32_t id = (int32_t)token;

        status = sortes_matcher_advance(m, &id, 1, NULL);
    } else {
        if (!save_take_u32(r, &n) || r->n - r->at < n)
            return srt_fail(err, SORTES_E_SYNTAX, at,
                            "saved matcher: cut short");
        status = sortes_matcher_advance_bytes(m, (const char *)r->data + r->at,
                                              n, NULL);
        r->at += n;
    }
    if (status == SORTES_OK)
        return SORTES_OK;
    return srt_fail(err, status, at,
                    "saved matcher: a step does not fit this grammar and "
                    "vocab");
}

sortes_status sortes_matcher_load(sortes_matcher *m, const void *data, size_t n,
                                  sortes_error *err)
{
    struct save_reader r = { data, n, sizeof(save_magic) };
    sortes_status status = SORTES_OK;
    sortes_matcher *fresh;
    uint32_t steps;

    if (m == NULL || data == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "sortes_matcher_load: an argument is NULL");
    if (n < sizeof(save_magic) ||
        memcmp(data, save_magic, sizeof(save_magic)) != 0 ||
        !save_take_u32(&r, &steps))
        return srt_fail(err, SORTES_E_SYNTAX, 0,
                        "saved matcher: this is not one");
    status = sortes_matcher_clone(&fresh, m);
    if (status != SORTES_OK)
        return srt_fail(err, status, 0, "saved matcher: no memory");
    sortes_matcher_reset(fresh);
    for (uint32_t i = 0; status == SORTES_OK && i < steps; i++)
        status = save_step(fresh, &r, err);
    if (status == SORTES_OK && r.at != n)
        status = srt_fail(err, SORTES_E_SYNTAX, r.at,
                          "saved matcher: bytes behind its end");
    if (status == SORTES_OK) {
        const struct srt_trace trace = m->trace;

        m->trace = fresh->trace;
        m->place = fresh->place;
        fresh->trace = trace;
        srt_ok(err);
    }
    sortes_matcher_free(fresh);
    return status;
}
