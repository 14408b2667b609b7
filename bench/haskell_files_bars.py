# SPDX-License-Identifier: BSD-3-Clause
"""Print what the Haskell benchmark of many files measured, each way beside ByteString's readFile of the same round.

The program runs its variants interleaved; a ratio is taken within one repetition and the median of those is printed, so
that a machine whose speed changes between repetitions does not show in it. What else runs on the machine stops the
neighbour too; for its figures run it where nothing else does, or with `chrt -f 10`, which spoils bytestring's times.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

#: What the project promises for 10,000 small files in the page cache.
SPEED_BAR = 2.0
STALL_BAR_MS = 1.0

Samples = dict[tuple[str, str], list[float]]


def read_samples(command: list[str | Path]) -> tuple[Samples, int]:
    """Run the program; return (variant, unit) -> samples in order of repetition, and the number of files."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with exit status {done.returncode}; its message is above")
    samples: Samples = defaultdict(list)
    files = 0
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "sample":
            samples[row["variant"], row["unit"]].append(row["ns"])
            files = row["n"]
    return samples, files


def times_as_fast(samples: Samples, way: str, base: str, unit: str) -> float:
    """How many times as fast `way` is as `base`: the median over the repetitions."""
    pairs = zip(samples[way, unit], samples[base, unit], strict=True)
    return statistics.median(other / one for one, other in pairs)


def print_times(samples: Samples, files: int, call: str, base: str) -> None:
    """One table: every way of making this call."""
    print(f"\n{call:12}{'wall ns/file':>14}{'times as fast':>15}{'CPU ns/file':>14}{'times as fast':>15}")
    for variant, unit in samples:
        if unit == "ns" and variant.endswith(f":{call}"):
            wall, cpu = (statistics.median(samples[variant, unit]) / files for unit in ("ns", "cpu_ns"))
            ratios = [times_as_fast(samples, variant, base, unit) for unit in ("ns", "cpu_ns")]
            print(f"{variant.split(':')[0]:12}{wall:14.0f}{ratios[0]:15.2f}{cpu:14.0f}{ratios[1]:15.2f}")


def main() -> int:
    """Print the tables; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure Ferry.Files beside bytestring and unix, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--repetitions", type=int, default=15, help="interleaved runs of each variant (default: 15)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is not met")
    options = parser.parse_args()
    command: list[str | Path] = [options.build / "bench" / "haskell-files", f"--repetitions={options.repetitions}"]
    samples, files = read_samples(command)
    print(f"{files} small files in the page cache, {options.repetitions} interleaved runs, one Capability")
    print_times(samples, files, "read", "bytestring:read")
    print_times(samples, files, "stat", "unix:stat")
    print(f"\n{'neighbour':12}{'p99 ms':>14}{'longest ms':>15}")
    stalls = {
        variant[4:]: statistics.median(values) / 1e6 for (variant, _), values in samples.items() if "p99:" in variant
    }
    for way, p99 in stalls.items():
        print(f"{way:12}{p99:14.3f}{statistics.median(samples['max:' + way, 'ns']) / 1e6:15.3f}")
    speed = times_as_fast(samples, "ferry:read", "bytestring:read", "ns")
    met = (speed >= SPEED_BAR, stalls["ferry"] <= STALL_BAR_MS)
    words = ["met" if one else "missed" for one in met]
    print(f"\nbar: readFiles at least {SPEED_BAR} times as fast as readFile: {speed:.2f}, {words[0]}")
    print(f"bar: a neighbour's p99 wait at most {STALL_BAR_MS} ms: {stalls['ferry']:.3f}, {words[1]}")
    return 1 if options.strict and not all(met) else 0


if __name__ == "__main__":
    sys.exit(main())
