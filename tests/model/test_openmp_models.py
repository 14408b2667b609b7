# SPDX-License-Identifier: BSD-3-Clause
"""Models of the OpenMP runtime, enumerated by Spin: no reachable state breaks them, and a known mistake is found."""

import shutil
import subprocess
from pathlib import Path

import pytest
from paths import ROOT

MODELS = sorted((ROOT / "tests/model/openmp").glob("*.pml"))

pytestmark = pytest.mark.skipif(shutil.which("spin") is None, reason="spin is not installed (Debian package spin)")


def errors(model: Path, folder: Path, *defines: str) -> int:
    """How many errors an exhaustive search of the model ends with: 0, or 1 for the first."""

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("spin", *defines, "-a", str(model))
    run("cc", "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2000", "-o", "pan", "pan.c")
    text = run("./pan", "-m100000")
    assert "max search depth too small" not in text
    found = text.split("errors: ")[1].split()[0]
    assert found != "0" or "Search not completed" not in text
    return int(found)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_no_state_breaks_the_model(model: Path, tmp_path: Path) -> None:
    assert errors(model, tmp_path) == 0


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_a_weaker_order_is_found_out(model: Path, tmp_path: Path) -> None:
    assert errors(model, tmp_path, "-DWEAK") == 1
