# SPDX-License-Identifier: BSD-3-Clause
"""What an event is, and which of an interface's events it is one of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ferry_ingress.core import Overflow
from ferry_ingress.wire import Codec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Event(Generic[T]):
    """One event; `lost` is how many this listener has lost since the one before."""

    value: T
    lost: int


@dataclass(frozen=True, slots=True)
class EventKind(Generic[T]):
    """An event that a library declares; `depth` is how many may wait, 0 for what the context says."""

    number: int
    codec: Codec[T]
    overflow: Overflow
    depth: int
