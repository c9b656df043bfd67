"""peers.py - sortes and llguidance over one vocabulary, with one face

SPDX-License-Identifier: MIT
"""
import ctypes
import json
import lzma
import random
import time

import llguidance
import numpy

CONTROL, EOG, UNUSED = 1, 2, 8  # SORTES_TOKEN_...


class Vocab:
    """Read by sortes; its pieces make llguidance's tokenizer."""

    def __init__(self, play, path, eos=None):
        self.lib = ctypes.CDLL(play)
        for name, result, arguments in (
                ("play_vocab", ctypes.c_void_p,
                 (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)),
                ("play_size", ctypes.c_size_t, (ctypes.c_void_p,)),
                ("play_piece", ctypes.POINTER(ctypes.c_char),
                 (ctypes.c_void_p, ctypes.c_int32,
                  ctypes.POINTER(ctypes.c_size_t),
                  ctypes.POINTER(ctypes.c_uint32))),
                ("play_matcher", ctypes.c_void_p,
                 (ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p),
                  ctypes.c_char_p, ctypes.c_size_t)),
                ("play_mask", ctypes.c_int64,
                 (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)),
                ("play_advance", ctypes.c_int64,
                 (ctypes.c_void_p, ctypes.c_int32)),
                ("play_accepts", ctypes.c_int, (ctypes.c_void_p,)),
                ("play_reset", None, (ctypes.c_void_p,)),
                ("play_free", None, (ctypes.c_void_p,))):
            function = getattr(self.lib, name)
            function.restype, function.argtypes = result, arguments
        error = ctypes.create_string_buffer(300)
        self.handle = self.lib.play_vocab(path.encode(), error, 300)
        if not self.handle:
            raise SystemExit(error.value.decode())
        self.pieces, self.special, ends = [], [], []
        for i in range(self.lib.play_size(self.handle)):
            n, flags = ctypes.c_size_t(), ctypes.c_uint32()
            piece = self.lib.play_piece(self.handle, i, n, flags)
            self.pieces.append(piece[:n.value])
            if flags.value & (CONTROL | UNUSED) or not n.value:
                self.special.append(i)
            if flags.value & EOG:
                ends.append(i)
        self.ends = ends
        self.n = len(self.pieces)
        self.words = (self.n + 31) // 32
        self.eos = ends[0] if ends else self.n  # llguidance must have one
        self.longest = max(map(len, self.pieces))
        special = set(self.special)
        self.by_piece = {}
        for i, piece in enumerate(self.pieces):
            if i not in special and piece:
                self.by_piece.setdefault(piece, i)

    def greedy(self, text):
        out, at = [], 0
        while at < len(text):
            for n in range(min(self.longest, len(text) - at), 0, -1):
                token = self.by_piece.get(text[at:at + n])
                if token is not None:
                    break
            else:
                return None
            out.append(token)
            at += n
        return out

    def tokenizer(self):
        """llguidance's, and the seconds it took to make."""
        vocab = self
        extra = [] if self.ends else [b"<end>"]

        class Pieces:
            eos_token_id = self.eos
            bos_token_id = None
            tokens = [p or b"<empty>" for p in self.pieces] + extra
            special_token_ids = sorted(set(self.special + [self.eos]))

            def __call__(self, text):
                if isinstance(text, str):
                    text = text.encode()
                return vocab.greedy(text) or []

        wrapper = llguidance.TokenizerWrapper(Pieces())
        begin = time.perf_counter()
        out = llguidance.LLTokenizer(wrapper)
        return out, time.perf_counter() - begin


class Ours:
    def __init__(self, vocab, kind, text="", profile="llguidance"):
        self.vocab = vocab
        error = ctypes.create_string_buffer(300)
        grammar = (ctypes.c_char_p * 3)(
            kind.encode(), text.encode(), profile.encode() if profile else None)
        self.handle = vocab.lib.play_matcher(vocab.handle, grammar, error, 300)
        if not self.handle:
            raise ValueError(error.value.decode())
        self.bits = numpy.zeros(vocab.words, dtype=numpy.uint32)

    def __del__(self):
        if getattr(self, "handle", None):
            self.vocab.lib.play_free(self.handle)

    def reset(self):
        self.vocab.lib.play_reset(self.handle)

    def mask(self):
        """Nanoseconds; the mask is in self.bits."""
        ns = self.vocab.lib.play_mask(self.handle, self.bits.ctypes.data,
                                      self.vocab.words)
        if ns < 0:
            raise RuntimeError(f"sortes: status {-ns}")
        return ns

    def advance(self, token):
        return self.vocab.lib.play_advance(self.handle, token)

    def accepts(self):
        return self.vocab.lib.play_accepts(self.handle) == 1


class Theirs:
    def __init__(self, vocab, tokenizer, lark):
        self.matcher = llguidance.LLMatcher(tokenizer, lark, log_level=0)
        if self.matcher.is_error():
            raise ValueError(self.matcher.get_error())
        n = vocab.n + (0 if vocab.ends else 1)
        self.bits = numpy.zeros((n + 31) // 32, dtype=numpy.uint32)

    def reset(self):
        self.matcher.reset()

    def mask(self):
        """Nanoseconds of a call from Python."""
        size = self.bits.nbytes
        begin = time.perf_counter_ns()
        self.matcher.unsafe_compute_mask_ptr(self.bits.ctypes.data, size)
        return time.perf_counter_ns() - begin

    def advance(self, token):
        begin = time.perf_counter_ns()
        ok = self.matcher.consume_token(token)
        return time.perf_counter_ns() - begin if ok else -1

    def accepts(self):
        return self.matcher.is_accepting()


def set_of(bits, n):
    return numpy.unpackbits(bits.view(numpy.uint8), bitorder="little")[:n]


def lark_json(schema):
    return ('%llguidance {"no_forcing": true}\nstart: %json '
            + json.dumps(schema))


def lark_regex(regex):
    return ('%llguidance {"no_forcing": true}\nstart: /'
            + regex.replace("/", "\\/") + "/")


def objects(path, limit=None):
    """The objects among MaskBench's valid instances, as text."""
    out = []
    for line in lzma.open(path, "rt"):
        for test in json.loads(line)["tests"]:
            if test["valid"] and isinstance(test["data"], dict):
                out.append(json.dumps(test["data"], ensure_ascii=False))
        if limit and len(out) >= limit:
            return out[:limit]
    return out


def schemas(path, limit=None):
    """(name, schema, its first two valid instances as text) of MaskBench's
    schemas that have any."""
    out = []
    for line in lzma.open(path, "rt"):
        case = json.loads(line)
        texts = [json.dumps(test["data"], ensure_ascii=False)
                 for test in case["tests"] if test["valid"]][:2]
        if texts:
            out.append((case["name"], case["schema"], texts))
        if limit and len(out) == limit:
            break
    return out


def seeded(seed):
    return random.Random(seed)
