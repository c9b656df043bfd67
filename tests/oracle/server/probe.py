"""probe.py - a GGUF model whose logits are known bit for bit

One llama block of zero weights adds exact zeros.  Token t is embedded as
8 * e(t % 64), the norm (epsilon 0, weight 1/8) makes that e(t % 64), and the
output matrix hands out its column: after token t the logits are row t % 64, on
any backend, as every sum has one term that is not zero.  Minus zero is the one
value that does not survive the additions, so no row holds it.

The vocabulary is that of another GGUF, its keys copied as they are.

SPDX-License-Identifier: MIT
"""
import array
import math
import random
import struct
import sys

N_ROWS = 64
ALIGNMENT = 32
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
U32, I32, F32, STRING, ARRAY = 4, 5, 6, 8, 9
INTEGERS = ("top_k", "penalty_last_n", "mirostat")

assert sys.byteorder == "little", "the probe is written as it lies in memory"


# ---- rows ----------------------------------------------------------------

def rounded(step, spread):
    return lambda r: round(r.gauss(0, spread) / step) * step


KINDS = [
    lambda r: r.gauss(0, 3),                                  # a model's row
    rounded(0.25, 3),                                         # heavy ties
    lambda r: 1.5 if r.random() < 0.006 else 0.0,             # two values
    lambda r: r.gauss(0, 1) + (9 if r.random() < 1e-4 else 0),  # peaked
    lambda r: r.gauss(0, 12),                                 # past +-10
    lambda r: -2 * math.log(-math.log(r.random() or 0.5)),    # a long tail
    rounded(0.1, 2),
    lambda r: r.gauss(-30, 4),                                # far below -10
]


def make_rows(n_tokens, seed):
    """64 rows of n_tokens floats; row i is of kind i % 8."""
    r = random.Random(seed)
    rows = []
    for i in range(N_ROWS):
        kind = KINDS[i % len(KINDS)]
        rows.append(array.array("f", (kind(r) + 0.0 for _ in range(n_tokens))))
    return rows


# ---- reading the vocabulary -----------------------------------------------

class Keys:
    """Walks over the keys of a GGUF file; `found` maps each to its bytes."""

    def __init__(self, data):
        self.data, self.at, self.found, self.n_tokens = data, 0, {}, 0
        magic, version = self.take("<4sI")
        assert magic == b"GGUF" and version == 3, "not a GGUF of version 3"
        _, n_keys = self.take("<QQ")
        for _ in range(n_keys):
            name = self.string().decode()
            start = self.at
            (kind,) = self.take("<I")
            length = self.skip(kind)
            self.found[name] = self.data[start:self.at]
            if name == "tokenizer.ggml.tokens":
                self.n_tokens = length

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def string(self):
        (n,) = self.take("<Q")
        self.at += n
        return self.data[self.at - n:self.at]

    def skip(self, kind):
        if kind == STRING:
            self.string()
        elif kind == ARRAY:
            item, n = self.take("<IQ")
            for _ in range(n):
                self.skip(item)
            return n
        else:
            self.at += SIZES[kind]
        return 1


# ---- writing ----------------------------------------------------------------

def text(value):
    value = value.encode()
    return struct.pack("<Q", len(value)) + value


def value_of(name, value):
    """A key's type and value, by the type of the value."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return struct.pack("<I", STRING) + text(value)
    if isinstance(value, float):
        return struct.pack("<If", F32, value)
    if name.startswith("general.sampling."):
        return struct.pack("<Ii", I32, value)
    return struct.pack("<II", U32, value)


def architecture(n_tokens):
    return {
        "general.architecture": "llama", "general.name": "probe",
        "llama.context_length": 4096, "llama.embedding_length": N_ROWS,
        "llama.block_count": 1, "llama.feed_forward_length": N_ROWS,
        "llama.attention.head_count": 1, "llama.attention.head_count_kv": 1,
        "llama.rope.dimension_count": N_ROWS,
        "llama.attention.layer_norm_rms_epsilon": 0.0,
        "llama.vocab_size": n_tokens,
    }


def tensors(rows):
    """Name, shape (fastest dimension first) and floats of every tensor."""
    n = len(rows[0])
    embedding = array.array("f", bytes(4 * N_ROWS * n))
    output = array.array("f", bytes(4 * N_ROWS * n))
    for token in range(n):
        embedding[token * N_ROWS + token % N_ROWS] = 8.0
    for i, row in enumerate(rows):
        output[i::N_ROWS] = row
    ones, zeros = array.array("f", [1.0] * N_ROWS), array.array(
        "f", bytes(4 * N_ROWS * N_ROWS))
    eighths = array.array("f", [0.125] * N_ROWS)
    return [
        ("token_embd.weight", (N_ROWS, n), embedding),
        ("output_norm.weight", (N_ROWS,), eighths),
        ("output.weight", (N_ROWS, n), output),
        ("blk.0.attn_norm.weight", (N_ROWS,), ones),
        ("blk.0.ffn_norm.weight", (N_ROWS,), ones),
    ] + [(f"blk.0.{name}.weight", (N_ROWS, N_ROWS), zeros)
         for name in ("attn_q", "attn_k", "attn_v", "attn_output",
                      "ffn_gate", "ffn_up", "ffn_down")]


def padding(n):
    return bytes(-n % ALIGNMENT)


def write(vocab_path, out_path, rows_path, seed, sampling=None):
    """Writes the probe with the vocabulary of vocab_path, and its rows as 64
    times n_tokens floats to rows_path; sampling: general.sampling.* keys."""
    with open(vocab_path, "rb") as file:
        source = Keys(file.read(64 << 20))
    rows = make_rows(source.n_tokens, seed)
    with open(rows_path, "wb") as file:
        for row in rows:
            row.tofile(file)
    keys = architecture(source.n_tokens)
    keys.update((name, value) for name, value in source.found.items()
                if name.startswith("tokenizer."))
    for name, value in (sampling or {}).items():
        keys["general.sampling." + name] = value
    everything = tensors(rows)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(everything), len(keys))
    head += b"".join(text(name) + value_of(name, value)
                     for name, value in keys.items())
    at = 0
    for name, shape, data in everything:
        head += text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        head += struct.pack("<IQ", 0, at)
        at += len(data) * 4 + len(padding(len(data) * 4))
    with open(out_path, "wb") as file:
        file.write(head + padding(len(head)))
        for _, _, data in everything:
            data.tofile(file)
            file.write(padding(len(data) * 4))
    return source.n_tokens
