# SPDX-License-Identifier: BSD-3-Clause
"""Format `cbor`: heads of items, and a reader of every well-formed encoding (W1, W3)."""

from __future__ import annotations

from ferry_ingress.wire.error import DEPTH_MAX, DecodeError
from ferry_ingress.wire.skip import skip

_BYTE = [bytes([value]) for value in range(256)]


def head(major: int, value: int) -> bytes:
    """Return the shortest head of an item."""
    major <<= 5
    if value < 24:
        return _BYTE[major | value]
    if value < 1 << 8:
        return bytes((major | 24, value))
    if value < 1 << 16:
        return _BYTE[major | 25] + value.to_bytes(2, "big")
    if value < 1 << 32:
        return _BYTE[major | 26] + value.to_bytes(4, "big")
    return _BYTE[major | 27] + value.to_bytes(8, "big")


#: The heads of an unsigned integer, a negative one, bytes, a text, an array and a map, with arguments below 256.
HEADS = [[head(major, value) for value in range(256)] for major in range(6)]


class Reader:
    """A message in format `cbor`, and how far it has been read."""

    __slots__ = ("at", "data", "depth")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.depth = 0

    def head(self) -> tuple[int, int, int]:
        """Return major type, additional information and argument of the next item, past its tags."""
        while True:
            head = self.one_head()
            if head[0] != 6:
                return head

    def one_head(self) -> tuple[int, int, int]:
        """Return the next head, which may be that of a tag."""
        data, at = self.data, self.at
        if at >= len(data):
            raise DecodeError("ends early")
        first = data[at]
        major, info = first >> 5, first & 31
        self.at = at + 1
        if info < 24:
            return major, info, info
        if info < 28:
            end = at + 1 + (1 << (info - 24))
            if end > len(data):
                raise DecodeError("ends early")
            self.at = end
            value = int.from_bytes(data[at + 1 : end], "big")
            if major == 7 and info == 24 and value < 32:
                raise DecodeError("malformed")
            return major, info, value
        if info == 31 and 2 <= major <= 5:
            return major, info, -1
        raise DecodeError("malformed")

    def slice(self, count: int) -> bytes:
        """Return the next bytes."""
        at = self.at
        end = at + count
        if end > len(self.data):
            raise DecodeError("ends early")
        self.at = end
        return self.data[at:end]

    def enter(self) -> None:
        """Begin an array or a map."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise DecodeError("nested too deep")

    def is_break(self) -> bool:
        """Go past a break if it is next."""
        if self.at >= len(self.data):
            raise DecodeError("ends early")
        found = self.data[self.at] == 0xFF
        self.at += found
        return found

    def chunks(self, major: int) -> bytes:
        """Read the chunks of an indefinite text or bytes."""
        parts = []
        while not self.is_break():
            found, info, count = self.one_head()
            if found != major or info == 31:
                raise DecodeError("malformed")
            parts.append(self.slice(count))
            if major == 3:
                utf8(parts[-1])
        return b"".join(parts)

    def items(self, major: int, least: int) -> int:
        """Begin an array or a map whose items take `least` bytes or more each; return how many, -1 if indefinite."""
        found, info, count = self.head()
        if found != major:
            raise wrong(found, info)
        self.enter()
        if count > (len(self.data) - self.at) // least:
            raise DecodeError("ends early")
        return count

    def take_null(self) -> bool:
        """If the next item is null, go past it and its tags."""
        start = self.at
        if start < len(self.data) and self.data[start] >> 5 == 6:
            try:
                if self.head()[:2] == (7, 22):
                    return True
            except DecodeError:
                pass
            self.at = start
            return False
        found = self.data[start : start + 1] == b"\xf6"
        self.at += found
        return found

    def skip(self) -> None:
        """Go past one item of any kind."""
        self.at = skip(self.data, self.at, self.depth)


def wrong(major: int, info: int) -> DecodeError:
    """Return the error of an item whose kind is not the one that the type needs."""
    return DecodeError("missing" if (major, info) == (7, 22) else "wrong type")


def utf8(data: bytes) -> str:
    """Decode a text; raises DecodeError."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DecodeError("invalid UTF-8") from None
