# SPDX-License-Identifier: BSD-3-Clause
"""Run the OpenMP benchmark with each library, interleaved process by process, and print each bar beside its ratio.

A construct's overhead is its time less that of the same work without it, both from one process. A ratio is taken within
one pass, in which the libraries ran side by side, and its median over the passes is printed with the least and the
greatest: a machine whose speed changes between passes does not show in it. Beside it stands the ratio of the least
overheads of all passes, which what else runs on the machine disturbs least. `better` is the faster of libgomp and
LLVM's libomp. The floors, a cache line's round trip between two cores and futex calls, are printed first; beside a bar
whose floor runs in the benchmark itself (FLOORS) stands what it leaves of that bar, by the same measure as the ratio.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError

THREADS = (1, 2, 4, 8)
PROCESS_TIMEOUT_S = 180
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")
#: An overhead below this cannot be told from none.
LEAST_NS = 0.5

#: entry -> what does the same work without the construct
REFERENCES = {
    **dict.fromkeys(("parallel", "single", "copyprivate", "reduction", "for", "parallel_for"), "delay"),
    **dict.fromkeys(("critical", "lock", "nest_lock", "ordered"), "delay"),
    **dict.fromkeys(("task_wait", "task_barrier", "task_nested"), "delay"),
    **dict.fromkeys(("static", "static_1", "static_8", "static_64", "taskloop_1", "taskloop_reduction"), "delay_share"),
    **dict.fromkeys(("dynamic_1", "dynamic_8", "dynamic_64", "monotonic_1"), "delay_share"),
    **dict.fromkeys(("guided_1", "guided_8", "guided_64"), "delay_share"),
    **dict.fromkeys(("static_128", "dynamic_128", "guided_128"), "delay_share"),
    "parallel_after_serial": "delay_serial",
    "floor_turn": "delay",
}
#: entry -> the same with bare loads and stores (bench/openmp/floors.c), for teams of two
FLOORS = {"barrier": "floor_exchange", "fork_join": "floor_round_trip", "ordered": "floor_turn"}
#: Where one thread does the work, the others wait: more threads than processors make it no longer.
SERIAL = {"single", "copyprivate", "critical", "lock", "nest_lock", "ordered", "parallel_after_serial", "floor_turn"}
#: libomp deals the iterations of an ordered schedule(static, 1) in one block for each thread, so its threads take no
#: turns; the others do as the standard says.
NOT_BY_LIBOMP = {"ordered"}
FLOOR_THREADS = 2
#: Not constructs, or too long for what they would add.
UNRATED = {"delay", "delay_share", "delay_serial", "mix", *FLOORS.values()}
LONG = {"dgemm_1024"}
TASKS = (
    *("task_wait", "task_barrier", "task_nested", "task_undeferred", "taskloop_1", "taskloop_reduction"),
    *("depend_chain", "depend_wave", "tasks_10000", "fib_30", "fib_30_cut_off", "queens_12", "sort", "tree"),
    *("deep_tree", "deep_tree_untied", "task_chain"),
    *("strassen", "sparse_lu", "fft", "floorplan", "health"),
)
KERNELS = ("sin_1000000", "dgemm_128", "dgemm_256", "dgemm_512", "dgemm_1024")


@dataclass(frozen=True)
class Bar:
    """A bound on our time over another's, at a number of threads."""

    entry: str
    threads: int
    limit: float
    #: "libgomp", "better", or "ours@1": ourselves at one thread
    against: str = "better"


def bars_for(entries: list[str]) -> Iterator[Bar]:
    """Yield every bar that the entries allow."""
    yield Bar("fork_join", 1, 0.07, "libgomp")
    yield Bar("barrier", 1, 0.02, "libgomp")
    yield Bar("fork_join", 2, 0.40, "libgomp")
    yield Bar("barrier", 2, 0.15, "libgomp")
    for entry in ("critical", "lock"):
        yield Bar(entry, 2, 1.0, "libgomp")
    for entry in ("single", "reduction", "copyprivate", "ordered"):
        yield Bar(entry, 2, 0.5, "libgomp")
    yield Bar("for", 2, 0.6)
    for entry in ("dynamic_1", "guided_1"):
        yield Bar(entry, 2, 0.9)
    for entry in TASKS:
        yield Bar(entry, 2, 1.0)
    yield Bar("fib_30", 2, 0.12, "libgomp")
    yield Bar("fib_30", 2, 1.0, "ours@1")
    for entry in KERNELS:
        yield Bar(entry, 2, 1.02)
    for threads in (4, 8):
        for entry in entries:
            if entry not in UNRATED:
                limit = 0.8 if entry in ("fork_join", "barrier") else 1.0
                yield Bar(entry, threads, limit, "libgomp" if entry in NOT_BY_LIBOMP else "better")


