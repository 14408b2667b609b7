# SPDX-License-Identifier: BSD-3-Clause
"""Rust: a crate on hosts/rust/ferry-ingress, with a struct for the context and a function for each method.

Templates write types three times: as values (`rust_type`), as parameters, which are lent (`param_type`), and as the
codec that says how they travel (`codec`). rustfmt lays the text out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ferry.bindgen import layout, model, names, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    Constant,
    Enum,
    EnumRef,
    Field,
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
)

RUSTFMT = ("rustfmt", "--edition", "2021")

#: Parameters cannot be called so.
PARAMETERS = reserved.RUST_KEYWORDS | reserved.RUST_LOCALS

_SCALARS = {"string": "String", "bytes": "Vec<u8>"}
_LENT = {"string": "&str", "bytes": "&[u8]"}
_CODECS = {"string": "Text", "bytes": "Bytes"}
_OVERFLOWS = {"drop_oldest": "DropOldest", "drop_newest": "DropNewest", "coalesce": "Coalesce"}


def type_name(name: str) -> str:
    """Return the name of a declared type."""
    return names.unreserved(names.pascal(name), reserved.RUST_TYPES)


def value_name(name: str) -> str:
    """Return the name of a field or a method."""
    return names.unreserved(names.snake(name), reserved.RUST_KEYWORDS)


def param_name(name: str) -> str:
    """Return the name of a parameter."""
    return names.unreserved(names.snake(name), PARAMETERS)


def variant_name(name: str) -> str:
    """Return the name of an enum's value."""
    return names.unreserved(names.pascal(name), {"Self"})


def crate_name(interface: Interface) -> str:
    """Return the name of the crate, which code refers to it by."""
    return names.unreserved(names.snake(interface.name), reserved.RUST_KEYWORDS | reserved.RUST_CRATES)


def context_name(interface: Interface) -> str:
    """Return the name of the context's struct: the library's, unless a type is called so."""
    name = names.pascal(interface.name)
    scope = names.Scope(map(type_name, interface.by_name), reserved.RUST_TYPES)
    return name if scope.has_room([name]) else scope.one(f"{name}Context")


def chain_name(interface: Interface) -> str:
    """Return the name of the struct of a chain of calls: `EchoChain`, unless a type is called so."""
    scope = names.Scope((*map(type_name, interface.by_name), context_name(interface)), reserved.RUST_TYPES)
    return scope.one(f"{names.pascal(interface.name)}Chain")


def chained_names(interface: Interface) -> dict[str, str]:
    """Return the name of each method as a function of a chain, where static ones are beside the others."""
    scope = names.Scope(reserved=reserved.RUST_KEYWORDS | reserved.RUST_CHAIN_MEMBERS)
    return {method.name: scope.one(names.snake(method.name)) for method in chained(interface)}


def chained(interface: Interface) -> list[Method]:
    """Return the methods that a chain has."""
    return [method for method in interface.methods if method.kind in ("method", "static") and not method.stream]


def case_names(interface: Interface) -> dict[tuple[str, str], str]:
    """Return the name of the constant of each case that carries something, which a case `a` itself would be, too."""
    found = {}
    for variant in interface.variants:
        scope = names.Scope(variant_name(case.name) for case in variant.fields)
        for case in variant.fields:
            if not case.is_empty:
                found[(variant.name, case.name)] = scope.one(names.screaming(case.name))
    return found


def make_chain_name(interface: Interface) -> str:
    """Return the name of the context's function that makes a chain, which gives way to a method."""
    functions = [value_name(method.name) for method in interface.methods if method.kind != "static"]
    listeners = [name for pair in event_names(interface).values() for name in pair]
    return names.Scope((*functions, *listeners)).one("chain")


def event_names(interface: Interface) -> dict[str, tuple[str, ...]]:
    """Return for each event the functions that listen to it: as a stream, by a callback, and by one that answers."""
    scope = names.Scope(value_name(method.name) for method in interface.methods if method.kind != "static")
    return {
        event.name: (
            scope.one(f"{names.snake(event.name)}_events"),
            scope.one(f"on_{names.snake(event.name)}"),
            *((scope.one(f"answer_{names.snake(event.name)}"),) if event.ask else ()),
        )
        for event in interface.events
    }


