# SPDX-License-Identifier: BSD-3-Clause
"""Time kmeans beside itself on libgomp and beside the same program in Haskell alone, pass by pass in turn.

Each run reads two files that this makes, so that one is parsed while the other is clustered, and a Haskell thread that
wants to run every millisecond says how late it was. All have to print the same clusters. The times are of whole
processes' work, reading and parsing included.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "examples" / "haskell" / "kmeans"
FOREIGN = re.compile(r"(OMP|GOMP|OPENBLAS|FERRY)_|LD_(LIBRARY_PATH|PRELOAD)$")
TIMEOUT_S = 300
FILES = 2
#: The time with libgomp, and the progress thread's p99 pause with libgomp: at most so much of them.
TIME_BAR = 1.0
PAUSE_BAR = 0.5


@dataclass
class Program:
    """One way to run it, and what its passes took."""

    name: str
    path: Path
    preload: str = ""
    seconds: list[float] = field(default_factory=list)
    pauses_us: list[float] = field(default_factory=list)

    def run(self, arguments: list[str]) -> str:
        """Run once, keep what it took, and return the clusters."""
        clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
        if self.preload:
            clean["LD_PRELOAD"] = self.preload
        done = subprocess.run(
            [self.path, "--times", *arguments],
            env=clean,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        said = dict(re.findall(r"^(seconds|pause p99 us) ([0-9.]+)$", done.stderr, re.M))
        if done.returncode != 0 or len(said) != 2:
            sys.exit(f"{self.name}: exit status {done.returncode}: {done.stderr}")
        self.seconds.append(float(said["seconds"]))
        self.pauses_us.append(float(said["pause p99 us"]))
        return done.stdout


def with_llvm(build: Path) -> Path | None:
    """Build kmeans-plain by GHC's LLVM back end and return it; nothing where there is no LLVM or GHC."""
    if not all(shutil.which(tool) for tool in ("ghc", "opt", "llc")):
        return None
    folder = build.absolute() / "kmeans-llvm"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "kmeans-plain"
    flags = ["-v0", "-O2", "-threaded", "-fllvm", "-fno-omit-yields", "-with-rtsopts=-N", "-package-env", "-"]
    done = subprocess.run(
        ["ghc", *flags, "-outputdir", folder / "objects", f"-i{SOURCES}", SOURCES / "Plain.hs", "-o", program],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(f"left out: GHC's LLVM back end failed: {(done.stdout + done.stderr).strip()}", file=sys.stderr)
        return None
    return program


def make_points(folder: Path, count: int) -> list[str]:
    """Write the data files, if they are not there, and return their names."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for seed in range(1, FILES + 1):
        path = folder / f"points-{count}-{seed}.csv"
        if not path.exists():
            part = path.with_suffix(".part")
            script = Path(__file__).parent / "kmeans_points.py"
            subprocess.run([sys.executable, script, part, f"--points={count}", f"--seed={seed}"], check=True)
            part.rename(path)
        made.append(str(path))
    return made


def print_row(program: Program, base: Program) -> None:
    """Print the medians of a program, and how they compare with those of libgomp, pass by pass."""
    time, pause = (
        [a / b for a, b in zip(mine, other, strict=True)]
        for mine, other in ((program.seconds, base.seconds), (program.pauses_us, base.pauses_us))
    )
    print(
        f"  {program.name:14}{statistics.median(program.seconds):9.3f}{statistics.median(time):9.3f}"
        f"  ({min(time):.3f} to {max(time):.3f}){statistics.median(program.pauses_us):11.0f}"
        f"{statistics.median(pause):9.3f}  ({min(pause):.3f} to {max(pause):.3f})"
    )


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Time kmeans with our runtime, with libgomp, and in Haskell alone.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--passes", type=int, default=5, help="processes of each program (default: 5)")
    parser.add_argument("--points", type=int, default=100_000, help="points of each of two files (default: 100000)")
    parser.add_argument("--rounds", type=int, default=20, help="k-means passes over a file at most (default: 20)")
    parser.add_argument("--only-data", action="store_true", help="make the files and programs, and measure nothing")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    options = parser.parse_args()
    bin_dir = options.build.absolute() / "bin"
    if not (bin_dir / "kmeans").exists():
        print(f"left out: {bin_dir}/kmeans is not built; run `make haskell`")
        return 0
    ours = Program("ferry", bin_dir / "kmeans")
    libgomp = Program("libgomp", bin_dir / "kmeans", preload="libgomp.so.1")
    programs = [ours, libgomp, Program("Haskell", bin_dir / "kmeans-plain")]
    llvm = with_llvm(options.build)
    if llvm:
        programs.append(Program("Haskell, LLVM", llvm))
    arguments = ["--clusters=64", f"--passes={options.rounds}", *make_points(options.build / "kmeans", options.points)]
    if options.only_data:
        return 0
    for _ in range(options.passes):
        printed = {program.name: program.run(arguments) for program in programs}
        if len(set(printed.values())) != 1:
            sys.exit("the programs do not print the same clusters")
    print(
        f"{FILES} files of {options.points} points, 32 numbers each, 64 clusters, {options.passes} interleaved passes"
    )
    print(f"  {'':14}{'seconds':>9}{'of libgomp, spread':>27}{'p99 us':>13}  of libgomp, spread")
    for program in programs:
        print_row(program, libgomp)
    verdicts = []
    for what, bar, mine, other in (
        ("time", TIME_BAR, ours.seconds, libgomp.seconds),
        ("p99 pause of the progress thread", PAUSE_BAR, ours.pauses_us, libgomp.pauses_us),
    ):
        measured = statistics.median(a / b for a, b in zip(mine, other, strict=True))
        verdicts.append(measured <= bar)
        print(f"{what}, of libgomp's: at most {bar}: {measured:.3f}  {'met' if measured <= bar else 'MISSED'}")
    return 1 if options.strict and not all(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
