# SPDX-License-Identifier: BSD-3-Clause
"""Figures that are worked out from the others of one pass, by name; one whose parts are missing is left out."""

from __future__ import annotations

import re
from collections.abc import Callable

from ferry.check.job import Figures

Formula = Callable[[Figures], float]

#: The batch sizes of the Haskell benchmark.
HASKELL_SIZES = (1, 2, 5, 10, 20, 50, 100, 1000)
HASKELL_CALLS = ("getter", "one", "several")
#: Ways of calling that have a Haskell loop around each call.
HASKELL_LOOPS = ("unsafe", "foreign", "safe")
HASKELL_FILES = 10_000
PRODUCERS = (1, 2, 4, 8)
CROSSOVER_SIZES = (50, 100, 150, 200, 300, 500, 1000, 5000)


def _off_the_line(figures: Figures, variant: str) -> float:
    """Return how far the worst size is from the line through all of them, as a part of it."""
    times = [n * figures[f"{variant}/{n}"] for n in HASKELL_SIZES]
    rows = [(1 / time, n / time) for n, time in zip(HASKELL_SIZES, times, strict=True)]
    # least squares of fixed * u + per_call * v = 1, so that each size weighs the same
    uu, uv, vv = (sum(a[i] * a[j] for a in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    u, v = (sum(a[i] for a in rows) for i in (0, 1))
    determinant = uu * vv - uv * uv
    fixed, per_call = (u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant
    return max(abs(time / (fixed + n * per_call) - 1) for n, time in zip(HASKELL_SIZES, times, strict=True))


def _one_more(variant: str) -> Formula:
    """Return what one more call costs in a loop of ten, without what the loop itself costs when it begins.

    With one call that is a sixth of a safe call, and nothing of it is the call's.
    """
    return lambda figures: (10 * figures[f"{variant}/10"] - figures[f"{variant}/1"]) / 9


def _off(call: str) -> Formula:
    return lambda figures: _off_the_line(figures, f"batched:{call}")


def _twice(call: str, n: int) -> Formula:
    """Return what a held call may cost."""
    return lambda figures: 2 * figures[f"unsafe:{call}/{n}"] + 3


def _fixed_and_carried(call: str, n: int) -> Formula:
    """Return what a batch with fixed arguments and the carrying of words to and from its slots take together."""
    return lambda figures: figures[f"adaptive:{call}/{n}"] + figures[f"carry/{n}"]


def _share(kind: str, producers: int) -> Formula:
    """Return the rate of so many producers as a share of the best number's."""
    return lambda figures: (
        min(figures[f"{kind}:requests@{other}"] for other in PRODUCERS) / figures[f"{kind}:requests@{producers}"]
    )


def _late(kind: str) -> Formula:
    return lambda figures: HASKELL_FILES * figures[kind]


def _regions(figures: Figures, library: str, mode: str, case: str) -> float:
    """Return the rate of regions as a part of that without computing threads, at most 1."""
    return min(1.0, figures[f"{library}:region:idle:{mode}"] / figures[f"{library}:region:{case}:{mode}"])


def _haskell(figures: Figures, library: str, mode: str, case: str) -> float:
    """Return the rate of the computing threads as a part of that without regions, at most 1."""
    alone = figures[f"{library}:unit:{case.replace('busy', 'alone')}"]
    return min(1.0, alone / figures[f"{library}:unit:{case}:{mode}"])


def _crossover(figures: Figures, library: str, mode: str) -> float:
    """Return from how many sines on the region beats the sequential loop in C: between two sizes, linearly.

    Where it is slower at every size this is the largest of them: the least that the answer can be.
    """
    way, empty = ("sum-kernel:2", "held_empty") if mode == "held" else ("sum-omp:2", "empty")
    before = (0.0, -figures[f"{library}:{empty}"])
    for n in CROSSOVER_SIZES:
        saved = n * (figures[f"{library}:sum-c:1/{n}"] - figures[f"{library}:{way}/{n}"])
        if saved >= 0:
            return before[0] + (n - before[0]) * -before[1] / (saved - before[1])
        before = (float(n), saved)
    return before[0]


def _of_column(column: str, library: str, mode: str) -> dict[str, Formula]:
    """Return what is worked out for one way of opening regions."""
    found: dict[str, Formula] = {
        f"{column} wrong": lambda f: sum(f[name] for name in f if re.match(f"{library}:wrong:.*:{mode}$", name)),
        f"{column} crossover": lambda f: _crossover(f, library, mode),
    }
    for case in ("busy1", "busy2"):
        found |= {
            f"{column} shares added:{case}": lambda f, case=case: (  # type: ignore[misc]
                _regions(f, library, mode, case) + _haskell(f, library, mode, case)
            ),
            f"{column} smaller share:{case}": lambda f, case=case: min(  # type: ignore[misc]
                _regions(f, library, mode, case), _haskell(f, library, mode, case)
            ),
        }
    return found


OPENMP_HASKELL: dict[str, Formula] = {
    **_of_column("held", "ours", "held"),
    **_of_column("safe", "ours", "safe"),
    **_of_column("libgomp", "libgomp", "safe"),
    # a safe call, and libgomp's fork and join from a program in C
    "libgomp parts": lambda f: f["libgomp:safe:one"] + f["libgomp:fork_join@2"],
    # what two threads that share nothing else need for one sine
    "ours half a sine": lambda f: f["ours:sum-c:1/1000000"] / 2,
}

DERIVED: dict[str, dict[str, Formula]] = {
    "haskell": {
        **{f"off the line:{call}": _off(call) for call in HASKELL_CALLS},
        **{
            f"one more {way}:{call}": _one_more(f"{way}:{call}")
            for way in HASKELL_LOOPS
            for call in (*HASKELL_CALLS, "pointer")
        },
        **{
            f"fixed and carried:{call}/{n}": _fixed_and_carried(call, n)
            for call in ("one", "several")
            for n in HASKELL_SIZES
        },
        **{f"twice unsafe and 3 ns:{call}/{n}": _twice(call, n) for call in ("one", "getter") for n in HASKELL_SIZES},
    },
    # a lateness is a sample of a run of 10,000 files
    "haskell-files": {f"late {kind}": _late(kind) for kind in ("p99:idle", "p99:unix", "p99:ferry", "max:ferry")},
    "openmp-haskell": OPENMP_HASKELL,
    "ingress": {f"{kind} share@{n}": _share(kind, n) for n in PRODUCERS for kind in ("submit", "work")},
}


def derived(name: str, figures: Figures) -> Figures:
    """Return the figures that the formulas of that name give."""
    found: Figures = {}
    for figure, formula in DERIVED.get(name, {}).items():
        try:
            found[figure] = formula(figures)
        except (KeyError, ZeroDivisionError, ValueError):
            continue
    return found
