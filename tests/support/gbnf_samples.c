/*
 * gbnf_samples.c - grammars of the kinds that people write
 *
 * The kinds are those of which llama.cpp ships samples (its folder grammars);
 * the grammars are our own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/gbnf_samples.h"

const struct gbnf_sample gbnf_samples[] = {
    { "json",
      "root ::= object\n"
      "value ::= (object | array | string | number | \"true\" | \"false\" | "
      "\"null\") ws\n"
      "object ::= \"{\" ws (pair (\",\" ws pair)*)? \"}\"\n"
      "pair ::= string ws \":\" ws value\n"
      "array ::= \"[\" ws (value (\",\" ws value)*)? \"]\"\n"
      "string ::= \"\\\"\" char* \"\\\"\"\n"
      "char ::= [^\"\\\\\\x7F\\x00-\\x1F] | \"\\\\\" ([\"\\\\/bfnrt] | \"u\" "
      "[0-9a-fA-F]{4})\n"
      "number ::= \"-\"? (\"0\" | [1-9] [0-9]{0,15}) (\".\" [0-9]+)? ([eE] "
      "[-+]? [0-9]{1,3})?\n"
      "ws ::= | \" \" | \"\\n\" [ \\t]{0,20}\n",
      "{\"a\": [1, -0.5e+3, \"\xc3\xa9\\u00e9\"], \"b\": {}}", "{\"a\": 01" },
    { "json array",
      "root ::= \"[\" (entry (\",\" entry)*)? \"]\" # objects of one shape\n"
      "entry ::= \"{\\\"name\\\":\\\"\" name \"\\\",\\\"age\\\":\" age \"}\"\n"
      "name ::= [A-Z] [a-z]+ (\" \" [A-Z] [a-z]+)?\n"
      "age ::= [0-9] | [1-9] [0-9]\n",
      "[{\"name\":\"Ada Byron\",\"age\":36},{\"name\":\"Bo\",\"age\":7}]",
      "[{\"name\":\"a" },
    { "arithmetic",
      "root ::= (sum \"=\" blank number \"\\n\")+\n"
      "sum ::= product ([-+] blank product)*\n"
      "product ::= atom ([*/%] blank atom)*\n"
      "atom ::= (number | name | \"(\" blank sum \")\" blank)\n"
      "name ::= [a-z] [a-z0-9]* blank\n"
      "number ::= [0-9]+ blank\n"
      "blank ::= [ \\t]*\n",
      "(a + 2) * b1 = 12\n1=1\n", "a + *" },
    { "list",
      "root ::= item{1,5}\n"
      "item ::= \"- \" [^\\r\\n\\x0b\\x0c\\x85\\u2028\\u2029]+ \"\\n\"\n",
      "- milk\n- \xe2\x82\xac 3\n", "- milk\n\n" },
    { "chess",
      "root ::= turn{1,40}\n"
      "turn ::= [1-9] [0-9]? \". \" move \" \" move \"\\n\"\n"
      "move ::= (pawn | piece | \"O-O\" \"-O\"?) [+#]?\n"
      "piece ::= [NBKQR] [a-h]? [1-8]? \"x\"? square\n"
      "pawn ::= ([a-h] \"x\")? square (\"=\" [NBQR])?\n"
      "square ::= [a-h] [1-8]\n",
      "1. e4 e5\n2. Nf3 Nc6\n10. O-O exd8=Q+\n", "1. e9" },
    { "c-like",
      "root ::= function+\n"
      "function ::= type \" \" word \"(\" (type \" \" word (\", \" type \" \" "
      "word)*)? \") {\" nl (statement nl)* \"}\\n\"\n"
      "statement ::= ( type \" \" word \" = \" value \";\"\n"
      "    | word \" = \" value \";\"\n"
      "    | \"while (\" value [<>] value \") {\" nl (statement nl)* \"}\"\n"
      "    | \"return \" value \";\" )\n"
      "type ::= \"int\" | \"char\" | \"float\"\n"
      "word ::= [a-zA-Z] [a-zA-Z0-9]*\n"
      "value ::= term ([-+*/] term)*\n"
      "term ::= word | number | \"(\" value \")\" | word \"(\" (value (\", \" "
      "value)*)? \")\"\n"
      "number ::= [0-9]+\n"
      "nl ::= \"\\n\" [ \\t]*\n",
      "int f(int a) {\n  while (a<9) {\n a = g(a+1);\n}\n return (a);\n}\n",
      "int f(int 9" },
    { "japanese",
      "root ::= sentence+ ([ \\t\\n] sentence+)*\n"
      "sentence ::= kana | kanji | mark\n"
      "kana ::= [\xe3\x81\x81-\xe3\x82\x9f] | [\xe3\x82\xa1-\xe3\x83\xbf]\n"
      "kanji ::= [\\u4E00-\\u9FFF]\n"
      "mark ::= [\xe3\x80\x81-\xe3\x80\xbe]\n",
      "\xe3\x81\x82\xe3\x80\x82 \xe6\xbc\xa2", "\xe3\x81\x82 a" },
    { "english",
      "root ::= word (\" \" word)* end? \"\\n\"*\n"
      "word ::= [A-Za-z0-9]+ ([-'] [A-Za-z]+)?\n"
      "end ::= [.!?] | \", \" word\n",
      "It's a well-known fact, yes\n", "It's  " },
    { "negated", /* what is left out lies beyond ASCII */
      "root ::= (word \" \")* [^\\u00e9\\U0001F600-\\U0001F64F]{3} .\n"
      "word ::= [^\xc3\xa4-\xc3\xbc \\n]+ | .{2}\n",
      "abc\xe2\x82\xac", "" },
    { "optionals",
      "root ::= \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? "
      "\"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"x\"? \"y\"\n",
      "xxxy", "xxxxxxxxxxxxxxxxx" },
    { "bounds",
      "root ::= (\"ab\"{2,3} | [0-9]{3,} | (\"(\" root \")\"){0,2} \";\")\n",
      "(0123)(ababab);", "abababa" },
    { "blind alleys", /* c follows, but never ends */
      "root ::= \"a\" (\"b\" | c)\n"
      "c ::= \"c\" c \"d\" | \"e\" [z-a]\n",
      "ab", "" },
};

const size_t gbnf_n_samples = sizeof(gbnf_samples) / sizeof(gbnf_samples[0]);
