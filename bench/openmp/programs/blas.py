# SPDX-License-Identifier: BSD-3-Clause
"""numpy on OpenBLAS's OpenMP build: products and decompositions; prints results, or with `time` how long they took."""

import hashlib
import json
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GEMV_CALLS = 2000


def matrix(rows: int, columns: int) -> Array:
    """Return a matrix that is the same everywhere."""
    return np.sin(np.arange(rows * columns, dtype=np.float64)).reshape(rows, columns)


def product() -> Array:
    """Multiply matrices, several times."""
    one = matrix(600, 600)
    for _ in range(5):
        one = one @ one / 600
    return one


def solve() -> Array:
    """Solve a system of equations."""
    return np.asarray(np.linalg.solve(matrix(500, 500) + 500 * np.eye(500), matrix(500, 20)), dtype=np.float64)


def gemv() -> Array:
    """Make many short calls: a matrix times a vector."""
    one, vector = matrix(400, 400), matrix(400, 1)[:, 0]
    for _ in range(GEMV_CALLS):
        vector = one @ vector
        vector /= np.abs(vector).max()
    return vector


def main() -> None:
    """Print one JSON object: name -> hash of the result, or seconds."""
    cases: dict[str, Callable[[], Array]] = {"product": product, "solve": solve, "gemv": gemv}
    found: dict[str, str | float] = {}
    for name, case in cases.items():
        case()
        started = time.perf_counter()
        result = case()
        seconds = time.perf_counter() - started
        found[name] = seconds if "time" in sys.argv else hashlib.sha256(result.tobytes()).hexdigest()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
