# SPDX-License-Identifier: BSD-3-Clause
"""An interface as the templates see it: what spec/interface.md says a description holds, typed and checked.

Nothing here is read from a file and nothing is checked; `reader` does both. Objects refer to each other by name, since
they may contain themselves; `Interface` finds what a name stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

#: Deepest nesting of objects, sequences and maps in one message (W7); include/ferry/wire.h has it for C.
DEPTH_MAX = 32

#: Integer types, with how many bits each has.
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
FLOATS = {"f32": 32, "f64": 64}
INTEGERS = SIGNED | UNSIGNED
SCALARS = ("bool", *INTEGERS, *FLOATS, "string", "bytes")


@dataclass(frozen=True)
class Scalar:
    """A type without parts: a bool, an integer, a float, a string or bytes."""

    name: str


@dataclass(frozen=True)
class EnumRef:
    """An enum, by its name."""

    name: str


@dataclass(frozen=True)
class ObjectRef:
    """An object, by its name."""

    name: str


@dataclass(frozen=True)
class HandleRef:
    """A handle, by its name."""

    name: str


@dataclass(frozen=True)
class Option:
    """A value that may be absent."""

    item: Type


@dataclass(frozen=True)
class Seq:
    """Values of one type, in order."""

    item: Type


@dataclass(frozen=True)
class Map:
    """Values by keys, which are integers or strings."""

    key: Scalar
    value: Type


Type = Scalar | EnumRef | ObjectRef | HandleRef | Option | Seq | Map


#: What a case of a variant has that carries nothing.
NOTHING = Scalar("null")


@dataclass(frozen=True)
class Field:
    """A field of an object, a parameter of a method, or a case of a variant."""

    name: str
    type: Type
    doc: str
    #: What a host gives to a field that its program leaves out; of an enum, the name of a value. None: there is none.
    default: bool | int | float | str | None = None

    @property
    def may_be_left_out(self) -> bool:
        """Whether a program need not give it: an option, or a field with a default."""
        return isinstance(self.type, Option) or self.default is not None

    @property
    def is_empty(self) -> bool:
        """Whether it is a case that carries nothing."""
        return self.type == NOTHING


@dataclass(frozen=True)
class Object:
    """Fields by name. `is_request` is set for the parameters of a method, which may be none.

    A variant is one too: its fields are its cases, of which a value has one.
    """

    name: str
    fields: tuple[Field, ...]
    doc: str
    is_request: bool = False
    #: The method whose parameters these are.
    method: str = ""
    is_variant: bool = False

    @cached_property
    def required(self) -> tuple[Field, ...]:
        """The fields that a program has to give."""
        return tuple(field for field in self.fields if not field.may_be_left_out)

    @cached_property
    def has_defaults(self) -> bool:
        """Whether a field has a default."""
        return any(field.default is not None for field in self.fields)


@dataclass(frozen=True)
class EnumValue:
    """A value of an enum."""

    name: str
    value: int
    doc: str


@dataclass(frozen=True)
class Enum:
    """Named integers of 32 bits."""

    name: str
    values: tuple[EnumValue, ...]
    doc: str


@dataclass(frozen=True)
class Handle:
    """A kind of handle; `number` is what the core knows it by (I4)."""

    name: str
    number: int
    doc: str


@dataclass(frozen=True)
class Constant:
    """A named value. A float's is a float; the description has it as a string."""

    name: str
    type: Scalar
    value: bool | int | float | str
    doc: str


@dataclass(frozen=True)
class Stream:
    """What comes with a method that yields: two more methods, a handle and an object (S1), by their names."""

    #: The type of the values.
    yields: Type
    open: str
    next: str
    close: str
    handle: str
    part: str


@dataclass(frozen=True)
class Ask:
    """A question that the library asks its host, and the names of what comes with it (A1)."""

    name: str
    params: tuple[Field, ...]
    #: What the host answers with.
    returns: Type | None
    #: Why the host may refuse to answer, beside a text.
    error: EnumRef | ObjectRef | None
    doc: str
    #: The place in the description.
    place: int
    #: The handle, and the object that the event carries.
    question: str
    asked: str
    #: The methods that answer; that which brings an error is empty where none is declared.
    by_return: str
    by_raise: str
    by_fail: str


@dataclass(frozen=True)
class Method:
    """A method; `number` is what the core knows it by, `kind` one of constructor, destructor, method, static."""

    name: str
    number: int
    kind: str
    params: tuple[Field, ...]
    returns: Type | None
    doc: str
    #: What it fails with, beside what any method may fail with.
    error: EnumRef | ObjectRef | None = None
    #: Whether a call may be made again when nobody knows what became of it.
    idempotent: bool = False
    #: The place in the description, which is not the number where methods before it yield.
    place: int = 0
    #: The stream that it opens, continues or closes.
    stream: Stream | None = None
    #: What it does for that stream: one of open, next, close.
    part_in_stream: str = ""
    #: The question that it answers.
    ask: Ask | None = None

    @property
    def where(self) -> str:
        """The place in the description that it comes from."""
        return f"$.{'asks' if self.ask else 'methods'}[{self.place}]"

    @property
    def opens(self) -> Stream | None:
        """The stream that it opens: what an author declared as a method that yields."""
        return self.stream if self.part_in_stream == "open" else None

    @property
    def is_derived(self) -> bool:
        """Whether it comes with a method that yields, so that no author declared it."""
        return self.part_in_stream in ("next", "close")

    @property
    def is_authors(self) -> bool:
        """Whether an author declared it, as what it is here or as a method that yields."""
        return not self.is_derived and not self.ask

    @property
    def given(self) -> tuple[Field, ...]:
        """The parameters that an author declared: without the credits of a stream that it opens."""
        return self.params[:-1] if self.opens else self.params

    @cached_property
    def request(self) -> Object:
        """Its parameters as the object that travels (I6), named METHODParams."""
        name = "".join(word.capitalize() for word in self.name.split("_")) + "Params"
        return Object(name, self.params, f"The parameters of `{self.name}`.", True, self.name)


