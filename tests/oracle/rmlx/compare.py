"""compare.py - sortes' rmlx dialect against the NumPy re-implementation

  compare.py --replay PROGRAM --sim FOLDER --rows N [--seed S]

FOLDER holds mlx_sim.py, whose r_* functions are rMLX's host sampler.  Rows are
random, tied, flat, two-level and partly -inf, in float32 and bfloat16; filters
and penalties alone and together.  Probabilities are compared by their bits,
and so are the tokens of several seeded draws.  Exits 1 where anything differs.

SPDX-License-Identifier: MIT
"""
import argparse
import struct
import subprocess
import sys
import threading

import numpy as np

F32 = np.float32
E_NOT_FINITE, E_NO_TOKEN = 3, 30
DRAWS = 6


def bfloat(x):
    """Round to the nearest bfloat16, as its bits."""
    b = np.asarray(x, F32).view(np.uint32).astype(np.uint64)
    return ((b + 0x7FFF + ((b >> 16) & 1)) >> 16).astype(np.uint16)


def make_row(r, kind, n):
    x = r.normal(size=n) * r.choice([0.3, 2, 4, 12])
    if kind == "tied":
        x = np.round(x * 2) / 2
    elif kind == "flat":
        x = x * 1e-3
    elif kind == "levels":
        x = np.where(r.random(n) < 0.3, 3.0, -1.0)
    elif kind == "holes":
        x[r.random(n) < 0.6] = -np.inf
    if r.random() < 0.01:
        x[int(r.integers(0, n))] = r.choice([np.nan, np.inf])
    return x.astype(F32)


def make_case(r):
    kind = r.choice(["random", "tied", "flat", "levels", "holes"])
    n = int(r.choice([1, 2, 5, 17, 64, 65, 130, 300, 700], p=[
        .03, .05, .1, .15, .15, .15, .17, .15, .05]))
    row = make_row(r, kind, n)
    on = r.random(8) < 0.45
    c = {
        "n": n, "row": row, "bf16": bool(r.random() < 0.35),
        "temperature": F32(r.choice([1.0, 0.7, 0.2, 1.5, 1e-4, 30.0])),
        "top_p": F32(r.choice([.3, .5, .9, .95, .99, 1e-5])) if on[0] else F32(1),
        "min_p": F32(r.choice([.01, .05, .3, 1.0, 1e-30])) if on[1] else F32(0),
        "top_k": int(r.integers(1, n + 3)) if on[2] else 0,
        "repetition": F32(r.choice([1.1, 1.3, .8])) if on[3] else F32(1),
        "presence": F32(r.choice([.5, -.25])) if on[4] else F32(0),
        "frequency": F32(r.choice([.1, -.3])) if on[5] else F32(0),
        "history": [], "biases": [], "mask": None,
        "seed": int(r.integers(0, 2 ** 63)) * 2 + int(r.integers(0, 2)),
    }
    if on[3] or on[4] or on[5]:
        c["history"] = [int(i) for i in r.integers(
            0, max(1, min(n, 9)), size=int(r.integers(0, 30)))]
    if on[6]:
        c["biases"] = [(int(i), F32(r.choice([1.5, -2.25, -np.inf, 0.1])))
                       for i in r.integers(0, n + 4, size=3)]
    if on[7] and n > 1:
        c["mask"] = r.random(n) < 0.5
        c["mask"][int(r.integers(0, n))] = True
    if c["bf16"]:
        c["bits"] = bfloat(row)
        c["row"] = (c["bits"].astype(np.uint32) << 16).view(F32)
    return c


def encode(c):
    biases = b"".join(struct.pack("=if", i, float(v)) for i, v in c["biases"])
    masked = c["mask"] is not None
    return struct.pack(
        "=6IQ6f2i", c["n"], 2 if c["bf16"] else 0, len(c["history"]),
        len(c["biases"]), masked, DRAWS, c["seed"], c["temperature"],
        c["top_p"], c["min_p"], c["repetition"], c["presence"],
        c["frequency"], c["top_k"], 0) + (
            c["bits"] if c["bf16"] else c["row"]).tobytes() + \
        np.array(c["history"], np.int32).tobytes() + biases + \
        (c["mask"].astype(np.uint8).tobytes() if masked else b"")


def expected(sim, c):
    """(status, probabilities, tokens)"""
    row = c["row"]
    if not np.all(row <= np.finfo(F32).max):
        return E_NOT_FINITE, None, None
    if c["mask"] is not None:
        row = np.where(c["mask"], row, F32(-np.inf)).astype(F32)
    x = sim.r_penalties(row, c["history"][-20:], c["repetition"],
                        c["presence"], c["frequency"], c["biases"])
    if not np.all(x <= np.finfo(F32).max):
        return E_NOT_FINITE, None, None
    try:
        with np.errstate(all="ignore"):
            p = sim.r_dist(x, c["temperature"], c["top_p"], c["min_p"],
                           c["top_k"])
    except ValueError:
        return E_NOT_FINITE, None, None
    if not (p > 0).any():
        return E_NO_TOKEN, None, None
    g = sim.Pcg32(c["seed"])
    with np.errstate(all="ignore"):
        tokens = [sim.r_cdf(p, g.f32()) for _ in range(DRAWS)]
    return 0, p, tokens


def differs(c, out, wanted):
    """What is wrong with the answer, or None."""
    status, p, tokens = wanted
    got = struct.unpack("=i", out.read(4))[0]
    if got == 0:
        q = np.frombuffer(out.read(4 * c["n"]), F32)
        drawn = list(struct.unpack("=%di" % DRAWS, out.read(4 * DRAWS)))
    if got != status:
        return "status %d, expected %d" % (got, status)
    if status != 0:
        return None
    if not np.array_equal(q.view(np.uint32), p.view(np.uint32)):
        at = int(np.nonzero(q.view(np.uint32) != p.view(np.uint32))[0][0])
        return "p[%d] is %s, expected %s" % (at, q[at], p[at])
    if drawn != tokens:
        return "drew %s, expected %s" % (drawn, tokens)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", required=True)
    parser.add_argument("--sim", required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, options.sim)
    import mlx_sim as sim  # pylint: disable=import-outside-toplevel

    def cases():
        r = np.random.default_rng(options.seed)
        for _ in range(options.rows):
            yield make_case(r)

    program = subprocess.Popen([options.replay], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)

    def feed():
        for c in cases():
            program.stdin.write(encode(c))
        program.stdin.close()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    counts = {0: 0, E_NOT_FINITE: 0, E_NO_TOKEN: 0}
    wrong = 0
    for i, c in enumerate(cases()):
        wanted = expected(sim, c)
        counts[wanted[0]] += 1
        problem = differs(c, program.stdout, wanted)
        if problem is not None:
            wrong += 1
            print("row %d: %s\n  %s" % (i, problem, {
                k: v for k, v in c.items() if k not in ("row", "bits", "mask")}))
            if wrong == 5:
                break
    if wrong < 5 and (program.stdout.read(1) or program.wait() != 0):
        print("replay did not end well")
        wrong += 1
    print("rmlx: %d rows, %d of them refused, %d draws each, %d different" % (
        options.rows, options.rows - counts[0], DRAWS, wrong))
    return 1 if wrong or 0 in counts.values() else 0


if __name__ == "__main__":
    sys.exit(main())
