# SPDX-License-Identifier: BSD-3-Clause
"""A library in Haskell: a cabal package whose author makes a type an instance of a class, on haskell/ingress.

A module of types and the class is written for the author, and one that lies between that and the core. Fields are
called after their types (`countWords`), since the fields of all types of a module are functions of one scope; values of
enums likewise (`ColorRed`). A name that meets one of the Prelude or of the package gets `_` appended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ferry.bindgen import layout, names, nats, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    SIGNED,
    UNSIGNED,
    EnumRef,
    Field,
    HandleRef,
    Interface,
    Map,
    Method,
    Object,
    Option,
    Scalar,
    Seq,
    Type,
)

_SCALARS = {
    "bool": "F.Bool",
    "string": "F.Text",
    "bytes": "F.ByteString",
    "f32": "F.Float",
    "f64": "F.Double",
    **{name: f"F.Int{bits}" for name, bits in SIGNED.items()},
    **{name: f"F.Word{bits}" for name, bits in UNSIGNED.items()},
}


@dataclass(frozen=True)
class Names:
    """What everything of an interface is called."""

    module: str
    #: The author's type.
    state: str
    #: The class that it is an instance of.
    library: str
    types: Mapping[str, str]
    #: The type behind a handle, by the handle's name.
    objects: Mapping[str, str]
    #: Values of enums, by the enum's name and the value's.
    values: Mapping[tuple[str, str], str]
    methods: Mapping[str, str]
    #: What emits an event.
    events: Mapping[str, str]
    #: What says whether a host listens to a question.
    heard: Mapping[str, str]
    #: What opens a handle, finds its object and closes it.
    handles: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, str]
    #: Fields of objects, by the object's name and the field's.
    fields: Mapping[tuple[str, str], str]
    #: What makes an object of the fields that have no default.
    makers: Mapping[str, str]
    #: Cases of variants, by the variant's name and the case's.
    cases: Mapping[tuple[str, str], str]
    #: What gives the number of an enum's value, and finds one by its number.
    numbers: Mapping[str, tuple[str, ...]]


def names_of(interface: Interface) -> Names:
    """Give out names: methods first, then events, handles, and what types bring with them (I3)."""
    module = names.unreserved(names.pascal(interface.name), reserved.HASKELL_MODULES)
    # a type of fields has a constructor of its name, and so has the author's type
    types = names.Scope((), reserved.HASKELL_TYPES | reserved.HASKELL_CONSTRUCTORS)
    library = "Library"
    given = {declared.name: types.one(names.pascal(declared.name)) for declared in interface.types}
    state = types.one(names.pascal(interface.name))
    constructors = names.Scope((*given.values(), state), reserved.HASKELL_CONSTRUCTORS)
    values = names.Scope((), reserved.HASKELL_VALUES)
    methods = {method.name: values.one(names.camel(method.name)) for method in interface.methods}
    events = {event.name: values.one(f"emit{names.pascal(event.name)}") for event in interface.events}
    heard = {ask.name: values.one(f"hears{names.pascal(ask.name)}") for ask in interface.asks}
    handles = {
        handle.name: values.take(
            f"open{names.pascal(handle.name)}",
            f"{names.camel(handle.name)}Object",
            f"close{names.pascal(handle.name)}",
        )
        for handle in interface.handles
    }
    return Names(
        module=module,
        state=state,
        library=library,
        types=given,
        objects={handle.name: types.one(f"{names.pascal(handle.name)}Object") for handle in interface.handles},
        values={
            (enum.name, value.name): constructors.one(names.pascal(enum.name) + names.pascal(value.name))
            for enum in interface.enums
            for value in enum.values
        },
        methods=methods,
        events=events,
        heard=heard,
        handles=handles,
        constants={constant.name: values.one(names.camel(constant.name)) for constant in interface.constants},
        fields={
            (object_.name, field.name): values.one(names.camel(object_.name) + names.pascal(field.name))
            for object_ in interface.objects
            if not object_.is_variant
            for field in object_.fields
        },
        makers={
            object_.name: values.one(f"new{names.pascal(object_.name)}")
            for object_ in interface.objects
            if len(object_.required) < len(object_.fields)
        },
        cases={
            (variant.name, case.name): constructors.one(f"{names.pascal(variant.name)}{names.pascal(case.name)}Case")
            for variant in interface.variants
            for case in variant.fields
        },
        numbers={
            enum.name: values.take(f"{names.camel(enum.name)}Number", f"{names.camel(enum.name)}OfNumber")
            for enum in interface.enums
        },
    )


def string(text: str) -> str:
    """Write a string literal."""
    plain = {char for char in map(chr, range(0x20, 0x7F)) if char not in '"\\'}
    return '"' + "".join(char if char in plain else f"\\{ord(char)}\\&" for char in text) + '"'


def key(field: Field) -> str:
    """Write a field's CBOR key, a literal of bytes with its length."""
    encoded = layout.cbor_key(field.name)
    return f"(F.Key (F.Ptr {string(encoded.decode('latin-1'))}#) {len(encoded)})"


def literal(type_: Type, value: bool | int | float | str) -> str:
    """Write a value of a type without parts."""
    if isinstance(value, bool):
        return f"F.{value}"
    if isinstance(value, str):
        return f"(F.fromString {string(value)})"
    if isinstance(type_, Scalar) and type_.name in FLOATS:
        if value != value:
            return "F.nan"
        if value in (float("inf"), float("-inf")):
            return "F.infinity" if value > 0 else "(F.negate F.infinity)"
        # a literal of an integer's form is one too, and Haskell's exponents are those of Python
        text = repr(float(value))
        return f"(F.negate {text[1:]})" if text.startswith("-") else text
    return f"({value})" if value < 0 else str(value)


