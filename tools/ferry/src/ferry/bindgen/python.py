# SPDX-License-Identifier: BSD-3-Clause
"""Python: a typed package on hosts/python, with a class that blocks and one for asyncio. ruff lays the text out."""

from __future__ import annotations

import builtins
import keyword
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ferry.bindgen import docstrings, names
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    Constant,
    EnumRef,
    HandleRef,
    Interface,
    Map,
    Method,
    Option,
    Scalar,
    Seq,
    Type,
    text,
)

_RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
RUFF = (_RUFF, "format", "--isolated", "--line-length", "120", "--stdin-filename", "generated.py", "-")

KEYWORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
#: Names of types that generated code has from elsewhere.
TYPES = names.listed(
    "Any AsyncContext AsyncEvents Callable Context Event EventKind Events HandleId IntEnum Library Mapping Options "
    "Overflow Self Sequence Subscription Wire"
) | frozenset(dir(builtins))
#: Parameters that generated methods have beside those of the description.
PARAMETERS = KEYWORDS | {"self", "cls", "options", "timeout", "notify"}
#: What an attribute may not be called: what a dataclass or an enum has from its base.
VALUES = KEYWORDS | {"name", "value", "mro"}

_SCALARS = {"bool": "bool", "string": "str", "bytes": "bytes"}
_OVERFLOWS = {"drop_oldest": "DROP_OLDEST", "drop_newest": "DROP_NEWEST", "coalesce": "COALESCE"}


def type_name(name: str) -> str:
    """Return the name of a declared type."""
    return names.unreserved(names.pascal(name), TYPES)


def field_name(name: str) -> str:
    """Return the name of a field or a method."""
    return names.unreserved(names.snake(name), KEYWORDS)


def param_name(name: str) -> str:
    """Return the name of a parameter."""
    return names.unreserved(names.snake(name), PARAMETERS)


def package_name(interface: Interface) -> str:
    """Return the name that programs import."""
    return names.unreserved(names.snake(interface.name), KEYWORDS | sys.stdlib_module_names)


def class_name(interface: Interface) -> str:
    """Return the name of the class that blocks: the library's, unless a type is called so."""
    name = names.pascal(interface.name)
    taken = {names.pascal(declared) for declared in interface.by_name} | TYPES
    return f"{name}Context" if name in taken or f"Async{name}" in taken else name


def event_names(interface: Interface) -> dict[str, tuple[str, str]]:
    """Return for each event the methods that listen to it, as a stream and by a callback."""
    methods = {field_name(method.name) for method in interface.methods}
    return {
        event.name: (
            names.unreserved(f"{names.snake(event.name)}_events", methods),
            names.unreserved(f"on_{names.snake(event.name)}", methods),
        )
        for event in interface.events
    }


def constant_names(interface: Interface) -> dict[str, str]:
    """Return the name of each constant, which lives beside the types: a type `N0` has the name of a constant `n0`."""
    taken = {type_name(declared) for declared in interface.by_name}
    return {constant.name: names.unreserved(names.screaming(constant.name), taken) for constant in interface.constants}


def python_type(type_: Type | None, prefix: str = "") -> str:
    """Write a type of values."""
    if type_ is None:
        return "None"
    if isinstance(type_, Scalar):
        return _SCALARS.get(type_.name) or ("float" if type_.name in FLOATS else "int")
    if isinstance(type_, Option):
        return f"{python_type(type_.item, prefix)} | None"
    if isinstance(type_, Seq):
        return f"list[{python_type(type_.item, prefix)}]"
    if isinstance(type_, Map):
        return f"dict[{python_type(type_.key)}, {python_type(type_.value, prefix)}]"
    return prefix + type_name(type_.name)


def param_type(type_: Type) -> str:
    """Write a type of parameters."""
    if isinstance(type_, Option):
        return f"{param_type(type_.item)} | None"
    if isinstance(type_, Seq):
        return f"Sequence[{python_type(type_.item, 'types.')}]"
    if isinstance(type_, Map):
        return f"Mapping[{python_type(type_.key)}, {python_type(type_.value, 'types.')}]"
    return python_type(type_, "types.")


def codec(type_: Type | None) -> str:
    """Write how a type travels, as a value of ferry_ingress.wire."""
    if type_ is None:
        return "wire.UNIT"
    if isinstance(type_, Scalar):
        return f"wire.{'TEXT' if type_.name == 'string' else type_.name.upper()}"
    if isinstance(type_, EnumRef):
        return f"wire.EnumOf(types.{type_name(type_.name)})"
    if isinstance(type_, HandleRef):
        return f"wire.HandleOf(types.{type_name(type_.name)})"
    if isinstance(type_, Option):
        return f"wire.Opt({codec(type_.item)})"
    if isinstance(type_, Seq):
        return f"wire.Seq({codec(type_.item)})"
    if isinstance(type_, Map):
        return f"wire.Map({codec(type_.key)}, {codec(type_.value)})"
    return f"{names.screaming(type_.name)}_OBJECT"


def constant(declared: Constant) -> str:
    """Write a constant's value."""
    value = declared.value
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    if isinstance(value, str):
        return '"' + "".join(_escaped(char) for char in value) + '"'
    return repr(float(value)) if declared.type.name in FLOATS else repr(value)


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\U{ord(char):08x}"


def constant_type(declared: Constant) -> str:
    """Write a constant's type."""
    return python_type(declared.type)


def in_order(found: Iterable[str]) -> list[str]:
    """Sort names as imports are: constants first, numbers in them by their value."""

    def key(name: str) -> tuple[bool, list[tuple[int, str]]]:
        parts = re.findall(r"[0-9]+|[^0-9]+", name)
        return not name.isupper(), [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

    return sorted(found, key=key)


def method_doc(method: Method) -> str:
    """Write a method's docstring, with its parameters."""
    params = [(param_name(field.name), field.doc) for field in method.params if field.doc]
    return docstrings.docstring(method.doc, f"Call `{method.name}`.", 8, params)


def params(method: Method) -> str:
    """Write a method's parameters, each after a comma."""
    return "".join(f", {param_name(field.name)}: {param_type(field.type)}" for field in method.params)


def values(method: Method) -> str:
    """Write a method's parameters as a tuple."""
    return "(" + "".join(f"{param_name(field.name)}, " for field in method.params) + ")"


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    package = package_name(interface)
    variables = {
        "package": package,
        "context": class_name(interface),
        "listeners": event_names(interface),
    }
    yield Output("pyproject.toml", "pyproject.toml.j2", variables)
    yield Output(f"src/{package}/py.typed", "py.typed.j2", variables)
    for module in ("__init__", "_library", "_wire", "types", "blocking", "aio"):
        yield Output(f"src/{package}/{module}.py", f"{module}.py.j2", variables, RUFF)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return {
        "type_name": type_name,
        "field_name": field_name,
        "param_name": param_name,
        "python_type": python_type,
        "codec": codec,
        "constant": constant,
        "in_order": in_order,
        "constant_name": constant_names(interface).__getitem__,
        "constant_type": constant_type,
        "doc": docstrings.docstring,
        "comment": docstrings.comment,
        "method_doc": method_doc,
        "params": params,
        "values": values,
        "type_text": text,
        "value_name": lambda name: names.unreserved(names.screaming(name), VALUES),
        "overflow": _OVERFLOWS.__getitem__,
    }


LANGUAGE = Language("python", _files, _filters, "#", wire="cbor")
