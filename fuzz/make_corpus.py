#!/usr/bin/env python3
"""make_corpus.py - writes fuzz/corpus/{json,gguf,params,script,vocab,gbnf,regex,
matcher,json_text,json_schema,grammar,tags} anew

Small inputs of our own that reach every branch a fuzzer would have to guess:
every JSON construct, every GGUF type, every field of a request.

SPDX-License-Identifier: MIT
"""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")

JSON = {
    "literals": b"[null,true,false]",
    "numbers": b"[0,-0,1.5,1e5,-2.5E-3,12345678901234567890,1e400,4.9e-324]",
    "long_number": b"1." + b"0" * 60 + b"1",
    "strings": b'["","a\\"\\\\\\/\\b\\f\\n\\r\\t","\\u00e9\\ud83d\\ude00\\u0000"]',
    "utf8": '["\u00e9\u6f22\U0001F600"]'.encode(),
    "objects": b'{"a":1,"b":{"c":[]},"a":2}',
    "nested": b"[" * 20 + b"]" * 20,
    "blanks": b' \t\r\n{ "a" : [ 1 , 2 ] } ',
    "torn": b'{"a":[1,"b',
    "lone_surrogate": b'"\\ud83d"',
    "malformed_utf8": b'"\xc3("',
}

REQUESTS = {
    "sampling": b'{"top_k":50,"top_p":0.9,"min_p":0.1,"temperature":0.7,'
                b'"repeat_last_n":64,"repeat_penalty":1.1,"seed":-1}',
    "clamped": b'{"top_k":-1,"top_p":2,"temperature":1e39,"seed":1e20}',
    "bias_object": b'{"logit_bias":{"12":1.5,"7":false,"":-2,"12":3}}',
    "bias_array": b'{"logit_bias":[[12,1.5],[7,false],[1],["a",true]]}',
    "passed": b'{"prompt":[1,2],"n_predict":5,"stream":false,"stop":["a"]}',
    "off": b'{"mirostat":0,"dry_multiplier":0,"typical_p":1,"xtc_probability":0,'
           b'"samplers":["penalties","topk","top-p","min_p","temp"]}',
    "stages": b'{"mirostat":2,"dry_multiplier":0.8,"dry_base":0.5,'
              b'"samplers":"edskypmxtia","adaptive_target":0.5}',
    "tags": b'{"reasoning_budget_end_tags":["a",""],'
            b'"reasoning_budget_start_tag":"b","reasoning_budget_message":1}',
    "hard": b'{"min_keep":-1}',
    "unknown": b'{"minp":1}',
    "grammar": b'{"json_schema":{},"grammar":"root ::= x"}',
    "types": b'{"ignore_eos":0,"reasoning_budget_message":1}',
    "breakers": b'{"dry_sequence_breakers":["a",1]}',
}

RECORDING = b"""sortes rows 1
# a comment
model eight tokens
sampled a test
dialect llama.cpp
n_vocab 8
rows a.npy
seed 18446744073709551615
params {"top_k":1}
prompt "a\\x41\\n\\"\\\\"
prompt_tokens 0 1
tokens 2 3
piece 0 "a\\xC3"
piece 1 "<end>" control eog
piece 2 ""
"""

RECORDINGS = {
    "whole": RECORDING,
    "no_newline": RECORDING[:-1],
    "torn": RECORDING[:200],
    "nul": RECORDING.replace(b"a test", b"a\0test"),
    "escape": RECORDING.replace(b"\\x41", b"\\q"),
    "escape_at_end": RECORDING.replace(b'\\\\"\n', b"\\x4"),
    "open_quote": RECORDING.replace(b'piece 2 ""', b'piece 2 "'),
    "token_outside": RECORDING.replace(b"tokens 2 3", b"tokens 2 8"),
    "tokens_twice": RECORDING + b"tokens 1\n",
    "piece_twice": RECORDING + b'piece 2 "b"\n',
    "vocab_late": RECORDING.replace(b"n_vocab 8\n", b"") + b"n_vocab 8\n",
    "vocab_large": RECORDING.replace(b"n_vocab 8", b"n_vocab 16777217"),
    "path": RECORDING.replace(b"a.npy", b"../a.npy"),
    "unknown": RECORDING + b"other 1\n",
    "empty_line": RECORDING + b"\n\n#\nlonely\n",
}

