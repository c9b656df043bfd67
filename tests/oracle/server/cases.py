"""cases.py - what is asked: requests at random over every sampling field

FIELDS has one row for each: its name, how often it is in a request, and how a
value is made.  A row whose name is a pair sets both or none.

SPDX-License-Identifier: MIT
"""
import random

DEFAULT_SAMPLERS = ["penalties", "dry", "top_n_sigma", "top_k", "typ_p",
                    "top_p", "min_p", "xtc", "temperature"]
NAMES = DEFAULT_SAMPLERS + ["infill", "adaptive_p", "top-k", "topk", "nucleus",
                            "TEMP", "typ", "min-p", "minp", "adaptive-p",
                            "no such sampler", "typical_p"]
LETTERS = "dkypsmtxiea?"
BREAKERS = ["\n", ":", '"', "*", " ", "a", "the", " the", "ing", "\u00e9",
            "\u2019", "\u4e2d\u6587", "\U0001f600", "\u00df\u00e4\u00f6", "",
            ".", "in", "e ", "<|im_end|>", "x" * 50, "tion of the "]
MESSAGES = ["", " stop", "\u00e9\u4e2d", "<|im_end|>"]
TAGS = [" the", " and", "Hello", "123", " x", " of", "ing"]  # a token each
WORDS = ["the", " and", "Hello", "\u00fc", "1234", "x y"]


def one_of(*values):
    return lambda r, n: r.choice(values)


def between(low, high, *values):
    """One of the values, or any float between."""
    def make(r, n):
        return r.choice(values) if values and r.random() < 0.6 else \
            r.uniform(low, high)
    return make


def seed(r, n):
    return r.choice([r.randrange(1 << 32), r.randrange(1 << 32), 0, 1,
                     -r.randrange(2, 1 << 33), r.randrange(1 << 34),
                     r.randrange(1 << 20) + 0.75])


def samplers(r, n):
    kind = r.random()
    if kind < 0.35:
        return r.sample(DEFAULT_SAMPLERS, r.randrange(len(DEFAULT_SAMPLERS)))
    if kind < 0.75:
        return [r.choice(NAMES) for _ in range(r.randrange(12))]
    return "".join(r.choice(LETTERS) for _ in range(r.randrange(12)))


def bias_value(r):
    if r.random() < 0.05:
        return r.choice([1e3, -1e3])
    return r.choice([5.0, -2.5, False, True, 0, r.uniform(-8, 8)])


def logit_bias(r, n):
    keys = [r.choice([r.randrange(n), r.randrange(64), n + 5])
            for _ in range(r.randrange(1, 7))]
    keys += r.choices(keys, k=r.randrange(2))
    if r.random() < 0.3:
        keys += [r.choice(WORDS)]
    if r.random() < 0.5:
        return [[key, bias_value(r)] for key in keys]
    return {str(key): bias_value(r) for key in keys}


def breakers(r, n):
    return r.sample(BREAKERS, r.randrange(1, 6))


