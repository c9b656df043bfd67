/*
 * sortes.h - logits in, token out: the token the named engine would draw
 *
 * One sortes_sampler is one sequence: its parameters, the tokens accepted so
 * far and its random generator.  A dialect ("llama.cpp") fixes every number:
 * the same rows, parameters and seed give the same token as that engine, bit
 * for bit, or the row is refused with a status that says why.
 *
 * Threads: different samplers may be used from different threads at once; one
 * sampler, from one thread at a time.  Params and vocab objects may be shared
 * once they are no longer changed.  There is no global mutable state; large
 * work memory belongs to the calling thread (see sortes_thread_release).
 *
 * Errors: every call that can fail returns a sortes_status; a failed call
 * changes nothing.  The library never prints, exits, aborts or reads the
 * environment.
 *
 * Floating point: the caller's rounding mode and flush-to-zero bits do not
 * matter; entry points set what they need and restore it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_H
#define SORTES_H

#include <stddef.h>
#include <stdint.h>

#define SORTES_VERSION_MAJOR 0
#define SORTES_VERSION_MINOR 1
#define SORTES_VERSION_PATCH 0

#if defined(SORTES_SHARED) && defined(_WIN32)
#define SORTES_API __declspec(dllimport)
#elif defined(SORTES_SHARED) && defined(__GNUC__)
#define SORTES_API __attribute__((visibility("default")))
#else
#define SORTES_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status and errors --------------------------------------------------- */

/* Values never change meaning; a new one takes an unused number. */
typedef enum sortes_status {
    SORTES_OK = 0,
    SORTES_E_NOMEM = 1,      /* memory could not be had */
    SORTES_E_ARGUMENT = 2,   /* NULL, a wrong size, an id out of range */
    SORTES_E_NOT_FINITE = 3, /* NaN or +inf among the logits, given or made */
    SORTES_E_NAME = 10,      /* no such dialect, parameter, format or field */
    SORTES_E_RANGE = 11,     /* a value outside its bounds */
    SORTES_E_SYNTAX = 20,    /* malformed request, list or GGUF */
    SORTES_E_IO = 21,        /* a file could not be opened or read */
    SORTES_E_NO_TOKEN = 30,  /* every token was ruled out; nothing drawn */
    SORTES_E_LIMIT = 31,     /* a documented limit was reached */
    SORTES_E_EMPTY = 32,     /* a grammar that no text satisfies */
    SORTES_E_SELFTEST = 40   /* this machine does not compute as it must */
} sortes_status;

/* "SORTES_E_RANGE" and so on; never NULL, static storage. */
SORTES_API const char *sortes_status_name(sortes_status status);

/* Where and why a call failed.  Pass NULL where the status is enough. */
typedef struct sortes_error {
    sortes_status status;
    size_t offset;  /* byte in the text being read, else 0 */
    char text[256]; /* one line, NUL-terminated, no newline at the end */
} sortes_error;

/* ---- the library itself -------------------------------------------------- */

SORTES_API const char *sortes_version(void); /* "0.1.0" */

/* The instruction set the kernels run on: "scalar" "avx2" "avx512" "neon". */
SORTES_API const char *sortes_kernel_name(void);

/*
 * Runs known answers through the exact math, the sums, the sorts and a whole
 * draw on every instruction set of this machine; under a millisecond.
 * SORTES_E_SELFTEST means that this build or machine must not be trusted.
 */
SORTES_API sortes_status sortes_selftest(sortes_error *err);

/*
 * Frees the calling thread's work memory now.  It is taken on the first step
 * a thread makes (about 56 bytes a vocabulary entry), reused by every sampler
 * that the thread serves, and freed by itself when a POSIX thread ends.
 */
SORTES_API void sortes_thread_release(void);

/* Dialects by index, from 0; NULL past the last. */
SORTES_API const char *sortes_dialect_name(size_t index);

/* The engine, versions and platform that a dialect equals; NULL if unknown. */
SORTES_API const char *sortes_dialect_identity(const char *dialect);

/* ---- rows ---------------------------------------------------------------- */

typedef enum sortes_dtype {
    SORTES_F32 = 0,
    SORTES_F16 = 1, /* IEEE binary16 */
    SORTES_BF16 = 2 /* the upper half of a binary32 */
} sortes_dtype;

/*
 * One step's logits, natural-log and unnormalised; entry i is token i.  -inf
 * forbids a token; NaN and +inf refuse the row.  The data is only read, and
 * only during the call; it need not be aligned beyond its own type.
 */
typedef struct sortes_row {
    const void *data;
    size_t n; /* at least 1, below 2^31 */
    sortes_dtype type;
} sortes_row;

/* ---- vocab --------------------------------------------------------------- */

/* Immutable and reference-counted: token id -> bytes and flags. */
typedef struct sortes_vocab sortes_vocab;

enum {
    SORTES_TOKEN_CONTROL = 1, /* special: never text that a user wrote */
    SORTES_TOKEN_EOG = 2,     /* ends a generation */
    SORTES_TOKEN_BYTE = 4,    /* stands for one byte */
    SORTES_TOKEN_UNUSED = 8,
    SORTES_TOKEN_BOS = 16, /* begins a text */
    SORTES_TOKEN_EOS = 32, /* ends one */
    SORTES_TOKEN_EOT = 64  /* ends a turn */
};