# By the order of params.def.
TEXTS = {
    "text_seed": b"\x00-1",
    "text_float": b"\x010.75",
    "text_infinity": b"\x01inf",
    "text_whole": b"\x0240",
    "text_samplers": b"\x11top_k;e;Temp;min-p",
    "text_breakers": b"\x1aa;\\n\\;\\x41;\\\\",
    "text_bias": b"\x1b15043+1.5, 2-inf",
    "text_flag": b"\x1etrue",
    "mlx_lm": b'\xfb{"temperature":0.7,"top_p":0.95,"min_p":0.05,"top_k":40,'
              b'"xtc_probability":0.5,"seed":18446744073709551615,'
              b'"logit_bias":{"5":1,"7":"-2.5"}}',
    "mlx_lm_ours": b'\xfb{"temp":1,"min_tokens_to_keep":3,'
                   b'"xtc_special_tokens":[1,2],"mlx_draw":"gumbel",'
                   b'"gumbel_rows":4,"gumbel_row":1}',
    "mlx_lm_types": b'\xfb{"xtc_threshold":0,"stream":1}',
    "mlx_lm_text": b'\xfa\x0815043, 2',
    "rmlx": b'\xfc{"temperature":0.7,"top_k":4294967295,"seed":7,'
            b'"logit_bias":{"5":1.5,"+6":-2},"logprobs":true}',
    "rmlx_think": b'\xfc{"thinking_budget":3,"thinking_start_token":"<r>",'
                  b'"thinking_end_token":" ","messages":[],"max_tokens":0}',
    "rmlx_twice": b'\xfc{"min_p":1,"min_p":2,"tool_choice":{},"echo":true}',
    "ollama": b'\xfd{"temperature":0.5,"top_k":7.9,"seed":-1,"stop":["a"]}',
    "ollama_request": b'\xfd{"model":"m","options":{"min_p":0.1,"num_ctx":1},'
                      b'"logprobs":true,"top_logprobs":3,"tools":[]}',
    "modelfile": b'\xfeFROM x\nPARAMETER top_k 5\n# c\r\nTEMPLATE """a\n"""\n'
                 b'PARAMETER stop "b\n"\nMESSAGE user hi\nPARAMETER seed -1',
}

U32, I32, F32, BOOL, STRING, ARRAY, U64, F64 = 4, 5, 6, 7, 8, 9, 10, 12


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(value)) + value


def pair(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def strings(values):
    return struct.pack("<IQ", STRING, len(values)) + b"".join(map(text, values))


def gguf(pairs, version=3):
    return (b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs))
            + b"".join(pairs))


def vocab(model, tokens, types):
    return [
        pair("tokenizer.ggml.model", STRING, text(model)),
        pair("tokenizer.ggml.tokens", ARRAY, strings(tokens)),
        pair("tokenizer.ggml.token_type", ARRAY,
             struct.pack("<IQ", I32, len(types))
             + struct.pack(f"<{len(types)}i", *types)),
    ]


def defaults(name, kind, value):
    return pair("general.sampling." + name, kind, value)


GGUFS = {
    "empty": gguf([]),
    "version_2": gguf([pair("a", BOOL, b"\1")], 2),
    "version_1": gguf([], 1),
    "types": gguf([pair("a", U32, struct.pack("<I", 1)),
                   pair("b", F32, struct.pack("<f", 0.5)),
                   pair("c", F64, struct.pack("<d", 0.5)),
                   pair("d", STRING, text("x")),
                   pair("e", ARRAY, strings(["x", ""]))]),
    "twice": gguf([pair("a", BOOL, b"\1"), pair("a", BOOL, b"\0")]),
    "lying_string": gguf([pair("a", STRING, struct.pack("<Q", 1 << 40))]),
    "lying_array": gguf([pair("a", ARRAY, struct.pack("<IQ", U64, 1 << 29))]),
    "nested_array": gguf([pair("a", ARRAY, struct.pack("<IQ", ARRAY, 1))]),
    "bpe": gguf(vocab("gpt2", ["a", "\u0120b", "<|im_end|>", "\u6f22", ""],
                      [1, 1, 3, 1, 1])),
    "spm": gguf(vocab("llama", ["<unk>", "<s>", "</s>", "<0x0A>", "\u2581a"],
                      [2, 3, 3, 6, 1])),
    "other_model": gguf(vocab("bert", ["a"], [1])),
    "harmony": gguf(vocab("gpt2", ["<|end|>", "<|return|>", "<|call|>"],
                          [3, 3, 3])),
    "defaults": gguf([defaults("temp", F32, struct.pack("<f", 0.123456789)),
                      defaults("top_k", I32, struct.pack("<i", 20)),
                      defaults("top_p", STRING, text(" 0.5x")),
                      defaults("min_p", F64, struct.pack("<d", 1e-7))]),
    "mirostat": gguf([defaults("mirostat", I32, struct.pack("<i", 2))]),
    "sequence": gguf([defaults("sequence", STRING,
                               text("penalties;top_k;topp;min-p;temp"))]),
}

