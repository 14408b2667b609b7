# SPDX-License-Identifier: BSD-3-Clause
"""Which libraries of this process have a pool of threads: OpenMP runtimes and BLAS libraries.

A library is recognised by the symbols that it defines, not by its name, because wheels change names.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ferry_openmp.maps import Maps, address_of, maps_of

#: A symbol that only Ferry's runtime defines.
OURS = "ferryomp_initial_get"
#: The first function that a region calls, by the interface for which its compiler compiled it.
REGION_CALLS = {"GCC": "GOMP_parallel", "clang": "__kmpc_fork_call"}
OPENBLAS_PREFIXES, OPENBLAS_SUFFIXES = ("scipy_", ""), ("64_", "_64", "")
#: What openblas_get_parallel() returns in a build with threads of its own, and in one that uses an OpenMP runtime.
PARALLEL_PTHREADS, PARALLEL_OPENMP = 1, 2
OTHER_BLAS = {"Intel MKL": "MKL_Get_Max_Threads", "BLIS": "bli_thread_get_num_threads"}
#: Only libraries whose name matches are opened, because programs map thousands.
NAMES = re.compile(r"omp|blas|mkl|blis|lapack", re.IGNORECASE)


class Server(Enum):
    """Whose threads do a pool's work."""

    FERRY = "Ferry"
    ITSELF = "itself"
    #: All its callers find another runtime first, so it is loaded but never called.
    NOBODY = "nobody"


@dataclass(frozen=True)
class Pool:
    """A library that has a pool of threads."""

    #: "openmp" or "blas".
    kind: str
    name: str
    path: str
    #: How many threads a region or a call has by default; None where the library does not say.
    threads: int | None
    served_by: Server

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold."""
        return vars(self) | {"served_by": self.served_by.value}


def openblas_symbol(maps: Maps, file: str, name: str) -> str | None:
    """Return how a library spells one of OpenBLAS's functions; None when it does not define it."""
    spellings = (f"{prefix}{name}{suffix}" for prefix in OPENBLAS_PREFIXES for suffix in OPENBLAS_SUFFIXES)
    return next((symbol for symbol in spellings if maps.defines(file, symbol)), None)


def count_of(handle: ctypes.CDLL | None, symbol: str | None) -> int | None:
    """Call a function without arguments that returns a number."""
    return int(getattr(handle, symbol)()) if handle is not None and symbol else None


def found_first(maps: Maps) -> dict[str, str | None]:
    """Return, by interface, the library in which every library of the process finds a region's first call.

    That is a library that was preloaded or loaded globally. None: each library finds its own runtime.
    """
    everywhere = ctypes.CDLL(None)
    addresses = {interface: address_of(everywhere, call) for interface, call in REGION_CALLS.items()}
    return {interface: maps.file_at(address) if address else None for interface, address in addresses.items()}


def _runtime_name(maps: Maps, file: str) -> str | None:
    if maps.defines(file, OURS):
        return "Ferry"
    if maps.defines(file, REGION_CALLS["clang"]):
        return "Intel's libiomp5" if "iomp" in Path(file).name else "LLVM's libomp"
    return "GNU's libgomp" if maps.defines(file, REGION_CALLS["GCC"]) else None


def _runtime(maps: Maps, file: str, first: dict[str, str | None]) -> Pool | None:
    name = _runtime_name(maps, file)
    if name is None:
        return None
    own = [interface for interface, call in REGION_CALLS.items() if maps.defines(file, call)]
    replaced = all(first[interface] not in (None, file) for interface in own)
    served_by = Server.FERRY if name == "Ferry" else Server.NOBODY if replaced else Server.ITSELF
    threads = None if served_by is Server.NOBODY else count_of(maps.open(file), "omp_get_max_threads")
    return Pool("openmp", name, file, threads, served_by)


def _blas(maps: Maps, file: str, adopted: frozenset[str], ours_first: bool) -> Pool | None:
    symbol = openblas_symbol(maps, file, "openblas_get_num_threads")
    handle = maps.open(file)
    if symbol:
        parallel = count_of(handle, openblas_symbol(maps, file, "openblas_get_parallel"))
        is_served = file in adopted or (parallel == PARALLEL_OPENMP and ours_first)
        return Pool("blas", "OpenBLAS", file, count_of(handle, symbol), Server.FERRY if is_served else Server.ITSELF)
    for name, call in OTHER_BLAS.items():
        if maps.defines(file, call):
            return Pool("blas", name, file, count_of(handle, call), Server.ITSELF)
    return None


def pools_of(adopted: frozenset[str] = frozenset(), maps: Maps | None = None) -> list[Pool]:
    """Return the pools of this process; `adopted` are the OpenBLAS libraries whose jobs run on Ferry's team."""
    maps = maps or maps_of()
    files = [file for file in maps.libraries() if NAMES.search(Path(file).name)]
    first = found_first(maps)
    runtimes = [_runtime(maps, file, first) for file in files]
    ours_first = ours_is_first(maps)
    blas = [_blas(maps, file, adopted, ours_first) for file in files]
    return [pool for pool in [*runtimes, *blas] if pool is not None]


def ours_is_first(maps: Maps | None = None) -> bool:
    """Whether every library of this process that GCC compiled finds Ferry's runtime."""
    maps = maps or maps_of()
    first = found_first(maps)["GCC"]
    return first is not None and maps.defines(first, OURS)


def replaced(path: str, maps: Maps | None = None) -> bool:
    """Whether a library is an OpenMP runtime that is loaded, but that no library calls."""
    maps = maps or maps_of()
    pool = _runtime(maps, path, found_first(maps))
    return pool is not None and pool.served_by is Server.NOBODY
