# SPDX-License-Identifier: BSD-3-Clause
"""The Go host: the echo library called from Go, in both formats, with the race detector too."""

import subprocess

import pytest
from paths import BUILD, ROOT

FOLDER = ROOT / "tests" / "ingress" / "go"
SECONDS = 600


@pytest.mark.parametrize("options", [(), ("-race",)], ids=["plain", "race"])
def test_the_echo_library_is_called(options: tuple[str, ...]) -> None:
    command = [str(ROOT / "scripts" / "go.sh"), str(BUILD), "test", *options, "-v", "-count=1", "."]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("    --- PASS: Test/") >= 50
    assert done.stdout.count("    --- PASS: TestChains/") == 24
