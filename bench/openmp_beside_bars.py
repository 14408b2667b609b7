# SPDX-License-Identifier: BSD-3-Clause
"""Time OpenMP constructs and programs beside busy neighbours, with each library in turn, and check the bars.

A cell is a program at a number of threads beside some neighbours: busy loops of equal or lower priority, loops that
work and rest in bursts, or a second copy of the same program. In a cell the libraries take turns, process by process;
each process lasts long enough to meet the scheduler's time slices (3 to 4 ms) many times. The bar of a cell is a
multiple of the better of libgomp and libomp. What the neighbours got meanwhile, and the processor time that the program
took, stand beside it. The floor is the program's quiet time divided by its fair share of the processors.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError
from openmp_bars import environment

#: Our time over the better peer's, at most.
BAR = 1.1
PROCESS_TIMEOUT_S = 60
NEIGHBOURS_MAX = 64
WORLDS = "0,1,2,2:19,2/5000/5000,copy"
#: A busy loop; with arguments it works so many microseconds and rests so many, again and again.
LOOP = """
import sys, time
on, off = (float(word) / 1e6 for word in sys.argv[1:3]) if len(sys.argv) > 1 else (0, 0)
while True:
    began = time.perf_counter()
    while not on or time.perf_counter() - began < on:
        for _ in range(1000):
            pass
    time.sleep(off)
"""
#: constructs and how often: some tenths of a second each on a quiet machine
CASES = {"fork_join": 100_000, "barrier": 500_000, "reduction": 100_000, "dynamic_1": 5_000, "mix": 5_000}


@dataclass(frozen=True)
class Neighbours:
    """What runs beside the program: `count` loops of a nice value, perhaps in bursts, or a second copy of it."""

    text: str
    count: int
    nice: int = 0
    burst_us: tuple[str, ...] = ()
    copies: bool = False

    @staticmethod
    def parse(text: str) -> "Neighbours":
        """Read `N`, `N:NICE`, `N/ON/OFF` (microseconds) or `copy`. Raises ValueError that says what was wrong."""
        if text == "copy":
            return Neighbours(text, 0, copies=True)
        loops, *burst = text.split("/")
        count, _, nice = loops.partition(":")
        if not count.isdigit() or int(count) > NEIGHBOURS_MAX or len(burst) not in (0, 2):
            raise ValueError(f"--beside {text}: N, N:NICE, N/ON/OFF or copy, with N at most {NEIGHBOURS_MAX}")
        return Neighbours(text, int(count), int(nice or 0), tuple(burst))


@contextmanager
def beside(neighbours: Neighbours) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Have the loops run."""
    command = [sys.executable, "-c", LOOP, *neighbours.burst_us]
    loops = [
        subprocess.Popen(["nice", "-n", str(neighbours.nice), *command] if neighbours.nice else command)
        for _ in range(neighbours.count)
    ]
    try:
        time.sleep(0.2 if loops else 0)
        yield loops
    finally:
        for loop in loops:
            loop.send_signal(signal.SIGKILL)
            loop.wait()


