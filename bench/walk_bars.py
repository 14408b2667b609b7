# SPDX-License-Identifier: BSD-3-Clause
"""Measure mdu beside GNU du, the floor and other walkers, interleaved, on one cached tree, and check the bars.

The tree has 300,000 files in about 22,000 directories, made once in a folder and kept there.
"""

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError

DIRECTORIES = 22_000
FILES = 300_000
SEED = 7
MARK = "complete"

#: ratio, its measure, its upper bound
BARS = (
    ("mdu -s -j1", "du -s", "cpu", 0.74),
    ("mdu -s -j1", "floor -j1", "cpu", 1.05),
    ("mdu -s -j2", "du -s", "wall", 0.45),
)
#: what mdu -s, with as many threads as they take, must be faster than
PEERS = ("bfs", "dust", "diskus", "dua")


@dataclass
class Samples:
    """What one command took, run by run, in milliseconds."""

    command: list[str]
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)


def fill(folder: Path, random_source: random.Random, first: int, count: int) -> None:
    """Make files in a directory, half of them empty."""
    for index in range(first, first + count):
        path = folder / f"file-{index:06d}.txt"
        if index % 2:
            path.touch()
        else:
            path.write_bytes(b"x" * random_source.randint(1, 9000))


def split(random_source: random.Random, budget: int) -> list[int]:
    """Share `budget` directories out among two to nine subdirectories, each counting itself."""
    count = min(budget, random_source.randint(2, 9))
    cuts = sorted(random_source.randint(0, budget - count) for _ in range(count - 1))
    return [1 + end - begin for begin, end in zip([0, *cuts], [*cuts, budget - count], strict=True)]


def make_tree(tree: Path) -> None:
    """Make the tree depth first, as an archive unpacks; reuse one that is complete."""
    mark = tree.parent / f"{tree.name}.{MARK}"
    if mark.exists():
        return
    shutil.rmtree(tree, ignore_errors=True)
    print(f"making {FILES:,} files in {DIRECTORIES:,} directories below {tree} …", file=sys.stderr)
    random_source = random.Random(SEED)
    files, left = 0, DIRECTORIES
    pending = [(tree, DIRECTORIES)]
    while pending:
        folder, budget = pending.pop()
        folder.mkdir(parents=True)
        left -= 1
        mean = (FILES - files) / (left + 1)
        count = FILES - files if left == 0 else random_source.randint(0, max(1, round(2 * mean)))
        count = min(count, FILES - files)
        fill(folder, random_source, files, count)
        files += count
        shares = split(random_source, budget - 1) if budget > 1 else []
        pending += [(folder / f"dir{index:02d}", share) for index, share in reversed(list(enumerate(shares)))]
    mark.touch()


def commands(bin_dir: Path, bench_dir: Path, tree: Path) -> dict[str, list[str]]:
    """Every command that is there, by the name it has in the table."""
    found = {
        "du -s": ["du", "-s", str(tree)],
        "floor -j1": [str(bench_dir / "walk"), "--floor", "-j1", str(tree)],
        "floor -j2": [str(bench_dir / "walk"), "--floor", "-j2", str(tree)],
        "mdu -s -j1": [str(bin_dir / "mdu"), "-s", "-j1", str(tree)],
        "mdu -s -j2": [str(bin_dir / "mdu"), "-s", "-j2", str(tree)],
    }
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path.home() / ".cargo" / "bin")])
    arguments = {
        # bfs has no sum: looking at every size is the same work
        "bfs": ["-size", "+1000000"],
        "dust": ["-d", "0", "-b", "-P"],
        "diskus": [],
        "dua": ["aggregate"],
    }
    for name in PEERS:
        program = shutil.which(name, path=path)
        if program is None:
            print(f"{name} is not installed; it is not measured", file=sys.stderr)
        elif name == "bfs":
            found[name] = [program, str(tree), *arguments[name]]
        else:
            found[name] = [program, *arguments[name], str(tree)]
    return found


