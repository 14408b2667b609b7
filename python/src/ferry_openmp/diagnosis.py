# SPDX-License-Identifier: BSD-3-Clause
"""`doctor()`: which pools of threads this process has, how large they are, which Ferry serves, and what to change."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass

from ferry_openmp import blas, files
from ferry_openmp.pools import Pool, Server, pools_of

#: The lines of omp_display_env(1) that show the size of a team and where that number comes from.
SIZE, FROM = re.compile(r"OMP_NUM_THREADS = '(\d+)"), re.compile(r"FERRYOMP_NUM_THREADS_FROM = '([^']*)'")
ASK = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).omp_display_env(1)"
ASK_TIMEOUT_S = 20


@dataclass(frozen=True)
class Report:
    """What `doctor()` found."""

    pools: tuple[Pool, ...]
    #: The processors that the process may use.
    processors: int
    #: How many threads a region of Ferry's has by default, and where that number comes from, in the runtime's words.
    team_size: int | None
    team_size_from: str
    #: How many calls of OpenBLAS ran on a team of Ferry's, and how many on threads made for them.
    blas_calls: tuple[int, int]
    advice: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold."""
        return vars(self) | {"pools": [pool.as_dict() for pool in self.pools]}

    def __str__(self) -> str:
        """Return the report as lines for a terminal."""
        lines = [f"Processors this process may use: {self.processors}"]
        if self.team_size is not None:
            lines.append(f"Threads of a region with Ferry: {self.team_size} ({self.team_size_from})")
        lines += [_line(pool) for pool in self.pools] or ["No OpenMP runtime and no threaded BLAS is loaded."]
        return "\n".join(lines + [f"-> {text}" for text in self.advice])

    __repr__ = __str__


def _line(pool: Pool) -> str:
    served = {
        Server.FERRY: "served by Ferry",
        Server.ITSELF: "with threads of its own",
        Server.NOBODY: "replaced by Ferry: loaded, never called",
    }[pool.served_by]
    threads = "" if pool.threads is None else f", {pool.threads} thread{'s' * (pool.threads != 1)}"
    return f"{pool.kind:<6} {pool.name}: {served}{threads}\n       {pool.path}"


def _team_size() -> tuple[int | None, str]:
    """Ask the runtime in another process, since asking it here would make it read its settings for good."""
    try:
        asked = subprocess.run(
            [sys.executable, "-I", "-S", "-c", ASK, files.library()],
            capture_output=True,
            text=True,
            timeout=ASK_TIMEOUT_S,
            env={name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "OMP_DISPLAY_ENV")},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    size, origin = SIZE.search(asked.stderr), FROM.search(asked.stderr)
    return (int(size[1]), f"from {origin[1]}") if size and origin else (None, "the runtime does not say")


def _advice(pools: tuple[Pool, ...], processors: int) -> list[str]:
    own = [pool for pool in pools if pool.served_by is Server.ITSELF]
    said = []
    if any(pool.kind == "openmp" and "GNU" in pool.name for pool in own):
        said.append("run the program by `python -m ferry_openmp`: libraries here use a libgomp of their own")
    if any(pool.kind == "openmp" and "GNU" not in pool.name for pool in own):
        said.append("a library here uses an OpenMP runtime of LLVM or Intel by itself; try `python -m ferry_openmp`")
    if any(pool.name == "OpenBLAS" for pool in own):
        said.append(
            "an OpenBLAS here has threads of its own; `python -m ferry_openmp` runs that of current numpy and scipy"
            f" from PyPI on Ferry's, unless {files.BLAS_SWITCH} is 0; an older one keeps its own"
        )
    if any(pool.name in ("Intel MKL", "BLIS") for pool in own):
        said.append("MKL and BLIS keep their own threads; set MKL_NUM_THREADS or BLIS_NUM_THREADS where they disturb")
    if len([pool for pool in pools if pool.served_by is not Server.NOBODY and pool.served_by is not Server.FERRY]) > 1:
        said.append("several pools want the same processors; their threads get into each other's way")
    if any((pool.threads or 0) > processors for pool in pools):
        said.append(f"a pool has more threads than the {processors} processors; unset OMP_NUM_THREADS and the like")
    return said


def doctor() -> Report:
    """Look at this process."""
    pools = tuple(pools_of(blas.adopted()))
    processors = len(os.sched_getaffinity(0))
    size, origin = _team_size()
    return Report(pools, processors, size, origin, blas.calls(), tuple(_advice(pools, processors)))
