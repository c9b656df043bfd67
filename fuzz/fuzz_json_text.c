/*
 * fuzz_json_text.c - any bytes as a line of `sortes grammar check --json-lines`
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "json_text.h"
#include "utf8_stream.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = malloc(n > 0 ? n : 1);
    size_t length = n;

    check(text != NULL);
    if (n > 0)
        memcpy(text, data, n);
    if (json_text_decode(text, &length) == NULL) {
        check(length + 2 <= n); /* the quotes are gone */
        check(utf8_is_valid(text, length));
    }
    free(text);
    return 0;
}
