# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in Nim with a method for every container of every kind of element that docs/ingress-nim.md promises.

`source` writes a library for some of the elements, `SAMPLES` has values for each element. A cell of the matrix is a
container, written with the element as `T`, and an element. Each travels as a parameter and as a result by a method of
its own; as fields of an object, and by an event, those of WHOLE do too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

#: Containers by name: how Nim writes them, and how values of them are made of three elements.
CONTAINERS: dict[str, tuple[str, list[Callable[[Any, Any, Any], Any]]]] = {
    "alone": ("T", [lambda a, b, c: a]),
    "option": ("Option[T]", [lambda a, b, c: None, lambda a, b, c: a]),
    "list": ("seq[T]", [lambda a, b, c: [], lambda a, b, c: [a, b, c, a]]),
    "by_number": ("Table[int64, T]", [lambda a, b, c: {}, lambda a, b, c: {-1: a, 5: b}]),
    "by_name": ("Table[string, T]", [lambda a, b, c: {"": c, "aa": b, "b": a}]),
    "option_list": ("Option[seq[T]]", [lambda a, b, c: None, lambda a, b, c: [], lambda a, b, c: [a, b]]),
    "option_by_name": ("Option[Table[string, T]]", [lambda a, b, c: None, lambda a, b, c: {"k": c}]),
    "list_option": ("seq[Option[T]]", [lambda a, b, c: [None, a, None, b]]),
    "list_list": ("seq[seq[T]]", [lambda a, b, c: [[], [a], [b, c]]]),
    "list_by_name": ("seq[Table[string, T]]", [lambda a, b, c: [{}, {"x": a, "y": b}]]),
    "by_number_option": ("Table[uint8, Option[T]]", [lambda a, b, c: {0: None, 255: a}]),
    "by_name_list": ("Table[string, seq[T]]", [lambda a, b, c: {"none": [], "two": [a, b]}]),
    "by_name_by_number": ("Table[string, Table[int32, T]]", [lambda a, b, c: {"": {}, "in": {-7: a, 7: c}}]),
}

#: Elements by name, as Nim writes them; an option and a table of the two last are made by methods of the library.
#: Integers of other widths are the same generic procedures as these (spec/wire has the vectors of each).
ELEMENTS = {
    "bool": "bool", "i64": "int64", "u8": "uint8", "f32": "float32", "string": "string", "bytes": "seq[byte]",
    "enum": "Colour", "object": "Point", "handle": "Thing", "holder": "Holder",
}  # fmt: skip
#: Elements that also travel as fields of one object, which is an event too.
WHOLE = ("object", "handle")
#: `seq[uint8]` is bytes, and so is all that is made of it.
SAMPLES: dict[str, tuple[Any, Any, Any]] = {
    "bool": (True, False, True), "i64": (-(1 << 63), 0, (1 << 63) - 1), "u8": (255, 0, 1),
    "f32": (1.5, -0.25, float("inf")), "string": ("", "wörld\0", "long " * 40), "bytes": (b"", b"\0\xff", bytes(300)),
}  # fmt: skip

_HEAD = """\
import std/[options, tables]
import ferry

type
  Colour* {.ferryEnum.} = enum
    red = -7, green = 1, blue = 70000
  Thing* {.ferryHandle.} = ref object ## What stays here.
    name: string
  Point* {.ferryType.} = object
    x*: int8
    label*: string
  Holder* {.ferryType.} = object ## Handles where a field is.
    thing*: Thing
    others*: seq[Thing]
    maybe*: Option[Thing]
  Shelf = ref object
    made: int
"""
_METHODS = """
proc create(): Shelf {.ferryConstructor.} = Shelf()
proc destroy(shelf: Shelf) {.ferryDestructor.} = discard

proc make(shelf: Shelf; name: string): Thing {.ferryMethod.} =
  inc shelf.made
  Thing(name: name)
proc name(shelf: Shelf; thing: Thing): string {.ferryMethod.} = thing.name
proc names(shelf: Shelf; things: seq[Option[Thing]]): seq[string] {.ferryMethod.} =
  for thing in things: result.add(if thing.isSome: thing.get.name else: "-")
proc close(shelf: Shelf; thing: Thing) {.ferryMethod.} = closeHandle(thing)
proc hollow(shelf: Shelf; things: seq[Thing]): seq[Thing] {.ferryMethod.} = things & @[Thing(nil)]
"""


def nim_type(container: str, element: str) -> str:
    """A cell as Nim writes it."""
    return (
        CONTAINERS[container][0].replace("T]", f"{ELEMENTS[element]}]") if container != "alone" else ELEMENTS[element]
    )


def method(container: str, element: str) -> str:
    """The name of a cell's method."""
    return f"{element}_{container}"


def camel(name: str) -> str:
    """A name as Nim has procedures."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def source(name: str, elements: Iterable[str]) -> str:
    """A library of that name."""
    elements = tuple(elements)
    wholes = [(element, f"All{element.capitalize()}") for element in WHOLE if element in elements]
    parts = [_HEAD]
    for element, whole in wholes:
        parts.append(f"  {whole}* {{.ferryType.}} = object\n")
        parts += [f"    {camel(container)}*: {nim_type(container, element)}\n" for container in CONTAINERS]
    for element, whole in wholes:
        parts.append(f"\nproc told{element.capitalize()}(all: {whole}) {{.ferryEvent.}}\n")
    parts.append(_METHODS)
    for element in elements:
        for container in CONTAINERS:
            type_ = nim_type(container, element)
            head = f"proc {camel(method(container, element))}(shelf: Shelf; value: {type_}): {type_}"
            parts.append(f"{head} {{.ferryMethod.}} = value\n")
    for element, whole in wholes:
        parts.append(
            f"proc all{element.capitalize()}(shelf: Shelf; value: {whole}): {whole} {{.ferryMethod.}} =\n"
            f"  told{element.capitalize()}(value)\n  value\n"
        )
    parts.append(f'\nferryLibrary {name}, "0.1.0":\n  ## Every container of some kinds of element.\n')
    return "".join(parts)
