# SPDX-License-Identifier: BSD-3-Clause
"""Go: a module on hosts/go, with types for a context, its batches and its chains, and functions for statics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ferry.bindgen import names, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    Constant,
    EnumRef,
    Field,
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

GOFMT = ("gofmt",)
#: Parameters and packages cannot be called so.
PARAMETERS = reserved.GO_KEYWORDS | reserved.GO_PREDECLARED | reserved.GO_LOCALS

_SCALARS = {"bool": "bool", "string": "string", "bytes": "[]byte", "f32": "float32", "f64": "float64"}
_OVERFLOWS = {"drop_oldest": "DropOldest", "drop_newest": "DropNewest", "coalesce": "Coalesce"}


@dataclass(frozen=True)
class Names:
    """What a binding calls its things: every name of the package, and those of its types' methods."""

    context: str
    batch: str
    functions: Mapping[str, str]
    types: Mapping[str, str]
    values: Mapping[tuple[str, str], str]
    constants: Mapping[str, str]
    #: Methods of a context: an event's stream, and what a context has besides the methods of the interface.
    streams: Mapping[str, str]
    #: What answers a question.
    answers: Mapping[str, str]
    begin_batch: str
    #: Empty where a method is called Close.
    close: str
    submit: str
    #: A context's method, the type that it makes, and what that has besides the methods of the interface.
    begin_chain: str
    chain: str
    submit_chain: str
    after: str
    #: Functions that make the promise of a field of a promised object, or of what a case of a promised variant carries.
    promised: Mapping[tuple[str, str], str]
    #: Fields of objects: one that is an error has a method Error.
    fields: Mapping[tuple[str, str], str]
    #: Functions that make an object with its defaults.
    makers: Mapping[str, str]


def names_of(interface: Interface) -> Names:
    """Give every thing its name: methods first, as what a version adds (V1) must not change them."""
    package = names.Scope()
    methods = names.Scope(names.pascal(method.name) for method in interface.methods)
    batch_methods = names.Scope(
        names.pascal(method.name) for method in interface.of_kind("method") if not method.stream
    )
    chain_methods = names.Scope(names.pascal(method.name) for method in chained(interface))
    functions = {
        method.name: package.one(names.pascal(method.name))
        for method in interface.methods
        if method.kind in ("constructor", "static")
    }
    context, batch = package.take(names.pascal(interface.name), f"{names.pascal(interface.name)}Batch")
    types = {declared.name: package.one(names.pascal(declared.name)) for declared in interface.types}
    values = {
        (enum.name, value.name): package.one(types[enum.name] + names.pascal(value.name))
        for enum in interface.enums
        for value in enum.values
    }
    fields = {
        (object_.name, field.name): names.unreserved(names.pascal(field.name), taken)
        for object_ in interface.objects
        for taken in [("Error",) if object_ in interface.errors else ()]
        for field in object_.fields
    }
    constants = {constant.name: package.one(names.pascal(constant.name)) for constant in interface.constants}
    chain = package.one(f"{names.pascal(interface.name)}Chain")
    promised = {
        (object_.name, field.name): package.one(
            types[object_.name] + ("As" if object_.is_variant else "") + names.pascal(field.name)
        )
        for object_ in promised_objects(interface)
        for field in object_.fields
        if not field.is_empty
    }
    return Names(
        context,
        batch,
        functions,
        types,
        values,
        constants,
        {event.name: methods.one(f"{names.pascal(event.name)}Events") for event in interface.events},
        {ask.name: methods.one(f"Answer{names.pascal(ask.name)}") for ask in interface.asks},
        methods.one("Batch"),
        "Close" if methods.has_room(["Close"]) else "",
        batch_methods.one("Submit"),
        methods.one("Chain"),
        chain,
        chain_methods.one("Submit"),
        chain_methods.one("After"),
        promised,
        fields,
        {
            object_.name: package.one(f"New{types[object_.name]}")
            for object_ in interface.objects
            if object_.has_defaults
        },
    )


def chained(interface: Interface) -> tuple[Method, ...]:
    """Return the methods that a chain has."""
    return tuple(method for method in interface.methods if method.kind in ("method", "static") and not method.stream)


def promised_objects(interface: Interface) -> tuple[Object, ...]:
    """Return the objects and the variants that a promise may be of: those in results, but for what is inside maps."""
    left = [method.returns for method in chained(interface)]
    found: set[str] = set()
    while left:
        type_ = left.pop()
        if isinstance(type_, Option | Seq):
            left.append(type_.item)
        elif isinstance(type_, ObjectRef) and type_.name not in found:
            found.add(type_.name)
            left += [field.type for field in interface.object(type_.name).fields]
    return tuple(object_ for object_ in interface.objects if object_.name in found)


def param_name(name: str) -> str:
    """Return the name of a parameter."""
    return names.unreserved(names.camel(name), PARAMETERS)


def package_name(interface: Interface) -> str:
    """Return the name of the package, which is the module's too."""
    return names.unreserved(names.snake(interface.name), PARAMETERS | reserved.GO_PACKAGES)


