# SPDX-License-Identifier: BSD-3-Clause
"""The suite of the Haskell package as tests of the session: a program for each way it is linked, an item an example."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from native import NativeItem, native_environment
from paths import BUILD, ROOT

#: How the suite is linked and run; scripts/haskell.sh says what each is for.
WAYS = ("threaded", "nonthreaded", "pressed", "debug", "profiled")
#: What is run again with other numbers of Capabilities than the suite's own two, which it only begins with.
COUNTS = (1, 4, 8)
COUNTED = "Ferry.OpenMP"
SUITE_TIMEOUT_S = 900
#: A result as hspec's formatter `checks` prints it. What is said about it stands below, deeper.
EXAMPLE = re.compile(r"^( *)(.*) \[([✔✘‐])\]$")
STATUS = {"✔": "ok", "✘": "not ok", "‐": "skip"}
OUTPUT_SHOWN = 6000


@dataclass(frozen=True)
class Example:
    """One example: its path from the outermost group, whether it held, and what hspec says about it."""

    name: str
    status: str
    output: str


def failures(text: str) -> list[str]:
    """What hspec says about each failure, in their order."""
    said = text.partition("\nFailures:\n")[2].partition("\nRandomized with seed")[0]
    return [block.strip() for block in re.split(r"^(?=  \S+:\d+:\d+: *\n)", said, flags=re.M) if block.strip()]


def examples(text: str) -> Iterator[Example]:
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
        yield Example(name, status, next(said, text) if status == "not ok" else below.strip())


class HspecFile(pytest.File):
    """The main module of the suite; collecting it runs the suite in every way."""

    def collect(self) -> Iterator[pytest.Item]:
        for way in WAYS:
            yield from self.run_way(way, way)
        for count in COUNTS:
            again = ("--match", COUNTED, "+RTS", f"-N{count}")
            yield from self.run_way(f"threaded-N{count}", "threaded", *again)

    def item(self, name: str, status: str, output: str) -> pytest.Item:
        return NativeItem.from_parent(self, name=name, result=(status, output))

    def run_way(self, way: str, linked: str, *arguments: str) -> Iterator[pytest.Item]:
        program = BUILD / "tests" / f"haskell-{linked}"
        if not program.exists():
            yield self.item(f"{way}:built", "not ok", f"{program} is not built; run `make test`")
            return
        try:
            done = subprocess.run(
                [program, "--format=checks", "--no-color", *arguments],
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=SUITE_TIMEOUT_S,
                env=native_environment() | {"LC_ALL": "C.UTF-8"},
                cwd=ROOT / "haskell",
            )
        except subprocess.TimeoutExpired as late:
            printed = (late.stdout or b"").decode(errors="replace")
            text = f"{program} did not end within {SUITE_TIMEOUT_S} s\n{printed[-OUTPUT_SHOWN:]}"
            yield self.item(f"{way}:exit", "not ok", text)
            return
        yield from self.results(way, done)

    def results(self, way: str, done: "subprocess.CompletedProcess[str]") -> Iterator[pytest.Item]:
        found = list(examples(done.stdout))
        for example in found:
            yield self.item(f"{way}:{example.name}", example.status, example.output)
        text = (done.stdout + done.stderr)[-OUTPUT_SHOWN:]
        if done.returncode != 0 and all(example.status != "not ok" for example in found):
            yield self.item(f"{way}:exit", "not ok", f"haskell-{way} ended with {done.returncode}\n{text}")
        elif not found:
            yield self.item(f"{way}:examples", "not ok", f"haskell-{way} printed no example\n{text}")
