# SPDX-License-Identifier: BSD-3-Clause
"""Run one benchmark program with several shared libraries in turn: what LD_LIBRARY_PATH puts in is what is measured.

The libraries are interleaved process by process, each pass starting with another one. The program prints a CALL as its
variant; the WAY is the library, and the number of threads is part of the CALL: `ours:barrier@2`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ferry.boundaries import Boundary, Runtime, Runtimes, joined
from ferry.native import MeasureError, Sample, parse_lines, program_in, run_program
from ferry.progress import Advance

#: What a user's shell may carry in and would change what is measured.
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")


#: Says something that is not progress.
Note = Callable[[str], None]


@dataclass(frozen=True)
class Turn:
    """One process: a library, a number of threads."""

    way: str
    folder: Path | None
    threads: int

    def environment(self) -> dict[str, str]:
        """Return the environment of the process."""
        clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
        where = {"LD_LIBRARY_PATH": str(self.folder)} if self.folder else {}
        return clean | where | {"OMP_NUM_THREADS": str(self.threads)}


def folder_of(runtime: Runtime, source: Runtimes, bench: Path) -> Path | None:
    """Return where a library is; None for the system's own. Raises MeasureError when it is not there."""
    return find(runtime.folders, source.library, bench, runtime.advice)


def find(folders: tuple[str, ...], library: str, bench: Path, advice: str) -> Path | None:
    """Return the first of the folders that has a library; None without folders. Raises MeasureError."""
    places = [Path(os.path.normpath(bench / folder)) for folder in folders]
    if not places:
        return None
    for folder in places:
        if (folder / library).exists():
            return folder
    raise MeasureError(f"{' or '.join(str(folder / library) for folder in places)} is not there; {advice}")


def available(source: Runtimes, bench: Path, note: Note) -> dict[str, Path | None]:
    """Return the libraries that are there, by WAY; one that is not required may be missing, with a note."""
    found: dict[str, Path | None] = {}
    for runtime in source.runtimes:
        try:
            found[runtime.way] = folder_of(runtime, source, bench)
        except MeasureError as error:
            if runtime.required:
                raise
            note(f"left out: {runtime.way}: {error}")
    return found


def turns_of(source: Runtimes, libraries: dict[str, Path | None], step: int) -> list[Turn]:
    """Return the processes of one pass."""
    ways = list(libraries)
    ways = ways[step % len(ways) :] + ways[: step % len(ways)]
    return [Turn(way, libraries[way], threads) for threads in source.threads for way in ways]


def floor_samples(boundary: Boundary, source: Runtimes, bench: Path, repetitions: int) -> list[Sample]:
    """Measure the floors: each is a share of what a variant of another program takes."""
    program = str(program_in(bench, source.floor_program))
    variants = sorted({floor.variant for floor in source.floors})
    command = [program, "--repetitions", str(repetitions), "--variant", ",".join(variants)]
    measured = parse_lines(program, run_program(command), None)[1]
    return [
        replace(sample, variant=joined(boundary.floor, floor.call), value=sample.value * floor.share)
        for floor in source.floors
        for sample in measured
        if sample.variant == floor.variant
    ]


def measure_runtimes(
    boundary: Boundary, source: Runtimes, bench: Path, quick: bool, advance: Advance, note: Note
) -> list[Sample]:
    """Take a boundary's samples with every library, pass after pass."""
    program = str(program_in(bench, source.program))
    libraries = available(source, bench, note)
    passes = source.quick_passes if quick else source.passes
    repetitions = str(source.quick_repetitions if quick else source.repetitions)
    sizes = ",".join(map(str, source.sizes))
    command = [program, "--repetitions", repetitions, "--n", sizes, "--variant", ",".join(source.variants)]
    total = passes * len(libraries) * len(source.threads)
    samples: list[Sample] = []
    for step in range(passes):
        for k, turn in enumerate(turns_of(source, libraries, step)):
            advance(step * total // passes + k, total)
            output = run_program(command, turn.environment())
            taken = parse_lines(program, output, boundary.name)[1]
            samples += [replace(s, variant=joined(turn.way, f"{s.variant}@{turn.threads}")) for s in taken]
        samples += floor_samples(boundary, source, bench, int(repetitions))
    advance(total, total)
    return samples
