/*
 * vocab_gguf.c - a vocab from the metadata of a GGUF file
 *
 * Rule: the bytes and the end-of-generation set that llama.cpp derives from
 * the same metadata, with special tokens shown.
 * Source: llama.cpp src/llama-vocab.cpp, llama_vocab::impl::load and
 * token_to_piece (commit 0c1e57098).
 *
 * Where several tokens could take a role that no key of the file settles,
 * llama.cpp takes the first in the order of a hash table; here it is the one
 * with the lowest id.  That can change the role of infill tokens only: a text
 * that ends a turn ends it whoever has the role.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab.h"

#include "gguf/gguf.h"
#include "json/json.h"
#include "json/number.h"
#include "unicode.h"
#include "vocab_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define VOCAB_MAX_TEXT  65535     /* bytes of one token in the file */
#define VOCAB_MAX_PIECE (1 << 20) /* bytes of one token as shown */

/* How an ordinary token's text stands for its bytes. */
enum vocab_style {
    VOCAB_BYTE_LEVEL, /* GPT-2: one printable character for each byte */
    VOCAB_SPM         /* SentencePiece: U+2581 for a space */
};

/* llama.cpp's token attributes; a token can get more than one. */
enum vocab_attribute {
    VOCAB_UNKNOWN = 1,
    VOCAB_UNUSED = 2,
    VOCAB_NORMAL = 4,
    VOCAB_CONTROL = 8,
    VOCAB_USER_DEFINED = 16,
    VOCAB_BYTE = 32
};

enum vocab_role {
    vocab_role_none,
    vocab_role_bos,
    vocab_role_eos,
    vocab_role_eot,
    vocab_role_eom,
    vocab_role_fim_pre,
    vocab_role_fim_suf,
    vocab_role_fim_mid,
    vocab_role_fim_pad,
    vocab_role_fim_rep,
    vocab_role_fim_sep,
    VOCAB_N_ROLES
};

/* Keys that say which token has a role; of a role's keys the last counts. */
static const struct {
    const char *key;
    enum vocab_role role;
} vocab_role_keys[] = {
    { "tokenizer.ggml.bos_token_id", vocab_role_bos },
    { "tokenizer.ggml.eos_token_id", vocab_role_eos },
    { "tokenizer.ggml.eot_token_id", vocab_role_eot },
    { "tokenizer.ggml.eom_token_id", vocab_role_eom },
    { "tokenizer.ggml.fim_pre_token_id", vocab_role_fim_pre },
    { "tokenizer.ggml.fim_suf_token_id", vocab_role_fim_suf },
    { "tokenizer.ggml.fim_mid_token_id", vocab_role_fim_mid },
    { "tokenizer.ggml.fim_pad_token_id", vocab_role_fim_pad },
    { "tokenizer.ggml.fim_rep_token_id", vocab_role_fim_rep },
    { "tokenizer.ggml.fim_sep_token_id", vocab_role_fim_sep },
    { "tokenizer.ggml.prefix_token_id", vocab_role_fim_pre },
    { "tokenizer.ggml.suffix_token_id", vocab_role_fim_suf },
    { "tokenizer.ggml.middle_token_id", vocab_role_fim_mid },
};

static const struct vocab_special {
    const char *text;
    enum vocab_role role;
    bool ends;
} vocab_specials[] = {
#define SRT_SPECIAL(text, role, ends) { text, vocab_role_##role, ends },
#include "vocab_special.def"
#undef SRT_SPECIAL
};

/* attributes: a set of enum vocab_attribute, as special texts add to it. */
struct vocab_token {
    const char *text; /* as it stands in the file, no NUL after it */
    size_t n;
    uint8_t attributes;
    bool ends;
};

struct vocab_reader {
    const struct srt_gguf *g;
    enum vocab_style style;
    struct vocab_token *tokens;
    size_t n_tokens;
    int64_t roles[VOCAB_N_ROLES]; /* token ids; -1: none */
    sortes_vocab *vocab;
    sortes_error *err;
};

/* ---- keys ---------------------------------------------------------------- */

static sortes_status vocab_no_memory(struct vocab_reader *r)
{
    return srt_fail(r->err, SORTES_E_NOMEM, 0, "vocab: out of memory");
}

