/*
 * request.c - what a command line asks of a sampler: dialect and parameters
 *
 * SPDX-License-Identifier: MIT
 */
#include "request.h"

#include <stdlib.h>
#include <string.h>

const char request_dialect[] = "llama.cpp";

bool request_take(struct request *r, int id, const char *value)
{
    switch (id) {
    case REQUEST_DIALECT:
        r->dialect = value;
        return true;
    case REQUEST_PARAMS:
        r->params = value;
        return true;
    case REQUEST_FORMAT:
        r->format = value;
        return true;
    case REQUEST_DUMP:
        r->dump = true;
        return true;
    default:
        return false;
    }
}

/* Every dialect but the first has a request format of its own name. */
static const char *request_format(const struct request *r)
{
    if (r->format)
        return r->format;
    return strcmp(r->dialect, request_dialect) == 0 ? "llama-server"
                                                    : r->dialect;
}

static int request_read(const struct request *r, sortes_params *p)
{
    struct cli_text text;
    sortes_error err = { 0 };

    const int rc = cli_read_value(r->params, &text);
    if (rc != 0)
        return rc;
    const sortes_status status =
        sortes_params_read(p, request_format(r), text.data, text.n, &err);
    free(text.data);
    if (status == SORTES_OK)
        return 0;
    (void)cli_say("--params: %s", err.text);
    return status == SORTES_E_NOMEM ? CLI_RUNTIME : CLI_USAGE;
}

static int request_fill(const struct request *r, const struct options *o,
                        const char *gguf, sortes_params *p)
{
    sortes_error err = { 0 };

    /* general.sampling.* are llama.cpp's parameters */
    if (gguf && strcmp(r->dialect, request_dialect) == 0) {
        const sortes_status status = sortes_params_read_gguf(p, gguf, &err);
        if (status != SORTES_OK)
            return cli_fail_engine(status, &err);
    }
    if (r->params) {
        const int rc = request_read(r, p);
        if (rc != 0)
            return rc;
    }
    return settings_apply(o, r->dialect, p);
}

int request_params(const struct request *r, const struct options *o,
                   const char *gguf, sortes_vocab *vocab, sortes_params **out)
{
    sortes_error err = { 0 };
    const sortes_status status = sortes_params_new(out, r->dialect, &err);

    if (status != SORTES_OK)
        return cli_fail_status(status, &err);
    (void)sortes_params_use_vocab(*out, vocab);
    const int rc = request_fill(r, o, gguf, *out);
    if (rc != 0) {
        sortes_params_free(*out);
        *out = NULL;
    }
    return rc;
}

/* Writes a parameter's value, and where it came from to *source. */
static int request_value(const sortes_params *p, const char *name,
                         struct json_out *j, sortes_source *source)
{
    size_t n = 0;
    char *text = NULL;

    if (sortes_params_get(p, name, NULL, 0, &n, source) == SORTES_OK)
        text = malloc(n + 1);
    if (!text)
        return cli_fail(CLI_RUNTIME, "%s: cannot be shown", name);
    (void)sortes_params_get(p, name, text, n + 1, &n, NULL);
    json_out_raw(j, text);
    free(text);
    return 0;
}

int request_dump(const sortes_params *p, const char *dialect)
{
    static const char *const from[] = { "default", "gguf", "request", "call" };
    const sortes_param_info *info;
    struct json_out j;

    json_out_init(&j, stdout);
    for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++) {
        sortes_source source = SORTES_FROM_DEFAULT;

        json_out_open(&j, '{');
        json_out_key(&j, "name");
        json_out_text(&j, info->name);
        json_out_key(&j, "value");
        if (request_value(p, info->name, &j, &source) != 0)
            return CLI_RUNTIME;
        json_out_key(&j, "from");
        json_out_text(&j, from[source]);
        json_out_close(&j, '}');
        json_out_end(&j);
    }
    return cli_flush();
}

int request_write(const sortes_params *p, const char *dialect,
                  struct json_out *j)
{
    const sortes_param_info *info;

    json_out_open(j, '{');
    for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++) {
        json_out_key(j, info->name);
        if (request_value(p, info->name, j, NULL) != 0)
            return CLI_RUNTIME;
    }
    json_out_close(j, '}');
    return 0;
}
