# SPDX-License-Identifier: GPL-2.0-only
"""What a batch may cost, in instructions, and that nothing outside a batch costs more than without the module.

Instructions are counted (`measure`), so these are limits that hold or do not, on every machine alike. One sample of a
loop may have a timer tick in it, which is why a median of several is taken.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from vm.tap import Result

#: Samples of each; a median of three has no timer tick.
REPETITIONS = 3
#: What the benchmark takes per loop besides its calls, and less than one instruction in each call: a rounding.
TOLERANCE = 0.5
#: The calls that bars are about, and the limit of a slot of each.
SLOT_BARS = {"unimplemented": 90, "getppid": 180}


@dataclass(frozen=True)
class Line:
    """T(n) = fixed + n * per_call."""

    fixed: float
    per_call: float


def lines(samples: Iterable[dict[str, object]]) -> dict[str, Line]:
    """Fit each variant, WAY:CALL, by the fewest and the most calls it was measured with."""
    found: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        if sample["type"] == "sample":
            variant = str(sample["variant"]).partition("@")[0]
            found[variant][int(str(sample["n"]))].append(float(str(sample["ns"])))
    fits = {}
    for variant, points in found.items():
        few, many = min(points), max(points)
        low, high = statistics.median(points[few]), statistics.median(points[many])
        per_call = (high - low) / (many - few)
        fits[variant] = Line(low - few * per_call, per_call)
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
