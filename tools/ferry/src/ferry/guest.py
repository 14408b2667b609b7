# SPDX-License-Identifier: BSD-3-Clause
"""Measure in nanoseconds where this machine's kernel has what is measured; else count instructions in a guest.

The guest is QEMU without hardware virtualisation, with a clock that ticks once for each instruction (kernel/vm in
Ferry's folder). So its figures are exact and the same everywhere, and are no times; their unit says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ferry.boundaries import Boundary, Guest, Programs
from ferry.folders import MeasureError
from ferry.native import EXIT_UNAVAILABLE, Sample, UnavailableError, indented_tail, measure_programs, parse_lines
from ferry.neighbours import Worlds
from ferry.progress import Advance

#: A guest that has not counted by then hangs; its kernel may have to be fetched first, and built.
GUEST_TIMEOUT_S = 3600


def folder_of_guests() -> Path | None:
    """Return the folder with the Python package `vm`, where Ferry runs from its own folder."""
    value = os.environ.get("FERRY_KERNEL")
    return Path(value) if value and (Path(value) / "vm").is_dir() else None


def count_in_guests(boundary: Boundary, source: Guest, folder: Path, bench: Path, quick: bool) -> list[Sample]:
    """Take the samples in the guests, which say on standard error what they are at."""
    programs = (source.program, *source.more)
    return [sample for name in programs for sample in _count(boundary, source, name, folder, bench, quick)]


def _count(boundary: Boundary, source: Guest, program: str, folder: Path, bench: Path, quick: bool) -> list[Sample]:
    repetitions = source.quick_repetitions if quick else source.repetitions
    command = [sys.executable, "-m", "vm", "--build", str(bench.parent), "--measure", str(repetitions)]
    command += ["--program", program, *source.kernels]
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(folder)},
            text=True,
            timeout=GUEST_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasureError(f"the guest had not ended after {GUEST_TIMEOUT_S} s") from error
    if done.returncode == EXIT_UNAVAILABLE:
        raise UnavailableError("no guest can be booted here; the line above says why")
    if done.returncode != 0:
        raise MeasureError(f"counting in a guest failed; standard error says why\n{indented_tail(done.stdout)}")
    return parse_lines(program, done.stdout, boundary.name)[1]


def measure_guest(
    boundary: Boundary,
    source: Guest,
    bench: Path,
    quick: bool,
    advance: Advance,
    note: Callable[[str], None],
    insist: bool,
    worlds: Worlds,
) -> list[Sample]:
    """Measure natively or, where this machine cannot and we insist, in guests. Raises MeasureError."""
    native = Programs((source.program,))
    try:
        return measure_programs(boundary, native, bench, quick, advance, note, worlds)
    except UnavailableError as error:
        folder = folder_of_guests()
        if not insist:
            where = f"\n  `ferry measure {boundary.name}` counts its instructions in QEMU" if folder else ""
            raise UnavailableError(f"{error}{where}") from error
        if not folder:
            raise UnavailableError(f"{error}\nbuild/bin/ferry, in Ferry's folder, can count in QEMU.") from error
    note(f"{boundary.name}: this machine's kernel runs no batches. Instructions under emulation follow (QEMU,")
    note("-icount shift=0): exact, and not times. What entering the kernel costs besides instructions is not in them.")
    if worlds.asked:
        note(f"{boundary.name}: the loops of --beside do not change a count of instructions; they stand still")
    return count_in_guests(boundary, source, folder, bench, quick)
