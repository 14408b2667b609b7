# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP benchmark: its entries compute the right thing with every library, and all of them have targets."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from ferry.check.targets import load_targets
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


def test_every_entry_is_measured_by_the_targets() -> None:
    plan = next(plan for plan in load_targets(ROOT / "bench" / "targets.toml").plans if plan.name == "openmp")
    measured = {variant for run in plan.runs for variant in run.variants}
    assert set(entries()) - measured == {"mix", "dgemm_1024"}, (
        "the one is measured as a whole, the other takes too long"
    )
    assert set(plan.work) | set(plan.work.values()) <= measured
    for run in plan.runs:
        assert {plan.work[variant] for variant in run.variants if variant in plan.work} <= set(run.variants)
