"""record_golden_mlx.py - records tests/golden/mlxlm.jsonl from mlx-lm

usage: record_golden_mlx.py FOLDER

A line is one sequence: a prompt, then a row, a draw and its token accepted,
again and again.  Rows are made by integer arithmetic from `shape` and `salt`
(the step is added), as tests/golden/test_golden_mlxlm.c makes them.

SPDX-License-Identifier: MIT
"""
import json
import os
import sys

os.environ.setdefault("MLX_DISABLE_COMPILE", "1")

import mlx.core as mx
import numpy as np
from mlx_lm import sample_utils

mx.set_default_device(mx.cpu)
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


def record(shape, n, dtype, settings, how, seed, prompt, salt):
    mx.random.seed(seed)
    sampler = sample_utils.make_sampler(**settings)
    processors = sample_utils.make_logits_processors(**how)
    tokens = list(prompt)
    for step in range(N_STEPS):
        a = mx.array(make_row(shape, salt + step, n)[None])
        a = a.astype(mx.bfloat16) if dtype == "bf16" else a
        for process in processors:
            a = process(mx.array(tokens), a)
        lp = a - mx.logsumexp(a, keepdims=True)
        tokens.append(sampler(lp).item())
    return tokens[len(prompt):]


def main():
    r = np.random.default_rng(2026)
    some = lambda *values: values[int(r.integers(len(values)))]
    out = os.path.join(sys.argv[1], "mlxlm.jsonl")
    with open(out, "w") as file:
        print(json.dumps(dict(mlx=mx.__version__, mlx_lm="0.32.2")), file=file)
        for i in range(160):
            n = some(40, 700, 3000, 20000 if i % 8 == 0 else 500)
            settings = dict(temp=some(0., .3, .7, .8, 1., 1.7))
            for name, values in [("top_p", (.3, .9, .95)),
                                 ("min_p", (.01, .05, .5)),
                                 ("top_k", (1, 5, 39)),
                                 ("min_tokens_to_keep", (1, 3))]:
                if r.random() < .5:
                    settings[name] = some(*values)
            if r.random() < .3:
                settings.update(xtc_probability=some(.5, 1.),
                                xtc_threshold=some(.01, .1))
            how = {}
            if r.random() < .5:
                how = dict(repetition_penalty=some(0., 1.1, 1.4),
                           repetition_context_size=some(0, 2, 20),
                           presence_penalty=some(0., .5),
                           frequency_penalty=some(0., .3),
                           frequency_context_size=some(0, 20))
            shape = some("fine", "tied", "flat", "holes", "spiked")
            dtype, salt = some("f32", "bf16"), int(r.integers(1000))
            seed = int(r.integers(1 << 62))
            prompt = [int(t) for t in r.integers(0, 30, 12)]
            tokens = record(shape, n, dtype, settings, how, seed, prompt, salt)
            print(json.dumps(dict(shape=shape, n=n, dtype=dtype, salt=salt,
                                  request=dict(settings, **how, seed=seed),
                                  prompt=prompt, tokens=tokens)), file=file)
    print(f"{out}: 160 sequences")


main()
