# SPDX-License-Identifier: BSD-3-Clause
"""Shared libraries of this system, under the name that a program asks for instead of their own."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from ferry.folders import temporary_folder

#: LLVM's OpenMP runtime as Debian has it, one for each version, and as other systems do.
LIBOMP = ("/usr/lib/llvm-*/lib/libomp.so.5", "/usr/lib64/libomp.so", "/usr/lib/libomp.so")


@cache
def folder_with(patterns: tuple[str, ...], name: str) -> Path | None:
    """Return a folder that has the library of the first pattern under `name`; None where there is none.

    The folder is removed when this process ends. Raises MeasureError where none can be made.
    """
    found = next((sorted(files)[-1] for pattern in patterns if (files := list(Path("/").glob(pattern[1:])))), None)
    if found is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="ferry-", dir=temporary_folder()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / name).symlink_to(found)
    return folder
