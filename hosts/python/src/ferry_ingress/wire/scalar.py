# SPDX-License-Identifier: BSD-3-Clause
"""Types without parts: bool, integers, floats, text, bytes, enums and handles."""
# ruff: noqa: D102 - Codec says what its methods do

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar, cast

from ferry_ingress.wire.cbor import HEADS, Reader, head, utf8, wrong
from ferry_ingress.wire.codec import Codec
from ferry_ingress.wire.error import DecodeError
from ferry_ingress.wire.flat import REFERENCE, FlatReader

E = TypeVar("E", bound=IntEnum)
H = TypeVar("H", bound="HandleId")
_UNSIGNED, _TEXTS = HEADS[0], HEADS[3]


class HandleId:
    """A handle: an id. Its copies stand for the same object, and the library refuses a handle that was closed."""

    __slots__ = ("id",)

    def __init__(self, id_: int) -> None:
        self.id = id_

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and cast(HandleId, other).id == self.id

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id:#x})"


class Unit(Codec[None]):
    """The value of a method that returns nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(0, 1)

    def put_cbor(self, out: list[bytes], value: None, depth: int) -> None:
        out.append(b"\xf6")

    def get_cbor(self, reader: Reader) -> None:
        if reader.head()[:2] != (7, 22):
            raise DecodeError("wrong type")

    def put_c(self, out: bytearray, at: int, value: None, depth: int) -> None:
        pass

    def get_c(self, reader: FlatReader, at: int) -> None:
        pass


class Int(Codec[int]):
    """An integer with a given number of bits."""

    __slots__ = ("low", "most", "struct")

    def __init__(self, letter: str) -> None:
        self.struct = struct.Struct("=" + letter)
        super().__init__(self.struct.size, self.struct.size)
        bits = 8 * self.size
        self.low = -(1 << bits - 1) if letter.islower() else 0
        self.most = (1 << bits - (1 if letter.islower() else 0)) - 1

    def head(self, value: int) -> bytes:
        """Return an integer encoded."""
        if self.low <= value <= self.most:
            return head(0, value) if value >= 0 else head(1, ~value)
        raise OverflowError(f"{value} is not from {self.low} to {self.most}")

    def put_cbor(self, out: list[bytes], value: int, depth: int) -> None:
        out.append(_UNSIGNED[value] if 0 <= value < 24 else self.head(value))

    def get_cbor(self, reader: Reader) -> int:
        at = reader.at
        data = reader.data
        if at < len(data) and data[at] < 24:
            reader.at = at + 1
            return data[at]
        major, info, value = reader.head()
        if major > 1:
            raise wrong(major, info)
        if major:
            value = ~value
        if not self.low <= value <= self.most:
            raise DecodeError("out of range")
        return value

    def put_c(self, out: bytearray, at: int, value: int, depth: int) -> None:
        self.struct.pack_into(out, at, value)

    def get_c(self, reader: FlatReader, at: int) -> int:
        return cast(int, self.struct.unpack_from(reader.data, at)[0])


class Float(Codec[float]):
    """A float of 32 or 64 bits."""

    __slots__ = ("struct",)

    def __init__(self, letter: str) -> None:
        self.struct = struct.Struct("=" + letter)
        super().__init__(self.struct.size, self.struct.size)

    def put_cbor(self, out: list[bytes], value: float, depth: int) -> None:
        if math.isnan(value):
            out.append(b"\xf9\x7e\x00")
            return
        if self.size == 4:
            value = _single(value)
        for initial, form in ((b"\xf9", ">e"), (b"\xfa", ">f")):
            try:
                short = struct.pack(form, value)
            except OverflowError:
                continue
            if struct.unpack(form, short)[0] == value:
                out.append(initial + short)
                return
        out.append(b"\xfb" + struct.pack(">d", value))

    def get_cbor(self, reader: Reader) -> float:
        major, info, bits = reader.head()
        if major != 7 or not 25 <= info <= 27:
            raise wrong(major, info)
        size = 1 << info - 24
        value = cast(float, struct.unpack({2: ">e", 4: ">f", 8: ">d"}[size], bits.to_bytes(size, "big"))[0])
        if math.isnan(value):
            return math.nan
        if self.size == 4 and not math.isinf(value):
            try:
                fits = _single(value) == value
            except OverflowError:
                fits = False
            if not fits:
                raise DecodeError("out of range")
        return value

    def put_c(self, out: bytearray, at: int, value: float, depth: int) -> None:
        self.struct.pack_into(out, at, value)

    def get_c(self, reader: FlatReader, at: int) -> float:
        return cast(float, self.struct.unpack_from(reader.data, at)[0])


def _single(value: float) -> float:
    return cast(float, struct.unpack("=f", struct.pack("=f", value))[0])


class Bool(Codec[bool]):
    """A bool."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(1, 1)

    def put_cbor(self, out: list[bytes], value: bool, depth: int) -> None:
        out.append(b"\xf5" if value else b"\xf4")

    def get_cbor(self, reader: Reader) -> bool:
        major, info, _ = reader.head()
        if major != 7 or info not in (20, 21):
            raise wrong(major, info)
        return info == 21

    def put_c(self, out: bytearray, at: int, value: bool, depth: int) -> None:
        out[at] = 1 if value else 0

    def get_c(self, reader: FlatReader, at: int) -> bool:
        value = reader.data[at]
        if value > 1:
            raise DecodeError("neither 0 nor 1")
        return value == 1


