# SPDX-License-Identifier: BSD-3-Clause
"""C bindings: structs, both codecs as straight-line code on include/ferry/wire*.h, and typed calls, all inline.

A filter here writes one expression or statement for a value of some type; the templates in templates/c write the
functions around them. `lv` is the value as an lvalue of C.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from ferry.bindgen import layout, names, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import (
    INTEGERS,
    NOTHING,
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

STYLE = (
    "{BasedOnStyle: LLVM, Language: Cpp, IndentWidth: 8, TabWidth: 8, ContinuationIndentWidth: 8, UseTab: Always, "
    "ColumnLimit: 120, BreakBeforeBraces: Linux, AllowShortIfStatementsOnASingleLine: Never, "
    "AllowShortLoopsOnASingleLine: false, AllowShortFunctionsOnASingleLine: None, "
    "AllowShortBlocksOnASingleLine: Never, AlignAfterOpenBracket: Align, SortIncludes: Never, "
    "SpaceBeforeCpp11BracedList: false, Cpp11BracedListStyle: false, PenaltyBreakBeforeFirstCallParameter: 100}"
)
FORMATTER = ("clang-format", f"--style={STYLE}", "--assume-filename=generated.h")

#: What a struct's member cannot be called.
RESERVED = reserved.C_KEYWORDS | reserved.C_MACROS | reserved.C_TYPES
_CODEC = ("_encode_c", "_decode_c", "_borrow_c", "_encode_cbor", "_decode_cbor", "_borrow_cbor", "__encode")
_INNER = ("__c_bound", "__c_put", "__c_read", "__cbor_bound", "__cbor_put", "__cbor_read", "__cbor_rest")
#: What the names of each kind of thing end with: of its structs, and of its functions.
_METHOD_TAGS = ("_reply", "_call", "_params")
REQUEST_FUNCTIONS = [f"_params{ending}" for ending in (*_CODEC, *_INNER)]
_CALL_FUNCTIONS = ("", "_submit", "_post", "_take", "_chain", "_result", "_reply_free", "__receive", "__done")
_METHOD_FUNCTIONS = (*_CALL_FUNCTIONS, *REQUEST_FUNCTIONS)
_EVENT_TAGS = ("_event", "_listener")
_EVENT_FUNCTIONS = ("_event_free", "_event__receive", "_event__notify", "_event__release")
_EVENT_WAYS = ("on", "post", "take")
_TYPE_TAGS = ("", "_pair", "_which")
_TYPE_FUNCTIONS = ("_known", "_make", *_CODEC, *_INNER)

_SCALARS = {
    "bool": "bool",
    "f32": "float",
    "f64": "double",
    "string": "struct ferry_string",
    "bytes": "struct ferry_bytes",
} | {name: f"{'' if name in SIGNED else 'u'}int{bits}_t" for name, bits in INTEGERS.items()}
#: The most that a scalar takes in CBOR, its head when it is a string.
_CBOR_FIXED = {"null": 1, "bool": 1, "u8": 2, "i8": 2, "u16": 3, "i16": 3, "u32": 5, "i32": 5, "f32": 5}
_WORD = 9

Statement = Callable[..., str]


class Writer:
    """Writes C for the types of one interface, as its hosts have them."""

    own = reserved.C_FUNCTIONS
    method_tags: tuple[str, ...] = _METHOD_TAGS
    method_functions: tuple[str, ...] = _METHOD_FUNCTIONS
    event_tags: tuple[str, ...] = _EVENT_TAGS
    event_functions: tuple[str, ...] = _EVENT_FUNCTIONS
    event_ways: tuple[str, ...] = _EVENT_WAYS
    type_tags: tuple[str, ...] = _TYPE_TAGS
    type_functions: tuple[str, ...] = _TYPE_FUNCTIONS

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.prefix = interface.name
        # Structs and functions may share a name. Methods and events come first: versions only add to their ends.
        own = [f"{self.prefix}_{name}" for name in self.own]
        self._tags = names.Scope(own, reserved.C_GLOBALS)
        self._functions = names.Scope(own, reserved.C_GLOBALS)
        for scalar in SCALARS:
            self._stem(scalar, (), _CODEC)
        self.methods = {
            method.name: self._stem(method.name, self.method_tags, self.method_functions)
            for method in interface.methods
        }
        self.events = {
            event.name: self._stem(event.name, self.event_tags, self.event_functions, self.event_ways)
            for event in interface.events
        }
        self.types = {
            declared.name: self._stem(names.snake(declared.name), self.type_tags, self.type_functions)
            for declared in interface.types
        }
        self.parts: dict[Type, str] = {}
        for composite in composites(interface):
            self.parts[composite] = self._stem(self._made_of(composite), self.type_tags, self.type_functions)
        self.macros = _macros(interface)

    def is_given_out(self, name: str) -> bool:
        """Return whether a struct or a function has this name."""
        return not (self._tags.has_room([name]) and self._functions.has_room([name]))

    def _stem(self, wanted: str, tags: Iterable[str], functions: Iterable[str], ways: Iterable[str] = ()) -> str:
        """Give out what the names of a method, an event or a type begin with, after the library's prefix."""

        def tags_of(stem: str) -> list[str]:
            return [f"{self.prefix}_{stem}{ending}" for ending in tags]

        def functions_of(stem: str) -> list[str]:
            found = [f"{self.prefix}_{stem}{ending}" for ending in functions]
            return found + [f"{self.prefix}_{way}_{stem}" for way in ways]

        stem = wanted
        while not (self._tags.has_room(tags_of(stem)) and self._functions.has_room(functions_of(stem))):
            stem += "_"
        self._tags.take(*tags_of(stem))
        self._functions.take(*functions_of(stem))
        return stem

    def _made_of(self, type_: Type) -> str:
        if isinstance(type_, Map):
            return f"map_{self.tag(type_.key)}_{self.tag(type_.value)}"
        assert isinstance(type_, Option | Seq)
        return f"{'option' if isinstance(type_, Option) else 'seq'}_{self.tag(type_.item)}"

    def tag(self, type_: Type) -> str:
        """Return what a type is called within the library: `seq_note`."""
        if isinstance(type_, Option | Seq | Map):
            return self.parts[type_]
        return type_.name if isinstance(type_, Scalar) else self.types[type_.name]

    def name(self, type_: Type | Object | Enum | Handle) -> str:
        """Return the prefix of everything that is about a type: `echo_seq_note`."""
        if isinstance(type_, Object) and type_.is_request:
            return f"{self.prefix}_{self.methods[type_.method]}_params"
        if isinstance(type_, Object | Enum | Handle):
            return f"{self.prefix}_{self.types[type_.name]}"
        return f"{self.prefix}_{self.tag(type_)}"

    def method(self, method: Method) -> str:
        """Return the function that calls a method; all else about it begins with that."""
        return f"{self.prefix}_{self.methods[method.name]}"

    def event(self, event: Event, way: str = "") -> str:
        """Return what is about an event; with `way` the function `on`, `post` or `take`."""
        return f"{self.prefix}_{f'{way}_' if way else ''}{self.events[event.name]}"

    def constant_macro(self, value: Constant) -> str:
        """Return the macro of a constant."""
        return self.macros[value.name]

    def case_macro(self, case: Field, variant: Object) -> str:
        """Return the name of the number of a variant's case."""
        return self.macros[f"{variant.name}.{case.name}"]

    def value_macro(self, value: EnumValue, enum: Enum) -> str:
        """Return the name of an enum's value."""
        return self.macros[f"{enum.name}.{value.name}"]

    def ctype(self, type_: Type) -> str:
        """Return the C type of a value."""
        if isinstance(type_, Scalar):
            return _SCALARS[type_.name]
        return f"{'enum' if isinstance(type_, EnumRef) else 'struct'} {self.name(type_)}"

    def pair(self, type_: Map) -> str:
        """Return the C type of a map's pair."""
        return f"struct {self.name(type_)}_pair"

    # ---- what passes through a function's parameters

    def by_pointer(self, type_: Type) -> bool:
        """Return whether a parameter of this type is passed by its address."""
        return isinstance(type_, ObjectRef)

    def parameters(self, method: Method) -> str:
        """Return the declarations of a method's parameters, each with a comma before it."""
        return "".join(f", {self.declaration(field)}" for field in method.params)

    def declaration(self, field: Field) -> str:
        """Return the declaration of a parameter."""
        if self.by_pointer(field.type):
            return f"const {self.ctype(field.type)} *{self.parameter(field.name)}"
        return f"{self.ctype(field.type)} {self.parameter(field.name)}"

    def make_parameters(self, object_: Object) -> str:
        """Return the declarations of the fields that the function which makes an object takes."""
        return ", ".join(map(self.declaration, object_.required)) or "void"

    def arguments(self, method: Method) -> str:
        """Return a method's parameters as they are passed on, each with a comma before it."""
        return "".join(f", {self.parameter(field.name)}" for field in method.params)

    def request_fields(self, method: Method) -> str:
        """Return the initialisers of a request from a method's parameters."""
        return ", ".join(f".{self.field(field.name)} = {self.passed(field)}" for field in method.params)

    def passed(self, field: Field) -> str:
        """Return the value of a parameter."""
        return f"{'*' if self.by_pointer(field.type) else ''}{self.parameter(field.name)}"

    def make_fields(self, object_: Object) -> str:
        """Return the initialisers of an object: what was passed, and the defaults; an absent option needs none."""
        return ", ".join(
            f".{self.field(field.name)} = {self.passed(field) if field.default is None else self.default(field)}"
            for field in object_.fields
            if not isinstance(field.type, Option)
        )

    def default(self, field: Field) -> str:
        """Return the default of a field."""
        assert field.default is not None
        if isinstance(field.type, EnumRef):
            return self.macros[f"{field.type.name}.{field.default}"]
        assert isinstance(field.type, Scalar)
        given = constant(Constant(field.name, field.type, field.default, ""))
        if field.type.name != "string":
            return given
        return f"{{ {given}, {len(str(field.default).encode())} }}"

    def parameter(self, name: str) -> str:
        """Return the name of a parameter."""
        taken = name.startswith((*reserved.C_PREFIXES, f"{self.prefix}_"))
        return f"{name}_" if taken else names.unreserved(name, RESERVED | reserved.C_LOCALS)

    def field(self, name: str) -> str:
        """Return the name of a struct's member."""
        return names.unreserved(name, RESERVED)

    # ---- memory

    def room_kind(self, type_: Type) -> int:
        """Return what a decoded value needs memory for: 0 nothing, 1 the message's copy, 2 arrays besides."""
        if isinstance(type_, Seq | Map):
            return 2
        if isinstance(type_, ObjectRef):
            return self.object_room_kind(self.interface.object(type_.name))
        if isinstance(type_, Option):
            return self.room_kind(type_.item)
        return int(self.varies(type_))

    def object_room_kind(self, object_: Object) -> int:
        """Return what `room_kind` does, of an object."""
        return max((self.room_kind(field.type) for field in object_.fields), default=0)

    # ---- format cbor

    def cbor_fixed(self, type_: Type) -> int:
        """Return the most that a value takes, but for what `cbor_bound` adds."""
        if isinstance(type_, Scalar):
            return _CBOR_FIXED.get(type_.name, _WORD)
        if isinstance(type_, EnumRef):
            return 5
        if isinstance(type_, Option):
            return self.cbor_fixed(type_.item)
        if isinstance(type_, ObjectRef):
            return self.cbor_object_fixed(self.interface.object(type_.name))
        return _WORD

    def cbor_object_fixed(self, object_: Object) -> int:
        """Return what `cbor_fixed` does, of an object."""
        if object_.is_variant:
            cases = object_.fields
            return 1 + max(len(layout.cbor_key(case.name)) + self.cbor_fixed(case.type) for case in cases)
        return 3 + sum(len(layout.cbor_key(field.name)) + self.cbor_fixed(field.type) for field in object_.fields)

    def varies(self, type_: Type) -> bool:
        """Return whether how much a value takes depends on more than its type."""
        return layout.has_references(self.interface, type_)

    def below(self, type_: Type) -> int:
        """Return how deep a value nests whose bound is not looked into."""
        return 0 if self.varies(type_) else layout.depth(self.interface, type_)

    def object_below(self, object_: Object) -> int:
        """Return how deep the fields of an object nest that its bound does not look into."""
        return max((self.below(field.type) for field in object_.fields), default=0)

    def bound(self, type_: Type, lv: str, wire: str) -> str:
        """Write what adds to a bound what a value takes beyond its fixed part."""
        if not self.varies(type_):
            return ""
        if isinstance(type_, Scalar):
            end = " + 1" if wire == "c" and type_.name == "string" else ""
            return f"bound->bytes += {lv}.bytes{end};"
        return f"{self.name(type_)}__{wire}_bound(&{lv}, bound);"

    def cbor_put(self, type_: Type, lv: str) -> str:
        """Write the expression that writes a value and returns where to go on."""
        if isinstance(type_, Scalar):
            kind = type_.name
            if kind == "null":
                return "ferry_cbor_put_null(at)"
            if kind in INTEGERS:
                kind = "signed" if kind in SIGNED else "unsigned"
            return f"ferry_cbor_put_{'f64' if kind == 'f32' else kind}(at, {lv})"
        if isinstance(type_, EnumRef):
            return f"ferry_cbor_put_signed(at, (int32_t){lv})"
        if isinstance(type_, HandleRef):
            return f"ferry_cbor_put_unsigned(at, {lv}.id)"
        return f"{self.name(type_)}__cbor_put(at, &{lv}, writer)"

    def cbor_read(self, type_: Type, lv: str) -> str:
        """Write the expression that reads a value: 0 or -1."""
        if isinstance(type_, Scalar):
            return f"ferry_cbor_read_{type_.name}(reader{'' if type_ == NOTHING else f', &{lv}'})"
        if isinstance(type_, HandleRef):
            return f"ferry_cbor_read_u64(reader, &{lv}.id)"
        return f"{self.name(type_)}__cbor_read(reader, &{lv})"

    # ---- format c

    def size(self, type_: Type) -> int:
        """Return the bytes of a value's own struct in format `c`."""
        return layout.layout(self.interface, type_).size

    def align(self, type_: Type) -> int:
        """Return the alignment of a value's own struct in format `c`."""
        return layout.layout(self.interface, type_).align

    def is_plain(self, type_: Type) -> bool:
        """Return whether an array of values is the same in memory as on the wire, whatever bits it has."""
        is_number = isinstance(type_, Scalar) and type_.name not in ("bool", "string", "bytes")
        return is_number or isinstance(type_, HandleRef)

    def is_checked_plain(self, type_: Type) -> bool:
        """Return whether that is so once each value has been looked at."""
        return isinstance(type_, EnumRef) or (isinstance(type_, Scalar) and type_.name == "bool")

    def c_put(self, type_: Type, at: str, lv: str) -> str:
        """Write the statement that writes a value's own struct at an offset."""
        if isinstance(type_, Scalar):
            return f"ferry_c_put_{type_.name}(writer, {at}, {lv});"
        if isinstance(type_, EnumRef):
            return f"ferry_c_put_i32(writer, {at}, (int32_t){lv});"
        if isinstance(type_, HandleRef):
            return f"ferry_c_put_u64(writer, {at}, {lv}.id);"
        return f"{self.name(type_)}__c_put(writer, {at}, &{lv});"

    def c_read(self, type_: Type, at: str, lv: str) -> str:
        """Write the expression that reads a value's own struct at an offset: 0 or -1."""
        if isinstance(type_, Scalar):
            return f"ferry_c_read_{type_.name}(reader, {at}, &{lv})"
        if isinstance(type_, HandleRef):
            return f"ferry_c_read_u64(reader, {at}, &{lv}.id)"
        return f"{self.name(type_)}__c_read(reader, {at}, &{lv})"

    def pair_layout(self, type_: Map) -> dict[str, int]:
        """Return size, value_at, gap (before the value) and tail (after it) of a map's pair in format `c`."""
        whole, value_at, tail = layout.pair_layout(self.interface, type_)
        return {"size": whole.size, "value_at": value_at, "gap": value_at - self.size(type_.key), "tail": tail}