def doc(text: str, otherwise: str, indent: int = 0) -> str:
    """Write a comment for Haddock."""
    lines = (text or otherwise).splitlines() or [otherwise]
    first, *rest = (re.sub(r"([@\\`'\"<$#/])", r"\\\1", line) for line in lines)
    blank = " " * indent
    return "\n".join([f"{blank}-- | {first}".rstrip(), *(f"{blank}-- {line}".rstrip() for line in rest)])


def documented(name: str, text: str) -> str:
    """Write a field or a constructor, behind its comment if it has one."""
    return f"{doc(text, '', 4).lstrip()}\n    {name}" if text else name


def package_version(version: str) -> str:
    """Write a version as Cabal wants it."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    return ".".join(str(int(part)) for part in numbers[0].split(".")) if numbers else "0"


def package_name(interface: Interface) -> str:
    """Return the name of the package: Cabal allows no `_`, and no part that is a number."""
    return re.sub(r"-(?=\d+(?:-|$))", "", interface.name.strip("_").replace("_", "-"))


class Writer:
    """Writes Haskell for one interface."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.named = names_of(interface)

    def type(self, type_: Type | None, prefix: str = "", is_part: bool = False) -> str:
        """Write a type; declared ones have the prefix, and one that is a part of another has parentheses if needed."""
        if type_ is None:
            return "()"
        if isinstance(type_, Scalar):
            return _SCALARS[type_.name]
        if isinstance(type_, Seq):
            return f"[{self.type(type_.item, prefix)}]"
        if isinstance(type_, Option):
            text = f"F.Maybe {self.type(type_.item, prefix, True)}"
        elif isinstance(type_, Map):
            text = f"F.Map {self.type(type_.key, prefix, True)} {self.type(type_.value, prefix, True)}"
        else:
            return prefix + self.named.types[type_.name]
        return f"({text})" if is_part else text

    def part(self, type_: Type | None, prefix: str = "") -> str:
        """Write a type that is a part of another."""
        return self.type(type_, prefix, is_part=True)

    def handed(self, type_: Type) -> str:
        """Write the type of a parameter as the author gets it: a handle with the object behind it."""
        if isinstance(type_, HandleRef):
            return f"F.Held {self.named.types[type_.name]} ({self.named.objects[type_.name]} state)"
        return self.type(type_)

    def signature(self, method: Method) -> str:
        """Write the type of the function that serves a method."""
        if method.kind == "destructor":
            return "F.Context state -> state -> F.IO ()"
        parts = ["F.Context state", *(["state"] if method.kind == "method" else [])]
        parts += [self.handed(field.type) for field in method.params]
        error = self.named.types[method.error.name] if method.error else "F.NoError"
        if method.kind == "constructor":
            parts.append(f"F.IO (F.Either {error} state)" if method.error else "F.IO state")
        else:
            parts.append(f"F.IO (F.Reply {error} {self.part(method.returns)})")
        return " -> ".join(parts)

    def default(self, field: Field) -> str:
        """Write what a field has that is left out; the parameter where it cannot be."""
        if field.default is None:
            return "F.Nothing" if isinstance(field.type, Option) else ""
        if isinstance(field.type, EnumRef):
            return self.named.values[(field.type.name, str(field.default))]
        return literal(field.type, field.default)

    def counted(self, object_: Object) -> str:
        """Write how many fields of an object travel in format `cbor`, where its fields are f1, f2 and on."""
        fixed = sum(not isinstance(field.type, Option) for field in object_.fields)
        optional = [
            f"F.isPresent_ f{number}"
            for number, field in enumerate(object_.fields, 1)
            if isinstance(field.type, Option)
        ]
        return " F.+ ".join([str(fixed), *optional])


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    writer = Writer(interface)
    named = writer.named
    variables = {
        "named": named,
        "package": package_name(interface),
        "runtime": options.runtime or "../ferry-ingress",
        "takes_handles": any(isinstance(f.type, HandleRef) for method in interface.methods for f in method.params),
    }
    yield Output(f"{package_name(interface)}.cabal", "library.cabal.j2", variables, is_authors=True)
    yield Output("cabal.project", "cabal.project.j2", variables, is_authors=True)
    yield Output("Makefile", "Makefile.j2", variables, is_authors=True)
    yield Output(f"src/{named.module}.hs", "library.hs.j2", variables, is_authors=True)
    yield Output(f"generated/{named.module}/Generated.hs", "generated.hs.j2", variables)
    yield Output(f"generated/{named.module}/Export.hs", "export.hs.j2", variables)
    yield Output(f"generated/{interface.name}_library.c", "library.c.j2", variables)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    writer = Writer(interface)
    return {
        "haskell_type": writer.type,
        "part_type": writer.part,
        "signature": writer.signature,
        "default": writer.default,
        "counted": writer.counted,
        "literal": literal,
        "key": key,
        "string": string,
        "doc": doc,
        "documented": documented,
        "package_version": package_version,
        "method_kind": nats.kind,
        "overflow": nats.overflow,
    }


LANGUAGE = Language("provider_haskell", _files, _filters, "-- ")