# Lengths of the tags, two tears, the tags, the text.
THOUGHTS = {
    "torn": b"\x03\x04\x05\x04<t></t>a<t>b</t>c",
    "overlap": b"\x03\x03\x02\x02aabbaaaaabxbbaay",
    "same_start": b"\x02\x04\x03\x01ababcdxababcdyabz",
    "equal": b"\x02\x02\x01\x01####a##b##c#",
    "blank": b"\x01\x01\x00\x00  a b",
    "held": b"\x03\x04\x01\x02<t></t>x<t></",
}

CONFIGS = {
    "number": b'{"eos_token_id":2,"bos_token_id":1,"pad_token_id":null}',
    "list": b'{"eos_token_id":[1,106,1]}',
    "nested": b'{"eos_token_id":null,"text_config":{"eos_token_id":[5],'
              b'"pad_token_id":0}}',
    "wrong": b'{"eos_token_id":[1,"2"],"bos_token_id":-1}',
    "many": b'{"eos_token_id":[' + b",".join(b"%d" % i for i in range(70))
            + b"]}",
    "no_object": b"[7]",
}

BYTE_LEVEL = '"decoder":{"type":"ByteLevel"},'
LLAMA = ('"decoder":{"type":"Sequence","decoders":[{"type":"Replace",'
         '"pattern":{"String":"\u2581"},"content":" "},'
         '{"type":"ByteFallback"},{"type":"Fuse"}]},')

VOCABS = {
    "tiktoken": b"IQ== 0\nTWFu 2\r\n\n/w== 1",
    "tiktoken_bad": b"IQ== 0\nIR== 1\n",
    "tiktoken_far": b"IQ== 4194304\n",
    "tiktoken_twice": b"IQ== 1\nIg== 1\n",
    "byte_level": "{" + BYTE_LEVEL + '"model":{"type":"BPE","merges":[],'
                  '"vocab":{"!":0,"\u0120a":1,"\u00c3":2,"\u6f22":3}},'
                  '"added_tokens":[{"id":5,"content":"<|im_end|>",'
                  '"special":true}]}',
    "sentencepiece": "{" + LLAMA + '"model":{"type":"BPE","unk_token":"<unk>",'
                     '"vocab":{"<unk>":0,"<0x0A>":1,"\u2581a":2}},'
                     '"added_tokens":[{"id":3,"content":"\u2581\u2581"}]}',
    "unigram": '{"decoder":{"type":"Metaspace","replacement":"\u2581"},"model":'
               '{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1]]}}',
    "wordpiece": '{"decoder":{"type":"WordPiece"},"model":{"type":"WordPiece"}}',
    "added_far": "{" + BYTE_LEVEL + '"model":{"type":"BPE","vocab":{"a":0}},'
                 '"added_tokens":[{"id":1e9,"content":"x"}]}',
}

GBNFS = {
    "items": b'root ::= "a\\n\\x41\\u00e9\\U0001F600" [^a-z\\]-] . (b | "")* # c\n'
             b'b ::= [a-] [--z]{0,3} "x"{2} "y"{1,} "z"? "w"+\r\n',
    "left": b'root ::= e\ne ::= e "+" t | t\nt ::= t "*" f | f\n'
            b'f ::= "(" e ")" | [0-9]+\n',
    "hidden": b'root ::= n root "x" | "y"\nn ::= m\nm ::= "" | "z"\n',
    "tokens": b'root ::= <[12]> | !<[3]> <|im_end|> | "a" !<x>\n',
    "counts": b'root ::= "a"{5,2}\n',
    "large": b'root ::= ("ab" | [^c]{3}){0,500} "."{20,}\n',
    "empty": b'root ::= "a" root | [z-a]\n',
    "nothing": b'root ::= "" [] ("")\n',
    "nested": b"root ::= " + b"(" * 50 + b'"a"' + b")*" * 50,
    "ambiguous": b'root ::= root root | "a" | ""\n',
    "torn": b'root ::= ("a" | [b',
    "surrogates": b'root ::= [\\uD800-\\uDFFF\\uFFFF] | [^\\U00110000]\n',
}

