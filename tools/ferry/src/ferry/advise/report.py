# SPDX-License-Identifier: BSD-3-Clause
"""Say what was found: one table and a few sentences for people, one document for programs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from ferry import __version__
from ferry.advise.costs import Costs
from ferry.advise.predict import Amount, Predictor, Saving
from ferry.advise.processes import Census, name
from ferry.advise.record import Timed
from ferry.advise.runs import Found
from ferry.advise.shapes import Group
from ferry.advise.sources import Plugin, Sources
from ferry.advise.trace import Call, Trace

#: columns of the report where there is no terminal to ask
PLAIN_COLUMNS = 100
#: reasons for the ends of runs that the report names
ENDS_SHOWN_MAX = 4
#: characters of a shape in the table; the JSON has all of it
SHAPE_CHARACTERS_MAX = 240
#: programs that the report names, in all and for one kind of run
PROGRAMS_SHOWN_MAX = 6
PROGRAMS_OF_A_RUN_MAX = 2
#: a saving below this is called none
NOTHING_NS = 0.5


@dataclass
class Advice:
    """Everything there is to report."""

    command: Sequence[str]
    trace: Trace
    found: Found
    #: whose calls they are
    census: Census
    #: groups in rank order, each with its saving if there are fits
    groups: list[tuple[Group, Saving | None]]
    costs: Costs | None
    #: why there are no fits
    unmeasured: str
    predictor: Predictor | None
    status: int | None
    left_running: int
    timed: Timed | None
    #: the source lines of the calls, and what the compiler plugin said of them, where these were asked for
    sources: Sources | None = None
    plugin: Plugin | None = None

    @property
    def total(self) -> Saving | None:
        """The savings of all groups together."""
        savings = [saving for _, saving in self.groups if saving]
        return sum(savings[1:], start=savings[0]) if savings else None

    def made_by(self, group: Group) -> str:
        """Name the programs whose runs these are, the one with most of them first."""
        paths = [path for path, _ in self.census.of_runs(group.runs).most_common()]
        more = f" and {len(paths) - PROGRAMS_OF_A_RUN_MAX} more" if len(paths) > PROGRAMS_OF_A_RUN_MAX else ""
        return ", ".join(name(path) for path in paths[:PROGRAMS_OF_A_RUN_MAX]) + more


def rank(groups: list[Group], predictor: Predictor | None) -> list[tuple[Group, Saving | None]]:
    """Order groups by predicted saving; without fits by the crossings that are too many."""
    if predictor is None:
        return [(group, None) for group in sorted(groups, key=lambda g: len(g.runs) - g.calls)]
    priced = [(group, predictor.group(group)) for group in groups]
    priced.sort(key=lambda pair: -pair[1].rank)
    return [*priced]


def duration(ns: float) -> str:
    """Write a time with three digits and the unit that fits."""
    if abs(ns) < NOTHING_NS:
        return "0"
    for limit, unit, scale in ((1e3, "ns", 1.0), (1e6, "µs", 1e3), (1e9, "ms", 1e6), (float("inf"), "s", 1e9)):
        if abs(ns) < limit:
            value = ns / scale
            return f"{value:.0f} {unit}" if abs(value) >= 100 or unit == "ns" else f"{value:.3g} {unit}"
    return ""


def _shortened(shape: str) -> str:
    if len(shape) <= SHAPE_CHARACTERS_MAX:
        return shape
    half = SHAPE_CHARACTERS_MAX // 2
    return shape[:half].rpartition(" ")[0] + " … " + shape[-half:].partition(" ")[2]


def _amount(amount: Amount | None) -> str:
    return "–" if amount is None else duration(amount.ns)


def _table(advice: Advice, top: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("run", overflow="fold", ratio=1)
    several = len(advice.census.programs()) > 1
    if several:
        table.add_column("program", overflow="fold")
    for title in ("times", "calls", "crossings"):
        table.add_column(title, justify="right", no_wrap=True)
    kernel = advice.predictor is not None and advice.predictor.kernel is not None
    uring = any(saving and saving.uring for _, saving in advice.groups)
    for title in ("loop", *(["uring"] if uring else []), "kernel" if kernel else "at most"):
        table.add_column(title, justify="right", no_wrap=True)
    for number, (group, saving) in enumerate(advice.groups[:top], start=1):
        amounts: list[Amount | None] = (
            [None, None] if saving is None else [saving.loop, saving.kernel or saving.at_most]
        )
        if uring:
            amounts.insert(1, saving.uring if saving else None)
        table.add_row(
            str(number),
            _shortened(group.text()),
            *([advice.made_by(group)] if several else []),
            str(len(group.runs)),
            str(group.calls),
            _amount(saving.crossings if saving else None),
            *(_amount(amount) for amount in amounts),
        )
    return table


def print_report(advice: Advice, console: Console, top: int) -> None:
    """Print the whole report."""
    for line in _heading(advice):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if advice.groups:
        console.print()
        console.print(_table(advice, top))
        left = len(advice.groups) - top
        if left > 0:
            console.print(f"… and {left} more kinds of run (--top {len(advice.groups)})", highlight=False)
        for line in _places(advice, top):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.print()
    for line in [*_legend(advice), *_conclusion(advice), *_doubts(advice)]:
        console.print(line, highlight=False, markup=False)


def _many(count: int, what: str) -> str:
    plural = "processes" if what == "process" else f"{what}s"
    return f"{count} {what if count == 1 else plural}"


def _heading(advice: Advice) -> list[str]:
    trace, found, processes = advice.trace, advice.found, advice.census.processes
    threads = sum(any(isinstance(item, Call) for item in items) for items in trace.threads.values())
    where = (
        f"{trace.calls} {'system call' if trace.calls == 1 else 'system calls'} in {_many(len(processes), 'process')}"
    )
    if threads > len(processes):
        where += f" with {_many(threads, 'thread')}"
    lines = [
        f"{' '.join(advice.command)}: {where}; "
        f"{found.calls} of them in {_many(len(found.runs), 'run')} that a batch could carry"
    ]
    programs = advice.census.programs()
    if len(programs) > 1:
        shown = [
            f"{name(path)} ({_many(count, 'process')}, {_many(calls, 'call')})"
            for path, (count, calls) in list(programs.items())[:PROGRAMS_SHOWN_MAX]
        ]
        left = len(programs) - len(shown)
        lines.append(f"Programs: {', '.join(shown)}{f' and {left} more' if left else ''}.")
    if advice.status:
        lines.append(f"The command ended with status {advice.status}.")
    return lines


def _places(advice: Advice, top: int) -> list[str]:
    """Where in the source the example of each kind of run is, and whether the plugin makes a batch of it."""
    if advice.sources is None:
        return []
    lines = ["", "Where the calls of one such run are made:"]
    for number, (group, _) in enumerate(advice.groups[:top], start=1):
        lines.append(f"{number:>3}  {advice.sources.text(group.example)}")
        if advice.plugin is not None:
            lines.append(f"     the compiler: {advice.plugin.of(advice.sources.of(group.example))}")
    return lines


def _legend(advice: Advice) -> list[str]:
    if not advice.groups:
        return ["No two calls in a row could be batched: there is nothing to gain here."]
    lines = ["→ before a call that an earlier call feeds (word copy), ! after one that failed, ×N in a row."]
    if advice.predictor is None or advice.costs is None:
        return [*lines, f"No savings: {advice.unmeasured}"]
    crossing = advice.predictor.crossing
    lines.append(
        f"A crossing costs {crossing.per_call:.1f} ± {crossing.per_call_err:.2g} ns on"
        f" {advice.costs.machine_text()} ({advice.costs.source}). Columns are sums over all times."
    )
    lines.append("crossings: what entering and leaving the kernel costs now; strace's own times are not used.")
    lines.append("loop: saves no crossing, only the C library's way into each call; a size fed by word copy costs one.")
    if advice.predictor.kernel:
        lines.append("kernel: one crossing for the run, from its measured fit.")
    else:
        lines.append("at most: (calls − 1) crossings per run, what an executor inside the kernel could not exceed.")
    return lines


def _conclusion(advice: Advice) -> list[str]:
    total = advice.total
    if total is None or advice.predictor is None:
        return []
    best = total.kernel or total.at_most
    all_crossings = advice.trace.calls * advice.predictor.crossing.per_call
    measured = "would save" if total.kernel else "could save at most"
    line = (
        f"All runs together: one entry per run {measured} {duration(best.ns)} of the {duration(all_crossings)} that all"
        f" {advice.trace.calls} crossings cost"
    )
    if advice.timed is None:
        return [line + "; --time says how much of the command's time that is."]
    share, cpu_ns, wall_ns = best.ns / 1e9, advice.timed.cpu_s * 1e9, advice.timed.wall_s * 1e9
    return [
        f"{line}: {100 * share / max(advice.timed.wall_s, 1e-9):.2g} % of the {duration(wall_ns)} it took untraced"
        f" ({100 * share / max(advice.timed.cpu_s, 1e-9):.2g} % of {duration(cpu_ns)} CPU)."
    ]


def _doubts(advice: Advice) -> list[str]:
    trace, found = advice.trace, advice.found
    lines = ["A trace does not show whether the program looked at a result before its next call: check each run."]
    if found.ends:
        ends = "; ".join(f"{why} ({count})" for why, count in found.ends.most_common(ENDS_SHOWN_MAX))
        lines.append(f"Runs ended because: {ends}.")
    if found.tracing_gap_us is None:
        lines.append("The trace has no times and durations (-ttt -T), so user code between calls could not end a run.")
    if trace.unreadable:
        where = "; ".join(f"line {number}: {text}" for number, text in trace.unreadable_examples)
        lines.append(f"{trace.unreadable} of {trace.lines} lines could not be read and end runs. {where}")
    if trace.dropped:
        lines.append(f"The trace is too long: its last {trace.dropped} calls were left out.")
    if trace.foreign_personality:
        lines.append("A process ran 32-bit code, whose system calls a batch does not carry: leave its runs aside.")
    if advice.left_running:
        lines.append(f"Still running, not recorded any more: {_many(advice.left_running, 'thread')} of the command.")
    return lines


def document(advice: Advice, top: int | None = None) -> dict[str, Any]:
    """Make the JSON document of --json: every group, or the first `top`."""
    trace, found = advice.trace, advice.found
    return {
        "ferry": __version__,
        "command": list(advice.command),
        "status": advice.status,
        "trace": {
            "lines": trace.lines,
            "calls": trace.calls,
            "threads": len(trace.threads),
            "processes": [
                {"pid": one.pid, "parent": one.parent, "threads": one.threads, "programs": one.programs}
                for one in advice.census.processes
            ],
            "unreadable": trace.unreadable,
            "dropped": trace.dropped,
            "tracing_gap_us": found.tracing_gap_us,
        },
        "untraced": None if advice.timed is None else {"wall_s": advice.timed.wall_s, "cpu_s": advice.timed.cpu_s},
        "measurement": advice.costs.source if advice.costs else None,
        "unmeasured": advice.unmeasured or None,
        "ends": dict(found.ends.most_common()),
        "calls_in_runs": found.calls,
        "groups": [
            _group(number, group, saving)
            | {"programs": dict(advice.census.of_runs(group.runs).most_common())}
            | _sources_of(advice, group)
            for number, (group, saving) in enumerate(advice.groups[:top], start=1)
        ],
    }


def _group(number: int, group: Group, saving: Saving | None) -> dict[str, Any]:
    def ns(amount: Amount | None) -> dict[str, float] | None:
        return None if amount is None else {"ns": amount.ns, "err": amount.err}

    return {
        "run": number,
        "shape": group.text(),
        "times": len(group.runs),
        "calls": group.calls,
        "word_copies": sum(run.copies for run in group.runs),
        "crossings": ns(saving.crossings) if saving else None,
        "saving": None
        if saving is None
        else {way: ns(getattr(saving, way)) for way in ("loop", "uring", "kernel", "at_most")},
        "example": [
            {"call": call.name, "arguments": [value.text for value in call.arguments], "result": call.result,
             "error": call.error or None, "fed": [[feed.argument, feed.source, feed.word] for feed in feeds]}
            for call, feeds in zip(group.example.calls, group.example.feeds, strict=True)
        ],
    }  # fmt: skip


def _sources_of(advice: Advice, group: Group) -> dict[str, Any]:
    if advice.sources is None:
        return {}
    lines = advice.sources.of(group.example)
    said = {} if advice.plugin is None else {"compiler": advice.plugin.of(lines)}
    return {"lines": [f"{line.file}:{line.number}" if line else None for line in lines]} | said


def write_json(advice: Advice) -> str:
    """Write the document as text."""
    return json.dumps(document(advice), indent=1, ensure_ascii=False) + "\n"
