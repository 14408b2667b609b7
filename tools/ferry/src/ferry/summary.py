# SPDX-License-Identifier: BSD-3-Clause
"""What a measurement says to a stranger, in twelve lines at most: what is compared, without Ferry, with Ferry.

Each boundary has a line, and a second one while there is room. A cost is that of one call in a run of the largest n
measured. How many times as fast is its quotient; `worth it` names the size from which on Ferry is the cheaper one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ferry.boundaries import BOUNDARIES, Boundary, Comparison, by_name, call, joined
from ferry.compare import verdict
from ferry.line import FitError, ratio
from ferry.measurement import Measurement, Result
from ferry.neighbours import QUIET, World
from ferry.quantity import plain_cost

#: Lines of a summary, with its heading and its last line.
LINES_MAX = 12
ROWS_MAX = LINES_MAX - 2
#: Wide enough for every line, so that none is broken.
WIDTH = 120
#: A difference below this share is none that a reader should act on.
SAME_WITHIN = 0.02


@dataclass(frozen=True)
class Line:
    """One line: a comparison and its figures."""

    boundary: str
    text: str
    without_text: str
    #: Costs of one call, in nanoseconds or instructions.
    without: float
    ferry: float
    floor: float | None
    unit: str
    times: float
    #: Where there is no room for all, lines of a lower rank are kept.
    rank: int
    #: How many times as fast in each world with busy loops.
    beside: dict[World, float]
    #: The size from which Ferry is cheaper: 1 is always, none is never.
    from_n: int | None


def _cost(result: Result, n: int) -> float:
    return max(result.line.time(n), 0.0) / n


def _size(*results: Result) -> int:
    """Return the largest n that all were measured at."""
    return min(max(n for n, _ in result.samples) for result in results)


def _pair(measurement: Measurement, name: str, one: Comparison, world: World) -> tuple[Result, Result] | None:
    """Return the result with Ferry and the best without, in one world."""
    ferry = measurement.find(name, one.ferry, world)
    others = [other for variant in one.without if (other := measurement.find(name, variant, world))]
    if ferry is None or not others:
        return None
    return ferry, min(others, key=lambda other: _cost(other, _size(ferry, other)))


def _without_text(measurement: Measurement, name: str, one: Comparison) -> str:
    """Return what Ferry was compared with: of several variants those that were measured."""
    if len(one.without) == 1:
        return one.without_text
    words = zip(one.without, one.without_text.split(", "), strict=True)
    return ", ".join(word for variant, word in words if measurement.find(name, variant, QUIET))


def _times(ferry: Result, other: Result) -> float | None:
    try:
        return ratio(other.line, ferry.line, _size(ferry, other)).value
    except FitError:
        return None


def _from_n(ferry: Result, other: Result, times: float) -> int | None:
    """Return the size from which Ferry is cheaper, by the fits."""
    if times < 1 + SAME_WITHIN:
        return None
    judged = verdict(ferry, other)
    if judged.crossing is None or judged.saving.value < 0:
        return 1
    return max(1, math.ceil(judged.crossing.value))


def _line(measurement: Measurement, boundary: Boundary, one: Comparison, place: int) -> Line | None:
    pair = _pair(measurement, boundary.name, one, QUIET)
    times = _times(*pair) if pair else None
    if pair is None or times is None:
        return None
    ferry, other = pair
    n = _size(ferry, other)
    floor = measurement.find(boundary.name, joined(boundary.floor, call(one.ferry)), QUIET)
    beside = {}
    for world in measurement.worlds(boundary.name):
        there = _pair(measurement, boundary.name, one, world)
        found = _times(*there) if there else None
        if found is not None:
            beside[world] = found
    return Line(
        boundary=boundary.name,
        text=one.text,
        without_text=_without_text(measurement, boundary.name, one),
        without=_cost(other, n),
        ferry=_cost(ferry, n),
        floor=_cost(floor, _size(floor)) if floor else None,
        unit=ferry.unit,
        times=times,
        rank=place if one.rank is None else one.rank,
        beside=beside,
        from_n=_from_n(ferry, other, times),
    )


def _lines(measurement: Measurement) -> Iterator[Line]:
    for name in measurement.boundaries():
        boundary = by_name(name)
        for place, one in enumerate(boundary.summary if boundary else ()):
            if boundary and (line := _line(measurement, boundary, one, place)):
                yield line


def summary(measurement: Measurement) -> list[Line]:
    """Return the lines, boundary by boundary: those of the lowest ranks, while there is room."""
    lines = list(_lines(measurement))
    by_rank = sorted(range(len(lines)), key=lambda place: lines[place].rank)
    return [lines[place] for place in sorted(by_rank[:ROWS_MAX])]


def times_text(times: float) -> str:
    """Format how many times as fast: 1.25 ×, 12 ×; what is slower stays below 1."""
    return f"{times:.0f} ×" if times >= 10 else f"{times:.2g} ×" if times < 1 else f"{times:.1f} ×"


def from_text(from_n: int | None) -> str:
    """Format whether it is worth it, and from which n on."""
    return "not here" if from_n is None else "always" if from_n == 1 else f"from n = {from_n:,}"


def not_measured(measurement: Measurement) -> list[str]:
    """Return the names of the boundaries that are not in it."""
    measured = measurement.boundaries()
    return [boundary.name for boundary in BOUNDARIES if boundary.name not in measured]


def last_line(measurement: Measurement, chosen: bool) -> str:
    """Say what was not measured, unless the user chose what is, and where the rest is."""
    absent = [] if chosen else not_measured(measurement)
    rest = "--all prints every figure"
    if not absent:
        return rest
    what = "it or says what that needs" if len(absent) == 1 else "them or says what they need"
    return f"not measured: {', '.join(absent)}; `ferry measure {' '.join(absent)}` measures {what}. {rest}"


def summary_table(measurement: Measurement) -> Table:
    """Build the table."""
    machine, worlds = measurement.machine, measurement.worlds()
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column(f"{machine.get('cpu')}, {machine.get('cores')} cores", overflow="ellipsis", no_wrap=True)
    for heading in ("without Ferry", "", "with Ferry", "as fast", *(f"beside {world.text}" for world in worlds)):
        table.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
    table.add_column("worth it", no_wrap=True)
    for line in summary(measurement):
        table.add_row(
            Text(line.text),
            plain_cost(line.without, line.unit),
            Text(line.without_text, style="dim"),
            plain_cost(line.ferry, line.unit),
            times_text(line.times),
            *(times_text(line.beside[world]) if world in line.beside else "" for world in worlds),
            from_text(line.from_n),
        )
    return table


def print_summary(measurement: Measurement, console: Console, *, chosen: bool) -> None:
    """Print it, and what was not measured unless the user chose that."""
    console.print(summary_table(measurement), highlight=False)
    console.print(last_line(measurement, chosen), highlight=False, markup=False, style="dim", soft_wrap=True)
