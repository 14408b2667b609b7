# SPDX-License-Identifier: BSD-3-Clause
"""Run by `make wheels-test` on an older system with the wheel installed: a program with the runtime, and its doctor."""

import ctypes
import subprocess
import sys

CHILD = """
import ctypes, os, sys
import ferry_openmp
from ferry_openmp.maps import maps_of
from ferry_openmp.pools import ours_is_first

assert sys.argv == ["-c", "one", "two words"], sys.argv
assert ours_is_first()
BODY = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
everywhere = ctypes.CDLL(None)
members = []
everywhere.GOMP_parallel(BODY(lambda _: members.append(everywhere.omp_get_thread_num())), None, 3, 0)
assert sorted(members) == [0, 1, 2], members
report = ferry_openmp.doctor()
assert [pool.name for pool in report.pools] == ["Ferry"], report
assert report.team_size == len(os.sched_getaffinity(0)), report
print(report)
raise SystemExit(7)
"""


def main() -> None:
    """Start the program in place of Ferry's launcher's own, and look at what it says."""
    assert ctypes.CDLL(None)
    done = subprocess.run([sys.executable, "-m", "ferry_openmp", "-c", CHILD, "one", "two words"], check=False)
    assert done.returncode == 7, done.returncode


if __name__ == "__main__":
    main()
