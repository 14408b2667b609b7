# SPDX-License-Identifier: BSD-3-Clause
"""Measure what it costs in Python to skip an unknown item, for each kind of item.

Prints the lines that bench/README.md describes, of the boundary `skip`; one of the `n` calls is one item of a sequence
that nobody asked for, or one pair of unknown keys of an object. WAY is `python-cbor`, ours, or `cbor2`, which decodes
the same. Heads within an item are not counted: `nested` has three for each.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from ferry_ingress import wire
from ferry_ingress.wire.cbor import head
from suite import Run, Suite, measure

try:
    import cbor2
except ImportError:
    cbor2 = None  # type: ignore[assignment]

#: The item that an unknown sequence repeats.
ITEMS = {
    "zeros": b"\0",
    "u8": b"\x18\x40",
    "texts": b"\x63abc",
    "texts_utf8": b"\x62\xc3\xa9",
    "floats": b"\xfb@\x09!\xfbTD-\x18",
    "empty": b"\x80",
    "pairs": b"\x82\x01\x61a",
    "objects": b"\xa2\x61a\x01\x61b\x02",
    "nested": b"\x81\x81\0",
    "tagged": b"\xd8\x2a\0",
}
#: An object with one field, so that every other key is unknown.
KNOWN = wire.request(("known", wire.I64))


@cache
def sequence(item: bytes, count: int) -> bytes:
    """Return an object whose unknown key has a sequence of so many items."""
    return b"\xa2\x65known\x01\x67unknown" + head(4, count) + item * count


@cache
def keys(count: int) -> bytes:
    """Return an object with so many unknown keys."""
    return head(5, count + 1) + b"\x65known\x01" + b"\x63key\x18\x40" * count


def skips(message: Callable[[int], bytes]) -> Run:
    """Decode the known field."""

    def run(n: int) -> object:
        value = KNOWN.decode(wire.Wire.CBOR, message(n))
        assert value == (1,)
        return value

    return run


def variants() -> dict[str, Run]:
    """Every shape, in both ways."""
    found: dict[str, Run] = {}
    messages: dict[str, Callable[[int], bytes]] = {
        name: lambda n, item=item: sequence(item, n)  # type: ignore[misc]
        for name, item in ITEMS.items()
    }
    for name, message in (messages | {"keys": keys}).items():
        found[f"python-cbor:{name}"] = skips(message)
        if cbor2 is not None:
            found[f"cbor2:{name}"] = lambda n, message=message: cbor2.loads(message(n))  # type: ignore[misc]
    return found


if __name__ == "__main__":
    measure(
        Suite(
            program="skip-python",
            boundary="skip",
            question="What does going past an unknown item cost in Python?",
            n=(100, 10_000, 1_000_000),
            beside=f"cbor2 {version('cbor2')}" if cbor2 else "",
        ),
        variants(),
    )
