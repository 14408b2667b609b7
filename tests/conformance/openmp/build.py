# SPDX-License-Identifier: BSD-3-Clause
"""Compile a test with gcc, g++ or gfortran -fopenmp, as its directives ask; a program that is up to date is kept."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.openmp.suite import Test

COMPILERS = {"c": ["gcc"], "c++": ["g++"], "fortran": ["gfortran"]}
COMPILE_TIMEOUT_S = 120


@dataclass(frozen=True)
class Program:
    """A compiled test; `path` is None when the compiler refused it, and `message` is then what it said."""

    test: Test
    path: Path | None
    message: str = ""


def command_for(test: Test, output: Path, more: Sequence[str]) -> list[str]:
    """Return the compiler's command line. A .c file of the common folder is C++ when the language is."""
    wanted = test.directives
    include = test.suite / "libgomp"
    sources = [test.file, *(test.file.parent / name for name in wanted.sources)]
    return [
        *COMPILERS[test.language],
        "-fopenmp",
        *(["-x", "c++"] if test.language == "c++" else []),
        *wanted.options,
        *more,
        "-w",
        f"-I{include}",
        f"-I{test.suite / 'include'}",
        "-o",
        str(output),
        *map(str, sources),
        "-lm",
    ]


def compile_test(test: Test, folder: Path, more: Sequence[str] = ()) -> Program:
    """Compile a test into `folder`, under a name that changes with the command and the source, with `more` options."""
    command = command_for(test, Path("OUTPUT"), more)
    text = "\0".join(command).encode() + test.file.read_bytes()
    name = test.identity.replace("/", "_") + "-" + hashlib.sha256(text).hexdigest()[:12]
    output = folder / (name + ".so" if "-shared" in more else name)
    if output.exists():
        return Program(test, output)
    command[command.index("OUTPUT")] = str(output)
    try:
        # a Fortran compiler writes a file for each module where it is
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=False, cwd=scratch
            )
    except subprocess.TimeoutExpired:
        return Program(test, None, f"the compiler took more than {COMPILE_TIMEOUT_S} s")
    if done.returncode != 0:
        return Program(test, None, done.stderr.strip())
    return Program(test, output)
