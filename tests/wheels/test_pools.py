# SPDX-License-Identifier: BSD-3-Clause
"""What ferry_openmp says of the pools of a process: the doctor, enable() and threadpoolctl."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from wheels.installed import Installed

RUN = ("-m", "ferry_openmp")
WITH_BLAS, WITHOUT_BLAS = {"FERRY_OPENMP_BLAS": "1"}, {"FERRY_OPENMP_BLAS": "0"}
LOAD = "import ctypes, json, os; load = lambda name: ctypes.CDLL(os.environ['LIBRARY_' + name])\n"
PRINT_POOLS = "import ferry_openmp; print(json.dumps(ferry_openmp.doctor().as_dict()))\n"
THREADPOOLCTL = """
import threadpoolctl
def show():
    found = [info for info in threadpoolctl.threadpool_info() if info["user_api"] == "openmp"]
    return [(info["internal_api"], info["num_threads"]) for info in found]
size = ctypes.CDLL(None).omp_get_max_threads
before, lists = size(), [show()]
with threadpoolctl.threadpool_limits(1, user_api="openmp"):
    lists.append(show())
    assert size() == 1
assert size() == before
print(json.dumps([before, *lists, show()]))
"""


def pools(report: dict[str, Any]) -> dict[str, tuple[str, int | None]]:
    """Return name and server by the file's name."""
    return {Path(pool["path"]).name: (pool["served_by"], pool["threads"]) for pool in report["pools"]}


def test_the_doctor_tells_who_serves_what(installed: Installed) -> None:
    code = LOAD + "load('GOMP'); load('OPENBLAS')\nimport numpy\n" + PRINT_POOLS
    bare = json.loads(installed.output("-c", code, OMP_NUM_THREADS="3"))
    found = pools(bare)
    assert found["libgomp-0123abcd.so.1"] == ("itself", 3)
    assert any("a libgomp of their own" in text for text in bare["advice"])
    served = json.loads(installed.output(*RUN, "-c", code, OMP_NUM_THREADS="3", **WITHOUT_BLAS))
    found = pools(served)
    assert found["libgomp-0123abcd.so.1"] == ("nobody", None)
    assert found["libferryomp.so.0"] == ("Ferry", 3)
    assert found["libfake_openblas.so"][0] == "itself"
    assert any("unless FERRY_OPENMP_BLAS is 0" in text for text in served["advice"])
    assert (served["team_size"], served["team_size_from"]) == (3, "from OMP_NUM_THREADS")
    assert not any("a libgomp of their own" in text for text in served["advice"])
    assert pools(json.loads(installed.output(*RUN, "-c", code)))["libfake_openblas.so"][0] == "Ferry"


def test_openblas_runs_on_the_team_unless_it_is_asked_not_to(installed: Installed) -> None:
    """Ask in each way. OpenBLAS's own threads are told to sleep soon, unless the user has said how soon."""
    code = (
        "import ferry_openmp, sys; exec(sys.argv[1])\n" + LOAD + "from ferry_openmp import blas\n"
        "fake = load('OPENBLAS')\nimport numpy\nfake.fake_callback.restype = ctypes.c_void_p\n"
        "assert not fake.fake_callback() or fake.fake_call(2) == 0\n"
        "print(blas.calls()[0], os.environ.get('OPENBLAS_THREAD_TIMEOUT'), os.environ.get('FERRY_OPENMP_BLAS'))"
    )
    assert installed.output(*RUN, "-c", code, "") == "1 17 None\n"
    assert installed.output(*RUN, "-c", code, "", **WITHOUT_BLAS) == "0 17 0\n"
    assert installed.output(*RUN, "-c", code, "", OPENBLAS_THREAD_TIMEOUT="26") == "1 26 None\n"
    assert installed.output("-c", code, "ferry_openmp.enable()") == "1 17 None\n"
    assert installed.output("-c", code, "ferry_openmp.enable(children=False)") == "1 17 None\n"
    assert installed.output("-c", code, "ferry_openmp.enable()", **WITHOUT_BLAS) == "0 17 0\n"
    assert installed.output("-c", code, "ferry_openmp.enable(blas=False)") == "0 17 0\n"
    assert installed.output("-c", code, "ferry_openmp.enable(blas=False); ferry_openmp.enable(blas=True)") == "1 17 1\n"


