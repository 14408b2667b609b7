# SPDX-License-Identifier: BSD-3-Clause
"""Print what bench/codec measured: nanoseconds and MiB/s of a round trip in each wire format, beside the bars.

A round trip is: encode into a buffer that is used again, decode into memory of its own, free. The bar of 1 MiB is taken
against two memcpys, malloc and free of the same repetition, since a machine's memory is as fast as its neighbours let
it be; the median of those ratios counts.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

#: Nanoseconds that the project promises for a round trip that owns what it decodes.
BARS_NS = {
    "cbor": {"echo_request": 45, "echo_response": 60, "complex_request": 250},
    "c": {"echo_request": 20, "echo_response": 30, "complex_request": 80},
}
#: The same for 1 MiB, as a multiple of two memcpys and a malloc.
BAR_COPY = 1.3
LARGE = "bytes_1m"
SIZES = {
    "bytes_100": 100,
    "bytes_1k": 1 << 10,
    "bytes_10k": 10 << 10,
    "bytes_64k": 64 << 10,
    "bytes_150k": 150 << 10,
    LARGE: 1 << 20,
}
WAYS = ("cbor", "c", "cbor_borrowed", "c_borrowed", "libcbor", "copy")


def measure(command: list[str | Path]) -> dict[str, list[float]]:
    """Run the program; return variant -> nanoseconds of a round trip in order of repetition."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with exit status {done.returncode}; its message is above")
    samples: dict[str, list[float]] = defaultdict(list)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "sample":
            samples[row["variant"]].append(row["ns"] / row["n"])
    return samples


def print_table(samples: dict[str, list[float]]) -> None:
    """Print a line for each shape."""
    print(f"{'':16}" + "".join(f"{way:>28}" for way in WAYS))
    for call in dict.fromkeys(variant.partition(":")[2] for variant in samples):
        cells = []
        for way in WAYS:
            values = samples.get(f"{way}:{call}")
            text = "-"
            if values:
                median = statistics.median(values)
                rate = f" {SIZES[call] / median * 1e9 / (1 << 20):>8,.0f} MiB/s" if call in SIZES else ""
                text = f"{median:,.1f} ns{rate}"
            cells.append(f"{text:>28}")
        print(f"{call:16}" + "".join(cells))


def check(samples: dict[str, list[float]]) -> bool:
    """Print each bar; return whether all are met."""
    met = True
    for way, bars in BARS_NS.items():
        for call, bar in bars.items():
            values = samples[f"{way}:{call}"]
            median = statistics.median(values)
            spread = f"{min(values):.1f} to {max(values):.1f}"
            met &= median <= bar
            print(
                f"bar: {way}:{call} at most {bar} ns: {median:.1f} ({spread}), {'met' if median <= bar else 'missed'}"
            )
        ratios = [a / b for a, b in zip(samples[f"{way}:{LARGE}"], samples[f"copy:{LARGE}"], strict=True)]
        median = statistics.median(ratios)
        met &= median <= BAR_COPY
        print(
            f"bar: {way}:{LARGE} at most {BAR_COPY} of two memcpys, malloc and free: {median:.2f} "
            f"({min(ratios):.2f} to {max(ratios):.2f}), {'met' if median <= BAR_COPY else 'missed'}"
        )
    return met


def main() -> int:
    """Print the table and the bars; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure both wire formats beside plain copies, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--repetitions", type=int, default=40, help="interleaved samples of each (default: 40)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is not met")
    options = parser.parse_args()
    program = options.build / "bench" / "codec"
    samples = measure([program, "--n=10", f"--repetitions={options.repetitions}"])
    print_table(samples)
    return 1 if not check(samples) and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
