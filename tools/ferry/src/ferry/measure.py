# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure`: run the benchmarks, fit, compare, print one table."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from ferry import compare
from ferry.boundaries import BOUNDARIES, Boundary, Guest, Programs, Runtimes
from ferry.fit import FitError, fit_line
from ferry.guest import measure_guest
from ferry.measurement import Measurement, Result, to_text
from ferry.native import MeasureError, Sample, UnavailableError, folder_from, machine_card, measure_programs
from ferry.output import Output, OutputError
from ferry.processes import measure_processes
from ferry.progress import Reporter
from ferry.runtimes import measure_runtimes
from ferry.table import WIDTH_ELSEWHERE, print_table

DEFAULT_TREE = Path("/usr")


def fit_results(boundary: Boundary, samples: list[Sample]) -> list[Result]:
    """Fit each variant, in the order the benchmark first measured them."""
    grouped: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for sample in samples:
        grouped.setdefault((sample.variant, sample.unit), []).append((sample.n, sample.value))
    results = []
    for (variant, unit), pairs in grouped.items():
        try:
            results.append(Result(boundary.name, variant, unit, fit_line(pairs), tuple(pairs)))
        except FitError as error:
            raise MeasureError(f"boundary {boundary.name}, variant {variant}: {error}") from error
    if not results:
        raise MeasureError(f"boundary {boundary.name}: its benchmarks printed no samples")
    return results


def measure(boundaries: list[Boundary], quick: bool, tree: Path, reporter: Reporter, insist: bool) -> Measurement:
    """Measure the boundaries one after the other. Raises MeasureError.

    A boundary that this machine lacks something for is left out with a note, unless we insist on it.
    """
    bench = folder_from("FERRY_BENCH", "the benchmarks")
    machine = machine_card(bench)
    results: list[Result] = []
    for boundary in boundaries:
        try:
            with reporter.boundary(boundary.name, boundary.title) as advance:
                if isinstance(boundary.source, Programs):
                    samples = measure_programs(boundary, boundary.source, bench, quick, advance, reporter.note)
                elif isinstance(boundary.source, Guest):
                    samples = measure_guest(boundary, boundary.source, bench, quick, advance, reporter.note, insist)
                elif isinstance(boundary.source, Runtimes):
                    samples = measure_runtimes(boundary, boundary.source, bench, quick, advance, reporter.note)
                else:
                    samples = measure_processes(boundary, boundary.source, bench, tree, quick, advance)
        except UnavailableError as error:
            if insist:
                raise
            reporter.note(f"left out: {boundary.name}: {error}")
            continue
        results += fit_results(boundary, samples)
    if not results:
        raise MeasureError("this machine could measure none of the boundaries; the notes above say why")
    ratios = tuple(
        ratio
        for boundary in boundaries
        for ratio in compare.ratios(boundary, [result for result in results if result.boundary == boundary.name])
    )
    return Measurement(machine, tuple(results), ratios)


def _chosen(names: tuple[str, ...]) -> list[Boundary]:
    known = {boundary.name: boundary for boundary in BOUNDARIES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"unknown boundary '{unknown[0]}'; the known ones are: {', '.join(known)}")
    return [boundary for boundary in BOUNDARIES if not names or boundary.name in names]


def table_console(to_stderr: bool) -> Console:
    """Make the console for results: as wide as the terminal, or as the table needs."""
    stream = sys.stderr if to_stderr else sys.stdout
    return Console(stderr=to_stderr, width=None if stream.isatty() else WIDTH_ELSEWHERE)


@click.command(name="measure")
@click.argument("boundary", nargs=-1)
@click.option("--quick", is_flag=True, help="Take fewer samples: less than a minute for all boundaries.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write machine, samples, fits and ratios to FILE, which ferry report and ferry advise read. - is standard"
    " output; then the table goes to standard error.",
)
@click.option(
    "--tree",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=DEFAULT_TREE,
    show_default=True,
    metavar="PATH",
    help="Measure the walk boundary on subtrees of PATH.",
)
def measure_command(boundary: tuple[str, ...], quick: bool, json_file: Path | None, tree: Path) -> None:
    """Measure what crossing each BOUNDARY costs on this machine (default: all of them).

    Fits T(n) = fixed + n × per call to the least time of each batch size n, and compares each way of crossing with the
    physical floor. Every figure comes with its standard error.
    """
    chosen = _chosen(boundary)
    output = Output("--json", json_file, parents=True) if json_file else None
    try:
        if output:
            output.check()
        measurement = measure(chosen, quick, tree, Reporter(Console(stderr=True)), bool(boundary))
        to_stderr = output is not None and output.is_standard_output
        print_table(measurement, table_console(to_stderr))
        if output:
            output.write(to_text(measurement))
    except (MeasureError, OutputError) as error:
        raise click.ClickException(str(error)) from error
