# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn from PyPI: k-means and gradient boosting; prints results, or with `time` how long they took.

Sums over threads are made in the order in which threads arrive, so results are rounded before they are compared.
"""

import json
import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.cluster import KMeans  # type: ignore[import-not-found]
from sklearn.ensemble import HistGradientBoostingRegressor  # type: ignore[import-not-found]

DIGITS = 6


def kmeans() -> list[float]:
    """Return the centres of eight clusters."""
    points = np.random.default_rng(1).normal(size=(20_000, 8))
    fitted = KMeans(n_clusters=8, n_init=1, max_iter=30, random_state=1).fit(points)
    return [float(fitted.inertia_), *map(float, np.sort(fitted.cluster_centers_.ravel()))]


def boosting() -> list[float]:
    """Return predictions of a fitted ensemble."""
    random = np.random.default_rng(2)
    points = random.normal(size=(10_000, 10))
    values = points[:, 0] * points[:, 1] + np.sin(points[:, 2])
    fitted = HistGradientBoostingRegressor(max_iter=40, random_state=1).fit(points, values)
    return [float(value) for value in fitted.predict(points[:20])]


def main() -> None:
    """Print one JSON object: name -> rounded results, or seconds."""
    cases: dict[str, Callable[[], list[float]]] = {"kmeans": kmeans, "boosting": boosting}
    found: dict[str, list[str] | float] = {}
    for name, case in cases.items():
        case()
        started = time.perf_counter()
        result = case()
        seconds = time.perf_counter() - started
        found[name] = seconds if "time" in sys.argv else [f"{value:.{DIGITS}g}" for value in result]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