def static_name(name: str) -> str:
    """Return the name of a static method, which is a function beside the crate's own."""
    return names.unreserved(value_name(name), reserved.RUST_FUNCTIONS)


def rust_type(type_: Type | None) -> str:
    """Write a type of values."""
    if type_ is None:
        return "()"
    if isinstance(type_, Scalar):
        return _SCALARS.get(type_.name, type_.name)
    if isinstance(type_, Option):
        return f"Option<{rust_type(type_.item)}>"
    if isinstance(type_, Seq):
        return f"Vec<{rust_type(type_.item)}>"
    if isinstance(type_, Map):
        return f"BTreeMap<{rust_type(type_.key)}, {rust_type(type_.value)}>"
    return type_name(type_.name)


def param_type(type_: Type) -> str:
    """Write a type of parameters: lent where a copy would cost something."""
    if isinstance(type_, Scalar):
        return _LENT.get(type_.name, type_.name)
    if isinstance(type_, Option):
        return f"Option<{param_type(type_.item)}>"
    if isinstance(type_, Seq):
        return f"&[{rust_type(type_.item)}]"
    if isinstance(type_, Map | ObjectRef):
        return f"&{rust_type(type_)}"
    return type_name(type_.name)


def codec(type_: Type | None) -> str:
    """Write how a type travels, as a type of ferry_ingress::wire."""
    if type_ is None:
        return "wire::Unit"
    if isinstance(type_, Scalar):
        return f"wire::{_CODECS.get(type_.name, type_.name.capitalize())}"
    if isinstance(type_, EnumRef):
        return f"wire::Enum<{type_name(type_.name)}>"
    if isinstance(type_, HandleRef):
        return f"wire::Handle<{type_name(type_.name)}>"
    if isinstance(type_, Option):
        return f"wire::Opt<{codec(type_.item)}>"
    if isinstance(type_, Seq):
        return f"wire::Seq<{codec(type_.item)}>"
    if isinstance(type_, Map):
        return f"wire::Map<{codec(type_.key)}, {codec(type_.value)}>"
    return type_name(type_.name)


def raised_codec(error: Enum | Object) -> str:
    """Write how a type that methods declare as their error travels."""
    return codec(EnumRef(error.name) if isinstance(error, Enum) else ObjectRef(error.name))


def call_type(method: Method) -> str:
    """Write what a method returns: a call, whose error is the method's own if it declares one."""
    error = f", Failure<{type_name(method.error.name)}>" if method.error else ""
    return f"Call<{rust_type(method.returns)}{error}>"


def stream_type(method: Method) -> str:
    """Write the type of the stream that a method opens."""
    assert method.stream
    error = f", Failure<{type_name(method.error.name)}>" if method.error else ""
    return f"Stream<{type_name(method.stream.part)}{error}>"


def promise_type(method: Method) -> str:
    """Write what a method of a chain returns."""
    error = f", Failure<{type_name(method.error.name)}>" if method.error else ""
    return f"Promise<{codec(method.returns)}{error}>"


def calling(method: Method) -> str:
    """Write how the function that makes the call ends: its error, and its types."""
    if method.error is None:
        return f"::<{codec(method.returns)}>"
    return f"_raising::<{codec(method.returns)}, {type_name(method.error.name)}>"


def request_type(field: Field) -> str:
    """Write the type of a parameter in its request."""
    if isinstance(field.type, Option):
        return f"wire::Maybe<'a, {codec(field.type.item)}>"
    return f"wire::Plain<'a, {codec(field.type)}>"


def request_value(field: Field) -> str:
    """Write what makes a parameter's part of the request."""
    name = param_name(field.name)
    if isinstance(field.type, Option):
        lent = param_type(field.type.item).startswith("&")
        return f"wire::Maybe::new({name if lent else name + '.as_ref()'})"
    lent = param_type(field.type).startswith("&")
    return f"wire::Plain::new({name if lent else '&' + name})"


