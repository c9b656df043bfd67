/*
 * test_pointer.c - where a value stands
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "json/json.h"

#include <string.h>

static struct srt_json_document document;

static const struct srt_json *read_value(const char *text)
{
    assert_int_equal(srt_json_read(&document, text, strlen(text), NULL),
                     SORTES_OK);
    return document.root;
}

static void a_value_is_found_by_keys_and_places(void **state)
{
    const struct srt_json *root =
        read_value("{\"a\":[0,{\"x~y/z\":[[],7]}],\"\":1}");
    const struct srt_json *a = root->first;
    char out[64];

    (void)state;
    srt_json_pointer(root, out, sizeof(out));
    assert_string_equal(out, "");
    srt_json_pointer(a->first, out, sizeof(out));
    assert_string_equal(out, "/a/0");
    srt_json_pointer(a->first->next->first->first->next, out, sizeof(out));
    assert_string_equal(out, "/a/1/x~0y~1z/1");
    srt_json_pointer(a->next, out, sizeof(out));
    assert_string_equal(out, "/");
    srt_json_free(&document);
}

static void places_of_two_digits(void **state)
{
    const struct srt_json *v =
        read_value("[0,1,2,3,4,5,6,7,8,9,10,11,12]")->first;
    char out[8];

    (void)state;
    for (int i = 0; i < 12; i++)
        v = v->next;
    srt_json_pointer(v, out, sizeof(out));
    assert_string_equal(out, "/12");
    srt_json_free(&document);
}

static void a_long_pointer_keeps_its_end(void **state)
{
    const struct srt_json *v =
        read_value("{\"long\":{\"\xC3\xA9\xC3\xA9\":{\"end\":1}}}");
    char out[16];

    (void)state;
    v = v->first->first->first;
    srt_json_pointer(v, out, 11); /* "/long/éé/end" has 14 bytes */
    assert_string_equal(out, "...\xC3\xA9/end");
    srt_json_pointer(v, out, 9); /* not from inside a character */
    assert_string_equal(out, ".../end");
    srt_json_pointer(v, out, 1);
    assert_string_equal(out, "");
    srt_json_free(&document);
}

static void messages_have_a_hash_before_it(void **state)
{
    const struct srt_json *root = read_value("{\"a\":[true]}");
    char out[16];

    (void)state;
    srt_json_where(root, out, sizeof(out));
    assert_string_equal(out, "#");
    srt_json_where(root->first->first, out, sizeof(out));
    assert_string_equal(out, "#/a/0");
    srt_json_where(root->first->first, out, 1);
    assert_string_equal(out, "");
    srt_json_free(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_found_by_keys_and_places),
        cmocka_unit_test(places_of_two_digits),
        cmocka_unit_test(a_long_pointer_keeps_its_end),
        cmocka_unit_test(messages_have_a_hash_before_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