# A pattern, and behind a byte FF what is read by it.
REGEXES = {
    "classes": b"[a-z\\]^-][^\\d\\s][\\w-z][]|\\W\xffb-x",
    "escapes": b"\\t\\x41\\u0042\\u{1F600}\\ud83d\\ude00\\cJ\\0\\-\xff\tAB",
    "counts": b"a*b+?c?d{2}e{1,}f{0,3}?{}{,2}\xffaabdde",
    "order": b"a{5,2}",
    "nested": b"(((a{100}){100}){100})\xffaaa",
    "look": b"(?=.*b)(?!c)(?:(?!foo).)*(?<=a)b(?<!x)\\b\xffab",
    "loops": b"(?:(?:(?:a|\\b)*|(?=b))*|(?!c))*\xffaa",
    "anchors": b"^a$|\\Ab\\z|(?:^|-)c\xffc",
    "names": b"(?<y>a|b)(?P<z>c)\\k<y>(?P=z)\\1\xffacaca",
    "flags": b"(?i)a(?-i:b)(?s:.)stra\xc3\x9fe\xffAb\nSTRA\xe1\xba\x9ee",
    "properties": b"\\p{Lu}\\P{L}\\p{sc=Greek}\\p{scx=Hira}\\p{Emoji}\xffA1",
    "exponential": b"(?!.*a.{20}$).*\xffaaaaaaaaaaaaaaaaaaaaaaaa",
    "options": b"a?" * 40 + b"a" * 40 + b"\xff" + b"a" * 60,
    "utf8": b"[^a]{2,3}\xff\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80",
    "literals": b"|".join(b"key%d" % i for i in range(200)) + b"\xffkey1",
    "torn": b"(?<a(b[c",
    "empty": b"",
}

# Kinds by the order of languages.def: json_object, choice, then the others.
MATCHERS = {
    "object": b"\x00\x00-" + b"".join(b"\x0e" + bytes([c])
                                      for c in b'{"a":[1,true]}'),
    "object_again": b"\x00\x00-" + b'\x02\x00\x0b{"a":1,"a":"' + b"\x00\x01"
                    b"\x08\x00\x0e1\x04\x00\x0a\x00\x06\x00\x09SRTM\x01\1\0\0\0",
    "healed": b"\x00\x00h" + b"\x0ea\x0e\"\x0e{",
    "thinking": b"\x00\x00t" + b"\x0ex\x0e<\x0e/\x0e{\x00\x02\x0e/",
    "choice": b"\x01\x07ab\nabc\n-" + b"\x0ea\x0a\x00\x0eb\x08\x00\x0f\x0b",
    "third": b"\x02\x04a+b?-" + b"\x0ea\x0ea\x0eb",
    "third_gbnf": b"\x03\x14root ::= [a-c]+ \"x\" -" + b"\x0ea\x0ea\x0ex",
}

JSON_TEXTS = {
    "plain": b'"abc"',
    "escapes": b' "\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00" ',
    "letters": '"\u00e9\u6f22\U0001F600"'.encode(),
    "torn": b'"a\\u00',
    "half": b'"\\ud83d"',
    "two": b'"a" "b"',
}

