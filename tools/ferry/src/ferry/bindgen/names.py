# SPDX-License-Identifier: BSD-3-Clause
"""Names in the case that a host language wants (I3)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*")


def words(name: str) -> list[str]:
    """Split a snake_case or CamelCase name: `HTTPServer2` is http, server2."""
    return [word.lower() for part in name.split("_") for word in _WORDS.findall(part)]


def snake(name: str) -> str:
    """Write a name as snake_case."""
    return "_".join(words(name))


def screaming(name: str) -> str:
    """Write a name as SCREAMING_CASE."""
    return snake(name).upper()


def pascal(name: str) -> str:
    """Write a name as PascalCase."""
    return "".join(word[:1].upper() + word[1:] for word in words(name))


def camel(name: str) -> str:
    """Write a name as camelCase."""
    whole = pascal(name)
    return whole[:1].lower() + whole[1:]


def unreserved(name: str, reserved: Container[str]) -> str:
    """Append `_` to a word that the language keeps to itself."""
    return f"{name}_" if name in reserved else name


def listed(text: str) -> frozenset[str]:
    """Return the words of a text with blanks between: what a language keeps to itself."""
    return frozenset(text.split())


class Scope:
    """Names of one scope of a host language; one that is taken, or reserved, gets `_` appended until it is neither.

    What is asked for first gets what it wants: a description's methods and events, which versions only add to at the
    end (V1), keep their names whatever comes after them.
    """

    def __init__(self, taken: Iterable[str] = (), reserved: Container[str] = frozenset()) -> None:
        self._taken = set(taken)
        self._reserved = reserved

    def has_room(self, wanted: Iterable[str]) -> bool:
        """Return whether none of these is taken or reserved."""
        return not any(name in self._taken or name in self._reserved for name in wanted)

    def take(self, *wanted: str) -> tuple[str, ...]:
        """Give out names that belong together, all with the same number of `_`."""
        suffix = ""
        while not self.has_room(name + suffix for name in wanted):
            suffix += "_"
        given = tuple(name + suffix for name in wanted)
        self._taken.update(given)
        return given

    def one(self, wanted: str) -> str:
        """Give out one name."""
        return self.take(wanted)[0]
