"""kinds.py - schemas that llguidance and profile llguidance read alike, and the
words in which they are known not to

SPDX-License-Identifier: MIT
"""
import re


def _object(required, **properties):
    return {"type": "object", "properties": properties, "required": required,
            "additionalProperties": False}


INTEGER, NULL, STRING = ({"type": t} for t in ("integer", "null", "string"))

# Equal at every state.
ALIKE = [
    {}, {"type": "object"}, {"type": "array"}, STRING, INTEGER,
    {"type": "number"}, {"type": "boolean"}, {"type": ["string", "null"]},
    {"type": "array", "items": INTEGER},
    {"type": "array", "items": {"type": "boolean"}, "minItems": 1,
     "maxItems": 3},
    {"type": "array", "prefixItems": [NULL, {"type": "boolean"}],
     "items": False},
    _object(["a"], a=INTEGER),
    _object(["b"], a=INTEGER, b=NULL),
    _object([], a=INTEGER, b=STRING, c=NULL),
    _object(["a"], a=_object(["b"], b=STRING, c={"type": "array"})),
    {"type": "object", "additionalProperties": INTEGER},
    {"type": "object", "minProperties": 1},
    {"type": "object", "maxProperties": 1, "additionalProperties": NULL},
    _object(["\u00e9", "a\"b"], **{"\u00e9": INTEGER, "a\"b": NULL}),
    {"enum": ["a", "b", "abc"]}, {"enum": [1, 2, "x", None, True]},
    {"enum": [0, 1, -1]}, {"const": {"a": 1}}, {"const": "x\ny"},
    {"type": "string", "minLength": 2, "maxLength": 4},
    {"type": "string", "pattern": "^[a-z]+$"},
    {"type": "string", "pattern": "a"},
    {"type": "string", "pattern": "^(ab|cd)*$", "minLength": 3},
    {"type": "integer", "minimum": 0},
    {"type": "integer", "minimum": 3, "maximum": 17},
    {"type": "integer", "exclusiveMinimum": -3},
    {"type": "integer", "maximum": -3},
    {"type": "number", "minimum": 0, "maximum": 1},
    {"anyOf": [STRING, INTEGER]},
    {"anyOf": [_object(["a"], a=INTEGER), _object(["b"], b=INTEGER)]},
    {"$defs": {"n": {"type": "object", "required": ["v"],
                     "properties": {"v": INTEGER,
                                    "n": {"$ref": "#/$defs/n"}},
                     "additionalProperties": False}},
     "$ref": "#/$defs/n"},
    {"$defs": {"t": {"anyOf": [NULL, {"type": "array",
                                      "items": {"$ref": "#/$defs/t"}}]}},
     "$ref": "#/$defs/t"},
    {"type": "string", "format": "uuid"}, {"type": "string", "format": "ipv4"},
]

DATE, HOSTNAME = ({"type": "string", "format": f}
                  for f in ("date", "hostname"))
ABOVE_ONE = {"type": "number", "exclusiveMinimum": 1, "maximum": 10}


def _leap_day(text, pieces):
    """llguidance has 29 February in every year."""
    return (pieces and text.endswith(b"-02-2") and
            all(p.startswith(b"9") for p in pieces))


def _last_zero(text, pieces):
    """Between 1 and 2 it has no zero at the end."""
    return re.fullmatch(rb"1\.\d*0", text) and not pieces


def _long_label(text, pieces):
    """It does not count the characters of a label, or of the whole."""
    def is_long(name):
        if name.endswith((b"-", b".")):
            name += b"a"  # it cannot end there
        return len(name) > 253 or max(map(len, name.split(b"."))) > 63
    return pieces and all(is_long((text + p).strip(b'"')) for p in pieces)


# Where the two differ at some states, and that it is there.
NEARLY = [(DATE, _leap_day), (ABOVE_ONE, _last_zero), (HOSTNAME, _long_label)]

# Why masks may differ, by the words of a schema; docs/ORACLES.md says how.
KINDS = [
    ("format", {"format"}),
    ("pattern", {"pattern", "patternProperties"}),
    ("bounds", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                "multipleOf"}),
    ("branches", {"anyOf", "oneOf", "allOf"}),
    ("beside $ref", {"$ref"}),
]


def _words(schema):
    if isinstance(schema, dict):
        yield from schema
        for value in schema.values():
            yield from _words(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _words(value)


def kind_of(schema):
    """Why the masks of a schema may differ; None: they may not."""
    words = set(_words(schema))
    for kind, some in KINDS:
        if words & some:
            return kind
    return None