TAG = '{"type":"tag","begin":"<a>","content":%s,"end":%s}'
TAGS = {
    "triggered": '{"type":"structural_tag","format":{"type":"triggered_tags",'
                 '"triggers":["<a","a>"],"tags":[' +
                 TAG % ('{"type":"any_text"}', '["</a>",""]') + ',' +
                 TAG.replace("<a>", "a>b") % ('{"type":"grammar","grammar":'
                                              '"root ::= \\"a\\"*"}', '""') +
                 '],"excludes":["x"],"at_least_one":true,'
                 '"stop_after_first":false}}',
    "separated": '{"format":{"type":"tags_with_separator","separator":",","tags"'
                 ':[' + TAG % ('{"type":"const_string","value":"\\u20ac"}',
                               '"</a>"') + '],"stop_after_first":true}}',
    "repeated": '{"format":{"type":"sequence","elements":[{"type":"star",'
                '"content":{"type":"const_string","value":"a"}},{"type":"plus",'
                '"content":{"type":"regex","pattern":"a?"}},{"type":"repeat",'
                '"min":2,"max":-1,"content":{"type":"optional","content":{'
                '"type":"any_text","max_chars":3}}}]}}',
    "or": '{"format":{"type":"or","elements":[{"type":"json_schema",'
          '"json_schema":{"type":"object"},"any_order":true},{"type":'
          '"qwen_xml_parameter","json_schema":{"properties":{"a":{"type":'
          '"string"},"b":{"enum":[1]}},"required":["b"]}}]}}',
    "dispatch": '{"format":{"type":"dispatch","loop":false,"rules":[["a",{"type"'
                ':"const_string","value":"b"}]],"excludes":["c"]}}',
    "structures": '{"structures":[{"begin":"<f=g>","schema":"{}","end":"</f>"}],'
                  '"triggers":["<f"]}',
    "tools": '{"tools":[{"type":"function","function":{"name":"f","parameters":'
             '{"type":"object"}}},{"name":"g"}],"tool_choice":"auto",'
             '"parallel_tool_calls":false,"format":{"begin":"<{name}>",'
             '"end":"</>"}}',
    "tools_json": '{"tools":[{"name":"g"}],"tool_choice":"required",'
                  '"format":"json"}',
    "wrong": '{"format":{"type":"tag","begin":{"type":"token","token":1},'
             '"content":{"type":"token","token":"a"},"end":[]}}',
}


def grammar(kind, options, text, tokens):
    """Kinds by index; bits of options are fuzz_grammar.c's; tokens: bytes, or
    80 to BF for those of several bytes."""
    return bytes([kind, options]) + struct.pack("<H", len(text)) + text + tokens


GRAMMARS = {
    "object": grammar(0, 0, b"", b'{"a":[1,-2.5e3,true],"b":{}}\x8d'),
    "object_keys": grammar(0, 1, b"", b'{"a":1,"\\u0061'b'b":2,"b\x82a":0'),
    "object_tokens": grammar(0, 0, b"", b"\x80a\x8a\x82b\x811}\x8d"),
    "object_depth": grammar(0, 32, b"", b'{"a":[[{"b":[1'),
    "object_states": grammar(0, 128, b"", b'{"a":[[[[[[[[[['),
    "object_small_cache": grammar(0, 16 + 8 + 2, b"", b'{"k":"\xe2\x82\xac"}'),
    "object_text": grammar(0, 0, b"x", b""),
    "choice": grammar(1, 0, b"ab\nabab\n{\"x\n\xf1", b"\x86ab\x8d"),
    "choice_missing": grammar(1, 0, b"\xf1\n", b""),
    "choice_empty": grammar(1, 0, b"\n", b"\x8d"),
    "regex": grammar(2, 0, b"(?=a).{2,4}(?!b)|true", b"\x87c\x8d"),
    "regex_states": grammar(2, 128, b"(?!.*a.{9}$).*", b"ababababababa"),
    "regex_missing": grammar(2, 0, b"\\u{40000}|x", b"x"),
    "gbnf": grammar(3, 0, b'root ::= "{" r* "}"\nr ::= [a-b] | root\n',
                    b"{{a\x86}}\x8d"),
    "gbnf_left": grammar(3, 0, b'root ::= root "a" | [^x]\n', b"\xe2\x82\xacaa"),
    "gbnf_literal": grammar(3, 4, b'root ::= [^a] "\xc3\xa9" | "ab" root\n',
                            b"\x86\x86\x85"),
    "gbnf_token": grammar(3, 0, b"root ::= <[268]> !<[3]> \"a\"\n", b"\x8c\x86a"),
}


