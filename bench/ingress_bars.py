# SPDX-License-Identifier: BSD-3-Clause
"""Run the ingress benchmark and print each bar beside what was measured.

Rates are medians over the repetitions, with the least and the greatest beside them. `submit` is the submit phase alone,
in passes, each with every number of producers interleaved: the median of the passes' medians, with the least and the
greatest of these. A phase lasts 10 ms, several slices of the scheduler: in a shorter one it is chance whether the
library thread runs; so it is in a single one of these, which is why there are many. More producers must not lose rate:
each number of them has to keep its share of the best of all. Beside it stands what that share is for work that submits
nothing, on as many threads beside a busy one: the scheduler's own.

With --gate what is below its bar makes the exit status 1, and with --scaling RATIO so does a rate at 8 producers below
RATIO times that at one: both are for machines on which nothing else runs.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 300
PRODUCERS = (1, 2, 4, 8)
#: Requests in a submit phase, and how often all of them are measured.
SUBMIT_COUNT = 400_000
SUBMIT_PASSES = 5
#: Submit phase alone: requests per second by one producer, and the share of the best that more of them keep.
SUBMIT_PER_S = 10e6
SUBMIT_SHARE = 0.9
#: Other rates, per second.
RATES = {"async:call": 1e6, "ask:call@2": 300e3, "ask:large": 100e3, "listen:event": 1e6}
DENSE_P50_NS = 1000
SPARSE_RATIO = 1.1


@dataclass(frozen=True)
class Bar:
    """One line of the table."""

    name: str
    measured: str
    bar: str
    holds: bool


def lines(program: Path, *arguments: str) -> list[dict[str, object]]:
    """Run the program and return its JSON lines."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode != 0:
        sys.exit(f"ingress_bars.py: {program} ended with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def rates(program: Path, variants: list[str], n: int, repetitions: int) -> dict[str, list[float]]:
    """Return the calls per second of each variant, one for each repetition."""
    found = defaultdict(list)
    options = ("--variant", ",".join(variants), "--n", str(n), "--repetitions", str(repetitions))
    for line in lines(program, *options):
        if line["type"] == "sample":
            found[str(line["variant"])].append(n / float(str(line["ns"])) * 1e9)
    return found


def spread(values: list[float]) -> str:
    """Median, least and greatest, in millions."""
    return f"{statistics.median(values) / 1e6:.2f} M/s ({min(values) / 1e6:.2f} to {max(values) / 1e6:.2f})"


def submit_bars(program: Path, repetitions: int, scaling: float | None) -> list[Bar]:
    """Measure the submit phase alone."""
    variants = [f"{kind}:requests@{producers}" for producers in PRODUCERS for kind in ("submit", "work")]
    passes = [rates(program, variants, SUBMIT_COUNT, repetitions) for _ in range(SUBMIT_PASSES)]
    found = {variant: [statistics.median(one[variant]) for one in passes] for variant in variants}
    medians = {variant: statistics.median(values) for variant, values in found.items()}
    best = {
        kind: max(medians[f"{kind}:requests@{producers}"] for producers in PRODUCERS) for kind in ("submit", "work")
    }
    one, most = (medians[f"submit:requests@{producers}"] for producers in (PRODUCERS[0], PRODUCERS[-1]))
    bars = [Bar("submit, 1 producer", spread(found["submit:requests@1"]), ">= 10 M/s", one >= SUBMIT_PER_S)]
    for producers in PRODUCERS[1:]:
        share, floor = (medians[f"{kind}:requests@{producers}"] / best[kind] for kind in ("submit", "work"))
        text = f"{spread(found[f'submit:requests@{producers}'])}, {share:.2f} of the best; bare work {floor:.2f}"
        bars.append(Bar(f"submit, {producers} producers", text, f">= {SUBMIT_SHARE}", share >= SUBMIT_SHARE))
    if scaling is not None:
        ratio = most / one
        text = f"{PRODUCERS[-1]} producers / {PRODUCERS[0]} = {ratio:.2f}"
        bars.append(Bar("submit, scaling", text, f">= {scaling}", ratio >= scaling))
    return bars


def rate_bars(program: Path, repetitions: int) -> list[Bar]:
    """Measure the lanes, by rate."""
    found = rates(program, list(RATES), 20_000, repetitions)
    return [
        Bar(name, spread(found[name]), f">= {least / 1e6} M/s", statistics.median(found[name]) >= least)
        for name, least in RATES.items()
    ]


def latency_bars(program: Path, quick: bool) -> list[Bar]:
    """Measure the lanes, by percentiles of single calls."""
    found = {
        (line["lane"], line["threads"]): (float(str(line["p50_ns"])), float(str(line["p99_ns"])))
        for line in lines(program, "--latency", *(["--quick"] if quick else []))
        if line["type"] == "latency"
    }
    dense = found["ask", 1]
    sparse, futex, lines_too = (found[f"{lane}-sparse", 1][0] for lane in ("ask", "futex", "futex-lines"))
    bars = [
        Bar("dense call, p50", f"{dense[0]:.0f} ns (p99 {dense[1]:.0f})", "<= 1000 ns", dense[0] <= DENSE_P50_NS),
        Bar(
            "sparse call, p50 / futex",
            f"{sparse / 1e3:.1f} / {futex / 1e3:.1f} us = {sparse / futex:.2f}; "
            f"with a call's cache lines / {lines_too / 1e3:.1f} us = {sparse / lines_too:.2f}",
            f"<= {SPARSE_RATIO}",
            sparse <= SPARSE_RATIO * futex,
        ),
    ]
    for threads in (4, 8):
        spinning, sleeping = found["ask", threads][1], found["ask-sleeping", threads][1]
        text = f"{spinning / 1e3:.0f} us, never spinning {sleeping / 1e3:.0f} us"
        bars.append(Bar(f"{threads} threads, p99", text, "no worse", spinning <= sleeping))
    return bars


def main() -> int:
    """Measure and print; the exit status is 1 with --gate when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), help="where the benchmark was built [build]")
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    parser.add_argument("--gate", action="store_true", help="exit with 1 when a bar is missed")
    parser.add_argument(
        "--scaling", type=float, metavar="RATIO", help="exit with 1 when 8 producers submit less than RATIO times one's"
    )
    options = parser.parse_args()
    program = options.build / "bench" / "ingress"
    if not program.exists():
        parser.error(f"{program} is not built; run `make build`")
    repetitions = 5 if options.quick else 11
    bars = [
        *submit_bars(program, repetitions, options.scaling),
        *rate_bars(program, repetitions),
        *latency_bars(program, options.quick),
    ]
    width = max(len(bar.name) for bar in bars)
    for bar in bars:
        print(f"{bar.name:{width}}  {bar.measured}  {bar.bar}  {'holds' if bar.holds else 'MISSED'}")
    missed = [bar.name for bar in bars if not bar.holds]
    return int(bool(missed and options.gate) or "submit, scaling" in missed)


if __name__ == "__main__":
    sys.exit(main())
