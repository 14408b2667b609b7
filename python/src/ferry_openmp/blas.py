# SPDX-License-Identifier: BSD-3-Clause
"""Run the jobs of loaded OpenBLAS libraries on Ferry's team, so that they have no second pool of threads.

An OpenBLAS with threads of its own (numpy's and scipy's) lets a program set the function that runs its jobs; Ferry's is
in native/blas_team.c. The jobs stay the same, so results are equal bit for bit.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading

from ferry_openmp import files
from ferry_openmp.maps import Maps, address_of, maps_of
from ferry_openmp.pools import PARALLEL_PTHREADS, count_of, openblas_symbol

#: The variables from which OpenBLAS reads the number of its threads. If the user has set one, it stays as it is.
NUMBER_VARIABLES = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
#: In older versions, a job's number has a buffer only if a thread of OpenBLAS's own pool has that number, so the
#: numbers from FIRST_NUMBER on (native/blas_team.c) crash.
VERSION_MIN = (0, 3, 30)
#: How many numbers an OpenBLAS must have at least, and how many threads it may have at most.
NUMBERS_MIN, THREADS_MAX = 64, 32


#: The functions of the runtime that the fields of struct ferryblas_runtime point to, in their order.
CALLED = (
    "GOMP_parallel", "omp_get_num_threads", "omp_get_thread_num", "omp_get_dynamic", "omp_set_dynamic", "GOMP_barrier",
)  # fmt: skip


class _Runtime(ctypes.Structure):
    """struct ferryblas_runtime."""

    _fields_ = [  # noqa: RUF012
        (name, ctypes.c_void_p) for name in ("parallel", "team_size", "member", "is_dynamic", "set_dynamic", "barrier")
    ]


_lock = threading.Lock()
_adopted: dict[str, None] = {}
_team: list[ctypes.CDLL] = []


def adopted() -> frozenset[str]:
    """Return the OpenBLAS libraries whose jobs run on Ferry's team."""
    return frozenset(_adopted)


def _started_team() -> ctypes.CDLL:
    """Return the library that runs jobs, connected to Ferry's runtime. The caller holds the lock."""
    if not _team:
        runtime, team = ctypes.CDLL(files.library()), ctypes.CDLL(files.blas_team())
        calls = (address_of(runtime, name) for name in CALLED)
        team.ferryblas_start.restype = None
        team.ferryblas_calls.restype = ctypes.c_uint64
        team.ferryblas_start(ctypes.byref(_Runtime(*calls)))
        _team.append(team)
    return _team[0]


def calls() -> tuple[int, int]:
    """Return how many calls of OpenBLAS ran on a team, and how many had to run on threads made for them."""
    with _lock:
        return (_team[0].ferryblas_calls(1), _team[0].ferryblas_calls(0)) if _team else (0, 0)


def suits(config: str, threads: int) -> bool:
    """Whether an OpenBLAS of this openblas_get_config() and number of threads can run its jobs on a team."""
    version = re.match(r"OpenBLAS (\d+)\.(\d+)\.(\d+)", config)
    numbers = re.search(r"MAX_THREADS=(\d+)", config)
    is_new = version is not None and tuple(map(int, version.groups())) >= VERSION_MIN
    return is_new and numbers is not None and int(numbers[1]) >= NUMBERS_MIN and threads <= THREADS_MAX


def _config(maps: Maps, file: str) -> str:
    name = openblas_symbol(maps, file, "openblas_get_config")
    if name is None:
        return ""
    function = getattr(maps.open(file), name)
    function.restype = ctypes.c_char_p
    return (function() or b"").decode(errors="replace")


def _limit(maps: Maps, file: str) -> None:
    """Limit an OpenBLAS to as many threads as a region has, because OpenBLAS itself ignores CPU quotas."""
    if any(os.environ.get(name) for name in NUMBER_VARIABLES):
        return
    most = count_of(ctypes.CDLL(files.library()), "omp_get_max_threads") or 1
    handle = maps.open(file)
    setter = openblas_symbol(maps, file, "openblas_set_num_threads")
    now = count_of(handle, openblas_symbol(maps, file, "openblas_get_num_threads"))
    if handle is not None and setter and now and now > most:
        getattr(handle, setter)(most)


def adopt(maps: Maps | None = None) -> list[str]:
    """Set Ferry's function in every loaded OpenBLAS that suits; return those in which it was set now."""
    found = []
    with _lock:
        maps = maps or maps_of()
        for file in maps.libraries():
            if "blas" not in os.path.basename(file) or file in _adopted:  # noqa: PTH119
                continue
            setter = openblas_symbol(maps, file, "openblas_set_threads_callback_function")
            parallel = count_of(maps.open(file), openblas_symbol(maps, file, "openblas_get_parallel"))
            if setter is None or parallel != PARALLEL_PTHREADS:
                continue
            _limit(maps, file)
            threads = count_of(maps.open(file), openblas_symbol(maps, file, "openblas_get_num_threads"))
            if not suits(_config(maps, file), threads or 0):
                continue
            _set(maps, file, setter, address_of(_started_team(), "ferryblas_run"))
            _adopted[file] = None
            found.append(file)
    return found


def release() -> None:
    """Give every adopted OpenBLAS its own threads back; no call of it may be running."""
    with _lock:
        maps = maps_of()
        for file in list(_adopted):
            setter = openblas_symbol(maps, file, "openblas_set_threads_callback_function")
            if setter:
                _set(maps, file, setter, None)
            del _adopted[file]


def _set(maps: Maps, file: str, setter: str, function: int | None) -> None:
    handle = maps.open(file)
    if handle is not None:
        getattr(handle, setter)(ctypes.c_void_p(function))
