# SPDX-License-Identifier: BSD-3-Clause
# long: a bar, its figures and the tables they are read in are changed together
"""Print what parallel regions cost that Haskell opens, with ours and with libgomp, beside what the project promises.

The same programs run with both libraries, process by process in turn: they are linked with ours, and LD_PRELOAD puts
libgomp before it. With ours a region is called with the Capability held until it is wanted (`held`, what Ferry.OpenMP
does) and by a plain safe import; with libgomp by a safe import, all that a program has there.

A figure is the median of its samples in one process; a ratio is taken within one pass, in which both libraries ran side
by side. The median of the passes is printed with the least and the greatest. Run it where nothing else runs: what
Haskell threads and regions take from each other is what the scheduler does, and a third program takes part in that.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError

PROCESS_TIMEOUT_S = 180
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")
PARTS = ("interference", "loops")

#: Nanoseconds of one run of n, of one library in one pass: (program, variant, n) -> median.
Figures = dict[tuple[str, str, int], float]

#: What a callback for each iteration may take of one from a plain loop in C, which costs what GHC takes for it.
TIE = 1.03
#: A region of one second may keep no collection waiting. Its threads compute on every processor meanwhile, so the
#: collector's threads share those with them: a few of the scheduler's slices.
COLLECTION_WAIT_MS = 20.0

CASES = ("idle", "busy1", "busy2", "eight", "gc")
LOOP_SIZE = 100_000
CHUNKS = (1, 10, 100, 1000, 10000)
CROSSOVER_SIZES = (50, 100, 150, 200, 300, 500, 1000, 5000, 100_000)
SUM_SIZES = (10_000, 100_000, 1_000_000)
TASK_SIZES = (100, 1000, 10_000)
REGIONS = 1000
SUMS = (
    "sum-c:1",
    "sum-hs:1",
    *(f"{way}:{k}" for way in ("sum-omp", "sum-kernel", "sum-reduce", "sum-fork") for k in (1, 2)),
)
LOOPS = tuple(f"{way}:{k}" for way in ("none", "each", "static", *(f"chunk{c}" for c in CHUNKS)) for k in (1, 2))
#: A callback for each iteration of a plain loop, which no runtime can make cheaper.
BARE = "bare:1"


@dataclass(frozen=True)
class Run:
    """One process: what is measured of a program."""

    program: str
    variants: tuple[str, ...]
    sizes: tuple[int, ...]
    repetitions: int


def runs_of(part: str, library: str) -> list[Run]:
    """Return the processes of a part in one pass."""
    if part == "interference":
        modes = ("held", "safe") if library == "ours" else ("safe",)
        cases = (f"{case}:{mode}" for case in (*CASES, "long") for mode in modes)
        return [Run("haskell-interference", ("alone1", "alone2", "c", "cgc", *cases), (1,), 1)]
    empty = ("empty", "held_empty", "loop_empty") if library == "ours" else ("empty", "loop_empty")
    return [
        Run("openmp-haskell", empty, (REGIONS,), 9),
        Run("haskell-openmp", (*LOOPS, BARE), (LOOP_SIZE,), 5),
        Run("haskell-openmp", ("sum-c:1", "sum-omp:2", "sum-kernel:2"), CROSSOVER_SIZES, 9),
        Run("haskell-openmp", SUMS, SUM_SIZES, 15),
        Run("haskell-openmp", tuple(f"{way}:{k}" for way in ("tasks-c", "tasks-hs") for k in (1, 2)), TASK_SIZES, 3),
        Run("haskell", ("safe:one",), (1,), 9),
        Run("openmp", ("fork_join",), (REGIONS,), 9),
    ]


def environment(library: str) -> dict[str, str]:
    """Return the environment of a process."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    return clean | ({"LD_PRELOAD": "libgomp.so.1"} if library == "libgomp" else {})


