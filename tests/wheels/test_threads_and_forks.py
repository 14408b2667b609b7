# SPDX-License-Identifier: BSD-3-Clause
"""What notebooks, servers and joblib do with threads and processes: right results, and an end in a bounded time."""

from pathlib import Path

import pytest
from paths import BUILD
from wheels.installed import Installed

RUN = ("-m", "ferry_openmp")
#: The packages of `make programs`, if it has run.
PROGRAMS = list((BUILD / "programs" / "venv" / "lib").glob("python*/site-packages"))
#: The kernel ends a process of a test that takes so long. No watchdog of faulthandler's: it has a thread, for which a
#: child that was forked waits for ever when it sets the watchdog again.
BOUND = "import signal\nsignal.alarm(280)\n"
USER = BOUND + "import ctypes, os, sys, threading\nuser = ctypes.CDLL(os.environ['LIBRARY_USER'])\n"

CELLS = """
cell = "import ctypes, os; user = ctypes.CDLL(os.environ['LIBRARY_USER']); sizes.append(user.region_size(3))"
sizes = []
def kernel():
    for _ in range(3):
        exec(compile(cell, "<cell>", "exec"), {"sizes": sizes})
for _ in range(4):
    thread = threading.Thread(target=kernel)
    thread.start()
    # the main thread opens regions too, as a server of the notebook might
    assert user.region_size(2) == 2
    thread.join()
print(sizes)
"""


def test_cells_run_in_a_thread_that_is_not_the_main_one(installed: Installed) -> None:
    expected = f"{[3] * 12}\n"
    assert installed.output(*RUN, "-c", USER + CELLS) == expected
    assert installed.output("-c", "import ferry_openmp; ferry_openmp.enable()\n" + USER + CELLS) == expected


# A region whose members sleep in it is open while others fork, and opens again and again.
FORKS = """
libc = ctypes.CDLL(None)
usleep = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(("usleep", libc))
over, inside = threading.Event(), threading.Event()
def work():
    while not over.is_set():
        inside.set()
        assert user.inside_regions(3, usleep, 20000) == 0
def forker(statuses):
    if sys.argv[1] == "a team":
        assert user.region_size(3) == 3
    for _ in range(10):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit(0 if [user.region_size(3) for _ in range(3)] == [3] * 3 else 1)
        statuses.append(os.waitpid(child, 0)[1])
worker = threading.Thread(target=work)
worker.start()
inside.wait()
lists = [[], []]
forkers = [threading.Thread(target=forker, args=(statuses,)) for statuses in lists]
for thread in forkers: thread.start()
for thread in forkers: thread.join()
over.set()
worker.join()
print(lists, user.region_size(3))
"""


@pytest.mark.parametrize("own_team", ["no team", "a team"])
def test_threads_fork_while_another_is_inside_a_region(installed: Installed, own_team: str) -> None:
    """With libgomp the child of a thread that has a team waits for ever for workers that only the parent has."""
    expected = f"{[[0] * 10] * 2} 3\n"
    assert installed.output(*RUN, "-W", "ignore", "-c", USER + FORKS, own_team) == expected


def test_children_of_a_fork_server_that_has_opened_regions(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "preloaded.py").write_text(USER + "SIZE = user.region_size(3)\nSERVER = os.getpid()\n")
    script = tmp_path / "served.py"
    script.write_text(
        BOUND + "import multiprocessing, os\n"
        "def child(_):\n"
        "    import preloaded\n"
        "    return preloaded.SERVER == os.getppid(), preloaded.SIZE, preloaded.user.region_size(3)\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('forkserver')\n"
        "    context.set_forkserver_preload(['preloaded'])\n"
        "    with context.Pool(2, maxtasksperchild=1) as pool:\n"
        "        print(pool.map(child, range(8), chunksize=1))\n"
    )
    assert installed.output(*RUN, script, PYTHONPATH=str(tmp_path)) == f"{[(True, 3, 3)] * 8}\n"


# k-means opens regions; its answers are the same whoever runs it.
JOBLIB = """
import json
import numpy as np
from joblib import Parallel, delayed, parallel_config
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score
points = np.random.default_rng(1).normal(size=(600, 8))
labels = (points[:, 0] > 0).astype(int)
def inertia(seed):
    return round(KMeans(4, n_init=1, max_iter=5, random_state=seed).fit(points).inertia_, 6)
def served(_):
    maps = open("/proc/self/maps").read()
    inertia(0)
    return "libferryomp" in maps
def all_of(jobs):
    model = HistGradientBoostingClassifier(max_iter=3, early_stopping=False)
    return [Parallel(jobs)(delayed(inertia)(seed) for seed in range(6)),
        cross_val_score(model, points, labels, cv=3, n_jobs=jobs).round(6).tolist()]
if __name__ == "__main__":
    expected = all_of(1)
    for backend in ("loky", "threading", "multiprocessing"):
        for jobs in (2, -1):
            with parallel_config(backend=backend):
                assert all_of(jobs) == expected, (backend, jobs)
                assert all(Parallel(jobs)(delayed(served)(k) for k in range(4))), (backend, jobs)
    assert all_of(1) == expected
    print("equal")
"""


@pytest.mark.skipif(not PROGRAMS, reason="scikit-learn is not installed; `make programs` installs it")
def test_joblib_gives_the_same_with_processes_and_with_threads(installed: Installed, tmp_path: Path) -> None:
    script = tmp_path / "jobs.py"
    script.write_text(BOUND + JOBLIB)
    assert installed.output("-W", "ignore", *RUN, script, PYTHONPATH=str(PROGRAMS[0])) == "equal\n"
