/*
 * derive.c - what is left of a term after a character (Brzozowski 1964)
 *
 * A LOOP is derived through its meaning.  Where that comes back to the LOOP
 * without a character read in between, it has nothing to add: of X = A | B & X
 * the least solution is A.  A derivative that stopped at a LOOP which is still
 * being derived further out holds there alone and is not remembered.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

/* For terms that say something of the past. */
static bool nullable_by_kind(const struct srt_book *b, uint32_t x,
                             uint64_t bits)
{
    size_t n;
    const uint32_t *p = srt_term(b, x, &n);

    switch ((enum srt_term_kind)p[0]) {
    case SRT_T_IF:
        return srt_term_nullable(b, bits >> p[1] & 1 ? p[2] : p[3], bits);
    case SRT_T_LOOP:
        return srt_term_nullable(b, p[2], bits);
    case SRT_T_NOT:
        return !srt_term_nullable(b, p[1], bits);
    case SRT_T_CAT:
        return srt_term_nullable(b, p[1], bits) &&
               srt_term_nullable(b, p[2], bits);
    default:
        break;
    }
    for (size_t i = 1; i < n; i++)
        if (srt_term_nullable(b, p[i], bits) == (p[0] == SRT_T_OR))
            return p[0] == SRT_T_OR;
    return p[0] == SRT_T_AND;
}

bool srt_term_nullable(const struct srt_book *b, uint32_t x, uint64_t bits)
{
    struct srt_term_info *info;

    if (x == 0)
        return false;
    info = srt_term_info(b, x);
    if (info->head == 0)
        return info->nullable;
    if (!info->asked || info->asked_bits != (bits & info->head)) {
        info->answer = nullable_by_kind(b, x, bits);
        info->asked = true;
        info->asked_bits = bits & info->head;
    }
    return info->answer;
}

/* x y, as long as the first of them may be empty. */
static uint32_t derive_cat(struct srt_book *b, uint32_t x, uint32_t class_,
                           uint64_t bits)
{
    const size_t from = b->words.n;

    for (;;) {
        const uint32_t *p = srt_term(b, x, NULL);
        uint32_t d;

        if (p[0] != SRT_T_CAT) {
            d = srt_term_derive(b, x, class_, bits);
            srt_words_push(b, &b->words, d);
            break;
        }
        d = srt_term_derive(b, p[1], class_, bits);
        srt_words_push(b, &b->words, srt_term_cat(b, d, p[2]));
        if (srt_book_failed(b) || !srt_term_nullable(b, p[1], bits))
            break;
        x = p[2];
    }
    if (!srt_book_failed(b) && b->words.n == from + 1)
        return b->words.at[--b->words.n];
    return srt_term_or(b, from);
}

static uint32_t derive_list(struct srt_book *b, uint32_t x, uint32_t class_,
                            uint64_t bits)
{
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *p = srt_term(b, x, &n);

    for (size_t i = 1; i < n && !srt_book_failed(b); i++) {
        const uint32_t d = srt_term_derive(b, p[i], class_, bits);

        if (d == 0 && p[0] == SRT_T_AND) {
            b->words.n = from;
            return 0;
        }
        if (d)
            srt_words_push(b, &b->words, d);
    }
    return p[0] == SRT_T_OR ? srt_term_or(b, from) : srt_term_and(b, from);
}

static uint32_t derive_repeat(struct srt_book *b, const uint32_t *p,
                              uint32_t class_, uint64_t bits)
{
    const uint32_t d = srt_term_derive(b, p[1], class_, bits);

    if (d == 0)
        return 0;
    return srt_term_cat(
        b, d,
        srt_term_repeat(b, p[1], p[2] ? p[2] - 1 : 0,
                        p[3] == SRT_INFINITY ? SRT_INFINITY : p[3] - 1));
}

static uint32_t derive_loop(struct srt_book *b, uint32_t x, uint32_t class_,
                            uint64_t bits)
{
    const uint32_t place = (uint32_t)b->loops.n;
    const uint32_t cut = b->cut;
    uint32_t d;

    for (uint32_t i = 0; i < place; i++) {
        if (b->loops.at[i] == x) {
            b->cut = i < cut ? i : cut;
            return 0;
        }
    }
    srt_words_push(b, &b->loops, x);
    if (srt_book_failed(b))
        return 0;
    b->cut = SRT_NO_CUT;
    d = srt_term_derive(b, srt_term_info(b, x)->meaning, class_, bits);
    if (b->cut >= place)
        b->cut = SRT_NO_CUT;
    if (cut < b->cut)
        b->cut = cut;
    b->loops.n = place;
    return d;
}

static uint32_t derive_by_kind(struct srt_book *b, uint32_t x, uint32_t class_,
                               uint64_t bits)
{
    const uint32_t *p = srt_term(b, x, NULL);

    switch ((enum srt_term_kind)p[0]) {
    case SRT_T_CAT:
        return derive_cat(b, x, class_, bits);
    case SRT_T_OR:
    case SRT_T_AND:
        return derive_list(b, x, class_, bits);
    case SRT_T_NOT:
        return srt_term_not(b, srt_term_derive(b, p[1], class_, bits));
    case SRT_T_REPEAT:
        return derive_repeat(b, p, class_, bits);
    case SRT_T_LOOP:
        return derive_loop(b, x, class_, bits);
    default:
        return 0;
    }
}

