# SPDX-License-Identifier: BSD-3-Clause
"""Read one table of a file of targets: each value by its type, and nothing that is not known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


class TargetError(ValueError):
    """A file of targets is wrong. The message names the place, what is wrong and what to write."""


@dataclass(frozen=True)
class Table:
    """A table of the file. `where` is its name in messages."""

    where: str
    values: dict[str, Any]

    def only(self, *known: str) -> None:
        """Refuse a key that is not known."""
        for key in self.values:
            if key not in known:
                raise TargetError(f"{self.where}: unknown key '{key}'; the known ones are: {', '.join(known)}")

    def _wrong(self, key: str, wanted: str) -> TargetError:
        if key not in self.values:
            return TargetError(f"{self.where}: '{key}' is missing; give {wanted}")
        return TargetError(f"{self.where}: '{key}' is {self.values[key]!r}; give {wanted}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text that is not empty, or the default."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or (not value and value != default):
            raise self._wrong(key, "a text")
        return value

    def number(self, key: str, default: float | None = None) -> float | None:
        """Return a finite number, or the default."""
        value = self.values.get(key, default)
        if value is None and default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(key, "a number")
        return float(value)

    def count(self, key: str, default: int) -> int:
        """Return a whole number of 1 or more."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self._wrong(key, "a whole number of 1 or more")
        return int(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false, or the default."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; empty where it is not there. One text stands for a list of one."""
        value = self.values.get(key, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise self._wrong(key, "a list of texts")
        return tuple(value)

    def counts(self, key: str) -> tuple[int, ...]:
        """Return a list of whole numbers; empty where it is not there."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(type(one) is int and one > 0 for one in value):
            raise self._wrong(key, "a list of whole numbers of 1 or more")
        return tuple(value)

    def named_texts(self, key: str) -> dict[str, str]:
        """Return a table of texts; empty where it is not there."""
        value = self.values.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise self._wrong(key, "a table of texts")
        return dict(value)

    def tables(self, key: str) -> list[Table]:
        """Return a list of tables; empty where it is not there."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._wrong(key, f"tables, each begun by [[…{key}]]")
        return [Table(f"{self.where}, {key} {number}", one) for number, one in enumerate(value, 1)]

    def named_tables(self, key: str) -> dict[str, Table]:
        """Return the tables of a table, by name; empty where it is not there."""
        value = self.values.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
            raise self._wrong(key, f"tables, each begun by [{key}.NAME]")
        return {name: Table(f"{key} {name}", one) for name, one in value.items()}
