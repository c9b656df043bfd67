#!/usr/bin/env python3
"""constrained.py - what a model writes under a grammar

  constrained.py SORTES MODEL FOLDER

For each kind that this build has, some seeds, redrawn and masked first: a text
that was ended satisfies the grammar, one that was cut off at -n can still be
completed, by the verdict of `sortes grammar check`, which goes by bytes alone.

SPDX-License-Identifier: MIT
"""
import json
import os
import subprocess
import sys

GBNF = """root ::= "The answer: " ("yes" | "no" | [0-9]{1,4}) "."
"""
SCHEMA = json.dumps({"type": "object", "properties": {
    "name": {"type": "string", "maxLength": 20}, "age": {"type": "integer"}},
    "required": ["name", "age"], "additionalProperties": False})

# Kind, text, options of generate, prompt.
CASES = [
    ("json_object", "", ["--json-object"], "A person as JSON:\n"),
    ("choice", "red\ngreen\nblue", ["--choice", "red,green,blue"],
     "The colour of the sky is"),
    ("regex", "[A-Z][a-z]{2,9} [0-9]{4}", ["--regex",
                                           "[A-Z][a-z]{2,9} [0-9]{4}"],
     "The date:"),
    ("gbnf", GBNF, ["--grammar", GBNF, "--form", "exact"], "Is it so?\n"),
    ("json_schema", SCHEMA, ["--json-schema", SCHEMA], "A person:\n"),
]


def kinds(sortes):
    """The names that the refusal of a kind that is none lists."""
    run = subprocess.run([sortes, "grammar", "check", "--kind", "none",
                          "--file", os.devnull], input=b"",
                         stdout=subprocess.PIPE)
    return json.loads(run.stdout)["error"].split("allowed: ")[1].strip(")")


def generate(sortes, model, case, seed, more):
    run = subprocess.run(
        [sortes, "generate", "-m", model, "-p", case[3], "-n", "48", "--json",
         "--seed", str(seed)] + case[2] + more, stdout=subprocess.PIPE)
    if run.returncode != 0:
        sys.exit(f"constrained: {case[0]}: exit code {run.returncode}")
    return json.loads(run.stdout)


def verdict(sortes, folder, case, text):
    path = os.path.join(folder, "grammar")
    with open(path, "w", encoding="utf-8") as file:
        file.write(case[1])
    run = subprocess.run(
        [sortes, "grammar", "check", "--kind", case[0], "--file", path,
         "--json-lines"], input=json.dumps(text).encode() + b"\n",
        stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def main():
    sortes, model, folder = sys.argv[1:4]
    there = kinds(sortes).split(", ")
    ended = total = 0
    for case in CASES:
        if case[0] not in there:
            print(f"{case[0]}: not in this build")
            continue
        for seed in (1, 2, 3):
            for more in ([], ["--mask-first"]):
                out = generate(sortes, model, case, seed, more)
                got = verdict(sortes, folder, case, out["text"])
                whole = out["finish_reason"] == "stop"
                # A letter torn at the end is shown as U+FFFD.
                text = out["text"].rstrip("\ufffd").encode()
                if got["accepted"] != whole and not got["accepted"] and \
                        (whole or got["byte"] < len(text)):
                    sys.exit(f"constrained: {case[0]}, seed {seed}: {out['text']!r}"
                             f" {out['finish_reason']}, {got}")
                ended += whole
                total += 1
    print(f"{total} texts, {ended} of them whole")
    return 0 if total >= 12 and ended >= 6 else 1


if __name__ == "__main__":
    sys.exit(main())