FIELDS = [
    ("seed", 1.0, seed),
    ("temperature", .5, between(.01, 3, 0.0, .3, .8, 1.0, 1.5, 3, -1)),
    ("top_k", .6, one_of(0, 1, 2, 20, 100, 128, 129, 500, 5000, 60000, -7)),
    ("top_p", .5, between(0, 1, 1.0, .5, .9, .99, 0)),
    ("min_p", .5, between(0, .5, 0.0, .01, .2, 1)),
    ("typical_p", .3, between(0, 1, .3, .9, .99)),
    ("xtc_probability", .3, between(0, 1, .5, 1.0)),
    ("xtc_threshold", .3, between(0, .2, .02, .05)),
    ("dynatemp_range", .3, between(0, 2, .5, 1.0)),
    ("dynatemp_exponent", .2, between(.2, 3, .5, 2.0)),
    ("top_n_sigma", .3, between(.1, 5, .5, 1.5, 3.0, 0)),
    ("repeat_penalty", .3, between(.5, 2, 1.1, 1.5, .8)),
    ("frequency_penalty", .2, between(-1, 1, .4, -.3)),
    ("presence_penalty", .2, between(-1, 1, .7)),
    ("repeat_last_n", .2, one_of(0, 1, 4, 20, 1000)),
    ("dry_multiplier", .4, between(0, 4, .8, 3.0)),
    ("dry_allowed_length", .3, one_of(0, 1, 3, 4)),
    ("dry_base", .2, between(.5, 4, 1.0, 3.0)),
    ("dry_penalty_last_n", .2, one_of(0, 1, 5, 20, 1000)),
    ("dry_sequence_breakers", .2, breakers),
    ("min_keep", .3, one_of(0, 1, 2, 5, 300)),
    ("mirostat", .15, one_of(1, 2, 2, 7)),
    ("mirostat_tau", .3, between(.1, 9, 2.0, 5)),
    ("mirostat_eta", .3, between(0, 1, .1, .5)),
    ("adaptive_target", .3, between(0, 1, .2, .6, -1.0)),
    ("adaptive_decay", .3, between(0, .99, 0, .5)),
    ("samplers", .4, samplers),
    ("logit_bias", .3, logit_bias),
    ("ignore_eos", .2, one_of(True, False)),
    ("n_probs", .3, one_of(1, 2, 5, 20, 129, -1)),
    ("post_sampling_probs", .3, one_of(True, False)),
]


def request(r, n_tokens, fields):
    """The sampling fields of one request."""
    made = {name: make(r, n_tokens) for name, often, make in FIELDS
            if name in fields and r.random() < often}
    if has_infill(made):
        # It compares all candidates with all others: minutes for all tokens.
        order = made["samplers"]
        first = "k" if isinstance(order, str) else ["top_k"]
        made["samplers"] = first + order
        made["top_k"] = r.choice([1, 5, 40, 129])
    return made


def add_reasoning(r, request, token_of):
    """A reasoning budget; the tag that opens a block, and sometimes the one
    that closes it, are pushed, so that blocks come and end."""
    start, end, other = r.sample(sorted(token_of), 3)
    request["reasoning_budget_tokens"] = r.choice([0, 1, 2, 3, 5, 9, -1])
    request["reasoning_budget_start_tag"] = start
    request["reasoning_budget_end_tags"] = r.choice([[end], [end, other],
                                                     [end + other, other]])
    if r.random() < 0.9:
        request["reasoning_budget_message"] = r.choice(MESSAGES)
    if "<|" in request.get("reasoning_budget_message", ""):
        request.pop("ignore_eos", None)  # it would forbid what is forced
    if r.random() < 0.3:
        request["reasoning_control"] = r.random() < 0.5
    pushed = [[token_of[start], r.uniform(4, 20)]]
    if r.random() < 0.5:
        pushed += [[token_of[end], r.uniform(4, 16)]]
    request["logit_bias"] = pushed


def has_infill(request):
    order = request.get("samplers", [])
    return "infill" in order or "i" in order


def prompt(r, n_tokens):
    """Tokens, with repetitions: DRY and the penalties look for those."""
    pool = [r.randrange(3, n_tokens) for _ in range(r.randrange(2, 12))]
    tokens = r.choices(pool, k=r.randrange(1, 12))
    return tokens * r.randrange(1, 4) if r.random() < 0.5 else tokens


# The sampling defaults of GGUF files; llama.cpp checks none of them.
GGUFS = [
    {"sequence": "penalties;top_k;typ_p;no such;temperature;top-p;xtc",
     "top_k": 70, "penalty_last_n": 30, "mirostat": 0, "top_p": 0.923456789,
     "min_p": 4.4e-7, "xtc_probability": 0.3, "xtc_threshold": 0.02,
     "temp": 1.7000001, "penalty_repeat": 1.3, "mirostat_tau": 4.123456789,
     "mirostat_eta": 0.2},
    {"mirostat": 2, "mirostat_tau": 3.5, "temp": 0.9, "penalty_last_n": -1,
     "top_k": -5, "top_p": 1.5, "min_p": -0.5, "penalty_repeat": 2.0},
]

