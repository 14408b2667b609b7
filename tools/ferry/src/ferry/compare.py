# SPDX-License-Identifier: BSD-3-Clause
"""What is compared with what: from a boundary's table entry to the pairs of measured variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ferry.boundaries import Boundary, call, joined, way
from ferry.line import Estimate, FitError, break_even, difference, ratio
from ferry.measurement import Ratio, Result
from ferry.quantity import with_error


def floor_of(boundary: Boundary, result: Result, results: list[Result]) -> Result | None:
    """Return the floor a variant is measured against; None for the floor itself and for what stands apart."""
    if way(result.variant) in (boundary.floor, *boundary.apart):
        return None
    name = joined(boundary.floor, call(result.variant))
    return next((other for other in results if other.variant == name and other.world == result.world), None)


def beside_quiet(result: Result, results: list[Result]) -> Estimate | None:
    """T beside busy loops over T of the same variant in the quiet world, at the largest n of both."""
    quiet = next((other for other in results if other.variant == result.variant and other.world.quiet), None)
    if quiet is None or result.world.quiet:
        return None
    try:
        return ratio(result.line, quiet.line, min(max(n for n, _ in one.samples) for one in (result, quiet)))
    except FitError:
        return None


def pairs_of(boundary: Boundary, results: list[Result]) -> Iterator[tuple[Result, Result]]:
    """Yield the measured pairs (batched, naive) of the boundary's table entry, all of one world."""
    measured = {result.variant: result for result in results}
    calls = list(dict.fromkeys(call(result.variant) for result in results))
    for batched, naive in boundary.pairs:
        for call_ in calls:
            names = joined(batched, call_), joined(naive, call_)
            if all(name in measured for name in names):
                yield measured[names[0]], measured[names[1]]


def sizes_for(boundary: Boundary, one: Result, other: Result) -> list[int]:
    """Return the sizes to give a ratio at: those of the table within what was measured, or else the largest there."""
    low = max(min(n for n, _ in result.samples) for result in (one, other))
    high = min(max(n for n, _ in result.samples) for result in (one, other))
    return [n for n in boundary.ratio_sizes if low <= n <= high] or [high]


def ratios(boundary: Boundary, results: list[Result]) -> Iterator[Ratio]:
    """Yield every ratio of a boundary in one world: each variant over its floor, and the pairs."""
    compared = [(result, floor) for result in results if (floor := floor_of(boundary, result, results))]
    seen = set()
    for one, other in [*compared, *pairs_of(boundary, results)]:
        if (one.variant, other.variant) in seen:
            continue
        seen.add((one.variant, other.variant))
        for n in sizes_for(boundary, one, other):
            try:
                estimate = ratio(one.line, other.line, n)
            except FitError:
                continue  # a fitted time of 0 or less has no ratio; the table shows the line itself
            yield Ratio(boundary.name, one.variant, other.variant, n, estimate.value, estimate.err, one.world)


@dataclass(frozen=True)
class Verdict:
    """Where a batched way is cheaper than a naive one, by their fits."""

    batched: Result
    naive: Result
    #: What one more call saves (above 0) or costs.
    saving: Estimate
    #: The n where both cost the same, unless that is below the sizes measured.
    crossing: Estimate | None
    #: Whether that n is above the sizes measured.
    beyond: bool

    @property
    def measurable(self) -> bool:
        """Whether the difference per call is more than twice its standard error."""
        return abs(self.saving.value) > 2 * self.saving.err

    @property
    def text(self) -> str:
        """One sentence."""
        batched, naive = way(self.batched.variant), way(self.naive.variant)
        if not self.measurable:
            return f"{batched} and {naive} differ by less per call than this run could tell."
        always, first, then = (
            ("cheaper", "dearer", "cheaper") if self.saving.value > 0 else ("dearer", "cheaper", "dearer")
        )
        if self.crossing is None:
            return f"{batched} is {always} than {naive} at every n measured."
        size = size_text(self.crossing)
        if self.beyond:
            return f"{batched} is {first} than {naive} at every n measured; the lines cross at n = {size}."
        return f"{batched} is {then} than {naive} from n = {size} on."


def size_text(estimate: Estimate) -> str:
    """Format a break-even size."""
    return with_error(estimate.value, estimate.err, decimals_max=1)


def verdict(batched: Result, naive: Result) -> Verdict:
    """Compare two fits over the sizes measured."""
    crossing = break_even(batched.line, naive.line)
    sizes = [n for n, _ in (*batched.samples, *naive.samples)]
    if crossing and crossing.value < min(sizes):
        crossing = None
    beyond = crossing is not None and crossing.value > max(sizes)
    return Verdict(batched, naive, difference(naive.line, batched.line), crossing, beyond)
