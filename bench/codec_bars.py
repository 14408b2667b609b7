# SPDX-License-Identifier: BSD-3-Clause
"""Print what the benchmarks of codecs measured: nanoseconds and MiB/s of a round trip, beside the bars.

Bars are those of C, C++ and Nim in nanoseconds, and of each language beside its own general libraries: at most what the
best of them takes. A program that is not built is left out, with a line that says how to build it.

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
#: As much of what the best library takes counts as the same: of a large blob both only make copies, and either may be
#: that much slower in one run and quicker in the next.
TIE = 1.03
LARGE = "bytes_1m"
SIZES = {
    "bytes_100": 100,
    "bytes_1k": 1 << 10,
    "bytes_10k": 10 << 10,
    "bytes_64k": 64 << 10,
    "bytes_150k": 150 << 10,
    LARGE: 1 << 20,
}
#: Program -> its ways, and the target that builds it.
PROGRAMS = {
    "codec": (("cbor", "c", "cbor_borrowed", "c_borrowed", "libcbor", "copy"), "build"),
    "codec-cpp": (("cpp-cbor", "cpp-c", "cpp-copy"), "build"),
    "codec-nim": (("nim-cbor", "nim-c", "nim-copy"), "nim"),
    "codec-rust": (("rust-cbor", "rust-c", "minicbor", "ciborium", "bincode", "rust-copy"), "host-benches"),
    "codec-python": (("python-cbor", "python-c", "cbor2"), "host-benches"),
}
#: What begins the names of the ways that the bars in nanoseconds hold for.
LANGUAGES = ("", "cpp-", "nim-")
#: Ours -> the general libraries of its language that do the same.
LIBRARIES = {"rust-cbor": ("minicbor", "ciborium"), "rust-c": ("bincode",), "python-cbor": ("cbor2",)}


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


def print_table(samples: dict[str, list[float]], ways: tuple[str, ...]) -> None:
    """Print a line for each shape."""
    print(f"{'':16}" + "".join(f"{way:>28}" for way in ways))
    for call in dict.fromkeys(variant.partition(":")[2] for variant in samples):
        cells = []
        for way in ways:
            values = samples.get(f"{way}:{call}")
            text = "-"
            if values:
                median = statistics.median(values)
                rate = f" {SIZES[call] / median * 1e9 / (1 << 20):>8,.0f} MiB/s" if call in SIZES else ""
                text = f"{median:,.1f} ns{rate}"
            cells.append(f"{text:>28}")
        print(f"{call:16}" + "".join(cells))
    print()


def check_times(samples: dict[str, list[float]], language: str) -> bool:
    """Print each bar in nanoseconds of a language; return whether all are met."""
    met = True
    for way, bars in BARS_NS.items():
        for call, bar in bars.items():
            values = samples[f"{language}{way}:{call}"]
            median = statistics.median(values)
            spread = f"{min(values):.1f} to {max(values):.1f}"
            met &= median <= bar
            verdict = "met" if median <= bar else "missed"
            print(f"bar: {language}{way}:{call} at most {bar} ns: {median:.1f} ({spread}), {verdict}")
    return met


def check_copies(samples: dict[str, list[float]]) -> bool:
    """Print the bar of 1 MiB for each format; return whether both are met."""
    met = True
    for way in BARS_NS:
        ratios = [a / b for a, b in zip(samples[f"{way}:{LARGE}"], samples[f"copy:{LARGE}"], strict=True)]
        median = statistics.median(ratios)
        met &= median <= BAR_COPY
        print(
            f"bar: {way}:{LARGE} at most {BAR_COPY} of two memcpys, malloc and free: {median:.2f} "
            f"({min(ratios):.2f} to {max(ratios):.2f}), {'met' if median <= BAR_COPY else 'missed'}"
        )
    return met


def check_libraries(samples: dict[str, list[float]]) -> bool:
    """Print each shape beside the best general library of its language; return whether ours is at most TIE of it."""
    met = True
    for ours, theirs in LIBRARIES.items():
        for call in (variant.partition(":")[2] for variant in list(samples) if variant.startswith(f"{ours}:")):
            others = {way: samples[f"{way}:{call}"] for way in theirs if f"{way}:{call}" in samples}
            if not others:
                continue
            best = min(others, key=lambda way: statistics.median(others[way]))
            ratios = [a / b for a, b in zip(samples[f"{ours}:{call}"], others[best], strict=True)]
            median = statistics.median(ratios)
            met &= median <= TIE
            print(
                f"bar: {ours}:{call} at most what {best} takes: {median:.2f} of it "
                f"({min(ratios):.2f} to {max(ratios):.2f}), {'met' if median <= TIE else 'missed'}"
            )
    return met


def main() -> int:
    """Print the table and the bars; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure both wire formats in every language, and check the bars.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--repetitions", type=int, default=40, help="interleaved samples of each (default: 40)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is not met")
    options = parser.parse_args()
    met = True
    for name, (ways, target) in PROGRAMS.items():
        program = options.build / "bench" / name
        if not program.exists():
            print(f"left out: {name}: it is not built; run `make {target}`\n")
            continue
        samples = measure([program, "--n", "10", "--repetitions", str(options.repetitions)])
        print_table(samples, ways)
        for language in LANGUAGES:
            if f"{language}c:{LARGE}" in samples:
                met &= check_times(samples, language)
        if f"copy:{LARGE}" in samples:
            met &= check_copies(samples)
        met &= check_libraries(samples)
        print()
    return 1 if not met and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