def samples_of(build: Path, run: Run, library: str) -> list[dict[str, object]]:
    """Start one process; return its lines. Ends the script where it fails."""
    command = [str(build / "bench" / run.program), f"--repetitions={run.repetitions}"]
    command += [f"--n={','.join(map(str, run.sizes))}", f"--variant={','.join(run.variants)}"]
    variables = environment(library)
    if run.program == "openmp":
        # a C program, linked with the system's library: ours takes its place by the path
        variables |= {"OMP_NUM_THREADS": "2"} | (
            {"LD_LIBRARY_PATH": str(build / "lib" / "gomp")} if library == "ours" else {}
        )
    try:
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, timeout=PROCESS_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"{library}: {' '.join(command)} did not end within {PROCESS_TIMEOUT_S} s")
    if done.returncode != 0 or "cannot be preloaded" in done.stderr:
        sys.exit(f"{library}: {' '.join(command)} ended with exit status {done.returncode}:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def figures_of(build: Path, part: str, library: str) -> tuple[Figures, dict[str, object]]:
    """Measure a part with one library; return the figures and the machine."""
    samples: dict[tuple[str, str, int], list[float]] = {}
    machine: dict[str, object] = {}
    for run in runs_of(part, library):
        for line in samples_of(build, run, library):
            if line["type"] == "machine":
                machine = machine or line
            elif line["type"] == "sample":
                key = run.program, str(line["variant"]), int(str(line["n"]))
                samples.setdefault(key, []).append(float(str(line["ns"])))
    return {key: statistics.median(values) for key, values in samples.items()}, machine


@dataclass(frozen=True)
class View:
    """What a metric is taken of: one library in one pass, and how it is called."""

    figures: Figures
    mode: str

    def beside(self, kind: str, case: str, unit: float = 1.0) -> float:
        """Return nanoseconds of the program of interference, or another unit."""
        modeless = case in ("c", "cgc", "alone1", "alone2")
        variant = f"{kind}:{case}" + ("" if modeless else f":{self.mode}")
        return self.figures["haskell-interference", variant, 1] / unit

    def loop(self, variant: str, n: int = LOOP_SIZE) -> float:
        """Return nanoseconds of one run of n of the program of loops."""
        return self.figures["haskell-openmp", variant, n]

    def share_of_regions(self, case: str) -> float:
        """Return the rate of regions as a part of that without computing threads, at most 1."""
        return min(1.0, self.beside("region", "idle") / self.beside("region", case))

    def share_of_haskell(self, case: str) -> float:
        """Return the rate of the computing threads as a part of that without regions, at most 1."""
        return min(1.0, self.beside("unit", case.replace("busy", "alone")) / self.beside("unit", case))

    def shares_added(self, case: str) -> float:
        """Return both shares, added."""
        return self.share_of_regions(case) + self.share_of_haskell(case)

    def smaller_share(self, case: str) -> float:
        """Return the smaller of both shares."""
        return min(self.share_of_regions(case), self.share_of_haskell(case))

    def idle_of_c(self) -> float:
        """Return the rate of regions that an idle Haskell program opens, of the same loop in C."""
        return self.beside("region", "c") / self.beside("region", "idle")

    def eight_of_one(self) -> float:
        """Return the rate of regions of eight callers, of one's."""
        return self.beside("region", "idle") / self.beside("region", "eight")

    def slower(self, case: str, base: str) -> float:
        """Return a region's p99 in one case, of that in another."""
        return self.beside("p99", case) / self.beside("p99", base)

    def each(self, variant: str) -> float:
        """Return nanoseconds of one iteration."""
        return self.loop(variant) / LOOP_SIZE

    def longer(self, variant: str, base: str) -> float:
        """Return the time of a loop, of that of another."""
        return self.loop(variant) / self.loop(base)

    def scaling(self, way: str) -> float:
        """Return how many times as fast the largest sum is on two threads."""
        return self.loop(f"{way}:1", SUM_SIZES[-1]) / self.loop(f"{way}:2", SUM_SIZES[-1])

    def half_a_sine(self) -> float:
        """Return nanoseconds of half a sine in C: what two threads need for one that share nothing else."""
        return self.loop("sum-c:1", SUM_SIZES[-1]) / SUM_SIZES[-1] / 2

    def loop_in_c(self) -> float:
        """Return nanoseconds of an empty region from a loop in C."""
        return self.figures["openmp-haskell", "loop_empty", REGIONS] / REGIONS

    def wrong(self) -> float:
        """Return how many regions did not do their work."""
        return sum(value for (_, name, _), value in self.figures.items() if name.startswith("wrong:"))

    def empty(self) -> float:
        """Return nanoseconds of an empty region that Haskell opens."""
        return self.figures["openmp-haskell", "held_empty" if self.mode == "held" else "empty", REGIONS] / REGIONS

    def crossover(self) -> float:
        """Return from how many sines on the region beats the sequential loop in C: between two sizes, linearly."""
        before = (0, -self.empty())
        for n in CROSSOVER_SIZES:
            saved = self.loop("sum-c:1", n) - self.loop("sum-kernel:2" if self.mode == "held" else "sum-omp:2", n)
            if saved >= 0:
                return before[0] + (n - before[0]) * -before[1] / (saved - before[1])
            before = (n, saved)
        return float("inf")


def cost_of_parts(other: View) -> float:
    """Return nanoseconds of a safe call and libgomp's fork and join from a program in C."""
    return other.figures["haskell", "safe:one", 1] + other.figures["openmp", "fork_join", REGIONS] / REGIONS


@dataclass(frozen=True)
class Bar:
    """A promise: what is measured, with ours and with libgomp, and the limit."""

    text: str
    limit: float
    metric: Callable[[View], float]
    at_least: bool = False
    #: the limit is on ours divided by libgomp's
    of_libgomp: bool = False
    #: ours divided by what this gives of libgomp's figures
    of_other: Callable[[View], float] | None = None

    def value(self, ours: View, other: View) -> float:
        """Return what the limit is on."""
        base = self.of_other(other) if self.of_other else self.metric(other) if self.of_libgomp else 1.0
        return self.metric(ours) / max(base, 1e-9)

    def met(self, value: float) -> bool:
        """Whether that keeps the promise."""
        return value >= self.limit if self.at_least else value <= self.limit


def interference_bars() -> Iterator[Bar]:
    """Yield the bars of regions beside Haskell threads."""
    yield Bar("idle: rate of the same loop in C", 0.95, View.idle_of_c, at_least=True)
    for case in ("busy1", "busy2"):
        yield Bar(f"{case}: shares, added", 0.95, methodcaller("shares_added", case), at_least=True)
        yield Bar(f"{case}: the smaller share", 0.35, methodcaller("smaller_share", case), at_least=True)
    yield Bar("busy2: a region, p99, µs", 250, methodcaller("beside", "p99", "busy2", 1e3))
    for case in ("busy1", "busy2"):
        yield Bar(
            f"{case}: late to wake, p99, of libgomp's", 0.5, methodcaller("beside", "pause", case), of_libgomp=True
        )
        yield Bar(f"{case}: unit to unit, p99, of libgomp's", 0.5, methodcaller("beside", "gap", case), of_libgomp=True)
    yield Bar("eight callers: rate of one's", 0.9, View.eight_of_one, at_least=True)
    yield Bar("regions that went wrong", 0, View.wrong)
    yield Bar("gc: a region, p99, of idle's", 1.1, methodcaller("slower", "gc", "idle"))
    waits = methodcaller("beside", "gcwaitmost", "long", 1e6)
    yield Bar("a collection's wait for 1 s of region, ms", COLLECTION_WAIT_MS, waits)


def loop_bars() -> Iterator[Bar]:
    """Yield the bars of loops and callbacks."""
    for threads in (1, 2):
        yield Bar(f"chunks of 1,000, {threads} threads, ns each", 10, methodcaller("each", f"chunk1000:{threads}"))
    yield Bar("chunks of 1,000, 2 threads of 1", 1.0, methodcaller("longer", "chunk1000:2", "chunk1000:1"))
    for k in (1, 2):
        yield Bar(f"a call each, {k} threads, of libgomp's", 1.0, methodcaller("each", f"each:{k}"), of_libgomp=True)
    yield Bar("a call each, 1 thread, of a plain loop's", TIE, methodcaller("longer", "each:1", BARE))
    yield Bar("crossover, sines", 200, View.crossover)
    yield Bar("empty region, of safe call + libgomp's", 0.5, View.empty, of_other=cost_of_parts)
    yield Bar("1 M sines, 2 threads, times as fast", 1.95, methodcaller("scaling", "sum-omp"), at_least=True)
    yield Bar("the same as a kernel of Ferry.OpenMP", 1.95, methodcaller("scaling", "sum-kernel"), at_least=True)


@dataclass
class Measured:
    """Figures by pass and library."""

    passes: list[dict[str, Figures]]
    machine: dict[str, object]

    def values(self, library: str, mode: str, metric: Callable[[View], float]) -> list[float]:
        """Return a metric of a library, pass by pass."""
        return [metric(View(figures[library], mode)) for figures in self.passes]

    def median(self, library: str, mode: str, metric: Callable[[View], float]) -> float:
        """Return the median of the passes."""
        return statistics.median(self.values(library, mode, metric))


#: What a table's columns are: a library and how it is called.
COLUMNS = (("ours", "held"), ("ours", "safe"), ("libgomp", "safe"))


def measure(build: Path, parts: list[str], passes: int) -> Measured:
    """Run every part with each library, pass after pass, each starting with another one."""
    measured = Measured([], {})
    for step in range(passes):
        figures: dict[str, Figures] = {"ours": {}, "libgomp": {}}
        for part in parts:
            for library in ("ours", "libgomp") if step % 2 == 0 else ("libgomp", "ours"):
                found, machine = figures_of(build, part, library)
                figures[library] |= found
                measured.machine = measured.machine or machine
        measured.passes.append(figures)
        print(f"  pass {step + 1} of {passes}", file=sys.stderr, flush=True)
    return measured


def print_picture(measured: Measured) -> None:
    """Draw what regions and Haskell threads get, of the loop in C with ours and of the computing threads alone."""
    print(f"\n  {'':25}regions, of a loop in C{'':14}Haskell's work, of that alone")
    floor = measured.median("ours", "held", methodcaller("beside", "region", "c"))
    for case in CASES[:3]:
        for library, mode in COLUMNS:
            parts = [floor / measured.median(library, mode, methodcaller("beside", "region", case))]
            parts += [measured.median(library, mode, methodcaller("share_of_haskell", case))] if case != "idle" else []
            cells = (f"{'#' * round(30 * min(part, 1)):31}{part:4.0%}" for part in parts)
            print(f"  {case:7}{library:9}{mode:7}" + "  ".join(cells))


def print_interference(measured: Measured) -> None:
    """Print what regions and Haskell threads get beside each other."""
    kinds = (
        ("region", "regions/s"),
        ("p50", "p50"),
        ("p99", "p99"),
        ("unit", "units/s"),
        ("pause", "late"),
        ("gap", "apart"),
    )
    print(
        "\nregions of ten barriers and 6 µs of work beside Haskell threads, 2 processors. µs: of a region (p50, p99),"
    )
    print(
        "how late a thread wakes (late, p99), and from one unit of a computing thread's work to the next (apart, p99)"
    )
    print(f"  {'case':8}{'library':10}{'called':8}" + "".join(f"{name:>12}" for _, name in kinds))
    rows = [(case, *column) for case in ("c", "cgc") for column in (COLUMNS[0], COLUMNS[2])]
    rows += [(case, *COLUMNS[0]) for case in ("alone1", "alone2")]
    rows += [(case, *column) for case in CASES for column in COLUMNS]
    for case, library, mode in rows:
        cells = []
        for kind, _ in kinds:
            try:
                ns = measured.median(library, mode, methodcaller("beside", kind, case))
            except KeyError:
                cells.append(f"{'-':>12}")
                continue
            cells.append(f"{1e9 / ns:12,.0f}" if kind in ("region", "unit") else f"{ns / 1e3:12,.1f}")
        called = {"c": "loop", "cgc": "loop", "alone1": "-", "alone2": "-"}.get(case, mode)
        print(f"  {case:8}{library:10}{called:8}{''.join(cells)}")
    print_picture(measured)
    print("\na collection's longest wait while one region lasts 1 s, ms")
    for library, mode in COLUMNS:
        wait = measured.median(library, mode, methodcaller("beside", "gcwaitmost", "long", 1e6))
        print(f"  {library:10}{mode:8}{wait:10.2f}")


#: A column of a table: its title, a library and a variant.
Column = tuple[str, str, str]


def print_loop_table(
    measured: Measured, title: str, columns: list[Column], sizes: tuple[int, ...], unit: float
) -> None:
    """Print a table with a line for each size."""
    print(f"\n{title}\n  {'n':>9}" + "".join(f"{name:>16}" for name, _, _ in columns))
    for n in sizes:
        cells = [measured.median(library, "held", methodcaller("loop", variant, n)) for _, library, variant in columns]
        print(f"  {n:9,}" + "".join(f"{ns / unit:16,.2f}" for ns in cells))


def print_sums(measured: Measured) -> None:
    """Print the tables of sums of sines."""
    ways = (
        ("ours, kernel", "ours", "sum-kernel"),
        ("ours, safe", "ours", "sum-omp"),
        ("libgomp, safe", "libgomp", "sum-omp"),
    )
    one, two = ([(name, library, f"{way}:{k}") for name, library, way in ways] for k in (1, 2))
    sequential = ("C, unsafe", "ours", "sum-c:1")
    print_loop_table(measured, "crossover: n sines on 2 threads, µs", [sequential, *two], CROSSOVER_SIZES, 1e3)
    print("  crossover at", end="")
    for library, mode in COLUMNS:
        print(f"  {library}, {mode}: {measured.median(library, mode, View.crossover):.0f}", end="")
    print()
    both = [(f"{name[0]} {k}", name[1], name[2]) for k, names in ((1, one), (2, two)) for name in names]
    print_loop_table(measured, "FFI scaling: n sines on 1 and 2 threads, ms", both, SUM_SIZES, 1e6)
    haskell = [
        ("Haskell", "ours", "sum-hs:1"),
        ("forkOn", "ours", "sum-fork:2"),
        ("parallelReduce", "ours", "sum-reduce:2"),
    ]
    columns = [*haskell, sequential, *two]
    print_loop_table(
        measured, "forkIO and OpenMP, 2 threads: n sines, µs; GHC's code generator", columns, SUM_SIZES, 1e3
    )


def print_loops(measured: Measured) -> None:
    """Print the tables of loops, tasks and callbacks."""
    print_sums(measured)
    ways = (("ours, C", "ours", "tasks-c"), ("libgomp, C", "libgomp", "tasks-c"), ("ours, Haskell", "ours", "tasks-hs"))
    columns = [(f"{name} {k}", library, f"{way}:{k}") for name, library, way in ways for k in (1, 2)]
    print_loop_table(measured, "n tasks of about 10 µs on 1 and 2 threads, ms", columns, TASK_SIZES, 1e6)
    print(f"\ncallbacks: ns for each of {LOOP_SIZE:,} iterations\n  {'body':12}", end="")
    print("".join(f"{f'{library} {k}':>14}" for library in ("ours", "libgomp") for k in (1, 2)))
    for way in dict.fromkeys(variant.partition(":")[0] for variant in LOOPS):
        print(f"  {way:12}", end="")
        for library in ("ours", "libgomp"):
            for k in (1, 2):
                print(f"{measured.median(library, 'held', methodcaller('each', f'{way}:{k}')):14.2f}", end="")
        print()


def print_floors(measured: Measured, parts: list[str]) -> None:
    """Print what nothing that Haskell opens can be below."""
    print("\nfloors, ns, or how many times")
    if "interference" in parts:
        floor = measured.median("ours", "held", methodcaller("beside", "region", "c"))
        print(f"  {floor:10.2f}  a region of ten barriers from a loop in C, nothing beside it")
        for library, mode in (COLUMNS[0], COLUMNS[2]):
            times = measured.median(library, mode, methodcaller("slower", "cgc", "c"))
            print(f"  {times:10.2f}  times its p99 when a major collection is forced every ms ({library})")
        slow = [measured.median(*COLUMNS[0], methodcaller("beside", "slow", case)) for case in ("c", "cgc", "gc")]
        print("  {:.1f}, {:.1f}, {:.1f} of 1,000 regions take twice the median: in C, beside GC, held".format(*slow))
        late = measured.median(*COLUMNS[0], methodcaller("beside", "pause", "alone1"))
        print(f"  {late:10.0f}  late to wake, p99, beside one computing thread without any region")
    if "loops" in parts:
        print(f"  {measured.median('ours', 'held', View.loop_in_c):10.2f}  an empty region from a loop in C")
        parts_ns = measured.median("libgomp", "safe", cost_of_parts)
        print(f"  {parts_ns:10.2f}  a safe call and libgomp's fork and join in C")
        print(f"  {measured.median('ours', 'held', View.half_a_sine):10.2f}  a sine, of two threads that share nothing")
        bare = measured.median("ours", "held", methodcaller("each", BARE))
        print(f"  {bare:10.2f}  a callback from a plain loop in C behind one safe call")
        body = measured.median("ours", "held", methodcaller("each", "none:2"))
        print(f"  {body:10.2f}  an iteration with its body in C, of two threads")


def print_bars(measured: Measured, bars: list[Bar]) -> int:
    """Print every bar with ours (held and safe) and libgomp; return how many are missed."""
    head = f"  {'bar':50}{'limit':>9}{'ours':>10}  {'spread':22}{'safe':>10}{'libgomp':>10}"
    print("\nbars; ratios of medians within one pass; `safe` is ours by a plain safe import\n" + head)
    missed = 0
    for bar in bars:
        rows = {
            column: [
                bar.value(View(step[column[0]], column[1]), View(step["libgomp"], "safe")) for step in measured.passes
            ]
            for column in COLUMNS
        }
        ours = rows["ours", "held"]
        middle = statistics.median(ours)
        met = bar.met(middle)
        missed += not met
        others = "".join(f"{statistics.median(rows[column]):10.3f}" for column in COLUMNS[1:])
        limit = f"{'≥' if bar.at_least else '≤'} {bar.limit:g}"
        spread = f"{min(ours):.3f} to {max(ours):.3f}"
        print(f"  {bar.text:50}{limit:>9}{middle:10.3f}  {spread:22}{others}  {'met' if met else 'MISSED'}")
    return missed


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure OpenMP inside Haskell beside libgomp, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--passes", type=int, default=3, help="processes of each kind and library (default: 3)")
    parser.add_argument("--part", choices=PARTS, help="only this part (about 30 s a pass, and 15 s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure there; - is standard output")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    return parser.parse_args()


def main() -> int:
    """Measure and print; return the exit status."""
    options = parse_arguments()
    if options.json:
        output = Output("--json", options.json)
        output.check()
        output.claim()
    build = options.build.absolute()
    parts = [options.part] if options.part else list(PARTS)
    for name in sorted({run.program for part in parts for run in runs_of(part, "ours")}):
        if not (build / "bench" / name).is_file():
            print(f"{build / 'bench' / name} is not built; run `make haskell`", file=sys.stderr)
            return 1 if options.strict else 0
    measured = measure(build, parts, options.passes)
    machine = measured.machine
    print(f"{machine.get('cpu')}, {machine.get('cores')} cores, {machine.get('ghc')}, passes: {options.passes}")
    bars: list[Bar] = []
    if "interference" in parts:
        print_interference(measured)
        bars += interference_bars()
    if "loops" in parts:
        print_loops(measured)
        bars += loop_bars()
    print_floors(measured, parts)
    missed = print_bars(measured, bars)
    if options.json:
        rows = [
            {"pass": step, "library": library, "program": key[0], "variant": key[1], "n": key[2], "ns": ns}
            for step, figures in enumerate(measured.passes)
            for library, values in figures.items()
            for key, ns in values.items()
        ]
        output.write(json.dumps({"machine": machine, "figures": rows}, indent=1) + "\n")
    return 1 if options.strict and missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutputError as error:
        sys.exit(f"openmp_haskell_bars: {error}")
