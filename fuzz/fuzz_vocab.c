/*
 * fuzz_vocab.c - any bytes as a tokenizer.json and as a tiktoken file
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "vocab_file.h"

static void check_reader(sortes_status (*read)(sortes_vocab **out,
                                               const struct srt_vocab_source *,
                                               sortes_error *),
                         const struct srt_vocab_source *source)
{
    volatile unsigned sum = 0;
    sortes_vocab *v;
    sortes_error err;

    if (read(&v, source, &err) != SORTES_OK) {
        check(v == NULL && err.text[0] != '\0' && err.offset <= source->n);
        return;
    }
    check(sortes_vocab_size(v) > 0 && err.status == SORTES_OK);
    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t length;
        const char *piece = sortes_vocab_piece(v, (int32_t)i, &length);

        check(piece != NULL);
        for (size_t j = 0; j < length; j++)
            sum = sum + (unsigned char)piece[j];
        check((sortes_vocab_flags(v, (int32_t)i) & ~SRT_VOCAB_KNOWN_FLAGS) ==
              0);
    }
    sortes_vocab_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const sortes_special_token special[] = {
        { 3, "<end>", SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG },
        { 3, NULL, SORTES_TOKEN_EOS },
    };
    const struct srt_vocab_source source = { "fuzz", (const char *)data, n,
                                             special, 2 };

    check_reader(srt_vocab_read_tokenizer_json, &source);
    check_reader(srt_vocab_read_tiktoken, &source);
    return 0;
}
