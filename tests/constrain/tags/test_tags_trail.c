/*
 * test_tags_trail.c - keys that must not repeat, in objects that stand in tags
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

static const struct tags_part one[][TAGS_PARTS] = {
    { { NULL, "<" }, { "json_object", "" }, { NULL, ">" } },
};
static const struct tags_part either[][TAGS_PARTS] = {
    { { "json_object", "" } },
    { { NULL, "{\"a\":1,\"a\":2}x" } },
    { { NULL, "{\"b\":" }, { "json_object", "" }, { NULL, "}}" } },
};

struct line {
    const char *text;
    size_t n_ok; /* bytes that may come */
    int ends;    /* the text may end there */
};

/* From a trail on, over states[0 ..]; the trail behind it is handed over. */
static size_t follow(const struct srt_machine *m, const char *text,
                     const uint32_t *states, size_t from, size_t to,
                     struct srt_trail **trail)
{
    const struct srt_path path = { (const uint8_t *)text + from, states + from,
                                   to - from };
    struct srt_trail *before = *trail;
    size_t n_ok = 0, dry;
    const sortes_status status =
        m->type->follow(m, before, &path, trail, &n_ok);

    assert_int_equal(m->type->follow(m, before, &path, NULL, &dry), status);
    assert_int_equal(dry, n_ok);
    assert_true(status == SORTES_OK || status == SORTES_E_NO_TOKEN);
    assert_int_equal(status == SORTES_OK, n_ok == to - from);
    if (before)
        srt_shared_release(&before->shared);
    if (status != SORTES_OK)
        *trail = NULL;
    return from + n_ok;
}

/* The whole, and in two pieces at every place; the same each time. */
static void check_line(struct srt_machine *m, const struct line *line)
{
    uint32_t states[128];
    const size_t n = strlen(line->text);
    const size_t live = tags_pass(m, line->text, n, states);

    for (size_t cut = 0; cut <= live; cut++) {
        struct srt_trail *trail = NULL;
        size_t n_ok = follow(m, line->text, states, 0, cut, &trail);

        if (n_ok == cut)
            n_ok = follow(m, line->text, states, cut, live, &trail);
        if (n_ok != line->n_ok)
            fail_msg("'%s' cut at %zu: %zu bytes may come, not %zu", line->text,
                     cut, n_ok, line->n_ok);
        if (n_ok == n)
            assert_int_equal(m->type->may_end(m, trail, states[n]), line->ends);
        if (trail)
            srt_shared_release(&trail->shared);
    }
}

static void check(const struct tags_part (*parts)[TAGS_PARTS], size_t n_parts,
                  bool star, const struct line *lines, size_t n)
{
    struct srt_tags *t = tags_made(parts, n_parts, star);
    struct srt_machine *m = tags_machine_of(t, NULL);

    for (size_t i = 0; i < n; i++)
        check_line(m, &lines[i]);
    srt_shared_release(&m->shared);
    srt_tags_free(&t->program);
}

#define CHECK(parts, star, lines)                                              \
    check(parts, sizeof(parts) / sizeof(*(parts)), star, lines,                \
          sizeof(lines) / sizeof(*(lines)))

static void a_key_is_used_once_in_its_object(void **state)
{
    static const struct line lines[] = {
        { "<{\"a\":1,\"b\":2}>", 15, 1 },
        { "<{\"a\":1,\"a\":2}>", 10, 0 },
        { "<{\"a\":{\"a\":1},\"a\":2}>", 16, 0 },
        { "<{\"a\":{\"a\":1},\"b\":{\"a\":2}}>", 27, 1 },
        { "<{\"a\":1", 7, 0 },
    };

    (void)state;
    CHECK(one, false, lines);
}

/* Behind one tag the next begins anew. */
static void each_tag_has_keys_of_its_own(void **state)
{
    static const struct line lines[] = {
        { "<{\"a\":1}><{\"a\":1}>", 18, 1 },
        { "<{\"a\":1}><{\"a\":1,\"a\":1}>", 19, 0 },
        { "", 0, 1 },
    };

    (void)state;
    CHECK(one, true, lines);
}

/* The object and the string begin alike; the string repeats a key, the third
 * has its object one level deeper.  What the object's own way could end with
 * does not end the text once that way has ended. */
static void a_way_ends_and_others_go_on(void **state)
{
    static const struct line lines[] = {
        { "{\"a\":1,\"a\":2}x", 14, 1 },
        { "{\"a\":1,\"a\":2}", 13, 0 },
        { "{\"a\":1,\"b\":2}", 13, 1 },
        { "{\"a\":1,\"b\":2}x", 13, 0 },
        { "{\"b\":{\"c\":1,\"c\":2", 14, 0 },
        { "{\"b\":{\"c\":1}}", 13, 1 },
        { "{\"b\":{\"c\":1}}}", 14, 1 },
        { "{\"b\":{\"c\":1},\"b\":1}", 15, 0 },
    };

    (void)state;
    CHECK(either, false, lines);
}

/* Two objects in a row with nothing between them. */
static void objects_may_touch(void **state)
{
    static const struct tags_part parts[][TAGS_PARTS] = {
        { { "json_object", "" } },
    };
    static const struct line lines[] = {
        { "{\"a\":1}{\"a\":1}", 14, 1 },
        { "{}{}{\"a\":1,\"a\":", 13, 0 },
        { "{\"a\":1,\"a\":1}", 9, 0 },
    };

    (void)state;
    CHECK(parts, true, lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_used_once_in_its_object),
        cmocka_unit_test(each_tag_has_keys_of_its_own),
        cmocka_unit_test(a_way_ends_and_others_go_on),
        cmocka_unit_test(objects_may_touch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
