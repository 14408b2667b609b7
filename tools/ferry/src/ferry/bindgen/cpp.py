# SPDX-License-Identifier: BSD-3-Clause
"""C++17: one header on include/ferry/ingress.hpp, and build files for CMake and pkg-config.

What a method looks like is decided here, once, as a `Call`; the templates write it in each of its forms. Names are
given out by `names.Scope`, so that no two of them meet in one scope, whatever a description calls its things.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ferry.bindgen import layout, names, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    FLOATS,
    INTEGERS,
    NOTHING,
    Constant,
    EnumRef,
    Event,
    Field,
    Handle,
    HandleRef,
    Interface,
    Map,
    Method,
    Option,
    Scalar,
    Seq,
    Type,
)

RESERVED = reserved.C_KEYWORDS | reserved.C_MACROS
#: Words in the name of a method that ends a handle.
CLOSING = ("close", "release", "free", "dispose", "end", "drop")
#: Kernel formatting, as the headers of Ferry have it, whatever folder `ferry bindgen` is run in.
STYLE = (
    "{BasedOnStyle: LLVM, IndentWidth: 8, TabWidth: 8, ContinuationIndentWidth: 8, UseTab: Always, ColumnLimit: 120,"
    " AccessModifierOffset: -8, BreakBeforeBraces: Linux, AllowShortIfStatementsOnASingleLine: Never,"
    " AllowShortFunctionsOnASingleLine: None, AllowShortBlocksOnASingleLine: Never, SortIncludes: Never,"
    " SpaceBeforeCpp11BracedList: false, Cpp11BracedListStyle: false, AlwaysBreakTemplateDeclarations: MultiLine,"
    " PenaltyBreakBeforeFirstCallParameter: 100}"
)
FORMATTER = ("clang-format", f"--style={STYLE}", "--assume-filename=binding.hpp")


@dataclass(frozen=True)
class Param:
    """A parameter: how it is passed, and how it is held on its way into the message."""

    name: str
    type: str
    field: Field


@dataclass(frozen=True)
class Call:
    """A method as a member function: of a context, or of the class of its first parameter."""

    method: Method
    #: The names of its forms: throwing, with a Result, with a std::future, with a callback, in a batch, by an inbox.
    forms: tuple[str, ...]
    #: What a caller passes, and what the message is made of (among them `*this` of a handle's class).
    params: tuple[Param, ...]
    arguments: tuple[str, ...]
    returns: str
    #: The type of the error that it declares, or nothing.
    error: str

    @property
    def outcome(self) -> str:
        """What its templates are given: the type of its result, and that of its error if it declares one."""
        return self.with_error(self.returns)

    def with_error(self, type_: str) -> str:
        """Write a type as a template's argument, with that of its error behind it if it declares one."""
        return f"{type_}, {self.error}" if self.error else type_

    @property
    def throwing(self) -> str:
        """The form that throws."""
        return self.forms[0]

    @property
    def result(self) -> str:
        """The form that returns a Result."""
        return self.forms[1]

    @property
    def future(self) -> str:
        """The form that returns a std::future."""
        return self.forms[2]

    @property
    def asynchronous(self) -> str:
        """The form that takes a callback."""
        return self.forms[3]

    @property
    def added(self) -> str:
        """The form that is appended to a batch."""
        return self.forms[4]

    @property
    def posted(self) -> str:
        """The form whose reply comes by an inbox."""
        return self.forms[5]


@dataclass(frozen=True)
class Chained:
    """A method as a member function of a chain; a handle that it returns is a number."""

    method: Method
    name: str
    #: The names of its arguments, and the types of what they may promise.
    params: tuple[Param, ...]
    #: The type of its result, and that of its error if it declares one.
    outcome: str


@dataclass(frozen=True)
class HandleClass:
    """A handle type that a method closes: a class that owns one."""

    handle: Handle
    name: str
    #: The class template that has its methods.
    forms: str
    id: str
    close: Method
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Listening:
    """An event as a member function of the context."""

    event: Event
    #: The names of its forms: throwing, with a Result, by an inbox; of a question also those that answer, in two forms.
    forms: tuple[str, ...]
    type: str

    @property
    def throwing(self) -> str:
        """The form that throws."""
        return self.forms[0]

    @property
    def result(self) -> str:
        """The form that returns a Result."""
        return self.forms[1]

    @property
    def posted(self) -> str:
        """The form whose events come by an inbox."""
        return self.forms[2]


