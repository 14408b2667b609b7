# SPDX-License-Identifier: BSD-3-Clause
"""Both wire formats of spec/interface.md: a codec stands for a type and writes and reads its values in each.

Reading is total: any bytes give a value or a DecodeError with the path to the bad field. The heads of CBOR are read in
line where that is quick, by `Reader.head` otherwise. Measured beside cbor2, which this neither needs nor may use: it
keeps the last of a key that is given twice, and makes objects of tags (bench/python/codec.py).

long: one codec for each kind of type.
"""
# ruff: noqa: D102 - Codec says what its methods do

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")
E = TypeVar("E", bound=IntEnum)
H = TypeVar("H", bound="HandleId")
K = TypeVar("K", int, str)

#: How deep objects, sequences and maps may nest (W7).
DEPTH_MAX = 32
#: A message has fewer bytes (W7).
BYTES_END = 1 << 32
_PART_ALIGN = 8
_ZEROS = bytes(_PART_ALIGN)
_SMALL = [bytes([value]) for value in range(256)]
_REFERENCE = struct.Struct("=II")


class Wire(Enum):
    """How payloads are encoded."""

    CBOR = 0
    C = 1


class EncodeError(ValueError):
    """A value is not of its type, or over the limits of every message."""


class DecodeError(ValueError):
    """Bytes are no value: a reason and the path to the bad field (W8)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = ""

    def inside(self, step: str) -> DecodeError:
        """Put a step before the path."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{step}{dot}{self.path}"
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class HandleId:
    """A handle: an id. Copies mean the same object, and the library refuses one that was closed."""

    __slots__ = ("id",)

    def __init__(self, id_: int) -> None:
        self.id = id_

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and cast(HandleId, other).id == self.id

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id:#x})"


def _head(major: int, value: int) -> bytes:
    major <<= 5
    if value < 24:
        return _SMALL[major | value]
    if value < 1 << 8:
        return bytes((major | 24, value))
    if value < 1 << 16:
        return _SMALL[major | 25] + value.to_bytes(2, "big")
    if value < 1 << 32:
        return _SMALL[major | 26] + value.to_bytes(4, "big")
    return _SMALL[major | 27] + value.to_bytes(8, "big")


class Reader:
    """A message in format `cbor`, and how far it has been read."""

    __slots__ = ("at", "data", "depth")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.depth = 0

    def head(self) -> tuple[int, int, int]:
        """Return major type, additional information and argument of the next item that is no tag."""
        while True:
            head = self.one_head()
            if head[0] != 6:
                return head

    def one_head(self) -> tuple[int, int, int]:
        """Return the next head, a tag's too."""
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
                _utf8(parts[-1])
        return b"".join(parts)

    def items(self, major: int, least: int) -> int:
        """Begin an array or a map whose items take so many bytes at least; return how many, -1 when it does not say."""
        found, info, count = self.head()
        if found != major:
            raise wrong(found, info)
        self.enter()
        if count > (len(self.data) - self.at) // least:
            raise DecodeError("ends early")
        return count

    def take_null(self) -> bool:
        """Go past a null if it is next, with its tags."""
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
        major, info, value = self.head()
        if major in (2, 3):
            whole = self.chunks(major) if info == 31 else self.slice(value)
            if major == 3 and info != 31:
                _utf8(whole)
        elif major in (4, 5):
            self.enter()
            while value and not (value < 0 and self.is_break()):
                self.skip()
                if major == 5:
                    self.skip()
                value -= value > 0
            self.depth -= 1


def wrong(major: int, info: int) -> DecodeError:
    """Return the error of an item of another kind than it has to be."""
    return DecodeError("missing" if (major, info) == (7, 22) else "wrong type")


def _utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DecodeError("invalid UTF-8") from None


class Block:
    """A message in format `c`, and where the part that comes next begins."""

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
        """Insist that these bytes are zero."""
        if end > at and any(self.data[at:end]):
            raise DecodeError("padding not zero")

    def part(self, at: int) -> int:
        """Return how much the reference at `at` says there is: it has to point to where the walk has got to."""
        offset, count = _REFERENCE.unpack_from(self.data, at)
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
        """Return how many structs the reference at `at` means, and where the first is."""
        if _REFERENCE.unpack_from(self.data, at)[1]:
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


