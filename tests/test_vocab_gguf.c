/*
 * test_vocab_gguf.c - a vocab from GGUF metadata, as llama.cpp derives it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab.h"

#include "gguf_build.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* Token types of the file. */
enum {
    UNDEFINED = 0,
    NORMAL = 1,
    UNKNOWN = 2,
    CONTROL = 3,
    USER_DEFINED = 4,
    UNUSED = 5,
    BYTE = 6
};

enum {
    F_CONTROL = SORTES_TOKEN_CONTROL,
    F_EOG = SORTES_TOKEN_EOG,
    F_BYTE = SORTES_TOKEN_BYTE,
    F_UNUSED = SORTES_TOKEN_UNUSED
};

struct row {
    const char *text;
    int32_t type;
    const char *piece;
    uint32_t flags;
};

static struct gguf_build built;

static void start(const char *model, const struct row *rows, size_t n)
{
    const char *texts[64];
    int32_t types[64];

    for (size_t i = 0; i < n; i++) {
        texts[i] = rows[i].text;
        types[i] = rows[i].type;
    }
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", model);
    build_texts(&built, "tokenizer.ggml.tokens", texts, n);
    build_i32s(&built, "tokenizer.ggml.token_type", types, n);
}

static sortes_status finish(sortes_vocab **v, sortes_error *err)
{
    struct srt_gguf *g;
    sortes_status status;

    build_end(&built);
    status = srt_gguf_open_memory(&g, "m", built.bytes, built.n, err);
    assert_int_equal(status, SORTES_OK);
    status = srt_vocab_read(v, g, err);
    srt_gguf_close(g);
    return status;
}

static void check_rows(const struct row *rows, size_t n)
{
    sortes_vocab *v;
    sortes_error err;

    /* Which token has which part is shown by a test of its own. */
    const uint32_t parts =
        SORTES_TOKEN_BOS | SORTES_TOKEN_EOS | SORTES_TOKEN_EOT;

    if (finish(&v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_int_equal(sortes_vocab_size(v), n);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        const char *piece = sortes_vocab_piece(v, (int32_t)i, &length);

        if (length != strlen(rows[i].piece) ||
            memcmp(piece, rows[i].piece, length) != 0 ||
            (sortes_vocab_flags(v, (int32_t)i) & ~parts) != rows[i].flags)
            fail_msg("'%s': piece '%.*s', flags %u", rows[i].text, (int)length,
                     piece, sortes_vocab_flags(v, (int32_t)i));
    }
    sortes_vocab_free(v);
}

static void check_refused(sortes_status status, const char *text)
{
    sortes_vocab *v;
    sortes_error err;

    assert_int_equal(finish(&v, &err), status);
    assert_null(v);
    assert_string_equal(err.text, text);
}

static void gguf_vocab_decodes_every_byte_of_gpt2(void **state)
{
    char texts[256][4] = { { 0 } };
    struct row rows[256];
    struct srt_gguf *g;
    sortes_vocab *v;
    uint32_t code = 0x100;

    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        int printable = (byte >= '!' && byte <= '~') ||
                        (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);

        srt_utf8_encode(printable ? (uint32_t)byte : code++, texts[byte]);
    }
    assert_int_equal(code, 0x144);
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "gpt2");
    for (size_t i = 0; i < 256; i++)
        rows[i].text = texts[i];
    build_key(&built, "tokenizer.ggml.tokens", SRT_GGUF_ARRAY);
    build_number(&built, SRT_GGUF_STRING, 4);
    build_number(&built, 256, 8);
    for (size_t i = 0; i < 256; i++)
        build_string(&built, rows[i].text);
    build_end(&built);
    assert_int_equal(srt_gguf_open_memory(&g, "m", built.bytes, built.n, NULL),
                     SORTES_OK);
    assert_int_equal(srt_vocab_read(&v, g, NULL), SORTES_OK);
    for (int i = 0; i < 256; i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(v, i, &n);

        assert_int_equal(n, 1);
        assert_int_equal((unsigned char)piece[0], i);
    }
    srt_gguf_close(g);
    sortes_vocab_free(v);
}

