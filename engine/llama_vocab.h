/*
 * llama_vocab.h - a libllama vocabulary as a sortes_vocab
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_ENGINE_LLAMA_VOCAB_H
#define SORTES_ENGINE_LLAMA_VOCAB_H

#include "sortes.h"

struct llama_vocab;

/*
 * Pieces, control tokens with their text; words, each token detokenized by
 * itself; flags; and libllama's tokenizer, for which the model must outlive
 * *out and its samplers.  Free *out with sortes_vocab_free.
 */
sortes_status engine_llama_vocab(sortes_vocab **out,
                                 const struct llama_vocab *vocab,
                                 sortes_error *err);

#endif /* SORTES_ENGINE_LLAMA_VOCAB_H */
