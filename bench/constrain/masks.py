#!/usr/bin/env python3
"""masks.py - masks of sortes beside llguidance's, on the same tokens

  masks.py --bench PROGRAM --play MODULE --data MASKBENCH.jsonl.xz [--texts N]
           VOCAB ...

Free-form JSON over the valid objects of MaskBench, one grammar, one thread.
sortes is timed in C; llguidance is called from Python, and the time of an empty
call (a median) is taken off each of its figures.  Of each call the least of
three runs counts, each with a new grammar: what the scheduler takes does not.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "oracle", "llguidance"))
from peers import Theirs, Vocab, lark_json, objects  # noqa: E402


def empty_call(matcher, n=200000):
    times = []
    for _ in range(n):
        begin = time.perf_counter_ns()
        matcher.is_accepting()
        times.append(time.perf_counter_ns() - begin)
    return sorted(times)[n // 2]


def statistics(ns, off):
    us = sorted(max(0, x - off) / 1e3 for x in ns)

    def rank(part):
        return us[min(len(us) - 1, int(part * len(us)))]

    return {"p50": rank(0.5), "p99": rank(0.99), "p999": rank(0.999),
            "max": us[-1], "mean": sum(us) / len(us), "n": len(us)}


def run_once(theirs, token_file):
    """Nanoseconds of each call, in the order of the tokens."""
    masks, advances, clones, rollbacks = [], [], [], []
    for line in open(token_file):
        theirs.reset()
        for token in map(int, line.split()):
            masks.append(theirs.mask())
            ns = theirs.advance(token)
            if ns < 0:
                break
            advances.append(ns)
            if len(masks) % 64 == 0:
                begin = time.perf_counter_ns()
                theirs.matcher.deep_copy()
                clones.append(time.perf_counter_ns() - begin)
                begin = time.perf_counter_ns()
                theirs.matcher.rollback(1)
                rollbacks.append(time.perf_counter_ns() - begin)
                theirs.matcher.consume_token(token)
    return masks, advances, clones, rollbacks


def run_theirs(play, path, token_file, runs=3):
    vocab = Vocab(play, path)
    set_up = 1e9
    least = None
    for _ in range(runs):
        tokenizer, seconds = vocab.tokenizer()
        set_up = min(set_up, seconds)
        theirs = Theirs(vocab, tokenizer, lark_json({"type": "object"}))
        off = empty_call(theirs.matcher)
        now = run_once(theirs, token_file)
        least = now if least is None else [
            list(map(min, a, b)) for a, b in zip(least, now)]
    out = {"set_up_ms": set_up * 1e3, "empty_call_us": off / 1e3}
    for name, ns in zip(("mask", "advance", "clone", "rollback"), least):
        out[name] = statistics(ns, off)
    return out


def show(name, mine, other):
    ratio = f"{other / mine:8.1f}" if mine > 0 else "       -"
    print(f"  {name:22s} {mine:10.2f} {other:10.2f} {ratio}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("bench", "play", "data"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--texts", type=int)
    parser.add_argument("vocabs", nargs="+")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts = os.path.join(folder, "texts")
        with open(texts, "w", encoding="utf-8") as file:
            for text in objects(a.data, a.texts):
                file.write(text + "\n")
        for path in a.vocabs:
            tokens = os.path.join(folder, "tokens")
            run = subprocess.run([a.bench, path, texts, tokens], check=True,
                                 stdout=subprocess.PIPE)
            mine = json.loads(run.stdout)
            other = run_theirs(a.play, path, tokens)
            clock = mine["clock"]["p50"]
            print(f"{int(mine['tokens'])} tokens, {mine['mask']['n']} masks; "
                  f"tree {mine['tree_bytes'] / 2**20:.1f} MiB, file read in "
                  f"{mine['read_ms']:.1f} ms; clock {clock * 1e3:.0f} ns, empty "
                  f"call {other['empty_call_us'] * 1e3:.0f} ns; "
                  f"{int(mine['refused'])} texts refused")
            print(f"  {'us':22s} {'sortes':>10s} {'llguidance':>10s} "
                  f"{'ratio':>8s}")
            show("set-up (ms)", mine["set_up_ms"], other["set_up_ms"])
            for call in ("mask", "advance", "clone", "rollback"):
                for which in ("p50", "mean", "p99", "p999", "max"):
                    show(f"{call} {which}",
                         max(0.0, mine[call][which] - clock),
                         other[call][which])
            print(f"  masks of the first text, mean: "
                  f"{mine['first_us'] - clock:.2f} us; masks and "
                  f"transitions {mine['cache_bytes'] / 2**20:.1f} MiB, "
                  f"{int(mine['flushes'])} flushes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
