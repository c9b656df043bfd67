/*
 * vocab_json.c - a vocab from Hugging Face's tokenizer.json
 *
 * Rule: the bytes that the file's own decoder makes of each token.  BPE and
 * Unigram models whose decoder is byte-level, or turns U+2581 into a space
 * (with or without byte tokens); everything else is refused by name.  What a
 * decoder does to a text as a whole (a leading space stripped) is no token's
 * property and is passed over.
 * Source: huggingface/tokenizers, src/decoders/, src/pre_tokenizers/
 * byte_level.rs and metaspace.rs, src/tokenizer/serialization.rs.
 *
 * The file does not say which tokens end a text: special tokens whose text
 * ends a generation in every vocabulary (vocab_special.def) do, and those that
 * the caller names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab_file.h"
#include "vocab_table.h"
#include "vocab_text.h"

#include "json/json.h"
#include "json/number.h"

#include <string.h>

#define HF_SPACE "\xE2\x96\x81" /* U+2581 */

struct hf_reader {
    const char *name;
    const struct srt_json *root, *model;
    enum srt_vocab_spelling spelling; /* ABSENT: no decoder has said yet */
    struct srt_vocab_table table;
    sortes_error *err;
};

/* ---- keys ---------------------------------------------------------------- */

static sortes_status hf_refuse(struct hf_reader *r, const struct srt_json *v,
                               const char *problem)
{
    return srt_fail(r->err, SORTES_E_SYNTAX, v->offset, "%s: byte %zu: %s",
                    r->name, v->offset, problem);
}

static bool hf_is(const struct srt_json *v, const char *text)
{
    return v != NULL && v->type == SRT_JSON_STRING &&
           srt_json_equals(v->text, v->n, text);
}

static bool hf_has_type(const struct srt_json *v, enum srt_json_type type)
{
    return v != NULL && v->type == type;
}

/* A part's "type", for a refusal by name. */
static sortes_status hf_unknown(struct hf_reader *r, const char *what,
                                const struct srt_json *part,
                                const char *allowed)
{
    const struct srt_json *type = srt_json_find(part, "type");
    size_t n = hf_has_type(type, SRT_JSON_STRING) ? type->n : 0;

    return srt_fail(r->err, SORTES_E_NAME, part->offset,
                    "%s: %s '%.*s' is unknown (allowed %s)", r->name, what,
                    n < 64 ? (int)n : 64, n > 0 ? type->text : "", allowed);
}

/* A whole number as written; -1 for anything else, which no id is. */
static int64_t hf_integer(const struct srt_json *v)
{
    uint64_t value;

    if (!hf_has_type(v, SRT_JSON_NUMBER) ||
        !srt_whole_from_text(v->text, v->n, &value) || value > INT64_MAX)
        return -1;
    return (int64_t)value;
}

/* ---- the decoder --------------------------------------------------------- */

/* Replace takes U+2581 to a space, and nothing else to anything else. */
static sortes_status hf_read_replace(struct hf_reader *r,
                                     const struct srt_json *d)
{
    const struct srt_json *pattern = srt_json_find(d, "pattern");
    const struct srt_json *from = hf_has_type(pattern, SRT_JSON_OBJECT)
                                      ? srt_json_find(pattern, "String")
                                      : NULL;

    if (!hf_is(from, HF_SPACE) || !hf_is(srt_json_find(d, "content"), " "))
        return srt_fail(r->err, SORTES_E_NAME, d->offset,
                        "%s: a decoder that replaces anything but U+2581 by a "
                        "space is unknown",
                        r->name);
    if (r->spelling == SRT_VOCAB_ABSENT)
        r->spelling = SRT_VOCAB_SPM;
    return SORTES_OK;
}

static sortes_status hf_read_decoder(struct hf_reader *r,
                                     const struct srt_json *d)
{
    static const char known[] = "ByteLevel, Metaspace, Replace, ByteFallback, "
                                "Fuse, Strip";
    const struct srt_json *type = srt_json_find(d, "type");
    const struct srt_json *space = srt_json_find(d, "replacement");

    if (hf_is(type, "ByteLevel")) {
        r->spelling = SRT_VOCAB_BYTE_LEVEL;
        return SORTES_OK;
    }
    if (hf_is(type, "Metaspace")) {
        if (space != NULL && !hf_is(space, HF_SPACE))
            return hf_unknown(r, "another space mark of", d, "U+2581");
        if (r->spelling == SRT_VOCAB_ABSENT)
            r->spelling = SRT_VOCAB_SPM;
        return SORTES_OK;
    }
    if (hf_is(type, "Replace"))
        return hf_read_replace(r, d);
    if (hf_is(type, "ByteFallback")) {
        r->spelling = SRT_VOCAB_SPM_BYTES;
        return SORTES_OK;
    }
    if (hf_is(type, "Fuse") || hf_is(type, "Strip"))
        return SORTES_OK;
    return hf_unknown(r, "decoder", d, known);
}

