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
from ferry.native import MeasureError, UnavailableError, folder_from, machine_card
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


def run_check(check: Check, file: TargetFile, plans: list[Plan], reporter: Reporter) -> Outcome:
    """Measure and judge. Raises MeasureError.

    A measurement that this machine lacks something for is left out with a note, unless it was named.
    """
    bench = folder_from("FERRY_BENCH", "the benchmarks")
    machine = machine_card(bench)
    note_limits(check.beside, reporter.note)
    here = check.file.absolute().parent
    measured: list[Measured] = []
    try:
        for plan in plans:
            with (
                Worlds(tuple(dict.fromkeys((*plan.worlds, *check.beside)))) as worlds,
                reporter.boundary(plan.name, plan.title) as advance,
            ):
                try:
                    measured.append(
                        measure_plan(plan, bench, here, check.quick, check.passes, advance, reporter.note, worlds)
                    )
                except UnavailableError as error:
                    if check.names:
                        raise
                    reporter.note(f"left out: {plan.name}: {error}")
                except MeasureError as error:
                    if check.names:
                        raise
                    reporter.note(str(error))
                    measured.append(Measured(plan, {world: [] for world in (World(),)}))
    except NeighbourError as error:
        raise MeasureError(str(error)) from error
    if not measured:
        raise MeasureError("this machine could measure nothing that has a target; the notes above say why")
    return Outcome(machine, measured, list(judge_all(file.targets, measured)))
