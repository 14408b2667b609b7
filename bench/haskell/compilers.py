# SPDX-License-Identifier: BSD-3-Clause
"""What a call of Ferry.Foreign costs, and what others notice of it, under each GHC.

Usage: PYTHONPATH=tools/ferry/src:docs/results compilers.py BENCH [ROOT…] [--passes N] [--results FILE]

BENCH is the folder of the benchmarks, build/bench, of this machine's GHC. Each ROOT is a Debian with another one, where
`scripts/test/matrix.sh ROOT ready` has built them (that needs root). A pass runs them under each GHC in turn. A cell is
the median of the passes: of a call it is the least sample of a pass. The p99 is one of the samples of all passes. The
table is printed in Markdown, and with --results written to FILE, as docs/results/tables.py reads it.
"""

import argparse
import sys
from pathlib import Path

from samples import Run, Samples, Table, publish, table

PASSES = 5
SIZES = (1, 10, 100)
WAYS = ("unsafe:one", "foreign:one", "safe:one", "adaptive:one", "fresh:one", "carry")
CALLS = Run("haskell", WAYS, SIZES, 30, "least")
WAITS = Run("haskell-gc", ("Foreign", "Adaptive"), (100_000,), 1, "median")
TICKS = Run("haskell-ticks", ("Safe", "Foreign", "Adaptive"), (1,), 1, "median")
COMMAND = "PYTHONPATH=tools/ferry/src:docs/results build/venv/bin/python bench/haskell/compilers.py build/bench"
MATRIX = Path(__file__).resolve().parents[2] / "scripts" / "test" / "matrix.sh"


def column(found: Samples) -> dict[str, str]:
    """Return the cells of one GHC, by the texts of their rows."""
    cells: dict[str, str] = {}
    for n in SIZES:
        calls = f"{n} call{'s' if n > 1 else ''}"
        foreign, unsafe = found.of("foreign:one", n), found.of("unsafe:one", n)
        cells[f"{calls}: `unsafe`, ns"] = f"{unsafe:.1f}"
        cells[f"{calls}: `safe`, ns"] = f"{found.of('safe:one', n):.1f}"
        cells[f"{calls}: `Ferry.Foreign`, ns"] = f"{foreign:.1f}"
        cells[f"{calls}: `Ferry.Foreign` ÷ (2 × `unsafe` + 3 ns), at most 1"] = f"{foreign / (2 * unsafe + 3):.2f}"
        cells[f"{calls}: `Ferry.Foreign` ÷ `safe`, at most 0.15"] = (
            f"{found.quotient('foreign:one', 'safe:one', n):.3f}"
        )
    more = [(10 * found.of(way, 10) - found.of(way, 1)) / 9 for way in ("foreign:one", "safe:one")]
    cells["one more call in a loop: `Ferry.Foreign` ÷ `safe`, at most 0.15"] = f"{more[0] / more[1]:.3f}"
    cells["1 call: `Adaptive` ÷ `safe`"] = f"{found.quotient('adaptive:one', 'safe:one', 1):.3f}"
    cells["1 call: fresh arguments ÷ fixed ones, at most 1.3"] = f"{found.quotient('fresh:one', 'adaptive:one', 1):.2f}"
    carried = found.of("adaptive:one", 100) + found.of("carry", 100)
    cells["100 calls: fresh arguments, ns"] = f"{found.of('fresh:one', 100):.1f}"
    cells["100 calls: fresh arguments ÷ (fixed ones + carrying the words in C), at most 1.1"] = (
        f"{found.of('fresh:one', 100) / carried:.2f}"
    )
    for way, text in (("Foreign", "a call that sleeps, at most 1,000"), ("Adaptive", "a batch, at most 50")):
        cells[f"a collection's wait beside {text}, p99, µs"] = f"{found.pooled(f'wait:{way}', 1, 'p99') / 1e3:,.1f}"
    for way in ("Foreign", "Adaptive"):
        share = found.of("Safe", 1) / found.of(way, 1)
        cells[f"wake-ups of others beside a call that sleeps: `{way}` ÷ `safe`, at least 0.9"] = f"{share:.2f}"
    return cells


def compared(columns: dict[str, dict[str, str]]) -> Table:
    """Return the table of all GHCs."""
    texts = next(iter(columns.values()))
    return table(("", *columns), ([text, *(cells[text] for cells in columns.values())] for text in texts))


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("bench", type=Path)
    parser.add_argument("roots", type=Path, nargs="*", metavar="ROOT")
    parser.add_argument("--passes", type=int, default=PASSES)
    parser.add_argument("--results", type=Path, metavar="FILE")
    asked = parser.parse_args()
    found = {where: Samples() for where in (asked.bench, *asked.roots)}
    for _ in range(asked.passes):
        for run in (CALLS, WAITS, TICKS):
            for where, samples in found.items():
                words = [str(MATRIX), str(where), "bench", run.program] if where in asked.roots else []
                samples.take(words or [str(where / run.program)], run, run.repetitions)
    columns = {one.machine["ghc"].replace("ghc", "GHC"): column(one) for one in found.values()}
    card = next(iter(found.values())).machine
    machine = f"{card['cpu']}, {card['cores']} cores, kernel {card['kernel']}; {asked.passes} passes"
    command = " ".join([COMMAND, *map(str, asked.roots)])
    publish(machine, command, {"compilers": ("Each GHC", compared(columns))}, asked.results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
