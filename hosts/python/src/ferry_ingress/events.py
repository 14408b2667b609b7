# SPDX-License-Identifier: BSD-3-Clause
"""Events, and the kinds of events that an interface declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ferry_ingress.core import Overflow
from ferry_ingress.wire import Codec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Event(Generic[T]):
    """One event. `lost` says how many events this listener has lost between the one before and this one."""

    value: T
    lost: int


@dataclass(frozen=True, slots=True)
class EventKind(Generic[T]):
    """An event that a library declares. `depth` is how many may wait for a listener; 0: as many as the context says."""

    number: int
    codec: Codec[T]
    overflow: Overflow
    depth: int
