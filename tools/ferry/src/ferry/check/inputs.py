# SPDX-License-Identifier: BSD-3-Clause
"""What commands read, made once and kept: a tree of files, points to cluster, a program of another compiler.

Each is a function of the place that returns the words that stand for it in a command; none, after a note, where it
cannot be made. Trees and points lie below the temporary folder ($TMPDIR).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ferry.check.job import Note
from ferry.folders import MeasureError, folder_from, temporary_folder

DIRECTORIES = 22_000
FILES = 300_000
SEED = 7
MARK = "complete"
POINT_FILES = 2
POINTS = 100_000


@dataclass(frozen=True)
class Place:
    """Where the benchmark programs and the file of targets are, and what is called with notes."""

    bench: Path
    here: Path
    note: Note
    #: Says what this machine lacks, and that the measurement goes on without it.
    leave_out: Note

    @property
    def bin(self) -> Path:
        """The folder of the tools. Raises MeasureError."""
        return folder_from("FERRY_BIN", "the tools")

    @property
    def search(self) -> str:
        """Where programs by other people are looked for: also where cargo installs."""
        return os.pathsep.join([os.environ.get("PATH", ""), str(Path.home() / ".cargo" / "bin")])

    @property
    def kept(self) -> Path:
        """The folder for what is made."""
        folder = Path(temporary_folder()) / "ferry-bench"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _fill(folder: Path, chance: random.Random, first: int, count: int) -> None:
    """Make files in a directory, half of them empty."""
    for index in range(first, first + count):
        path = folder / f"file-{index:06d}.txt"
        if index % 2:
            path.touch()
        else:
            path.write_bytes(b"x" * chance.randint(1, 9000))


def _split(chance: random.Random, budget: int) -> list[int]:
    """Share `budget` directories out among two to nine subdirectories, each counting itself."""
    count = min(budget, chance.randint(2, 9))
    cuts = sorted(chance.randint(0, budget - count) for _ in range(count - 1))
    return [1 + end - begin for begin, end in zip([0, *cuts], [*cuts, budget - count], strict=True)]


def make_tree(tree: Path, directories: int, files: int) -> None:
    """Make the tree depth first, as an archive unpacks."""
    chance = random.Random(SEED)
    made, left = 0, directories
    pending = [(tree, directories)]
    while pending:
        folder, budget = pending.pop()
        folder.mkdir(parents=True)
        left -= 1
        mean = (files - made) / (left + 1)
        count = files - made if left == 0 else chance.randint(0, max(1, round(2 * mean)))
        count = min(count, files - made)
        _fill(folder, chance, made, count)
        made += count
        shares = _split(chance, budget - 1) if budget > 1 else []
        pending += [(folder / f"dir{index:02d}", share) for index, share in reversed(list(enumerate(shares)))]


def _tree(place: Place) -> tuple[str, ...]:
    """Make a tree of 300,000 files in about 22,000 directories."""
    tree = place.kept / "tree"
    mark = tree.parent / f"{tree.name}.{MARK}"
    if not mark.exists():
        shutil.rmtree(tree, ignore_errors=True)
        place.note(f"making {FILES:,} files in {DIRECTORIES:,} directories below {tree} …")
        make_tree(tree, DIRECTORIES, FILES)
        mark.touch()
    return (str(tree),)


def _points(place: Place) -> tuple[str, ...]:
    """Make two files of points by kmeans_points.py beside the file of targets."""
    made = []
    for seed in range(1, POINT_FILES + 1):
        path = place.kept / f"points-{POINTS}-{seed}.csv"
        if not path.exists():
            part = path.with_suffix(".part")
            command: list[str | Path] = [
                sys.executable,
                place.here / "kmeans_points.py",
                part,
                f"--points={POINTS}",
                f"--seed={seed}",
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise MeasureError(f"the points for kmeans cannot be made: {done.stderr.strip()}")
            part.rename(path)
        made.append(str(path))
    return tuple(made)


def _kmeans_llvm(place: Place) -> tuple[str, ...]:
    """Build kmeans in Haskell alone by GHC's LLVM back end."""
    sources = place.here.parent / "examples" / "haskell" / "kmeans"
    missing = [tool for tool in ("ghc", "opt", "llc") if not shutil.which(tool)]
    if missing:
        place.leave_out(f"kmeans by GHC's LLVM back end: {missing[0]} is not in $PATH")
        return ()
    folder = place.bench.parent / "kmeans-llvm"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "kmeans-plain"
    flags = ["-v0", "-O2", "-threaded", "-fllvm", "-fno-omit-yields", "-with-rtsopts=-N", "-package-env", "-"]
    command: list[str | Path] = [
        "ghc",
        *flags,
        "-outputdir",
        folder / "objects",
        f"-i{sources}",
        sources / "Plain.hs",
        "-o",
        program,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        place.leave_out(f"kmeans by GHC's LLVM back end: {(done.stdout + done.stderr).strip()}")
        return ()
    return (str(program),)


INPUTS: dict[str, Callable[[Place], tuple[str, ...]]] = {
    "tree": _tree,
    "points": _points,
    "kmeans_llvm": _kmeans_llvm,
}
