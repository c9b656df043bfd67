/*
 * values.c - JSON values, each in one form
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/values.h"

#include "constrain/grow.h"

/* ---- reading ------------------------------------------------------------- */

const char *srt_value_next(const char *container, const char *part)
{
    size_t n;
    const char *text = srt_value_text(container, &n);
    const char *next = part ? part + srt_value_size(part) : text;

    return next < text + n ? next : NULL;
}

static int value_compare_keys(const char *a, size_t n_a, const char *b,
                              size_t n_b)
{
    const size_t n = n_a < n_b ? n_a : n_b;
    const int order = n ? memcmp(a, b, n) : 0;

    return order ? order : (n_a > n_b) - (n_a < n_b);
}

const char *srt_value_member(const char *object, const char *key, size_t n)
{
    const char *at = srt_value_next(object, NULL);

    while (at) {
        const char *value = srt_value_next(object, at);
        size_t n_text;
        const char *text = srt_value_text(at, &n_text);
        const int order = value_compare_keys(text, n_text, key, n);

        if (order >= 0)
            return order == 0 ? value : NULL;
        at = srt_value_next(object, value);
    }
    return NULL;
}

/* ---- writing ------------------------------------------------------------- */

static sortes_status value_add(struct srt_value_bytes *to, const char *bytes,
                               size_t n)
{
    void *block = to->at;
    const sortes_status status = srt_grow(&block, &to->room, to->n + n, 1);

    to->at = block;
    if (status != SORTES_OK)
        return status;
    if (n)
        memcpy(to->at + to->n, bytes, n);
    to->n += n;
    return SORTES_OK;
}

static sortes_status value_head(struct srt_value_bytes *to,
                                enum srt_value_kind kind, size_t n)
{
    char head[SRT_VALUE_HEAD] = { (char)kind };
    const uint32_t length = (uint32_t)n;

    if (n > UINT32_MAX - SRT_VALUE_HEAD)
        return SORTES_E_LIMIT;
    memcpy(head + 1, &length, sizeof(length));
    return value_add(to, head, sizeof(head));
}

sortes_status srt_value_put(struct srt_value_bytes *to,
                            enum srt_value_kind kind, const char *text,
                            size_t n)
{
    const sortes_status status = value_head(to, kind, n);

    return status == SORTES_OK ? value_add(to, text, n) : status;
}

static int value_order(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    size_t n_x, n_y;
    const char *x_text = srt_value_text(x[0], &n_x),
               *y_text = srt_value_text(y[0], &n_y);

    return value_compare_keys(x_text, n_x, y_text, n_y);
}

sortes_status srt_value_put_container(struct srt_value_bytes *to,
                                      enum srt_value_kind kind,
                                      const char **part, size_t n)
{
    sortes_status status;
    size_t n_text = 0;

    if (kind == SRT_VALUE_OBJECT && n)
        qsort(part, n / 2, 2 * sizeof(*part), value_order);
    for (size_t i = 0; i < n; i++)
        n_text += srt_value_size(part[i]);
    status = value_head(to, kind, n_text);
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = value_add(to, part[i], srt_value_size(part[i]));
    return status;
}

/* ---- numbers ------------------------------------------------------------- */

/* A whole number with a sign, of any length: digits without leading zeros. */
struct value_whole {
    bool negative;
    const char *digit;
    size_t n;
};

/*
 * Adds x and a small one, writing "-" if need be and digits: by hand, for an
 * exponent may have as many digits as anyone cares to write.
 */
static sortes_status value_add_small(struct srt_value_bytes *to,
                                     const struct value_whole *x, int64_t small)
{
    enum { SMALL_DIGITS = 20 };
    const size_t n = (x->n > SMALL_DIGITS ? x->n : SMALL_DIGITS) + 1;
    uint64_t left = small < 0 ? (uint64_t)-small : (uint64_t)small;
    char *sum = malloc(n + 1);
    const bool same = (small < 0) == x->negative;
    bool negative = x->negative;
    int carry = 0;
    size_t skip = 0;
    sortes_status status;

    if (!sum)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < n; i++, left /= 10) {
        const int a = i < x->n ? x->digit[x->n - 1 - i] - '0' : 0;
        const int b = (int)(left % 10);
        const int d = (same ? a + b : a - b) + carry;

        carry = d > 9 ? 1 : d < 0 ? -1 : 0;
        sum[n - i] = (char)('0' + (d + 10) % 10);
    }
    if (carry < 0) { /* the small one was the larger: ten's complement */
        negative = !negative;
        carry = 1;
        for (size_t i = n; i > 0; i--) {
            const int d = 9 - (sum[i] - '0') + carry;

            carry = d > 9;
            sum[i] = (char)('0' + d % 10);
        }
    }
    for (skip = 1; skip < n && sum[skip] == '0';)
        skip++;
    sum[0] = '-';
    status = negative && sum[skip] != '0' ? value_add(to, sum, 1) : SORTES_OK;
    if (status == SORTES_OK)
        status = value_add(to, sum + skip, n + 1 - skip);
    free(sum);
    return status;
}

static bool value_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits without the zeros at either end; *places: what the exponent is more
 * than the one that is written. */
static sortes_status value_digits(struct srt_value_bytes *to, const char *text,
                                  size_t n, size_t *n_read, int64_t *places)
{
    const size_t from = to->n;
    sortes_status status = SORTES_OK;
    bool point = false;
    size_t at = 0;

    *places = 0;
    for (; at < n && status == SORTES_OK &&
           (value_is_digit(text[at]) || text[at] == '.');
         at++) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        *places -= point;
        if (text[at] != '0' || to->n > from)
            status = value_add(to, text + at, 1);
    }
    for (; to->n > from && to->at[to->n - 1] == '0'; to->n--)
        ++*places;
    *n_read = at;
    return status;
}

sortes_status srt_value_put_number(struct srt_value_bytes *to, const char *text,
                                   size_t n)
{
    const size_t head = to->n;
    struct value_whole exponent = { false, "", 0 };
    int64_t places;
    size_t at, n_read, first;
    uint32_t length;
    sortes_status status = value_head(to, SRT_VALUE_NUMBER, 0);

    at = n > 0 && text[0] == '-';
    if (status == SORTES_OK && at)
        status = value_add(to, "-", 1);
    first = to->n;
    if (status == SORTES_OK)
        status = value_digits(to, text + at, n - at, &n_read, &places);
    if (status != SORTES_OK)
        return status;
    at += n_read;
    if (to->n == first) { /* -0 is 0, and so is 0e5 */
        to->n = head + SRT_VALUE_HEAD;
        status = value_add(to, "0", 1);
    } else {
        at += at < n; /* e */
        if (at < n && !value_is_digit(text[at]))
            exponent.negative = text[at++] == '-';
        while (at < n && text[at] == '0')
            at++;
        exponent.digit = text + at;
        exponent.n = n - at;
        status = value_add(to, "e", 1);
        if (status == SORTES_OK)
            status = value_add_small(to, &exponent, places);
    }
    length = (uint32_t)(to->n - head - SRT_VALUE_HEAD);
    memcpy(to->at + head + 1, &length, sizeof(length));
    return status;
}
