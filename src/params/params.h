/*
 * params.h - the parameters of one request, as the dialects read them
 *
 * Every parameter comes from a row of params.def; nothing else names one.  What
 * a dialect has of them, with which defaults and bounds, is its own table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_PARAMS_H
#define SRT_PARAMS_H

#include "status.h"

#include <stdbool.h>

struct srt_dialect;
struct srt_gguf;

struct srt_bias {
    int32_t token;
    float value; /* added to the logit; -inf forbids the token */
};

struct srt_bias_list {
    struct srt_bias *items; /* in the order given: duplicates add up in order */
    size_t n;
};

/* Strings of any bytes, in order, each with a NUL behind it; not given: the
 * engine's own list. */
struct srt_string_list {
    char **items;
    size_t *sizes;
    size_t n;
    bool given;
};

bool srt_strings_add(struct srt_string_list *list, const char *text, size_t n);
bool srt_strings_copy(struct srt_string_list *to,
                      const struct srt_string_list *from);
bool srt_strings_equal(const struct srt_string_list *a,
                       const struct srt_string_list *b);
void srt_strings_clear(struct srt_string_list *list);

/*
 * Reads "a;b\n;c" into an empty list: ';' between the strings, and in them
 * \n \r \t \\ \" \' \; and \xHH.  An empty text is an empty list.  name
 * is for messages; on failure the list stays empty.
 */
sortes_status srt_strings_from_text(struct srt_string_list *list,
                                    const char *name, const char *text,
                                    sortes_error *err);

/* C types of the kinds of parameter that params.def may use. */
typedef float srt_type_float;
typedef double srt_type_double;
typedef int32_t srt_type_integer;
typedef uint64_t srt_type_seed;
typedef bool srt_type_boolean;
typedef struct srt_bias_list srt_type_list;
typedef struct srt_bias_list srt_type_tokens; /* their values are 0 */
typedef struct srt_string_list srt_type_strings;

enum srt_param_type {
    SRT_TYPE_float,
    SRT_TYPE_double,
    SRT_TYPE_integer,
    SRT_TYPE_seed,
    SRT_TYPE_boolean,
    SRT_TYPE_list,
    SRT_TYPE_tokens,
    SRT_TYPE_strings
};

/* The type of each parameter, as SRT_TYPE_OF_name. */
enum {
#define SRT_PARAM(name, type) SRT_TYPE_OF_##name = SRT_TYPE_##type,
#include "params/params.def"
#undef SRT_PARAM
};

enum srt_param_id {
#define SRT_PARAM(name, type) SRT_PARAM_##name,
#include "params/params.def"
#undef SRT_PARAM
    SRT_N_PARAMS
};

struct sortes_params {
    const struct srt_dialect *dialect;
#define SRT_PARAM(name, type) srt_type_##type name;
#include "params/params.def"
#undef SRT_PARAM
    sortes_source source[SRT_N_PARAMS];

    /* Tokens the model's file forbids, at -inf: llama.cpp adds them behind the
     * logit_bias of every request, and no request clears them. */
    struct srt_bias_list suppressed;
    /* What readers ask about words and end tokens; NULL: nothing. */
    sortes_vocab *vocab;
};

/* A row of params.def, for code that takes them all alike. */
struct srt_param {
    const char *name;
    enum srt_param_type type;
    size_t offset; /* in struct sortes_params */
};

extern const struct srt_param srt_param_rows[SRT_N_PARAMS];

/* "float" and so on, by enum srt_param_type. */
extern const char srt_type_names[][8];

/* A parameter as one dialect has it: a row of dialect/X/params.def. */
struct srt_param_of {
    enum srt_param_id id;
    double initial; /* lists and strings: 0 */
    sortes_param_info info;
};

#define SRT_PARAM_OF(parameter, first, low, high, flags, line)                 \
    { SRT_PARAM_##parameter,                                                   \
      (double)(first),                                                         \
      { #parameter, srt_type_names[SRT_TYPE_OF_##parameter], line, flags, low, \
        high } },

