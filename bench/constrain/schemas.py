#!/usr/bin/env python3
"""schemas.py - the schemas of MaskBench: sortes beside llguidance

  schemas.py --bench PROGRAM --play MODULE --data MASKBENCH.jsonl.xz
             [--schemas N] [--json FILE] VOCAB ...

Each schema is compiled with both libraries' defaults (llguidance: no_forcing
does not matter to a mask) and stepped through its texts, up to the first token
that the mask lacks; group B are the schemas that llguidance refuses.  sortes is
timed in C; llguidance is called from Python, and the time of an empty call (a
median) is taken off each of its figures.  A library sees the same texts, but
goes on as long as it allows: sortes counts what it takes, llguidance what it
does.  Of each call the least of three runs counts, each with a new grammar.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "oracle", "llguidance"))
from masks import empty_call, statistics  # noqa: E402
from peers import Vocab  # noqa: E402
import llguidance  # noqa: E402
import numpy  # noqa: E402

RUNS = 3


def cases(path, limit):
    out = []
    for line in lzma.open(path, "rt"):
        case = json.loads(line)
        tests = [(test["valid"], json.dumps(test["data"], ensure_ascii=False))
                 for test in case["tests"]]
        out.append((json.dumps(case["schema"], ensure_ascii=False), tests))
        if len(out) == limit:
            break
    return out


class Their:
    def __init__(self, vocab):
        self.vocab = vocab
        self.tokenizer, _ = vocab.tokenizer()
        n = vocab.n + (0 if vocab.ends else 1)
        self.bits = numpy.zeros((n + 31) // 32, dtype=numpy.uint32)

    def compile(self, schema):
        """Nanoseconds, or None where it refuses."""
        begin = time.perf_counter_ns()
        try:
            grammar = llguidance.LLMatcher.grammar_from_json_schema(schema)
            self.matcher = llguidance.LLMatcher(self.tokenizer, grammar,
                                                log_level=0)
        except ValueError:
            return None
        ns = time.perf_counter_ns() - begin
        return None if self.matcher.is_error() else ns

    def text(self, tokens, masks, advances):
        self.matcher.reset()
        for token in tokens:
            begin = time.perf_counter_ns()
            self.matcher.unsafe_compute_mask_ptr(self.bits.ctypes.data,
                                                 self.bits.nbytes)
            masks.append(time.perf_counter_ns() - begin)
            if not self.bits[token >> 5] >> (token & 31) & 1:
                return
            begin = time.perf_counter_ns()
            if not self.matcher.consume_token(token):
                return
            advances.append(time.perf_counter_ns() - begin)

    def run(self, schema, texts):
        """Lists of nanoseconds: compile, mask, first, second, advance."""
        first = next((t for valid, t in texts if valid), None)
        out = {name: [] for name in
               ("compile", "mask", "first", "second", "advance")}
        ns = self.compile(schema)
        if ns is None:
            return None
        if first is not None:
            self.text(first, out["first"], [])
            self.compile(schema)
        out["compile"].append(ns)
        for _, tokens in texts:
            self.text(tokens, out["mask"], out["advance"])
        for _, tokens in texts:
            self.text(tokens, out["second"], [])
        return out


def run_theirs(vocab, every):
    """Of each schema what run() gave, the least of RUNS; None: refused."""
    their, out = Their(vocab), []
    off = None
    for schema, tests in every:
        texts = [(valid, vocab.greedy(text.encode())) for valid, text in tests]
        least = their.run(schema, texts)
        for _ in range(1, RUNS if least else 0):
            now = their.run(schema, texts)
            for name in least:
                least[name] = list(map(min, least[name], now[name]))
        if least and off is None:
            off = empty_call(their.matcher)
        out.append(least)
    return out, off


def show(title, mine, other):
    ratio = f"{other / mine:8.1f}" if other is not None and mine else " " * 8
    there = f"{other:10.2f}" if other is not None else " " * 10
    print(f"  {title:22s} {mine:10.2f} {there} {ratio}")


def report(mine, their, off, largest):
    clock = mine["clock_us"]
    for group, what in ("A", "that both take"), ("B", "llguidance refuses"):
        m = mine[group]
        print(f"  {what}: {int(m['schemas'])} schemas, sortes refuses "
              f"{int(m['refused'])}, {int(m['ended'])} end at a limit; "
              f"{m['mask']['n']} masks")
        print(f"  {'us':22s} {'sortes':>10s} {'llguidance':>10s} {'ratio':>8s}")
        for call in ("compile", "mask", "first", "second", "advance"):
            if not m[call]["n"]:
                continue
            ns = [x for t in their if t for x in t[call]]
            other = statistics(ns, off) if group == "A" else None
            for which in ("p50", "mean", "p99", "p999", "max"):
                show(f"{call} {which}", max(0.0, m[call][which] - clock),
                     other and other[which])
        if group == "A":
            show(f"compile {int(m['largest'])} bytes", m["largest_us"], largest)


def main():
    parser = argparse.ArgumentParser()
    for name in ("bench", "play", "data"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--schemas", type=int)
    parser.add_argument("--json")
    parser.add_argument("vocabs", nargs="+")
    a = parser.parse_args()
    every = cases(a.data, a.schemas)
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for path in a.vocabs:
            vocab = Vocab(a.play, path)
            their, off = run_theirs(vocab, every)
            file_name = os.path.join(folder, "cases")
            with open(file_name, "w", encoding="utf-8") as file:
                for (schema, tests), taken in zip(every, their):
                    file.write(("A" if taken else "B") + schema + "\n")
                    for valid, text in tests:
                        file.write(("+" if valid else "-") + text + "\n")
            out = subprocess.run([a.bench, path, file_name], check=True,
                                 stdout=subprocess.PIPE).stdout
            mine = json.loads(out)
            taken = [(len(s.encode()), t["compile"][0] / 1e3)
                     for (s, _), t in zip(every, their) if t]
            print(f"{int(mine['tokens'])} tokens; clock "
                  f"{mine['clock_us'] * 1e3:.0f} ns, empty call {off} ns, "
                  "copying a mask "
                  f"{(mine['copy_us'] - mine['clock_us']) * 1e3:.0f} ns")
            report(mine, their, off, max(taken)[1])
            figures.append(mine)
    if a.json:
        with open(a.json, "w") as file:
            json.dump(figures, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
