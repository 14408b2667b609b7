# SPDX-License-Identifier: BSD-3-Clause
"""Beside a busy loop on each processor, or on one, our OpenMP runtime does not collapse, where libgomp does not.

A runtime that yields while it waits, or sleeps each time for one of two threads, took 10 to 100 times as long as
libgomp here. The margin is wide because time slices fall as they fall; libgomp itself is 30 times slower in some
processes, so the better half of its runs counts. FERRY_TIMING=0 leaves the judgement out.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paths import BUILD

MARGIN = 8.0
#: Beside one loop on more than two processors, where everybody slept as soon as one thread had lost its processor; that
#: took up to 7 times as long as libgomp.
MANY_MARGIN = 2.0
PROCESSORS = os.cpu_count() or 1
PASSES = 3
TIMEOUT_S = 10
LOOP = "while True: pass"
#: What a program would set for its own threads.
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")

pytestmark = pytest.mark.skipif(
    os.environ.get("FERRY_TIMING") == "0", reason="FERRY_TIMING=0: nothing is judged by time"
)


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(count)]
    try:
        time.sleep(0.2)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def seconds(folder: Path | None, variant: str, count: int, threads: int) -> float:
    """Run a construct `count` times, and return how long that took; TIMEOUT_S when it did not end."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    where = {"LD_LIBRARY_PATH": str(folder)} if folder else {}
    began = time.monotonic()
    try:
        done = subprocess.run(
            [BUILD / "bench/openmp", f"--variant={variant}", f"--n={count}", "--repetitions=1"],
            env=clean | where | {"OMP_NUM_THREADS": str(threads)},
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return TIMEOUT_S
    assert done.returncode == 0, done.stderr
    return time.monotonic() - began


def slowness(variant: str, count: int, threads: int) -> float:
    """Our time, divided by libgomp's."""
    taken: dict[str, list[float]] = {"ours": [], "libgomp": []}
    for _ in range(PASSES):
        taken["ours"].append(seconds(BUILD / "lib/gomp", variant, count, threads))
        taken["libgomp"].append(seconds(None, variant, count, threads))
    better_half = statistics.median(sorted(taken["libgomp"])[: PASSES // 2 + 1])
    return statistics.median(taken["ours"]) / better_half


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("variant", "count"), [("fork_join", 5_000), ("barrier", 5_000)])
def test_a_busy_machine_slows_us_no_more_than_libgomp(variant: str, count: int, threads: int) -> None:
    with busy_loops(PROCESSORS):
        assert slowness(variant, count, threads) <= MARGIN


@pytest.mark.parametrize(("variant", "count"), [("fork_join", 20_000), ("barrier", 20_000)])
def test_one_loop_slows_a_team_of_all_processors_no_more_than_libgomp(variant: str, count: int) -> None:
    with busy_loops(1):
        assert slowness(variant, count, PROCESSORS) <= (MANY_MARGIN if PROCESSORS > 2 else MARGIN)
