# SPDX-License-Identifier: BSD-3-Clause
"""Run one benchmark program with several shared libraries in turn: what the loader is told to put in is measured.

The libraries are interleaved process by process, each pass starting with another one. The program prints a CALL as its
variant; the WAY is the library, and the number of threads is part of the CALL: `ours:barrier@2`. Where a program calls
the library in several ways, its variants' names begin with which.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ferry.boundaries import Boundary, Runtime, Runtimes, joined
from ferry.folders import MeasureError, program_in
from ferry.native import Sample, UnavailableError, in_world, parse_lines, repetitions_in, run_program
from ferry.neighbours import World, Worlds
from ferry.progress import Advance
from ferry.system_libraries import folder_with

#: What a user's shell may carry in and would change what is measured.
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")


#: Says something that is not progress.
Note = Callable[[str], None]


def clean_environment(threads: int) -> dict[str, str]:
    """Return our environment with that number of threads and nothing else about OpenMP or the loader."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    return clean | {"OMP_NUM_THREADS": str(threads)}


@dataclass(frozen=True)
class Turn:
    """One process: a library, a number of threads."""

    runtime: Runtime
    folder: Path | None
    threads: int

    def environment(self) -> dict[str, str]:
        """Return the environment of the process."""
        where = {"LD_LIBRARY_PATH": str(self.folder)} if self.folder else {}
        before = {"LD_PRELOAD": self.runtime.preload} if self.runtime.preload else {}
        return clean_environment(self.threads) | where | before

    def named(self, sample: Sample) -> Sample:
        """Name a sample after the WAY and the number of threads."""
        call = sample.variant.removeprefix(self.runtime.prefix)
        return replace(sample, variant=joined(self.runtime.way, f"{call}@{self.threads}"))


def folder_of(runtime: Runtime, source: Runtimes, bench: Path) -> Path | None:
    """Return where a library is; None for one that the loader finds. Raises MeasureError when it is not there."""
    if runtime.preload:
        # the loader says so when it finds none, and goes on without
        tried = subprocess.run(
            ["true"], env=clean_environment(1) | {"LD_PRELOAD": runtime.preload}, capture_output=True, check=False
        )
        if tried.stderr:
            raise MeasureError(f"{runtime.preload} cannot be preloaded; {runtime.advice}")
    return find(runtime.folders, source.library, bench, runtime.advice, runtime.system)


def find(folders: tuple[str, ...], library: str, bench: Path, advice: str, system: tuple[str, ...] = ()) -> Path | None:
    """Return the first of the folders that has a library, or one made for the system's under another name.

    None without either. Raises MeasureError.
    """
    if system:
        if (folder := folder_with(system, library)) is None:
            raise MeasureError(f"{' or '.join(system)} is not there; {advice}")
        return folder
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
    runtimes = [runtime for runtime in source.runtimes if runtime.way in libraries]
    runtimes = runtimes[step % len(runtimes) :] + runtimes[: step % len(runtimes)]
    return [Turn(runtime, libraries[runtime.way], threads) for threads in source.threads for runtime in runtimes]


def floor_samples(boundary: Boundary, source: Runtimes, bench: Path, repetitions: int, world: World) -> list[Sample]:
    """Measure the floors: each is a share of what a variant of another program takes."""
    if not source.floors:
        return []
    program = str(program_in(bench, source.floor_program))
    variants = sorted({floor.variant for floor in source.floors})
    command = [program, "--repetitions", str(repetitions), "--variant", ",".join(variants)]
    if source.floor_program == source.program:
        command += ["--n", ",".join(map(str, source.sizes))]
    measured = parse_lines(program, run_program(command, clean_environment(max(source.threads)), world), None)[1]
    return [
        replace(sample, variant=joined(floor.way or boundary.floor, floor.call), value=sample.value * floor.share)
        for floor in source.floors
        for sample in measured
        if sample.variant == floor.variant
    ]


def measure_runtimes(
    boundary: Boundary, source: Runtimes, bench: Path, quick: bool, advance: Advance, note: Note, worlds: Worlds
) -> list[Sample]:
    """Take a boundary's samples with every library in every world, pass after pass."""
    if source.target != "build" and not (bench / source.program).is_file():
        raise UnavailableError(f"{bench / source.program} is not built; run `make {source.target}` in Ferry's folder")
    program = str(program_in(bench, source.program))
    libraries = available(source, bench, note)
    passes = source.quick_passes if quick else source.passes
    usual = source.quick_repetitions if quick else source.repetitions
    sizes = ",".join(map(str, source.sizes))
    total = passes * worlds.count * len(libraries) * len(source.threads)
    samples: list[Sample] = []
    done = 0
    has_floors = True
    for step in range(passes):
        for world in worlds.turns(step):
            repetitions = repetitions_in(world, usual, quick)
            command = [program, "--repetitions", str(repetitions), "--n", sizes, "--variant"]
            taken: list[Sample] = []
            for turn in turns_of(source, libraries, step):
                advance(done, total)
                variants = ",".join(turn.runtime.prefix + variant for variant in source.variants)
                output = run_program([*command, variants], turn.environment(), world)
                taken += map(turn.named, parse_lines(program, output, boundary.name)[1])
                done += 1
            try:
                taken += floor_samples(boundary, source, bench, repetitions, world) if has_floors else []
            except UnavailableError as error:
                # as with one processor, where nothing is handed to another one
                has_floors = False
                note(f"left out: {boundary.floor} of {boundary.name}: {error}")
            samples += in_world(taken, world)
    advance(total, total)
    return samples