class Binding:
    """Every name and type of one interface in C++."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.namespace = names.unreserved(interface.name, RESERVED | reserved.CPP_GLOBALS | reserved.C_GLOBALS)
        scope = names.Scope(reserved.CPP_NAMESPACE | reserved.CPP_TYPES, RESERVED | reserved.CPP_MACROS_CAMEL)
        self.types = {declared.name: scope.one(declared.name) for declared in interface.types}
        self.ids = {handle.name: scope.one(f"{handle.name}Id") for handle in interface.handles}
        self.id_tags = {handle.name: scope.one(f"{handle.name}Tag") for handle in interface.handles}
        self.cases = {variant.name: scope.one(f"{variant.name}Case") for variant in interface.variants}
        self.context = scope.one("Context")
        self.chain = scope.one("Chain")
        #: The class templates that have the methods of a handle's class, of the context and of the chain.
        self.forms = {handle.name: scope.one(f"{handle.name}Forms") for handle in interface.handles}
        self.context_forms, self.chain_forms = scope.one(f"{self.context}Forms"), scope.one(f"{self.chain}Forms")
        # a local of that name would hide it
        constants = names.Scope(reserved.CPP_NAMESPACE | reserved.CPP_LOCALS | reserved.CPP_CONSTANTS, RESERVED)
        self.constants = {constant.name: constants.one(constant.name) for constant in interface.constants}
        self.fields: dict[str, dict[str, str]] = {}
        #: Of each case of a variant: the function that makes one, and the one that looks at what it carries.
        self.case_members: dict[str, dict[str, tuple[str, ...]]] = {}
        for variant in interface.variants:
            inner = names.Scope((*reserved.CPP_VARIANT_MEMBERS, self.types[variant.name]), RESERVED)
            self.case_members[variant.name] = {
                case.name: inner.take(case.name, f"as_{case.name}") for case in variant.fields
            }
        for object_ in [*interface.objects, *(method.request for method in interface.methods)]:
            inner = names.Scope(reserved=RESERVED)
            self.fields[object_.name] = {field.name: inner.one(field.name) for field in object_.fields}
        self.handle_classes = self._handle_classes()
        self.owned = {made.handle.name: made.name for made in self.handle_classes}
        members = names.Scope((*reserved.CPP_MEMBERS, self.context), RESERVED)
        constructor = interface.constructor
        self.create = self._call(constructor, members, None, ()) if constructor else None
        self.destroy = members.take(*self._forms(interface.destructor))[:2] if interface.destructor else None
        self.methods = tuple(
            self._call(method, members, None, tuple(self.owned))
            for method in interface.of_kind("method")
            if not method.stream
        )
        self.streams = tuple(self._call(method, members, None, ()) for method in interface.streams)
        self.statics = tuple(self._call(method, members, None, ()) for method in interface.of_kind("static"))
        self.events = tuple(
            Listening(
                event,
                (
                    *members.take(f"on_{event.name}", f"try_on_{event.name}", f"post_{event.name}"),
                    *(members.take(f"answer_{event.name}", f"try_answer_{event.name}") if event.ask else ()),
                ),
                self.type(event.type) if event.type else "void",
            )
            for event in interface.events
        )
        self.make_chain = members.one("chain")
        self.chained = self._chained() if constructor else ()

    @staticmethod
    def _forms(method: Method) -> tuple[str, str, str, str, str, str]:
        name = method.name
        return name, f"try_{name}", f"{name}_future", f"{name}_async", f"{name}_add", f"{name}_post"

    def type(self, type_: Type) -> str:
        """Write the type of a value that owns what it holds."""
        if isinstance(type_, Scalar):
            plain = {"bool": "bool", "f32": "float", "f64": "double", "string": "std::string"}
            if type_ == NOTHING:
                return "std::monostate"
            if type_.name == "bytes":
                return "ferry::ingress::Bytes"
            if type_.name in plain:
                return plain[type_.name]
            return f"std::{'u' if type_.name[0] == 'u' else ''}int{INTEGERS[type_.name]}_t"
        if isinstance(type_, HandleRef):
            return self.ids[type_.name]
        if isinstance(type_, Option):
            return f"std::optional<{self.type(type_.item)}>"
        if isinstance(type_, Seq):
            return f"std::vector<{self.type(type_.item)}>"
        if isinstance(type_, Map):
            return f"std::map<{self.type(type_.key)}, {self.type(type_.value)}>"
        return self.types[type_.name]

    def passed(self, type_: Type) -> str:
        """Write the type of a parameter: by value where that is cheap, else without a copy."""
        if isinstance(type_, Scalar) and type_.name in ("string", "bytes"):
            return {"string": "std::string_view", "bytes": "ferry::ingress::BytesView"}[type_.name]
        if isinstance(type_, Scalar | EnumRef | HandleRef):
            return self.type(type_)
        return f"const {self.type(type_)} &"

    def held(self, type_: Type) -> str:
        """Write the type of a field of a request's struct, which refers to what was passed."""
        passed = self.passed(type_)
        return f"std::reference_wrapper<const {self.type(type_)}>" if passed.endswith("&") else passed

    def initial(self, field: Field) -> str:
        """Write what a field begins with; empty where its type's constructor does it."""
        type_ = field.type
        if isinstance(type_, Option):
            return " = std::nullopt"
        if field.default is not None:
            return f" = {self.default(field)}"
        if isinstance(type_, Scalar) and type_.name not in ("string", "bytes"):
            return {"bool": " = false"}.get(type_.name, " = 0")
        if isinstance(type_, EnumRef):
            enum = self.interface.enum(type_.name)
            return f" = {self.types[type_.name]}::{self.enum_value(enum.values[0].name)}"
        return ""

    def default(self, field: Field) -> str:
        """Write a field's default."""
        assert field.default is not None
        if isinstance(field.type, EnumRef):
            return f"{self.types[field.type.name]}::{self.enum_value(str(field.default))}"
        assert isinstance(field.type, Scalar)
        if isinstance(field.default, str) and "\0" not in field.default:
            return quoted(field.default)
        return literal(Constant(field.name, field.type, field.default, ""))

    @property
    def has_values_like_constants(self) -> bool:
        """Whether a value of an enum is called as a constant is, the library's or one of the namespace's own."""
        values = {self.enum_value(value.name) for enum in self.interface.enums for value in enum.values}
        values |= {self.enum_value(case.name) for variant in self.interface.variants for case in variant.fields}
        return not values.isdisjoint(reserved.CPP_NAMESPACE.union(self.constants.values()))

    @staticmethod
    def enum_value(name: str) -> str:
        """Write the name of an enum's value."""
        return names.unreserved(name, RESERVED)

    def returned(self, method: Method, owned: Iterable[str]) -> str:
        """Write what a method returns: of a handle, its owner."""
        if method.returns is None:
            return "void"
        if isinstance(method.returns, HandleRef) and method.returns.name in owned:
            return self.types[method.returns.name]
        return self.type(method.returns)

    def _call(self, method: Method, scope: names.Scope, of: Handle | None, owned: Iterable[str]) -> Call:
        forms = scope.take(*self._forms(method))
        # a form calls others, which a parameter of that name would hide
        inner = names.Scope((*reserved.CPP_LOCALS, *forms, *self.constants.values()), RESERVED)
        given = [inner.one(field.name) for field in method.params]
        if of:
            given[0] = "static_cast<const Self_ *>(this)->id()"
        params = tuple(
            Param(name, self.passed(field.type), field)
            for number, (name, field) in enumerate(zip(given, method.params, strict=True))
            if not (of and number == 0)
        )
        error = self.types[method.error.name] if method.error else ""
        return Call(method, forms, params, tuple(given), self.returned(method, owned), error)

    def _chained(self) -> tuple[Chained, ...]:
        scope = names.Scope((*reserved.CPP_CHAIN_MEMBERS, self.chain), RESERVED)
        made = []
        for method in self.interface.methods:
            if method.kind not in ("method", "static") or method.stream:
                continue
            name = scope.one(method.name)
            inner = names.Scope((*reserved.CPP_LOCALS, name, *self.constants.values()), RESERVED)
            params = tuple(Param(inner.one(field.name), self.type(field.type), field) for field in method.params)
            error = f", {self.types[method.error.name]}" if method.error else ""
            outcome = f"{self.type(method.returns) if method.returns else 'void'}{error}"
            made.append(Chained(method, name, params, outcome))
        return tuple(made)

    def _handle_classes(self) -> tuple[HandleClass, ...]:
        """Return the handles that have an owner; each after those its methods return, as far as that is possible."""
        closing = {handle.name: self._closing(handle) for handle in self.interface.own_handles}
        left = [handle for handle in self.interface.own_handles if closing[handle.name]]
        made: list[HandleClass] = []
        while left:
            known = {one.handle.name for one in made}
            waiting = {handle.name for handle in left}
            handle = next((one for one in left if not self._opened_by(one) & (waiting - {one.name})), left[0])
            left.remove(handle)
            close = closing[handle.name]
            assert close
            members = names.Scope((*reserved.CPP_HANDLE_MEMBERS, self.types[handle.name]), RESERVED)
            calls = tuple(
                self._call(method, members, handle, known) for method in self._methods_of(handle) if method != close
            )
            made.append(
                HandleClass(handle, self.types[handle.name], self.forms[handle.name], self.ids[handle.name], close,
                            (self._call(close, members, handle, ()), *calls))
            )  # fmt: skip
        return tuple(made)

    def _methods_of(self, handle: Handle) -> list[Method]:
        mine = HandleRef(handle.name)
        return [one for one in self.interface.of_kind("method") if one.params and one.params[0].type == mine]

    def _opened_by(self, handle: Handle) -> set[str]:
        returned = [method.returns for method in self._methods_of(handle)]
        return {type_.name for type_ in returned if isinstance(type_, HandleRef)}

    def _closing(self, handle: Handle) -> Method | None:
        """Return the method that ends a handle: nothing but the handle goes in, nothing comes out, and its name."""
        found = [
            method
            for method in self._methods_of(handle)
            if len(method.params) == 1 and method.returns is None and not {*method.name.split("_")}.isdisjoint(CLOSING)
        ]
        return found[0] if len(found) == 1 else None


