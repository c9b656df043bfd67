/*
 * atoms.c - strings, numbers and literals of JSON, byte by byte
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/atoms.h"

#include "unicode.h"

#include <assert.h>
#include <string.h>

/* ---- building ------------------------------------------------------------ */

static uint8_t atom_new(struct srt_atoms *a)
{
    assert(a->n < SRT_ATOM_STATES);
    return a->n++;
}

static void atom_range(struct srt_atoms *a, uint8_t from, unsigned first,
                       unsigned last, uint8_t to)
{
    for (unsigned byte = first; byte <= last; byte++)
        a->next[from][byte] = to;
}

static void atom_each(struct srt_atoms *a, uint8_t from, const char *bytes,
                      uint8_t to)
{
    for (; *bytes; bytes++)
        a->next[from][(uint8_t)*bytes] = to;
}

static void atom_hex(struct srt_atoms *a, uint8_t from, uint8_t to)
{
    atom_each(a, from, "0123456789abcdefABCDEF", to);
}

/* A chain of n hex digits from `from` to `to`. */
static void atom_hex_chain(struct srt_atoms *a, uint8_t from, int n, uint8_t to)
{
    for (; n > 1; n--) {
        const uint8_t next = atom_new(a);

        atom_hex(a, from, next);
        from = next;
    }
    atom_hex(a, from, to);
}

/* UTF-8 from body back to body.  Source: RFC 3629, section 4. */
static void atom_characters(struct srt_atoms *a, uint8_t body)
{
    const uint8_t one = atom_new(a), two = atom_new(a), three = atom_new(a),
                  e0 = atom_new(a), ed = atom_new(a), f0 = atom_new(a),
                  f4 = atom_new(a);

    atom_range(a, body, 0x20, 0x7F, body);
    atom_range(a, body, 0xC2, 0xDF, one);
    atom_range(a, body, 0xE0, 0xEF, two);
    a->next[body][0xE0] = e0;
    a->next[body][0xED] = ed;
    atom_range(a, body, 0xF0, 0xF4, three);
    a->next[body][0xF0] = f0;
    a->next[body][0xF4] = f4;
    atom_range(a, one, 0x80, 0xBF, body);
    atom_range(a, two, 0x80, 0xBF, one);
    atom_range(a, three, 0x80, 0xBF, two);
    atom_range(a, e0, 0xA0, 0xBF, one);
    atom_range(a, ed, 0x80, 0x9F, one);
    atom_range(a, f0, 0x90, 0xBF, two);
    atom_range(a, f4, 0x80, 0x8F, two);
}

/* Every escape behind "\u", surrogates in pairs. */
static void atom_unicode_escapes(struct srt_atoms *a, uint8_t u, uint8_t body)
{
    const uint8_t plain = atom_new(a), d = atom_new(a), low3 = atom_new(a),
                  high = atom_new(a), low = atom_new(a);
    const uint8_t backslash = atom_new(a), low_u = atom_new(a),
                  low_d = atom_new(a), low_c = atom_new(a);

    atom_each(a, u, "0123456789abcefABCEF", plain);
    atom_each(a, u, "dD", d);
    atom_hex_chain(a, plain, 3, body);
    atom_each(a, d, "01234567", low3);
    atom_each(a, d, "89abAB", high);
    atom_hex_chain(a, low3, 2, body);
    atom_hex_chain(a, high, 2, backslash);
    atom_each(a, backslash, "\\", low_u);
    atom_each(a, low_u, "u", low_d);
    atom_each(a, low_d, "dD", low_c);
    atom_each(a, low_c, "cdefCDEF", low);
    atom_hex_chain(a, low, 2, body);
}

/* "\u00" and two digits, for the controls that have no shorter escape. */
static void atom_canonical_escapes(struct srt_atoms *a, uint8_t u, uint8_t body)
{
    const uint8_t second = atom_new(a), third = atom_new(a), zero = atom_new(a),
                  one = atom_new(a);

    atom_each(a, u, "0", second);
    atom_each(a, second, "0", third);
    atom_each(a, third, "0", zero);
    atom_each(a, third, "1", one);
    atom_each(a, zero, "01234567bef", body);
    atom_each(a, one, "0123456789abcdef", body);
}

/* "\u00" and two digits, for every control. */
static void atom_control_escapes(struct srt_atoms *a, uint8_t u, uint8_t body)
{
    const uint8_t second = atom_new(a), third = atom_new(a), last = atom_new(a),
                  seven = atom_new(a);

    atom_each(a, u, "0", second);
    atom_each(a, second, "0", third);
    atom_each(a, third, "01", last);
    atom_each(a, third, "7", seven);
    atom_hex(a, last, body);
    atom_each(a, seven, "fF", body);
}

static uint8_t atom_string(struct srt_atoms *a, enum srt_atom_escapes escapes)
{
    const uint8_t body = atom_new(a), escape = atom_new(a), u = atom_new(a);

    atom_characters(a, body);
    a->next[body]['"'] = SRT_ATOM_END;
    a->next[body]['\\'] = escape;
    atom_each(a, escape, escapes == SRT_ATOM_LEGAL ? "\"\\/bfnrt" : "\"\\bfnrt",
              body);
    a->next[escape]['u'] = u;
    if (escapes == SRT_ATOM_CANONICAL)
        atom_canonical_escapes(a, u, body);
    else if (escapes == SRT_ATOM_LEGAL)
        atom_unicode_escapes(a, u, body);
    else
        atom_control_escapes(a, u, body);
    if (escapes == SRT_ATOM_LLGUIDANCE)
        a->next[body][0x7F] = SRT_ATOM_DEAD;
    return body;
}