SCHEMAS = {
    "types": '{"type":["string","null"],"minLength":1,"pattern":"^a|b$"}',
    "numbers": '{"type":"integer","minimum":-1e2,"multipleOf":0.5,'
               '"not":{"multipleOf":3}}',
    "objects": '{"type":"object","properties":{"a":{"$ref":"#"},"b":false},'
               '"patternProperties":{"^x":{"enum":[1,"a",[],{"k":null}]}},'
               '"required":["a"],"maxProperties":3,'
               '"propertyNames":{"maxLength":2}}',
    "arrays": '{"items":[{"const":1}],"additionalItems":{"type":"boolean"},'
              '"contains":{"const":true},"minItems":2,"maxItems":4}',
    "branches": '{"oneOf":[{"required":["a"]},{"required":["b"]}],'
                '"if":{"properties":{"a":{"const":1}}},'
                '"then":{"minProperties":2},"else":{"anyOf":[true,false]},'
                '"dependentSchemas":{"a":{"properties":{"b":true}}},'
                '"unevaluatedProperties":{"type":"string"}}',
    "references": '{"$id":"http://x/y","$defs":{"p":{"$anchor":"q"},'
                  '"r":{"$id":"z","$ref":"y#q"}},'
                  '"allOf":[{"$ref":"#/$defs/p"},{"$ref":"z"}]}',
    "dynamic": '{"$schema":"https://json-schema.org/draft/2020-12/schema",'
               '"$dynamicAnchor":"n","items":{"$dynamicRef":"#n"},'
               '"unevaluatedItems":false}',
    "format": '{"format":"date-time"}',
    "cycle": '{"$ref":"#"}',
    "empty": '{"minimum":2,"maximum":1,"type":"number"}',
    # A second document behind a NUL.
    "document": '{"$ref":"http://x/b#/$defs/p","properties":{"a":{"$ref":'
                '"c/d"},"b":{"$ref":"none"}}}\0{"$id":"http://y/b","$defs":'
                '{"p":{"$anchor":"q","type":["object","null"]},"r":{"$id":'
                '"e","$ref":"#/no"}},"additionalProperties":{"$ref":"f"}}',
    "chain": '{"$ref":"a"}\0{"items":{"$ref":"b/c"}}',
    "torn": '{"$ref":"a"}\0{"items":',
    "dialect": '{"$schema":"http://x/d","minimum":1}\0{"$schema":'
               '"https://json-schema.org/draft/2020-12/schema","$vocabulary":'
               '{"https://json-schema.org/draft/2020-12/vocab/validation":true,'
               '"http://x/v":false}}',
    "required": '{"$schema":"http://x/d"}\0{"$schema":"https://json-schema.org/'
                'draft/2019-09/schema","$vocabulary":{"http://x/v":true}}',
    "recursive": '{"$schema":"https://json-schema.org/draft/2019-09/schema",'
                 '"$id":"http://x/s","$recursiveAnchor":true,"$ref":"t",'
                 '"unevaluatedProperties":false}\0{"$recursiveAnchor":true,'
                 '"properties":{"a":{"$recursiveRef":"#"}}}',
}


def write(folder, files):
    where = os.path.join(HERE, folder)
    os.makedirs(where, exist_ok=True)
    for name in os.listdir(where):
        os.remove(os.path.join(where, name))
    for name, content in files.items():
        with open(os.path.join(where, name), "wb") as file:
            file.write(content)


write("json", {name + ".json": content for name, content in JSON.items()})
write("think", {name: content for name, content in THOUGHTS.items()})
write("gguf", {name + ".gguf": content for name, content in GGUFS.items()})
write("params", {name + ".txt": b"\xff" + content
                 for name, content in REQUESTS.items()}
      | {name + ".txt": content for name, content in TEXTS.items()})
write("script",
      {name + ".rows": content for name, content in RECORDINGS.items()})
write("vocab", {name: content if isinstance(content, bytes)
                else content.encode() for name, content in VOCABS.items()})
write("gbnf", {name + ".gbnf": content for name, content in GBNFS.items()})
write("regex", {name + ".regex": content for name, content in REGEXES.items()})
write("model_tokens",
      {name + ".json": content for name, content in CONFIGS.items()})
write("json_schema",
      {name + ".json": content.encode() for name, content in SCHEMAS.items()})
write("matcher", MATCHERS)
write("json_text", JSON_TEXTS)
write("grammar", GRAMMARS)
write("tags", {name + ".json": content.encode()
               for name, content in TAGS.items()})
