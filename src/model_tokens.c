/*
 * model_tokens.c - end, beginning and padding tokens that a model's files name
 *
 * rMLX reads eos_token_id of config.json alone, drops what is no id, and runs
 * to the limit of tokens where nothing is left; mlx-lm reads
 * generation_config.json too.  Here both files add up, and what is no id is
 * refused, as a generation that never ends would not say why.
 * Sources: rMLX crates/rmlx-models/src/loader/config.rs; mlx-lm utils.py.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gguf/gguf.h"
#include "json/json.h"
#include "json/number.h"
#include "status.h"

#include <string.h>

static bool model_tokens_are_whole(const sortes_model_tokens *t)
{
    return t && t->struct_size == sizeof(*t) && t->n_ends <= SORTES_MODEL_ENDS;
}

/* Each token once. */
static sortes_status model_tokens_add(sortes_model_tokens *t, int32_t token,
                                      sortes_error *err)
{
    for (size_t i = 0; i < t->n_ends; i++)
        if (t->ends[i] == token)
            return SORTES_OK;
    if (t->n_ends == SORTES_MODEL_ENDS)
        return srt_fail(err, SORTES_E_LIMIT, 0,
                        "eos_token_id: too many end tokens (allowed %d)",
                        SORTES_MODEL_ENDS);
    t->ends[t->n_ends++] = token;
    return SORTES_OK;
}

/* ---- JSON ---------------------------------------------------------------- */

/* Missing or null at the top: the text model's own, of a model of several. */
static const struct srt_json *model_tokens_find(const struct srt_json *root,
                                                const char *key)
{
    const struct srt_json *nested = srt_json_find(root, "text_config");
    const struct srt_json *v = srt_json_find(root, key);

    if (nested != NULL && (v == NULL || v->type == SRT_JSON_NULL))
        v = srt_json_find(nested, key);
    return v != NULL && v->type != SRT_JSON_NULL ? v : NULL;
}

static sortes_status model_tokens_id(const struct srt_json *v, const char *key,
                                     int32_t *token, sortes_error *err)
{
    uint64_t value = 0;

    if (v->type == SRT_JSON_NUMBER &&
        srt_whole_from_text(v->text, v->n, &value) && value <= INT32_MAX) {
        *token = (int32_t)value;
        return SORTES_OK;
    }
    return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                    "%s: no token id (got %s, allowed 0 to 2147483647)", key,
                    v->type == SRT_JSON_NUMBER ? v->text
                                               : srt_json_type_name(v));
}

static sortes_status model_tokens_one(const struct srt_json *root,
                                      const char *key, int32_t *token,
                                      sortes_error *err)
{
    const struct srt_json *v = model_tokens_find(root, key);

    return v == NULL ? SORTES_OK : model_tokens_id(v, key, token, err);
}

static sortes_status model_tokens_ends(const struct srt_json *root,
                                       sortes_model_tokens *t,
                                       sortes_error *err)
{
    static const char key[] = "eos_token_id";
    const struct srt_json *v = model_tokens_find(root, key);
    const bool is_list = v != NULL && v->type == SRT_JSON_ARRAY;
    sortes_status status = SORTES_OK;
    int32_t token;

    for (v = is_list ? v->first : v; v != NULL && status == SORTES_OK;
         v = is_list ? v->next : NULL) {
        status = model_tokens_id(v, key, &token, err);
        if (status == SORTES_OK)
            status = model_tokens_add(t, token, err);
    }
    return status;
}

static sortes_status model_tokens_root(const struct srt_json *root,
                                       sortes_model_tokens *t,
                                       sortes_error *err)
{
    sortes_status status;

    if (root->type != SRT_JSON_OBJECT)
        return srt_fail(err, SORTES_E_SYNTAX, root->offset,
                        "config: wrong type (got %s, needed object)",
                        srt_json_type_name(root));
    status = model_tokens_ends(root, t, err);
    if (status == SORTES_OK)
        status = model_tokens_one(root, "bos_token_id", &t->bos, err);
    if (status == SORTES_OK)
        status = model_tokens_one(root, "pad_token_id", &t->pad, err);
    return status;
}

sortes_status sortes_model_tokens_read(sortes_model_tokens *t, const char *text,
                                       size_t n, sortes_error *err)
{
    struct srt_json_document document;
    sortes_model_tokens work;
    sortes_status status;

    if (!model_tokens_are_whole(t) || (!text && n > 0))
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "model tokens: argument is NULL or of another size");
    status = srt_json_read(&document, text, n, err);
    if (status != SORTES_OK)
        return status;
    work = *t;
    status = model_tokens_root(document.root, &work, err);
    srt_json_free(&document);
    if (status != SORTES_OK)
        return status;
    *t = work;
    return srt_ok(err);
}

/* ---- GGUF ---------------------------------------------------------------- */

/* A key that is missing leaves *token alone. */
static sortes_status model_tokens_key(const struct srt_gguf *g, const char *key,
                                      int32_t *token, sortes_error *err)
{
    const struct srt_gguf_value *v = srt_gguf_find(g, key);
    int64_t value;

    if (v == NULL)
        return SORTES_OK;
    value = !v->is_array && srt_gguf_type_size(v->type) > 0 &&
                    v->type != SRT_GGUF_F32 && v->type != SRT_GGUF_F64 &&
                    v->type != SRT_GGUF_BOOL
                ? srt_gguf_integer(v, 0)
                : -1;
    if (value < 0 || value > INT32_MAX)
        return srt_fail(err, SORTES_E_SYNTAX, v->offset,
                        "%s: key '%s': no token id (allowed 0 to 2147483647)",
                        srt_gguf_name(g), key);
    *token = (int32_t)value;
    return SORTES_OK;
}

static sortes_status model_tokens_file(const struct srt_gguf *g,
                                       sortes_model_tokens *t,
                                       sortes_error *err)
{
    static const char *const ends[] = { "tokenizer.ggml.eos_token_id",
                                        "tokenizer.ggml.eot_token_id",
                                        "tokenizer.ggml.eom_token_id" };
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < SRT_COUNT(ends) && status == SORTES_OK; i++) {
        int32_t token = -1;

        status = model_tokens_key(g, ends[i], &token, err);
        if (status == SORTES_OK && token >= 0)
            status = model_tokens_add(t, token, err);
    }
    if (status == SORTES_OK)
        status =
            model_tokens_key(g, "tokenizer.ggml.bos_token_id", &t->bos, err);
    if (status == SORTES_OK)
        status = model_tokens_key(g, "tokenizer.ggml.padding_token_id", &t->pad,
                                  err);
    return status;
}

sortes_status sortes_model_tokens_read_gguf(sortes_model_tokens *t,
                                            const char *path, sortes_error *err)
{
    sortes_model_tokens work;
    struct srt_gguf *g;
    sortes_status status;

    if (!model_tokens_are_whole(t) || !path)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "model tokens: argument is NULL or of another size");
    status = srt_gguf_open(&g, path, err);
    if (status != SORTES_OK)
        return status;
    work = *t;
    status = model_tokens_file(g, &work, err);
    srt_gguf_close(g);
    if (status != SORTES_OK)
        return status;
    *t = work;
    return srt_ok(err);
}
