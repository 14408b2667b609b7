# SPDX-License-Identifier: BSD-3-Clause
"""A Python library that opens OpenMP regions, used in children of a process that has used it: forks.py LIBRARY ROUNDS.

`multiprocessing` forks so on Linux before Python 3.14, and so do web servers. Prints one line a child that failed or
hung; the exit status is 1 if there was any.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable

import numpy as np

# a child takes some 10 ms
HUNG_S = 60
PARENT_EVERY = 20
FAILED_MOST = 3

POINTS = np.random.default_rng(1).normal(size=(400, 8)).astype(np.float32)
LABELS = (POINTS[:, 0] > 0).astype(int)


def scikit_learn() -> None:
    """Fit gradient boosting and k-means."""
    ensemble, cluster = importlib.import_module("sklearn.ensemble"), importlib.import_module("sklearn.cluster")
    ensemble.HistGradientBoostingClassifier(max_iter=3, early_stopping=False).fit(POINTS, LABELS)
    cluster.KMeans(4, n_init=1, max_iter=5, random_state=0).fit(POINTS)


def lightgbm() -> None:
    """Train a few trees."""
    library = importlib.import_module("lightgbm")
    library.train({"objective": "binary", "verbose": -1}, library.Dataset(POINTS, LABELS), 3)


def xgboost() -> None:
    """Train a few trees."""
    library = importlib.import_module("xgboost")
    library.train({"objective": "binary:logistic"}, library.DMatrix(POINTS, LABELS), 3)


def faiss() -> None:
    """Search in a flat index."""
    index = importlib.import_module("faiss").IndexFlatL2(POINTS.shape[1])
    index.add(POINTS)
    index.search(POINTS, 5)


LIBRARIES: dict[str, Callable[[], None]] = {
    "scikit-learn": scikit_learn,
    "lightgbm": lightgbm,
    "xgboost": xgboost,
    "faiss": faiss,
}


def child_status(use: Callable[[], None]) -> int:
    """Fork a child that uses the library; return its wait status."""
    child = os.fork()
    if child == 0:
        signal.alarm(HUNG_S)
        use()
        os._exit(0)
    return os.waitpid(child, 0)[1]


def main() -> None:
    """Fork, and say how many children failed."""
    use, rounds = LIBRARIES[sys.argv[1]], int(sys.argv[2])
    failed = 0
    use()
    for number in range(rounds):
        status = child_status(use)
        if status:
            failed += 1
            why = f"hung for {HUNG_S} s" if status == signal.SIGALRM else f"wait status {status}"
            print(f"child {number}: {why}")
        if failed == FAILED_MOST:
            break
        if number % PARENT_EVERY == 0:
            use()
    print(f"{number + 1} children, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
