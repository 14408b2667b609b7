# SPDX-License-Identifier: BSD-3-Clause
"""A program with tests of its own as one item of the session, which reports a result for each of them.

The program runs when the item runs, in the worker of pytest-xdist that has it; so collecting runs nothing. The item
itself stands for the run as a whole: there is such a program, and it ended in time, without an error, and with results.
"""

import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Result:
    """One test of a program: its name, its status (ok, not ok or skip), and the text to show about it."""

    name: str
    status: str
    output: str


TEXT_SHOWN = 6000
OUTCOMES = {"ok": "passed", "not ok": "failed", "skip": "skipped"}


class ProgramError(Exception):
    """A program could not be run, or its output does not explain how it ended."""


@dataclass(frozen=True)
class Run:
    """How a program ended, and what it printed."""

    name: str
    status: int
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        """The end of all that it printed."""
        return (self.stdout + self.stderr)[-TEXT_SHOWN:]

    def check(self, failed: bool, results: int) -> None:
        """Raise ProgramError unless its results, and whether one of them failed, explain how it ended."""
        if self.status != 0 and not failed:
            raise ProgramError(f"{self.name} ended with {self.status}\n{self.text}")
        if results == 0:
            raise ProgramError(f"{self.name} printed no test result\n{self.text}")


def run_program(
    command: Sequence[Path | str],
    folder: Path,
    environment: dict[str, str],
    timeout_s: int,
    under: Sequence[str] = (),
) -> Run:
    """Run a program to its end, by a command such as taskset if one is given.

    Raises ProgramError, with the program's output so far, when it does not end in time.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            [*under, *command],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout_s,
            env=environment,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        printed = ((late.stdout or b"") + (late.stderr or b"")).decode(errors="replace")
        raise ProgramError(f"{name} did not end within {timeout_s} s\n{printed[-TEXT_SHOWN:]}") from None
    return Run(name, done.returncode, done.stdout, done.stderr)


class ProgramItem(pytest.Item):
    """A program, in one of its builds or run in one of its ways."""

    def __init__(
        self,
        *,
        program: Path,
        run: Callable[[Path], Iterable[Result]],
        is_stale: Callable[[Path], bool] = lambda _: False,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.program = program
        self.run = run
        self.is_stale = is_stale

    def runtest(self) -> None:
        if not self.program.exists():
            raise ProgramError(f"{self.program} is not built; run `make test`")
        if self.is_stale(self.program):
            raise ProgramError(f"{self.program} is older than its sources; `make check T={self.path.stem}` builds it")
        for result in self.run(self.program):
            self.ihook.pytest_runtest_logreport(report=self.report(result))

    def report(self, result: Result) -> pytest.TestReport:
        """The report of a result for pytest. In a worker it needs the item's nodeid; `name_result` adds the name."""
        skipped = (str(self.path), 0, result.output)
        return pytest.TestReport(
            nodeid=self.nodeid,
            location=(self.location[0], None, f"{self.name}:{result.name}"),
            keywords={},
            outcome=OUTCOMES[result.status],  # type: ignore[arg-type]
            longrepr={"ok": None, "not ok": result.output, "skip": skipped}[result.status],
            when="call",
            result_name=result.name,
        )

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, ProgramError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))


def name_result(report: pytest.TestReport) -> bool:
    """Give the report of a program's result its own nodeid. Returns whether the report is one."""
    name = getattr(report, "result_name", None)
    if name is None:
        return False
    report.nodeid += f":{name}"
    return True
