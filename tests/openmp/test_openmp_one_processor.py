# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP where a process may use one processor, with more threads than that."""

import os
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCE = ROOT / "tests" / "openmp" / "containers" / "waits_for_tasks.c"
OURS = BUILD / "lib" / "gomp"
TIMEOUT_S = 60


@pytest.mark.parametrize("threads", [2, 8])
def test_another_thread_runs_a_task_that_its_creator_waits_for(threads: int, tmp_path: Path) -> None:
    """The creator sleeps without OpenMP's knowledge, so who sleeps at the barrier has to be woken before."""
    program = tmp_path / "waits_for_tasks"
    subprocess.run(["gcc", "-O1", "-fopenmp", "-o", program, SOURCE], check=True, timeout=TIMEOUT_S)
    processor = min(os.sched_getaffinity(0))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "LD_"))}
    done = subprocess.run(
        ["taskset", "--cpu-list", str(processor), program],
        env=kept | {"LD_LIBRARY_PATH": str(OURS), "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert done.stdout == "20\n"
