# SPDX-License-Identifier: BSD-3-Clause
"""Run by `make wheels-test` on musl, with the wheel and programs of PyPI installed: their pools, in each way to start.

numpy and scipy bring an OpenBLAS each, faiss one that is too old to be served and a libgomp.
"""

import json
import subprocess
import sys

PROGRAM = """
import json, sys
if "enable" in sys.argv:
    import ferry_openmp
    ferry_openmp.enable()
import numpy, scipy.linalg, faiss
from ferry_openmp import doctor

rows = numpy.random.default_rng(1).random((5000, 32), dtype=numpy.float32)
found = faiss.Kmeans(32, 20, niter=3, seed=1).train(rows)
product = float((rows.astype(float) @ rows.T.astype(float)).sum())
pools = sorted((pool.kind, pool.served_by.name, "faiss" in pool.path) for pool in doctor().pools)
print(json.dumps({"results": [found, product], "pools": pools}))
"""
FERRY = ["openmp", "FERRY", False]
SERVED = [["blas", "FERRY", False], ["blas", "FERRY", False]]
STARTS = {
    "without Ferry": [sys.executable, "-c", PROGRAM],
    "python -m ferry_openmp": [sys.executable, "-m", "ferry_openmp", "-c", PROGRAM],
    "ferry_openmp.enable()": [sys.executable, "-c", PROGRAM, "enable"],
}


def main() -> None:
    """Compare what the ways to start give."""
    said = {}
    for name, command in STARTS.items():
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
        said[name] = json.loads(done.stdout)
        print(name, said[name])
    without = said.pop("without Ferry")
    assert not any(server == "FERRY" for _, server, _ in without["pools"]), without
    for name, one in said.items():
        assert one["results"] == without["results"], name
        assert [pool for pool in one["pools"] if pool[1] == "FERRY"] == [*SERVED, FERRY], name
        # libgomp is loaded, since faiss needs a file of that name, and never called
        assert ["openmp", "NOBODY", True] in one["pools"], name


if __name__ == "__main__":
    main()