def literal(constant: Constant) -> str:
    """Write a constant's value."""
    value, kind = constant.value, constant.type.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"{{ {quoted(value)}, {len(value.encode())} }}"
    if kind in FLOATS:
        type_ = "float" if kind == "f32" else "double"
        if math.isnan(value):
            return f"std::numeric_limits<{type_}>::quiet_NaN()"
        if math.isinf(value):
            return f"{'-' if value < 0 else ''}std::numeric_limits<{type_}>::infinity()"
        return f"static_cast<float>({value!r})" if kind == "f32" else repr(float(value))
    if kind == "i64" and value == -(1 << 63):
        return "std::numeric_limits<std::int64_t>::min()"
    return f"{value}U" if kind in ("u32", "u64") else str(value)


def quoted(text: str) -> str:
    """Write a string literal; what follows an octal escape of three digits cannot be taken for a part of it."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) == 127 else c) for c in text) + '"'


def comment(doc: str, *tags: str) -> str:
    """Write a Doxygen comment; `tags` are lines such as `@param NAME text`. Without text it is empty."""
    lines = [*(doc.splitlines() if doc else []), *(line for tag in tags for line in tag.splitlines())]
    lines = [line.rstrip().replace("*/", "* /").replace("/*", "/ *") for line in lines]
    if not lines:
        return ""
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def param_tags(call: Call) -> tuple[str, ...]:
    """Return the `@param` lines of what a caller passes."""
    tags = []
    for param in call.params:
        first, *rest = (param.field.doc or "").splitlines() or [""]
        tags.append("\n".join([f"@param {param.name} {first}".rstrip(), *(f"    {line}" for line in rest)]))
    return tuple(tags)


def document(call: Call, note: str, *tags: str) -> str:
    """Write the comment of a member function: its doc, a note, its parameters and other tags."""
    return comment(call.method.doc, *([note] if note else []), *param_tags(call), *tags)


def _version(interface: Interface) -> str:
    """Return the leading numbers of the version, which is what CMake compares."""
    found = re.match(r"\d+(\.\d+){0,3}", interface.version)
    return found.group() if found else "0"


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    shared = {
        "cpp": Binding(interface),
        "objects": layout.in_order(interface),
        "literal": literal,
        "comment": comment,
        "document": document,
        "numbers": _version(interface),
    }
    return [
        Output(f"include/{interface.name}.hpp", "binding.hpp.j2", shared, FORMATTER),
        Output("CMakeLists.txt", "CMakeLists.txt.j2", shared),
        Output(f"{interface.name}-cpp.pc.in", "binding.pc.in.j2", shared),
        Output(f"{interface.name}Config.cmake", "Config.cmake.j2", shared),
    ]


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return {}


LANGUAGE = Language("cpp", _files, _filters, "// ")
