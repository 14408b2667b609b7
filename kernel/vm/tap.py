# SPDX-License-Identifier: GPL-2.0-only
"""What the programs in the test machine said, as one list of results.

The machine's init writes `# program NAME`, what the program printed, and `# exit NAME STATUS`. A program that promised
more results than it gave, ended badly without saying what failed, or never ended, is a failure of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

RESULT = re.compile(r"^(ok|not ok)\b\s*(\d+)?\s*(?:- )?(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*SKIP\s*(.*))?", re.I)
SKIP = re.compile(r"^(.*?)\s*#\s*SKIP\b\s*(.*)$", re.I)
#: As busybox's timeout and the shell report a program that was killed.
KILLED = 137
EXIT_SKIPPED = 4


@dataclass(frozen=True)
class Result:
    """One test: its status is "ok", "not ok" or "skip"; `said` is what was printed before it, or why it was skipped."""

    name: str
    status: str
    said: str = ""


@dataclass
class Program:
    """One program's lines, while they are read."""

    name: str
    results: list[Result]
    planned: int | None = None
    said: list[str] | None = None

    def line(self, line: str) -> None:
        """Take a line the program printed."""
        plan, result = PLAN.match(line), RESULT.match(line)
        if plan:
            self.planned = int(plan.group(1))
            if self.planned == 0:
                self.results.append(Result(self.name, "skip", plan.group(2) or ""))
        elif result:
            status, number, text = result.groups()
            skip = SKIP.match(text)
            name = (skip.group(1) if skip else text).strip() or f"test {number}"
            said = skip.group(2) if skip else "\n".join(self.said or [])
            self.results.append(Result(f"{self.name}: {name}", "skip" if skip else status, said))
            self.said = []
        elif not line.startswith(("TAP version", "KTAP version")):
            self.said = [*(self.said or []), line]

    def end(self, status: int | None) -> None:
        """Judge how the program ended: None when it never did."""
        given = len(self.results)
        said = "\n".join((self.said or [])[-30:])
        why = ""
        if status is None:
            why = "did not end"
        elif status == KILLED:
            why = "was killed, most likely since it took too long"
        elif status == EXIT_SKIPPED and all(result.status == "skip" for result in self.results):
            if not given:
                self.results.append(Result(self.name, "skip", said))
        elif status != 0 and all(result.status != "not ok" for result in self.results):
            why = f"ended with status {status}"
        elif self.planned and given != self.planned:
            why = f"gave {given} results of the {self.planned} it promised"
        elif status == 0 and not given:
            self.results.append(Result(self.name, "ok", said))
        if why:
            self.results.append(Result(f"{self.name}: {why}", "not ok", said))


def parse(text: str) -> tuple[list[Result], bool]:
    """Read everything the test machine's init wrote: the results, and whether it came to its end."""
    results: list[Result] = []
    program: Program | None = None
    ended = False
    for line in text.replace("\r", "").splitlines():
        begin, end = re.match(r"^# program (\S+)$", line), re.match(r"^# exit (\S+) (\d+)$", line)
        if begin:
            program = Program(begin.group(1), [])
        elif program and end and end.group(1) == program.name:
            program.end(int(end.group(2)))
            results += program.results
            program = None
        elif program:
            program.line(line)
        elif line == "# end":
            ended = True
    if program:
        program.end(None)
        results += program.results
    return results, ended
