# SPDX-License-Identifier: BSD-3-Clause
"""What both wire formats make of a type: sizes and alignments of format `c`, keys and least sizes of `cbor`, depths.

Every template needs these, in whatever language it writes. The rules cited are those of spec/interface.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ferry.bindgen.model import (
    FLOATS,
    INTEGERS,
    NOTHING,
    EnumRef,
    Field,
    HandleRef,
    Interface,
    Map,
    Object,
    ObjectRef,
    Option,
    Scalar,
    Seq,
    Type,
    parts,
)

#: What a depth is when an object contains itself.
UNBOUNDED = -1
#: Bytes of an `{u32 offset; u32 count}` (W4).
REFERENCE_BYTES = 8
#: Bytes of the number that says which case a variant has (W4).
WHICH_BYTES = 4


@dataclass(frozen=True)
class Layout:
    """Where a value of format `c` may begin and how many bytes its own struct takes."""

    size: int
    align: int


@dataclass(frozen=True)
class Member:
    """A field of a struct of format `c`; `gap` bytes of padding come before it."""

    field: Field
    offset: int
    layout: Layout
    gap: int


def align_up(offset: int, align: int) -> int:
    """Return the next offset that the alignment allows."""
    return (offset + align - 1) // align * align


def layout(interface: Interface, type_: Type) -> Layout:
    """Lay out a value as W4 says."""
    if isinstance(type_, Scalar):
        if type_ == NOTHING:
            return Layout(0, 1)
        if type_.name == "bool":
            return Layout(1, 1)
        if type_.name in ("string", "bytes"):
            return Layout(REFERENCE_BYTES, 4)
        size = (INTEGERS | FLOATS)[type_.name] // 8
        return Layout(size, size)
    if isinstance(type_, EnumRef):
        return Layout(4, 4)
    if isinstance(type_, HandleRef):
        return Layout(8, 8)
    if isinstance(type_, Option):
        item = layout(interface, type_.item)
        return Layout(align_up(item.align + item.size, item.align), item.align)
    if isinstance(type_, ObjectRef):
        return object_layout(interface, interface.object(type_.name))
    return Layout(REFERENCE_BYTES, 4)


def pair_layout(interface: Interface, type_: Map) -> tuple[Layout, int, int]:
    """Lay out a pair of a map: the layout of the pair, the offset of its value, and its bytes of trailing padding."""
    key, value = layout(interface, type_.key), layout(interface, type_.value)
    at = align_up(key.size, value.align)
    align = max(key.align, value.align)
    size = align_up(at + value.size, align)
    return Layout(size, align), at, size - at - value.size


def members(interface: Interface, object_: Object) -> list[Member]:
    """Lay out the fields of an object, in order."""
    found, offset = [], 0
    for field in object_.fields:
        item = layout(interface, field.type)
        at = align_up(offset, item.align)
        found.append(Member(field, at, item, at - offset))
        offset = at + item.size
    return found


@cache
def object_layout(interface: Interface, object_: Object) -> Layout:
    """Lay out an object's struct; that of a request without parameters takes no bytes."""
    if object_.is_variant:
        align = max(WHICH_BYTES, *(layout(interface, case.type).align for case in object_.fields))
        end = case_offset(interface, object_) + max(layout(interface, case.type).size for case in object_.fields)
        return Layout(align_up(end, align), align)
    placed = members(interface, object_)
    align = max((member.layout.align for member in placed), default=1)
    end = placed[-1].offset + placed[-1].layout.size if placed else 0
    return Layout(align_up(end, align), align)


def case_offset(interface: Interface, variant: Object) -> int:
    """Return where in a variant's struct lies what its case carries: behind the number of the case (W4)."""
    return align_up(WHICH_BYTES, max(layout(interface, case.type).align for case in variant.fields))


def case_gap(interface: Interface, variant: Object, case: Field) -> int:
    """Return how many bytes of a variant's struct lie behind what a case carries."""
    end = case_offset(interface, variant) + layout(interface, case.type).size
    return object_layout(interface, variant).size - end


def trailing_gap(interface: Interface, object_: Object) -> int:
    """Return how many bytes of padding end an object's struct."""
    placed = members(interface, object_)
    end = placed[-1].offset + placed[-1].layout.size if placed else 0
    return object_layout(interface, object_).size - end


def cbor_head(major: int, value: int) -> bytes:
    """Return the shortest head of a CBOR item."""
    if value < 24:
        return bytes([major << 5 | value])
    for extra, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if value < 1 << 8 * width:
            return bytes([major << 5 | extra]) + value.to_bytes(width, "big")
    raise ValueError(value)


def cbor_key(name: str) -> bytes:
    """Return a field's name as the CBOR key it travels as."""
    return cbor_head(3, len(name.encode())) + name.encode()


