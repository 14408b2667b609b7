# SPDX-License-Identifier: BSD-3-Clause
"""What a matrix product costs, or a system of equations, after each of several gaps, in which threads may go to sleep.

Prints one JSON object: case -> seconds of one, the median of some. A case is what is computed if that is no product,
the matrices' size, and the gap before each in milliseconds; in a gap of 5 ms or more the program sleeps, in a shorter
one it computes.
"""

import json
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

#: size, gap in milliseconds, repetitions
CASES = ((128, 0, 400), (128, 0.2, 200), (128, 2, 100), (400, 0, 60), (400, 1, 60), (400, 20, 40), (400, 300, 10))
#: The same for systems of equations with three right-hand sides.
SOLVED = ((100, 0, 100), (400, 0, 40), (800, 0, 20), (100, 20, 40), (400, 20, 40), (800, 20, 20))
RIGHT_HAND_SIDES = 3
SLEEPS_FROM_MS = 5


def rest(gap_ms: float) -> None:
    """Let time pass as Python code does, or as a program does that waits for input."""
    if gap_ms >= SLEEPS_FROM_MS:
        time.sleep(gap_ms / 1000)
        return
    until = time.perf_counter() + gap_ms / 1000
    while time.perf_counter() < until:
        pass


def median_s(compute: Callable[[], object], gap_ms: float, repetitions: int) -> float:
    """Return how long it takes after a gap."""
    compute()
    found = []
    for _ in range(repetitions):
        rest(gap_ms)
        began = time.perf_counter()
        compute()
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def main() -> None:
    """Print the medians."""
    found = {}
    random = np.random.default_rng(1)
    for size, gap_ms, repetitions in CASES:
        matrix = random.normal(size=(size, size))
        found[f"{size} after {gap_ms:g}"] = median_s(partial(np.matmul, matrix, matrix), gap_ms, repetitions)
    for size, gap_ms, repetitions in SOLVED:
        matrix = random.normal(size=(size, size)) + size * np.eye(size)
        right = random.normal(size=(size, RIGHT_HAND_SIDES))
        found[f"solve {size} after {gap_ms:g}"] = median_s(partial(np.linalg.solve, matrix, right), gap_ms, repetitions)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
