#!/usr/bin/env python3
"""universe.py - random schemas over every text of a few pieces, judged by
jsonschema-rs

  universe.py PROGRAM SCHEMAS PIECES SEED

PROGRAM (universe.c) makes texts and schemas, and asks sortes; each verdict here
is jsonschema-rs's, about the texts that the program came by beyond them too.
Up to 12 pieces there are 131,276 texts, up to 8 1,066.

SPDX-License-Identifier: MIT
"""
import collections
import json
import multiprocessing
import os
import subprocess
import sys

import jsonschema_rs

DIGITS = bytes([ord("0"), ord("1")]) + bytes(254)


class Universe:
    def __init__(self, program, pieces):
        self.process = subprocess.Popen([program, pieces], text=True,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.values = [json.loads(line) for line in self.lines()]

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the program ended")
        return line[:-1]

    def lines(self):
        return iter(self.line, "")

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, seed):
        """The schema, how it was taken, what is wrong with it."""
        self.write(str(seed))
        schema = self.line()
        is_valid = jsonschema_rs.validator_for(json.loads(schema)).is_valid
        verdicts = bytes(map(is_valid, self.values))
        self.write(verdicts.translate(DIGITS).decode())
        *beyond, answer = self.lines()
        for line in beyond:
            accepted, text = line.split(" ", 1)
            if is_valid(json.loads(text)) != (accepted == "1"):
                answer = f"wrong: accepted is {accepted} for {text}"
        return schema, answer, len(beyond)


def work(arguments):
    program, pieces, seeds = arguments
    universe = Universe(program, pieces)
    return [universe.ask(seed) for seed in seeds]


def main():
    program, schemas, pieces, seed = sys.argv[1:]
    n, first = os.cpu_count(), int(seed)
    shares = [(program, pieces, range(first + i, first + int(schemas), n))
              for i in range(n)]
    counts = collections.Counter()
    beyond = wrong = 0
    with multiprocessing.Pool(n) as pool:
        for share in pool.imap_unordered(work, shares):
            for schema, answer, more in share:
                kind = answer.partition(":")[0]
                counts[kind] += 1
                beyond += more
                refused = kind in ("refused", "limited")
                if kind == "wrong" or (refused and "uniqueItems" not in schema):
                    wrong += 1
                    print(f"{schema}: {answer}")
    print(f"{schemas} schemas, {dict(counts)}, {beyond} texts beyond")
    return 1 if wrong or counts["right"] < int(schemas) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