def test_an_openblas_that_was_loaded_before_keeps_its_threads_unless_asked_for(installed: Installed) -> None:
    """Its threads have begun to spin for long, beside which Ferry's would slow LU decompositions down."""
    code = LOAD + "load('OPENBLAS')\nimport numpy, ferry_openmp\nsaid = ferry_openmp.enable({})\n" + PRINT_POOLS
    for asked, server in (("", "itself"), ("blas=True", "Ferry")):
        assert pools(json.loads(installed.output("-c", code.format(asked))))["libfake_openblas.so"][0] == server


def test_a_word_that_is_neither_yes_nor_no_is_named(installed: Installed) -> None:
    assert (
        "FERRY_OPENMP_BLAS is 'yes': set it to 0"
        in installed.run(*RUN, "-c", "1", status=2, FERRY_OPENMP_BLAS="yes").stderr
    )


def test_the_doctors_command_looks_with_ferry_and_without(installed: Installed) -> None:
    def output(*options: str, status: int = 0) -> str:
        done = subprocess.run(
            [installed.command, "doctor", *options],
            env=installed.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    assert "openmp Ferry: served by Ferry" in output("numpy")
    assert "OpenBLAS: with threads of its own" in output("--bare", "numpy")
    assert {pool["kind"] for pool in json.loads(output("--json", "numpy"))["pools"]} == {"openmp", "blas"}
    assert "cannot import no_such_module" in output("no_such_module", status=2)


def test_enable_first_reaches_what_is_loaded_later(installed: Installed) -> None:
    code = (
        LOAD + "import warnings; warnings.simplefilter('error')\n"
        "import ferry_openmp; said = ferry_openmp.enable(blas=True)\n"
        "assert said.openmp and not said.out_of_reach, said\n"
        "load('GOMP'); assert load('USER').region_size(3) == 3; load('OPENBLAS')\nimport numpy\n" + PRINT_POOLS
    )
    report = json.loads(installed.output("-c", code))
    found = pools(report)
    assert found["libgomp-0123abcd.so.1"][0] == "nobody"
    assert found["libfake_openblas.so"][0] == "Ferry"


def test_enable_late_says_so_and_leaves_the_other_runtime_whole(installed: Installed) -> None:
    code = (
        LOAD + "import warnings\nuser = load('USER'); load('OPENBLAS')\nimport ferry_openmp\n"
        "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n"
        "    said = ferry_openmp.enable()\n"
        'assert not said.openmp and [pool.name for pool in said.out_of_reach] == ["GNU\'s libgomp"], said\n'
        "assert 'cannot reach' in str(caught[0].message) and 'came too late' in str(said)\n"
        "user.region_call.restype = ctypes.c_void_p\nfrom ferry_openmp.maps import maps_of\n"
        "assert 'libgomp' in maps_of().file_at(user.region_call())\nassert user.region_size(3) == 3\n" + PRINT_POOLS
    )
    found = pools(json.loads(installed.output("-c", code)))
    assert found["libfake_openblas.so"][0] == "itself"
    found = pools(json.loads(installed.output("-c", code, **WITH_BLAS)))
    assert found["libfake_openblas.so"][0] == "Ferry"


@pytest.mark.parametrize(("children", "count"), [("True", 1), ("False", 0)])
def test_enable_can_reach_children(installed: Installed, children: str, count: int) -> None:
    child = "import os; print(open('/proc/self/maps').read().count('libferryomp') > 0)"
    code = (
        f"import ferry_openmp, subprocess, sys; ferry_openmp.enable(children={children})\n"
        f"subprocess.run([sys.executable, '-c', {child!r}])"
    )
    assert installed.output("-c", code) == f"{bool(count)}\n"


@pytest.mark.parametrize("order", ["before", "after"])
def test_threadpoolctl_finds_and_steers_ferry_alone(installed: Installed, order: str) -> None:
    load = "load('GOMP')\n"
    code = LOAD + ("" if order == "after" else load) + "import threadpoolctl\n" + ("" if order == "before" else load)
    before, *lists = json.loads(installed.output(*RUN, "-c", code + THREADPOOLCTL))
    assert lists == [[["ferry", before]], [["ferry", 1]], [["ferry", before]]]


def test_threadpoolctl_without_ferry_is_as_it_was(installed: Installed) -> None:
    code = (
        LOAD + "load('GOMP'); import threadpoolctl\nprint([i['internal_api'] for i in threadpoolctl.threadpool_info()])"
    )
    assert installed.output("-c", code) == "['openmp']\n"
