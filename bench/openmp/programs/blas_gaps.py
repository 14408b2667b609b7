# SPDX-License-Identifier: BSD-3-Clause
"""What a matrix product costs, and what the OpenMP loop that comes after it costs, after each of several gaps.

OpenBLAS's threads spin for a while after a call. A loop that begins meanwhile shares the processors with them. Run it
by `python`, and by `python -m ferry_openmp`; it prints one JSON object: times in milliseconds,
those of the loop by the gap's milliseconds.
"""

import json
import sys
import time

import numpy as np
from sklearn.cluster import KMeans  # type: ignore[import-not-found]

GAPS_MS = (0, 1, 2, 5, 10, 20, 50, 100, 200)
REPETITIONS = 7
PRODUCT = np.random.default_rng(1).normal(size=(400, 400))
POINTS = np.random.default_rng(2).normal(size=(20_000, 8))
#: Long enough for any thread to be asleep.
REST_S = 0.4


def milliseconds(begin: float) -> float:
    """Return the time since then."""
    return 1000 * (time.perf_counter() - begin)


def product() -> float:
    """Multiply matrices."""
    begin = time.perf_counter()
    for _ in range(4):
        PRODUCT @ PRODUCT
    return milliseconds(begin)


def loop() -> float:
    """Ten iterations of k-means; its own BLAS calls are one-threaded."""
    begin = time.perf_counter()
    KMeans(8, n_init=1, max_iter=10, tol=0, init=POINTS[:8]).fit(POINTS)
    return milliseconds(begin)


def main() -> None:
    """Measure in turn: what comes after a rest, and after each gap behind a product."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    product(), loop()
    found: dict[str, list[float]] = {"product": [], "after rest": [], **{f"after {gap}": [] for gap in GAPS_MS}}
    for _ in range(repetitions):
        time.sleep(REST_S)
        found["after rest"].append(loop())
        for gap in GAPS_MS:
            time.sleep(REST_S)
            found["product"].append(product())
            time.sleep(gap / 1000)
            found[f"after {gap}"].append(loop())
    print(json.dumps({name: [round(value, 3) for value in values] for name, values in found.items()}))


if __name__ == "__main__":
    main()
