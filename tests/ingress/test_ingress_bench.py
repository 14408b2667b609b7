# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of the ingress, where it does not have what it would like to have."""

import json
import os
import subprocess

from native import native_environment
from paths import BUILD

ROUNDS = 10_000
#: Two threads that spin for each other on one processor would take 40 s: each hand-over takes a time slice of 4 ms.
TIMEOUT_S = 30


def test_the_floors_are_measured_on_one_processor() -> None:
    processor = min(os.sched_getaffinity(0))
    floors = "line:call,futex:call"
    command = ["taskset", "--cpu-list", str(processor), str(BUILD / "bench" / "ingress"), "--variant", floors]
    done = subprocess.run(
        [*command, "--n", str(ROUNDS), "--repetitions", "1"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
        env=native_environment(),
    )
    samples = [json.loads(line) for line in done.stdout.splitlines() if '"sample"' in line]
    assert [sample["variant"] for sample in samples] == floors.split(",")
