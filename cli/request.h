/*
 * request.h - what a command line asks of a sampler: dialect and parameters
 *
 * The later over the earlier: the dialect's defaults, the GGUF's, --params,
 * the sampling options.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "json_out.h"
#include "options.h"

struct request {
    const char *dialect; /* set to request_dialect before options are read */
    const char *params;  /* a request, or @FILE; NULL: none */
    const char *format;  /* of params; NULL: the dialect's own */
    bool dump;           /* show what was resolved, and end */
};

extern const char request_dialect[]; /* "llama.cpp" */

/* Above the ids that a command gives its own options. */
enum { REQUEST_DIALECT = 1000, REQUEST_PARAMS, REQUEST_FORMAT, REQUEST_DUMP };

#define REQUEST_OPTIONS                                                        \
    { REQUEST_DIALECT, "--dialect", "D",                                       \
      "the engine whose tokens to draw; `sortes --version` lists them "        \
      "(default llama.cpp)" },                                                 \
        { REQUEST_PARAMS, "--params", "JSON|@FILE",                            \
          "a request in the engine's own fields; sampling options count over " \
          "it" },                                                              \
        { REQUEST_FORMAT, "--params-format", "F",                              \
          "what --params is: llama-server, ollama, modelfile, or the name of " \
          "another dialect (default llama-server, or that dialect)" },         \
    {                                                                          \
        REQUEST_DUMP, "--dump-params", NULL,                                   \
            "print each sampling parameter as it was resolved, and where it "  \
            "came from (default, gguf, request, call), and end"                \
    }

/* Takes one of these options; false: it is none of them. */
bool request_take(struct request *r, int id, const char *value);

/*
 * Makes the parameters; gguf NULL: no defaults of a model; vocab NULL: --params
 * may not speak of words.  0 or an exit code with a message.  Free *out with
 * sortes_params_free.
 */
int request_params(const struct request *r, const struct options *o,
                   const char *gguf, sortes_vocab *vocab, sortes_params **out);

/* Prints a JSON line a parameter: name, value, from.  CLI_OK or a failure. */
int request_dump(const sortes_params *p, const char *dialect);

/* Writes every parameter as it stands, as one JSON object. */
int request_write(const sortes_params *p, const char *dialect,
                  struct json_out *j);

#endif /* CLI_REQUEST_H */
