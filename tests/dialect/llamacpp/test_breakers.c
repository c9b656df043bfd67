/*
 * test_breakers.c - which token sequences break a repetition
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/breakers.h"
#include "history/window.h"
#include "support/stages.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct srt_string_list list;

/* The breakers of a text as params read it: "a;b". */
static struct srt_breakers *get(sortes_vocab *v, const char *text)
{
    struct srt_breakers *b;

    srt_strings_clear(&list);
    assert_int_equal(srt_strings_from_text(&list, "breakers", text, NULL),
                     SORTES_OK);
    assert_int_equal(srt_breakers_get(&b, v, &list, NULL), SORTES_OK);
    return b;
}

/* The longest tail of the first token that the ones behind it complete. */
static int longest(const struct srt_breakers *b, const int32_t *tokens,
                   size_t n)
{
    struct srt_window w;
    int result;

    srt_window_init(&w, 100);
    assert_int_equal(srt_window_reserve(&w, n), SORTES_OK);
    srt_window_push(&w, tokens, n);
    result = srt_breakers_longest(b, tokens[0], &w, n - 1);
    srt_window_free(&w);
    return result;
}

static int teardown(void **state)
{
    srt_strings_clear(&list);
    return stages_teardown(state);
}

static void words_that_hold_a_breaker_are_whole(void **state)
{
    struct srt_breakers *b = get(stages_words(), ":");

    (void)state;
    for (int32_t t = 0; t < N_WORDS; t++) {
        assert_int_equal(srt_breakers_whole(b, t),
                         t == WORD_COLON || t == WORD_RATIO);
        assert_int_equal(longest(b, &t, 1), srt_breakers_whole(b, t) ? 0 : -1);
    }
    srt_breakers_free(b);
}

static void tails_are_what_is_left_of_the_breaker(void **state)
{
    struct srt_breakers *b = get(stages_words(), "abc!");

    (void)state;
    assert_int_equal(longest(b, IDS(WORD_ABC, WORD_BANG)), 1);
    assert_int_equal(longest(b, IDS(WORD_AB, WORD_C, WORD_BANG)), 2);
    /* The rest "bc!" is read as b, c and !, there being no word "bc". */
    assert_int_equal(longest(b, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG)), 3);
    assert_int_equal(longest(b, IDS(WORD_SPACE_A, WORD_B, WORD_C, WORD_BANG)),
                     3);
    assert_int_equal(longest(b, IDS(WORD_ABC, WORD_STAR)), -1);
    assert_int_equal(longest(b, IDS(WORD_BANG, WORD_BANG)), -1);
    srt_breakers_free(b);
}

static void tails_need_as_many_tokens_as_they_have(void **state)
{
    struct srt_breakers *b = get(stages_words(), "abc!");

    (void)state;
    assert_int_equal(longest(b, IDS(WORD_ABC)), -1);
    assert_int_equal(longest(b, IDS(WORD_AB, WORD_C)), -1);
    srt_breakers_free(b);
}

static void longest_of_several_tails_counts(void **state)
{
    struct srt_breakers *b = get(stages_words(), "a!;a!*");

    (void)state;
    assert_int_equal(longest(b, IDS(WORD_A, WORD_BANG, WORD_B)), 1);
    assert_int_equal(longest(b, IDS(WORD_A, WORD_BANG, WORD_STAR)), 2);
    srt_breakers_free(b);
}

static void tails_begin_at_every_place_of_a_word(void **state)
{
    static const struct stages_piece pieces[] = { { "xx", 0 }, { "x", 0 } };
    struct srt_breakers *b = get(stages_vocab(pieces, 2), "xxx");

    (void)state;
    /* "xx" begins "xxx" with two letters, its last one with one. */
    assert_int_equal(longest(b, IDS(0, 1, 1)), 1);
    assert_int_equal(longest(b, IDS(0, 0, 1)), 1); /* the rest "xx" is one */
    assert_int_equal(longest(b, IDS(1, 0)), 1);
    assert_int_equal(longest(b, IDS(1, 1)), -1);
    srt_breakers_free(b);
}