static void gguf_vocab_reads_byte_level_bpe(void **state)
{
    static const struct row rows[] = {
        { "\xC4\xA0the", NORMAL, " the", 0 },
        { "\xC4\x8A", NORMAL, "\n", 0 },
        { "\xC3\xA9", NORMAL, "\xE9", 0 },
        { "\xC4\xA0", USER_DEFINED, "\xC4\xA0", 0 },
        { "<s>", CONTROL, "<s>", F_CONTROL },
        { "<unk>", UNKNOWN, "<unk>", F_CONTROL },
        { "gone", UNUSED, "", F_UNUSED },
        { "nothing", UNDEFINED, "", 0 },
        { "what", 99, "", 0 },
        { "<0x0A>", BYTE, "\n", F_BYTE },
        { "\xE2\x82\xAC", NORMAL, "[UNK_BYTE_0xe282ac\xE2\x82\xAC]", 0 },
        /* id 11 ends a generation unless a key says otherwise */
        { "eleven", NORMAL, "eleven", F_EOG },
        { "", NORMAL, "[EMPTY_12]", 0 },
    };

    (void)state;
    start("gpt2", rows, SRT_COUNT(rows));
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_reads_sentencepiece(void **state)
{
    static const struct row rows[] = {
        { "<unk>", UNKNOWN, "<unk>", F_CONTROL },
        { "<s>", CONTROL, "<s>", F_CONTROL },
        { "</s>", CONTROL, "</s>", F_CONTROL | F_EOG },
        { "<0x00>", BYTE, NULL, F_BYTE },
        { "<0xfF>", BYTE, "\xFF", F_BYTE },
        { "\xE2\x96\x81the\xE2\x96\x81", NORMAL, " the ", 0 },
        { "\xE2\x96\x81", USER_DEFINED, "\xE2\x96\x81", 0 },
        { "\xE2\x96", NORMAL, "\xE2\x96", 0 },
        { "<0x41>", NORMAL, "<0x41>", 0 },
        { "", NORMAL, "[EMPTY_9]", 0 },
    };
    struct row shown[SRT_COUNT(rows)];
    sortes_vocab *v;
    size_t n;

    (void)state;
    memcpy(shown, rows, sizeof(rows));
    start("llama", rows, SRT_COUNT(rows));
    assert_int_equal(finish(&v, NULL), SORTES_OK);
    assert_int_equal(sortes_vocab_piece(v, 3, &n)[0], 0);
    assert_int_equal(n, 1);
    sortes_vocab_free(v);
    shown[3] = (struct row){ "<0x01>", BYTE, "\x01", F_BYTE };
    start("llama", shown, SRT_COUNT(shown));
    check_rows(shown, SRT_COUNT(shown));
}

/* BPE models whose texts are SentencePiece's all the same. */
static void gguf_vocab_knows_bpe_with_sentencepiece_texts(void **state)
{
    static const struct row rows[] = {
        { "\xE2\x96\x81"
          "a",
          NORMAL, " a", 0 },
        { "\xC4\xA0", NORMAL, "\xC4\xA0", 0 },
    };

    (void)state;
    start("gemma4", rows, SRT_COUNT(rows));
    check_rows(rows, SRT_COUNT(rows));
    start("gpt2", rows, SRT_COUNT(rows));
    build_text(&built, "tokenizer.ggml.pre", "sarvam-moe");
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_ends_at_every_known_text(void **state)
{
    static const char *const ends[] = {
        "<|eot_id|>",
        "<|im_end|>",
        "<|end|>",
        "<end_of_turn>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<EOT>",
        "_<EOT>",
        "[EOT]",
        "<end_of_utterance>",
        "<|eom_id|>",
        "</s>",
        "[EOS]",
        "<eos>",
        "<turn|>",
        "[e~[",
        "<|return|>",
        "<|call|>",
        "<|flush|>",
        "<|calls|>",
        "<|fim_pad|>",
        "<|repo_name|>",
        "<|file_sep|>",
        "<\xEF\xBD\x9C"
        "end\xE2\x96\x81of\xE2\x96\x81"
        "sentence\xEF\xBD\x9C>",
        "<|tool_response>",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(ends); i++) {
        /* called an ordinary token, it is special for its text alone */
        struct row rows[] = {
            { "a", NORMAL, "a", 0 },
            { ends[i], NORMAL, ends[i], F_EOG | F_CONTROL },
        };

        start("gpt2", rows, SRT_COUNT(rows));
        check_rows(rows, SRT_COUNT(rows));
    }
}

static void gguf_vocab_ends_at_the_ids_of_the_file(void **state)
{
    static const struct row rows[] = {
        { "a", NORMAL, "a", F_EOG }, { "b", NORMAL, "b", F_EOG },
        { "c", NORMAL, "c", F_EOG }, { "d", NORMAL, "d", F_EOG },
        { "e", NORMAL, "e", F_EOG }, { "f", NORMAL, "f", F_EOG },
        { "g", NORMAL, "g", 0 },     { "h", NORMAL, "h", 0 },
    };
    static const char *const keys[] = {
        "tokenizer.ggml.eos_token_id",     "tokenizer.ggml.eot_token_id",
        "tokenizer.ggml.eom_token_id",     "tokenizer.ggml.fim_pad_token_id",
        "tokenizer.ggml.fim_rep_token_id", "tokenizer.ggml.fim_sep_token_id",
        "tokenizer.ggml.bos_token_id",     "tokenizer.ggml.fim_pre_token_id",
    };

    (void)state;
    start("llama", rows, SRT_COUNT(rows));
    for (size_t i = 0; i < SRT_COUNT(keys); i++)
        build_whole(&built, keys[i], SRT_GGUF_U32, (int64_t)i);
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_ignores_ids_out_of_range(void **state)
{
    static const struct row rows[] = {
        { "a", NORMAL, "a", 0 },
        { "b", NORMAL, "b", 0 },
        { "c", NORMAL, "c", F_EOG }, /* llama's own default */
    };

    (void)state;
    start("llama", rows, SRT_COUNT(rows));
    build_whole(&built, "tokenizer.ggml.eos_token_id", SRT_GGUF_U32, 3);
    build_whole(&built, "tokenizer.ggml.eot_token_id", SRT_GGUF_U32, -1);
    check_rows(rows, SRT_COUNT(rows));
}

/* A role that a key settles is not taken by a text. */
static void gguf_vocab_prefers_keys_to_texts(void **state)
{
    static const struct row rows[] = {
        { "a", NORMAL, "a", F_EOG },
        { "<|fim_pad|>", NORMAL, "<|fim_pad|>", 0 },
        { "<|file_sep|>", NORMAL, "<|file_sep|>", F_EOG | F_CONTROL },
    };

    (void)state;
    start("gpt2", rows, SRT_COUNT(rows));
    build_whole(&built, "tokenizer.ggml.fim_pad_token_id", SRT_GGUF_U32, 0);
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_knows_harmony(void **state)
{
    static const struct row rows[] = {
        { "<|end|>", CONTROL, "<|end|>", 0 },
        { "<|return|>", CONTROL, "<|return|>", F_EOG | F_CONTROL },
        { "<|call|>", CONTROL, "<|call|>", F_EOG | F_CONTROL },
        { "<|channel|>", CONTROL, "<|channel|>", 0 },
        { "<|message|>", CONTROL, "<|message|>", 0 },
        { "<|start|>", CONTROL, "<|start|>", 0 },
        { "<|constrain|>", CONTROL, "<|constrain|>", 0 },
    };
    static const struct row solar[] = {
        { "<|end|>", CONTROL, "<|end|>", 0 },
        { "<|flush|>", CONTROL, "<|flush|>", F_EOG | F_CONTROL },
        { "<|calls|>", CONTROL, "<|calls|>", F_EOG | F_CONTROL },
    };
    static const struct row neither[] = {
        { "<|end|>", CONTROL, "<|end|>", F_EOG | F_CONTROL },
        { "<|return|>", CONTROL, "<|return|>", F_EOG | F_CONTROL },
        { "<|flush|>", CONTROL, "<|flush|>", F_EOG | F_CONTROL },
    };

    (void)state;
    start("gpt2", rows, SRT_COUNT(rows));
    check_rows(rows, SRT_COUNT(rows));
    start("gpt2", solar, SRT_COUNT(solar));
    check_rows(solar, SRT_COUNT(solar));
    start("gpt2", neither, SRT_COUNT(neither));
    check_rows(neither, SRT_COUNT(neither));
}

static void gguf_vocab_knows_models_whose_s_is_ordinary(void **state)
{
    static const struct row rows[] = {
        { "</s>", CONTROL, "</s>", 0 },
        { "<|tool_response>", CONTROL, "<|tool_response>", F_EOG | F_CONTROL },
    };

    (void)state;
    start("gemma4", rows, SRT_COUNT(rows));
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_finds_unused_special_tokens(void **state)
{
    static const struct row rows[] = {
        { "<unused7>", CONTROL, "<unused7>", F_CONTROL | F_UNUSED },
        { "unused", NORMAL, "unused", 0 },
        { "<unuse>", CONTROL, "<unuse>", F_CONTROL },
    };

    (void)state;
    start("gpt2", rows, SRT_COUNT(rows));
    check_rows(rows, SRT_COUNT(rows));
}

static void gguf_vocab_refuses_other_tokenizers_by_name(void **state)
{
    static const struct row rows[] = { { "a", NORMAL, "a", 0 } };

    (void)state;
    start("bert", rows, 1);
    check_refused(SORTES_E_NAME, "m: tokenizer 'bert' is unknown (allowed "
                                 "gpt2, llama, gemma4)");
    start("", rows, 1);
    check_refused(SORTES_E_NAME,
                  "m: tokenizer '' is unknown (allowed gpt2, llama, gemma4)");
}

static void gguf_vocab_refuses_missing_and_mistyped_keys(void **state)
{
    static const struct row rows[] = { { "a", NORMAL, "a", 0 } };
    static const int32_t types[] = { 1 };
    static const char *const texts[] = { "a", "b" };

    (void)state;
    build_start(&built);
    check_refused(SORTES_E_SYNTAX, "m: key 'tokenizer.ggml.model' is missing");
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "gpt2");
    check_refused(SORTES_E_SYNTAX, "m: key 'tokenizer.ggml.tokens' is missing");
    build_start(&built);
    build_whole(&built, "tokenizer.ggml.model", SRT_GGUF_U32, 1);
    check_refused(SORTES_E_SYNTAX,
                  "m: key 'tokenizer.ggml.model', byte 56: wrong type (got "
                  "u32, needed string)");
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "gpt2");
    build_i32s(&built, "tokenizer.ggml.tokens", types, 1);
    check_refused(SORTES_E_SYNTAX,
                  "m: key 'tokenizer.ggml.tokens', byte 113: wrong type (got "
                  "array of i32, needed array of string)");
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "gpt2");
    build_texts(&built, "tokenizer.ggml.tokens", texts, 2);
    build_i32s(&built, "tokenizer.ggml.token_type", types, 1);
    check_refused(SORTES_E_SYNTAX,
                  "m: key 'tokenizer.ggml.token_type', byte 180: too short "
                  "(got 1, needed 2)");
    start("gpt2", rows, 1);
    build_text(&built, "tokenizer.ggml.eos_token_id", "0");
    check_refused(SORTES_E_SYNTAX,
                  "m: key 'tokenizer.ggml.eos_token_id', byte 214: wrong type "
                  "(got string, needed u32)");
}

static void gguf_vocab_refuses_malformed_byte_tokens(void **state)
{
    static const char *const texts[] = { "x",     "<0x4>",   "<0x4G>", "<0X41>",
                                         "<0x41", "<0x411>", "" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(texts); i++) {
        struct row row = { texts[i], BYTE, "", 0 };
        sortes_vocab *v;
        sortes_error err;

        start("llama", &row, 1);
        assert_int_equal(finish(&v, &err), SORTES_E_SYNTAX);
        assert_null(v);
        assert_non_null(strstr(err.text, "token 0: malformed byte token"));
    }
}

/* Shown as an unknown byte again and again, a text must not grow without
 * bound. */
static void gguf_vocab_limits_pieces(void **state)
{
    static char text[12000];
    struct row row = { text, NORMAL, "", 0 };
    sortes_vocab *v;
    sortes_error err;

    (void)state;
    memset(text, 0xFF, sizeof(text) - 1);
    start("gpt2", &row, 1);
    assert_int_equal(finish(&v, &err), SORTES_E_LIMIT);
    assert_non_null(strstr(err.text, "token 0: piece too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gguf_vocab_decodes_every_byte_of_gpt2),
        cmocka_unit_test(gguf_vocab_reads_byte_level_bpe),
        cmocka_unit_test(gguf_vocab_reads_sentencepiece),
        cmocka_unit_test(gguf_vocab_knows_bpe_with_sentencepiece_texts),
        cmocka_unit_test(gguf_vocab_ends_at_every_known_text),
        cmocka_unit_test(gguf_vocab_ends_at_the_ids_of_the_file),
        cmocka_unit_test(gguf_vocab_ignores_ids_out_of_range),
        cmocka_unit_test(gguf_vocab_prefers_keys_to_texts),
        cmocka_unit_test(gguf_vocab_knows_harmony),
        cmocka_unit_test(gguf_vocab_knows_models_whose_s_is_ordinary),
        cmocka_unit_test(gguf_vocab_finds_unused_special_tokens),
        cmocka_unit_test(gguf_vocab_refuses_other_tokenizers_by_name),
        cmocka_unit_test(gguf_vocab_refuses_missing_and_mistyped_keys),
        cmocka_unit_test(gguf_vocab_refuses_malformed_byte_tokens),
        cmocka_unit_test(gguf_vocab_limits_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
