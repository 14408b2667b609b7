# SPDX-License-Identifier: BSD-3-Clause
"""The Go host: the echo library called from Go, in both formats; under `make stress` with the race detector too.

The detector's build compiles Go's own packages anew, which takes a minute.
"""

import os
import subprocess

import pytest
from paths import BUILD, GO, ROOT

FOLDER = ROOT / "tests" / "ingress" / "go"
SECONDS = 600
WAYS = {"plain": (), "race": ("-race",)} if "FERRY_STRESS_SECONDS" in os.environ else {"plain": ()}


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_the_echo_library_is_called(options: tuple[str, ...]) -> None:
    command = [str(GO), str(BUILD), "test", *options, "-v", "-count=1", "."]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("    --- PASS: Test/") >= 50
    assert done.stdout.count("    --- PASS: TestChains/") == 34
