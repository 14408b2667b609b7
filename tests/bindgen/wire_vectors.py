# SPDX-License-Identifier: BSD-3-Clause
"""The vectors of spec/wire: messages in both formats, and what a transcoder says of each."""

import json
import random
from collections.abc import Callable
from typing import Any

from ferry.bindgen import reader
from paths import ROOT

FOLDER = ROOT / "spec" / "wire"
FILES = sorted(path for path in FOLDER.glob("*.json") if path.name != "types.json")
TYPES = reader.read(FOLDER / "types.json")
#: The type that each method's name stands for in messages.
ROOTS = {method.name: method.returns for method in TYPES.methods if method.returns is not None}
VECTORS: list[dict[str, Any]] = [vector for path in FILES for vector in json.loads(path.read_text())]

#: How CBOR has a NaN, whose bits are not kept.
NAN_CBOR = "f97e00"

#: A message: its type, its format and its bytes.
Message = tuple[str, str, str]


def hexed(data: bytes) -> str:
    """Write bytes as messages have them."""
    return data.hex() or "-"


def bytes_of(text: str) -> bytes:
    """Read the bytes of a message."""
    return b"" if text == "-" else bytes.fromhex(text)


def expectations() -> dict[Message, str]:
    """Every message of the vectors, and what it has to be transcoded to: its value in both formats, or the error."""
    found = {}
    for vector in VECTORS:
        said = f"error {vector['error']}" if "error" in vector else f"ok {vector['cbor']} {vector['c']}"
        written = [(wire, vector[wire]) for wire in ("cbor", "c") if wire in vector]
        for wire, message in (*written, *(("cbor", read) for read in vector.get("reads", []))):
            found[vector["type"], wire, message] = said
    assert len(found) > 300
    return found


def wrong(transcode: Callable[[list[str]], list[str]]) -> list[tuple[Message, str, str]]:
    """Messages of the vectors for which `transcode`, given lines `METHOD FORMAT HEX`, says something else."""
    expected = expectations()
    found = transcode([" ".join(message) for message in expected])
    pairs = zip(expected.items(), found, strict=True)
    return [(message, said, got) for (message, said), got in pairs if said != got]


def damaged_messages() -> list[Message]:
    """Messages of the vectors in which a byte is another one, or which end early."""
    chance = random.Random(19)
    damaged = []
    for name, wire, text in expectations():
        whole = bytearray(bytes_of(text))
        for _ in range(8):
            changed = bytearray(whole[: chance.randint(0, len(whole))] if chance.random() < 0.3 else whole)
            if changed:
                changed[chance.randrange(len(changed))] = chance.choice((0, 1, 0x5F, 0x7F, 0x80, 0xF6, 0xFF, 7))
            damaged.append((name, wire, hexed(bytes(changed))))
    return damaged


def differences(damaged: list[Message], expected: list[str], found: list[str]) -> list[tuple[str, ...]]:
    """Return the messages that are a value for one and an error for the other, or other values."""
    # of two things that are wrong with a message, each language names the one that it meets first
    both = zip(damaged, expected, found, strict=True)
    return [
        (*case, said, got)
        for case, said, got in both
        # the bits of a NaN are not kept
        if said != got and not (said[:5] == got[:5] == "error") and NAN_CBOR not in said
    ]
