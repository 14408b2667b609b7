# SPDX-License-Identifier: BSD-3-Clause
"""Format `c`: structs as a C compiler lays them out, then the parts that they refer to, in a fixed order (W4 to W6)."""

from __future__ import annotations

import struct
from typing import cast

from ferry_ingress.wire.error import DEPTH_MAX, DecodeError

_PART_ALIGN = 8
#: An offset and a count.
REFERENCE = struct.Struct("=II")


class FlatReader:
    """Reads a message in format `c`: its bytes, and where the next part begins."""

    __slots__ = ("data", "depth", "next")

    def __init__(self, data: bytes, size: int) -> None:
        if len(data) < size:
            raise DecodeError("ends early")
        self.data = data
        self.next = size
        self.depth = 0

    def enter(self) -> None:
        """Begin an object, a sequence or a map."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise DecodeError("nested too deep")

    def zeros(self, at: int, end: int) -> None:
        """Raise an error unless these bytes are zero."""
        if end > at and any(self.data[at:end]):
            raise DecodeError("padding not zero")

    def part(self, at: int) -> int:
        """Return the count of the reference at `at`, whose offset has to be where the next part begins."""
        offset, count = REFERENCE.unpack_from(self.data, at)
        if offset != (self.next if count else 0):
            raise DecodeError("wrong offset")
        return cast(int, count)

    def slice(self, count: int) -> bytes:
        """Return the bytes that come next."""
        at = self.next
        end = at + count
        if end > len(self.data):
            raise DecodeError("ends early")
        self.next = end
        return self.data[at:end]

    def structs(self, at: int, size: int) -> tuple[int, int]:
        """Return the number of structs that the reference at `at` stands for, and where the first one is."""
        if REFERENCE.unpack_from(self.data, at)[1]:
            begin = align_up(self.next, _PART_ALIGN)
            if begin > len(self.data):
                raise DecodeError("ends early")
            self.zeros(self.next, begin)
            self.next = begin
        count = self.part(at)
        begin = self.next
        if count > (len(self.data) - begin) // size:
            raise DecodeError("ends early")
        self.next += count * size
        return count, begin


def align_up(offset: int, align: int) -> int:
    """Return the next offset that the alignment allows."""
    return -(-offset // align) * align


def reserve(out: bytearray, at: int, count: int, size: int) -> int:
    """Append zero bytes for structs and refer to them at `at`; return where the first struct is."""
    if not count:
        return 0
    begin = align_up(len(out), _PART_ALIGN)
    out.extend(bytes(begin - len(out) + count * size))
    REFERENCE.pack_into(out, at, begin, count)
    return begin
