# SPDX-License-Identifier: BSD-3-Clause
"""Python: a typed package on hosts/python, with a class that blocks and one for asyncio. ruff lays the text out."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ferry.bindgen import docstrings, names, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    Constant,
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
    text,
)

_RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
RUFF = (_RUFF, "format", "--isolated", "--line-length", "120", "--stdin-filename", "generated.py", "-")

#: Parameters, attributes and types cannot be called so.
PARAMETERS = reserved.PYTHON_KEYWORDS | reserved.PYTHON_LOCALS
FIELDS = reserved.PYTHON_KEYWORDS | reserved.PYTHON_FIELDS
METHODS = reserved.PYTHON_KEYWORDS | reserved.PYTHON_METHODS
TYPES = reserved.PYTHON_TYPES | reserved.PYTHON_BUILTINS

_SCALARS = {"bool": "bool", "string": "str", "bytes": "bytes"}
_OVERFLOWS = {"drop_oldest": "DROP_OLDEST", "drop_newest": "DROP_NEWEST", "coalesce": "COALESCE"}


def type_name(name: str) -> str:
    """Return the name of a declared type."""
    return names.unreserved(names.pascal(name), TYPES)


def field_name(name: str) -> str:
    """Return the name of a field."""
    return names.unreserved(names.snake(name), FIELDS)


def method_name(name: str) -> str:
    """Return the name of a method."""
    return names.unreserved(names.snake(name), METHODS)


def beside(annotation: str, attributes: Iterable[str]) -> str:
    """Write an annotation in a class with these attributes, which hide what is called as they are."""
    hidden = reserved.PYTHON_ANNOTATIONS.intersection(attributes)
    return re.sub(r"(?<![\w.])\w+\b", lambda word: f"_builtins.{word[0]}" if word[0] in hidden else word[0], annotation)


def param_name(name: str) -> str:
    """Return the name of a parameter."""
    return names.unreserved(names.snake(name), PARAMETERS)


def package_name(interface: Interface) -> str:
    """Return the name that programs import."""
    return names.unreserved(names.snake(interface.name), reserved.PYTHON_KEYWORDS | reserved.PYTHON_MODULES)


def class_name(interface: Interface) -> str:
    """Return the name of the class that blocks: the library's, unless a type is called so."""
    name = names.pascal(interface.name)
    scope = names.Scope(map(type_name, interface.by_name), TYPES)
    while not scope.has_room([name, f"Async{name}", f"{name}Batch", f"Async{name}Batch"]):
        name = f"{name}_" if "Context" in name else f"{name}Context"
    return name


def batch_method_name(name: str) -> str:
    """Return the name of a method in a batch."""
    return names.unreserved(names.snake(name), METHODS | {"submit"})


def batch_name(interface: Interface) -> str:
    """Return the method of a context that makes a batch."""
    taken = {method_name(method.name) for method in interface.methods}
    return names.Scope(taken.union(*event_names(interface).values())).one("batch")


def event_names(interface: Interface) -> dict[str, tuple[str, ...]]:
    """Return for each event the methods that listen to it: as a stream, by a callback, and by one that answers."""
    scope = names.Scope(method_name(method.name) for method in interface.methods)
    return {
        event.name: (
            scope.one(f"{names.snake(event.name)}_events"),
            scope.one(f"on_{names.snake(event.name)}"),
            *((scope.one(f"answer_{names.snake(event.name)}"),) if event.ask else ()),
        )
        for event in interface.events
    }


def constant_names(interface: Interface) -> dict[str, str]:
    """Return the name of each constant, which lives beside the types: a type `N0` has the name of a constant `n0`."""
    context = class_name(interface)
    scope = names.Scope((*map(type_name, interface.by_name), context, f"Async{context}"), TYPES)
    return {constant.name: scope.one(names.screaming(constant.name)) for constant in interface.constants}


def exception_names(interface: Interface) -> dict[str, str]:
    """Return the exception of each type that methods declare as their error."""
    context = class_name(interface)
    taken = (*map(type_name, interface.by_name), *constant_names(interface).values(), context, f"Async{context}")
    scope = names.Scope(taken, TYPES)
    return {error.name: scope.one(f"Raised{names.pascal(error.name)}") for error in interface.errors}


