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

void requests_check_refused(const char *format, const struct refused_row *rows,
                            size_t n)
{
    /* a dialect's own format has its name */
    sortes_params *p = requests_fresh_of(
                      sortes_dialect_identity(format) ? format : "llama.cpp"),
                  before;
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
