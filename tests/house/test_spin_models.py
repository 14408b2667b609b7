# SPDX-License-Identifier: BSD-3-Clause
"""Models of the OpenMP runtime, the ingress, its network and Haskell's calls, by Spin: no reachable state breaks them.

And known mistakes are found.

A model's first comment says how it is checked, one line for each way: `holds: DEFINES`, and `fails: DEFINES` for a
mistake that the model must notice. `long: DEFINES` and `long fails: DEFINES` take more than some seconds; they are
checked when FERRY_STRESS_SECONDS is set, as `make stress` does.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import ROOT

MODELS = sorted((ROOT / "tests").glob("*/model/*.pml"))
SEARCH_TIMEOUT_S = 900
LONG = "FERRY_STRESS_SECONDS" in os.environ
#: A search of some seconds takes less time than gcc takes to compile it: tcc does that at once.
COMPILER = ("cc", "-O2") if LONG else ("tcc",)

pytestmark = pytest.mark.skipif(
    not (shutil.which("spin") and shutil.which(COMPILER[0])),
    reason=f"spin or {COMPILER[0]} is not installed (Debian packages spin and tcc)",
)


def ways(kind: str) -> Iterator[object]:
    """Each model with each list of defines that it names for this kind of check."""
    for model in MODELS:
        for defines in re.findall(rf"^ \*\t{kind}: (.*)$", model.read_text(), re.M):
            yield pytest.param(model, defines.split(), id=f"{model.parent.name}-{model.stem} {defines}")


def search(model: Path, folder: Path, defines: list[str]) -> tuple[int, str]:
    """How many errors an exhaustive search ends with, 0 or 1 for the first, and what Spin printed."""

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SEARCH_TIMEOUT_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("spin", *defines, "-a", str(model))
    run(*COMPILER, "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=4000", "-o", "pan", "pan.c")
    # the hash table begins small, and grows with the search: clearing the usual one takes longer than most searches
    text = run("./pan", "-m100000", "-w18")
    assert "max search depth too small" not in text
    found = int(text.split("errors: ")[1].split()[0])
    assert found or "Search not completed" not in text, text
    return found, text


def test_every_model_says_how_it_is_checked() -> None:
    for model in MODELS:
        assert re.search(r"^ \*\tholds: ", model.read_text(), re.M), f"{model} has no line `holds: DEFINES`"
        assert re.search(r"^ \*\tfails: ", model.read_text(), re.M), f"{model} has no line `fails: DEFINES`"


@pytest.mark.parametrize(("model", "defines"), [*ways("holds"), *(ways("long") if LONG else ())])
def test_no_state_breaks_the_model(model: Path, defines: list[str], tmp_path: Path) -> None:
    found, text = search(model, tmp_path, defines)
    assert found == 0, text


@pytest.mark.parametrize(("model", "defines"), [*ways("fails"), *(ways("long fails") if LONG else ())])
def test_a_mistake_is_found_out(model: Path, defines: list[str], tmp_path: Path) -> None:
    found, text = search(model, tmp_path, defines)
    assert found == 1
    assert "assertion violated" in text or "invalid end state" in text
