# SPDX-License-Identifier: BSD-3-Clause
"""The base class of all codecs, which also encodes and decodes whole messages."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import Enum
from typing import Generic, TypeVar

from ferry_ingress.wire.cbor import Reader
from ferry_ingress.wire.error import BYTES_END, DecodeError, EncodeError
from ferry_ingress.wire.flat import FlatReader

T = TypeVar("T")


class Wire(Enum):
    """How payloads are encoded."""

    CBOR = 0
    C = 1


_CBOR = Wire.CBOR


class Codec(Generic[T]):
    """Encodes and decodes the values of one type."""

    __slots__ = ("align", "is_required", "least", "size")
    #: Whether values nest: a sequence, a map or an object.
    is_nested = False

    def __init__(self, size: int, align: int) -> None:
        self.size = size
        self.align = align
        #: The fewest bytes of a value in CBOR.
        self.least = 1
        self.is_required = True

    def put_cbor(self, out: list[bytes], value: T, depth: int) -> None:
        """Append a value."""
        raise NotImplementedError

    def get_cbor(self, reader: Reader) -> T:
        """Read a value."""
        raise NotImplementedError

    def put_all(self, out: list[bytes], values: Sequence[T], depth: int) -> None:
        """Append several values, as that many calls of `put_cbor` would."""
        for value in values:
            self.put_cbor(out, value, depth)

    def get_all(self, reader: Reader, count: int, values: list[T]) -> None:
        """Read `count` more values; an error has the index of the value."""
        get = self.get_cbor
        try:
            for _ in range(count):
                values.append(get(reader))
        except DecodeError as error:
            raise error.inside(f"[{len(values)}]") from None

    def put_c(self, out: bytearray, at: int, value: T, depth: int) -> None:
        """Write a value's struct at `at`, where `size` zero bytes are, and append what it refers to."""
        raise NotImplementedError

    def get_c(self, reader: FlatReader, at: int) -> T:
        """Read a value's struct at `at`, where `size` bytes are, and what it refers to."""
        raise NotImplementedError

    def encode(self, wire: Wire, value: T) -> bytes:
        """Encode a value as a whole message; raises EncodeError."""
        try:
            if wire is _CBOR:
                parts: list[bytes] = []
                self.put_cbor(parts, value, 0)
                whole = b"".join(parts)
            else:
                out = bytearray(self.size)
                self.put_c(out, 0, value, 0)
                whole = bytes(out)
        except (TypeError, AttributeError, struct.error, OverflowError, UnicodeEncodeError) as error:
            raise EncodeError(f"a value is not of its type: {error}") from error
        if len(whole) >= BYTES_END:
            raise EncodeError("out of range")
        return whole

    def decode(self, wire: Wire, data: bytes) -> T:
        """Decode a whole message; raises DecodeError."""
        if wire is _CBOR:
            reader = Reader(data)
            value = self.get_cbor(reader)
            end = reader.at
        else:
            flat = FlatReader(data, self.size)
            value = self.get_c(flat, 0)
            end = flat.next
        if end != len(data):
            raise DecodeError("bytes left over")
        return value
