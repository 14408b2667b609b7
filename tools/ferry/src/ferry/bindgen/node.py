# SPDX-License-Identifier: BSD-3-Clause
"""A value of an interface description, which knows its place: what is wrong with it is said with that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

#: Entries of one list: types, methods, fields, values …
ENTRIES_MAX = 4096
NAME_BYTES_MAX = 64

T = TypeVar("T")


class DescriptionError(Exception):
    """A description that cannot be used; the text begins with the place in it, where it could be read."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(f"{path}: {text}" if path else text)
        self.path = path


def kind_of(value: Any) -> str:
    """Say what a value of JSON is."""
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array"}
    return "null" if value is None else kinds.get(type(value), "an object")


class Node:
    """A JSON value and where it stands."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def fail(self, text: str) -> DescriptionError:
        """Return the error that says what is wrong here."""
        return DescriptionError(self.path, text)

    def member(self, key: str) -> Node:
        """Return a member, which is there."""
        return Node(self.value[key], f"{self.path}.{key}")

    def keys(self, *keys: str, optional: tuple[str, ...] = ()) -> None:
        """Insist on an object with these members; `doc` and the optional ones may be left out."""
        if not isinstance(self.value, dict):
            raise self.fail(f"is {kind_of(self.value)}; write an object with {', '.join(keys)}")
        for key in keys:
            if key not in self.value:
                raise self.fail(f"has no {key!r}; add it")
        for key in self.value:
            if key not in (*keys, *optional, "doc"):
                raise self.fail(f"has an unknown {key!r}; known are {', '.join((*keys, *optional))} and doc")

    def text(self) -> str:
        """Insist on a string."""
        if not isinstance(self.value, str):
            raise self.fail(f"is {kind_of(self.value)}; write a string")
        try:
            self.value.encode()
        except UnicodeEncodeError as error:
            raise self.fail("holds half of a surrogate pair; write whole characters") from error
        return self.value

    def doc(self) -> str:
        """Return the documentation, if there is any."""
        return self.member("doc").text().strip() if "doc" in self.value else ""

    def integer(self, least: int, most: int) -> int:
        """Insist on an integer between two."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fail(f"is {kind_of(self.value)}; write an integer")
        if not least <= self.value <= most:
            raise self.fail(f"is {self.value}; it has to be from {least} to {most}")
        return self.value

    def one_of(self, allowed: Iterable[str]) -> str:
        """Insist on one of these strings."""
        value = self.text()
        if value not in allowed:
            raise self.fail(f"is {value!r}; it has to be one of {', '.join(allowed)}")
        return value

    def name(self, pattern: re.Pattern[str], case: str) -> str:
        """Insist on a name in this case."""
        value = self.text()
        if not pattern.fullmatch(value):
            raise self.fail(f"is {value!r}; write the name in {case}, in ASCII letters and digits")
        if len(value) > NAME_BYTES_MAX:
            raise self.fail(f"is longer than {NAME_BYTES_MAX} bytes; choose a shorter name")
        return value

    def items(self, least: int = 0) -> list[Node]:
        """Insist on an array, of at least that many values."""
        if not isinstance(self.value, list):
            raise self.fail(f"is {kind_of(self.value)}; write an array")
        if len(self.value) > ENTRIES_MAX:
            raise self.fail(f"has {len(self.value)} entries; there may be {ENTRIES_MAX}")
        if len(self.value) < least:
            raise self.fail(f"is empty; it needs at least {least}")
        return [Node(item, f"{self.path}[{number}]") for number, item in enumerate(self.value)]

    def named(self, read_one: Callable[[Node, int], T], least: int = 0) -> tuple[T, ...]:
        """Read each entry, and insist that no two have the same name in any case."""
        found: list[T] = []
        seen: dict[str, str] = {}
        for number, node in enumerate(self.items(least)):
            entry = read_one(node, number)
            name: str = entry.name  # type: ignore[attr-defined]
            plain = name.replace("_", "").lower()
            if plain in seen:
                raise node.member("name").fail(
                    f"is {name!r}, and there is {seen[plain]!r} before it; names have to differ in more than case and _"
                )
            seen[plain] = name
            found.append(entry)
        return tuple(found)
