# SPDX-License-Identifier: BSD-3-Clause
"""`enable()`: put Ferry's runtime in place in a running process, as far as the libraries already loaded allow.

The loader looks each function of a library up once, first in what was loaded globally, then in what the library brings
itself. So a runtime that is loaded globally before any other serves all libraries that come later. If Ferry's came
after another runtime, some functions of a library would be found in Ferry's, while others were already found in the
other one: a region would begin in one runtime and end in the other. In that case Ferry's is loaded for OpenBLAS alone,
in such a way that no other library finds it.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from ferry_openmp import blas as openblas
from ferry_openmp import files, startup
from ferry_openmp.maps import maps_of
from ferry_openmp.pools import Pool, Server, ours_is_first, pools_of

ADVICE = "start the program by `python -m ferry_openmp`, or call ferry_openmp.enable() before these imports"


@dataclass(frozen=True)
class Enabled:
    """What `enable()` has reached."""

    #: Whether regions of libraries that GCC compiled run with Ferry's runtime.
    openmp: bool
    pools: tuple[Pool, ...]
    #: Whether OpenBLAS was to run on Ferry's team.
    blas: bool

    @property
    def out_of_reach(self) -> tuple[Pool, ...]:
        """The pools that `enable()` was to serve, but that go on with their own threads."""
        own = [pool for pool in self.pools if pool.served_by is Server.ITSELF]
        return tuple(pool for pool in own if self.blas or pool.kind != "blas")

    def __str__(self) -> str:
        """Say it in sentences."""
        first = (
            "Ferry's runtime serves the OpenMP libraries of this process, also those that are imported from now on."
            if self.openmp
            else "Ferry's runtime came too late for the OpenMP libraries of this process."
        )
        reached = [f"OpenBLAS runs on Ferry's team: {pool.path}" for pool in self.pools if _is_adopted(pool)]
        missed = [f"{pool.name} goes on with its own threads: {pool.path}" for pool in self.out_of_reach]
        own = [pool for pool in self.pools if pool.kind == "blas" and pool.served_by is Server.ITSELF and not self.blas]
        left = [f"{pool.name} keeps its own threads; enable(blas=True) asks for Ferry's: {pool.path}" for pool in own]
        return "\n".join([first, *reached, *left, *missed, *([f"To reach all: {ADVICE}."] if missed else [])])

    __repr__ = __str__


def _is_adopted(pool: Pool) -> bool:
    return pool.kind == "blas" and pool.served_by is Server.FERRY


def _wants_blas(first: bool, loaded: Iterable[Pool]) -> bool:
    """Whether OpenBLAS is to run on Ferry's team where the caller does not say."""
    too_late = not first or any(pool.kind == "blas" and pool.served_by is Server.ITSELF for pool in loaded)
    return files.wants_blas(os.environ) and (not too_late or bool(os.environ.get(files.BLAS_SWITCH)))


def enable(children: bool = True, blas: bool | None = None) -> Enabled:
    """Turn Ferry's runtime on in this process; return what that reaches, and warn of what it does not reach.

    With `blas`, numpy's and scipy's OpenBLAS runs on Ferry's threads as well. By default it does so unless
    FERRY_OPENMP_BLAS is 0, or it is loaded already, or Ferry's runtime came too late for the other libraries: an
    OpenBLAS that was loaded without Ferry has threads that spin for long, beside Ferry's, in LU decompositions.

    With `children`, programs that this process starts from now on run with Ferry's runtime as well, among them those of
    multiprocessing's spawn and joblib's loky. Raises OSError when the package's libraries are not there.
    """
    maps = maps_of()
    first = ours_is_first(maps)
    loaded = pools_of(maps=maps)
    if not first and not any(pool.kind == "openmp" for pool in loaded):
        ctypes.CDLL(files.library(), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
        first = True
    with_blas = _wants_blas(first, loaded) if blas is None else blas
    startup.watch(with_blas)
    if with_blas:
        for name, value in files.BLAS_TIMEOUT.items():
            os.environ.setdefault(name, value)
        openblas.adopt()
    if children:
        said = {} if blas is None else {files.BLAS_SWITCH: str(int(blas))}
        os.environ.update(files.serving({**os.environ, **said}))
    enabled = Enabled(first, tuple(pools_of(openblas.adopted())), with_blas)
    if enabled.out_of_reach:
        names = ", ".join(sorted({pool.name for pool in enabled.out_of_reach}))
        warnings.warn(f"Ferry cannot reach {names} in this process; {ADVICE}", RuntimeWarning, stacklevel=2)
    return enabled
