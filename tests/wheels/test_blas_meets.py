# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of OpenBLAS begin together where a neighbour takes the processor away, since a job that waits spins."""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from paths import BUILD

#: How long a neighbour may need until it has had the processor once.
PATIENCE_S = 20.0
MEMBERS = 2
Body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Parallel = ctypes.CFUNCTYPE(None, Body, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)
Ask = ctypes.CFUNCTYPE(ctypes.c_int)
Tell = ctypes.CFUNCTYPE(None, ctypes.c_int)
Meet = ctypes.CFUNCTYPE(None)
Job = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class Runtime(ctypes.Structure):
    """struct ferryblas_runtime: a team of two that runs on the caller, one member after the other."""

    _fields_ = [  # noqa: RUF012
        ("parallel", Parallel),
        ("team_size", Ask),
        ("member", Ask),
        ("is_dynamic", Ask),
        ("set_dynamic", Tell),
        ("barrier", Meet),
    ]


class Caller:
    """Calls as OpenBLAS makes them, and how often a member has met the others."""

    def __init__(self) -> None:
        self.met = self.ran = self.member = 0
        self._library = ctypes.CDLL(str(BUILD / "python" / "lib" / "libferryblas.so"))
        self._job = Job(self._run)
        self._runtime = Runtime(
            Parallel(self._parallel), Ask(lambda: MEMBERS), Ask(lambda: self.member), Ask(lambda: 0),
            Tell(lambda _: None), Meet(self._meet),
        )  # fmt: skip
        self._library.ferryblas_start(ctypes.byref(self._runtime))

    def _parallel(self, body: Callable[[int], None], data: int, threads: int, _flags: int) -> None:
        for self.member in range(threads):
            body(data)

    def _meet(self) -> None:
        self.met += 1

    def _run(self, _number: int, _job: int, _extra: int) -> None:
        self.ran += 1

    def call(self, jobs: int = MEMBERS) -> None:
        self._library.ferryblas_run(1, self._job, jobs, ctypes.c_size_t(0), None, 0)


@pytest.fixture
def neighbour() -> Iterator[None]:
    """A busy loop on the only processor that this thread may use."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield
    loop.kill()
    loop.wait()
    os.sched_setaffinity(0, allowed)


def test_members_meet_beside_a_neighbour(neighbour: None) -> None:
    caller = Caller()
    until = time.monotonic() + PATIENCE_S
    calls = 0
    while not caller.met and time.monotonic() < until:
        caller.call()
        calls += 1
    assert caller.met == MEMBERS
    assert caller.ran == MEMBERS * calls
    # one job waits for no other
    caller.call(1)
    assert caller.met == MEMBERS


def test_a_caller_that_sleeps_has_no_neighbour_for_it() -> None:
    caller = Caller()
    # whatever neighbour this thread had before is forgotten
    time.sleep(0.1)
    for _ in range(200):
        time.sleep(0.001)
        caller.call()
    assert caller.met == 0
    assert caller.ran == 200 * MEMBERS
