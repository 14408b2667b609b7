# SPDX-License-Identifier: BSD-3-Clause
"""Programs of the kind that users report as slow with several threads: reports.py LIBRARY [CASE…].

Each case does what one report describes, in code of our own and small enough for 2 processors. LIBRARY is sum_rows.c,
compiled. Prints one JSON object: case -> seconds, the median of some runs after a first one that is not counted.

Gradient boosting sorts the points into bins on one thread here. scikit-learn does so on threads of joblib, as many as
OpenMP has, and joblib looks each 10 ms whether they are done: that is 40 of 70 ms on 100 points, whatever runtime there
is.
"""

import ctypes
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import joblib  # type: ignore[import-not-found]
import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans  # type: ignore[import-not-found]
from sklearn.ensemble import HistGradientBoostingRegressor  # type: ignore[import-not-found]
from sklearn.ensemble._hist_gradient_boosting import binning  # type: ignore[import-not-found]
from sklearn.linear_model import Ridge  # type: ignore[import-not-found]
from sklearn.model_selection import cross_val_score  # type: ignore[import-not-found]
from sklearn.utils.parallel import Parallel  # type: ignore[import-not-found]

RUNS = 3
RANDOM = np.random.default_rng(1)
TALL, FLAT = RANDOM.normal(size=(10_000, 100)), RANDOM.normal(size=(100, 10))
SQUARE = RANDOM.normal(size=(128, 128))
SMALL, MIDDLE = RANDOM.normal(size=(100, 10)), RANDOM.normal(size=(10_000, 20))
CLUSTERED = RANDOM.normal(size=(4_000, 20))
TABLE = RANDOM.normal(size=(2_000, 40))
PYTHON_THREADS = 4


def values_of(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return something to learn from points."""
    return np.asarray(points[:, 0] * points[:, 1] + np.sin(points[:, 2]))


def sum_rows(matrix: npt.NDArray[np.float64]) -> float:
    """Add up a matrix in a parallel loop."""
    return float(_loop(matrix.ctypes.data_as(ctypes.c_void_p), *matrix.shape))


def product_then_loop() -> None:
    """OpenBLAS 3187: products of tall matrices, each followed by a short parallel loop over the result."""
    for _ in range(20):
        sum_rows(TALL @ FLAT)


def products_and_loops() -> None:
    """scikit-learn 34437: small products and small regions by turns, as often as can be."""
    for _ in range(40):
        sum_rows(SQUARE @ SQUARE)


def small_boosting() -> None:
    """scikit-learn 30662: gradient boosting on a data set so small that regions are shorter than waking threads."""
    model = HistGradientBoostingRegressor(max_iter=20, early_stopping=False)
    cross_val_score(model, SMALL, values_of(SMALL), cv=4)


def boosting() -> None:
    """scikit-learn 34764: gradient boosting on a middling data set, which opens thousands of regions."""
    HistGradientBoostingRegressor(max_iter=30, early_stopping=False).fit(MIDDLE, values_of(MIDDLE))


def many_clusters() -> None:
    """scikit-learn 17334: k-means with so many clusters that choosing the first centres (k-means++) takes longest."""
    KMeans(300, n_init=1, max_iter=2, random_state=1).fit(CLUSTERED)


def python_threads() -> None:
    """scikit-learn 34070: models that use OpenMP, BLAS or both, validated in threads of Python."""
    boosted = HistGradientBoostingRegressor(max_iter=5, early_stopping=False)
    with joblib.parallel_config(backend="threading", n_jobs=PYTHON_THREADS):
        for model in (boosted, Ridge()):
            cross_val_score(model, TABLE, values_of(TABLE), cv=PYTHON_THREADS)


CASES: dict[str, Callable[[], None]] = {
    "product_then_loop": product_then_loop,
    "products_and_loops": products_and_loops,
    "small_boosting": small_boosting,
    "boosting": boosting,
    "many_clusters": many_clusters,
    "python_threads": python_threads,
}


def seconds(case: Callable[[], None]) -> float:
    """Return how long one run takes."""
    began = time.perf_counter()
    case()
    return time.perf_counter() - began


class OneThread(Parallel):  # type: ignore[misc]
    """joblib's Parallel, on one thread whatever the caller asks for."""

    def __init__(self, **_settings: object) -> None:
        """Forget what the caller asks for."""
        super().__init__(n_jobs=1)


def main() -> None:
    """Print the medians."""
    warnings.simplefilter("ignore")
    found = {}
    for name in sys.argv[2:] or CASES:
        CASES[name]()
        found[name] = statistics.median(seconds(CASES[name]) for _ in range(RUNS))
    print(json.dumps(found))


if __name__ == "__main__":
    binning.Parallel = OneThread
    _loop = ctypes.CDLL(str(Path(sys.argv[1]).absolute())).sum_rows
    _loop.restype, _loop.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_long, ctypes.c_long]
    main()
