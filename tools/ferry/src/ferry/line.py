# SPDX-License-Identifier: BSD-3-Clause
"""The line T(n) = fixed + n × per_call of a measurement, with its errors, and what follows from two of them.

fit.py fits it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

#: A line that misses a minimum by more than this share of it is flagged.
LINEAR_WITHIN = 0.10


class FitError(ValueError):
    """The samples do not determine a line."""


@dataclass(frozen=True)
class Line:
    """A fitted line and its covariance."""

    fixed: float
    per_call: float
    fixed_variance: float
    covariance: float
    per_call_variance: float
    #: The largest |minimum − line| as a share of the minimum, and the n it is at; of a line through means, of the mean.
    residual: float = 0.0
    residual_n: int = 0

    @property
    def fixed_err(self) -> float:
        """Standard error of `fixed`."""
        return math.sqrt(self.fixed_variance)

    @property
    def per_call_err(self) -> float:
        """Standard error of `per_call`."""
        return math.sqrt(self.per_call_variance)

    @property
    def linear(self) -> bool:
        """Whether the line describes every minimum within LINEAR_WITHIN."""
        return self.residual <= LINEAR_WITHIN

    def time(self, n: float) -> float:
        """Return T(n)."""
        return self.fixed + n * self.per_call

    def time_err(self, n: float) -> float:
        """Return the standard error of T(n)."""
        variance = self.fixed_variance + 2 * n * self.covariance + n * n * self.per_call_variance
        return math.sqrt(max(variance, 0.0))

    def amortised(self, n: float) -> float:
        """Return the cost of one of n calls."""
        return self.fixed / n + self.per_call


@dataclass(frozen=True)
class Estimate:
    """A derived figure and its standard error."""

    value: float
    err: float


def minima(samples: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Return the least value per n, n rising."""
    least: dict[int, float] = {}
    for n, value in samples:
        least[n] = min(value, least.get(n, math.inf))
    return dict(sorted(least.items()))


def means(samples: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Return the mean value per n, n rising."""
    by_n: defaultdict[int, list[float]] = defaultdict(list)
    for n, value in samples:
        by_n[n].append(value)
    return {n: math.fsum(values) / len(values) for n, values in sorted(by_n.items())}


def ratio(numerator: Line, denominator: Line, n: float) -> Estimate:
    """T of one over T of the other at n; first-order propagation, the two fits independent of each other."""
    above, below = numerator.time(n), denominator.time(n)
    if above <= 0 or below <= 0:
        raise FitError(f"no ratio at n = {n:g}: the fitted times are {above:g} and {below:g}")
    value = above / below
    return Estimate(value, value * math.hypot(numerator.time_err(n) / above, denominator.time_err(n) / below))


def difference(one: Line, other: Line) -> Estimate:
    """How much more one call costs in one than in the other, n large."""
    return Estimate(one.per_call - other.per_call, math.hypot(one.per_call_err, other.per_call_err))


def break_even(batched: Line, naive: Line) -> Estimate | None:
    """Return the n at which both cost the same; None when the lines do not cross at an n above 0.

    n = (a₁ − a₂) / (b₂ − b₁), first-order propagation with the covariance of a and b of each fit.
    """
    fixed, slope = batched.fixed - naive.fixed, naive.per_call - batched.per_call
    if slope == 0 or fixed / slope <= 0:
        return None
    n = fixed / slope
    variance = batched.time_err(n) ** 2 + naive.time_err(n) ** 2
    return Estimate(n, math.sqrt(variance) / abs(slope))
