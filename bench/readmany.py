# SPDX-License-Identifier: BSD-3-Clause
"""Print what bench/readmany measured: CPU time per file, and each variant beside the plain loop of the same round.

The program runs its variants interleaved; a ratio is taken within one repetition and the median of those is printed, so
that a machine whose speed changes between repetitions does not show in it. Usage: python3 bench/readmany.py PROGRAM
[OPTION...], where the options go to the program. Exit status 1: the bar was missed, or the program failed.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections import defaultdict

#: What the project promises for 10,000 small files: CPU time of readmany beside a plain open, read, close loop.
BAR = 0.85
BARRED = "auto-64"


def read_samples(command: list[str]) -> tuple[dict[str, list[float]], int]:
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
    if len(sys.argv) < 2:
        sys.exit("which program? give its path first, for example build/bench/readmany")
    samples, files = read_samples(sys.argv[1:])
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
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
