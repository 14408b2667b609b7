# SPDX-License-Identifier: BSD-3-Clause
"""Print what bench/readmany measured: CPU time per file, and each variant beside the plain loop of the same round.

The program runs its variants interleaved; a ratio is taken within one repetition and the median of those is printed, so
that a machine whose speed changes between repetitions does not show in it.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

#: What the project promises for 10,000 small files: CPU time of readmany beside a plain open, read, close loop.
BAR = 0.85
BARRED = "auto-64"


def read_samples(command: list[str | Path]) -> tuple[dict[str, list[float]], int]:
    """Run the program; return variant -> samples in order of repetition, and the number of files."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with exit status {done.returncode}; its message is above")
    samples: dict[str, list[float]] = defaultdict(list)
    files = 0
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "sample":
            samples[row["variant"]].append(row["ns"])
            files = row["n"]
    return samples, files


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure readmany's executors beside a plain loop, and check the bar.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--repetitions", type=int, default=25, help="interleaved runs of each variant (default: 25)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when the bar is not met")
    options = parser.parse_args()
    samples, files = read_samples([options.build / "bench" / "readmany", f"--repetitions={options.repetitions}"])
    plain = samples["plain"]
    print(f"{files} small files, CPU time of the whole process, {len(plain)} interleaved runs")
    print(f"{'variant':12}{'median ns/file':>16}{'least ns/file':>16}{'of plain':>10}")
    ratios = {}
    for variant, values in samples.items():
        ratios[variant] = statistics.median(value / base for value, base in zip(values, plain, strict=True))
        median, least = statistics.median(values) / files, min(values) / files
        print(f"{variant:12}{median:16.0f}{least:16.0f}{ratios[variant]:10.3f}")
    met = ratios[BARRED] <= BAR
    print(f"bar: {BARRED} at most {BAR} of plain: {ratios[BARRED]:.3f}, {'met' if met else 'missed'}")
    return 1 if options.strict and not met else 0


if __name__ == "__main__":
    sys.exit(main())