def roots(interface: Interface) -> list[Type]:
    """Return the types that messages are made of besides requests: objects, and what is returned or emitted."""
    found: dict[Type, None] = {ObjectRef(object_.name): None for object_ in interface.objects}
    found |= {method.returns: None for method in interface.methods if method.returns is not None}
    found |= {method.error: None for method in interface.methods if method.error is not None}
    found |= {event.type: None for event in interface.events if event.type is not None}
    return list(found)


def composites(interface: Interface) -> list[Type]:
    """Return the options, sequences and maps that are used, each once."""
    return [type_ for type_ in layout.used_types(interface) if isinstance(type_, Option | Seq | Map)]


def definition_order(interface: Interface) -> list[ObjectRef | Option]:
    """Return objects and options so that each comes after those inside it."""
    found: dict[ObjectRef | Option, None] = {}

    def add(type_: Type) -> None:
        if isinstance(type_, Option):
            add(type_.item)
            found.setdefault(type_)

    for object_ in layout.in_order(interface):
        for field in object_.fields:
            add(field.type)
        found[ObjectRef(object_.name)] = None
    for type_ in layout.used_types(interface):
        add(type_)
    return list(found)


def c_string(text: str | bytes) -> str:
    """Write a string literal; bytes outside printable ASCII become octal escapes, which end after three digits."""
    data = text.encode() if isinstance(text, str) else text
    plain = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in data)
    return f'"{plain}"'


