/*
 * field.h - a row of a request format's table, and what its reader does to it
 *
 * A format is a .def file of rows in the order in which its engine evaluates
 * them, each one of
 *
 *   SRT_FIELD(field, aliases, parameter, coercion, limit, lo, hi)
 *     sets a parameter;
 *   SRT_FIELD_PASSED(field, aliases, coercion, limit, lo, hi)
 *     is checked as the engine checks it, and changes no token;
 *   SRT_FIELD_OFF(field, aliases, coercion, limit, lo, hi, from, to, allowed)
 *     belongs to something sortes does not have yet: only a value that turns
 *     it off, from..to after the limit, is let in; `allowed` says so.
 *
 * aliases: names that are looked up when the first is missing or null, in
 * order, with a blank between them.  limit: none, soft (values beyond lo..hi
 * are moved to the border), hard (they are refused) or keep (below lo the
 * parameter stays as it was; no other bound, not even finite).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_FIELD_H
#define SRT_FIELD_H

#include "params/params.h"

enum srt_coercion {
    /* numbers, as C++ converts them */
    SRT_AS_i32,
    SRT_AS_i64,
    SRT_AS_u32,
    SRT_AS_f32,
    SRT_AS_boolean,
    SRT_AS_string,
    SRT_AS_any, /* not looked at */
    /* shapes of their own */
    SRT_AS_bias,            /* logit_bias */
    SRT_AS_ends,            /* ignore_eos */
    SRT_AS_samplers,        /* a list of names, or a text */
    SRT_AS_breakers,        /* a list of strings with something in it */
    SRT_AS_stop,            /* a string or a list of strings */
    SRT_AS_tags,            /* reasoning_budget_end_tags */
    SRT_AS_message,         /* reasoning_budget_message */
    SRT_AS_grammar,         /* a string; anything else is none */
    SRT_AS_triggers,        /* a list of objects */
    SRT_AS_schema,          /* off beside a grammar, even one that is null */
    SRT_AS_response_format, /* an object with a type */
    SRT_AS_list             /* a list; off when it is empty */
};

enum srt_limit {
    SRT_LIMIT_none,
    SRT_LIMIT_soft,
    SRT_LIMIT_hard,
    SRT_LIMIT_keep
};

enum srt_field_use { SRT_FIELD_SETS, SRT_FIELD_IS_PASSED, SRT_FIELD_IS_OFF };

struct srt_field {
    const char *name;
    const char *aliases; /* "": none */
    enum srt_field_use use;
    enum srt_param_id parameter; /* when it sets one */
    enum srt_coercion as;
    enum srt_limit limit;
    double lo, hi;
    double off_from, off_to; /* when it must be off */
    const char *allowed;
};

/* The rows of llama-server's and of the GGUF's table, in order; NULL past the
 * last. */
const struct srt_field *srt_server_field_at(size_t i);
const struct srt_field *srt_gguf_field_at(size_t i);

/* A number as the engine holds it, after coercion. */
struct srt_field_value {
    int64_t integer; /* i32 i64 u32 boolean */
    float number;    /* f32 */
};

/*
 * The soft limit, or the hard one's refusal: "Field 'NAME': Value must be
 * between ...", with the name the request used.
 */
sortes_status srt_field_limit(const struct srt_field *f, const char *name,
                              size_t n_name, size_t offset,
                              struct srt_field_value *value, sortes_error *err);

/* The value lies in off_from..off_to. */
bool srt_field_is_off(const struct srt_field *f,
                      const struct srt_field_value *value);

/* Puts the value into its parameter, of the coercion's type; below a keep
 * limit, nothing. */
void srt_field_store(const struct srt_field *f, sortes_params *p,
                     const struct srt_field_value *value, sortes_source source);

#endif /* SRT_FIELD_H */