static struct srt_derived *derive_slot(struct srt_book *b, uint32_t x,
                                       uint32_t class_, uint64_t bits)
{
    const uint64_t h =
        ((uint64_t)x << 32 ^ class_ ^ bits * UINT64_C(0x9E3779B97F4A7C15)) *
        UINT64_C(0xD6E8FEB86659FD93);

    return &b->derived[h >> 40 & (SRT_DERIVE_SLOTS - 1)];
}

uint32_t srt_term_derive(struct srt_book *b, uint32_t x, uint32_t class_,
                         uint64_t bits)
{
    const uint32_t cut = b->cut;
    struct srt_derived *slot;
    uint64_t known;
    uint32_t d;

    while (x && srt_term_kind(b, x) == SRT_T_IF) {
        const uint32_t *p = srt_term(b, x, NULL);

        x = bits >> p[1] & 1 ? p[2] : p[3];
    }
    if (x == 0 || x == b->empty || srt_book_failed(b))
        return 0;
    if (srt_term_kind(b, x) == SRT_T_SET)
        return srt_term_has(b, x, class_) ? b->empty : 0;
    known = bits & srt_term_info(b, x)->head;
    slot = derive_slot(b, x, class_, known);
    if (slot->term == x && slot->class_of == class_ && slot->bits == known)
        return slot->to;
    b->cut = SRT_NO_CUT;
    d = derive_by_kind(b, x, class_, bits);
    if (b->cut == SRT_NO_CUT && !srt_book_failed(b)) {
        slot->term = x;
        slot->class_of = class_;
        slot->bits = known;
        slot->to = d;
    }
    if (cut < b->cut)
        b->cut = cut;
    return d;
}

void srt_term_tell_apart(struct srt_book *b, uint32_t x, uint32_t class_,
                         uint64_t *equal)
{
    while (x && srt_term_info(b, x)->stamp != b->stamp) {
        size_t n;
        const uint32_t *p = srt_term(b, x, &n);

        srt_term_info(b, x)->stamp = b->stamp;
        switch ((enum srt_term_kind)p[0]) {
        case SRT_T_SET: {
            const uint64_t *bits = srt_term_classes(b, x);
            const uint64_t flip = srt_term_has(b, x, class_) ? 0 : UINT64_MAX;

            for (uint32_t k = 0; k < b->n_class_words; k++)
                equal[k] &= bits[k] ^ flip;
            return;
        }
        case SRT_T_CAT:
            srt_term_tell_apart(b, p[1], class_, equal);
            x = srt_term_info(b, p[1])->nullable ? p[2] : 0;
            break;
        case SRT_T_OR:
        case SRT_T_AND:
            for (size_t i = 1; i < n; i++)
                srt_term_tell_apart(b, p[i], class_, equal);
            return;
        case SRT_T_NOT:
        case SRT_T_REPEAT:
            x = p[1];
            break;
        case SRT_T_IF:
            srt_term_tell_apart(b, p[2], class_, equal);
            x = p[3];
            break;
        case SRT_T_LOOP:
            x = srt_term_info(b, x)->meaning;
            break;
        case SRT_T_EMPTY:
            return;
        }
    }
}

static uint32_t settle_list(struct srt_book *b, uint32_t x, uint32_t tracker,
                            bool answer)
{
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *p = srt_term(b, x, &n);

    for (size_t i = 1; i < n && !srt_book_failed(b); i++)
        srt_words_push(b, &b->words, srt_term_settle(b, p[i], tracker, answer));
    return p[0] == SRT_T_OR ? srt_term_or(b, from) : srt_term_and(b, from);
}

static uint32_t settle_by_kind(struct srt_book *b, uint32_t x, uint32_t tracker,
                               bool answer)
{
    const uint32_t *p = srt_term(b, x, NULL);
    uint32_t yes;

    switch ((enum srt_term_kind)p[0]) {
    case SRT_T_OR:
    case SRT_T_AND:
        return settle_list(b, x, tracker, answer);
    case SRT_T_NOT:
        return srt_term_not(b, srt_term_settle(b, p[1], tracker, answer));
    case SRT_T_IF:
        if (p[1] == tracker)
            return srt_term_settle(b, p[answer ? 2 : 3], tracker, answer);
        yes = srt_term_settle(b, p[2], tracker, answer);
        return srt_term_if(b, p[1], yes,
                           srt_term_settle(b, p[3], tracker, answer));
    default:
        return x; /* a LOOP keeps its question, which has one answer now */
    }
}

uint32_t srt_term_settle(struct srt_book *b, uint32_t x, uint32_t tracker,
                         bool answer)
{
    const uint32_t key[3] = { x, tracker, answer };
    const size_t from = b->words.n;
    uint32_t number;
    uint64_t *known;

    if (x == 0 || srt_book_failed(b) ||
        !(srt_term_info(b, x)->uses >> tracker & 1))
        return x;
    b->status = srt_pool_intern(&b->compiled, key, sizeof(key), &number, NULL);
    if (srt_book_failed(b))
        return 0;
    known = srt_pool_payload(&b->compiled, number);
    if (*known)
        return (uint32_t)*known - 1;
    for (const uint32_t *p = srt_term(b, x, NULL); p[0] == SRT_T_CAT;
         p = srt_term(b, x, NULL)) {
        srt_words_push(b, &b->words, srt_term_settle(b, p[1], tracker, answer));
        x = p[2];
    }
    if (srt_term_info(b, x)->uses >> tracker & 1)
        x = settle_by_kind(b, x, tracker, answer);
    while (b->words.n > from && !srt_book_failed(b))
        x = srt_term_cat(b, b->words.at[--b->words.n], x);
    b->words.n = from;
    if (srt_book_failed(b))
        return 0;
    *known = (uint64_t)x + 1;
    return x;
}
