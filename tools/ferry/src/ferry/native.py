# SPDX-License-Identifier: BSD-3-Clause
"""Run native benchmark programs and read their JSON lines (bench/README.md)."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ferry.boundaries import Boundary, Programs
from ferry.folders import MeasureError, program_in
from ferry.measurement import MACHINE_KEYS, UNITS
from ferry.neighbours import QUIET, World, Worlds
from ferry.progress import Advance

#: A program that takes longer than this hangs. Beside loops it has that time for each of them and for itself.
PROGRAM_TIMEOUT_S = 300
#: The variable that says how long a sample is at least (bench/README.md), and that length beside busy loops: several
#: time slices, of which each is about 3 ms, so that the share of the loops is in every sample.
SAMPLE_US = "FERRY_SAMPLE_US"
SAMPLE_US_BESIDE = 20_000
#: So long samples are few.
REPETITIONS_BESIDE = 5
QUICK_REPETITIONS_BESIDE = 2
#: Exit status of a program that this machine lacks something for (bench/README.md).
EXIT_UNAVAILABLE = 3
#: So much of a program's standard error is shown.
STDERR_LINES = 20
#: The program whose machine line describes a run that starts no other native program.
MACHINE_PROGRAM = ("syscall", "--repetitions", "1", "--n", "1", "--variant", "null:getppid")


class UnavailableError(MeasureError):
    """What a benchmark measures is not there on this machine."""


@dataclass(frozen=True)
class Sample:
    """One run of n calls."""

    variant: str
    unit: str
    n: int
    value: float
    world: World = QUIET


def describe_exit(status: int) -> str:
    """Say how a process ended."""
    if status < 0:
        try:
            return f"was killed by {signal.Signals(-status).name}"
        except ValueError:
            return f"was killed by signal {-status}"
    return f"ended with exit status {status}"


def indented_tail(text: str) -> str:
    """Return the end of a program's standard error, indented for a message."""
    lines = text.strip().splitlines()[-STDERR_LINES:]
    return "\n".join(f"  {line}" for line in lines) if lines else "  (nothing on standard error)"


def repetitions_in(world: World, usual: int, quick: bool) -> int:
    """Return how many repetitions a program makes in one world."""
    return usual if world.quiet else min(usual, QUICK_REPETITIONS_BESIDE if quick else REPETITIONS_BESIDE)


def run_program(
    command: list[str],
    environment: dict[str, str] | None = None,
    world: World = QUIET,
    limit_s: float = PROGRAM_TIMEOUT_S,
) -> str:
    """Run one benchmark program, in our environment or one of its own, and return its standard output.

    The world must be there; what it changes for the program is the length of a sample and of its patience.
    """
    limit_s *= 1 + world.loops
    if not world.quiet:
        environment = {**(os.environ if environment is None else environment), SAMPLE_US: str(SAMPLE_US_BESIDE)}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=limit_s,
            stdin=subprocess.DEVNULL,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasureError(f"benchmark {command[0]} did not end within {limit_s:g} s {world.words}") from error
    except OSError as error:
        raise MeasureError(f"benchmark {command[0]} cannot be run: {error.strerror}") from error
    stderr = done.stderr.decode(errors="replace")
    if done.returncode == EXIT_UNAVAILABLE:
        raise UnavailableError(f"this machine cannot measure it:\n{indented_tail(stderr)}")
    if done.returncode != 0:
        raise MeasureError(f"benchmark {command[0]} {describe_exit(done.returncode)}:\n{indented_tail(stderr)}")
    try:
        return done.stdout.decode()
    except UnicodeDecodeError as error:
        raise MeasureError(f"benchmark {command[0]} printed bytes that are not UTF-8") from error


def _objects(program: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise MeasureError(f"benchmark {program}, line {number} is not JSON ({error.msg}): {line[:120]}") from error
        if not isinstance(entry, dict):
            raise MeasureError(f"benchmark {program}, line {number} is not a JSON object: {line[:120]}")
        yield number, entry


def _sample(program: str, number: int, entry: dict[str, Any], boundary: str | None) -> Sample:
    variant, unit, n, value = (entry.get(key) for key in ("variant", "unit", "n", "ns"))
    wrong = None
    if boundary is not None and entry.get("boundary") != boundary:
        wrong = f"'boundary' is {entry.get('boundary')!r}, not {boundary!r}"
    elif not isinstance(variant, str) or not variant:
        wrong = f"'variant' is {variant!r}, not a name"
    elif unit not in UNITS:
        wrong = f"'unit' is {unit!r}, not one of {', '.join(UNITS)}"
    elif isinstance(n, bool) or not isinstance(n, int) or n < 1:
        wrong = f"'n' is {n!r}, not a whole number of 1 or more"
    elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        wrong = f"'ns' is {value!r}, not a number"
    if wrong:
        raise MeasureError(f"benchmark {program}, line {number}: {wrong} (bench/README.md has the schema)")
    return Sample(str(variant), str(unit), int(n or 0), float(value or 0))


def parse_lines(program: str, text: str, boundary: str | None) -> tuple[dict[str, Any], list[Sample]]:
    """Read a program's output: the machine card and the samples. Raises MeasureError naming the malformed line."""
    machine: dict[str, Any] | None = None
    samples = []
    for number, entry in _objects(program, text):
        kind = entry.get("type")
        if kind == "machine" and number == 1:
            machine = {key: value for key, value in entry.items() if key != "type"}
            missing = [key for key in MACHINE_KEYS if key not in machine]
            if missing:
                raise MeasureError(f"benchmark {program}: its machine line lacks {', '.join(missing)}")
        elif kind == "sample":
            samples.append(_sample(program, number, entry, boundary))
        elif kind != "calibration":
            raise MeasureError(f"benchmark {program}, line {number}: unexpected 'type' {kind!r}")
    if machine is None:
        raise MeasureError(f"benchmark {program} did not begin with a machine line (bench/README.md has the schema)")
    return machine, samples


def in_world(samples: list[Sample], world: World) -> list[Sample]:
    """Say of samples in which world they were taken."""
    return [replace(sample, world=world) for sample in samples]


def machine_card(folder: Path) -> dict[str, Any]:
    """Describe this machine."""
    program = str(program_in(folder, MACHINE_PROGRAM[0]))
    return parse_lines(program, run_program([program, *MACHINE_PROGRAM[1:]]), None)[0]


def measure_programs(
    boundary: Boundary,
    source: Programs,
    folder: Path,
    quick: bool,
    advance: Advance,
    note: Callable[[str], None],
    worlds: Worlds,
) -> list[Sample]:
    """Take a boundary's samples, its worlds and programs by turns, pass after pass."""
    for name in source.names:
        if source.target != "build" and not (folder / name).is_file():
            raise UnavailableError(f"{folder / name} is not built; run `make {source.target}` in Ferry's folder")
    names = list(source.names)
    for name, target in source.more:
        if (folder / name).is_file():
            names.append(name)
        else:
            note(f"left out: {name}: it is not built; run `make {target}` in Ferry's folder")
    programs = [str(program_in(folder, name)) for name in names]
    passes = source.quick_passes if quick else source.passes
    repetitions = source.quick_repetitions if quick else source.repetitions
    total = passes * worlds.count * len(programs)
    samples: list[Sample] = []
    done = 0
    for step in range(passes):
        for world in worlds.turns(step):
            command = ["--repetitions", str(repetitions_in(world, repetitions, quick))]
            for program in programs:
                advance(done, total)
                output = run_program([program, *command], world=world)
                samples += in_world(parse_lines(program, output, boundary.name)[1], world)
                done += 1
    advance(total, total)
    return samples
