# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP benchmark: its entries compute the right thing with every library, and the bars are what they say."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT

PROGRAM = BUILD / "bench" / "openmp"
LIBRARIES = {"libgomp": None, "ours": BUILD / "lib" / "gomp"}
TIMEOUT_S = 900
#: Seconds of work for one run: fib without cut-off, and the large products.
SLOW = {"fib_30", "dgemm_512", "dgemm_1024"}


def run(*arguments: str, library: Path | None = None, threads: int = 2) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    environment |= {"LD_LIBRARY_PATH": str(library)} if library else {}
    return subprocess.run(
        [PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def entries() -> list[str]:
    return run("--help").stdout.partition("Variants of openmp:\n")[2].split()


def test_options() -> None:
    assert "--variant" in run("--help").stdout
    for wrong in (["--nonsense"], ["--n", "0"], ["word"], ["--variant", "nonsense"]):
        refused = run(*wrong)
        assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_entry_gets_its_result(library: str, threads: int) -> None:
    folder = LIBRARIES[library]
    if folder and not (folder / "libgomp.so.1").exists() and not (ROOT / "src" / "openmp").is_dir():
        pytest.skip("this tree has no OpenMP runtime (src/openmp)")
    wanted = [entry for entry in entries() if entry not in SLOW]
    done = run("--repetitions=1", "--n=3", f"--variant={','.join(wanted)}", library=folder, threads=threads)
    assert done.returncode == 0, done.stderr
    samples = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(sample["variant"] for sample in samples if sample["type"] == "sample") == sorted(wanted)


def test_the_bars_are_printed_beside_their_ratios() -> None:
    """The system's own library stands in for ours: its ratios to itself are about 1, and no bar of 0.4 is met."""
    found = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
    ours = Path(found.stdout.strip()).resolve().parent
    script = [sys.executable, str(ROOT / "bench" / "openmp_bars.py"), "--build", str(BUILD), "--ours", str(ours)]
    done = subprocess.run(
        [*script, "--strict", "--threads=1", "--passes=3", "--entries=fork_join,barrier"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.endswith(("met", "MISSED"))]
    assert [line[:4] for line in lines] == [["fork_join", "1", "libgomp", "0.07"], ["barrier", "1", "libgomp", "0.02"]]
    assert all(0.3 < float(line[4]) < 3 and line[-1] == "MISSED" for line in lines), done.stdout
