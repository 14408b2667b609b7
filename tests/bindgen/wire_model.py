# SPDX-License-Identifier: BSD-3-Clause
"""Both wire formats in Python, written from spec/interface.md alone: what every language's codecs are compared with.

A value is as JSON has it: `bytes` are a string of hexadecimal digits, an enum is the name of its value, an absent
option is None (or, as a field, left out), a map is a list of pairs, and a float is a number or "nan", "inf", "-inf".
Only encoding is here; decoding is tested by what it gives when it is encoded again.
"""

from __future__ import annotations

import struct
from typing import Any

from ferry.bindgen import layout
from ferry.bindgen.layout import align_up, cbor_fields, cbor_head, cbor_key
from ferry.bindgen.model import (
    FLOATS,
    INTEGERS,
    NOTHING,
    SIGNED,
    EnumRef,
    Field,
    HandleRef,
    Interface,
    Map,
    ObjectRef,
    Option,
    Scalar,
    Seq,
    Type,
)

_PACKED = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
_PACKED |= {"f32": "f", "f64": "d", "bool": "?"}


def cbor_float(value: float) -> bytes:
    """The shortest float that keeps the value."""
    if value != value:
        return b"\xf9\x7e\x00"
    for head, packed in ((0xF9, ">e"), (0xFA, ">f"), (0xFB, ">d")):
        try:
            data = struct.pack(packed, value)
        except OverflowError:
            continue
        if struct.unpack(packed, data)[0] == value:
            return bytes([head]) + data
    raise AssertionError


def enum_number(interface: Interface, type_: EnumRef, name: str) -> int:
    return next(value.value for value in interface.enum(type_.name).values if value.name == name)


def the_case(interface: Interface, type_: ObjectRef, value: Any) -> tuple[Field, Any]:
    """The case of a variant's value, and what that carries."""
    cases = interface.object(type_.name).fields
    return next((case, value[case.name]) for case in cases if case.name in value)


def cbor(interface: Interface, type_: Type, value: Any) -> bytes:
    """W1 and W2."""
    if isinstance(type_, Option):
        return b"\xf6" if value is None else cbor(interface, type_.item, value)
    if isinstance(type_, Seq):
        return cbor_head(4, len(value)) + b"".join(cbor(interface, type_.item, item) for item in value)
    if isinstance(type_, Map):
        pairs = sorted((cbor(interface, type_.key, key), cbor(interface, type_.value, item)) for key, item in value)
        return cbor_head(5, len(pairs)) + b"".join(key + item for key, item in pairs)
    if type_ == NOTHING:
        return b"\xf6"
    if isinstance(type_, ObjectRef) and interface.object(type_.name).is_variant:
        case, item = the_case(interface, type_, value)
        return cbor_head(5, 1) + cbor_key(case.name) + cbor(interface, case.type, item)
    if isinstance(type_, ObjectRef):
        there = [f for f in cbor_fields(interface.object(type_.name)) if value.get(f.name) is not None]
        members = [cbor_key(field.name) + cbor(interface, field.type, value[field.name]) for field in there]
        return cbor_head(5, len(there)) + b"".join(members)
    if isinstance(type_, EnumRef):
        value = enum_number(interface, type_, value)
    if isinstance(type_, HandleRef | EnumRef) or type_.name in INTEGERS:
        return cbor_head(0, value) if value >= 0 else cbor_head(1, -1 - value)
    if type_.name == "bool":
        return b"\xf5" if value else b"\xf4"
    if type_.name in FLOATS:
        return cbor_float(float(value))
    data = value.encode() if type_.name == "string" else bytes.fromhex(value)
    return cbor_head(3 if type_.name == "string" else 2, len(data)) + data


