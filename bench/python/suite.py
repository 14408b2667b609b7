# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark program in Python, as bench/bench.h makes one in C: its options, and the lines of bench/README.md."""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Largest FERRY_SAMPLE_US.
SAMPLE_US_MAX = 1_000_000
#: Do something n times.
Run = Callable[[int], object]


@dataclass(frozen=True)
class Suite:
    """What a program measures."""

    program: str
    boundary: str
    question: str
    n: tuple[int, ...]
    #: What the machine line adds, because the figures depend on it: a library and its version.
    beside: str = ""
    repetitions: int = 20
    quick_repetitions: int = 5
    #: A sample is repeated until it takes as long as this, or as FERRY_SAMPLE_US says.
    sample_ns_least: int = 200_000


def _sample(run: Run, n: int, least_ns: int) -> float:
    """Return the nanoseconds of one run of n calls."""
    runs = 1
    while True:
        start = time.perf_counter_ns()
        for _ in range(runs):
            run(n)
        took = time.perf_counter_ns() - start
        if took >= least_ns:
            return took / runs
        runs *= 4


def _sample_ns(parser: argparse.ArgumentParser, usual_ns: int) -> int:
    """Return how long a sample is to last."""
    text = os.environ.get("FERRY_SAMPLE_US")
    if text is None:
        return usual_ns
    if not (text.isdecimal() and 1 <= int(text) <= SAMPLE_US_MAX):
        parser.error(f"FERRY_SAMPLE_US is '{text}', not a number of microseconds, 1 to {SAMPLE_US_MAX}")
    return int(text) * 1000


def _print(row: dict[str, object]) -> None:
    print(json.dumps(row, separators=(",", ":")))


def _mitigations() -> str:
    folder = Path("/sys/devices/system/cpu/vulnerabilities")
    found = {path.name: path.read_text().strip() for path in sorted(folder.glob("*"))} if folder.is_dir() else {}
    text = "; ".join(f"{name}: {state}" for name, state in found.items() if state != "Not affected")
    return text or "not affected"


def _machine(suite: Suite) -> dict[str, object]:
    cpus = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "type": "machine",
        "cpu": cpus[0].split(": ")[1] if cpus else "unknown",
        "cores": len(cpus) or 1,
        "kernel": f"Linux {platform.release()} {platform.machine()}",
        "compiler": ", ".join(filter(None, (f"Python {platform.python_version()}", suite.beside))),
        "mitigations": _mitigations(),
    }


def measure(suite: Suite, variants: dict[str, Run]) -> None:
    """Measure as the command line says, and print the lines."""
    parser = argparse.ArgumentParser(prog=suite.program, description=suite.question)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--repetitions", type=int, default=0, help=f"samples of each variant ({suite.repetitions})")
    parser.add_argument("--n", default=",".join(map(str, suite.n)), help="calls in one sample, with commas between")
    parser.add_argument("--variant", default="", help="only these, with commas between")
    options = parser.parse_args()
    names = options.variant.split(",") if options.variant else list(variants)
    unknown = [name for name in names if name not in variants]
    if unknown:
        parser.error(f"--variant: '{unknown[0]}' is none of {', '.join(variants)}")
    if not all(part.isdecimal() and int(part) > 0 for part in options.n.split(",")):
        parser.error(f"--n: '{options.n}' are not numbers of 1 or more with commas between")
    least_ns = _sample_ns(parser, suite.sample_ns_least)
    _print(_machine(suite))
    for repetition in range(options.repetitions or (suite.quick_repetitions if options.quick else suite.repetitions)):
        for n in map(int, options.n.split(",")):
            for place in range(len(names)):
                name = names[(place + repetition) % len(names)]
                ns = round(_sample(variants[name], n, least_ns), 3)
                _print(
                    {
                        "type": "sample", "boundary": suite.boundary, "variant": name, "unit": "ns", "n": n,
                        "repetition": repetition, "ns": ns,
                    }
                )  # fmt: skip
