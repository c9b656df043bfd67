#!/usr/bin/env python3
"""compare.py - masks of sortes and of llguidance (no_forcing), bit by bit

  compare.py --play MODULE --folder FOLDER [--model GGUF] [--qwen TIKTOKEN]
             [--data MASKBENCH.jsonl.xz] [--walks N] [--long]

Under profile llguidance, over a vocabulary of single bytes and real ones: at
every state of random walks, and of MaskBench's objects where there are any.
Schemas that both read alike in the same way, and MaskBench's along their valid
texts: equal, or of a kind that is known to differ (kinds.py).

SPDX-License-Identifier: MIT
"""
import argparse
import base64
import collections
import json
import os
import sys

import kinds
from peers import Ours, Theirs, Vocab, lark_json, lark_regex, objects, \
    schemas, seeded, set_of

# Kind and text of ours, the grammar of theirs that is to equal it, and a test
# of where it is known not to.
GRAMMARS = [("json_object", "", lark_json({"type": "object"}), None)]

# What both dialects read alike: \d \w \s and '.' are Unicode's or ASCII's.
REGEXES = [
    r"[a-z]{2,5}", r"(foo|foobar|barfoo)+", r"[^\x00-\x1f\"\\]*", r"a[^\n]b",
    r"(a|b)*abb", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"x{3,}y?", r"[\u00e0-\u00ff]+",
    r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", r"[0-9]+(,[0-9]{3})*",
    r"(ab|a)(bc|c)?", r"[a-zA-Z_][0-9A-Za-z_]{0,30}", r"([ab]{2,3}c?){2,4}",
    r"[^ \t\n@]+@[^ \t\n@]+\.com", r"[^\x00-\x7f]{1,3}", r"(|a|ab)(|c)",
    r"(https?|ftp)://[a-z.]+(/[^ \n]*)?", r"[\u20ac\u{1F600}]|\t?",
]


def byte_vocab(play, folder):
    path = os.path.join(folder, "bytes.tiktoken")
    with open(path, "wb") as file:
        for i in range(256):
            file.write(base64.b64encode(bytes([i])) + b" %d\n" % i)
    return Vocab(play, path)


class Differs(Exception):
    """text, pieces: where, and what of tokens that do not end it."""
    text, pieces = b"", ()


def same(vocab, ours, theirs, text):
    """Both masks at one place; the tokens that may come there."""
    ours.mask()
    theirs.mask()
    mine = set_of(ours.bits, vocab.n)
    other = set_of(theirs.bits, vocab.n)
    for end in vocab.ends[1:]:  # llguidance is told of one end token
        other[end] = mine[end]
    for i in set(vocab.special) - set(vocab.ends):
        other[i] = 0
    wrong = (mine != other).nonzero()[0]
    if wrong.size or ours.accepts() != theirs.accepts():
        shown = [(vocab.pieces[i], int(mine[i])) for i in wrong[:5]]
        differs = Differs(f"after {text!r}: {wrong.size} tokens, {shown}, "
                          f"accepts {ours.accepts()}, {theirs.accepts()}")
        differs.text = text
        differs.pieces = [vocab.pieces[i] for i in wrong
                          if i not in vocab.ends]
        raise differs
    return [i for i in mine.nonzero()[0] if int(i) not in vocab.ends]


def go(ours, theirs, token, text):
    mine, other = ours.advance(token), theirs.advance(token)
    if (mine < 0) != (other < 0):
        raise Differs(f"after {text!r}: token {token}: {mine}, {other}")
    return mine >= 0


def walk(vocab, ours, theirs, random_, steps):
    text, n = b"", 0
    for _ in range(steps):
        tokens = same(vocab, ours, theirs, text)
        n += 1
        if not tokens:
            break
        # What opens and closes would drown among a hundred thousand words.
        short = [t for t in tokens if len(vocab.pieces[t]) <= 2]
        token = int(random_.choice(short if short and random_.random() < 0.7
                                   else tokens))
        if not go(ours, theirs, token, text):
            raise Differs(f"after {text!r}: token {token} is masked in only")
        text += vocab.pieces[token]
    return n


