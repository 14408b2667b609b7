# SPDX-License-Identifier: GPL-2.0-only
"""What a batch may cost, in instructions, and that nothing outside a batch costs more than without the module.

Instructions are counted (`measure`), so these are limits that hold or do not, on every machine alike. What comes in
between while a sample is taken, a timer tick or another task that the tick gives the processor to, only adds
instructions: the least of several samples is the one that nothing came into. A tick comes every four million
instructions, and no sample is longer than a hundred thousand or so.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vm import measure
from vm.debian import Archive
from vm.kernels import OFFSETS, REFERENCES, Kernel
from vm.tap import Result, parse

#: Samples of each, the least of which counts.
REPETITIONS = 12
#: The numbers of calls that are sampled: two make a line, and samples stay short.
SIZES = (1, 100)
#: The guest's clock is read in whole nanoseconds, and scaled: a line is known to a few hundredths of an instruction.
TOLERANCE = 0.1
#: From SIGKILL in the middle of a batch until the task is reaped; of the guest, where a millisecond is a million
#: instructions.
KILL_MS = 10
#: A container's filter, which the kernel runs for no call that it always allows, or for each (kernel/vm/confine.c).
FILTERS = ("confined", "confined-by-arguments")
#: Of what the filter adds to a call by itself, so much may be added to a slot.
FILTER_SHARE = 1.05
#: What the function takes that a call with a stack offset of its own is made in, whose frame the offset ends with.
OFFSET_CALL = 12
#: The calls that bars are about, and the limit of a slot of each.
SLOT_BARS = {"unimplemented": 90, "getppid": 180}


@dataclass(frozen=True)
class Line:
    """T(n) = fixed + n * per_call."""

    fixed: float
    per_call: float


def count(archive: Archive, kernel: Kernel) -> list[Result]:
    """Count instructions on a kernel and return whether each bar is held."""
    sizes = ",".join(str(size) for size in SIZES)
    # the module refuses the batches of a thread with a filter
    confined = ["vm.confined=1"] if kernel.config else []
    said = measure.count(archive, kernel, REPETITIONS, f"vm.n={sizes}", f"vm.kill={KILL_MS}", *confined)
    fits = lines(measure.lines_of(kernel.name, said))
    results = judge(fits, kernel.fixed_bar, module=not kernel.config)
    if confined:
        results += [filtered(fits, how) for how in FILTERS]
        moved = measure.count(archive, kernel, REPETITIONS, f"vm.n={sizes}", OFFSETS)
        results += [offset(call, fits, lines(measure.lines_of(kernel.name, moved))) for call in SLOT_BARS]
    return results + kills(said)


def compare(archive: Archive, kernel: Kernel) -> list[Result]:
    """Count system calls on two kernels, and return whether they cost the same."""
    fits: dict[str, dict[str, Line]] = {}
    for one in (kernel, REFERENCES[kernel.as_on]):
        said = measure.count(archive, one, REPETITIONS, f"vm.n={','.join(map(str, SIZES))}", "vm.direct=1")
        fits[one.name] = lines(measure.lines_of(one.name, said))
    return [
        as_on(variant.partition(":")[2], {name: of[variant].per_call for name, of in fits.items()})
        for variant in fits[kernel.name]
    ]


def as_on(call: str, costs: dict[str, float]) -> Result:
    """Return whether a call costs the same on two kernels."""
    (here, cost), (there, other) = costs.items()
    said = f"a call: {cost:.2f} instructions on {here}, {other:.2f} on {there}"
    return Result(f"instructions: {call}: as on {there}", "ok" if abs(cost - other) <= TOLERANCE else "not ok", said)


def kills(said: str) -> list[Result]:
    """Return what the program that kills said, which ran where a time is a number of instructions."""
    results = [result for result in parse(said)[0] if result.name.startswith("killed:")]
    if not any(f"within {KILL_MS} ms" in result.name for result in results):
        results.append(Result("killed", "not ok", "no batch was killed and timed"))
    return [replace(result, name=f"instructions: {result.name}") for result in results]


def lines(samples: Iterable[dict[str, object]]) -> dict[str, Line]:
    """Fit each variant, WAY:CALL, by the least samples of the fewest and the most calls it was measured with."""
    least: dict[str, dict[int, float]] = defaultdict(dict)
    for sample in samples:
        if sample["type"] == "sample":
            points, n = least[str(sample["variant"]).partition("@")[0]], int(str(sample["n"]))
            points[n] = min(float(str(sample["ns"])), points.get(n, math.inf))
    fits = {}
    for variant, points in least.items():
        few, many = min(points), max(points)
        per_call = (points[many] - points[few]) / (many - few)
        fits[variant] = Line(points[few] - few * per_call, per_call)
    return fits


def judge(fits: dict[str, Line], fixed_bar: int, module: bool) -> list[Result]:
    """Return the results for a kernel: its batches within their bars and, with the module, all else as without it."""
    results = [
        within(f"{call}: a slot", f"entry:{call}", fits[f"entry:{call}"].per_call, bar)
        for call, bar in SLOT_BARS.items()
    ]
    results += [
        within(f"{call}: a batch besides its slots", f"entry:{call}", fits[f"entry:{call}"].fixed, fixed_bar)
        for call in SLOT_BARS
    ]
    if module:
        results += [as_without(variant.partition(":")[2], fits) for variant in fits if variant.startswith("direct:")]
    return results


def filtered(fits: dict[str, Line], how: str) -> Result:
    """Return whether a slot under a container's filter costs no more than the filter costs by itself, and the slot."""
    own = fits[f"{how}-direct:getppid"].per_call - fits["direct:getppid"].per_call
    slot, bare = fits[f"{how}-entry:getppid"].per_call, fits["entry:getppid"].per_call
    bar = FILTER_SHARE * own + bare
    said = f"{how}: getppid: {slot:.1f} instructions a slot, {bare:.1f} without; the filter costs {own:.1f} by itself"
    good = slot <= bar + TOLERANCE
    return Result(f"instructions: {how}: a slot as its call and the filter", "ok" if good else "not ok", said)


def offset(call: str, fits: dict[str, Line], moved: dict[str, Line]) -> Result:
    """Return whether a stack offset of its own costs a slot no more than it costs a system call, and one more call."""
    own = moved[f"direct:{call}"].per_call - fits[f"direct:{call}"].per_call
    slot, bare = moved[f"entry:{call}"].per_call, fits[f"entry:{call}"].per_call
    said = f"{OFFSETS}: {call}: {slot:.1f} instructions a slot, {bare:.1f} without; a system call costs {own:.1f} more"
    good = slot <= bare + own + OFFSET_CALL + TOLERANCE
    return Result(f"instructions: {call}: a slot as its call and a stack offset", "ok" if good else "not ok", said)


def within(name: str, variant: str, value: float, bar: float) -> Result:
    """Return whether a value is within its bar."""
    good = value <= bar + TOLERANCE
    said = f"{variant}: {value:.1f} instructions; the bar is {bar:.0f}"
    return Result(f"instructions: {name}: at most {bar:.0f}", "ok" if good else "not ok", said)


def as_without(call: str, fits: dict[str, Line]) -> Result:
    """Return whether a call outside a batch costs as much as before the module was loaded."""
    with_, before = fits[f"direct:{call}"].per_call, fits[f"without:{call}"].per_call
    said = f"a call by itself: {before:.2f} instructions before the module was loaded, {with_:.2f} with it"
    good = abs(with_ - before) <= TOLERANCE
    return Result(f"instructions: {call}: outside a batch as without the module", "ok" if good else "not ok", said)
