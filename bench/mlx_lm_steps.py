"""mlx_lm_steps.py - sortes beside mlx-lm on MLX's CPU, step by step in one process

usage: mlx_lm_steps.py --play LIBRARY [--json FILE] [--steps N]

Per line: mlx-lm's sampler alone (log-probabilities in, token out), mlx-lm from
the logits (log-softmax too), and sortes from the logits; medians, microseconds.
Each step the two look at different rows of eight, in turn; every token is
compared, on the same row, before the clock starts.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "tests", "oracle", "mlx"))

import mlx.core as mx
import numpy as np
from mlx_lm import sample_utils

from player import BF16, F32, Library, Player, as_row

mx.set_default_device(mx.cpu)
N_ROWS = 8

CHAINS = {
    "k40 p.95 m.05 t.8": dict(temp=.8, top_p=.95, min_p=.05, top_k=40),
    "k40 m.05 t.8": dict(temp=.8, min_p=.05, top_k=40),
    "t.8": dict(temp=.8),
    "p.95 t.8": dict(temp=.8, top_p=.95),
    "greedy": dict(temp=0.),
}
SIZES = [32000, 151936, 262144]
KINDS = ["ordinary", "flat", "tied"]


def make_row(r, n, kind):
    """As bench/chains.c names them."""
    x = r.normal(size=n) * (.3 if kind == "flat" else 3)
    if kind != "flat":
        x[r.integers(0, n, 30)] += 8 + 6 * r.random(30)
    if kind == "tied":
        x = np.round(x * 8) / 8
    return x.astype(np.float32)


def rounded(x):
    a = mx.array(x).astype(mx.bfloat16).astype(mx.float32)
    return np.array(a)


def same_tokens(library, settings, rows, arrays, dtype):
    """Both from one seed, three draws a row."""
    sampler = sample_utils.make_sampler(**settings)
    mx.random.seed(5)
    with Player(library, dict(settings, seed=5)) as p:
        for row, a in zip(rows, arrays):
            lp = a - mx.logsumexp(a, keepdims=True)
            want = [sampler(lp).item() for _ in range(3)]
            if p.draws(row, 3, dtype) != want:
                return False
    return True


def measure(library, settings, rows, dtype, n_steps):
    arrays = [mx.array(x[None]) for x in rows]
    if dtype == BF16:
        arrays = [a.astype(mx.bfloat16) for a in arrays]
    mx.eval(arrays)
    if not same_tokens(library, settings, rows[:2], arrays[:2], dtype):
        sys.exit(f"bench: tokens differ: {settings}")
    sampler = sample_utils.make_sampler(**settings)
    places = [as_row(x, dtype) for x in rows]
    alone, whole, ours = [], [], []
    with Player(library, dict(settings, seed=6)) as p:
        for i in range(n_steps + 4):
            a = arrays[i % N_ROWS]
            start = time.perf_counter()
            lp = a - mx.logsumexp(a, keepdims=True)
            mx.eval(lp)
            between = time.perf_counter()
            sampler(lp).item()
            end = time.perf_counter()
            seconds, _ = p.seconds(places[(i + N_ROWS // 2) % N_ROWS][0])
            if i < 4:
                continue
            alone.append(end - between)
            whole.append(end - start)
            ours.append(seconds)
    return [1e6 * statistics.median(x) for x in (alone, whole, ours)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", required=True)
    parser.add_argument("--json")
    parser.add_argument("--steps", type=int, default=15)
    o = parser.parse_args()
    library, lines = Library(o.play), []
    print(f"mlx-lm on mlx {mx.__version__}, CPU; us: its sampler alone, from "
          "the logits, sortes from the logits")
    for n in SIZES:
        for kind in KINDS:
            r = np.random.default_rng(n)
            rows = [make_row(r, n, kind) for _ in range(N_ROWS)]
            for dtype in (F32, BF16):
                if dtype == BF16 and (n != 151936 or kind != "ordinary"):
                    continue
                if dtype == BF16:
                    rows = [rounded(x) for x in rows]
                for name, settings in CHAINS.items():
                    alone, whole, ours = measure(library, settings, rows,
                                                 dtype, o.steps)
                    lines.append(dict(n=n, kind=kind, chain=name,
                                      type=["f32", 0, "bf16"][dtype],
                                      sampler=alone, logits=whole,
                                      sortes=ours))
                    print(f"{n:7} {kind:9}{lines[-1]['type']:5}{name:19}"
                          f"{alone:9.0f} {whole:9.0f} {ours:8.1f}"
                          f"{alone / ours:8.1f}x {whole / ours:8.1f}x",
                          flush=True)
    if o.json:
        with open(o.json, "w") as file:
            json.dump(lines, file, indent=1)


main()
