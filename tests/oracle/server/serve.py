"""serve.py - runs llama-server (xllamacpp) until standard input closes

  serve.py MODEL.gguf

Says its address on the first line of standard output.  One slot, one thread,
no warm-up: the same answer every time.

SPDX-License-Identifier: MIT
"""
import os
import socket
import sys

import xllamacpp


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def parameters(model):
    p = xllamacpp.CommonParams()
    p.model.path = model
    p.hostnames = ["127.0.0.1"]
    p.port = free_port()
    p.n_ctx = 2048
    p.n_parallel = 1
    p.n_gpu_layers = 0
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
    p.warmup = False
    p.verbosity = 0
    return p


def main():
    # The engine below writes to descriptor 1 as it likes.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    server = xllamacpp.Server(parameters(sys.argv[1]))
    print(server.listening_address, file=answer, flush=True)
    sys.stdin.read()
    os._exit(0)


main()
