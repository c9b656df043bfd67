"""compare.py - sortes beside mlx-lm on MLX's CPU, draw by draw

usage: compare.py --play LIBRARY [--long] [GROUP ...]

Without --long about 2,000 draws, with it 100,000 and every float of exp; the
whole of each group is seeded, so a difference comes again.  Prints a line for
each group; exit 1 if anything differs.  SORTES_SHARED names a folder with
oracle/mlx_golden.json: runs recorded elsewhere, which are compared as well.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import shutil
import sys

# Its just-in-time compiler changes no number (group `compiled` shows it) and
# costs a run of g++ for each new constant.
os.environ.setdefault("MLX_DISABLE_COMPILE", "1")

import mlx.core as mx
import numpy as np
from mlx_lm import sample_utils
from mlx_lm.generate import generate_step

from player import BF16, F32, PROMPT, Library, Player, Refused

mx.set_default_device(mx.cpu)
f32 = np.float32
GROUPS = {}
SHOWN = 5


def group(function):
    GROUPS[function.__name__] = function
    return function


class Tally:
    def __init__(self, name):
        self.name, self.n, self.different = name, 0, 0

    def add(self, same, n=1, about=""):
        self.n += n
        if same:
            return
        self.different += 1
        if self.different <= SHOWN:
            print(f"{self.name}: differs: {about}"[:2000])


# ---- rows -----------------------------------------------------------------------


def to_bfloat(x):
    bits = np.asarray(x, f32).view(np.uint32).astype(np.uint64)
    out = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return out.astype(np.uint32).view(f32)


KINDS = ["random", "tied", "flat", "forbidden", "spiked", "equal", "steps"]


def make_row(r, n, kind):
    x = r.normal(size=n) * r.choice([.5, 2, 6])
    if kind == "tied":
        x = np.round(x * 2) / 2
    elif kind == "flat":
        x = r.normal(size=n) * .05
    elif kind == "forbidden":
        x[r.random(n) < .6] = -np.inf
        x[r.integers(n)] = 1
    elif kind == "spiked":
        x[r.integers(0, n, 5)] += 8 + 6 * r.random(5)
    elif kind == "equal":
        x[:] = 1.25
    elif kind == "steps":
        x = r.integers(0, 4, n) * 1.5
    return x.astype(f32)


def make_size(r, long):
    pick = r.random()
    if pick < .05 and long:
        return int(r.choice([32000, 50257]))
    return int(r.integers(3, 300) if pick < .3 else r.integers(300, 4000))


def as_mlx(row, dtype):
    a = mx.array(row[None])
    return a.astype(mx.bfloat16) if dtype == BF16 else a


def log_softmax(a):
    return a - mx.logsumexp(a, keepdims=True)


def make_settings(r, n):
    """Each filter alone and together; never one that mlx-lm refuses."""
    s = dict(temp=float(r.choice([.1, .3, .7, .8, 1., 1.7, 5.])))
    if r.random() < .5:
        s["top_p"] = float(r.choice([1e-6, .05, .3, .5, .9, .95, .999, 1.]))
    if r.random() < .5:
        s["min_p"] = float(r.choice([.001, .05, .1, .5, 1.]))
        if r.random() < .3:
            s["min_tokens_to_keep"] = int(r.integers(1, min(n, 40) + 1))
    if r.random() < .5:
        s["top_k"] = int(r.integers(1, min(n, int(r.choice([3, 60, n])))))
    if r.random() < .4:
        s["xtc_probability"] = float(r.choice([.3, .5, 1.]))
        s["xtc_threshold"] = float(r.choice([0., .02, .1, .5]))
        if r.random() < .5:
            s["xtc_special_tokens"] = [int(t) for t in r.integers(0, n, 3)]
    return s


# ---- draws from one row --------------------------------------------------------


def compare_draws(library, tally, r, long, n_draws, draws_a_case):
    done = 0
    while done < n_draws:
        n, dtype = make_size(r, long), [F32, BF16][int(r.integers(2))]
        kind = KINDS[int(r.integers(len(KINDS)))]
        row = make_row(r, n, kind)
        if dtype == BF16:
            row = to_bfloat(row)
        settings = make_settings(r, n)
        seed = int(r.integers(0, 1 << 63))
        lp = log_softmax(as_mlx(row, dtype))
        sampler = sample_utils.make_sampler(**settings)
        mx.random.seed(seed)
        want = [sampler(lp).item() for _ in range(draws_a_case)]
        with Player(library, dict(settings, seed=seed)) as p:
            try:
                got = p.draws(row, draws_a_case, dtype)
            except Refused as refusal:
                got = str(refusal)
        done += draws_a_case
        tally.add(got == want, draws_a_case,
                  f"{kind} n {n} dtype {dtype} seed {seed} {settings}: "
                  f"got {got}, want {want}")


@group
def draws(library, tally, long):
    compare_draws(library, tally, np.random.default_rng(11), long,
                  90000 if long else 1500, 20 if long else 5)


@group
def greedy(library, tally, long):
    """Argmax of the log-probabilities, where logits may have become equal."""
    r = np.random.default_rng(12)
    for _ in range(2000 if long else 200):
        n, dtype = make_size(r, long), [F32, BF16][int(r.integers(2))]
        row = make_row(r, n, KINDS[int(r.integers(len(KINDS)))])
        if r.random() < .5:  # neighbours of the best, on both sides
            best = row.max()
            for at in r.integers(0, n, 4):
                row[at] = np.nextafter(best, f32(-np.inf), dtype=f32)
                best = max(best, row[at])
        if dtype == BF16:
            row = to_bfloat(row)
        want = sample_utils.make_sampler(temp=0.)(
            log_softmax(as_mlx(row, dtype))).item()
        with Player(library, {}) as p:
            got = p.draws(row, 1, dtype)
        tally.add(got == [want], 1, f"n {n} dtype {dtype}: {got} {want}")


@group
def gumbel(library, tally, long):
    """[V] and [B, V] are drawn by Gumbel noise, as all were before 0.32.1."""
    r = np.random.default_rng(13)
    for _ in range(1000 if long else 60):
        n, b = int(r.integers(3, 1500)), int(r.integers(1, 5))
        rows = [make_row(r, n, KINDS[int(r.integers(len(KINDS)))])
                for _ in range(b)]
        seed, temp = int(r.integers(0, 1 << 63)), float(r.choice([.5, 1., 2.]))
        lps = [log_softmax(mx.array(row[None])) for row in rows]
        x = mx.concatenate(lps) if b > 1 else lps[0][0]
        mx.random.seed(seed)
        want = [np.ravel(np.array(sample_utils.categorical_sampling(x, temp)))
                for _ in range(3)]
        for i, row in enumerate(rows):
            with Player(library, dict(temp=temp, seed=seed, mlx_draw="gumbel",
                                      gumbel_rows=b, gumbel_row=i)) as p:
                got = p.draws(row, 3)
            tally.add(got == [int(w[i]) for w in want], 3,
                      f"n {n} row {i} of {b} seed {seed}: {got}")


# ---- whole sequences --------------------------------------------------------------


class Toy:
    """Logits are a function of the last token."""
    layers = []

    def __init__(self, table, dtype):
        self.table = mx.array(table)
        if dtype == BF16:
            self.table = self.table.astype(mx.bfloat16)

    def make_cache(self):
        return []

    def __call__(self, x, cache=None):
        return self.table[x]


def make_processors(r, n):
    some = lambda *values: float(r.choice(values))
    return dict(
        logit_bias={int(t): some(-1e9, -2.5, .75, 3.) for t in
                    r.integers(0, n, 3)},
        repetition_penalty=some(0., .8, 1., 1.1, 1.3),
        repetition_context_size=int(r.choice([0, 1, 5, 20])),
        presence_penalty=some(0., .3, 1.1, -.4),
        presence_context_size=int(r.choice([0, 5, 20])),
        frequency_penalty=some(0., .1, .7, -.2),
        frequency_context_size=int(r.choice([0, 5, 20])))


@group
def sequences(library, tally, long):
    """generate_step with processors: the prompt is in the windows."""
    r = np.random.default_rng(14)
    n, n_tokens = 600, 40
    for _ in range(240 if long else 8):
        dtype = [F32, BF16][int(r.integers(2))]
        table = (r.normal(size=(n, n)) * 3).astype(f32)
        table = to_bfloat(table) if dtype == BF16 else table
        prompt = [int(v) for v in r.integers(0, n, int(r.integers(1, 30)))]
        settings, how = make_settings(r, n), make_processors(r, n)
        seed = int(r.integers(0, 1 << 32))
        mx.random.seed(seed)
        want = [t for t, _ in generate_step(
            mx.array(prompt), Toy(table, dtype), max_tokens=n_tokens,
            sampler=sample_utils.make_sampler(**settings),
            logits_processors=sample_utils.make_logits_processors(**how))]
        got, last = [], prompt[-1]
        with Player(library, dict(settings, **how, seed=seed)) as p:
            p.accept(prompt, PROMPT)
            for _ in want:
                last = p.draws(table[last], 1, dtype)[0]
                p.accept([last])
                got.append(last)
        tally.add(got == want, n_tokens,
                  f"dtype {dtype} seed {seed} {settings} {how}: {got} {want}")


@group
def real(library, tally, long):
    """SmolLM2's own rows, bf16, through whole answers."""
    path = os.path.join(os.environ.get("SORTES_ROOT", "."), "examples", "rows",
                        "smollm2.npy")
    rows = (np.load(path).astype(np.uint32) << 16).view(f32)
    r = np.random.default_rng(17)
    for _ in range(60 if long else 4):
        n = rows.shape[1]
        settings, how = make_settings(r, n), make_processors(r, n)
        tokens = [int(t) for t in r.integers(0, n, 10)]
        seed, got = int(r.integers(1 << 62)), []
        sampler = sample_utils.make_sampler(**settings)
        processors = sample_utils.make_logits_processors(**how)
        mx.random.seed(seed)
        with Player(library, dict(settings, **how, seed=seed)) as p:
            p.accept(tokens, PROMPT)
            first = len(tokens)
            for row in rows:
                a = as_mlx(row, BF16)
                for process in processors:
                    a = process(mx.array(tokens), a)
                tokens.append(sampler(log_softmax(a)).item())
                got += p.draws(row, 1, BF16)
                p.accept(tokens[-1:])
        tally.add(got == tokens[first:], len(got),
                  f"seed {seed} {settings} {how}: {got} {tokens[first:]}")


