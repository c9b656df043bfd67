"""player.py - sortes as a Python object, through play.c

SPDX-License-Identifier: MIT
"""
import ctypes as c
import json

import numpy as np

F32, BF16 = 0, 2
PROMPT, GENERATED = 0, 1
DISAGREE = -1


class Row(c.Structure):
    _fields_ = [("data", c.c_void_p), ("n", c.c_size_t), ("type", c.c_int)]


class Refused(Exception):
    """A status, and the text where there is one."""

    def __init__(self, status, text=""):
        super().__init__(f"status {status}: {text}")
        self.status, self.text = status, text


class Library:
    def __init__(self, path):
        self.so = c.CDLL(path)
        self.so.play_new.restype = c.c_void_p
        self.so.play_new.argtypes = [c.c_char_p, c.c_char_p, c.c_char_p,
                                     c.c_size_t]
        self.so.play_free.argtypes = [c.c_void_p]
        self.so.play_accept.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t,
                                        c.c_int]
        self.so.play_draws.argtypes = [c.c_void_p, c.POINTER(Row), c.c_void_p,
                                       c.c_size_t]
        self.so.play_logprobs.argtypes = [
            c.c_void_p, c.POINTER(Row), c.c_int32, c.c_size_t, c.c_void_p,
            c.c_void_p]
        self.so.play_seconds.restype = c.c_double
        self.so.play_seconds.argtypes = [c.c_void_p, c.POINTER(Row),
                                         c.POINTER(c.c_int32)]
        self.so.play_exp.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t]

    def exp(self, x):
        out = np.empty_like(x)
        self.so.play_exp(x.ctypes.data, out.ctypes.data, x.size)
        return out


def as_row(x, dtype):
    """A row as it lies in memory, and that memory; bf16: of floats that are."""
    data = np.ascontiguousarray(x)
    if dtype == BF16:
        data = (data.view(np.uint32) >> 16).astype(np.uint16)
    return Row(data.ctypes.data, data.size, dtype), data


class Player:
    """One sequence; request: mlx-lm's own names."""

    def __init__(self, library, request):
        self.so = library.so
        text = c.create_string_buffer(512)
        self.handle = self.so.play_new(b"mlx-lm", json.dumps(request).encode(),
                                       text, len(text))
        if not self.handle:
            raise Refused(None, text.value.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.so.play_free(self.handle)

    def accept(self, tokens, origin=GENERATED):
        ids = np.asarray(tokens, np.int32)
        status = self.so.play_accept(self.handle, ids.ctypes.data, ids.size,
                                     origin)
        if status:
            raise Refused(status)

    def draws(self, row, n, dtype=F32):
        """n draws from one row; nothing is accepted."""
        place, _kept = as_row(row, dtype)
        tokens = np.empty(n, np.int32)
        status = self.so.play_draws(self.handle, place, tokens.ctypes.data, n)
        if status:
            raise Refused(status, "plans and stages disagree"
                          if status == DISAGREE else "")
        return tokens.tolist()

    def seconds(self, place):
        """How long one draw took, by the plans alone; and its token."""
        token = c.c_int32()
        return self.so.play_seconds(self.handle, place,
                                    c.byref(token)), token.value

    def logprobs(self, row, token, k, dtype=F32):
        place, _kept = as_row(row, dtype)
        ids = np.empty(k + 1, np.int32)
        values = np.empty(k + 1, np.float32)
        status = self.so.play_logprobs(self.handle, place, token, k,
                                       ids.ctypes.data, values.ctypes.data)
        if status:
            raise Refused(status)
        return ids[:k].tolist(), values[:k], values[k]