class Block:
    """W4 and W5: a block that grows as the walk goes on."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.data = bytearray()

    def place(self, bytes_: int, align: int) -> int:
        """Append zeros at the next offset that is aligned; return it."""
        at = align_up(len(self.data), align)
        self.data += bytes(at + bytes_ - len(self.data))
        return at

    def set(self, at: int, data: bytes) -> None:
        self.data[at : at + len(data)] = data

    def refer(self, at: int, count: int, bytes_: int, align: int) -> int:
        """Set a reference at `at` to a new part; return where that is."""
        to = self.place(bytes_, align) if count else 0
        self.set(at, struct.pack("=II", to, count))
        return to

    def put(self, at: int, type_: Type, value: Any) -> None:
        if isinstance(type_, Option):
            self.set(at, b"\0" if value is None else b"\1")
            if value is not None:
                self.put(at + layout.layout(self.interface, type_.item).align, type_.item, value)
        elif isinstance(type_, Seq):
            size = layout.layout(self.interface, type_.item).size
            to = self.refer(at, len(value), size * len(value), 8)
            for number, item in enumerate(value):
                self.put(to + number * size, type_.item, item)
        elif isinstance(type_, Map):
            pair, value_at, _ = layout.pair_layout(self.interface, type_)
            to = self.refer(at, len(value), pair.size * len(value), 8)
            text = type_.key.name == "string"
            for number, (key, item) in enumerate(sorted(value, key=lambda p: p[0].encode() if text else p[0])):
                self.put(to + number * pair.size, type_.key, key)
                self.put(to + number * pair.size + value_at, type_.value, item)
        elif isinstance(type_, ObjectRef) and self.interface.object(type_.name).is_variant:
            variant = self.interface.object(type_.name)
            case, item = the_case(self.interface, type_, value)
            self.set(at, struct.pack("=i", variant.fields.index(case)))
            self.put(at + layout.case_offset(self.interface, variant), case.type, item)
        elif isinstance(type_, ObjectRef):
            for member in layout.members(self.interface, self.interface.object(type_.name)):
                self.put(at + member.offset, member.field.type, value.get(member.field.name))
        else:
            self.put_simple(at, type_, value)

    def put_simple(self, at: int, type_: Scalar | EnumRef | HandleRef, value: Any) -> None:
        if type_ == NOTHING:
            return
        if isinstance(type_, EnumRef):
            self.set(at, struct.pack("=i", enum_number(self.interface, type_, value)))
        elif isinstance(type_, HandleRef):
            self.set(at, struct.pack("=Q", value))
        elif type_.name in _PACKED:
            self.set(at, struct.pack("=" + _PACKED[type_.name], float(value) if type_.name in FLOATS else value))
        else:
            data = value.encode() if type_.name == "string" else bytes.fromhex(value)
            to = self.refer(at, len(data), len(data) + (type_.name == "string"), 1)
            self.set(to, data) if data else None


def c(interface: Interface, type_: Type, value: Any) -> bytes:
    """W4 and W5."""
    block = Block(interface)
    block.put(block.place(layout.layout(interface, type_).size, 8), type_, value)
    return bytes(block.data)


def general(interface: Interface, type_: Type, value: Any) -> Any:
    """The value as a general CBOR library has it."""
    if isinstance(type_, Option):
        return None if value is None else general(interface, type_.item, value)
    if isinstance(type_, Seq):
        return [general(interface, type_.item, item) for item in value]
    if isinstance(type_, Map):
        return {key: general(interface, type_.value, item) for key, item in value}
    if type_ == NOTHING:
        return None
    if isinstance(type_, ObjectRef) and interface.object(type_.name).is_variant:
        case, item = the_case(interface, type_, value)
        return {case.name: general(interface, case.type, item)}
    if isinstance(type_, ObjectRef):
        fields = interface.object(type_.name).fields
        return {f.name: general(interface, f.type, value[f.name]) for f in fields if value.get(f.name) is not None}
    if isinstance(type_, EnumRef):
        return enum_number(interface, type_, value)
    if isinstance(type_, Scalar) and type_.name == "bytes":
        return bytes.fromhex(value)
    return float(value) if isinstance(type_, Scalar) and type_.name in FLOATS else value


def limits(name: str) -> tuple[int, int]:
    """The least and the most of an integer type."""
    bits = INTEGERS[name]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if name in SIGNED else (0, (1 << bits) - 1)