def _too_deep() -> DecodeError:
    return DecodeError("nested too deep")


def align_up(offset: int, align: int) -> int:
    """Return the next offset that the alignment allows."""
    return -(-offset // align) * align


def reserve(out: bytearray, at: int, count: int, size: int) -> int:
    """Append room for structs and refer to it at `at`; return where the first is."""
    if not count:
        return 0
    begin = align_up(len(out), _PART_ALIGN)
    out.extend(bytes(begin - len(out) + count * size))
    _REFERENCE.pack_into(out, at, begin, count)
    return begin


class Codec(Generic[T]):
    """How a type travels."""

    __slots__ = ("align", "is_required", "least", "size")

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

    def put_c(self, out: bytearray, at: int, value: T, depth: int) -> None:
        """Write a value's struct at `at`, where `size` zero bytes are, and append what it refers to."""
        raise NotImplementedError

    def get_c(self, block: Block, at: int) -> T:
        """Read a value's struct at `at`, where `size` bytes are, and what it refers to."""
        raise NotImplementedError

    def encode(self, wire: Wire, value: T) -> bytes:
        """Encode a value as a whole message; raises EncodeError."""
        try:
            if wire is Wire.CBOR:
                parts: list[bytes] = []
                self.put_cbor(parts, value, 0)
                whole = b"".join(parts)
            else:
                block = bytearray(self.size)
                self.put_c(block, 0, value, 0)
                whole = bytes(block)
        except (TypeError, AttributeError, struct.error, OverflowError, UnicodeEncodeError) as error:
            raise EncodeError(f"a value is not of its type: {error}") from error
        if len(whole) >= BYTES_END:
            raise EncodeError("out of range")
        return whole

    def decode(self, wire: Wire, data: bytes) -> T:
        """Decode a whole message; raises DecodeError."""
        if wire is Wire.CBOR:
            reader = Reader(data)
            value = self.get_cbor(reader)
            end = reader.at
        else:
            block = Block(data, self.size)
            value = self.get_c(block, 0)
            end = block.next
        if end != len(data):
            raise DecodeError("bytes left over")
        return value


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

    def get_c(self, block: Block, at: int) -> None:
        pass


class Int(Codec[int]):
    """An integer of a width."""

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
            return _head(0, value) if value >= 0 else _head(1, ~value)
        raise OverflowError(f"{value} is not from {self.low} to {self.most}")

    def put_cbor(self, out: list[bytes], value: int, depth: int) -> None:
        out.append(_SMALL[value] if 0 <= value < 24 else self.head(value))

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

    def get_c(self, block: Block, at: int) -> int:
        return cast(int, self.struct.unpack_from(block.data, at)[0])


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
        for head, form in ((b"\xf9", ">e"), (b"\xfa", ">f")):
            try:
                short = struct.pack(form, value)
            except OverflowError:
                continue
            if struct.unpack(form, short)[0] == value:
                out.append(head + short)
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

    def get_c(self, block: Block, at: int) -> float:
        return cast(float, self.struct.unpack_from(block.data, at)[0])


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

    def get_c(self, block: Block, at: int) -> bool:
        value = block.data[at]
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
        out.append(_SMALL[0x60 + count] if count < 24 else _head(3, count))
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
        return _utf8(reader.chunks(3) if info == 31 else reader.slice(count))

    def put_c(self, out: bytearray, at: int, value: str, depth: int) -> None:
        if value:
            data = value.encode()
            _REFERENCE.pack_into(out, at, len(out), len(data))
            out += data
            out.append(0)

    def get_c(self, block: Block, at: int) -> str:
        count = block.part(at)
        if not count:
            return ""
        data = block.slice(count + 1)
        text = _utf8(data[:count])
        if data[count]:
            raise DecodeError("padding not zero")
        return text


class Bytes(Codec[bytes]):
    """Bytes."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(8, 4)

    def put_cbor(self, out: list[bytes], value: bytes, depth: int) -> None:
        out.append(_head(2, len(value)))
        out.append(value)

    def get_cbor(self, reader: Reader) -> bytes:
        major, info, count = reader.head()
        if major != 2:
            raise wrong(major, info)
        return reader.chunks(2) if info == 31 else reader.slice(count)

    def put_c(self, out: bytearray, at: int, value: bytes, depth: int) -> None:
        if value:
            _REFERENCE.pack_into(out, at, len(out), len(value))
            out += value

    def get_c(self, block: Block, at: int) -> bytes:
        return block.slice(block.part(at))


_I32 = Int("i")
_U64 = Int("Q")


class EnumOf(Codec[E]):
    """An enum, by its class."""

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

    def get_c(self, block: Block, at: int) -> E:
        return self._known(_I32.get_c(block, at))


class HandleOf(Codec[H]):
    """A handle, by its class."""

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

    def get_c(self, block: Block, at: int) -> H:
        return self.handle(_U64.get_c(block, at))


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

    def get_c(self, block: Block, at: int) -> T | None:
        present = block.data[at]
        if present > 1:
            raise DecodeError("neither 0 nor 1")
        if not present:
            block.zeros(at, at + self.size)
            return None
        begin = at + self.align
        block.zeros(at + 1, begin)
        value = self.item.get_c(block, begin)
        block.zeros(begin + self.item.size, at + self.size)
        return value


def _deeper(depth: int) -> int:
    if depth >= DEPTH_MAX:
        raise EncodeError("nested too deep")
    return depth + 1


def _take_texts(reader: Reader, count: int, values: list[str]) -> None:
    """Read texts, of which most are short, as Text does."""
    data, at = reader.data, reader.at
    size = len(data)
    try:
        for _ in range(count):
            if at < size and 0x60 <= data[at] < 0x78:
                end = at + data[at] - 0x5F
                if end > size:
                    raise DecodeError("ends early")
                values.append(data[at + 1 : end].decode())
                at = end
            else:
                reader.at = at
                values.append(TEXT.get_cbor(reader))
                at = reader.at
    except UnicodeDecodeError:
        raise DecodeError("invalid UTF-8") from None
    reader.at = at


class Seq(Codec[list[T]]):
    """A sequence."""

    __slots__ = ("item",)

    def __init__(self, item: Codec[T]) -> None:
        super().__init__(8, 4)
        self.item = item

    def put_cbor(self, out: list[bytes], value: Sequence[T], depth: int) -> None:
        depth = _deeper(depth)
        count = len(value)
        out.append(_SMALL[0x80 + count] if count < 24 else _head(4, count))
        put = self.item.put_cbor
        for item in value:
            put(out, item, depth)

    def get_cbor(self, reader: Reader) -> list[T]:
        data, at = reader.data, reader.at
        # a short head, and no more items than there can be
        if at < len(data) and 0x80 <= data[at] < 0x98 and (data[at] - 0x80) * self.item.least < len(data) - at:
            reader.at = at + 1
            reader.enter()
            count = data[at] - 0x80
        else:
            count = reader.items(4, self.item.least)
        get = self.item.get_cbor
        values: list[T] = []
        try:
            if count < 0:
                while not reader.is_break():
                    values.append(get(reader))
            elif isinstance(self.item, Text):
                _take_texts(reader, count, cast("list[str]", values))
            else:
                for _ in range(count):
                    values.append(get(reader))
        except DecodeError as error:
            raise error.inside(f"[{len(values)}]") from None
        reader.depth -= 1
        return values

    def put_c(self, out: bytearray, at: int, value: Sequence[T], depth: int) -> None:
        depth = _deeper(depth)
        size = self.item.size
        begin = reserve(out, at, len(value), size)
        for index, item in enumerate(value):
            self.item.put_c(out, begin + index * size, item, depth)

    def get_c(self, block: Block, at: int) -> list[T]:
        block.enter()
        size = self.item.size
        count, begin = block.structs(at, size)
        get = self.item.get_c
        values: list[T] = []
        try:
            for place in range(begin, begin + count * size, size):
                values.append(get(block, place))
        except DecodeError as error:
            raise error.inside(f"[{len(values)}]") from None
        block.depth -= 1
        return values


class Map(Codec[dict[K, T]]):
    """A map; what is decoded is in the order of the message."""

    __slots__ = ("item", "key", "pair_end", "pair_size", "value_at")

    def __init__(self, key: Codec[K], item: Codec[T]) -> None:
        super().__init__(8, 4)
        self.key: Codec[K] = key
        self.item = item
        self.value_at = align_up(key.size, item.align)
        self.pair_end = self.value_at + item.size
        self.pair_size = align_up(self.pair_end, max(key.align, item.align))

    def put_cbor(self, out: list[bytes], value: Mapping[K, T], depth: int) -> None:
        depth = _deeper(depth)
        out.append(_head(5, len(value)))
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
        depth = _deeper(depth)
        place = reserve(out, at, len(value), self.pair_size)
        for key in sorted(value, key=_order):
            self.key.put_c(out, place, key, depth)
            self.item.put_c(out, place + self.value_at, value[key], depth)
            place += self.pair_size

    def get_c(self, block: Block, at: int) -> dict[K, T]:
        block.enter()
        count, place = block.structs(at, self.pair_size)
        values: dict[K, T] = {}
        last: int | bytes | None = None
        for index in range(count):
            step = "key"
            try:
                key = self.key.get_c(block, place)
                step = ""
                block.zeros(place + self.key.size, place + self.value_at)
                step = "value"
                value = self.item.get_c(block, place + self.value_at)
                step = ""
                block.zeros(place + self.pair_end, place + self.pair_size)
            except DecodeError as error:
                raise (error.inside(step) if step else error).inside(f"[{index}]") from None
            order = _order(key)
            if last is not None and not last < order:  # type: ignore[operator]
                raise DecodeError("keys out of order")
            last = order
            values[key] = value
            place += self.pair_size
        block.depth -= 1
        return values


def _order(key: int | str) -> int | bytes:
    return key.encode() if isinstance(key, str) else key


class _Field:
    """A field of an object: its place among the values, its key, its codec."""

    __slots__ = ("codec", "index", "key", "name", "offset")

    def __init__(self, index: int, name: str, codec: Codec[Any], offset: int) -> None:
        self.index = index
        self.name = name
        self.codec = codec
        self.offset = offset
        data = name.encode()
        self.key = _head(3, len(data)) + data

    def get(self, reader: Reader) -> Any:
        """Read the value; None where null stands for none."""
        if reader.data[reader.at : reader.at + 1] >= b"\xc0" and reader.take_null():
            return None
        return self.codec.get_cbor(reader)

    @property
    def _plain(self) -> Codec[Any]:
        """The codec of the value when there is one."""
        return self.codec.item if isinstance(self.codec, Opt) else self.codec

    def names(self) -> dict[str, Any]:
        """Return what the lines below refer to."""
        index, codec = self.index, self._plain
        found: dict[str, Any] = {f"k{index}": self.key, f"get{index}": self.get, f"put{index}": codec.put_cbor}
        if isinstance(codec, Text):
            found[f"h{index}"] = [self.key + _SMALL[0x60 + count] for count in range(24)]
        if isinstance(codec, Int):
            found[f"h{index}"] = [self.key + _SMALL[value] for value in range(24)]
            found[f"c{index}"] = codec
        # an object's own is compiled later than it is referred to
        if isinstance(codec, Object):
            found[f"put{index}"] = lambda out, value, depth: codec.put_cbor(out, value, depth)
        return found

    def put_lines(self) -> list[str]:
        """Return the lines that append the key and the value."""
        index, codec = self.index, self._plain
        if isinstance(codec, Text):
            return [
                f"b = v{index}.encode()",
                "n = len(b)",
                f"out += (h{index}[n] if n < 24 else k{index} + head(3, n), b)",
            ]
        if isinstance(codec, Int):
            return [f"out.append(h{index}[v{index}] if 0 <= v{index} < 24 else k{index} + whole(c{index}, v{index}))"]
        return [f"out.append(k{index})", f"put{index}(out, v{index}, depth)"]

    def get_lines(self) -> list[str]:
        """Return the lines that read the value at `at`, going past it."""
        index, codec = self.index, self._plain
        slow = ["reader.at = at", f"v{index} = get{index}(reader)", "at = reader.at"]
        if isinstance(codec, Text):
            return [
                "if at < size and 0x60 <= data[at] < 0x78:",
                " end = at + data[at] - 0x5f",
                " if end > size: raise DecodeError('ends early')",
                f" v{index} = data[at + 1:end].decode()",
                " at = end",
                "else:",
                *(" " + line for line in slow),
            ]
        if isinstance(codec, Int):
            return [
                "if at < size and data[at] < 24:",
                f" v{index} = data[at]",
                " at += 1",
                f"elif at + 1 < size and data[at] == 24 and data[at + 1] <= {codec.most}:",
                f" v{index} = data[at + 1]",
                " at += 2",
                f"elif at + 2 < size and data[at] == 25 and {codec.most} >= 65535:",
                f" v{index} = data[at + 1] << 8 | data[at + 2]",
                " at += 3",
                "else:",
                *(" " + line for line in slow),
            ]
        return slow


class Object(Codec[T]):
    """An object: `make` builds it from its fields' values in order, `values` takes them out again.

    `put_cbor` and `get_cbor` are compiled from the fields, as dataclasses compiles its methods: a loop over the fields
    takes twice as long.
    """

    __slots__ = ("_ends", "by_name", "fields", "get_cbor", "make", "put_cbor", "sorted", "values")

    def __init__(
        self, make: Callable[..., T], names: Sequence[str] | None, size: int = 0, align: int = 1, least: int = 1
    ) -> None:
        # known before the fields are: an object may contain itself
        super().__init__(size, align)
        self.least = least
        self.make = make
        self.values: Callable[[T], Sequence[Any]]
        if names is None:
            self.values = cast("Callable[[T], Sequence[Any]]", tuple)
        elif len(names) == 1:
            only = attrgetter(names[0])
            self.values = lambda value: (only(value),)
        else:
            self.values = attrgetter(*names)
        self.fields: list[_Field] = []

    def define(self, *fields: tuple[str, Codec[Any]]) -> None:
        """Say what the fields are, by their names in the interface."""
        offset = 0
        align = least = 1
        for index, (name, codec) in enumerate(fields):
            offset = align_up(offset, codec.align)
            self.fields.append(_Field(index, name, codec, offset))
            offset += codec.size
            align = max(align, codec.align)
            if codec.is_required:
                least += len(self.fields[-1].key) + codec.least
        found = (align_up(offset, align), align, least)
        if self.size:
            assert found == (self.size, self.align, self.least)
        self.size, self.align, self.least = found
        self._ends = offset
        self.sorted = sorted(self.fields, key=lambda field: field.key)
        self.by_name = {field.name: field for field in self.fields}
        space: dict[str, Any] = {
            "DecodeError": DecodeError, "deeper": _deeper, "enter_error": _too_deep, "head": _head, "make": self.make,
            "rest": self.rest, "small": _SMALL, "values": self.values, "whole": Int.head,
        }  # fmt: skip
        for field in self.fields:
            space |= field.names()
        exec("\n".join(self._put_lines() + self._get_lines()), space)  # of our own making
        self.put_cbor = space["put_cbor"]  # type: ignore[method-assign]
        self.get_cbor = space["get_cbor"]  # type: ignore[method-assign]

    def _put_lines(self) -> list[str]:
        optional = [field.index for field in self.fields if not field.codec.is_required]
        absent = "".join(f" - (v{index} is None)" for index in optional)
        count = len(self.fields)
        lines = ["def put_cbor(out, value, depth):", " if depth >= 32: depth = deeper(depth)", " depth += 1"]
        lines += [f" {''.join(f'v{field.index}, ' for field in self.fields)}= values(value)"]
        if absent:
            lines += [f" n = {count}{absent}", " out.append(small[0xa0 + n] if n < 24 else head(5, n))"]
        else:
            lines += [f" out.append({_head(5, count)!r})"]
        for field in self.sorted:
            index = field.index
            blank = " "
            if not field.codec.is_required:
                lines.append(f" if v{index} is not None:")
                blank = "  "
            lines += [blank + line for line in field.put_lines()]
        return lines

    def _get_lines(self) -> list[str]:
        every = range(len(self.fields))
        values = ", ".join(f"v{index}" for index in every)
        lines = ["def get_cbor(reader):", " data = reader.data", " at = reader.at", " size = len(data)"]
        lines += [f" {' = '.join(f'v{index}' for index in every)} = None", " left = -1", " seen = 0"]
        lines += self._exact_lines() if all(field.codec.is_required for field in self.fields) else self._any_lines()
        lines += ["  except DecodeError as error: raise error.inside(name) from None"]
        lines += ["  except UnicodeDecodeError: raise DecodeError('invalid UTF-8').inside(name) from None"]
        required = [f"v{field.index} is not None" for field in self.fields if field.codec.is_required]
        lines += [f"  if {' and '.join(['not left', *required])}:", "   reader.at = at"]
        if self._counts_depth():
            lines += ["   reader.depth -= 1", f"   return make({values})"]
        else:
            lines += [f"   return make({values})", "  reader.depth += 1"]
        lines += [" reader.at = at", f" return rest(reader, left, [{values}], seen)"]
        return lines

    def _counts_depth(self) -> bool:
        """Whether the compiled path counts this level: something may be below it, or there are options."""
        return any(not field.codec.is_required or isinstance(field.codec, Seq | Map | Object) for field in self.fields)

    def _exact_lines(self) -> list[str]:
        """Return the lines for an object without options: its head and its first key are one text."""
        count = len(self.fields)
        first = _head(5, count) + self.sorted[0].key
        lines = [f" if data.startswith({first!r}, at):", f"  at += {len(first)}"]
        counted = ["  reader.depth += 1"] if self._counts_depth() else []
        deepest = 32 if counted else 31
        lines += [*counted, f"  if reader.depth > {deepest}: raise enter_error()", "  try:", "   while True:"]
        seen = 0
        for place, field in enumerate(self.sorted):
            if place:
                lines += [f"    if not data.startswith(k{field.index}, at):"]
                lines += [
                    f"     left = {count - place}",
                    f"     seen = {seen}",
                    "     break",
                    f"    at += {len(field.key)}",
                ]
            lines += [f"    name = {field.name!r}", *("    " + line for line in field.get_lines())]
            seen |= 1 << field.index
        return [*lines, "    left = 0", "    break"]

    def _any_lines(self) -> list[str]:
        """Return the lines for an object that may have fewer keys than fields."""
        lines = [" if at < size and 0xa0 <= data[at] < 0xb8:", "  left = data[at] & 31", "  at += 1"]
        lines += ["  reader.depth += 1", "  if reader.depth > 32: raise enter_error()", "  try:"]
        for field in self.sorted:
            lines += [f"   if left and data.startswith(k{field.index}, at):", "    left -= 1"]
            lines += [f"    seen |= {1 << field.index}", f"    name = {field.name!r}", f"    at += {len(field.key)}"]
            lines += ["    " + line for line in field.get_lines()]
        return lines

    def rest(self, reader: Reader, count: int, values: list[Any], seen: int) -> T:
        """Go on from the first key that is not in the deterministic place; from the head where count is -1."""
        if count < 0:
            count = reader.items(5, 2)
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
        return self.make(*values)

    def put_c(self, out: bytearray, at: int, value: T, depth: int) -> None:
        depth = _deeper(depth)
        values = self.values(value)
        for field in self.fields:
            field.codec.put_c(out, at + field.offset, values[field.index], depth)

    def get_c(self, block: Block, at: int) -> T:
        block.enter()
        values = []
        end = 0
        for field in self.fields:
            if end != field.offset:
                block.zeros(at + end, at + field.offset)
            try:
                values.append(field.codec.get_c(block, at + field.offset))
            except DecodeError as error:
                raise error.inside(field.name) from None
            end = field.offset + field.codec.size
        block.zeros(at + self._ends, at + self.size)
        block.depth -= 1
        return self.make(*values)


UNIT, BOOL, TEXT, BYTES = Unit(), Bool(), Text(), Bytes()
I8, I16, I32, I64 = Int("b"), Int("h"), _I32, Int("q")
U8, U16, U32, U64 = Int("B"), Int("H"), Int("I"), _U64
F32, F64 = Float("f"), Float("d")


def request(*fields: tuple[str, Codec[Any]]) -> Object[tuple[Any, ...]]:
    """Return the codec of a method's parameters, whose value is a tuple."""
    codec: Object[tuple[Any, ...]] = Object(lambda *values: values, None)
    codec.define(*fields)
    return codec
