# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure`: run the benchmarks, fit, compare, print one table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console

from ferry import compare
from ferry.boundaries import BOUNDARIES, Boundary, Guest, Programs, Runtimes
from ferry.check.command import Check, load_check, run_check
from ferry.check.show import WIDTH as CHECK_WIDTH
from ferry.folders import MeasureError, folder_from
from ferry.guest import measure_guest
from ferry.line import FitError
from ferry.measurement import Measurement, Ratio, Result, to_text
from ferry.native import Sample, UnavailableError, machine_card, measure_programs
from ferry.neighbours import LOOPS_MAX, WORLDS_MAX, NeighbourError, World, Worlds, WorldType, note_limits
from ferry.output import Output, OutputError
from ferry.processes import measure_processes
from ferry.progress import Reporter
from ferry.runtimes import measure_runtimes
from ferry.summary import WIDTH as SUMMARY_WIDTH
from ferry.summary import print_summary, summary
from ferry.table import WIDTH_ELSEWHERE, print_table, width_elsewhere

DEFAULT_TREE = Path("/usr")
#: More passes than this take a day.
PASSES_MAX = 1000
#: Exit status after an interrupt, as shells have it: 128 and the number of SIGINT.
INTERRUPTED = 130


def fit_results(boundary: Boundary, samples: list[Sample]) -> list[Result]:
    """Fit each variant, in the order the benchmark first measured them."""
    # numpy takes a third of the time in which a command that fits nothing ends
    from ferry.fit import fit_line

    grouped: dict[tuple[World, str, str], list[tuple[int, float]]] = {}
    for sample in samples:
        grouped.setdefault((sample.world, sample.variant, sample.unit), []).append((sample.n, sample.value))
    results = []
    for (world, variant, unit), pairs in grouped.items():
        try:
            line = fit_line(pairs, to_means=not world.quiet)
        except FitError as error:
            raise MeasureError(f"boundary {boundary.name}, variant {variant}: {error}") from error
        results.append(Result(boundary.name, variant, unit, line, tuple(pairs), world))
    if not results:
        raise MeasureError(f"boundary {boundary.name}: its benchmarks printed no samples")
    return results


def _samples(
    boundary: Boundary, bench: Path, quick: bool, tree: Path, reporter: Reporter, insist: bool, worlds: Worlds
) -> list[Sample]:
    """Take one boundary's samples in every world. Raises MeasureError."""
    source, note = boundary.source, reporter.note
    with reporter.boundary(boundary.name, boundary.title) as advance:
        if isinstance(source, Programs):
            return measure_programs(boundary, source, bench, quick, advance, note, worlds)
        if isinstance(source, Guest):
            return measure_guest(boundary, source, bench, quick, advance, note, insist, worlds)
        if isinstance(source, Runtimes):
            return measure_runtimes(boundary, source, bench, quick, advance, note, worlds)
        return measure_processes(boundary, source, bench, tree, quick, advance, worlds)


def measure(
    boundaries: list[Boundary], quick: bool, tree: Path, reporter: Reporter, insist: bool, beside: tuple[World, ...]
) -> Measurement:
    """Measure the boundaries one after the other, each in every world. Raises MeasureError.

    A boundary that this machine lacks something for is left out with a note, unless we insist on it.
    """
    bench = folder_from("FERRY_BENCH", "the benchmarks")
    machine = machine_card(bench)
    note_limits(beside, reporter.note)
    results: list[Result] = []
    try:
        with Worlds(beside) as worlds:
            for boundary in boundaries:
                try:
                    samples = _samples(boundary, bench, quick, tree, reporter, insist, worlds)
                except UnavailableError as error:
                    if insist:
                        raise
                    reporter.note(f"left out: {boundary.name}: {error}")
                    continue
                results += fit_results(boundary, samples)
    except NeighbourError as error:
        raise MeasureError(str(error)) from error
    if not results:
        raise MeasureError("this machine could measure none of the boundaries; the notes above say why")
    return Measurement(machine, tuple(results), tuple(_ratios(boundaries, results)))


def _ratios(boundaries: list[Boundary], results: list[Result]) -> Iterator[Ratio]:
    """Yield the ratios of each boundary, world by world."""
    for boundary in boundaries:
        for world in dict.fromkeys(result.world for result in results):
            of_world = [r for r in results if r.boundary == boundary.name and r.world == world]
            yield from compare.ratios(boundary, of_world)


