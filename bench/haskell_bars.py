# SPDX-License-Identifier: BSD-3-Clause
"""Print what the Haskell benchmarks measured beside what the project promises.

Crossings: the variants are interleaved; a ratio is taken of the least samples of each, because what disturbs a run only
adds time. Collections: every wait is a sample, and percentiles are taken of all. Both programs are run several times by
turns, as processes differ in where their memory lies; the median of the processes is printed.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROCESSES = 3
SIZES = (1, 2, 5, 10, 20, 50, 100, 1000)
CALLS = ("getter", "one", "several")
#: (WAY, WAY it is compared with, n, at most)
RATIOS = (
    *(("batched", "safe", n, most) for n, most in ((5, 0.25), (10, 0.12), (100, 0.05))),
    ("adaptive", "safe", 1, 0.12),
    *(("adaptive", "unsafe", n, 1.3) for n in SIZES if n >= 5),
)
#: What `batched` is compared with beside its bars: one safe call of C that calls the same functions by name.
FLOOR_SIZES = (5, 10, 100)
#: How far `batched` may be from (fixed + n per call) / n.
PREDICTED_WITHIN = 0.10
ADAPTIVE_WAIT_US = 50.0
THROUGHPUT = 0.9

Samples = dict[tuple[str, int], list[float]]


@dataclass(frozen=True)
class Bar:
    """One promise and what was measured; `at_least` when more is better."""

    text: str
    limit: float
    measured: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the promise is kept."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{self.text:58}{sign} {self.limit:<7g}{self.measured:9.3f}  {'met' if self.met else 'missed'}"


def read_samples(command: list[str]) -> Samples:
    """Run a program; return (variant, n) -> samples."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with exit status {done.returncode}; its message is above")
    samples: Samples = defaultdict(list)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "sample":
            samples[row["variant"], row["n"]].append(row["ns"])
    return samples


def least(runs: list[Samples], variant: str, n: int) -> float:
    """Return the least time of one run of n calls: the median of the processes."""
    return statistics.median(min(run[variant, n]) for run in runs)


def ratio(runs: list[Samples], variant: str, base: str, n: int) -> float:
    """Return variant over base, taken within each process."""
    return statistics.median(min(run[variant, n]) / min(run[base, n]) for run in runs)


def percentile(values: list[float], part: float) -> float:
    """Return the value that so large a part of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def prediction_error(runs: list[Samples], variant: str) -> float:
    """Return how far the worst size is from the line through all of them, as a part of it."""
    times = [least(runs, variant, n) for n in SIZES]
    rows = [(1 / time, n / time) for n, time in zip(SIZES, times, strict=True)]
    # least squares of fixed * u + per_call * v = 1, so that each size weighs the same
    uu, uv, vv = (sum(a[i] * a[j] for a in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    u, v = (sum(a[i] for a in rows) for i in (0, 1))
    determinant = uu * vv - uv * uv
    fixed, per_call = (u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant
    return max(abs(time / (fixed + n * per_call) - 1) for n, time in zip(SIZES, times, strict=True))


def crossing_bars(runs: list[Samples]) -> Iterator[Bar]:
    """Yield the bars of the crossings."""
    for call in CALLS:
        for way, base, n, most in RATIOS:
            measured = ratio(runs, f"{way}:{call}", f"{base}:{call}", n)
            yield Bar(f"{way}:{call} of {base}, n = {n}", most, measured)
        text = f"batched:{call} from (fixed + n per call) / n, worst n"
        yield Bar(text, PREDICTED_WITHIN, prediction_error(runs, f"batched:{call}"))


def waits(runs: list[Samples], mode: str) -> list[float]:
    """Return every wait of a collection in that mode, in microseconds."""
    return [wait / 1000 for run in runs for wait in run[f"wait:{mode}", 1]]


def collection_bars(runs: list[Samples]) -> Iterator[Bar]:
    """Yield the bars of the collections."""
    yield Bar("adaptive: a collection's wait, p99, µs", ADAPTIVE_WAIT_US, percentile(waits(runs, "Adaptive"), 0.99))
    yield Bar(
        "adaptive: speed of mode Batched (safe batched), collecting",
        THROUGHPUT,
        statistics.median(rates(runs, "Batched")),
        True,
    )


def rates(runs: list[Samples], base: str) -> list[float]:
    """Return the speed of adaptive batches among collections, as a part of the speed in that mode."""
    n = next(n for variant, n in runs[0] if variant == "batch:Adaptive")
    return [b / a for run in runs for a, b in zip(run["batch:Adaptive", n], run[f"batch:{base}", n], strict=True)]


def print_floors(runs: list[Samples]) -> None:
    """Print what no batch can be below: a hard-wired C function behind one safe call."""
    for call in CALLS:
        for n in FLOOR_SIZES:
            floor, ours = (ratio(runs, f"{way}:{call}", f"safe:{call}", n) for way in ("floor", "batched"))
            above = ratio(runs, f"batched:{call}", f"floor:{call}", n)
            print(f"{f'floor:{call}, n = {n}':20}{floor:8.3f} of safe; batched {ours:.3f}, {above:.3f} of the floor")


def print_crossings(runs: list[Samples]) -> None:
    """Print nanoseconds per call."""
    print(f"{'ns per call':18}" + "".join(f"{n:>9}" for n in SIZES))
    for variant in dict.fromkeys(variant for variant, _ in runs[0]):
        print(f"{variant:18}" + "".join(f"{least(runs, variant, n) / n:9.2f}" for n in SIZES))


def print_collections(runs: list[Samples]) -> None:
    """Print what each mode made collections wait."""
    print(f"{'wait, µs':12}{'p50':>12}{'p99':>12}{'max':>12}{'collections':>14}")
    for mode in ("Unsafe", "Safe", "Batched", "Adaptive"):
        values = waits(runs, mode)
        row = "".join(f"{value:12.1f}" for value in (percentile(values, 0.5), percentile(values, 0.99), max(values)))
        print(f"{mode.lower():12}{row}{len(values):>14}")


def print_rates(runs: list[Samples]) -> None:
    """Print how fast an adaptive batch is among collections, beside Batched (what the bar is about) and Safe."""
    for mode, what in (("Batched", "the package's batched safe call"), ("Safe", "an ordinary safe import")):
        values = sorted(rates(runs, mode))
        text = f"median {statistics.median(values):.2f}, {values[0]:.2f} to {values[-1]:.2f}"
        print(f"adaptive's speed among collections, of mode {mode} ({what}): {text}")


def main() -> int:
    """Print tables and bars; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure crossings from Haskell to C, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--repetitions", type=int, default=60, help="interleaved runs of each variant (default: 60)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is not met")
    options = parser.parse_args()
    folder = options.build / "bench"
    for name in ("haskell", "haskell-gc"):
        if not (folder / name).is_file():
            print(f"{folder / name} is not built; run `make haskell`", file=sys.stderr)
            return 1 if options.strict else 0
    crossings, collections = [], []
    for _ in range(PROCESSES):
        crossings.append(read_samples([str(folder / "haskell"), f"--repetitions={options.repetitions}"]))
        collections.append(read_samples([str(folder / "haskell-gc"), f"--repetitions={1 + options.repetitions // 10}"]))
    print_crossings(crossings)
    print_collections(collections)
    print_rates(collections)
    print_floors(crossings)
    bars = [*crossing_bars(crossings), *collection_bars(collections)]
    for bar in bars:
        print(bar)
    return 1 if options.strict and not all(bar.met for bar in bars) else 0


if __name__ == "__main__":
    sys.exit(main())