class Text(Codec[str]):
    """A string."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(8, 4)

    def put_cbor(self, out: list[bytes], value: str, depth: int) -> None:
        data = value.encode()
        count = len(data)
        out.append(_TEXTS[count] if count < 256 else head(3, count))
        out.append(data)

    def get_cbor(self, reader: Reader) -> str:
        at = reader.at
        data = reader.data
        if at < len(data) and 0x60 <= data[at] < 0x78:
            end = at + 1 + data[at] - 0x60
            if end > len(data):
                raise DecodeError("ends early")
            reader.at = end
            try:
                return data[at + 1 : end].decode()
            except UnicodeDecodeError:
                raise DecodeError("invalid UTF-8") from None
        major, info, count = reader.head()
        if major != 3:
            raise wrong(major, info)
        return utf8(reader.chunks(3) if info == 31 else reader.slice(count))

    def put_all(self, out: list[bytes], values: Sequence[str], depth: int) -> None:
        for value in values:
            data = value.encode()
            count = len(data)
            out += (_TEXTS[count] if count < 256 else head(3, count), data)

    def get_all(self, reader: Reader, count: int, values: list[str]) -> None:
        data, at = reader.data, reader.at
        size = len(data)
        try:
            for _ in range(count):
                if at < size and -1 < (length := data[at] - 0x60) < 24:
                    at += 1
                    end = at + length
                    if end > size:
                        raise DecodeError("ends early")
                    values.append(data[at:end].decode())
                    at = end
                else:
                    reader.at = at
                    values.append(self.get_cbor(reader))
                    at = reader.at
        except DecodeError as error:
            raise error.inside(f"[{len(values)}]") from None
        except UnicodeDecodeError:
            raise DecodeError("invalid UTF-8").inside(f"[{len(values)}]") from None
        reader.at = at

    def put_c(self, out: bytearray, at: int, value: str, depth: int) -> None:
        if value:
            data = value.encode()
            REFERENCE.pack_into(out, at, len(out), len(data))
            out += data
            out.append(0)

    def get_c(self, reader: FlatReader, at: int) -> str:
        count = reader.part(at)
        if not count:
            return ""
        data = reader.slice(count + 1)
        text = utf8(data[:count])
        if data[count]:
            raise DecodeError("padding not zero")
        return text


class Bytes(Codec[bytes]):
    """Bytes."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(8, 4)

    def put_cbor(self, out: list[bytes], value: bytes, depth: int) -> None:
        out.append(head(2, len(value)))
        out.append(value)

    def get_cbor(self, reader: Reader) -> bytes:
        major, info, count = reader.head()
        if major != 2:
            raise wrong(major, info)
        return reader.chunks(2) if info == 31 else reader.slice(count)

    def put_c(self, out: bytearray, at: int, value: bytes, depth: int) -> None:
        if value:
            REFERENCE.pack_into(out, at, len(out), len(value))
            out += value

    def get_c(self, reader: FlatReader, at: int) -> bytes:
        return reader.slice(reader.part(at))


_I32 = Int("i")
_U64 = Int("Q")


class EnumOf(Codec[E]):
    """An enum, whose class is given."""

    __slots__ = ("values",)

    def __init__(self, enum: type[E]) -> None:
        super().__init__(4, 4)
        self.values: dict[int, E] = {int(value): value for value in enum}

    def _known(self, number: int) -> E:
        value = self.values.get(number)
        if value is None:
            raise DecodeError("unknown enum value")
        return value

    def put_cbor(self, out: list[bytes], value: E, depth: int) -> None:
        _I32.put_cbor(out, value, depth)

    def get_cbor(self, reader: Reader) -> E:
        return self._known(_I32.get_cbor(reader))

    def put_c(self, out: bytearray, at: int, value: E, depth: int) -> None:
        _I32.put_c(out, at, value, depth)

    def get_c(self, reader: FlatReader, at: int) -> E:
        return self._known(_I32.get_c(reader, at))


class HandleOf(Codec[H]):
    """A handle, whose class is given."""

    __slots__ = ("handle",)

    def __init__(self, handle: type[H]) -> None:
        super().__init__(8, 8)
        self.handle = handle

    def put_cbor(self, out: list[bytes], value: H, depth: int) -> None:
        if type(value) is not self.handle:
            raise TypeError(f"{value!r} is no {self.handle.__name__}")
        _U64.put_cbor(out, value.id, depth)

    def get_cbor(self, reader: Reader) -> H:
        return self.handle(_U64.get_cbor(reader))

    def put_c(self, out: bytearray, at: int, value: H, depth: int) -> None:
        if type(value) is not self.handle:
            raise TypeError(f"{value!r} is no {self.handle.__name__}")
        _U64.put_c(out, at, value.id, depth)

    def get_c(self, reader: FlatReader, at: int) -> H:
        return self.handle(_U64.get_c(reader, at))


UNIT, BOOL, TEXT, BYTES = Unit(), Bool(), Text(), Bytes()
I8, I16, I32, I64 = Int("b"), Int("h"), _I32, Int("q")
U8, U16, U32, U64 = Int("B"), Int("H"), Int("I"), _U64
F32, F64 = Float("f"), Float("d")