/*
 * The host's tokenizer: writes the tokens of text, which may be cut inside a
 * UTF-8 character, as far as there is room, and returns how many there are;
 * below 0: failed.  No special tokens are added; their spelling is read as
 * such only if parse_special.
 */
typedef int32_t sortes_tokenize(void *ctx, const char *text, size_t n_bytes,
                                int parse_special, int32_t *tokens,
                                size_t room);

typedef struct sortes_vocab_desc {
    size_t struct_size; /* sizeof(sortes_vocab_desc) */
    size_t n_tokens;
    const char *const *bytes; /* n_tokens pieces; copied; not NUL-terminated */
    const size_t *n_bytes;
    const uint32_t *flags; /* SORTES_TOKEN_...; NULL: none */
    /*
     * Each token detokenized by itself, special ones shown, where the engine
     * makes that differ from the piece (a leading space stripped); copied.
     * NULL: the pieces.  DRY looks for its sequence breakers in these.
     */
    const char *const *words;
    const size_t *n_word_bytes;
    sortes_tokenize *tokenize; /* DRY and text keys need it; NULL: none */
    void *tokenize_ctx;        /* must outlive the vocab and its samplers */
} sortes_vocab_desc;

SORTES_API sortes_status sortes_vocab_new(sortes_vocab **out,
                                          const sortes_vocab_desc *desc,
                                          sortes_error *err);

/*
 * Reads the vocabulary of a GGUF file; tensor data is never touched.  Byte-
 * level BPE and SentencePiece vocabularies are known; others are refused by
 * name with SORTES_E_NAME.
 */
SORTES_API sortes_status sortes_vocab_from_gguf(sortes_vocab **out,
                                                const char *path,
                                                sortes_error *err);

/* A token that the caller knows and the file does not, or not as well. */
typedef struct sortes_special_token {
    int32_t id;
    const char *text; /* in place of the file's; NULL: the file's */
    uint32_t flags;   /* SORTES_TOKEN_..., added to what the file says */
} sortes_special_token;

/*
 * Reads Hugging Face's tokenizer.json: BPE and Unigram models, byte-level or
 * with U+2581 for a space; others are refused by name with SORTES_E_NAME.  The
 * file does not say which tokens end a text: special tokens known to end one
 * in every vocabulary do, and those the caller names.
 */
SORTES_API sortes_status sortes_vocab_from_tokenizer_json(
    sortes_vocab **out, const char *path, const sortes_special_token *special,
    size_t n_special, sortes_error *err);

/*
 * Reads a tiktoken file: a line a token, base64 and rank.  Special tokens are
 * the caller's to give; ids that nobody names are SORTES_TOKEN_UNUSED.
 */
SORTES_API sortes_status sortes_vocab_from_tiktoken(
    sortes_vocab **out, const char *path, const sortes_special_token *special,
    size_t n_special, sortes_error *err);

/* Any of the three, by what the file begins with. */
SORTES_API sortes_status sortes_vocab_from_file(sortes_vocab **out,
                                                const char *path,
                                                sortes_error *err);
SORTES_API sortes_vocab *sortes_vocab_retain(sortes_vocab *v);
SORTES_API void sortes_vocab_free(sortes_vocab *v); /* NULL is allowed */
SORTES_API size_t sortes_vocab_size(const sortes_vocab *v);

/* Bytes of a token, valid while the vocab lives; NULL and 0 out of range. */
SORTES_API const char *sortes_vocab_piece(const sortes_vocab *v, int32_t token,
                                          size_t *n_bytes);
SORTES_API uint32_t sortes_vocab_flags(const sortes_vocab *v, int32_t token);

/* ---- the tokens that a model's files name -------------------------------- */

enum { SORTES_MODEL_ENDS = 64 };

/* Begin with { sizeof(sortes_model_tokens), -1, -1 }. */
typedef struct sortes_model_tokens {
    size_t struct_size; /* sizeof(sortes_model_tokens) */
    int32_t bos, pad;   /* -1: none */
    size_t n_ends;
    int32_t ends[SORTES_MODEL_ENDS]; /* any of them ends a generation */
} sortes_model_tokens;

/*
 * Reads eos_token_id (a token id or a list of them), bos_token_id and
 * pad_token_id of a model's config.json or generation_config.json; a key that
 * is missing or null at the top is looked for in text_config.  May be called
 * for several files: end tokens add up, of the others the last one named
 * counts.  All or nothing.
 */
SORTES_API sortes_status sortes_model_tokens_read(sortes_model_tokens *t,
                                                  const char *text, size_t n,
                                                  sortes_error *err);

/* The same from a GGUF's tokenizer.ggml.eos_token_id, eot_token_id,
 * eom_token_id, bos_token_id and padding_token_id. */
SORTES_API sortes_status sortes_model_tokens_read_gguf(sortes_model_tokens *t,
                                                       const char *path,
                                                       sortes_error *err);

