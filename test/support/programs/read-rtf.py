"""Reads Rich Text Format from standard input, and writes all of its characters as JSON.

Reads every group alike, also those that programs hide or ignore, and the data of binary pictures."""
import json
import re
import sys

source = sys.stdin.buffer.read().decode("latin-1")
text, words, at, skip = [], [], 0, 0
token = re.compile(r"\\([A-Za-z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}]+)", re.S)
while at < len(source):
    found = token.match(source, at)
    at = found.end() if found else at + 1
    if not found:
        continue
    word, number, code, symbol, brace, plain = found.groups()
    if word == "u" and number:
        text.append(chr(int(number) & 0xFFFF))
        skip = 1
        continue
    if plain:
        plain = plain.replace("\r", "").replace("\n", "")
        text.append(plain[skip:])
        skip = max(0, skip - len(plain))
    elif code:
        if not skip:
            text.append(bytes([int(code, 16)]).decode("cp1252", "replace"))
        skip = max(0, skip - 1)
    elif symbol and symbol != "*":
        text.append(symbol)
    elif word:
        words.append(word + (number or ""))
        text.append({"par": "\n", "line": "\n", "cell": "\t", "tab": "\t", "row": "\n"}.get(word, ""))
units = "".join(text)
json.dump({"text": units.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), "words": words,
           "depth": source.count("{") - source.count("}")}, sys.stdout)