def go_type(type_: Type | None, types: Mapping[str, str]) -> str:
    """Write a type of values."""
    if type_ is None:
        return "wire.Unit"
    if isinstance(type_, Scalar):
        return _SCALARS.get(type_.name) or type_.name.replace("i", "int").replace("u", "uint")
    if isinstance(type_, Option):
        return f"*{go_type(type_.item, types)}"
    if isinstance(type_, Seq):
        return f"[]{go_type(type_.item, types)}"
    if isinstance(type_, Map):
        return f"map[{go_type(type_.key, types)}]{go_type(type_.value, types)}"
    return types[type_.name]


def codec(type_: Type | None) -> str:
    """Write how a type travels, as a value of ferryingress/wire."""
    if type_ is None:
        return "wire.Nothing"
    if isinstance(type_, Scalar):
        return f"wire.{'Text' if type_.name == 'string' else type_.name.capitalize()}"
    if isinstance(type_, Option):
        return f"wire.Opt({codec(type_.item)})"
    if isinstance(type_, Seq):
        return f"wire.Seq({codec(type_.item)})"
    if isinstance(type_, Map):
        return f"wire.Map({codec(type_.key)}, {codec(type_.value)})"
    return f"codec{names.pascal(type_.name)}"


def quoted(value: str) -> str:
    """Write a string literal."""
    return '"' + "".join(_escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def literal(type_: Scalar, value: bool | int | float | str) -> str:
    """Write a value; Go has no literals for NaN, the infinities and -0."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if type_.name not in FLOATS:
        return str(value)
    number = float(value)
    if math.isnan(number):
        return f"{go_type(type_, {})}(math.NaN())"
    if math.isinf(number):
        return f"{go_type(type_, {})}(math.Inf({1 if number > 0 else -1}))"
    if number == 0 and math.copysign(1, number) < 0:
        return f"{go_type(type_, {})}(math.Copysign(0, -1))"
    return repr(number)


def constant(declared: Constant) -> str:
    """Write the declaration of a constant after its name."""
    value = literal(declared.type, declared.value)
    return f"= {value}" if "math." in value else f"{go_type(declared.type, {})} = {value}"


def default(field: Field, values: Mapping[tuple[str, str], str]) -> str:
    """Write a field's default; empty where it has none. `values` has the names of the enums' values."""
    if field.default is None:
        return ""
    if isinstance(field.type, EnumRef):
        return values.get((field.type.name, str(field.default)), "")
    assert isinstance(field.type, Scalar)
    return literal(field.type, field.default)


def comment(doc: str, otherwise: str, indent: int = 0) -> str:
    """Write a doc comment; its lines begin without blanks, since gofmt would lay out what is indented as code."""
    lines = [line.strip() for line in (doc.strip() or otherwise).splitlines()]
    return "\n".join("\t" * indent + f"// {line}".rstrip() for line in lines)


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    variables = {
        "package": package_name(interface),
        "named": names_of(interface),
        "runtime": options.runtime or "../hosts/go",
        "fmt": any(isinstance(error, Object) for error in interface.errors),
        "math": any("math." in constant(declared) for declared in interface.constants)
        or any("math." in default(field, {}) for object_ in interface.objects for field in object_.fields),
        "chained": chained(interface),
        "promised_objects": promised_objects(interface),
    }
    yield Output("go.mod", "go.mod.j2", variables)
    for name in ("types", "codecs", "calls", *(("chain",) if interface.constructor else ())):
        yield Output(f"{name}.go", f"{name}.go.j2", variables, GOFMT)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    named = names_of(interface)
    types = named.types

    def declared(field: Field) -> str:
        return f"{param_name(field.name)} {go_type(field.type, types)}"

    def params(method: Method) -> str:
        return "".join(f", {declared(field)}" for field in method.params)

    def made(object_: Object) -> str:
        return ", ".join(
            f"{named.fields[(object_.name, field.name)]}: {default(field, named.values) or param_name(field.name)}"
            for field in object_.fields
            if not isinstance(field.type, Option)
        )

    def arguments(method: Method) -> str:
        return ", ".join(
            f"{param_name(field.name)} ferryingress.Arg[{go_type(field.type, types)}]" for field in method.params
        )

    def filled(method: Method, value: Callable[[Field], str]) -> str:
        if not method.params:
            return "wire.NoParams, &wire.Unit{}"
        fields = ", ".join(f"{names.pascal(field.name)}: {value(field)}" for field in method.params)
        pascal = names.pascal(method.name)
        return f"request{pascal}, &params{pascal}{{{fields}}}"

    def values(method: Method) -> str:
        def value(field: Field) -> str:
            name = param_name(field.name)
            return f"ferryingress.Credits({name})" if method.opens and field == method.params[-1] else name

        return filled(method, value)

    def taken(method: Method) -> str:
        return filled(
            method, lambda field: f"ferryingress.Take(c.chain, {quoted(field.name)}, {param_name(field.name)})"
        )

    def raises(method: Method) -> str:
        return f", raises{names.pascal(method.error.name)}" if method.error else ""

    return {
        "raises": raises,
        "go_type": lambda type_: go_type(type_, types),
        "codec": codec,
        "constant": constant,
        "comment": comment,
        "params": params,
        "required": lambda object_: ", ".join(map(declared, object_.required)),
        "made": made,
        "values": values,
        "arguments": arguments,
        "taken": taken,
        "quoted": quoted,
        "type_text": text,
        "overflow": _OVERFLOWS.__getitem__,
    }


LANGUAGE = Language("go", _files, _filters, "//")
