# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests with random delays at every atomic operation of the OpenMP runtime or the ingress (tests/stress/delays.h).

A program is run once with a seed drawn here. Under `make stress` it is run again and again with new seeds for
FERRY_STRESS_SECONDS; then the programs that read that variable also run so long in every other build. A failure names
its seed: `FERRY_SEED=N build/delays/tests/PROGRAM` is the same run, as far as the system's own scheduling lets it be.
"""

import os
import random
import subprocess
import time
from pathlib import Path

import pytest
from native import builds, is_stale, native_environment
from paths import BUILD, ROOT

STRESS_SECONDS = os.environ.get("FERRY_STRESS_SECONDS")
PROGRAMS = sorted(
    path.stem for what in ("openmp", "ingress") for path in (ROOT / "tests" / what / "unit").glob("test_*.c")
)
#: Programs that go on for FERRY_STRESS_SECONDS by themselves.
ENDURING = ("test_openmp_random", "test_openmp_flat", "test_ingress_storm")
#: What a run may take besides that.
RUN_TIMEOUT_S = 900


def run(program: Path, seed: int) -> None:
    """Run the program once; fail with its output and the command that repeats it."""
    assert program.exists(), f"{program} is not built; run `make test`"
    assert not is_stale(program), f"{program} is older than its sources; run `make check T={program.name} DELAYS=1`"
    command = f"FERRY_SEED={seed} {program}"
    try:
        done = subprocess.run(
            [program],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=RUN_TIMEOUT_S + int(STRESS_SECONDS or 0),
            env=native_environment() | {"FERRY_SEED": str(seed)},
            cwd=ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"{command} does not end")
    assert done.returncode == 0, f"{command}\n{(done.stdout + done.stderr)[-6000:]}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_delays_change_no_result(name: str) -> None:
    until = time.monotonic() + int(STRESS_SECONDS or 0)
    while True:
        run(BUILD / "delays/tests" / name, random.getrandbits(48))
        if time.monotonic() >= until:
            break


if STRESS_SECONDS:

    @pytest.mark.parametrize("build", builds())
    @pytest.mark.parametrize("name", ENDURING)
    def test_long_runs_hold(name: str, build: str) -> None:
        run(builds()[build] / "tests" / name, random.getrandbits(48))