# What sortes refuses and the server does not: the beginning of its refusal.
OURS_ALONE = [
    "Field 'backend_sampling': not supported",  # other arithmetic, on a device
    "(needs a vocab with a tokenizer)",         # that of the program has none
    "dry: a sequence breaker could not be tokenized",
]


# ---- single fields, with values of every kind ------------------------------

NUMBERS = ["0", "1", "-1", "2", "-2", "1.5", "-0.5", "0.3", "1e39", "-1e39",
           "1e-40", "3000000000", "4294967296", "-3000000000", "0.99", "0.991",
           "1e15", "12345678901234567890", "64"]
OTHERS = ["null", "true", "false", '"3"', '""', "[]", '["a"]', "[1]", "{}",
          '{"a":1}']

# Not chat_format, generation_prompt, parse_tool_calls and chat_parser: this
# build of the server takes anything there, the commit sortes follows does not.
SINGLE = [name for name, _, _ in FIELDS] + [
    "logprobs", "n_predict", "max_tokens", "max_completion_tokens", "n_keep",
    "n_discard", "n_indent", "n_cache_reuse", "t_max_predict_ms",
    "sse_ping_interval", "stream", "stop", "grammar_lazy", "cache_prompt",
    "return_tokens", "return_progress", "timings_per_token",
    "backend_sampling", "echo", "reasoning_control",
    "reasoning_budget_tokens", "reasoning_budget_start_tag",
    "reasoning_budget_message", "reasoning_budget_end_tags"]

# More of one field's own: shapes, and what is left to other fields.
EXTRA = [
    '"samplers": ["top_k", 3]', '"samplers": ["nucleus", "TYP", "top-k"]',
    '"samplers": "edskypmxt"', '"samplers": "xx?a"', '"samplers": [null]',
    '"dry_sequence_breakers": ["\\u00e9", ""]',
    '"dry_sequence_breakers": ["a", 1]', '"dry_sequence_breakers": "a"',
    '"logit_bias": [[1, 2], [3], [4, "x"], "no", [5, false], [6, true]]',
    '"logit_bias": [[12.0, 1], [-1, 1], [49151, 1], [49152, 1]]',
    '"logit_bias": [[4294967297, 1]]',
    '"logit_bias": {"": 1, " 7": 2, "+8": 3, "9": false, "10": "x"}',
    '"logit_bias": {"5": 1, "05": 2, "50": 3, "5000000000": 4}',
    '"logit_bias": [[1, 1e39], [2, -1e39], [3, 0.1], [1, 2]]',
    '"logit_bias": {"hello": 2}', '"logit_bias": [["hello", 2]]',
    '"logit_bias": [[1, 2]], "ignore_eos": true',
    '"ignore_eos": true, "logit_bias": 3', '"dry_base": 0.5',
    '"top_k": null', '"n_probs": null, "logprobs": 3',
    '"n_probs": 2, "logprobs": "x"', '"n_probs": "x", "logprobs": 3',
    '"max_tokens": -2', '"n_predict": null, "max_completion_tokens": -5',
    '"repeat_penalty": 1e-39', '"repeat_penalty": -0.0',
    '"frequency_penalty": 1e300', '"presence_penalty": -1e300',
    '"top_k": 3, "top_k": 5', '"top_k": -0', '"seed": -4294967296',
    '"stop": ["a", 1]', '"stop": "a"', '"stop": ["", "b"]',
    '"stop": [null, [], {}]', '"stop": [[1]]',
    '"reasoning_budget_end_tags": ["a", 1]',
    '"reasoning_budget_end_tag": "a"', '"reasoning_budget_end_tag": 3',
    '"reasoning_budget_end_tags": ["a"], "reasoning_budget_message": 3',
    '"reasoning_budget_end_tags": [], "reasoning_budget_message": "x"',
    '"adaptive_decay": 1.5', '"n_predict": -2', '"top_k": "x"',
]


def singles():
    """Requests of one field each, as JSON text without the outer braces."""
    for name in SINGLE:
        for value in NUMBERS + OTHERS:
            yield f'"{name}": {value}'
    yield from EXTRA


def generator(number):
    return random.Random(number)