static bool vocab_is(const struct vocab_token *t, const char *text)
{
    return srt_json_equals(t->text, t->n, text);
}

/* A key of one type; *v is NULL when an optional one is missing. */
static sortes_status vocab_find(struct vocab_reader *r, const char *key,
                                enum srt_gguf_type type, bool is_array,
                                const struct srt_gguf_value **v)
{
    *v = srt_gguf_find(r->g, key);
    if (*v == NULL || ((*v)->type == type && (*v)->is_array == is_array))
        return SORTES_OK;
    return srt_fail(r->err, SORTES_E_SYNTAX, (*v)->offset,
                    "%s: key '%s', byte %zu: wrong type (got %s%s, needed "
                    "%s%s)",
                    srt_gguf_name(r->g), key, (*v)->offset,
                    (*v)->is_array ? "array of " : "",
                    srt_gguf_type_name((*v)->type), is_array ? "array of " : "",
                    srt_gguf_type_name(type));
}

/* Keys without which there is no vocabulary. */
static sortes_status vocab_missing(struct vocab_reader *r, const char *key)
{
    return srt_fail(r->err, SORTES_E_SYNTAX, 0, "%s: key '%s' is missing",
                    srt_gguf_name(r->g), key);
}

static bool vocab_value_is(const struct srt_gguf_value *v, const char *text)
{
    const unsigned char *cursor = NULL;
    struct vocab_token t = { 0 };

    if (v == NULL)
        return false;
    t.text = srt_gguf_next_string(v, &cursor, &t.n);
    return vocab_is(&t, text);
}

/* The tokenizer: how texts are spelt, and the roles it has by default. */
static sortes_status vocab_read_model(struct vocab_reader *r)
{
    static const char *const spm_like[] = { "gemma4", "sarvam-moe",
                                            "granite-embed-multi-311m" };
    const struct srt_gguf_value *model, *pre;
    const unsigned char *cursor = NULL;
    const char *name;
    size_t n;

    if (vocab_find(r, "tokenizer.ggml.model", SRT_GGUF_STRING, false, &model) ||
        vocab_find(r, "tokenizer.ggml.pre", SRT_GGUF_STRING, false, &pre))
        return SORTES_E_SYNTAX;
    if (model == NULL)
        return vocab_missing(r, "tokenizer.ggml.model");
    for (size_t i = 0; i < VOCAB_N_ROLES; i++)
        r->roles[i] = -1;
    r->style = VOCAB_SPM;
    if (vocab_value_is(model, "llama")) {
        r->roles[vocab_role_bos] = 1;
        r->roles[vocab_role_eos] = 2;
        return SORTES_OK;
    }
    if (vocab_value_is(model, "gemma4"))
        return SORTES_OK;
    if (vocab_value_is(model, "gpt2")) {
        r->roles[vocab_role_bos] = r->roles[vocab_role_eos] = 11;
        for (size_t i = 0; i < SRT_COUNT(spm_like); i++)
            if (vocab_value_is(pre, spm_like[i]))
                return SORTES_OK;
        r->style = VOCAB_BYTE_LEVEL;
        return SORTES_OK;
    }
    name = srt_gguf_next_string(model, &cursor, &n);
    return srt_fail(r->err, SORTES_E_NAME, model->offset,
                    "%s: tokenizer '%.*s' is unknown (allowed gpt2, llama, "
                    "gemma4)",
                    srt_gguf_name(r->g), n < 64 ? (int)n : 64, name);
}

/* Token types of the file, by number; unknown ones are as type 0: undefined. */
static uint8_t vocab_attributes_of(int64_t token_type)
{
    static const uint8_t known[] = { 0,
                                     VOCAB_NORMAL,
                                     VOCAB_UNKNOWN,
                                     VOCAB_CONTROL,
                                     VOCAB_USER_DEFINED,
                                     VOCAB_UNUSED,
                                     VOCAB_BYTE };

    if (token_type < 0 || token_type >= (int64_t)SRT_COUNT(known))
        return 0;
    return known[token_type];
}

/* Texts stay in the file's bytes; a type list may be longer than the texts,
 * not shorter.  Without one every token is ordinary. */