static void tails_may_begin_inside_a_character(void **state)
{
    struct srt_breakers *b = get(stages_words(), "\\xc3\\xa9!");

    (void)state;
    assert_int_equal(longest(b, IDS(WORD_LEAD, WORD_TRAIL, WORD_BANG)), 2);
    assert_int_equal(longest(b, IDS(WORD_ACUTE, WORD_BANG)), 1);
    assert_int_equal(longest(b, IDS(WORD_TRAIL, WORD_BANG)), -1);
    srt_breakers_free(b);
}

static void breakers_are_cut_to_forty_bytes(void **state)
{
    char text[64];
    struct srt_breakers *b;
    int32_t tokens[41];

    (void)state;
    memset(text, 'a', 39);
    strcpy(text + 39, "b!!");
    b = get(stages_words(), text);
    for (size_t i = 0; i < 40; i++)
        tokens[i] = WORD_A;
    tokens[39] = WORD_AB;
    /* 20 tokens of the rest are looked at; what lies behind does not count. */
    assert_int_equal(longest(b, tokens, 41), 20);
    assert_int_equal(longest(b, tokens, 21), 20);
    assert_int_equal(longest(b, tokens, 20), -1);
    assert_false(srt_breakers_whole(b, WORD_BANG));
    srt_breakers_free(b);

    memset(text, '*', 40); /* 40 bytes, then more */
    strcpy(text + 40, "!");
    b = get(stages_words(), text);
    for (size_t i = 0; i < 41; i++)
        tokens[i] = WORD_STAR;
    assert_int_equal(longest(b, tokens, 41), 20);
    srt_breakers_free(b);
}

static void breakers_cut_inside_a_word_hold_for_its_beginning(void **state)
{
    static const struct stages_piece pieces[] = {
        { "0123456789012345678901234567890123456789", 0 }, /* 40 */
        { "x", 0 },
    };
    struct srt_breakers *b = get(stages_vocab(pieces, 2),
                                 "0123456789012345678901234567890123456789x");

    (void)state;
    assert_true(srt_breakers_whole(b, 0));
    assert_false(srt_breakers_whole(b, 1));
    srt_breakers_free(b);
}

static void words_count_not_pieces(void **state)
{
    static const char *const bytes[] = { " a", "b" };
    static const char *const words[] = { "a", "b" };
    static const size_t n_bytes[] = { 2, 1 }, n_word_bytes[] = { 1, 1 };
    const sortes_vocab_desc desc = {
        .struct_size = sizeof(desc),
        .n_tokens = 2,
        .bytes = bytes,
        .n_bytes = n_bytes,
        .words = words,
        .n_word_bytes = n_word_bytes,
    };
    sortes_vocab *v;
    struct srt_breakers *b;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    b = get(v, "\\x20");
    assert_false(srt_breakers_whole(b, 0));
    srt_breakers_free(b);
    sortes_vocab_free(v);
}

static void empty_breakers_are_passed_over(void **state)
{
    struct srt_breakers *b = get(stages_words(), ";;:");

    (void)state;
    assert_false(srt_breakers_whole(b, WORD_A));
    assert_true(srt_breakers_whole(b, WORD_COLON));
    srt_breakers_free(b);
}

/* ---- made once ----------------------------------------------------------- */

static void breakers_are_made_once_for_a_list(void **state)
{
    struct srt_breakers *a = get(stages_words(), "abc!;:"), *b;
    const size_t before = stages_tokenized();

    (void)state;
    assert_true(before > 0);
    b = get(stages_words(), "abc!;:");
    assert_ptr_equal(a, b);
    assert_int_equal(stages_tokenized(), before);
    srt_breakers_free(a);
    srt_breakers_free(b);
    b = get(stages_words(), "abc!;:"); /* the vocab still has it */
    assert_int_equal(stages_tokenized(), before);
    srt_breakers_free(b);
}

