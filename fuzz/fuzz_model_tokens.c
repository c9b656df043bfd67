/*
 * fuzz_model_tokens.c - any bytes as a model's config.json
 *
 * What is read is made of token ids, each end once; what is refused changes
 * nothing and says why.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "sortes.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    sortes_model_tokens t = { sizeof(t), -1, 7, 1, { 3 } }, before = t;
    sortes_error err;

    if (sortes_model_tokens_read(&t, (const char *)data, n, &err) !=
        SORTES_OK) {
        check(memcmp(&t, &before, sizeof(t)) == 0 && err.text[0] != '\0');
        return 0;
    }
    check(t.bos >= -1 && t.pad >= 0 && t.n_ends >= 1 &&
          t.n_ends <= SORTES_MODEL_ENDS && t.ends[0] == 3);
    for (size_t i = 0; i < t.n_ends; i++) {
        check(t.ends[i] >= 0);
        for (size_t j = 0; j < i; j++)
            check(t.ends[i] != t.ends[j]);
    }
    return 0;
}
