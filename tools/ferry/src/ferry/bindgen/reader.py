# SPDX-License-Identifier: BSD-3-Clause
"""Reads an interface description (I1 to I5) and says where and why it is wrong.

Any bytes give an Interface or a DescriptionError that names the place in the JSON (`$.methods[2].params[0].type`) and
what to do. What one description may ask for is bounded by the limits below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ferry.bindgen import layout, names, reserved
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.model import (
    DEPTH_MAX,
    FLOATS,
    INTEGERS,
    SCALARS,
    SIGNED,
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
    Type,
    text,
)
from ferry.output import open_input

INTERFACE_VERSION = 1
DESCRIPTION_BYTES_MAX = 16 << 20
#: Entries of one list: types, methods, fields, values …
ENTRIES_MAX = 4096
NAME_BYTES_MAX = 64
#: Bytes of one struct of format `c`, so that objects within objects cannot multiply without end.
STRUCT_BYTES_MAX = 65536
EVENT_DEPTH_MAX = 1 << 20

METHOD_KINDS = ("constructor", "destructor", "method", "static")
OVERFLOWS = ("drop_oldest", "drop_newest", "coalesce")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
_HASH = re.compile(r"[0-9a-f]{16}")
_FLOAT = re.compile(r"nan|-?inf|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")

T = TypeVar("T")


class DescriptionError(Exception):
    """A description that cannot be used; the text begins with the place in it, where it could be read."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(f"{path}: {text}" if path else text)
        self.path = path


def read(path: Path) -> Interface:
    """Read a description from a file, or from standard input for -."""
    try:
        with open_input(path) as file:
            data = file.read(DESCRIPTION_BYTES_MAX + 1)
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
    return _interface(_Node(value, "$"))


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON number")


