# SPDX-License-Identifier: BSD-3-Clause
"""Find the runs: consecutive calls of one thread that one batch could carry.

A run begins at a call that may be batched and ends before the first one that may not follow: denied by the
specification, away by more user code than the threshold allows, behind a signal, with an argument the program computed
from the run's own results, or after a call that waits (the program decides by what it waited for). A call that stands
alone is no run.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from ferry.advise.dataflow import Computed, Feed, Flow
from ferry.advise.signatures import WAITS
from ferry.advise.trace import Break, Call, Mark, Trace
from ferry.spec import CALLS

#: calls of one run; a longer one is cut
RUN_CALLS_MAX = 4096
#: user code between two calls, beyond what tracing itself takes, that ends a run
GAP_US_DEFAULT = 100.0
#: strings remembered per thread to tell a path known before from one found by listing a directory
STRINGS_MAX = 200_000


@dataclass(slots=True)
class Run:
    """Consecutive calls of one thread, and the word copies each needs."""

    calls: list[Call] = field(default_factory=list)
    feeds: list[tuple[Feed, ...]] = field(default_factory=list)

    @property
    def copies(self) -> int:
        """Word copies of the whole run."""
        return sum(len(feeds) for feeds in self.feeds)


@dataclass
class Found:
    """The runs of a trace, and why they are no longer than they are."""

    runs: list[Run] = field(default_factory=list)
    #: calls that no run holds
    alone: int = 0
    #: why runs and single calls ended, how often
    ends: Counter[str] = field(default_factory=Counter)
    #: the gap between calls that tracing itself makes; None without times
    tracing_gap_us: float | None = None

    @property
    def calls(self) -> int:
        """Calls in runs."""
        return sum(len(run.calls) for run in self.runs)


def gaps_us(trace: Trace) -> list[float]:
    """User time between consecutive calls of each thread, the tracer's own included."""
    gaps = []
    for items in trace.threads.values():
        previous: Call | None = None
        for item in items:
            if isinstance(item, Call):
                if previous is not None and (gap := gap_us(previous, item)) is not None:
                    gaps.append(gap)
                previous = item
            else:
                previous = None
    return gaps


def gap_us(before: Call, after: Call) -> float | None:
    """Time from the end of one call to the start of the next; None when the trace does not say."""
    if before.start_s is None or before.duration_s is None or after.start_s is None:
        return None
    return (after.start_s - before.start_s - before.duration_s) * 1e6


class _Finder:
    """Goes through one thread's calls in order."""

    def __init__(self, found: Found, gap_limit_us: float | None) -> None:
        self.found = found
        self.gap_limit_us = gap_limit_us
        self.seen: set[bytes] = set()
        self.start()

    def start(self) -> None:
        self.run = Run()
        self.flow = Flow(self.seen)

    def end(self, why: str) -> None:
        """Close the run that is open, if there is one."""
        if not self.run.calls:
            return
        self.found.ends[why] += 1
        if len(self.run.calls) > 1:
            self.found.runs.append(self.run)
        else:
            self.found.alone += 1
        for call in self.run.calls:
            if len(self.seen) < STRINGS_MAX:
                self.seen.update(value.data for value in call.arguments if value.data is not None)
        self.start()

    def take(self, item: Call | Mark) -> None:
        if isinstance(item, Mark):
            return self.end(item.what.value)
        _, _, allowed = CALLS.get(item.name, (0, "", False))
        if not allowed or item.result is None:
            self.end(f"{item.name} cannot be batched" if not allowed else "a call was interrupted or did not return")
            self.found.alone += 1
            return None
        if self.run.calls and self._far(self.run.calls[-1], item):
            self.end("user code ran between")
        if len(self.run.calls) >= RUN_CALLS_MAX:
            self.end("the run is as long as a run may be")
        feeds = self.flow.feeds(item)
        if isinstance(feeds, Computed):
            self.end(f"computed: {feeds.why}")
            feeds = []
        self.run.calls.append(item)
        self.run.feeds.append(tuple(feeds))
        self.flow.admit(item)
        if item.name in WAITS or (item.name == "futex" and "WAIT" in _operation(item)):
            self.end("the program waited and decides by what happened")
        return None

    def _far(self, before: Call, after: Call) -> bool:
        gap = gap_us(before, after)
        return gap is not None and self.gap_limit_us is not None and gap > self.gap_limit_us


def _operation(call: Call) -> str:
    return call.arguments[1].text if len(call.arguments) > 1 else ""


def find_runs(trace: Trace, gap_limit_us: float = GAP_US_DEFAULT) -> Found:
    """Find every run of a trace. `gap_limit_us` is user time beyond the median gap, which is tracing itself."""
    gaps = gaps_us(trace)
    found = Found(tracing_gap_us=max(0.0, median(gaps)) if gaps else None)
    limit = None if found.tracing_gap_us is None else found.tracing_gap_us + gap_limit_us
    for items in trace.threads.values():
        _find_in_thread(found, items, limit)
    return found


def _find_in_thread(found: Found, items: Iterable[Call | Mark], limit_us: float | None) -> None:
    finder = _Finder(found, limit_us)
    for item in items:
        finder.take(item)
    finder.end(Break.EXIT.value)
