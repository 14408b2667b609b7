# SPDX-License-Identifier: BSD-3-Clause
"""Codecs of objects, which a generated package declares, and of the parameters of a method."""
# ruff: noqa: D102 - Codec says what its methods do

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar, cast

from ferry_ingress.wire.cbor import Reader
from ferry_ingress.wire.codec import Codec
from ferry_ingress.wire.compiled import Field, compiled
from ferry_ingress.wire.error import DecodeError, deeper
from ferry_ingress.wire.flat import FlatReader, align_up
from ferry_ingress.wire.scalar import TEXT
from ferry_ingress.wire.skip import skip_pairs

T = TypeVar("T")
#: After this many unknown keys, further ones are skipped in blocks, whose expression is compiled for the object.
_UNKNOWN_BEFORE_BLOCKS = 16


class Object(Codec[T]):
    """An object. `make` is the class of its values, whose attributes are `names`, or a function that makes a tuple.

    The functions that read and write `cbor` are compiled from the fields (compiled.py). They read the deterministic
    form; where a message differs from that, `rest` reads the remainder of the object.
    """

    __slots__ = (
        "_ends",
        "by_name",
        "fields",
        "get_all",
        "get_cbor",
        "keys",
        "made",
        "make",
        "names",
        "put_all",
        "put_cbor",
        "values",
    )
    is_nested = True

    def __init__(
        self, make: Callable[..., T], names: Sequence[str] | None, size: int = 0, align: int = 1, least: int = 1
    ) -> None:
        # size and alignment are given before the fields are known, since an object may contain itself
        super().__init__(size, align)
        self.least = least
        self.make = make
        self.names = names
        self.values: Callable[[T], Sequence[Any]]
        if names is None:
            self.values = cast("Callable[[T], Sequence[Any]]", tuple)
        elif len(names) == 1:
            only = attrgetter(names[0])
            self.values = lambda value: (only(value),)
        else:
            self.values = attrgetter(*names)
        self.fields: list[Field] = []
        self.made: Callable[[Sequence[Any]], T]

    def define(self, *fields: tuple[str, Codec[Any]]) -> None:
        """Declare the fields, under their names in the interface."""
        offset = 0
        align = least = 1
        for index, (name, codec) in enumerate(fields):
            offset = align_up(offset, codec.align)
            self.fields.append(Field(index, name, codec, offset))
            offset += codec.size
            align = max(align, codec.align)
            if codec.is_required:
                least += len(self.fields[-1].key) + codec.least
        found = (align_up(offset, align), align, least)
        if self.size:
            assert found == (self.size, self.align, self.least)
        self.size, self.align, self.least = found
        self._ends = offset
        self.keys = tuple(field.key for field in self.fields)
        self.by_name = {field.name: field for field in self.fields}
        for name, function in compiled(self.fields, self.make, self.names, self.rest).items():
            setattr(self, name, function)

    def rest(self, reader: Reader, count: int, values: list[Any], seen: int) -> T:
        """Read on from the first key that is not in its deterministic place, or from the head when `count` is -1."""
        if count < 0:
            count = reader.items(5, 2)
        unknown = 0
        while count:
            if count < 0 and reader.is_break():
                break
            count -= count > 0
            start = reader.at
            major = reader.head()[0]
            reader.at = start
            field = None
            if major == 3:
                field = self.by_name.get(TEXT.get_cbor(reader))
            else:
                reader.skip()
            if field is None:
                reader.skip()
                unknown += 1
                if unknown % _UNKNOWN_BEFORE_BLOCKS == 0:
                    reader.at, count = skip_pairs(reader.data, reader.at, count, reader.depth, self.keys)
                continue
            if seen >> field.index & 1:
                raise DecodeError("given twice").inside(field.name)
            seen |= 1 << field.index
            try:
                values[field.index] = field.get(reader)
            except DecodeError as error:
                raise error.inside(field.name) from None
        reader.depth -= 1
        for field in self.fields:
            if values[field.index] is None and field.codec.is_required:
                raise DecodeError("missing").inside(field.name)
        return self.made(values)

    def put_c(self, out: bytearray, at: int, value: T, depth: int) -> None:
        depth = deeper(depth)
        values = self.values(value)
        for field in self.fields:
            field.codec.put_c(out, at + field.offset, values[field.index], depth)

    def get_c(self, reader: FlatReader, at: int) -> T:
        reader.enter()
        values = []
        end = 0
        for field in self.fields:
            if end != field.offset:
                reader.zeros(at + end, at + field.offset)
            try:
                values.append(field.codec.get_c(reader, at + field.offset))
            except DecodeError as error:
                raise error.inside(field.name) from None
            end = field.offset + field.codec.size
        reader.zeros(at + self._ends, at + self.size)
        reader.depth -= 1
        return self.made(values)


def request(*fields: tuple[str, Codec[Any]]) -> Object[tuple[Any, ...]]:
    """Return the codec of a method's parameters, whose value is a tuple."""
    codec: Object[tuple[Any, ...]] = Object(lambda *values: values, None)
    codec.define(*fields)
    return codec