static void atom_number(struct srt_atoms *a)
{
    const uint8_t minus = atom_new(a), zero = atom_new(a), whole = atom_new(a),
                  point = atom_new(a), fraction = atom_new(a), e = atom_new(a),
                  sign = atom_new(a), exponent = atom_new(a);

    a->start['-'] = minus;
    a->start['0'] = zero;
    memset(&a->start['1'], whole, 9);
    a->next[minus]['0'] = zero;
    atom_range(a, minus, '1', '9', whole);
    atom_range(a, whole, '0', '9', whole);
    a->next[zero]['.'] = a->next[whole]['.'] = point;
    atom_range(a, point, '0', '9', fraction);
    atom_range(a, fraction, '0', '9', fraction);
    atom_each(a, zero, "eE", e);
    atom_each(a, whole, "eE", e);
    atom_each(a, fraction, "eE", e);
    atom_each(a, e, "+-", sign);
    atom_range(a, e, '0', '9', exponent);
    atom_range(a, sign, '0', '9', exponent);
    atom_range(a, exponent, '0', '9', exponent);
    a->complete[zero] = a->complete[whole] = true;
    a->complete[fraction] = a->complete[exponent] = true;
}

static void atom_literal(struct srt_atoms *a, const char *word)
{
    uint8_t from = atom_new(a);

    a->start[(uint8_t)*word] = from;
    for (word++; word[1]; word++) {
        const uint8_t next = atom_new(a);

        a->next[from][(uint8_t)*word] = next;
        from = next;
    }
    a->next[from][(uint8_t)*word] = SRT_ATOM_END;
}

/* ---- the alphabet -------------------------------------------------------- */

/* Takes away what no byte of the alphabet completes. */
static void atom_trim(struct srt_atoms *a, const struct srt_alphabet *alphabet)
{
    bool live[SRT_ATOM_STATES] = { false };
    bool changed = true;

    live[SRT_ATOM_END] = true;
    while (changed) {
        changed = false;
        for (uint8_t s = 2; s < a->n; s++) {
            bool now = a->complete[s];

            for (int byte = 0; byte < 256 && !now; byte++)
                now = live[a->next[s][byte]] &&
                      srt_alphabet_has(alphabet, (uint8_t)byte);
            changed |= now != live[s];
            live[s] = now;
        }
    }
    for (int byte = 0; byte < 256; byte++) {
        const bool has = srt_alphabet_has(alphabet, (uint8_t)byte);

        for (uint8_t s = 0; s < a->n; s++)
            if (!has || !live[a->next[s][byte]])
                a->next[s][byte] = SRT_ATOM_DEAD;
        if (!has || !live[a->start[byte]])
            a->start[byte] = SRT_ATOM_DEAD;
        a->any |= a->start[byte] != SRT_ATOM_DEAD;
    }
    if (!live[a->key] || !srt_alphabet_has(alphabet, '"'))
        a->key = SRT_ATOM_DEAD;
    for (int byte = 0; byte < 256 && a->key; byte++)
        a->key_has_bodies |= a->next[a->key][byte] > SRT_ATOM_END;
}

void srt_atoms_init(struct srt_atoms *a, const struct srt_alphabet *alphabet,
                    enum srt_atom_escapes keys, enum srt_atom_escapes strings)
{
    memset(a, 0, sizeof(*a));
    a->n = SRT_ATOM_END + 1;
    a->string = atom_string(a, strings);
    a->key = keys == strings ? a->string : atom_string(a, keys);
    a->start['"'] = a->string;
    atom_number(a);
    atom_literal(a, "true");
    atom_literal(a, "false");
    atom_literal(a, "null");
    atom_trim(a, alphabet);
}

bool srt_atoms_in_body(const struct srt_atoms *a, uint8_t state)
{
    return state != SRT_ATOM_DEAD && (state == a->string || state == a->key);
}

/* ---- decoding ------------------------------------------------------------ */

static uint32_t atom_hex4(const char *digits)
{
    uint32_t code = 0;

    for (int i = 0; i < 4; i++) {
        const unsigned char c = (unsigned char)digits[i];

        code = code << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return code;
}

/* The escape at body[0 .. n-1]: its length, 0 if it is not whole yet. */
static size_t atom_escape(const char *body, size_t n, char *out, size_t *n_out)
{
    static const char letters[] = "bfnrt", codes[] = "\b\f\n\r\t";
    const char *letter;
    uint32_t code;

    if (n < 2)
        return 0;
    if (body[1] != 'u') {
        letter = memchr(letters, body[1], 5);
        out[(*n_out)++] = letter ? codes[letter - letters] : body[1];
        return 2;
    }
    if (n < 6)
        return 0;
    code = atom_hex4(body + 2);
    if (code < 0xD800 || code > 0xDFFF) {
        *n_out += srt_utf8_encode(code, out + *n_out);
        return 6;
    }
    if (n < 12)
        return 0;
    code = 0x10000 + ((code - 0xD800) << 10) + (atom_hex4(body + 8) - 0xDC00);
    *n_out += srt_utf8_encode(code, out + *n_out);
    return 12;
}

size_t srt_atoms_decode(const char *body, size_t n, char *out, size_t *rest)
{
    size_t at = 0, n_out = 0;

    while (at < n) {
        size_t used = 1;

        if (body[at] == '\\')
            used = atom_escape(body + at, n - at, out, &n_out);
        else
            out[n_out++] = body[at];
        if (used == 0)
            break;
        at += used;
    }
    if (rest)
        *rest = n - at;
    return n_out;
}
