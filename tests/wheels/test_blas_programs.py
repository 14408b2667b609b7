# SPDX-License-Identifier: BSD-3-Clause
"""numpy's and scipy's own OpenBLAS on Ferry's team: results are equal bit for bit, also for several callers at once."""

import json

import pytest
from paths import BUILD
from wheels.installed import Installed

RUN = ("-m", "ferry_openmp")
#: The packages of `make programs`, if it has run.
PROGRAMS = list((BUILD / "programs" / "venv" / "lib").glob("python*/site-packages"))
NUMPY = """
import hashlib, json, sys, threading
import numpy as np, scipy.linalg
from ferry_openmp import blas
a = np.random.default_rng(1).normal(size=(160, 160))
b = a @ a.T + 160 * np.eye(160)
cases = [lambda: a @ a, lambda: a @ a[0], lambda: np.linalg.solve(b, a), lambda: np.linalg.cholesky(b),
    lambda: np.linalg.qr(a)[0], lambda: np.linalg.svd(a)[0], lambda: scipy.linalg.lu_factor(a)[0],
    lambda: scipy.linalg.eigh(b)[1], lambda: (a + 1j * a.T) @ a, lambda: a.astype("f") @ a.astype("f")]
def results(): return [hashlib.sha256(np.ascontiguousarray(case()).tobytes()).hexdigest() for case in cases]
one = results()
many = [None] * int(sys.argv[1])
def work(k): many[k] = results()
threads = [threading.Thread(target=work, args=(k,)) for k in range(len(many))]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([one, many, blas.calls()]))
"""


@pytest.mark.skipif(
    not PROGRAMS, reason="the numpy of make test has an OpenBLAS that keeps its own threads; run make programs"
)
def test_results_are_those_of_openblas_s_own_threads_bit_for_bit(installed: Installed) -> None:
    threads = {"OPENBLAS_NUM_THREADS": "2", "PYTHONPATH": str(PROGRAMS[0])}
    own, _, calls = json.loads(installed.output("-c", NUMPY, "0", **threads))
    assert calls == [0, 0]
    _, _, calls = json.loads(installed.output(*RUN, "-c", NUMPY, "0", **threads, FERRY_OPENMP_BLAS="0"))
    assert calls == [0, 0], "it was asked not to"
    ours, many, calls = json.loads(installed.output(*RUN, "-c", NUMPY, "4", **threads))
    assert ours == own
    assert many == [own] * 4
    assert calls[0] > 50
    assert calls[1] == 0
