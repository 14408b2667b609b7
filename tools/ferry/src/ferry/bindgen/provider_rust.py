# SPDX-License-Identifier: BSD-3-Clause
"""A library in Rust: a crate whose author implements a trait, on hosts/rust/ferry-ingress-provider.

Types and their codecs are those of the host's bindings, written by the same templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ferry.bindgen import names, rust
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import Ask, Event, HandleRef, Interface, Method, Type

_KINDS = {"constructor": 1, "destructor": 2, "method": 0, "static": 3}
_OVERFLOWS = {"drop_oldest": 1, "drop_newest": 2, "coalesce": 3}
#: Parameters of every function of the trait.
_OWN = {"context"}


def trait_name(interface: Interface) -> str:
    """Return the name of the trait that the author implements."""
    return names.Scope(map(rust.type_name, interface.by_name)).one("Library")


def extension_name(interface: Interface) -> str:
    """Return the name of the trait that a context gets its events and handles by."""
    return names.Scope(map(rust.type_name, interface.by_name)).one("ContextExt")


def extension_functions(interface: Interface) -> dict[str, tuple[str, ...]]:
    """Return what a context has for each event, `event NAME`, and for each handle, by its name."""
    scope = names.Scope()
    found = {f"event {event.name}": scope.take(f"emit_{names.snake(event.name)}") for event in interface.events}
    found |= {f"ask {ask.name}": scope.take(f"ask_{names.snake(ask.name)}") for ask in interface.asks}
    for handle in interface.own_handles:
        name = names.snake(handle.name)
        found[handle.name] = scope.take(f"open_{name}", f"{name}_object", f"close_{name}")
    return found


def object_names(interface: Interface) -> dict[str, str]:
    """Return for each handle what the author's struct behind it is called at first."""
    scope = names.Scope([*map(rust.type_name, interface.by_name), rust.context_name(interface)])
    return {handle.name: scope.one(f"{names.pascal(handle.name)}Object") for handle in interface.own_handles}


def param_name(name: str) -> str:
    """Return the name of a parameter."""
    return names.unreserved(rust.value_name(name), _OWN)


def handed_type(type_: Type) -> str:
    """Write the type of a parameter as the author gets it: a handle that is the parameter itself as its object."""
    if isinstance(type_, HandleRef):
        return f"ferry_ingress_provider::Held<Self::{rust.type_name(type_.name)}>"
    return rust.rust_type(type_)


def error_type(method: Method) -> str:
    """Write the type of the error that a method declares."""
    return rust.type_name(method.error.name) if method.error else "std::convert::Infallible"


def error_codec(method: Method) -> str:
    """Write how the error that a method declares travels."""
    return rust.codec(method.error) if method.error else "ferry_ingress_provider::NoError"


def question_type(ask: Ask) -> str:
    """Write the future of an answer."""
    error = f", {rust.type_name(ask.error.name)}" if ask.error else ""
    return f"ferry_ingress_provider::Question<{rust.rust_type(ask.returns)}{error}>"


def outcome_type(method: Method) -> str:
    """Write what a method returns."""
    error = f", {rust.type_name(method.error.name)}" if method.error else ""
    if method.opens:
        failure = f"ferry_ingress_provider::Failure{f'<{error[2:]}>' if error else ''}"
        return f"Result<ferry_ingress_provider::Yields<{rust.rust_type(method.opens.yields)}{error}>, {failure}>"
    if method.kind == "constructor":
        error = f"<{error[2:]}>" if error else ""
        return f"Result<Self, ferry_ingress_provider::Failure{error}>"
    return f"ferry_ingress_provider::Outcome<{rust.rust_type(method.returns)}{error}>"


def params_type(method: Method) -> str:
    """Write the codec of a method's parameters."""
    return f"params::{rust.type_name(method.request.name)}" if method.params else "ferry_ingress_provider::NoParams"


def method_kind(method: Method) -> int:
    """Return the number of a method's kind in enum ingress_method_kind."""
    return _KINDS[method.kind]


def overflow(event: Event) -> int:
    """Return the number of an event's policy in enum ingress_overflow."""
    return _OVERFLOWS[event.overflow]


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    variables = {
        "crate": rust.crate_name(interface),
        "context": rust.context_name(interface),
        "wire_crate": "ferry_ingress_provider",
        # that an error may be raised is said where it is received
        "raised": (),
        "functions": extension_functions(interface),
        "objects": object_names(interface),
        "trait": trait_name(interface),
        "extension": extension_name(interface),
        "runtime": options.runtime or "../ferry-ingress-provider",
        "takes_handles": any(
            isinstance(f.type, HandleRef) for method in interface.methods if method.is_authors for f in method.params
        ),
        "requests": [method for method in interface.methods if method.params],
    }
    yield Output("Cargo.toml", "Cargo.toml.j2", variables, is_authors=True)
    yield Output("src/lib.rs", "lib.rs.j2", variables, rust.RUSTFMT, is_authors=True)
    yield Output("src/generated/mod.rs", "mod.rs.j2", variables, rust.RUSTFMT)
    if interface.types:
        yield Output("src/generated/types.rs", "src/types.rs.j2", variables, rust.RUSTFMT)
    if variables["requests"]:
        yield Output("src/generated/params.rs", "params.rs.j2", variables, rust.RUSTFMT)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return dict(rust.LANGUAGE.filters(interface)) | {
        "param_name": param_name,
        "handed_type": handed_type,
        "error_type": error_type,
        "error_codec": error_codec,
        "question_type": question_type,
        "outcome_type": outcome_type,
        "params_type": params_type,
        "method_kind": method_kind,
        "overflow": overflow,
    }


LANGUAGE = Language("provider_rust", _files, _filters, "//", parents=("rust",))
