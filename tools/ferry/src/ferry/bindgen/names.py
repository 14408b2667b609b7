# SPDX-License-Identifier: BSD-3-Clause
"""Names in the case that a host language wants (I3)."""

from __future__ import annotations

import re
from collections.abc import Container

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
