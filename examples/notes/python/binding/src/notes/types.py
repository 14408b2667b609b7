# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D404, RUF100
"""What the library takes and gives, and its constants."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ferry_ingress.wire import HandleId

#: Matches in one answer, at most.
MAX_RESULTS: int = 1000


class Order(IntEnum):
    """How matches are sorted."""

    #: Best first.
    RELEVANCE = 0
    #: Last changed first.
    NEWEST = 1


class ChangeKind(IntEnum):
    """What happened to a note."""

    ADDED = 0
    CHANGED = 1
    REMOVED = 2


class Cursor(HandleId):
    """A search whose matches are fetched piece by piece."""

    __slots__ = ()


@dataclass(slots=True)
class Note:
    """A note, without its text."""

    #: Below the folder, with `/`.
    path: str
    #: Its first line that is not empty.
    title: str
    #: When it was last changed: nanoseconds since 1970.
    modified_ns: int
    #: Of its file.
    bytes: int


@dataclass(slots=True)
class Found:
    """A note that matches."""

    note: Note
    #: A few words of it; those that were found stand between « and ».
    snippet: str
    #: How well it matches; greater is better.
    score: float


@dataclass(slots=True)
class Totals:
    """What the index holds."""

    notes: int
    #: Of all notes.
    bytes: int
    #: Files that were left out at the last scan: too long, unreadable, or not UTF-8.
    skipped: int


@dataclass(slots=True)
class Change:
    """One note has changed."""

    kind: ChangeKind
    path: str


@dataclass(slots=True)
class Progress:
    """How far a scan has come."""

    done: int
    total: int
