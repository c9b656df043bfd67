/*
 * request.c - what a command line asks of a sampler: dialect and parameters
 *
 * SPDX-License-Identifier: MIT
 */
#include "request.h"

#include <stdlib.h>
#include <string.h>

const char request_dialect[] = "llama.cpp";

static int request_read(const struct request *r, sortes_params *p)
{
    struct cli_text text;
    sortes_error err = { 0 };

    const int rc = cli_read_value(r->params, &text);
    if (rc != 0)
        return rc;
    const sortes_status status = sortes_params_read(
        p, r->format ? r->format : "llama-server", text.data, text.n, &err);
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

    if (gguf) {
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

/* A parameter's value as JSON text; free it with free(). */
static char *request_value(const sortes_params *p, const char *name)
{
    size_t n = 0;

    if (sortes_params_get(p, name, NULL, 0, &n, NULL) != SORTES_OK)
        return NULL;
    char *text = malloc(n + 1);
    if (text)
        (void)sortes_params_get(p, name, text, n + 1, &n, NULL);
    return text;
}

int request_dump(const sortes_params *p, const char *dialect)
{
    static const char *const from[] = { "default", "gguf", "request", "call" };
    const sortes_param_info *info;
    struct json_out j;

    for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++) {
        sortes_source source = SORTES_FROM_DEFAULT;
        char *value = request_value(p, info->name);
        if (!value)
            return cli_fail(CLI_RUNTIME, "%s: cannot be shown", info->name);
        (void)sortes_params_get(p, info->name, NULL, 0, NULL, &source);
        json_out_init(&j, stdout);
        json_out_open(&j, '{');
        json_out_key(&j, "name");
        json_out_string(&j, info->name, strlen(info->name));
        json_out_key(&j, "value");
        json_out_raw(&j, value);
        json_out_key(&j, "from");
        json_out_string(&j, from[source], strlen(from[source]));
        json_out_close(&j, '}');
        fputc('\n', stdout);
        free(value);
    }
    return cli_flush();
}

int request_write(const sortes_params *p, const char *dialect,
                  struct json_out *j)
{
    const sortes_param_info *info;

    json_out_open(j, '{');
    for (size_t i = 0; (info = sortes_param_at(dialect, i)); i++) {
        char *value = request_value(p, info->name);
        if (!value)
            return cli_fail(CLI_RUNTIME, "%s: cannot be shown", info->name);
        json_out_key(j, info->name);
        json_out_raw(j, value);
        free(value);
    }
    json_out_close(j, '}');
    return 0;
}
