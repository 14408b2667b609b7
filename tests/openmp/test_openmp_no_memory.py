# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP runtime where memory or a thread is refused: it has fewer threads, or says what it cannot do without."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from failing import ALL, FAILS, build_failing, fail
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "life"
OURS = BUILD / "lib" / "gomp"
RUN_TIMEOUT_S = 300
# the calls of the program are fewer, by far
CALLS_MAX = 2000
SAID = r"(?m)^libferryomp: no memory for [a-z -]+$"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("no_memory")
    subprocess.run(["gcc", "-O1", "-fopenmp", "-o", made / "constructs", SOURCES / "constructs.c"], check=True)
    return made


@pytest.mark.parametrize("count", [1, ALL], ids=["once", "from then on"])
def test_the_program_is_right_or_says_why_it_ends(folder: Path, count: int) -> None:
    kept = {name: value for name, value in os.environ.items() if not re.match(r"OMP_|GOMP_|LD_", name)}
    failing = build_failing(folder)
    failed = ended = 0
    for at in range(1, CALLS_MAX):
        environment = kept | {"LD_LIBRARY_PATH": str(OURS)} | fail(failing, "libgomp.so", at, count)
        done = subprocess.run(
            folder / "constructs", env=environment, capture_output=True, text=True, timeout=RUN_TIMEOUT_S
        )
        said = f"call {at}: {done.returncode}\n{done.stdout}{done.stderr}"
        if FAILS not in done.stdout:
            assert done.returncode == 0, said
            break
        failed += 1
        if done.returncode:
            ended += 1
            assert done.returncode == -signal.SIGABRT, said
            assert re.search(SAID, done.stderr), said
    else:
        pytest.fail(f"the program makes more than {CALLS_MAX} calls")
    # so the calls are found, and most of what is missing once is done without
    assert failed > 50
    assert count == ALL or ended < failed
