# SPDX-License-Identifier: BSD-3-Clause
"""Compare figures with the bounds of targets.

A quotient is taken within one pass, in which both sides were measured side by side, and the median of the passes is
judged: a machine whose speed changes between passes does not show in it. A measurement that is often disturbed is
judged by the least figures of all passes instead (`by = "least"`), because a disturbance only adds time. A bound on a
figure itself, which is not a quotient, is for the quiet machine: beside busy loops it is measured and not judged.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ferry.check.job import Figures
from ferry.check.run import Measured
from ferry.check.targets import Target
from ferry.neighbours import World


@dataclass(frozen=True)
class Verdict:
    """A target in one world, and what was measured of it."""

    target: Target
    world: World
    #: The value of each pass that has one.
    values: tuple[float, ...] = ()
    judged: float | None = None
    floor: float | None = None
    #: The figures that no pass has.
    missing: tuple[str, ...] = ()
    #: Whether the measurement went on without something that this machine lacks.
    left_out: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the bound is kept; None where it is not judged, or what it is about is not here."""
        if not self.world.quiet and not self.target.of:
            return None
        if self.judged is None:
            return None if self.left_out else False
        return self.judged >= self.target.limit if self.target.at_least else self.judged <= self.target.limit

    def to_json(self) -> dict[str, Any]:
        """As the file has it."""
        target = self.target
        found: dict[str, Any] = {
            "measurement": target.measurement,
            "target": target.text,
            "figure": target.figure,
            "of": list(target.of),
            "at_least" if target.at_least else "at_most": target.limit,
            "by": target.by,
            "unit": "ratio" if target.of else target.unit,
            "value": self.judged,
            "values": list(self.values),
            "floor": self.floor,
            "met": self.met,
            "why": target.why,
        }
        return found | self.world.to_json()


def _over(figures: Figures, name: str, of: tuple[str, ...]) -> float | None:
    """Return a figure, or its quotient by the least of others that are there."""
    if name not in figures:
        return None
    if not of:
        return figures[name]
    others = [figures[other] for other in of if other in figures]
    return figures[name] / min(others) if others and min(others) > 0 else None


def _values(passes: list[Figures], name: str, of: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(value for figures in passes if (value := _over(figures, name, of)) is not None)


def _least(passes: list[Figures]) -> Figures:
    """Return the least of each figure over the passes."""
    least: Figures = {}
    for figures in passes:
        least |= {name: min(value, least.get(name, value)) for name, value in figures.items()}
    return least


def judge(target: Target, measured: Measured, world: World) -> Verdict:
    """Judge one target in one world."""
    passes = measured.passes.get(world, [])
    put_together: Callable[[str], float | None]
    if target.by == "least":
        least = _least(passes)
        put_together = lambda name: _over(least, name, target.of)  # noqa: E731
    else:
        put_together = lambda name: statistics.median(v) if (v := _values(passes, name, target.of)) else None  # noqa: E731
    judged = put_together(target.figure)
    missing = []
    if judged is None:
        there = {name for figures in passes for name in figures}
        missing = [name for name in (target.figure, *target.of) if name not in there]
    return Verdict(
        target=target,
        world=world,
        values=_values(passes, target.figure, target.of),
        judged=judged,
        floor=put_together(target.floor) if target.floor else None,
        missing=tuple(missing),
        left_out=measured.left_out,
    )


def judge_all(targets: tuple[Target, ...], measured: list[Measured]) -> Iterator[Verdict]:
    """Judge the targets of what was measured, measurement by measurement, world by world."""
    for one in measured:
        for world in one.passes:
            for target in targets:
                if target.measurement == one.plan.name:
                    yield judge(target, one, world)
