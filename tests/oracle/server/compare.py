"""compare.py - sortes against a real llama-server on known logits

The server runs a probe model (probe.py) whose rows are known; sortes, in
replay.c, draws on the same rows.  Compared: every token of seeded requests over
all sampling fields, some under a grammar whose language sortes gets as a
constraint, so that both redraw; n_probs and post_sampling_probs, bit for bit;
generation_settings with what sortes resolved; and, for single fields with
values of every kind, who refuses them and in which words.

SPDX-License-Identifier: MIT
"""
import argparse
import collections
import json
import math
import struct
import subprocess
import sys

import cases
import language
import link
import probe

N_PREDICT = 28
SEED = 20261  # of the rows
# It says this where nothing is left and it draws something all the same.
DEAD_END = "Unexpected empty grammar stack"
SHOWN = 5  # of one kind of difference, in full


class Counts(collections.Counter):
    """What was compared, and what differed."""

    def __init__(self):
        super().__init__()
        self.kinds = collections.Counter()

    def differ(self, what, request, theirs, ours):
        self["different"] += 1
        self.kinds[what] += 1
        if self.kinds[what] <= SHOWN:
            print(f"DIFFERENT {what}\n  request {request}\n"
                  f"  server  {str(theirs)[:1500]}\n"
                  f"  sortes  {str(ours)[:1500]}", flush=True)


# ---- generation_settings ---------------------------------------------------

def as_float(value):
    """A JSON number's bits as the float it is printed from; null is inf."""
    if value is None:
        return math.inf
    return struct.pack("<f", max(min(value, 3.4028234663852886e38),
                                 -3.4028234663852886e38))


def same_setting(name, theirs, ours, n_tokens):
    # Reading a request, sortes knows no vocabulary: it drops ids past its end
    # later.
    if name == "logit_bias":
        return theirs == [b for b in ours if b["token"] < n_tokens]
    if isinstance(theirs, (bool, list, str)) or isinstance(ours, (bool, list)):
        return theirs == ours
    if isinstance(theirs, int) and isinstance(ours, int):
        return theirs == ours
    return as_float(theirs) == as_float(ours)


SETTINGS = [name for name, _, _ in cases.FIELDS]


def compare_settings(world, request, settings):
    for name in SETTINGS:
        if name not in world.fields or name == "ignore_eos":
            continue
        ours = world.replay.get(name)
        world.counts["settings"] += 1
        if not same_setting(name, settings[name], ours, world.n_tokens):
            world.counts.differ(f"generation_settings.{name}", request,
                                settings[name], ours)


# ---- continuations ---------------------------------------------------------

def is_cut(text):
    """Whether a text ends inside a UTF-8 character."""
    for back in range(1, min(4, len(text)) + 1):
        c = text[-back]
        if c & 0xC0 == 0x80:
            continue
        need = 2 if c & 0xE0 == 0xC0 else 3 if c & 0xF0 == 0xE0 else \
            4 if c & 0xF8 == 0xF0 else 1
        return need > back
    return False


def listed(tokens, pieces):
    """Indices of the tokens that have probabilities in an answer."""
    text, found = b"", []
    for i, token in enumerate(tokens):
        text += pieces[token][0] if not pieces[token][1] else b""
        if not is_cut(text):
            found.append(i)
    return found


class World:
    """What every comparison needs."""

    def __init__(self, options, server, replay, counts):
        self.options, self.server, self.replay = options, server, replay
        self.counts = counts
        self.read = "params"  # or of a GGUF
        self.pieces = []
        for word in replay.ask("pieces").split(" "):
            self.pieces.append((bytes.fromhex(word.strip(".!")),
                                word.endswith("!")))
        self.n_tokens = len(self.pieces)
        self.token_of = {piece.decode(): token
                         for token, (piece, _) in enumerate(self.pieces)
                         if piece in {tag.encode() for tag in cases.TAGS}}
        self.fields = {name for name, _, _ in cases.FIELDS} | {"reasoning"}
        self.languages = language.write_tables(
            [(piece.decode("latin-1") if not piece.startswith(b"\0") else "",
              is_end) for piece, is_end in self.pieces], options.folder)


def is_ours_alone(refused):
    return refused is not None and any(
        text in refused for text in cases.OURS_ALONE)


def draw(world, request, prompt, command, table, which):
    """Tokens that sortes draws: the words of its answer, or why there are
    none."""
    ask = world.replay
    refused = ask.done(f"{world.read} {json.dumps(request)}") or \
        ask.done("sampler " + which)
    if not refused and table:
        ask.done("language " + table)
    if refused:
        return [refused]
    ask.done("prompt " + " ".join(map(str, prompt)))
    return ask.ask(command).split(" ")[1:]


def number_pairs(words):
    return [(int(t), float(p)) for t, p in (word.split(":") for word in words)]


