# SPDX-License-Identifier: BSD-3-Clause
"""What a pass of a measurement is made of: jobs, each of which runs once and gives figures by name.

A row is what is compared with each other: its jobs run one right after the other, another one first in each pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ferry.neighbours import World

#: Nanoseconds, or a count, by name.
Figures = dict[str, float]
#: Says something that is not progress.
Note = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """One process, or several side by side. `take` raises MeasureError."""

    label: str
    take: Callable[[World], Figures]


Row = list[Job]


def full_name(way: str, name: str, threads: int | None, size: int | None = None) -> str:
    """Return a figure's name: WAY:NAME@THREADS/SIZE, without the parts that there are none of."""
    return (
        (f"{way}:" if way else "")
        + name
        + (f"@{threads}" if threads is not None else "")
        + (f"/{size}" if size is not None else "")
    )
