# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with a value or with bytes, and the limits of every message (spec/interface.md, W7 and W8)."""

from __future__ import annotations

#: How deep objects, sequences and maps may nest (W7).
DEPTH_MAX = 32
#: A message has fewer bytes (W7).
BYTES_END = 1 << 32


class EncodeError(ValueError):
    """A value is not of its type, or over the limits of every message."""


class DecodeError(ValueError):
    """The bytes are not a value. The error has a reason and the path to the bad field (W8)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = ""

    def inside(self, step: str) -> DecodeError:
        """Put a step in front of the path."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{step}{dot}{self.path}"
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def deeper(depth: int) -> int:
    """Return the depth of what lies inside a value of this depth; raises EncodeError when that is too deep."""
    if depth >= DEPTH_MAX:
        raise EncodeError("nested too deep")
    return depth + 1