def _chosen(names: tuple[str, ...]) -> list[Boundary]:
    known = {boundary.name: boundary for boundary in BOUNDARIES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"unknown boundary '{unknown[0]}'; the known ones are: {', '.join(known)}")
    return [boundary for boundary in BOUNDARIES if not names or boundary.name in names]


def table_console(to_stderr: bool, width: int = WIDTH_ELSEWHERE) -> Console:
    """Make the console for results: as wide as the terminal, or as the table needs."""
    stream = sys.stderr if to_stderr else sys.stdout
    # a variant may be called `batched:one:`, which is no picture
    return Console(stderr=to_stderr, emoji=False, width=None if stream.isatty() else width)


@click.command(name="measure", short_help="Measure what crossing each boundary costs here.")
@click.argument("boundary", nargs=-1)
@click.option("--quick", is_flag=True, help="Take fewer samples: about two minutes for all boundaries.")
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
@click.option(
    "--check",
    "check_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Measure instead what the targets of FILE need (all measurements in it, or those named), and say which targets"
    " are met. bench/targets.toml in Ferry's folder is such a file.",
)
@click.option("--strict", is_flag=True, help="With --check: exit status 1 when a target is missed.")
@click.option("--passes", type=click.IntRange(1, PASSES_MAX), metavar="N", help="With --check: measure N times.")
@click.option(
    "--all", "everything", is_flag=True, help="Print the whole table before the summary; with --check every figure."
)
@click.option(
    "--beside",
    type=WorldType(),
    multiple=True,
    metavar="N[:NICE][/ON/OFF]",
    help=f"Measure everything on the quiet machine and, by turns, also beside N busy loops (1 to {LOOPS_MAX}). The"
    " loops have this command's priority, or nice NICE; with ON/OFF they rest OFF µs after each ON µs."
    f" May be given up to {WORLDS_MAX} times.",
)
def measure_command(
    boundary: tuple[str, ...],
    quick: bool,
    json_file: Path | None,
    tree: Path,
    beside: tuple[World, ...],
    check_file: Path | None,
    strict: bool,
    passes: int | None,
    everything: bool,
) -> None:
    """Measure what crossing each BOUNDARY costs on this machine (default: all of them).

    Ends with a summary: what one call costs without Ferry and with it, and from which n on. --all prints the whole
    table first: it fits T(n) = fixed + n × per call to the least time of each batch size n, and compares each way of
    crossing with the physical floor. Every figure there comes with its standard error. Beside busy loops the fit is to
    the mean of each n: what they take of the processors is then part of what a call costs.
    """
    if len(beside) > WORLDS_MAX:
        raise click.UsageError(f"--beside is given {len(beside)} times; give it {WORLDS_MAX} times at most")
    output = Output("--json", json_file, parents=True) if json_file else None
    try:
        if check_file:
            _check(Check(check_file, boundary, quick, passes, beside, everything), output, strict)
            return
        for given, option in ((strict, "--strict"), (passes, "--passes")):
            if given:
                raise click.UsageError(f"{option} is about targets; give --check FILE too")
        measurement = _measure(_chosen(boundary), quick, tree, bool(boundary), beside, output)
        to_stderr = output is not None and output.is_standard_output
        # what has no line in the summary is asked for by name
        if everything or not summary(measurement):
            print_table(measurement, table_console(to_stderr, width_elsewhere(measurement)))
        print_summary(measurement, table_console(to_stderr, SUMMARY_WIDTH), chosen=bool(boundary))
        if output:
            output.write(to_text(measurement))
    except (MeasureError, OutputError) as error:
        raise click.ClickException(str(error)) from error


def _measure(
    chosen: list[Boundary], quick: bool, tree: Path, insist: bool, beside: tuple[World, ...], output: Output | None
) -> Measurement:
    if output:
        output.check()
    return measure(chosen, quick, tree, Reporter(Console(stderr=True, emoji=False)), insist, beside)


def _check(check: Check, output: Output | None, strict: bool) -> None:
    file, plans = load_check(check)
    if output:
        output.check()
    outcome = run_check(check, file, plans, Reporter(Console(stderr=True, emoji=False)))
    outcome.print(table_console(output is not None and output.is_standard_output, CHECK_WIDTH), check.every_figure)
    if output:
        output.write(outcome.to_text())
    if outcome.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if strict and outcome.missed:
        raise click.exceptions.Exit(1)