/* ---- params -------------------------------------------------------------- */

/* What a request asks for, under one dialect.  Not shared while it changes. */
typedef struct sortes_params sortes_params;

/* Where a value came from, the later over the earlier. */
typedef enum sortes_source {
    SORTES_FROM_DEFAULT = 0,
    SORTES_FROM_GGUF = 1,
    SORTES_FROM_REQUEST = 2, /* sortes_params_read */
    SORTES_FROM_CALL = 3     /* a typed setter */
} sortes_source;

/* Starts from that engine's defaults. */
SORTES_API sortes_status sortes_params_new(sortes_params **out,
                                           const char *dialect,
                                           sortes_error *err);
SORTES_API sortes_status sortes_params_clone(sortes_params **out,
                                             const sortes_params *p);
SORTES_API void sortes_params_free(sortes_params *p); /* NULL is allowed */

/*
 * Lets requests speak of words: llama-server's logit_bias with text keys (v
 * needs a tokenizer) and ignore_eos.  v is retained; NULL takes it away.
 * Without a vocab such requests are refused by name.
 */
SORTES_API sortes_status sortes_params_use_vocab(sortes_params *p,
                                                 sortes_vocab *v);

/*
 * Typed setters, by the names of docs/parameters.md.  A value outside the
 * bounds is refused, never clamped; an unknown name is refused with the
 * nearest known one.
 */
SORTES_API sortes_status sortes_params_set_number(sortes_params *p,
                                                  const char *name,
                                                  double value,
                                                  sortes_error *err);
SORTES_API sortes_status sortes_params_set_integer(sortes_params *p,
                                                   const char *name,
                                                   int64_t value,
                                                   sortes_error *err);
SORTES_API sortes_status sortes_params_set_seed(sortes_params *p, uint64_t seed,
                                                sortes_error *err);
/*
 * Any parameter from text.  Lists: logit_bias "15043+1.5,2-inf"; strings with
 * ';' between them, samplers "top_k;temp" by name or letter, and in breakers
 * and tags \n \r \t \\ \" \' \; \xHH; a grammar as it is.  An empty text is an
 * empty list.
 */
SORTES_API sortes_status sortes_params_set_text(sortes_params *p,
                                                const char *name,
                                                const char *text,
                                                sortes_error *err);

/*
 * Reads a request in an engine's own format and with that engine's own rules:
 * its aliases, its order of evaluation, its clamps and its refusals word for
 * word.  All or nothing.  Formats:
 *
 *   llama-server  a JSON object: sampling fields are taken, other fields of
 *                 that server's requests passed over, unknown ones refused
 *                 with the nearest name
 *   ollama        the same for Ollama: options alone, or a request with
 *                 "options"; options that Ollama does not have are refused
 *   modelfile     the PARAMETER lines of a Modelfile
 *
 * Ollama sends its own defaults (top_p 0.9, min_p 0 ...) to the engine, over
 * those of a GGUF.  So the last two first set them where no request and no call
 * has set the parameter, with the source default: read a GGUF before, and a
 * Modelfile before the request.
 */
SORTES_API sortes_status sortes_params_read(sortes_params *p,
                                            const char *format,
                                            const char *text, size_t n,
                                            sortes_error *err);

/* The general.sampling.* defaults that a GGUF file carries; none is fine. */
SORTES_API sortes_status sortes_params_read_gguf(sortes_params *p,
                                                 const char *path,
                                                 sortes_error *err);

/* One parameter, described: from the table that everything else reads. */
typedef struct sortes_param_info {
    const char *name;
    const char *type; /* "float" "integer" "seed" "boolean" "list" "strings" */
    const char *help; /* one line */
    const char *flag; /* command-line flags, "-s, --seed"; NULL: none */
    double min, max;  /* of the typed setters; -HUGE_VAL, HUGE_VAL: none */
} sortes_param_info;

/* By index, from 0, in the dialect's order; NULL past the last. */
SORTES_API const sortes_param_info *sortes_param_at(const char *dialect,
                                                    size_t index);

/*
 * Writes a value as JSON text (a list as an array) into out[0 .. size-1],
 * always NUL-terminated when size > 0, and its length without the NUL to
 * *n, which may exceed size - 1: then call again with more room.
 */
SORTES_API sortes_status sortes_params_get(const sortes_params *p,
                                           const char *name, char *out,
                                           size_t size, size_t *n,
                                           sortes_source *source);

/* ---- sampler ------------------------------------------------------------- */

typedef struct sortes_sampler sortes_sampler;

typedef enum sortes_origin {
    SORTES_PROMPT = 0,    /* fed to the model by the host */
    SORTES_GENERATED = 1, /* drawn */
    SORTES_FORCED = 2     /* put there instead of a draw */
} sortes_origin;

enum {
    SORTES_DRAW_REDRAWN = 1, /* a constraint refused the first draw */
    SORTES_DRAW_FORCED = 2   /* a budget put the token in place of the draw */
};

