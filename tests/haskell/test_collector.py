# SPDX-License-Identifier: BSD-3-Clause
"""How collections are made in a child that was forked just while that changed: collector_fork.c."""

import subprocess
from pathlib import Path

from haskell_library import needs_ghc
from paths import ROOT

pytestmark = needs_ghc
SECONDS = 300


def test_a_child_of_any_moment_has_the_number_back(tmp_path: Path) -> None:
    program = tmp_path / "program"
    command: list[str | Path] = ["ghc", "-v0", "-no-hs-main", "-threaded", "-outputdir", tmp_path, "-o", program]
    command += ["-optc-Wall", "-optc-Werror", "-optc-O2", "-optc-D_GNU_SOURCE"]
    command += [f"-I{ROOT / 'src'}", f"-I{ROOT / 'haskell' / 'cbits'}", ROOT / "tests" / "haskell" / "collector_fork.c"]
    subprocess.run(command, check=True, timeout=SECONDS)
    done = subprocess.run([program], capture_output=True, text=True, timeout=SECONDS, check=True)
    children, wrong = map(int, done.stdout.split())
    assert children >= 4
    assert wrong == 0
