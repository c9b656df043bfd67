#!/usr/bin/env python3
"""json_object.py - free-form JSON against a strict parser, on real documents

  json_object.py SORTES DATA.jsonl.xz [MUTATIONS]

Every object among the instances of MaskBench (written in several ways), and
MUTATIONS damaged copies of each, must be accepted by `sortes grammar check
--kind json_object --profile json` exactly when Python's json reads them, made
strict: no key twice, no half of a surrogate pair, no NaN, only UTF-8.

SPDX-License-Identifier: MIT
"""
import json
import lzma
import random
import re
import subprocess
import sys

DEPTH = 128  # of arrays and objects, as sortes_grammar_options has it
LETTERS = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"0", b"1", b"-",
           b".", b"e", b"E", b"+", b" ", b"\t", b"\r", b"a", b"u", b"\\u",
           b"\\ud83d", b"\\ude00", b"d83d", b"true", b"null", b"\x00", b"\x1f",
           b"\x7f", b"\xc3", b"\xa9", b"\xed\xa0\x80", b"\xff", b"\xf0\x9f",
           b"\xe2\x82\xac", b"\xef\xbb\xbf", b"NaN", b"'", b"/*", b"\\/"]


class Refused(Exception):
    pass


def pairs(items):
    out = dict(items)
    if len(out) != len(items):
        raise Refused("a key twice")
    return out


def constant(name):
    raise Refused(name)


SURROGATE = re.compile("[\ud800-\udfff]")


def whole(value):
    """Whether no string in it holds half of a surrogate pair."""
    if isinstance(value, str):
        return not SURROGATE.search(value)
    if isinstance(value, dict):
        return all(whole(k) and whole(v) for k, v in value.items())
    if isinstance(value, list):
        return all(map(whole, value))
    return True


def depth(value):
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def strict(text):
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=pairs,
                           parse_constant=constant)
    except (ValueError, Refused):
        return False
    return isinstance(value, dict) and whole(value) and depth(value) <= DEPTH


def mutate(text, random_):
    for _ in range(random_.choice((1, 1, 1, 2, 3))):
        at = random_.randrange(len(text) + 1)
        to = min(len(text), at + random_.choice((1, 1, 2, 5)))
        kind = random_.randrange(5)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + random_.choice(LETTERS) + text[at:]
        elif kind == 2:
            text = text[:at] + random_.choice(LETTERS) + text[to:]
        elif kind == 3:  # something of it once more, elsewhere
            where = random_.randrange(len(text) + 1)
            text = text[:where] + text[at:at + 40] + text[where:]
        else:
            text = text[:at]
    return text


def documents(path):
    for line in lzma.open(path, "rt"):
        for test in json.loads(line)["tests"]:
            if isinstance(test["data"], dict) and depth(test["data"]) <= DEPTH:
                yield test["data"]


def spellings(value):
    # json.dumps writes half a pair as an escape, or not at all.
    yield json.dumps(value)
    yield json.dumps(value, indent=1)
    if whole(value):
        yield json.dumps(value, ensure_ascii=False)


def check(sortes, texts, more):
    """The verdicts of one run over lines."""
    result = subprocess.run(
        [sortes, "grammar", "check", "--kind", "json_object", "--profile",
         "json"] + more, input=b"\n".join(texts) + b"\n", stdout=subprocess.PIPE,
        check=True)
    out = [json.loads(line) for line in result.stdout.splitlines()]
    if len(out) != len(texts):
        sys.exit(f"json_object: {len(out)} answers to {len(texts)} lines")
    return out


def compare(sortes, texts, more, lines):
    wrong = 0
    counts = [0, 0]
    for text, got in zip(texts, check(sortes, lines, more)):
        want = strict(text)
        counts[want] += 1
        if got["accepted"] != want or (got["byte"] is None) != want:
            wrong += 1
            if wrong <= 10:
                print(f"differs: {text!r}: sortes {got}, python {want}")
    return wrong, counts


def main():
    sortes, path = sys.argv[1:3]
    mutations = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(10000)
    random_ = random.Random(1)
    texts = []
    for value in documents(path):
        for text in spellings(value):
            text = text.encode()
            texts.append(text)
            texts += [mutate(text, random_) for _ in range(mutations)]
    plain = [t for t in texts if b"\n" not in t]
    broken = [t for t in texts if b"\n" in t]
    broken = [t for t in broken if t.decode("utf-8", "ignore").encode() == t]
    wrong, counts = compare(sortes, plain, [], plain)
    more, others = compare(sortes, broken, ["--json-lines"],
                           [json.dumps(t.decode()).encode() for t in broken])
    accepted, refused = counts[1] + others[1], counts[0] + others[0]
    print(f"{accepted} objects accepted, {refused} texts refused, "
          f"{wrong + more} different")
    if wrong + more or accepted < 1000 or (mutations and refused < 1000):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