/* One decoder or a sequence of them. */
static sortes_status hf_read_decoders(struct hf_reader *r,
                                      const struct srt_json *d)
{
    const struct srt_json *all;

    if (!hf_has_type(d, SRT_JSON_OBJECT))
        return hf_refuse(r, d, "decoder: expected an object");
    if (!hf_is(srt_json_find(d, "type"), "Sequence"))
        return hf_read_decoder(r, d);
    all = srt_json_find(d, "decoders");
    if (!hf_has_type(all, SRT_JSON_ARRAY))
        return hf_refuse(r, d, "decoder: expected an array 'decoders'");
    for (const struct srt_json *i = all->first; i != NULL; i = i->next) {
        sortes_status status;

        if (!hf_has_type(i, SRT_JSON_OBJECT))
            return hf_refuse(r, i, "decoder: expected an object");
        status = hf_read_decoder(r, i);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

static sortes_status hf_read_spelling(struct hf_reader *r)
{
    const struct srt_json *d = srt_json_find(r->root, "decoder");
    sortes_status status;

    if (d == NULL || d->type == SRT_JSON_NULL)
        return srt_fail(r->err, SORTES_E_NAME, 0,
                        "%s: no decoder says how tokens stand for bytes "
                        "(allowed ByteLevel, Metaspace, a sequence)",
                        r->name);
    status = hf_read_decoders(r, d);
    if (status == SORTES_OK && r->spelling == SRT_VOCAB_ABSENT)
        return hf_unknown(r, "decoder without a rule for bytes", d,
                          "ByteLevel, Metaspace, Replace, ByteFallback");
    return status;
}

/* ---- tokens -------------------------------------------------------------- */

static sortes_status hf_put(struct hf_reader *r, int64_t id,
                            const struct srt_json *where,
                            struct srt_vocab_entry entry)
{
    sortes_status status = SORTES_OK;
    struct srt_vocab_entry *e =
        srt_vocab_table_at(&r->table, id, where->offset, &status);

    if (e == NULL)
        return status;
    if (e->spelling != SRT_VOCAB_ABSENT)
        return srt_fail(r->err, SORTES_E_SYNTAX, where->offset,
                        "%s: byte %zu: token id %lld comes twice", r->name,
                        where->offset, (long long)id);
    *e = entry;
    return SORTES_OK;
}

/* BPE: an object, token to id. */
static sortes_status hf_read_bpe(struct hf_reader *r,
                                 const struct srt_json *vocab)
{
    const struct srt_json *unknown = srt_json_find(r->model, "unk_token");
    const struct srt_json *v;

    if (!hf_has_type(vocab, SRT_JSON_OBJECT))
        return hf_refuse(r, r->model, "model: expected an object 'vocab'");
    for (v = vocab->first; v != NULL; v = v->next) {
        bool is_unknown = hf_has_type(unknown, SRT_JSON_STRING) &&
                          unknown->n == v->n_key &&
                          memcmp(unknown->text, v->key, v->n_key) == 0;
        struct srt_vocab_entry e = { v->key, v->n_key,
                                     is_unknown ? SORTES_TOKEN_CONTROL : 0,
                                     is_unknown ? SRT_VOCAB_LITERAL
                                                : r->spelling };
        sortes_status status = hf_put(r, hf_integer(v), v, e);

        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

/* Unigram: an array of [token, score], by id. */
static sortes_status hf_read_unigram(struct hf_reader *r,
                                     const struct srt_json *vocab)
{
    int64_t unknown = hf_integer(srt_json_find(r->model, "unk_id"));
    int64_t id = 0;
    const struct srt_json *v;

    if (!hf_has_type(vocab, SRT_JSON_ARRAY))
        return hf_refuse(r, r->model, "model: expected an array 'vocab'");
    for (v = vocab->first; v != NULL; v = v->next, id++) {
        const struct srt_json *text =
            v->type == SRT_JSON_ARRAY ? v->first : NULL;
        struct srt_vocab_entry e = { .spelling = r->spelling };
        sortes_status status;

        if (!hf_has_type(text, SRT_JSON_STRING))
            return hf_refuse(r, v,
                             "vocab: expected an array of token and "
                             "score");
        e.text = text->text;
        e.n = text->n;
        if (id == unknown) {
            e.flags = SORTES_TOKEN_CONTROL;
            e.spelling = SRT_VOCAB_LITERAL;
        }
        status = hf_put(r, id, v, e);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

static sortes_status hf_read_model(struct hf_reader *r)
{
    const struct srt_json *type, *vocab, *mark;

    r->model = srt_json_find(r->root, "model");
    if (!hf_has_type(r->model, SRT_JSON_OBJECT))
        return hf_refuse(r, r->root, "expected an object 'model'");
    type = srt_json_find(r->model, "type");
    vocab = srt_json_find(r->model, "vocab");
    mark = srt_json_find(r->model, "end_of_word_suffix");
    if (hf_has_type(mark, SRT_JSON_STRING) && mark->n > 0)
        return srt_fail(r->err, SORTES_E_NAME, mark->offset,
                        "%s: BPE with a suffix at the end of words is unknown",
                        r->name);
    mark = srt_json_find(r->model, "continuing_subword_prefix");
    if (hf_has_type(mark, SRT_JSON_STRING) && mark->n > 0)
        return srt_fail(r->err, SORTES_E_NAME, mark->offset,
                        "%s: BPE with a prefix inside words is unknown",
                        r->name);
    /* Files from before there were types have BPE's merges. */
    if (hf_is(type, "BPE") ||
        (type == NULL && srt_json_find(r->model, "merges") != NULL))
        return hf_read_bpe(r, vocab);
    if (hf_is(type, "Unigram"))
        return hf_read_unigram(r, vocab);
    return hf_unknown(r, "model", r->model, "BPE, Unigram");
}

/* Added tokens stand for their own text, but for spaces as the decoder has
 * them; they may be in the model's vocab as well. */
static sortes_status hf_read_added(struct hf_reader *r)
{
    const struct srt_json *all = srt_json_find(r->root, "added_tokens");
    const struct srt_json *v;

    if (all == NULL || all->type == SRT_JSON_NULL)
        return SORTES_OK;
    if (all->type != SRT_JSON_ARRAY)
        return hf_refuse(r, all, "added_tokens: expected an array");
    for (v = all->first; v != NULL; v = v->next) {
        const struct srt_json *text = srt_json_find(v, "content");
        sortes_status status = SORTES_OK;
        struct srt_vocab_entry *e;

        if (!hf_has_type(text, SRT_JSON_STRING))
            return hf_refuse(r, v, "added_tokens: expected 'content'");
        e = srt_vocab_table_at(&r->table, hf_integer(srt_json_find(v, "id")),
                               v->offset, &status);
        if (e == NULL)
            return status;
        e->text = text->text;
        e->n = text->n;
        e->spelling = SRT_VOCAB_LITERAL;
        if (hf_has_type(srt_json_find(v, "special"), SRT_JSON_TRUE)) {
            e->flags |= SORTES_TOKEN_CONTROL;
            if (srt_vocab_text_ends(text->text, text->n))
                e->flags |= SORTES_TOKEN_EOG;
        } else if (r->spelling != SRT_VOCAB_BYTE_LEVEL) {
            e->spelling = SRT_VOCAB_SPM;
        }
    }
    return SORTES_OK;
}

sortes_status
srt_vocab_read_tokenizer_json(sortes_vocab **out,
                              const struct srt_vocab_source *source,
                              sortes_error *err)
{
    struct hf_reader r = { .name = source->name,
                           .table = { .name = source->name, .err = err },
                           .err = err };
    struct srt_json_document document;
    sortes_status status =
        srt_json_read(&document, source->text, source->n, err);

    *out = NULL;
    if (status != SORTES_OK)
        return status;
    r.root = document.root;
    if (r.root->type != SRT_JSON_OBJECT)
        status = hf_refuse(&r, r.root, "expected an object");
    if (status == SORTES_OK)
        status = hf_read_spelling(&r);
    if (status == SORTES_OK)
        status = hf_read_model(&r);
    if (status == SORTES_OK)
        status = hf_read_added(&r);
    if (status == SORTES_OK)
        status =
            srt_vocab_table_add(&r.table, source->special, source->n_special);
    if (status == SORTES_OK)
        status = srt_vocab_table_fill(&r.table, out);
    srt_vocab_table_free(&r.table);
    srt_json_free(&document);
    return status == SORTES_OK ? srt_ok(err) : status;
}
