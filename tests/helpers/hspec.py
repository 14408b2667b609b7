# SPDX-License-Identifier: BSD-3-Clause
"""The suites of the Haskell packages as tests of the session: one program for each way in which a suite is linked."""

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from native import native_environment
from paths import BUILD, ROOT
from program import ProgramError, ProgramItem, Result, run_program

#: How the suite is linked and run; scripts/compile/haskell.sh says what each is for. `make stress` and `make matrix`
#: have also `profiled`, which takes a build of everything for itself.
WAYS = ("threaded", "nonthreaded", "pressed", "debug")
#: Linked with random delays in the C that holds Capabilities; what is about that C is run.
DELAYED = "delayed"
DELAYED_PARTS = ("Callback", "Exception", "Foreign", "Held", "Stress", "Thread", "Wanted")
#: What is run again with other numbers of Capabilities than the suite's own two, which it only begins with.
COUNTS = (1, 4, 8)
COUNTED = "Ferry.OpenMP"
#: What is run again on one processor: regions, whose teams are as large as the processors allow.
ON_ONE_PROCESSOR = ("--match", "Ferry.Held/", "--match", "Ferry.OpenMP")
#: What ferry-directory's suite is called; it is linked once.
DIRECTORY = "directory"
SUITE_TIMEOUT_S = 900
#: What the suite ends with when an example hangs; haskell/tests/cbits/watch.c names that in its last line.
HUNG = 3
#: A result as hspec's formatter `checks` prints it. What is said about it stands below, deeper.
EXAMPLE = re.compile(r"^( *)(.*) \[([✔✘‐])\]$")
STATUS = {"✔": "ok", "✘": "not ok", "‐": "skip"}


def failures(text: str) -> list[str]:
    """The text that hspec prints about each failure, in the order of the failures."""
    said = text.partition("\nFailures:\n")[2].partition("\nRandomized with seed")[0]
    return [block.strip() for block in re.split(r"^(?=  \S+:\d+:\d+: *\n)", said, flags=re.M) if block.strip()]


def examples(text: str) -> Iterator[Result]:
    """Every example of an output of hspec's formatter `checks`."""
    said = iter(failures(text))
    groups: list[tuple[int, str]] = []
    lines = text.partition("\nFailures:\n")[0].splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        depth = len(line) - len(line.lstrip())
        groups = [group for group in groups if group[0] < depth]
        found = EXAMPLE.match(line)
        if not found:
            groups.append((depth, line.strip()))
            continue
        name = "/".join([*(group for _, group in groups if group), found[2]])
        status = STATUS[found[3]]
        yield Result(name, status, next(said, text) if status == "not ok" else below.strip())


class HspecFile(pytest.File):
    """The main module of a suite, whose programs are run in each of the ways."""

    def collect(self) -> Iterator[pytest.Item]:
        if self.path == ROOT / "haskell" / DIRECTORY / "tests" / "Main.hs":
            yield self.item("threaded", DIRECTORY)
            return
        for way in WAYS:
            yield self.item(way, way)
        for count in COUNTS:
            yield self.item(f"threaded-N{count}", "threaded", "--match", COUNTED, "+RTS", f"-N{count}")
        taskset = ("taskset", "--cpu-list", str(min(os.sched_getaffinity(0))))
        yield self.item("one-processor", "pressed", *ON_ONE_PROCESSOR, under=taskset)
        yield self.item(DELAYED, DELAYED, *(word for part in DELAYED_PARTS for word in ("--match", f"Ferry.{part}/")))

    def item(self, way: str, linked: str, *arguments: str, under: tuple[str, ...] = ()) -> pytest.Item:
        program = BUILD / "tests" / f"haskell-{linked}"
        run = partial(self.results, arguments=arguments, under=under)
        return ProgramItem.from_parent(self, name=way, program=program, run=run)

    def results(self, program: Path, arguments: tuple[str, ...], under: tuple[str, ...]) -> Iterator[Result]:
        command: list[Path | str] = [program, "--format=checks", "--no-color", *arguments]
        environment = native_environment() | {"LC_ALL": "C.UTF-8"}
        done = run_program(command, ROOT / "haskell", environment, SUITE_TIMEOUT_S, under)
        found = list(examples(done.stdout))
        yield from found
        if done.status == HUNG:
            raise ProgramError(f"{done.name} ended with {HUNG}\n{done.text}")
        done.check(any(example.status == "not ok" for example in found), len(found))