/* A parameter that the dialect calls otherwise than params.def does. */
#define SRT_PARAM_AS(parameter, name, first, low, high, flags, line)           \
    { SRT_PARAM_##parameter,                                                   \
      (double)(first),                                                         \
      { #name, srt_type_names[SRT_TYPE_OF_##parameter], line, flags, low,      \
        high } },

/* The dialect's row; NULL: it has no such parameter. */
const struct srt_param_of *srt_param_row(const struct srt_dialect *dialect,
                                         enum srt_param_id id);

/* Where a parameter's value lies; of its row's C type. */
void *srt_param_place(sortes_params *p, enum srt_param_id id);
const void *srt_param_value(const sortes_params *p, enum srt_param_id id);

/* Put a number as it is into a parameter that is a float, or one that is a
 * whole number or a boolean. */
void srt_param_put_float(sortes_params *p, enum srt_param_id id, float value,
                         sortes_source source);
void srt_param_put_whole(sortes_params *p, enum srt_param_id id, int64_t value,
                         sortes_source source);

/* Finds a name among the dialect's, or fails with the nearest one. */
sortes_status srt_param_find(const struct srt_dialect *dialect,
                             const char *name, enum srt_param_id *id,
                             sortes_error *err);

/* Room for the text of any number: "0.8", "40", "-inf". */
#define SRT_NUMBER_TEXT 40
void srt_number_to_text(double value, char out[SRT_NUMBER_TEXT]);

/*
 * Stores a number in a parameter of the dialect, of any type but the lists,
 * with the bounds and the source of the typed setters.  rounded is the float
 * nearest to what the caller was given, which may have had more digits than the
 * double holds.
 */
sortes_status srt_param_store(sortes_params *p, enum srt_param_id id,
                              double value, float rounded, sortes_error *err);

/* The same for the seed, whole. */
sortes_status srt_param_store_seed(sortes_params *p, uint64_t seed,
                                   sortes_error *err);

/* ---- lists --------------------------------------------------------------- */

/* What is in force: the list that was given, or the engine's own. */
const struct srt_string_list *srt_strings_in_force(const sortes_params *p,
                                                   enum srt_param_id id);

/* Adds an entry; false: no memory, and the list is as it was. */
bool srt_bias_add(struct srt_bias_list *list, int32_t token, float value);
bool srt_bias_copy(struct srt_bias_list *to, const struct srt_bias_list *from);
void srt_bias_clear(struct srt_bias_list *list);

/* Ascending by token, equal tokens in the order given, which is the order in
 * which their values are added; spare has room for n. */
void srt_bias_sort(struct srt_bias *b, struct srt_bias *spare, size_t n);

/*
 * Reads "15043+1.5,2-inf" into an empty list; on failure it stays empty.
 * Blanks around entries are fine, and so is a text without any.
 */
sortes_status srt_bias_from_text(struct srt_bias_list *list, const char *text,
                                 sortes_error *err);

/* ---- formats ------------------------------------------------------------- */

/*
 * Readers change a copy that is thrown away when they fail, so they need not
 * undo anything.
 */
sortes_status srt_params_read_llama_server(sortes_params *p, const char *text,
                                           size_t n, sortes_error *err);
sortes_status srt_params_read_ollama(sortes_params *p, const char *text,
                                     size_t n, sortes_error *err);
sortes_status srt_params_read_modelfile(sortes_params *p, const char *text,
                                        size_t n, sortes_error *err);
sortes_status srt_params_read_mlx_lm(sortes_params *p, const char *text,
                                     size_t n, sortes_error *err);
sortes_status srt_params_read_rmlx(sortes_params *p, const char *text, size_t n,
                                   sortes_error *err);
sortes_status srt_params_read_gguf(sortes_params *p, const struct srt_gguf *g,
                                   sortes_error *err);

/*
 * What llama.cpp checks when it builds its chain (common/sampling.cpp,
 * common_sampler_init), in its words.
 */
sortes_status srt_params_check_built(const sortes_params *p, sortes_error *err);

#endif /* SRT_PARAMS_H */
