# SPDX-License-Identifier: BSD-3-Clause
"""Options, sequences and maps."""
# ruff: noqa: D102 - Codec says what its methods do

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ferry_ingress.wire.cbor import HEADS, Reader, head
from ferry_ingress.wire.codec import Codec
from ferry_ingress.wire.error import DecodeError, deeper
from ferry_ingress.wire.flat import FlatReader, align_up, reserve

T = TypeVar("T")
K = TypeVar("K", int, str)
_ARRAYS = HEADS[4]


class Opt(Codec[T | None]):
    """A value or None."""

    __slots__ = ("item",)

    def __init__(self, item: Codec[T]) -> None:
        super().__init__(align_up(item.align + item.size, item.align), item.align)
        self.item = item
        self.is_required = False

    def put_cbor(self, out: list[bytes], value: T | None, depth: int) -> None:
        if value is None:
            out.append(b"\xf6")
        else:
            self.item.put_cbor(out, value, depth)

    def get_cbor(self, reader: Reader) -> T | None:
        return None if reader.take_null() else self.item.get_cbor(reader)

    def put_c(self, out: bytearray, at: int, value: T | None, depth: int) -> None:
        if value is not None:
            out[at] = 1
            self.item.put_c(out, at + self.align, value, depth)

    def get_c(self, reader: FlatReader, at: int) -> T | None:
        present = reader.data[at]
        if present > 1:
            raise DecodeError("neither 0 nor 1")
        if not present:
            reader.zeros(at, at + self.size)
            return None
        begin = at + self.align
        reader.zeros(at + 1, begin)
        value = self.item.get_c(reader, begin)
        reader.zeros(begin + self.item.size, at + self.size)
        return value


class Seq(Codec[list[T]]):
    """A sequence."""

    __slots__ = ("item",)
    is_nested = True

    def __init__(self, item: Codec[T]) -> None:
        super().__init__(8, 4)
        self.item = item

    def put_cbor(self, out: list[bytes], value: Sequence[T], depth: int) -> None:
        depth = deeper(depth)
        count = len(value)
        out.append(_ARRAYS[count] if count < 256 else head(4, count))
        self.item.put_all(out, value, depth)

    def get_cbor(self, reader: Reader) -> list[T]:
        count = reader.items(4, self.item.least)
        values: list[T] = []
        if count >= 0:
            self.item.get_all(reader, count, values)
        else:
            try:
                while not reader.is_break():
                    values.append(self.item.get_cbor(reader))
            except DecodeError as error:
                raise error.inside(f"[{len(values)}]") from None
        reader.depth -= 1
        return values

    def put_c(self, out: bytearray, at: int, value: Sequence[T], depth: int) -> None:
        depth = deeper(depth)
        size = self.item.size
        begin = reserve(out, at, len(value), size)
        for index, item in enumerate(value):
            self.item.put_c(out, begin + index * size, item, depth)

    def get_c(self, reader: FlatReader, at: int) -> list[T]:
        reader.enter()
        size = self.item.size
        count, begin = reader.structs(at, size)
        get = self.item.get_c
        values: list[T] = []
        try:
            for place in range(begin, begin + count * size, size):
                values.append(get(reader, place))
        except DecodeError as error:
            raise error.inside(f"[{len(values)}]") from None
        reader.depth -= 1
        return values


class Map(Codec[dict[K, T]]):
    """A map. A decoded one has the order of the message."""

    __slots__ = ("item", "key", "pair_end", "pair_size", "value_at")
    is_nested = True

    def __init__(self, key: Codec[K], item: Codec[T]) -> None:
        super().__init__(8, 4)
        self.key: Codec[K] = key
        self.item = item
        self.value_at = align_up(key.size, item.align)
        self.pair_end = self.value_at + item.size
        self.pair_size = align_up(self.pair_end, max(key.align, item.align))

    def put_cbor(self, out: list[bytes], value: Mapping[K, T], depth: int) -> None:
        depth = deeper(depth)
        out.append(head(5, len(value)))
        pairs = []
        for key, item in value.items():
            parts: list[bytes] = []
            self.key.put_cbor(parts, key, depth)
            pairs.append((b"".join(parts), item))
        for encoded, item in sorted(pairs, key=lambda pair: pair[0]):
            out.append(encoded)
            self.item.put_cbor(out, item, depth)

    def get_cbor(self, reader: Reader) -> dict[K, T]:
        count = reader.items(5, self.key.least + self.item.least)
        values: dict[K, T] = {}
        while count > len(values) or (count < 0 and not reader.is_break()):
            step = "key"
            try:
                key = self.key.get_cbor(reader)
                if key not in values:
                    step = "value"
                    values[key] = self.item.get_cbor(reader)
                    continue
            except DecodeError as error:
                raise error.inside(step).inside(f"[{len(values)}]") from None
            raise DecodeError("given twice")
        reader.depth -= 1
        return values

    def put_c(self, out: bytearray, at: int, value: Mapping[K, T], depth: int) -> None:
        depth = deeper(depth)
        place = reserve(out, at, len(value), self.pair_size)
        for key in sorted(value, key=_order):
            self.key.put_c(out, place, key, depth)
            self.item.put_c(out, place + self.value_at, value[key], depth)
            place += self.pair_size

    def get_c(self, reader: FlatReader, at: int) -> dict[K, T]:
        reader.enter()
        count, place = reader.structs(at, self.pair_size)
        values: dict[K, T] = {}
        last: int | bytes | None = None
        for index in range(count):
            step = "key"
            try:
                key = self.key.get_c(reader, place)
                step = ""
                reader.zeros(place + self.key.size, place + self.value_at)
                step = "value"
                value = self.item.get_c(reader, place + self.value_at)
                step = ""
                reader.zeros(place + self.pair_end, place + self.pair_size)
            except DecodeError as error:
                raise (error.inside(step) if step else error).inside(f"[{index}]") from None
            order = _order(key)
            if last is not None and not last < order:  # type: ignore[operator]
                raise DecodeError("keys out of order")
            last = order
            values[key] = value
            place += self.pair_size
        reader.depth -= 1
        return values


def _order(key: int | str) -> int | bytes:
    return key.encode() if isinstance(key, str) else key
