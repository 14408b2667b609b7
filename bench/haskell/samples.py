# SPDX-License-Identifier: BSD-3-Clause
"""Samples of Haskell benchmarks that run once in each pass, and the tables that are made of them."""

import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferry.check.lines import statistic_of
from ferry.native import parse_lines, run_program
from tables import render

Table = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """One process of each pass: a program, its ways and sizes, and which of its samples counts."""

    program: str
    ways: tuple[str, ...]
    sizes: tuple[int, ...]
    repetitions: int
    statistic: str


class Samples:
    """Nanoseconds for one of n, by way and n: what each pass found."""

    def __init__(self) -> None:
        """Begin with none."""
        self.passes: dict[tuple[str, int], list[list[float]]] = {}
        self.statistics: dict[tuple[str, int], str] = {}
        self.machine: dict[str, Any] = {}

    def take(self, words: list[str], run: Run, repetitions: int) -> None:
        """Run a program once; `words` is how it is started."""
        options = [f"--variant={','.join(run.ways)}", f"--n={','.join(map(str, run.sizes))}"]
        text = run_program([*words, f"--repetitions={repetitions}", *options])
        self.machine, samples = parse_lines(run.program, text, None)
        found: dict[tuple[str, int], list[float]] = {}
        for sample in samples:
            found.setdefault((sample.variant, sample.n), []).append(sample.value / sample.n)
        for key, values in found.items():
            self.passes.setdefault(key, []).append(values)
            self.statistics[key] = run.statistic

    def each(self, way: str, n: int) -> list[float]:
        """Return the nanoseconds for one of n in each pass."""
        return [statistic_of(values, self.statistics[way, n]) for values in self.passes[way, n]]

    def of(self, way: str, n: int) -> float:
        """Return the nanoseconds for one of n: the median of the passes."""
        return statistics.median(self.each(way, n))

    def whole(self, way: str, n: int) -> float:
        """Return the nanoseconds for all n."""
        return n * self.of(way, n)

    def pooled(self, way: str, n: int, statistic: str) -> float:
        """Return a statistic of the samples of all passes."""
        return statistic_of([value for values in self.passes[way, n] for value in values], statistic)

    def quotient(self, way: str, other: str, n: int) -> float:
        """Return how often one way holds another: the median of the passes' quotients."""
        return statistics.median(a / b for a, b in zip(self.each(way, n), self.each(other, n), strict=True))

    def card(self) -> str:
        """Describe the machine and the compiler."""
        card = self.machine
        return f"{card['cpu']}, {card['cores']} cores, kernel {card['kernel']}, {card['ghc']}, {card['compiler']}"


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Return a table as docs/results has them."""
    return {"columns": list(columns), "rows": [list(row) for row in rows]}


def publish(machine: str, command: str, tables: dict[str, tuple[str, Table]], file: Path | None) -> None:
    """Print titles and tables in Markdown; write the tables to a file as docs/results/tables.py reads them."""
    results = {"machine": machine, "command": command, "tables": {name: made for name, (_, made) in tables.items()}}
    print(machine)
    for name, (title, _) in tables.items():
        print(f"\n{title}:\n\n{render(results, name)}", end="")
    if file:
        file.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
