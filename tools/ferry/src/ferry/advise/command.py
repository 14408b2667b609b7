# SPDX-License-Identifier: BSD-3-Clause
"""The command line of `ferry advise`."""

import io
import sys
from pathlib import Path

import click
from rich.console import Console

from ferry.advise.costs import Costs, load_costs, measure_now
from ferry.advise.emit_c import emit_c
from ferry.advise.errors import STATUS_FAILED, AdviseError
from ferry.advise.predict import Predictor
from ferry.advise.processes import take_census
from ferry.advise.record import Recorded, record, time_command
from ferry.advise.report import PLAIN_COLUMNS, Advice, print_report, rank, write_json
from ferry.advise.runs import GAP_US_DEFAULT, find_runs
from ferry.advise.shapes import group_runs
from ferry.advise.sources import Plugin, Sources
from ferry.advise.strace_parser import parse_lines
from ferry.advise.trace import Site, Trace
from ferry.output import DASH, Output, OutputError, open_input
from ferry.streams import LostOutputError

_READABLE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_WRITABLE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    short_help="Say where batches of system calls would pay in a program.",
    context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False},
)
@click.option("--strace", "trace_file", type=_READABLE, metavar="FILE", help="Analyse a trace instead of running CMD.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Print so many kinds of runs.")
@click.option("--gap-us", type=click.FloatRange(0), default=GAP_US_DEFAULT, show_default=True,
              help="So much user code between two calls ends a run; what tracing takes is not counted.")  # fmt: skip
@click.option("--measurement", "measurement_file", type=_READABLE, metavar="FILE",
              help="Read costs from FILE, which `ferry measure --json` wrote, and do not measure now.")  # fmt: skip
@click.option("--time", "time_it", is_flag=True,
              help="Also run CMD without strace, input and output, to learn how long it takes.")  # fmt: skip
@click.option("--lines", is_flag=True, help="Name the source lines of the calls; tracing is slower.")
@click.option("--compiled", "compiled_file", type=_READABLE, metavar="FILE",
              help="With --lines: what `ferry cc -fopt-info-optimized-missed` said as it compiled CMD.")  # fmt: skip
@click.option(
    "--json", "json_file", type=_WRITABLE, metavar="FILE", help="Write everything found as JSON; - is stdout."
)
@click.option("--emit", type=click.Choice(["c"]), help="Write a run as a batch in this language.")
@click.option("--run", "run_number", type=click.IntRange(1), metavar="K", help="Which run of the table to write [1].")
@click.option("-o", "--output", type=_WRITABLE, metavar="FILE", help="Where --emit writes; stdout if not given.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[--] CMD…")
def advise(
    trace_file: Path | None,
    top: int,
    gap_us: float,
    measurement_file: Path | None,
    time_it: bool,
    lines: bool,
    compiled_file: Path | None,
    json_file: Path | None,
    emit: str | None,
    run_number: int | None,
    output: Path | None,
    command: tuple[str, ...],
) -> None:
    """Say where batching its system calls would pay in CMD, and how much.

    Runs CMD under strace, finds consecutive calls that one batch could carry, and predicts from measured costs what
    that would save on this machine. The report goes to stderr after CMD has ended, to stdout with --strace. The exit
    status is CMD's; 125 when advise itself fails, 126 or 127 when CMD cannot be run, 2 for wrong options.
    """
    try:
        _check(trace_file, time_it, emit, run_number, output, command)
        if compiled_file is not None and not lines:
            raise click.UsageError("--compiled says what became of source lines: add --lines")
        for option, path in (("--json", json_file), ("--output", output)):
            if path is not None:
                Output(option, path).check()
        costs = load_costs(measurement_file) if measurement_file else None
        plugin = Plugin.read(compiled_file) if compiled_file else None
        recorded = _load(trace_file) if trace_file else record(command, stacks=lines)
        advice = _analyse(recorded, gap_us, costs, command or (f"{trace_file}",), time_it, trace_file is None)
        advice.sources = Sources(_sites(advice)) if lines else None
        advice.plugin = plugin
        own_stdout = trace_file is not None and not _is_taken(json_file, emit, output)
        _write(advice, json_file, emit, run_number, output)
        _print(advice, top, own_stdout)
        sys.stdout.flush()
    except (AdviseError, OutputError, LostOutputError) as error:
        click.echo(f"ferry advise: {error}", err=True)
        sys.exit(error.status if isinstance(error, AdviseError) else STATUS_FAILED)
    sys.exit(recorded.status)