def case_names(interface: Interface) -> dict[tuple[str, str], str]:
    """Return the class of each case of a variant, by the names of both."""
    context = class_name(interface)
    taken = (*map(type_name, interface.by_name), *constant_names(interface).values(), context, f"Async{context}")
    scope = names.Scope((*taken, *exception_names(interface).values()), TYPES)
    return {
        (variant.name, case.name): scope.one(f"{names.pascal(variant.name)}{names.pascal(case.name)}Case")
        for variant in interface.variants
        for case in variant.fields
    }


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


def default(field: Field) -> str:
    """Write what a field of a class is when a program leaves it out, after `=`; empty where it may not."""
    if isinstance(field.type, Option):
        return " = None"
    if field.default is None:
        return ""
    if isinstance(field.type, EnumRef):
        return f" = {type_name(field.type.name)}.{names.screaming(str(field.default))}"
    assert isinstance(field.type, Scalar)
    value = constant(Constant(field.name, field.type, field.default, ""))
    # an attribute may be called as the function is
    return f" = {re.sub('^float', '_builtins.float', value)}"


def positional(object_: Object) -> list[Field]:
    """Return the fields that arguments may be given to by their places: but those left out before others are needed."""
    needed = [number for number, field in enumerate(object_.fields) if not field.may_be_left_out]
    last = needed[-1] if needed else -1
    return [field for number, field in enumerate(object_.fields) if number > last or not field.may_be_left_out]


def by_keyword(object_: Object) -> list[Field]:
    """Return the fields that arguments are given to by keyword alone."""
    before = positional(object_)
    return [field for field in object_.fields if field not in before]


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
    params = [(param_name(field.name), field.doc) for field in method.given if field.doc]
    return docstrings.docstring(method.doc, f"Call `{method.name}`.", 8, params)


def params(method: Method, attributes: Iterable[str]) -> str:
    """Write the parameters of a method of a class with these attributes, each after a comma."""
    return "".join(
        f", {param_name(field.name)}: {beside(param_type(field.type), attributes)}" for field in method.given
    )


def promised_params(method: Method, attributes: Iterable[str]) -> str:
    """Write the parameters of a method of a batch, each of which may be a promise."""
    return "".join(
        f", {param_name(field.name)}: {annotation} | Promise[{annotation}]"
        for field in method.params
        for annotation in (beside(param_type(field.type), attributes),)
    )


def values(method: Method) -> str:
    """Write a method's parameters as a tuple."""
    return "(" + "".join(f"{param_name(field.name)}, " for field in method.given) + ")"


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    package = package_name(interface)
    variables = {
        "package": package,
        "context": class_name(interface),
        "batch": batch_name(interface),
        "listeners": event_names(interface),
        "exceptions": exception_names(interface),
        "cases": case_names(interface),
    }
    yield Output("pyproject.toml", "pyproject.toml.j2", variables)
    yield Output(f"src/{package}/py.typed", "py.typed.j2", variables)
    modules = (
        "__init__",
        "_library",
        "_wire",
        "types",
        *(("batch",) if interface.constructor else ()),
        "blocking",
        "aio",
    )
    for module in modules:
        yield Output(f"src/{package}/{module}.py", f"{module}.py.j2", variables, RUFF)


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    methods = [method.name for method in interface.methods]
    return {
        "type_name": type_name,
        "field_name": field_name,
        "method_name": method_name,
        "in_class": lambda annotation: beside(annotation, methods),
        "field_type": lambda field, object_: beside(python_type(field.type), [other.name for other in object_.fields]),
        "param_name": param_name,
        "python_type": python_type,
        "codec": codec,
        "constant": constant,
        "in_order": in_order,
        "constant_name": constant_names(interface).__getitem__,
        "constant_type": constant_type,
        "default": default,
        "positional": positional,
        "by_keyword": by_keyword,
        "doc": docstrings.docstring,
        "comment": docstrings.comment,
        "method_doc": method_doc,
        "batch_method_name": batch_method_name,
        "params": lambda method: params(method, methods),
        "promised_params": lambda method: promised_params(method, methods),
        "values": values,
        "type_text": text,
        "value_name": lambda name: names.screaming(name),
        "overflow": _OVERFLOWS.__getitem__,
    }


LANGUAGE = Language("python", _files, _filters, "#", wire="cbor")
