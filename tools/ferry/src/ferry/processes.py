# SPDX-License-Identifier: BSD-3-Clause
"""Time whole commands on subtrees of rising size: CPU time, interleaved, until the time allotted is spent."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ferry.boundaries import Boundary, Process, Processes
from ferry.folders import MeasureError, folder_from, program_in, temporary_folder
from ferry.native import Sample, describe_exit, in_world, indented_tail
from ferry.neighbours import Worlds
from ferry.progress import Advance
from ferry.trees import Tree, choose_trees, count_trees

#: However slow the machine, so many repetitions are made; the first warms the caches and is not counted.
REPETITIONS_MIN = 3
REPETITIONS_MAX = 200
#: A line needs some range of n.
TREES_MIN = 3


@dataclass(frozen=True)
class Command:
    """A variant's command on one tree."""

    variant: str
    entries: int
    words: tuple[str, ...]


def _program(word: str, bench: Path) -> str:
    """Resolve the first word of a command."""
    for place, variable, what in (("{bin}/", "FERRY_BIN", "the tools"), ("{bench}/", "", "")):
        if word.startswith(place):
            folder = folder_from(variable, what) if variable else bench
            return str(program_in(folder, word.removeprefix(place)))
    found = shutil.which(word)
    if found is None:
        raise MeasureError(f"{word} is not in $PATH; install it, or measure another boundary")
    return found


def commands_for(source: Processes, trees: list[Tree], bench: Path) -> list[list[Command]]:
    """Return the commands of one repetition, tree by tree."""
    programs: dict[Process, str] = {process: _program(process.command[0], bench) for process in source.commands}
    return [
        [
            Command(
                process.variant,
                tree.entries,
                (programs[process], *(word.replace("{tree}", tree.path) for word in process.command[1:])),
            )
            for process in source.commands
        ]
        for tree in trees
    ]


def cpu_time_ns(words: tuple[str, ...]) -> float:
    """Run a command and return the CPU time it and the system on its behalf took."""
    folder = temporary_folder()
    with tempfile.TemporaryFile(dir=folder) as output, tempfile.TemporaryFile(dir=folder) as errors:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        # the C locale: no time for loading translations, whatever the user's own is
        pid = os.posix_spawn(words[0], words, os.environ | {"LC_ALL": "C"}, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            errors.seek(0)
            text = indented_tail(errors.read().decode(errors="replace"))
            raise MeasureError(f"benchmark command `{' '.join(words)}` {describe_exit(code)}:\n{text}")
    return (usage.ru_utime + usage.ru_stime) * 1e9


def _repetition(rows: list[list[Command]], repetition: int) -> list[Sample]:
    """Time each command once; the variants of a tree by turns, another one first each time."""
    samples = []
    for row in rows:
        turn = repetition % len(row)
        for command in row[turn:] + row[:turn]:
            samples.append(Sample(command.variant, "cpu_ns", command.entries, cpu_time_ns(command.words)))
    return samples


def measure_processes(
    boundary: Boundary, source: Processes, bench: Path, root: Path, quick: bool, advance: Advance, worlds: Worlds
) -> list[Sample]:
    """Take a boundary's samples on subtrees of root."""
    started = time.monotonic()
    allotted_s = (source.quick_seconds if quick else source.seconds) * worlds.count
    trees = choose_trees(count_trees(root), source.quick_sizes if quick else source.sizes)
    if len(trees) < TREES_MIN:
        raise MeasureError(
            f"--tree {root}: too few readable subtrees of different sizes to measure '{boundary.name}'; "
            "give the path of a larger tree"
        )
    rows = commands_for(source, trees, bench)
    _repetition(rows, 0)
    samples: list[Sample] = []
    for repetition in range(REPETITIONS_MAX):
        spent_s = time.monotonic() - started
        # in tenths of seconds: a repetition takes seconds on large trees
        advance(min(round(spent_s * 10), round(allotted_s * 10)), round(allotted_s * 10))
        if repetition >= REPETITIONS_MIN and spent_s > allotted_s:
            break
        for world in worlds.turns(repetition):
            samples += in_world(_repetition(rows, repetition), world)
    advance(round(allotted_s * 10), round(allotted_s * 10))
    return samples