/* What a draw says.  Reserved fields are 0. */
typedef struct sortes_draw {
    int32_t token;
    uint32_t flags;        /* SORTES_DRAW_... */
    uint64_t n_candidates; /* tokens whose weight in the draw was above 0 */
    /*
     * How far the random number was from another token, in probability: the
     * distance from the point drawn to the nearer edge of the token's own
     * share, edges without a neighbour left out; 1 where there is none.  On a
     * machine whose logits differ by less, the token is the same.
     * A Gumbel draw (mlx-lm): the greatest one's lead over the second.
     */
    double margin;
    uint64_t reserved[4];
} sortes_draw;

/*
 * Makes a sampler; params are copied, v is retained.  NULL is fine where
 * nothing needs words: DRY with breakers, infill, and a reasoning budget do,
 * and are refused without.  A seed of 4294967295 asks for a random one, as
 * llama.cpp does; sortes_sampler_seed tells the one in use.
 */
SORTES_API sortes_status sortes_sampler_new(sortes_sampler **out,
                                            const sortes_params *p,
                                            sortes_vocab *v, sortes_error *err);
SORTES_API void sortes_sampler_free(sortes_sampler *s); /* NULL is allowed */

/* A second sequence from here on: same windows, same generator position. */
SORTES_API sortes_status sortes_sampler_clone(sortes_sampler **out,
                                              const sortes_sampler *s);

/* Back to the state after creation (a random seed is drawn anew). */
SORTES_API sortes_status sortes_sampler_reset(sortes_sampler *s);
SORTES_API uint64_t sortes_sampler_seed(const sortes_sampler *s);

/*
 * What may come next, by the caller's own rules or a matcher's.  Callbacks run
 * inside sampler calls, on their thread; ctx is this sampler's alone.
 */
typedef struct sortes_constraint {
    size_t struct_size; /* sizeof(sortes_constraint) */
    void *ctx;
    /* 1: the token may come next; 0: it may not; below 0: failed. */
    int (*allows)(void *ctx, int32_t token);
    /* Sets bit t % 32 of words[t / 32] for every token that may; all are 0
     * before. */
    sortes_status (*mask)(void *ctx, uint32_t *words, size_t n_words);
    /* The token came (generated or forced; the prompt is not told). */
    sortes_status (*advance)(void *ctx, int32_t token);
    /* These may be NULL; what needs them is refused then, but for free.
     * rollback: accepting several tokens at once, too, as a later one of them
     * may be refused. */
    sortes_status (*rollback)(void *ctx, size_t n_tokens);
    sortes_status (*reset)(void *ctx);
    void *(*clone)(void *ctx); /* a ctx of its own; NULL: no memory */
    void (*free)(void *ctx);   /* when the sampler lets go of it */
} sortes_constraint;

/* Copies *c and takes over its ctx; NULL: no constraint any more. */
SORTES_API sortes_status
sortes_sampler_set_constraint(sortes_sampler *s, const sortes_constraint *c);

/* What a bare argmax is of: both have the same largest value but for rounding,
 * which makes more of them equal, and the first of equals is the token. */
typedef enum sortes_argmax {
    SORTES_ARGMAX_LOGITS = 0,
    SORTES_ARGMAX_LOGPROBS = 1 /* x - logsumexp(x), as mlx-lm computes it */
} sortes_argmax;

/*
 * Where the rows of a sampler lie when it is not host memory: `data` of a row
 * is then whatever the device calls it, and n and type say what it holds.  The
 * callbacks run inside sampler calls, on their thread.
 */
typedef struct sortes_device {
    size_t struct_size; /* sizeof(sortes_device) */
    void *ctx;          /* must outlive the samplers that have it */
    /*
     * The index of the first largest value among those that `allowed` lets (a
     * bit a token, as a constraint's mask; NULL: all).  SORTES_E_NOT_FINITE for
     * NaN or +inf anywhere in the row, SORTES_E_NO_TOKEN where all that is
     * allowed is -inf, SORTES_E_NAME where the device cannot do `of`: then, and
     * where argmax is NULL, the row is downloaded.
     */
    sortes_status (*argmax)(void *ctx, const sortes_row *row, sortes_argmax of,
                            const uint32_t *allowed, int32_t *token);
    /* Copies the row, n values of its type. */
    sortes_status (*download)(void *ctx, const sortes_row *row, void *out);
} sortes_device;

/*
 * Copies *d; NULL: host memory, as at first.  Greedy steps without penalties,
 * under a constraint or not, are left to the device where the dialect is rmlx
 * or mlx-lm; any other brings the row to the host, once for all calls on it:
 * until the sampler accepts, rolls back or is reset, a handle stands for the
 * same numbers.  sortes_sampler_verify takes rows in host memory only.
 */
SORTES_API sortes_status sortes_sampler_set_device(sortes_sampler *s,
                                                   const sortes_device *d);

/*
 * Goes back to where the sampler was right after the accept before the last n
 * tokens: windows, generators, constraint and all.  n up to 64, in several
 * calls together too until more is accepted, and to what was accepted since
 * the last prefill and since a constraint was set; 0 undoes draws that were
 * never accepted.
 */
SORTES_API sortes_status sortes_sampler_rollback(sortes_sampler *s, size_t n);

