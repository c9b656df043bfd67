/*
 * fuzz_think.c - any bytes as tags and output, torn anywhere
 *
 * The first bytes say how long the tags are and where the text is torn; two
 * tears, and none, must give the same two channels.  No byte is lost but those
 * of tags.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include "sortes.h"

#include <string.h>

enum { THINK_MOST = 600 };

struct channels {
    char text[2][THINK_MOST];
    size_t n[2];
};

static void take(void *ctx, int thinking, const char *text, size_t n)
{
    struct channels *c = ctx;

    check(n > 0 && (thinking == 0 || thinking == 1));
    check(n <= sizeof(c->text[0]) - c->n[thinking]);
    memcpy(c->text[thinking] + c->n[thinking], text, n);
    c->n[thinking] += n;
}

/* Two tears, at a <= b. */
static void split(const sortes_think_desc *desc, const char *text, size_t n,
                  const size_t tear[2], struct channels *out)
{
    sortes_think *t;

    memset(out, 0, sizeof(*out));
    check(sortes_think_new(&t, desc, NULL) == SORTES_OK);
    sortes_think_step(t, text, tear[0], take, out);
    sortes_think_step(t, text + tear[0], tear[1] - tear[0], take, out);
    sortes_think_step(t, text + tear[1], n - tear[1], take, out);
    sortes_think_finish(t, take, out);
    sortes_think_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char start[16] = "", end[16] = "";
    sortes_think_desc desc = { sizeof(desc), start, end, -1, 0 };
    struct channels whole, torn;
    const char *text = (const char *)data + 4;
    sortes_think *t;
    size_t n_start, n_end, tear[2];

    if (n < 4)
        return 0;
    n_start = data[0] % 8;
    n_end = data[1] % 8;
    n -= 4;
    if (n < n_start + n_end || n > THINK_MOST)
        return 0;
    memcpy(start, text, n_start);
    memcpy(end, text + n_start, n_end);
    text += n_start + n_end;
    n -= n_start + n_end;
    if (sortes_think_new(&t, &desc, NULL) != SORTES_OK)
        return 0; /* a blank tag */
    sortes_think_free(t);
    tear[0] = data[2] % (n + 1);
    tear[1] = tear[0] + data[3] % (n - tear[0] + 1);
    split(&desc, text, n, (const size_t[]){ n, n }, &whole);
    split(&desc, text, n, tear, &torn);
    check(memcmp(&whole, &torn, sizeof(whole)) == 0);
    check(whole.n[0] + whole.n[1] <= n);
    desc.literal = 1;
    split(&desc, text, n, tear, &torn);
    check(torn.n[0] + torn.n[1] <= n);
    return 0;
}
