"""record_golden_rmlx.py - records tests/golden/rmlx.jsonl from NumPy

usage: record_golden_rmlx.py FOLDER SIM

SIM holds mlx_sim.py, a re-implementation of rMLX's host sampler in NumPy.  A
line is one sequence: a row, a draw and its token accepted, again and again; "p"
is a hash of the bits of each step's distribution.  Rows are made by integer
arithmetic, as tests/support/sequences.c makes them.  The first 28 sequences draw
twelve times from one row and have no history: seeds 0 and 42 in the shapes that
people ask for.

SPDX-License-Identifier: MIT
"""
import json
import os
import sys

import numpy as np

f32 = np.float32
N_STEPS = 6


def make_row(shape, salt, n):
    at = (np.arange(n, dtype=np.uint64) + np.uint64(salt * 1000003)) \
        * np.uint64(2654435761) & np.uint64(0xFFFFFFFF)
    h = (at >> np.uint64(20)).astype(np.int64)
    fine = h.astype(f32) / f32(256) - f32(8)
    if shape == "tied":
        return (h >> 7).astype(f32) / f32(4) - f32(4)
    if shape == "flat":
        return h.astype(f32) / f32(65536)
    if shape == "holes":
        return np.where(h % 3 == 0, f32(-np.inf), fine)
    if shape == "spiked":
        return np.where(h % 97 == 0, fine + f32(9), fine)
    return fine


def bfloat(x):
    b = x.view(np.uint32).astype(np.uint64)
    b = (b + 0x7FFF + ((b >> 16) & 1)) & 0xFFFF0000
    return b.astype(np.uint32).view(f32)


def hash_of(p):
    """FNV-1a over the bytes of the floats; most are 0 in a row, so by hand."""
    h = 0xCBF29CE484222325
    for byte in p.astype("<f4").tobytes():
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return "%016x" % h


def record(sim, c):
    q = c["request"]
    g = sim.Pcg32(q["seed"])
    bias = [(int(i), f32(v)) for i, v in q.get("logit_bias", {}).items()]
    tokens, hashes = [], []
    for step in range(12 if "still" in c else N_STEPS):
        x = make_row(c["shape"], c["salt"] + (0 if "still" in c else step),
                     c["n"])
        x = bfloat(x) if c["dtype"] == "bf16" else x
        x = sim.r_penalties(x, [] if "still" in c else tokens[-20:],
                            q.get("repetition_penalty", 1),
                            q.get("presence_penalty", 0),
                            q.get("frequency_penalty", 0), bias)
        p = sim.r_dist(x, q["temperature"], q.get("top_p", 1.),
                       q.get("min_p", 0.), q.get("top_k", 0))
        hashes.append(hash_of(p))
        tokens.append(int(sim.r_cdf(p, g.f32())))
    return dict(c, prompt=[], tokens=tokens, p=hashes)


def plain_cases():
    shapes = [dict(temperature=1.0), dict(temperature=.7),
              dict(temperature=.8, top_p=.95), dict(temperature=.8, min_p=.05),
              dict(temperature=.8, top_k=40),
              dict(temperature=.8, top_p=.95, min_p=.05, top_k=40),
              dict(temperature=1.5, top_p=.5)]
    for n in (1000, 32000):
        for seed in (0, 42):
            for request in shapes:
                yield dict(shape="fine", n=n, dtype="f32", salt=0, still=True,
                           request=dict(request, seed=seed))


def random_cases(r, count):
    some = lambda *values: values[int(r.integers(len(values)))]
    for i in range(count):
        q = dict(temperature=some(.3, .7, .8, 1., 1.7), seed=int(
            r.integers(1 << 62)) * 4 + int(r.integers(4)))
        for name, values in [("top_p", (.3, .9, .95)),
                             ("min_p", (.01, .05, .5)),
                             ("top_k", (1, 5, 39)),
                             ("repetition_penalty", (1.1, 1.4, .9)),
                             ("presence_penalty", (.5, -.5)),
                             ("frequency_penalty", (.3, -.1))]:
            if r.random() < .45:
                q[name] = some(*values)
        if r.random() < .3:
            q["logit_bias"] = {str(int(t)): float(some(1.5, -2.25, 4, -100))
                               for t in r.integers(0, 45, 3)}
        yield dict(shape=some("fine", "tied", "flat", "holes", "spiked"),
                   n=some(40, 500, 700, 3000 if i % 8 == 0 else 65),
                   dtype=some("f32", "bf16"), salt=int(r.integers(1000)),
                   request=q)


def main():
    sys.path.insert(0, sys.argv[2])
    import mlx_sim as sim  # pylint: disable=import-outside-toplevel
    out = os.path.join(sys.argv[1], "rmlx.jsonl")
    cases = list(plain_cases()) + list(random_cases(
        np.random.default_rng(2026), 180))
    with open(out, "w", encoding="utf-8") as file:
        print(json.dumps(dict(rmlx="2026-08", by="NumPy " + np.__version__)),
              file=file)
        for c in cases:
            print(json.dumps(record(sim, c)), file=file)
    print(f"{out}: {len(cases)} sequences")


if __name__ == "__main__":
    main()