@group
def logprobs(library, tally, long):
    """What generate_step yields, bit for bit, and the best of it."""
    r = np.random.default_rng(15)
    for _ in range(1500 if long else 100):
        n, dtype = make_size(r, long), [F32, BF16][int(r.integers(2))]
        row = make_row(r, n, KINDS[int(r.integers(len(KINDS)))])
        row = to_bfloat(row) if dtype == BF16 else row
        how = make_processors(r, n)
        prompt = [int(v) for v in r.integers(0, n, 25)]
        a = as_mlx(row, dtype)
        for process in sample_utils.make_logits_processors(**how):
            a = process(mx.array(prompt), a)
        lp = np.array(log_softmax(a).astype(mx.float32))[0]
        k, token = int(r.integers(1, min(12, n))), int(r.integers(n))
        order = np.lexsort((np.arange(n), -lp))[:k]
        with Player(library, how) as p:
            p.accept(prompt, PROMPT)
            ids, values, own = p.logprobs(row, token, k, dtype)
        same = (ids == order.tolist() and
                (values.view(np.uint32) == lp[order].view(np.uint32)).all() and
                f32(own).view(np.uint32) == lp[token].view(np.uint32))
        tally.add(same, 1, f"n {n} dtype {dtype} {how}")
        top = mx.argpartition(-mx.array(lp), kth=k - 1)[:k].tolist()
        tally.add(sorted(top) == sorted(ids), 1, f"the set of {k}")


