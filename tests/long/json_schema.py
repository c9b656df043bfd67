#!/usr/bin/env python3
"""json_schema.py - JSON Schema against test data that others wrote

  json_schema.py SORTES SHARED maskbench | suite | probes | keywords | write

maskbench  every schema of the part: at least COMPILED of them compile, and no
           instance is judged otherwise than its label says
suite      the JSON Schema test suite, drafts 7 and 2020-12, formats as it has
           them, with its remote documents, and the meta-schemas where Python
           has them (jsonschema-specifications): every group is right for all
           of its instances, or refused by a message that names the keyword; at
           least RIGHT of them are right
probes     one probe for each feature; those without a valid text may be refused
keywords   the table of the probes in docs/CONSTRAINTS.md is what they say
write      writes that table

SPDX-License-Identifier: MIT
"""
import collections
import glob
import json
import lzma
import os
import subprocess
import sys
import tempfile

COMPILED = 1480
RIGHT = 0.98
URIS = {"7": "http://json-schema.org/draft-07/schema#",
        "2020-12": "https://json-schema.org/draft/2020-12/schema"}
# What the suite asks of formats alone: IDNA's tables, media types.
KNOWN = {"validation of A-label (punycode) host names",
         "validation of string-encoded content based on media type",
         "validation of binary string-encoding",
         "validation of binary-encoded media type documents"}
REFUSABLE = {"format:regex"}
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "../../docs/CONSTRAINTS.md")
TABLE = ("<!-- keywords: tests/long/json_schema.py SORTES SHARED write -->\n",
         "<!-- end of keywords -->\n")