def run_once(command: list[str]) -> tuple[float, float]:
    """CPU and wall milliseconds of one run."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {message.decode(errors='replace')}")
    return (usage.ru_utime + usage.ru_stime) * 1e3, wall * 1e3


def measure(found: dict[str, list[str]], repetitions: int) -> dict[str, Samples]:
    """Run everything once for the caches, then interleaved, each repetition starting with another command."""
    samples = {name: Samples(command) for name, command in found.items()}
    names = list(samples)
    for repetition in range(-1, repetitions):
        for index in range(len(names)):
            sample = samples[names[(index + repetition) % len(names)]]
            cpu, wall = run_once(sample.command)
            if repetition >= 0:
                sample.cpu.append(cpu)
                sample.wall.append(wall)
        print(f"\rrepetition {repetition + 1} of {repetitions}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return samples


def spread(values: list[float]) -> str:
    """Median, and from which to which."""
    return f"{statistics.median(values):7.0f} ({min(values):.0f}–{max(values):.0f})"


def paired_ratio(samples: dict[str, Samples], name: str, to: str, kind: str) -> tuple[float, float]:
    """Ratio of the medians and of the minima."""
    ours: list[float] = getattr(samples[name], kind)
    theirs: list[float] = getattr(samples[to], kind)
    return statistics.median(ours) / statistics.median(theirs), min(ours) / min(theirs)


def machine() -> str:
    """Name the machine in one line."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def report(samples: dict[str, Samples]) -> bool:
    """Print the table and the bars. Returns whether every bar was met."""
    print(f"{machine()}; {FILES:,} files in {DIRECTORIES:,} directories, cached")
    print(f"{'':12} {'CPU ms, median (range)':>26} {'wall ms':>24}")
    for name, sample in samples.items():
        print(f"{name:12} {spread(sample.cpu):>26} {spread(sample.wall):>24}")
    met = True
    for name, to, kind, bound in BARS:
        median, least = paired_ratio(samples, name, to, kind)
        # what disturbs a run only ever adds time, so the minima are what the programs cost
        ok = least <= bound
        met &= ok
        verdict = "met" if ok else "NOT MET"
        print(f"{name} / {to}, {kind}: {least:.3f} of minima, {median:.3f} of medians; bar {bound}: {verdict}")
    for peer in PEERS:
        if peer in samples:
            _, ratio = paired_ratio(samples, "mdu -s -j2", peer, "wall")
            met &= ratio < 1
            print(f"mdu -s -j2 / {peer}, wall: {ratio:.3f} of minima; bar 1: {'met' if ratio < 1 else 'NOT MET'}")
    return met


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--folder", type=Path, help="where to keep the tree (default: below the temporary folder)")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every sample there too; - is standard output")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is not met")
    options = parser.parse_args()
    if options.json:
        output = Output("--json", options.json)
        output.check()
        output.claim()
    if options.repetitions < 1:
        parser.error("--repetitions: give a whole number, 1 or more")
    for program in (options.build / "bin" / "mdu", options.build / "bench" / "walk"):
        if not program.exists():
            parser.error(f"{program} is not there; run `make build` first, or say where with --build")
    folder = options.folder or Path(tempfile.gettempdir()) / "ferry-bench"
    folder.mkdir(parents=True, exist_ok=True)
    tree = folder / "tree"
    make_tree(tree)
    samples = measure(commands(options.build / "bin", options.build / "bench", tree), options.repetitions)
    met = report(samples)
    if options.json:
        lines = {name: {"cpu_ms": sample.cpu, "wall_ms": sample.wall} for name, sample in samples.items()}
        output.write(json.dumps({"machine": machine(), "commands": lines}, indent=1))
    return 1 if options.strict and not met else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutputError as error:
        sys.exit(f"walk_bars: {error}")