def processor_s(process: subprocess.Popen[bytes]) -> float:
    """Return the processor time that a process has had."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Taken:
    """One process: seconds by the clock, and of processor time; what each neighbour got of a processor."""

    seconds: float
    processor: float
    neighbours: float


def run(command: list[str], folder: Path | None, threads: int, neighbours: Neighbours, limit_s: float) -> Taken:
    """Run a program once; what does not end in time counts as taking that long. Raises RuntimeError when it fails."""
    env = environment(folder, threads)
    processor = 0.0
    with beside(neighbours) as loops:
        before = [processor_s(loop) for loop in loops]
        began = time.monotonic()
        programs = [
            subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) for _ in range(2 if neighbours.copies else 1)
        ]
        for program in programs:
            limit = threading.Timer(limit_s, program.kill)
            limit.start()
            _, status, usage = os.wait4(program.pid, 0)
            limit.cancel()
            program.returncode = os.waitstatus_to_exitcode(status)
            processor += usage.ru_utime + usage.ru_stime
            if program.returncode not in (0, -signal.SIGKILL):
                raise RuntimeError(f"{command[0]}: exit status {program.returncode}")
        seconds = time.monotonic() - began
        shares = [(processor_s(loop) - had) / seconds for loop, had in zip(loops, before, strict=True)]
    return Taken(seconds, processor, statistics.mean(shares) if shares else 0.0)


def print_cell(where: str, cell: dict[str, list[Taken]]) -> bool:
    """Print one cell; return whether its bar is met."""
    middles = {library: statistics.median(taken.seconds for taken in all_) for library, all_ in cell.items()}
    peers = [value for library, value in middles.items() if library != "ours"]
    ratio = middles["ours"] / min(peers)
    parts = []
    for library, all_ in cell.items():
        least, most = min(taken.seconds for taken in all_), max(taken.seconds for taken in all_)
        processor = statistics.median(taken.processor for taken in all_)
        share = statistics.median(taken.neighbours for taken in all_)
        parts.append(f"{library} {middles[library]:.3f} ({least:.3f} to {most:.3f}; {processor:.2f}; {share:.2f})")
    print(f"{where:34} {'  '.join(parts)}  ratio {ratio:.2f} {'met' if ratio <= BAR else 'MISSED'}", flush=True)
    return ratio <= BAR


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Time OpenMP libraries beside busy neighbours.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--ours", type=Path, help="the folder with our libgomp.so.1 (default: BUILD/lib/gomp)")
    parser.add_argument("--passes", type=int, default=5, help="processes with each library in a cell (default: 5)")
    parser.add_argument("--threads", default="2,4,8", help="OMP_NUM_THREADS (default: 2,4,8)")
    parser.add_argument("--beside", default=WORLDS, help=f"N, N:NICE, N/ON/OFF or copy (default: {WORLDS})")
    parser.add_argument("--cases", default=",".join(CASES), help=f"constructs (default: {','.join(CASES)})")
    parser.add_argument("--part", type=int, default=1, metavar="N", help="run one Nth of each construct (default: 1)")
    parser.add_argument(
        "--limit",
        type=float,
        default=PROCESS_TIMEOUT_S,
        metavar="SECONDS",
        help=f"end a process after that, and count it as that long (default: {PROCESS_TIMEOUT_S})",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every process too; - is standard output")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    options = parser.parse_args()
    if options.json:
        output = Output("--json", options.json)
        output.check()
        output.claim()
    try:
        options.worlds = [Neighbours.parse(text) for text in options.beside.split(",")]
    except ValueError as error:
        parser.error(str(error))
    if options.part < 1 or options.limit <= 0:
        parser.error("--part and --limit: give a number above 0")
    options.cases = options.cases.split(",")
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"--cases: {', '.join(sorted(unknown))}: not one of {', '.join(CASES)}")
    return options


def cells(options: argparse.Namespace) -> Iterator[tuple[Neighbours, int, str]]:
    """Yield each cell: the neighbours, the threads, the case."""
    for world in options.worlds:
        for threads in map(int, options.threads.split(",")):
            for name in options.cases:
                yield world, threads, name


def main() -> int:
    """Measure and print; return the exit status."""
    options = parse_arguments()
    build = options.build.absolute()
    libraries: dict[str, Path | None] = {"ours": (options.ours or build / "lib" / "gomp").absolute(), "libgomp": None}
    if (build / "peers" / "libomp" / "libgomp.so.1").exists():
        libraries["libomp"] = build / "peers" / "libomp"
    print(f"{os.cpu_count()} processors; seconds: median (least to most; processor time; each neighbour's share)")
    met, records = True, []
    for world, threads, name in cells(options):
        count = max(1, CASES[name] // options.part)
        command = [str(build / "bench" / "openmp"), f"--variant={name}", f"--n={count}", "--repetitions=1"]
        cell: dict[str, list[Taken]] = {library: [] for library in libraries}
        for step in range(options.passes):
            order = list(libraries)
            for library in order[step % len(order) :] + order[: step % len(order)]:
                taken = run(command, libraries[library], threads, world, options.limit)
                cell[library].append(taken)
                where = {"beside": world.text, "threads": threads, "case": name, "library": library}
                records.append(where | vars(taken))
        met &= print_cell(f"beside {world.text:12} {name:10} @{threads}", cell)
    if options.json:
        Output("--json", options.json).write("".join(json.dumps(record) + "\n" for record in records))
    return 1 if options.strict and not met else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutputError as error:
        sys.exit(f"openmp_beside_bars: {error}")
