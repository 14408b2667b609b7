# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP libraries that a process may be given, by the loader's path or put before its own by LD_PRELOAD."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from ferry.boundaries import OURS
from ferry.folders import MeasureError
from ferry.native import UnavailableError
from ferry.runtimes import clean_environment, find
from ferry.system_libraries import LIBOMP

LIBRARY = "libgomp.so.1"


@dataclass(frozen=True)
class Library:
    """Where a library is, relative to FERRY_BENCH; without folders it is the system's, or what the loader finds."""

    folders: tuple[str, ...] = ()
    preload: bool = False
    advice: str = ""
    #: Where the system has it under a name of its own: patterns of files.
    system: tuple[str, ...] = ()


LIBRARIES = {
    "ours": Library(OURS, advice="run `make build` in Ferry's folder"),
    "ours-preloaded": Library(OURS, preload=True, advice="run `make build` in Ferry's folder"),
    "libgomp": Library(advice="install libgomp1"),
    "libgomp-preloaded": Library(preload=True, advice="install libgomp1"),
    "libomp": Library(advice="install LLVM's libomp (Debian: libomp-dev)", system=LIBOMP),
    # the program is linked with what it is to have
    "linked": Library(),
}


def environment_with(name: str | None, bench: Path, threads: int | None) -> dict[str, str]:
    """Return the environment of a process that gets that library. Raises UnavailableError."""
    clean = clean_environment(threads or 1)
    if threads is None:
        del clean["OMP_NUM_THREADS"]
    if name is None:
        return clean
    library = LIBRARIES[name]
    try:
        folder = find(library.folders, LIBRARY, bench, library.advice, library.system)
    except MeasureError as error:
        raise UnavailableError(str(error)) from error
    if not library.preload:
        return clean | ({"LD_LIBRARY_PATH": str(folder)} if folder else {})
    preload = {"LD_PRELOAD": str(folder / LIBRARY) if folder else LIBRARY}
    # where the loader finds none it says so, and goes on without
    if subprocess.run(["true"], env=clean | preload, capture_output=True, check=False).stderr:
        raise UnavailableError(f"{preload['LD_PRELOAD']} cannot be preloaded; {library.advice}")
    return clean | preload