/* Adds tokens to the history.  Negative ids are refused, all or nothing. */
SORTES_API sortes_status sortes_sampler_accept(sortes_sampler *s,
                                               const int32_t *tokens, size_t n,
                                               sortes_origin origin);

/*
 * Tokens that stand in the prompt already but belong to the answer (what a
 * chat template opens it with): told to the constraint and the reasoning
 * budget, not to the windows.
 */
SORTES_API sortes_status sortes_sampler_prefill(sortes_sampler *s,
                                                const int32_t *tokens,
                                                size_t n);

/*
 * Ends the thinking block that the reasoning budget is counting, as if its
 * budget were used up; SORTES_E_ARGUMENT if none is open.
 */
SORTES_API sortes_status sortes_sampler_end_reasoning(sortes_sampler *s);

/*
 * Draws one token and moves the generator; the token does not enter the
 * history (pass the one you keep to sortes_sampler_accept).  After a failure
 * the generator has not moved.  Allocates only when the calling thread meets
 * a longer row than ever before.
 */
SORTES_API sortes_status sortes_sampler_sample(sortes_sampler *s,
                                               const sortes_row *row,
                                               sortes_draw *draw);

/*
 * The same chain up to the draw: writes row->n probabilities, 0 for tokens
 * that were filtered out.  Moves no generator.
 */
SORTES_API sortes_status sortes_sampler_distribution(sortes_sampler *s,
                                                     const sortes_row *row,
                                                     float *probabilities);

/*
 * The tokens left after all filters, in the chain's order, with their final
 * probabilities: writes the first `room` of *n.  tokens or probabilities may
 * be NULL.  Moves no generator.
 */
SORTES_API sortes_status sortes_sampler_kept(sortes_sampler *s,
                                             const sortes_row *row,
                                             int32_t *tokens,
                                             float *probabilities, size_t room,
                                             size_t *n);

/*
 * Calls fn(job, i) once for every i in 0 .. n-1, in any order, on any threads
 * of the caller, and returns when all are done.
 */
typedef void sortes_parallel_for(void *ctx, size_t n,
                                 void (*fn)(void *job, size_t i), void *job);

/*
 * n different samplers, a row and a draw each.  run NULL: one after another
 * on this thread.  The results are those of n single calls, whatever the
 * threads and the order.  statuses[i] (NULL: not wanted) is the i-th status; a
 * failed draw has token -status, its sampler has not moved, and the others
 * stand.  Returns the first failure by index.
 */
SORTES_API sortes_status sortes_sampler_sample_batch(
    sortes_sampler *const *s, const sortes_row *rows, sortes_draw *draws,
    sortes_status *statuses, size_t n, sortes_parallel_for *run, void *ctx);

/*
 * Speculative decoding: which of n proposed tokens stand, and the one that
 * comes after them.  target: n + 1 rows, the i-th before proposed[i] and the
 * last behind all of them; n up to 63.  Writes *n_out draws, 1 to n + 1: the
 * proposals that stand, then a token in place of the first that does not, or
 * a further one.  All of them have been accepted (as generated) when the call
 * returns; windows, penalties and constraint hold at every position.
 *
 * draft NULL: the sampler draws at each position and goes on while that is
 * what was proposed, so the tokens are those of plain sampling.  A greedy
 * sampler takes this way in any case.
 *
 * draft: the n distributions that the proposals were drawn from, row.n
 * probabilities each (rmlx only): a proposal is accepted with probability
 * min(1, p / q), else replaced from what p has above q, by this sampler's own
 * generator.  Draw the proposals with this sampler too: distribution() and
 * sample() on the draft's rows, without accepting them.  Tokens are distributed
 * as by plain sampling.
 *
 * SORTES_E_ARGUMENT: the dialect has no such acceptance, a constraint cannot
 * roll back, or a thinking budget would not be honoured.
 */
SORTES_API sortes_status sortes_sampler_verify(
    sortes_sampler *s, const sortes_row *target, const float *const *draft,
    const int32_t *proposed, size_t n, sortes_draw *out, size_t *n_out);

typedef struct sortes_logprob {
    int32_t token;
    float logprob; /* natural log */
} sortes_logprob;

/* Which probabilities the logarithms are of. */
typedef enum sortes_logprob_mode {
    SORTES_LOGPROBS_RAW = 0, /* the row's, as the engine reports them */
    SORTES_LOGPROBS_TEMPERATURE =
        1,                        /* the row's, at the temperature in force */
    SORTES_LOGPROBS_PROCESSED = 2 /* those that the draw is made from */
} sortes_logprob_mode;

/*
 * Log-probabilities in the dialect's own arithmetic and order (llama.cpp:
 * llama-server's n_probs).  Writes the best min(k, row->n) to top, best
 * first, and token's own to *logprob (NULL: not wanted).  Moves no generator.
 * Modes that an engine does not have use the arithmetic of the one it has, on
 * other logits or probabilities.  SORTES_E_RANGE: k above what the dialect
 * reports (rmlx 20, mlx-lm 11); mlx-lm at temperature 0 has nothing to scale
 * by.
 */
