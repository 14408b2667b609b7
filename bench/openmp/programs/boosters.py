# SPDX-License-Identifier: BSD-3-Clause
"""Gradient boosting by three libraries, with as many threads as they take by themselves: how long each fit took.

Prints one JSON object: library -> seconds, the median of some fits after a first one that is not counted.
"""

import json
import statistics
import time
import warnings
from collections.abc import Callable

import lightgbm  # type: ignore[import-not-found]
import numpy as np
import xgboost  # type: ignore[import-not-found]
from sklearn.ensemble import HistGradientBoostingRegressor  # type: ignore[import-not-found]

RUNS = 3
ROUNDS = 30
POINTS = np.random.default_rng(1).normal(size=(5_000, 20))
VALUES = POINTS[:, 0] * POINTS[:, 1] + np.sin(POINTS[:, 2])


def with_xgboost() -> None:
    """Train trees by histograms."""
    xgboost.train({"tree_method": "hist"}, xgboost.DMatrix(POINTS, VALUES), ROUNDS)


def with_lightgbm() -> None:
    """Train trees."""
    lightgbm.train({"objective": "regression", "verbose": -1}, lightgbm.Dataset(POINTS, VALUES), ROUNDS)


def with_scikit_learn() -> None:
    """Train trees."""
    HistGradientBoostingRegressor(max_iter=ROUNDS, early_stopping=False).fit(POINTS, VALUES)


LIBRARIES: dict[str, Callable[[], None]] = {
    "xgboost": with_xgboost,
    "lightgbm": with_lightgbm,
    "scikit-learn": with_scikit_learn,
}


def seconds(fit: Callable[[], None]) -> float:
    """Return how long one fit takes."""
    began = time.perf_counter()
    fit()
    return time.perf_counter() - began


def main() -> None:
    """Print the medians."""
    warnings.simplefilter("ignore")
    for fit in LIBRARIES.values():
        fit()
    print(json.dumps({name: statistics.median(seconds(fit) for _ in range(RUNS)) for name, fit in LIBRARIES.items()}))


if __name__ == "__main__":
    main()