static void breakers_of_another_list_or_vocab_are_others(void **state)
{
    struct srt_breakers *a = get(stages_words(), "a;b");
    struct srt_breakers *b = get(stages_words(), "b;a");
    static const struct stages_piece pieces[] = { { "a", 0 }, { "b", 0 } };
    struct srt_breakers *c = get(stages_vocab(pieces, 2), "a;b");

    (void)state;
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(a, c);
    srt_breakers_free(a);
    srt_breakers_free(b);
    srt_breakers_free(c);
}

static void samplers_of_one_vocab_share_them(void **state)
{
    const char *settings = "dry_multiplier=1 dry_sequence_breakers=abc!";
    size_t before;

    (void)state;
    (void)stages_sampler_of(stages_words(), settings);
    before = stages_tokenized();
    (void)stages_sampler_of(stages_words(), settings);
    assert_int_equal(stages_tokenized(), before);
}

static void breakers_outlive_the_vocab_that_made_them(void **state)
{
    static const char *const bytes[] = { ":" };
    static const size_t n_bytes[] = { 1 };
    const sortes_vocab_desc desc = {
        .struct_size = sizeof(desc),
        .n_tokens = 1,
        .bytes = bytes,
        .n_bytes = n_bytes,
    };
    sortes_vocab *v;
    struct srt_breakers *b;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    b = get(v, ":");
    sortes_vocab_free(v);
    assert_true(srt_breakers_whole(b, 0));
    srt_breakers_free(b);
}

/* ---- refusals ------------------------------------------------------------ */

static void refused(sortes_vocab *v, const char *text, sortes_status status)
{
    struct srt_breakers *b = (struct srt_breakers *)&list;
    sortes_error err;

    srt_strings_clear(&list);
    assert_int_equal(srt_strings_from_text(&list, "breakers", text, NULL),
                     SORTES_OK);
    assert_int_equal(srt_breakers_get(&b, v, &list, &err), status);
    assert_string_equal(err.text,
                        "dry: a sequence breaker could not be tokenized");
    assert_null(b);
}

static void breakers_that_need_a_tokenizer_are_refused_without(void **state)
{
    static const char *const bytes[] = { "a", ":" };
    static const size_t n_bytes[] = { 1, 1 };
    const sortes_vocab_desc desc = {
        .struct_size = sizeof(desc),
        .n_tokens = 2,
        .bytes = bytes,
        .n_bytes = n_bytes,
    };
    sortes_vocab *v;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    refused(v, "ab", SORTES_E_NAME);
    srt_breakers_free(get(v, ":;b!")); /* none of these is ever split */
    sortes_vocab_free(v);
}

static void breakers_that_the_tokenizer_refuses_are_refused(void **state)
{
    (void)state;
    refused(stages_words(), "a\\xff", SORTES_E_ARGUMENT); /* no such piece */
    refused(stages_words(), "a\\xff", SORTES_E_ARGUMENT); /* nothing is kept */
}

#define CASE(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(words_that_hold_a_breaker_are_whole),
        CASE(tails_are_what_is_left_of_the_breaker),
        CASE(tails_need_as_many_tokens_as_they_have),
        CASE(longest_of_several_tails_counts),
        CASE(tails_begin_at_every_place_of_a_word),
        CASE(tails_may_begin_inside_a_character),
        CASE(breakers_are_cut_to_forty_bytes),
        CASE(breakers_cut_inside_a_word_hold_for_its_beginning),
        CASE(words_count_not_pieces),
        CASE(empty_breakers_are_passed_over),
        CASE(breakers_are_made_once_for_a_list),
        CASE(breakers_of_another_list_or_vocab_are_others),
        CASE(samplers_of_one_vocab_share_them),
        CASE(breakers_outlive_the_vocab_that_made_them),
        CASE(breakers_that_need_a_tokenizer_are_refused_without),
        CASE(breakers_that_the_tokenizer_refuses_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
