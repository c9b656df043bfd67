/*
 * tags_made.c - automata of tags with programs in them, made in a test
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_made.h"

#include <string.h>

static uint32_t add_part(struct srt_tags *t, const struct tags_part *part,
                         uint32_t from)
{
    const struct srt_tags_text text = {
        part->kind, part->text, strlen(part->text), "part", 0, part->kind
    };
    sortes_error err;
    uint32_t to;

    if (!part->kind)
        return srt_tags_string(t, from, part->text, strlen(part->text));
    if (srt_tags_grammar(t, from, &text, &to, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return to;
}

struct srt_tags *tags_made(const struct tags_part (*parts)[TAGS_PARTS],
                           size_t n, bool star)
{
    struct srt_options options;
    struct srt_tags *t;

    assert_int_equal(srt_options_read(&options, NULL, NULL), SORTES_OK);
    t = srt_tags_new(&srt_language_structural_tag, &options);
    assert_non_null(t);
    t->end = srt_tags_place(t);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = t->start;

        for (size_t k = 0; k < TAGS_PARTS && parts[i][k].text; k++)
            at = add_part(t, &parts[i][k], at);
        srt_tags_empty(t, at, t->end);
    }
    if (star) {
        srt_tags_empty(t, t->start, t->end);
        srt_tags_empty(t, t->end, t->start);
    }
    assert_int_equal(srt_tags_status(t, NULL), SORTES_OK);
    return t;
}

struct srt_machine *tags_machine_of(struct srt_tags *t, const sortes_vocab *v)
{
    struct srt_alphabet all;
    struct srt_machine *m;
    sortes_error err;

    srt_alphabet_fill(&all);
    if (srt_tags_build(&m, &t->program, &all, v, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return m;
}

size_t tags_pass(struct srt_machine *m, const char *bytes, size_t n,
                 uint32_t *states)
{
    size_t i = 0;

    states[0] = m->start;
    while (i < n) {
        uint32_t next;

        assert_int_equal(m->type->step(m, states[i], (uint8_t)bytes[i], &next),
                         SORTES_OK);
        if (next == SRT_DEAD)
            break;
        states[++i] = next;
    }
    return i;
}
