/*
 * test_vocab_json.c - a vocab from Hugging Face's tokenizer.json
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/vocab_check.h"

enum { SPECIAL = SORTES_TOKEN_CONTROL, ENDS = SPECIAL | SORTES_TOKEN_EOG };

#define BYTE_LEVEL "\"decoder\":{\"type\":\"ByteLevel\"}"
#define LLAMA                                                                  \
    "\"decoder\":{\"type\":\"Sequence\",\"decoders\":["                        \
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\"\u2581\"},"               \
    "\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"},"      \
    "{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":0}]}"
#define METASPACE                                                              \
    "\"decoder\":{\"type\":\"Metaspace\",\"replacement\":\"\u2581\"}"
#define BPE "\"model\":{\"type\":\"BPE\",\"merges\":[\"a b\"],"

static struct srt_vocab_source json(const char *text)
{
    return (struct srt_vocab_source){ .text = text };
}

static void json_reads_byte_level_bpe(void **state)
{
    static const struct vocab_row rows[] = { { "!", 0 },
                                             { " a", 0 },
                                             { "\n", 0 },
                                             { "\xC3", 0 },
                                             { "<|im_end|>", ENDS },
                                             { "<think>", 0 },
                                             { "", SORTES_TOKEN_UNUSED },
                                             { "<pad>", SPECIAL } };

    (void)state;
    vocab_check_rows(
        srt_vocab_read_tokenizer_json,
        json("{\"version\":\"1.0\"," BPE "\"vocab\":{\"!\":0,\"\\u0120a\":1,"
             "\"\u00C3\":3,\"\\u010A\":2,\"<|im_end|>\":4}}," BYTE_LEVEL ","
             "\"added_tokens\":[{\"id\":4,\"content\":\"<|im_end|>\","
             "\"special\":true},{\"id\":5,\"content\":\"<think>\","
             "\"special\":false},{\"id\":7,\"content\":\"<pad>\","
             "\"special\":true}]}"),
        rows, 8);
}

static void json_reads_sentencepiece_bpe(void **state)
{
    static const struct vocab_row rows[] = { { "<unk>", SPECIAL },
                                             { "</s>", ENDS },
                                             { "\n", SORTES_TOKEN_BYTE },
                                             { " the", 0 },
                                             { "   ", 0 } };

    (void)state;
    vocab_check_rows(
        srt_vocab_read_tokenizer_json,
        json("{" BPE "\"unk_token\":\"<unk>\",\"byte_fallback\":true,"
             "\"vocab\":{\"<unk>\":0,\"</s>\":1,\"<0x0A>\":2,"
             "\"\u2581the\":3}}," LLAMA ",\"added_tokens\":["
             "{\"id\":1,\"content\":\"</s>\",\"special\":true},{\"id\":4,"
             "\"content\":\"\u2581\u2581\u2581\",\"special\":false}]}"),
        rows, 5);
}

static void json_reads_unigram(void **state)
{
    static const struct vocab_row rows[] = { { "<pad>", SPECIAL },
                                             { "\u2581?", SPECIAL },
                                             { " x", 0 },
                                             { "<0x0A>", 0 } };

    (void)state;
    vocab_check_rows(
        srt_vocab_read_tokenizer_json,
        json("{\"model\":{\"type\":\"Unigram\",\"unk_id\":1,\"vocab\":["
             "[\"<pad>\",0],[\"\u2581?\",0],[\"\u2581x\",-2.5],"
             "[\"<0x0A>\",-9]]}," METASPACE ",\"added_tokens\":[{\"id\":0,"
             "\"content\":\"<pad>\",\"special\":true}]}"),
        rows, 4);
}

static void json_takes_special_tokens(void **state)
{
    static const struct vocab_row rows[] = { { "!", SORTES_TOKEN_EOG } };
    static const sortes_special_token special = { 0, NULL, SORTES_TOKEN_EOG };
    struct srt_vocab_source source =
        json("{" BPE "\"vocab\":{\"!\":0}}," BYTE_LEVEL "}");

    (void)state;
    source.special = &special;
    source.n_special = 1;
    vocab_check_rows(srt_vocab_read_tokenizer_json, source, rows, 1);
}

static void json_refuses_what_it_does_not_know(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        { "{" BPE "\"vocab\":{\"a\":0}},\"decoder\":null}",
          "t: no decoder says how tokens stand for bytes (allowed ByteLevel, "
          "Metaspace, a sequence)" },
        { "{\"decoder\":{\"type\":\"WordPiece\"}}",
          "t: decoder 'WordPiece' is unknown (allowed ByteLevel, Metaspace, "
          "Replace, ByteFallback, Fuse, Strip)" },
        { "{\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":"
          "\"Fuse\"}]}}",
          "t: decoder without a rule for bytes 'Sequence' is unknown (allowed "
          "ByteLevel, Metaspace, Replace, ByteFallback)" },
        { "{\"decoder\":{\"type\":\"Replace\",\"pattern\":{\"String\":\"_\"},"
          "\"content\":\" \"}}",
          "t: a decoder that replaces anything but U+2581 by a space is "
          "unknown" },
        { "{\"decoder\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"_\"},"
          "\"content\":\" \"}}",
          "t: a decoder that replaces anything but U+2581 by a space is "
          "unknown" },
        { "{\"decoder\":{\"type\":\"Metaspace\",\"replacement\":\"_\"}}",
          "t: another space mark of 'Metaspace' is unknown (allowed U+2581)" },
        { "{" BYTE_LEVEL ",\"model\":{\"type\":\"WordLevel\"}}",
          "t: model 'WordLevel' is unknown (allowed BPE, Unigram)" },
        { "{" BYTE_LEVEL ",\"model\":{\"vocab\":{\"a\":0}}}",
          "t: model '' is unknown (allowed BPE, Unigram)" },
        { "{" BYTE_LEVEL ",\"model\":{\"type\":\"BPE\","
          "\"end_of_word_suffix\":\"</w>\"}}",
          "t: BPE with a suffix at the end of words is unknown" },
        { "{" BYTE_LEVEL ",\"model\":{\"type\":\"BPE\","
          "\"continuing_subword_prefix\":\"##\"}}",
          "t: BPE with a prefix inside words is unknown" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        vocab_check_refused(srt_vocab_read_tokenizer_json, json(rows[i].text),
                            SORTES_E_NAME, rows[i].error);
}

static void json_refuses_malformed_files(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        { "{", "json: byte 1: expected a key (got the end)" },
        { "[]", "t: byte 0: expected an object" },
        { "{\"decoder\":[]}", "t: byte 11: decoder: expected an object" },
        { "{\"decoder\":{\"type\":\"Sequence\"}}",
          "t: byte 11: decoder: expected an array 'decoders'" },
        { "{" BYTE_LEVEL "}", "t: byte 0: expected an object 'model'" },
        { "{" BYTE_LEVEL "," BPE "\"vocab\":[]}}",
          "t: byte 40: model: expected an object 'vocab'" },
        { "{" BYTE_LEVEL ",\"model\":{\"type\":\"Unigram\",\"vocab\":[1]}}",
          "t: byte 67: vocab: expected an array of token and score" },
        { "{" BYTE_LEVEL ",\"model\":{\"type\":\"Unigram\",\"vocab\":{}}}",
          "t: byte 40: model: expected an array 'vocab'" },
        { "{" BYTE_LEVEL "," BPE "\"vocab\":{\"a\":0,\"b\":0}}}",
          "t: byte 90: token id 0 comes twice" },
        { "{" BYTE_LEVEL "," BPE "\"vocab\":{\"a\":0}},\"added_tokens\":{}}",
          "t: byte 103: added_tokens: expected an array" },
        { "{" BYTE_LEVEL "," BPE "\"vocab\":{\"a\":0}},\"added_tokens\":[{}]}",
          "t: byte 104: added_tokens: expected 'content'" },
        { "{" BYTE_LEVEL "," BPE "\"vocab\":{}}}", "t: holds no tokens" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        vocab_check_refused(srt_vocab_read_tokenizer_json, json(rows[i].text),
                            SORTES_E_SYNTAX, rows[i].error);
    vocab_check_refused(
        srt_vocab_read_tokenizer_json,
        json("{" BYTE_LEVEL "," BPE "\"vocab\":{\"a\":1.5}}}"), SORTES_E_LIMIT,
        "t: byte 84: token id out of range (got -1, allowed 0 to 4194303)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_byte_level_bpe),
        cmocka_unit_test(json_reads_sentencepiece_bpe),
        cmocka_unit_test(json_reads_unigram),
        cmocka_unit_test(json_takes_special_tokens),
        cmocka_unit_test(json_refuses_what_it_does_not_know),
        cmocka_unit_test(json_refuses_malformed_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
