# SPDX-License-Identifier: BSD-3-Clause
"""Figures as text: `186.05 ± 0.40`, with as many digits as the error allows."""

from __future__ import annotations

import math

#: Errors are shown with this many significant digits.
ERROR_DIGITS = 2
#: Digits of a value whose error is zero or unknown.
BARE_DIGITS = 4
#: No time here is good to less than a hundredth of its unit, no ratio to less than a thousandth.
DECIMALS_MAX = 2
RATIO_DECIMALS_MAX = 3
TIME_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def _decimals(size: float, digits: int) -> int:
    """How many decimals show `digits` significant digits of a number of that size."""
    if size == 0 or not math.isfinite(size):
        return 0
    return max(digits - 1 - math.floor(math.log10(abs(size))), 0)


def with_error(value: float, err: float, decimals_max: int = RATIO_DECIMALS_MAX) -> str:
    """`value ± err`; an error below the last decimal shown is rounded up to it, never to zero."""
    if err <= 0:
        return f"{value:.{min(_decimals(value, BARE_DIGITS), decimals_max)}f} ± 0"
    decimals = min(_decimals(err, ERROR_DIGITS), decimals_max)
    # 0.0996 becomes 0.100: one decimal less says the same
    decimals = min(_decimals(round(err, decimals) or err, ERROR_DIGITS), decimals_max)
    return f"{value:.{decimals}f} ± {max(err, 10.0**-decimals):.{decimals}f}"


def time_scale(value: float) -> tuple[float, str]:
    """Return the unit in which a time given in nanoseconds is easiest to read: its size in ns and its symbol."""
    return next(((size, unit) for size, unit in TIME_UNITS if abs(value) >= size), TIME_UNITS[-1])


def time_with_error(value: float, err: float) -> str:
    """Format a time in nanoseconds with its error, in a readable unit."""
    scale, unit = time_scale(max(abs(value), abs(err)))
    return f"{with_error(value / scale, err / scale, DECIMALS_MAX)} {unit}"


def plain_time(value: float) -> str:
    """Format a time in nanoseconds without an error, to three digits."""
    scale, unit = time_scale(value)
    return f"{value / scale:.{_decimals(value / scale, 3)}f} {unit}"


def percent(share: float) -> str:
    """Format a share as a percentage, to two digits."""
    return f"{100 * share:.{_decimals(100 * share, 2) if share else 0}f} %"


def cost_with_error(value: float, err: float, unit: str) -> str:
    """Format a cost in one of the units of a measurement: a time in nanoseconds, or a count of instructions."""
    if unit == "instructions":
        return f"{with_error(value, err, DECIMALS_MAX)} ins"
    return time_with_error(value, err)


def plain_cost(value: float, unit: str) -> str:
    """Format a cost without an error, to three digits."""
    return f"{value:,.0f} ins" if unit == "instructions" else plain_time(value)
