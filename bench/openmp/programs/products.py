# SPDX-License-Identifier: BSD-3-Clause
"""What a matrix product costs after each of several gaps, in which its threads may have gone to sleep.

Prints one JSON object: case -> seconds of one product, the median of some. A case is the matrices' size and the gap
before each product in milliseconds; in a gap of 5 ms or more the program sleeps, in a shorter one it computes.
"""

import json
import statistics
import time

import numpy as np
import numpy.typing as npt

#: size, gap in milliseconds, repetitions
CASES = ((128, 0, 400), (128, 0.2, 200), (128, 2, 100), (400, 0, 60), (400, 1, 60), (400, 20, 40), (400, 300, 10))
SLEEPS_FROM_MS = 5


def rest(gap_ms: float) -> None:
    """Let time pass as Python code does, or as a program does that waits for input."""
    if gap_ms >= SLEEPS_FROM_MS:
        time.sleep(gap_ms / 1000)
        return
    until = time.perf_counter() + gap_ms / 1000
    while time.perf_counter() < until:
        pass


def seconds(matrix: npt.NDArray[np.float64], gap_ms: float) -> float:
    """Return how long a product takes after a gap."""
    rest(gap_ms)
    began = time.perf_counter()
    matrix @ matrix
    return time.perf_counter() - began


def main() -> None:
    """Print the medians."""
    found = {}
    for size, gap_ms, repetitions in CASES:
        matrix = np.random.default_rng(1).normal(size=(size, size))
        matrix @ matrix
        found[f"{size} after {gap_ms:g}"] = statistics.median(seconds(matrix, gap_ms) for _ in range(repetitions))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
