# SPDX-License-Identifier: BSD-3-Clause
"""Threads that are awake for the runtime, and sleep elsewhere: in a program's own wait."""

import os
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCE = ROOT / "tests" / "openmp" / "containers" / "waits_elsewhere.c"
OURS = BUILD / "lib" / "gomp"
TIMEOUT_S = 60


@pytest.mark.parametrize("processors", [1, 2, 4])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_another_thread_runs_a_task_that_its_creator_waits_for(processors: int, threads: int, tmp_path: Path) -> None:
    """A thread that sleeps at the region's end does, although as many count as awake as there are processors."""
    allowed = sorted(os.sched_getaffinity(0))[:processors]
    if len(allowed) < processors:
        pytest.skip(f"the test may use {len(allowed)} processors")
    program = tmp_path / "waits_elsewhere"
    subprocess.run(["gcc", "-O1", "-fopenmp", "-o", program, SOURCE], check=True, timeout=TIMEOUT_S)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "LD_"))}
    done = subprocess.run(
        ["taskset", "--cpu-list", ",".join(map(str, allowed)), program],
        env=kept | {"LD_LIBRARY_PATH": str(OURS), "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert done.stdout == "20\n"