# ---- the rest -----------------------------------------------------------------------


@group
def exp(library, tally, long):
    """Every float in [-88, 88] and some beyond; a sample without --long."""
    step = 1 if long else 9973
    for sign in (0, 0x80000000):
        for start in range(0, 0x42B10000, 1 << 24):
            bits = np.arange(start, min(start + (1 << 24), 0x42B10000), step,
                             dtype=np.uint32) + np.uint32(sign)
            x = bits.view(f32)
            want, got = np.array(mx.exp(mx.array(x))), library.exp(x)
            same = want.view(np.uint32) == got.view(np.uint32)
            tally.add(same.all(), x.size, f"exp({x[~same][:3]})")


@group
def refusals(library, tally, long):
    """What mlx-lm refuses while it samples, sortes refuses too."""
    row = np.arange(10, dtype=f32)
    lp = log_softmax(mx.array(row[None]))
    for settings in [dict(top_k=10), dict(top_k=11),
                     dict(xtc_probability=.5, xtc_threshold=.6),
                     dict(min_p=.1, min_tokens_to_keep=11)]:
        settings["temp"] = 1.
        try:
            sample_utils.make_sampler(**settings)(lp).item()
            want = "taken"
        except ValueError:
            want = "refused"
        try:
            with Player(library, settings) as p:
                p.draws(row, 1)
            got = "taken"
        except Refused:
            got = "refused"
        tally.add(got == want == "refused", 1, f"{settings}: {got}, {want}")
    for name in ("repetition_penalty",):
        try:
            sample_utils.make_logits_processors(**{name: -1.})
            want = "taken"
        except ValueError:
            want = "refused"
        try:
            Player(library, {name: -1.})
            got = "taken"
        except Refused:
            got = "refused"
        tally.add(got == want == "refused", 1, f"{name} -1: {got}, {want}")


