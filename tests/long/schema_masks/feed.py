#!/usr/bin/env python3
"""feed.py - MaskBench's schemas, a line each, for masks.c

  feed.py MASKBENCH.jsonl.xz SCHEMAS [SEED]

SPDX-License-Identifier: MIT
"""
import json
import lzma
import random
import sys


def main():
    cases = [json.loads(line) for line in lzma.open(sys.argv[1], "rt")]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for case in random.Random(seed).sample(cases, int(sys.argv[2])):
        texts = [json.dumps(test["data"], ensure_ascii=False)
                 for test in case["tests"] if test["valid"]]
        print(json.dumps({"name": case["name"], "texts": texts[:1],
                          "schema": json.dumps(case["schema"],
                                               ensure_ascii=False)}))


if __name__ == "__main__":
    main()
