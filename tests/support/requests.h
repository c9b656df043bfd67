/*
 * requests.h - parameters, and requests of any format read into them
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_REQUESTS_H
#define TESTS_REQUESTS_H

#include "sortes.h"

/* llama.cpp's defaults; free them with sortes_params_free. */
sortes_params *requests_fresh(void);

sortes_params *requests_fresh_of(const char *dialect);

sortes_status requests_read(sortes_params *p, const char *format,
                            const char *text, sortes_error *err);

struct shown_row {
    const char *request, *name, *shown;
};

/* Each request sets one parameter, to what is shown, and nothing else. */
void requests_check_shown(const char *format, const struct shown_row *rows,
                          size_t n);

struct refused_row {
    const char *request;
    sortes_status status;
    const char *text; /* of the error */
};

/* Each request is refused with this text, and changes nothing. */
void requests_check_refused(const char *format, const struct refused_row *rows,
                            size_t n);

#endif /* TESTS_REQUESTS_H */