static sortes_status vocab_read_tokens(struct vocab_reader *r)
{
    const struct srt_gguf_value *texts, *types;
    const unsigned char *cursor = NULL;

    if (vocab_find(r, "tokenizer.ggml.tokens", SRT_GGUF_STRING, true, &texts) ||
        vocab_find(r, "tokenizer.ggml.token_type", SRT_GGUF_I32, true, &types))
        return SORTES_E_SYNTAX;
    if (texts == NULL || texts->n == 0)
        return vocab_missing(r, "tokenizer.ggml.tokens");
    if (types != NULL && types->n < texts->n)
        return srt_fail(r->err, SORTES_E_SYNTAX, types->offset,
                        "%s: key 'tokenizer.ggml.token_type', byte %zu: too "
                        "short (got %llu, needed %llu)",
                        srt_gguf_name(r->g), types->offset,
                        (unsigned long long)types->n,
                        (unsigned long long)texts->n);
    r->n_tokens = (size_t)texts->n;
    r->tokens = calloc(r->n_tokens, sizeof(*r->tokens));
    if (r->tokens == NULL)
        return vocab_no_memory(r);
    for (size_t i = 0; i < r->n_tokens; i++) {
        struct vocab_token *t = &r->tokens[i];

        t->text = srt_gguf_next_string(texts, &cursor, &t->n);
        t->attributes = types != NULL
                            ? vocab_attributes_of(srt_gguf_integer(types, i))
                            : VOCAB_NORMAL;
        if (t->n > VOCAB_MAX_TEXT)
            return srt_fail(r->err, SORTES_E_LIMIT, texts->offset,
                            "%s: token %zu: too long (got %zu bytes, allowed "
                            "%d)",
                            srt_gguf_name(r->g), i, t->n, VOCAB_MAX_TEXT);
    }
    return SORTES_OK;
}

/* An id out of range leaves the default, which must be in range as well. */
static sortes_status vocab_read_roles(struct vocab_reader *r)
{
    const struct srt_gguf_value *v;
    int64_t id;

    for (size_t i = 0; i < VOCAB_N_ROLES; i++) /* defaults out of range */
        if (r->roles[i] >= (int64_t)r->n_tokens)
            r->roles[i] = -1;
    for (size_t i = 0; i < SRT_COUNT(vocab_role_keys); i++) {
        if (vocab_find(r, vocab_role_keys[i].key, SRT_GGUF_U32, false, &v))
            return SORTES_E_SYNTAX;
        id = v != NULL ? srt_gguf_integer(v, 0) : -1;
        if (id >= 0 && id < (int64_t)r->n_tokens)
            r->roles[vocab_role_keys[i].role] = id;
    }
    return SORTES_OK;
}

/* ---- special tokens ------------------------------------------------------ */

static const struct vocab_special *
vocab_find_special(const struct vocab_token *t)
{
    for (size_t i = 0; i < SRT_COUNT(vocab_specials); i++)
        if (vocab_is(t, vocab_specials[i].text))
            return &vocab_specials[i];
    return NULL;
}

/* strstr() over the text up to a NUL. */
static bool vocab_contains(const struct vocab_token *t, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= t->n && t->text[i] != '\0'; i++)
        if (memcmp(t->text + i, word, n) == 0)
            return true;
    return false;
}

/* What the texts say, in llama.cpp's order: roles, unused, ends. */
static void vocab_apply_texts(struct vocab_reader *r)
{
    for (size_t i = 0; i < r->n_tokens; i++) {
        struct vocab_token *t = &r->tokens[i];
        const struct vocab_special *special = vocab_find_special(t);
        bool takes_role = special != NULL && special->role != vocab_role_none &&
                          r->roles[special->role] < 0;

        if (takes_role)
            r->roles[special->role] = (int64_t)i;
        if (takes_role)
            t->attributes |= VOCAB_CONTROL;
        if ((t->attributes & VOCAB_CONTROL) && vocab_contains(t, "unused"))
            t->attributes |= VOCAB_UNUSED;
        if (special != NULL && special->ends) {
            t->attributes |= VOCAB_CONTROL;
            t->ends = true;
        }
        if (vocab_is(t, "<|channel|>") || vocab_is(t, "<|message|>") ||
            vocab_is(t, "<|start|>") || vocab_is(t, "<|constrain|>"))
            t->attributes = VOCAB_USER_DEFINED;
    }
}

