# SPDX-License-Identifier: BSD-3-Clause
"""The one table that `ferry measure` prints; it leaves out columns rather than cut figures on a narrow terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.measure import Measurement as Width
from rich.table import Table

from ferry.boundaries import Boundary, by_name, call, way
from ferry.compare import beside_quiet, floor_of, pairs_of
from ferry.line import LINEAR_WITHIN, difference
from ferry.measurement import UNITS, Measurement, Ratio, Result
from ferry.neighbours import QUIET, World
from ferry.quantity import cost_with_error, percent, with_error

#: A table that is not on a terminal is this wide, and so much wider for each world with busy loops.
WIDTH_ELSEWHERE = 140
WIDTH_OF_WORLD = 38
#: Wider than any table: what a table would take is asked with so much room.
WIDTH_MAX = 1000
#: Column -> heading, in order. `few` and `many` are ratios at a small and a large n.
COLUMNS = {
    "variant": "T(n) = fixed + n × per call",
    "fixed": "fixed",
    "per_call": "per call",
    "above": "above floor",
    "few": "× floor",
    "many": "× floor",
    "off": "line off by",
}
#: What a narrow terminal does without, first to last; never what a world with busy loops was asked for.
DISPENSABLE = ("few", "off", "above", "fixed")

#: Columns of a world with busy loops: their prefixes, before its text, and their headings.
COST_BESIDE, TIMES_QUIET = "cost:", "quiet:"

INDENT = "    "

Row = dict[str, str]


def ratio_between(measurement: Measurement, one: Result, other: Result) -> list[Ratio]:
    """Return the ratios of one pair, n rising."""
    found = [
        ratio
        for ratio in measurement.ratios
        if (ratio.boundary, ratio.numerator, ratio.denominator, ratio.world)
        == (one.boundary, one.variant, other.variant, one.world)
    ]
    return sorted(found, key=lambda ratio: ratio.n)


def _ratio_cells(ratios: list[Ratio]) -> Row:
    """Make the cells of the small size and the large one. One ratio alone is of the largest size."""
    cells = {"few": "", "many": ""}
    for column, ratio in zip(("few", "many")[-len(ratios) :], ratios, strict=False):
        cells[column] = with_error(ratio.value, ratio.err)
    return cells


def fit_text(result: Result) -> str:
    """How far the line is from the minima; flagged when it is not a line."""
    mark = "" if result.line.linear else "† "
    return f"{mark}{percent(result.line.residual)} at {result.line.residual_n:,}"


def _variant_row(measurement: Measurement, boundary: Boundary | None, result: Result) -> Row:
    line = result.line
    row = {
        "variant": f"{INDENT}{way(result.variant)}{'' if line.linear else ' †'}",
        "fixed": cost_with_error(line.fixed, line.fixed_err, result.unit),
        "per_call": cost_with_error(line.per_call, line.per_call_err, result.unit),
        "off": fit_text(result),
    }
    row |= _beside_cells(measurement, result)
    if boundary is None:
        return row
    floor = floor_of(boundary, result, measurement.of(result.boundary))
    if floor:
        more = difference(line, floor.line)
        row["above"] = cost_with_error(more.value, more.err, result.unit)
        row |= _ratio_cells(ratio_between(measurement, result, floor))
    elif way(result.variant) == boundary.floor:
        row["above"] = "floor"
    return row


def _beside_cells(measurement: Measurement, quiet: Result) -> Row:
    """Make the cells of the same variant beside busy loops."""
    row: Row = {}
    for world in measurement.worlds(quiet.boundary):
        result = measurement.find(quiet.boundary, quiet.variant, world)
        if result is None:
            continue
        row[COST_BESIDE + world.text] = cost_with_error(result.line.per_call, result.line.per_call_err, result.unit)
        times = beside_quiet(result, [quiet])
        row[TIMES_QUIET + world.text] = with_error(times.value, times.err) if times else ""
    return row


def _pair_row(measurement: Measurement, boundary: Boundary, one: Result, other: Result) -> Row:
    """Make the row of a pair; in the column of a world with busy loops is the ratio there, of the largest size."""
    row = {"variant": f"{INDENT}[italic]{way(one.variant)} ÷ {way(other.variant)}[/]"}
    if way(other.variant) != boundary.floor:
        row |= _ratio_cells(ratio_between(measurement, one, other))
    for world in measurement.worlds(one.boundary):
        both = [measurement.find(one.boundary, result.variant, world) for result in (one, other)]
        ratios = ratio_between(measurement, both[0], both[1]) if both[0] and both[1] else []
        row[COST_BESIDE + world.text] = with_error(ratios[-1].value, ratios[-1].err) if ratios else ""
    return row


def _boundary_rows(measurement: Measurement, name: str) -> list[Row]:
    boundary, results = by_name(name), measurement.of(name, QUIET)
    clock = UNITS[results[0].unit].partition(",")[0]
    sizes = sorted({ratio.n for ratio in measurement.ratios if ratio.boundary == name})[-2:]
    headings = dict(zip(("few", "many")[-len(sizes) :], [f"[dim]n = {n:,}[/]" for n in sizes], strict=False))
    rows: list[Row] = [{"variant": f"[bold]{name}[/] [dim]({clock})[/]", **headings}]
    for kind in dict.fromkeys(call(result.variant) for result in results):
        rows += [{"variant": f"  {kind}"}] if kind else []
        same = [result for result in results if call(result.variant) == kind]
        rows += [_variant_row(measurement, boundary, result) for result in same]
        for one, other in pairs_of(boundary, same) if boundary else ():
            # of a pair with the floor, the variant's own row has these ratios
            if boundary and (way(other.variant) != boundary.floor or measurement.worlds(name)):
                rows.append(_pair_row(measurement, boundary, one, other))
    return rows


def _caption(measurement: Measurement) -> str:
    known = [boundary for name in measurement.boundaries() if (boundary := by_name(name))]
    lines = [f"{boundary.name}: {boundary.title}. Floor: {boundary.floor_text}." for boundary in known]
    lines += [
        f"beside {world.text}: {world.words}, by turns with the quiet machine; the fit is to the mean of each n, "
        "and × quiet is T there ÷ T on the quiet machine, at the largest n. A row ONE ÷ OTHER has their ratio there."
        for world in measurement.worlds()
    ]
    lines.append("± one standard error. Line off by: its largest distance from a measured minimum, and at which n.")
    if not all(result.line.linear for result in measurement.results):
        lines.append(
            f"† off by more than {percent(LINEAR_WITHIN)}: not a line; trust the samples, not the two figures."
        )
    return "\n".join(lines)


def columns_of(worlds: list[World]) -> dict[str, str]:
    """Return the columns with their headings: COLUMNS, and those of each world with busy loops."""
    beside = {
        key: heading
        for world in worlds
        for key, heading in (
            (COST_BESIDE + world.text, f"per call, beside {world.text}"),
            (TIMES_QUIET + world.text, "× quiet"),
        )
    }
    return COLUMNS | beside


def width_elsewhere(measurement: Measurement) -> int:
    """Return how wide the table is that is not on a terminal."""
    return WIDTH_ELSEWHERE + WIDTH_OF_WORLD * len(measurement.worlds())


def results_table(measurement: Measurement, columns: list[str]) -> Table:
    """Build the table with some of the columns."""
    headings = columns_of(measurement.worlds())
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for column in columns:
        table.add_column(headings[column], justify="left" if column == "variant" else "right", no_wrap=True)
    for name in measurement.boundaries():
        for row in _boundary_rows(measurement, name):
            table.add_row(*(row.get(column, "") for column in columns))
        table.add_section()
    return table


def fitting_table(measurement: Measurement, console: Console) -> Table:
    """Return the table with the columns that the console has room for."""
    columns = list(columns_of(measurement.worlds()))
    for dispensable in (*DISPENSABLE, None):
        table = results_table(measurement, columns)
        if (
            dispensable is None
            or Width.get(console, console.options.update(width=WIDTH_MAX), table).maximum <= console.width
        ):
            break
        columns.remove(dispensable)
    return table


def print_table(measurement: Measurement, console: Console) -> None:
    """Print the machine and the table."""
    machine = measurement.machine
    console.print(
        f"{machine.get('cpu')}, {machine.get('cores')} cores, {machine.get('kernel')}, {machine.get('compiler')}\n"
        f"mitigations: {machine.get('mitigations')}\n",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    console.print(fitting_table(measurement, console), highlight=False)
    console.print(_caption(measurement), highlight=False, style="dim", soft_wrap=True)
