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
    const char *format;  /* of params; NULL: llama-server's */
    bool dump;           /* show what was resolved, and end */
};

extern const char request_dialect[]; /* "llama.cpp" */

#define REQUEST_OPTIONS(dialect_id, params_id, format_id, dump_id)             \
    { dialect_id, "--dialect", "D",                                            \
      "the engine whose tokens to draw; `sortes --version` lists them "        \
      "(default llama.cpp)" },                                                 \
        { params_id, "--params", "JSON|@FILE",                                 \
          "a request in llama-server's own fields; sampling options count "    \
          "over it" },                                                         \
        { format_id, "--params-format", "F",                                   \
          "what --params is: llama-server, ollama, or modelfile (default "     \
          "llama-server)" },                                                   \
    {                                                                          \
        dump_id, "--dump-params", NULL,                                        \
            "print each sampling parameter as it was resolved, and where it "  \
            "came from (default, gguf, request, call), and end"                \
    }

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
