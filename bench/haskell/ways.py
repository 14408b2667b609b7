# SPDX-License-Identifier: BSD-3-Clause
"""Each way of calling C from Haskell, in the tables that ghc-openmp shows of its own, with a column for Ferry.Foreign.

Usage: PYTHONPATH=tools/ferry/src:docs/results ways.py BENCH [--quick] [--results FILE]

BENCH is the folder of the benchmarks, build/bench. Its programs run once in each pass, and interleave their ways. A
cell is the median of the passes; of a pass it is the least sample where a call takes nanoseconds, and the median sample
elsewhere. The tables are printed in Markdown. With --results they are also written to FILE, as docs/results/tables.py
reads them. Exit status 3: a program is not there.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from samples import Run, Samples, Table, publish, table

LACKING = 3
PASSES = 5
COMMAND = "PYTHONPATH=tools/ferry/src:docs/results build/venv/bin/python bench/haskell/ways.py build/bench"
CALLS = ("prim", "unsafe:one", "foreign:one", "safe:one", "batched:one", "adaptive:one")
SUMS = ("sum-hs:1", "sum-c:1", "sum-fork:2", "sum-omp:1", "sum-omp:2", "sum-foreign:1", "sum-foreign:2")
TASKS = ("tasks-c:1", "tasks-c:2", "tasks-foreign:2", "tasks-hs:2")
BATCHES = (1, 2, 5, 10, 20, 50, 100)
MANY = 1000
CROSSOVER = (100, 200, 500, 1000, 5000, 100_000)
LARGE = (10_000, 100_000, 1_000_000)
TASK_COUNTS = (100, 500, 1000, 5000, 10_000)
RUNS = (
    Run("haskell", CALLS, (*BATCHES, MANY), 60, "least"),
    Run("haskell-openmp", SUMS, tuple(sorted({*CROSSOVER, *LARGE})), 9, "median"),
    Run("haskell-openmp", TASKS, TASK_COUNTS, 3, "median"),
)


def times(found: Samples, way: str, other: str, n: int) -> str:
    """Say how many times as long one way takes as another."""
    return f"{found.quotient(way, other, n):.2f}"


def conventions(found: Samples) -> Table:
    """Compare a call in a loop of a thousand, by each calling convention."""
    texts = {
        "prim": "`foreign import prim`, of the Capability's number",
        "unsafe:one": "`foreign import ccall unsafe`",
        "foreign:one": "`Ferry.Foreign`",
        "safe:one": "`foreign import ccall safe`",
    }
    rows = [(text, f"{found.of(way, MANY):.1f}", times(found, way, "unsafe:one", MANY)) for way, text in texts.items()]
    return table(("convention", "ns a call", "of `unsafe`"), rows)


def batches(found: Samples) -> Table:
    """Compare loops and batches of n calls."""
    columns = (
        "calls",
        "`safe`",
        "`Batched`",
        "times as fast",
        "`Ferry.Foreign`",
        "times as fast",
        "`Adaptive`",
        "`unsafe`",
    )
    rows = []
    for n in BATCHES:
        row = [str(n)] + [f"{found.of(way, n):.1f}" for way in ("safe:one", "batched:one")]
        row += [times(found, "safe:one", "batched:one", n), f"{found.of('foreign:one', n):.1f}"]
        row += [times(found, "safe:one", "foreign:one", n)]
        rows.append([*row, *(f"{found.of(way, n):.1f}" for way in ("adaptive:one", "unsafe:one"))])
    return table(columns, rows)


def scaling(found: Samples) -> Table:
    """Compare a C function with a parallel loop of a million sines, on one thread and on two."""
    n = LARGE[-1]
    rows = []
    for threads in (1, 2):
        row = [str(threads)]
        for way in ("sum-omp", "sum-foreign"):
            row += [f"{found.whole(f'{way}:{threads}', n) / 1e6:.2f}", times(found, f"{way}:1", f"{way}:{threads}", n)]
        rows.append(row)
    return table(("threads", "`safe`, ms", "times as fast", "`Ferry.Foreign`, ms", "times as fast"), rows)


def crossover(found: Samples) -> Table:
    """Show from how many sines on the parallel loop on two threads is worth it."""
    columns = ("sines", "sequential C, µs", "`safe`, µs", "times as fast", "`Ferry.Foreign`, µs", "times as fast")
    rows = []
    for n in CROSSOVER:
        row = [f"{n:,}", f"{found.whole('sum-c:1', n) / 1e3:.1f}"]
        for way in ("sum-omp:2", "sum-foreign:2"):
            row += [f"{found.whole(way, n) / 1e3:.1f}", times(found, "sum-c:1", way, n)]
        rows.append(row)
    return table(columns, rows)


def haskell(found: Samples) -> Table:
    """Compare the same sum in Haskell, on one thread and on two, with the same in C."""
    ways = {
        "sum-hs:1": "Haskell, µs",
        "sum-c:1": "C, µs",
        "sum-fork:2": "`forkOn`, two threads, µs",
        "sum-omp:2": "OpenMP by `safe`, two threads, µs",
        "sum-foreign:2": "OpenMP by `Ferry.Foreign`, two threads, µs",
    }
    rows = [
        [
            f"{n:,}",
            *(f"{found.whole(way, n) / 1e3:,.1f}" for way in ways),
            times(found, "sum-fork:2", "sum-foreign:2", n),
        ]
        for n in LARGE
    ]
    return table(("sines", *ways.values(), "`forkOn` ÷ `Ferry.Foreign`"), rows)


def tasks(found: Samples) -> Table:
    """Compare tasks of about ten microseconds."""
    columns = ["tasks", "sequential, ms"]
    for way in ("`safe`", "`Ferry.Foreign`", "`Ferry.OpenMP.Task`"):
        columns += [f"{way}, ms", "times as fast"]
    rows = []
    for n in TASK_COUNTS:
        row = [f"{n:,}", f"{found.whole(TASKS[0], n) / 1e6:.2f}"]
        for way in TASKS[1:]:
            row += [f"{found.whole(way, n) / 1e6:.2f}", times(found, TASKS[0], way, n)]
        rows.append(row)
    return table(columns, rows)


TABLES: dict[str, tuple[str, Callable[[Samples], Table]]] = {
    "conventions": ("Calling conventions, in a loop of 1,000 calls", conventions),
    "batches": ("Batched calls, in nanoseconds for each call", batches),
    "scaling": ("A C function with a parallel loop of 1,000,000 sines", scaling),
    "crossover": ("A parallel loop on two threads beside sequential C", crossover),
    "haskell": ("Threads of Haskell and OpenMP", haskell),
    "tasks": ("Tasks of about 10 µs, on two threads", tasks),
}


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("bench", type=Path)
    parser.add_argument("--quick", action="store_true", help="one pass of a third of the repetitions")
    parser.add_argument("--results", type=Path, metavar="FILE")
    asked = parser.parse_args()
    lacking = [run.program for run in RUNS if not (asked.bench / run.program).exists()]
    if lacking:
        sys.stderr.write(f"ways.py: {asked.bench / lacking[0]} is not there; run `make haskell`\n")
        return LACKING
    found = Samples()
    for _ in range(1 if asked.quick else PASSES):
        for run in RUNS:
            repetitions = max(2, run.repetitions // 3) if asked.quick else run.repetitions
            found.take([str(asked.bench / run.program)], run, repetitions)
    passes = "one quick pass" if asked.quick else f"medians of {PASSES} passes"
    tables = {name: (title, make(found)) for name, (title, make) in TABLES.items()}
    publish(f"{found.card()}; {passes}", COMMAND, tables, asked.results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
