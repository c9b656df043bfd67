"""language.py - small languages: as GBNF for the server, as tables for sortes

A language is a machine over ASCII characters: for each state, which character
leads where, and the states in which a text may end; from every state an end
can be reached.  Over tokens, a state allows those whose characters it can
follow, and what ends a text where it may end.  llama.cpp never allows an empty
token, nor one that begins with a zero byte.

SPDX-License-Identifier: MIT
"""
import array
import string

LOWER, UPPER = string.ascii_lowercase, string.ascii_uppercase
DIGITS = string.digits
PRINTABLE = "".join(chr(c) for c in range(0x20, 0x7F))


def arcs(*pairs):
    """{character: state} of (characters, state) pairs."""
    return {c: state for characters, state in pairs for c in characters}


def words(*texts):
    """The language of these words, none a prefix of another: a tree."""
    states, ends = [{}], set()
    for text in texts:
        at = 0
        for c in text:
            if c not in states[at]:
                states[at][c] = len(states)
                states.append({})
            at = states[at][c]
        ends.add(at)
    return states, ends


# GBNF, then states and those in which it may end.
LANGUAGES = [
    ("root ::= [a-c]+",
     [arcs(("abc", 1)), arcs(("abc", 1))], {1}),
    ("root ::= [a-z ]+",
     [arcs((LOWER + " ", 1)), arcs((LOWER + " ", 1))], {1}),
    ("root ::= ([0-9] | [A-Z] [a-z]*)+",
     [arcs((DIGITS, 1), (UPPER, 2)), arcs((DIGITS, 1), (UPPER, 2)),
      arcs((DIGITS, 1), (UPPER, 2), (LOWER, 2))], {1, 2}),
    ('root ::= "a"* ([b-z] [ -~]*)?',
     [arcs(("a", 0), (LOWER[1:], 1)), arcs((PRINTABLE, 1))], {0, 1}),
    ('root ::= "[" [0-9]+ ("," [0-9]+)* "]"',
     [arcs(("[", 1)), arcs((DIGITS, 2)), arcs((DIGITS, 2), (",", 1), ("]", 3)),
      {}], {3}),
    ('root ::= "yes, of course" | "no, not at all"',
     *words("yes, of course", "no, not at all")),
]

# As GBNF for both; whether their texts can all go on.
GRAMMARS = [
    ("""root ::= object
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (pair (", " pair)*)? "}"
pair ::= string ": " value
array ::= "[" (value (", " value)*)? "]"
string ::= "\\"" char* "\\""
char ::= [^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-f]{4})
number ::= "-"? [0-9]{1,8} ("." [0-9]+)?
ws ::= [ \\n]{0,3}""", False),
    ("""root ::= ("- " line "\\n")+
line ::= [^\\r\\n\\u2028\\u2029\\x85]+""", True),
    ("""root ::= (sum "=" num "\\n")+ # sums
sum ::= product ([-+] product)*
product ::= atom ([*/] atom)*
atom ::= num | name | "(" sum ")"
name ::= [a-z] [a-z0-9]{0,5}
num ::= [0-9]{1,6}""", True),
    ("root ::= [^\\x00-\\x7f\\u00e9]+ | (. [^a-z])+", True),
    ('root ::= ("a" | "\\u4e2d" | [\\u0400-\\u04ff]{2,3})+ [.!?]?', True),
]

# Sleeps until an "a" comes, and goes on from there.
LAZY = {"grammar": 'root ::= "a" [^A-Z0-9]*', "grammar_lazy": True,
        "grammar_triggers": [{"type": 2, "value": "a"}]}


def token_row(states, ends, start, pieces):
    """Where each token leads from a state; len(states) is the end."""
    row = array.array("i")
    for piece, is_end in pieces:
        at = start if piece else -1
        if is_end:
            row.append(len(states) if start in ends else -1)
            continue
        for c in piece:
            at = states[at].get(c, -1)
            if at < 0:
                break
        row.append(at)
    return row


def write_tables(pieces, folder):
    """A table a language; [(GBNF, path, whether its texts can all go on)].
    pieces: (text, whether it ends).  GRAMMARS have no table."""
    made = []
    for i, (gbnf, states, ends) in enumerate(LANGUAGES):
        path = f"{folder}/language{i}.i32"
        with open(path, "wb") as file:
            for start in range(len(states)):
                token_row(states, ends, start, pieces).tofile(file)
            array.array("i", [-1] * len(pieces)).tofile(file)
        made.append((gbnf, path, all(states)))
    return made + [(gbnf, "", goes_on) for gbnf, goes_on in GRAMMARS]
