# SPDX-License-Identifier: BSD-3-Clause
"""Measure: pass after pass, in each every world, in each world every row, its jobs one right after the other.

Rows that are complete when the user interrupts a pass count; what is compared with each other stands in one row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ferry.check.commands import rows_of_commands
from ferry.check.derived import derived
from ferry.check.inputs import Place
from ferry.check.job import Figures, Note, Row
from ferry.check.lines import rows_of_lines
from ferry.check.targets import Plan
from ferry.folders import MeasureError
from ferry.native import UnavailableError
from ferry.neighbours import QUIET, World, Worlds
from ferry.progress import Advance


@dataclass
class Measured:
    """The figures of a measurement, pass by pass, in each world; and which jobs failed, with why."""

    plan: Plan
    passes: dict[World, list[Figures]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    #: Whether something that this machine lacks was left out.
    left_out: bool = False

    def names(self, world: World = QUIET) -> list[str]:
        """Return the names of the figures, in the order in which they were first measured."""
        return list(dict.fromkeys(name for figures in self.passes.get(world, []) for name in figures))


def _take_row(
    row: Row, step: int, world: World, measured: Measured, note: Note, advance: Callable[[], None]
) -> Figures:
    """Run every job once; one that fails is told of once, and has no figures."""
    figures: Figures = {}
    first = step % len(row)
    for job in row[first:] + row[:first]:
        try:
            figures |= job.take(world)
        except UnavailableError:
            raise
        except MeasureError as error:
            if job.label not in measured.failures:
                note(f"failed: {measured.plan.name}: {job.label}: {error}")
            measured.failures.setdefault(job.label, str(error))
        advance()
    return figures


def _take_pass(
    rows: list[Row], step: int, world: World, measured: Measured, note: Note, advance: Callable[[], None]
) -> None:
    """Run every row; those that are complete are kept when this is interrupted."""
    figures: Figures = {}
    measured.passes.setdefault(world, []).append(figures)
    try:
        for row in rows:
            figures.update(_take_row(row, step, world, measured, note, advance))
    finally:
        figures.update(derived(measured.plan.derive, figures))


def measure_plan(
    measured: Measured,
    bench: Path,
    here: Path,
    quick: bool,
    passes: int | None,
    advance: Advance,
    note: Note,
    worlds: Worlds,
) -> None:
    """Measure. Raises MeasureError when nothing could be, UnavailableError where something is not there."""
    plan = measured.plan

    def leave_out(text: str) -> None:
        measured.left_out = True
        note(f"left out: {text}")

    place = Place(bench, here, note, leave_out)
    rows = [row for row in [*rows_of_lines(plan, place, quick), *rows_of_commands(plan, place)] if row]
    count = passes or (plan.quick_passes if quick else plan.passes)
    done, total = 0, count * worlds.count * sum(len(row) for row in rows)

    def step_on() -> None:
        nonlocal done
        done += 1
        advance(done, total)

    advance(done, total)
    for step in range(count):
        for world in worlds.turns(step):
            _take_pass(rows, step, world, measured, note, step_on)
    if not any(figures for passed in measured.passes.values() for figures in passed):
        raise MeasureError(f"measurement {plan.name} gave no figure; what failed is named above")
