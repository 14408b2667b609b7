# SPDX-License-Identifier: BSD-3-Clause
"""Compile a test with -fopenmp, as its directives ask; a program that is up to date is kept."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openmp.conformance.suite import Test

Compilers = dict[str, list[str]]
#: language -> command
GCC: Compilers = {"c": ["gcc"], "c++": ["g++"], "fortran": ["gfortran"]}
#: For a machine that others use too: alone, no test takes more than some seconds.
COMPILE_TIMEOUT_S = 600


@dataclass(frozen=True)
class Program:
    """A compiled test; `path` is None when there is none: `why` says the reason, `message` what the compiler said."""

    test: Test
    path: Path | None
    why: str = ""
    message: str = ""


def command_for(test: Test, output: Path, more: Sequence[str], compilers: Compilers) -> list[str]:
    """Return the compiler's command line. A .c file of the common folder is C++ when the language is."""
    wanted = test.directives
    include = test.suite / "libgomp"
    sources = [test.file, *(test.file.parent / name for name in wanted.sources)]
    return [
        *compilers[test.language],
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


def compile_test(test: Test, folder: Path, more: Sequence[str] = (), compilers: Compilers = GCC) -> Program:
    """Compile a test into `folder`, under a name that changes with the command and the source, with `more` options."""
    command = command_for(test, Path("OUTPUT"), more, compilers)
    text = "\0".join(command).encode() + test.file.read_bytes()
    name = test.identity.replace("/", "_") + "-" + hashlib.sha256(text).hexdigest()[:12]
    output = folder / (name + ".so" if "-shared" in more else name)
    if output.exists():
        return Program(test, output)
    command[command.index("OUTPUT")] = str(output)
    # a Fortran compiler writes a file for each module where it is
    with tempfile.TemporaryDirectory() as scratch:
        status, message = compile_in(Path(scratch), command)
    if status is None:
        return Program(test, None, f"the compiler took more than {COMPILE_TIMEOUT_S} s")
    return Program(test, output) if status == 0 else Program(test, None, "the compiler refuses it", message)


def compile_in(folder: Path, command: list[str]) -> tuple[int | None, str]:
    """Run the compiler in a folder; return its status, None when it took too long, and what it said.

    gcc is several processes. They share a session, so that none is left behind.
    """
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=COMPILE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""
    return process.returncode, said.strip()
