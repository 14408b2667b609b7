# SPDX-License-Identifier: BSD-3-Clause
"""Reads an interface description (I1 to I5) and says where and why it is wrong.

Any bytes give an Interface or a DescriptionError that names the place in the JSON (`$.methods[2].params[0].type`) and
what to do. What one description may ask for is bounded by the limits below.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from ferry.bindgen import asks, layout, names, reserved, shared_object, streams
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.model import (
    DEPTH_MAX,
    FLOATS,
    INTEGERS,
    NOTHING,
    SCALARS,
    SIGNED,
    Ask,
    Constant,
    Enum,
    EnumRef,
    EnumValue,
    Event,
    Field,
    Handle,
    HandleRef,
    Interface,
    Map,
    Method,
    Object,
    ObjectRef,
    Option,
    Scalar,
    Seq,
    Stream,
    Type,
    text,
)
from ferry.bindgen.node import ENTRIES_MAX, DescriptionError, Node, kind_of
from ferry.output import open_input

INTERFACE_VERSION = 1
DESCRIPTION_BYTES_MAX = 16 << 20
#: Bytes of one struct of format `c`, so that objects within objects cannot multiply without end.
STRUCT_BYTES_MAX = 65536
EVENT_DEPTH_MAX = 1 << 20

METHOD_KINDS = ("constructor", "destructor", "method", "static")
OVERFLOWS = ("drop_oldest", "drop_newest", "coalesce")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
_HASH = re.compile(r"[0-9a-f]{16}")
_FLOAT = re.compile(r"nan|-?inf|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def read(path: Path) -> Interface:
    """Read a description from a file, or from standard input for -. A shared object may have one in it."""
    try:
        with open_input(path) as file:
            data = file.read(DESCRIPTION_BYTES_MAX + 1)
            if data.startswith(shared_object.MAGIC):
                data = shared_object.description(file)
    except OSError as error:
        raise DescriptionError("", f"cannot be read: {error.strerror}") from error
    return parse(data)


def parse(data: bytes) -> Interface:
    """Read a description from its bytes."""
    if len(data) > DESCRIPTION_BYTES_MAX:
        raise DescriptionError("$", f"more than {DESCRIPTION_BYTES_MAX} bytes; split the library")
    try:
        value = json.loads(data.decode(), object_pairs_hook=_members, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise DescriptionError("$", f"byte {error.start} is not UTF-8; write the description as UTF-8") from error
    except RecursionError as error:
        raise DescriptionError("$", f"nested too deep; a type nests at most {DEPTH_MAX} deep") from error
    except ValueError as error:
        raise DescriptionError("$", f"not JSON: {error}; have the provider's compiler write it again") from error
    return _interface(Node(value, "$"))


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON number")


def _interface(node: Node) -> Interface:
    node.keys("ferry_interface", "library", "constants", "types", "methods", "events", optional=("hash", "asks"))
    node.member("ferry_interface").integer(INTERFACE_VERSION, INTERFACE_VERSION)
    library = node.member("library")
    library.keys("name", "version")
    declared = _declared(node.member("types"))
    name = library.member("name").name(_SNAKE, "snake_case")
    if name in reserved.LIBRARIES:
        raise library.member("name").fail(f"is {name!r}, and lib{name}.so is another library; choose another name")
    interface = Interface(
        name=name,
        version=library.member("version").text(),
        doc=library.doc(),
        hash=node.member("hash").text() if "hash" in node.value else "",
        constants=node.member("constants").named(_constant),
        types=_types(node.member("types"), declared),
        methods=node.member("methods").named(lambda entry, number: _method(entry, number, declared)),
        events=node.member("events").named(lambda entry, number: _event(entry, number, declared)),
        asks=_asks(node, declared),
    )
    _check_streams(node.member("methods"), interface)
    interface = streams.expanded(interface)
    asks.check(interface)
    interface = asks.expanded(interface)
    _check_defaults(node.member("types"), interface)
    _check_methods(interface)
    _check_sizes(node, interface)
    return replace(interface, hash=_hash(node))


def _hash(node: Node) -> str:
    """Return the hash, which a description that people write need not have.

    It is compared last: what is wrong besides says more than that something was edited.
    """
    if "hash" not in node.value:
        return interface_hash(node.value)
    given = node.member("hash").text()
    if not _HASH.fullmatch(given):
        raise node.member("hash").fail(f"is {given!r}; write 16 hexadecimal digits in lower case")
    expected = interface_hash(node.value)
    if given != expected:
        raise node.member("hash").fail(
            f"is {given}, but the rest of the description has {expected}; "
            "have the provider's compiler write it again rather than edit it, or leave the hash out if you write it"
        )
    return given


def _declared(node: Node) -> dict[str, str]:
    """Return name -> kind of every type, before any of them is read."""
    found = {}
    for entry in node.items():
        if not isinstance(entry.value, dict) or "kind" not in entry.value or "name" not in entry.value:
            raise entry.fail("has no 'kind' and 'name'; add them")
        kind = entry.member("kind").one_of(("enum", "object", "variant", "handle"))
        found[entry.member("name").name(_CAMEL, "CamelCase")] = kind
    return found


def _types(node: Node, declared: dict[str, str]) -> tuple[Enum | Object | Handle, ...]:
    handles = iter(range(ENTRIES_MAX))

    def one(entry: Node, _: int) -> Enum | Object | Handle:
        kind = entry.member("kind").value
        name = entry.member("name").value
        if kind == "enum":
            entry.keys("kind", "name", "values")
            return Enum(name, _enum_values(entry.member("values")), entry.doc())
        if kind == "object":
            entry.keys("kind", "name", "fields")
            return Object(name, _fields(entry.member("fields"), declared, least=1, more=("default",)), entry.doc())
        if kind == "variant":
            entry.keys("kind", "name", "cases")
            return Object(name, _cases(entry.member("cases"), declared), entry.doc(), is_variant=True)
        entry.keys("kind", "name")
        return Handle(name, next(handles), entry.doc())

    return node.named(one)


def _enum_values(node: Node) -> tuple[EnumValue, ...]:
    def one(entry: Node, _: int) -> EnumValue:
        entry.keys("name", "value")
        value = entry.member("value").integer(-(1 << 31), (1 << 31) - 1)
        return EnumValue(entry.member("name").name(_SNAKE, "snake_case"), value, entry.doc())

    values = node.named(one, least=1)
    seen: set[int] = set()
    for number, value in enumerate(values):
        if value.value in seen:
            raise DescriptionError(f"{node.path}[{number}].value", f"is {value.value} again; give each value its own")
        seen.add(value.value)
    return values


def _fields(node: Node, declared: dict[str, str], least: int = 0, more: tuple[str, ...] = ()) -> tuple[Field, ...]:
    def one(entry: Node, _: int) -> Field:
        entry.keys("name", "type", optional=more)
        name = entry.member("name").name(_SNAKE, "snake_case")
        type_ = _type(entry.member("type"), declared)
        default = _default(entry.member("default"), type_) if "default" in entry.value else None
        return Field(name, type_, entry.doc(), default)

    return node.named(one, least)


def _cases(node: Node, declared: dict[str, str]) -> tuple[Field, ...]:
    """Read the cases of a variant (I8)."""

    def one(entry: Node, _: int) -> Field:
        entry.keys("name", "type")
        name = entry.member("name").name(_SNAKE, "snake_case")
        type_ = entry.member("type")
        found = NOTHING if type_.value is None else _type(type_, declared)
        if found != NOTHING and not isinstance(found, ObjectRef):
            raise type_.fail(f"is {text(found)}; a case carries an object, a variant or, with null, nothing")
        return Field(name, found, entry.doc())

    cases = node.named(one, least=1)
    if all(case.is_empty for case in cases):
        raise node.fail("carry nothing, any of them; declare an enum instead")
    return cases


def _default(node: Node, type_: Type) -> bool | int | float | str:
    """Read a default; whether an enum has the value is seen when all types have been read."""
    if isinstance(type_, EnumRef):
        return node.name(_SNAKE, "snake_case")
    if not isinstance(type_, Scalar) or type_.name == "bytes":
        raise node.fail(
            f"is of {text(type_)}; fields of numbers, bool, string and enums have defaults, an option is absent"
        )
    return _scalar(node, type_.name)


def _type(node: Node, declared: dict[str, str], deep: int = 0) -> Type:
    if deep > DEPTH_MAX:
        raise node.fail(f"is nested too deep; a type nests at most {DEPTH_MAX} deep")
    if isinstance(node.value, str):
        return Scalar(node.one_of(SCALARS))
    if not isinstance(node.value, dict) or len(node.value) != 1:
        raise node.fail(
            'is no type; write the name of a simple one, or an object with one member, such as {"seq": "string"}'
        )
    word = next(iter(node.value))
    inner = node.member(word)
    if word in ("enum", "object", "variant", "handle"):
        return _reference(word, inner, declared)
    if word == "option":
        item = _type(inner, declared, deep + 1)
        if isinstance(item, Option):
            raise inner.fail("is an option in an option; one is enough")
        return Option(item)
    if word == "seq":
        return Seq(_type(inner, declared, deep + 1))
    if word == "map":
        return _map(inner, declared, deep)
    raise node.fail(f"has an unknown {word!r}; known are enum, object, variant, handle, option, seq and map")


def _reference(word: str, node: Node, declared: dict[str, str]) -> EnumRef | ObjectRef | HandleRef:
    name = node.text()
    if name not in declared:
        raise node.fail(f"is {name!r}, which $.types does not have; declare it there")
    if declared[name] != word:
        raise node.fail(f"is {name!r}, which $.types has with kind {declared[name]!r}, not {word!r}")
    if word == "enum":
        return EnumRef(name)
    return HandleRef(name) if word == "handle" else ObjectRef(name)


def _map(node: Node, declared: dict[str, str], deep: int) -> Map:
    both = node.items()
    if len(both) != 2:
        raise node.fail("is not two types; write the key's type and the value's")
    key = _type(both[0], declared, deep + 1)
    if not isinstance(key, Scalar) or (key.name not in INTEGERS and key.name != "string"):
        raise both[0].fail("cannot be a key; keys are of an integer type or strings")
    return Map(key, _type(both[1], declared, deep + 1))


def _constant(node: Node, _: int) -> Constant:
    node.keys("name", "type", "value")
    name = node.member("name").name(_SNAKE, "snake_case")
    kind = node.member("type").one_of(("bool", *INTEGERS, *FLOATS, "string"))
    return Constant(name, Scalar(kind), _scalar(node.member("value"), kind), node.doc())


def _scalar(node: Node, kind: str) -> bool | int | float | str:
    """Read the value of a constant, or a default."""
    if kind in INTEGERS:
        bits = INTEGERS[kind]
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind in SIGNED else (0, (1 << bits) - 1)
        return node.integer(least, most)
    if kind == "bool":
        if not isinstance(node.value, bool):
            raise node.fail(f"is {kind_of(node.value)}; write true or false")
        return node.value
    written = node.text()
    if kind == "string":
        return written
    if not _FLOAT.fullmatch(written):
        raise node.fail(f'is {written!r}; write a float as a string: "0.5", "1e-9", "nan", "inf" or "-inf"')
    return float(written)


def _method(node: Node, number: int, declared: dict[str, str]) -> Method:
    node.keys("name", "kind", "params", "returns", optional=("error", "idempotent", "yields"))
    returns = node.member("returns")
    return Method(
        name=node.member("name").name(_SNAKE, "snake_case"),
        number=number,
        kind=node.member("kind").one_of(METHOD_KINDS),
        params=_fields(node.member("params"), declared),
        returns=None if returns.value is None else _type(returns, declared),
        doc=node.doc(),
        error=_error(node.member("error"), declared) if "error" in node.value else None,
        idempotent="idempotent" in node.value and _idempotent(node),
        place=number,
        stream=_stream(node, declared) if "yields" in node.value else None,
    )


def _error(node: Node, declared: dict[str, str]) -> EnumRef | ObjectRef:
    found = _type(node, declared)
    if not isinstance(found, EnumRef | ObjectRef):
        raise node.fail(f"is {text(found)}; an error is an enum, an object or a variant")
    return found


def _idempotent(node: Node) -> bool:
    flag = node.member("idempotent")
    if flag.value is not True:
        raise flag.fail("has to be true; leave it out of a method that is not idempotent")
    if node.member("kind").value not in ("method", "static"):
        raise flag.fail("is for methods and static ones; constructors and destructors are never repeated")
    return True


def _stream(node: Node, declared: dict[str, str]) -> Stream:
    """Read what a method yields (S1)."""
    yields = node.member("yields")
    if node.member("kind").value != "method":
        raise yields.fail("is for methods; constructors, destructors and static methods yield nothing")
    if node.member("returns").value is not None:
        raise node.member("returns").fail("of a method that yields has to be null; what it gives are its values")
    if "idempotent" in node.value:
        raise node.member("idempotent").fail("is not for a method that yields: its values come once")
    return streams.of(node.member("name").text(), _type(yields, declared))


def _check_streams(node: Node, interface: Interface) -> None:
    """Refuse names that methods which yield take for themselves."""
    methods = {names.snake(method.name).replace("_", ""): method.name for method in interface.methods}
    types = {declared.name.lower(): declared.name for declared in interface.types}
    for method in interface.methods:
        if not method.stream:
            continue
        for field in method.params:
            if field.name.replace("_", "") == streams.CREDITS:
                raise DescriptionError(
                    f"{node.path}[{method.place}].params",
                    f"of a method that yields have {field.name!r} already; rename it",
                )
        for name, taken, where in (
            (method.stream.next, methods, "$.methods"),
            (method.stream.close, methods, "$.methods"),
            (method.stream.handle, types, "$.types"),
            (method.stream.part, types, "$.types"),
        ):
            clash = taken.get(name.replace("_", "").lower())
            if clash:
                raise DescriptionError(
                    f"{node.path}[{method.place}].name",
                    f"makes {name!r} a name of its stream, and {where} has {clash!r}; rename one",
                )


def _event(node: Node, number: int, declared: dict[str, str]) -> Event:
    node.keys("name", "type", "overflow", "depth")
    type_ = node.member("type")
    return Event(
        name=node.member("name").name(_SNAKE, "snake_case"),
        number=number,
        type=None if type_.value is None else _type(type_, declared),
        overflow=node.member("overflow").one_of(OVERFLOWS),
        depth=node.member("depth").integer(0, EVENT_DEPTH_MAX),
        doc=node.doc(),
    )


def _asks(node: Node, declared: dict[str, str]) -> tuple[Ask, ...]:
    """Read the questions (A1), if there are any."""

    def one(entry: Node, number: int) -> Ask:
        entry.keys("name", "params", "returns", optional=("error",))
        name = entry.member("name").name(_SNAKE, "snake_case")
        returns = entry.member("returns")
        return asks.of(
            name,
            _fields(entry.member("params"), declared),
            None if returns.value is None else _type(returns, declared),
            _error(entry.member("error"), declared) if "error" in entry.value else None,
            entry.doc(),
            number,
        )

    return node.member("asks").named(one) if "asks" in node.value else ()


def _check_defaults(node: Node, interface: Interface) -> None:
    for number, declared in enumerate(interface.types):
        for place, field in enumerate(declared.fields if isinstance(declared, Object) else ()):
            if field.default is None or not isinstance(field.type, EnumRef):
                continue
            values = [value.name for value in interface.enum(field.type.name).values]
            if field.default not in values:
                raise DescriptionError(
                    f"{node.path}[{number}].fields[{place}].default",
                    f"is {field.default!r}; {field.type.name} has {', '.join(values)}",
                )


def _check_methods(interface: Interface) -> None:
    for kind in ("constructor", "destructor"):
        several = interface.of_kind(kind)
        if len(several) > 1:
            raise DescriptionError(f"{several[1].where}.kind", f"is a second {kind}; keep one")
    constructor, destructor = interface.constructor, interface.destructor
    if constructor and not destructor:
        raise DescriptionError(constructor.where, "is a constructor, and there is no destructor; add one")
    if destructor and not constructor:
        raise DescriptionError(destructor.where, "is a destructor, and there is no constructor; add one")
    for method in (constructor, destructor):
        if method and method.returns is not None:
            raise DescriptionError(f"{method.where}.returns", f"of a {method.kind} has to be null")
    if destructor and destructor.error:
        raise DescriptionError(f"{destructor.where}.error", "of a destructor: no host hears of it")
    if destructor and destructor.params:
        raise DescriptionError(f"{destructor.where}.params", "of a destructor have to be none")
    for method in interface.methods:
        if method.kind == "method" and not constructor:
            raise DescriptionError(
                f"{method.where}.kind", "is a method, and there is no constructor; add one, or use static"
            )
        clash = {names.snake(declared.name): declared.name for declared in interface.types}.get(
            names.snake(method.request.name)
        )
        if clash:
            raise DescriptionError(
                f"{method.where}.name",
                f"makes {clash!r} the name of its parameters, and $.types has that too; rename one",
            )


def _check_sizes(node: Node, interface: Interface) -> None:
    """Refuse objects that contain themselves, and what nests too deep or is too large."""
    whole = layout.in_order(interface)
    places = {declared.name: f"{node.path}.types[{number}]" for number, declared in enumerate(interface.types)}
    places |= {
        name: f"{node.path}.methods[{method.place}].yields"
        for method in interface.streams
        if method.stream
        for name in (method.stream.handle, method.stream.part)
    }
    places |= {ask.asked: f"{node.path}.asks[{ask.place}].params" for ask in interface.asks}
    for object_ in interface.objects:
        if object_ not in whole:
            raise DescriptionError(
                places[object_.name],
                f"{object_.name} contains itself, or an object that does; put it in a seq or a map where it does",
            )
    for object_ in whole:
        _check_object(places[object_.name], interface, object_)
    for method in interface.methods:
        place = method.where
        _check_object(place, interface, method.request)
        for type_ in (method.returns, method.error):
            _check_depth(place, layout.depth(interface, type_) if type_ else 0)
    for event in interface.events:
        _check_depth(event.where, layout.depth(interface, event.type) if event.type else 0)


def _check_object(place: str, interface: Interface, object_: Object) -> None:
    _check_depth(place, layout.object_depth(interface, object_))
    size = layout.object_layout(interface, object_).size
    if size > STRUCT_BYTES_MAX:
        raise DescriptionError(
            place, f"a struct of {size} bytes, more than {STRUCT_BYTES_MAX}; put some of its objects in a seq"
        )


def _check_depth(place: str, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise DescriptionError(place, f"nests {depth} deep; a message nests at most {DEPTH_MAX} deep (W7)")