class _Node:
    """A JSON value and where it stands."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def fail(self, text: str) -> DescriptionError:
        return DescriptionError(self.path, text)

    def member(self, key: str) -> _Node:
        return _Node(self.value[key], f"{self.path}.{key}")

    def keys(self, *keys: str, optional: tuple[str, ...] = ()) -> None:
        """Insist on an object with these members; `doc` and the optional ones may be left out."""
        if not isinstance(self.value, dict):
            raise self.fail(f"is {_kind(self.value)}; write an object with {', '.join(keys)}")
        for key in keys:
            if key not in self.value:
                raise self.fail(f"has no {key!r}; add it")
        for key in self.value:
            if key not in (*keys, *optional, "doc"):
                raise self.fail(f"has an unknown {key!r}; known are {', '.join((*keys, *optional))} and doc")

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail(f"is {_kind(self.value)}; write a string")
        try:
            self.value.encode()
        except UnicodeEncodeError as error:
            raise self.fail("holds half of a surrogate pair; write whole characters") from error
        return self.value

    def doc(self) -> str:
        return self.member("doc").text().strip() if "doc" in self.value else ""

    def integer(self, least: int, most: int) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fail(f"is {_kind(self.value)}; write an integer")
        if not least <= self.value <= most:
            raise self.fail(f"is {self.value}; it has to be from {least} to {most}")
        return self.value

    def one_of(self, allowed: Iterable[str]) -> str:
        value = self.text()
        if value not in allowed:
            raise self.fail(f"is {value!r}; it has to be one of {', '.join(allowed)}")
        return value

    def name(self, pattern: re.Pattern[str], case: str) -> str:
        value = self.text()
        if not pattern.fullmatch(value):
            raise self.fail(f"is {value!r}; write the name in {case}, in ASCII letters and digits")
        if len(value) > NAME_BYTES_MAX:
            raise self.fail(f"is longer than {NAME_BYTES_MAX} bytes; choose a shorter name")
        return value

    def items(self, least: int = 0) -> list[_Node]:
        if not isinstance(self.value, list):
            raise self.fail(f"is {_kind(self.value)}; write an array")
        if len(self.value) > ENTRIES_MAX:
            raise self.fail(f"has {len(self.value)} entries; there may be {ENTRIES_MAX}")
        if len(self.value) < least:
            raise self.fail(f"is empty; it needs at least {least}")
        return [_Node(item, f"{self.path}[{number}]") for number, item in enumerate(self.value)]

    def named(self, read_one: Callable[[_Node, int], T], least: int = 0) -> tuple[T, ...]:
        """Read each entry, and insist that no two have the same name in any case."""
        found: list[T] = []
        seen: dict[str, str] = {}
        for number, node in enumerate(self.items(least)):
            entry = read_one(node, number)
            name: str = entry.name  # type: ignore[attr-defined]
            plain = name.replace("_", "").lower()
            if plain in seen:
                raise node.member("name").fail(
                    f"is {name!r}, and there is {seen[plain]!r} before it; names have to differ in more than case and _"
                )
            seen[plain] = name
            found.append(entry)
        return tuple(found)


def _kind(value: Any) -> str:
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array"}
    return "null" if value is None else kinds.get(type(value), "an object")


def _interface(node: _Node) -> Interface:
    node.keys("ferry_interface", "library", "constants", "types", "methods", "events", optional=("hash",))
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
    )
    _check_methods(node.member("methods"), interface)
    _check_sizes(node, interface)
    return replace(interface, hash=_hash(node))


def _hash(node: _Node) -> str:
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


def _declared(node: _Node) -> dict[str, str]:
    """Return name -> kind of every type, before any of them is read."""
    found = {}
    for entry in node.items():
        if not isinstance(entry.value, dict) or "kind" not in entry.value or "name" not in entry.value:
            raise entry.fail("has no 'kind' and 'name'; add them")
        kind = entry.member("kind").one_of(("enum", "object", "handle"))
        found[entry.member("name").name(_CAMEL, "CamelCase")] = kind
    return found


def _types(node: _Node, declared: dict[str, str]) -> tuple[Enum | Object | Handle, ...]:
    handles = iter(range(ENTRIES_MAX))

    def one(entry: _Node, _: int) -> Enum | Object | Handle:
        kind = entry.member("kind").value
        name = entry.member("name").value
        if kind == "enum":
            entry.keys("kind", "name", "values")
            return Enum(name, _enum_values(entry.member("values")), entry.doc())
        if kind == "object":
            entry.keys("kind", "name", "fields")
            return Object(name, _fields(entry.member("fields"), declared, least=1), entry.doc())
        entry.keys("kind", "name")
        return Handle(name, next(handles), entry.doc())

    return node.named(one)


def _enum_values(node: _Node) -> tuple[EnumValue, ...]:
    def one(entry: _Node, _: int) -> EnumValue:
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


def _fields(node: _Node, declared: dict[str, str], least: int = 0) -> tuple[Field, ...]:
    def one(entry: _Node, _: int) -> Field:
        entry.keys("name", "type")
        name = entry.member("name").name(_SNAKE, "snake_case")
        return Field(name, _type(entry.member("type"), declared), entry.doc())

    return node.named(one, least)


def _type(node: _Node, declared: dict[str, str], deep: int = 0) -> Type:
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
    if word in ("enum", "object", "handle"):
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
    raise node.fail(f"has an unknown {word!r}; known are enum, object, handle, option, seq and map")


def _reference(word: str, node: _Node, declared: dict[str, str]) -> EnumRef | ObjectRef | HandleRef:
    name = node.text()
    if name not in declared:
        raise node.fail(f"is {name!r}, which $.types does not have; declare it there")
    if declared[name] != word:
        raise node.fail(f"is {name!r}, which $.types has with kind {declared[name]!r}, not {word!r}")
    if word == "enum":
        return EnumRef(name)
    return ObjectRef(name) if word == "object" else HandleRef(name)


def _map(node: _Node, declared: dict[str, str], deep: int) -> Map:
    both = node.items()
    if len(both) != 2:
        raise node.fail("is not two types; write the key's type and the value's")
    key = _type(both[0], declared, deep + 1)
    if not isinstance(key, Scalar) or (key.name not in INTEGERS and key.name != "string"):
        raise both[0].fail("cannot be a key; keys are of an integer type or strings")
    return Map(key, _type(both[1], declared, deep + 1))


def _constant(node: _Node, _: int) -> Constant:
    node.keys("name", "type", "value")
    name = node.member("name").name(_SNAKE, "snake_case")
    kind = node.member("type").one_of(("bool", *INTEGERS, *FLOATS, "string"))
    value = node.member("value")
    if kind in INTEGERS:
        bits = INTEGERS[kind]
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind in SIGNED else (0, (1 << bits) - 1)
        return Constant(name, Scalar(kind), value.integer(least, most), node.doc())
    if kind == "bool":
        if not isinstance(value.value, bool):
            raise value.fail(f"is {_kind(value.value)}; write true or false")
        return Constant(name, Scalar(kind), value.value, node.doc())
    text = value.text()
    if kind == "string":
        return Constant(name, Scalar(kind), text, node.doc())
    if not _FLOAT.fullmatch(text):
        raise value.fail(f'is {text!r}; write a float as a string: "0.5", "1e-9", "nan", "inf" or "-inf"')
    return Constant(name, Scalar(kind), float(text), node.doc())


def _method(node: _Node, number: int, declared: dict[str, str]) -> Method:
    node.keys("name", "kind", "params", "returns", optional=("error", "idempotent"))
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
    )


def _error(node: _Node, declared: dict[str, str]) -> EnumRef | ObjectRef:
    found = _type(node, declared)
    if not isinstance(found, EnumRef | ObjectRef):
        raise node.fail(f"is {text(found)}; an error is an enum or an object")
    return found


def _idempotent(node: _Node) -> bool:
    flag = node.member("idempotent")
    if flag.value is not True:
        raise flag.fail("has to be true; leave it out of a method that is not idempotent")
    if node.member("kind").value not in ("method", "static"):
        raise flag.fail("is for methods and static ones; constructors and destructors are never repeated")
    return True


def _event(node: _Node, number: int, declared: dict[str, str]) -> Event:
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


def _check_methods(node: _Node, interface: Interface) -> None:
    for kind in ("constructor", "destructor"):
        several = interface.of_kind(kind)
        if len(several) > 1:
            raise DescriptionError(f"{node.path}[{several[1].number}].kind", f"is a second {kind}; keep one")
    constructor, destructor = interface.constructor, interface.destructor
    if constructor and not destructor:
        raise DescriptionError(
            f"{node.path}[{constructor.number}]", "is a constructor, and there is no destructor; add one"
        )
    if destructor and not constructor:
        raise DescriptionError(
            f"{node.path}[{destructor.number}]", "is a destructor, and there is no constructor; add one"
        )
    for method in (constructor, destructor):
        if method and method.returns is not None:
            raise DescriptionError(f"{node.path}[{method.number}].returns", f"of a {method.kind} has to be null")
    if destructor and destructor.error:
        raise DescriptionError(f"{node.path}[{destructor.number}].error", "of a destructor: no host hears of it")
    if destructor and destructor.params:
        raise DescriptionError(f"{node.path}[{destructor.number}].params", "of a destructor have to be none")
    for method in interface.methods:
        if method.kind == "method" and not constructor:
            raise DescriptionError(
                f"{node.path}[{method.number}].kind", "is a method, and there is no constructor; add one, or use static"
            )
        clash = {names.snake(declared.name): declared.name for declared in interface.types}.get(
            names.snake(method.request.name)
        )
        if clash:
            raise DescriptionError(
                f"{node.path}[{method.number}].name",
                f"makes {clash!r} the name of its parameters, and $.types has that too; rename one",
            )


def _check_sizes(node: _Node, interface: Interface) -> None:
    """Refuse objects that contain themselves, and what nests too deep or is too large."""
    whole = layout.in_order(interface)
    places = {declared.name: f"{node.path}.types[{number}]" for number, declared in enumerate(interface.types)}
    for object_ in interface.objects:
        if object_ not in whole:
            raise DescriptionError(
                places[object_.name],
                f"{object_.name} contains itself, or an object that does; put it in a seq or a map where it does",
            )
    for object_ in whole:
        _check_object(places[object_.name], interface, object_)
    for method in interface.methods:
        place = f"{node.path}.methods[{method.number}]"
        _check_object(place, interface, method.request)
        for type_ in (method.returns, method.error):
            _check_depth(place, layout.depth(interface, type_) if type_ else 0)
    for event in interface.events:
        _check_depth(f"{node.path}.events[{event.number}]", layout.depth(interface, event.type) if event.type else 0)


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
