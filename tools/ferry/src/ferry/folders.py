# SPDX-License-Identifier: BSD-3-Clause
"""The folders of built programs and libraries, which the environment of the ferry command names."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class MeasureError(RuntimeError):
    """Measuring cannot go on; the message names what failed and what to do."""


def folder_from(variable: str, what: str) -> Path:
    """Return the folder that an environment variable of the ferry command names."""
    value = os.environ.get(variable)
    if not value:
        raise MeasureError(f"{variable} is not set, so {what} cannot be found; run build/bin/ferry, or set {variable}")
    return Path(value)


def temporary_folder() -> str:
    """Return the folder for temporary files. Raises MeasureError where none can be written, as in a container."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        raise MeasureError("no folder for temporary files can be written; set TMPDIR to one that can") from error


def program_in(folder: Path, name: str) -> Path:
    """Return a built program. Raises MeasureError when it is not there."""
    program = folder / name
    if not program.is_file():
        raise MeasureError(f"{program} is not built; run `make build` in Ferry's folder")
    if not os.access(program, os.X_OK):
        raise MeasureError(f"{program} cannot be executed; remove it and run `make build` in Ferry's folder")
    return program