SORTES_API sortes_status sortes_sampler_logprobs(
    sortes_sampler *s, const sortes_row *row, sortes_logprob_mode mode,
    int32_t token, sortes_logprob *top, size_t k, float *logprob);

typedef struct sortes_probability {
    int32_t token;
    float p;
} sortes_probability;

/*
 * Probabilities after sampling, as llama-server's post_sampling_probs: what
 * the chain leaves of this row, likeliest first, up to the first p of 0 or to
 * k entries, and in *drawn (NULL: not wanted) the token that sample() would
 * draw now.  Ask before sampling; moves no generator.
 */
SORTES_API sortes_status sortes_sampler_probabilities(
    sortes_sampler *s, const sortes_row *row, sortes_probability *top, size_t k,
    size_t *n, sortes_probability *drawn);

/* What one stage left, in the order in which it left it. */
typedef struct sortes_stage_view {
    const char *stage; /* "top_k"; the first view is "logits" */
    size_t n;          /* candidates, tokens at -inf included */
    const int32_t *token;
    const float *logit;
    const float *p;   /* as the stage left them; 0 where none was computed */
    int sorted;       /* known to be in descending order of logit */
    int64_t selected; /* index of the token drawn; -1: none yet */
} sortes_stage_view;

/*
 * Runs one step stage by stage on the literal reference and shows each stage
 * to look(); then undoes it: no generator moves.  A view is gone when look()
 * returns, and look() may not call the library from this thread: the view lies
 * in the thread's work memory.
 */
SORTES_API sortes_status sortes_sampler_explain(
    sortes_sampler *s, const sortes_row *row,
    void (*look)(void *ctx, const sortes_stage_view *view), void *ctx);

/*
 * Which code answers sortes_sampler_sample: the fast plans (default), or the
 * literal stages they are tested against.  Same tokens; for tests and audits.
 */
SORTES_API void sortes_sampler_use_reference(sortes_sampler *s, int on);

/*
 * Which instruction set this sampler runs on, by sortes_kernel_name's names;
 * SORTES_E_NAME where this machine has none such.  Same tokens on each.
 */
SORTES_API sortes_status sortes_sampler_use_kernels(sortes_sampler *s,
                                                    const char *name);

/* ---- grammars and matchers ----------------------------------------------- */

/*
 * What a text must look like, compiled.  Immutable and reference-counted;
 * matchers of one grammar share what they find out on their way, on any
 * threads.
 */
typedef struct sortes_grammar sortes_grammar;

/* One sequence's position in a grammar.  One thread at a time. */
typedef struct sortes_matcher sortes_matcher;

/*
 * Supplies another document that a JSON Schema refers to, by a $ref or as the
 * dialect that $schema names.  uri has no fragment; it is absolute where the
 * reference is, or the schema's $id.  SORTES_OK: *text, of *n bytes, is the
 * callback's and stays as it is until sortes_grammar_new returns.
 * SORTES_E_NAME: there is no such document, and the reference is refused; any
 * other status is what sortes_grammar_new fails with.  Called by that function
 * alone, on its thread, once for each document of a schema, 256 at most.  The
 * library itself opens no file and no connection.
 */
typedef sortes_status sortes_resolver(void *ctx, const char *uri,
                                      const char **text, size_t *n);

/*
 * How texts are spelled, and what a grammar may cost.  NULL or 0 in a field:
 * the default, named first.  docs/CONSTRAINTS.md says which kind looks at what.
 */
typedef struct sortes_grammar_options {
    size_t struct_size;      /* sizeof(sortes_grammar_options) */
    const char *profile;     /* NULL, "json": free, any, json, json, assert;
                                "llguidance" */
    const char *order;       /* "declared" "strict" "free" */
    const char *whitespace;  /* "bounded" "none" "single" "any" */
    const char *escapes;     /* "auto" "canonical" "json" */
    const char *numbers;     /* "plain" "json" */
    const char *formats;     /* "assert" "annotate" */
    const char *draft;       /* "schema" "4" "6" "7" "2019-09" "2020-12" */
    const char *unique_keys; /* "true" "false" */
    const char *lenient;     /* "false" "true" */
    const char *form;        /* GBNF: "exact" "literal" (llama.cpp's rules) */
    size_t max_states;       /* of the automaton; 1,000,000 */
    size_t max_state_bytes;  /* 256 MiB */
    size_t max_cache_bytes;  /* masks and transitions; 16 MiB */
    size_t max_depth;        /* arrays and objects inside one another; 128 */
    uint64_t max_compile_us; /* 10,000,000 */

    sortes_resolver *resolve; /* NULL: there are no other documents */
    void *resolve_ctx;
} sortes_grammar_options;

/*
 * Compiles text.  Kinds, by sortes_grammar_kind: "json_object" (no text),
 * "json_schema", "regex", "choice" (one a line), "gbnf", "structural_tag",
 * "tools".  options NULL: the defaults.  A grammar that no text satisfies is
 * refused with SORTES_E_EMPTY.
 */
SORTES_API sortes_status sortes_grammar_new(
    sortes_grammar **out, const char *kind, const char *text, size_t n,
    const sortes_grammar_options *options, sortes_error *err);