def plain(line: str) -> str:
    """Write a line so that it can stand in a comment."""
    line = "".join(c if c.isprintable() else " " for c in line).rstrip()
    return line.replace("*/", "* /").replace("/*", "/ *")


def comment(doc: str, indent: str = "") -> str:
    """Write documentation as a comment of C, or nothing when there is none."""
    lines = [plain(line) for line in doc.splitlines()]
    if not any(lines):
        return ""
    if len(lines) == 1:
        return f"{indent}/* {lines[0]} */\n"
    return f"{indent}/*\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def constant(value: Constant) -> str:
    """Write a constant's value."""
    kind, given = value.type.name, value.value
    if kind == "string":
        return c_string(str(given))
    if kind == "bool":
        return "true" if given else "false"
    if kind in INTEGERS:
        bits = INTEGERS[kind]
        if given == -(1 << bits - 1) and kind in SIGNED and bits >= 32:
            return f"INT{bits}_MIN"
        macro = f"{'INT' if kind in SIGNED else 'UINT'}{bits}_C"
        return f"({macro}({given}))" if isinstance(given, int) and given >= 0 else f"(-{macro}({-int(given)}))"
    number = float(given)
    if number != number:
        return '__builtin_nan("")'
    if abs(number) == float("inf"):
        return "__builtin_inf()" if number > 0 else "(-__builtin_inf())"
    suffix = "f" if kind == "f32" else ""
    text = json.dumps(number)
    return f"({text}{suffix})" if number < 0 else f"{text}{suffix}"