def follow(vocab, ours, theirs, text):
    n, so_far = 0, b""
    for token in vocab.greedy(text) or []:
        same(vocab, ours, theirs, so_far)
        n += 1
        if not go(ours, theirs, token, so_far):
            break
        so_far += vocab.pieces[token]
    else:
        same(vocab, ours, theirs, so_far)
    return n


def compare(vocab, tokenizer, grammar, random_, walks, texts):
    """Masks.  Raises Differs, unless it is known that they do there."""
    kind, text, lark, known = grammar
    ours = Ours(vocab, kind, text)
    theirs = Theirs(vocab, tokenizer, lark)
    n = 0
    for _ in range(walks):
        ours.reset()
        theirs.reset()
        try:
            n += walk(vocab, ours, theirs, random_,
                      random_.choice((5, 20, 80)))
        except Differs as differs:
            if not known or not known(differs.text, differs.pieces):
                raise
    for one in texts:
        ours.reset()
        theirs.reset()
        n += follow(vocab, ours, theirs, one.encode())
    return n


def grammars(vocab):
    out = list(GRAMMARS)
    try:
        Ours(vocab, "regex", "a")
    except ValueError:
        return out
    return (out + [("regex", r, lark_regex(r), None) for r in REGEXES] +
            [("json_schema", json.dumps(s), lark_json(s), known)
             for s, known in [(s, None) for s in kinds.ALIKE] + kinds.NEARLY])


def compare_schema(vocab, tokenizer, schema, texts):
    """Masks; None: one of the two refuses it.  Raises Differs."""
    text = json.dumps(schema, ensure_ascii=False)
    try:
        ours = Ours(vocab, "json_schema", text)
        theirs = Theirs(vocab, tokenizer, lark_json(schema))
    except ValueError:
        return None
    n = 0
    for one in texts:
        ours.reset()
        theirs.reset()
        n += follow(vocab, ours, theirs, one.encode())
    return n


def compare_schemas(vocab, tokenizer, cases):
    """Whether those that differ do so as they may; masks."""
    counts, masks = collections.Counter(), 0
    for name, schema, texts in cases:
        kind = "refused by one"
        try:
            n = compare_schema(vocab, tokenizer, schema, texts)
            if n is not None:
                kind, masks = "equal", masks + n
        except Differs as difference:
            kind = kinds.kind_of(schema)
            if not kind:
                print(f"{name}: {difference}")
        counts[kind] += 1
    read = sum(counts.values()) - counts["refused by one"]
    print(f"{len(cases)} schemas of MaskBench, {masks} masks: {dict(counts)}")
    return not counts[None] and counts["equal"] >= 0.9 * read, masks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", required=True)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--model")
    parser.add_argument("--qwen")
    parser.add_argument("--data")
    parser.add_argument("--walks", type=int, default=40)
    parser.add_argument("--long", action="store_true")
    a = parser.parse_args()
    vocabs = [("bytes", byte_vocab(a.play, a.folder))]
    for name, path in (("model", a.model), ("qwen", a.qwen)):
        if path:
            vocabs.append((name, Vocab(a.play, path)))
    texts = objects(a.data, 400 if a.long else 20) if a.data else []
    wrong = total = 0
    for name, vocab in vocabs:
        tokenizer, _ = vocab.tokenizer()
        # They take longest over so many tokens.
        walks = a.walks // 4 if a.long and name == "qwen" else a.walks
        for grammar in grammars(vocab):
            given = texts if grammar[0] == "json_object" else []
            if name == "qwen" and grammar[0] == "json_schema" and not a.long:
                continue
            try:
                total += compare(vocab, tokenizer, grammar, seeded(1), walks,
                                 given)
            except Differs as difference:
                wrong += 1
                print(f"{name}, {grammar[0]} {grammar[1]!r}: {difference}")
        if a.data and name in ("bytes", "model" if a.long else "bytes"):
            few = None if a.long and name == "bytes" else 100
            ok, masks = compare_schemas(vocab, tokenizer,
                                        schemas(a.data, few))
            wrong += not ok
            total += masks
    print(f"{total} masks over {len(vocabs)} vocabularies, {wrong} grammars "
          "differ")
    return 1 if wrong or total < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