def owned_value(type_: Type, name: str) -> str:
    """Write what makes a parameter's part of a request of a value that is there."""
    if isinstance(type_, Option):
        return f"wire::Maybe::new({name}.{'as_deref' if lends(type_.item) else 'as_ref'}())"
    return f"wire::Plain::new(&{'*' if lends(type_) else ''}{name})"


def lends(type_: Type) -> bool:
    """Return whether a value is lent as what it derefs to."""
    return isinstance(type_, Seq) or (isinstance(type_, Scalar) and type_.name in _LENT)


def key(field: Field) -> str:
    """Write a field's CBOR key as a byte string."""
    encoded = layout.cbor_key(field.name)
    head = len(encoded) - len(field.name.encode())
    return 'b"' + "".join(f"\\x{byte:02x}" for byte in encoded[:head]) + field.name + '"'


def string(text: str) -> str:
    """Write a string literal."""
    escaped = "".join(
        f"\\u{{{ord(char):x}}}" if ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 or ord(char) in _UNSEEN else char
        for char in text.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'


#: Characters that change the direction of text, which the compiler refuses in a literal.
_UNSEEN = {0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}


def constant_names(interface: Interface) -> dict[str, str]:
    """Return the name of each constant: the struct of a handle `N0` is a value too, as a constant `n0` would be."""
    taken = {*map(type_name, interface.by_name), context_name(interface)}
    scope = names.Scope(taken, reserved.RUST_CONSTANTS | reserved.RUST_TYPES)
    return {constant.name: scope.one(names.screaming(constant.name)) for constant in interface.constants}


def constant(declared: Constant) -> str:
    """Write a constant's value."""
    value, type_ = declared.value, declared.type.name
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return string(value)
    if type_ in FLOATS:
        if value != value:
            return f"{type_}::NAN"
        if value in (float("inf"), float("-inf")):
            return f"{type_}::INFINITY" if value > 0 else f"{type_}::NEG_INFINITY"
        return repr(float(value))
    return str(value)


def made_param(field: Field) -> str:
    """Write the declaration of a field as the function that makes an object takes it."""
    type_ = rust_type(field.type)
    return f"{param_name(field.name)}: {'impl std::convert::Into<String>' if type_ == 'String' else type_}"


def made_value(field: Field) -> str:
    """Write a field's value in the function that makes an object: what was given, its default, or none."""
    if field.default is None:
        if isinstance(field.type, Option):
            return "None"
        name = param_name(field.name)
        return f"{name}.into()" if rust_type(field.type) == "String" else name
    if isinstance(field.type, EnumRef):
        return f"{type_name(field.type.name)}::{variant_name(str(field.default))}"
    assert isinstance(field.type, Scalar)
    value = constant(Constant(field.name, field.type, field.default, ""))
    return f"{value}.to_owned()" if field.type.name == "string" else value


def constant_type(declared: Constant) -> str:
    """Write a constant's type."""
    return "&str" if declared.type.name == "string" else declared.type.name


def semver(version: str) -> str:
    """Write a version as Cargo wants it: three numbers, of which a library may have fewer."""
    numbers = re.match(r"\d+(?:\.\d+){0,2}", version)
    parts = [str(int(part)) for part in numbers[0].split(".")] if numbers else []
    return ".".join([*parts, "0", "0", "0"][:3])


def doc(text: str, otherwise: str, prefix: str = "///") -> str:
    """Write a doc comment; rustdoc takes brackets and angles outside code for links and tags."""
    lines = []
    for line in (text or otherwise).splitlines():
        parts = re.split(r"(`[^`]*`)", line)
        parts[::2] = [re.sub(r"([\[\]<>])", r"\\\1", part) for part in parts[::2]]
        lines.append(f"{prefix} {''.join(parts)}".rstrip())
    return "\n".join(lines) + "\n"


def _named(type_: Type | None) -> set[str]:
    if type_ is None:
        return set()
    if isinstance(type_, EnumRef | ObjectRef | HandleRef):
        return {type_name(type_.name)}
    return {name for part in model.parts(type_) for name in _named(part)}


def used_types(methods: Iterable[Method]) -> list[Type | None]:
    """Return the types that the functions of these methods name."""
    return [
        type_
        for method in methods
        for type_ in (
            method.returns,
            method.error,
            method.opens.yields if method.opens else None,
            *(field.type for field in method.params),
        )
    ]


def asked_types(interface: Interface) -> list[Type | None]:
    """Return the types that the functions which answer name."""
    return [type_ for ask in interface.asks for type_ in (ask.returns, ask.error, ObjectRef(ask.asked))]


def imports(types: Iterable[Type | None]) -> list[str]:
    """Return the declared types that a module names, in order."""
    return sorted({name for type_ in types for name in _named(type_)})


def has_floats(interface: Interface, type_: Type, inside: frozenset[str] = frozenset()) -> bool:
    """Return whether there is a float in a value, which then has no total equality."""
    if isinstance(type_, Scalar):
        return type_.name in FLOATS
    if isinstance(type_, ObjectRef):
        if type_.name in inside:
            return False
        fields = interface.object(type_.name).fields
        return any(has_floats(interface, field.type, inside | {type_.name}) for field in fields)
    return any(has_floats(interface, part, inside) for part in model.parts(type_))


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    variables = {
        "crate": crate_name(interface),
        "context": context_name(interface),
        "chain": chain_name(interface),
        "chained": chained(interface),
        "make_chain": make_chain_name(interface),
        "wire_crate": "ferry_ingress",
        "raised": interface.errors,
        "listeners": event_names(interface),
        "asked_types": asked_types(interface),
        "runtime": options.runtime or "../ferry-ingress",
        "requests": [method for method in interface.methods if method.params and not method.is_derived],
    }
    yield Output("Cargo.toml", "Cargo.toml.j2", variables)
    for module in ("build.rs", "src/lib.rs", "src/library.rs"):
        yield Output(module, f"{module}.j2", variables, RUSTFMT)
    if interface.types:
        yield Output("src/types.rs", "src/types.rs.j2", variables, RUSTFMT)
    if variables["requests"]:
        yield Output("src/requests.rs", "src/requests.rs.j2", variables, RUSTFMT)
    if interface.constructor:
        yield Output("src/context.rs", "src/context.rs.j2", variables, RUSTFMT)
        yield Output("src/chain.rs", "src/chain.rs.j2", variables, RUSTFMT)
    if interface.of_kind("static"):
        yield Output("src/statics.rs", "src/statics.rs.j2", variables, RUSTFMT)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return {
        "type_name": type_name,
        "value_name": value_name,
        "static_name": static_name,
        "param_name": param_name,
        "variant_name": variant_name,
        "rust_type": rust_type,
        "param_type": param_type,
        "codec": codec,
        "call_type": call_type,
        "stream_type": stream_type,
        "promise_type": promise_type,
        "as_type": lambda object_: ObjectRef(object_.name),
        "case_constant": lambda case, variant: case_names(interface)[(variant.name, case.name)],
        "chained_name": chained_names(interface).__getitem__,
        "calling": calling,
        "raised_codec": raised_codec,
        "request_type": request_type,
        "request_value": request_value,
        "owned_value": owned_value,
        "key": key,
        "string": string,
        "constant": constant,
        "constant_name": constant_names(interface).__getitem__,
        "constant_type": constant_type,
        "made_param": made_param,
        "made_value": made_value,
        "doc": doc,
        "semver": semver,
        "type_text": model.text,
        "imports": imports,
        "used_types": used_types,
        "has_floats": lambda type_name_: has_floats(interface, ObjectRef(type_name_)),
        "overflow": _OVERFLOWS.__getitem__,
    }


LANGUAGE = Language("rust", _files, _filters, "//")
