/*
 * requests.c - parameters, and requests of any format read into them
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/requests.h"

#include "params/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

sortes_params *requests_fresh(void)
{
    return requests_fresh_of("llama.cpp");
}

sortes_params *requests_fresh_of(const char *dialect)
{
    sortes_params *p;
    sortes_error err;

    if (sortes_params_new(&p, dialect, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return p;
}

sortes_status requests_read(sortes_params *p, const char *format,
                            const char *text, sortes_error *err)
{
    return sortes_params_read(p, format, text, strlen(text), err);
}

/* For a format: a dialect's own has the dialect's name. */
static sortes_params *fresh_for(const char *format)
{
    return requests_fresh_of(sortes_dialect_identity(format) ? format
                                                             : "llama.cpp");
}

void requests_check_shown(const char *format, const struct shown_row *rows,
                          size_t n)
{
    char text[300];
    sortes_error err;

    for (size_t i = 0; i < n; i++) {
        sortes_params *p = fresh_for(format);
        sortes_source source;
        size_t others = 0;

        if (requests_read(p, format, rows[i].request, &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i].request, err.text);
        assert_int_equal(sortes_params_get(p, rows[i].name, text, sizeof(text),
                                           NULL, &source),
                         SORTES_OK);
        if (strcmp(text, rows[i].shown) != 0)
            fail_msg("%s: %s", rows[i].request, text);
        assert_int_equal(source, SORTES_FROM_REQUEST);
        for (size_t k = 0; k < SRT_N_PARAMS; k++)
            others += p->source[k] != SORTES_FROM_DEFAULT;
        assert_int_equal(others, 1);
        sortes_params_free(p);
    }
}

void requests_check_refused(const char *format, const struct refused_row *rows,
                            size_t n)
{
    sortes_params *p = fresh_for(format), before;
    sortes_error err;

    assert_int_equal(sortes_params_set_text(p, "logit_bias", "5+5", NULL),
                     SORTES_OK);
    for (size_t i = 0; i < n; i++) {
        before = *p;
        if (requests_read(p, format, rows[i].request, &err) != rows[i].status ||
            strcmp(err.text, rows[i].text) != 0)
            fail_msg("%s: %s: %s", rows[i].request,
                     sortes_status_name(err.status), err.text);
        assert_int_equal(err.status, rows[i].status);
        assert_memory_equal(p, &before, sizeof(before));
        assert_int_equal(p->logit_bias.items[0].token, 5);
    }
    sortes_params_free(p);
}