def entry_pairs(entry, own, top):
    return [(entry["id"], entry[own])] + [(t["id"], t[own])
                                          for t in entry[top]]


def before_sampling(world, request, prompt, tokens, _):
    """n_probs: what sortes has to say of each token before sampling."""
    before = [prompt[-1]] + tokens
    for i, token in enumerate(tokens):
        line = world.replay.ask(
            f"logprobs {before[i]} {token} {request['n_probs']}")
        yield number_pairs(line.split(" ")[1:])


def after_sampling(_, request, prompt, tokens, words):
    """post_sampling_probs: the same."""
    for word in words:
        yield number_pairs(word.split(",")[1:])


def compare_probabilities(world, request, prompt, answer, words, shown):
    after = request.get("post_sampling_probs", False)
    names = ("prob", "top_probs") if after else ("logprob", "top_logprobs")
    kind = "post_sampling_probs" if after else "n_probs"
    tokens = answer["tokens"]
    given = answer.get("completion_probabilities", [])
    indices = listed(tokens, world.pieces)
    if [tokens[i] for i in indices] != [entry["id"] for entry in given]:
        world.counts.differ("which tokens have probabilities", shown,
                            [entry["id"] for entry in given], tokens)
        return
    ours = list((after_sampling if after else before_sampling)(
        world, request, prompt, tokens, words))
    for i, entry in zip(indices, given):
        world.counts[kind] += 1
        theirs = entry_pairs(entry, *names)
        if theirs != ours[i]:
            world.counts.differ(f"{kind} of token {i}", shown, theirs,
                                ours[i])
            return


def was_forced(request, text):
    """Whether a reasoning budget's message stands in the text."""
    message = request.get("reasoning_budget_message", "")
    ends = request.get("reasoning_budget_end_tags", [""])
    return bool(message) and message + ends[0] in text


def run_case(world, number, which):
    counts, r = world.counts, cases.generator(number)
    request = cases.request(r, world.n_tokens, world.fields)
    prompt = cases.prompt(r, world.n_tokens)
    gbnf, table, goes_on = r.choice(world.languages) if r.random() < 0.4 \
        and not cases.has_infill(request) else ("", "", True)
    if not gbnf and "reasoning" in world.fields and r.random() < 0.25:
        cases.add_reasoning(r, request, world.token_of)
    # llama-server ends where infill wants an end that the grammar forbids, and
    # fails where nothing is left.
    if not goes_on:
        request.pop("ignore_eos", None)
    body = {"prompt": prompt, "n_predict": N_PREDICT, "cache_prompt": False,
            "return_tokens": True, **request}
    if gbnf:
        body["grammar"] = gbnf
        # A table, or the request's own grammar.
        if not table or r.random() < 0.8:
            request["grammar"], table = gbnf, ""
            if r.random() < 0.2:
                request.update(language.LAZY)
                body.update(language.LAZY)
    status, answer = world.server.post("/completion", json.dumps(body))
    shown = f"{number}: {json.dumps(body)}"
    if status == 500 and DEAD_END in answer["error"]["message"]:
        words = draw(world, request, prompt, f"draw {N_PREDICT}", table, which)
        counts["dead ends"] += 1
        if words[-1] != "SORTES_E_NO_TOKEN":
            counts.differ("dead end", shown, answer, words)
        return
    if status != 200:
        counts.differ("status", shown, answer, "")
        return
    tokens = answer["tokens"]
    n_probs = request.get("n_probs", 0)
    post = n_probs > 0 and request.get("post_sampling_probs", False)
    words = draw(world, request, prompt,
                 f"post {len(tokens)} {n_probs}" if post else
                 f"draw {len(tokens)}", table, which)
    counts["continuations"] += 1
    counts["long continuations"] += len(tokens) >= 24
    counts["tokens"] += len(tokens)
    redraws = sum("*" in word for word in words)
    counts["redraws"] += redraws
    if "grammar" in request:
        counts["continuations by the request's grammar"] += 1
        counts["redrawn by the request's grammar"] += redraws > 0
        counts["lazy grammars"] += "grammar_lazy" in request
    counts.update("field " + name for name in request)
    counts["budgets used up"] += was_forced(request, answer["content"])
    if [word.split(",")[0].rstrip("*") for word in words] != \
            [str(token) for token in tokens]:
        counts.differ(f"tokens ({which})", shown, tokens, words)
        return
    compare_settings(world, shown, answer["generation_settings"])
    if n_probs > 0:
        compare_probabilities(world, request, prompt, answer, words, shown)
    if not gbnf and number % 10 == 0 and world.read == "params":
        compare_program(world, request, prompt, tokens, shown)


# ---- the program -----------------------------------------------------------