SORTES_API sortes_grammar *sortes_grammar_retain(sortes_grammar *g);
SORTES_API void sortes_grammar_free(sortes_grammar *g); /* NULL is allowed */

/* Kinds by index, from 0; NULL past the last. */
SORTES_API const char *sortes_grammar_kind(size_t index);

/*
 * What is worth knowing about a grammar that was compiled: keywords that were
 * ignored, tools that were left out.  where: a place in its text (a JSON
 * pointer, "#/properties/a"); both strings are the callback's only while it
 * runs.
 */
SORTES_API void sortes_grammar_remarks(
    const sortes_grammar *g,
    void (*each)(void *ctx, const char *where, const char *text), void *ctx);

/*
 * A look at what somebody wrote, without compiling it: a JSON Schema, a
 * structural tag, a list of tools, or a whole request (of OpenAI's kinds,
 * llama-server's, Ollama's or vLLM's).  Each part that asks for a grammar is
 * told with its kind and text, ready for sortes_grammar_new; behind a list of
 * tools, each of them; what asks for a grammar and cannot be read; and each
 * thing in its schemas that is seldom meant.  Strings are the callback's only
 * while it runs.
 */
typedef enum sortes_finding_type {
    SORTES_FINDING_PART = 1,
    SORTES_FINDING_TOOL = 2,   /* of the list that was told last */
    SORTES_FINDING_UNREAD = 3, /* no text */
    SORTES_FINDING_DOUBT = 4   /* no text */
} sortes_finding_type;

typedef struct sortes_finding {
    sortes_finding_type type;
    const char *where; /* a JSON pointer in the whole, "#/tools/0" */
    const char *what;  /* the part's kind; or what there is to say */
    const char *text;  /* the part's text, n bytes */
    size_t n;
} sortes_finding;

SORTES_API sortes_status
sortes_grammar_examine(const char *text, size_t n,
                       void (*each)(void *ctx, const sortes_finding *finding),
                       void *ctx, sortes_error *err);

/*
 * A sequence at its start; both are retained.  v NULL: bytes alone, no tokens
 * (sortes_matcher_advance_bytes).  A token is allowed if and only if the output
 * followed by its bytes is a prefix of a text that satisfies the grammar and
 * consists of bytes that v has as tokens of their own.  Where no such text
 * exists the call is refused: SORTES_E_EMPTY, naming a byte.
 */
SORTES_API sortes_status sortes_matcher_new(sortes_matcher **out,
                                            sortes_grammar *g, sortes_vocab *v,
                                            sortes_error *err);
SORTES_API void sortes_matcher_free(sortes_matcher *m); /* NULL is allowed */
SORTES_API sortes_status sortes_matcher_clone(sortes_matcher **out,
                                              const sortes_matcher *m);
SORTES_API void sortes_matcher_reset(sortes_matcher *m);

/*
 * Sets bit t % 32 of words[t / 32] for every token t that may come next, and
 * clears all others; n_words is at least (size + 31) / 32 for a vocab of that
 * size.  End tokens are set where the text may end.
 */
SORTES_API sortes_status sortes_matcher_mask(sortes_matcher *m, uint32_t *words,
                                             size_t n_words);

/*
 * The same as a list in ascending order, if it has at most `room` tokens;
 * otherwise *n alone is set.
 */
SORTES_API sortes_status sortes_matcher_allowed(sortes_matcher *m,
                                                int32_t *tokens, size_t room,
                                                size_t *n);

/* A mask for each of n different matchers, as sortes_sampler_sample_batch. */
SORTES_API sortes_status sortes_matcher_mask_batch(
    sortes_matcher *const *m, uint32_t *const *words, size_t n_words,
    sortes_status *statuses, size_t n, sortes_parallel_for *run, void *ctx);

/* 1, 0; below 0: -status. */
SORTES_API int sortes_matcher_allows(sortes_matcher *m, int32_t token);

/* Moves past all tokens, or past none: SORTES_E_NO_TOKEN if one may not come
 * there.  *n_ok (NULL: not wanted): how many of them could. */
SORTES_API sortes_status sortes_matcher_advance(sortes_matcher *m,
                                                const int32_t *tokens, size_t n,
                                                size_t *n_ok);
/* Text that is no tokens; *n_ok: how many bytes could come. */
SORTES_API sortes_status sortes_matcher_advance_bytes(sortes_matcher *m,
                                                      const char *bytes,
                                                      size_t n, size_t *n_ok);

/* Takes back the last n tokens (a call of advance_bytes counts as one). */
SORTES_API sortes_status sortes_matcher_rollback(sortes_matcher *m, size_t n);

/* Whether the text may end here; and whether an end token came. */
SORTES_API int sortes_matcher_is_accepting(const sortes_matcher *m);
SORTES_API int sortes_matcher_is_finished(const sortes_matcher *m);

/*
 * The bytes that must come next whatever the model says, up to the first
 * choice or end: writes the first `room` of *n.  They may end inside a
 * character.
 */
