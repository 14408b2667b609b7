# SPDX-License-Identifier: BSD-3-Clause
"""Run the jobs of loaded OpenBLAS libraries on Ferry's team, so that they have no second pool of threads.

An OpenBLAS with threads of its own (numpy's and scipy's) lets a program set the function that runs its jobs. Ours is in
native/blas_team.c. The jobs are the same ones, so results are equal bit for bit.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading

from ferry_openmp import files
from ferry_openmp.maps import Maps, address_of, maps_of
from ferry_openmp.pools import PARALLEL_PTHREADS, count_of, openblas_symbol

#: What OpenBLAS reads the number of its threads from; a user who sets one means it.
NUMBER_VARIABLES = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
#: Before this version a job's number has a buffer only if a thread of OpenBLAS's own pool has that number, and numbers
#: from FIRST_NUMBER on (native/blas_team.c) crash.
VERSION_MIN = (0, 3, 30)
#: Numbers that an OpenBLAS must have, and how many threads it may have at most.
NUMBERS_MIN, THREADS_MAX = 64, 32


class _Runtime(ctypes.Structure):
    """struct ferryblas_runtime."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("parallel", "team_size", "member")]  # noqa: RUF012


_lock = threading.Lock()
_adopted: dict[str, None] = {}
_team: list[ctypes.CDLL] = []


def adopted() -> frozenset[str]:
    """Return the OpenBLAS libraries whose jobs run on Ferry's team."""
    return frozenset(_adopted)


def _started_team() -> ctypes.CDLL:
    """Return the library that runs jobs, which knows Ferry's runtime. The lock is held."""
    if not _team:
        runtime, team = ctypes.CDLL(files.library()), ctypes.CDLL(files.blas_team())
        calls = (address_of(runtime, name) for name in ("GOMP_parallel", "omp_get_num_threads", "omp_get_thread_num"))
        team.ferryblas_start.restype = None
        team.ferryblas_calls.restype = ctypes.c_uint64
        team.ferryblas_start(ctypes.byref(_Runtime(*calls)))
        _team.append(team)
    return _team[0]


def calls() -> tuple[int, int]:
    """Return how many calls of OpenBLAS ran on a team, and how many could not and had threads made for them."""
    with _lock:
        return (_team[0].ferryblas_calls(1), _team[0].ferryblas_calls(0)) if _team else (0, 0)


def suits(config: str, threads: int) -> bool:
    """Whether an OpenBLAS, by what openblas_get_config() says of it, can run jobs on a team beside its own pool."""
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
    """Give an OpenBLAS no more threads than a region has: OpenBLAS itself does not look at CPU quotas."""
    if any(os.environ.get(name) for name in NUMBER_VARIABLES):
        return
    most = count_of(ctypes.CDLL(files.library()), "omp_get_max_threads") or 1
    handle = maps.open(file)
    setter = openblas_symbol(maps, file, "openblas_set_num_threads")
    now = count_of(handle, openblas_symbol(maps, file, "openblas_get_num_threads"))
    if handle is not None and setter and now and now > most:
        getattr(handle, setter)(most)


def adopt(maps: Maps | None = None) -> list[str]:
    """Give every OpenBLAS that is loaded and can be asked our function; return those that were given it now."""
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