def cbor_fields(object_: Object) -> list[Field]:
    """Return the fields in the order in which they travel: by their encoded keys (W1)."""
    return sorted(object_.fields, key=lambda field: cbor_key(field.name))


def cbor_bytes_min(interface: Interface, type_: Type) -> int:
    """Return the fewest bytes that a value can take in CBOR, which bounds what a length can claim (W7)."""
    if isinstance(type_, ObjectRef):
        return cbor_object_bytes_min(interface, interface.object(type_.name))
    return 1


@cache
def cbor_object_bytes_min(interface: Interface, object_: Object) -> int:
    """Return the fewest bytes that an object can take in CBOR: no option field is there."""
    if object_.is_variant:
        cases = object_.fields
        return 1 + min(len(cbor_key(case.name)) + cbor_bytes_min(interface, case.type) for case in cases)
    needed = [field for field in object_.fields if not isinstance(field.type, Option)]
    return 1 + sum(len(cbor_key(field.name)) + cbor_bytes_min(interface, field.type) for field in needed)


def objects_in(type_: Type, inline_only: bool = False) -> list[str]:
    """Return the objects that a type mentions; with `inline_only`, those that lie inside its own struct."""
    if isinstance(type_, ObjectRef):
        return [type_.name]
    if inline_only and isinstance(type_, Seq | Map):
        return []
    return [name for part in parts(type_) for name in objects_in(part, inline_only)]


@cache
def in_order(interface: Interface, inline_only: bool = True) -> list[Object]:
    """Return the objects so that each comes after those it mentions: as C and C++ need them declared.

    What is left out contains itself, or an object that does. With `inline_only` that is nothing, once an interface has
    been read.
    """
    needs = {
        object_.name: {name for field in object_.fields for name in objects_in(field.type, inline_only)}
        for object_ in interface.objects
    }
    wanted_by: dict[str, list[str]] = {name: [] for name in needs}
    for name, needed in needs.items():
        for other in needed:
            wanted_by[other].append(name)
    ready = [name for name, needed in needs.items() if not needed]
    found = []
    while ready:
        name = ready.pop(0)
        found.append(interface.object(name))
        for other in wanted_by[name]:
            needs[other].discard(name)
            if not needs[other]:
                ready.append(other)
    return found


@cache
def object_depths(interface: Interface) -> dict[str, int]:
    """Return how many objects, sequences and maps nest in each object at most, itself counted, or UNBOUNDED."""
    found = {object_.name: UNBOUNDED for object_ in interface.objects}
    for object_ in in_order(interface, inline_only=False):
        found[object_.name] = 1 + max((_depth(found, field.type) for field in object_.fields), default=0)
    return found


def depth(interface: Interface, type_: Type) -> int:
    """Return how many objects, sequences and maps nest in a value at most, or UNBOUNDED."""
    return _depth(object_depths(interface), type_)


def object_depth(interface: Interface, object_: Object) -> int:
    """Return what `depth` does, of an object or of a request."""
    below = [depth(interface, field.type) for field in object_.fields]
    return UNBOUNDED if UNBOUNDED in below else 1 + max(below, default=0)


def _depth(known: dict[str, int], type_: Type) -> int:
    if isinstance(type_, ObjectRef):
        return known[type_.name]
    below = [_depth(known, part) for part in parts(type_)]
    if UNBOUNDED in below:
        return UNBOUNDED
    return max(below, default=0) + (not isinstance(type_, Option) and bool(below))


def has_references(interface: Interface, type_: Type) -> bool:
    """Return whether anything of a value lies outside its own struct in format `c`: a string, bytes, a seq or a map."""
    if isinstance(type_, ObjectRef):
        return object_has_references(interface, interface.object(type_.name))
    if isinstance(type_, Option):
        return has_references(interface, type_.item)
    return isinstance(type_, Seq | Map) or (isinstance(type_, Scalar) and type_.name in ("string", "bytes"))


@cache
def object_has_references(interface: Interface, object_: Object) -> bool:
    """Return what `has_references` does, of an object."""
    return any(has_references(interface, field.type) for field in object_.fields)


def used_types(interface: Interface) -> list[Type]:
    """Return every type that is mentioned, each once, parts before what is made of them; objects once by their name."""
    found: dict[Type, None] = {}

    def visit(type_: Type) -> None:
        for part in parts(type_):
            visit(part)
        found.setdefault(type_)

    for object_ in [*in_order(interface), *(method.request for method in interface.methods)]:
        for field in object_.fields:
            visit(field.type)
    methods, events = interface.methods, interface.events
    answers = [*(method.returns for method in methods), *(method.error for method in methods)]
    for type_ in [*answers, *(event.type for event in events)]:
        if type_ is not None:
            visit(type_)
    return list(found)
