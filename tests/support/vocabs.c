/*
 * vocabs.c - small vocabularies for tests of constraints
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/vocabs.h"

#include <stdbool.h>
#include <string.h>

enum { VOCABS_ROOM = 512 };

struct vocabs_builder {
    const char *bytes[VOCABS_ROOM];
    size_t n_bytes[VOCABS_ROOM];
    uint32_t flags[VOCABS_ROOM];
    size_t n;
};

static void put(struct vocabs_builder *b, const char *bytes, size_t n,
                uint32_t flags)
{
    assert_in_range(b->n, 0, VOCABS_ROOM - 1);
    b->bytes[b->n] = bytes;
    b->n_bytes[b->n] = n;
    b->flags[b->n++] = flags;
}

/* Tokens that cross borders of JSON, of letters, of escapes. */
static const char *const crossing[] = {
    "{\"",
    "\"}",
    "\":",
    "\": ",
    ",\"",
    "\",\"",
    "\":\"",
    "\"},",
    "}}",
    "]]",
    "[[",
    "[{",
    "}]",
    "{}",
    "[]",
    "[]}",
    "\"\"",
    "\\\"",
    "\\\\",
    "\\u",
    "\\u00",
    "\\u0061",
    "\\ud83d",
    "\\ude00",
    "\\n\"",
    "u00",
    "61",
    "d83d\\u",
    "a\"",
    "a\":",
    "a\":1",
    "\"a",
    "\"a\"",
    "\"ab\":",
    "ab",
    "abc",
    "aa",
    "aaaa",
    "the",
    " the",
    "  ",
    "\n",
    "\n  ",
    "\n        ",
    "    ",
    " {",
    " \"",
    ": ",
    ", ",
    "true",
    "tru",
    "rue",
    "false",
    "null",
    "nul",
    "l}",
    "1}",
    "1,",
    "10",
    "00",
    "12",
    "123",
    "-1",
    "0.",
    ".5",
    "e+",
    "e-1",
    "1e",
    "E5",
    "-0",
    "1.0",
    "0]",
    "\"b\",\"",
    "b\",\"a\":",
    "\",\"a\":",
    "\"a\":{\"a\":",
    "\xC3\xA9",
    "\xE2\x82",
    "\x82\xAC",
    "\xAC\"",
    "\xE2\x82\xAC",
    "\xF0\x9F\x98\x80",
    "\xF0\x9F",
    "\x98\x80",
    "\x80",
    "a\xC3",
    "\xA9\"",
    "\xE2\x82\xAC\xE2",
    "\xEF\xBF\xBD",
    "\xED\xA0\x80",
    "\xC0\x80",
    "yes",
    "no",
    "ye",
    "es",
    "A",
    "Z9",
    "_x",
    "-",
    "9",
    "\r\n",
    "\t",
    "</",
    "</t>",
    ">{",
    "t>",
    "/t>{\"",
    "<t",
    "(",
    ")",
    "+",
    "*",
    "ac",
    "bc",
    "b",
    "ba",
};

static void put_specials(struct vocabs_builder *b)
{
    put(b, "<|end|>", 7, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG);
    put(b, "<|bos|>", 7, SORTES_TOKEN_CONTROL | SORTES_TOKEN_BOS);
    put(b, "{}", 2, SORTES_TOKEN_CONTROL); /* spelled like a legal text */
    put(b, "", 0, SORTES_TOKEN_UNUSED);
    put(b, "</s>", 4, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG);
    put(b, "a\"", 2, 0); /* bytes that another token has too */
    put(b, "{", 1, 0);
}

/* Some that JSON can do without and some that escapes can stand for. */
static bool lacks(int byte)
{
    static const unsigned char missing[] = {
        0x04, 0x06, 0x13, 0x14, 0x16, 0x1D, '\t', 'e', '7', 0xF1, 0xF2, 'Q'
    };

    return memchr(missing, byte, sizeof(missing)) != NULL;
}

static void put_bytes(struct vocabs_builder *b, enum vocabs_kind kind)
{
    static const char brackets[] = "{}[]:,\" \n\\u0123456789abcdefnrtlse-+.E";
    static char bytes[256];

    for (int i = 0; i < 256; i++) {
        bool there = kind != VOCABS_LACKING || !lacks(i);

        if (kind == VOCABS_BRACKETS)
            there = i != 0 && strchr(brackets, i) != NULL;
        bytes[i] = (char)i;
        if (there)
            put(b, &bytes[i], 1, 0);
    }
}

const char *vocabs_name(enum vocabs_kind kind)
{
    static const char *const names[] = { "bytes", "lacking", "brackets" };

    return names[kind];
}

sortes_vocab *vocabs_make(enum vocabs_kind kind)
{
    struct vocabs_builder b = { .n = 0 };
    sortes_vocab_desc desc = { .struct_size = sizeof(desc) };
    sortes_vocab *v;

    put_bytes(&b, kind);
    for (size_t i = 0; i < sizeof(crossing) / sizeof(*crossing); i++)
        put(&b, crossing[i], strlen(crossing[i]), 0);
    put_specials(&b);
    desc.n_tokens = b.n;
    desc.bytes = b.bytes;
    desc.n_bytes = b.n_bytes;
    desc.flags = b.flags;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    return v;
}