def write_npy(path, rows_path, n_tokens, last):
    """The rows that follow these tokens, as a NumPy array."""
    head = f"{{'descr': '<f4', 'fortran_order': False, " \
           f"'shape': ({len(last)}, {n_tokens}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as out, open(rows_path, "rb") as rows:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)))
        out.write(head.encode())
        for token in last:
            rows.seek(token % probe.N_ROWS * n_tokens * 4)
            out.write(rows.read(n_tokens * 4))


def compare_program(world, request, prompt, tokens, shown):
    """The same through `sortes sample`, fed the rows that the server saw."""
    options = world.options
    path = options.folder + "/rows.npy"
    write_npy(path, options.rows, world.n_tokens, [prompt[-1]] + tokens[:-1])
    run = subprocess.run(
        [options.sortes, "sample", "--params", json.dumps(request), "--vocab",
         options.probe, "--prompt-tokens", ",".join(map(str, prompt)), path],
        capture_output=True, text=True)
    ours = [json.loads(line)["token"] for line in run.stdout.splitlines()]
    if is_ours_alone(run.stderr):
        return
    world.counts["by the program"] += 1
    if ours != tokens or run.returncode != 0:
        world.counts.differ("sortes sample", shown, tokens, run.stderr or ours)


# ---- single fields ---------------------------------------------------------

def run_single(world, text):
    counts = world.counts
    body = '{"prompt": [5], "n_predict": 1'
    if '"n_predict"' in text or "max_" in text:
        body = '{"prompt": [5]'
    status, answer = world.server.post("/completion", f"{body}, {text}}}")
    refused = world.replay.done(f"{world.read} {{{text}}}")
    theirs = None if status == 200 else answer["error"]["message"]
    ours = refused and refused.split(" ", 2)[2]
    counts["single fields"] += 1
    counts["refusals"] += theirs is not None
    if theirs is None and is_ours_alone(refused):
        counts["refused by sortes alone"] += 1
    elif theirs != ours:
        counts.differ("refusal " + text.split(":")[0], text, theirs, refused)
    elif theirs is None:
        compare_settings(world, text, answer["generation_settings"])


# ---- the run ---------------------------------------------------------------

def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("replay", "sortes", "model", "folder"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cases", type=int, default=320)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", help="fields, separated by commas")
    parser.add_argument("--no-singles", action="store_true")
    options = parser.parse_args()
    options.probe = options.folder + "/probe.gguf"
    options.rows = options.folder + "/probe.f32"
    return options


def compare_gguf(options, counts, sampling):
    """The defaults that a GGUF carries, under a server that has loaded it."""
    path = options.folder + "/defaults.gguf"
    probe.write(options.model, path, options.rows, SEED, sampling)
    with link.Server(path, options.folder + "/defaults.log") as server, \
            link.Replay(options.replay, path, options.rows) as replay:
        world = World(options, server, replay, counts)
        world.read = "gguf " + path
        for text in ('"seed": 3', '"seed": 4, "top_k": 9, "dry_base": 0.5'):
            run_single(world, text)
        world.fields = {"seed", "temperature", "min_p", "n_probs"}
        for i in range(20):
            run_case(world, i, ("plans", "literal")[i % 2])
        counts["GGUF defaults"] += 1


def compare_all(world):
    options = world.options
    if options.only:
        world.fields &= set(options.only.split(",")) | {"seed"}
    if not options.no_singles:
        for text in cases.singles():
            run_single(world, text)
    for i in range(options.first, options.first + options.cases):
        run_case(world, i, ("plans", "literal")[i % 2])


ENOUGH = {"long continuations": 150, "redraws": 100, "refusals": 500,
          "n_probs": 100, "post_sampling_probs": 100, "budgets used up": 5,
          "by the program": 5, "GGUF defaults": 1,
          "redrawn by the request's grammar": 100, "lazy grammars": 5}


def check_enough(counts):
    """A run that skipped something must not pass for one that compared it."""
    for name in SETTINGS:
        if counts["field " + name] < 20:
            counts.differ("too few cases", name, counts["field " + name], 20)
    for name, least in ENOUGH.items():
        if counts[name] < least:
            counts.differ("too few cases", name, counts[name], least)


def main():
    options = read_options()
    counts = Counts()
    probe.write(options.model, options.probe, options.rows, SEED)
    with link.Server(options.probe, options.folder + "/server.log") as server, \
            link.Replay(options.replay, options.probe, options.rows) as replay:
        compare_all(World(options, server, replay, counts))
    for sampling in cases.GGUFS:
        compare_gguf(options, counts, sampling)
    if not (options.only or options.no_singles or options.first):
        check_enough(counts)
    for name in sorted(counts):
        print(f"oracle/server: {name}: {counts[name]}")
    return 1 if counts["different"] else 0


sys.exit(main())