def _sites(advice: Advice) -> set[Site]:
    """Where the runs that are shown make their calls."""
    return {call.site for group, _ in advice.groups for call in group.example.calls if call.site is not None}


def _is_taken(json_file: Path | None, emit: str | None, output: Path | None) -> bool:
    """Whether standard output has something else than the report."""
    return DASH in (str(json_file), str(output)) or (emit is not None and output is None)


def _check(
    trace_file: Path | None,
    time_it: bool,
    emit: str | None,
    run_number: int | None,
    output: Path | None,
    command: tuple[str, ...],
) -> None:
    if trace_file is None and not command:
        raise click.UsageError("no command: give one after `--`, as in `ferry advise -- git status`, or --strace FILE")
    if trace_file is not None and command:
        raise click.UsageError("--strace FILE analyses a trace, so CMD would not run: leave one of them out")
    if trace_file is not None and time_it:
        raise click.UsageError("--time runs CMD, which --strace does not have: leave one of them out")
    if emit is None and (run_number is not None or output is not None):
        raise click.UsageError("--run and --output say what --emit writes: add --emit c")


def _load(path: Path) -> Recorded:
    try:
        with open_input(path) as file, io.TextIOWrapper(file, encoding="latin-1", newline="\n") as lines:
            trace = parse_lines(lines)
    except OSError as error:
        raise AdviseError(f"--strace {path}: {error.strerror}", 2) from None
    if not trace.calls:
        raise AdviseError(
            f"--strace {path}: none of its {trace.lines} lines is a system call: make it with"
            " `strace -f -ttt -T -o FILE CMD`",
            2,
        )
    return Recorded(trace, 0)


def _predictor(costs: Costs | None) -> tuple[Costs | None, Predictor | None, str]:
    """Get the fits: those given, or measured now. The third is why there are none."""
    given = costs is not None
    if costs is None and sys.stderr.isatty():
        click.echo("Measuring what a crossing costs here; --measurement FILE avoids this …", err=True)
    try:
        costs = costs or measure_now()
    except AdviseError as error:
        return None, None, (
            f"{str(error).rstrip('.')}. Build the benchmarks (`make build`), or give --measurement FILE from"
            " `ferry measure syscall --json FILE`."
        )  # fmt: skip
    predictor = Predictor.of(costs.measurement)
    if predictor is None and given:
        raise AdviseError(
            f"--measurement {costs.source}: no fit of direct:unimplemented, the price of a crossing: make it with"
            " `ferry measure syscall --json FILE`",
            2,
        )
    return costs, predictor, "" if predictor else "the measurement lacks direct:unimplemented."


def _analyse(
    recorded: Recorded,
    gap_us: float,
    costs: Costs | None,
    command: tuple[str, ...],
    time_it: bool,
    ran: bool,
) -> Advice:
    trace: Trace = recorded.trace
    found = find_runs(trace, gap_us)
    groups = group_runs(found.runs)
    costs, predictor, unmeasured = _predictor(costs) if groups else (costs, None, "")
    return Advice(
        command=command,
        trace=trace,
        found=found,
        census=take_census(trace, found.runs),
        groups=rank(groups, predictor),
        costs=costs,
        unmeasured=unmeasured,
        predictor=predictor,
        status=recorded.status if ran else None,
        left_running=recorded.left_running,
        timed=time_command(command) if time_it else None,
    )


def _print(advice: Advice, top: int, own_stdout: bool) -> None:
    stream = sys.stdout if own_stdout else sys.stderr
    width = None if stream.isatty() else PLAIN_COLUMNS
    print_report(advice, Console(file=stream, width=width), top)


def _write(advice: Advice, json_file: Path | None, emit: str | None, number: int | None, output: Path | None) -> None:
    if json_file is not None:
        Output("--json", json_file).write(write_json(advice))
    if emit is None:
        return
    number = number or 1
    if number > len(advice.groups):
        count = len(advice.groups)
        raise AdviseError(
            f"--run {number}: there {'is' if count == 1 else 'are'} {count} kind{'s' * (count != 1)} of run", 2
        )
    group = advice.groups[number - 1][0]
    title = f"Run {number} of `{' '.join(advice.command)}`, made by {advice.made_by(group)}: {group.text()}"
    Output("--output", output or Path(DASH)).write(emit_c(group.example, title))
