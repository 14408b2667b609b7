# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D404, RUF100
"""What the library takes and gives, and its constants."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ferry_ingress.wire import HandleId

#: The longest delay an echo may ask for, in milliseconds.
MAX_DELAY_MS: int = 60000

#: What a polite host sends first.
GREETING: str = 'hello, "wörld"'

#: One half.
HALF: float = 0.5

#: Whether the library was built for debugging.
DEBUG: bool = False

#: The lowest number there is.
LOWEST: int = -9223372036854775808


class Color(IntEnum):
    """A colour."""

    #: No colour at all.
    NONE = -1
    #: Red.
    RED = 0
    #: Green.
    GREEN = 1
    #: Blue, out of line.
    BLUE = 7


class Reader(HandleId):
    """Reads a text in pieces."""

    __slots__ = ()


@dataclass(slots=True)
class EchoRequest:
    """What to echo, and when."""

    #: What to say.
    message: str
    #: How long to wait before answering, in milliseconds; 0 answers at once.
    delay_ms: int


@dataclass(slots=True)
class EchoResponse:
    """What was echoed."""

    #: The message, after the context's prefix.
    echoed: str
    #: How long it was waited, for people.
    timer: str


@dataclass(slots=True)
class ComplexRequest:
    """Many things at once."""

    #: Several messages.
    messages: list[EchoRequest]
    #: Words about them.
    tags: list[str]
    #: A remark.
    note: str | None
    #: How often to try again.
    retries: int | None


@dataclass(slots=True)
class ComplexResponse:
    """What became of many things."""

    #: The messages and the tags, each joined by commas, and a semicolon between the two.
    summary: str
    #: How many messages and tags there were.
    item_count: int
    #: Whether there was a note.
    has_note: bool
    #: The retries asked for; -1 when none were.
    retries: int


@dataclass(slots=True)
class AllTypes:
    """A field of every type."""

    a_bool: bool
    an_i8: int
    an_i16: int
    an_i32: int
    an_i64: int
    a_u8: int
    a_u16: int
    a_u32: int
    a_u64: int
    an_f32: float
    an_f64: float
    a_string: str
    some_bytes: bytes
    a_color: Color
    an_object: EchoRequest
    maybe_number: int | None
    maybe_text: str | None
    maybe_object: EchoRequest | None
    maybe_color: Color | None
    numbers: list[float]
    flags: list[bool]
    colors: list[Color]
    rows: list[list[int]]
    maybe_words: list[str | None]
    blobs: list[bytes]
    text_by_number: dict[int, str]
    number_by_text: dict[str, int]
    objects_by_text: dict[str, EchoRequest]


@dataclass(slots=True)
class Tree:
    """A tree, which contains itself."""

    #: What it is called.
    name: str
    #: What is below it.
    children: list[Tree]
