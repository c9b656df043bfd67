/*
 * vocab_text.c - how the text of a token in a file stands for its bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab_text.h"

#include "json/json.h"

#include <string.h>

#define VOCAB_SPACE "\xE2\x96\x81" /* U+2581, SentencePiece's space */

int srt_vocab_byte_of(uint32_t code)
{
    if ((code >= 0x21 && code <= 0x7E) || (code >= 0xA1 && code <= 0xAC) ||
        (code >= 0xAE && code <= 0xFF))
        return (int)code;
    if (code >= 0x100 && code <= 0x120) /* 0x00 .. 0x20 */
        return (int)(code - 0x100);
    if (code >= 0x121 && code <= 0x142) /* 0x7F .. 0xA0 */
        return (int)(code - 0x121 + 0x7F);
    return code == 0x143 ? 0xAD : -1;
}

uint32_t srt_vocab_code_at(const char *text, size_t length)
{
    static const unsigned char first_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    uint32_t code = (unsigned char)text[0] & first_bits[length];

    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    return code;
}

int srt_vocab_byte_token(const char *text, size_t n)
{
    int value = 0;

    if (n != 6 || memcmp(text, "<0x", 3) != 0 || text[5] != '>')
        return -1;
    for (size_t i = 3; i < 5; i++) {
        const int digit = srt_json_hex_digit(text[i]);

        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

bool srt_vocab_append_spm(sortes_vocab *v, const char *text, size_t n)
{
    const size_t n_space = strlen(VOCAB_SPACE);

    for (size_t i = 0; i < n;) {
        bool space =
            n - i >= n_space && memcmp(text + i, VOCAB_SPACE, n_space) == 0;

        if (!srt_vocab_append(v, space ? " " : text + i, 1))
            return false;
        i += space ? n_space : 1;
    }
    return true;
}

bool srt_vocab_text_ends(const char *text, size_t n)
{
    static const struct {
        const char *text;
        bool ends;
    } specials[] = {
#define SRT_SPECIAL(text, role, ends) { text, ends },
#include "vocab_special.def"
#undef SRT_SPECIAL
    };

    for (size_t i = 0; i < SRT_COUNT(specials); i++)
        if (n == strlen(specials[i].text) &&
            memcmp(text, specials[i].text, n) == 0)
            return specials[i].ends;
    return false;
}

/* The value of a digit; -1: none.  Source: RFC 4648, section 4. */
static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

int srt_vocab_base64(const char text[4], unsigned char out[3])
{
    uint32_t value = 0;
    int n = 3;

    if (text[3] == '=')
        n = text[2] == '=' ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        const int digit = base64_digit(text[i]);

        if (digit < 0 && i <= n)
            return -1;
        value = value << 6 | (digit >= 0 ? (uint32_t)digit : 0);
    }
    /* Bits that no byte takes are 0: one spelling for each token. */
    if ((value & ((UINT32_C(1) << (8 * (3 - n))) - 1)) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        out[i] = (unsigned char)(value >> (16 - 8 * i));
    return n;
}
