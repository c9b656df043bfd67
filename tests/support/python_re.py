#!/usr/bin/env python3
"""python_re.py - regular expressions against Python's re, with re.ASCII

  python_re.py SORTES PATTERNS SEED [LENGTH]

PATTERNS random patterns of what both dialects have in common, each on all
texts of up to LENGTH (4) characters of a small alphabet: accepted exactly when
re.fullmatch() says so, and a text that begins a matching one never fails before
it does.  `$` is \\Z in Python, and \\B on an empty text is not compared: Python
before 3.14 has a rule of its own there.

SPDX-License-Identifier: MIT
"""
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys

ALPHABETS = ["ab-", "aB_ ", "0x\n", "a\u00e9\U0001f600"]


class TooSlow(Exception):
    """Python's matcher went back and forth for too long."""


def too_slow(*_):
    raise TooSlow


def atom(rng, letters, plain):
    simple = [re.escape(c) if c != "\n" else "\\n" for c in letters]
    atoms = simple + [".", "[^%s]" % simple[0], "\\w", "\\W", "\\d", "\\s",
                      "[%s]" % "".join(simple[:2]), "[\\d%s]" % simple[-1]]
    return rng.choice(atoms if plain else atoms + ["^", "$", "\\b", "\\B"])


def grow(rng, letters, depth, plain=False):
    """plain: inside lookbehind, which has one width in Python."""
    dice = rng.random()
    if depth <= 0 or dice < 0.25:
        return atom(rng, letters, plain)
    if dice < 0.5:
        return (grow(rng, letters, depth - 1, plain) +
                grow(rng, letters, depth - 1, plain))
    if plain:
        return grow(rng, letters, depth - 1, True)
    if dice < 0.65:
        return "(?:%s|%s)" % (grow(rng, letters, depth - 1),
                              grow(rng, letters, depth - 1))
    if dice < 0.8:
        return "(?:%s)%s" % (grow(rng, letters, depth - 1), rng.choice(
            ["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "*?", "+?"]))
    if dice < 0.9:
        return rng.choice(["(?=%s)", "(?!%s)", "(%s)", "(?P<n%d>%%s)" %
                           rng.randrange(10**6)]) % grow(rng, letters,
                                                         depth - 1)
    if dice < 0.95:
        return rng.choice(["(?<=%s)", "(?<!%s)"]) % grow(rng, letters, 1, True)
    return "(?:%s|)" % grow(rng, letters, depth - 1)


def verdicts(sortes, pattern, texts):
    """(accepted, byte where it fails) of each text; None: refused as empty."""
    with open("pattern", "w", encoding="utf-8", newline="") as file:
        file.write(pattern)
    lines = "".join(json.dumps(t) + "\n" for t in texts)
    run = subprocess.run([sortes, "grammar", "check", "--kind", "regex",
                          "--file", "pattern", "--json-lines"],
                         input=lines, capture_output=True, text=True,
                         check=False)
    out = [json.loads(line) for line in run.stdout.splitlines()]
    if run.returncode and len(out) == 1 and \
            "no text satisfies it" in out[0]["error"]:
        return None
    if len(out) != len(texts):
        sys.exit(f"{pattern!r}: {run.stdout}{run.stderr}")
    return [(o["accepted"], o["byte"]) for o in out]


def expected(pattern, texts):
    compiled = re.compile(pattern.replace("$", "\\Z"), re.ASCII)
    signal.alarm(5)
    try:
        accepted = {t for t in texts if compiled.fullmatch(t)}
    finally:
        signal.alarm(0)
    alive = {t[:i] for t in accepted for i in range(len(t) + 1)}
    return accepted, alive


def compare(sortes, pattern, texts):
    if "\\B" in pattern:
        texts = texts[1:]  # not the empty one
    accepted, alive = expected(pattern, texts)
    got = verdicts(sortes, pattern, texts)
    if got is None:
        assert not accepted, f"{pattern!r} is refused; {accepted} match"
        return
    for text, (yes, byte) in zip(texts, got):
        assert yes == (text in accepted), f"{pattern!r} on {text!r}: {yes}"
        if not yes and byte is not None:
            n = max(i for i in range(len(text) + 1)
                    if i == 0 or text[:i] in alive)
            assert byte >= len(text[:n].encode()), \
                f"{pattern!r} on {text!r} fails at byte {byte}"


def main():
    sortes, count, seed = os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:4])
    length = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    rng = random.Random(seed)
    done = slow = 0
    signal.signal(signal.SIGALRM, too_slow)
    while done < count:
        letters = ALPHABETS[done % len(ALPHABETS)]
        texts = ["".join(t) for n in range(length + 1)
                 for t in itertools.product(letters, repeat=n)]
        try:
            compare(sortes, grow(rng, letters, rng.randrange(1, 6)), texts)
        except TooSlow:
            slow += 1
        done += 1
    print(f"{done} patterns, {slow} too slow in Python")


if __name__ == "__main__":
    main()
