/*
 * ollama.h - what a request to Ollama and a Modelfile share: the options
 *
 * Ollama checks the types of its options, fills in its own defaults and sends
 * a llama-server request; so do the readers here, and llama-server's reader
 * does the rest, limits and refusals included.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_OLLAMA_H
#define SRT_OLLAMA_H

#include "json/json.h"
#include "params/params.h"

enum srt_ollama_kind {
    SRT_OLLAMA_integer,
    SRT_OLLAMA_float,
    SRT_OLLAMA_boolean,
    SRT_OLLAMA_strings,
    SRT_OLLAMA_RETIRED
};

struct srt_ollama_option {
    const char *name;
    enum srt_ollama_kind kind;
    const char *field;           /* llama-server's; "": not sent */
    enum srt_param_id parameter; /* SRT_N_PARAMS: none */
    double initial;              /* Ollama's default of the parameter */
};

/* By index, NULL past the last; and by name, NULL if Ollama has none such. */
const struct srt_ollama_option *srt_ollama_at(size_t i);
const struct srt_ollama_option *srt_ollama_find(const char *name, size_t n);

/*
 * Refuses a name that is no option.  unknown is what Ollama itself says of it,
 * NULL if it says nothing and goes on.
 */
sortes_status srt_ollama_unknown(sortes_error *err, size_t offset,
                                 const char *unknown, const char *name,
                                 size_t n);

/* The request that is sent: begin, options in any order (the last of one
 * counts), end.  The end sets Ollama's defaults and reads what was sent. */
struct srt_ollama_sent {
    struct srt_json_writer w;
};

void srt_ollama_begin(struct srt_ollama_sent *s);
void srt_ollama_put_integer(struct srt_ollama_sent *s,
                            const struct srt_ollama_option *o, int64_t value);
void srt_ollama_put_float(struct srt_ollama_sent *s,
                          const struct srt_ollama_option *o, float value);
void srt_ollama_drop(struct srt_ollama_sent *s);
sortes_status srt_ollama_end(struct srt_ollama_sent *s, sortes_params *p,
                             sortes_error *err);

#endif /* SRT_OLLAMA_H */
