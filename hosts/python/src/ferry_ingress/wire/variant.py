# SPDX-License-Identifier: BSD-3-Clause
"""Codecs of variants, which a generated package declares."""
# ruff: noqa: D102 - Codec says what its methods do

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, TypeVar

from ferry_ingress.wire.cbor import HEADS, Reader, head
from ferry_ingress.wire.codec import Codec
from ferry_ingress.wire.error import DecodeError, deeper
from ferry_ingress.wire.flat import FlatReader
from ferry_ingress.wire.scalar import TEXT, UNIT

T = TypeVar("T")
#: The number of a case.
_NUMBER = struct.Struct("=i")


class Case:
    """A case of a variant: its place, its name and key, the class of its values, and how what it carries travels."""

    __slots__ = ("codec", "is_empty", "key", "make", "name", "number")

    def __init__(self, number: int, name: str, make: Callable[..., Any], codec: Codec[Any] | None) -> None:
        self.number = number
        self.name = name
        data = name.encode()
        self.key = HEADS[5][1] + head(3, len(data)) + data
        self.make = make
        self.is_empty = codec is None
        self.codec: Codec[Any] = UNIT if codec is None else codec

    def carried(self, value: Any) -> Any:
        """Return what a value of this case carries."""
        return None if self.is_empty else value.value

    def only(self, value: Any) -> Any:
        """Return what a value carries, if it is of this case; raises AttributeError, as a lack of a field does."""
        if type(value) is not self.make:
            raise AttributeError(self.name)
        return self.carried(value)

    def made(self, carried: Any) -> Any:
        """Return a value of this case."""
        return self.make() if self.is_empty else self.make(carried)


class Variant(Codec[T]):
    """A variant. Each case has a class of its own, whose attribute `value` is what the case carries."""

    __slots__ = ("_offset", "by_class", "by_name", "cases")
    is_nested = True

    def __init__(self, size: int, align: int, offset: int, least: int) -> None:
        # what a case carries lies at `offset`; cases are declared later, since a variant may contain itself
        super().__init__(size, align)
        self.least = least
        self._offset = offset

    def define(self, *cases: tuple[str, Callable[..., Any], Codec[Any] | None]) -> None:
        """Declare the cases: under their names in the interface, with their classes and what they carry."""
        self.cases = [Case(number, *case) for number, case in enumerate(cases)]
        self.by_class = {case.make: case for case in self.cases}
        self.by_name = {case.name: case for case in self.cases}

    def of(self, value: T) -> Case:
        """Return the case of a value; raises TypeError."""
        case = self.by_class.get(type(value))
        if case is None:
            raise TypeError(f"{value!r} is no case of its variant")
        return case

    def put_cbor(self, out: list[bytes], value: T, depth: int) -> None:
        depth = deeper(depth)
        case = self.of(value)
        out.append(case.key)
        case.codec.put_cbor(out, case.carried(value), depth)

    def get_cbor(self, reader: Reader) -> T:
        count = reader.items(5, 2)
        if count == 0 or (count < 0 and reader.is_break()):
            raise DecodeError("missing")
        case = self.by_name.get(TEXT.get_cbor(reader))
        if case is None:
            raise DecodeError("unknown case")
        try:
            carried = case.codec.get_cbor(reader)
        except DecodeError as error:
            raise error.inside(case.name) from None
        if count > 1 or (count < 0 and not reader.is_break()):
            raise DecodeError("given twice")
        reader.depth -= 1
        made: T = case.made(carried)
        return made

    def put_c(self, out: bytearray, at: int, value: T, depth: int) -> None:
        depth = deeper(depth)
        case = self.of(value)
        _NUMBER.pack_into(out, at, case.number)
        case.codec.put_c(out, at + self._offset, case.carried(value), depth)

    def get_c(self, reader: FlatReader, at: int) -> T:
        reader.enter()
        number = _NUMBER.unpack_from(reader.data, at)[0]
        if not 0 <= number < len(self.cases):
            raise DecodeError("unknown case")
        case = self.cases[number]
        begin = at + self._offset
        reader.zeros(at + _NUMBER.size, begin)
        try:
            carried = case.codec.get_c(reader, begin)
        except DecodeError as error:
            raise error.inside(case.name) from None
        reader.zeros(begin + case.codec.size, at + self.size)
        reader.depth -= 1
        made: T = case.made(carried)
        return made
