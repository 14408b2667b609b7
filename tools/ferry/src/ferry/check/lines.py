# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that run a benchmark program and read the lines it prints (bench/README.md).

A figure is nanoseconds for one of the n of a sample: a statistic of the samples of one process. Its name is the
variant's, with ` cpu` behind it where the samples are processor time. Lines of type `latency` give `p50:LANE` and
`p99:LANE`.
"""

from __future__ import annotations

import json
import os
import statistics
from functools import partial

from ferry.check.inputs import Place
from ferry.check.job import Figures, Job, Row, full_name
from ferry.check.libraries import environment_with
from ferry.check.targets import Plan, Run
from ferry.folders import program_in
from ferry.native import PROGRAM_TIMEOUT_S, Sample, UnavailableError, parse_lines, repetitions_in, run_program
from ferry.neighbours import World

#: An overhead below this cannot be told from none.
LEAST_NS = 0.5
#: With --quick a process takes this part of its samples, and two at least.
QUICK_PART = 3
REPETITIONS_MIN = 2


def statistic_of(values: list[float], which: str) -> float:
    """Return one of STATISTICS."""
    ordered = sorted(values)
    if which == "median":
        return statistics.median(ordered)
    share = {"least": 0.0, "p50": 0.5, "p99": 0.99, "most": 1.0}[which]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _split_latency(text: str) -> tuple[str, Figures]:
    """Take the lines of latencies out; return the other lines, and the figures of these."""
    kept: list[str] = []
    found: Figures = {}
    for line in text.splitlines():
        if '"type":"latency"' not in line:
            kept.append(line)
            continue
        row = json.loads(line)
        for kind in ("p50", "p99"):
            found[full_name(kind, row["lane"], row["threads"])] = float(row[f"{kind}_ns"])
    return "\n".join(kept), found


def _values(samples: list[Sample]) -> dict[tuple[str, int], list[float]]:
    """Return (variant, n) -> nanoseconds for one of n, in the order of the repetitions."""
    found: dict[tuple[str, int], list[float]] = {}
    for sample in samples:
        name = sample.variant + (" cpu" if sample.unit == "cpu_ns" else "")
        found.setdefault((name, sample.n), []).append(sample.value / sample.n)
    return found


def _less_work(plan: Plan, values: dict[tuple[str, int], list[float]], threads: int) -> dict[tuple[str, int], float]:
    """Return the overhead of each entry that has a reference: the median of its time less that of the same repetition.

    A processor's clock changes by a percent or two within a process, and the work of a loop is ten times what is looked
    for; the same repetition is some milliseconds away. More threads than processors make the work so much longer.
    """
    references = {variant: one for (variant, _), one in values.items()}
    found = {}
    for (variant, n), own in values.items():
        work = references.get(plan.work.get(variant, ""))
        if work:
            longer = 1.0 if variant in plan.serial else max(1.0, threads / (os.cpu_count() or 1))
            differences = [one - other * longer for one, other in zip(own, work, strict=False)]
            found[variant, n] = max(statistics.median(differences), LEAST_NS)
    return found


def read_figures(plan: Plan, run: Run, text: str, way: str, threads: int | None) -> Figures:
    """Make figures of what a program printed. Raises MeasureError."""
    lines, found = _split_latency(text)
    values = _values(parse_lines(run.program, lines, None)[1])
    less = _less_work(plan, values, threads or 1)
    for (variant, n), own in values.items():
        size = n if len(run.sizes) > 1 else None
        value = less[variant, n] if (variant, n) in less else statistic_of(own, run.statistic)
        found[full_name(way, variant, threads, size)] = value
        for which in run.also:
            found[full_name(way, f"{which}:{variant}", threads, size)] = statistic_of(own, which)
    return found


def _command(run: Run, program: str, world: World, quick: bool) -> list[str]:
    command = [program, *run.arguments]
    if run.repetitions:
        usual = max(REPETITIONS_MIN, run.repetitions // QUICK_PART) if quick else run.repetitions
        command.append(f"--repetitions={repetitions_in(world, usual, quick)}")
    if run.variants:
        command.append(f"--variant={','.join(run.variants)}")
    if run.sizes:
        command.append(f"--n={','.join(map(str, run.sizes))}")
    return command


def rows_of_lines(plan: Plan, place: Place, quick: bool) -> list[Row]:
    """Return the rows of a plan's runs. Raises UnavailableError when a program that it cannot do without is missing."""
    rows: list[Row] = []
    bench = place.bench
    absent: set[str] = set()
    for run in plan.runs:
        if not (bench / run.program).is_file():
            missing = f"{bench / run.program} is not built; run `make {run.target}` in Ferry's folder"
            if run.required:
                raise UnavailableError(missing)
            place.leave_out(missing)
            continue
        program = str(program_in(bench, run.program))
        for threads in run.threads or (None,):
            row: Row = []
            for way, library in (run.libraries or {"": ""}).items():
                if way in absent:
                    continue
                try:
                    environment = environment_with(library or None, bench, threads)
                except UnavailableError as error:
                    absent.add(way)
                    place.leave_out(f"{way}: {error}")
                    continue
                take = partial(_take, plan, run, program, environment, way, threads, quick)
                row.append(Job(full_name(way, run.program, threads), take))
            rows.append(row)
    return rows


def _take(
    plan: Plan,
    run: Run,
    program: str,
    environment: dict[str, str],
    way: str,
    threads: int | None,
    quick: bool,
    world: World,
) -> Figures:
    text = run_program(_command(run, program, world, quick), environment, world, run.limit_s or PROGRAM_TIMEOUT_S)
    return read_figures(plan, run, text, way, threads)