/* The token of this text that ends a generation; NULL: there is none. */
static struct vocab_token *vocab_find_end(struct vocab_reader *r,
                                          const char *text)
{
    for (size_t i = 0; i < r->n_tokens; i++)
        if (r->tokens[i].ends && vocab_is(&r->tokens[i], text))
            return &r->tokens[i];
    return NULL;
}

/* Roles end a generation too; two texts do not, beside certain others. */
static void vocab_settle_ends(struct vocab_reader *r)
{
    static const enum vocab_role ending[] = {
        vocab_role_eos,     vocab_role_eot,     vocab_role_eom,
        vocab_role_fim_pad, vocab_role_fim_rep, vocab_role_fim_sep
    };
    struct vocab_token *end, *s;
    bool call, harmony;

    for (size_t i = 0; i < SRT_COUNT(ending); i++)
        if (r->roles[ending[i]] >= 0)
            r->tokens[r->roles[ending[i]]].ends = true;
    end = vocab_find_end(r, "<|end|>");
    call = vocab_find_end(r, "<|call|>") || vocab_find_end(r, "<|calls|>");
    harmony = call && (vocab_find_end(r, "<|return|>") ||
                       vocab_find_end(r, "<|flush|>"));
    if (end != NULL && harmony) {
        end->ends = false;
        end->attributes = VOCAB_USER_DEFINED;
    }
    s = vocab_find_end(r, "</s>");
    if (s != NULL && (vocab_find_end(r, "<|tool_response>") ||
                      vocab_find_end(r, "<|plamo:eos|>"))) {
        s->ends = false;
        s->attributes = VOCAB_NORMAL;
    }
}

/* ---- pieces -------------------------------------------------------------- */

/* A character that stands for no byte is shown as llama.cpp shows it. */
static bool vocab_append_unknown(sortes_vocab *v, const struct vocab_token *t,
                                 uint32_t code)
{
    static const char hex[] = "0123456789abcdef";
    char utf8[4], shown[8];
    size_t n = srt_utf8_encode(code, utf8);

    for (size_t i = 0; i < n; i++) {
        shown[2 * i] = hex[(unsigned char)utf8[i] >> 4];
        shown[2 * i + 1] = hex[utf8[i] & 15];
    }
    return srt_vocab_append(v, "[UNK_BYTE_0x", 12) &&
           srt_vocab_append(v, shown, 2 * n) &&
           srt_vocab_append(v, t->text, t->n) && srt_vocab_append(v, "]", 1);
}

/* Malformed UTF-8 counts as U+FFFD, byte by byte.  The piece may run over its
 * limit by one character; vocab_fill refuses it then. */
static bool vocab_append_byte_level(sortes_vocab *v,
                                    const struct vocab_token *t)
{
    size_t start = v->n_bytes;

    for (size_t i = 0; i < t->n && v->n_bytes - start <= VOCAB_MAX_PIECE;) {
        size_t length = srt_utf8_length(t->text + i, t->n - i);
        uint32_t code =
            length > 0 ? srt_vocab_code_at(t->text + i, length) : 0xFFFD;
        int byte = srt_vocab_byte_of(code);
        char c = (char)byte;

        if (byte >= 0 ? !srt_vocab_append(v, &c, 1)
                      : !vocab_append_unknown(v, t, code))
            return false;
        i += length > 0 ? length : 1;
    }
    return true;
}

/* "[EMPTY_7]": llama.cpp's text for a token that has none. */
static bool vocab_append_empty(sortes_vocab *v, size_t id)
{
    char text[SRT_WHOLE_TEXT];
    const size_t n = srt_whole_to_text(id, false, text);

    return srt_vocab_append(v, "[EMPTY_", 7) && srt_vocab_append(v, text, n) &&
           srt_vocab_append(v, "]", 1);
}

