/*
 * test_ahead.c - hints about a state agree with its bytes, one by one
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json_schema/frame.h"
#include "constrain/matcher.h"
#include "support/constrain_walk.h"
#include "support/small_vocab.h"

#include <string.h>

static const char *const schemas[] = {
    "{}",
    "{\"properties\":{\"abc\":{\"type\":\"integer\"},\"\\u00e9\\n\":{}},"
    "\"additionalProperties\":false}",
    "{\"items\":{\"enum\":[\"a\\\"b\",\"a/\",\"\\u20ac\",1.5,null,[true]]}}",
    "{\"items\":{\"pattern\":\"^(a|\\u00e9)+$\",\"minLength\":2}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^x\":{\"type\":"
    "\"number\",\"minimum\":3}},\"additionalProperties\":false}",
};
static const char *const profiles[] = { NULL, "json", "llguidance" };

static uint32_t step(struct srt_machine *m, uint32_t state, unsigned byte)
{
    uint32_t next;

    srt_lock_take(&m->lock);
    assert_int_equal(m->type->step(m, state, (uint8_t)byte, &next), SORTES_OK);
    srt_lock_release(&m->lock);
    return next;
}

/* Inside a character or an escape. */
static bool is_torn(const struct srt_machine *m, uint32_t state)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);

    if (s->mode == SRT_MODE_KEY)
        return !srt_decoder_reader_state(js->unit[SRT_UNIT_KEYS].decoder, s->b);
    return s->mode == SRT_MODE_STRING &&
           !srt_decoder_reader_state(js->unit[s->b].decoder, s->a);
}

static void check_bytes(struct srt_machine *m, uint32_t state)
{
    const struct srt_alphabet may = m->type->may_follow(m, state);
    const bool torn = is_torn(m, state);
    uint32_t of_class[256];
    bool known[256] = { false };

    for (unsigned byte = 0; byte < 256; byte++) {
        const uint32_t next = step(m, state, byte);
        const uint8_t c = m->class_of[byte];

        if (next != SRT_DEAD)
            assert_true(srt_alphabet_has(&may, (uint8_t)byte));
        else if (torn)
            assert_false(srt_alphabet_has(&may, (uint8_t)byte));
        if (!srt_alphabet_has(&m->alphabet, (uint8_t)byte))
            continue;
        if (known[c])
            assert_int_equal(of_class[c], next);
        known[c] = true;
        of_class[c] = next;
    }
}

/* States that differ in their gap alone lead to the same ones by other bytes;
 * a gap grows as gap_step says. */
static void check_gap(struct srt_machine *m, uint32_t state)
{
    const int gap = m->type->gap(m, state);

    for (const char *blank = " \n\t\r"; *blank && gap >= 0; blank++) {
        const int after = m->type->gap_step(m, gap, (uint8_t)*blank);
        const uint32_t next = step(m, state, (uint8_t)*blank);

        if (!srt_alphabet_has(&m->alphabet, (uint8_t)*blank))
            continue;
        assert_int_equal(next != SRT_DEAD, after >= 0);
        if (next == SRT_DEAD)
            continue;
        assert_int_equal(m->type->gap(m, next), after);
        for (unsigned byte = 0x21; byte < 256; byte++)
            assert_int_equal(step(m, state, byte), step(m, next, byte));
    }
}

/* Bytes outside *unlike lead from a state where they lead from its base. */
static void check_like(struct srt_machine *m, uint32_t state)
{
    struct srt_alphabet unlike;
    uint32_t base;

    srt_lock_take(&m->lock);
    assert_int_equal(m->type->like(m, state, &base, &unlike), SORTES_OK);
    srt_lock_release(&m->lock);
    for (unsigned byte = 0; base && byte < 256; byte++)
        if (!srt_alphabet_has(&unlike, (uint8_t)byte))
            assert_int_equal(step(m, state, byte), step(m, base, byte));
    for (unsigned byte = 0x20; byte < 0x7F; byte++)
        if ((m->type->kinds_stay(m, state) & srt_kind_of((uint8_t)byte)) &&
            srt_alphabet_has(&m->alphabet, (uint8_t)byte))
            assert_int_equal(step(m, state, byte), state);
}

static void hints_agree_with_bytes(void **state)
{
    struct walk_random r = { 17 };

    (void)state;
    for (int round = 0; round < 45; round++) {
        const sortes_grammar_options options = {
            .struct_size = sizeof(options),
            .profile = profiles[round / 5 % (int)SRT_COUNT(profiles)]
        };
        sortes_vocab *v = walk_vocab(&r);
        sortes_grammar *g = small_grammar(
            "json_schema", schemas[round % (int)SRT_COUNT(schemas)], &options);
        sortes_matcher *m;

        if (sortes_matcher_new(&m, g, v, NULL) == SORTES_OK) {
            struct srt_machine *machine = m->cursor.cache->machine;

            for (int k = 0; k < 15; k++) {
                check_bytes(machine, m->place.state);
                check_gap(machine, m->place.state);
                check_like(machine, m->place.state);
                walk_any_token(&r, m, v);
            }
            sortes_matcher_free(m);
        }
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_agree_with_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
