# SPDX-License-Identifier: BSD-3-Clause
"""Run a compiled test under one OpenMP library and judge it: the reason it failed, or nothing when it passed."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from openmp.conformance.build import Program

#: What a user's shell may carry in and would change what a test does.
FOREIGN = re.compile(r"OMP_|GOMP_|KMP_|LD_LIBRARY_PATH$|LD_PRELOAD$")
MISSING_SYMBOL = re.compile(r"undefined symbol: (\S+?),?(?:\s|$)|version `(\S+)' not found")
#: So much of what a failing test printed is kept.
OUTPUT_LINES = 6


@dataclass(frozen=True)
class Library:
    """An OpenMP library by its name and the folder that holds its `file`; None for the system's own.

    With a host, tests are shared objects that this program loads. A test's own variables prevail over the library's.
    """

    name: str
    folder: Path | None
    host: Path | None = None
    variables: dict[str, str] = field(default_factory=dict)
    file: str = "libgomp.so.1"


@dataclass(frozen=True)
class Outcome:
    """How one run ended; `reason` is empty when the test passed."""

    reason: str
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether the test passed."""
        return not self.reason


class LibraryError(RuntimeError):
    """A library that programs would not load; the message says what to do."""


def environment_for(library: Library, threads: int, own: dict[str, str]) -> dict[str, str]:
    """Return the environment of a run; what the test itself sets comes last."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    where = {"LD_LIBRARY_PATH": str(library.folder)} if library.folder else {}
    return clean | {"LC_ALL": "C", "OMP_NUM_THREADS": str(threads)} | library.variables | where | own


def command_of(program: Path, library: Library) -> tuple[list[str], Path]:
    """Return a program's argv and the file to execute."""
    return ([str(program.with_suffix(""))], library.host) if library.host else ([str(program)], program)


def loaded_by(file: Path, library: Library, own: dict[str, str]) -> list[str]:
    """Return the OpenMP libraries that a program loads when it starts."""
    environment = environment_for(library, 1, {"LD_TRACE_LOADED_OBJECTS": "1"} | own)
    done = subprocess.run([file], env=environment, capture_output=True, text=True, check=False)
    return re.findall(r"lib(?:gomp|omp|ferryomp)\.so\.\d+ => (\S+)", done.stdout)


def check_loaded(programs: list[Path], library: Library) -> None:
    """Raise LibraryError unless the first of the programs that needs an OpenMP library loads `library`, and no other.

    A host has it without a program, and has no other with one.
    """
    if not library.folder:
        return
    if library.host:
        found = [loaded_by(library.host, library, {})]
        found += [loaded_by(library.host, library, {"LD_PRELOAD": str(program)}) for program in programs[:1]]
    else:
        found = [next(filter(None, (loaded_by(program, library, {}) for program in programs)), [])]
    wanted = (library.folder / library.file).resolve()
    for loaded in found:
        if [Path(path).resolve() for path in loaded] != [wanted]:
            what = " and ".join(loaded) or "nothing"
            raise LibraryError(f"with {library.name}, programs load {what}, not {wanted}; build it")


def limit_process() -> None:
    """Leave no core files of tests that crash."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_test(program: Program, library: Library, threads: int, limit_s: float) -> Outcome:
    """Run a test once."""
    assert program.path
    wanted = program.test.directives
    arguments, file = command_of(program.path, library)
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            arguments,
            executable=file,
            env=environment_for(library, threads, wanted.environment),
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit_process,
        )
        try:
            status: int | None = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end_group(process)
        output.seek(0)
        text = output.read().decode(errors="replace")
    return judge(program, status, text, limit_s)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End what a test left behind: its own processes, which share its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def first_lacking(patterns: list[str], text: str) -> str:
    """Return the first pattern that the text does not have, or not behind those before it; empty when there is none.

    DejaGnu joins them to one expression, and in Tcl's a dot matches the end of a line too.
    """
    for count in range(1, len(patterns) + 1):
        if not re.search("".join(patterns[:count]), text, re.DOTALL):
            return patterns[count - 1]
    return ""


def judge(program: Program, status: int | None, text: str, limit_s: float) -> Outcome:
    """Say why a run failed, if it did."""
    wanted = program.test.directives
    reason = ""
    missing = MISSING_SYMBOL.search(text)
    lacking = first_lacking(wanted.output, text)
    if status is None:
        reason = f"timeout {limit_s:g} s"
    elif missing and status:
        reason = f"missing symbol {missing[1] or missing[2]}"
    elif status < 0 and not (wanted.should_fail and status == -signal.SIGABRT):
        reason = signal_name(-status)
    elif wanted.should_fail and status == 0:
        reason = "exit 0, but it should fail"
    elif status > 0 and not wanted.should_fail:
        reason = f"exit {status}"
    elif lacking:
        reason = f"output lacks {lacking!r}"
    return Outcome(reason, "\n".join(text.strip().splitlines()[-OUTPUT_LINES:]) if reason else "")


def signal_name(number: int) -> str:
    """Name a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
