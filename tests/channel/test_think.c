/*
 * test_think.c - tags whole and torn, channels, and what the budget counts
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "channel/think.h"

#include <string.h>

/* Both channels of a stream, one after the other. */
struct channels {
    char answer[512], reasoning[512];
    bool last; /* of the text that came last */
};

static void take(void *ctx, int thinking, const char *text, size_t n)
{
    struct channels *c = ctx;
    char *to = thinking ? c->reasoning : c->answer;

    assert_true(n > 0 && strlen(to) + n < sizeof(c->answer));
    strncat(to, text, n);
    c->last = thinking != 0;
}

static struct srt_text text_of(const char *text)
{
    return (struct srt_text){ text, strlen(text) };
}

static struct srt_think tags(const char *start, const char *end, bool literal,
                             int64_t budget)
{
    struct srt_think think;

    assert_int_equal(srt_think_init(&think, text_of(start), text_of(end), NULL),
                     SORTES_OK);
    think.literal = literal;
    think.budget = budget;
    return think;
}

/* Pieces of "a|b|c", and the two channels they end in. */
static void check(bool literal, bool open, const char *pieces,
                  const char *answer, const char *reasoning)
{
    struct srt_think think = tags("<think>", "</think>", literal, -1);
    struct srt_think_state state = { .open = open };
    struct channels got = { "", "", false };

    for (;;) {
        const size_t n = strcspn(pieces, "|");

        srt_think_step(&think, &state, (struct srt_text){ pieces, n }, take,
                       &got);
        if (pieces[n] == '\0')
            break;
        pieces += n + 1;
    }
    srt_think_finish(&think, &state, take, &got);
    assert_string_equal(got.answer, answer);
    assert_string_equal(got.reasoning, reasoning);
    srt_think_free(&think);
}

static void whole_tags_switch_the_channel(void **state)
{
    (void)state;
    for (int literal = 0; literal < 2; literal++) {
        check(literal, false, "a|<think>|b|c|</think>|d", "ad", "bc");
        check(literal, true, "b|</think>|d", "d", "b");
        check(literal, false, "no tags| at all", "no tags at all", "");
        /* nested and repeated ones only set the state */
        check(literal, false, "<think>|<think>|x|</think>|y", "y", "x");
    }
}

/* A piece with text around a tag: each part where it stands, or all of it to
 * the channel that the piece ends in. */
static void text_around_a_tag(void **state)
{
    (void)state;
    check(false, true, "b</think>a", "a", "b");
    check(true, true, "b</think>a", "ba", "");
    check(false, false, "a<think>b</think>c<think>d", "ac", "bd");
    check(true, false, "a<think>b</think>c<think>d", "", "abcd");
}

static void torn_tags_are_found_unless_literal(void **state)
{
    (void)state;
    check(false, true, "b</th|ink>a", "a", "b");
    check(false, false, "a<|t|h|i|n|k|>b", "a", "b");
    check(true, true, "b</th|ink>a", "", "b</think>a");
}

/* What looked like a tag and was none comes out whole, in order. */
static void false_beginnings_are_text(void **state)
{
    (void)state;
    check(false, false, "a<thi|s>", "a<this>", "");
    check(false, false, "<<think>b", "<", "b");
    check(false, true, "</</think>a", "a", "</");
    check(false, true, "x<", "", "x<"); /* the end of the stream */
    check(false, true, "</think", "", "</think");
    check(false, false, "<th<think>x", "<th", "x");
}

/* Every way to tear a text into two and three pieces gives the same. */
static void any_tear_gives_the_same(void **state)
{
    static const char text[] =
        "ab<think>c</thinx</think>d<<think>e</</think>f<thin";
    const size_t n = sizeof(text) - 1;
    struct srt_think think = tags("<think>", "</think>", false, -1);

    (void)state;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = i; j <= n; j++) {
            struct srt_think_state s = { 0 };
            struct channels got = { "", "", false };

            srt_think_step(&think, &s, (struct srt_text){ text, i }, take,
                           &got);
            srt_think_step(&think, &s, (struct srt_text){ text + i, j - i },
                           take, &got);
            srt_think_step(&think, &s, (struct srt_text){ text + j, n - j },
                           take, &got);
            srt_think_finish(&think, &s, take, &got);
            assert_string_equal(got.answer, "abd<f<thin");
            assert_string_equal(got.reasoning, "c</thinxe</");
        }
    }
    srt_think_free(&think);
}

