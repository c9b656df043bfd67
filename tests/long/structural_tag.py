#!/usr/bin/env python3
"""structural_tag.py - long/structural_tag: verdicts beside XGrammar's, to the
byte, on random formats

  structural_tag.py SORTES [FORMATS [SEED]]

Needs a Python with xgrammar 0.2.9.  Left out: triggers inside one another,
where the two differ on purpose (docs/CONSTRAINTS.md), and programs of other
kinds, whose languages differ.  XGrammar lets some texts end inside a tag: those
are counted apart, and may not be many (test_free_text.c has the definition).

SPDX-License-Identifier: MIT
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import xgrammar

LETTERS = "ab<>"
TRIGGERS = ["<a", "<b", "a<"]
END = 256


def word(rng, least, most):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(least, most)))


def tag(rng, depth, begin=None):
    return {"type": "tag", "begin": begin or word(rng, 1, 2),
            "content": some(rng, depth - 1),
            "end": rng.choice([word(rng, 1, 2), [word(rng, 1, 2),
                                                 word(rng, 1, 2)]])}


def triggered(rng, depth):
    triggers = rng.choice([["<a"], ["<a", "<b"], ["<b", "a<"]])
    return {"type": "triggered_tags", "triggers": triggers,
            "tags": [tag(rng, depth, t + word(rng, 0, 1)) for t in triggers],
            "at_least_one": rng.random() < 0.3,
            "stop_after_first": rng.random() < 0.3}


def separated(rng, depth):
    return {"type": "tags_with_separator", "separator": word(rng, 0, 1),
            "tags": [tag(rng, depth) for _ in range(rng.randint(1, 2))],
            "at_least_one": rng.random() < 0.5,
            "stop_after_first": rng.random() < 0.3}


def some(rng, depth):
    kind = rng.choice(["const", "const", "any"] if depth <= 0 else
                      ["const", "any", "sequence", "or", "times", "tag",
                       "triggered", "separated"])
    if kind == "const":
        return {"type": "const_string", "value": word(rng, 1, 2)}
    if kind == "any":
        return {"type": "any_text",
                "excludes": [word(rng, 1, 2)] if rng.random() < 0.3 else []}
    if kind in ("sequence", "or"):
        return {"type": kind, "elements": [some(rng, depth - 1)
                                           for _ in range(rng.randint(1, 3))]}
    if kind == "times":
        return {"type": rng.choice(["optional", "star", "plus"]),
                "content": some(rng, depth - 1)}
    return {"tag": tag, "triggered": triggered,
            "separated": separated}[kind](rng, depth)


def theirs(grammar, text):
    matcher = xgrammar.GrammarMatcher(grammar)
    for i, byte in enumerate(text.encode()):
        if not matcher.accept_token(byte):
            return {"accepted": False, "byte": i}
    if matcher.accept_token(END):
        return {"accepted": True, "byte": None}
    return {"accepted": False, "byte": len(text)}


def grown(rng, grammar):
    """A text that their matcher takes as far as it goes, mostly."""
    matcher, text = xgrammar.GrammarMatcher(grammar), ""
    for _ in range(rng.randint(0, 12)):
        letter = rng.choice(LETTERS)
        for letter in [letter] + list(LETTERS):
            if rng.random() < 0.02 or matcher.accept_token(ord(letter)):
                text += letter
                break
    return text


def ours(program, path, texts):
    lines = "".join(json.dumps(t) + "\n" for t in texts).encode()
    done = subprocess.run([program, "grammar", "check", "--kind",
                           "structural_tag", "--file", path, "--json-lines"],
                          input=lines, stdout=subprocess.PIPE, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    program = sys.argv[1]
    n_formats = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    vocab = [bytes([i]) for i in range(256)] + [b"</s>"]
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo(
        vocab, xgrammar.VocabType.RAW, stop_token_ids=[END]))
    n = bad = early = skipped = 0
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "tag.json")
    for _ in range(n_formats):
        whole = {"type": "structural_tag", "format": some(rng, 3)}
        try:
            grammar = compiler.compile_structural_tag(whole)
        except RuntimeError:
            skipped += 1
            continue
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole, file)
        texts = [grown(rng, grammar) for _ in range(40)]
        texts += [word(rng, 0, 8) for _ in range(10)]
        answers = ours(program, path, texts)
        for text, answer in zip(texts, answers):
            n += 1
            expected = theirs(grammar, text)
            if expected["accepted"] and answer["byte"] == len(text):
                early += 1
            elif answer != expected:
                bad += 1
                print(json.dumps(whole), repr(text), answer, "not", expected)
        if len(answers) != len(texts):
            bad += 1
            print(json.dumps(whole), answers)
    os.remove(path)
    os.rmdir(folder)
    print(f"{n} texts of {n_formats - skipped} formats, {skipped} formats "
          f"refused there: {bad} differ, {early} end early there")
    sys.exit(bad > 0 or early > n // 50)


main()