/* The piece: special and user-defined texts stand for themselves. */
static bool vocab_append_piece(struct vocab_reader *r, size_t id)
{
    const struct vocab_token *t = &r->tokens[id];
    const uint8_t literal = VOCAB_UNKNOWN | VOCAB_CONTROL | VOCAB_USER_DEFINED;
    char byte = (char)srt_vocab_byte_token(t->text, t->n);

    if (t->n == 0)
        return !(t->attributes & (literal | VOCAB_NORMAL)) ||
               vocab_append_empty(r->vocab, id);
    if (t->attributes & literal)
        return srt_vocab_append(r->vocab, t->text, t->n);
    if (t->attributes & VOCAB_NORMAL)
        return r->style == VOCAB_SPM
                   ? srt_vocab_append_spm(r->vocab, t->text, t->n)
                   : vocab_append_byte_level(r->vocab, t);
    if (t->attributes & VOCAB_BYTE)
        return srt_vocab_append(r->vocab, &byte, 1);
    return true; /* unused and undefined tokens are shown as nothing */
}

/* "unknown" tokens are special too: llama.cpp hides both kinds alike. */
static uint32_t vocab_flags_of(const struct vocab_reader *r, size_t id)
{
    const struct vocab_token *t = &r->tokens[id];
    uint32_t flags = 0;

    if ((int64_t)id == r->roles[vocab_role_bos])
        flags |= SORTES_TOKEN_BOS;
    if ((int64_t)id == r->roles[vocab_role_eos])
        flags |= SORTES_TOKEN_EOS;
    if ((int64_t)id == r->roles[vocab_role_eot])
        flags |= SORTES_TOKEN_EOT;

    if (t->attributes & (VOCAB_CONTROL | VOCAB_UNKNOWN))
        flags |= SORTES_TOKEN_CONTROL;
    if (t->attributes & VOCAB_BYTE)
        flags |= SORTES_TOKEN_BYTE;
    if (t->attributes & VOCAB_UNUSED)
        flags |= SORTES_TOKEN_UNUSED;
    if (t->ends)
        flags |= SORTES_TOKEN_EOG;
    return flags;
}

static sortes_status vocab_fill(struct vocab_reader *r)
{
    r->vocab = srt_vocab_reserve(r->n_tokens);
    if (r->vocab == NULL || !srt_vocab_append(r->vocab, "", 0))
        return vocab_no_memory(r);
    for (size_t i = 0; i < r->n_tokens; i++) {
        const struct vocab_token *t = &r->tokens[i];
        size_t start = r->vocab->n_bytes;

        if (t->attributes == VOCAB_BYTE &&
            srt_vocab_byte_token(t->text, t->n) < 0)
            return srt_fail(r->err, SORTES_E_SYNTAX, 0,
                            "%s: token %zu: malformed byte token (got '%.*s', "
                            "needed '<0xNN>')",
                            srt_gguf_name(r->g), i, t->n < 32 ? (int)t->n : 32,
                            t->text);
        if (!vocab_append_piece(r, i))
            return vocab_no_memory(r);
        if (r->vocab->n_bytes - start > VOCAB_MAX_PIECE)
            return srt_fail(r->err, SORTES_E_LIMIT, 0,
                            "%s: token %zu: piece too long (allowed %d bytes)",
                            srt_gguf_name(r->g), i, VOCAB_MAX_PIECE);
        srt_vocab_end_token(r->vocab, vocab_flags_of(r, i));
    }
    return SORTES_OK;
}

sortes_status srt_vocab_read(sortes_vocab **out, const struct srt_gguf *g,
                             sortes_error *err)
{
    struct vocab_reader r = { .g = g, .err = err };
    sortes_status status;

    *out = NULL;
    status = vocab_read_model(&r);
    if (status == SORTES_OK)
        status = vocab_read_tokens(&r);
    if (status == SORTES_OK)
        status = vocab_read_roles(&r);
    if (status == SORTES_OK) {
        vocab_apply_texts(&r);
        vocab_settle_ends(&r);
        status = vocab_fill(&r);
    }
    free(r.tokens);
    if (status != SORTES_OK) {
        sortes_vocab_free(r.vocab);
        return status;
    }
    *out = r.vocab;
    return srt_ok(err);
}