@dataclass
class Measured:
    """Nanoseconds per construct: (pass, library, threads, entry) -> overhead; and what went wrong.

    Of the repetitions in a process the median counts; the least is kept beside it, for a machine that is not quiet.
    """

    overheads: dict[tuple[int, str, int, str], float] = field(default_factory=dict)
    least: dict[tuple[int, str, int, str], float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    machine: dict[str, object] = field(default_factory=dict)

    def values(self, library: str, threads: int, entry: str, least: bool = False) -> dict[int, float]:
        """Return an entry's overhead, pass by pass."""
        source = self.least if least else self.overheads
        return {key[0]: value for key, value in source.items() if key[1:] == (library, threads, entry)}

    def against(self, bar: Bar, least: bool = False) -> dict[int, float]:
        """Return what a bar compares with, pass by pass."""
        if bar.against == "ours@1":
            return self.values("ours", 1, bar.entry, least)
        peers = [self.values(library, bar.threads, bar.entry, least) for library in ("libgomp", "libomp")]
        if bar.against == "libgomp":
            return peers[0]
        passes = {step for values in peers for step in values}
        return {step: min(values[step] for values in peers if step in values) for step in passes}

    def ratios(self, bar: Bar) -> list[float]:
        """Return our overhead over the other's in every pass that has both."""
        ours, other = self.values("ours", bar.threads, bar.entry), self.against(bar)
        return [max(value, LEAST_NS) / max(other[step], LEAST_NS) for step, value in ours.items() if step in other]

    def floor(self, bar: Bar) -> float | None:
        """Return what the machine leaves of the bar: the floor over the other's overhead, median of the passes."""
        if bar.threads != FLOOR_THREADS or bar.entry not in FLOORS:
            return None
        other = self.against(bar)
        libraries = {key[1] for key in self.overheads}
        ratios = [
            value / max(other[step], LEAST_NS)
            for library in libraries
            for step, value in self.values(library, bar.threads, FLOORS[bar.entry]).items()
            if step in other
        ]
        return statistics.median(ratios) if ratios else None

    def ratio_of_least(self, bar: Bar) -> float:
        """Return our least overhead of all passes over the other's."""
        ours, other = self.values("ours", bar.threads, bar.entry, least=True), self.against(bar, least=True)
        return max(min(ours.values()), LEAST_NS) / max(min(other.values()), LEAST_NS)


def environment(folder: Path | None, threads: int) -> dict[str, str]:
    """Return the environment that makes a program use a library."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    where = {"LD_LIBRARY_PATH": str(folder)} if folder else {}
    return clean | where | {"OMP_NUM_THREADS": str(threads)}


def run(command: list[str], folder: Path | None, threads: int) -> list[dict[str, object]]:
    """Run a benchmark program and return its lines. Raises RuntimeError that says how it failed."""
    try:
        done = subprocess.run(
            command, env=environment(folder, threads), capture_output=True, text=True, timeout=PROCESS_TIMEOUT_S
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"did not end within {PROCESS_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def per_construct(lines: list[dict[str, object]]) -> dict[str, dict[object, float]]:
    """Return nanoseconds per construct: entry -> repetition -> sample."""
    samples: dict[str, dict[object, float]] = {}
    for line in lines:
        if line["type"] == "sample":
            value = float(str(line["ns"])) / float(str(line["n"]))
            samples.setdefault(str(line["variant"]), {})[line["repetition"]] = value
    return samples


def overheads(entry: str, samples: dict[str, dict[object, float]], threads: int) -> tuple[float, float]:
    """Return an entry's time less that of its work: the median of the repetitions' differences, and the least's.

    The work is taken from the same repetition, some milliseconds away: a processor's clock changes by a percent or two
    within a process, and the work of a loop is ten times what is looked for.
    """
    own = samples[entry]
    work = samples.get(REFERENCES.get(entry, ""), {})
    if not work:
        return statistics.median(own.values()), min(own.values())
    crowding = 1.0 if entry in SERIAL else max(1.0, threads / (os.cpu_count() or 1))
    differences = [value - work[repetition] * crowding for repetition, value in own.items()]
    return statistics.median(differences), min(own.values()) - min(work.values()) * crowding


def measure(
    build: Path, libraries: dict[str, Path | None], entries: list[str], options: argparse.Namespace
) -> Measured:
    """Run every library at every number of threads, pass after pass."""
    measured = Measured()
    names = list(libraries)
    command = [str(build / "bench" / "openmp"), f"--repetitions={options.repetitions}", "--variant"]
    for step in range(options.passes):
        for threads in options.threads:
            for library in names[step % len(names) :] + names[: step % len(names)]:
                for group in groups(entries):
                    try:
                        lines = run([*command, ",".join(group)], libraries[library], threads)
                    except RuntimeError as error:
                        measured.failures.append(f"{library}, {threads} threads, {group[-1]}: {error}")
                        continue
                    measured.machine = lines[0]
                    samples = per_construct(lines)
                    for entry in samples:
                        key = step, library, threads, entry
                        measured.overheads[key], measured.least[key] = overheads(entry, samples, threads)
        print(f"  pass {step + 1} of {options.passes}", file=sys.stderr, flush=True)
    return measured


def groups(entries: list[str]) -> list[list[str]]:
    """Split the entries among processes, each with the references it needs: what hangs takes few others with it."""
    small = [entry for entry in entries if entry not in (*TASKS, *KERNELS)]
    tasks = [entry for entry in entries if entry in TASKS]
    kernels = [entry for entry in entries if entry in KERNELS]
    references = ["delay", "delay_share"]
    if "parallel_after_serial" in small:
        references.append("delay_serial")
    parts = [small[: len(small) // 2], small[len(small) // 2 :], tasks[:6], tasks[6:], kernels]
    floors = {entry: FLOORS[entry] for entry in entries if entry in FLOORS}
    return [
        list(dict.fromkeys([*references, *part, *(floors[entry] for entry in part if entry in floors)]))
        for part in parts
        if part
    ]


def all_entries(build: Path) -> list[str]:
    """Ask the program what it measures."""
    text = subprocess.run([build / "bench" / "openmp", "--help"], capture_output=True, text=True, check=True).stdout
    return text.partition("Variants of openmp:\n")[2].split()


def side_by_side(build: Path, libraries: dict[str, Path | None], passes: int) -> dict[str, list[float]]:
    """Return the seconds that two programs of two threads each take together, library by library."""
    command = [str(build / "bench" / "openmp"), "--variant=mix", "--n=20000", "--repetitions=1"]
    taken: dict[str, list[float]] = {library: [] for library in libraries}
    for _ in range(passes):
        for library, folder in libraries.items():
            started = time.monotonic()
            both = [subprocess.Popen(command, env=environment(folder, 2), stdout=subprocess.DEVNULL) for _ in range(2)]
            for process in both:
                try:
                    if process.wait(PROCESS_TIMEOUT_S) != 0:
                        started = float("-inf")
                except subprocess.TimeoutExpired:
                    process.kill()
                    started = float("-inf")
            taken[library].append(time.monotonic() - started)
    return taken


def print_floors(build: Path) -> None:
    """Print what handing something over costs at least."""
    print("floors, nanoseconds for one round trip or call, median:")
    lines = run([str(build / "bench" / "handoff"), "--quick", "--n=1000"], None, 1)
    for variant, values in per_construct(lines).items():
        print(f"  {variant:16}{statistics.median(values.values()):12.1f}")


def print_medians(measured: Measured, libraries: list[str], entries: list[str], threads: list[int]) -> None:
    """Print every overhead, library by library."""
    print(f"\nmedian overhead in nanoseconds\n  {'entry':20}", end="")
    print("".join(f"{f'{library}@{count}':>15}" for count in threads for library in libraries))
    for entry in entries:
        cells = []
        for count in threads:
            for library in libraries:
                values = measured.values(library, count, entry).values()
                cells.append(f"{statistics.median(values):15.1f}" if values else f"{'failed':>15}")
        print(f"  {entry:20}{''.join(cells)}")


def print_bars(measured: Measured, entries: list[str], threads: list[int]) -> int:
    """Print each bar; return how many are missed."""
    print(f"\n  {'bar':20}{'threads':>8}  {'of':9}{'limit':>6}{'ratio':>9}  {'spread':18}{'of least':>8}  floor")
    missed = 0
    for bar in bars_for(entries):
        if bar.entry not in entries or bar.threads not in threads or (bar.against == "ours@1" and 1 not in threads):
            continue
        ratios = measured.ratios(bar)
        text = "no figure"
        met = False
        if ratios:
            middle = statistics.median(ratios)
            met = middle <= bar.limit
            spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
            floor = measured.floor(bar)
            text = f"{middle:9.3f}  {spread:18}{measured.ratio_of_least(bar):8.3f}  "
            text += f"{floor:5.3f}  " if floor else "       "
            text += "met" if met else "MISSED"
        missed += not met
        print(f"  {bar.entry:20}{bar.threads:8}  {bar.against:9}{bar.limit:6.2f}{text}")
    return missed


def print_side_by_side(build: Path, libraries: dict[str, Path | None], passes: int) -> int:
    """Print two programs side by side; return 1 when the bar is missed."""
    taken = side_by_side(build, libraries, passes)
    print("\ntwo programs side by side, 2 threads each, seconds:")
    for library, values in taken.items():
        print(f"  {library:10}{statistics.median(values):8.2f}  {min(values):.2f} to {max(values):.2f}")
    if "ours" not in taken:
        return 0
    ratio = statistics.median(a / b for a, b in zip(taken["ours"], taken["libgomp"], strict=True))
    print(f"  bar: at most 0.70 of libgomp: {ratio:.3f}, {'met' if ratio <= 0.7 else 'MISSED'}")
    return int(ratio > 0.7)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure OpenMP libraries side by side, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--ours", type=Path, help="the folder with our libgomp.so.1 (default: BUILD/lib/gomp)")
    parser.add_argument("--passes", type=int, default=5, help="processes of each library (default: 5)")
    parser.add_argument("--repetitions", type=int, default=5, help="samples in one process (default: 5)")
    parser.add_argument("--threads", default=",".join(map(str, THREADS)), help="OMP_NUM_THREADS (default: 1,2,4,8)")
    parser.add_argument("--entries", help="only these, joined by commas")
    parser.add_argument("--long", action="store_true", help="also the product of matrices of 1,024 rows")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every overhead too; - is standard output")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    options = parser.parse_args()
    if options.json:
        output = Output("--json", options.json)
        output.check()
        output.claim()
    options.threads = [int(word) for word in options.threads.split(",")]
    return options


def main() -> int:
    """Measure and print; return the exit status."""
    options = parse_arguments()
    build = options.build.absolute()
    folders = {"ours": options.ours or build / "lib" / "gomp", "libgomp": None, "libomp": build / "peers" / "libomp"}
    libraries = {
        name: folder and folder.absolute()
        for name, folder in folders.items()
        if folder is None or (folder / "libgomp.so.1").exists()
    }
    for name in folders.keys() - libraries.keys():
        print(f"left out: {name}: there is no {folders[name]}/libgomp.so.1")
    wanted = options.entries.split(",") if options.entries else all_entries(build)
    entries = [entry for entry in wanted if options.long or options.entries or entry not in LONG]
    before = os.getloadavg()[0]
    print_floors(build)
    measured = measure(build, libraries, entries, options)
    print(
        f"\n{measured.machine.get('cpu')}, {measured.machine.get('cores')} cores, {options.passes} interleaved passes"
    )
    print(f"processes that wanted a processor, before and after: {before:.1f} and {os.getloadavg()[0]:.1f}")
    print_medians(measured, list(libraries), entries, options.threads)
    for failure in measured.failures:
        print(f"  failed: {failure}")
    missed = print_bars(measured, entries, options.threads)
    missed += 0 if options.entries else print_side_by_side(build, libraries, options.passes)
    if options.json:
        rows = [dict(zip(("pass", "library", "threads", "entry"), k, strict=True)) for k in measured.overheads]
        values = [row | {"ns": ns} for row, ns in zip(rows, measured.overheads.values(), strict=True)]
        Output("--json", options.json).write(
            json.dumps({"machine": measured.machine, "overheads": values}, indent=1) + "\n"
        )
    return 1 if options.strict and missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutputError as error:
        sys.exit(f"openmp_bars: {error}")