@dataclass(frozen=True)
class Event:
    """An event; `number` is what the core knows it by. `type` is None for an event without a value."""

    name: str
    number: int
    type: Type | None
    overflow: str
    depth: int
    doc: str
    #: The question that it asks.
    ask: Ask | None = None

    @property
    def where(self) -> str:
        """The place in the description that it comes from."""
        return f"$.asks[{self.ask.place}]" if self.ask else f"$.events[{self.number}]"


@dataclass(frozen=True, eq=False)
class Interface:
    """A whole library; equal only to itself."""

    name: str
    version: str
    doc: str
    hash: str
    constants: tuple[Constant, ...]
    types: tuple[Enum | Object | Handle, ...]
    methods: tuple[Method, ...]
    events: tuple[Event, ...]
    asks: tuple[Ask, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Enum | Object | Handle]:
        """Every type by its name."""
        return {declared.name: declared for declared in self.types}

    def object(self, name: str) -> Object:
        """Return the object of that name; there is one."""
        found = self.by_name[name]
        assert isinstance(found, Object)
        return found

    def enum(self, name: str) -> Enum:
        """Return the enum of that name; there is one."""
        found = self.by_name[name]
        assert isinstance(found, Enum)
        return found

    @cached_property
    def enums(self) -> tuple[Enum, ...]:
        """The enums, in the order of the description."""
        return tuple(declared for declared in self.types if isinstance(declared, Enum))

    @cached_property
    def objects(self) -> tuple[Object, ...]:
        """The objects and the variants, in the order of the description."""
        return tuple(declared for declared in self.types if isinstance(declared, Object))

    @cached_property
    def variants(self) -> tuple[Object, ...]:
        """The variants, in the order of the description."""
        return tuple(object_ for object_ in self.objects if object_.is_variant)

    @cached_property
    def handles(self) -> tuple[Handle, ...]:
        """The handle types; the place of each is its number."""
        return tuple(declared for declared in self.types if isinstance(declared, Handle))

    @cached_property
    def errors(self) -> tuple[Enum | Object, ...]:
        """The types that some method or question declares as its error, in the order of the description."""
        errors = [method.error for method in self.methods] + [ask.error for ask in self.asks]
        names = {error.name for error in errors if error}
        return tuple(one for one in self.types if isinstance(one, Enum | Object) and one.name in names)

    @cached_property
    def streams(self) -> tuple[Method, ...]:
        """The methods that yield, by number."""
        return tuple(method for method in self.methods if method.opens)

    def method(self, name: str) -> Method:
        """Return the method of that name; there is one."""
        return next(method for method in self.methods if method.name == name)

    @cached_property
    def derived_types(self) -> frozenset[str]:
        """The names of the types that come with methods that yield."""
        return frozenset(
            name for method in self.streams if method.stream for name in (method.stream.handle, method.stream.part)
        )

    @cached_property
    def own_handles(self) -> tuple[Handle, ...]:
        """The handle types that an author declared."""
        questions = {ask.question for ask in self.asks}
        return tuple(handle for handle in self.handles if handle.name not in self.derived_types | questions)

    def handle_number(self, name: str) -> int:
        """Return the number of the handle type of that name; there is one."""
        return next(handle.number for handle in self.handles if handle.name == name)

    def of_kind(self, kind: str) -> tuple[Method, ...]:
        """Return the methods of that kind, by number."""
        return tuple(method for method in self.methods if method.kind == kind)

    @cached_property
    def constructor(self) -> Method | None:
        """The constructor, if there is one."""
        return next(iter(self.of_kind("constructor")), None)

    @cached_property
    def destructor(self) -> Method | None:
        """The destructor, if there is one."""
        return next(iter(self.of_kind("destructor")), None)


def parts(type_: Type) -> tuple[Type, ...]:
    """Return the types that a type is directly made of; those of an object's fields are not among them."""
    if isinstance(type_, Option | Seq):
        return (type_.item,)
    if isinstance(type_, Map):
        return (type_.key, type_.value)
    return ()


def text(type_: Type) -> str:
    """Write a type for people: `seq of Note`, `map of string to i64`."""
    if isinstance(type_, Option):
        return f"option of {text(type_.item)}"
    if isinstance(type_, Seq):
        return f"seq of {text(type_.item)}"
    if isinstance(type_, Map):
        return f"map of {text(type_.key)} to {text(type_.value)}"
    return type_.name
