/*
 * ollama.c - Ollama's options: the table, refusals, and what is sent on
 *
 * Rule: Ollama's own defaults are sent like anything else, so they come before
 * a GGUF's defaults; here they are set where no request and no call has set a
 * parameter, which keeps a Modelfile's values under the request that follows.
 * A parameter at Ollama's default has the source default.
 *
 * SPDX-License-Identifier: MIT
 */
#include "params/ollama.h"

#include "params/names.h"

#include <stdlib.h>
#include <string.h>

#define OLLAMA_SHOWN 60 /* bytes of a name that a message shows */

static const struct srt_ollama_option ollama_options[] = {
#define SRT_OPTION(option, kind, field, parameter, initial)                    \
    { option, SRT_OLLAMA_##kind, field, SRT_PARAM_##parameter,                 \
      (double)(initial) },
#define SRT_OPTION_PASSED(option, kind, field)                                 \
    { option, SRT_OLLAMA_##kind, field, SRT_N_PARAMS, 0 },
#define SRT_OPTION_RETIRED(option)                                             \
    { option, SRT_OLLAMA_RETIRED, "", SRT_N_PARAMS, 0 },
#include "params/formats/ollama.def"
#undef SRT_OPTION
#undef SRT_OPTION_PASSED
#undef SRT_OPTION_RETIRED
};

const struct srt_ollama_option *srt_ollama_at(size_t i)
{
    return i < SRT_COUNT(ollama_options) ? &ollama_options[i] : NULL;
}

const struct srt_ollama_option *srt_ollama_find(const char *name, size_t n)
{
    for (size_t i = 0; i < SRT_COUNT(ollama_options); i++)
        if (srt_json_equals(name, n, ollama_options[i].name))
            return &ollama_options[i];
    return NULL;
}

/* One of ours that Ollama does not have. */
static bool ollama_is_elsewhere(const char *name, size_t n)
{
    static const char *const once[] = { "tfs_z", "penalize_newline" };

    for (size_t i = 0; i < SRT_N_PARAMS; i++)
        if (srt_json_equals(name, n, srt_param_rows[i].name))
            return true;
    for (size_t i = 0; i < SRT_COUNT(once); i++)
        if (srt_json_equals(name, n, once[i]))
            return true;
    return false;
}

sortes_status srt_ollama_unknown(sortes_error *err, size_t offset,
                                 const char *unknown, const char *name,
                                 size_t n)
{
    int shown = (int)(n < OLLAMA_SHOWN ? n : OLLAMA_SHOWN);
    struct srt_nearest nearest;

    if (ollama_is_elsewhere(name, n))
        return srt_fail(err, SORTES_E_NAME, offset,
                        "option '%.*s': Ollama has no such option", shown,
                        name);
    if (unknown != NULL)
        return srt_fail(err, SORTES_E_NAME, offset, "%s '%.*s'", unknown, shown,
                        name);
    srt_nearest_start(&nearest, name, n);
    for (size_t i = 0; i < SRT_COUNT(ollama_options); i++)
        srt_nearest_try(&nearest, ollama_options[i].name,
                        strlen(ollama_options[i].name));
    return srt_fail_unknown(err, offset, "option", &nearest);
}

/* ---- what is sent -------------------------------------------------------- */

void srt_ollama_begin(struct srt_ollama_sent *s)
{
    srt_json_write_growing(&s->w);
    srt_json_open(&s->w, '{');
}

void srt_ollama_put_integer(struct srt_ollama_sent *s,
                            const struct srt_ollama_option *o, int64_t value)
{
    if (o->field[0] == '\0')
        return;
    srt_json_key(&s->w, o->field);
    srt_json_put_integer(&s->w, value);
}

/* As the double of the float, which reads back as the same float. */
void srt_ollama_put_float(struct srt_ollama_sent *s,
                          const struct srt_ollama_option *o, float value)
{
    if (o->parameter == SRT_PARAM_typical_p && value == 0.0f)
        value = 1.0f;
    srt_json_key(&s->w, o->field);
    srt_json_put_double(&s->w, (double)value);
}

void srt_ollama_drop(struct srt_ollama_sent *s)
{
    free(srt_json_write_end(&s->w));
}

static void ollama_set_default(sortes_params *p,
                               const struct srt_ollama_option *o)
{
    const enum srt_param_id id = o->parameter;

    if (id == SRT_N_PARAMS || p->source[id] > SORTES_FROM_GGUF)
        return;
    if (srt_param_rows[id].type == SRT_TYPE_float)
        srt_param_put_float(p, id, (float)o->initial, SORTES_FROM_DEFAULT);
    else
        srt_param_put_whole(p, id, (int64_t)o->initial, SORTES_FROM_DEFAULT);
}

/* An offset into what was sent would point nowhere in what was read. */
sortes_status srt_ollama_end(struct srt_ollama_sent *s, sortes_params *p,
                             sortes_error *err)
{
    sortes_status status;
    char *text;
    size_t n;

    srt_json_close(&s->w, '}');
    n = s->w.n;
    text = srt_json_write_end(&s->w);
    if (text == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "params: out of memory");
    for (size_t i = 0; i < SRT_COUNT(ollama_options); i++)
        ollama_set_default(p, &ollama_options[i]);
    status = srt_params_read_llama_server(p, text, n, err);
    if (status != SORTES_OK && err != NULL)
        err->offset = 0;
    free(text);
    return status;
}
