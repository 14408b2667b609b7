# SPDX-License-Identifier: BSD-3-Clause
"""What batching a run would save, from fits measured on the machine.

strace's own times are not used: tracing makes a call tens of times dearer. What a crossing costs is the measured price
of a call that the kernel does not implement, entry and exit and nothing else. The work a call does in the kernel is
the same in a batch, so a batch can save crossings only.

* `loop` makes every call itself: it saves no crossing, only the C library's detour around each system call; a word copy
  that reads memory outside the batch (a field of a struct stat) costs it a crossing more.
* `uring` is predicted only where it was measured: chains of open, read and close.
* a kernel executor pays one crossing for the whole run. If it was measured, its fit is used. If not, the saving is at
  most (calls − 1) crossings: what its own dispatch costs would have to be taken off.
"""

from dataclasses import dataclass
from math import hypot

from ferry.advise.dataflow import RESULT
from ferry.advise.runs import Run
from ferry.advise.shapes import Group
from ferry.line import Line
from ferry.measurement import Measurement, Result

#: the measured call that does nothing in the kernel
UNIMPLEMENTED = "unimplemented"
#: the measured chain: one file opened, read and closed
CHAIN = "file"


@dataclass(frozen=True, slots=True)
class Amount:
    """A time in ns with its standard error."""

    ns: float
    err: float = 0.0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.ns + other.ns, self.err + other.err)


@dataclass(frozen=True, slots=True)
class Saving:
    """What one run, or all runs of a group, would save."""

    #: what the crossings cost now
    crossings: Amount
    loop: Amount | None
    #: None: no open→read→close chain, or not measured
    uring: Amount | None
    #: None: not measured
    kernel: Amount | None
    #: no executor can save more
    at_most: Amount

    def __add__(self, other: "Saving") -> "Saving":
        def both(a: Amount | None, b: Amount | None) -> Amount | None:
            return a + b if a and b else a or b

        return Saving(
            self.crossings + other.crossings,
            both(self.loop, other.loop),
            both(self.uring, other.uring),
            both(self.kernel, other.kernel),
            self.at_most + other.at_most,
        )

    @property
    def rank(self) -> float:
        """What groups are ordered by: the kernel executor's saving, or the bound on it."""
        return (self.kernel or self.at_most).ns


@dataclass
class Predictor:
    """The fits that matter here, looked up once."""

    crossing: Line
    libc: Line
    loop: Line | None
    kernel: Line | None
    #: one file opened, read and closed: by hand, and on the uring executor
    chain: tuple[Line, Line] | None

    @classmethod
    def of(cls, measurement: Measurement) -> "Predictor | None":
        """None when the measurement lacks the price of a crossing, without which nothing can be said."""

        def line(way: str) -> Line | None:
            result = measurement.find("syscall", f"{way}:{UNIMPLEMENTED}")
            return result.line if result else None

        crossing = line("direct")
        if crossing is None:
            return None
        kernel = [r.line for r in measurement.results if r.variant == f"kernel:{UNIMPLEMENTED}"]
        direct, uring = (measurement.find("uring", f"{way}:{CHAIN}") for way in ("direct", "uring"))
        return cls(
            crossing=crossing,
            libc=line("libc") or crossing,
            loop=line("loop"),
            kernel=kernel[0] if kernel else None,
            chain=_same_clock(direct, uring),
        )

    def run(self, run: Run) -> Saving:
        """Predict what one run would save."""
        calls = len(run.calls)
        return Saving(
            crossings=Amount(calls * self.crossing.per_call, calls * self.crossing.per_call_err),
            loop=self._loop(run),
            uring=self._uring(run),
            kernel=_difference(self.crossing, calls, self.kernel, calls + run.copies) if self.kernel else None,
            at_most=Amount((calls - 1) * self.crossing.per_call, (calls - 1) * self.crossing.per_call_err),
        )

    def group(self, group: Group) -> Saving:
        """Predict what all runs of a group would save together."""
        total, *rest = (self.run(run) for run in group.runs)
        for saving in rest:
            total += saving
        return total

    def _loop(self, run: Run) -> Amount | None:
        if self.loop is None:
            return None
        saved = _difference(self.libc, len(run.calls), self.loop, len(run.calls))
        outside = sum(feed.word != RESULT for feeds in run.feeds for feed in feeds)
        return saved + Amount(-outside * self.crossing.per_call, outside * self.crossing.per_call_err)

    def _uring(self, run: Run) -> Amount | None:
        files = open_read_close_files(run)
        if not files or self.chain is None:
            return None
        direct, uring = self.chain
        return _difference(direct, files, uring, files)


def _same_clock(one: Result | None, other: Result | None) -> tuple[Line, Line] | None:
    """Pair two lines if both are there and their times are of one clock."""
    return (one.line, other.line) if one and other and one.unit == other.unit else None


def _difference(now: Line, now_calls: int, batched: Line, batched_slots: int) -> Amount:
    err = hypot(now.time_err(now_calls), batched.time_err(batched_slots))
    return Amount(now.time(now_calls) - batched.time(batched_slots), err)


def open_read_close_files(run: Run) -> int:
    """How many files the run opens, reads and closes, if it does nothing else; otherwise 0."""
    names = [call.name for call in run.calls]
    if len(names) % 3 or any(call.failed for call in run.calls):
        return 0
    for start in range(0, len(names), 3):
        fed = all(any(feed.source == start for feed in run.feeds[start + step]) for step in (1, 2))
        if names[start] not in ("open", "openat") or names[start + 1 : start + 3] != ["read", "close"] or not fed:
            return 0
    return len(names) // 3