/* Tags that repeat themselves inside: what a naive search misses. */
static void tags_that_overlap_themselves(void **state)
{
    struct srt_think think = tags("aab", "baa", false, -1);
    struct srt_think_state s = { 0 };
    struct channels got = { "", "", false };

    (void)state;
    srt_think_step(&think, &s, text_of("aaab"), take, &got); /* "a", open */
    assert_true(s.open);
    srt_think_step(&think, &s, text_of("xbbaay"), take, &got);
    assert_string_equal(got.answer, "ay");
    assert_string_equal(got.reasoning, "xb");
    assert_false(s.open);
    srt_think_free(&think);
}

static bool prompt_is_open(const char *text)
{
    struct srt_think think = tags("<think>", "</think>", true, -1);
    struct srt_think_state s = { 0 };

    srt_think_prompt(&think, &s, text_of(text));
    srt_think_free(&think);
    return s.open;
}

static void the_last_tag_of_the_prompt_decides(void **state)
{
    (void)state;
    assert_false(prompt_is_open("assistant\n"));
    assert_true(prompt_is_open("assistant\n<think>\n"));
    assert_false(prompt_is_open("assistant\n<think>\n\n</think>\n"));
    assert_true(prompt_is_open("</think> x <think>"));
    assert_true(prompt_is_open("</think><think></thin"));
}

/* Pieces that end with the block open count, empty ones too. */
static void the_budget_counts_open_pieces(void **state)
{
    struct srt_think think = tags("<think>", "</think>", false, 2);
    struct srt_think_state s = { 0 };

    (void)state;
    srt_think_step(&think, &s, text_of("outside"), NULL, NULL);
    assert_int_equal(s.count, 0);
    srt_think_step(&think, &s, text_of("<think>"), NULL, NULL);
    assert_int_equal(s.count, 1); /* the opening tag, now open */
    srt_think_step(&think, &s, text_of(""), NULL, NULL);
    assert_int_equal(s.count, 2);
    assert_false(srt_think_take_close(&s));
    srt_think_step(&think, &s, text_of("x"), NULL, NULL);
    assert_true(s.exceeded);
    assert_true(srt_think_take_close(&s));
    assert_false(srt_think_take_close(&s)); /* once */
    srt_think_step(&think, &s, text_of("y"), NULL, NULL);
    assert_false(srt_think_take_close(&s)); /* and never again */
    assert_int_equal(s.count, 3);
    srt_think_free(&think);
}

static void a_piece_that_closes_does_not_count(void **state)
{
    struct srt_think think = tags("<think>", "</think>", false, 0);
    struct srt_think_state s = { .open = true };

    (void)state;
    srt_think_step(&think, &s, text_of("x</think>"), NULL, NULL);
    assert_int_equal(s.count, 0);
    assert_false(srt_think_take_close(&s));
    assert_false(srt_think_close_now(&s));
    srt_think_step(&think, &s, text_of("<think>x"), NULL, NULL);
    assert_true(srt_think_take_close(&s));
    assert_true(srt_think_close_now(&s));
    assert_true(srt_think_take_close(&s));
    srt_think_free(&think);
}

static void other_tags_will_do(void **state)
{
    struct srt_think think = tags("<reasoning>", "[/R]", false, -1);
    struct srt_think_state s = { 0 };
    struct channels got = { "", "", false };

    (void)state;
    srt_think_step(&think, &s, text_of("a<reaso"), take, &got);
    srt_think_step(&think, &s, text_of("ning>b[/R]c</think>"), take, &got);
    srt_think_finish(&think, &s, take, &got);
    assert_string_equal(got.answer, "ac</think>");
    assert_string_equal(got.reasoning, "b");
    srt_think_free(&think);
}

