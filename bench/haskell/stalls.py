# SPDX-License-Identifier: BSD-3-Clause
"""How late another Haskell thread is while an example program calls C, on Ferry and on GHC's own foreign imports.

Usage: PYTHONPATH=tools/ferry/src stalls.py EXAMPLES SLOW_DISK [--quick] [--pictures FOLDER]

EXAMPLES is the folder of the programs of examples/haskell/foreign and their twins, NAME and NAME-plain; SLOW_DISK the
library that makes paths with "slow" in them slow (haskell/directory/bench/slow.c). Each program says itself how late a
thread was at most that wakes each millisecond. One JSON object of seconds is printed: for each program, way and size
the median of all passes. With --pictures, a chart of each program goes into FOLDER. Exit status 3: a program is not
there.
"""

import argparse
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from ferry.charts import Chart, Series, draw
from ferry.report import standalone

LACKING = 3
LIMIT_S = 120
LATE = re.compile(r"late by at most ([0-9.]+) ms")
WAYS = {"ferry": "", "plain": "-plain"}
#: How often the server is asked for the slow file in one run.
REQUESTS = 3


@dataclass(frozen=True)
class Tools:
    """Where things are: the programs, the slow disk's library, a folder for files."""

    examples: Path
    slow_disk: Path
    folder: Path


def printed(errors: str) -> float:
    """Return the greatest lateness that a program printed, in seconds."""
    return max(float(found) for found in LATE.findall(errors)) / 1e3


def rows(tools: Tools, program: str, count: int) -> float:
    """Fill and sum up a table of SQLite of `count` rows."""
    words = [str(tools.examples / program), str(count)]
    return printed(subprocess.run(words, capture_output=True, text=True, check=True, timeout=LIMIT_S).stderr)


def deflated(tools: Tools, program: str, kib: int) -> float:
    """Compress a file of `kib` KiB."""
    file = tools.folder / f"letters{kib}"
    if not file.exists():
        file.write_bytes(bytes(Random(kib).choices(b"abcdefgh", k=kib << 10)))
    words = [str(tools.examples / program), str(file)]
    return printed(subprocess.run(words, capture_output=True, text=True, check=True, timeout=LIMIT_S).stderr)


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def served(tools: Tools, program: str, delay_ms: int) -> float:
    """Serve a file whose disk takes `delay_ms` for each call."""
    (tools.folder / "slow").write_bytes(b"x" * 1000)
    environment = os.environ | {"LD_PRELOAD": str(tools.slow_disk), "FERRY_SLOW_MS": str(delay_ms)}
    words = [str(tools.examples / program), str(tools.folder), str(free_port())]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout
        address = process.stdout.readline().strip()
        for _ in range(REQUESTS):
            with urllib.request.urlopen(f"{address}slow", timeout=LIMIT_S) as answer:
                assert len(answer.read()) == 1000
        process.send_signal(signal.SIGTERM)
        return printed(process.communicate(timeout=LIMIT_S)[1])
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Case:
    """A program: how it is run once, with which sizes, and what a size is."""

    run: Callable[[Tools, str, int], float]
    sizes: tuple[int, ...]
    x_title: str

    @property
    def name(self) -> str:
        """The program's name."""
        return self.run.__name__


CASES = (
    Case(rows, (20_000, 100_000, 500_000), "rows of the table that one call of SQLite sums up"),
    Case(deflated, (64, 256, 1024, 4096), "KiB that one call of zlib compresses"),
    Case(served, (10, 20, 50, 100, 200), "milliseconds that one call of the file system takes"),
)


def through(points: list[tuple[float, float]]) -> Callable[[float], float]:
    """Return straight lines from point to point."""

    def at(x: float) -> float:
        for (x0, y0), (x1, y1) in pairwise(points):
            if x <= x1:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return points[-1][1]

    return at


def chart(case: Case, samples: dict[tuple[str, int], list[float]]) -> str:
    """Draw a program's stalls beside its twin's, in milliseconds; an error bar ends at the greatest of all passes."""
    series = []
    for colour, (way, label) in enumerate({"plain": "plain FFI", "ferry": "Ferry"}.items()):
        found = [(float(size), [1e3 * late for late in samples[way, size]]) for size in case.sizes]
        middles = [(size, statistics.median(lates)) for size, lates in found]
        points = tuple((size, statistics.median(lates), max(lates)) for size, lates in found)
        series.append(Series(label, colour + 1, points, through(middles)))
    title = f"How late another thread was beside {case.name}, in milliseconds"
    description = "; ".join(
        f"{one.label}: " + ", ".join(f"{y:.1f} ms at {x:g}" for x, y, _ in one.points) for one in series
    )
    name = f"haskell-stalls-{case.name}"
    return standalone(
        draw(Chart(name, title, description, case.x_title, "ms late at most", series), lambda value: f"{value:g} ms")
    )


def measure(tools: Tools, case: Case, passes: int) -> dict[tuple[str, int], list[float]]:
    """Run a program and its twin, in turns."""
    samples: dict[tuple[str, int], list[float]] = {(way, size): [] for way in WAYS for size in case.sizes}
    for turn in range(passes):
        for size in case.sizes:
            for way in list(WAYS)[:: 1 if turn % 2 else -1]:
                samples[way, size].append(case.run(tools, case.name + WAYS[way], size))
    return samples


def main() -> int:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("examples", type=Path)
    parser.add_argument("slow_disk", type=Path)
    parser.add_argument("--quick", action="store_true", help="one pass instead of five")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="ferry-stalls-") as folder:
        tools = Tools(asked.examples.resolve(), asked.slow_disk.resolve(), Path(folder))
        for case in CASES:
            lacking = [way for way in WAYS.values() if not (tools.examples / (case.name + way)).exists()]
            if lacking:
                sys.stderr.write(f"stalls.py: {case.name}{lacking[0]} is not in {tools.examples}; run `make haskell`\n")
                return LACKING
            samples = measure(tools, case, 1 if asked.quick else 5)
            figures |= {f"{case.name}:{way}/{size}": statistics.median(s) for (way, size), s in samples.items()}
            if asked.pictures:
                (asked.pictures / f"haskell-stalls-{case.name}.svg").write_text(chart(case, samples), encoding="utf-8")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