class Judge:
    def __init__(self, sortes):
        self.sortes = sortes
        self.folder = tempfile.mkdtemp()
        self.file = os.path.join(self.folder, "schema.json")
        self.refs = []

    def refer(self, uri, path):
        self.refs += ["--ref", f"{uri}={path}"]

    def refer_to_metaschemas(self):
        """Those that Python has: a file for each."""
        try:
            from jsonschema_specifications import REGISTRY
        except ImportError:
            print("no jsonschema-specifications: no meta-schemas")
            return
        for number, uri in enumerate(sorted(REGISTRY)):
            path = os.path.join(self.folder, f"meta{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(REGISTRY[uri].contents, file)
            self.refer(uri.rstrip("#"), path)

    def __call__(self, schema, texts, *more):
        """(message, None) of a refusal, or (None, verdicts)."""
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(schema, file, ensure_ascii=False)
        lines = "".join(json.dumps(text) + "\n" for text in texts)
        result = subprocess.run(
            [self.sortes, "grammar", "check", "--kind", "json_schema",
             "--file", self.file, "--json-lines", "--profile", "json", *self.refs,
             *more],
            input=lines, stdout=subprocess.PIPE, text=True, timeout=60)
        out = [json.loads(line) for line in result.stdout.splitlines()]
        if result.returncode not in (0, 1):
            sys.exit(f"sortes ended with {result.returncode}: {schema}")
        if out and "error" in out[0] and "accepted" not in out[0]:
            return out[0]["error"], None
        if any("error" in line for line in out):
            return "a limit was reached on the way", None
        if len(out) != len(texts):
            sys.exit(f"{len(out)} answers to {len(texts)} lines: {schema}")
        return None, [line["accepted"] for line in out]


def maskbench(judge, shared):
    compiled = wrong = n = 0
    path = os.path.join(shared, "data", "maskbench-dev.jsonl.xz")
    for line in lzma.open(path, "rt"):
        case = json.loads(line)
        n += 1
        texts = [json.dumps(test["data"], ensure_ascii=False)
                 for test in case["tests"]]
        error, verdicts = judge(case["schema"], texts)
        if error:
            print(f"{case['name']}: {error}")
            continue
        compiled += 1
        for test, verdict in zip(case["tests"], verdicts):
            if verdict != test["valid"]:
                wrong += 1
                print(f"{case['name']}: {verdict} for {test['data']}")
    print(f"{compiled} of {n} compile, {wrong} verdicts wrong")
    return wrong == 0 and compiled >= COMPILED


def satisfied(judge, schema, tests, *more):
    """None: refused; else whether every verdict is right."""
    error, verdicts = judge(schema, [json.dumps(t["data"]) for t in tests],
                            *more)
    if error and "no text satisfies" in error:
        return not any(t["valid"] for t in tests)
    if error:
        if "#" not in error:
            print(f"  refused without a place: {error}: {schema}")
            return False
        return None
    return verdicts == [t["valid"] for t in tests]


def suite(judge, shared):
    root = os.path.join(shared, "data", "json-schema-test-suite")
    ok = True
    judge.refer("http://localhost:1234", f"{root}/remotes")
    judge.refer_to_metaschemas()
    for folder, draft in (("draft7", "7"), ("draft2020-12", "2020-12")):
        required = collections.Counter()
        optional = collections.Counter()
        for path in sorted(glob.glob(f"{root}/{folder}/**/*.json",
                                     recursive=True)):
            part = os.path.relpath(path, f"{root}/{folder}")
            asserted = "format/" in part or "format-assertion" in part
            counts = optional if part.startswith("optional") else required
            for group in json.load(open(path, encoding="utf-8")):
                schema = group["schema"]
                if isinstance(schema, dict):
                    schema = {"$schema": URIS[draft], **schema}
                right = satisfied(
                    judge, schema, group["tests"], "--formats",
                    "assert" if asserted else "annotate")
                counts[right] += 1
                if right is False and group["description"] not in KNOWN:
                    print(f"wrong: {part}: {group['description']}")
                    ok = False
        n = sum(required.values())
        print(f"{folder}: {required[True]} of {n} groups right, "
              f"{required[None]} refused, {required[False]} wrong; optional: "
              f"{optional[True]}, {optional[None]}, {optional[False]}")
        ok = ok and required[True] >= RIGHT * n
    return ok


def probes(judge, shared):
    path = os.path.join(shared, "cases", "constrain_probes.json")
    cases = json.load(open(path, encoding="utf-8"))
    right = 0
    for case in cases:
        texts = case["valid"] + case["invalid"]
        error, verdicts = judge(case["schema"], texts)
        good = (not case["valid"] or case["feature"] in REFUSABLE if error else
                verdicts == [True] * len(case["valid"]) +
                [False] * len(case["invalid"]))
        right += good
        if not good:
            print(f"{case['feature']}: {error or verdicts}")
    print(f"{right} of {len(cases)} probes right")
    return right == len(cases)


def verdict(error, accepts, case):
    """A probe's result in one word; accepts: what is said of each text."""
    if error:
        return "refused" if case["valid"] else "yes"
    strict = not all(accepts[:len(case["valid"])])
    loose = any(accepts[len(case["valid"]):])
    return ("wrong" if strict and loose else "strict" if strict else
            "loose" if loose else "yes")


def recorded(case, peer):
    """The same of a peer, as it was measured."""
    word = case[peer][0]
    if word == "ERR":
        return verdict("refused", None, case)
    return {"ok": "yes", "CRASH": "no end"}.get(word, word.lower())


def keyword_table(judge, shared):
    path = os.path.join(shared, "cases", "constrain_probes.json")
    rows = []
    for case in json.load(open(path, encoding="utf-8")):
        error, accepts = judge(case["schema"], case["valid"] + case["invalid"])
        strict, open_ = (recorded(case, f"xgrammar {mode}")
                         for mode in ("strict", "non-strict"))
        rows.append([case["feature"].replace("|", "\\|"),
                     verdict(error, accepts, case),
                     recorded(case, "llguidance"),
                     open_ if strict == open_ else f"{strict}; {open_}",
                     recorded(case, "llama.cpp")])
    for word in ("yes", "refused"):
        rows.append([f"{word}, of {len(rows)}" if word == "yes" else word] +
                    [str(sum(row[i].split("; ")[-1] == word for row in rows))
                     for i in range(1, 5)])
    head = ["feature", "sortes", "llguidance 1.9.1", "xgrammar 0.2.9",
            "llama.cpp"]
    return "".join(f"| {' | '.join(row)} |\n"
                   for row in [head, ["---"] * len(head)] + rows)


def table_in(text):
    """Where the table stands."""
    begin = text.index(TABLE[0]) + len(TABLE[0])
    return begin, text.index(TABLE[1], begin)


def keywords(judge, shared):
    text = open(DOCUMENT, encoding="utf-8").read()
    begin, end = table_in(text)
    if text[begin:end] == keyword_table(judge, shared):
        return True
    print(f"{os.path.normpath(DOCUMENT)}: the table is out of date (write "
          "makes it anew)")
    return False


def write(judge, shared):
    text = open(DOCUMENT, encoding="utf-8").read()
    begin, end = table_in(text)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(text[:begin] + keyword_table(judge, shared) + text[end:])
    return True


def main():
    sortes, shared, what = sys.argv[1:4]
    if not os.path.isdir(os.path.join(shared, "data")):
        sys.exit(f"json_schema: no test data in {shared} (SORTES_SHARED)")
    parts = {"maskbench": maskbench, "suite": suite, "probes": probes,
             "keywords": keywords, "write": write}
    return 0 if parts[what](Judge(sortes), shared) else 1


if __name__ == "__main__":
    sys.exit(main())