SORTES_API sortes_status sortes_matcher_forced(sortes_matcher *m, char *bytes,
                                               size_t room, size_t *n);

/*
 * Starts inside a token: the first tokens must spell `prefix`, which the host
 * took off the end of its prompt, before the grammar's text begins.  Only
 * before the first advance.
 */
SORTES_API sortes_status sortes_matcher_heal(sortes_matcher *m,
                                             const char *prefix, size_t n);

/*
 * The grammar sleeps until `close` (a reasoning block's end tag) has come, and
 * what follows it begins the text.  Only before the first advance.
 */
SORTES_API sortes_status sortes_matcher_think(sortes_matcher *m,
                                              const char *close, size_t n);

/*
 * What wakes a matcher: a token, a word (as soon as all of it has come, in the
 * middle of a token or of several), or a regex that is a word, in which one
 * group may mark a part.
 */
typedef struct sortes_trigger {
    const char *kind; /* "token" "word" "pattern" */
    const char *text; /* word and pattern */
    size_t n_bytes;
    int32_t token;
} sortes_trigger;

/*
 * The grammar sleeps until a trigger comes, and begins with the trigger itself
 * (the group, if there is one that is not empty): what belongs to it of the
 * tokens so far is gone through, the first of them cut where it begins.  Of
 * several words that end in one token the first one listed counts.  As
 * llama.cpp's lazy grammars; of their patterns, what is not a word is refused
 * with SORTES_E_NAME.  Only before the first advance, once, and not with heal
 * or think.
 */
SORTES_API sortes_status sortes_matcher_trigger(sortes_matcher *m,
                                                const sortes_trigger *triggers,
                                                size_t n, sortes_error *err);

/* 0 while no mask is needed because every token may come. */
SORTES_API int sortes_matcher_wants_mask(sortes_matcher *m);

/*
 * The position as bytes that any process can take up again with the same
 * grammar and vocab: writes the first `room` of *n.
 */
SORTES_API sortes_status sortes_matcher_save(const sortes_matcher *m,
                                             void *data, size_t room,
                                             size_t *n);
SORTES_API sortes_status sortes_matcher_load(sortes_matcher *m,
                                             const void *data, size_t n,
                                             sortes_error *err);

/*
 * The matcher as a sampler's constraint: *c owns a clone of m, and
 * sortes_sampler_set_constraint takes it over.
 */
SORTES_API sortes_status sortes_matcher_constraint(const sortes_matcher *m,
                                                   sortes_constraint *c);

/* What the grammar's caches hold; for tests and tuning. */
typedef struct sortes_grammar_stats {
    size_t n_states, state_bytes;
    size_t n_masks, cache_bytes;
    uint64_t hits, misses, flushes;
} sortes_grammar_stats;

SORTES_API void sortes_matcher_stats(const sortes_matcher *m,
                                     sortes_grammar_stats *stats);

/* Forgets masks and transitions; results never depend on them. */
SORTES_API void sortes_matcher_flush(sortes_matcher *m);

/* Remember masks (default) or compute each anew; for tests. */
SORTES_API void sortes_matcher_use_memo(sortes_matcher *m, int on);

/* ---- channels ------------------------------------------------------------ */

/*
 * One stream of output split into reasoning and answer.  Tags open and close a
 * thinking block and belong to neither; one that is torn across pieces is
 * found: bytes that may begin a tag are held back until it is known.
 */
typedef struct sortes_think sortes_think;

typedef struct sortes_think_desc {
    size_t struct_size;              /* sizeof(sortes_think_desc) */
    const char *start_tag, *end_tag; /* NULL: "<think>", "</think>" */
    /* Pieces that may end with a block open, empty ones too, before it is to
     * be closed; below 0: any number. */
    int64_t budget;
    /* rMLX's own rule: a tag is found only inside one piece, and all text of a
     * piece goes to the channel that it ends in. */
    int literal;
} sortes_think_desc;

SORTES_API sortes_status sortes_think_new(sortes_think **out,
                                          const sortes_think_desc *desc,
                                          sortes_error *err);
SORTES_API void sortes_think_free(sortes_think *t); /* NULL is allowed */

/* Text of the prompt: a block is open if the last tag in it opens one.  May
 * come in parts; nothing is counted or emitted. */
SORTES_API void sortes_think_prompt(sortes_think *t, const char *text,
                                    size_t n);

/* Receives text, never empty; thinking: 1 for reasoning, 0 for the answer. */
typedef void sortes_think_emit(void *ctx, int thinking, const char *text,
                               size_t n);

/* One piece of output; emit may be called several times, or not at all. */
SORTES_API void sortes_think_step(sortes_think *t, const char *piece, size_t n,
                                  sortes_think_emit *emit, void *ctx);

/* The end of the output: what was held back is text after all. */
SORTES_API void sortes_think_finish(sortes_think *t, sortes_think_emit *emit,
                                    void *ctx);
SORTES_API int sortes_think_is_open(const sortes_think *t);

/* 1 when the budget has just been used up: once, on the first call after. */
SORTES_API int sortes_think_take_close(sortes_think *t);

#ifdef __cplusplus
}
#endif

#endif /* SORTES_H */
