# SPDX-License-Identifier: BSD-3-Clause
"""The hash of an interface (I5): whether a binding and a library were made from the same description."""

from __future__ import annotations

import json
from typing import Any

_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3


def fnv1a(data: bytes) -> int:
    """Return the 64-bit FNV-1a hash of some bytes."""
    value = _FNV_OFFSET
    for byte in data:
        value = (value ^ byte) * _FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    return value


def without_doc(value: Any) -> Any:
    """Return a JSON value without any member that is called `doc`."""
    if isinstance(value, dict):
        return {key: without_doc(item) for key, item in value.items() if key != "doc"}
    if isinstance(value, list):
        return [without_doc(item) for item in value]
    return value


def canonical(description: dict[str, Any]) -> bytes:
    """Return the text that is hashed: sorted keys, no white space, no `hash`, no `doc`, UTF-8."""
    plain = without_doc({key: value for key, value in description.items() if key != "hash"})
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def interface_hash(description: dict[str, Any]) -> str:
    """Return the hash of a description as its `hash` has to be: 16 hexadecimal digits."""
    return f"{fnv1a(canonical(description)):016x}"
