# SPDX-License-Identifier: BSD-3-Clause
"""What `ferry measure --check FILE` does: measure what the targets are about, judge, print, write."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ferry.check.judge import Verdict, judge_all
from ferry.check.run import Measured, measure_plan
from ferry.check.show import print_figures, print_machine, print_verdicts
from ferry.check.table import TargetError
from ferry.check.targets import Plan, TargetFile, load_targets
from ferry.folders import MeasureError, folder_from
from ferry.native import UnavailableError, machine_card
from ferry.neighbours import NeighbourError, World, Worlds, note_limits
from ferry.progress import Reporter


@dataclass(frozen=True)
class Check:
    """What was asked for."""

    file: Path
    names: tuple[str, ...]
    quick: bool
    passes: int | None
    beside: tuple[World, ...]
    every_figure: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    machine: dict[str, Any]
    measured: list[Measured]
    verdicts: list[Verdict]
    #: Whether the user interrupted it; then the targets of what was not measured have no verdict.
    interrupted: bool = False

    @property
    def missed(self) -> bool:
        """Whether a bound is not kept."""
        return any(one.met is False for one in self.verdicts)

    def to_text(self) -> str:
        """Make the text of the file."""
        figures = [
            {"measurement": one.plan.name, "figure": name, "values": [figures.get(name) for figures in passes]}
            | world.to_json()
            for one in self.measured
            for world, passes in one.passes.items()
            for name in one.names(world)
        ]
        document = {
            "machine": self.machine,
            "targets": [one.to_json() for one in self.verdicts],
            "figures": figures,
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def print(self, console: Console, every_figure: bool) -> None:
        """Print the table, with `every_figure` each figure before it."""
        print_machine(self.machine, console)
        if every_figure:
            print_figures(self.measured, console)
        print_verdicts(self.verdicts, console)


def chosen_plans(file: TargetFile, names: tuple[str, ...]) -> list[Plan]:
    """Return the measurements that were named; without names all that have a target."""
    known = [plan.name for plan in file.plans]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"unknown measurement '{unknown[0]}'; the file's are: {', '.join(known)}")
    wanted = names or {target.measurement for target in file.targets}
    return [plan for plan in file.plans if plan.name in wanted]


def load_check(check: Check) -> tuple[TargetFile, list[Plan]]:
    """Read the file and choose. Raises a click exception."""
    try:
        file = load_targets(check.file)
    except TargetError as error:
        raise click.UsageError(str(error)) from error
    return file, chosen_plans(file, check.names)


def _measure_one(plan: Plan, check: Check, bench: Path, reporter: Reporter, measured: list[Measured]) -> None:
    """Measure one plan, and put it among the measured at once, so that an interrupted one is there too.

    One that this machine lacks something for is left out with a note, unless it was named.
    """
    one = Measured(plan)
    measured.append(one)
    with (
        Worlds(tuple(dict.fromkeys((*plan.worlds, *check.beside)))) as worlds,
        reporter.boundary(plan.name, plan.title) as advance,
    ):
        try:
            here = check.file.absolute().parent
            measure_plan(one, bench, here, check.quick, check.passes, advance, reporter.note, worlds)
        except UnavailableError as error:
            if check.names:
                raise
            reporter.note(f"left out: {plan.name}: {error}")
            measured.remove(one)
        except MeasureError as error:
            if check.names:
                raise
            reporter.note(str(error))
            one.passes = {World(): []}


def run_check(check: Check, file: TargetFile, plans: list[Plan], reporter: Reporter) -> Outcome:
    """Measure and judge. Raises MeasureError. After an interrupt (SIGINT) what was measured until then is judged."""
    bench = folder_from("FERRY_BENCH", "the benchmarks")
    machine = machine_card(bench)
    note_limits(check.beside, reporter.note)
    measured: list[Measured] = []
    interrupted = False
    try:
        for plan in plans:
            _measure_one(plan, check, bench, reporter, measured)
    except NeighbourError as error:
        raise MeasureError(str(error)) from error
    except KeyboardInterrupt:
        interrupted = True
        measured = [one for one in measured if any(figures for passed in one.passes.values() for figures in passed)]
        reporter.note("interrupted: only what was measured until now is judged")
    if not measured:
        raise MeasureError("nothing that has a target was measured; the notes above say why")
    return Outcome(machine, measured, list(judge_all(file.targets, measured)), interrupted)
