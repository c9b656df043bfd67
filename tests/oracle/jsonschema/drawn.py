#!/usr/bin/env python3
"""drawn.py - texts that a model draws under schemas, judged by jsonschema-rs

  drawn.py SCHEMAS [SEED]

SCHEMAS of MaskBench's, chosen by the seed.  SORTES_BIN is the program,
SORTES_MODEL a GGUF, SORTES_SHARED has MaskBench's part.  At temperature 1 from all tokens;
every text that ended is valid, and one that was cut short begins an accepted
text, as `sortes grammar check` says by bytes.

SPDX-License-Identifier: MIT
"""
import collections
import concurrent.futures
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile

import jsonschema_rs

TOKENS = "160"


def validator(schema):
    """Drafts as sortes reads them: 2020-12, and what only draft 7 has."""
    try:
        return jsonschema_rs.validator_for(schema)
    except ValueError:
        return jsonschema_rs.Draft7Validator(schema)


def run(*command, text=None):
    return subprocess.run(command, input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=600)


def begins(sortes, path, text):
    """Whether all bytes of a text can come."""
    text = text.rstrip("\ufffd")  # a letter that was cut
    result = run(sortes, "grammar", "check", "--kind", "json_schema", "--file",
                 path, "--json-lines", text=json.dumps(text) + "\n")
    answer = json.loads(result.stdout)
    return answer["accepted"] or answer["byte"] == len(text.encode())


def draw(sortes, model, folder, number, case):
    """How it ended, and what is wrong."""
    path = os.path.join(folder, f"{number}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case["schema"], file, ensure_ascii=False)
    result = run(sortes, "generate", "-m", model, "--json-schema-file", path,
                 "-p", "An example of such data:", "-n", TOKENS, "--json",
                 "--temp", "1", "--top-k", "0", "--top-p", "1", "--min-p", "0",
                 "--seed", str(number), "-t", "1")
    if result.returncode:
        refused = "json_schema" in result.stderr
        return "refused" if refused else "failed", result.stderr.strip()
    answer = json.loads(result.stdout)
    if answer["finish_reason"] != "stop":
        good = begins(sortes, path, answer["text"])
        return "cut", None if good else f"cannot begin: {answer['text']}"
    if not validator(case["schema"]).is_valid(json.loads(answer["text"])):
        return "ended", f"is not valid: {answer['text']}"
    return "ended", None


def main():
    sortes, model = os.environ["SORTES_BIN"], os.environ["SORTES_MODEL"]
    path = os.path.join(os.environ["SORTES_SHARED"], "data",
                        "maskbench-dev.jsonl.xz")
    if not os.path.isfile(path):
        sys.exit(f"drawn: there is no {path} (SORTES_SHARED)")
    cases = [json.loads(line) for line in lzma.open(path, "rt")]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chosen = random.Random(seed).sample(cases, int(sys.argv[1]))
    counts = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda i: draw(sortes, model, folder, i, chosen[i]),
                           range(len(chosen)))
        for case, (how, problem) in zip(chosen, answers):
            counts[how] += 1
            wrong += problem is not None and how != "refused"
            if problem:
                print(f"{case['name']}: {how}: {problem}", flush=True)
    print(f"{len(chosen)} schemas: {dict(counts)}, {wrong} wrong")
    good = counts["ended"] >= len(chosen) // 4 and \
        counts["refused"] <= len(chosen) // 20
    return 1 if wrong or not good else 0


if __name__ == "__main__":
    sys.exit(main())