@group
def recorded(library, tally, long):
    """Runs of mlx-lm that others recorded, where they are at hand."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "../../../../shared")
    path = os.path.join(os.environ.get("SORTES_SHARED") or beside, "oracle",
                        "mlx_golden.json")
    if not os.path.exists(path):
        if long:
            sys.exit(f"recorded: there is no {path} (SORTES_SHARED)")
        print("recorded: there is no such file here; passed over")
        return
    with open(path) as file:
        runs = json.load(file)
    for run in runs:
        at = np.arange(run["V"], dtype=np.uint64) * 2654435761 & 0xFFFFFFFF
        row = (at >> 20).astype(f32) / f32(256) - f32(8)
        with Player(library, dict(run["cfg"], seed=run["seed"])) as p:
            got = p.draws(row, len(run["mlx_lm"]))
        tally.add(got == run["mlx_lm"], len(got), f"{run['cfg']}: {got}")


def compiled_settings():
    return [dict(temp=.8), dict(temp=.8, top_p=.95, min_p=.05, top_k=40),
            dict(temp=1.3, xtc_probability=.5, xtc_threshold=.1)]


@group
def compiled(library, tally, long):
    """The same with mlx's just-in-time compiler, where there is a g++."""
    if not long or not shutil.which("g++"):
        return
    mx.enable_compile()
    r = np.random.default_rng(16)
    for settings in compiled_settings():
        for dtype in (F32, BF16):
            rows = [make_row(r, 5000, k) for k in ("random", "tied", "spiked")]
            rows = [to_bfloat(x) if dtype == BF16 else x for x in rows]
            for row in rows:
                lp = log_softmax(as_mlx(row, dtype))
                sampler = sample_utils.make_sampler(**settings)
                mx.random.seed(9)
                want = [sampler(lp).item() for _ in range(40)]
                with Player(library, dict(settings, seed=9)) as p:
                    got = p.draws(row, 40, dtype)
                tally.add(got == want, 40, f"{settings} {dtype}")
    mx.disable_compile()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("groups", nargs="*")
    o = parser.parse_args()
    library = Library(o.play)
    failed = False
    print(f"mlx {mx.__version__}")
    for name, function in GROUPS.items():
        if o.groups and name not in o.groups:
            continue
        tally = Tally(name)
        function(library, tally, o.long)
        print(f"{name}: {tally.n} compared, {tally.different} different",
              flush=True)
        failed |= tally.different > 0
        failed |= tally.n == 0 and name not in ("recorded", "compiled")
    sys.exit(failed)


main()
