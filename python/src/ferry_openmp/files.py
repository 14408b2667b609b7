# SPDX-License-Identifier: BSD-3-Clause
"""The shared libraries of this package, and the environment in which a program runs with them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

#: The variable that says whether Ferry serves a Python process; the package looks at it when the process starts.
SWITCH = "FERRY_OPENMP"
#: The variable that says whether OpenBLAS's jobs run on Ferry's team, as they do unless it is 0.
BLAS_SWITCH = "FERRY_OPENMP_BLAS"
#: The variable that names another folder for the libraries than the package's own: one of a build tree.
ELSEWHERE = "FERRY_OPENMP_LIBRARIES"
RUNTIME, BLAS_TEAM = "libferryomp.so.0", "libferryblas.so"
#: OpenBLAS's threads spin for 2 to this power ticks before they sleep: 54 us at 2.4 GHz, long enough for products that
#: follow each other. OpenBLAS's own 27 to 110 ms takes processors from loops that follow a product, and beside other
#: programs from the next product too, since a thread that spun has used up its share.
BLAS_TIMEOUT = {"OPENBLAS_THREAD_TIMEOUT": "17"}


class MissingError(OSError):
    """A library of this package is not there."""


def _file(name: str) -> Path:
    folder = Path(os.environ.get(ELSEWHERE) or Path(__file__).parent / "lib")
    if not (folder / name).is_file():
        raise MissingError(
            f"{folder / name} is not there; install ferry-openmp from a wheel for this machine "
            f"(pip install --force-reinstall WHEEL), or set {ELSEWHERE} to the folder that has it"
        )
    return folder / name


def library() -> str:
    """Return the path of Ferry's OpenMP runtime, for LD_PRELOAD."""
    return str(_file(RUNTIME))


def blas_team() -> str:
    """Return the path of the library that runs OpenBLAS's jobs on the runtime."""
    return str(_file(BLAS_TEAM))


def preloaded(environment: Mapping[str, str]) -> bool:
    """Whether an environment has the runtime in LD_PRELOAD."""
    return any(Path(entry).name == RUNTIME for entry in _entries(environment))


def _entries(environment: Mapping[str, str]) -> list[str]:
    return [entry for entry in environment.get("LD_PRELOAD", "").replace(":", " ").split() if entry]


def wants_blas(environment: Mapping[str, str]) -> bool:
    """Whether OpenBLAS's jobs are to run on Ferry's team. Raises ValueError for a value other than 0 and 1."""
    said = environment.get(BLAS_SWITCH, "")
    if said not in ("", "0", "1"):
        raise ValueError(f"{BLAS_SWITCH} is '{said}': set it to 0 to let OpenBLAS keep its own threads, or unset it")
    return said != "0"


def serving(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which Python programs, and their children, run with Ferry's runtime.

    Raises ValueError when the runtime's path cannot stand in LD_PRELOAD, which has spaces and colons between entries,
    and for a value of FERRY_OPENMP_BLAS other than 0 and 1.
    """
    ours = library()
    if set(ours) & set(": \t\n"):
        raise ValueError(f"{ours} cannot be preloaded: its path has a space or a colon; install ferry-openmp elsewhere")
    others = [entry for entry in _entries(environment) if Path(entry).name != RUNTIME]
    wants_blas(environment)  # refuses a wrong value before the program starts
    return BLAS_TIMEOUT | dict(environment) | {"LD_PRELOAD": ":".join([ours, *others]), SWITCH: "1"}
