# SPDX-License-Identifier: BSD-3-Clause
"""Print the verdicts as one table, the missed ones once more below it; with `--all` every figure too."""

from __future__ import annotations

import statistics
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ferry.check.judge import Verdict
from ferry.check.run import Measured
from ferry.neighbours import World
from ferry.quantity import plain_time

#: The table that is not on a terminal is this wide.
WIDTH = 150
#: A figure that no pass has is named in full up to here.
MISSING_MAX = 2
#: A quotient or a count of this size has no decimals.
COUNT_DIGITS_FROM = 100


def figure_text(value: float | None, unit: str) -> str:
    """Format a figure in its unit; a quotient to three digits."""
    if value is None:
        return ""
    if unit == "ratio":
        return f"{value:.3g}" if value < COUNT_DIGITS_FROM else f"{value:,.0f}"
    if unit == "count" or value <= 0:
        return f"{value:.3g}" if value < COUNT_DIGITS_FROM else f"{value:,.0f}"
    return plain_time(value)


def _unit(verdict: Verdict) -> str:
    return "ratio" if verdict.target.of else verdict.target.unit


def bound_text(verdict: Verdict) -> str:
    """Format the bound."""
    unit = _unit(verdict)
    limit = f"{verdict.target.limit:g}" if unit == "ratio" else figure_text(verdict.target.limit, unit)
    return f"{'≥' if verdict.target.at_least else '≤'} {limit}"


def verdict_text(verdict: Verdict) -> str:
    """Say whether the bound is kept."""
    if verdict.judged is None:
        return "left out" if verdict.left_out else "no figure"
    if verdict.met is None:
        return "not judged"
    return "met" if verdict.met else "MISSED"


def spread_text(verdict: Verdict) -> str:
    """Format the least and the greatest of the passes."""
    if len(verdict.values) < 2:
        return ""
    low, high = (figure_text(value, _unit(verdict)) for value in (min(verdict.values), max(verdict.values)))
    return f"{low} to {high}"


def divisor_text(verdict: Verdict) -> str:
    """Name what a figure is divided by."""
    others = verdict.target.of
    return "" if not others else f"÷ {others[0]}" if len(others) == 1 else "÷ least of " + ", ".join(others)


def _world_text(world: World) -> str:
    return "" if world.quiet else f", {world.words}"


def verdict_table(verdicts: list[Verdict]) -> Table:
    """Build the table of targets."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for heading, side in (("target", "left"), ("bound", "right"), ("measured", "right"), ("least to most", "left")):
        table.add_column(heading, justify="left" if side == "left" else "right", overflow="fold")
    table.add_column("floor", justify="right")
    table.add_column("", no_wrap=True)
    group = None
    for one in verdicts:
        if group != (one.target.measurement, one.world):
            group = one.target.measurement, one.world
            table.add_section()
            table.add_row(Text.assemble((one.target.measurement, "bold"), _world_text(one.world)))
        unit = _unit(one)
        said = f"{one.target.text} {divisor_text(one)}".strip()
        table.add_row(
            Text(f"  {said}"),
            bound_text(one),
            figure_text(one.judged, unit),
            spread_text(one),
            figure_text(one.floor, unit),
            verdict_text(one),
        )
    return table


def _print_missed(verdicts: list[Verdict], console: Console) -> None:
    judged = [one for one in verdicts if one.met is not None]
    missed = [one for one in judged if not one.met]
    said = f"{len(judged) - len(missed)} of {len(judged)} targets met."
    absent = sum(one.judged is None and one.left_out for one in verdicts)
    said += f" {absent} more are about what is not here; the notes say why." if absent else ""
    console.print(said, highlight=False)
    for one in missed:
        what = f"{one.target.measurement}{_world_text(one.world)}: {one.target.text}"
        if one.missing:
            names = ", ".join(one.missing[:MISSING_MAX]) + (" …" if len(one.missing) > MISSING_MAX else "")
            said = f"no figure: {names} was not measured"
        else:
            said = f"{figure_text(one.judged, _unit(one))}, {bound_text(one)} wanted; {one.target.why}"
        console.print(f"missed: {what}: {said}", markup=False, highlight=False, soft_wrap=True)


def print_machine(machine: dict[str, Any], console: Console) -> None:
    """Print what the figures hold for."""
    words = ", ".join(str(machine.get(key)) for key in ("cpu", "kernel", "compiler"))
    console.print(f"{words}, {machine.get('cores')} cores", markup=False, highlight=False, soft_wrap=True)


def print_figures(measured: list[Measured], console: Console) -> None:
    """Print every figure: the median of the passes, the least and the greatest."""
    for one in measured:
        for world, passes in one.passes.items():
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
            table.add_column(f"{one.plan.name}{_world_text(world)}", overflow="fold")
            for heading in ("median", "least", "most"):
                table.add_column(heading, justify="right")
            for name in one.names(world):
                values = [figures[name] for figures in passes if name in figures]
                cells = (statistics.median(values), min(values), max(values))
                table.add_row(Text(name), *(figure_text(value, "ns") for value in cells))
            console.print(table, highlight=False)


def print_verdicts(verdicts: list[Verdict], console: Console) -> None:
    """Print the table and what was missed."""
    console.print(verdict_table(verdicts), highlight=False)
    console.print(
        "Measured: the median of the passes' quotients, or the least figures of all passes where the target says so. "
        "Floor: what the machine itself leaves of it.",
        highlight=False,
        style="dim",
        soft_wrap=True,
    )
    _print_missed(verdicts, console)
