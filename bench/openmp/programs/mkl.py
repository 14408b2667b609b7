# SPDX-License-Identifier: BSD-3-Clause
"""MKL from PyPI, whose code is Intel's, in a process with numba and scikit-learn; prints results of all three.

With `pool` it prints instead how many threads they have started together, and which OpenMP runtimes are in memory.
MKL loads its runtime at its first call, from its own folder, unless the process has one already.
"""

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import config, njit, prange  # type: ignore[import-not-found]
from sklearn.cluster import KMeans  # type: ignore[import-not-found]

Array = npt.NDArray[Any]

ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE = 101, 111, 11
SIZE = 700
IN_ROW = 20
POINTS = 60_000
DIGITS = 6
LIBRARY = Path(sys.prefix) / "lib" / "libmkl_rt.so.3"


def address(array: Array) -> ctypes.c_void_p:
    """Return where the data of an array is."""
    return ctypes.c_void_p(array.ctypes.data)


def product(mkl: ctypes.CDLL, left: Array, right: Array) -> Array:
    """Multiply two square matrices (dgemm)."""
    size = len(left)
    result = np.zeros((size, size))
    one, zero = ctypes.c_double(1), ctypes.c_double(0)
    mkl.cblas_dgemm(
        *(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size, size, size),
        *(one, address(left), size, address(right), size, zero, address(result), size),
    )
    return result


def sparse_product(mkl: ctypes.CDLL, random: np.random.Generator) -> Array:
    """Multiply a transposed sparse matrix by another (mkl_sparse_z_spmmd)."""
    values = random.integers(1, 9, size=(2, SIZE * IN_ROW)).astype(np.complex128)
    columns = (np.arange(SIZE * IN_ROW) * 7 % SIZE).astype(np.int32)
    starts = np.arange(0, SIZE * IN_ROW + 1, IN_ROW, dtype=np.int32)
    matrices = [ctypes.c_void_p(), ctypes.c_void_p()]
    for matrix, of in zip(matrices, values, strict=True):
        rows = (address(starts), ctypes.c_void_p(starts.ctypes.data + starts.itemsize), address(columns))
        assert mkl.mkl_sparse_z_create_csr(ctypes.byref(matrix), 0, SIZE, SIZE, *rows, address(of)) == 0
    result = np.zeros((SIZE, SIZE), dtype=np.complex128)
    assert mkl.mkl_sparse_z_spmmd(TRANSPOSE, *matrices, ROW_MAJOR, address(result), SIZE) == 0
    return result


def intel(mkl: ctypes.CDLL) -> list[float]:
    """Return a product, a solution of linear equations, eigenvalues, sines, a sparse product."""
    random = np.random.default_rng(1)
    left, right = random.normal(size=(SIZE, SIZE)), random.normal(size=(SIZE, SIZE))
    product_of = product(mkl, left, right)
    matrix, solution = left + SIZE * np.eye(SIZE), right[:, :4].copy()
    pivots = np.zeros(SIZE, dtype=np.int32)
    failed = mkl.LAPACKE_dgesv(ROW_MAJOR, SIZE, 4, address(matrix), SIZE, address(pivots), address(solution), 4)
    symmetric, values = left + left.T, np.zeros(SIZE)
    failed |= mkl.LAPACKE_dsyevd(
        ROW_MAJOR, ctypes.c_char(b"V"), ctypes.c_char(b"L"), SIZE, address(symmetric), SIZE, address(values)
    )
    angles, sines = random.normal(size=POINTS), np.zeros(POINTS)
    mkl.vdSin(POINTS, address(angles), address(sines))
    parts = (product_of, solution, values, sines, sparse_product(mkl, random))
    return [failed, *(float(np.abs(part).sum()) for part in parts)]


@njit(parallel=True)  # type: ignore[misc]
def reduced(values: Array) -> float:
    """Sum in a parallel loop of numba."""
    total = 0.0
    for i in prange(len(values)):
        total += np.sqrt(values[i])
    return total


def learned() -> list[float]:
    """Return the centres of k-means."""
    points = np.random.default_rng(2).normal(size=(20_000, 8))
    fitted = KMeans(n_clusters=8, n_init=1, max_iter=30, random_state=1).fit(points)
    return [float(fitted.inertia_), *map(float, np.sort(fitted.cluster_centers_.ravel()))]


def runtimes() -> list[str]:
    """Return the files of OpenMP runtimes that the process has in memory."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    files = {line.split()[-1] for line in lines if "/" in line}
    return sorted(
        file for file in files if Path(file).name.startswith(("libgomp", "libiomp", "libomp.", "libferryomp"))
    )


def threads_now() -> int:
    """Return how many threads the process has."""
    return len(list(Path("/proc/self/task").iterdir()))


def main() -> None:
    """Print one JSON object: name -> rounded results, or threads and runtimes."""
    threads = int(os.environ["OMP_NUM_THREADS"])
    config.THREADING_LAYER = "omp"
    mkl = ctypes.CDLL(str(LIBRARY))
    mkl.MKL_Set_Dynamic(0)
    mkl.MKL_Set_Num_Threads(threads)
    pooled = "pool" in sys.argv
    before = threads_now()
    found: dict[str, list[float]] = {}
    for _ in range(2):
        found = {"mkl": intel(mkl), "numba": [float(reduced(np.arange(POINTS, dtype=np.float64)))], "learn": learned()}
    if pooled:
        print(json.dumps({"threads": threads_now() - before, "runtimes": runtimes()}))
        return
    print(json.dumps({name: [f"{value:.{DIGITS}g}" for value in values] for name, values in found.items()}))


if __name__ == "__main__":
    main()