static void blank_and_overlong_tags_are_refused(void **state)
{
    struct srt_think think;
    char tag[SRT_THINK_TAG + 2];
    sortes_error err;

    (void)state;
    assert_int_equal(srt_think_init(&think, text_of(" \t"), text_of("x"), &err),
                     SORTES_E_RANGE);
    assert_string_equal(err.text, "`thinking_start_token` must be a "
                                  "non-empty, non-whitespace delimiter string");
    assert_int_equal(srt_think_init(&think, text_of("x"), text_of(""), &err),
                     SORTES_E_RANGE);
    assert_string_equal(err.text, "`thinking_end_token` must be a "
                                  "non-empty, non-whitespace delimiter string");
    memset(tag, 'a', sizeof(tag) - 1);
    tag[sizeof(tag) - 1] = '\0';
    assert_int_equal(srt_think_init(&think, text_of(tag), text_of("x"), &err),
                     SORTES_E_LIMIT);
    assert_string_equal(err.text, "thinking_start_token: too long (got 257 "
                                  "bytes, allowed 256)");
    tag[SRT_THINK_TAG] = '\0';
    assert_int_equal(srt_think_init(&think, text_of(tag), text_of("x"), &err),
                     SORTES_OK);
    srt_think_free(&think);
}

static void callers_have_the_same(void **state)
{
    const sortes_think_desc desc = { sizeof(desc), NULL, NULL, 1, 0 };
    struct channels got = { "", "", false };
    sortes_think *t;

    (void)state;
    assert_int_equal(sortes_think_new(&t, &desc, NULL), SORTES_OK);
    sortes_think_prompt(t, "user<thi", 8);
    assert_false(sortes_think_is_open(t));
    sortes_think_prompt(t, "nk>\n", 4);
    assert_true(sortes_think_is_open(t));
    sortes_think_step(t, "a", 1, take, &got);
    assert_false(sortes_think_take_close(t));
    sortes_think_step(t, NULL, 0, take, &got);
    assert_true(sortes_think_take_close(t));
    assert_false(sortes_think_take_close(t));
    sortes_think_step(t, "</think>b<", 10, take, &got);
    sortes_think_finish(t, take, &got);
    assert_string_equal(got.reasoning, "a");
    assert_string_equal(got.answer, "b<");
    sortes_think_free(t);
    sortes_think_free(NULL);
}

static void callers_are_refused_too(void **state)
{
    sortes_think_desc desc = { sizeof(desc), "", NULL, -1, 0 };
    sortes_think *t;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_think_new(&t, &desc, &err), SORTES_E_RANGE);
    assert_null(t);
    desc.start_tag = NULL;
    desc.struct_size--;
    assert_int_equal(sortes_think_new(&t, &desc, &err), SORTES_E_ARGUMENT);
    assert_string_equal(err.text, "think: a whole description is needed");
    assert_int_equal(sortes_think_new(NULL, &desc, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_think_new(&t, NULL, &err), SORTES_E_ARGUMENT);
    assert_false(sortes_think_is_open(NULL));
    assert_false(sortes_think_take_close(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_tags_switch_the_channel),
        cmocka_unit_test(text_around_a_tag),
        cmocka_unit_test(torn_tags_are_found_unless_literal),
        cmocka_unit_test(false_beginnings_are_text),
        cmocka_unit_test(any_tear_gives_the_same),
        cmocka_unit_test(tags_that_overlap_themselves),
        cmocka_unit_test(the_last_tag_of_the_prompt_decides),
        cmocka_unit_test(the_budget_counts_open_pieces),
        cmocka_unit_test(a_piece_that_closes_does_not_count),
        cmocka_unit_test(other_tags_will_do),
        cmocka_unit_test(blank_and_overlong_tags_are_refused),
        cmocka_unit_test(callers_have_the_same),
        cmocka_unit_test(callers_are_refused_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
