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

import re
from dataclasses import dataclass
from math import hypot

from ferry.advise.dataflow import RESULT
from ferry.advise.measurement import Fit, Measurement
from ferry.advise.runs import Run
from ferry.advise.shapes import Group

#: the measured call that does nothing in the kernel
UNIMPLEMENTED = "unimplemented"
_CHAIN = re.compile(r"uring:(?P<chain>.*open.*read.*close.*)")


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

    crossing: Fit
    libc: Fit
    loop: Fit | None
    kernel: Fit | None
    chain_direct: Fit | None
    chain_uring: Fit | None

    @classmethod
    def of(cls, measurement: Measurement) -> "Predictor | None":
        """None when the measurement lacks the price of a crossing, without which nothing can be said."""
        crossing = measurement.fit(f"direct:{UNIMPLEMENTED}")
        if crossing is None:
            return None
        chain = next((m["chain"] for _, name in measurement.fits if (m := _CHAIN.fullmatch(name))), None)
        return cls(
            crossing=crossing,
            libc=measurement.fit(f"libc:{UNIMPLEMENTED}") or crossing,
            loop=measurement.fit(f"loop:{UNIMPLEMENTED}"),
            kernel=measurement.fit(f"kernel:{UNIMPLEMENTED}"),
            chain_direct=measurement.fit(f"direct:{chain}") if chain else None,
            chain_uring=measurement.fit(f"uring:{chain}") if chain else None,
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
        if not files or self.chain_direct is None or self.chain_uring is None:
            return None
        if self.chain_direct.unit != self.chain_uring.unit:
            return None
        return _difference(self.chain_direct, files, self.chain_uring, files)


def _difference(now: Fit, now_calls: int, batched: Fit, batched_slots: int) -> Amount:
    saved = now.fixed + now.per_call * now_calls - batched.fixed - batched.per_call * batched_slots
    fixed_err = hypot(now.fixed_err, batched.fixed_err)
    return Amount(saved, fixed_err + hypot(now.per_call_err * now_calls, batched.per_call_err * batched_slots))


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
