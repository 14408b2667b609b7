# SPDX-License-Identifier: BSD-3-Clause
"""One argument of a traced call as C: an expression, the object it needs, or what is missing to write it."""

import re
from dataclasses import dataclass

from ferry.advise.dataflow import ADDRESS_MIN, Feed
from ferry.advise.trace import Call, Value
from ferry.advise.values import without_comments

#: bytes of a buffer whose length the trace does not show
OPAQUE_BYTES = 4096
#: the largest buffer a skeleton declares
BUFFER_BYTES_MAX = 16 << 20
#: descriptors every program has
STANDARD_DESCRIPTORS = range(3)
#: ioctl requests that only fill in what their third argument points to
IOCTLS_OUT = ("TCGETS", "TIOCGWINSZ", "TIOCGPGRP", "FIONREAD", "BLKGETSIZE64")
#: symbols that the skeleton's headers define, joined by |; numbers may stand among them
_PREFIXES = "O|PROT|MAP|AT|SEEK|F|FD|CLOCK|MSG|SOCK|AF|PF|STATX|MADV|MS|LOCK|GRND|SIG"
_SYMBOL = rf"(?:(?:{_PREFIXES})_\w+|[RWXF]_OK|S_I\w+|SIG[A-Z]+|\d+)"
_SYMBOLS = re.compile(rf"{_SYMBOL}(?:\|{_SYMBOL})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument in C."""

    text: str
    #: the object the expression names
    name: str = ""
    declaration: str = ""
    #: what has to be filled in by hand before the program may run
    missing: str = ""


def quote(data: bytes) -> str:
    """Write bytes as a C string literal."""
    return '"' + "".join(_character(byte) for byte in data) + '"'


def _character(byte: int) -> str:
    if byte in b'"\\?':
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def argument_c(call: Call, index: int, place: int, letters: str, feeds: dict[int, Feed]) -> Argument:
    """Write argument `place` of the run's call `index`: letters as in `signatures`, feeds by argument."""
    value = call.arguments[place] if place < len(call.arguments) else Value("0", 0)
    letter = letters[place] if place < len(letters) else _guess(value)
    where = f"call {index} ({call.name}), argument {place}"
    if letter in "oi" and place + 1 < len(letters):
        return _bytes(call, index, place, letter, feeds.get(place + 1))
    if place in feeds:
        return Argument("NULL" if letter == "a" else "0")
    if letter == "p":
        return _path(value, where)
    if letter in "sxtO":
        return _object(call, value, letter, f"{index}_{place}", where)
    if letter in "Ia":
        return _address(value, where)
    if letter == "d":
        return _descriptor(value, where)
    return _word(value, where)


def _guess(value: Value) -> str:
    if value.data is not None:
        return "p"
    if value.number is not None and not -ADDRESS_MIN < value.number < ADDRESS_MIN:
        return "I"
    return "I" if value.text[:1] in ("{", "[") else "w"


def _missing(value: Value, where: str, null: str = "NULL") -> Argument:
    return Argument(null, missing=f"{where}: in the trace it was {value.text[:120]}")


def _bytes(call: Call, index: int, place: int, letter: str, length_feed: Feed | None) -> Argument:
    value = call.arguments[place]
    where = f"call {index} ({call.name}), argument {place}"
    length = call.arguments[place + 1].number if place + 1 < len(call.arguments) else None
    name = f"bytes_{index}"
    if value.number == 0 and value.data is None:
        return Argument("NULL")
    if letter == "o":
        if length is not None and length > BUFFER_BYTES_MAX:
            return _missing(value, f"{where}, {length} bytes long")
        return Argument(name, name, f"static char {name}[{max(1, OPAQUE_BYTES if length is None else length)}];")
    if length_feed is not None:
        return Argument(f"bytes_{length_feed.source}")
    if value.data is None or value.truncated:
        return _missing(value, where)
    return Argument(name, name, f"static const char {name}[] = {quote(value.data)};")


def _path(value: Value, where: str) -> Argument:
    if value.data is not None and not value.truncated:
        return Argument(quote(value.data))
    return Argument("NULL") if value.number == 0 else _missing(value, where)


def _object(call: Call, value: Value, letter: str, suffix: str, where: str) -> Argument:
    if value.number is not None and value.number < ADDRESS_MIN:
        return Argument("NULL" if value.number == 0 else f"(void *){value.number}")
    if letter == "O":
        if call.name == "ioctl" and not any(request in call.arguments[1].text for request in IOCTLS_OUT):
            return _missing(value, where)
        name = f"out_{suffix}"
        return Argument(f"(void *){name}", name, f"static long {name}[{OPAQUE_BYTES} / sizeof(long)];")
    if letter == "t":  # a word copy takes eight bytes from the second descriptor on
        return Argument(f"pair_{suffix}", f"pair_{suffix}", f"static int pair_{suffix}[4];")
    kind = "stat" if letter == "s" else "statx"
    return Argument(f"&{kind}_{suffix}", f"{kind}_{suffix}", f"static struct {kind} {kind}_{suffix};")


def _address(value: Value, where: str) -> Argument:
    return Argument("NULL") if value.number == 0 else _missing(value, where)


def _descriptor(value: Value, where: str) -> Argument:
    if value.number is None:
        return _word(value, where)
    if value.number < 0 or value.number in STANDARD_DESCRIPTORS:
        return _word(value, where)
    name = f"descriptor_{value.number}"
    return Argument(
        name,
        name,
        f"static int {name} = -1;",
        f"{name}: the traced program had it open before the run ({value.text[:80]})",
    )


def _word(value: Value, where: str) -> Argument:
    bare = without_comments(value.text).strip()
    if value.number is not None:
        comment = value.text.partition("/*")[2].partition("*/")[0].strip()
        suffix = f" /* {comment} */" if comment and comment.isprintable() and "\\" not in comment else ""
        number = bare if re.fullmatch(r"-?(?:0x[0-9a-fA-F]+|\d+)", bare) else str(value.number)
        return Argument(number + suffix)
    if _SYMBOLS.fullmatch(bare):
        return Argument(bare)
    return _missing(value, f"{where} (strace --const-print-style=verbose gives numbers)", "0")