def _macros(interface: Interface) -> dict[str, str]:
    """Return the macros of constants, by their names, and those of enums' values and of cases, as `ENUM.value`."""
    prefix = interface.name.upper()
    scope = names.Scope((f"{prefix}_{name}" for name in reserved.C_OWN_MACROS), reserved.C_MACROS_UPPER)
    found = {constant.name: scope.one(f"{prefix}_{constant.name.upper()}") for constant in interface.constants}
    named = [(enum.name, value.name) for enum in interface.enums for value in enum.values]
    named += [(variant.name, case.name) for variant in interface.variants for case in variant.fields]
    for type_, name in named:
        found[f"{type_}.{name}"] = scope.one(f"{prefix}_{names.screaming(type_)}_{name.upper()}")
    return found


def variables(interface: Interface) -> dict[str, Any]:
    """Return what the templates of types and codecs are given."""
    return {
        "roots": roots(interface),
        "composites": composites(interface),
        "definitions": definition_order(interface),
        "requests": [method.request for method in interface.methods if method.params],
    }


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    name = interface.name
    header = names.unreserved(name, reserved.C_HEADERS)
    headers = [(f"{name}_types.h", "types.h.j2"), (f"{name}_cbor.h", "cbor.h.j2"), (f"{name}_c.h", "c.h.j2")]
    headers.append((f"{header}.h", "calls.h.j2"))
    given = variables(interface) | {"header": header}
    outputs = [Output(f"include/{path}", template, given, FORMATTER) for path, template in headers]
    outputs.append(Output(f"{name}.pc.in", "library.pc.in.j2"))
    outputs.append(Output("CMakeLists.txt", "CMakeLists.txt.j2"))
    return outputs


def filters(writer: Writer) -> dict[str, Callable[..., Any]]:
    """Return the filters of the templates: what a writer writes, and what needs none."""
    methods = [name for name in dir(writer) if not name.startswith("_") and callable(getattr(writer, name))]
    own = {name: getattr(writer, name) for name in methods}
    return own | {
        "string": c_string,
        "comment": comment,
        "plain": plain,
        "constant": constant,
        "kind": lambda type_: type(type_).__name__,
        "type_text": text,
        "lower_first": lambda sentence: sentence[:1].lower() + sentence[1:].rstrip("."),
    }


LANGUAGE = Language("c", _files, lambda interface: filters(Writer(interface)), "/* ")
