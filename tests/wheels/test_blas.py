# SPDX-License-Identifier: BSD-3-Clause
"""OpenBLAS on Ferry's team: the jobs run together, calls come one at a time, and in the upper numbers.

`make wheels-test` runs it; `make test` has test_pools.py, where a call runs on a team.
"""

import pytest
from wheels.installed import Installed

RUN = ("-m", "ferry_openmp")
#: A library that looks like OpenBLAS, adopted.
FAKE = """
import ctypes, os, threading
from ferry_openmp import blas
fake, user = (ctypes.CDLL(os.environ["LIBRARY_" + name]) for name in ("OPENBLAS", "USER"))
fake.fake_callback.restype = ctypes.c_void_p
assert blas.adopt() == [os.environ["LIBRARY_OPENBLAS"]] and blas.adopt() == []
"""


@pytest.mark.parametrize("count", [1, 2, 7, 32])
def test_every_job_runs_once_beside_the_others(installed: Installed, count: int) -> None:
    code = FAKE + f"assert [fake.fake_call({count}) for _ in range(20)] == [0] * 20; print(blas.calls())"
    assert installed.output(*RUN, "-c", code) == "(20, 0)\n"


def test_calls_of_several_threads_come_one_at_a_time(installed: Installed) -> None:
    code = (
        FAKE + "threads = [threading.Thread(target=lambda: [fake.fake_call(3) for _ in range(50)]) for _ in range(4)]\n"
        "for thread in threads: thread.start()\nfor thread in threads: thread.join()\n"
        "assert fake.fake_call(3) == 0; print(blas.calls())"
    )
    assert installed.output(*RUN, "-c", code) == "(201, 0)\n"


@pytest.mark.parametrize("how", ["thread limit", "region"])
def test_jobs_get_threads_where_a_team_has_too_few(installed: Installed, how: str) -> None:
    call = "fake.fake_call(4)" if how == "thread limit" else "user.inside_regions(2, fake.fake_call, 4)"
    limit = {"OMP_THREAD_LIMIT": "2"} if how == "thread limit" else {}
    code = FAKE + f"assert {call} == 0; print(blas.calls())"
    on_threads = 1 if how == "thread limit" else 2
    assert installed.output(*RUN, "-c", code, **limit) == f"(0, {on_threads})\n"


def test_a_team_is_as_large_as_a_call_needs_where_others_may_be_smaller(installed: Installed) -> None:
    code = FAKE + "assert fake.fake_call(32) == 0; print(blas.calls(), runtime.omp_get_dynamic())"
    code = f"import ctypes; from ferry_openmp import files; runtime = ctypes.CDLL(files.library()); {code}"
    assert installed.output(*RUN, "-c", code, OMP_DYNAMIC="true") == "(1, 0) 1\n"


def test_a_child_of_fork_can_call_while_the_parent_does(installed: Installed) -> None:
    code = (
        FAKE + "stop = threading.Event()\ndef work():\n    while not stop.is_set(): fake.fake_call(2)\n"
        "thread = threading.Thread(target=work); thread.start()\n"
        "for _ in range(20):\n    child = os.fork()\n    if child == 0: os._exit(fake.fake_call(2))\n"
        "    assert os.waitpid(child, 0)[1] == 0\nstop.set(); thread.join()"
    )
    installed.run("-W", "ignore", *RUN, "-c", code)


def test_it_has_no_more_threads_than_a_region_unless_the_user_says_so(installed: Installed) -> None:
    count = FAKE + "print(fake.openblas_get_num_threads(), len(os.sched_getaffinity(0)))"
    ours, processors = installed.output(*RUN, "-c", count).split()
    assert int(ours) == min(int(processors), 4)
    assert installed.output(*RUN, "-c", count, OPENBLAS_NUM_THREADS="4").split()[0] == "4"


def test_release_gives_it_its_own_threads_back(installed: Installed) -> None:
    code = (
        FAKE + "assert fake.fake_callback(); blas.release(); print(fake.fake_callback(), blas.adopted() == frozenset())"
    )
    assert installed.output(*RUN, "-c", code) == "None True\n"


@pytest.mark.parametrize(
    ("config", "threads", "suits"),
    [
        ("OpenBLAS 0.3.30 DYNAMIC_ARCH MAX_THREADS=64", 32, True),
        ("OpenBLAS 0.3.31.188.0  USE64BITINT MAX_THREADS=64", 2, True),
        ("OpenBLAS 0.3.29 MAX_THREADS=64", 2, False),
        ("OpenBLAS 0.3.30 MAX_THREADS=32", 2, False),
        ("OpenBLAS 0.3.30 MAX_THREADS=64", 33, False),
        ("", 1, False),
    ],
)
def test_only_an_openblas_with_free_numbers_is_adopted(
    installed: Installed, config: str, threads: int, suits: bool
) -> None:
    code = f"from ferry_openmp import blas; print(blas.suits({config!r}, {threads}))"
    assert installed.output("-c", code) == f"{suits}\n"
