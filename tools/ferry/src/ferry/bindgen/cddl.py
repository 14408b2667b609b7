# SPDX-License-Identifier: BSD-3-Clause
"""CDDL (RFC 8610) of an interface: what each message of format `cbor` is, for people and for validators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ferry.bindgen import names
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    INTEGERS,
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

_SIMPLE = {"null": "null", "bool": "bool", "f32": "float", "f64": "float", "string": "tstr", "bytes": "bstr"}


def rule(name: str) -> str:
    """Return the name of a rule: kebab-case, as CDDL's own are."""
    return names.snake(name).replace("_", "-")


def cddl_type(type_: Type) -> str:
    """Write a type, where it stands alone or in an array or a map."""
    if isinstance(type_, Scalar):
        if type_.name not in INTEGERS:
            return _SIMPLE[type_.name]
        bits = INTEGERS[type_.name]
        if type_.name in SIGNED:
            return f"{-(1 << bits - 1)}..{(1 << bits - 1) - 1}"
        return f"0..{(1 << bits) - 1}"
    if isinstance(type_, EnumRef | ObjectRef | HandleRef):
        return f"type-{rule(type_.name)}"
    if isinstance(type_, Option):
        return f"{cddl_type(type_.item)} / null"
    if isinstance(type_, Seq):
        return f"[* ({cddl_type(type_.item)})]"
    assert isinstance(type_, Map)
    return f"{{* ({cddl_type(type_.key)}) => {cddl_type(type_.value)}}}"


def member(field: Field) -> str:
    """Write a member of an object: an option may be left out."""
    if isinstance(field.type, Option):
        return f"? {field.name}: {cddl_type(field.type)}"
    return f"{field.name}: {cddl_type(field.type)}"


def _comment(doc: str, indent: str = "") -> str:
    return "".join(f"{indent}; {line}".rstrip() + "\n" for line in doc.splitlines())


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    return [Output(f"{interface.name}.cddl", "interface.cddl.j2")]


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return {"rule": rule, "cddl": cddl_type, "member": member, "comment": _comment}


LANGUAGE = Language("cddl", _files, _filters, "; ")
