# SPDX-License-Identifier: BSD-3-Clause
"""Take apart the arguments that strace prints: find where they end, split them, read words, strings and structs.

Every function here is total: text that is not what strace prints gives None or a value that is only text.
"""

import re

from ferry.advise.trace import Value

#: What can hold a comma or a bracket without meaning it, and the brackets and commas that mean something.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|(?<=\d)<(?=[^< ])[^<>]*>|[()\[\]{},"]', re.DOTALL)
_OPENS = {"(": ")", "[": "]", "{": "}"}
_COMMENT = re.compile(r"\s*/\*.*?\*/")
_NUMBER = re.compile(r"(-?(?:0[xX][0-9a-fA-F]+|\d+))(?=$|[\s<])")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b", "e": "\033"}
#: symbols that are words wherever they stand alone; the rest needs the headers
SYMBOLS = {"NULL": 0, "AT_FDCWD": -100}
#: digits of a number that is read; a longer one is no word
_DIGITS_MAX = 20


def split_arguments(text: str) -> tuple[list[str], str] | None:
    """Split `a, b) rest` at the bracket that closes the call: its arguments, and what follows. None if none does."""
    parts: list[str] = []
    expected = [")"]
    begin = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in _OPENS:
            expected.append(_OPENS[mark])
        elif mark == "," and len(expected) == 1:
            parts.append(text[begin : token.start()].strip())
            begin = token.end()
        elif mark == expected[-1]:
            expected.pop()
            if not expected:
                last = text[begin : token.start()].strip()
                return ([*parts, last] if parts or last else []), text[token.end() :]
        elif mark in ')]}"':
            return None
    return None


def parse_number(text: str) -> int | None:
    """Read the word at the start of `text`: decimal, octal or hexadecimal. Symbols that are not known give None."""
    match = _NUMBER.match(text)
    if not match:
        return SYMBOLS.get(text)
    digits = match.group(1)
    if len(digits) > _DIGITS_MAX + 2:
        return None
    negative, digits = digits.startswith("-"), digits.lstrip("-")
    if digits[:2] in ("0x", "0X"):
        number = int(digits, 16)
    elif len(digits) > 1 and digits.startswith("0") and all(d in "01234567" for d in digits):
        number = int(digits, 8)
    else:
        number = int(digits)
    return -number if negative else number


def _escape(match: re.Match[str]) -> str:
    what = match.group(1)
    if what[0] == "x" and len(what) == 3:
        return chr(int(what[1:], 16))
    if what[0] in "01234567":
        return chr(int(what, 8) & 0xFF)
    return _SIMPLE_ESCAPES.get(what, what)


def parse_string(text: str) -> tuple[bytes, bool] | None:
    """Read `"…"` or `"…"...`: the bytes, and whether strace left the rest out. None if it is not a string."""
    truncated = text.endswith('"...')
    body = text[:-3] if truncated else text
    if len(body) < 2 or body[0] != '"' or body[-1] != '"':
        return None
    return _ESCAPE.sub(_escape, body[1:-1]).encode("latin-1", "replace"), truncated


def parse_fields(text: str) -> dict[str, str]:
    """Fields of `{a=1, b={…}, ...}` by name; empty if it is not a struct."""
    if not text.startswith("{"):
        return {}
    split = split_arguments(text[1:].removesuffix("}") + ")")
    fields: dict[str, str] = {}
    for part in split[0] if split else []:
        name, equals, value = part.partition("=")
        if equals and name.isidentifier():
            fields[name] = value
    return fields


def parse_value(text: str) -> Value:
    """Read one argument, whatever it is."""
    string = parse_string(text)
    if string:
        return Value(text, data=string[0], truncated=string[1])
    if text.startswith("{"):
        return Value(text, fields=parse_fields(text))
    return Value(text, number=parse_number(text))


def without_comments(text: str) -> str:
    """Drop what strace explains in comments."""
    return _COMMENT.sub("", text)
